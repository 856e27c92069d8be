//! The judge of memory order: what it says of our code, and whether it notices mistakes.

mod machine;
mod matrix;
mod mutants;
