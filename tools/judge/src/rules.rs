//! The rules: what must hold on every way through a kernel.
//!
//! The judge goes every way through the steps, with what it has seen on it, and stops where it has been
//! with the same. At the end of a way, and at each access that follows the operation, it asks:
//!
//! 1. Every access of the location is strong and reaches as far as was asked.
//! 2. Acquire: the last access of the location acquires, or a fence that does follows it before anything else.
//!    A `red` reads nothing that could be acquired.
//! 3. Release: the last access releases, or a fence that does stands between it and everything earlier.
//! 4. Sequentially consistent: a `fence.sc` stands between everything earlier and the access.
//!    Before sm_70 such a store has a `membar` after it, too: the real compilers make it, and their loads
//!    may count on it.
//! 5. The operation happens once: one `atom`, `red` or store of the right operation, type and width, or a
//!    swap that has succeeded; a loop of swaps is left only then.
//!
//! A swap that has failed needs its failure order only; where the code does not look whether it has, both.

use crate::asked::{Case, Operation, Promises, Reach, Target, Type};
use crate::code::{Condition, Place, Step};
use crate::ir::BEFORE;
use crate::meaning::{Access, Fence, Kind};
use rustc_hash::FxHashSet;

/// What the judge says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Exactly what the order table says.
    Equal,
    /// More than that, and in what.
    Stronger(&'static str),
    /// Less than was asked, and why.
    Weaker(String),
}

/// How far fences reach that do each of three things.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Fences {
    acquire: Reach,
    release: Reach,
    sc: Reach,
}

impl Fences {
    /// No fence reaches beyond the thread.
    const NONE: Fences = Fences {
        acquire: Reach::Thread,
        release: Reach::Thread,
        sc: Reach::Thread,
    };

    fn of(order: Promises, reach: Reach) -> Fences {
        let far = |is: bool| if is { reach } else { Reach::Thread };
        Fences {
            acquire: far(order.acquire),
            release: far(order.release),
            sc: far(order.sc),
        }
    }

    fn and(self, fence: Fence) -> Fences {
        let one = Fences::of(fence.order, fence.reach);
        Fences {
            acquire: self.acquire.max(one.acquire),
            release: self.release.max(one.release),
            sc: self.sc.max(one.sc),
        }
    }
}

/// How a swap went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Outcome {
    Unknown,
    Success,
    Failure,
}

/// The last access of the location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Last {
    /// Its step.
    at: usize,
    /// The fences between it and everything earlier.
    before: Fences,
    /// The fences after it.
    after: Fences,
    /// How it went, if it is a swap.
    outcome: Outcome,
    /// Whether its outcome is in a predicate.
    is_tested: bool,
}

/// What was seen on a way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Seen {
    /// How many accesses that stand before the operation.
    earlier: u8,
    /// Whether an access that stands after it.
    later: bool,
    /// The fences since the last access that stands before.
    fences: Fences,
    /// The last access of the location.
    last: Option<Last>,
    /// How often the operation has happened: 0, 1, more.
    performed: u8,
    /// Whether an access before the last was more than relaxed, or reached too far.
    lavish: bool,
}

/// Judges the steps of a kernel.
pub fn judge(case: &Case, target: Target, steps: &[Step]) -> Verdict {
    let (promises, reach) = case.must_keep(target);
    let judge = Judge {
        case,
        target,
        promises,
        reach,
        private: case.space.is_private() || case.reach == Reach::Thread,
        steps,
    };
    judge.run()
}

struct Judge<'a> {
    case: &'a Case,
    target: Target,
    /// On success and on failure.
    promises: [Promises; 2],
    reach: Reach,
    /// Whether nobody else is concerned.
    private: bool,
    steps: &'a [Step],
}

