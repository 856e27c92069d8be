//! Video instructions on two halves or four bytes at once, lane by lane: the machine's own for lanes (`VABSDIFF4`,
//! `VIMNMX` of halves) take no choice of lanes, no mask, and no mix of signs.
//!
//! A lane of a source is any one of both words together; the results are merged into `c`, or added to it.

use super::{Piece, comparison, is_signed, type_of};
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::inst::Part;

/// The operation and the number of lanes that an opcode names.
pub(super) fn split(opcode: &str) -> Option<(&str, u32)> {
    let (operation, count) = match opcode.strip_suffix('2') {
        Some(operation) => (operation, 2),
        None => (opcode.strip_suffix('4')?, 4),
    };
    let is_known = matches!(
        operation,
        "vadd" | "vsub" | "vavrg" | "vabsdiff" | "vmin" | "vmax" | "vset"
    );
    is_known.then_some((operation, count))
}

pub(super) fn emit(source: &Source, code: &mut Code, operation: &str, count: u32) -> Option<()> {
    let bytes = 4 / count;
    let signed = |name: &str| is_signed(type_of(source, name));
    let (d, mut word) = (ptx("d"), ptx("c"));
    // By default `a` and `b` as they are; `b` has the upper numbers.
    let a = numbers(source.part("a")).unwrap_or_else(|| (0..count).collect());
    let b = numbers(source.part("b")).unwrap_or_else(|| (count..2 * count).collect());
    let mask = numbers(source.part("d"));
    for lane in 0..count {
        if mask.as_ref().is_some_and(|mask| !mask.contains(&lane)) {
            continue;
        }
        let mut take = |numbers: &[u32], name: &str| -> Option<Operand> {
            let number = *numbers.get(lane as usize)?;
            let piece = Piece {
                first: bytes * (number % count),
                bytes,
                signed: signed(name),
            };
            let from = if number < count { ptx("a") } else { ptx("b") };
            Some(piece.take(code, from))
        };
        let (x, y) = (take(&a, "a")?, take(&b, "b")?);
        let piece = Piece {
            first: bytes * lane,
            bytes,
            signed: signed("d"),
        };
        let mut value = computed(source, code, operation, x, y)?;
        if source.has("sat") {
            let name = code.chip.min_max();
            for (limit, which) in [(piece.least(), "!PT"), (piece.greatest(), "PT")] {
                let to = code.word();
                let text = format!("{name} R0, R0, R0, {which}");
                code.step(text, &[to, value, super::number(limit)]);
                value = to;
            }
        }
        let next = code.word();
        match source.has("add") {
            true => code.step("IADD3 R0, R0, R0, RZ", &[next, word, value]),
            false => piece.merge(code, next, value, word),
        }
        word = next;
    }
    code.copy(d, word);
    Some(())
}

/// The result of a lane.
fn computed(
    source: &Source,
    code: &mut Code,
    operation: &str,
    a: Operand,
    b: Operand,
) -> Option<Operand> {
    let value = code.word();
    match operation {
        "vadd" => code.step("IADD3 R0, R0, R0, RZ", &[value, a, b]),
        "vsub" => code.step("IADD3 R0, R0, -R0, RZ", &[value, a, b]),
        // Half the sum, away from zero.
        "vavrg" => {
            let (sum, sign) = (code.word(), code.word());
            code.step("IADD3 R0, R0, R0, RZ", &[sum, a, b]);
            code.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", &[sign, sum]);
            code.step("IADD3 R0, R0, 0x1, R0", &[sum, sum, sign]);
            code.step("SHF.R.S32.HI R0, RZ, 0x1, R0", &[value, sum]);
        }
        "vabsdiff" => {
            let difference = code.word();
            code.step("IADD3 R0, R0, -R0, RZ", &[difference, a, b]);
            code.step("IABS R0, R0", &[value, difference]);
        }
        "vmin" | "vmax" => {
            let name = code.chip.min_max();
            let which = if operation == "vmin" { "PT" } else { "!PT" };
            code.step(format!("{name} R0, R0, R0, {which}"), &[value, a, b]);
        }
        "vset" => {
            let (flag, how) = (code.flag(), comparison(source)?);
            let text = format!("ISETP.{how}.AND P0, PT, R0, R0, PT");
            code.step(text, &[flag, a, b]);
            code.step("SEL R0, RZ, 0x1, !P0", &[value, flag]);
        }
        _ => return None,
    }
    Some(value)
}

/// The numbers of lanes that an operand names, the lowest lane's first.
fn numbers(part: Part) -> Option<Vec<u32>> {
    match part {
        Part::Bytes(lanes) | Part::Halves(lanes) => {
            let mut numbers: Vec<u32> = lanes.numbers().map(u32::from).collect();
            numbers.reverse();
            Some(numbers)
        }
        _ => None,
    }
}
