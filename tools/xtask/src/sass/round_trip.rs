//! `./x sass round-trip`: cubins as text and back, `warpc dis --reassemblable` and then `warpc compile`.
//!
//! A file must come back byte for byte: code, constants, metadata and everything else.

use crate::project::{self, Outcome};
use crate::sass::cubins::Made;
use crate::{jobs, process, sass};
use std::path::Path;
use std::process::Command;

/// What was found for a chip.
#[derive(Default)]
pub struct Found {
    /// How many files came back the same.
    pub equal: usize,
    /// The bytes of these files.
    pub bytes: u64,
    /// How many instructions had no text and stand in the texts as numbers.
    pub unknown: usize,
    /// A message for each other file.
    pub different: Vec<String>,
}

/// What one file came to.
enum Back {
    Same { bytes: u64, unknown: usize },
    Other(String),
}

/// Prints and assembles cubins.
pub fn judge(warpc: &Path, chip: &str, made: &[Made]) -> Outcome<Found> {
    let folder = sass::folder().join(chip).join("round_trip");
    project::make_dir(&folder)?;
    let answers = jobs::map(made, |one| back(warpc, one, &folder));
    let mut found = Found::default();
    for (one, answer) in made.iter().zip(answers) {
        match answer? {
            Back::Same { bytes, unknown } => {
                found.equal += 1;
                found.bytes += bytes;
                found.unknown += unknown;
            }
            Back::Other(what) => {
                found
                    .different
                    .push(format!("{chip} {} {}: {what}", one.name, one.variant));
            }
        }
    }
    Ok(found)
}

/// Takes one cubin there and back. What was made is kept if it is another file.
fn back(warpc: &Path, made: &Made, folder: &Path) -> Outcome<Back> {
    let name = made.file.file_stem().unwrap_or_default();
    let text = folder.join(name).with_extension("sass");
    let again = folder.join(name).with_extension("cubin");
    let mut print = Command::new(warpc);
    print.args(["dis", "--reassemblable"]).arg(&made.file);
    let mut assemble = Command::new(warpc);
    assemble.arg("compile").arg(&text).arg("-o").arg(&again);
    let steps = process::must("warpc dis", print.arg("-o").arg(&text))
        .and_then(|_| process::must("warpc compile", &mut assemble));
    if let Err(message) = steps {
        return Ok(Back::Other(message));
    }
    let read =
        |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let (first, second) = (read(&made.file)?, read(&again)?);
    if first != second {
        let place = first.iter().zip(&second).position(|(a, b)| a != b);
        let place = place.unwrap_or(first.len().min(second.len()));
        return Ok(Back::Other(format!("other bytes from {place:#x} on")));
    }
    let lines = String::from_utf8_lossy(&read(&text)?).into_owned();
    let unknown = lines.lines().filter(|line| line.contains(".unknown 0x"));
    let unknown = unknown.count();
    for path in [&text, &again] {
        std::fs::remove_file(path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(Back::Same {
        bytes: first.len() as u64,
        unknown,
    })
}
