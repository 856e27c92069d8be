//! Constants: operations that only stand for a value, and initialisers of variables.

use super::{Outcome, Output, Problem};
use crate::number;
use crate::tree::{Attr, Op, Use};
use crate::types::{Float, Type, quoted};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Constants with more elements are not written.
const MAX_ELEMENTS: u64 = 1 << 22;

/// A constant. Aggregates are kept apart so that single elements can be replaced.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub ty: Type,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// As LLVM IR writes it, without its type.
    Text(String),
    Parts(Vec<Constant>),
}

impl Constant {
    fn plain(ty: Type, text: impl Into<String>) -> Constant {
        Constant {
            ty,
            kind: Kind::Text(text.into()),
        }
    }

    /// As LLVM IR writes it, without its type.
    pub fn text(&self) -> String {
        let parts = match &self.kind {
            Kind::Text(text) => return text.clone(),
            Kind::Parts(parts) => parts,
        };
        let (open, close) = match &self.ty {
            Type::Vector { .. } => ("<", ">"),
            Type::Array(..) => ("[", "]"),
            Type::Struct { packed: true, .. } => ("<{ ", " }>"),
            _ => ("{ ", " }"),
        };
        let parts: Vec<String> = parts.iter().map(Constant::typed).collect();
        format!("{open}{}{close}", parts.join(", "))
    }

    /// The same with its type.
    pub fn typed(&self) -> String {
        format!("{} {}", self.ty, self.text())
    }

    /// The constant that an operation stands for, if it is one of those.
    pub fn of_operation(op: &Op<'_>, out: &Output<'_>) -> Outcome<Option<Constant>> {
        let text = match op.name {
            "llvm.mlir.undef" => "undef",
            "llvm.mlir.poison" => "poison",
            "llvm.mlir.zero" => "",
            "llvm.mlir.none" => "none",
            "llvm.mlir.constant" | "llvm.mlir.addressof" | "llvm.dso_local_equivalent" => "",
            _ => return Ok(None),
        };
        let [ty] = op.result_types.as_slice() else {
            return Err(Problem::wrong("it has one result"));
        };
        let constant = match op.name {
            "llvm.mlir.constant" => {
                let Some(value) = op.attrs.get("value") else {
                    return Err(Problem::wrong("`value` is missing"));
                };
                Constant::of_attribute(value, ty)?
            }
            "llvm.mlir.addressof" => {
                let name = op.attrs.get("global_name").and_then(Attr::symbol);
                let Some(name) = name else {
                    return Err(Problem::wrong("`global_name` is missing"));
                };
                if !out.spaces.contains_key(name) && !out.signatures.contains_key(name) {
                    let name = String::from_utf8_lossy(name);
                    return Err(Problem::wrong(format!(
                        "there is no `@{name}` in the module"
                    )));
                }
                Constant::plain(ty.clone(), format!("@{}", quoted(name)))
            }
            "llvm.dso_local_equivalent" => {
                let name = op.attrs.get("function_name").and_then(Attr::symbol);
                let name = quoted(name.unwrap_or_default());
                Constant::plain(ty.clone(), format!("dso_local_equivalent @{name}"))
            }
            "llvm.mlir.zero" => Constant::plain(ty.clone(), zero(ty)),
            _ => Constant::plain(ty.clone(), text),
        };
        Ok(Some(constant))
    }

