//! Single and double precision.
//!
//! ```text
//!   format   where the fields of a format lie; codes to numbers
//!   exact    finite values without rounding          arithmetic   … with infinities and NaN
//!   round    numbers to codes                         fused        … without exact values
//!   single, double, extremum, approx   the operations, as functions of bits
//!   many     the common ones of them, on many values at once
//!   bound    how far an approximate function may be off
//! ```
//!
//! [`find`] maps the forms of the table's section to the operations. Halves and conversions use the
//! same parts.

pub mod approx;
pub mod arithmetic;
pub mod bound;
#[cfg(test)]
mod coverage;
pub mod double;
pub mod exact;
pub mod extremum;
pub mod format;
pub mod fused;
pub mod many;
pub mod round;
pub mod single;

use super::{Compute, Operation, View};
use extremum::Extremum;
use format::{F32, F64, Format, Top};
use round::Rounding;
use single::instance;
use warpc_ptx::inst::{Choice, Operand};
use warpc_ptx::types::ScalarType;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    let choice = view.choice;
    // Mixed precision has its own section.
    if choice.has("atype") {
        return None;
    }
    match type_of(choice)? {
        ScalarType::F32 => single_form(view),
        ScalarType::F64 => double_form(view),
        ScalarType::F32x2 => single_form(view).map(in_pairs),
        _ => None,
    }
}

/// The floating-point type of a form, whether it is in a slot or in the row.
pub(super) fn type_of(choice: &Choice) -> Option<ScalarType> {
    choice.scalar("type").or_else(|| {
        [
            ("f32", ScalarType::F32),
            ("f64", ScalarType::F64),
            ("f32x2", ScalarType::F32x2),
        ]
        .into_iter()
        .find_map(|(name, ty)| choice.has(name).then_some(ty))
    })
}

/// The rounding of arithmetic: left out, it is to the nearest.
pub(super) fn rounding_of(choice: &Choice) -> Rounding {
    choice
        .token("rnd")
        .and_then(Rounding::of_token)
        .unwrap_or(Rounding::Nearest)
}

fn single_form(view: &View<'_>) -> Option<Operation> {
    use single::{abs, add, div, fma, mul, neg, rcp, sqrt, sub};
    let choice = view.choice;
    let (ftz, sat) = (choice.has("ftz"), choice.has("sat"));
    let rnd = rounding_of(choice);
    if choice.has("approx") || choice.has("full") {
        return single_approximation(view, ftz);
    }
    Some(match view.opcode() {
        "add" => Operation::two(instance!(add; round rnd, flag ftz, flag sat)),
        "sub" => Operation::two(instance!(sub; round rnd, flag ftz, flag sat)),
        "mul" => Operation::two(instance!(mul; round rnd, flag ftz, flag sat)),
        "fma" | "mad" => Operation::three(instance!(fma; round rnd, flag ftz, flag sat)),
        "div" => Operation::two(instance!(div; round rnd, flag ftz)),
        "rcp" => Operation::one(instance!(rcp; round rnd, flag ftz)),
        "sqrt" => Operation::one(instance!(sqrt; round rnd, flag ftz)),
        "abs" => Operation::one(instance!(abs; flag ftz)),
        "neg" => Operation::one(instance!(neg; flag ftz)),
        "min" | "max" => single_extremum(view),
        "testp" => Operation::one(property(choice, &F32)?),
        "copysign" => Operation::two(|a, b| (a & 0x8000_0000) | (b & 0x7fff_ffff)),
        _ => return None,
    })
}

fn double_form(view: &View<'_>) -> Option<Operation> {
    use double::{add, div, fma, fma_swapped, mul, rcp, sqrt, sub};
    let choice = view.choice;
    let rnd = rounding_of(choice);
    let constant_first = matches!(view.operands.get(1), Some(Some(Operand::F64(_))));
    Some(match view.opcode() {
        "add" => Operation::two(instance!(add; round rnd)),
        "sub" => Operation::two(instance!(sub; round rnd)),
        "mul" => Operation::two(instance!(mul; round rnd)),
        "fma" | "mad" if constant_first => Operation::three(instance!(fma_swapped; round rnd)),
        "fma" | "mad" => Operation::three(instance!(fma; round rnd)),
        "div" => Operation::two(instance!(div; round rnd)),
        "rcp" if choice.has("approx") => Operation::one(approx::rcp_upper),
        "rcp" => Operation::one(instance!(rcp; round rnd)),
        "sqrt" => Operation::one(instance!(sqrt; round rnd)),
        "rsqrt" if choice.has("ftz") => Operation::one(approx::rsqrt_upper),
        "rsqrt" => Operation::one(approx::rsqrt_double),
        "abs" => Operation::one(double::abs),
        "neg" => Operation::one(double::neg),
        "min" => Operation::two(extremum::double::<false>),
        "max" => Operation::two(extremum::double::<true>),
        "testp" => Operation::one(property(choice, &F64)?),
        "copysign" => Operation::two(|a, b| (a & (1 << 63)) | (b & !(1 << 63))),
        _ => return None,
    })
}

