//! Integers: sums, products, shifts, logic, comparisons, predicates.

use super::{Machine, mask};
use crate::op::{Elements, Product, Relation, Step, What};
use crate::operand::{Dest, In};
use crate::warp::{Lanes, Warp};

/// Executes a step on integers; whether it is one.
pub(super) fn run(machine: &mut Machine<'_>, warp: &mut Warp, step: &Step, lanes: u32) -> bool {
    let args = &step.args;
    let a = |machine: &mut Machine<'_>, warp: &Warp| machine.bits(warp, args.source(0));
    let b = |machine: &mut Machine<'_>, warp: &Warp| machine.bits(warp, args.source(1));
    let c = |machine: &mut Machine<'_>, warp: &Warp| machine.bits(warp, args.source(2));
    match &step.what {
        What::Nothing => {}
        What::Mad {
            part,
            signed,
            extended,
        } => mad(machine, warp, step, lanes, *part, *signed, *extended),
        What::AddLong => {
            let mut sum = [0u64; 32];
            for source in args.s.iter().take(3) {
                let value = machine.long_bits(warp, *source);
                for (sum, value) in sum.iter_mut().zip(value) {
                    let signed = if source.minus() {
                        value.wrapping_neg()
                    } else {
                        value
                    };
                    *sum = sum.wrapping_add(signed);
                }
            }
            warp.set_pair(args.d, &sum, lanes);
        }
        What::Add3 { extended } => add3(machine, warp, step, lanes, *extended),
        What::Lea {
            high,
            sign,
            extended,
        } => lea(machine, warp, step, lanes, (*high, *sign, *extended)),
        What::AddPacked { halves } => {
            let (x, y) = (
                a(machine, warp),
                negated(b(machine, warp), args.source(1), *halves),
            );
            let sum = std::array::from_fn(|lane| match halves {
                false => x[lane].wrapping_add(y[lane]),
                true => per_half(x[lane], y[lane], |x, y| x.wrapping_add(y)),
            });
            warp.set(args.d, &sum, lanes);
        }
        What::Abs => {
            let value = a(machine, warp).map(|one| (one as i32).unsigned_abs());
            warp.set(args.d, &value, lanes);
        }
        What::Extreme {
            elements,
            relu,
            add,
            three,
        } => {
            let (mut x, y, z) = (a(machine, warp), b(machine, warp), c(machine, warp));
            let y = negated(
                y,
                args.source(1),
                matches!(elements, Elements::UnsignedHalves | Elements::SignedHalves),
            );
            let least = warp.truth(args.truth(0));
            let mut result: Lanes = [0; 32];
            for lane in 0..32 {
                let is_least = least >> lane & 1 == 1;
                let pick = |x: u32, y: u32| extreme(*elements, is_least, x, y);
                if *add {
                    let sum = match elements {
                        Elements::Unsigned | Elements::Signed => x[lane].wrapping_add(y[lane]),
                        _ => per_half(x[lane], y[lane], |x, y| x.wrapping_add(y)),
                    };
                    x[lane] = sum;
                    result[lane] = pick(x[lane], z[lane]);
                } else {
                    result[lane] = pick(x[lane], y[lane]);
                }
                if *three {
                    result[lane] = pick(result[lane], z[lane]);
                }
                if *relu {
                    result[lane] = extreme(*elements, false, result[lane], 0);
                }
            }
            // Which of the two it was.
            if args.p[0] != Dest::None {
                let first = |bits: u32| mask(|lane| (result[lane] ^ x[lane]) & bits == 0);
                let [low, high] = match elements {
                    Elements::Unsigned | Elements::Signed => [first(u32::MAX); 2],
                    _ => [first(0xffff), first(0xffff_0000)],
                };
                // ptxas names one predicate for both where it needs only that of the lower half.
                warp.set_predicate(args.p[1], high, lanes);
                warp.set_predicate(args.p[0], low, lanes);
            }
            warp.set(args.d, &result, lanes);
        }
        What::Dot {
            halves,
            a_signed,
            b_signed,
        } => {
            let (x, y) = (a(machine, warp), b(machine, warp));
            let z = negated(c(machine, warp), args.source(2), false);
            let byte = |value: u32, at: u32, signed: bool| match signed {
                true => i32::from((value >> (8 * at)) as i8),
                false => i32::from((value >> (8 * at)) as u8),
            };
            let half = |value: u32, at: u32, signed: bool| match signed {
                true => i32::from((value >> (16 * at)) as i16),
                false => i32::from((value >> (16 * at)) as u16),
            };
            let sum = std::array::from_fn(|lane| {
                let product = |x: i32, y: i32| x.wrapping_mul(y) as u32;
                let terms = match halves {
                    None => (0..4)
                        .map(|at| {
                            product(byte(x[lane], at, *a_signed), byte(y[lane], at, *b_signed))
                        })
                        .fold(0u32, u32::wrapping_add),
                    Some(high) => (0..2)
                        .map(|at| {
                            let other = at + 2 * u32::from(*high);
                            product(
                                half(x[lane], at, *a_signed),
                                byte(y[lane], other, *b_signed),
                            )
                        })
                        .fold(0u32, u32::wrapping_add),
                };
                z[lane].wrapping_add(terms)
            });
            warp.set(args.d, &sum, lanes);
        }
        What::AbsDiff {
            bytes,
            signed,
            accumulate,
        } => {
            let (x, y, z) = (a(machine, warp), b(machine, warp), c(machine, warp));
            let value = std::array::from_fn(|lane| {
                let (x, y, z) = (x[lane], y[lane], z[lane]);
                if !bytes {
                    let difference = match signed {
                        true => (x as i32).abs_diff(y as i32),
                        false => x.abs_diff(y),
                    };
                    return difference.wrapping_add(z);
                }
                let parts = (0..4).map(|at| {
                    let (x, y) = ((x >> (8 * at)) as u8, (y >> (8 * at)) as u8);
                    u32::from(match signed {
                        true => (x as i8).abs_diff(y as i8),
                        false => x.abs_diff(y),
                    })
                });
                match accumulate {
                    true => parts.fold(z, u32::wrapping_add),
                    false => parts
                        .enumerate()
                        .fold(0, |all, (at, part)| all | part << (8 * at)),
                }
            });
            warp.set(args.d, &value, lanes);
        }
        What::Move => {
            let value = a(machine, warp);
            warp.set(args.d, &value, lanes);
        }
        What::Select { flush, float } => {
            let (mut x, mut y) = (a(machine, warp), b(machine, warp));
            if *float {
                for (values, source) in [(&mut x, args.source(0)), (&mut y, args.source(1))] {
                    *values = super::number::signed_single(*values, source);
                    if *flush {
                        *values = values.map(|one| match one & 0x7f80_0000 {
                            0 => one & 0x8000_0000,
                            _ => one,
                        });
                    }
                }
            }
            let chosen = warp.truth(args.truth(0));
            let value = std::array::from_fn(|lane| {
                if chosen >> lane & 1 == 1 {
                    x[lane]
                } else {
                    y[lane]
                }
            });
            warp.set(args.d, &value, lanes);
        }
        What::Permute(operation) => {
            let (x, selector, y) = (a(machine, warp), b(machine, warp), c(machine, warp));
            let value = std::array::from_fn(|lane| {
                let mut result = [0];
                operation.run(
                    &[x[lane].into(), y[lane].into(), selector[lane].into()],
                    &mut result,
                );
                result[0] as u32
            });
            warp.set(args.d, &value, lanes);
        }
        What::Logic { and } => {
            let (x, y, z) = (a(machine, warp), b(machine, warp), c(machine, warp));
            let table = machine.bits(warp, args.source(3))[0];
            let value: Lanes = std::array::from_fn(|lane| logic(table, x[lane], y[lane], z[lane]));
            if args.p[0] != Dest::None {
                let nonzero = mask(|lane| value[lane] != 0);
                let other = warp.truth(args.truth(0));
                let bits = if *and {
                    nonzero & other
                } else {
                    nonzero | other
                };
                warp.set_predicate(args.p[0], bits, lanes);
            }
            warp.set(args.d, &value, lanes);
        }
        What::Shift {
            right,
            wrap,
            long,
            signed,
            high,
        } => {
            let (low, by, upper) = (a(machine, warp), b(machine, warp), c(machine, warp));
            let most = if *long { 64 } else { 32 };
            let value = std::array::from_fn(|lane| {
                let by = if *wrap {
                    by[lane] & (most - 1)
                } else {
                    by[lane].min(most)
                };
                let value = u128::from(low[lane]) | u128::from(upper[lane]) << 32;
                let shifted = match (right, signed) {
                    (false, _) => value << by,
                    (true, false) => value >> by,
                    (true, true) => (i128::from(value as u64 as i64) >> by) as u128,
                };
                (shifted >> if *high { 32 } else { 0 }) as u32
            });
            warp.set(args.d, &value, lanes);
        }
        What::Extend { wrap, signed } => {
            let (x, count) = (a(machine, warp), b(machine, warp));
            let value = std::array::from_fn(|lane| {
                let count = if *wrap {
                    count[lane] & 31
                } else {
                    count[lane].min(32)
                };
                match count {
                    0 => 0,
                    count if *signed => ((x[lane] << (32 - count)) as i32 >> (32 - count)) as u32,
                    count => x[lane] << (32 - count) >> (32 - count),
                }
            });
            warp.set(args.d, &value, lanes);
        }
        What::Mask { wrap } => {
            let (first, count) = (a(machine, warp), b(machine, warp));
            let value = std::array::from_fn(|lane| {
                let limit = |value: u32| if *wrap { value & 31 } else { value.min(32) };
                let bits = (1u64 << limit(count[lane])) - 1;
                (bits << limit(first[lane])) as u32
            });
            warp.set(args.d, &value, lanes);
        }
        What::LeadingOne { signed, shift } => {
            let x = inverted(a(machine, warp), args.source(0));
            let value: Lanes = std::array::from_fn(|lane| {
                let x = match *signed && (x[lane] as i32) < 0 {
                    true => !x[lane],
                    false => x[lane],
                };
                match x {
                    0 => u32::MAX,
                    x if *shift => x.leading_zeros(),
                    x => 31 - x.leading_zeros(),
                }
            });
            warp.set_predicate(args.p[0], mask(|lane| value[lane] != u32::MAX), lanes);
            warp.set(args.d, &value, lanes);
        }
        What::Reverse => {
            let value = a(machine, warp).map(u32::reverse_bits);
            warp.set(args.d, &value, lanes);
        }
        What::Count => {
            let value = inverted(a(machine, warp), args.source(0)).map(u32::count_ones);
            warp.set(args.d, &value, lanes);
        }
        What::Narrow { bits, signed } => {
            let (least, most) = match signed {
                true => (-(1i32 << (bits - 1)), (1i32 << (bits - 1)) - 1),
                false => (0, (1i32 << bits) - 1),
            };
            let value = a(machine, warp).map(|one| (one as i32).clamp(least, most) as u32);
            warp.set(args.d, &value, lanes);
        }
        What::CompareIntegers {
            relation,
            signed,
            combine,
            extended,
        } => {
            let (x, y) = (a(machine, warp), b(machine, warp));
            // The lower halves were compared before: the predicate after the one that is combined.
            let lower = warp.truth(args.truth(1));
            let holds = mask(|lane| {
                compare(
                    *relation,
                    *signed,
                    *extended,
                    x[lane],
                    y[lane],
                    lower >> lane & 1 == 1,
                )
            });
            let other = warp.truth(args.truth(0));
            warp.set_predicate(args.p[0], combine.apply(holds, other), lanes);
            warp.set_predicate(args.p[1], combine.apply(!holds, other), lanes);
        }
        What::PredicateLogic => {
            let [x, y, z] = [0, 1, 2].map(|index| warp.truth(args.truth(index)));
            let tables = [0, 1].map(|index| machine.bits(warp, args.source(index))[0]);
            for (dest, table) in args.p.into_iter().zip(tables) {
                warp.set_predicate(dest, logic(table, x, y, z), lanes);
            }
        }
        What::SignLogic => {
            let signs = [0, 1, 2].map(|index| {
                let value = machine.bits(warp, args.source(index));
                mask(|lane| (value[lane] as i32) < 0)
            });
            let tables = [3, 4].map(|index| machine.bits(warp, args.source(index))[0]);
            for (dest, table) in args.p.into_iter().zip(tables) {
                warp.set_predicate(dest, logic(table, signs[0], signs[1], signs[2]), lanes);
            }
        }
        What::FromPredicates { shift, uniform } => {
            let (x, set) = (a(machine, warp), b(machine, warp));
            let value = std::array::from_fn(|lane| {
                let all = (0..7).fold(0, |all, number| {
                    let bit = warp.predicate(number, *uniform) >> lane & 1;
                    all | bit << number
                });
                let set = set[lane];
                x[lane] & !(set << shift) | (all & set) << shift
            });
            warp.set(args.d, &value, lanes);
        }
        What::ToPredicates { shift, uniform } => {
            let (x, set) = (a(machine, warp), b(machine, warp)[0]);
            for number in (0..7).filter(|number| set >> number & 1 == 1) {
                let bits = mask(|lane| x[lane] >> (shift + number) & 1 == 1);
                let dest = match uniform {
                    true => Dest::UniformPredicate(number as u8),
                    false => Dest::Predicate(number as u8),
                };
                warp.set_predicate(dest, bits, lanes);
            }
        }
        _ => return false,
    }
    true
}

