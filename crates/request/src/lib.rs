//! What to run, with what, and what is expected, as text.
//!
//! ```text
//!   command line, `// run:` lines ──► Options ──► Request ──► (emulator or GPU) ──► show, differences
//!                       Module ───────────────────┘
//! ```
//!
//! `warpc run` and the tests on hardware take launches from the same text: [`Options`] are the flags,
//! [`cases`] finds those that a file carries, [`args`] is the language of arguments, and a [`Request`]
//! is one launch or several in order, with their buffers filled. [`show`] prints buffers, [`Step::differences`]
//! judges them. Kernels and variables are found by the [`names`] that people write.
//!
//! ```
//! use warpc_request::{Request, cases};
//!
//! let text = "// run: --grid 1 --block 32 --arg u32[32]=iota --print 0\n\
//!     .version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 out) { ret; }\n";
//! let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
//! let module = warpc_ptx::check(&file).unwrap();
//! let case = &cases(&file).unwrap()[0];
//! let request = Request::new(&module, &case.options).unwrap();
//! assert_eq!(request.launch().kernel, "k");
//! assert_eq!(request.buffers[0].bytes.len(), 128);
//! ```

pub mod args;
mod cases;
mod compare;
pub mod fill;
mod fit;
mod fitting;
pub mod names;
pub mod npy;
pub mod number;
mod options;
mod request;
pub mod show;
mod signature;

pub use cases::{Case, bench_cases, cases};
pub use compare::Difference;
pub use options::{Options, Place, dimensions};
pub use request::{After, Assigned, Buffer, Expected, Memory, Origin, Request, Saved, Shown, Step};
pub use signature::{Interface, Parameter, Signature, Variable};
pub use warpc_launch::{MemoryModel, Races};
