//! Intrinsics: their signatures, and what single ones want of their arguments.
//!
//! `intrinsics.txt` has a line for each intrinsic of LLVM 22 that belongs to no target or to NVIDIA's:
//! name, results, parameters, and the parameters that must be constants. `any…` is a type that the name
//! of the function carries; `=0` is the first such type again, `elem0` its element, `lanes0:i1` a vector of
//! as many i1, `nth0:2` a vector with half of the elements, `anyptrs0` a vector of as many pointers.
//! Intrinsics of other targets are taken as they are.

use super::body::Code;
use super::types::Lanes;
use super::{Callee, Verifier};
use crate::constant::ConstKind;
use crate::function::Call;
use crate::inst::{CallSite, Op};
use crate::metadata::Md;
use crate::module::{GlobalId, ThreadLocal};
use crate::types::{Type, TypeId};
use crate::value::{InstId, Operand, Value};
use std::sync::LazyLock;
use warpc_diag::codes;

/// An intrinsic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    /// Its name, without the types.
    pub(super) name: &'static str,
    results: Vec<Shape>,
    params: Vec<Shape>,
    /// The parameters that must be constants.
    constants: Vec<usize>,
    /// Whether its name carries types.
    overloaded: bool,
}

/// A type in a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Any type, and what it must be like.
    Any(Family),
    /// The same as a type of the name.
    Same(usize),
    /// The element of a type of the name.
    Element(usize),
    /// As many of a type as a type of the name has elements.
    Lanes(usize, Fixed),
    /// A vector with a part of the elements of a type of the name.
    Part(usize, u32),
    /// A vector of as many pointers as a type of the name has elements.
    Pointers(usize),
    /// One type.
    Fixed(Fixed),
    /// A vector of one type.
    Vector(u32, Fixed),
    /// `...`
    Variadic,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    All,
    Int,
    Float,
    Vector,
    Pointer,
}

/// A type that needs no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fixed(Type);

fn fixed(word: &str) -> Option<Fixed> {
    let number = |digits: &str| digits.parse().ok();
    Some(Fixed(match word {
        "half" => Type::Half,
        "bfloat" => Type::BFloat,
        "float" => Type::Float,
        "double" => Type::Double,
        "x86_fp80" => Type::X86Fp80,
        "fp128" => Type::Fp128,
        "ppc_fp128" => Type::PpcFp128,
        "metadata" => Type::Metadata,
        "token" => Type::Token,
        "void" => Type::Void,
        _ => match word.split_at(1) {
            ("i", bits) => Type::Int(number(bits)?),
            ("p", space) => Type::Ptr(number(space)?),
            _ => return None,
        },
    }))
}

fn shape(word: &str) -> Option<Shape> {
    let family = match word {
        "any" => Some(Family::All),
        "anyint" => Some(Family::Int),
        "anyfloat" => Some(Family::Float),
        "anyvec" => Some(Family::Vector),
        "anyptr" => Some(Family::Pointer),
        _ => None,
    };
    if let Some(family) = family {
        return Some(Shape::Any(family));
    }
    if word == "..." {
        return Some(Shape::Variadic);
    }
    if let Some(number) = word.strip_prefix('=') {
        return Some(Shape::Same(number.parse().ok()?));
    }
    if let Some(number) = word.strip_prefix("elem") {
        return Some(Shape::Element(number.parse().ok()?));
    }
    if let Some(number) = word.strip_prefix("anyptrs") {
        return Some(Shape::Pointers(number.parse().ok()?));
    }
    if let Some((number, element)) = word.strip_prefix("lanes").and_then(|w| w.split_once(':')) {
        return Some(Shape::Lanes(number.parse().ok()?, fixed(element)?));
    }
    if let Some((number, part)) = word.strip_prefix("nth").and_then(|w| w.split_once(':')) {
        return Some(Shape::Part(number.parse().ok()?, part.parse().ok()?));
    }
    if let Some((len, element)) = word.strip_prefix('v').and_then(|w| w.split_once('x')) {
        return Some(Shape::Vector(len.parse().ok()?, fixed(element)?));
    }
    fixed(word).map(Shape::Fixed)
}

fn shapes(words: &str) -> Vec<Shape> {
    let mut all = Vec::new();
    for word in words.split_whitespace() {
        let (word, count) = match word.split_once('*') {
            Some((word, count)) => (word, count.parse().unwrap_or(1)),
            None => (word, 1),
        };
        all.extend(shape(word).into_iter().cycle().take(count));
    }
    all
}

/// All intrinsics, sorted by name.
static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    include_str!("intrinsics.txt")
        .lines()
        .map(|line| {
            let mut columns = line.split('\t');
            let mut column = || columns.next().unwrap_or_default();
            let (name, results, params) = (column(), shapes(column()), shapes(column()));
            let constants = column().split(' ').filter_map(|n| n.parse().ok()).collect();
            let both = results.iter().chain(&params);
            let overloaded = both
                .into_iter()
                .any(|shape| matches!(shape, Shape::Any(_) | Shape::Pointers(_)));
            Row {
                name,
                results,
                params,
                constants,
                overloaded,
            }
        })
        .collect()
});

