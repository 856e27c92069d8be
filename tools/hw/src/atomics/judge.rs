//! Whether memory and results are what atomic operations leave.
//!
//! What threads saw and left at one place must be one chain: the first value, then what some thread made of
//! it, and so on to the last. A thread that saw `v` is an edge from `v` to what its operation makes of `v`,
//! so there is a chain if and only if there is a path that uses each edge once: every value is made as often
//! as it is seen (but for the first and the last), and all are connected.
//!
//! Around the values nothing may change. Where the order of operations makes no difference, the last value
//! is computed.

use super::case::{Case, Space};
use super::operation::{Fit, Op, apply, fits, only};
use super::plan::{Plan, SLOT, THREADS, Target};
use std::collections::HashMap;

/// What a launch left.
pub struct Left<'a> {
    /// The cells.
    pub cells: &'a [u8],
    /// 32 bytes a thread: what it saw, and whether a swap was done.
    pub olds: &'a [u8],
}

/// What was looked at, for a report that can be doubted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Values that threads contended for, or had for themselves.
    pub targets: usize,
    /// Results that were looked at.
    pub results: usize,
    /// Results in which subnormal numbers were taken for zero.
    pub flushed: usize,
}

impl std::ops::AddAssign for Seen {
    fn add_assign(&mut self, other: Seen) {
        self.targets += other.targets;
        self.results += other.results;
        self.flushed += other.flushed;
    }
}

fn number(bytes: &[u8]) -> u128 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u128::from(*byte))
}

/// What is wrong, or what was looked at.
pub fn judge(case: &Case, plan: &Plan, left: &Left<'_>) -> Result<Seen, String> {
    let width = case.ty.bytes();
    let mut guarded = plan.cells.clone();
    for target in &plan.targets {
        let place = target.at..target.at + width;
        guarded[place.clone()].copy_from_slice(&left.cells[place]);
    }
    if let Some(at) = (0..guarded.len()).find(|&i| guarded[i] != left.cells[i]) {
        return Err(format!(
            "byte {} of slot {} was {:02x} and is {:02x}",
            at % SLOT,
            at / SLOT,
            plan.cells[at],
            left.cells[at]
        ));
    }
    let mut seen = Seen::default();
    for target in &plan.targets {
        let last = number(&left.cells[target.at..target.at + width]);
        let one = judge_target(case, plan, target, last, left.olds);
        seen += one.map_err(|wrong| {
            format!(
                "slot {} byte {}: {wrong}",
                target.at / SLOT,
                target.at % SLOT
            )
        })?;
    }
    Ok(seen)
}

fn judge_target(
    case: &Case,
    plan: &Plan,
    target: &Target,
    last: u128,
    olds: &[u8],
) -> Result<Seen, String> {
    let (op, ty) = (case.op, case.ty);
    let old = |thread: usize| number(&olds[32 * thread..32 * thread + ty.bytes()]);
    let mut seen = Seen {
        targets: 1,
        ..Seen::default()
    };
    if op == Op::LoadStore {
        return judge_load_store(plan, target, last, &old).map(|results| Seen { results, ..seen });
    }
    if let Op::Swap { weak } = op {
        for &thread in &target.threads {
            let done = olds[32 * thread + 16];
            let same = old(thread) == plan.operands[thread][0];
            if done > 1 || (done == 1) != same && !(weak && done == 0) {
                let expected = plan.operands[thread][0];
                return Err(format!(
                    "thread {thread} saw {:x}, expected {expected:x}, and was told {done}",
                    old(thread)
                ));
            }
        }
    }
    // What a thread makes of a value; a weak swap may have made nothing.
    let step = |thread: usize, value: u128| {
        let failed = matches!(op, Op::Swap { weak: true }) && olds[32 * thread + 16] == 0;
        match failed {
            true => apply(op, ty, value, [!value & ty.mask(), 0]),
            false => apply(op, ty, value, plan.operands[thread]),
        }
    };
    if let [thread] = target.threads[..] {
        if case.used {
            seen.results += 1;
            let saw = old(thread);
            if saw != target.initial {
                return Err(format!("{:x} was there, {saw:x} was seen", target.initial));
            }
        }
        return match fits(ty, &step(thread, target.initial), last) {
            Fit::Exact => Ok(seen),
            Fit::Flushed if may_flush(case) => {
                seen.flushed += 1;
                Ok(seen)
            }
            _ => Err(format!(
                "{:x} and {:x} gave {last:x}",
                target.initial, plan.operands[thread][0]
            )),
        };
    }
    if case.used {
        chain(target, last, &old, &step)?;
        seen.results += target.threads.len();
    }
    let mut operands = target.threads.iter().map(|&thread| plan.operands[thread]);
    let first = operands.next();
    if op.commutes() || operands.all(|operand| Some(operand) == first) {
        let mut value = target.initial;
        for &thread in &target.threads {
            let made = apply(op, ty, value, plan.operands[thread]);
            value = only(&made).ok_or("the plan has operands with more than one result")?;
        }
        // A weak swap need not have been done by anyone.
        if value != last && op != (Op::Swap { weak: true }) {
            return Err(format!("{value:x} should be there and {last:x} is"));
        }
    }
    Ok(seen)
}

