//! Surfaces by handle: `suld`, `sust`, `sured`, `suq`.
//!
//! | PTX | becomes |
//! |---|---|
//! | `suld.b`, `sust.b`, `sured.b` | `SULD.D.BA`, `SUST.D.BA`, `SURED.D.BA`: coordinates in x are bytes |
//! | `sust.p` | `SUST.P`, which converts to the surface's format |
//! | `.a1d`, `.a2d` | the index of the array comes last |
//! | `.trap`, `.clamp`, `.zero` | `.TRAP`, nothing, `.IGN` |
//! | `.cg`, `.cv`, `.wt` | `.STRONG.SYS`, others `.STRONG.SM`; `.cs` is `.EF` |
//!
//! Source: what ptxas 13.4 emits for each form. Handles are taken one by one, as those of [`texture`](super::texture).

use super::texture::{each_handle, query};
use crate::code::{Code, element, ptx};
use crate::source::Source;
use crate::wired::{Operand, Part};
use warpc_ptx::types::ScalarType;

/// The steps of an instruction on surfaces; nothing if it is not supported.
pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    match source.opcode() {
        "suld" => load(source, code),
        "sust" if source.has_word("p") => store_converted(source, code),
        "sust" => store(source, code),
        "sured" => reduce(source, code),
        "suq" => query(source, code),
        _ => None,
    }
}

/// What the instruction calls the geometry, and the coordinates in its order.
fn coordinates(source: &Source, code: &mut Code) -> Option<(&'static str, Operand)> {
    let (name, order): (_, &[u8]) = match source.choice().token("geom")? {
        ".1d" => ("1D", &[0]),
        ".2d" => ("2D", &[0, 1]),
        ".3d" => ("3D", &[0, 1, 2]),
        ".a1d" => ("1D_ARRAY", &[1, 0]),
        ".a2d" => ("2D_ARRAY", &[1, 2, 0]),
        _ => return None,
    };
    let whole = Operand::from(code.registers(order.len() as u8));
    for (to, from) in (0..).zip(order) {
        match order {
            [_] => code.copy(whole, element("b", *from)),
            _ => code.copy(whole.register(to), element("b", *from)),
        }
    }
    Some((name, whole))
}

/// The modifiers for what is kept in caches, and for whom it is there.
fn caches(source: &Source) -> (&'static str, &'static str) {
    match source.choice().token("cop") {
        Some(".cs") => (".EF", ".STRONG.SM"),
        Some(".cg" | ".cv" | ".wt") => ("", ".STRONG.SYS"),
        _ => ("", ".STRONG.SM"),
    }
}

/// The modifier for coordinates that are outside.
fn outside(source: &Source) -> Option<&'static str> {
    Some(match source.choice().token("clamp")? {
        ".trap" => ".TRAP",
        ".clamp" => "",
        _ => ".IGN",
    })
}

/// How many elements there are, their bits, and the modifier for all of them.
fn size(source: &Source) -> Option<(u8, u32, &'static str)> {
    let count = match source.choice().token("vec") {
        Some(".v2") => 2,
        Some(".v4") => 4,
        _ => 1,
    };
    let bits = source.choice().scalar("type").map_or(32, ScalarType::bits);
    let name = match bits * u32::from(count) {
        8 => ".U8",
        16 => ".U16",
        32 => "",
        64 => ".64",
        128 => ".128",
        _ => return None,
    };
    Some((count, bits, name))
}

/// A word of a value of several.
fn word(whole: Operand, words: u8, number: u8) -> Operand {
    match words {
        1 => whole,
        _ => whole.register(number),
    }
}

fn load(source: &Source, code: &mut Code) -> Option<()> {
    let (shape, place) = coordinates(source, code)?;
    let ((evict, order), outside) = (caches(source), outside(source)?);
    let (count, bits, size) = size(source)?;
    let words = (bits * u32::from(count)).div_ceil(32) as u8;
    let whole = Operand::from(code.registers(words));
    each_handle(source, code, |code, handle, own| {
        let text = format!("SULD.D.BA.{shape}{evict}{size}{order}{outside} R0, [R0], UR0, 0x0");
        code.guarded(Some(own), text, &[whole, place, handle]);
    });
    for number in 0..count {
        let at = bits * u32::from(number);
        let from = word(whole, words, (at / 32) as u8);
        let byte = at % 32 / 8;
        match bits {
            64 => {
                for half in [0, 1] {
                    let to = Operand::Ptx("d", Part::Word(number, half));
                    code.copy(to, word(whole, words, 2 * number + half));
                }
            }
            32 => code.copy(element("d", number), from),
            16 => {
                let text = format!("PRMT R0, R0, 0x44{}{}, RZ", byte + 1, byte);
                code.step(text, &[element("d", number), from]);
            }
            _ => {
                let text = format!("PRMT R0, R0, 0x444{byte}, RZ");
                code.step(text, &[element("d", number), from]);
            }
        }
    }
    Some(())
}