/// What a function with this name is.
pub(super) fn callee(name: &[u8]) -> Callee {
    if !name.starts_with(b"llvm.") {
        return Callee::Plain;
    }
    // The longest name that the function's name starts with, cut at a dot.
    let mut end = name.len();
    loop {
        let prefix = &name[..end];
        let found = TABLE.binary_search_by(|row| row.name.as_bytes().cmp(prefix));
        if let Ok(at) = found {
            let row = &TABLE[at];
            return match end == name.len() || row.overloaded {
                true => Callee::Known(row),
                false => Callee::Unknown,
            };
        }
        match prefix.iter().rposition(|&byte| byte == b'.') {
            Some(dot) if dot > 4 => end = dot,
            _ => return Callee::Unknown,
        }
    }
}

/// Intrinsics that `invoke` can call.
const INVOKED: &[&str] = &[
    "llvm.donothing",
    "llvm.seh.try.begin",
    "llvm.seh.try.end",
    "llvm.seh.scope.begin",
    "llvm.seh.scope.end",
    "llvm.coro.resume",
    "llvm.coro.destroy",
    "llvm.coro.await.suspend.void",
    "llvm.coro.await.suspend.bool",
    "llvm.coro.await.suspend.handle",
    "llvm.experimental.patchpoint",
    "llvm.experimental.patchpoint.void",
    "llvm.fake.use",
    "llvm.experimental.gc.statepoint",
    "llvm.wasm.rethrow",
    "llvm.wasm.throw",
    "llvm.objc.clang.arc.use",
];

