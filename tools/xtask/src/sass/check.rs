//! `./x sass check`: the judges of machine code (`warpc_ptx_to_sass::check`) on what ptxas makes of the corpus.
//!
//! ptxas's code must have no finding: one shows that a rule or a fact is wrong. Damaged code shows what a judge is worth:
//! for each kind of damage, so many of ptxas's instructions are damaged, one at a time, and counted if there is a finding.
//! `--record` writes the table in `docs/checkers.md`, `--survivors N` prints damages that are not noticed, `--cubins
//! FOLDER` takes the cubins in `FOLDER/CHIP` as they are.

use crate::oracle;
use crate::project::{self, Outcome};
use crate::sass::cubins::Workshop;
use crate::sass::latency::{cubins_in, replaced};
use crate::{corpus, release, sass};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use warpc_cubin::Cubin;
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_ptx_to_sass::check::{self, Code, Finding, Indirect, convergence, scoreboards};
use warpc_sass::latency::Effects;
use warpc_sass::{Control, Inst, parse};
use warpc_sass_text::sections::{Section, sections};
use warpc_target::Sm;

/// The damages of a kind that are tried on a chip.
const TRIED: usize = 400;

/// Sections that are longer are not damaged.
const LONGEST: usize = 2_000;

/// What is done to an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Damage {
    /// One of the scoreboards that it waits for is dropped.
    Wait,
    /// The stall count is one cycle less.
    Stall,
    /// The scoreboard of its results is dropped.
    Write,
    /// The scoreboard of its operands is dropped.
    Read,
    /// A `BSSY` becomes a `NOP`.
    Bssy,
    /// A `BSYNC` becomes a `NOP`.
    Bsync,
    /// A `BREAK` becomes a `NOP`.
    Break,
    /// A `BSSY` sets another barrier.
    Barrier,
}

const DAMAGES: [Damage; 8] = [
    Damage::Wait,
    Damage::Stall,
    Damage::Write,
    Damage::Read,
    Damage::Bssy,
    Damage::Bsync,
    Damage::Break,
    Damage::Barrier,
];

impl Damage {
    /// The instruction with this damage, in every way that there is.
    fn of(self, chip: Sm, inst: &Inst) -> Vec<Inst> {
        let with = |change: &dyn Fn(&mut Control)| {
            let mut inst = inst.clone();
            change(&mut inst.control);
            inst
        };
        let removed = |name: &str| {
            let nop = parse::shape(chip, "NOP").filter(|_| inst.shape.opcode() == name);
            let nop = nop.map(|nop| Inst::new(nop).scheduled(inst.control));
            nop.into_iter().collect()
        };
        let control = inst.control;
        match self {
            Damage::Wait => (0..6)
                .filter(|board| control.wait >> board & 1 == 1)
                .map(|board| with(&|control| control.wait &= !(1 << board)))
                .collect(),
            Damage::Stall if control.stall > 1 => vec![with(&|control| control.stall -= 1)],
            Damage::Write if control.write != 7 => vec![with(&|control| control.write = 7)],
            Damage::Read if control.read != 7 => vec![with(&|control| control.read = 7)],
            Damage::Bssy => removed("BSSY"),
            Damage::Bsync => removed("BSYNC"),
            Damage::Break => removed("BREAK"),
            Damage::Barrier if inst.shape.opcode() == "BSSY" => {
                let mut other = inst.clone();
                for operand in &mut other.operands {
                    if let warpc_sass::Value::Barrier(number) = &mut operand.value {
                        *number ^= 1;
                    }
                }
                vec![other]
            }
            _ => Vec::new(),
        }
    }
}

impl Damage {
    /// Whether code with this damage has a finding; `flow` is that of the undamaged code.
    fn is_noticed(self, code: &Code, flow: &Flow) -> bool {
        match self {
            Damage::Wait | Damage::Stall | Damage::Write | Damage::Read => {
                !scoreboards::check(code, flow).is_empty()
            }
            _ => !convergence::check(code, flow, check::Maker::Other).is_empty(),
        }
    }
}

