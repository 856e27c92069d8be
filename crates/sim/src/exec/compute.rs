//! Steps that compute, on all active lanes.
//!
//! Common operations on words and doubles are loops over 32 lanes that the compiler turns into
//! vector instructions: all lanes are computed, and those that are active are kept. With few active
//! lanes it goes lane by lane.

use super::frame::{Around, Doubles, Frame, Words};
use super::lanes;
use crate::program::{Compare, Double, Dst, General, Pack, Src, Unpack, Word};
use warpc_ptx::eval;

/// With fewer active lanes than this it goes lane by lane.
const FEW: u32 = 6;

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

/// Sums and products of singles; a NaN is always the same one.
fn canonical(value: f32) -> u32 {
    if value.is_nan() {
        0x7fff_ffff
    } else {
        value.to_bits()
    }
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
        Word::AddF => words2(frame, around, active, two, |a, b| {
            canonical(f32::from_bits(a) + f32::from_bits(b))
        }),
        Word::SubF => words2(frame, around, active, two, |a, b| {
            canonical(f32::from_bits(a) - f32::from_bits(b))
        }),
        Word::MulF => words2(frame, around, active, two, |a, b| {
            canonical(f32::from_bits(a) * f32::from_bits(b))
        }),
        Word::FmaF if active.count_ones() < FEW => {
            words3(frame, around, active, places, |a, b, c| {
                eval::fused_singles(&[a], &[b], &[c])[0]
            });
        }
        Word::FmaF => {
            let [a, b, c] = [a, b, c].map(|source| frame.words(source, around));
            frame.set_words(d, active, &eval::fused_singles(&a, &b, &c));
        }
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

#[inline]
fn compare_words(a: &Words, b: &Words, f: impl Fn(u32, u32) -> bool) -> u32 {
    let mut mask = 0;
    for lane in 0..32 {
        mask |= u32::from(f(a[lane], b[lane])) << lane;
    }
    mask
}

#[inline]
fn compare_doubles(a: &Doubles, b: &Doubles, f: impl Fn(u64, u64) -> bool) -> u32 {
    let mut mask = 0;
    for lane in 0..32 {
        mask |= u32::from(f(a[lane], b[lane])) << lane;
    }
    mask
}

pub(crate) fn compare_word(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    op: Compare,
    (d, a, b): (u32, Src, Src),
) {
    let (a, b) = (frame.words(a, around), frame.words(b, around));
    let mask = match op {
        Compare::Eq => compare_words(&a, &b, |a, b| a == b),
        Compare::Ne => compare_words(&a, &b, |a, b| a != b),
        Compare::LtU => compare_words(&a, &b, |a, b| a < b),
        Compare::LeU => compare_words(&a, &b, |a, b| a <= b),
        Compare::GtU => compare_words(&a, &b, |a, b| a > b),
        Compare::GeU => compare_words(&a, &b, |a, b| a >= b),
        Compare::LtS => compare_words(&a, &b, |a, b| (a as i32) < b as i32),
        Compare::LeS => compare_words(&a, &b, |a, b| a as i32 <= b as i32),
        Compare::GtS => compare_words(&a, &b, |a, b| a as i32 > b as i32),
        Compare::GeS => compare_words(&a, &b, |a, b| a as i32 >= b as i32),
    };
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
    let mask = match op {
        Compare::Eq => compare_doubles(&a, &b, |a, b| a == b),
        Compare::Ne => compare_doubles(&a, &b, |a, b| a != b),
        Compare::LtU => compare_doubles(&a, &b, |a, b| a < b),
        Compare::LeU => compare_doubles(&a, &b, |a, b| a <= b),
        Compare::GtU => compare_doubles(&a, &b, |a, b| a > b),
        Compare::GeU => compare_doubles(&a, &b, |a, b| a >= b),
        Compare::LtS => compare_doubles(&a, &b, |a, b| (a as i64) < b as i64),
        Compare::LeS => compare_doubles(&a, &b, |a, b| a as i64 <= b as i64),
        Compare::GtS => compare_doubles(&a, &b, |a, b| a as i64 > b as i64),
        Compare::GeS => compare_doubles(&a, &b, |a, b| a as i64 >= b as i64),
    };
    frame.set_predicate(d, active, mask);
}

pub(super) fn one(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    f: fn(u64) -> u64,
    (d, a): (Dst, Src),
) {
    for lane in lanes(active) {
        let value = f(frame.get(a, lane, around));
        frame.set(d, lane, value);
    }
}

pub(super) fn two(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    f: fn(u64, u64) -> u64,
    (d, a, b): (Dst, Src, Src),
) {
    for lane in lanes(active) {
        let value = f(frame.get(a, lane, around), frame.get(b, lane, around));
        frame.set(d, lane, value);
    }
}

pub(super) fn three(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    f: fn(u64, u64, u64) -> u64,
    (d, a, b, c): (Dst, Src, Src, Src),
) {
    for lane in lanes(active) {
        let (a, b) = (frame.get(a, lane, around), frame.get(b, lane, around));
        let value = f(a, b, frame.get(c, lane, around));
        frame.set(d, lane, value);
    }
}

/// The most sources or results that a computation has: four-element vectors, a scale, the carry.
const MOST: usize = 12;

pub(super) fn general(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    carry: &mut u32,
    general: &General,
) {
    let count = general.operation.sources.min(MOST);
    for lane in lanes(active) {
        let mut sources = [0; MOST];
        for (value, source) in sources.iter_mut().zip(&general.sources) {
            *value = frame.get(*source, lane, around);
        }
        if general.carry_in {
            sources[count - 1] = u64::from(*carry >> lane & 1);
        }
        let mut results = [0; MOST];
        let given = general.operation.results.min(MOST);
        general
            .operation
            .run(&sources[..count], &mut results[..given]);
        for (value, to) in results.iter().zip(&general.results) {
            frame.set(*to, lane, *value);
        }
        if general.carry_out {
            let bit = u32::from(results[given - 1] & 1 != 0);
            *carry = *carry & !(1 << lane) | bit << lane;
        }
    }
}

pub(super) fn copy(frame: &mut Frame, around: Around<'_>, active: u32, list: &[(Dst, Src)]) {
    if let [(to, from)] = list {
        if let (Dst::P(slot), Src::P(..)) = (to, from) {
            let values = frame.mask(*from, around);
            return frame.set_predicate(*slot, active, values);
        }
        for lane in lanes(active) {
            let value = frame.get(*from, lane, around);
            frame.set(*to, lane, value);
        }
        return;
    }
    for lane in lanes(active) {
        let mut values = [0; MOST];
        for (value, (_, from)) in values.iter_mut().zip(list) {
            *value = frame.get(*from, lane, around);
        }
        for (value, (to, _)) in values.iter().zip(list) {
            frame.set(*to, lane, *value);
        }
    }
}

pub(super) fn pack(frame: &mut Frame, around: Around<'_>, active: u32, pack: &Pack) {
    let mask = u64::MAX >> (64 - pack.bits);
    for lane in lanes(active) {
        let mut value: u128 = 0;
        for (i, element) in pack.elements.iter().enumerate() {
            let bits = frame.get(*element, lane, around) & mask;
            value |= u128::from(bits) << (i as u32 * pack.bits);
        }
        for (i, to) in pack.to.iter().enumerate() {
            frame.set(*to, lane, (value >> (64 * i)) as u64);
        }
    }
}

pub(super) fn unpack(frame: &mut Frame, around: Around<'_>, active: u32, unpack: &Unpack) {
    let mask = u128::from(u64::MAX >> (64 - unpack.bits));
    for lane in lanes(active) {
        let mut value: u128 = 0;
        for (i, part) in unpack.from.iter().enumerate() {
            value |= u128::from(frame.get(*part, lane, around)) << (64 * i);
        }
        for (i, to) in unpack.to.iter().enumerate() {
            let element = value >> (i as u32 * unpack.bits) & mask;
            frame.set(*to, lane, element as u64);
        }
    }
}