    /// The constant that an attribute gives for a type.
    pub fn of_attribute(value: &Attr<'_>, ty: &Type) -> Outcome<Constant> {
        match (value, ty) {
            (Attr::Dense(elements, own), _) => {
                if let Some(own) = own {
                    same_elements(own.leaf(), ty.leaf())?;
                }
                dense(elements, ty)
            }
            (Attr::String(bytes), _) => {
                let text = quoted(bytes);
                Ok(Constant::plain(ty.clone(), format!("c{text}")))
            }
            (Attr::Array(values), Type::Struct { fields, .. }) if values.len() == fields.len() => {
                let parts = values.iter().zip(fields.iter());
                let parts = parts.map(|(value, ty)| Constant::of_attribute(value, ty));
                Ok(Constant {
                    ty: ty.clone(),
                    kind: Kind::Parts(parts.collect::<Outcome<_>>()?),
                })
            }
            (Attr::Array(values), _)
                if ty
                    .element()
                    .is_some_and(|(len, _)| len == values.len() as u64) =>
            {
                let parts = values.iter().map(|value| match ty.element() {
                    Some((_, of)) => Constant::of_attribute(value, of),
                    None => Err(Problem::wrong("the value does not fit the type")),
                });
                Ok(Constant {
                    ty: ty.clone(),
                    kind: Kind::Parts(parts.collect::<Outcome<_>>()?),
                })
            }
            (Attr::Symbol(_), Type::Pointer(_)) => {
                let name = quoted(value.symbol().unwrap_or_default());
                Ok(Constant::plain(ty.clone(), format!("@{name}")))
            }
            (Attr::Dialect("llvm.undef", _), _) => Ok(Constant::plain(ty.clone(), "undef")),
            (Attr::Dialect("llvm.poison", _), _) => Ok(Constant::plain(ty.clone(), "poison")),
            (Attr::Dialect("llvm.zero", _), _) => Ok(Constant::plain(ty.clone(), zero(ty))),
            _ => Ok(Constant::plain(ty.clone(), scalar(value, ty)?)),
        }
    }

    /// Replaces a part.
    fn insert(&mut self, path: &[i128], value: Constant, out: &Output<'_>) -> Outcome<()> {
        let Some((&first, rest)) = path.split_first() else {
            *self = value;
            return Ok(());
        };
        if let Kind::Text(text) = &self.kind {
            let text = text.clone();
            let part = |ty: &Type| {
                let text = match text.as_str() {
                    "zeroinitializer" => zero(ty),
                    _ => text.as_str(),
                };
                Constant::plain(ty.clone(), text)
            };
            let named;
            let parts = match &self.ty {
                Type::Array(len, of) if *len <= MAX_ELEMENTS => {
                    (0..*len).map(|_| part(of)).collect()
                }
                Type::Struct { fields, .. } => fields.iter().map(part).collect(),
                Type::Named(name) => {
                    named = out.structs.iter().find(|(other, _)| other == name);
                    match named {
                        Some((_, Some((_, fields)))) => fields.iter().map(part).collect(),
                        _ => return Err(Problem::wrong("the structure has no body")),
                    }
                }
                _ => return Err(Problem::wrong("this has no parts")),
            };
            if !matches!(text.as_str(), "undef" | "poison" | "zeroinitializer") {
                return Err(Problem::unsupported(
                    "the parts of this constant are not known",
                ));
            }
            self.kind = Kind::Parts(parts);
        }
        let Kind::Parts(parts) = &mut self.kind else {
            return Err(Problem::wrong("this has no parts"));
        };
        let index = usize::try_from(first).ok();
        match index.and_then(|index| parts.get_mut(index)) {
            Some(part) => part.insert(rest, value, out),
            None => Err(Problem::wrong("there is no such part")),
        }
    }
}

/// Zero of a type.
pub(super) fn zero(ty: &Type) -> &'static str {
    match ty {
        Type::Int(_) | Type::Index => "0",
        Type::Float(Float::F32 | Float::F64) => "0.0",
        Type::Pointer(_) => "null",
        Type::Token => "none",
        _ => "zeroinitializer",
    }
}

/// A number, as LLVM IR writes it for its type.
fn scalar(value: &Attr<'_>, ty: &Type) -> Outcome<String> {
    match (value, ty) {
        // A number of a narrower type is extended with its sign, as MLIR has it.
        (Attr::Int(number, Some(Type::Int(own @ 2..127))), Type::Int(bits))
            if own < bits && *number >= 1 << (own - 1) =>
        {
            Ok((number - (1 << own)).to_string())
        }
        (Attr::Int(number, None), Type::Int(_)) if !number::fits(&number.to_string(), ty) => {
            Err(Problem::wrong(format!("{number} does not fit {ty}")))
        }
        (Attr::Int(number, _), Type::Int(_) | Type::Index) => Ok(number.to_string()),
        (Attr::Wide(text, own), Type::Int(bits)) => {
            let whole = own.as_ref().is_none_or(|own| *own == Type::Int(*bits));
            match whole && number::fits(text, ty) {
                true => Ok(number::in_llvm(text)),
                false => Err(Problem::wrong(format!("`{text}` does not fit {ty}"))),
            }
        }
        (Attr::Bool(value), Type::Int(1)) => Ok(value.to_string()),
        (Attr::Bool(value), Type::Int(_)) => Ok(u8::from(*value).to_string()),
        (Attr::Float(text, _), Type::Float(float)) => float_text(text, *float),
        (Attr::Int(number, _), Type::Float(float)) => float_text(&format!("{number}.0"), *float),
        // A float of another kind has the bits that it has.
        (Attr::Float(text, of), Type::Int(bits)) => {
            let number = match of {
                Some(Type::Float(float)) if float.bits() == *bits => float_bits(text, *float),
                _ => None,
            };
            match number {
                Some(number) => Ok(number.to_string()),
                None => Err(Problem::wrong("the value does not fit the type")),
            }
        }
        _ => Err(Problem::wrong(format!("the value does not fit {ty}"))),
    }
}