/// Values with the minus of their operand.
fn negated(values: Lanes, source: In, halves: bool) -> Lanes {
    match (source.minus(), halves) {
        (false, _) => values,
        (true, false) => values.map(u32::wrapping_neg),
        (true, true) => values.map(|one| per_half(one, 0, |x, _| x.wrapping_neg())),
    }
}

fn inverted(values: Lanes, source: In) -> Lanes {
    match source.tilde() {
        true => values.map(|one| !one),
        false => values,
    }
}

fn per_half(x: u32, y: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    let low = f(x as u16, y as u16);
    let high = f((x >> 16) as u16, (y >> 16) as u16);
    u32::from(low) | u32::from(high) << 16
}

fn extreme(elements: Elements, least: bool, x: u32, y: u32) -> u32 {
    fn pick<T: Ord>(least: bool, x: T, y: T) -> T {
        if least { x.min(y) } else { x.max(y) }
    }
    match elements {
        Elements::Unsigned => pick(least, x, y),
        Elements::Signed => pick(least, x as i32, y as i32) as u32,
        Elements::UnsignedHalves => per_half(x, y, |x, y| pick(least, x, y)),
        Elements::SignedHalves => per_half(x, y, |x, y| pick(least, x as i16, y as i16) as u16),
    }
}

/// A function of three bits by its table.
pub(super) fn logic(table: u32, x: u32, y: u32, z: u32) -> u32 {
    let mut value = 0;
    for row in 0..8 {
        if table >> row & 1 == 1 {
            let of = |bits: u32, place: u32| if row >> place & 1 == 1 { bits } else { !bits };
            value |= of(x, 2) & of(y, 1) & of(z, 0);
        }
    }
    value
}

