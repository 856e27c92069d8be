//! What passes ask of a function.

pub mod constants;
pub mod divergence;
pub mod dominators;
pub mod in_flight;
pub(crate) mod induction;
pub mod liveness;
pub mod loops;
pub mod segments;
mod sides;
pub mod uses;
pub mod values;
