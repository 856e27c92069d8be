//! What the kernels of a module use of a multiprocessor.

use std::time::Duration;

/// What a kernel or a function that it calls uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionUsage {
    /// Its name in PTX.
    pub name: String,
    /// The bytes of its stack frame.
    pub frame: u32,
    /// The bytes that instructions store because a value has no register.
    pub spill_stores: u32,
    /// The bytes that instructions load back.
    pub spill_loads: u32,
}

/// What a kernel uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Usage {
    /// Whether it is a kernel, not a function of a relocatable object.
    pub is_kernel: bool,
    /// The kernel, then the functions that it calls.
    pub functions: Vec<FunctionUsage>,
    /// Registers of a thread.
    pub registers: u32,
    /// Barriers of a block.
    pub barriers: u8,
    /// The bytes of stack that a thread needs with all that it calls.
    pub stack: u32,
    /// The bytes of shared memory of a block, without those that a launch adds.
    pub shared: u32,
    /// How long assembling it took.
    pub time: Duration,
}