fn compare(relation: Relation, signed: bool, extended: bool, x: u32, y: u32, lower: bool) -> bool {
    let less = match signed {
        true => (x as i32) < (y as i32),
        false => x < y,
    };
    let equal = x == y;
    // Of the upper halves: where they are equal, the lower ones say it.
    let or_equal = |otherwise: bool| if extended { lower } else { otherwise };
    match relation {
        Relation::False => false,
        Relation::True => true,
        Relation::Less => less || equal && or_equal(false),
        Relation::LessEqual => less || equal && or_equal(true),
        Relation::Greater => !less && !equal || equal && or_equal(false),
        Relation::GreaterEqual => !less && !equal || equal && or_equal(true),
        Relation::Equal => equal && or_equal(true),
        Relation::NotEqual => !equal || or_equal(false),
    }
}

/// A term of a sum with its sign: -x is ~x + 1, which matters to the carry.
fn term(value: u32, source: In) -> u64 {
    match (source.minus(), source.tilde()) {
        (true, _) => u64::from(!value) + 1,
        (_, true) => u64::from(!value),
        _ => u64::from(value),
    }
}

fn add3(machine: &mut Machine<'_>, warp: &mut Warp, step: &Step, lanes: u32, extended: bool) {
    let args = &step.args;
    let sources = [args.source(0), args.source(1), args.source(2)];
    let values = sources.map(|source| machine.bits(warp, source));
    let carries = match extended {
        true => [warp.truth(args.truth(0)), warp.truth(args.truth(1))],
        false => [0; 2],
    };
    let mut sum: Lanes = [0; 32];
    let mut out = [0u32; 2];
    for lane in 0..32 {
        let mut all: u64 = 0;
        for (value, source) in values.iter().zip(sources) {
            all += term(value[lane], source);
        }
        for carry in carries {
            all += u64::from(carry >> lane & 1);
        }
        sum[lane] = all as u32;
        let carry = all >> 32;
        out[0] |= u32::from(carry >= 1) << lane;
        out[1] |= u32::from(carry >= 2) << lane;
    }
    warp.set_predicate(args.p[0], out[0], lanes);
    warp.set_predicate(args.p[1], out[1], lanes);
    warp.set(args.d, &sum, lanes);
}

