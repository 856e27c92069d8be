//! Why a module cannot have something, in words.

use warpc_diag::{Code, codes};
use warpc_target::{PtxVersion, Sm, Unavailable};

/// Code, message and help for something (with its quotes) that a module's target or version does not have.
pub(crate) fn in_words(
    error: Unavailable,
    what: &str,
    sm: Sm,
    version: PtxVersion,
) -> (Code, String, String) {
    match error {
        Unavailable::Version(needed) => (
            codes::NEEDS_VERSION,
            format!("{what} needs PTX {needed}, the module says {version}"),
            format!("write `.version {needed}` or later"),
        ),
        // A text of PTX is changed where a command is called differently.
        Unavailable::Chip(gate) => (
            codes::NEEDS_TARGET,
            error.message(what, sm),
            format!("it needs {gate}"),
        ),
        Unavailable::Removed(removal) => (
            codes::NEEDS_TARGET,
            error.message(what, sm),
            format!("write `{}`", removal.instead),
        ),
    }
}
