//! Instructions on memory.

use super::inst::{GEP_FLAGS, Parts};
use super::types::Written;
use super::{Parse, Reader};
use crate::inst::{Access, Align, Flags, Op, Ordering, RmwOp, SyncScope};
use crate::types::{Type, TypeId};
use crate::value::Value;
use warpc_diag::codes;

impl Reader<'_> {
    /// `syncscope("…")?`; before LLVM 5 `singlethread`.
    fn sync_scope(&mut self) -> Parse<SyncScope> {
        let name = if self.accept_word(b"syncscope") {
            self.expect(b'(')?;
            let name = self.expect_string()?;
            self.expect(b')')?;
            name
        } else if self.accept_word(b"singlethread") {
            self.module.names.intern(b"singlethread")
        } else {
            return Ok(SyncScope::SYSTEM);
        };
        Ok(SyncScope::named(&self.module.names, name))
    }

    fn ordering(&mut self) -> Parse<Ordering> {
        let word = std::str::from_utf8(self.text()).unwrap_or_default();
        match Ordering::from_llvm(word) {
            Ok(ordering) => {
                self.advance();
                Ok(ordering)
            }
            Err(_) => Err(self.unexpected("an order such as `monotonic` or `seq_cst`")),
        }
    }

    /// `, align N` if it is there.
    fn trailing_align(&mut self) -> Parse<Align> {
        match self.more() {
            true => self.align(),
            false => Ok(Align::NONE),
        }
    }

    /// `atomic? volatile?`
    fn atomic_volatile(&mut self) -> (bool, bool) {
        let atomic = self.accept_word(b"atomic");
        let volatile = self.accept_word(b"volatile");
        (atomic, volatile)
    }

    /// The rest of a load or store after the address.
    fn access(&mut self, atomic: bool, volatile: bool) -> Parse<Access> {
        let (scope, ordering) = match atomic {
            true => (self.sync_scope()?, self.ordering()?),
            false => (SyncScope::SYSTEM, Ordering::Weak),
        };
        let align = self.trailing_align()?;
        Ok(Access {
            volatile,
            ordering,
            align,
            scope,
        })
    }

    /// `ptr %p`, which must be a pointer; its pointee in older text.
    fn address_operand(&mut self, word: &[u8]) -> Parse<Option<TypeId>> {
        let span = self.token.span;
        let Written { id, pointee } = self.written_type()?;
        if !self.module.types.is_ptr(id) {
            return Err(self.bad_operand_type(span, word, id));
        }
        let value = self.value(id)?;
        self.push(value);
        Ok(pointee)
    }

    pub(super) fn load(&mut self) -> Parse<Parts> {
        self.advance();
        let (atomic, volatile) = self.atomic_volatile();
        let first = self.written_type()?;
        let ty = if self.accept(b',') {
            self.address_operand(b"load")?;
            first.id
        } else {
            // Before LLVM 3.7: `load T* %p`.
            let Some(pointee) = first.pointee else {
                return Err(self.unexpected("`,`"));
            };
            let value = self.value(first.id)?;
            self.push(value);
            pointee
        };
        let access = self.access(atomic, volatile)?;
        Ok(Parts {
            op: Op::Load(access),
            ty,
            flags: Flags::empty(),
        })
    }

    pub(super) fn store(&mut self) -> Parse<Parts> {
        self.advance();
        let (atomic, volatile) = self.atomic_volatile();
        let (_, value) = self.typed_value()?;
        self.push(value);
        self.expect(b',')?;
        self.address_operand(b"store")?;
        let access = self.access(atomic, volatile)?;
        Ok(Parts {
            op: Op::Store(access),
            ty: self.module.types.void,
            flags: Flags::empty(),
        })
    }

    pub(super) fn fence(&mut self) -> Parse<Parts> {
        self.advance();
        let scope = self.sync_scope()?;
        let ordering = self.ordering()?;
        Ok(Parts {
            op: Op::Fence(ordering, scope),
            ty: self.module.types.void,
            flags: Flags::empty(),
        })
    }

    pub(super) fn cmpxchg(&mut self) -> Parse<Parts> {
        self.advance();
        let weak = self.accept_word(b"weak");
        let volatile = self.accept_word(b"volatile");
        self.address_operand(b"cmpxchg")?;
        self.expect(b',')?;
        let (ty, expected) = self.typed_value()?;
        self.push(expected);
        self.expect(b',')?;
        let span = self.token.span;
        let (new_ty, new) = self.typed_value()?;
        if new_ty != ty {
            return Err(self.bad_operand_type(span, b"cmpxchg", new_ty));
        }
        self.push(new);
        let scope = self.sync_scope()?;
        let ordering = self.ordering()?;
        let failure = self.ordering()?;
        let align = self.trailing_align()?;
        let i1 = self.module.types.i1;
        let fields = self.module.types.intern_list(&[ty, i1]);
        let ty = self.module.types.intern(Type::Struct {
            fields,
            packed: false,
        });
        let access = Access {
            volatile,
            ordering,
            align,
            scope,
        };
        Ok(Parts {
            op: Op::CmpXchg {
                access,
                failure,
                weak,
            },
            ty,
            flags: Flags::empty(),
        })
    }

    pub(super) fn atomicrmw(&mut self) -> Parse<Parts> {
        self.advance();
        let volatile = self.accept_word(b"volatile");
        let Some(op) = RmwOp::from_keyword(self.text()) else {
            return Err(self.unexpected("an operation such as `add` or `xchg`"));
        };
        self.advance();
        self.address_operand(b"atomicrmw")?;
        self.expect(b',')?;
        let (ty, value) = self.typed_value()?;
        self.push(value);
        let scope = self.sync_scope()?;
        let ordering = self.ordering()?;
        let align = self.trailing_align()?;
        let access = Access {
            volatile,
            ordering,
            align,
            scope,
        };
        Ok(Parts {
            op: Op::AtomicRmw(op, access),
            ty,
            flags: Flags::empty(),
        })
    }

    pub(super) fn alloca(&mut self) -> Parse<Parts> {
        self.advance();
        let inalloca = self.accept_word(b"inalloca");
        let swifterror = self.accept_word(b"swifterror");
        let ty = self.ty()?;
        let mut align = Align::NONE;
        let mut space = 0;
        let mut count = None;
        while self.more() {
            match self.text() {
                b"align" => align = self.align()?,
                b"addrspace" => space = self.address_space()?,
                _ if count.is_none() => count = Some(self.typed_value()?.1),
                _ => return Err(self.unexpected("`align` or `addrspace`")),
            }
        }
        let count: Value = match count {
            Some(count) => count,
            None => self.words.one.into(),
        };
        self.push(count);
        Ok(Parts {
            op: Op::Alloca {
                ty,
                align,
                inalloca,
                swifterror,
            },
            ty: self.module.types.pointer(space),
            flags: Flags::empty(),
        })
    }

    pub(super) fn gep(&mut self) -> Parse<Parts> {
        self.advance();
        let flags = self.flags(GEP_FLAGS);
        let first_span = self.token.span;
        let first = self.written_type()?;
        let (source, base) = if self.accept(b',') {
            let base = self.written_type()?;
            (first.id, base)
        } else {
            // Before LLVM 3.7: `getelementptr T* %p, …`.
            match first.pointee {
                Some(pointee) => (pointee, first),
                None => return Err(self.unexpected("`,`")),
            }
        };
        if !self.is_pointer_like(base.id) {
            return Err(self.bad_operand_type(first_span, b"getelementptr", base.id));
        }
        let value = self.value(base.id)?;
        self.push(value);
        let mut ty = base.id;
        let mut stepped = Some(source);
        let mut first_index = true;
        while self.more() {
            let span = self.token.span;
            let (index_ty, index) = self.typed_value()?;
            self.push(index);
            let scalar = self.module.types.scalar(index_ty);
            if !self.module.types.is_int(scalar) {
                return Err(self.bad_operand_type(span, b"getelementptr", index_ty));
            }
            if self.module.types.is_vector(index_ty) && !self.module.types.is_vector(ty) {
                ty = self.module.types.with_shape_of(index_ty, ty);
            }
            if !std::mem::take(&mut first_index) {
                stepped = stepped.and_then(|ty| self.step(ty, index));
                if stepped.is_none() {
                    let message = "the index does not select a member";
                    let help = "fields of structs are chosen by constants; other types than structs, arrays and vectors have none";
                    return Err(self.fail(codes::IR_TYPE, span, message, help));
                }
            }
        }
        Ok(Parts {
            op: Op::Gep { source },
            ty,
            flags,
        })
    }

    /// The type an index of a GEP leads to.
    pub(super) fn step(&self, ty: TypeId, index: Value) -> Option<TypeId> {
        match self.module.types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => Some(element),
            _ => {
                let constant = index.constant()?;
                let constant = match self.module.constants.get(constant).kind {
                    crate::constant::ConstKind::Splat(element) => element,
                    _ => constant,
                };
                if let crate::constant::ConstKind::Zero = self.module.constants.get(constant).kind {
                    return self.module.types.member(ty, 0);
                }
                let index = self.module.constants.as_u64(constant)?;
                self.module.types.member(ty, index)
            }
        }
    }
}
