//! How the operands of an instruction are written: pieces of registers, signs and constants, where
//! a form has them.

use super::values::{Format, elements};
use warpc_ptx::form::{Count, Kind, Role, TypeRef};
use warpc_ptx::inst::Choice;
use warpc_ptx::mnemonic_text;
use warpc_ptx::types::ScalarType;
use warpc_testkit::hash::fnv1a;

/// What stands before and after the names of some operands, or in their place.
#[derive(Clone, Debug, Default)]
pub struct Spelling {
    /// Operand, `-` or nothing, and the piece with its dot or nothing.
    pub pieces: Vec<(&'static str, &'static str, String)>,
    /// Operand and the constant that stands for it.
    pub constants: Vec<(&'static str, u64)>,
    /// Whether operands that may be left out are written.
    pub optional: bool,
}

impl Spelling {
    /// An operand as it is written.
    pub fn write(&self, name: &str) -> String {
        let piece = self.pieces.iter().find(|(operand, ..)| *operand == name);
        match piece {
            Some((_, sign, part)) => format!("{sign}{name}{part}"),
            None => name.to_string(),
        }
    }
}

/// Tables of `lop3`: constants, single inputs, and/or/xor, majority, selection, and no pattern.
const LUTS: [u64; 16] = [
    0x00, 0xff, 0xf0, 0xcc, 0xaa, 0x80, 0xfe, 0x96, 0xe8, 0xca, 0x1b, 0x3c, 0x6a, 0x01, 0x7f, 0xd4,
];
const PIECES: [&str; 7] = ["", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"];
const HALF_MASKS: [&str; 3] = [".h0", ".h1", ".h10"];

/// The ways in which the instruction is tried.
pub fn spellings(section: &str, choice: &Choice) -> Vec<Spelling> {
    let form = choice.form.form();
    if let Some(table) = form.operands.iter().find(|o| o.allowed.constant_only) {
        let with = |&lut: &u64| Spelling {
            constants: vec![(table.name, lut)],
            ..Spelling::default()
        };
        return LUTS.iter().map(with).collect();
    }
    if section == "video" {
        return video(choice);
    }
    let mut list = vec![Spelling::default()];
    if section != "atomic" && is_plain(choice) {
        list.extend(constants(choice));
    }
    list
}

/// Whether nothing is said that could be left out, so that types alone make the difference: for
/// constants in the places of registers these are enough.
fn is_plain(choice: &Choice) -> bool {
    let form = choice.form.form();
    let comparison = matches!(form.opcode, "set" | "setp");
    let mut slots = form.slots.iter().zip(&choice.values);
    slots.all(|(slot, &value)| {
        let typed = slot.values.iter().any(|v| v.ty.is_some());
        typed
            || (slot.optional && value == Choice::ABSENT)
            || !slot.optional && (!comparison || value < 3)
    })
}

/// The instruction with a constant for each of its operands in turn, and for several at once.
fn constants(choice: &Choice) -> Vec<Spelling> {
    let form = choice.form.form();
    // A `mov` of a constant has nothing else; see the programs for it.
    if form.opcode == "mov" {
        return Vec::new();
    }
    let places: Vec<(&'static str, [u64; 2])> = form
        .operands
        .iter()
        .filter(|spec| spec.role == Role::Use && !spec.allowed.register_only)
        .filter(|spec| spec.count == Count::One && spec.linked.is_none() && !spec.optional)
        .filter_map(|spec| {
            let ty = match spec.kind {
                Kind::Value(TypeRef::Fixed(ty)) => ty,
                Kind::Value(TypeRef::Slot(slot)) => {
                    let value = choice.values[usize::from(slot)];
                    form.slots[usize::from(slot)]
                        .values
                        .get(usize::from(value))?
                        .ty?
                }
                _ => return None,
            };
            let [small, large] = examples(ty);
            let large = spec.range.map_or(large, |(_, most)| most as u64);
            takes_constants(ty).then_some((spec.name, [small, large]))
        })
        .collect();
    let mut list = Vec::new();
    let mut with = |constants: Vec<(&'static str, u64)>| {
        list.push(Spelling {
            constants,
            ..Spelling::default()
        });
    };
    for &(name, values) in &places {
        for value in values {
            with(vec![(name, value)]);
        }
    }
    // All but one.
    if places.len() > 2 {
        let rest = places[1..].iter();
        with(rest.map(|&(name, values)| (name, values[0])).collect());
    }
    list
}

/// Predicates, halves and packed numbers cannot be written as constants.
fn takes_constants(ty: ScalarType) -> bool {
    match Format::of(ty) {
        Some(_) => matches!(ty, ScalarType::F32 | ScalarType::F64),
        None => ty != ScalarType::Pred && elements(ty).1 == 1 && ty.bits() <= 64,
    }
}

/// A small number and one with the upper bits set; floating-point numbers, one of them subnormal.
fn examples(ty: ScalarType) -> [u64; 2] {
    match ty {
        ScalarType::F32 => [0x3fc0_0000, 0x8000_0123],
        ScalarType::F64 => [0x3ff8_0000_0000_0000, 0x8000_0000_0000_0123],
        _ => [5, u64::MAX >> (64 - ty.bits()) & !0x58],
    }
}

fn video(choice: &Choice) -> Vec<Spelling> {
    let form = choice.form.form();
    let second = choice.has("op2");
    let plain = Spelling {
        optional: second,
        ..Spelling::default()
    };
    let mut list = vec![plain];
    // Which pieces go with which modifiers is mixed: each is tried somewhere, not all everywhere.
    let mut state = fnv1a(mnemonic_text(choice));
    let mut pick = |n: u64| {
        state = state.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (state >> 32) % n
    };
    let lanes = match form.opcode.as_bytes().last() {
        Some(b'2') => Some(('h', 2)),
        Some(b'4') => Some(('b', 4)),
        _ => None,
    };
    if let Some((letter, width)) = lanes {
        let mut selector = || {
            let digits: String = (0..width)
                .map(|_| char::from(b'0' + pick(2 * width) as u8))
                .collect();
            format!(".{letter}{digits}")
        };
        let pieces = vec![("a", "", selector()), ("b", "", selector())];
        let mut masked = pieces.clone();
        let mask = if width == 2 {
            HALF_MASKS[pick(3) as usize].to_string()
        } else {
            let chosen = 1 + pick(15);
            let digits = (0..4).rev().filter(|lane| chosen >> lane & 1 == 1);
            format!(
                ".b{}",
                digits.map(|lane| lane.to_string()).collect::<String>()
            )
        };
        masked.push(("d", "", mask));
        for pieces in [pieces, masked] {
            list.push(Spelling {
                pieces,
                ..Spelling::default()
            });
        }
        return list;
    }
    let mut piece = |from: usize| PIECES[from + pick(7 - from as u64) as usize].to_string();
    let pieces = vec![("a", "", piece(1)), ("b", "", piece(0))];
    if form.opcode == "vmad" {
        // `.po` and signs exclude each other; of a product and `c` one may be negative.
        let signs: &[[&'static str; 3]] = if choice.has("po") {
            &[["", "", ""]]
        } else {
            &[
                ["", "", ""],
                ["-", "", ""],
                ["", "-", ""],
                ["", "", "-"],
                ["-", "-", ""],
            ]
        };
        list.clear();
        for sign in signs {
            for (a, b) in [(String::new(), String::new()), (piece(1), piece(0))] {
                list.push(Spelling {
                    pieces: vec![
                        ("a", sign[0], a),
                        ("b", sign[1], b),
                        ("c", sign[2], String::new()),
                    ],
                    ..Spelling::default()
                });
            }
        }
        return list;
    }
    if !second {
        let mut merged = pieces.clone();
        merged.push(("d", "", piece(1)));
        list.push(Spelling {
            pieces: merged,
            optional: true,
            ..Spelling::default()
        });
    }
    list.push(Spelling {
        pieces,
        optional: second,
        ..Spelling::default()
    });
    list
}