/// The bits of a float as MLIR spells it: in decimal, or all bits in hexadecimal.
fn float_bits(text: &str, float: Float) -> Option<u128> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u128::from_str_radix(hex, 16).ok();
    }
    let value: f64 = text.parse().ok()?;
    Some(match float {
        Float::F64 => value.to_bits().into(),
        Float::F32 => (value as f32).to_bits().into(),
        Float::F16 => narrow(value, 5, 10).into(),
        Float::Bf16 => narrow(value, 8, 7).into(),
        _ => return None,
    })
}

/// A float as LLVM IR writes it.
fn float_text(text: &str, float: Float) -> Outcome<String> {
    let Some(bits) = float_bits(text, float) else {
        return Err(Problem::unsupported(format!(
            "the constant `{text}` of this type is not read"
        )));
    };
    Ok(match float {
        Float::F16 => format!("0xH{bits:04X}"),
        Float::Bf16 => format!("0xR{bits:04X}"),
        Float::F32 => {
            let bits = bits as u32;
            let value = f32::from_bits(bits);
            // LLVM IR writes single floats as the double of the same value; a NaN keeps its bits in the upper part.
            let double = match value.is_nan() {
                true => {
                    let sign = u64::from(bits >> 31) << 63;
                    sign | 0x7ff0_0000_0000_0000 | (u64::from(bits & 0x7f_ffff) << 29)
                }
                false => f64::from(value).to_bits(),
            };
            format!("0x{double:016X}")
        }
        Float::F64 => format!("0x{bits:016X}"),
        Float::F80 => format!("0xK{bits:020X}"),
        Float::F128 | Float::Ppc128 => {
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            let kind = if float == Float::F128 { 'L' } else { 'M' };
            format!("0x{kind}{low:016X}{high:016X}")
        }
    })
}

/// Rounds to a float of 16 bits, to nearest, ties to even.
fn narrow(value: f64, exponent_bits: u32, mantissa_bits: u32) -> u16 {
    let sign = u16::from(value.is_sign_negative()) << 15;
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    let infinity = ((1u16 << exponent_bits) - 1) << mantissa_bits;
    if value.is_nan() {
        return sign | infinity | 1 << (mantissa_bits - 1);
    }
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return sign;
    }
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    // How many units in the last place it is; doubles hold that exactly.
    let units = magnitude * 2f64.powi(mantissa_bits as i32 - exponent);
    let rounded = units.round_ties_even();
    if !rounded.is_finite() || rounded >= 2f64.powi(mantissa_bits as i32 + 2) {
        return sign | infinity;
    }
    let rounded = rounded as u32;
    // A carry into the exponent is just what rounding up means there.
    let biased = (exponent + bias - 1) as u32;
    let bits = (biased << mantissa_bits) + rounded;
    sign | bits.min(u32::from(infinity)) as u16
}

/// Whether the elements of `dense<…> : type` are those of the type that the constant has.
fn same_elements(own: &Type, wanted: &Type) -> Outcome<()> {
    let index = |ty: &Type| match ty {
        Type::Index => Type::Int(64),
        other => other.clone(),
    };
    match (index(own), index(wanted)) {
        (own @ (Type::Int(_) | Type::Float(_)), wanted) if own != wanted => Err(Problem::wrong(
            format!("the elements are {own} where {wanted} is wanted"),
        )),
        _ => Ok(()),
    }
}

