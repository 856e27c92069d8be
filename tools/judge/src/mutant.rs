//! Order tables that are wrong in one place: each cell, weakened by one step.
//!
//! What is left out changes nothing: the order of a `membar`, which is always the strongest fence, and scopes at
//! thread scope, where there is nobody to order against.

use crate::asked::{Case, Front, Operation, Reach, Space, Target, Type};
use crate::matrix;
use crate::run::Compiler;
use warpc_model::mapping::{Cells, Mapping};
use warpc_model::{Access, Ordering, Scope};

/// A wrong order table.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// What is wrong.
    pub name: String,
    /// The table.
    pub mapping: Mapping,
}

const ACCESSES: [Access; 4] = [Access::Load, Access::Store, Access::Rmw, Access::Fence];

/// The orders that can be asked for; a plain access has none.
fn orders() -> impl Iterator<Item = Ordering> {
    Ordering::all().filter(|&order| order != Ordering::Weak)
}

/// The orders of LLVM IR: only C++ has one between relaxed and acquire, for loads and updates.
fn llvm_orders() -> impl Iterator<Item = Ordering> {
    orders().filter(|&order| order != Ordering::Consume)
}

/// The orders that are one step weaker.
fn weaker(order: Ordering) -> &'static [Ordering] {
    match order {
        Ordering::SeqCst => &[Ordering::AcqRel],
        Ordering::AcqRel => &[Ordering::Acquire, Ordering::Release],
        Ordering::Acquire | Ordering::Release => &[Ordering::Relaxed],
        _ => &[],
    }
}

/// Every table that is wrong in one place.
pub fn mutants() -> Vec<Mutant> {
    let mut all = Vec::new();
    cells(&mut all, "sm_70", true, |mapping| &mut mapping.ordered);
    cells(&mut all, "sm_60", false, |mapping| &mut mapping.membar);
    swaps(&mut all);
    fences(&mut all);
    scopes(&mut all);
    all
}

fn add(all: &mut Vec<Mutant>, name: String, edit: impl FnOnce(&mut Mapping)) {
    let mut mapping = Mapping::SOUND;
    edit(&mut mapping);
    all.push(Mutant { name, mapping });
}

/// Each cell of a generation.
fn cells(
    all: &mut Vec<Mutant>,
    generation: &str,
    has_orders: bool,
    table: impl Fn(&mut Mapping) -> &mut Cells,
) {
    let mut sound = Mapping::SOUND;
    let sound = *table(&mut sound);
    for access in ACCESSES {
        for order in orders() {
            if order == Ordering::Consume && access == Access::Fence {
                continue;
            }
            let (row, column) = (access as usize, order as usize);
            let cell = sound[row][column];
            let name = format!("{generation} {access:?} {order}");
            if let Some(fence) = cell.before {
                let steps = weaker(fence).iter().filter(|step| {
                    // A fence that orders nothing is none, which is the next mutant.
                    has_orders && **step != Ordering::Relaxed
                });
                for &step in steps {
                    add(all, format!("{name}: {step} fence before"), |mapping| {
                        table(mapping)[row][column].before = Some(step);
                    });
                }
                add(all, format!("{name}: no fence before"), |mapping| {
                    table(mapping)[row][column].before = None;
                });
            }
            for &step in cell.order.map_or(&[][..], weaker) {
                add(all, format!("{name}: access {step}"), |mapping| {
                    table(mapping)[row][column].order = Some(step);
                });
            }
            if cell.after.is_some() {
                add(all, format!("{name}: no fence after"), |mapping| {
                    table(mapping)[row][column].after = None;
                });
            }
        }
    }
}

/// The order of a swap for each pair of orders.
fn swaps(all: &mut Vec<Mutant>) {
    for success in llvm_orders().filter(|order| order.check(Access::Rmw).is_ok()) {
        for failure in llvm_orders().filter(|order| order.is_cas_failure()) {
            for &step in weaker(Mapping::SOUND.cas(success, failure)) {
                let name = format!("swap {success} {failure}: {step}");
                add(all, name, |mapping| {
                    mapping.cas[success as usize][failure as usize] = step;
                });
            }
        }
    }
}

/// The fence for each order.
fn fences(all: &mut Vec<Mutant>) {
    for order in llvm_orders() {
        let choice = Mapping::SOUND.fences[order as usize];
        let place = order as usize;
        let Some(first) = choice.first else { continue };
        let mut steps = weaker(first).to_vec();
        // The other half does not do.
        match first {
            Ordering::Acquire => steps.push(Ordering::Release),
            Ordering::Release => steps.push(Ordering::Acquire),
            _ => {}
        }
        for step in steps.into_iter().filter(|&step| step != Ordering::Relaxed) {
            add(all, format!("fence {order}: {step}"), |mapping| {
                mapping.fences[place].first = Some(step);
            });
        }
        add(all, format!("fence {order}: none"), |mapping| {
            mapping.fences[place].first = None;
            mapping.fences[place].otherwise = None;
        });
        add(
            all,
            format!("fence {order}: none on older chips"),
            |mapping| {
                mapping.fences[place].otherwise = None;
            },
        );
    }
}

/// Each scope, narrowed.
fn scopes(all: &mut Vec<Mutant>) {
    let narrower = [
        (Scope::Sys, Scope::Gpu),
        (Scope::Gpu, Scope::Cta),
        (Scope::Cluster, Scope::Cta),
    ];
    for (scope, step) in narrower {
        add(all, format!("scope {scope:?}: {step:?}"), |mapping| {
            mapping.scopes[scope as usize] = step;
        });
    }
    add(all, "scope Cluster widened: Cta".into(), |mapping| {
        mapping.widened[Scope::Cluster as usize] = Scope::Cta;
    });
}

/// How many of the tables the judge notices, and the names of the others. A table that is right must pass.
pub fn judge() -> (usize, Vec<String>) {
    let (cases, targets) = (cases(), targets());
    let sound = Compiler::default().report(&cases, &targets);
    if !sound.is_good() {
        return (0, vec![format!("the right table: {sound}")]);
    }
    let mut noticed = 0;
    let mut alive = Vec::new();
    for mutant in mutants() {
        let compiler = Compiler {
            // A few, for as long as the program runs.
            mapping: Box::leak(Box::new(mutant.mapping)),
            ..Compiler::default()
        };
        match compiler.report(&cases, &targets).weaker_count() {
            0 => alive.push(mutant.name),
            _ => noticed += 1,
        }
    }
    (noticed, alive)
}

/// Cases that reach every cell: one operation of each kind, at all orders and scopes.
pub fn cases() -> Vec<Case> {
    let chosen = |case: &Case| {
        let operation = match case.operation {
            Operation::Rmw(word) => word == "add",
            Operation::Swap { weak, .. } => !weak,
            _ => true,
        };
        let plain = case.used || matches!(case.operation, Operation::Store | Operation::Fence);
        let place = case.space == Space::Global
            || case.operation == Operation::Fence
            || case.front == Front::Builtin;
        operation && plain && place && case.ty == Type::I32 && !case.volatile
    };
    let mut cases = matrix::cases();
    cases.retain(chosen);
    cases.retain(|case| case.reach != Reach::Thread);
    cases
}

/// Targets that reach every cell: both generations, with and without clusters, with and without the newer fences.
pub fn targets() -> Vec<Target> {
    let all = matrix::targets();
    let chosen = |target: &Target| !target.cuda && matches!(target.sm, 60 | 70 | 90);
    all.into_iter().filter(chosen).collect()
}
