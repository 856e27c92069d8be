//! What passes ask of a function.

pub mod alias;
pub mod alignment;
pub mod constants;
pub mod divergence;
pub mod dominators;
pub(crate) mod guarded;
pub mod in_flight;
pub(crate) mod induction;
pub(crate) mod known_bits;
pub mod liveness;
pub mod loops;
pub mod register_counts;
pub mod same;
pub mod segments;
pub(crate) mod sides;
pub mod uses;
pub mod values;

/// So many empty lists. `vec![list; count]` would clone each of them.
pub(crate) fn empty<T: Default>(count: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(count).collect()
}
