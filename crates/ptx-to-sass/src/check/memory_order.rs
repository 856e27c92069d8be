//! Whether what orders memory does so: control words and the instructions around fences.
//!
//! The machine orders memory by separate instructions: `CCTL.IVALL` after a strong load throws away what the first cache
//! has, `MEMBAR` before a store waits for what came before, `ERRBAR` and `CGAERRBAR` wait until it has told of errors. A
//! forward dataflow finds which strong accesses may not have returned at each place.
//!
//! # Rules
//!
//! 1. *At `CCTL.IVALL` the last strong load or atomic operation with a result has returned* ([`What::NotReturned`]): its
//!    scoreboard was waited for since. A cache that is emptied before has time to fetch old data again, which loads after
//!    the acquire would see. Source: an H200 showed the forbidden outcome of message passing without it; ptxas
//!    always waits.
//! 2. *After a `MEMBAR` beyond the block comes `ERRBAR`, and from sm_90 on `CGAERRBAR`, before memory is accessed*
//!    ([`What::NoErrorBarrier`]), *and there is none of them without it* ([`What::NoMembar`]): the store of a release comes
//!    after all three. Fences of a proxy have a `FENCE` or `CCTL.IVALL` in their place. Source: ptxas.
//! 3. *Memory is accessed only after a fence of the block or of a proxy is done* ([`What::NotReturned`]): `MEMBAR` in the
//!    block and `FENCE` raise a scoreboard, which is waited for. Source: ptxas, and an H200 as for rule 1.
//! 4. *Memory is accessed no sooner than four cycles after `CCTL.IVALL`* ([`What::ShortStall`]). Source: ptxas.
//! 5. *In our own code, the result of an operation that spins is not in the register of the value that it compares*
//!    ([`What::ReadAgain`]). Source: an H200 lost updates. Of 446 such operations in ptxas's code for the corpus, 353 have
//!    the result where the new value is, four where the address is, and one where the compared value is.
//!
//! Which accesses must be ordered, code alone does not tell: a strong load without `CCTL.IVALL` is a relaxed one.

use super::flow::Flow;
use super::{Code, Finding, Maker, What};
use warpc_sass::Inst;
use warpc_sass::latency::check::waits;
use warpc_sass::latency::{Effects, File, Role};
use warpc_sass::shape::{Access, Space};
use warpc_target::Sm;

/// The scoreboards, and one place for what raises none.
const BOARDS: usize = 7;

/// What a fence still lacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Owed {
    /// `ERRBAR`, and then `CGAERRBAR` if the chip has it.
    Errors,
    /// `CGAERRBAR`
    ErrorsOfCluster,
}

/// What is known at a place in the code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State {
    /// For each scoreboard the last strong load on some way that may not have returned and that it tells of.
    open: [Option<usize>; BOARDS],
    /// For each scoreboard the first fence that may not be done and that it tells of.
    fences: [Option<usize>; BOARDS],
    /// Fences that lack something on some way.
    owed: Option<(Owed, usize)>,
    /// What emptied the cache, and the cycles since then.
    emptied: Option<(u8, usize)>,
}

impl State {
    /// Adds what may be on another way; whether it changed.
    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        let own = self.open.iter_mut().chain(&mut self.fences);
        for (own, other) in own.zip(other.open.iter().chain(&other.fences)) {
            *own = least(*own, *other);
        }
        self.emptied = least(self.emptied, other.emptied);
        self.owed = least(self.owed, other.owed);
        *self != before
    }

    fn step(&mut self, chip: Sm, at: usize, inst: &Inst, report: &mut dyn FnMut(What)) {
        for (board, held) in waits(inst) {
            if held == 0 && board < BOARDS {
                self.open[board] = None;
                self.fences[board] = None;
            }
        }
        let shape = inst.shape;
        let is_done = inst.control.stall == 0 && !inst.control.keep;
        let told = |board: u8| usize::from(board).min(BOARDS - 1);
        if touches(inst) {
            self.access(report);
        }
        match shape.opcode() {
            "CCTL" if shape.has("IVALL") => {
                for from in self.open.into_iter().flatten() {
                    report(What::NotReturned { from });
                }
                self.pass_fence(report);
                self.open = Default::default();
                self.emptied = Some((0, at));
            }
            "FENCE" => {
                self.pass_fence(report);
                self.fences = Default::default();
                self.raise_fence(at, is_done, told(inst.control.write));
            }
            // On other chips than Hopper, ptxas does not always have it raise a scoreboard.
            "MEMBAR" if shape.has("CTA") => {
                let is_done = is_done || !(90..100).contains(&chip.number());
                self.raise_fence(at, is_done, told(inst.control.read));
            }
            "MEMBAR" => {
                // It waits for the narrower ones before it.
                self.fences = Default::default();
                self.owed = Some((Owed::Errors, at));
            }
            "ERRBAR" => {
                // What was loaded before the fence is there.
                self.open = Default::default();
                if !matches!(self.owed, Some((Owed::Errors, _))) {
                    report(What::NoMembar);
                }
                self.owed = match self.owed {
                    Some((_, from)) if chip.number() >= 90 => Some((Owed::ErrorsOfCluster, from)),
                    _ => None,
                };
            }
            "CGAERRBAR" => {
                if !matches!(self.owed, Some((Owed::ErrorsOfCluster, _))) {
                    report(What::NoMembar);
                }
                self.owed = None;
            }
            // What was loaded before is relaxed, or was waited for.
            _ if is_strong_load(inst) => {
                self.open = Default::default();
                if !is_done {
                    self.open[told(inst.control.write)] = Some(at);
                }
            }
            _ => {}
        }
        self.emptied = self.emptied.and_then(|(cycles, from)| {
            let cycles = cycles.saturating_add(inst.control.stall);
            (cycles < AFTER_EMPTIED && !is_done).then_some((cycles, from))
        });
    }

    fn raise_fence(&mut self, at: usize, is_done: bool, board: usize) {
        if !is_done {
            self.fences[board] = least(self.fences[board], Some(at));
        }
    }

    /// A fence of a proxy waits for no errors.
    fn pass_fence(&mut self, report: &mut dyn FnMut(What)) {
        if let Some((Owed::ErrorsOfCluster, from)) = self.owed.take() {
            report(What::NoErrorBarrier { from });
        }
    }

    /// Memory is accessed here.
    fn access(&mut self, report: &mut dyn FnMut(What)) {
        if let Some((_, from)) = self.owed.take() {
            report(What::NoErrorBarrier { from });
        }
        for from in self.fences.iter_mut().filter_map(Option::take) {
            report(What::NotReturned { from });
        }
        if self.emptied.take().is_some() {
            report(What::ShortStall);
        }
    }
}

