//! Damage to code that is right: each order, reach, fence and test of it, weakened by one step.
//!
//! Whatever mistake a code generator makes about memory order, its code differs from the right one in such places.
//! Code that is exactly what the order table says has nothing to spare, so the judge must notice each.

use crate::asked::{Case, Promises, Reach, Target};
use crate::code::{Condition, Place, Step};
use crate::meaning::Kind;
use crate::rules::{Verdict, judge};
use std::collections::BTreeMap;

/// How often damage of each kind was done, and how often it was noticed.
pub type Tally = BTreeMap<&'static str, (usize, usize)>;

/// Does each damage to the steps of a kernel that is exactly right, and counts what the judge notices. Returns the
/// first that it does not.
pub fn tally(case: &Case, target: Target, steps: &[Step], tally: &mut Tally) -> Option<String> {
    let (promises, reach) = case.must_keep(target);
    // Where nothing was promised to anybody, nothing can be broken.
    if case.space.is_private() || reach == Reach::Thread {
        return None;
    }
    let mut promised = promises[0].and(promises[1]);
    // There is no weaker fence than `membar`.
    promised.sc &= target.has_orders();
    let mut unnoticed = None;
    for at in 0..steps.len() {
        for (kind, step) in damaged(&steps[at], at, promised, reach) {
            let mut steps = steps.to_vec();
            steps[at] = step;
            let counts = tally.entry(kind).or_default();
            counts.0 += 1;
            match judge(case, target, &steps) {
                Verdict::Weaker(_) => counts.1 += 1,
                _ => {
                    unnoticed.get_or_insert(format!("{kind}, step {at}"));
                }
            }
        }
    }
    unnoticed
}

/// The reach that is one step narrower, if a scope of PTX is.
fn narrower(reach: Reach) -> Option<Reach> {
    match reach {
        Reach::Sys => Some(Reach::Gpu),
        Reach::Gpu | Reach::Cluster => Some(Reach::Cta),
        Reach::Cta | Reach::Thread => None,
    }
}

/// The ways to damage a step.
fn damaged(step: &Step, at: usize, promised: Promises, reach: Reach) -> Vec<(&'static str, Step)> {
    let mut all = Vec::new();
    match step {
        Step::Access(Place::Location, access) => {
            let mut change = |kind: &'static str, edit: &dyn Fn(&mut crate::meaning::Access)| {
                let mut access = access.clone();
                edit(&mut access);
                all.push((kind, Step::Access(Place::Location, access)));
            };
            if matches!(access.kind, Kind::Load | Kind::Store) {
                change("a plain access", &|access| {
                    access.strong = false;
                    access.reach = Reach::Thread;
                });
            }
            if let Some(narrow) = narrower(reach).filter(|_| access.reach == reach) {
                change("a narrower access", &|access| access.reach = narrow);
            }
            if access.order.acquire {
                change("an access that does not acquire", &|access| {
                    access.order.acquire = false;
                });
            }
            if access.order.release {
                change("an access that does not release", &|access| {
                    access.order.release = false;
                });
            }
            if access.kind == Kind::Atom && promised.acquire {
                change("a reduction that should acquire", &|access| {
                    access.kind = Kind::Reduction;
                });
            }
        }
        Step::Fence(fence) => {
            let next = Step::Jump {
                to: at + 1,
                when: Condition::Always,
            };
            all.push(("no fence", next));
            if let Some(narrow) = narrower(fence.reach) {
                let mut fence = *fence;
                fence.reach = narrow;
                all.push(("a narrower fence", Step::Fence(fence)));
            }
            if fence.order.sc && promised.sc {
                let mut fence = *fence;
                fence.order.sc = false;
                all.push((
                    "a fence that is not sequentially consistent",
                    Step::Fence(fence),
                ));
            }
        }
        _ => {}
    }
    all
}
