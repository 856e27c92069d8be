//! The intrinsics of LLVM: their names and signatures.
//!
//! `intrinsics.txt` has a line for each intrinsic of LLVM 22 that belongs to no target or to NVIDIA's:
//! name, results, parameters, the parameters that must be constants (`5:0..3`: and less than 3), and whether it is convergent, which
//! LLVM knows of it whatever its declaration says. `any…` is a type that the name
//! of the function carries; `=0` is the first such type again, `elem0` its element, `lanes0:i1` a vector of
//! as many i1, `nth0:2` a vector with half of the elements, `anyptrs0` a vector of as many pointers.
//! Intrinsics of other targets are not known here.

mod old;

use crate::module::Module;
use crate::types::{Type, TypeId, Types};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

/// An intrinsic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// Its name, without the types.
    pub(crate) name: &'static str,
    results: Vec<Shape>,
    params: Vec<Shape>,
    /// The parameters that must be constants.
    pub(crate) constants: Vec<Constant>,
    /// Whether it is convergent.
    pub(crate) convergent: bool,
    /// Whether its name carries types.
    overloaded: bool,
}

/// A parameter that must be a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Constant {
    /// Which one.
    pub(crate) param: usize,
    /// The values it may have, if not all.
    pub(crate) values: Option<std::ops::Range<u64>>,
}

fn constant(word: &str) -> Option<Constant> {
    let (param, values) = match word.split_once(':') {
        Some((param, values)) => {
            let (low, high) = values.split_once("..")?;
            (param, Some(low.parse().ok()?..high.parse().ok()?))
        }
        None => (word, None),
    };
    let param = param.parse().ok()?;
    Some(Constant { param, values })
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

/// All intrinsics, a line each, sorted by name.
static TABLE: &str = include_str!("intrinsics.txt");

/// The rows that were asked for, by their lines. A module uses few of them, so the others are never made.
static ROWS: Mutex<BTreeMap<usize, &'static Row>> = Mutex::new(BTreeMap::new());

/// The line of an intrinsic, and where it starts.
fn line_of(name: &[u8]) -> Option<(usize, &'static str)> {
    let (mut low, mut high) = (0, TABLE.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = TABLE[low..middle]
            .rfind('\n')
            .map_or(low, |at| low + at + 1);
        let line = TABLE[start..].lines().next()?;
        let found = line.split('\t').next()?;
        match found.as_bytes().cmp(name) {
            Ordering::Equal => return Some((start, line)),
            Ordering::Less => low = (start + line.len() + 1).min(high),
            Ordering::Greater => high = start,
        }
    }
    None
}

/// Reads a line of the table.
fn read_row(line: &'static str) -> Row {
    let mut columns = line.split('\t');
    let mut column = || columns.next().unwrap_or_default();
    let (name, results, params) = (column(), shapes(column()), shapes(column()));
    let constants = column().split_whitespace().filter_map(constant).collect();
    let convergent = column() == "convergent";
    let mut both = results.iter().chain(&params);
    let overloaded = both.any(|shape| matches!(shape, Shape::Any(_) | Shape::Pointers(_)));
    Row {
        name,
        results,
        params,
        constants,
        convergent,
        overloaded,
    }
}

/// The intrinsic with exactly this name.
fn row_named(name: &[u8]) -> Option<&'static Row> {
    let (start, line) = line_of(name)?;
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    let row = rows
        .entry(start)
        .or_insert_with(|| Box::leak(Box::new(read_row(line))));
    Some(*row)
}

/// The intrinsic that a function with this name is, if it is one of the table.
pub(crate) fn find(name: &[u8]) -> Option<&'static Row> {
    if !name.starts_with(b"llvm.") {
        return None;
    }
    // The longest name that the function's name starts with, cut at a dot.
    let mut end = name.len();
    loop {
        let prefix = &name[..end];
        if let Some(row) = row_named(prefix) {
            return (end == name.len() || row.overloaded).then_some(row);
        }
        match prefix.iter().rposition(|&byte| byte == b'.') {
            Some(dot) if dot > 4 => end = dot,
            _ => return None,
        }
    }
}

