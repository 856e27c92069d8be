//! Inputs to start from for the targets that read machine code: recorded cubins and fatbins, encodings, kernels.

use super::LARGEST;
use crate::project::{self, Outcome};
use std::path::Path;

/// Writes the inputs of a target into a folder.
pub fn seeds(target: &str, dir: &Path) -> Outcome {
    project::make_dir(dir)?;
    let tests = project::root().join("tests");
    match target {
        "cubin" => cubins(&tests.join("oracle/cubins"), dir),
        "fatbin" => copies(&tests.join("oracle/fatbins"), "fatbin", dir),
        "assembly" => copies(&tests.join("kernels/sass"), "sass", dir),
        _ => encodings(&tests.join("encodings"), dir),
    }
}

fn copies(from: &Path, ending: &str, dir: &Path) -> Outcome {
    for file in project::files(from, ending) {
        let mut bytes =
            std::fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        bytes.truncate(LARGEST);
        project::write(&dir.join(file.file_name().unwrap_or_default()), bytes)?;
    }
    Ok(())
}

/// Small cubins only: one that is cut is refused at once.
fn cubins(from: &Path, dir: &Path) -> Outcome {
    for packed in project::files(from, "gz") {
        let name = packed.file_stem().unwrap_or_default();
        if Path::new(name).extension().is_none_or(|end| end != "cubin") {
            continue;
        }
        let bytes = project::unpack(&packed)?;
        if bytes.len() <= LARGEST {
            project::write(&dir.join(name), bytes)?;
        }
    }
    Ok(())
}

/// For each chip some words and the texts of others, as the target `sass` takes them.
fn encodings(from: &Path, dir: &Path) -> Outcome {
    const CHIPS: [&str; 9] = [
        "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120",
    ];
    for file in project::files(from, "txt") {
        let chip = project::stem(&file);
        let number = CHIPS
            .iter()
            .position(|one| *one == chip.trim_end_matches('a'));
        let Some(number) = number else {
            continue;
        };
        let first = number as u8 | if chip.ends_with('a') { 0x80 } else { 0 };
        // The upper bit must not change the chip.
        let first = (first..=255)
            .find(|byte| byte & 0x80 == first & 0x80 && usize::from(*byte) % CHIPS.len() == number);
        let text = project::read(&file)?;
        let lines: Vec<&str> = text.lines().collect();
        for (index, part) in lines.chunks(64).enumerate() {
            let mut bytes = vec![first.unwrap_or(0), (part.len() / 2) as u8];
            let (words, texts) = part.split_at(part.len() / 2);
            for line in words {
                let word = line.split("  ").next().unwrap_or_default();
                let word = u128::from_str_radix(word, 16)
                    .map_err(|e| format!("{}: {word}: {e}", file.display()))?;
                bytes.extend(word.to_le_bytes());
            }
            for line in texts {
                let text = line.split_once("  ").map_or("", |(_, text)| text);
                bytes.extend(text.as_bytes());
                bytes.push(b'\n');
            }
            project::write(&dir.join(format!("{chip}-{index}")), bytes)?;
        }
    }
    Ok(())
}
