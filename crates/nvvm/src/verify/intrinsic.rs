//! Intrinsics: their names and signatures.
//!
//! `intrinsics.txt` has a line for each intrinsic of LLVM 22 that belongs to no target or to NVIDIA's:
//! name, results, parameters, and the parameters that must be constants. `any…` is a type that the name
//! of the function carries; `=0` is the first such type again, `elem0` its element, `lanes0:i1` a vector of
//! as many i1, `nth0:2` a vector with half of the elements, `anyptrs0` a vector of as many pointers.
//! Intrinsics of other targets are taken as they are.

use super::body::Code;
use super::types::Lanes;
use super::{Callee, Verifier};
use crate::function::Call;
use crate::inst::{CallSite, Op};
use crate::module::GlobalId;
use crate::types::{Type, TypeId};
use crate::value::InstId;
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
    pub(super) fn intrinsic_rule(&mut self, holds: bool, message: impl Into<String>) -> bool {
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
