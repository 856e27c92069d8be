//! `model` says where atomics, fences, reductions and barriers in memory exist, and so do the rows of [`crate::table`]:
//! two descriptions, written apart, that must give one answer for every form, chip and row.

use crate::form::{FormId, forms_of};
use crate::inst::Mnemonic;
use std::collections::HashSet;
use warpc_model::{
    Atomic, AtomicOp, AtomicType, Fence, MbarrierOp, Ordering, Redux, Requires, Scope, StateSpace,
};
use warpc_target::{Gate, PtxVersion, Sm};

const ORDERS: [Option<Ordering>; 5] = [
    None,
    Some(Ordering::Relaxed),
    Some(Ordering::Acquire),
    Some(Ordering::Release),
    Some(Ordering::AcqRel),
];
const SCOPES: [Option<Scope>; 5] = [
    None,
    Some(Scope::Cta),
    Some(Scope::Cluster),
    Some(Scope::Gpu),
    Some(Scope::Sys),
];
const SPACES: [StateSpace; 5] = [
    StateSpace::Generic,
    StateSpace::Global,
    StateSpace::Shared,
    StateSpace::SharedCta,
    StateSpace::SharedCluster,
];

/// Every chip without the letters: what the vocabulary needs is the same for all variants of a chip.
fn chips() -> Vec<Sm> {
    let plain = |sm: &Sm| !sm.to_string().ends_with(['a', 'f']);
    Sm::all().filter(plain).collect()
}

/// What is different between two answers to "since when does a chip have it".
fn difference(
    text: &str,
    sm: Sm,
    model: Option<PtxVersion>,
    mnemonic: &Mnemonic,
) -> Option<String> {
    // The tables also know since when there is the chip.
    let model = model.map(|since| since.max(sm.first_version()));
    let tables = mnemonic.needs(sm, None).ok();
    (model != tables).then(|| format!("{text} on {sm}: model {model:?}, tables {tables:?}"))
}

fn atomics() -> impl Iterator<Item = Atomic> {
    let ops = "add min max inc dec and or xor exch cas".split(' ');
    let ops = ops.filter_map(AtomicOp::from_ptx);
    let kinds = ops.flat_map(|op| AtomicType::all().map(move |ty| Atomic::new(op, ty)));
    let shapes = kinds.flat_map(|atomic| {
        [1, 2, 4, 8].into_iter().flat_map(move |elements| {
            (0..8).map(move |bits| Atomic {
                elements,
                noftz: bits & 1 != 0,
                has_result: bits & 2 != 0,
                cache_hint: bits & 4 != 0,
                ..atomic
            })
        })
    });
    shapes.flat_map(|atomic| {
        SPACES.into_iter().flat_map(move |space| {
            ORDERS.into_iter().flat_map(move |order| {
                SCOPES.into_iter().map(move |scope| Atomic {
                    space,
                    order,
                    scope,
                    ..atomic
                })
            })
        })
    })
}

/// All legal atomics need on each chip what their rows need, and every row of `atom` and `red` is one of them.
#[test]
fn atomics_need_what_their_rows_need() {
    let chips = chips();
    let mut rows: HashSet<FormId> = HashSet::new();
    let (mut count, mut wrong) = (0, Vec::new());
    let legal = atomics().filter_map(|atomic| Some((atomic, atomic.check().ok()?)));
    for (number, (atomic, requires)) in legal.enumerate() {
        let text = atomic.to_string();
        let Some(mnemonic) = Mnemonic::find(&text) else {
            wrong.push(format!("no row has {text}"));
            continue;
        };
        rows.extend(mnemonic.choices.iter().map(|choice| choice.form));
        // Each form is asked on some chips, each chip with every form of orders, scopes and spaces.
        for &sm in chips.iter().skip(number % 5).step_by(5) {
            count += 1;
            let model = Requires::required_version(&requires, sm);
            wrong.extend(difference(&text, sm, model, &mnemonic));
        }
    }
    assert!(count > 20_000, "{count}");
    let few = &wrong[..wrong.len().min(8)];
    assert!(wrong.is_empty(), "{} of {count}: {few:#?}", wrong.len());
    for opcode in ["atom", "red"] {
        for form in forms_of(opcode) {
            let line = form.form().row.syntax;
            let asynchronous = line.contains(".async");
            assert!(
                asynchronous || rows.contains(form),
                "no atomic of the model is `{line}`"
            );
        }
    }
}

/// Fences, reductions over a warp and operations on barriers in memory.
#[test]
fn gates_of_the_vocabulary_are_those_of_the_rows() {
    let fences = Fence::all().filter_map(|fence| Some((fence.to_string(), fence.gate()?)));
    let reductions = Redux::ALL.map(|redux| (redux.to_string(), redux.gate()));
    let barriers = MbarrierOp::all().map(|op| (format!("{}.shared.b64", op.ptx()), op.gate()));
    let all: Vec<(String, Gate)> = fences.chain(reductions).chain(barriers).collect();
    assert!(all.len() > 50, "{}", all.len());
    let mut wrong = Vec::new();
    for (text, gate) in &all {
        let Some(mnemonic) = Mnemonic::find(text) else {
            wrong.push(format!("no row has {text}"));
            continue;
        };
        for sm in Sm::all() {
            wrong.extend(difference(text, sm, gate.required_version(sm), &mnemonic));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
