//! `./x ptx mutants`: wrong PTX, made on purpose from real PTX, with ptxas's verdict on each piece.
//!
//! ```text
//! target/corpus/**.ptx ─cut─► single-kernel modules ─choose─► bases ─edit─► mutants ─ptxas─► tests/oracle/mutants.*
//! ```
//!
//! Every mutant is one edit of one small module that ptxas accepts. Sites are spread over the kinds of
//! instructions, not over how often they occur: each opcode gives a few of its forms, each form every fault
//! that applies, at most [`PER_KIND`] of a kind for an
//! opcode. No chance is involved: the same corpus gives the
//! same mutants.

mod archive;
mod cut;
mod inst_edits;
mod module_edits;

use crate::corpus::{self, manifest};
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::ptx_shape::{self, Inst};
use crate::{jobs, process};
use archive::{Base, Mutant};

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::{Duration, Instant};

/// Bases are small: ptxas is run some thousand times.
const LARGEST_BASE: usize = 9_000;
/// At most this many mutants of one kind for one opcode.
const PER_KIND: usize = 2;
/// And this many for the opcodes that have most forms and most rules.
const PER_KIND_LARGE: usize = 6;
const LARGE: &[&str] = &[
    "atom", "bra", "call", "cp", "cvt", "fence", "ld", "mbarrier", "mma", "mov", "red", "setp",
    "st",
];
/// How many bases get faults in their frame.
const FRAMES: usize = 40;
/// ptxas gets this long for a mutant; more means that the fault sent it astray.
const PATIENCE: Duration = Duration::from_secs(30);

/// The task.
pub fn mutants(_args: &[String]) -> Outcome {
    let start = Instant::now();
    let (tools, _) = oracle::ensure_all();
    if tools.cuda13.is_none() || tools.cuda12.is_none() {
        return Err("mutants need both ptxas".into());
    }
    corpus::ensure(&tools, "")?;
    let candidates = candidates()?;
    let mut sites = choose(&candidates);
    let numbers: BTreeSet<usize> = sites.iter().map(|s| s.0).collect();
    let accepted = accepted(&tools, &candidates, numbers)?;
    sites.retain(|(candidate, _)| accepted.contains(candidate));
    let number_of: BTreeMap<usize, usize> = accepted
        .iter()
        .enumerate()
        .map(|(new, old)| (*old, new))
        .collect();
    let mut bases: Vec<Base> = accepted
        .iter()
        .map(|&i| candidates[i].base.clone())
        .collect();
    for (i, base) in bases.iter_mut().enumerate() {
        base.id = format!("b{i:03}");
    }
    let mut all = Vec::new();
    let mut made: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (candidate, at) in &sites {
        let inst = &candidates[*candidate].insts[*at];
        instruction_mutants(
            &bases,
            number_of[candidate],
            inst,
            &mut made,
            &mut seen,
            &mut all,
        );
    }
    frame_mutants(&bases, &mut seen, &mut all);
    println!("{} bases, {} mutants to judge", bases.len(), all.len());
    let work = project::root().join("target/mutants");
    project::make_dir(&work)?;
    let numbered: Vec<(usize, &Mutant)> = all.iter().enumerate().collect();
    let verdicts = jobs::map(&numbered, |(n, m)| {
        verdict(
            &tools,
            &bases[m.base],
            &m.text(&bases),
            &work.join(format!("{n}.ptx")),
        )
    });
    for (mutant, verdict) in all.iter_mut().zip(verdicts) {
        (mutant.verdict, mutant.ptxas_line, mutant.message) = verdict?;
    }
    std::fs::remove_dir_all(&work).ok();
    let (archive, table) = archive::write(&bases, &all)?;
    report(&all, archive, table, start);
    Ok(())
}

/// A module that could become a base, with its instructions.
struct Candidate {
    base: Base,
    insts: Vec<Inst>,
}

