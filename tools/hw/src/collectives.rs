//! What the threads of a warp, a block and a cluster do together, compiled by us and executed.
//!
//! ```text
//!   case: operation × how threads come to it × masks or barriers ──► kernel in LLVM IR ──our compiler, for
//!     │                                                              each of several chips──► PTX ─┐
//!     └──► words for each thread, and what each must get                   run: GPU or emulator ◄──┘
//! ```
//!
//! What threads must get is worked out on the host from the manual's words, and knows nothing of compilers. The
//! same kernels are compiled for sm_90, which has an instruction for most of it, and for older chips, where the
//! compiler makes several; all builds must give the same, on the GPU and on the emulator.

pub mod barrier;
pub mod case;
pub mod masks;
pub mod pipeline;
pub mod run;
pub mod task;
pub mod warp;
