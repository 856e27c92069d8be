//! What an instruction of PTX becomes in machine code, by the rules of `warpc-ptx-to-sass`.

use std::fmt::Write;
use warpc_ptx::inst::Mnemonic;
use warpc_ptx_to_sass::{Context, Description, Source, Unknown};
use warpc_target::{Sm, Unavailable};

/// A few lines about an instruction on a chip; nothing where it is not described.
pub fn text(name: &str, sm: Sm) -> Option<String> {
    let mnemonic = Mnemonic::find(name)?;
    let sources = mnemonic.choices.iter().map(Source::of_mnemonic);
    let form = sources
        .filter_map(|source| Description::of(source).ok())
        .next()?;
    // Whether a chip has an instruction is a question to the tables of PTX.
    if let Err(error) = mnemonic.needs(sm, None) {
        let reason = match error {
            Unavailable::Chip(gate) => format!("{sm} does not have it: it needs {gate}"),
            Unavailable::Version(version) => format!("{sm} has it since PTX {version}"),
            Unavailable::Removed(removal) => format!("{sm} does not have it: {removal}"),
        };
        return Some(format!("\nMachine code on {sm}: {reason}.\n"));
    }
    let mut out = String::new();
    let straight = match form.sequence(Context::Straight, sm) {
        Ok(sequence) => sequence,
        Err(Unknown::Undescribed(sm)) => {
            return Some(format!(
                "\nThe machine code of {sm} is not described; that of sm_75 and later chips is (`--arch`).\n"
            ));
        }
        Err(_) => return Some(format!("\nWhat it becomes on {sm} is not recorded.\n")),
    };
    let shown = match straight.opcodes.is_empty() {
        true => "nothing of its own".to_owned(),
        false => straight.to_string(),
    };
    let _ = writeln!(out, "\nMachine code on {sm}:\n  {shown}");
    // What takes part in a loop or a stub is only seen where it differs.
    if let Ok(divergent) = form.sequence(Context::Divergent, sm) {
        let own: Vec<String> = divergent.own().map(ToString::to_string).collect();
        if divergent.opcodes != straight.opcodes {
            let _ = writeln!(
                out,
                "  {} where only some threads come along",
                own.join(" ")
            );
        }
    }
    if let Some(lost) = straight.lost {
        let _ = writeln!(out, "  ptxas emits less than is asked for: {lost}");
    }
    if let Ok(wired) = straight.wired.as_ref().map(ToString::to_string)
        && !wired.is_empty()
    {
        let _ = writeln!(
            out,
            "With operands (`%a` is one of PTX, `$r0` a temporary):"
        );
        for line in wired.lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    Some(out)
}
