//! The axioms of the PTX memory model against what a GPU showed ([`hardware`]), and the proof of the mapping from the orders
//! of C++ and LLVM to PTX.
//!
//! Every program of two to four accesses, with and without fences, is enumerated in the model of the source and, after
//! the mapping, in that of PTX; each outcome that PTX allows must be one that the source allows. Then the mapping is made
//! wrong in one place at a time, and each time a program must show it.

mod families;
mod hardware;
mod inclusion;
mod mutants;
mod shapes;

use families::{ATOMIC, FENCES, Family, LOADS_AND_STORES, NO_FENCES, SPREADS, STRONG, TO_FENCE};
use inclusion::{allowed, surplus};
use shapes::{Kind, Shape, Target};
use warpc_model::Scope;
use warpc_model::axioms::Version;
use warpc_model::mapping::Mapping;
use warpc_target::PtxVersion;

/// A chip with fences that only acquire or release, one without, and one without orders.
fn targets() -> [Target; 3] {
    [
        Target::new("sm_90", PtxVersion::new(8, 6)),
        Target::new("sm_70", PtxVersion::new(7, 8)),
        Target::new("sm_60", PtxVersion::new(7, 8)),
    ]
}

/// Proves one shape for targets and both models; how many programs of PTX were searched.
fn prove(shape: &Shape, targets: &[Target]) -> usize {
    let Some(allowed) = allowed(shape) else {
        return 0;
    };
    let mut proved = 0;
    for &target in targets {
        for version in [Version::V6_0, Version::V7_5] {
            let found = surplus(shape, &Mapping::SOUND, target, version, &allowed);
            assert!(
                found.is_none(),
                "{target:?} {version:?} allows {found:?}, the source does not: {shape:#?}"
            );
            proved += 1;
        }
    }
    proved
}

/// Of shapes with four accesses, which are many, one in so many is proved. `WARPC_MAPPING_ALL=1` proves all.
fn stride() -> usize {
    match std::env::var_os("WARPC_MAPPING_ALL") {
        Some(_) => 1,
        None => 23,
    }
}

/// Proves a family; how many shapes were tried and how many programs of PTX were searched.
fn prove_family(family: &Family, targets: &[Target]) -> (usize, usize) {
    let (mut seen, mut shapes, mut programs) = (0, 0, 0);
    let stride = match family.spread.iter().sum() {
        0..=3usize => 1,
        _ => stride(),
    };
    family.each(&mut |shape| {
        seen += 1;
        if seen % stride == 0 {
            shapes += 1;
            programs += prove(shape, targets);
        }
    });
    (shapes, programs)
}

fn prove_spreads(
    letters: &[families::Letter],
    fences: &[Option<warpc_model::Ordering>],
    scopes: &[Scope],
    targets: &[Target],
) -> (usize, usize) {
    let mut total = (0, 0);
    for spread in SPREADS {
        let family = Family {
            spread,
            letters,
            fences,
            scopes,
        };
        let (shapes, programs) = prove_family(&family, targets);
        total = (total.0 + shapes, total.1 + programs);
    }
    println!("{} letters: {total:?} shapes, programs", letters.len());
    total
}

#[test]
fn loads_and_stores_of_every_order() {
    let [_, ordered, membar] = targets();
    prove_spreads(
        LOADS_AND_STORES,
        NO_FENCES,
        &[Scope::Gpu],
        &[ordered, membar],
    );
}

#[test]
fn atomics_of_every_order() {
    let [_, ordered, membar] = targets();
    prove_spreads(ATOMIC, NO_FENCES, &[Scope::Gpu], &[ordered, membar]);
}

#[test]
fn fences_between_accesses() {
    prove_spreads(TO_FENCE, FENCES, &[Scope::Gpu], &targets());
}

#[test]
fn scopes_that_take_in_all_threads() {
    let [_, ordered, membar] = targets();
    for scope in [Scope::Cta, Scope::Cluster, Scope::Sys] {
        prove_spreads(STRONG, NO_FENCES, &[scope], &[ordered, membar]);
    }
}

#[test]
fn scopes_of_two_kinds() {
    let [_, ordered, _] = targets();
    let family = |spread| Family {
        spread,
        letters: STRONG,
        fences: NO_FENCES,
        scopes: &[Scope::Cta, Scope::Gpu],
    };
    println!("{:?}", prove_family(&family(&[2, 2]), &[ordered]));
}

#[test]
fn swaps_of_every_pair_of_orders() {
    let [_, ordered, membar] = targets();
    let mut total = 0;
    for spread in SPREADS.iter().filter(|spread| spread.len() == 2) {
        let letters: Vec<families::Letter> = STRONG
            .iter()
            .copied()
            .chain([(Kind::Rmw, warpc_model::Ordering::Relaxed)])
            .collect();
        let family = Family {
            spread,
            letters: &letters,
            fences: NO_FENCES,
            scopes: &[Scope::Gpu],
        };
        let mut seen = 0;
        family.each(&mut |shape| {
            seen += 1;
            if seen % stride() != 0 {
                return;
            }
            let swaps = shape
                .threads
                .iter()
                .flatten()
                .filter(|item| item.kind == Kind::Rmw);
            if swaps.count() == 1 {
                families::with_swap(shape, &mut |swapped| {
                    total += prove(swapped, &[ordered, membar]);
                });
            }
        });
    }
    println!("{total}");
}