/// The integers of `dense<…> : type` as LLVM IR writes them; one that stands for all is repeated.
pub(super) fn elements(values: &Attr<'_>, ty: &Type) -> Outcome<Vec<String>> {
    let mut flat = Vec::new();
    match values {
        Attr::String(bytes) if bytes.starts_with(b"0x") => {
            raw_elements(&bytes[2..], ty.leaf(), &mut flat)?
        }
        _ => flatten(values, ty.leaf(), &mut flat)?,
    }
    let Some(count) = ty.count() else {
        return Err(Problem::unsupported("the list is too long"));
    };
    match flat.as_slice() {
        [one] if count != 1 => Ok(vec![one.clone(); count]),
        _ if flat.len() == count => Ok(flat),
        _ => Err(Problem::wrong(format!(
            "{} elements for {count}",
            flat.len()
        ))),
    }
}

/// The elements of `dense<…>` in the shape of a type.
fn dense(elements: &Attr<'_>, ty: &Type) -> Outcome<Constant> {
    let (mut count, mut leaf) = (1u64, ty);
    while let Some((len, of)) = leaf.element() {
        count = count.saturating_mul(len);
        leaf = of;
    }
    let mut flat = Vec::new();
    match elements {
        Attr::String(bytes) if bytes.starts_with(b"0x") => {
            raw_elements(&bytes[2..], leaf, &mut flat)?
        }
        _ => flatten(elements, leaf, &mut flat)?,
    }
    let splat = flat.len() == 1 && count != 1;
    if !splat && flat.len() as u64 != count {
        let have = flat.len();
        return Err(Problem::wrong(format!("{have} elements for {count}")));
    }
    if splat && is_zero(&flat[0]) {
        return Ok(Constant::plain(ty.clone(), zero(ty)));
    }
    if count > MAX_ELEMENTS {
        return Err(Problem::unsupported("the constant is too large"));
    }
    let mut next = 0;
    Ok(shape(ty, &flat, &mut next))
}

fn is_zero(text: &str) -> bool {
    let digits = text.trim_start_matches("0x").trim_start_matches(['H', 'R']);
    digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) || text == "false"
}

fn shape(ty: &Type, flat: &[String], next: &mut usize) -> Constant {
    match ty.element() {
        Some((len, of)) => {
            let parts = (0..len).map(|_| shape(of, flat, next)).collect();
            Constant {
                ty: ty.clone(),
                kind: Kind::Parts(parts),
            }
        }
        None => {
            let text = flat[*next % flat.len()].clone();
            *next += 1;
            Constant::plain(ty.clone(), text)
        }
    }
}

fn flatten(value: &Attr<'_>, ty: &Type, flat: &mut Vec<String>) -> Outcome<()> {
    match value {
        Attr::Array(values) => values.iter().try_for_each(|value| flatten(value, ty, flat)),
        // A number without a point may stand for the bits of a float: `dense<0x7F800000>`.
        Attr::Int(bits, _) if matches!(ty, Type::Float(_)) => {
            flat.push(match ty {
                Type::Float(float) => float_text(&format!("0x{bits:X}"), *float)?,
                _ => String::new(),
            });
            Ok(())
        }
        _ => {
            flat.push(scalar(value, ty)?);
            Ok(())
        }
    }
}

/// The elements of `dense<"0x…">`, the bytes of all elements in hexadecimal.
fn raw_elements(hex: &[u8], ty: &Type, flat: &mut Vec<String>) -> Outcome<()> {
    let size = match ty {
        Type::Int(bits) => bits.div_ceil(8),
        Type::Float(float) => float.bits() / 8,
        _ => return Err(Problem::wrong("the elements are not numbers")),
    };
    let digits = hex.chunks_exact(2 * size as usize);
    if !digits.remainder().is_empty() {
        return Err(Problem::wrong("the bytes do not make whole elements"));
    }
    for element in digits {
        // The first byte is the lowest.
        let pairs: Vec<u8> = element.chunks_exact(2).rev().flatten().copied().collect();
        let digits = String::from_utf8(pairs).unwrap_or_default();
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) || digits.is_empty() {
            return Err(Problem::wrong("the bytes are not hexadecimal"));
        }
        flat.push(match ty {
            Type::Float(float) => float_text(&format!("0x{digits}"), *float)?,
            Type::Int(bits) if !number::fits(&format!("0x{digits}"), ty) => {
                return Err(Problem::wrong(format!(
                    "`0x{digits}` has more than {bits} bits"
                )));
            }
            _ => match u128::from_str_radix(&digits, 16) {
                Ok(bits) => bits.to_string(),
                Err(_) => format!("u0x{digits}"),
            },
        });
    }
    Ok(())
}

