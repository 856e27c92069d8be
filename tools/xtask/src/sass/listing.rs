//! `./x sass listing`: `warpc dis` against `nvdisasm -c`, line for line.
//!
//! Of what nvdisasm prints only a hash is kept: a listing that was the same once needs no second run of it.

use crate::ll::gpu::Cache;
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::sass::cubins::Made;
use crate::sass::nvdisasm;
use crate::{jobs, process, sass};
use std::path::Path;
use std::process::Command;

/// What was found for a chip.
pub struct Found {
    /// How many listings are the same.
    pub equal: usize,
    /// A message for each other: what it was made of, and the first line that differs.
    pub different: Vec<String>,
}

/// Compares the listings of cubins.
pub fn compare(tools: &Tools, warpc: &Path, chip: &str, made: &[Made]) -> Outcome<Found> {
    let cache = Cache::open(sass::folder().join(chip).join("listings.tsv"));
    let answers = jobs::map(made, |one| difference(tools, warpc, one, &cache));
    cache.save()?;
    let mut found = Found {
        equal: 0,
        different: Vec::new(),
    };
    for (one, answer) in made.iter().zip(answers) {
        match answer? {
            None => found.equal += 1,
            Some(what) => {
                let name = &one.file.file_name().unwrap_or_default().to_string_lossy();
                found.different.push(format!(
                    "{chip} {} {} ({chip}/{name}): {what}",
                    one.name, one.variant
                ));
            }
        }
    }
    Ok(found)
}

/// The first difference between the two listings of a cubin.
fn difference(tools: &Tools, warpc: &Path, made: &Made, cache: &Cache) -> Outcome<Option<String>> {
    let ours = process::must("warpc dis", Command::new(warpc).arg("dis").arg(&made.file));
    let ours = match ours {
        Ok(ours) => ours,
        Err(message) => return Ok(Some(message)),
    };
    let theirs = || -> Outcome<String> {
        let mut command = Command::new(nvdisasm::program(tools)?);
        process::must("nvdisasm", command.arg("-c").arg(&made.file))
    };
    let hash = |text: &str| format!("{:016x}", project::hash(&[text]));
    let file = made.file.to_string_lossy();
    let known = cache.ask(&[&file, &oracle::pins()], || Ok(hash(&theirs()?)))?;
    if known == hash(&ours) {
        return Ok(None);
    }
    let theirs = theirs()?;
    let lines = ours.lines().zip(theirs.lines()).enumerate();
    let (ours_count, theirs_count) = (ours.lines().count(), theirs.lines().count());
    let count = lines.clone().filter(|(_, (a, b))| a != b).count();
    let first = lines.into_iter().find(|(_, (a, b))| a != b);
    Ok(Some(match first {
        Some((at, (ours, theirs))) => format!(
            "{count} lines differ, the first is {}\n    ours:     {}\n    nvdisasm: {}",
            at + 1,
            ours.trim(),
            theirs.trim()
        ),
        None => format!("{ours_count} lines, nvdisasm has {theirs_count}"),
    }))
}