/// Whether PTX says that the operation takes subnormal numbers for zero: sums of single precision in global
/// memory.
fn may_flush(case: &Case) -> bool {
    use super::float::{FLOAT, FloatOp};
    matches!(case.op, Op::Float(FloatOp::Add | FloatOp::Sub))
        && case.ty.format() == Some(FLOAT)
        && matches!(case.space, Space::Global | Space::Generic)
}

/// Loads see what was there or what was stored, and so does the end.
fn judge_load_store(
    plan: &Plan,
    target: &Target,
    last: u128,
    old: &dyn Fn(usize) -> u128,
) -> Result<usize, String> {
    let stores: Vec<usize> = target
        .threads
        .iter()
        .copied()
        .filter(|t| t % 2 == 0)
        .collect();
    let stored = |value: u128| stores.iter().any(|&t| plan.operands[t][0] == value);
    let readers: Vec<usize> = target
        .threads
        .iter()
        .copied()
        .filter(|t| t % 2 == 1)
        .collect();
    for &thread in &readers {
        let value = old(thread);
        if value != target.initial && !stored(value) {
            return Err(format!(
                "thread {thread} read {value:x}, which nobody wrote"
            ));
        }
    }
    let kept = stores.is_empty() && last == target.initial;
    if !kept && !stored(last) {
        return Err(format!("{last:x} is there, which nobody wrote"));
    }
    Ok(readers.len())
}

/// Whether what threads saw is one chain from the first value to the last.
fn chain(
    target: &Target,
    last: u128,
    old: &dyn Fn(usize) -> u128,
    step: &dyn Fn(usize, u128) -> Vec<(u32, super::float::Allowed)>,
) -> Result<(), String> {
    // How much more often a value was seen than made, and what its neighbours are.
    let mut balance: HashMap<u128, i64> = HashMap::new();
    let mut edges: HashMap<u128, Vec<u128>> = HashMap::new();
    *balance.entry(target.initial).or_default() -= 1;
    *balance.entry(last).or_default() += 1;
    for &thread in &target.threads {
        let from = old(thread);
        let to = only(&step(thread, from))
            .ok_or_else(|| format!("thread {thread} saw {from:x}, which has no one successor"))?;
        *balance.entry(from).or_default() += 1;
        *balance.entry(to).or_default() -= 1;
        edges.entry(from).or_default().push(to);
        edges.entry(to).or_default().push(from);
    }
    let mut uneven: Vec<(&u128, &i64)> = balance.iter().filter(|(_, n)| **n != 0).collect();
    uneven.sort();
    if let Some((value, times)) = uneven.first() {
        return Err(format!(
            "{value:x} was seen {times} times more often than it was there ({} of {} values, {} of {THREADS} threads)",
            uneven.len(),
            balance.len(),
            target.threads.len()
        ));
    }
    let mut reached = std::collections::HashSet::from([target.initial]);
    let mut open = vec![target.initial];
    while let Some(value) = open.pop() {
        for &next in edges.get(&value).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    match edges.keys().find(|value| !reached.contains(value)) {
        Some(value) => Err(format!("{value:x} was seen, but could never be there")),
        None => Ok(()),
    }
}
