//! What single intrinsics want of their arguments.

use super::Verifier;
use super::attribute::Kind;
use super::body::Code;
use super::types::Lanes;
use crate::attribute::Attribute;
use crate::constant::ConstKind;
use crate::function::Call;
use crate::index::Id;
use crate::inst::{CallSite, Op};
use crate::intrinsic::Row;
use crate::metadata::Md;
use crate::module::{GlobalKind, ThreadLocal};
use crate::types::{Type, TypeId};
use crate::value::{InstId, Operand, Value};

impl<'m> Verifier<'m> {
    /// The value of a constant argument.
    pub(super) fn argument_value(&self, call: &Call<'_>, at: usize) -> Option<u64> {
        self.module.constants.as_u64(call.args.get(at)?.constant()?)
    }

    /// The text of an argument that is a metadata string.
    fn argument_text(&self, call: &Call<'_>, at: usize) -> Option<&'m [u8]> {
        match call.args.get(at)?.get() {
            Operand::Metadata(md) => match md.get() {
                Md::String(name) => Some(self.module.names.bytes(name)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What single intrinsics want.
    pub(super) fn single_rules(
        &mut self,
        code: &mut Code<'m>,
        id: InstId,
        row: &'static Row,
        site: &CallSite,
        call: &Call<'_>,
    ) {
        let inst = &code.body.insts[id];
        let ty = |at: usize| self.operand_type(code, call.args, at);
        let value = |at: usize| self.argument_value(call, at);
        let rule = match row.name {
            "llvm.va_start" => {
                let signature = self.module.types.signature(code.global.value_ty);
                (!signature.is_some_and(|signature| signature.2))
                    .then_some("is for functions with `...`")
            }
            "llvm.prefetch" => (value(1) > Some(1) || value(2) > Some(3) || value(3) > Some(1))
                .then_some("takes 0-1, 0-3 and 0-1"),
            "llvm.bswap" => (!self.scalar_bits(inst.ty).is_multiple_of(16))
                .then_some("works on an even number of bytes"),
            "llvm.is.fpclass" => {
                (value(1).is_none_or(|mask| mask > 0x3ff)).then_some("knows ten classes only")
            }
            "llvm.nvvm.setmaxnreg.inc.sync.aligned.u32"
            | "llvm.nvvm.setmaxnreg.dec.sync.aligned.u32" => {
                let fits = value(0).is_some_and(|n| n % 8 == 0 && (24..=256).contains(&n));
                (!fits).then_some("takes a multiple of 8 from 24 to 256")
            }
            name if name.starts_with("llvm.nvvm.fence.proxy.tensormap_generic.acquire") => {
                (value(1) != Some(128)).then_some("takes the size 128")
            }
            "llvm.lifetime.start" | "llvm.lifetime.end" => {
                let fits = match call.args[0].constant() {
                    Some(constant) => self.module.constants.get(constant).kind == ConstKind::Poison,
                    None => is_alloca(code, call.args[0]),
                };
                (!fits).then_some("is for memory of `alloca`")
            }
            "llvm.invariant.start" => (!call.args[0].constant().is_some_and(|size| {
                let size = self.module.constants.as_u64(size);
                size.is_some_and(|size| size as i64 >= -1)
            }))
            .then_some("takes a constant size that is not negative, or -1"),
            "llvm.memcpy.element.unordered.atomic"
            | "llvm.memmove.element.unordered.atomic"
            | "llvm.memset.element.unordered.atomic" => {
                let size = value(3).filter(|size| size.is_power_of_two());
                let pointers = if row.name.contains("memset") { 1 } else { 2 };
                let aligned = |at: usize| {
                    let set = self.module.attributes.of_param(site.attrs, at);
                    match self.attribute(set, Kind::Align) {
                        Some(Attribute::Int(_, align)) => size.is_some_and(|size| align >= size),
                        _ => false,
                    }
                };
                (!(0..pointers).all(aligned))
                    .then_some("takes elements of a power of two of bytes that are aligned")
            }
            "llvm.masked.load"
            | "llvm.masked.store"
            | "llvm.expand.load"
            | "llvm.compress.store" => None,
            "llvm.ucmp" | "llvm.scmp" => {
                let fits = self.scalar_bits(inst.ty) >= 2
                    && ty(0).is_some_and(|ty| self.lanes(ty) == self.lanes(inst.ty));
                (!fits).then_some("gives at least 2 bits, as many elements as it compares")
            }
            "llvm.ptrmask" => self.ptrmask(ty(0), ty(1)),
            "llvm.threadlocal.address" => {
                let global = call.args[0]
                    .constant()
                    .and_then(|c| self.module.global_of(c));
                let fits = global.is_some_and(|global| {
                    self.module.globals[global].thread_local != ThreadLocal::None
                });
                (!fits).then_some("takes a thread-local global")
            }
            "llvm.get.active.lane.mask" => {
                let types = &self.module.types;
                (!types.is_vector(inst.ty) || types.scalar(inst.ty) != types.i1)
                    .then_some("gives a vector of i1")
            }
            "llvm.stepvector" => (!self.is_int_like(inst.ty) || self.scalar_bits(inst.ty) < 8)
                .then_some("gives a vector of integers of at least 8 bits"),
            "llvm.vector.insert" => self.vector_part(ty(0), ty(1), value(2)),
            "llvm.vector.extract" => self.vector_part(ty(0), Some(inst.ty), value(1)),
            "llvm.localescape" => {
                let outside = code.body.order.first() != code.block_of[id.index()].as_ref();
                let again = std::mem::replace(&mut code.escaped, true);
                let is_slot = |value: &Value| match value.constant() {
                    Some(constant) => self.module.constants.is_zero(constant),
                    None => is_alloca(code, *value),
                };
                let slots = call.args.iter().all(is_slot);
                (outside || again || !slots)
                    .then_some("stands once, in the entry block, and takes memory of `alloca`")
            }
            "llvm.stackprotector" => call
                .args
                .get(1)
                .is_none_or(|&slot| !is_alloca(code, slot))
                .then_some("takes memory of `alloca`"),
            "llvm.coro.id" => match call.args.get(3).and_then(|data| data.constant()) {
                Some(data) => {
                    let target = self.stripped(data).map(|id| &self.module.globals[id].kind);
                    let fits = match target {
                        Some(GlobalKind::Variable(variable)) => {
                            variable.constant && variable.init.is_some()
                        }
                        _ => self.module.constants.is_zero(data),
                    };
                    (!fits).then_some("takes a constant with a value")
                }
                None => Some("takes a constant with a value"),
            },
            "llvm.experimental.noalias.scope.decl" => match call.args[0].get() {
                Operand::Metadata(md) => {
                    let scopes = md
                        .node()
                        .map(|list| self.module.metadata.fields(list).len());
                    (scopes != Some(1)).then_some("takes a list of one scope")
                }
                _ => Some("takes a list of one scope"),
            },
            "llvm.experimental.convergence.entry" => {
                let set = self.module.attributes.of_function(code.function.attrs);
                let convergent = self.attribute(set, Kind::Convergent).is_some();
                let entry = code.body.order.first() == code.block_of[id.index()].as_ref();
                (!convergent || !entry)
                    .then_some("is for the entry block of functions that are `convergent`")
            }
            name if name.starts_with("llvm.matrix.") => {
                self.wrong_matrix(name, call, ty(0), ty(1), inst.ty)
            }
            "llvm.init.trampoline" => self
                .function_at(call.args.get(1).copied())
                .is_none()
                .then_some("takes a function"),
            "llvm.gcroot"
            | "llvm.gcread"
            | "llvm.gcwrite"
            | "llvm.experimental.gc.statepoint"
            | "llvm.experimental.gc.result" => code
                .function
                .gc
                .is_none()
                .then_some("is for functions with `gc`"),
            "llvm.eh.exceptioncode" | "llvm.eh.exceptionpointer" => {
                let pad = code.made_by(call.args[0]);
                (!pad.is_some_and(|(_, pad)| pad.op == Op::CatchPad))
                    .then_some("takes a `catchpad`")
            }
            "llvm.lrint" | "llvm.llrint" | "llvm.lround" | "llvm.llround" => {
                let fits = ty(0).is_some_and(|ty| self.lanes(ty) == self.lanes(inst.ty));
                (!fits).then_some("gives as many elements as it takes")
            }
            "llvm.fptrunc.round" => {
                let mode = self.argument_text(call, 1);
                (!mode.is_some_and(|mode| is_rounding(mode) && mode != b"round.dynamic"))
                    .then_some("takes a rounding mode")
            }
            "llvm.preserve.array.access.index" | "llvm.preserve.struct.access.index" => {
                let set = self.module.attributes.of_param(site.attrs, 0);
                let typed = self.attribute_type(set, Kind::ElementType);
                typed
                    .is_none()
                    .then_some("needs `elementtype` on its first argument")
            }
            "llvm.assume" => self.wrong_assumption(code, site, call),
            "llvm.reloc.none" => self
                .argument_text(call, 0)
                .is_none()
                .then_some("takes a metadata string"),
            "llvm.call.preallocated.teardown" | "llvm.call.preallocated.arg" => {
                let made = self.intrinsic_that_made(code, call.args[0]);
                (made != Some("llvm.call.preallocated.setup"))
                    .then_some("takes the token of `llvm.call.preallocated.setup`")
            }
            name if name.starts_with("llvm.vp.") => self.wrong_vector_cast(name, ty(0), inst.ty),
            name if name.starts_with("llvm.vector.reduce.") => self.reduction(name, ty(0), ty(1)),
            name if name.ends_with(".fix") || name.ends_with(".fix.sat") => {
                let bits = ty(0).map_or(0, |ty| u64::from(self.scalar_bits(ty)));
                let signed = name.starts_with("llvm.s");
                let limit = if signed { bits } else { bits + 1 };
                (value(2).is_none_or(|scale| scale >= limit))
                    .then_some("has a scale that is not below the size of its operands")
            }
            name if name.starts_with("llvm.experimental.constrained.") => {
                self.wrong_constrained(name, call, ty(0), inst.ty)
            }
            _ => None,
        };
        if let Some(rule) = rule {
            rule!(self.intrinsic_rule, false, "`{}` {rule}", row.name);
        }
    }

    fn wrong_matrix(
        &self,
        name: &str,
        call: &Call<'_>,
        first: Option<TypeId>,
        second: Option<TypeId>,
        result: TypeId,
    ) -> Option<&'static str> {
        let len = |ty: Option<TypeId>| match ty.map(|ty| self.lanes(ty)) {
            Some(Lanes::Vector { len, .. }) => u64::from(len),
            _ => 0,
        };
        let value = |at: usize| self.argument_value(call, at).unwrap_or(0);
        let area = |a: usize, b: usize| value(a).saturating_mul(value(b));
        let fits = match name {
            "llvm.matrix.multiply" => {
                len(first) == area(2, 3)
                    && len(second) == area(3, 4)
                    && len(Some(result)) == area(2, 4)
            }
            "llvm.matrix.transpose" => len(Some(result)) == area(1, 2),
            "llvm.matrix.column.major.load" => len(Some(result)) == area(3, 4),
            "llvm.matrix.column.major.store" => len(first) == area(4, 5),
            _ => true,
        };
        (!fits).then_some("has vectors that do not fit its shape")
    }

    fn ptrmask(&self, pointer: Option<TypeId>, mask: Option<TypeId>) -> Option<&'static str> {
        let (pointer, mask) = (pointer?, mask?);
        let Type::Ptr(space) = self.scalar(pointer) else {
            return Some("takes pointers");
        };
        let fits = self.lanes(pointer) == self.lanes(mask)
            && self.layout.index_bits(space) == self.scalar_bits(mask);
        (!fits).then_some("takes a mask of the size of an index of the pointer")
    }

    fn vector_part(
        &self,
        whole: Option<TypeId>,
        part: Option<TypeId>,
        at: Option<u64>,
    ) -> Option<&'static str> {
        let (whole, part, at) = (whole?, part?, at?);
        let (
            Lanes::Vector { len, scalable },
            Lanes::Vector {
                len: few,
                scalable: of_part,
            },
        ) = (self.lanes(whole), self.lanes(part))
        else {
            return Some("works on vectors");
        };
        let few = u64::from(few.max(1));
        let fits = self.module.types.scalar(whole) == self.module.types.scalar(part)
            && at % few == 0
            && (scalable != of_part || at.saturating_add(few) <= u64::from(len));
        (!fits)
            .then_some("takes a part of the same elements that starts at a multiple of its length")
    }

    /// Casts of vectors under a mask are casts.
    fn wrong_vector_cast(
        &self,
        name: &str,
        from: Option<TypeId>,
        to: TypeId,
    ) -> Option<&'static str> {
        let word = name.rsplit('.').next()?;
        let from = from?;
        let wrong = match crate::inst::CastOp::from_keyword(word.as_bytes()) {
            Some(op) => self.wrong_cast(op, from, to).is_some(),
            None if matches!(word, "lrint" | "llrint") => {
                !self.is_float_like(from) || !self.is_int_like(to)
            }
            None => false,
        };
        wrong.then_some("does not convert this type to that")
    }

    fn reduction(
        &self,
        name: &str,
        first: Option<TypeId>,
        second: Option<TypeId>,
    ) -> Option<&'static str> {
        let float = name.starts_with("llvm.vector.reduce.f");
        if matches!(
            name,
            "llvm.vector.reduce.fminimum" | "llvm.vector.reduce.fmaximum"
        ) {
            return None;
        }
        let has_start = matches!(name, "llvm.vector.reduce.fadd" | "llvm.vector.reduce.fmul");
        let vector = if has_start { second } else { first }?;
        let fits = self.module.types.is_vector(vector)
            && match float {
                true => self.is_float_like(vector),
                false => self.is_int_like(vector),
            };
        (!fits).then_some("takes a vector of its kind of numbers")
    }

