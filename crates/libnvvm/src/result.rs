//! Result codes and their names.

use std::ffi::{CStr, c_int};

/// What a function answers; the numbers are those of `nvvm.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum NvvmResult {
    /// Done.
    Success = 0,
    /// There is no memory.
    OutOfMemory = 1,
    /// The program could not be made.
    ProgramCreationFailure = 2,
    /// The module is of a version of NVVM IR that is not read.
    IrVersionMismatch = 3,
    /// An argument is invalid.
    InvalidInput = 4,
    /// The handle is not that of a program.
    InvalidProgram = 5,
    /// A module is invalid.
    InvalidIr = 6,
    /// An option is unknown, or has a value that it cannot have.
    InvalidOption = 7,
    /// The program has no module, or only lazy ones.
    NoModuleInProgram = 8,
    /// The program could not be compiled.
    Compilation = 9,
}

/// The names of the results in the order of their numbers. `NVVM_ERROR_CANCELLED` (10) has none in NVIDIA's library.
const NAMES: [&CStr; 10] = [
    c"NVVM_SUCCESS",
    c"NVVM_ERROR_OUT_OF_MEMORY",
    c"NVVM_ERROR_PROGRAM_CREATION_FAILURE",
    c"NVVM_ERROR_IR_VERSION_MISMATCH",
    c"NVVM_ERROR_INVALID_INPUT",
    c"NVVM_ERROR_INVALID_PROGRAM",
    c"NVVM_ERROR_INVALID_IR",
    c"NVVM_ERROR_INVALID_OPTION",
    c"NVVM_ERROR_NO_MODULE_IN_PROGRAM",
    c"NVVM_ERROR_COMPILATION",
];

/// The name of a result.
pub fn name(result: c_int) -> &'static CStr {
    let index = usize::try_from(result).unwrap_or(NAMES.len());
    NAMES.get(index).copied().unwrap_or(c"NVVM_ERROR not found")
}