impl Damage {
    /// Why code is as good with this damage, as far as it is known. The code is the undamaged one.
    fn why_not(self, code: &Code, flow: &Flow, at: usize, damaged: &Inst) -> &'static str {
        let own = &code.insts[at];
        let block = flow.blocks.partition_point(|block| block.end <= at);
        let reached = flow.blocks.get(block).is_some_and(|block| block.reached);
        let results = Effects::of(own).accesses.iter().any(|one| one.is_write());
        match self {
            _ if !reached => "never executed",
            Damage::Wait => {
                let board = (own.control.wait ^ damaged.control.wait).trailing_zeros() as u8;
                match scoreboards::awaited(code, flow, at, board) {
                    0 => "no register is open that it tells of",
                    _ => "waited for again before a register is used, or never used",
                }
            }
            Damage::Stall if damaged.control.stall < own.shape.issue() => "the pipe takes no more",
            Damage::Stall => "nobody is that close",
            Damage::Write if !results => "it has no result",
            Damage::Write if own.shape.writes_in_order().is_some() => {
                "a later one in order tells of it, or never used"
            }
            Damage::Read if own.control.write < 7 => {
                "written again only after its result, or a later one in order tells of it"
            }
            Damage::Read if own.shape.reads_in_order().is_some() => {
                "a later one in order or a barrier tells of it"
            }
            _ => "not used again",
        }
    }
}

/// What was found in the code of a chip.
#[derive(Default)]
struct Found {
    files: usize,
    sections: Vec<(String, Section)>,
    instructions: usize,
    findings: Vec<String>,
    /// For each kind of damage, how many are noticed of how many.
    noticed: Vec<(usize, usize)>,
    survivors: Vec<String>,
    /// Why damages are not noticed, and how often.
    reasons: BTreeMap<(String, &'static str), usize>,
}

/// The task.
pub fn check(args: &[String]) -> Outcome {
    let mut chips = Vec::new();
    let (mut folder, mut record, mut survivors) = (None, false, 0);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--record" => record = true,
            "--cubins" => folder = Some(args.next().ok_or("--cubins wants a folder")?),
            "--survivors" => {
                let number = args.next().and_then(|number| number.parse().ok());
                survivors = number.ok_or("--survivors wants a number")?;
            }
            _ => chips.push(arg.clone()),
        }
    }
    let chips = sass::chosen(&chips)?;
    let mut lines = Vec::new();
    let mut wrong = 0;
    let mut reasons: BTreeMap<(String, &str), usize> = BTreeMap::new();
    println!("{HEADER}");
    for chip in chips {
        let found = Found::of(chip, &files(chip, folder.map(Path::new))?, survivors)?;
        println!("{}", found.line(chip));
        let shown = found.findings.iter().take(20).chain(&found.survivors);
        shown.for_each(|text| println!("{text}"));
        for ((damage, why), count) in &found.reasons {
            *reasons.entry((damage.clone(), *why)).or_default() += count;
        }
        wrong += found.findings.len();
        lines.push(found.line(chip));
    }
    let mut why = String::from("| not noticed | why it does no harm | damages |\n|---|---|---:|\n");
    for ((damage, reason), count) in &reasons {
        why.push_str(&format!("| {damage} | {reason} | {count} |\n"));
    }
    println!("{why}");
    if record {
        let path = project::root().join("docs/checkers.md");
        let page = project::read(&path)?;
        let table = format!("{HEADER}\n{}\n", lines.join("\n"));
        let page = replaced(&page, "figures", &table)?;
        project::write(&path, replaced(&page, "reasons", &why)?)?;
    }
    match wrong {
        0 => Ok(()),
        n => Err(format!("{n} findings in ptxas's code")),
    }
}

/// The cubins of a chip.
fn files(chip: &str, folder: Option<&Path>) -> Outcome<Vec<PathBuf>> {
    if let Some(folder) = folder {
        return cubins_in(&folder.join(chip));
    }
    let tools = &oracle::ensure_all().0;
    corpus::ensure(tools, "")?;
    let made = Workshop::new(tools, &release::build()?, chip)?.all()?;
    Ok(made.into_iter().map(|one| one.file).collect())
}

/// The head of the table of [`Found::line`]s.
const HEADER: &str = "\
| chip | cubins | instructions | findings | a wait | a cycle | write scoreboard | read scoreboard | `BSSY` | `BSYNC` | `BREAK` | another barrier |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|";

