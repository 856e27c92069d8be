//! The model's verdicts against ptxas's, over the recorded answers in `tests/oracle`.
//!
//! A row is an instruction's text, whether ptxas 13.4 takes it (y or n) on five targets, and the
//! lowest `.version` at which one of them does. Compared are whole rows: all five verdicts and the
//! version.

use std::collections::BTreeMap;
use warpc_model::{Atomic, AtomicOp, AtomicType, Fence, Ordering, Requires, Scope, StateSpace};
use warpc_target::{Gate, PtxVersion, Sm};
use warpc_testkit::{gzip, project};

const TARGETS: [&str; 5] = ["sm_75", "sm_80", "sm_90", "sm_100a", "sm_120"];

/// The recorded rows as (family, instruction, verdicts and version joined by tabs).
fn rows() -> Vec<(String, String, String)> {
    let text = gzip::read_text(project::oracle("ptx_sync_accept.tsv.gz"));
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    assert_eq!(header[2..7], TARGETS);
    lines
        .map(|line| {
            let mut fields = line.splitn(3, '\t').map(str::to_owned);
            let mut next = || fields.next().unwrap();
            (next(), next(), next())
        })
        .collect()
}

/// The row that ptxas would have given for something with these needs; `None` is never legal.
fn answer(needs: Option<Requires>) -> String {
    let version = |target: &str| {
        let sm: Sm = target.parse().unwrap();
        let version = needs?.required_version(sm)?;
        Some(version.max(sm.first_version()))
    };
    let versions = TARGETS.map(version);
    let verdicts = versions.map(|v| if v.is_some() { "y" } else { "n" });
    let lowest: Option<PtxVersion> = versions.into_iter().flatten().min();
    let lowest = lowest.map_or("-".to_owned(), |v| v.to_string());
    format!("{}\t{lowest}", verdicts.join("\t"))
}

/// The instruction of a mnemonic such as `atom.relaxed.gpu.add.u32`, modifiers in any order;
/// `None` if it has a modifier that the vocabulary lacks.
fn atomic(mnemonic: &str) -> Option<Atomic> {
    let mut tokens = mnemonic.split('.');
    let mut atomic = Atomic::new(AtomicOp::Exch, AtomicType::B32);
    atomic.has_result = tokens.next()? == "atom";
    atomic.noftz = false;
    let (mut op, mut ty) = (None, None);
    for token in tokens {
        match token {
            "noftz" => atomic.noftz = true,
            "L2::cache_hint" => atomic.cache_hint = true,
            "v2" | "v4" | "v8" => atomic.elements = token[1..].parse().ok()?,
            _ => {
                if let Ok(order) = Ordering::from_ptx(token) {
                    assert!(atomic.order.replace(order).is_none());
                } else if let Ok(scope) = Scope::from_ptx(token) {
                    assert!(atomic.scope.replace(scope).is_none());
                } else if let Some(space) = StateSpace::from_ptx(token) {
                    atomic.space = space;
                } else if let Some(name) = AtomicOp::from_ptx(token) {
                    assert!(op.replace(name).is_none());
                } else {
                    assert!(ty.replace(AtomicType::from_ptx(token)?).is_none());
                }
            }
        }
    }
    (atomic.op, atomic.ty) = (op?, ty?);
    Some(atomic)
}

/// Mnemonics of `atom` and `red`, with ptxas's answers.
fn atomic_rows() -> Vec<(String, String)> {
    let families = ["atom", "red", "atom-vector", "red-vector"];
    rows()
        .into_iter()
        .filter(|(family, ..)| families.contains(&family.as_str()))
        .map(|(_, text, answer)| (text.split(' ').next().unwrap().to_owned(), answer))
        .collect()
}

/// Every row, no exceptions.
#[test]
fn atomics() {
    let rows = atomic_rows();
    let mut wrong = Vec::new();
    for (mnemonic, expected) in &rows {
        let ours = answer(atomic(mnemonic).and_then(|atomic| atomic.check().ok()));
        if ours != *expected {
            wrong.push(format!("{mnemonic}\n  ptxas {expected}\n  model {ours}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let accepted = rows.iter().filter(|row| row.1.contains('y')).count();
    assert_eq!((rows.len(), accepted), (16_648, 8_645));
}

/// What the model prints of every accepted row, modifiers in the manual's order, is itself a row
/// with the same answer.
#[test]
fn printed_atomics_are_accepted() {
    let rows = atomic_rows();
    let answers: BTreeMap<&str, &str> = rows
        .iter()
        .map(|(mnemonic, answer)| (mnemonic.as_str(), answer.as_str()))
        .collect();
    for (mnemonic, answer) in rows.iter().filter(|row| row.1.contains('y')) {
        let ours = atomic(mnemonic).expect("accepted").to_string();
        assert_eq!(
            answers.get(ours.as_str()),
            Some(&answer.as_str()),
            "{mnemonic} printed as {ours}"
        );
    }
}

/// Fences that ptxas takes and the manual does not define (`docs/deviations.md`): 16 of 536 rows, and
/// the only exceptions in all the rows compared here (16 of 17,184, 0.09 %).
const UNDEFINED: [(&str, usize); 3] = [
    ("fence.proxy.tensormap::generic.acq_rel.", 4),
    ("fence.proxy.async::generic.acq_rel.", 4),
    ("fence.proxy.tensormap::generic.release.sync_restrict::", 8),
];

#[test]
fn fences() {
    let (mut compared, mut wrong) = (0, Vec::new());
    let mut undefined = BTreeMap::new();
    for (family, text, expected) in rows() {
        if !["fence", "membar", "fence.proxy"].contains(&family.as_str()) {
            continue;
        }
        compared += 1;
        let (mnemonic, operands) = text.trim_end_matches(';').split_once(' ').unzip();
        let mnemonic = mnemonic.unwrap_or(text.trim_end_matches(';'));
        let fence = Fence::from_ptx(mnemonic).filter(|fence| operands_fit(fence, operands));
        let gate: Option<Gate> = fence.and_then(Fence::gate);
        let ours = answer(gate.map(|gate| Requires::NOTHING.and("the fence", gate)));
        if ours == expected {
            continue;
        }
        match UNDEFINED.iter().find(|kind| text.starts_with(kind.0)) {
            Some(kind) if gate.is_none() => *undefined.entry(kind.0).or_insert(0) += 1,
            _ => wrong.push(format!("{text}\n  ptxas {expected}\n  model {ours}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(compared, 173 + 8 + 355);
    assert_eq!(undefined, BTreeMap::from(UNDEFINED));
}

/// The one fence with operands acquires a tensor map of 128 bytes.
fn operands_fit(fence: &Fence, operands: Option<&str>) -> bool {
    let acquires_map = fence.to_string().contains("tensormap::generic.acquire");
    match operands {
        None => !acquires_map,
        Some(operands) => acquires_map && operands.ends_with(", 128"),
    }
}
