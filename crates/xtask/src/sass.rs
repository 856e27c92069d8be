//! `./x sass`: the tables of the crate `sass` against ptxas and nvdisasm.
//!
//! ```text
//! PTX of the corpus      ┐                 ┌─ nvdisasm ─► text ┐
//! LLVM IR, through warpc ┴─ ptxas ─► cubin ┤                   ├─► alike, unknown or misread
//!                                          └─ our text ────────┴─► back to the same 128 bits
//! ```
//!
//! [`cubins`] makes the files, a few hundred for each chip of [`CHIPS`]; [`nvdisasm`] answers questions about words;
//! [`judge`] compares. [`fuzz`] does the same with variations of known instructions. What was made is kept in
//! `target/sass`.

pub mod cubins;
pub mod fuzz;
mod judge;
pub mod nvdisasm;
mod sources;

use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::release;
use cubins::Workshop;
use std::path::PathBuf;

/// The chips whose machine code is compared: all that ptxas 13.4 makes code for, those with an `a` in this variant
/// where it has more instructions.
pub const CHIPS: [&str; 13] = [
    "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_103a",
    "sm_110a", "sm_120", "sm_121",
];

/// Where everything lies that is made here.
pub fn folder() -> PathBuf {
    project::root().join("target/sass")
}

/// The task: a mode, or chips to judge (all without any).
pub fn sass(args: &[String]) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    match args.split_first() {
        Some((mode, rest)) if mode == "fuzz" => fuzz::fuzz(&tools, rest),
        Some((mode, _)) if !mode.starts_with("sm_") => Err(format!("unknown mode `{mode}`")),
        _ => tables(&tools, &chosen(args)?),
    }
}

/// The chips that are named, or all.
fn chosen(names: &[String]) -> Outcome<Vec<&'static str>> {
    let find = |name: &String| {
        let found = CHIPS.iter().copied().find(|chip| chip == name);
        found.ok_or_else(|| format!("{name} is not among {CHIPS:?}"))
    };
    match names.is_empty() {
        true => Ok(CHIPS.to_vec()),
        false => names.iter().map(find).collect(),
    }
}

/// Judges the whole corpus for these chips.
fn tables(tools: &Tools, chips: &[&'static str]) -> Outcome {
    crate::corpus::ensure(tools, "")?;
    let warpc = release::build()?;
    let mut wrong = 0;
    println!("{}", judge::HEADER);
    for chip in chips {
        let made = Workshop::new(tools, &warpc, chip)?.all()?;
        let found = judge::judge(tools, chip, &made)?;
        println!("{}", found.line());
        found
            .examples(10)
            .iter()
            .for_each(|line| println!("{line}"));
        wrong += found.wrong();
    }
    match wrong {
        0 => Ok(()),
        n => Err(format!(
            "{n} instructions are misread or come back as others"
        )),
    }
}
