//! Common operations on words and doubles, on all lanes at once.

use super::super::frame::{Around, Doubles, Frame, Words};
use super::super::lanes;
use crate::program::{Compare, Double, Src, Word};

/// With fewer active lanes than this it goes lane by lane.
pub(super) const FEW: u32 = 6;

#[inline]
fn words2(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    (d, a, b): (u32, Src, Src),
    f: impl Fn(u32, u32) -> u32,
) {
    if active.count_ones() < FEW {
        for lane in lanes(active) {
            let a = frame.get(a, lane, around) as u32;
            let b = frame.get(b, lane, around) as u32;
            frame.words[d as usize][lane] = f(a, b);
        }
        return;
    }
    let (a, b) = (frame.words(a, around), frame.words(b, around));
    let out: Words = std::array::from_fn(|i| f(a[i], b[i]));
    frame.set_words(d, active, &out);
}

#[inline]
fn words3(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    (d, a, b, c): (u32, Src, Src, Src),
    f: impl Fn(u32, u32, u32) -> u32,
) {
    if active.count_ones() < FEW {
        for lane in lanes(active) {
            let a = frame.get(a, lane, around) as u32;
            let b = frame.get(b, lane, around) as u32;
            let c = frame.get(c, lane, around) as u32;
            frame.words[d as usize][lane] = f(a, b, c);
        }
        return;
    }
    let (a, b) = (frame.words(a, around), frame.words(b, around));
    let c = frame.words(c, around);
    let out: Words = std::array::from_fn(|i| f(a[i], b[i], c[i]));
    frame.set_words(d, active, &out);
}

#[inline]
fn doubles2(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    (d, a, b): (u32, Src, Src),
    f: impl Fn(u64, u64) -> u64,
) {
    if active.count_ones() < FEW {
        for lane in lanes(active) {
            let a = frame.get(a, lane, around);
            let b = frame.get(b, lane, around);
            frame.doubles[d as usize][lane] = f(a, b);
        }
        return;
    }
    let (a, b) = (frame.doubles(a, around), frame.doubles(b, around));
    let out: Doubles = std::array::from_fn(|i| f(a[i], b[i]));
    frame.set_doubles(d, active, &out);
}

#[inline]
fn doubles3(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    (d, a, b, c): (u32, Src, Src, Src),
    f: impl Fn(u64, u64, u64) -> u64,
) {
    if active.count_ones() < FEW {
        for lane in lanes(active) {
            let a = frame.get(a, lane, around);
            let b = frame.get(b, lane, around);
            let c = frame.get(c, lane, around);
            frame.doubles[d as usize][lane] = f(a, b, c);
        }
        return;
    }
    let (a, b) = (frame.doubles(a, around), frame.doubles(b, around));
    let c = frame.doubles(c, around);
    let out: Doubles = std::array::from_fn(|i| f(a[i], b[i], c[i]));
    frame.set_doubles(d, active, &out);
}

pub(crate) fn word(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    op: Word,
    places: (u32, Src, Src, Src),
) {
    let (d, a, b, c) = places;
    let two = (d, a, b);
    match op {
        Word::Move | Word::Narrow => words2(frame, around, active, two, |a, _| a),
        Word::Add => words2(frame, around, active, two, u32::wrapping_add),
        Word::Sub => words2(frame, around, active, two, u32::wrapping_sub),
        Word::Mul => words2(frame, around, active, two, u32::wrapping_mul),
        Word::Mad => words3(frame, around, active, places, |a, b, c| {
            a.wrapping_mul(b).wrapping_add(c)
        }),
        Word::And => words2(frame, around, active, two, |a, b| a & b),
        Word::Or => words2(frame, around, active, two, |a, b| a | b),
        Word::Xor => words2(frame, around, active, two, |a, b| a ^ b),
        Word::Not => words2(frame, around, active, two, |a, _| !a),
        Word::Shl => words2(
            frame,
            around,
            active,
            two,
            |a, b| {
                if b > 31 { 0 } else { a << b }
            },
        ),
        Word::ShrU => words2(
            frame,
            around,
            active,
            two,
            |a, b| {
                if b > 31 { 0 } else { a >> b }
            },
        ),
        Word::ShrS => words2(frame, around, active, two, |a, b| {
            (a as i32 >> b.min(31)) as u32
        }),
        Word::MinU => words2(frame, around, active, two, u32::min),
        Word::MaxU => words2(frame, around, active, two, u32::max),
        Word::MinS => words2(frame, around, active, two, |a, b| {
            (a as i32).min(b as i32) as u32
        }),
        Word::MaxS => words2(frame, around, active, two, |a, b| {
            (a as i32).max(b as i32) as u32
        }),
        Word::Select => words3(frame, around, active, (d, a, b, c), |a, b, c| {
            if c != 0 { a } else { b }
        }),
        Word::SingleOfU => words2(frame, around, active, two, |a, _| (a as f32).to_bits()),
        Word::SingleOfS => words2(frame, around, active, two, |a, _| {
            (a as i32 as f32).to_bits()
        }),
        // As the host cuts: to the range of integers, and NaN to zero.
        Word::CutToU => words2(frame, around, active, two, |a, _| f32::from_bits(a) as u32),
        Word::CutToS => words2(frame, around, active, two, |a, _| {
            f32::from_bits(a) as i32 as u32
        }),
    }
}

