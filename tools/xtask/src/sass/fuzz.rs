//! `./x sass fuzz`: variations of known instructions, judged by nvdisasm and by us.
//!
//! ```text
//!   tests/encodings ─ vary ─► words ─┬─ nvdisasm ───► their text, or none ─┐
//!                                    └─ print, parse ► our text, or none ──┴─ judge ─► classes of differences
//! ```
//!
//! Texts in which nvdisasm marks a value as having no meaning count as none. Differences that are known are listed in
//! `tests/oracle/sass_differences.tsv`; any other is an error.

mod differences;
mod judge;
mod start;
mod vary;

use super::nvdisasm;
use crate::jobs;
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use judge::{Class, Classes, Counts, Found};
use std::collections::BTreeMap;
use std::path::PathBuf;

use warpc_target::Sm;

/// What the task can be told.
const USAGE: &str =
    "fuzz takes --chip sm_90a, --words N, --seed S, --opcode 981, --from FILE, --all";

/// How many words `./x test` tries.
const SAMPLE: usize = 100_000;

/// What is asked for.
struct Options {
    chips: Vec<String>,
    words: usize,
    seed: u64,
    /// Only these.
    opcodes: Vec<u16>,
    /// More words to start from.
    from: Vec<PathBuf>,
    /// Whether known differences are printed too.
    all: bool,
}

impl Options {
    fn read(args: &[String]) -> Option<Options> {
        let mut options = Options {
            chips: Vec::new(),
            words: 1_100_000,
            seed: 1,
            opcodes: Vec::new(),
            from: Vec::new(),
            all: false,
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--all" => options.all = true,
                "--chip" => options.chips.push(args.next()?.clone()),
                "--words" => options.words = args.next()?.parse().ok()?,
                "--seed" => options.seed = args.next()?.parse().ok()?,
                "--from" => options.from.push(args.next()?.into()),
                "--opcode" => {
                    let opcode = u16::from_str_radix(args.next()?, 16).ok()?;
                    options.opcodes.push(opcode);
                }
                _ => return None,
            }
        }
        Some(options)
    }
}

/// The task.
pub fn fuzz(args: &[String]) -> Outcome {
    let options = Options::read(args).ok_or(USAGE)?;
    let (_, new) = run(&oracle::ensure_all().0, &options)?;
    new.iter().for_each(|line| println!("{line}"));
    match new.len() {
        0 => Ok(()),
        n => Err(format!("{n} classes of differences are not listed")),
    }
}

/// A bounded run: how many words are seen alike, and the differences that are not listed.
pub fn compare(tools: &Tools) -> Outcome<(usize, Vec<String>)> {
    let words = ["--words".to_owned(), SAMPLE.to_string()];
    let options = Options::read(&words).ok_or(USAGE)?;
    run(tools, &options)
}

/// How many words are seen alike, and the differences that are not listed.
fn run(tools: &Tools, options: &Options) -> Outcome<(usize, Vec<String>)> {
    let folder = project::root().join("tests/encodings");
    let known = differences::read(&project::root().join("tests/oracle/sass_differences.tsv"))?;
    let chips = match options.chips.is_empty() {
        true => start::chips(&folder),
        false => options.chips.clone(),
    };
    let words = options.words / chips.len().max(1);
    let answers = jobs::map(&chips, |chip| -> Outcome<(Counts, Classes)> {
        let sm: Sm = chip.parse().map_err(|_| format!("no chip is {chip}"))?;
        let mut files = vec![folder.join(format!("{chip}.txt"))];
        files.extend(options.from.iter().cloned());
        let mut bases = start::words(&files)?;
        start::add_plain(sm, &mut bases);
        if !options.opcodes.is_empty() {
            bases.retain(|opcode, _| options.opcodes.contains(opcode));
        }
        let words = vary::words(sm, &bases, words, options.seed);
        one_chip(tools, chip, sm, &words)
    });
    println!("chip      words   alike: valid  invalid   hidden  known    new");
    let mut total = Counts::default();
    let mut new = Vec::new();
    for (chip, answer) in chips.iter().zip(answers) {
        let (mut counts, classes) = answer?;
        let (listed, others): (BTreeMap<Class, Found>, BTreeMap<Class, Found>) = classes
            .merged()
            .into_iter()
            .partition(|(class, _)| known.iter().any(|row| row.covers(chip, class)));
        let visible = listed.iter().filter(|(class, _)| !class.is_hidden());
        counts.known = visible.map(|(_, found)| found.count).sum();
        let visible = others.iter().filter(|(class, _)| !class.is_hidden());
        counts.new = visible.map(|(_, found)| found.count).sum();
        println!("{chip:8}{counts}");
        if options.all {
            let show = |(class, found)| println!("  listed: {class} {found}");
            listed.iter().for_each(show);
        }
        let line = |(class, found)| format!("{chip} {class} {found}");
        new.extend(others.iter().map(line));
        total.add(&counts);
    }
    println!("all     {total}");
    Ok((total.valid + total.invalid, new))
}

/// So many words are asked at once.
const BATCH: usize = 50_000;

/// What nvdisasm and we say of words.
fn one_chip(
    tools: &Tools,
    chip: &str,
    sm: Sm,
    words: &[vary::Varied],
) -> Outcome<(Counts, Classes)> {
    let mut counts = Counts::default();
    let mut classes = Classes::default();
    for batch in words.chunks(BATCH) {
        let bits: Vec<u128> = batch.iter().map(|varied| varied.word).collect();
        let texts = nvdisasm::texts(tools, chip, &bits)?;
        for (index, (varied, theirs)) in batch.iter().zip(&texts).enumerate() {
            let place = 16 * index as u64;
            judge::judge(
                sm,
                varied,
                place,
                theirs.as_deref(),
                &mut counts,
                &mut classes,
            );
        }
    }
    Ok((counts, classes))
}
