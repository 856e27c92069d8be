//! What ptxas makes of our print must be what it makes of the original: for every file of the corpus
//! that ptxas takes, `warpc fmt` prints it, both texts are assembled, and all `.text` sections must be
//! equal to the byte. A file that held once for the same two texts is not asked again.

use crate::corpus::manifest::{self, Row};
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// ptxas's default level takes minutes on the largest files; below this size it is used, above it
/// level 1, which still schedules and allocates registers.
const FULL_OPTIMISATION_BYTES: u64 = 200_000;

/// The task.
pub fn same_code() -> Outcome {
    let (tools, _) = oracle::ensure_all();
    crate::corpus::ensure(&tools, "")?;
    let (equal, different) = compare(&tools)?;
    different.iter().for_each(|message| println!("{message}"));
    println!("{equal} files equal, {} not", different.len());
    if different.is_empty() {
        Ok(())
    } else {
        Err("some prints give other machine code".into())
    }
}

/// Compares all files. Gives the number of equal ones and a message for each other.
pub fn compare(tools: &Tools) -> Outcome<(usize, Vec<String>)> {
    let warpc = release::build()?;
    let rows: Vec<Row> = manifest::read()?
        .into_iter()
        .filter(|row| row.verdict == "accept")
        .collect();
    let known = read_known();
    let folder = project::root().join("target/same_code");
    project::make_dir(&folder)?;
    let answers = jobs::map(&rows, |row| {
        compare_one(tools, &warpc, &folder, row, &known)
    });
    let mut equal = Vec::new();
    let mut different = Vec::new();
    for (row, answer) in rows.iter().zip(answers) {
        match answer {
            Ok(key) => equal.push(key),
            Err(message) => different.push(format!("{}: {message}", row.path)),
        }
    }
    project::write(&known_file(), equal.join("\n"))?;
    Ok((equal.len(), different))
}

fn known_file() -> PathBuf {
    project::root().join("target/same_code/equal.txt")
}

fn read_known() -> HashSet<String> {
    std::fs::read_to_string(known_file())
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// The key of an equal pair, or what is different.
fn compare_one(
    tools: &Tools,
    warpc: &Path,
    folder: &Path,
    row: &Row,
    known: &HashSet<String>,
) -> Outcome<String> {
    let original = project::corpus_dir().join(&row.path);
    let stem = row.path.replace(['/', '.'], "_");
    let printed = folder.join(format!("{stem}.ptx"));
    process::must(
        "warpc fmt",
        Command::new(warpc)
            .arg("fmt")
            .arg(&original)
            .arg("-o")
            .arg(&printed),
    )?;
    let key = format!(
        "{:016x}",
        project::hash(&[&row.hash, &project::read(&printed)?])
    );
    if known.contains(&key) {
        return Ok(key);
    }
    let Some((_, ptxas)) = tools.ptxas(&row.target) else {
        return Err("its ptxas could not be had".into());
    };
    // ptxas refuses to optimise what asks for debugging.
    let debug = project::read(&original)?
        .lines()
        .any(|line| line.starts_with(".target") && line.contains("debug"));
    let level = match (debug, row.bytes < FULL_OPTIMISATION_BYTES) {
        (true, _) => "-O0",
        (false, true) => "-O3",
        (false, false) => "-O1",
    };
    let mut sections = Vec::new();
    for (text, cubin) in [
        (&original, folder.join(format!("{stem}.a"))),
        (&printed, folder.join(format!("{stem}.b"))),
    ] {
        let mut command = Command::new(&ptxas);
        command
            .arg(format!("-arch={}", row.target))
            .arg(level)
            .args(row.options.split_whitespace());
        process::must("ptxas", command.arg(text).arg("-o").arg(&cubin))?;
        let bytes = std::fs::read(&cubin).map_err(|e| format!("cannot read the cubin: {e}"))?;
        let code =
            text_sections(&bytes).ok_or("ptxas made something that is no 64-bit ELF file")?;
        std::fs::remove_file(&cubin).ok();
        sections.push(code);
    }
    if sections[0] != sections[1] {
        return Err("another machine code".into());
    }
    std::fs::remove_file(&printed).ok();
    Ok(key)
}

/// Name and bytes of every section whose name starts with `.text`.
pub fn text_sections(elf: &[u8]) -> Option<BTreeMap<String, Vec<u8>>> {
    let u16_at =
        |at: usize| Some(u16::from_le_bytes(elf.get(at..at + 2)?.try_into().ok()?) as usize);
    let u32_at =
        |at: usize| Some(u32::from_le_bytes(elf.get(at..at + 4)?.try_into().ok()?) as usize);
    let u64_at =
        |at: usize| usize::try_from(u64::from_le_bytes(elf.get(at..at + 8)?.try_into().ok()?)).ok();
    if elf.get(..5)? != b"\x7fELF\x02" {
        return None;
    }
    let (table, size, count, names) = (u64_at(0x28)?, u16_at(0x3a)?, u16_at(0x3c)?, u16_at(0x3e)?);
    let names = u64_at(table + names * size + 0x18)?;
    let mut sections = BTreeMap::new();
    for i in 0..count {
        let header = table + i * size;
        let name = names + u32_at(header)?;
        let end = elf[name..].iter().position(|b| *b == 0)?;
        let name = String::from_utf8_lossy(&elf[name..name + end]).into_owned();
        if name.starts_with(".text") {
            let (start, len) = (u64_at(header + 0x18)?, u64_at(header + 0x20)?);
            sections.insert(name, elf.get(start..start + len)?.to_vec());
        }
    }
    Some(sections)
}
