//! Steps that compute, on all active lanes.
//!
//! Common operations ([`vector`], [`float`]) are loops over 32 lanes that the compiler turns into
//! vector instructions: all lanes are computed, and those that are active are kept. With few active
//! lanes it goes lane by lane. So it always does with what is not common, in this file.

mod float;
mod vector;

pub(crate) use float::{compare_float, float};
pub(crate) use vector::{compare_double, compare_word, double, word};

use super::frame::{Around, Frame};
use super::lanes;
use crate::program::{Dst, General, Pack, Src, Unpack};

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