/// Cycles from `CCTL.IVALL` to an access.
const AFTER_EMPTIED: u8 = 4;

/// Whether an instruction accesses memory that others may, too.
fn touches(inst: &Inst) -> bool {
    let memory = inst.shape.memory();
    let is_never = inst.guard.not && inst.guard.predicate == 7;
    !is_never
        && !matches!(
            memory.space,
            Space::None | Space::Constant | Space::Local | Space::Texture
        )
        && memory.access.intersects(Access::READ | Access::WRITE)
}

fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Whether an instruction loads what others may be writing, in a way that orders can be made of.
fn is_strong_load(inst: &Inst) -> bool {
    let memory = inst.shape.memory();
    let shape = inst.shape;
    let is_wide = shape.has("GPU") || shape.has("SYS") || shape.has("VC");
    let has_result = || {
        let effects = Effects::of(inst);
        (effects.accesses.iter()).any(|one| one.is_write() && one.file == File::Register)
    };
    matches!(memory.space, Space::Global | Space::Generic)
        && memory.access.contains(Access::READ)
        && shape.has("STRONG")
        && is_wide
        && has_result()
}

/// Where the compared value of a compare-and-swap stands.
const COMPARED: Role = Role::Source(32);

/// The register of an operation that spins which is both its result and what it compares.
fn read_again(inst: &Inst) -> Option<u8> {
    if !inst.shape.has("SPIN") {
        return None;
    }
    let effects = Effects::of(inst);
    let own = |written: bool| {
        let accesses = effects.accesses.iter();
        let accesses = accesses.filter(|one| one.file == File::Register);
        let role = if written { Role::Result } else { COMPARED };
        accesses
            .filter(move |one| one.role == role)
            .flat_map(|one| one.numbers())
    };
    own(true).find(|register| own(false).any(|read| read == *register))
}

/// The findings in code.
pub fn check(code: &Code, flow: &Flow, maker: Maker) -> Vec<Finding> {
    let mut before: Vec<Option<State>> = vec![None; flow.blocks.len()];
    let mut work: Vec<usize> = Vec::new();
    for function in flow.functions.iter().filter(|one| one.is_entry) {
        before[function.entry] = Some(State::default());
        work.push(function.entry);
    }
    while let Some(number) = work.pop() {
        let Some(mut state) = before[number].clone() else {
            continue;
        };
        let block = &flow.blocks[number];
        for at in block.start..block.end {
            state.step(code.chip, at, &code.insts[at], &mut |_| {});
        }
        for next in flow.successors(number) {
            let changed = match &mut before[next] {
                Some(known) => known.join(&state),
                none => {
                    *none = Some(state.clone());
                    true
                }
            };
            if changed {
                work.push(next);
            }
        }
    }
    let mut found = Vec::new();
    for (block, before) in flow.blocks.iter().zip(before) {
        let Some(mut state) = before else { continue };
        for at in block.start..block.end {
            let inst = &code.insts[at];
            let is_last = waits_at_exit(&code.insts[at..]);
            let mut report = |what: What| {
                // What waits for errors before a thread ends needs no fence.
                if !(is_last && matches!(what, What::NoMembar)) {
                    found.push(Finding { at, what });
                }
            };
            if let Some(register) = read_again(inst).filter(|_| maker == Maker::Own) {
                report(What::ReadAgain { register });
            }
            state.step(code.chip, at, inst, &mut report);
        }
    }
    found
}
/// Whether instructions begin with waits for errors, and then the thread ends.
fn waits_at_exit(insts: &[Inst]) -> bool {
    let is_wait = |inst: &&Inst| matches!(inst.shape.opcode(), "ERRBAR" | "CGAERRBAR");
    let mut others = insts.iter().skip_while(is_wait);
    others
        .next()
        .is_some_and(|inst| inst.shape.opcode() == "EXIT")
}
