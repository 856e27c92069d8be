//! What passes ask of a function.

pub mod divergence;
pub mod dominators;
pub mod liveness;
pub mod uses;
pub mod values;
