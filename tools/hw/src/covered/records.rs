//! The same for instructions: each one of a recorded table that the verifier of PTX takes, alone in a kernel.

use super::{CHIP, assembled_cubin};
use std::collections::BTreeMap;
use std::path::Path;
use warpc_diag::SourceFile;
use warpc_testkit::record::Table;
use warpc_testkit::wrap::wrap;

/// The version of PTX that the instructions stand in.
const VERSION: &str = "9.4";

/// How many instructions that are refused are shown of each opcode, if nothing is said.
const SHOWN: usize = 8;

/// The instructions of an opcode.
#[derive(Clone, Default, Debug)]
pub struct Family {
    /// How many the verifier takes.
    pub valid: usize,
    /// How many of them are assembled.
    pub taken: usize,
    /// Each instruction that is refused, with the reason.
    pub refused: Vec<(String, String)>,
}

/// Counts the instructions of a table with a column `instruction`, every so many rows from one on.
pub fn count(path: &Path, (first, every): (usize, usize)) -> BTreeMap<String, Family> {
    let table = Table::read(path);
    let column = table.column("instruction");
    // The tables of instructions with samplers that are apart say so in the names of their columns.
    let apart = ",texmode_independent";
    let is_apart = table.header.iter().any(|name| name.ends_with(apart));
    let target = format!("{CHIP}{}", if is_apart { apart } else { "" });
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for row in table.rows.iter().skip(first).step_by(every.max(1)) {
        let instruction = &row[column];
        let text = wrap(&target, VERSION, instruction);
        let Some(source) = SourceFile::new("row.ptx", text.clone()) else {
            continue;
        };
        let checked = warpc_ptx::check(&source);
        if checked.value.is_none() || checked.diagnostics.has_errors() {
            continue;
        }
        let family = families.entry(opcode(instruction)).or_default();
        family.valid += 1;
        match assembled_cubin(text) {
            Ok(_) => family.taken += 1,
            Err(why) => family.refused.push((instruction.clone(), why)),
        }
    }
    families
}

/// Prints what was counted.
pub(super) fn print(path: &Path, shown: usize) {
    println!("{}", path.display());
    for (name, family) in &count(path, (0, 1)) {
        println!("{:8} of {:6}  {name}", family.taken, family.valid);
        for (instruction, why) in family.refused.iter().take(shown.max(SHOWN)) {
            println!("                    {instruction}\n                        {why}");
        }
    }
}

/// What an instruction is counted under: its opcode, and of the ones with many kinds the words after it.
fn opcode(instruction: &str) -> String {
    let guarded = instruction.trim_start();
    let plain = match guarded.strip_prefix('@') {
        Some(rest) => rest.split_once(' ').map_or("", |(_, rest)| rest),
        None => guarded,
    };
    let end = plain.find([' ', ';']).unwrap_or(plain.len());
    let mut words = plain[..end].split('.');
    let first = words.next().unwrap_or_default();
    let more = match first {
        "mbarrier" | "tensormap" | "multimem" | "createpolicy" | "griddepcontrol" => 1,
        "fence" => 2,
        "cp" => 3,
        _ => 0,
    };
    let more: Vec<&str> = words.take(more).collect();
    match more.is_empty() {
        true => first.to_owned(),
        false => format!("{first}.{}", more.join(".")),
    }
}
