//! Litmus tests of the PTX memory model.
//!
//! ```text
//!   SourceFile ─read─► Test (program, condition) ─judge─► Verdict (holds?) ─► Drawing ─text, svg
//!              └kernel┘                             │
//!                                                   └ warpc_model::axioms: all executions
//! ```
//!
//! A test holds if its condition does: `exists` if an execution satisfies it, `~exists` if none does, `forall` if all
//! do. Only executions count in which every thread ends.
//!
//! ```
//! use warpc_diag::SourceFile;
//! use warpc_litmus::{Options, judge, read};
//!
//! let text = "PTX MP
//! { x = 0; y = 0; }
//!  P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
//!  st.weak x, 1         | ld.acquire.gpu r0, y ;
//!  st.release.gpu y, 1  | ld.weak r1, x        ;
//! exists (P1:r0 == 1 /\\ P1:r1 == 0)";
//! let test = read(&SourceFile::new("mp.litmus", text).unwrap()).unwrap();
//! let verdict = judge(&test, &Options::default()).unwrap();
//! assert!(!verdict.holds);
//! ```

mod condition;
mod draw;
mod kernel;
mod lex;
mod read;
mod svg;
mod verdict;

pub use condition::{Condition, Quantifier, Term};
pub use draw::{Arrow, Drawing, Drawn};
pub use read::Test;
pub use svg::svg;
pub use verdict::{Options, Verdict, judge, model, model_name};

use warpc_diag::{Output, SourceFile};

/// Reads a litmus test, or a kernel of PTX with a final condition in its comments.
pub fn read(file: &SourceFile) -> Output<Test> {
    match kernel::is_kernel(file) {
        true => kernel::read(file),
        false => read::read(file),
    }
}
