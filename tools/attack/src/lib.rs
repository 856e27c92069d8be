//! Attacks on the compiler by programs that know what they compute.
//!
//! ```text
//!   seed ──make──► Program ──interpret──► expected bytes          judge: no other compiler is asked
//!                     └──text──► .ll ──opt-22 -O2, -O3──► ours ──► PTX ──emulator──► bytes, compared
//!   C++ from seeds ──clang-22──► .ll ──► ours …                   judge: the same source on the host
//!   functions of LLVM's tests, wrapped ──► ours …                 judge: llc-22 twice, and the host
//! ```
//!
//! `warpc-irgen` generates programs, too, and has LLVM judge them. Nothing is shared with it, so that
//! what one generator never writes may come from the other.

pub mod chance;
pub mod check;
pub mod cpp;
pub mod cpp_check;
pub mod float;
pub mod functions;
pub mod gpu;
pub mod integer;
pub mod interpret;
pub mod machine;
pub mod make;
pub mod program;
pub mod reduce;
pub mod text;
pub mod ty;