/// Whether LLVM has an intrinsic with just this name, without types in it.
pub fn is_known(name: &[u8]) -> bool {
    find(name).is_some_and(|row| row.name.as_bytes() == name)
}

/// Whether an intrinsic with this name is convergent, whatever its declaration says.
pub fn is_convergent(name: &[u8]) -> bool {
    find(name).is_some_and(|row| row.convergent)
}

impl Row {
    /// Whether a function type is that of the intrinsic.
    pub(crate) fn fits(&self, types: &Types, ty: TypeId) -> bool {
        self.named_types(types, ty).is_some()
    }

    /// The name of the intrinsic with a type; nothing if that is not a type of it.
    pub(crate) fn name_with(&self, module: &Module, ty: TypeId) -> Option<String> {
        let mut name = self.name.to_owned();
        for ty in self.named_types(&module.types, ty)? {
            name.push('.');
            mangle(module, ty, &mut name);
        }
        Some(name)
    }

    /// The types that the name carries, if a function type is that of the intrinsic.
    fn named_types(&self, types: &Types, ty: TypeId) -> Option<Vec<TypeId>> {
        let (ret, params, variadic) = types.signature(ty)?;
        let mut given: Vec<TypeId> = Vec::new();
        match &self.results[..] {
            [] if ret == types.void => {}
            [] => return None,
            [_] => given.push(ret),
            // The struct may have a name.
            several => match types.fields(ret) {
                Some(fields) if fields.len() == several.len() => given.extend(fields),
                _ => return None,
            },
        }
        given.extend(params);
        let wanted: Vec<Shape> = self.results.iter().chain(&self.params).copied().collect();
        let open = wanted.last() == Some(&Shape::Variadic);
        let wanted = &wanted[..wanted.len() - usize::from(open)];
        if open != variadic || given.len() != wanted.len() {
            return None;
        }
        let pairs = || wanted.iter().copied().zip(given.iter().copied());
        let named: Vec<TypeId> = pairs()
            .filter(|(shape, _)| matches!(shape, Shape::Any(_) | Shape::Pointers(_)))
            .map(|(_, ty)| ty)
            .collect();
        pairs()
            .all(|(shape, ty)| fits_shape(types, shape, ty, &named))
            .then_some(named)
    }
}

/// Length and scalability of a vector; nothing for other types.
fn lanes(types: &Types, ty: TypeId) -> Option<(u32, bool)> {
    match types.get(ty) {
        Type::Vector { len, scalable, .. } => Some((len, scalable)),
        _ => None,
    }
}

fn fits_shape(types: &Types, shape: Shape, ty: TypeId, named: &[TypeId]) -> bool {
    let of = |at: usize| named.get(at).copied();
    let scalar = types.get(types.scalar(ty));
    match shape {
        Shape::Any(Family::All) => true,
        Shape::Any(Family::Int) => matches!(scalar, Type::Int(_)),
        Shape::Any(Family::Float) => scalar.float_bits().is_some(),
        Shape::Any(Family::Vector) => types.is_vector(ty),
        Shape::Any(Family::Pointer) => types.is_ptr(ty),
        Shape::Same(at) => of(at) == Some(ty),
        Shape::Element(at) => {
            of(at).is_some_and(|of| types.is_vector(of) && types.scalar(of) == ty)
        }
        Shape::Lanes(at, Fixed(element)) => {
            of(at).is_some_and(|of| lanes(types, of) == lanes(types, ty)) && scalar == element
        }
        Shape::Part(at, part) => {
            let (Some(whole), Some((len, scalable))) = (of(at), lanes(types, ty)) else {
                return false;
            };
            let expected = len.checked_mul(part).map(|len| (len, scalable));
            lanes(types, whole) == expected && types.scalar(whole) == types.scalar(ty)
        }
        Shape::Pointers(at) => {
            of(at).is_some_and(|of| lanes(types, of) == lanes(types, ty))
                && types.is_vector(ty)
                && matches!(scalar, Type::Ptr(_))
        }
        Shape::Fixed(Fixed(wanted)) => types.get(ty) == wanted,
        Shape::Vector(len, Fixed(element)) => {
            lanes(types, ty) == Some((len, false)) && scalar == element
        }
        Shape::Variadic => false,
    }
}

