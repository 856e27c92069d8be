//! Floating-point numbers: operands read as their kind, computed by `ptx-eval`.

use super::{Machine, mask};
use crate::compute::{Compare, CompareResult, Compute, Kind, Output, Pick};
use crate::op::{Step, What};
use crate::operand::{From, In};
use crate::warp::{Lanes, Warp};
use warpc_ptx_eval::Compute as Function;

/// Executes a step on numbers; whether it is one.
pub(super) fn run(machine: &mut Machine<'_>, warp: &mut Warp, step: &Step, lanes: u32) -> bool {
    match &step.what {
        What::Compute(compute) => {
            let value = computed(machine, warp, compute, lanes);
            put(warp, step, compute.output, &value, lanes);
        }
        What::Least { least, most } => {
            let chosen = warp.truth(step.args.truth(0));
            let (x, y) = (
                computed(machine, warp, least, lanes),
                computed(machine, warp, most, lanes),
            );
            let value = std::array::from_fn(|lane| {
                if chosen >> lane & 1 == 1 {
                    x[lane]
                } else {
                    y[lane]
                }
            });
            put(warp, step, least.output, &value, lanes);
        }
        What::CompareNumbers(compare) => compared(machine, warp, step, compare, lanes),
        What::CheckDivision => {
            let (x, y) = (step.args.source(0), step.args.source(1));
            let (x, y) = (machine.bits(warp, x), machine.bits(warp, y));
            warp.set_predicate(
                step.args.p[0],
                mask(|lane| is_hard_division(x[lane], y[lane])),
                lanes,
            );
        }
        _ => return false,
    }
    true
}

/// Whether a quotient needs more than the usual steps: an operand or the result is near the ends of the range.
fn is_hard_division(x: u32, y: u32) -> bool {
    let exponent = |bits: u32| (bits >> 23 & 0xff) as i32;
    let (x, y) = (exponent(x), exponent(y));
    !(26..=252).contains(&x) || !(3..=251).contains(&y) || !(-124..=124).contains(&(x - y))
}

/// Values of single precision with the signs of their operand.
pub(super) fn signed_single(values: Lanes, source: In) -> Lanes {
    if !source.minus() && !source.bars() {
        return values;
    }
    values.map(|mut one| {
        if source.bars() {
            one &= 0x7fff_ffff;
        }
        if source.minus() {
            one ^= 0x8000_0000;
        }
        one
    })
}

fn signed_half(mut half: u32, source: In) -> u32 {
    if source.bars() {
        half &= 0x7fff;
    }
    if source.minus() {
        half ^= 0x8000;
    }
    half
}

/// The values of an operand.
fn values(machine: &mut Machine<'_>, warp: &Warp, kind: Kind, source: In) -> [u64; 32] {
    match kind {
        Kind::Word => machine.bits(warp, source).map(u64::from),
        Kind::Single => signed_single(machine.bits(warp, source), source).map(u64::from),
        Kind::Long => machine.long_bits(warp, source),
        Kind::Double => {
            let bits = match source.from {
                From::Number(number) => [(number as u64) << 32; 32],
                _ => machine.long_bits(warp, source),
            };
            bits.map(|mut one| {
                // Signs are not a part of NaNs: `neg.f64` and `abs.f64`, which are additions, hand them on.
                if one & (u64::MAX >> 1) > 0x7ff0_0000_0000_0000 {
                    return one;
                }
                if source.bars() {
                    one &= u64::MAX >> 1;
                }
                if source.minus() {
                    one ^= 1 << 63;
                }
                one
            })
        }
        Kind::Upper => {
            signed_single(machine.bits(warp, source), source).map(|one| u64::from(one) << 32)
        }
        Kind::Pair(pick) => machine.bits(warp, source).map(|one| {
            let (low, high) = (one & 0xffff, one >> 16);
            let (low, high) = match pick {
                Pick::Both => (low, high),
                Pick::Low => (low, low),
                Pick::High => (high, high),
                Pick::Turned => (high ^ 0x8000, low),
            };
            u64::from(signed_half(low, source) | signed_half(high, source) << 16)
        }),
        Kind::Half(pick) => machine.bits(warp, source).map(|one| {
            let half = if pick == Pick::High {
                one >> 16
            } else {
                one & 0xffff
            };
            u64::from(signed_half(half, source))
        }),
        Kind::Part {
            shift,
            bits,
            signed,
        } => machine.bits(warp, source).map(|one| {
            let part = one >> shift;
            let unused = 32 - bits;
            match signed {
                true => ((part << unused) as i32 >> unused) as i64 as u64,
                false => u64::from(part << unused >> unused),
            }
        }),
    }
}

