//! Every NVVM builtin on every chip: it compiles where the table says so, and is refused by name elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use warpc_irgen::builtins::{CHIPS, Fate, fate};

/// Builtins that no chip compiles, with the reason that the diagnostic gives.
const REFUSED: [(&str, &str); 10] = [
    ("__nvvm_ex2_approx_d", "single precision only"),
    ("__nvvm_lg2_approx_d", "single precision only"),
    ("__nv_p2r", "types are not known"),
    ("__nv_r2p", "types are not known"),
    ("__cu_va_arg", "C type"),
    ("__nv_tex_surf_handler", "types that LLVM IR does not carry"),
    ("__wgmma_mma_async_f16", "types are not known"),
    ("__wgmma_mma_async_bf16", "types are not known"),
    ("__wgmma_mma_async_tf32", "types are not known"),
    ("__wgmma_mma_async_f8", "types are not known"),
];

#[test]
fn every_builtin_on_every_chip() {
    let mut table: BTreeMap<(&str, String), [usize; 3]> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for chip in CHIPS {
        for builtin in warpc_builtins::all() {
            let category = format!("{:?}", builtin.category);
            let row = table.entry((chip, category)).or_default();
            match fate(builtin, chip) {
                Fate::Compiled(_) => row[0] += 1,
                Fate::Gated(message) if message.contains(builtin.name) => row[1] += 1,
                Fate::Gated(message) => {
                    wrong.push(format!("{chip} {}: {message}", builtin.name));
                }
                Fate::Reserved => row[2] += 1,
                Fate::Refused(message) => {
                    row[2] += 1;
                    seen.insert(builtin.name);
                    let known = REFUSED.iter().find(|entry| entry.0 == builtin.name);
                    if !known.is_some_and(|entry| message.contains(entry.1)) {
                        wrong.push(format!("{chip} {}: {message}", builtin.name));
                    }
                }
                Fate::BelowGate => wrong.push(format!("{chip} {}: compiles", builtin.name)),
            }
        }
    }
    for (name, _) in REFUSED {
        if !seen.contains(name) {
            wrong.push(format!("{name} compiles and is listed as refused"));
        }
    }
    println!("chip category compiled gated refused");
    for ((chip, category), row) in &table {
        println!("{chip} {category} {} {} {}", row[0], row[1], row[2]);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