/// All small single-kernel modules of the corpus.
fn candidates() -> Outcome<Vec<Candidate>> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for row in manifest::read()?
        .into_iter()
        .filter(|r| r.verdict == "accept" && r.options.is_empty())
    {
        let text = project::read(&project::corpus_dir().join(&row.path))?;
        for module in cut::cut(&text) {
            if module.len() <= LARGEST_BASE
                && module.is_ascii()
                && seen.insert(project::hash(&[&module]))
            {
                let (insts, _) = ptx_shape::instructions(&module);
                let base = Base {
                    id: String::new(),
                    target: row.target.clone(),
                    ptxas: row.ptxas.clone(),
                    origin: row.path.clone(),
                    text: module,
                };
                found.push(Candidate { base, insts });
            }
        }
    }
    Ok(found)
}

/// The sites: (candidate, instruction), a few forms of each opcode, each in the smallest module that has it.
fn choose(candidates: &[Candidate]) -> Vec<(usize, usize)> {
    // opcode -> form -> the smallest module with it, and where in it.
    let mut forms: BTreeMap<&str, BTreeMap<&str, (usize, usize, usize)>> = BTreeMap::new();
    for (c, candidate) in candidates.iter().enumerate() {
        let text = &candidate.base.text;
        for (i, inst) in candidate.insts.iter().enumerate() {
            let entry = forms.entry(&text[inst.opcode.clone()]).or_default();
            let best = entry
                .entry(inst.mnemonic(text))
                .or_insert((text.len(), c, i));
            if text.len() < best.0 {
                *best = (text.len(), c, i);
            }
        }
    }
    let mut sites = Vec::new();
    for forms in forms.values() {
        // The square root keeps `cvt` with its hundreds of forms from drowning `bfind` with its two.
        let wanted = ((forms.len() as f64).sqrt() * 1.6).ceil() as usize;
        let mut spread: Vec<_> = forms.iter().collect();
        spread.sort_by_key(|(form, _)| project::hash(&[form]));
        sites.extend(
            spread
                .into_iter()
                .take(wanted)
                .map(|(_, (_, c, i))| (*c, *i)),
        );
    }
    sites
}

/// Those of the chosen candidates that ptxas accepts (a cut can lose what a kernel needs).
fn accepted(
    tools: &Tools,
    candidates: &[Candidate],
    chosen: BTreeSet<usize>,
) -> Outcome<BTreeSet<usize>> {
    let work = project::root().join("target/mutants");
    project::make_dir(&work)?;
    let chosen: Vec<usize> = chosen.into_iter().collect();
    let verdicts = jobs::map(&chosen, |&i| {
        let base = &candidates[i].base;
        verdict(tools, base, &base.text, &work.join(format!("base{i}.ptx")))
    });
    let mut accepted = BTreeSet::new();
    for (i, v) in chosen.into_iter().zip(verdicts) {
        let (verdict, _, message) = v?;
        if verdict == "accept" {
            accepted.insert(i);
        } else {
            eprintln!("not a base: {}: {message}", candidates[i].base.origin);
        }
    }
    Ok(accepted)
}

