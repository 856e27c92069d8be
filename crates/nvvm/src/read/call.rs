//! Calls, in all three forms.

use super::inst::Parts;
use super::types::Written;
use super::{Parse, Reader};
use crate::attribute::AttrSet;
use crate::constant::ConstKind;
use crate::inst::{Bundle, CallSite, CallSiteId, Flags, Op, Tail};
use crate::lex::TokenKind;
use crate::module::{Asm, AsmFlags};
use crate::types::{Type, TypeId};
use crate::value::{Operand, Value};
use warpc_diag::{Span, codes};

/// A call, before what follows its attributes.
struct Callee {
    site: CallSite,
    value: Value,
    ret: TypeId,
    bundles: Vec<Bundle>,
}

impl Reader<'_> {
    /// `tail? call …`; `None` if it was a debug intrinsic and became a record.
    pub(super) fn call_inst(&mut self) -> Parse<Option<Parts>> {
        let tail = match Tail::from_keyword(self.text()) {
            Some(tail) => {
                self.advance();
                tail
            }
            None => Tail::None,
        };
        self.expect_word(b"call")?;
        let flags = self.fast_math_flags();
        let start = self.token.span;
        let callee = self.callee(tail)?;
        if let Some(kind) = self.debug_intrinsic(callee.value) {
            self.attachments()?;
            self.record_of_call(kind, start)?;
            return Ok(None);
        }
        let (site, ty) = self.finish_call(callee)?;
        Ok(Some(Parts {
            op: Op::Call(site),
            ty,
            flags,
        }))
    }

    pub(super) fn invoke(&mut self) -> Parse<Parts> {
        self.advance();
        let callee = self.callee(Tail::None)?;
        self.expect_word(b"to")?;
        let normal = self.target_block()?;
        self.push(normal);
        self.expect_word(b"unwind")?;
        let unwind = self.target_block()?;
        self.push(unwind);
        let (site, ty) = self.finish_call(callee)?;
        Ok(Parts {
            op: Op::Invoke(site),
            ty,
            flags: Flags::empty(),
        })
    }

    pub(super) fn callbr(&mut self) -> Parse<Parts> {
        self.advance();
        let mut callee = self.callee(Tail::None)?;
        self.expect_word(b"to")?;
        let default = self.target_block()?;
        self.push(default);
        self.expect(b'[')?;
        let indirect = self.blocks_until_bracket()?;
        self.upgrade_label_arguments(&mut callee, indirect as usize);
        let (site, ty) = self.finish_call(callee)?;
        Ok(Parts {
            op: Op::CallBr(site, indirect),
            ty,
            flags: Flags::empty(),
        })
    }

    /// Before LLVM 15 the blocks a `callbr` may go to were also its last arguments, as addresses with
    /// plain constraints. Now the constraints say that they are labels.
    fn upgrade_label_arguments(&mut self, callee: &mut Callee, indirect: usize) {
        let args = callee.site.args as usize;
        let Operand::Asm(asm) = callee.value.get() else {
            return;
        };
        let blocks = self.scope.operands.len() - indirect;
        let Some(first) = args.checked_sub(indirect).filter(|_| indirect > 0) else {
            return;
        };
        let same = (0..indirect).all(|index| {
            let address = self.scope.operands[first + index].constant();
            let kind = address.map(|address| self.module.constants.get(address).kind);
            let target = self.scope.operands[blocks + index].block();
            match kind {
                Some(ConstKind::BlockAddress(address)) => {
                    target.is_some() && self.block_of_address(address) == target
                }
                _ => false,
            }
        });
        if !same {
            return;
        }
        let old = *self.module.asms.get(asm);
        let text = self.module.names.text(old.constraints).into_owned();
        let constraints = label_constraints(&text, first);
        self.scope.operands.drain(first..args);
        let (ret, types) = match self.module.types.signature(callee.site.ty) {
            Some((ret, params, _)) => (ret, params[..first].to_vec()),
            None => return,
        };
        let ty = self.module.types.function(ret, &types, false);
        let constraints = self.module.names.intern(constraints.as_bytes());
        callee.site.ty = ty;
        callee.site.args = first as u32;
        let asm = Asm {
            ty,
            constraints,
            ..old
        };
        callee.value = Operand::Asm(self.module.asms.intern(asm)).into();
    }

    /// The callee goes last; what the call has in common with others is interned.
    fn finish_call(&mut self, callee: Callee) -> Parse<(CallSiteId, TypeId)> {
        self.push(callee.value);
        let bundles = self.module.bundles.intern(&callee.bundles);
        let site = CallSite {
            bundles,
            ..callee.site
        };
        Ok((self.module.call_sites.intern(site), callee.ret))
    }

    /// `conv? ret-attrs addrspace? T callee(args) attrs bundles`
    fn callee(&mut self, tail: Tail) -> Parse<Callee> {
        let conv = self.call_conv()?;
        let ret_attrs = self.param_attributes(None)?;
        let space = self.optional_address_space()?;
        let Written { id, pointee } = self.any_type()?;
        let span = self.token.span;
        // Before opaque pointers a type of a pointer to a function could stand here.
        let written = match pointee {
            Some(pointee) if self.module.types.signature(pointee).is_some() => pointee,
            _ => id,
        };
        let known = self.module.types.signature(written).is_some();
        let callee = if self.at_word(b"asm") {
            None
        } else {
            let ty = self.module.types.pointer(space);
            Some(self.value(ty)?)
        };
        let asm = match callee {
            Some(_) => None,
            None => Some(self.asm()?),
        };
        let mut param_attrs: smallvec::SmallVec<[AttrSet; 8]> = smallvec::SmallVec::new();
        let mut types: smallvec::SmallVec<[TypeId; 8]> = smallvec::SmallVec::new();
        self.expect(b'(')?;
        if !self.token.is(b')') {
            loop {
                if self.token.kind == TokenKind::Dots {
                    // Forwarded variadic arguments of a musttail call.
                    self.advance();
                    break;
                }
                let Written { id, pointee } = self.written_type()?;
                types.push(id);
                if id == self.module.types.metadata {
                    param_attrs.push(self.module.attributes.empty_set);
                    let value = self.metadata_operand()?;
                    self.push(value);
                } else {
                    let attrs = self.param_attributes(pointee)?;
                    param_attrs.push(attrs);
                    let value = self.value(id)?;
                    self.push(value);
                }
                if !self.accept(b',') {
                    break;
                }
            }
        }
        self.expect(b')')?;
        let attrs = self.function_attributes()?;
        let ty = match known {
            true => {
                self.check_arguments(written, &types, span)?;
                written
            }
            false => self.module.types.function(id, &types, false),
        };
        let value = match (callee, asm) {
            (Some(callee), _) => callee,
            (None, Some((text, constraints, flags))) => {
                let asm = self.module.asms.intern(Asm {
                    ty,
                    text,
                    constraints,
                    flags,
                });
                Operand::Asm(asm).into()
            }
            (None, None) => return Err(self.unexpected("a function")),
        };
        let ret = match self.module.types.get(ty) {
            Type::Function { ret, .. } => ret,
            _ => id,
        };
        let bundles = self.operand_bundles()?;
        let attrs = self
            .module
            .attributes
            .intern_list(attrs, ret_attrs, &param_attrs);
        Ok(Callee {
            site: CallSite {
                ty,
                attrs,
                conv,
                tail,
                args: types.len() as u32,
                bundles: crate::index::Id::new(0),
            },
            value,
            ret,
            bundles,
        })
    }

    /// The arguments must fit a function type that is written out.
    fn check_arguments(&mut self, ty: TypeId, types: &[TypeId], span: Span) -> Parse<()> {
        let Some((_, params, variadic)) = self.module.types.signature(ty) else {
            return Ok(());
        };
        let message = if types.len() < params.len() {
            format!(
                "{} arguments, but the function takes {}",
                types.len(),
                params.len()
            )
        } else if types.len() > params.len() && !variadic {
            format!(
                "{} arguments, but the function takes {} only",
                types.len(),
                params.len()
            )
        } else if let Some(index) = (0..params.len()).find(|&index| params[index] != types[index]) {
            let wanted = crate::print::type_text(&self.module, params[index]);
            format!("argument {index} does not have the type `{wanted}` of the parameter")
        } else {
            return Ok(());
        };
        let help = "the arguments must fit the function type of the call";
        Err(self.fail(codes::IR_TYPE, span, message, help))
    }

    /// `asm sideeffect "text", "constraints"`
    fn asm(&mut self) -> Parse<(crate::name::Name, crate::name::Name, AsmFlags)> {
        self.expect_word(b"asm")?;
        let mut flags = AsmFlags::empty();
        for (word, flag) in [
            (&b"sideeffect"[..], AsmFlags::SIDE_EFFECT),
            (b"alignstack", AsmFlags::ALIGN_STACK),
            (b"inteldialect", AsmFlags::INTEL),
            (b"unwind", AsmFlags::UNWIND),
        ] {
            if self.accept_word(word) {
                flags |= flag;
            }
        }
        let text = self.expect_string()?;
        self.expect(b',')?;
        let constraints = self.expect_string()?;
        Ok((text, constraints, flags))
    }

    /// `[ "tag"(T v, …), … ]`
    fn operand_bundles(&mut self) -> Parse<Vec<Bundle>> {
        let mut bundles = Vec::new();
        if !self.accept(b'[') {
            return Ok(bundles);
        }
        loop {
            let tag = self.expect_string()?;
            self.expect(b'(')?;
            let mut len = 0;
            if !self.token.is(b')') {
                loop {
                    let ty = self.ty()?;
                    let value = if ty == self.module.types.metadata {
                        self.metadata_operand()?
                    } else {
                        self.value(ty)?
                    };
                    self.push(value);
                    len += 1;
                    if !self.accept(b',') {
                        break;
                    }
                }
            }
            self.expect(b')')?;
            bundles.push(Bundle { tag, len });
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(bundles)
    }
}

/// The constraints of an inline assembly whose arguments from one on are labels.
pub(crate) fn label_constraints(text: &str, first: usize) -> String {
    let mut argument = 0;
    let constraints: Vec<String> = text
        .split(',')
        .map(|constraint| {
            let output = constraint.starts_with('=');
            let takes = !constraint.starts_with('~') && (!output || constraint.contains('*'));
            argument += usize::from(takes);
            match takes && argument > first {
                true => format!("!{constraint}"),
                false => constraint.to_owned(),
            }
        })
        .collect();
    constraints.join(",")
}
