//! What each convergence barrier may be.

use super::{Condition, Meeting, What, barrier, condition, meeting_place};
use crate::check::flow::is_conditional;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;
use warpc_sass::latency::Effects;
use warpc_sass::{Inst, Value};

/// How many there are.
const COUNT: usize = 16;

/// What a barrier may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Status {
    /// Not set.
    Unset,
    /// As the caller left it.
    Callers,
    /// What was in a register.
    Restored,
    /// Set by an instruction.
    Set {
        /// The instruction.
        by: usize,
        /// The place that it names.
        place: usize,
        /// Whether the whole warp was there.
        whole: bool,
        /// The barriers that were set before it on every way and have been since, a bit each.
        inside: u16,
    },
}

impl Status {
    /// Whether it was set while another barrier was.
    fn is_inside(self, number: u8) -> bool {
        matches!(self, Status::Set { inside, .. } if inside >> number & 1 == 1)
    }

    /// The same, but not inside another barrier.
    fn outside(mut self, number: u8) -> Status {
        if let Status::Set { inside, .. } = &mut self {
            *inside &= !(1 << number);
        }
        self
    }
}

/// The barriers at a place in the code.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Barriers {
    all: [SmallVec<[Status; 1]>; COUNT],
    /// Barriers that lanes have left for which a condition holds.
    left: SmallVec<[(u8, Condition); 1]>,
    /// The caller's barriers that were taken and are not restored, a bit each.
    owed: u16,
}

impl Default for Barriers {
    /// As a kernel begins.
    fn default() -> Barriers {
        Barriers {
            all: std::array::from_fn(|_| smallvec![Status::Unset]),
            left: SmallVec::new(),
            owed: 0,
        }
    }
}

impl Barriers {
    /// Adds what may be on another way; whether it changed.
    pub fn join(&mut self, other: &Barriers) -> bool {
        let mut changed = other.owed & !self.owed != 0;
        self.owed |= other.owed;
        // What only some lanes have left on one way only may be either.
        let mut other = other.clone();
        for at in (0..self.left.len()).rev() {
            if !other.left.contains(&self.left[at]) {
                let (barrier, _) = self.left.remove(at);
                add(&mut self.all[usize::from(barrier)], Status::Unset);
                changed = true;
            }
        }
        for one in std::mem::take(&mut other.left) {
            if !self.left.contains(&one) {
                add(&mut other.all[usize::from(one.0)], Status::Unset);
            }
        }
        for (own, other) in self.all.iter_mut().zip(&other.all) {
            for status in other {
                changed |= add(own, *status);
            }
        }
        changed
    }

    /// Steps over an instruction; whether the whole warp is together after it, where it says anything about that.
    /// `broken` are the instructions whose barriers some lanes leave.
    pub fn step(
        &mut self,
        at: usize,
        inst: &Inst,
        whole: bool,
        broken: &mut BTreeSet<usize>,
        report: &mut dyn FnMut(What),
    ) -> Option<bool> {
        let mut met = None;
        match inst.shape.opcode() {
            "BSSY" => self.set(at, inst, whole, report),
            "BSYNC" => met = self.sync(at, inst, broken, report),
            "BREAK" => self.leave(inst, broken, report),
            "BMOV" => self.mov(inst),
            "RET" => self.ret(report),
            _ => {}
        }
        // A predicate that changes no longer tells who has left.
        for access in &Effects::of(inst).accesses {
            if !access.is_write() {
                continue;
            }
            let changes = |condition: &Condition| {
                condition
                    .iter()
                    .any(|one| access.file == one.0 && access.first == one.1)
            };
            for index in (0..self.left.len()).rev() {
                if changes(&self.left[index].1) {
                    let (barrier, _) = self.left.remove(index);
                    add(&mut self.all[usize::from(barrier)], Status::Unset);
                }
            }
        }
        met
    }

    /// What follows from where a branch with the condition of a `BREAK` goes.
    pub fn branch(&mut self, inst: &Inst, taken: bool) {
        if inst.shape.opcode() != "BRA" || inst.shape.has("DIV") {
            return;
        }
        let condition = condition(inst);
        self.left.retain(|(barrier, one)| {
            let gone = match &one[..] {
                _ if *one == condition => taken,
                [(file, number, not)] if condition[..] == [(*file, *number, !not)] => !taken,
                _ => return true,
            };
            if gone {
                self.all[usize::from(*barrier)] = smallvec![Status::Unset];
            }
            false
        });
    }

    /// The barriers at the start of a function that is called here.
    pub fn called(&self) -> Barriers {
        let mut barriers = self.clone();
        barriers.owed = 0;
        for (barrier, _) in std::mem::take(&mut barriers.left) {
            add(&mut barriers.all[usize::from(barrier)], Status::Unset);
        }
        for all in &mut barriers.all {
            let mut callers: SmallVec<[Status; 1]> = SmallVec::new();
            for status in all.iter() {
                let status = match status {
                    Status::Unset => Status::Unset,
                    _ => Status::Callers,
                };
                add(&mut callers, status);
            }
            *all = callers;
        }
        barriers
    }

    /// The instructions that may have set a barrier, if it is set on every way and no lane leaves it.
    pub fn set_by(&self, barrier: u8, broken: &BTreeSet<usize>) -> Option<Meeting> {
        let status = self.status(barrier);
        let each = status.iter().map(|status| match status {
            Status::Set { by, .. } if !broken.contains(by) => Some(*by),
            _ => None,
        });
        let by = each.collect::<Option<_>>()?;
        Some(Meeting { barrier, by })
    }

