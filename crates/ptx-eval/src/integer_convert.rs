//! Conversions between integers: cvt, cvt.pack and szext.

use super::word::{Word, with_word};
use super::{Operation, View};

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    match view.opcode() {
        "cvt" if view.choice.has("pack") => pack(view),
        "cvt" => convert(view),
        "szext" => {
            let clamp = view.choice.token("mode")? == ".clamp";
            with_word!(view.type_of("a")?, T => Operation::two(if clamp {
                extend_clamp::<T>
            } else {
                extend_wrap::<T>
            }))
        }
        _ => None,
    }
}

/// From one integer type to another, cut or saturated.
fn convert(view: &View<'_>) -> Option<Operation> {
    let sat = view.choice.has("sat");
    with_word!(view.type_of("a")?, A => {
        with_word!(view.type_of("d")?, D => Operation::one(if sat {
            |a| D::saturate(A::read(a))
        } else {
            |a| D::cut(A::read(a))
        }))
    })?
}

/// Two saturated numbers in the low bits, `b` lowest, and above them what `c` has in its low bits.
fn pack(view: &View<'_>) -> Option<Operation> {
    let name = view.choice.token("convertType")?;
    let signed = name.starts_with(".s");
    let bits: u32 = name[2..].parse().ok()?;
    let (low, high) = match signed {
        true => (-1_i64 << (bits - 1), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    };
    let cut = move |x: u64| {
        let value = i64::from(x as i32).clamp(low, high);
        value as u64 & ((1 << bits) - 1)
    };
    if view.type_of("c").is_none() {
        return Some(Operation::general(2, 1, move |s, r| {
            r[0] = cut(s[0]) << bits | cut(s[1]);
        }));
    }
    Some(Operation::general(3, 1, move |s, r| {
        let above = s[2] << (2 * bits);
        r[0] = (above | cut(s[0]) << bits | cut(s[1])) & 0xffff_ffff;
    }))
}

/// The low `b` bits, extended by their sign or by zeros; all of them from 32 on.
fn extend_clamp<T: Word>(a: u64, b: u64) -> u64 {
    match b as u32 {
        32.. => T::cut(T::read(a)),
        count => extend::<T>(a, count),
    }
}

/// The low `b` bits modulo 32, extended.
fn extend_wrap<T: Word>(a: u64, b: u64) -> u64 {
    extend::<T>(a, b as u32 & 31)
}

fn extend<T: Word>(a: u64, count: u32) -> u64 {
    if count == 0 {
        return 0;
    }
    let above = T::BITS - count;
    T::cut(T::read(a << above) >> above)
}

#[cfg(test)]
mod tests {
    use crate::walk::compute;

    #[test]
    fn extension_and_saturation() {
        assert_eq!(compute("cvt.s64.s8", &[0x80]), [0xffff_ffff_ffff_ff80]);
        assert_eq!(compute("cvt.u64.u8", &[0x1_80]), [0x80]);
        assert_eq!(compute("cvt.u32.s8", &[0x80]), [0xffff_ff80]);
        assert_eq!(compute("cvt.s8.u32", &[0xff]), [u64::MAX]);
        assert_eq!(compute("cvt.sat.u8.s32", &[0xffff_ffff]), [0]);
        assert_eq!(compute("cvt.sat.s8.u64", &[u64::MAX]), [0x7f]);
        assert_eq!(compute("cvt.sat.s64.u64", &[u64::MAX]), [i64::MAX as u64]);
        assert_eq!(
            compute("cvt.sat.s16.s64", &[1 << 63]),
            [0xffff_ffff_ffff_8000]
        );
    }

    #[test]
    fn packs() {
        let (minus, big) = (0xffff_ffff, 0x7fff_ffff);
        assert_eq!(compute("cvt.pack.sat.u16.s32", &[minus, big]), [0xffff]);
        assert_eq!(
            compute("cvt.pack.sat.s16.s32", &[minus, big]),
            [0xffff_7fff]
        );
        assert_eq!(
            compute("cvt.pack.sat.s8.s32.b32", &[big, minus, 0xabcd_1234]),
            [0x1234_7fff]
        );
        assert_eq!(
            compute("cvt.pack.sat.u4.s32.b32", &[3, big, 0xabcd_1234]),
            [0xcd12_343f]
        );
        assert_eq!(compute("cvt.pack.sat.s2.s32.b32", &[3, minus, 1]), [0x17]);
    }

    #[test]
    fn szext() {
        assert_eq!(
            compute("szext.wrap.s32", &[0xc0, 8]),
            [0xffff_ffff_ffff_ffc0]
        );
        assert_eq!(
            compute("szext.wrap.s32", &[0xc0, 40]),
            [0xffff_ffff_ffff_ffc0]
        );
        assert_eq!(compute("szext.clamp.s32", &[0xc0, 40]), [0xc0]);
        assert_eq!(compute("szext.clamp.u32", &[0xffff_ffff, 5]), [31]);
        assert_eq!(compute("szext.wrap.u32", &[0xffff_ffff, 32]), [0]);
    }
}
