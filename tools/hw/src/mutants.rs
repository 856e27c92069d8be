//! Our own machine code, damaged: what the judges (`warpc_ptx_to_sass::check`) and the emulator of machine code notice.
//!
//! ```text
//!   PTX ──► Subject: kernels with the IR they were made from, launches ──Damage──► one or two other instructions
//!                                                                                      │ judges, then the emulator
//!                                                                  Figures: who noticed it, or why it does no harm
//! ```
//!
//! Every damage is judged as a whole kernel: by scoreboards and convergence, by registers, and, where none of them finds
//! anything, by running the launches of the kernel. What nobody notices is put down with a reason that is worked out
//! from the code; a damage without one counts against the judges.

mod cover;
pub mod damage;
pub mod subject;
pub mod task;
mod unused;

use cover::Told;
use damage::{DAMAGES, Damage, Mutant};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use subject::Subject;
use unused::Ways;
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_ptx_to_sass::check::{Assembled, Code, scoreboards};
use warpc_sass::latency::Effects;

/// Who noticed a damage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The judges of scoreboards and convergence.
    Code,
    /// The judge of registers.
    Registers,
    /// The emulator of machine code.
    Emulator,
    /// Nobody; why it does no harm.
    Harmless(&'static str),
    /// Nobody, and it is not known why.
    Missed,
}

/// Sections that are longer are not damaged: each damage is judged as a whole.
const LONGEST: usize = 3_000;

/// What became of the damages.
#[derive(Default)]
pub struct Figures {
    /// For each kind of damage how often there was each verdict.
    pub verdicts: BTreeMap<Damage, BTreeMap<Verdict, usize>>,
    /// Damages that nobody noticed, as text.
    pub survivors: Vec<String>,
}

/// Tries about so many damages of each kind, evenly over all subjects.
pub fn try_damages(subjects: &mut [Subject], tried: usize) -> Figures {
    let mut figures = Figures::default();
    for damage in DAMAGES {
        let all: usize = subjects.iter().map(|one| count(one, damage)).sum();
        let step = all.div_ceil(tried.max(1)).max(1);
        let mut number = 0usize;
        for subject in subjects.iter_mut() {
            for kernel in 0..subject.kernels.len() {
                try_kernel(subject, kernel, damage, step, &mut number, &mut figures);
            }
        }
    }
    figures
}

fn origins(kernel: &Assembled) -> Vec<Option<u32>> {
    let parts = kernel.parts.iter();
    parts
        .flat_map(|part| part.origins.iter().copied())
        .collect()
}

fn count(subject: &Subject, damage: Damage) -> usize {
    let kernels = subject
        .kernels
        .iter()
        .filter(|one| one.insts.len() <= LONGEST);
    let each = kernels.map(|kernel| {
        let origins = origins(kernel);
        let places = 0..kernel.insts.len();
        places
            .map(|at| damage.at(kernel, &origins, at).len())
            .sum::<usize>()
    });
    each.sum()
}

fn try_kernel(
    subject: &mut Subject,
    kernel: usize,
    damage: Damage,
    step: usize,
    number: &mut usize,
    figures: &mut Figures,
) {
    if subject.kernels[kernel].insts.len() > LONGEST {
        return;
    }
    let origins = origins(&subject.kernels[kernel]);
    for at in 0..origins.len() {
        for mutant in damage.at(&subject.kernels[kernel], &origins, at) {
            *number += 1;
            if !number.is_multiple_of(step) {
                continue;
            }
            let verdict = judged(subject, kernel, damage, &mutant);
            let verdicts = figures.verdicts.entry(damage).or_default();
            *verdicts.entry(verdict).or_default() += 1;
            if let Verdict::Harmless(_) | Verdict::Missed = verdict {
                let own = &subject.kernels[kernel];
                let mut text = format!("{damage:?}: {}: {}: {verdict:?}", subject.name, own.name);
                for (at, inst) in &mutant {
                    let before = &own.insts[*at];
                    let _ = write!(
                        text,
                        "\n    {:04x} {} {before}\n      -> {} {inst}",
                        16 * at,
                        before.control,
                        inst.control
                    );
                }
                figures.survivors.push(text);
            }
        }
    }
}

/// Puts the instructions of a mutant in, and gives back those that were there.
fn swap(kernel: &mut Assembled, mutant: &Mutant) -> Mutant {
    let swapped = mutant.iter().map(|(at, inst)| {
        let before = std::mem::replace(&mut kernel.insts[*at], inst.clone());
        (*at, before)
    });
    swapped.collect()
}

fn judged(subject: &mut Subject, kernel: usize, damage: Damage, mutant: &Mutant) -> Verdict {
    let own = &mut subject.kernels[kernel];
    let before = swap(own, mutant);
    let verdict = match () {
        () if !own.check_code().is_empty() => Some(Verdict::Code),
        () if !damage.is_of_schedule() && !own.check_registers().is_empty() => {
            Some(Verdict::Registers)
        }
        () => None,
    };
    swap(own, &before);
    if let Some(verdict) = verdict {
        return verdict;
    }
    if subject.is_noticed(kernel, mutant) {
        return Verdict::Emulator;
    }
    why(&subject.kernels[kernel], damage, mutant).map_or(Verdict::Missed, Verdict::Harmless)
}

