//! A real GPU, through the CUDA driver that is installed on the machine.
//!
//! ```text
//!   Gpu::open ──► Gpu ── load(ptx), load_cubin(bytes) ──► Loaded ── kernel(name) ──► Kernel ─┐
//!                  └──── alloc(bytes) ──► Buffer ───────────────────────────────────────────┴─► launch, synchronize
//! ```
//!
//! Nothing is linked: `libcuda.so.1` is opened when a GPU is asked for, so the same binary runs on
//! machines without one and says so. This is the only crate with `unsafe` code, and what it offers
//! is safe for the host's memory: sizes of arguments are checked against the kernel's before a
//! launch. What a kernel does to the GPU's memory is the kernel's business.
//!
//! After a fault on the GPU (a trap, an illegal address) every later call fails until the context
//! is made anew ([`Gpu::reset`]). A kernel that never ends cannot be stopped from within the
//! process: whoever runs unknown kernels does so in a process that can be ended.

mod api;
mod buffer;
mod error;
mod gpu;
mod module;
mod tensor_map;

pub use buffer::Buffer;
pub use error::DriverError;
pub use gpu::{Gpu, Limit};
pub use module::{Kernel, Loaded};