impl Judge<'_> {
    fn run(&self) -> Verdict {
        let start = Seen {
            earlier: 0,
            later: false,
            fences: Fences::NONE,
            last: None,
            performed: 0,
            lavish: false,
        };
        let mut been = FxHashSet::default();
        let mut ways = vec![(0usize, start)];
        let mut ends = 0;
        let mut more = None;
        while let Some((at, seen)) = ways.pop() {
            if !been.insert((at, seen)) {
                continue;
            }
            let moved = match &self.steps[at] {
                Step::Exit => {
                    ends += 1;
                    self.end(&seen).map(|found| more = more.or(found))
                }
                Step::Jump { to, when } => {
                    for (taken, next) in [(true, *to), (false, at + 1)] {
                        if let Some(seen) = decide(seen, *when, taken) {
                            ways.push((next, seen));
                        }
                    }
                    Ok(())
                }
                step => self
                    .step(at, step, seen)
                    .map(|seen| ways.push((at + 1, seen))),
            };
            if let Err(why) = moved {
                return Verdict::Weaker(why);
            }
        }
        match (ends, more) {
            (0, _) => Verdict::Weaker("it has no end".into()),
            (_, None) => Verdict::Equal,
            (_, Some(what)) => Verdict::Stronger(what),
        }
    }

    fn step(&self, at: usize, step: &Step, mut seen: Seen) -> Result<Seen, String> {
        match step {
            Step::Fence(fence) => {
                seen.fences = seen.fences.and(*fence);
                if let Some(last) = &mut seen.last {
                    last.after = last.after.and(*fence);
                }
            }
            Step::Test { swap } => {
                if let Some(last) = &mut seen.last {
                    last.is_tested = last.at == *swap;
                }
            }
            Step::Access(Place::Before, _) => {
                let needs_release = self.promises[0].release || self.promises[1].release;
                if seen.last.is_some() && needs_release {
                    return Err("an earlier access comes after the operation".into());
                }
                seen.earlier = seen.earlier.saturating_add(1);
                seen.fences = Fences::NONE;
            }
            Step::Access(Place::After, _) => {
                self.ordered_behind(&seen)?;
                seen.later = true;
            }
            Step::Access(Place::Location, access) => self.access(at, access, &mut seen)?,
            Step::Jump { .. } | Step::Exit => {}
        }
        Ok(seen)
    }

    /// An access of the location.
    fn access(&self, at: usize, access: &Access, seen: &mut Seen) -> Result<(), String> {
        if !access.strong && !self.private {
            return Err(match seen.last {
                None if access.kind == Kind::Load => "the first load is plain".into(),
                _ => "a plain access of the location".into(),
            });
        }
        if !self.private && access.reach < self.reach {
            return Err(format!(
                "{:?} scope instead of {:?}",
                access.reach, self.reach
            ));
        }
        let needs_acquire = self.promises[0].acquire || self.promises[1].acquire;
        if seen.later && needs_acquire {
            return Err("a later access comes before the operation".into());
        }
        let role = self.role(access)?;
        // A swap that is tried again is the same one.
        if let Some(last) = seen.last
            && last.at != at
        {
            let before = self.access_at(last.at);
            seen.lavish |= before.order != Promises::default() || self.is_too_wide(before);
        }
        if role == Role::Performs {
            seen.performed = (seen.performed + 1).min(2);
        }
        seen.last = Some(Last {
            at,
            before: seen.fences,
            after: Fences::NONE,
            outcome: match role {
                Role::Tries => Outcome::Unknown,
                Role::Looks => Outcome::Failure,
                Role::Performs => Outcome::Success,
            },
            is_tested: false,
        });
        Ok(())
    }

    /// What an access of the location can be in the operation.
    fn role(&self, access: &Access) -> Result<Role, String> {
        let bits = self.case.ty.bits();
        let width = |width: u32| match access.bits == width {
            true => Ok(()),
            false => Err(format!("{} bits instead of {width}", access.bits)),
        };
        let operation = access.operation.as_str();
        match (self.case.operation, access.kind) {
            (Operation::Fence, _) => Err("an access that was not asked for".into()),
            (Operation::Load, Kind::Load) => {
                width(bits)?;
                Ok(Role::Performs)
            }
            (Operation::Store, Kind::Store) => {
                width(bits)?;
                Ok(Role::Performs)
            }
            (Operation::Rmw(_) | Operation::Swap { .. }, Kind::Load) => {
                // The word around the value, where swaps of the value do not exist.
                if access.bits != bits.max(32) {
                    width(bits)?;
                }
                Ok(Role::Looks)
            }
            // Memory of the thread's own needs no atomic.
            (Operation::Rmw(_) | Operation::Swap { .. }, Kind::Store)
                if self.case.space.is_private() =>
            {
                width(bits)?;
                Ok(Role::Performs)
            }
            (Operation::Rmw(_) | Operation::Swap { .. }, Kind::Atom)
                if operation.starts_with("cas.") =>
            {
                if access.bits != bits.max(32) {
                    width(bits)?;
                }
                Ok(Role::Tries)
            }
            (Operation::Rmw(word), Kind::Atom | Kind::Reduction) => {
                match performs(word, self.case.ty, operation) {
                    true => Ok(Role::Performs),
                    false => Err(format!("`{operation}` is not {word}")),
                }
            }
            _ => Err(format!("{:?} is not the operation", access.kind)),
        }
    }

    /// What must hold where something follows.
    fn ordered_behind(&self, seen: &Seen) -> Result<(), String> {
        if self.case.operation == Operation::Fence {
            return self.fence(seen);
        }
        let Some(last) = seen.last else {
            let needs_acquire = self.promises[0].acquire || self.promises[1].acquire;
            return match needs_acquire {
                true => Err("a later access comes before the operation".into()),
                false => Ok(()),
            };
        };
        self.acquires(&last)
    }

    fn needed(&self, outcome: Outcome) -> Promises {
        let [success, failure] = self.promises;
        match (self.case.operation, outcome) {
            (Operation::Swap { .. }, Outcome::Failure) => failure,
            (Operation::Swap { .. }, Outcome::Unknown) => success.and(failure),
            _ => success,
        }
    }

    fn acquires(&self, last: &Last) -> Result<(), String> {
        let access = self.access_at(last.at);
        let needed = self.needed(last.outcome);
        let after = match self.case.operation {
            // A store acquires nothing.
            Operation::Store => needed.sc && !self.target.has_orders(),
            _ => needed.acquire,
        };
        if !after {
            return Ok(());
        }
        if access.kind == Kind::Reduction {
            return Err("a reduction cannot acquire".into());
        }
        let own = access.order.acquire && access.reach >= self.reach;
        if own || last.after.acquire >= self.reach {
            return Ok(());
        }
        Err(match (access.order.acquire, last.after.acquire) {
            (false, Reach::Thread) => "nothing acquires".into(),
            _ => "what acquires does not reach far enough".into(),
        })
    }

    fn releases(&self, last: &Last) -> Result<(), String> {
        let access = self.access_at(last.at);
        let needed = self.needed(last.outcome);
        let writes = self.case.operation != Operation::Load && last.outcome != Outcome::Failure;
        if needed.release && writes {
            let own = access.order.release && access.reach >= self.reach;
            if !own && last.before.release < self.reach {
                return Err(match (access.order.release, last.before.release) {
                    (false, Reach::Thread) => "nothing releases".into(),
                    _ => "what releases does not reach far enough".into(),
                });
            }
        }
        if needed.sc && last.before.sc < self.reach {
            return Err(match last.before.sc {
                Reach::Thread => "no fence.sc stands before".into(),
                _ => "the fence.sc before does not reach far enough".into(),
            });
        }
        Ok(())
    }

    /// Whether the fences between what is before and what is after do what was asked.
    fn fence(&self, seen: &Seen) -> Result<(), String> {
        let asked = Fences::of(self.promises[0], self.reach);
        let found = seen.fences;
        if found.acquire < asked.acquire || found.release < asked.release || found.sc < asked.sc {
            return Err(format!("the fence is {found:?}"));
        }
        Ok(())
    }

    /// The end of a way; what is more than the order table says.
    fn end(&self, seen: &Seen) -> Result<Option<&'static str>, String> {
        if seen.earlier < BEFORE || !seen.later {
            return Err("accesses around the operation are missing".into());
        }
        if self.case.operation == Operation::Fence {
            self.fence(seen)?;
            let is_as_table = seen.fences == self.expected_fence(self.promises[0]);
            return Ok((!is_as_table).then_some("the fence is stronger"));
        }
        let last = seen.last.ok_or("the operation is missing")?;
        let happened = match (self.case.operation, last.outcome) {
            (Operation::Swap { .. }, Outcome::Unknown | Outcome::Failure) => seen.performed == 0,
            _ => seen.performed == 1,
        };
        if !happened {
            return Err(match (last.outcome, seen.performed) {
                (Outcome::Unknown, 0) => "whether the swap has succeeded is not looked at".into(),
                (_, 0) => "the operation may not happen".into(),
                _ => "the operation may happen twice".into(),
            });
        }
        self.acquires(&last)?;
        self.releases(&last)?;
        Ok(self.more_than_table(seen, &last))
    }

    fn access_at(&self, at: usize) -> &Access {
        match &self.steps[at] {
            Step::Access(_, access) => access,
            _ => unreachable!("`Last` holds steps that are accesses"),
        }
    }

    /// Whether it reaches farther than needed. A volatile access has no scope to choose.
    fn is_too_wide(&self, access: &Access) -> bool {
        let volatile = !self.target.has_orders() && matches!(access.kind, Kind::Load | Kind::Store);
        access.reach > self.reach.max(Reach::Cta) && !volatile
    }

    /// The fence that stands for promises.
    fn expected_fence(&self, promises: Promises) -> Fences {
        if promises == Promises::default() {
            return Fences::NONE;
        }
        let all = Promises {
            acquire: true,
            release: true,
            sc: !self.target.has_orders() || promises.sc,
        };
        match self.target.has_half_fences() {
            true => Fences::of(promises, self.reach),
            false => Fences::of(all, self.reach),
        }
    }

    /// What is more than the order table says.
    fn more_than_table(&self, seen: &Seen, last: &Last) -> Option<&'static str> {
        let access = self.access_at(last.at);
        let [success, failure] = self.promises;
        let needed = match self.case.operation {
            Operation::Swap { .. } => success.and(failure),
            _ => success,
        };
        let is_load = self.case.operation == Operation::Load;
        let is_store = self.case.operation == Operation::Store;
        let own = Promises {
            acquire: needed.acquire && !is_store,
            release: needed.release && !needed.sc && !is_load,
            sc: false,
        };
        let (before, order, after) = if self.target.has_orders() {
            let before = if needed.sc {
                needed
            } else {
                Promises::default()
            };
            (before, own, Promises::default())
        } else {
            let when = |is: bool| if is { needed } else { Promises::default() };
            (
                when(needed.release),
                Promises::default(),
                when(needed.acquire),
            )
        };
        let wide = self.is_too_wide(access);
        [
            (
                seen.lavish,
                "an access before the last is more than relaxed",
            ),
            (wide, "it reaches farther"),
            (access.order != order, "the access has more order"),
            (
                last.before != self.expected_fence(before),
                "there is more of a fence before",
            ),
            (
                last.after != self.expected_fence(after),
                "there is more of a fence after",
            ),
        ]
        .into_iter()
        .find_map(|(is_more, what)| is_more.then_some(what))
        .map(|what| match self.case.space.is_private() {
            true => "nobody else can see the memory",
            false => what,
        })
    }
}

