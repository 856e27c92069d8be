//! Machine code on the CPU: kernels written by hand, and ptxas's against the emulator of PTX.

mod against_emulator;
mod calls;
mod corpus;
mod groups;
mod hand;
mod mutants;
