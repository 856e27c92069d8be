//! Vectors whose elements are narrower than a register: each element is in a register of its own in PTX, and several
//! are in one in memory.

use crate::code::{Code, element};
use crate::wired::{Operand, Temporary};

/// Puts the elements of an operand into as few registers as there are bytes for.
pub(crate) fn pack(code: &mut Code, name: &'static str, lanes: u8, bytes: u8) -> Temporary {
    let packed = code.registers((lanes * bytes).div_ceil(4));
    let whole = Operand::from(packed);
    match bytes {
        1 => {
            // Byte after byte.
            let mut old = element(name, 0);
            for (lane, choice) in (1..lanes).zip(["0x7604", "0x7054", "0x654"]) {
                let text = format!("PRMT R0, R0, {choice}, R0");
                code.step(text, &[whole, element(name, lane), old]);
                old = whole;
            }
        }
        _ => {
            for pair in 0..lanes / 2 {
                let (low, high) = (element(name, 2 * pair), element(name, 2 * pair + 1));
                let to = part(packed, pair);
                code.step("PRMT R0, R0, 0x5410, R0", &[to, low, high]);
            }
        }
    }
    packed
}

/// Takes the elements of an operand out of registers.
pub(crate) fn unpack(code: &mut Code, name: &'static str, lanes: u8, bytes: u8, packed: Temporary) {
    for lane in 0..lanes {
        match bytes {
            1 => {
                let text = format!("PRMT R0, R0, {:#x}, RZ", 0x7770 + u32::from(lane));
                code.step(text, &[element(name, lane), packed.into()]);
            }
            // What is above the element counts for nothing.
            _ if lane % 2 == 0 => code.copy(element(name, lane), part(packed, lane / 2)),
            _ => {
                let from = part(packed, lane / 2);
                code.step("PRMT R0, R0, 0x7632, RZ", &[element(name, lane), from]);
            }
        }
    }
}

/// A register of a temporary, which may be its only one.
fn part(packed: Temporary, number: u8) -> Operand {
    match packed.registers {
        1 => packed.into(),
        _ => Operand::from(packed).register(number),
    }
}
