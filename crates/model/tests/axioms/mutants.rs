//! Mappings that are wrong in one place, and the programs that show it.
//!
//! Each cell is weakened by one step: a fence is dropped or weakened, an access weakened, a scope narrowed, the order of
//! a swap weakened. Left out is what changes no program: the order of a `membar`, which is always the strongest fence,
//! and cells of orders that come out as another cell does.

use crate::families::{FENCES, Family, Letter, NO_FENCES, with_swap};
use crate::inclusion::{Outcome, allowed, surplus};
use crate::shapes::{Kind, Shape, Target};
use crate::targets;
use std::collections::HashSet;
use warpc_model::axioms::Version;
use warpc_model::mapping::{Cells, Mapping};
use warpc_model::{Access, Ordering, Scope};

use Ordering::{AcqRel, Acquire, Consume, Relaxed, Release, SeqCst};

/// A wrong mapping.
struct Mutant {
    name: String,
    mapping: Mapping,
}

/// The orders that are one step weaker.
fn weaker(order: Ordering) -> &'static [Ordering] {
    match order {
        SeqCst => &[AcqRel],
        AcqRel => &[Acquire, Release],
        Acquire | Release => &[Relaxed],
        _ => &[],
    }
}

fn mutants() -> Vec<Mutant> {
    let mut all = Vec::new();
    cells(&mut all, "sm_70", true, |mapping| &mut mapping.ordered);
    cells(&mut all, "sm_60", false, |mapping| &mut mapping.membar);
    let mut add = |name: String, edit: &dyn Fn(&mut Mapping)| {
        let mut mapping = Mapping::SOUND;
        edit(&mut mapping);
        all.push(Mutant { name, mapping });
    };
    for success in [Relaxed, Acquire, Release, AcqRel, SeqCst] {
        for failure in [Relaxed, Acquire, SeqCst] {
            for &step in weaker(Mapping::SOUND.cas(success, failure)) {
                add(format!("swap {success} {failure}: {step}"), &|mapping| {
                    mapping.cas[success as usize][failure as usize] = step;
                });
            }
        }
    }
    for order in [Acquire, Release, AcqRel, SeqCst] {
        let choice = Mapping::SOUND.fences[order as usize];
        let steps = |of: Option<Ordering>| {
            let of = of.expect("these orders have fences");
            let mut steps = weaker(of).to_vec();
            // The other half does not do.
            match order {
                Acquire => steps.push(Release),
                Release => steps.push(Acquire),
                _ => {}
            }
            steps.retain(|&step| step != Relaxed && step.join(order) != step);
            steps
        };
        for step in steps(choice.first) {
            add(format!("fence {order}: {step}"), &|mapping| {
                mapping.fences[order as usize].first = Some(step);
            });
        }
        for step in steps(choice.otherwise) {
            // Chips that have the first fence do not show it, and those that lack it lack the weaker one, too.
            if order == SeqCst {
                add(format!("fence {order} elsewhere: {step}"), &|mapping| {
                    mapping.fences[order as usize].first = None;
                    mapping.fences[order as usize].otherwise = Some(step);
                });
            }
        }
        add(format!("fence {order}: none"), &|mapping| {
            mapping.fences[order as usize].first = None;
            mapping.fences[order as usize].otherwise = None;
        });
        add(format!("fence {order}: none on older chips"), &|mapping| {
            mapping.fences[order as usize].otherwise = None;
        });
    }
    for (scope, step) in [
        (Scope::Sys, Scope::Gpu),
        (Scope::Gpu, Scope::Cluster),
        (Scope::Gpu, Scope::Cta),
        (Scope::Cluster, Scope::Cta),
    ] {
        add(format!("scope {scope:?}: {step:?}"), &|mapping| {
            mapping.scopes[scope as usize] = step;
        });
    }
    add(
        "scope Cluster on older chips: Cta".to_string(),
        &|mapping| {
            mapping.widened[Scope::Cluster as usize] = Scope::Cta;
        },
    );
    all
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
    for access in [Access::Load, Access::Store, Access::Rmw, Access::Fence] {
        for order in [Relaxed, Consume, Acquire, Release, AcqRel, SeqCst] {
            let (row, column) = (access as usize, order as usize);
            let cell = sound[row][column];
            let name = format!("{generation} {access:?} {order}");
            let mut add = |what: String, edit: &dyn Fn(&mut warpc_model::mapping::Cell)| {
                let mut mapping = Mapping::SOUND;
                edit(&mut table(&mut mapping)[row][column]);
                all.push(Mutant {
                    name: format!("{name}: {what}"),
                    mapping,
                });
            };
            if access == Access::Fence && order == Consume {
                continue;
            }
            if let Some(fence) = cell.before {
                let steps = weaker(fence).iter().filter(|step| {
                    // A fence that orders nothing is none; older chips have one fence for all orders.
                    let older = Mapping::SOUND.fences[fence as usize].otherwise;
                    has_orders && **step != Relaxed && older.is_some()
                });
                for &step in steps {
                    add(format!("{step} fence before"), &|cell| {
                        cell.before = Some(step)
                    });
                }
                add("no fence before".to_string(), &|cell| cell.before = None);
            }
            for &step in cell.order.map_or(&[][..], weaker) {
                add(format!("access {step}"), &|cell| cell.order = Some(step));
            }
            if cell.order == Some(Relaxed) && has_orders && access != Access::Rmw {
                add("access weak".to_string(), &|cell| {
                    cell.order = Some(Ordering::Weak)
                });
            }
            if cell.after.is_some() {
                add("no fence after".to_string(), &|cell| cell.after = None);
            }
        }
    }
}

