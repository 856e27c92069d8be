//! Runs PTX on the CPU.

pub mod launch;

pub use launch::{Argument, Launch, Shape};
