//! What every function of the library does around its work: a panic of any stage is caught here, and diagnostics are
//! told which input they are about.

use crate::failure::guarded;
use crate::source::listed;
use crate::{Kind, Source};
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};

/// Does the work of a function for an input.
pub(crate) fn enter<T>(source: &Source, work: impl FnOnce() -> Output<T>) -> Output<T> {
    let mut output = guarded(source.file(), work).unwrap_or_else(Output::failed);
    output.diagnostics.in_file(&source.shown());
    output
}

/// Refuses an input of a kind that a function does not take.
pub(crate) fn wrong_kind<T>(source: &Source, wanted: &[Kind]) -> Output<T> {
    let message = format!("this is {}", source.kind().words());
    let help = format!("{} can be given here", listed(wanted));
    refuse(message, help)
}

/// Refuses what this build of the library leaves out.
#[cfg_attr(
    all(
        feature = "mlir",
        feature = "sass",
        any(
            all(feature = "sim", feature = "driver"),
            not(any(feature = "sim", feature = "driver"))
        )
    ),
    allow(dead_code)
)]
pub(crate) fn left_out<T>(what: &str, feature: &str) -> Output<T> {
    let message = format!("{what} are not supported by this build of warpc");
    refuse(
        message,
        format!("turn on the feature `{feature}` of the crate `warpc`"),
    )
}

fn refuse<T>(message: String, help: String) -> Output<T> {
    let refusal = Diagnostic::error(codes::WRONG_INPUT, Span::default(), message).help(help);
    Output::failed(Diagnostics::of(refusal))
}