impl Found {
    fn of(chip: &str, files: &[PathBuf], survivors: usize) -> Outcome<Found> {
        let sm: Sm = chip.parse().map_err(|_| format!("{chip} is not a chip"))?;
        let mut found = Found::default();
        for file in files {
            let bytes =
                std::fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
            // An empty file stands for a source that ptxas refuses.
            let Ok(cubin) = Cubin::read(&bytes) else {
                continue;
            };
            let name = project::stem(file);
            let all = sections(&cubin)
                .map_err(|fault| format!("{name} {}: {:#x}", fault.section, fault.address))?;
            found.files += 1;
            for section in all {
                found.instructions += section.insts.len();
                for finding in findings(sm, &section) {
                    let text = shown(&section, finding.at);
                    let place = format!("{name} {}", section.name);
                    found
                        .findings
                        .push(format!("{place}: {finding}\n    {text}"));
                }
                found.sections.push((name.clone(), section));
            }
        }
        for damage in DAMAGES {
            found.try_damage(sm, damage, survivors);
        }
        Ok(found)
    }

    /// Does a damage in many places, evenly.
    fn try_damage(&mut self, sm: Sm, damage: Damage, survivors: usize) {
        let short = |one: &&mut (String, Section)| one.1.insts.len() <= LONGEST;
        let count = |one: &(String, Section)| -> usize {
            let insts = one.1.insts.iter();
            insts.map(|inst| damage.of(sm, inst).len()).sum()
        };
        let sections = self.sections.iter_mut().filter(short);
        let all: usize = sections.map(|one| count(one)).sum();
        let step = all.div_ceil(TRIED).max(1);
        let (mut number, mut tried, mut noticed, mut kept) = (0usize, 0, 0, 0);
        for (name, section) in self.sections.iter_mut().filter(short) {
            let indirect = indirect(section);
            let flow = Flow::of(&code(sm, section, &indirect));
            for at in 0..section.insts.len() {
                let own = section.insts[at].clone();
                for inst in damage.of(sm, &own) {
                    number += 1;
                    if !number.is_multiple_of(step) {
                        continue;
                    }
                    tried += 1;
                    let damaged = std::mem::replace(&mut section.insts[at], inst);
                    if damage.is_noticed(&code(sm, section, &indirect), &flow) {
                        noticed += 1;
                        section.insts[at] = damaged;
                        continue;
                    }
                    let inst = std::mem::replace(&mut section.insts[at], damaged);
                    let why = damage.why_not(&code(sm, section, &indirect), &flow, at, &inst);
                    let key = (format!("{damage:?}"), why);
                    *self.reasons.entry(key).or_default() += 1;
                    if kept < survivors {
                        kept += 1;
                        let text = shown(section, at);
                        let place = format!("{name} {}", section.name);
                        self.survivors.push(format!(
                            "{damage:?}: {place}: {why}: {}\n    {text}",
                            inst.control
                        ));
                    }
                }
            }
        }
        self.noticed.push((noticed, tried));
    }

    fn line(&self, chip: &str) -> String {
        let (files, instructions) = (self.files, self.instructions);
        let wrong = self.findings.len();
        let mut line = format!("| {chip} | {files} | {instructions} | {wrong} |");
        for (noticed, tried) in &self.noticed {
            let percent = noticed * 100 / (*tried).max(1);
            line.push_str(&format!(" {noticed} of {tried} ({percent} %) |"));
        }
        line
    }
}

fn shown(section: &Section, at: usize) -> String {
    let inst = section.insts.get(at);
    let text = inst.map(|inst| format!("{} {inst}", inst.control));
    format!("{:04x} {}", at * 16, text.unwrap_or_default())
}

fn findings(chip: Sm, section: &Section) -> Vec<Finding> {
    check::check(&code(chip, section, &indirect(section)))
}

fn indirect(section: &Section) -> Vec<Indirect> {
    let known = section.indirect.iter();
    let known = known.map(|(at, targets)| Indirect {
        at: *at,
        targets: targets.clone(),
    });
    known.collect()
}

fn code<'a>(chip: Sm, section: &'a Section, indirect: &'a [Indirect]) -> Code<'a> {
    Code {
        chip,
        insts: &section.insts,
        entries: &section.entries,
        indirect,
        spills: &[],
    }
}
