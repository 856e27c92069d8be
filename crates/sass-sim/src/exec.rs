//! Execution: one instruction for the lanes of a fragment, in the file of its family.
//!
//! ```text
//!   Machine::step ──► time (guard, operands) ──► guard ──► exec/{integer,number,lane,memory,control} ──► Flow
//! ```

mod control;
mod group;
mod integer;
mod lane;
mod matrix;
mod mbarrier;
mod memory;
mod number;
mod system;
mod tensor;

use crate::finding::{Finding, Problem};
use crate::grid::{Group, Launched};
use crate::memory::Global;
use crate::op::{Step, What};
use crate::operand::{From, In};
use crate::time::Late;
use crate::warp::{Lanes, State, Warp, further};
pub(crate) use control::wake as control_wake;

/// Everything that an instruction can reach besides its own warp.
pub(crate) struct Machine<'a> {
    pub(crate) launched: &'a Launched<'a>,
    pub(crate) global: &'a mut Global,
    pub(crate) group: &'a mut Group,
    /// The block of the group whose warp runs.
    pub(crate) block: usize,
    pub(crate) findings: &'a mut Vec<Finding>,
    pub(crate) counts: &'a mut crate::Counts,
    /// What was met while operands were read.
    pub(crate) problem: Option<Problem>,
}

/// Where a fragment goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// At the next instruction.
    Next,
    /// The step has placed the fragment itself.
    Placed,
    /// At the next instruction, after others.
    Yield,
}

/// A problem of some lanes.
pub(crate) type Fault = (Problem, u32);

/// An instruction touches a register that its warp does not have.
fn not_allocated(end: u32, allocated: u32) -> Problem {
    Problem::Other(format!(
        "R{} is used where the warp has {allocated} registers",
        end.saturating_sub(1)
    ))
}