fn mad(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    part: Product,
    signed: bool,
    extended: bool,
) {
    let args = &step.args;
    let (x, y) = (
        machine.bits(warp, args.source(0)),
        machine.bits(warp, args.source(1)),
    );
    let third = args.source(2);
    let carry = match extended {
        true => warp.truth(args.truth(0)),
        false => 0,
    };
    if part == Product::Low {
        let z = machine.bits(warp, third);
        let value = std::array::from_fn(|lane| {
            let product = x[lane].wrapping_mul(y[lane]);
            let sum = product.wrapping_add(term(z[lane], third) as u32);
            sum.wrapping_add(carry >> lane & 1)
        });
        warp.set(args.d, &value, lanes);
        return;
    }
    let z = machine.long_bits(warp, third);
    let mut value = [0u64; 32];
    let mut out = 0;
    for lane in 0..32 {
        let product = match signed {
            true => (i64::from(x[lane] as i32) * i64::from(y[lane] as i32)) as u64,
            false => u64::from(x[lane]) * u64::from(y[lane]),
        };
        let z = match (third.minus(), third.tilde()) {
            (true, _) => u128::from(!z[lane]) + 1,
            (_, true) => u128::from(!z[lane]),
            _ => u128::from(z[lane]),
        };
        let sum = u128::from(product) + z + u128::from(carry >> lane & 1);
        value[lane] = sum as u64;
        out |= u32::from(sum >> 64 != 0) << lane;
    }
    warp.set_predicate(args.p[0], out, lanes);
    match part {
        Product::Wide => warp.set_pair(args.d, &value, lanes),
        _ => {
            let high = value.map(|one| (one >> 32) as u32);
            warp.set(args.d, &high, lanes);
        }
    }
}