fn computed(machine: &mut Machine<'_>, warp: &Warp, compute: &Compute, lanes: u32) -> [u64; 32] {
    let mut inputs = [[0; 32]; 3];
    for (value, (kind, source)) in inputs.iter_mut().zip(&compute.inputs) {
        *value = values(machine, warp, *kind, *source);
    }
    let [x, y, z] = &inputs;
    let mut result = [0; 32];
    let active = (0..32).filter(|lane| lanes >> lane & 1 == 1);
    match &compute.operation.compute {
        Function::One(f) => active.for_each(|lane| result[lane] = f(x[lane])),
        Function::Two(f) => active.for_each(|lane| result[lane] = f(x[lane], y[lane])),
        Function::Three(f) => active.for_each(|lane| result[lane] = f(x[lane], y[lane], z[lane])),
        Function::General(f) => {
            let count = compute.inputs.len();
            let mut out = vec![0; compute.operation.results];
            for lane in active {
                f(&[x[lane], y[lane], z[lane]][..count], &mut out);
                result[lane] = out[0];
            }
        }
    }
    result
}

fn put(warp: &mut Warp, step: &Step, output: Output, value: &[u64; 32], lanes: u32) {
    let dest = step.args.d;
    match output {
        Output::Long => warp.set_pair(dest, value, lanes),
        Output::Word => warp.set(dest, &value.map(|one| one as u32), lanes),
        Output::Upper => warp.set(dest, &value.map(|one| (one >> 32) as u32), lanes),
        Output::Half => warp.set(dest, &value.map(|one| one as u32 & 0xffff), lanes),
    }
}

fn compared(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    compare: &Compare,
    lanes: u32,
) {
    let args = &step.args;
    let [x, y] = compare
        .inputs
        .map(|(kind, source)| values(machine, warp, kind, source));
    let test = |x: u64, y: u64| match compare.test {
        Ok(test) => test(x, y) != 0,
        Err(answer) => answer,
    };
    let other = warp.truth(args.truth(0));
    let combine = |holds: u32| compare.combine.apply(holds, other);
    let halves = || {
        let low = mask(|lane| test(x[lane] & 0xffff, y[lane] & 0xffff));
        let high = mask(|lane| test(x[lane] >> 16 & 0xffff, y[lane] >> 16 & 0xffff));
        (low, high)
    };
    match compare.result {
        CompareResult::Predicates => {
            let holds = mask(|lane| test(x[lane], y[lane]));
            warp.set_predicate(args.p[0], combine(holds), lanes);
            warp.set_predicate(args.p[1], combine(!holds), lanes);
        }
        CompareResult::Single => {
            let holds = combine(mask(|lane| test(x[lane], y[lane])));
            let one = 1.0f32.to_bits();
            let value = std::array::from_fn(|lane| if holds >> lane & 1 == 1 { one } else { 0 });
            warp.set(args.d, &value, lanes);
        }
        CompareResult::Halves => {
            let (low, high) = halves();
            warp.set_predicate(args.p[0], combine(low), lanes);
            warp.set_predicate(args.p[1], combine(high), lanes);
        }
        CompareResult::BothHalves => {
            let (low, high) = halves();
            warp.set_predicate(args.p[0], combine(low & high), lanes);
            warp.set_predicate(args.p[1], combine(!(low & high)), lanes);
        }
        CompareResult::Pair(ones) => {
            let (low, high) = halves();
            let (low, high) = (combine(low), combine(high));
            let value = std::array::from_fn(|lane| {
                let half = |bits: u32| if bits >> lane & 1 == 1 { 0xffff } else { 0 };
                ones & (half(low) | half(high) << 16)
            });
            warp.set(args.d, &value, lanes);
        }
        CompareResult::Extreme { .. } => {
            let nan = |bits: u64| bits & (u64::MAX >> 1) > 0x7ff0_0000_0000_0000;
            // The first is taken where it is the lesser or greater one, zeros by their sign, or where the second is
            // not a number; the second predicate says that neither is one.
            let first = mask(|lane| {
                let (a, b) = (x[lane], y[lane]);
                let zeros = a << 1 == 0 && b << 1 == 0;
                let by_sign = match compare.result {
                    CompareResult::Extreme { most: true } => a >> 63 < b >> 63,
                    _ => a >> 63 > b >> 63,
                };
                !nan(a) && (nan(b) || test(a, b) || zeros && by_sign)
            });
            let neither = mask(|lane| nan(x[lane]) && nan(y[lane]));
            warp.set_predicate(args.p[0], combine(first), lanes);
            warp.set_predicate(args.p[1], combine(neither), lanes);
        }
    }
}
