//! Our compiler, in this process.

use warpc::{Options, Source};

/// Chips that programs are compiled for in turn: the oldest, and those that first had more operations.
pub const CHIPS: [&str; 5] = ["sm_75", "sm_60", "sm_80", "sm_90", "sm_100"];

/// The PTX of a program for a chip. The error is the first diagnostic.
pub fn compile(chip: &str, text: &str) -> Result<String, String> {
    let source = Source::new("program.ll", text).map_err(|error| error.to_string())?;
    let sm = chip.parse().map_err(|_| format!("{chip} is not a chip"))?;
    let made = warpc::compile(&source, &Options::new(sm));
    made.value.map(|ptx| ptx.to_string()).ok_or_else(|| {
        let first = made.diagnostics.first_error();
        first.map_or("no diagnostic".into(), |error| error.message.clone())
    })
}

/// The chip that a seed's program is compiled for.
pub fn chip(seed: u64) -> &'static str {
    CHIPS[(seed % CHIPS.len() as u64) as usize]
}