/// Casts that LLVM IR also has between constants.
const CONSTANT_CASTS: [(&str, &str); 5] = [
    ("llvm.addrspacecast", "addrspacecast"),
    ("llvm.bitcast", "bitcast"),
    ("llvm.ptrtoint", "ptrtoint"),
    ("llvm.inttoptr", "inttoptr"),
    ("llvm.trunc", "trunc"),
];

/// The constant that the operations of an initialiser make.
pub(super) fn of_initialiser(ops: &[Op<'_>], out: &Output<'_>) -> Outcome<Constant> {
    let mut values = FxHashMap::default();
    for op in ops {
        let get = |operand: &Use<'_>| -> Outcome<Constant> {
            match values.get(&operand.value) {
                Some(value) => Ok(Constant::clone(value)),
                None => Err(Problem::wrong(format!(
                    "the value `%{}` is not defined",
                    operand.value.name
                ))),
            }
        };
        let ty = op.result_types.first().cloned().unwrap_or(Type::Void);
        let constant = match (op.name, op.operands.as_slice()) {
            ("llvm.return", [value]) => return get(value),
            ("llvm.insertvalue", [container, value]) => {
                let path = op.attrs.get("position").and_then(Attr::numbers);
                let mut container = get(container)?;
                container.insert(&path.unwrap_or_default(), get(value)?, out)?;
                container
            }
            ("llvm.getelementptr", [base, ..]) => {
                let indices = op.attrs.get("rawConstantIndices").and_then(Attr::numbers);
                let element = op.attrs.get("elem_type").and_then(Attr::ty);
                let (Some(indices), Some(element)) = (indices, element) else {
                    return Err(Problem::wrong("indices or the type are missing"));
                };
                let flags = super::special::wrap_flags(op);
                let mut text = format!("getelementptr{flags} ({element}, {}", get(base)?.typed());
                let mut dynamic = op.operands[1..].iter();
                for index in indices {
                    let _ = match (index == crate::parse::DYNAMIC).then(|| dynamic.next()) {
                        Some(Some(operand)) => write!(text, ", {}", get(operand)?.typed()),
                        _ => write!(text, ", i32 {index}"),
                    };
                }
                text.push(')');
                Constant::plain(ty, text)
            }
            (name, [arg]) if CONSTANT_CASTS.iter().any(|(cast, _)| *cast == name) => {
                let arg = get(arg)?.typed();
                let cast = name.trim_start_matches("llvm.");
                Constant::plain(ty.clone(), format!("{cast} ({arg} to {ty})"))
            }
            ("llvm.add" | "llvm.sub", [left, right]) => {
                let (left, right) = (get(left)?.typed(), get(right)?.typed());
                let name = op.name.trim_start_matches("llvm.");
                Constant::plain(ty, format!("{name} ({left}, {right})"))
            }
            _ => match Constant::of_operation(op, out)? {
                Some(constant) => constant,
                None => {
                    let message = format!("`{}` cannot stand in an initialiser", op.name);
                    return Err(Problem::unsupported(message));
                }
            },
        };
        if let Some(result) = op.results.first() {
            values.insert(result.to_owned(), constant);
        }
    }
    Err(Problem::wrong("the initialiser has no `llvm.return`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded() {
        for (value, half, brain) in [
            (1.0, 0x3c00, 0x3f80),
            (-2.5, 0xc100, 0xc020),
            (65504.0, 0x7bff, 0x4780),
            (65520.0, 0x7c00, 0x4780),
            (5.960_464_477_539_063e-8, 0x0001, 0x3380),
            (0.1, 0x2e66, 0x3dcd),
            (1e40, 0x7c00, 0x7f80),
        ] {
            assert_eq!(narrow(value, 5, 10), half, "{value} as f16");
            assert_eq!(narrow(value, 8, 7), brain, "{value} as bf16");
        }
    }
}
