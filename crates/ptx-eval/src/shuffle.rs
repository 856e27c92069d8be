//! prmt: bytes of two words in another order.

use super::{Operation, View};

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    if view.opcode() != "prmt" {
        return None;
    }
    Some(Operation::three(match view.choice.token("mode") {
        None => |a, b, c| permute(a, b, [c, c >> 4, c >> 8, c >> 12].map(|n| n & 15)),
        // The low two bits of `c` say where to begin, or which element to repeat.
        Some(".f4e") => |a, b, c| permute(a, b, [0, 1, 2, 3].map(|i| (c & 3) + i)),
        Some(".b4e") => |a, b, c| permute(a, b, [8, 7, 6, 5].map(|i| ((c & 3) + i) & 7)),
        Some(".rc8") => |a, b, c| permute(a, b, [c & 3; 4]),
        Some(".ecl") => |a, b, c| permute(a, b, [0, 1, 2, 3].map(|i: u64| i.max(c & 3))),
        Some(".ecr") => |a, b, c| permute(a, b, [0, 1, 2, 3].map(|i: u64| i.min(c & 3))),
        Some(_) => |a, b, c| permute(a, b, [0, 1, 0, 1].map(|i| 2 * (c & 1) + i)),
    }))
}

/// A word of the bytes with these numbers, the lowest first: 0 to 3 from `a`, 4 to 7 from `b`. Bit
/// 3 of a number asks for copies of the byte's sign instead.
#[inline]
fn permute(a: u64, b: u64, numbers: [u64; 4]) -> u64 {
    let bytes = b << 32 | a & 0xffff_ffff;
    numbers.iter().rev().fold(0, |word, number| {
        let byte = bytes >> (8 * (number & 7)) & 0xff;
        let byte = match number & 8 {
            0 => byte,
            _ => 0xff * (byte >> 7),
        };
        word << 8 | byte
    })
}

#[cfg(test)]
mod tests {
    use crate::walk::compute;

    const A: u64 = 0x8322_1100;
    const B: u64 = 0x7766_d544;

    #[test]
    fn any_bytes() {
        assert_eq!(compute("prmt.b32", &[A, B, 0x7654]), [B]);
        assert_eq!(compute("prmt.b32", &[A, B, 0x0123]), [0x0011_2283]);
        assert_eq!(compute("prmt.b32", &[A, B, 0xb8d3]), [0xff00_ff83]);
        assert_eq!(compute("prmt.b32", &[A, B, 0xffff_3210]), [A]);
    }

    #[test]
    fn modes() {
        for (mode, words) in [
            ("f4e", [A, 0x4483_2211, 0xd544_8322, 0x66d5_4483]),
            ("b4e", [0xd566_7700, 0x6677_0011, 0x7700_1122, 0x0011_2283]),
            ("rc8", [0, 0x1111_1111, 0x2222_2222, 0x8383_8383]),
            ("ecl", [A, 0x8322_1111, 0x8322_2222, 0x8383_8383]),
            ("ecr", [0, 0x1111_1100, 0x2222_1100, A]),
            ("rc16", [0x1100_1100, 0x8322_8322, 0x1100_1100, 0x8322_8322]),
        ] {
            for (c, word) in words.into_iter().enumerate() {
                let name = format!("prmt.b32.{mode}");
                assert_eq!(compute(&name, &[A, B, c as u64 | 4]), [word], "{name} {c}");
            }
        }
    }
}