/// The elements that are stored, in as few registers as they have bits for.
fn packed(code: &mut Code, count: u8, bits: u32) -> Operand {
    let words = (bits * u32::from(count)).div_ceil(32) as u8;
    let whole = Operand::from(code.registers(words));
    for number in 0..count {
        let at = bits * u32::from(number);
        let to = word(whole, words, (at / 32) as u8);
        let (byte, bytes) = (at % 32 / 8, bits / 8);
        match bits {
            64 => {
                for half in [0, 1] {
                    let from = Operand::Ptx("c", Part::Word(number, half));
                    code.copy(word(whole, words, 2 * number + half), from);
                }
            }
            _ if byte == 0 => code.copy(to, element("c", number)),
            _ => {
                // The bytes below stay, those of the element come above them.
                let choice = (0..4).fold(0, |all, place: u32| {
                    let from = match place.checked_sub(byte) {
                        Some(own) if own < bytes => 4 + own,
                        _ => place,
                    };
                    all | from << (4 * place)
                });
                let text = format!("PRMT R0, R0, {choice:#x}, R0");
                code.step(text, &[to, to, element("c", number)]);
            }
        }
    }
    whole
}

fn store(source: &Source, code: &mut Code) -> Option<()> {
    let (shape, place) = coordinates(source, code)?;
    let ((evict, order), outside) = (caches(source), outside(source)?);
    let (count, bits, size) = size(source)?;
    let data = packed(code, count, bits);
    each_handle(source, code, |code, handle, own| {
        let text = format!("SUST.D.BA.{shape}{evict}{size}{order}{outside} [R0], R0, UR0, 0x0");
        code.guarded(Some(own), text, &[place, data, handle]);
    });
    Some(())
}

fn store_converted(source: &Source, code: &mut Code) -> Option<()> {
    let (shape, place) = coordinates(source, code)?;
    let ((evict, order), outside) = (caches(source), outside(source)?);
    let (count, components) = match source.choice().token("vec") {
        Some(".v2") => (2, ".RG"),
        Some(".v4") => (4, ""),
        _ => (1, ".R"),
    };
    let data = packed(code, count, 32);
    each_handle(source, code, |code, handle, own| {
        let text = format!("SUST.P.{shape}{evict}{order}{components}{outside} [R0], R0, UR0, 0x0");
        code.guarded(Some(own), text, &[place, data, handle]);
    });
    Some(())
}

fn reduce(source: &Source, code: &mut Code) -> Option<()> {
    let (shape, place) = coordinates(source, code)?;
    let outside = outside(source)?;
    let words = ["add", "min", "max", "and", "or"];
    let op = words.iter().find(|word| source.has_word(word))?;
    let ty = source.choice().scalar("type").unwrap_or(ScalarType::B32);
    let converts = source.has_word("p");
    let by_bytes = if converts { "" } else { ".BA" };
    let name = match ty {
        // Smallest and largest of whatever type the surface has.
        ScalarType::B32 if converts && matches!(*op, "min" | "max") => ".SD32",
        ScalarType::B64 if converts => ".SD64",
        ScalarType::U32 | ScalarType::B32 => "",
        ScalarType::S32 => ".S32",
        ScalarType::U64 => ".U64",
        ScalarType::S64 => ".S64",
        _ => return None,
    };
    let op = op.to_ascii_uppercase();
    each_handle(source, code, |code, handle, own| {
        let text =
            format!("SURED.D{by_bytes}.{shape}.{op}{name}.STRONG.SYS{outside} [R0], R0, UR0, 0x0");
        code.guarded(Some(own), text, &[place, ptx("c"), handle]);
    });
    Some(())
}
