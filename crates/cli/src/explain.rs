//! `warpc explain`: what an instruction, special register, directive or diagnostic is.

use crate::{MessageFormat, report};
use std::io::Write;
use std::process::ExitCode;
use warpc_diag::Code;

pub fn run(name: &str) -> ExitCode {
    let text = match Code::find(name) {
        Some(code) => {
            let entry = code.entry();
            Some(format!("{}: {}\n\n{}\n", code.0, entry.title, entry.text))
        }
        None => warpc_ptx::explain(name),
    };
    match text {
        Some(text) => {
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        None => {
            let near = warpc_ptx::suggest::opcode(name)
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            report::failure(
                &format_args!("nothing is known about `{name}`{near}"),
                MessageFormat::Human,
            )
        }
    }
}
