//! Common operations on floating-point numbers, on all lanes at once. What they compute is said in
//! [`warpc_ptx_eval::many`].

use super::super::frame::{Around, Doubles, Frame, Words};
use super::super::lanes;
use super::vector::FEW;
use crate::program::{CompareFloat, Float, Precision, Relation, Src};
use warpc_ptx_eval::many;

/// A destination and three sources.
type Places = (u32, Src, Src, Src);

pub(crate) fn float(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    op: Float,
    precision: Precision,
    places: Places,
) {
    /// Runs a function that there is for any number of lanes.
    macro_rules! run {
        ($on:ident($f:ident $(, $flag:literal)?)) => {
            $on(
                frame,
                around,
                active,
                places,
                many::$f::<$($flag,)? 32>,
                many::$f::<$($flag,)? 1>,
            )
        };
    }
    match (precision, op) {
        (Precision::Single, Float::Add) => run!(words(add_singles, false)),
        (Precision::Single, Float::Sub) => run!(words(subtract_singles, false)),
        (Precision::Single, Float::Mul) => run!(words(multiply_singles, false)),
        (Precision::Single, Float::Fma) => run!(words(fuse_singles)),
        (Precision::Flushed, Float::Add) => run!(words(add_singles, true)),
        (Precision::Flushed, Float::Sub) => run!(words(subtract_singles, true)),
        (Precision::Flushed, Float::Mul) => run!(words(multiply_singles, true)),
        (Precision::Flushed, Float::Fma) => run!(words(fuse_flushed_singles)),
        (Precision::Double, Float::Add) => run!(doubles(add_doubles)),
        (Precision::Double, Float::Sub) => run!(doubles(subtract_doubles)),
        (Precision::Double, Float::Mul) => run!(doubles(multiply_doubles)),
        (Precision::Double, Float::Fma) => run!(doubles(fuse_doubles)),
    }
}

#[inline]
fn words(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    (d, a, b, c): Places,
    all: impl Fn(&Words, &Words, &Words) -> Words,
    one: impl Fn(&[u32; 1], &[u32; 1], &[u32; 1]) -> [u32; 1],
) {
    if active.count_ones() < FEW {
        for lane in lanes(active) {
            let [a, b, c] = [a, b, c].map(|from| [frame.get(from, lane, around) as u32]);
            [frame.words[d as usize][lane]] = one(&a, &b, &c);
        }
        return;
    }
    let (a, b) = (frame.words(a, around), frame.words(b, around));
    let c = frame.words(c, around);
    frame.set_words(d, active, &all(&a, &b, &c));
}

#[inline]
fn doubles(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    (d, a, b, c): Places,
    all: impl Fn(&Doubles, &Doubles, &Doubles) -> Doubles,
    one: impl Fn(&[u64; 1], &[u64; 1], &[u64; 1]) -> [u64; 1],
) {
    if active.count_ones() < FEW {
        for lane in lanes(active) {
            let [a, b, c] = [a, b, c].map(|from| [frame.get(from, lane, around)]);
            [frame.doubles[d as usize][lane]] = one(&a, &b, &c);
        }
        return;
    }
    let (a, b) = (frame.doubles(a, around), frame.doubles(b, around));
    let c = frame.doubles(c, around);
    frame.set_doubles(d, active, &all(&a, &b, &c));
}

pub(crate) fn compare_float(
    frame: &mut Frame,
    around: Around<'_>,
    active: u32,
    op: CompareFloat,
    (d, a, b): (u32, Src, Src),
) {
    let singles = |from, flush: fn(u32) -> u32| {
        frame
            .words(from, around)
            .map(|bits| f32::from_bits(flush(bits)))
    };
    let doubles = |from| frame.doubles(from, around).map(f64::from_bits);
    let holds = match op.precision {
        Precision::Single => {
            let keep = |bits| bits;
            which(op.relation, &singles(a, keep), &singles(b, keep))
        }
        Precision::Flushed => {
            let flush = many::flushed;
            which(op.relation, &singles(a, flush), &singles(b, flush))
        }
        Precision::Double => which(op.relation, &doubles(a), &doubles(b)),
    };
    frame.set_predicate(d, active, if op.negated { !holds } else { holds });
}

/// The lanes for which a relation holds.
#[inline]
fn which<T: PartialOrd>(relation: Relation, a: &[T; 32], b: &[T; 32]) -> u32 {
    #[inline]
    fn lanes_where<T>(a: &[T; 32], b: &[T; 32], holds: impl Fn(&T, &T) -> bool) -> u32 {
        (0..32).fold(0, |mask, lane| {
            mask | u32::from(holds(&a[lane], &b[lane])) << lane
        })
    }
    match relation {
        Relation::Equal => lanes_where(a, b, |a, b| a == b),
        Relation::Unequal => lanes_where(a, b, |a, b| (a < b) | (a > b)),
        Relation::Less => lanes_where(a, b, |a, b| a < b),
        Relation::LessOrEqual => lanes_where(a, b, |a, b| a <= b),
        Relation::Greater => lanes_where(a, b, |a, b| a > b),
        Relation::GreaterOrEqual => lanes_where(a, b, |a, b| a >= b),
        Relation::Any => lanes_where(a, b, |a, b| (a <= b) | (a > b)),
    }
}