fn single_approximation(view: &View<'_>, ftz: bool) -> Option<Operation> {
    use approx::{cos, div, div_full, ex2, lg2, rcp, rsqrt, sin, sqrt, tanh};
    Some(match view.opcode() {
        "div" if view.choice.has("full") => Operation::two(instance!(div_full; flag ftz)),
        "div" => Operation::two(instance!(div; flag ftz)),
        "rcp" => Operation::one(instance!(rcp; flag ftz)),
        "sqrt" => Operation::one(instance!(sqrt; flag ftz)),
        "rsqrt" => Operation::one(instance!(rsqrt; flag ftz)),
        "lg2" => Operation::one(instance!(lg2; flag ftz)),
        "ex2" => Operation::one(instance!(ex2; flag ftz)),
        "sin" => Operation::one(sin),
        "cos" => Operation::one(cos),
        "tanh" => Operation::one(tanh),
        _ => return None,
    })
}

/// What the modifiers of a `min` or `max` ask for.
pub(super) fn extremum_of(view: &View<'_>) -> Extremum {
    let choice = view.choice;
    Extremum {
        max: view.opcode() == "max",
        ftz: choice.has("ftz"),
        nan: choice.has("NaN"),
        abs: choice.has("abs"),
        xorsign: choice.has("xorsign"),
    }
}

fn single_extremum(view: &View<'_>) -> Operation {
    let wanted = extremum_of(view);
    if view.choice.form.form().operands.len() == 4 {
        return Operation::general(3, 1, move |sources, results| {
            results[0] = wanted.of_three(&F32, sources[0], sources[1], sources[2]);
        });
    }
    if wanted.abs {
        return Operation::general(2, 1, move |sources, results| {
            results[0] = wanted.of_two(&F32, sources[0], sources[1]);
        });
    }
    use extremum::single;
    Operation::two(instance!(single; flag wanted.max, flag wanted.ftz, flag wanted.nan))
}

/// `testp`
fn property(choice: &Choice, format: &'static Format) -> Option<fn(u64) -> u64> {
    debug_assert_eq!(format.top, Top::Ieee);
    fn of<const DOUBLE: bool>(bits: u64, holds: fn(&Format, u64) -> bool) -> u64 {
        let format = if DOUBLE { &F64 } else { &F32 };
        u64::from(holds(format, bits & format.magnitude_mask()))
    }
    macro_rules! either {
        ($holds:expr) => {
            if format.bits() == 64 {
                |bits| of::<true>(bits, $holds)
            } else {
                |bits| of::<false>(bits, $holds)
            }
        };
    }
    Some(match choice.token("op")? {
        ".finite" => either!(|format, magnitude| magnitude < format.infinity()),
        ".infinite" => either!(|format, magnitude| magnitude == format.infinity()),
        ".number" => either!(|format, magnitude| magnitude <= format.infinity()),
        ".notanumber" => either!(|format, magnitude| magnitude > format.infinity()),
        // Zero counts as normal.
        ".normal" => {
            either!(|format, magnitude| magnitude < format.infinity()
                && !format.is_subnormal(magnitude))
        }
        ".subnormal" => either!(|format, magnitude| format.is_subnormal(magnitude)),
        _ => return None,
    })
}

/// The operation on both halves of 64 bits.
fn in_pairs(operation: Operation) -> Operation {
    let sources = operation.sources;
    debug_assert!(!matches!(operation.compute, Compute::General(_)));
    Operation::general(sources, 1, move |pairs, results| {
        let mut whole = 0;
        for shift in [0, 32] {
            let mut element = [0; 3];
            for (half, pair) in element.iter_mut().zip(pairs) {
                *half = pair >> shift & 0xffff_ffff;
            }
            let mut result = [0];
            operation.run(&element[..sources], &mut result);
            whole |= (result[0] & 0xffff_ffff) << shift;
        }
        results[0] = whole;
    })
}
