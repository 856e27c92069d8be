//! Damage to machine code that is exactly right: each fence, scope, access and wait of it.
//!
//! Such code has nothing to spare, so the judge must notice each.

use crate::asked::{Operation, Reach};
use crate::damage::Tally;
use crate::machine::flow::{LOCATION, Origin};
use crate::machine::line::{Act, Kind, Line};
use crate::machine::rules::{Question, judge};
use crate::machine::{Memory, needed};
use crate::rules::Verdict;

/// Does each damage to the lines of a kernel that is exactly right, and counts what the judge notices. Returns the
/// first that it does not.
pub fn tally(
    question: Question,
    lines: &[Line],
    addresses: &[Origin],
    tally: &mut Tally,
) -> Option<String> {
    let mut unnoticed = None;
    for (kind, at, damaged) in all(question, lines, addresses) {
        let counts = tally.entry(kind).or_default();
        counts.0 += 1;
        match judge(question, &damaged, addresses) {
            Verdict::Weaker(_) => counts.1 += 1,
            _ => {
                unnoticed.get_or_insert(format!("{kind}, line {at}"));
            }
        }
    }
    unnoticed
}

fn narrower(reach: Reach) -> Option<Reach> {
    match reach {
        Reach::Sys => Some(Reach::Gpu),
        Reach::Gpu | Reach::Cluster => Some(Reach::Cta),
        Reach::Cta | Reach::Thread => None,
    }
}

/// Whether an address of these memories comes to a line: then it matters that nobody knows what it does.
fn is_reached(question: Question, lines: &[Line], addresses: &[Origin], at: usize) -> bool {
    if !matches!(
        lines[at].act,
        Act::Membar { .. } | Act::Invalidate | Act::Touch(_)
    ) {
        return false;
    }
    let mut lines = lines.to_vec();
    lines[at].act = Act::Unknown;
    matches!(judge(question, &lines, addresses), Verdict::Weaker(_))
}

/// The damaged codes: what was done, and where.
fn all(
    question: Question,
    lines: &[Line],
    addresses: &[Origin],
) -> Vec<(&'static str, usize, Vec<Line>)> {
    let ([success, failure], reach) = question.case.must_keep(question.target);
    let promised = success.and(failure);
    let reach = needed(reach);
    // The scope of an access counts in global memory.
    let scoped = question.memories.contains(&Memory::Global);
    let mut all = Vec::new();
    let mut change = |kind, at: usize, act: Act| {
        let mut lines = lines.to_vec();
        lines[at].act = act;
        all.push((kind, at, lines));
    };
    let is_fence = question.case.operation == Operation::Fence;
    let mut has_begun = is_fence;
    for (at, line) in lines.iter().enumerate() {
        if !is_reached(question, lines, addresses, at) {
            continue;
        }
        has_begun |= matches!(line.act, Act::Touch(_)) && addresses[at] & LOCATION != 0;
        match &line.act {
            Act::Membar { sc, reach } => {
                change("no MEMBAR", at, Act::Other);
                if let Some(reach) = narrower(*reach) {
                    change("a narrower MEMBAR", at, Act::Membar { sc: *sc, reach });
                }
                if *sc && promised.sc {
                    let act = Act::Membar {
                        sc: false,
                        reach: *reach,
                    };
                    change("a MEMBAR.ALL for a MEMBAR.SC", at, act);
                }
            }
            // Where a fence stands before the operation, what it acquires was not asked for.
            Act::Invalidate if !has_begun => {}
            Act::Invalidate => change("no CCTL.IVALL", at, Act::Other),
            // Whoever looks before a swap may see anything: the swap says whether it was right.
            Act::Touch(touch)
                if touch.kind == Kind::Load && question.case.operation != Operation::Load => {}
            Act::Touch(touch) if addresses[at] & LOCATION != 0 => {
                if touch.reach == Some(reach)
                    && let Some(narrow) = narrower(reach).filter(|_| scoped)
                {
                    let mut touch = touch.clone();
                    touch.reach = Some(narrow);
                    change("a narrower access", at, Act::Touch(touch));
                }
                if touch.reach.is_some() && scoped && matches!(touch.kind, Kind::Load | Kind::Store)
                {
                    let mut touch = touch.clone();
                    touch.reach = None;
                    change("a plain access", at, Act::Touch(touch));
                }
                if matches!(touch.kind, Kind::Atom | Kind::Reduction) {
                    let mut store = touch.clone();
                    store.kind = Kind::Store;
                    change("a plain store for an atomic", at, Act::Touch(store));
                    // Who finds that nothing must change need not swap, and the judge does not know who does.
                    if !touch.has("CAST") {
                        change("no access", at, Act::Other);
                    }
                }
            }
            _ => {}
        }
    }
    all
}