fn lea(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    (high, sign, extended): (bool, bool, bool),
) {
    let args = &step.args;
    let first = args.source(0);
    let (x, base) = (
        machine.bits(warp, first),
        machine.bits(warp, args.source(1)),
    );
    // With the upper half of the index there is one operand more.
    let (upper, by) = match high && !sign {
        true => (machine.bits(warp, args.source(2)), args.source(3)),
        false => ([0; 32], args.source(2)),
    };
    let by = machine.bits(warp, by)[0] & 31;
    let carry = match extended {
        true => warp.truth(args.truth(0)),
        false => 0,
    };
    let mut value: Lanes = [0; 32];
    let mut out = 0;
    for lane in 0..32 {
        let wide = match (high, sign) {
            (true, true) => (i64::from(x[lane] as i32) as u64) << by,
            (true, false) => (u64::from(x[lane]) | u64::from(upper[lane]) << 32) << by,
            (false, _) => u64::from(x[lane]) << by,
        };
        let index = if high {
            (wide >> 32) as u32
        } else {
            wide as u32
        };
        let sum =
            term(index, first) + term(base[lane], args.source(1)) + u64::from(carry >> lane & 1);
        value[lane] = sum as u32;
        out |= u32::from(sum >> 32 != 0) << lane;
    }
    warp.set_predicate(args.p[0], out, lanes);
    warp.set(args.d, &value, lanes);
}
