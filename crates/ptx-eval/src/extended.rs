//! Arithmetic with the carry bit.
//!
//! In the machine code for sm_90 a difference is the sum with the complement, in the carry bit, too:
//! `sub.cc` leaves 1 when it did *not* borrow, and `subc` computes `a + !b + carry`. Chains of
//! differences come out as the manual says; who mixes sums and differences sees it. `madc.hi.sat`
//! does not saturate, and `madc.hi` of 16 bits adds what the product has above its lower 32 bits,
//! which is its sign.

use super::integer::{lower, multiply, upper};
use super::word::{Word, with_word};
use super::{Operation, View};
use warpc_ptx::row::Effects;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    if !view.choice.form.form().row.effects.contains(Effects::CARRY) {
        return None;
    }
    let (reads, writes) = match view.opcode() {
        "add" | "sub" | "mad" => (false, true),
        "addc" | "subc" | "madc" => (true, view.choice.has("cc")),
        _ => return None,
    };
    let negate = view.opcode().starts_with("sub");
    let high = match view.opcode() {
        "mad" | "madc" => Some(view.choice.has("hi") || view.choice.token("mode") == Some(".hi")),
        _ => None,
    };
    let sat = view.choice.has("sat") && high.is_none();
    let terms = if high.is_some() { 3 } else { 2 };
    let sources = terms + usize::from(reads);
    let results = 1 + usize::from(writes);
    with_word!(view.type_of("a")?, T => Operation::general(sources, results, move |s, r| {
        let (a, b) = match high {
            None => (T::read(s[0]), s[1]),
            Some(true) if T::BITS == 16 => (multiply::<T>(s[0], s[1]) >> 32, s[2]),
            Some(true) => (upper::<T>(s[0], s[1]), s[2]),
            Some(false) => (lower::<T>(s[0], s[1]), s[2]),
        };
        let b = T::read(if negate { !b } else { b });
        // Without a carry to read a difference is that with a carry.
        let carry = if reads { s[terms] & 1 } else { u64::from(negate) };
        let sum = a + b + i128::from(carry);
        r[0] = if sat { T::saturate(sum) } else { T::cut(sum) };
        if writes {
            r[1] = carry_out::<T>(a, b, carry);
        }
    }))
}

/// The bit that a sum carries out of the type's highest.
fn carry_out<T: Word>(a: i128, b: i128, carry: u64) -> u64 {
    let bits = |x: i128| x & (i128::from(u64::MAX) >> (64 - T::BITS));
    ((bits(a) + bits(b) + i128::from(carry)) >> T::BITS) as u64
}

#[cfg(test)]
mod tests {
    use crate::walk::compute;

    #[test]
    fn carries_go_from_word_to_word() {
        // 0x1_ffff_ffff + 1
        assert_eq!(compute("add.cc.u32", &[0xffff_ffff, 1]), [0, 1]);
        assert_eq!(compute("addc.u32", &[1, 0, 1]), [2]);
        assert_eq!(compute("addc.cc.u64", &[u64::MAX, 0, 1]), [0, 1]);
        assert_eq!(
            compute("addc.cc.s32", &[0x7fff_ffff, 0, 1]),
            [0xffff_ffff_8000_0000, 0]
        );
        assert_eq!(compute("addc.sat.s32", &[0x7fff_ffff, 0, 1]), [0x7fff_ffff]);
        assert_eq!(compute("addc.u16", &[0xffff, 0, 1]), [0]);
    }

    #[test]
    fn a_difference_leaves_the_complement_of_the_borrow() {
        assert_eq!(compute("sub.cc.u32", &[5, 3]), [2, 1]);
        assert_eq!(compute("sub.cc.u32", &[3, 5]), [0xffff_fffe, 0]);
        assert_eq!(compute("subc.u32", &[7, 2, 1]), [5]);
        assert_eq!(compute("subc.u32", &[7, 2, 0]), [4]);
        assert_eq!(compute("subc.cc.u64", &[0, 0, 0]), [u64::MAX, 0]);
        assert_eq!(
            compute("subc.sat.s32", &[0x8000_0000, 0, 0]),
            [0xffff_ffff_8000_0000]
        );
    }

    #[test]
    fn products() {
        let max = 0xffff_ffff;
        assert_eq!(compute("mad.lo.cc.u32", &[max, max, max]), [0, 1]);
        assert_eq!(compute("mad.hi.cc.u32", &[max, max, 2]), [0, 1]);
        assert_eq!(compute("madc.hi.u32", &[max, max, 0, 1]), [max]);
        assert_eq!(compute("madc.hi.cc.s32", &[max, 1, 1, 0]), [0, 1]);
        assert_eq!(compute("madc.lo.u64", &[u64::MAX, u64::MAX, 5, 1]), [7]);
        assert_eq!(
            compute("madc.hi.sat.s32", &[1 << 30, 4, 0x7fff_ffff, 0])[0] as i32,
            i32::MIN
        );
        assert_eq!(compute("madc.hi.u16", &[0xffff, 0xffff, 5, 1]), [6]);
        assert_eq!(compute("madc.hi.s16", &[0xffff, 1, 5, 0]), [4]);
    }
}
