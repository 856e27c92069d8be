//! The compiler as a whole, against recorded answers of CUDA's and LLVM's compilers and of ptxas.

#[cfg(feature = "sass")]
mod assembler;
mod assembler_calls;
mod assembler_textures;
mod assembly;
mod cuda_atomics;
mod examples;
mod phases;
mod special_registers;
mod split;
mod sync_intrinsics;
