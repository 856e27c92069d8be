//! Panics, turned into diagnostics: the one place where they are caught.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use warpc_diag::{Diagnostic, Diagnostics, SourceFile, Span, codes};

thread_local! {
    /// Stages that run on this thread, one inside another.
    static STAGES: Cell<u32> = const { Cell::new(0) };
    /// Where the last panic of a stage came from.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Lets `W0999` say where a stage failed instead of the panic being printed. For programs, which call it once when
/// they start: a process has one hook. With `RUST_BACKTRACE` set the panic is printed as well.
pub fn note_places_of_failures() {
    let print = std::panic::take_hook();
    let backtrace = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    std::panic::set_hook(Box::new(move |panic| {
        let in_stage = STAGES.get() > 0;
        if in_stage {
            PLACE.set(panic.location().map(|place| place.to_string()));
        }
        if !in_stage || backtrace {
            print(panic);
        }
    }));
}

/// Turns a panic into a diagnostic: whatever the input, there is an answer.
pub(crate) fn guarded<T>(file: &SourceFile, stage: impl FnOnce() -> T) -> Result<T, Diagnostics> {
    STAGES.set(STAGES.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(stage));
    STAGES.set(STAGES.get() - 1);
    outcome.map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let place = PLACE.take().map(|place| format!(" (at {place})"));
        let message = format!(
            "warpc failed on this input: {text}{}",
            place.unwrap_or_default()
        );
        let help = format!(
            "please report it with {} and the output of `warpc --version`",
            file.name()
        );
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::error(codes::INTERNAL, Span::default(), message).help(help));
        diagnostics
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_diagnostic_that_says_where() {
        note_places_of_failures();
        let file = SourceFile::new("x.ptx", "").expect("a short text");
        let failed = guarded(&file, || -> u32 { panic!("on purpose") });
        let diagnostics = failed.expect_err("it panics");
        let message = &diagnostics.as_slice()[0].message;
        assert!(message.contains("on purpose"), "{message}");
        assert!(message.contains("failure.rs:"), "{message}");
    }
}
