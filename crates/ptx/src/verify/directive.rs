//! Directives of functions, and pragmas.
//!
//! Rules (as ptxas has them):
//! - each directive stands where its row says, with as many numbers, in their range;
//! - `.maxntid` excludes `.reqntid`, `.reqnctapercluster` excludes `.maxclusterrank`,
//!   `.blocksareclusters` needs `.reqntid` and `.reqnctapercluster`;
//! - on device functions each stands once, `.noreturn` first and only without results;
//! - pragmas that mean something stand in bodies, and modules know only `nounroll`; other strings in
//!   functions are ignored.

use super::Verifier;
use crate::directives;
use crate::inst::Int;
use crate::module::{Function, FunctionDirective, FunctionKind, Variable};
use warpc_diag::{Span, codes};

impl<'m> Verifier<'m> {
    pub(super) fn check_function_directives(&mut self, function: &'m Function) {
        let entry = function.kind == FunctionKind::Entry;
        for directive in &function.directives {
            self.check_directive(directive, entry, entry && function.body.is_none());
        }
        if !entry {
            self.check_func_directives(&function.directives, &function.returns);
        }
        for (one, other) in [
            (".maxntid", ".reqntid"),
            (".reqnctapercluster", ".maxclusterrank"),
        ] {
            if has(function, one) && has(function, other) {
                let message = format!("`{one}` and `{other}` exclude each other");
                let span = self.word_span(function.at.0, other);
                self.refuse(codes::BAD_DIRECTIVE, span, message, "leave one of the two");
            }
        }
        if has(function, ".blocksareclusters")
            && !(has(function, ".reqntid") && has(function, ".reqnctapercluster"))
        {
            let message = "`.blocksareclusters` needs the sizes of block and cluster";
            let span = self.word_span(function.at.0, ".blocksareclusters");
            let help = "write `.reqntid` and `.reqnctapercluster`, too";
            self.refuse(codes::BAD_DIRECTIVE, span, message, help);
        }
    }

    /// What directives of a device function or prototype mean together: each stands once,
    /// `.noreturn` first, and only where nothing is returned.
    pub(super) fn check_func_directives(
        &mut self,
        list: &[FunctionDirective],
        returns: &[Variable],
    ) {
        for (i, directive) in list.iter().enumerate() {
            let span = directive.at.0;
            if list[..i].iter().any(|other| other.name == directive.name) {
                let message = format!("`{}` is given twice", directive.name);
                self.refuse(codes::BAD_DIRECTIVE, span, message, "leave one of the two");
                return;
            }
            if directive.name != ".noreturn" {
                continue;
            }
            if i > 0 {
                let message = "`.noreturn` stands before the other directives";
                self.refuse(
                    codes::BAD_DIRECTIVE,
                    span,
                    message,
                    "write it right after the parameters",
                );
            }
            if !returns.is_empty() {
                let message = "a function that does not return has no results";
                self.refuse(
                    codes::BAD_DIRECTIVE,
                    span,
                    message,
                    "leave out `.noreturn` or the results",
                );
            }
        }
    }

    /// A directive by itself.
    pub(super) fn check_directive(
        &mut self,
        directive: &FunctionDirective,
        entry: bool,
        declaration_of_kernel: bool,
    ) {
        let span = directive.at.0;
        let Some(row) = directives::find(directive.name) else {
            return;
        };
        let place = if entry { row.on_entry } else { row.on_func };
        if !place {
            let message = format!(
                "`{}` is for {}",
                row.name,
                if entry { "functions" } else { "kernels" }
            );
            self.refuse(codes::BAD_DIRECTIVE, span, message, "leave it out");
            return;
        }
        if declaration_of_kernel {
            let message = format!("`{}` belongs to the kernel's definition", row.name);
            self.refuse(codes::BAD_DIRECTIVE, span, message, "leave it out here");
            return;
        }
        if let Err(error) = self.require(row.gate) {
            self.report_gate(error, row.name, span);
            return;
        }
        let count = directive.values.len();
        if !row.strings && !(row.least_values..=row.most_values).contains(&count) {
            let wanted = if row.least_values == row.most_values {
                format!(
                    "{} number{}",
                    row.most_values,
                    if row.most_values == 1 { "" } else { "s" }
                )
            } else {
                format!("{} to {} numbers", row.least_values, row.most_values)
            };
            let message = format!("`{}` has {count} numbers", row.name);
            let help = format!("it takes {wanted}");
            self.refuse(codes::BAD_DIRECTIVE, span, message, help);
            return;
        }
        for value in &directive.values {
            let value = value.value();
            if value < i128::from(row.least) || value > i128::from(row.most) {
                let message = format!("{value} is out of range for `{}`", row.name);
                let help = format!("numbers from {} to {}", row.least, row.most);
                self.refuse(codes::BAD_DIRECTIVE, span, message, help);
            }
        }
        self.check_pragma(&directive.strings, span, false);
    }

    /// Pragmas that mean something only inside functions.
    pub(super) fn check_pragma(&mut self, strings: &[String], span: Span, in_body: bool) {
        for string in strings {
            let word = string.split_whitespace().next().unwrap_or("");
            let Some(row) = directives::PRAGMAS.iter().find(|row| row.name == word) else {
                continue;
            };
            if !in_body {
                let message = format!("`.pragma \"{word}\"` stands inside functions");
                self.refuse(codes::BAD_DIRECTIVE, span, message, "put it into the body");
            } else if let Err(error) = self.require(row.gate) {
                self.report_gate(error, word, span);
            } else if let Some(least) = row.least {
                let number = string.split_whitespace().nth(1).and_then(number);
                if number.is_none_or(|number| number < least) {
                    let message = format!("`.pragma \"{word}\"` wants a number");
                    self.refuse(
                        codes::BAD_DIRECTIVE,
                        span,
                        message,
                        format!("a number from {least} on after a blank"),
                    );
                }
            }
        }
    }

    /// `.pragma` at module level: ptxas knows one there, and ignores one with a warning.
    pub(super) fn check_module_pragma(&mut self, strings: &[String], span: Span) {
        for string in strings {
            if !["nounroll", "coroutine"].contains(&string.as_str()) {
                let message = format!("`.pragma \"{string}\"` does not stand at module level");
                self.refuse(
                    codes::BAD_DIRECTIVE,
                    span,
                    message,
                    "put it into a function",
                );
            }
        }
    }
}

/// A number of a pragma: hexadecimal digits, with or without `0x`. What does not fit counts as the
/// largest.
fn number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let hex = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| u64::from_str_radix(digits, 16).unwrap_or(u64::MAX))
}

/// The numbers of a directive, if it is given.
pub(super) fn value_of<'f>(list: &'f [FunctionDirective], name: &str) -> Option<&'f [Int]> {
    let directive = list.iter().find(|directive| directive.name == name)?;
    Some(&directive.values)
}

fn has(function: &Function, directive: &str) -> bool {
    function.directives.iter().any(|d| d.name == directive)
}
