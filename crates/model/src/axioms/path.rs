//! Ways through a thread.
//!
//! A way is a list of events with symbolic values: what a load reads is not known yet. Where a branch, or a
//! compare-and-swap, depends on such a value, both outcomes are ways, each with the condition that it needs. Loops are
//! unrolled: a branch or jump that goes back is taken at most so often, and longer ways are left out.

use super::program::{
    BarrierKind, Inst, MemoryProxy, Operand, Operation, ProxyFenceKind, Rmw, Thread, ValueType,
};
use crate::{Ordering, Scope};

/// A value, by number in its way.
pub type ExprId = usize;

/// A symbolic value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expr {
    /// Known.
    Constant(u64),
    /// What an event of the way reads.
    Read(usize),
    /// Computed.
    Apply(Operation, ValueType, ExprId, ExprId),
}

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// A read.
    Read {
        /// What is read.
        location: usize,
        /// How memory is reached.
        proxy: MemoryProxy,
    },
    /// A write.
    Write {
        /// What is written.
        location: usize,
        /// How memory is reached.
        proxy: MemoryProxy,
        /// The value.
        value: ExprId,
        /// Whether it is the write of an atomic, whose read is the event before.
        atomic: bool,
    },
    /// A fence.
    Fence,
    /// A proxy fence.
    ProxyFence(ProxyFenceKind),
    /// A barrier.
    Barrier {
        /// Arrive, or arrive and wait.
        kind: BarrierKind,
        /// The number of the meeting.
        instance: Option<u64>,
        /// The barrier.
        barrier: ExprId,
        /// After how many arrivals it opens.
        count: Option<ExprId>,
    },
}

/// An event of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The instruction.
    pub inst: usize,
    /// What happens.
    pub what: Happening,
    /// Its order; [`Ordering::Weak`] where there is none.
    pub order: Ordering,
    /// Its scope.
    pub scope: Scope,
    /// The reads of the way that it depends on, as bits: by its value or by a branch before it.
    pub depends: u64,
}

/// A way through a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// Its events.
    pub steps: Vec<Step>,
    /// Its values.
    pub exprs: Vec<Expr>,
    /// What must not be zero, or must be.
    pub conditions: Vec<(ExprId, bool)>,
    /// What registers hold at the end.
    pub registers: Vec<ExprId>,
}

/// Why ways could not be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLong {
    /// One has more events than can be related.
    Events,
    /// There are too many, or they take too many instructions.
    Paths,
}

/// What bounds the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How often a jump backwards is taken.
    pub unroll: u32,
    /// How many events a way may have.
    pub events: usize,
    /// How many ways there may be.
    pub paths: usize,
}

/// The ways of a thread, and whether longer ones were left out.
pub fn paths(thread: &Thread, bounds: Bounds) -> Result<(Vec<Path>, bool), TooLong> {
    let mut walk = Walk {
        thread,
        bounds,
        found: Vec::new(),
        pending: Vec::new(),
        cut: false,
    };
    let exprs: Vec<Expr> = thread
        .registers
        .iter()
        .copied()
        .map(Expr::Constant)
        .collect();
    let registers = (0..exprs.len()).collect();
    let path = Path {
        steps: Vec::new(),
        exprs,
        conditions: Vec::new(),
        registers,
    };
    let state = State {
        masks: vec![0; path.exprs.len()],
        path,
        control: 0,
        backwards: vec![0; thread.code.len()],
        length: 0,
    };
    walk.pending.push((state, 0));
    while let Some((state, at)) = walk.pending.pop() {
        walk.from(state, at)?;
    }
    Ok((walk.found, walk.cut))
}

#[derive(Clone)]
struct State {
    path: Path,
    /// The reads that each value depends on.
    masks: Vec<u64>,
    /// The reads that branches so far depend on.
    control: u64,
    /// How often each jump went back.
    backwards: Vec<u32>,
    length: usize,
}

struct Walk<'t> {
    thread: &'t Thread,
    bounds: Bounds,
    found: Vec<Path>,
    /// Where ways part: what is still to be walked, the next one last.
    pending: Vec<(State, usize)>,
    cut: bool,
}

