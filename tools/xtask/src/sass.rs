//! `./x sass …`: the tables of the crate `sass` against ptxas and nvdisasm.
//!
//! ```text
//! PTX of the corpus      ┐                 ┌─ nvdisasm ─► text ┐
//! LLVM IR, through warpc ┴─ ptxas ─► cubin ┤                   ├─► alike, unknown or misread
//!                                          └─ our text ────────┴─► back to the same 128 bits
//! ```
//!
//! [`cubins`] makes the files, a few hundred for each chip of [`CHIPS`]; [`nvdisasm`] answers questions about words;
//! [`judge`] compares texts and words, [`listing`] whole listings; [`record`] keeps what tests replay. [`fuzz`] compares
//! variations of known instructions. What was made is kept in `target/sass`.

pub mod check;
pub mod cubins;
pub mod fuzz;
mod judge;
pub mod latency;
mod listing;
pub mod mutants;
pub mod nvdisasm;
pub mod quality;
mod record;
mod round_trip;
pub mod sim;
mod sources;
pub mod wiring;

use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::release;
use cubins::Workshop;
use std::path::PathBuf;

/// The chips whose machine code is compared: all that ptxas 13.4 makes code for but sm_107, those with an `a` in this variant
/// where it has more instructions.
pub const CHIPS: [&str; 13] = [
    "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_103a",
    "sm_110a", "sm_120", "sm_121",
];

/// How many listings of a chip `./x test` compares.
const LISTINGS: usize = 4;

/// Where everything lies that is made here.
pub fn folder() -> PathBuf {
    project::root().join("target/sass")
}

/// Judges the whole corpus for some chips, or for all.
pub fn compare_tables(args: &[String]) -> Outcome {
    tables(&oracle::ensure_all().0, &chosen(args)?, false)
}

/// The same, and records it.
pub fn record_tables(args: &[String]) -> Outcome {
    tables(&oracle::ensure_all().0, &chosen(args)?, true)
}

/// Asks ptxas again what it records about kernels with collectives and mbarriers.
pub fn record_facts(_args: &[String]) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    let root = project::root();
    let (_, ptxas) = tools.ptxas("sm_90").ok_or("there is no ptxas")?;
    let mut command = std::process::Command::new("python3");
    command
        .arg(root.join("tools/xtask/py/kernel_facts.py"))
        .arg(ptxas)
        .arg(root.join("tests/oracle/kernel_facts.tsv.gz"));
    match crate::process::show(&mut command)? {
        true => Ok(()),
        false => Err("ptxas could not be asked".into()),
    }
}

/// Asks ptxas again what instructions on textures and surfaces become.
pub fn record_textures(_args: &[String]) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    let root = project::root();
    let (_, ptxas) = tools.ptxas("sm_90").ok_or("there is no ptxas")?;
    let mut command = std::process::Command::new("python3");
    command
        .arg(root.join("tools/xtask/py/textures.py"))
        .args([&ptxas, &ptxas.with_file_name("nvdisasm")])
        .arg(root.join("tests/oracle/textures.tsv.gz"));
    match crate::process::show(&mut command)? {
        true => Ok(()),
        false => Err("ptxas could not be asked".into()),
    }
}

/// Compares the attributes of the corpus's kernels with those that ptxas gives them.
pub fn attributes(args: &[String]) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    crate::corpus::ensure(&tools, "")?;
    let root = project::root();
    let (_, ptxas) = tools.ptxas("sm_90").ok_or("there is no ptxas")?;
    let mut command = std::process::Command::new(release::build_checked("warpc-hw")?);
    command.current_dir(&root).arg("attributes");
    command.arg("--ptxas").arg(ptxas).args(args);
    let kinds = ["clang", "nvcc", "nvrtc", "triton"];
    command.args(kinds.map(|kind| root.join("target/corpus").join(kind)));
    match crate::process::show(&mut command)? {
        true => Ok(()),
        false => Err("the attributes could not be compared".into()),
    }
}

/// Random programs through the assembler, on the emulators of PTX and of machine code. The words go to `warpc-ptxgen`.
pub fn random(args: &[String]) -> Outcome {
    let generator = release::build_checked("warpc-ptxgen")?;
    let mut command = std::process::Command::new(generator);
    command.current_dir(project::root()).arg("try").args(args);
    command.args(["--jobs", &crate::jobs::width().to_string()]);
    match crate::process::show(&mut command)? {
        true => Ok(()),
        false => Err("random programs fail".into()),
    }
}