/// Why a damage does no harm, as far as that is known from the code. The kernel is the undamaged one.
fn why(kernel: &Assembled, damage: Damage, mutant: &Mutant) -> Option<&'static str> {
    let (at, changed) = mutant.first()?;
    let (at, own) = (*at, kernel.insts.get(*at)?);
    let code = Code {
        chip: kernel.chip,
        insts: &kernel.insts,
        entries: &[0],
        indirect: &[],
        spills: &[],
    };
    let flow = Flow::of(&code);
    let block = flow.blocks.partition_point(|block| block.end <= at);
    let block = flow.blocks.get(block)?;
    if !block.reached {
        return Some("never executed");
    }
    let ways = Ways {
        insts: &kernel.insts,
        flow: &flow,
    };
    let has_result = |inst: &warpc_sass::Inst| {
        let effects = Effects::of(inst);
        effects.accesses.iter().any(|one| one.is_write())
    };
    match damage {
        Damage::Wait => {
            let board = (own.control.wait ^ changed.control.wait).trailing_zeros() as u8;
            Some(match scoreboards::awaited(&code, &flow, at, board) {
                0 => "no register is open that the scoreboard tells of",
                _ => "what is open is not used before it is waited for again",
            })
        }
        Damage::Stall if changed.control.stall < own.shape.issue() => {
            Some("the pipe takes no instruction earlier")
        }
        // The judge holds every pair of uses against the latencies; with one cycle less all are kept.
        Damage::Stall if !has_result(own) => {
            Some("it has no result, and nobody writes its operands so early")
        }
        Damage::Stall if at + 1 == block.end => Some("nobody after the block is that close"),
        Damage::Stall => Some("who needs the time has it from other stalls or a scoreboard"),
        Damage::WriteBoard | Damage::ReadBoard | Damage::OtherBoard => {
            let told = match own.control.write == changed.control.write {
                true => Told::Operands,
                false => Told::Results,
            };
            cover::why(&kernel.insts, &flow, at, changed, told)
        }
        Damage::Reload | Damage::Spill => ways.why_spilled(at),
        Damage::CallSaved if matches!(own.shape.opcode(), "LDL" | "STL") => ways.why_spilled(at),
        Damage::Acquire => {
            // What is waited for there is something else: the barrier of a cluster, a fence, or copies.
            let before = kernel.insts[block.start..at].iter().rev();
            let mut before = before.map(|inst| inst.shape.opcode());
            let ordering = ["UCGABAR_WAIT", "ERRBAR", "CGAERRBAR", "MEMBAR", "DEPBAR"];
            let last = before.find(|opcode| {
                ordering.contains(opcode) || opcode.starts_with("LD") || opcode.starts_with("ATOM")
            });
            let is_of_barrier = last.is_some_and(|opcode| ordering.contains(&opcode));
            is_of_barrier.then_some("the acquire is of a barrier, a fence or copies, not of a load")
        }
        Damage::WrittenLane | Damage::Results => ways.why_written(mutant),
        Damage::Remade => ways.why_remade(at).or_else(|| ways.why_written(mutant)),
        Damage::Trespass => ways.why_trespassed(at, changed),
        _ => None,
    }
}

impl Figures {
    /// How many of a kind of damage were noticed, how many do no harm, and how many were missed.
    fn totals(&self, damage: Option<Damage>) -> (usize, usize, usize) {
        let mut totals = (0, 0, 0);
        let chosen = self
            .verdicts
            .iter()
            .filter(|(one, _)| damage.is_none_or(|damage| damage == **one));
        for (verdict, count) in chosen.flat_map(|(_, verdicts)| verdicts) {
            match verdict {
                Verdict::Harmless(_) => totals.1 += count,
                Verdict::Missed => totals.2 += count,
                _ => totals.0 += count,
            }
        }
        totals
    }

    /// How many were noticed of those that are not known to do no harm.
    pub fn noticed(&self) -> (usize, usize) {
        let (noticed, _, missed) = self.totals(None);
        (noticed, noticed + missed)
    }

    /// Two tables: who noticed what, and why the others do no harm.
    pub fn tables(&self) -> (String, String) {
        let mut table = String::from(
            "| damage | tried | code alone | registers | `sass-sim` | no harm | missed |\n\
             |---|---:|---:|---:|---:|---:|---:|\n",
        );
        let mut reasons =
            String::from("| not noticed | why it does no harm | damages |\n|---|---|---:|\n");
        for (damage, verdicts) in &self.verdicts {
            let of = |verdict: Verdict| verdicts.get(&verdict).copied().unwrap_or(0);
            let (noticed, harmless, missed) = self.totals(Some(*damage));
            let _ = writeln!(
                table,
                "| {} | {} | {} | {} | {} | {harmless} | {missed} |",
                damage.text(),
                noticed + harmless + missed,
                of(Verdict::Code),
                of(Verdict::Registers),
                of(Verdict::Emulator),
            );
            for (verdict, count) in verdicts {
                if let Verdict::Harmless(why) = verdict {
                    let _ = writeln!(reasons, "| {} | {why} | {count} |", damage.text());
                }
            }
        }
        let (noticed, harmless, missed) = self.totals(None);
        let _ = writeln!(
            table,
            "| all | {} | | | | {harmless} | {missed} |",
            noticed + harmless + missed
        );
        (table, reasons)
    }
}
