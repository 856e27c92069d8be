//! Our compiler, in this process.

use warpc::{CompileOptions, compile_llvm};
use warpc_diag::{Severity, SourceFile};
use warpc_nvvm::NvvmOptions;

/// Chips that programs are compiled for in turn: the oldest, and those that first had more operations.
pub const CHIPS: [&str; 5] = ["sm_75", "sm_60", "sm_80", "sm_90", "sm_100"];

/// The PTX of a program for a chip. The error is the first diagnostic.
pub fn compile(chip: &str, text: &str) -> Result<String, String> {
    let file = SourceFile::new("program.ll", text).ok_or("the text is too long")?;
    let sm = chip.parse().map_err(|_| format!("{chip} is no chip"))?;
    let options = CompileOptions::new(sm);
    let made = compile_llvm(&file, NvvmOptions::default(), options, &mut |_, _| {});
    match made.module {
        Some(module) => Ok(warpc_ptx::print(&module)),
        None => {
            let errors = made.diagnostics.as_slice().iter();
            let mut errors = errors.filter(|d| d.severity == Severity::Error);
            Err(errors
                .next()
                .map_or("no diagnostic".into(), |d| d.message.clone()))
        }
    }
}

/// The chip that a seed's program is compiled for.
pub fn chip(seed: u64) -> &'static str {
    CHIPS[(seed % CHIPS.len() as u64) as usize]
}