/// Instructions of one way: more is a loop without events that computes for long.
const MAX_LENGTH: usize = 10_000;

impl State {
    fn expr(&mut self, expr: Expr) -> ExprId {
        let mask = match expr {
            Expr::Constant(_) => 0,
            Expr::Read(step) => 1 << step,
            // The old value does not matter to an exchange.
            Expr::Apply(Operation::Second, _, _, b) => self.masks[b],
            Expr::Apply(_, _, a, b) => self.masks[a] | self.masks[b],
        };
        self.path.exprs.push(expr);
        self.masks.push(mask);
        self.path.exprs.len() - 1
    }

    fn operand(&mut self, operand: Operand) -> ExprId {
        match operand {
            Operand::Register(register) => self.path.registers[register],
            Operand::Constant(value) => self.expr(Expr::Constant(value)),
        }
    }

    fn apply(&mut self, operation: Operation, kind: ValueType, a: ExprId, b: ExprId) -> ExprId {
        let expr = match (self.path.exprs[a], self.path.exprs[b]) {
            (Expr::Constant(a), Expr::Constant(b)) => Expr::Constant(operation.apply(kind, a, b)),
            (_, Expr::Constant(b)) if operation == Operation::Second => Expr::Constant(kind.cut(b)),
            _ => Expr::Apply(operation, kind, a, b),
        };
        self.expr(expr)
    }

    /// The reads that a value depends on.
    fn reads(&self, expr: ExprId) -> u64 {
        self.masks[expr]
    }

    fn push(&mut self, inst: usize, what: Happening, order: Ordering, scope: Scope, depends: u64) {
        self.path.steps.push(Step {
            inst,
            what,
            order,
            scope,
            depends: depends | self.control,
        });
    }

    /// A read, and its value.
    fn read(
        &mut self,
        inst: usize,
        what: (usize, MemoryProxy, ValueType),
        order: Ordering,
        scope: Scope,
    ) -> ExprId {
        let (location, proxy, kind) = what;
        let at = self.path.steps.len();
        self.push(inst, Happening::Read { location, proxy }, order, scope, 0);
        let value = self.expr(Expr::Read(at));
        match kind.bits {
            64.. => value,
            _ => self.apply(Operation::Or, kind, value, value),
        }
    }

    /// Takes a condition for granted. `None` if it is known to be wrong.
    fn assume(mut self, condition: ExprId, holds: bool) -> Option<State> {
        match self.path.exprs[condition] {
            Expr::Constant(value) => ((value != 0) == holds).then_some(self),
            _ => {
                self.control |= self.reads(condition);
                self.path.conditions.push((condition, holds));
                Some(self)
            }
        }
    }
}