    /// What a barrier may be, those that lanes have left included.
    fn status(&self, barrier: u8) -> SmallVec<[Status; 2]> {
        let mut all: SmallVec<[Status; 2]> = SmallVec::from_slice(&self.all[usize::from(barrier)]);
        if self.left.iter().any(|one| one.0 == barrier) && !all.contains(&Status::Unset) {
            all.push(Status::Unset);
        }
        all
    }

    fn set(&mut self, at: usize, inst: &Inst, whole: bool, report: &mut dyn FnMut(What)) {
        let Some(number) = barrier(inst) else { return };
        for status in self.status(number) {
            match status {
                Status::Unset | Status::Restored => {}
                Status::Callers => report(What::SetAgain {
                    barrier: number,
                    by: at,
                }),
                Status::Set { by, .. } => report(What::SetAgain {
                    barrier: number,
                    by,
                }),
            }
        }
        let set = Status::Set {
            by: at,
            place: meeting_place(inst, at),
            whole,
            inside: self.held() & !(1 << number),
        };
        self.put(inst, number, set);
    }

    /// Gives a barrier a status, in lanes that the guard names.
    fn put(&mut self, inst: &Inst, number: u8, status: Status) {
        let all = &mut self.all[usize::from(number)];
        match is_conditional(inst) {
            true => _ = add(all, status),
            false => {
                *all = smallvec![status];
                self.left.retain(|one| one.0 != number);
                self.forget(number);
            }
        }
    }

    /// The barriers that are set on every way.
    fn held(&self) -> u16 {
        let all = (0..COUNT as u8).filter(|number| {
            let status = self.status(*number);
            status.iter().all(|one| matches!(one, Status::Set { .. }))
        });
        all.fold(0, |held, number| held | 1 << number)
    }

    /// No barrier is inside this one any more.
    fn forget(&mut self, number: u8) {
        for all in &mut self.all {
            if !all.iter().any(|one| one.is_inside(number)) {
                continue;
            }
            let mut rest = SmallVec::new();
            for one in all.iter() {
                add(&mut rest, one.outside(number));
            }
            *all = rest;
        }
    }

    fn sync(
        &mut self,
        at: usize,
        inst: &Inst,
        broken: &BTreeSet<usize>,
        report: &mut dyn FnMut(What),
    ) -> Option<bool> {
        let number = barrier(inst)?;
        let mut all_whole = true;
        for status in self.status(number) {
            match status {
                Status::Unset | Status::Callers => {
                    all_whole = false;
                    report(What::Unset { barrier: number });
                }
                Status::Restored => all_whole = false,
                Status::Set {
                    by, place, whole, ..
                } => {
                    all_whole &= whole && !broken.contains(&by);
                    if place != at + 1 {
                        report(What::OtherPlace {
                            barrier: number,
                            by,
                            place,
                        });
                    }
                }
            }
        }
        for (inner, all) in (0u8..).zip(&self.all) {
            for status in all.iter().filter(|one| one.is_inside(number)) {
                if let Status::Set { by, .. } = *status {
                    let barrier = inner;
                    report(What::StillSet { barrier, by });
                }
            }
        }
        self.put(inst, number, Status::Unset);
        Some(all_whole && !is_conditional(inst))
    }

    fn leave(&mut self, inst: &Inst, broken: &mut BTreeSet<usize>, report: &mut dyn FnMut(What)) {
        let Some(number) = barrier(inst) else { return };
        if self
            .status(number)
            .iter()
            .any(|status| matches!(status, Status::Unset | Status::Callers))
        {
            report(What::Unset { barrier: number });
        }
        for status in &self.all[usize::from(number)] {
            if let Status::Set { by, .. } = status {
                broken.insert(*by);
            }
        }
        let condition = condition(inst);
        if condition.is_empty() {
            self.put(inst, number, Status::Unset);
            return;
        }
        let one = (number, condition);
        if !self.left.contains(&one) {
            self.left.push(one);
        }
    }

    /// `BMOV.32.CLEAR R2, B6`, `BMOV.32 B6, R2`, `BMOV.32.CLEAR B1, B0` and `BMOV.32 B6, 0x0`
    fn mov(&mut self, inst: &Inst) {
        let mut barriers = inst.values().filter_map(|value| match value {
            Value::Barrier(number) => Some(number),
            _ => None,
        });
        let writes = matches!(inst.values().next(), Some(Value::Barrier(_)));
        let target = if writes { barriers.next() } else { None };
        let source = barriers.next().filter(|one| usize::from(*one) < COUNT);
        if let Some(number) = target.filter(|one| usize::from(*one) < COUNT) {
            self.owed &= !(1 << number);
            let moved = match (source, inst.values().find_map(Value::number)) {
                (Some(source), _) => self.status(source),
                (None, Some(0)) => smallvec![Status::Unset],
                (None, _) => smallvec![Status::Restored],
            };
            for (index, status) in moved.into_iter().enumerate() {
                match index {
                    0 => self.put(inst, number, status),
                    _ => _ = add(&mut self.all[usize::from(number)], status),
                }
            }
        }
        if let Some(number) = source.filter(|_| inst.shape.has("CLEAR")) {
            if self.status(number).contains(&Status::Callers) {
                self.owed |= 1 << number;
            }
            self.put(inst, number, Status::Unset);
        }
    }

    fn ret(&self, report: &mut dyn FnMut(What)) {
        for (number, all) in (0u8..).zip(&self.all) {
            for status in all {
                if let Status::Set { by, .. } = status {
                    let barrier = number;
                    report(What::LeftSet { barrier, by: *by });
                }
            }
            if self.owed >> number & 1 == 1 {
                report(What::Lost { barrier: number });
            }
        }
    }
}

fn add(all: &mut SmallVec<[Status; 1]>, status: Status) -> bool {
    match all.binary_search(&status) {
        Ok(_) => false,
        Err(at) => {
            all.insert(at, status);
            true
        }
    }
}
