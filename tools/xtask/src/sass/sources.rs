//! PTX for a chip: from the corpus of PTX, and what warpc makes of the corpus of LLVM IR.

use crate::corpus::manifest::{self, Row};
use crate::ll::gpu::{self, Module};
use crate::process;
use crate::project::{self, Outcome};
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use warpc_target::chips::Chip;
use warpc_target::{PtxVersion, Sm};

/// ptxas takes minutes for the largest files at its default level.
const LARGEST: u64 = 200_000;

/// A text to be assembled.
pub struct Source {
    /// A name that no other has.
    pub name: String,
    /// The PTX.
    pub text: String,
    /// Whether warpc wrote it.
    pub compiled: bool,
    /// Options that ptxas needs for it.
    pub options: String,
}

/// The files of the corpus of PTX, as they are where they are for this chip or an older one, else with the chip's name
/// put in. Those that differ in the name of the chip only are one.
pub fn ptx(chip: Sm) -> Outcome<Vec<Source>> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    let mut rows: Vec<Row> = manifest::read()?;
    rows.retain(|row| row.verdict == "accept" && row.bytes <= LARGEST);
    // What was written for this chip comes first: it is the better text of two.
    rows.sort_by_key(|row| (row.target != chip.to_string(), row.path.clone()));
    for row in rows {
        let text = project::read(&project::corpus_dir().join(&row.path))?;
        if seen.insert(project::hash(&[&retarget(&text, chip)])) {
            let fits = row
                .target
                .parse()
                .is_ok_and(|made_for: Sm| made_for.number() <= chip.number())
                && !row.target.ends_with(['a', 'f'])
                || row.target == chip.to_string();
            all.push(Source {
                name: row.path.trim_end_matches(".ptx").replace('/', "-"),
                text: if fits { text } else { retarget(&text, chip) },
                compiled: false,
                options: row.options,
            });
        }
    }
    Ok(all)
}

/// A module for another chip: with its name, and a version that knows it.
fn retarget(text: &str, chip: Sm) -> String {
    let since = Chip::find(chip.number()).and_then(|row| row.since(chip.variant()));
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if let Some(rest) = line.strip_prefix(".target ") {
            // Words after the chip, as `debug`, stay.
            let after = rest
                .trim_end()
                .find(',')
                .map_or("", |at| rest[at..].trim_end());
            out.push_str(&format!(".target {chip}{after}\n"));
        } else if let Some(rest) = line.strip_prefix(".version ") {
            let version: Option<PtxVersion> = rest.trim().parse().ok();
            match (version, since) {
                (Some(version), Some(since)) => {
                    out.push_str(&format!(".version {}\n", version.max(since)));
                }
                _ => out.push_str(line),
            }
        } else {
            out.push_str(line);
        }
    }
    out
}

/// The GPU modules of the corpus of LLVM IR in an order that mixes their producers.
pub fn modules() -> Outcome<Vec<Module>> {
    let mut all = gpu::modules("")?;
    all.retain(|module| module.row.bytes <= LARGEST);
    all.sort_by_key(|module| project::hash(&[&module.row.path]));
    Ok(all)
}

/// What warpc makes of a module; nothing if it refuses it for this chip.
pub fn compiled(warpc: &Path, module: &Module, chip: Sm, folder: &Path) -> Outcome<Option<Source>> {
    let name = module.stem();
    let file = folder.join(format!("{name}.ptx"));
    let mut command = Command::new(warpc);
    command
        .args(["compile", "--arch", &chip.to_string()])
        .arg(&module.file)
        .arg("-o")
        .arg(&file)
        .env("NVVM_IR_VER_CHK", "0");
    if !process::capture(&mut command)?.ok {
        return Ok(None);
    }
    let text = project::read(&file)?;
    std::fs::remove_file(&file).ok();
    Ok(Some(Source {
        name,
        text,
        compiled: true,
        options: String::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::retarget;

    #[test]
    fn a_module_is_given_to_another_chip() {
        let chip = "sm_103a".parse().expect("a chip");
        let text = "//\n.version 7.8\n.target sm_90a, debug\n.address_size 64\n";
        assert_eq!(
            retarget(text, chip),
            "//\n.version 8.8\n.target sm_103a, debug\n.address_size 64\n"
        );
    }
}
