//! Video instructions on two halves or four bytes at once.
//!
//! A lane of a source is any one of both words together; the result is merged into `c` lane by lane,
//! or the lanes are added to it.

use super::{Binary, Piece, comparison, extend, part};
use crate::{Operation, View};
use warpc_ptx::inst::Part;
use warpc_ptx::types::Meaning;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    let opcode = view.opcode();
    let (name, count) = match opcode.strip_suffix('2') {
        Some(name) => (name, 2),
        None => (opcode.strip_suffix('4')?, 4),
    };
    let operation: Binary = match name {
        "vadd" => |a, b| a + b,
        "vsub" => |a, b| a - b,
        "vavrg" => average,
        "vabsdiff" => |a, b| (a - b).abs(),
        "vmin" => i64::min,
        "vmax" => i64::max,
        "vset" => comparison(view)?,
        _ => return None,
    };
    let bits = 32 / count as u32;
    let signed = |name: &str| Some(view.type_of(name)?.meaning() == Meaning::Signed);
    let d_signed = signed("d")?;
    let lane = move |first: u32, signed| Piece {
        first,
        bits,
        signed,
    };
    // By default `a` and `b` as they are; `b` has the upper numbers.
    let sources = |name: &str, from: u8| -> Option<Vec<Piece>> {
        let signed = signed(name)?;
        let numbers = numbers(part(view, name)).unwrap_or((from..from + count).collect());
        Some(
            numbers
                .iter()
                .map(|&n| lane(bits * u32::from(n), signed))
                .collect(),
        )
    };
    let (a, b) = (sources("a", 0)?, sources("b", count)?);
    let mask: Vec<bool> = match numbers(part(view, "d")) {
        Some(numbers) => (0..count).map(|i| numbers.contains(&i)).collect(),
        None => vec![true; usize::from(count)],
    };
    let sat = view.choice.has("sat");
    let adds = view.choice.has("add");
    Some(Operation::general(3, 1, move |s, r| {
        let both = s[1] << 32 | s[0] & 0xffff_ffff;
        let mut word = s[2];
        for (i, ((a, b), mask)) in a.iter().zip(&b).zip(&mask).enumerate() {
            if !mask {
                continue;
            }
            let d = lane(bits * i as u32, d_signed);
            let value = operation(a.read(both), b.read(both));
            let value = if sat { d.saturate(value) } else { value };
            word = match adds {
                true => word.wrapping_add(value as u64),
                false => d.write(value, word),
            };
        }
        r[0] = extend(d_signed, word as i64);
    }))
}

/// Half the sum, rounded away from zero.
fn average(a: i64, b: i64) -> i64 {
    let sum = a + b;
    (sum + i64::from(sum >= 0)) >> 1
}

/// The numbers of lanes an operand names, the lowest lane's first.
fn numbers(part: Part) -> Option<Vec<u8>> {
    match part {
        Part::Bytes(lanes) | Part::Halves(lanes) => {
            let mut numbers: Vec<u8> = lanes.numbers().collect();
            numbers.reverse();
            Some(numbers)
        }
        _ => None,
    }
}
