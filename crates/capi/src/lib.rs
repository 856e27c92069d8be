//! The C API: the library `warpc` behind functions, handles and plain structures of C.
//!
//! ```text
//!   warpc_input (name, bytes, kind) ─┬─ warpc_compile, warpc_link …  ──► warpc_result: bytes, diagnostics
//!   warpc_options (handle)           └─ warpc_load ─► warpc_program ─ warpc_run ──► warpc_result, buffers written
//! ```
//!
//! `include/warpc.h` is generated from these files by a test (`tests/all/header.rs`), so what is public here has the names and
//! the types of C: documentation of functions and fields is that of the header. `docs/c-api.md` describes the whole.
//!
//! - A handle starts with a tag ([`handle`]): a null pointer, a handle of another kind, or one that was freed through the same
//!   variable is refused with [`WARPC_BAD_ARGUMENT`](status::WARPC_BAD_ARGUMENT).
//! - No panic leaves a function ([`status::guarded`]); those of stages are diagnostics already.
//! - There is no global state. Handles may be shared between threads.
#![allow(non_camel_case_types)]

mod handle;
pub mod input;
pub mod launch;
pub mod options;
pub mod program;
pub mod result;
pub mod status;
pub mod version;
pub mod work;