impl Machine<'_> {
    /// Executes the next instruction of a fragment. The number of lanes that did comes back, and whether the fragment
    /// goes on right away.
    pub(crate) fn step(&mut self, warp: &mut Warp, index: usize) -> Result<(u32, bool), Fault> {
        let launched = self.launched;
        let fragment = &mut warp.fragments[index];
        let (lanes, at) = (fragment.lanes, fragment.at);
        let Some(step) = launched.kernel.steps.get(at as usize) else {
            let target = i64::from(at) * 16;
            return Err((Problem::BadJump { target }, lanes));
        };
        let Some(step) = step else {
            let text = launched.kernel.text(at);
            return Err((Problem::Unsupported { text }, lanes));
        };
        let end = launched.kernel.ends.get(at as usize);
        if end.is_some_and(|end| *end > warp.allocated) {
            return Err((not_allocated(*end.unwrap_or(&0), warp.allocated), lanes));
        }
        let Some(rules) = &launched.rules else {
            let active = warp.guarded(step.guard, lanes);
            let flow = self.execute(warp, index, step, active)?;
            return Ok((active.count_ones(), self.go_on(warp, index, flow)));
        };
        let mut late = Late::default();
        warp.elapsed = warp.elapsed.max(fragment.clock.begin(step));
        fragment.clock.guard(rules, step, lanes, &mut late);
        for (file, number, lanes) in &late.old {
            warp.swap_old(*file, *number, *lanes);
        }
        let active = warp.guarded(step.guard, lanes);
        for (file, number, lanes) in late.old.drain(..) {
            warp.swap_old(file, number, lanes);
        }
        let id = warp.issued;
        warp.issued += 1;
        let clock = &mut warp.fragments[index].clock;
        if active != 0 {
            clock.check(rules, step, active, &mut late);
        }
        if !late.found.is_empty() {
            self.report(warp, at, lanes, &late);
        }
        let issue = (id, warp.elapsed);
        let clock = &mut warp.fragments[index].clock;
        warp.elapsed += clock.end(rules, issue, at, step, active);
        for (file, number, lanes) in &late.old {
            warp.swap_old(*file, *number, *lanes);
        }
        let swapped = |file, number| late.old.iter().any(|one| (one.0, one.1) == (file, number));
        for &(file, number) in step.written.iter().filter(|one| !swapped(one.0, one.1)) {
            warp.keep(file, number);
        }
        let flow = self.execute(warp, index, step, active)?;
        for (file, number, lanes) in &late.old {
            if !step.written.contains(&(*file, *number)) {
                warp.swap_old(*file, *number, *lanes);
            }
        }
        Ok((active.count_ones(), self.go_on(warp, index, flow)))
    }

    /// Places a fragment after its step; whether it goes on right away.
    fn go_on(&mut self, warp: &mut Warp, index: usize, flow: Flow) -> bool {
        match flow {
            Flow::Next | Flow::Yield => {
                if let Some(fragment) = warp.fragments.get_mut(index) {
                    fragment.at += 1;
                }
                flow == Flow::Next
            }
            Flow::Placed => warp
                .fragments
                .get(index)
                .is_some_and(|one| one.state == State::Ready),
        }
    }

    /// Notes instructions that came too early; each pair of instructions once.
    fn report(&mut self, warp: &Warp, at: u32, lanes: u32, late: &Late) {
        for early in &late.found {
            let known = self.findings.iter().any(|one| match &one.problem {
                Problem::Early(known) => {
                    let same = (known.first, known.file, known.number, known.hazard);
                    one.place == at * 16
                        && same == (early.first, early.file, early.number, early.hazard)
                }
                _ => false,
            });
            if !known && self.findings.len() < crate::MOST_FINDINGS {
                let finding = self.finding(Problem::Early(*early), warp, at, lanes);
                self.findings.push(finding);
            }
        }
    }

    /// A finding at an instruction.
    pub(crate) fn finding(&self, problem: Problem, warp: &Warp, at: u32, lanes: u32) -> Finding {
        let lane = lanes.trailing_zeros().min(31);
        let launched = self.launched;
        let number = warp.number * 32 + lane;
        let [x, y, _] = launched.block;
        Finding {
            problem,
            place: at * 16,
            text: launched.kernel.text(at),
            kernel: launched.kernel.name.clone(),
            block: self.group.blocks[self.block].position,
            thread: [number % x, number / x % y, number / x / y],
        }
    }

    fn execute(
        &mut self,
        warp: &mut Warp,
        index: usize,
        step: &Step,
        active: u32,
    ) -> Result<Flow, Fault> {
        let flow = match control::run(self, warp, index, step, active)? {
            Some(flow) => flow,
            None if active == 0 => Flow::Next,
            None => {
                let done = integer::run(self, warp, step, active)
                    || number::run(self, warp, step, active)
                    || lane::run(self, warp, step, active)
                    || matrix::run(self, warp, step, active)
                    || memory::run(self, warp, step, active)?
                    || mbarrier::run(self, warp, step, active)?
                    || tensor::run(self, warp, step, active)?
                    || group::run(self, warp, step, active)?;
                debug_assert!(done || matches!(step.what, What::Nothing));
                Flow::Next
            }
        };
        match self.problem.take() {
            Some(problem) => Err((problem, active)),
            None => Ok(flow),
        }
    }

    /// The bits of a source in each lane, without its marks.
    #[inline]
    pub(crate) fn bits(&mut self, warp: &Warp, source: In) -> Lanes {
        match source.from {
            From::Register(number) => warp.register(number),
            From::Uniform(number) => [warp.uniform(number); 32],
            From::Number(number) => [number as u32; 32],
            From::Constant { bank, offset } => [self.constant(bank, offset.into(), 4) as u32; 32],
            // Such instructions are refused when they are loaded.
            From::Bindless { .. } => [0; 32],
        }
    }

    /// The 64 bits of a source in each lane, without its marks.
    pub(crate) fn long_bits(&mut self, warp: &Warp, source: In) -> [u64; 32] {
        let low = self.bits(warp, source);
        let high = self.bits(warp, further(source, 1));
        std::array::from_fn(|lane| u64::from(low[lane]) | u64::from(high[lane]) << 32)
    }

    /// Bytes of a constant bank.
    pub(crate) fn constant(&mut self, bank: u8, offset: i64, bytes: usize) -> u64 {
        let data = self
            .launched
            .banks
            .get(usize::from(bank))
            .map_or(&[][..], Vec::as_slice);
        let place = usize::try_from(offset).ok();
        let found = place.and_then(|place| data.get(place..place.checked_add(bytes)?));
        match found {
            Some(found) => {
                let mut whole = [0; 8];
                whole[..bytes].copy_from_slice(found);
                u64::from_le_bytes(whole)
            }
            None => {
                self.problem.get_or_insert(Problem::OutsideBank {
                    bank,
                    offset,
                    size: data.len() as u64,
                });
                0
            }
        }
    }
}

/// The lanes whose value is not zero.
pub(crate) fn mask(test: impl Fn(usize) -> bool) -> u32 {
    (0..32).fold(0, |mask, lane| mask | u32::from(test(lane)) << lane)
}
