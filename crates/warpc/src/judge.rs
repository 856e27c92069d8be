//! Litmus tests, judged by the axioms of the PTX memory model.

use crate::failure::guarded;
use std::sync::Arc;
use warpc_diag::{Diagnostics, Output, SourceFile};
use warpc_litmus::{Options, Verdict};

/// Judges the final condition of a litmus test, or of a small kernel of PTX with a condition in its comments.
///
/// ```
/// use std::sync::Arc;
/// use warpc::diag::SourceFile;
/// use warpc::litmus::Options;
///
/// let text = "PTX SB
/// { x = 0; y = 0; }
///  P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
///  st.weak x, 1   | st.weak y, 1   ;
///  fence.sc.gpu   | fence.sc.gpu   ;
///  ld.weak r0, y  | ld.weak r0, x  ;
/// ~exists (P0:r0 == 0 /\\ P1:r0 == 0)";
/// let file = Arc::new(SourceFile::new("sb.litmus", text).unwrap());
/// let verdict = warpc::judge_litmus(&file, &Options::default()).into_result()?;
/// assert!(verdict.holds);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge_litmus(file: &Arc<SourceFile>, options: &Options) -> Output<Verdict> {
    let work = || {
        warpc_litmus::read(file).and_then(|test| match warpc_litmus::judge(&test, options) {
            Ok(verdict) => Output::new(verdict, Diagnostics::new()),
            Err(error) => Output::failed(Diagnostics::of(*error)),
        })
    };
    let mut output = guarded(file, work).unwrap_or_else(Output::failed);
    output.diagnostics.in_file(file);
    output
}