pub(crate) fn double(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    op: Double,
    places: (u32, Src, Src, Src),
) {
    let (d, a, b, _) = places;
    let two = (d, a, b);
    let signed = |a: u64| i64::from(a as u32 as i32);
    let unsigned = |a: u64| u64::from(a as u32);
    match op {
        Double::Move => doubles2(frame, around, active, two, |a, _| a),
        Double::Add => doubles2(frame, around, active, two, u64::wrapping_add),
        Double::Sub => doubles2(frame, around, active, two, u64::wrapping_sub),
        Double::Mul => doubles2(frame, around, active, two, u64::wrapping_mul),
        Double::Mad => doubles3(frame, around, active, places, |a, b, c| {
            a.wrapping_mul(b).wrapping_add(c)
        }),
        Double::And => doubles2(frame, around, active, two, |a, b| a & b),
        Double::Or => doubles2(frame, around, active, two, |a, b| a | b),
        Double::Xor => doubles2(frame, around, active, two, |a, b| a ^ b),
        Double::Shl => doubles2(frame, around, active, two, |a, b| {
            if b as u32 > 63 { 0 } else { a << (b as u32) }
        }),
        Double::ShrU => doubles2(frame, around, active, two, |a, b| {
            if b as u32 > 63 { 0 } else { a >> (b as u32) }
        }),
        Double::ShrS => doubles2(frame, around, active, two, |a, b| {
            (a as i64 >> (b as u32).min(63)) as u64
        }),
        Double::WidenU => doubles2(frame, around, active, two, |a, _| unsigned(a)),
        Double::WidenS => doubles2(frame, around, active, two, |a, _| signed(a) as u64),
        Double::MulWideU => doubles2(frame, around, active, two, |a, b| unsigned(a) * unsigned(b)),
        Double::MulWideS => doubles2(frame, around, active, two, |a, b| {
            (signed(a) * signed(b)) as u64
        }),
        Double::MadWideU => doubles3(frame, around, active, places, |a, b, c| {
            (unsigned(a) * unsigned(b)).wrapping_add(c)
        }),
        Double::MadWideS => doubles3(frame, around, active, places, |a, b, c| {
            ((signed(a) * signed(b)) as u64).wrapping_add(c)
        }),
        Double::Select => doubles3(
            frame,
            around,
            active,
            places,
            |a, b, c| {
                if c != 0 { a } else { b }
            },
        ),
    }
}

/// Lanes for which a comparison holds; `signed` reads a value as a signed number.
#[inline]
fn compare<T: Copy + Ord, S: Ord>(
    op: Compare,
    a: &[T; 32],
    b: &[T; 32],
    signed: impl Fn(T) -> S,
) -> u32 {
    #[inline]
    fn lanes_where<T: Copy>(a: &[T; 32], b: &[T; 32], f: impl Fn(T, T) -> bool) -> u32 {
        (0..32).fold(0, |mask, lane| {
            mask | u32::from(f(a[lane], b[lane])) << lane
        })
    }
    match op {
        Compare::Eq => lanes_where(a, b, |a, b| a == b),
        Compare::Ne => lanes_where(a, b, |a, b| a != b),
        Compare::LtU => lanes_where(a, b, |a, b| a < b),
        Compare::LeU => lanes_where(a, b, |a, b| a <= b),
        Compare::GtU => lanes_where(a, b, |a, b| a > b),
        Compare::GeU => lanes_where(a, b, |a, b| a >= b),
        Compare::LtS => lanes_where(a, b, |a, b| signed(a) < signed(b)),
        Compare::LeS => lanes_where(a, b, |a, b| signed(a) <= signed(b)),
        Compare::GtS => lanes_where(a, b, |a, b| signed(a) > signed(b)),
        Compare::GeS => lanes_where(a, b, |a, b| signed(a) >= signed(b)),
    }
}

pub(crate) fn compare_word(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    op: Compare,
    (d, a, b): (u32, Src, Src),
) {
    let (a, b) = (frame.words(a, around), frame.words(b, around));
    let mask = compare(op, &a, &b, |value| value as i32);
    frame.set_predicate(d, active, mask);
}

pub(crate) fn compare_double(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    op: Compare,
    (d, a, b): (u32, Src, Src),
) {
    let (a, b) = (frame.doubles(a, around), frame.doubles(b, around));
    let mask = compare(op, &a, &b, |value| value as i64);
    frame.set_predicate(d, active, mask);
}
