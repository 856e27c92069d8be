//! Which instructions the emulator refuses by name: of all forms that recorded answers of ptxas have, these and no others.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use warpc_diag::SourceFile;
use warpc_sim::{Argument, Device, Launch, Options, Races};
use warpc_testkit::project;
use warpc_testkit::record::Table;
use warpc_testkit::wrap::wrap;

const TABLES: &str = "address async_copy atomic barrier bulk_copy cache compare control convert extended fabric fence float half \
    half_compare integer load_store logic matrix_move mbarrier misc mixed mma multimem shuffle sreg stack surface tcgen05 tensor_copy \
    texture texture_independent video warp wgmma wmma";

/// The modifiers that an instruction is refused for, all of which it has, and why it is not run.
const REFUSED: &[(&[&str], &str)] = &[
    (&["fabric"], "the memory of other devices"),
    (
        &["cp", "async", "bulk", "shared::cta", "ignore_oob"],
        "what is written is not documented beyond doubt",
    ),
    (
        &["ldmatrix", "s8", "s4"],
        "where elements lie is not documented",
    ),
    (
        &["suq", "memory_layout"],
        "which layouts are linear is not documented",
    ),
    (&["sured", "p", "b64"], "not done"),
    (&["tcgen05", "shift"], "which rows move is in figures only"),
    (
        &["tcgen05", "mma", "ashift"],
        "which rows move is in figures only",
    ),
    (
        &["tcgen05", "cp", "4x256b"],
        "which lanes are written is in figures only",
    ),
    (
        &["tcgen05", "cp", "b8x16"],
        "where the bits of an element go is in figures only",
    ),
    (
        &["tcgen05", "ld", "red", "16x32bx2"],
        "whether both halves of a lane are reduced together is not documented",
    ),
    (
        &["txq", "addr_mode_0"],
        "the numbers of modes are not documented",
    ),
    (
        &["txq", "addr_mode_1"],
        "the numbers of modes are not documented",
    ),
    (
        &["txq", "addr_mode_2"],
        "the numbers of modes are not documented",
    ),
    (
        &["txq", "filter_mode"],
        "the numbers of filters are not documented",
    ),
    (
        &["txq", "force_unnormalized_coords"],
        "samplers here force nothing",
    ),
];

/// The mnemonic of an instruction.
fn mnemonic(instruction: &str) -> &str {
    let from = instruction.trim_start();
    from.split([' ', ';']).next().unwrap_or(from)
}

/// The entry of the list that an instruction belongs to.
fn entry(table: &str, instruction: &str) -> Option<usize> {
    let parts: HashSet<&str> = mnemonic(instruction)
        .split('.')
        .chain((table == "fabric").then_some("fabric"))
        .collect();
    REFUSED
        .iter()
        .position(|(all, _)| all.iter().all(|part| parts.contains(part)))
}

/// Whether the emulator refuses a kernel of one instruction; nothing if it is not valid.
fn is_refused(target: &str, instruction: &str) -> Option<bool> {
    let is_old = matches!(
        target,
        "sm_60" | "sm_61" | "sm_62" | "sm_70" | "sm_72" | "sm_101" | "sm_101a" | "sm_101f"
    );
    let version = if is_old { "8.8" } else { "9.4" };
    let file = SourceFile::new("k.ptx", wrap(target, version, instruction))?;
    let checked = warpc_ptx::check(&file);
    if checked.diagnostics.has_errors() {
        return None;
    }
    let options = Options {
        limit: Some(100),
        jobs: 1,
        races: Races::Off,
        ..Options::default()
    };
    let mut device = Device::new(checked.value.as_ref()?, options);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [1, 1, 1],
        block: [1, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Value(vec![0; 8]), Argument::Value(vec![0; 4])],
    });
    let code = outcome
        .err()
        .map(|found| found.first_error().map_or("", |error| error.code.0));
    Some(code == Some("W0711"))
}

#[test]
fn what_is_refused() {
    let (mut wrong, mut used) = (BTreeMap::new(), BTreeSet::new());
    let mut count = 0;
    for name in TABLES.split_whitespace() {
        let table = Table::read(project::oracle(&format!("ptx_{name}.tsv.gz")));
        let instruction = table.column("instruction");
        let targets =
            (table.header.iter().enumerate()).filter(|(_, title)| title.starts_with("sm_"));
        let targets: Vec<(usize, &String)> = targets.collect();
        let mut seen = HashSet::new();
        for row in &table.rows {
            let text = &row[instruction];
            let Some((_, target)) = targets.iter().rev().find(|(at, _)| row[*at] == "y") else {
                continue;
            };
            if !seen.insert(mnemonic(text)) {
                continue;
            }
            let Some(refused) = is_refused(target, text) else {
                continue;
            };
            count += 1;
            let entry = entry(name, text);
            if refused {
                used.extend(entry);
            }
            // A form may be run by one spelling only; what is listed need not be refused in all of them.
            if refused && entry.is_none() {
                wrong.insert(mnemonic(text).to_owned(), name);
            }
        }
    }
    assert!(wrong.is_empty(), "refused, but not listed: {wrong:#?}");
    let unused: Vec<_> = (0..REFUSED.len())
        .filter(|at| !used.contains(at))
        .map(|at| REFUSED[at])
        .collect();
    assert!(unused.is_empty(), "listed, but not refused: {unused:?}");
    assert!(count > 14_000, "{count} forms");
}