impl Walk<'_> {
    /// Whether a jump may be taken once more.
    fn may_jump(&mut self, state: &mut State, from: usize, to: usize) -> bool {
        if to > from {
            return true;
        }
        state.backwards[from] += 1;
        let may = state.backwards[from] <= self.bounds.unroll;
        self.cut |= !may;
        may
    }

    /// Keeps a way for later.
    fn later(&mut self, state: State, at: usize) -> Result<(), TooLong> {
        if self.pending.len() + self.found.len() >= self.bounds.paths {
            return Err(TooLong::Paths);
        }
        self.pending.push((state, at));
        Ok(())
    }

    /// Walks to the end of the thread.
    fn from(&mut self, mut state: State, mut at: usize) -> Result<(), TooLong> {
        loop {
            // An instruction has two events at most.
            if state.path.steps.len() + 2 > self.bounds.events {
                return Err(TooLong::Events);
            }
            state.length += 1;
            if state.length > MAX_LENGTH {
                return Err(TooLong::Paths);
            }
            let Some(inst) = self.thread.code.get(at) else {
                if self.found.len() >= self.bounds.paths {
                    return Err(TooLong::Paths);
                }
                self.found.push(state.path);
                return Ok(());
            };
            match *inst {
                Inst::Load {
                    to,
                    location,
                    order,
                    scope,
                    proxy,
                    kind,
                } => {
                    let value = state.read(at, (location, proxy, kind), order, scope);
                    state.path.registers[to] = value;
                }
                Inst::Store {
                    location,
                    value,
                    order,
                    scope,
                    proxy,
                    kind,
                } => {
                    let value = state.operand(value);
                    let value = state.apply(Operation::Second, kind, value, value);
                    let depends = state.reads(value);
                    let what = Happening::Write {
                        location,
                        proxy,
                        value,
                        atomic: false,
                    };
                    state.push(at, what, order, scope, depends);
                }
                Inst::Atomic { .. } => match self.atomic(state, at, inst)? {
                    Some(next) => state = next,
                    None => return Ok(()),
                },
                Inst::Fence { order, scope } => state.push(at, Happening::Fence, order, scope, 0),
                Inst::ProxyFence(kind) => {
                    let what = Happening::ProxyFence(kind);
                    state.push(at, what, Ordering::Weak, Scope::Thread, 0);
                }
                Inst::Barrier {
                    kind,
                    instance,
                    barrier,
                    count,
                } => {
                    let barrier = state.operand(barrier);
                    let count = count.map(|count| state.operand(count));
                    let what = Happening::Barrier {
                        kind,
                        instance,
                        barrier,
                        count,
                    };
                    let reads = state.reads(barrier) | count.map_or(0, |count| state.reads(count));
                    state.push(at, what, Ordering::Weak, Scope::Cta, reads);
                }
                Inst::Compute {
                    to,
                    operation,
                    a,
                    b,
                    kind,
                } => {
                    let (a, b) = (state.operand(a), state.operand(b));
                    state.path.registers[to] = state.apply(operation, kind, a, b);
                }
                Inst::Branch {
                    operation,
                    a,
                    b,
                    kind,
                    target,
                } => {
                    let (a, b) = (state.operand(a), state.operand(b));
                    let condition = state.apply(operation, kind, a, b);
                    let taken = state.clone().assume(condition, true);
                    let fallen = state.assume(condition, false);
                    match (taken, fallen) {
                        (Some(mut taken), fallen) => {
                            if let Some(fallen) = fallen {
                                self.later(fallen, at + 1)?;
                            }
                            if !self.may_jump(&mut taken, at, target) {
                                return Ok(());
                            }
                            state = taken;
                            at = target;
                            continue;
                        }
                        (None, Some(fallen)) => state = fallen,
                        (None, None) => return Ok(()),
                    }
                }
                Inst::Jump(target) => {
                    if !self.may_jump(&mut state, at, target) {
                        return Ok(());
                    }
                    at = target;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// An atomic. A swap that fails is a way of its own, which is walked later; what is given back stores.
    fn atomic(
        &mut self,
        mut state: State,
        at: usize,
        inst: &Inst,
    ) -> Result<Option<State>, TooLong> {
        let Inst::Atomic {
            to,
            location,
            operation,
            order,
            scope,
            proxy,
            kind,
        } = *inst
        else {
            return Ok(Some(state));
        };
        let reads = match order {
            Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
            // PTX has none; the model of the source does.
            Ordering::SeqCst => Ordering::SeqCst,
            _ => Ordering::Relaxed,
        };
        let writes = match order {
            Ordering::Release | Ordering::AcqRel => Ordering::Release,
            Ordering::SeqCst => Ordering::SeqCst,
            _ => Ordering::Relaxed,
        };
        // Operands are read before the result is written.
        let (first, second) = match operation {
            Rmw::Apply(_, operand) => {
                let operand = state.operand(operand);
                (operand, operand)
            }
            Rmw::Cas(expected, value) => (state.operand(expected), state.operand(value)),
        };
        let old = state.read(at, (location, proxy, kind), reads, scope);
        if let Some(to) = to {
            state.path.registers[to] = old;
        }
        let value = match operation {
            Rmw::Apply(operation, _) => state.apply(operation, kind, old, first),
            Rmw::Cas(..) => {
                let same = state.apply(Operation::Eq, kind, old, first);
                if let Some(failed) = state.clone().assume(same, false) {
                    self.later(failed, at + 1)?;
                }
                match state.assume(same, true) {
                    Some(swapped) => state = swapped,
                    None => return Ok(None),
                }
                state.apply(Operation::Second, kind, second, second)
            }
        };
        let depends = state.reads(value);
        let what = Happening::Write {
            location,
            proxy,
            value,
            atomic: true,
        };
        state.push(at, what, writes, scope, depends);
        Ok(Some(state))
    }
}

/// What values are, where the reads that they need are known.
pub fn evaluate(exprs: &[Expr], read: &dyn Fn(usize) -> Option<u64>) -> Vec<Option<u64>> {
    let mut values: Vec<Option<u64>> = Vec::with_capacity(exprs.len());
    for expr in exprs {
        // Operands come before what is computed of them.
        let value = match *expr {
            Expr::Constant(value) => Some(value),
            Expr::Read(step) => read(step),
            Expr::Apply(Operation::Second, kind, _, b) => values[b].map(|b| kind.cut(b)),
            Expr::Apply(operation, kind, a, b) => match (values[a], values[b]) {
                (Some(a), Some(b)) => Some(operation.apply(kind, a, b)),
                _ => None,
            },
        };
        values.push(value);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        unroll: 2,
        events: 60,
        paths: 100,
    };

    fn load(to: usize) -> Inst {
        Inst::Load {
            to,
            location: 0,
            order: Ordering::Weak,
            scope: Scope::Sys,
            proxy: MemoryProxy::Generic,
            kind: ValueType::S64,
        }
    }

    fn while_zero(target: usize) -> Inst {
        Inst::Branch {
            operation: Operation::Eq,
            a: Operand::Register(0),
            b: Operand::Constant(0),
            kind: ValueType::S64,
            target,
        }
    }

    #[test]
    fn loops_are_unrolled_to_the_bound() {
        let thread = Thread {
            code: vec![load(0), while_zero(0)],
            registers: vec![0],
            ..Thread::default()
        };
        let (found, cut) = paths(&thread, BOUNDS).unwrap();
        let lengths: Vec<usize> = found.iter().map(|path| path.steps.len()).collect();
        assert_eq!(lengths, [3, 2, 1]);
        assert!(cut);
        // The second load depends on the first, by the branch.
        assert_eq!(found[1].steps[1].depends, 1);
    }

    /// Neither many loads nor long loops without events overflow anything.
    #[test]
    fn long_threads_are_refused_or_cut() {
        let thread = |code| Thread {
            code,
            registers: vec![0],
            ..Thread::default()
        };
        assert_eq!(
            paths(&thread(vec![load(0); 70]), BOUNDS),
            Err(TooLong::Events)
        );
        let bounds = Bounds {
            unroll: u32::MAX,
            ..BOUNDS
        };
        let endless = thread(vec![while_zero(0)]);
        assert_eq!(paths(&endless, bounds), Err(TooLong::Paths));
        let symbolic = thread(vec![load(0), while_zero(1)]);
        assert_eq!(paths(&symbolic, bounds), Err(TooLong::Paths));
    }

    #[test]
    fn branches_on_constants_have_one_way() {
        let thread = Thread {
            code: vec![while_zero(2), load(0)],
            registers: vec![0],
            ..Thread::default()
        };
        let (found, cut) = paths(&thread, BOUNDS).unwrap();
        assert_eq!((found.len(), found[0].steps.len(), cut), (1, 0, false));
    }

    #[test]
    fn a_loop_without_end_is_cut_and_too_many_ways_are_refused() {
        let endless = Thread {
            code: vec![Inst::Jump(0)],
            ..Thread::default()
        };
        assert_eq!(paths(&endless, BOUNDS), Ok((Vec::new(), true)));
        let mut code = Vec::new();
        for at in 0..10 {
            code.extend([load(0), while_zero(2 * at + 2)]);
        }
        let many = Thread {
            code,
            registers: vec![0],
            ..Thread::default()
        };
        assert_eq!(paths(&many, BOUNDS), Err(TooLong::Paths));
    }
}
