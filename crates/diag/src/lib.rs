//! Diagnostics: what is wrong, where, and what to do about it.
//!
//! ```text
//!   SourceFile ──► (a reader or verifier) ──► Diagnostics ──► render_human / render_json
//! ```
//!
//! A [`Diagnostic`] carries a [`Code`] from the registry in [`codes`], a message, the [`Span`] it
//! points at and a help line. It knows nothing of terminals: [`render_human`] prints it as rustc
//! does, [`render_json`] as one object a line. Every step gives an [`Output`]: a result, and the diagnostics about it.

pub mod codes;
mod diagnostic;
mod json;
mod output;
mod render;
mod source;

pub use codes::Code;
pub use diagnostic::{Diagnostic, Diagnostics, Mark, Origin, Severity, Thread};
pub use json::render_json;
pub use output::Output;
pub use render::{MAX_SHOWN, render_human};
pub use source::{Position, SourceFile, Span};