fn instruction_mutants(
    bases: &[Base],
    base: usize,
    inst: &Inst,
    made: &mut BTreeMap<(String, &'static str), usize>,
    seen: &mut BTreeSet<u64>,
    all: &mut Vec<Mutant>,
) {
    let text = &bases[base].text;
    let registers = registers(text);
    let form = inst.mnemonic(text);
    let pick = (project::hash(&[form, &bases[base].origin]) % 1_000_003) as usize;
    let site = inst_edits::Site {
        text,
        inst,
        registers: &registers,
        pick,
    };
    let opcode = text[inst.opcode.clone()].to_string();
    let most = if LARGE.contains(&opcode.as_str()) {
        PER_KIND_LARGE
    } else {
        PER_KIND
    };
    for edit in inst_edits::edits(&site) {
        let count = made.entry((opcode.clone(), edit.0)).or_default();
        if *count < most && push(bases, base, &opcode, edit, seen, all) {
            *count += 1;
        }
    }
}

fn frame_mutants(bases: &[Base], seen: &mut BTreeSet<u64>, all: &mut Vec<Mutant>) {
    let step = (bases.len() / FRAMES).max(1);
    for (n, base) in (0..bases.len()).step_by(step).enumerate() {
        for edit in module_edits::edits(&bases[base].text, n) {
            push(bases, base, "-", edit, seen, all);
        }
    }
}

/// Adds a mutant unless its text is the base's or that of another mutant.
fn push(
    bases: &[Base],
    base: usize,
    opcode: &str,
    edit: inst_edits::Edit,
    seen: &mut BTreeSet<u64>,
    all: &mut Vec<Mutant>,
) -> bool {
    let (kind, range, replacement) = edit;
    let mutant = Mutant {
        base,
        kind,
        opcode: opcode.into(),
        range,
        replacement,
        verdict: "",
        ptxas_line: 0,
        message: String::new(),
    };
    let text = mutant.text(bases);
    if text == bases[base].text || !seen.insert(project::hash(&[&text])) {
        return false;
    }
    all.push(mutant);
    true
}

/// The registers of a module: one name of each declaration, and its type.
fn registers(text: &str) -> Vec<(String, String)> {
    let tokens = ptx_shape::tokens(text);
    let word = |i: usize| {
        tokens
            .get(i)
            .map_or("", |t: &ptx_shape::Token| &text[t.range.clone()])
    };
    let mut found = Vec::new();
    for i in (0..tokens.len()).filter(|&i| word(i) == ".reg") {
        let mut k = i + 2;
        while !matches!(word(k), ";" | "") {
            if tokens[k].kind == ptx_shape::Kind::Word {
                let name = if word(k + 1) == "<" {
                    format!("{}1", word(k))
                } else {
                    word(k).to_string()
                };
                found.push((name, word(i + 1).to_string()));
            }
            k += 1;
        }
    }
    found
}

/// ptxas's verdict on a text: the verdict, the first line it names, its first messages.
fn verdict(
    tools: &Tools,
    base: &Base,
    text: &str,
    file: &std::path::Path,
) -> Outcome<(&'static str, usize, String)> {
    let (_, ptxas) = tools.ptxas(&base.target).ok_or("no ptxas")?;
    project::write(file, text)?;
    let mut command = Command::new(ptxas);
    command
        .arg(format!("-arch={}", base.target))
        .args(["-o", "/dev/null"])
        .arg(file);
    let Some(done) = process::capture_within(&mut command, PATIENCE, &file.with_extension("log"))?
    else {
        return Ok(("crash", 0, "did not end".into()));
    };
    std::fs::remove_file(file).ok();
    let mut line = 0;
    let mut messages = Vec::new();
    for said in done
        .output
        .lines()
        .filter(|l| l.contains("error") || l.contains("fatal"))
    {
        if line == 0 {
            line = said
                .split_once(", line ")
                .and_then(|(_, r)| r.split(';').next()?.trim().parse().ok())
                .unwrap_or(0);
        }
        let message = said.rsplit_once(" : ").map_or(said, |(_, m)| m).trim();
        if messages.len() < 3 && !message.starts_with("Ptx assembly aborted") {
            messages.push(message.replace(&file.display().to_string(), "FILE"));
        }
    }
    let verdict = if done.ok {
        "accept"
    } else if done.crashed {
        "crash"
    } else {
        "reject"
    };
    Ok((verdict, line, messages.join(" | ")))
}

fn report(all: &[Mutant], archive: usize, table: usize, start: Instant) {
    let mut kinds: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut opcodes = BTreeSet::new();
    for m in all {
        let column = match m.verdict {
            "accept" => 0,
            "reject" => 1,
            _ => 2,
        };
        kinds.entry(m.kind).or_default()[column] += 1;
        opcodes.insert(&m.opcode);
    }
    for (kind, [accept, reject, crash]) in &kinds {
        println!("  {kind:28} {accept:5} accepted {reject:5} rejected {crash:3} crashed");
    }
    let count = |verdict: &str| all.iter().filter(|m| m.verdict == verdict).count();
    println!(
        "mutants: {} of {} kinds over {} opcodes: {} rejected, {} accepted, {} crash ptxas; {archive} + {table} bytes; {:.0} s",
        all.len(),
        kinds.len(),
        opcodes.len(),
        count("reject"),
        count("accept"),
        count("crash"),
        start.elapsed().as_secs_f64()
    );
}
