//! What a step gives: its result, and what there is to say about it.

use crate::Diagnostics;

/// The result of a step, and its diagnostics.
///
/// ```
/// use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};
///
/// let half = |number: u32| {
///     let mut diagnostics = Diagnostics::new();
///     if number % 2 == 1 {
///         diagnostics.push(Diagnostic::error(codes::SYNTAX, Span::default(), "the number is odd"));
///     }
///     Output::new(number / 2, diagnostics)
/// };
/// assert_eq!(half(8).value, Some(4));
/// assert!(half(7).into_result().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Output<T> {
    /// The result; `None` if there are errors.
    pub value: Option<T>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl<T> Output<T> {
    /// A result with its diagnostics. One that has errors is dropped.
    pub fn new(value: T, diagnostics: Diagnostics) -> Output<T> {
        Output {
            value: (!diagnostics.has_errors()).then_some(value),
            diagnostics,
        }
    }

    /// No result, and why.
    pub fn failed(diagnostics: Diagnostics) -> Output<T> {
        Output {
            value: None,
            diagnostics,
        }
    }

    /// Whether there is no result.
    pub fn has_failed(&self) -> bool {
        self.value.is_none()
    }

    /// The next step, if this one has a result. The diagnostics of both are kept.
    pub fn and_then<U>(self, next: impl FnOnce(T) -> Output<U>) -> Output<U> {
        let mut diagnostics = self.diagnostics;
        let Some(value) = self.value else {
            return Output::failed(diagnostics);
        };
        let next = next(value);
        diagnostics.append(next.diagnostics);
        Output {
            value: next.value,
            diagnostics,
        }
    }

    /// The result in another form.
    pub fn map<U>(self, form: impl FnOnce(T) -> U) -> Output<U> {
        Output {
            value: self.value.map(form),
            diagnostics: self.diagnostics,
        }
    }

    /// The result, where it is known that there is one.
    ///
    /// # Panics
    ///
    /// With the diagnostics if there is no result.
    pub fn unwrap(self) -> T {
        match self.value {
            Some(value) => value,
            None => panic!("there is no result\n{}", self.diagnostics),
        }
    }

    /// The result alone, or the diagnostics. Warnings about a result are lost.
    pub fn into_result(self) -> Result<T, Diagnostics> {
        self.value.ok_or(self.diagnostics)
    }
}

impl<T> From<Result<T, Diagnostics>> for Output<T> {
    fn from(result: Result<T, Diagnostics>) -> Output<T> {
        match result {
            Ok(value) => Output::new(value, Diagnostics::new()),
            Err(diagnostics) => Output::failed(diagnostics),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagnostic, Span, codes};

    fn with(diagnostic: Diagnostic) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics
    }

    #[test]
    fn errors_leave_no_result_and_steps_add_up() {
        let warning = Diagnostic::warning(codes::SYNTAX, Span::default(), "odd");
        let error = Diagnostic::error(codes::SYNTAX, Span::default(), "wrong");
        let first = Output::new(1, with(warning.clone()));
        let both = first
            .clone()
            .and_then(|one| Output::new(one + 1, with(warning)));
        assert_eq!((both.value, both.diagnostics.warning_count()), (Some(2), 2));
        let failed = first.and_then(|one| Output::new(one, with(error)));
        assert!(failed.has_failed());
        assert_eq!(failed.diagnostics.warning_count(), 1);
        assert_eq!(
            failed.into_result().map_err(|all| all.error_count()),
            Err(1)
        );
    }
}