/// Takes the whole corpus of some chips through text and back.
pub fn round_trips(args: &[String]) -> Outcome {
    let (tools, chips) = (&oracle::ensure_all().0, chosen(args)?);
    crate::corpus::ensure(tools, "")?;
    let warpc = release::build()?;
    let mut wrong = 0;
    println!("| chip | files | bytes | the same | other | instructions without text |");
    println!("|---|--:|--:|--:|--:|--:|");
    for chip in chips {
        let made = Workshop::new(tools, &warpc, chip)?.all()?;
        let found = round_trip::judge(&warpc, chip, &made)?;
        println!(
            "| {chip} | {} | {} | {} | {} | {} |",
            made.len(),
            found.bytes,
            found.equal,
            found.different.len(),
            found.unknown
        );
        found
            .different
            .iter()
            .take(5)
            .for_each(|line| println!("{line}"));
        wrong += found.different.len();
    }
    match wrong {
        0 => Ok(()),
        n => Err(format!("{n} cubins do not come back")),
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

/// Judges the whole corpus for these chips; records what tests replay, and the table if it is of all chips.
fn tables(tools: &Tools, chips: &[&'static str], record: bool) -> Outcome {
    crate::corpus::ensure(tools, "")?;
    let warpc = release::build()?;
    let mut wrong = 0;
    let mut lines = vec![judge::HEADER.to_owned()];
    println!("{}", judge::HEADER);
    for chip in chips {
        let made = Workshop::new(tools, &warpc, chip)?.all()?;
        let found = judge::judge(tools, chip, &made)?;
        println!("{}", found.line());
        let examples = found.examples(12);
        examples.iter().for_each(|line| println!("{line}"));
        wrong += found.wrong();
        lines.push(found.line());
        if record {
            record::encodings(tools, chip, &found.words)?;
        }
    }
    if record && chips.len() == CHIPS.len() {
        record::table(&lines)?;
    }
    match wrong {
        0 => Ok(()),
        n => Err(format!(
            "{n} instructions are misread or come back as others"
        )),
    }
}

/// Compares the listings of the whole corpus for some chips.
pub fn listings(args: &[String]) -> Outcome {
    let (tools, chips) = (&oracle::ensure_all().0, chosen(args)?);
    crate::corpus::ensure(tools, "")?;
    let warpc = release::build()?;
    let mut wrong = 0;
    for chip in chips {
        let made = Workshop::new(tools, &warpc, chip)?.all()?;
        let (mut equal, mut different) = (0, 0);
        // In parts, so that a run that is broken off has said and kept something.
        for some in made.chunks(40) {
            let found = listing::compare(tools, &warpc, chip, some)?;
            found.different.iter().for_each(|line| println!("{line}"));
            equal += found.equal;
            different += found.different.len();
        }
        println!("{chip}: {equal} listings the same, {different} not");
        wrong += different;
    }
    match wrong {
        0 => Ok(()),
        n => Err(format!("{n} listings are not nvdisasm's")),
    }
}

/// Judges what `./x test` judges.
pub fn sample(_args: &[String]) -> Outcome {
    let tools = &oracle::ensure_all().0;
    crate::corpus::ensure(tools, "")?;
    let (equal, different) = compare(tools)?;
    different.iter().for_each(|message| println!("{message}"));
    println!("{equal} different instructions alike and back");
    match different.len() {
        0 => Ok(()),
        n => Err(format!("{n} are not")),
    }
}

/// A sample of each chip, for `./x test`: how many different instructions are alike and come back, and a message for
/// each that is misread or comes back as another, and for each listing that is not nvdisasm's.
pub fn compare(tools: &Tools) -> Outcome<(usize, Vec<String>)> {
    let warpc = release::build()?;
    let mut equal = 0;
    let mut different = Vec::new();
    for chip in CHIPS {
        let made = Workshop::new(tools, &warpc, chip)?.sample()?;
        let found = judge::judge(tools, chip, &made)?;
        println!("{}", found.line());
        equal += found.good();
        different.extend(found.wrong_ones());
        let some = &made[..made.len().min(LISTINGS)];
        different.extend(listing::compare(tools, &warpc, chip, some)?.different);
    }
    Ok((equal, different))
}