/// A program that may show a wrong mapping, with what the source allows.
struct Witness {
    shape: Shape,
    allowed: HashSet<Outcome>,
}

/// Loads and stores that are relaxed, or have the order that is tried.
fn witnesses() -> Vec<Witness> {
    let mut all = Vec::new();
    let mut keep = |shape: &Shape| {
        if let Some(allowed) = allowed(shape) {
            all.push(Witness {
                shape: shape.clone(),
                allowed,
            });
        }
    };
    // Each thread of one style: what it reads and writes has the orders of one column.
    let letters: &[Letter] = &[
        (Kind::Load, Relaxed),
        (Kind::Load, Consume),
        (Kind::Load, Acquire),
        (Kind::Load, SeqCst),
        (Kind::Store, Relaxed),
        (Kind::Store, Release),
        (Kind::Store, SeqCst),
        (Kind::Rmw, Relaxed),
        (Kind::Rmw, Consume),
        (Kind::Rmw, Acquire),
        (Kind::Rmw, Release),
        (Kind::Rmw, AcqRel),
        (Kind::Rmw, SeqCst),
    ];
    for spread in [&[2usize, 1][..], &[2, 2]] {
        for scope in [Scope::Gpu, Scope::Cta, Scope::Cluster, Scope::Sys] {
            // One order for all accesses but one, which is relaxed, release or acquire: enough to see each cell.
            let family = Family {
                spread,
                letters,
                fences: NO_FENCES,
                scopes: &[scope],
            };
            family.each(&mut |shape| {
                let items = || shape.threads.iter().flatten();
                let atomics = items().filter(|item| item.kind == Kind::Rmw).count();
                let consumes = items().filter(|item| item.order() == Consume).count();
                let strong = items().filter(|item| item.order() == SeqCst).count();
                let is_pure = strong == 0 || strong == items().count();
                let is_few = atomics + consumes <= 1 || is_uniform(shape);
                if is_pure && is_few && (scope == Scope::Gpu || atomics == 0) {
                    keep(shape);
                    if scope == Scope::Gpu && atomics == 1 && is_uniform(shape) {
                        with_swap(shape, &mut keep);
                    }
                }
            });
        }
    }
    let relaxed: &[Letter] = &[(Kind::Load, Relaxed), (Kind::Store, Relaxed)];
    for scope in [Scope::Gpu, Scope::Cta] {
        let family = Family {
            spread: &[2, 2],
            letters: relaxed,
            fences: FENCES,
            scopes: &[scope],
        };
        family.each(&mut keep);
    }
    all
}

/// Whether all accesses of a kind have one order.
fn is_uniform(shape: &Shape) -> bool {
    let of = |kind: Kind| {
        let items = shape.threads.iter().flatten();
        let orders: HashSet<u8> = items
            .filter(|item| item.kind == kind)
            .map(|item| item.order)
            .collect();
        orders.len() <= 1
    };
    of(Kind::Load) && of(Kind::Store) && of(Kind::Rmw)
}

/// Whether a program shows that a mapping is wrong, on some target.
fn shows(witness: &Witness, mapping: &Mapping, targets: &[Target]) -> bool {
    targets.iter().any(|&target| {
        // What comes out the same is right.
        let shape = &witness.shape;
        shape.mapped(mapping, target) != shape.mapped(&Mapping::SOUND, target)
            && surplus(shape, mapping, target, Version::V7_5, &witness.allowed).is_some()
    })
}

/// Before sm_70, an access that is seq_cst stands between two fences. Where every such access keeps the one after it, that
/// before a load is not needed, and the other way round for stores: these two are right by themselves, and wrong together.
const REDUNDANT: [&str; 2] = [
    "sm_60 Load seq_cst: no fence before",
    "sm_60 Store seq_cst: no fence after",
];

#[test]
fn every_mutant_is_killed() {
    let (mutants, targets, witnesses) = (mutants(), targets(), witnesses());
    let is_killed = |mapping: &Mapping| {
        let mut all = witnesses.iter();
        all.find(|witness| shows(witness, mapping, &targets))
    };
    let mut alive = Vec::new();
    for mutant in &mutants {
        match is_killed(&mutant.mapping) {
            Some(witness) => println!("{}: {:?}", mutant.name, witness.shape.threads),
            None => alive.push(mutant.name.as_str()),
        }
    }
    println!("{} mutants, {} programs", mutants.len(), witnesses.len());
    assert_eq!(alive, REDUNDANT, "not killed");
    assert!(mutants.len() >= 80, "{}", mutants.len());
    let mut both = Mapping::SOUND;
    both.membar[Access::Load as usize][SeqCst as usize].before = None;
    both.membar[Access::Store as usize][SeqCst as usize].after = None;
    assert!(is_killed(&both).is_some(), "both fences are missing");
}