/// The way on from a jump; `None` if it cannot be gone.
fn decide(mut seen: Seen, when: Condition, taken: bool) -> Option<Seen> {
    match when {
        Condition::Always => return taken.then_some(seen),
        Condition::Sometimes => return Some(seen),
        Condition::Swapped { swap, success } => {
            if let Some(last) = &mut seen.last
                && last.at == swap
                && last.is_tested
            {
                let outcome = match success == taken {
                    true => Outcome::Success,
                    false => Outcome::Failure,
                };
                match last.outcome {
                    Outcome::Unknown => {
                        last.outcome = outcome;
                        if outcome == Outcome::Success {
                            seen.performed = (seen.performed + 1).min(2);
                        }
                    }
                    known if known != outcome => return None,
                    _ => {}
                }
            }
        }
    }
    Some(seen)
}

/// What an access does for the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It looks what is there.
    Looks,
    /// It does the operation if nothing has changed.
    Tries,
    /// It does the operation.
    Performs,
}

/// Whether an instruction of PTX does an operation of `atomicrmw`.
fn performs(word: &str, ty: Type, instruction: &str) -> bool {
    let bits = ty.bits();
    let is = |names: &[String]| names.iter().any(|name| name == instruction);
    match word {
        "xchg" => is(&[format!("exch.b{bits}")]),
        "add" | "sub" => bits >= 32 && is(&[format!("add.u{bits}"), format!("add.s{bits}")]),
        // In the word around it, with bits that change nothing beside it.
        "and" | "or" | "xor" => is(&[format!("{word}.b{}", bits.max(32))]),
        "max" | "min" => is(&[format!("{word}.s{bits}")]),
        "umax" => is(&[format!("max.u{bits}")]),
        "umin" => is(&[format!("min.u{bits}")]),
        "uinc_wrap" => bits == 32 && instruction == "inc.u32",
        "udec_wrap" => bits == 32 && instruction == "dec.u32",
        "fadd" | "fsub" => match ty {
            Type::Float => instruction == "add.f32" || instruction == "add.noftz.f32",
            Type::Double => instruction == "add.f64",
            Type::Half => instruction == "add.noftz.f16",
            Type::BFloat => instruction == "add.noftz.bf16",
            Type::Half2 => instruction == "add.noftz.f16x2",
            Type::BFloat2 => instruction == "add.noftz.bf16x2",
            _ => false,
        },
        _ => false,
    }
}
