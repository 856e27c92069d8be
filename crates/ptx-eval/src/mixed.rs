//! Arithmetic of mixed precision: a half is a single, exactly, so this is single precision.

use super::float::format::{BF16, F16, F32};
use super::float::round::Rounding;
use super::float::rounding_of;
use super::float::single::{add, fma, instance, sub};
use super::{Compute, Operation, View};
use warpc_ptx::types::ScalarType;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    let choice = view.choice;
    if !choice.has("f32") {
        return None;
    }
    let narrow = match choice.scalar("atype")? {
        ScalarType::F16 => &F16,
        ScalarType::Bf16 => &BF16,
        _ => return None,
    };
    let widen = move |bits: u64| narrow.unpack(bits).pack(&F32, Rounding::Nearest);
    let (rnd, sat) = (rounding_of(choice), choice.has("sat"));
    let operation = match view.opcode() {
        "add" => Operation::two(instance!(add; round rnd, flag false, flag sat)),
        "sub" => Operation::two(instance!(sub; round rnd, flag false, flag sat)),
        "fma" => Operation::three(instance!(fma; round rnd, flag false, flag sat)),
        _ => return None,
    };
    // Only the last source is a single.
    Some(match operation.compute {
        Compute::Two(f) => Operation::general(2, 1, move |sources, results| {
            results[0] = f(widen(sources[0]), sources[1]);
        }),
        Compute::Three(f) => Operation::general(3, 1, move |sources, results| {
            results[0] = f(widen(sources[0]), widen(sources[1]), sources[2]);
        }),
        _ => return None,
    })
}