/// Writes a type as names of intrinsics carry it.
fn mangle(module: &Module, ty: TypeId, name: &mut String) {
    // No real name is so long; types that share parts could make it grow without end.
    if name.len() > 4096 {
        return;
    }
    let types = &module.types;
    let word = match types.get(ty) {
        Type::Void => "isVoid",
        Type::Half => "f16",
        Type::BFloat => "bf16",
        Type::Float => "f32",
        Type::Double => "f64",
        Type::X86Fp80 => "f80",
        Type::Fp128 => "f128",
        Type::PpcFp128 => "ppcf128",
        Type::Label => "label",
        Type::Token => "token",
        Type::Metadata => "Metadata",
        Type::X86Amx => "x86amx",
        Type::Int(bits) => {
            let _ = write!(name, "i{bits}");
            return;
        }
        Type::Ptr(space) => {
            let _ = write!(name, "p{space}");
            return;
        }
        Type::Vector {
            element,
            len,
            scalable,
        } => {
            let _ = write!(name, "{}v{len}", if scalable { "nx" } else { "" });
            return mangle(module, element, name);
        }
        Type::Array { element, len } => {
            let _ = write!(name, "a{len}");
            return mangle(module, element, name);
        }
        Type::Struct { fields, .. } => {
            name.push_str("sl_");
            for &field in types.list(fields) {
                mangle(module, field, name);
            }
            "s"
        }
        Type::Named(id) => {
            name.push_str("s_");
            if let Some(own) = types.structs[id].name {
                name.push_str(&module.names.text(own));
            }
            "s"
        }
        Type::Function {
            ret,
            params,
            variadic,
        } => {
            name.push_str("f_");
            mangle(module, ret, name);
            for &param in types.list(params) {
                mangle(module, param, name);
            }
            if variadic {
                name.push_str("vararg");
            }
            "f"
        }
        Type::Target {
            name: own,
            types: inner,
            numbers,
        } => {
            let _ = write!(name, "t{}", module.names.text(own));
            for &ty in types.list(inner) {
                name.push('_');
                mangle(module, ty, name);
            }
            for number in types.numbers(numbers) {
                let _ = write!(name, "_{number}");
            }
            "t"
        }
    };
    name.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_understood() {
        for line in TABLE.lines() {
            let row = read_row(line);
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
            let constants = line.split('\t').nth(3).unwrap_or_default();
            assert!(
                constants
                    .split_whitespace()
                    .all(|word| constant(word).is_some())
            );
        }
        let names = || TABLE.lines().filter_map(|line| line.split('\t').next());
        assert!(names().is_sorted_by(|a, b| a.as_bytes() < b.as_bytes()));
        for name in names() {
            assert_eq!(find(name.as_bytes()).map(|row| row.name), Some(name));
        }
    }

    #[test]
    fn barriers_are_convergent() {
        assert!(is_convergent(b"llvm.nvvm.barrier.cta.sync.aligned.all"));
        assert!(is_convergent(b"llvm.nvvm.shfl.sync.bfly.i32"));
        assert!(!is_convergent(b"llvm.nvvm.read.ptx.sreg.tid.x"));
        assert!(!is_convergent(b"barrier"));
    }

    #[test]
    fn names_carry_types_only_if_overloaded() {
        let name = |text: &str| find(text.as_bytes()).map(|row| row.name);
        assert_eq!(name("llvm.ctpop.i32"), Some("llvm.ctpop"));
        assert_eq!(
            name("llvm.nvvm.read.ptx.sreg.tid.x"),
            Some("llvm.nvvm.read.ptx.sreg.tid.x")
        );
        assert_eq!(name("llvm.nvvm.read.ptx.sreg.tid.x.i32"), None);
        assert_eq!(name("llvm.x86.sse2.pause"), None);
        assert_eq!(name("ctpop"), None);
        assert_eq!(name("llvm.nothing.such"), None);
    }
}