impl<'m> Verifier<'m> {
    fn intrinsic_rule(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_INTRINSIC, message)
    }

    /// Checks a call of an intrinsic.
    pub(super) fn intrinsic_call(
        &mut self,
        code: &mut Code<'m>,
        id: InstId,
        global: GlobalId,
        callee: Callee,
        site: &CallSite,
        call: &Call<'_>,
    ) {
        let declared = self.module.globals[global].value_ty;
        if !rule!(
            self.intrinsic_rule,
            declared == site.ty,
            "{} is called with another type than it has",
            self.name_of(global)
        ) {
            return;
        }
        let name = match callee {
            Callee::Known(row) => row.name,
            _ => "",
        };
        if matches!(code.body.insts[id].op, Op::Invoke(_)) {
            rule!(
                self.intrinsic_rule,
                INVOKED.contains(&name) || self.name_of(global).starts_with("@llvm.wasm."),
                "{} cannot be invoked, call it",
                self.name_of(global)
            );
        }
        let Callee::Known(row) = callee else {
            return;
        };
        // Before LLVM 22 the size came first. It means nothing, and so do such calls.
        if row.name.starts_with("llvm.lifetime.") && call.args.len() == 2 {
            return;
        }
        if !self.fits_signature(row, declared) {
            rule!(
                self.intrinsic_rule,
                false,
                "{} does not have the type {}",
                self.name_of(global),
                self.show(declared)
            );
            return;
        }
        for &at in &row.constants {
            let fits = call
                .args
                .get(at)
                .is_none_or(|&value| self.is_immediate(value));
            if !rule!(
                self.intrinsic_rule,
                fits,
                "argument {} of {} must be a constant number",
                at + 1,
                self.name_of(global)
            ) {
                return;
            }
        }
        self.single_rules(code, id, row, site, call);
    }

    /// Whether a function type is that of an intrinsic.
    fn fits_signature(&self, row: &Row, ty: TypeId) -> bool {
        let types = &self.module.types;
        let Some((ret, params, variadic)) = types.signature(ty) else {
            return false;
        };
        let mut given: Vec<TypeId> = Vec::new();
        match &row.results[..] {
            [] if ret == types.void => {}
            [] => return false,
            [_] => given.push(ret),
            several => match types.get(ret) {
                Type::Struct { fields, .. } if types.list(fields).len() == several.len() => {
                    given.extend(types.list(fields));
                }
                _ => return false,
            },
        }
        given.extend(params);
        let wanted: Vec<Shape> = row.results.iter().chain(&row.params).copied().collect();
        let open = wanted.last() == Some(&Shape::Variadic);
        let wanted = &wanted[..wanted.len() - usize::from(open)];
        if open != variadic || given.len() != wanted.len() {
            return false;
        }
        let pairs = || wanted.iter().copied().zip(given.iter().copied());
        let named: Vec<TypeId> = pairs()
            .filter(|(shape, _)| matches!(shape, Shape::Any(_) | Shape::Pointers(_)))
            .map(|(_, ty)| ty)
            .collect();
        pairs().all(|(shape, ty)| self.fits_shape(shape, ty, &named))
    }

    fn fits_shape(&self, shape: Shape, ty: TypeId, named: &[TypeId]) -> bool {
        let types = &self.module.types;
        let of = |at: usize| named.get(at).copied();
        match shape {
            Shape::Any(Family::All) => true,
            Shape::Any(Family::Int) => self.is_int_like(ty),
            Shape::Any(Family::Float) => self.is_float_like(ty),
            Shape::Any(Family::Vector) => types.is_vector(ty),
            Shape::Any(Family::Pointer) => types.is_ptr(ty),
            Shape::Same(at) => of(at) == Some(ty),
            Shape::Element(at) => {
                of(at).is_some_and(|of| types.is_vector(of) && types.scalar(of) == ty)
            }
            Shape::Lanes(at, Fixed(element)) => {
                of(at).is_some_and(|of| self.lanes(of) == self.lanes(ty))
                    && self.scalar(ty) == element
            }
            Shape::Part(at, part) => {
                let (Some(whole), Lanes::Vector { len, scalable }) = (of(at), self.lanes(ty))
                else {
                    return false;
                };
                let expected = Lanes::Vector {
                    len: len * part,
                    scalable,
                };
                self.lanes(whole) == expected && types.scalar(whole) == types.scalar(ty)
            }
            Shape::Pointers(at) => {
                of(at).is_some_and(|of| self.lanes(of) == self.lanes(ty))
                    && types.is_vector(ty)
                    && self.is_ptr_like(ty)
            }
            Shape::Fixed(Fixed(wanted)) => self.ty(ty) == wanted,
            Shape::Vector(len, Fixed(element)) => {
                let scalable = false;
                self.lanes(ty) == Lanes::Vector { len, scalable } && self.scalar(ty) == element
            }
            Shape::Variadic => false,
        }
    }

    /// The value of a constant argument.
    fn argument_value(&self, call: &Call<'_>, at: usize) -> Option<u64> {
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
    fn single_rules(
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
                    None => code
                        .made_by(call.args[0])
                        .is_some_and(|(_, made)| matches!(made.op, Op::Alloca { .. })),
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
                let size = value(3);
                (!size.is_some_and(u64::is_power_of_two))
                    .then_some("takes elements of a power of two of bytes")
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
                let outside =
                    code.body.order.first() != code.block_of[crate::index::Id::index(id)].as_ref();
                let again = std::mem::replace(&mut code.escaped, true);
                (outside || again).then_some("stands once, in the entry block")
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
                let typed = self.attribute_type(set, super::attribute::Kind::ElementType);
                typed
                    .is_none()
                    .then_some("needs `elementtype` on its first argument")
            }
            "llvm.assume" => self.wrong_assumption(code, site, call),
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

    fn reduction(
        &self,
        name: &str,
        first: Option<TypeId>,
        second: Option<TypeId>,
    ) -> Option<&'static str> {
        let float = name.starts_with("llvm.vector.reduce.f");
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
        let behaviour = self.argument_text(call, last)?;
        if !matches!(
            behaviour,
            b"fpexcept.ignore" | b"fpexcept.maytrap" | b"fpexcept.strict"
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
        use super::attribute::Kind;
        let mut rest: &[Value] = call.bundles;
        for bundle in self.module.bundles.get(site.bundles) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_understood() {
        for (line, row) in include_str!("intrinsics.txt").lines().zip(TABLE.iter()) {
            let words = line
                .split('\t')
                .skip(1)
                .take(2)
                .flat_map(str::split_whitespace);
            let count: usize = words
                .map(|word| match word.split_once('*') {
                    Some((_, count)) => count.parse().unwrap(),
                    None => 1,
                })
                .sum();
            assert_eq!(row.results.len() + row.params.len(), count, "{line}");
        }
        assert!(TABLE.is_sorted_by(|a, b| a.name.as_bytes() < b.name.as_bytes()));
    }

    #[test]
    fn names_carry_types_only_if_overloaded() {
        let name = |text: &str| match callee(text.as_bytes()) {
            Callee::Known(row) => Some(row.name),
            _ => None,
        };
        assert_eq!(name("llvm.ctpop.i32"), Some("llvm.ctpop"));
        assert_eq!(
            name("llvm.nvvm.read.ptx.sreg.tid.x"),
            Some("llvm.nvvm.read.ptx.sreg.tid.x")
        );
        assert_eq!(name("llvm.nvvm.read.ptx.sreg.tid.x.i32"), None);
        assert_eq!(name("llvm.x86.sse2.pause"), None);
        assert_eq!(callee(b"ctpop"), Callee::Plain);
        assert_eq!(callee(b"llvm.nothing.such"), Callee::Unknown);
    }
}