    fn wrong_constrained(
        &self,
        name: &str,
        call: &Call<'_>,
        from: Option<TypeId>,
        to: TypeId,
    ) -> Option<&'static str> {
        let last = call.args.len().checked_sub(1)?;
        let behaviour = self.argument_text(call, last);
        if !matches!(
            behaviour,
            Some(b"fpexcept.ignore" | b"fpexcept.maytrap" | b"fpexcept.strict")
        ) {
            return Some("takes a known exception behaviour");
        }
        let before = last
            .checked_sub(1)
            .and_then(|at| self.argument_text(call, at));
        let is_compare = name.ends_with(".fcmp") || name.ends_with(".fcmps");
        if let Some(mode) = before.filter(|_| !is_compare)
            && !is_rounding(mode)
        {
            return Some("takes a known rounding mode");
        }
        let predicate = |word: &[u8]| crate::inst::FcmpPredicate::from_keyword(word);
        if is_compare && before.and_then(predicate).is_none() {
            return Some("takes a known comparison");
        }
        let (from, kind) = (from?, name.rsplit('.').next()?);
        if self.lanes(from) != self.lanes(to) && kind.contains("to") {
            return Some("gives as many elements as it takes");
        }
        match kind {
            "fptrunc" if self.scalar_bits(from) <= self.scalar_bits(to) => {
                Some("gives a smaller type")
            }
            "fpext" if self.scalar_bits(from) >= self.scalar_bits(to) => {
                Some("gives a larger type")
            }
            _ => None,
        }
    }

    /// The bundles of `llvm.assume` are attributes of their operands.
    fn wrong_assumption(
        &self,
        code: &Code<'_>,
        site: &CallSite,
        call: &Call<'_>,
    ) -> Option<&'static str> {
        let mut rest: &[Value] = call.bundles;
        let bundles = self.module.bundles.get(site.bundles);
        if !bundles.is_empty() && self.argument_value(call, 0) != Some(1) {
            return Some("with bundles assumes `i1 true`");
        }
        for bundle in bundles {
            let (inputs, more) = rest.split_at((bundle.len as usize).min(rest.len()));
            rest = more;
            let types = &self.module.types;
            let is_ptr = |at| {
                self.operand_type(code, inputs, at)
                    .is_some_and(|ty| types.is_ptr(ty))
            };
            let is_int = |at| {
                self.operand_type(code, inputs, at)
                    .is_some_and(|ty| types.is_int(ty))
            };
            let tag = self.module.names.bytes(bundle.tag);
            let fits = match tag {
                b"separate_storage" => inputs.len() == 2 && is_ptr(0) && is_ptr(1),
                b"align" => {
                    matches!(inputs.len(), 2 | 3)
                        && is_ptr(0)
                        && is_int(1)
                        && (inputs.len() == 2 || is_int(2))
                }
                b"ignore" => inputs.len() <= 2,
                b"dereferenceable" | b"dereferenceable_or_null" => {
                    inputs.len() == 2 && is_ptr(0) && is_int(1)
                }
                _ => match Kind::from_name(tag) {
                    None => return Some("has bundles that are attributes"),
                    Some(Kind::AlignStack) => inputs.len() == 2,
                    Some(kind) if kind.fits_param() => inputs.len() == 1,
                    Some(_) => inputs.is_empty(),
                },
            };
            if !fits {
                return Some("has a bundle with wrong operands");
            }
        }
        None
    }
}

/// Whether a value is memory that an `alloca` gave.
fn is_alloca(code: &Code<'_>, value: Value) -> bool {
    let made = code.made_by(value);
    made.is_some_and(|(_, inst)| matches!(inst.op, Op::Alloca { .. }))
}

/// Whether a word names a rounding mode.
fn is_rounding(word: &[u8]) -> bool {
    matches!(
        word,
        b"round.dynamic"
            | b"round.tonearest"
            | b"round.downward"
            | b"round.upward"
            | b"round.towardzero"
            | b"round.tonearestaway"
    )
}
