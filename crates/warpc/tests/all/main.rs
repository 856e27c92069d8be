//! The compiler as a whole, against recorded answers of CUDA's and LLVM's compilers and of ptxas.

#[cfg(feature = "sass")]
mod assembler;
mod assembly;
mod cuda_atomics;
mod examples;
mod phases;
mod special_registers;
mod sync_intrinsics;
