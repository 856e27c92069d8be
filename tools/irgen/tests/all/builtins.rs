//! Every NVVM builtin on every chip: it compiles where the table says so, and is refused by name elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use warpc_irgen::builtins::{Fate, fate};
use warpc_target::Sm;
use warpc_testkit::{gzip, project};

/// Builtins that no chip compiles, with the reason that the diagnostic gives.
const REFUSED: [(&str, &str); 6] = [
    ("__nvvm_ex2_approx_d", "single precision only"),
    ("__nvvm_lg2_approx_d", "single precision only"),
    ("__nv_p2r", "types are not known"),
    ("__nv_r2p", "types are not known"),
    ("__cu_va_arg", "C type"),
    ("__nv_tex_surf_handler", "types that LLVM IR does not carry"),
];

#[test]
fn every_builtin_on_every_chip() {
    let mut table: BTreeMap<(&str, String), [usize; 3]> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    let chips: Vec<String> = Sm::all().map(|sm| sm.to_string()).collect();
    for chip in chips.iter().map(String::as_str) {
        for builtin in warpc_builtins::all()
            .iter()
            .chain(warpc_builtins::unnumbered())
        {
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

/// Where nvcc's instructions are others, by the end of the name, and why.
const OTHER: [(&str, &str); 10] = [
    (
        "__nvvm_brev64",
        "two of `brev.b32`, which is also what ptxas makes of `brev.b64`",
    ),
    (
        "_round_ftz_f",
        "nvcc's `rintf` does not flush; the builtin says so",
    ),
    (
        "_trunc_ftz_f",
        "nvcc's `truncf` does not flush; the builtin says so",
    ),
    (
        "_mul24_i",
        "nvcc has no 24-bit product any more; PTX has it and the chip does the same for both",
    ),
    ("_mul24_ui", "likewise"),
    (
        "__nvvm_prmt",
        "the header of CUDA cuts the selector before it calls the builtin",
    ),
    (
        "_global_4_impl",
        "the header copies by plain loads and stores where there is no `cp.async`",
    ),
    ("_global_8_impl", "likewise"),
    ("_global_16_impl", "likewise"),
    ("m8n8k4_mma_f64", "nvcc prints `.rn`, which is the default"),
];

/// The instructions of a function without moves of arguments and results, as the script that asked nvcc has them.
fn instructions(ptx: &str) -> Vec<String> {
    let noise = [
        "ld", "st", "mov", "cvta", "ret", "selp", "setp", "add.s64", "bra",
    ];
    let body = ptx.split_once("\n{").map_or("", |parts| parts.1);
    let mut found = Vec::new();
    for line in body.lines() {
        let line = line.trim().trim_start_matches('{').trim();
        let word = line.split_whitespace().next().unwrap_or("");
        let word = word.trim_end_matches(';');
        let is_noise = noise.iter().any(|noise| {
            let rest = word.strip_prefix(noise);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        let parts: Vec<&str> = word.split('.').collect();
        let whole = |part: &str| part.starts_with(['u', 's']) && part[1..].parse::<u32>().is_ok();
        let integers = parts[0] == "cvt" && parts[1..].iter().all(|part| whole(part));
        if !is_noise && !integers && word.starts_with(|c: char| c.is_ascii_lowercase()) {
            found.push(plain(word));
        }
    }
    found
}

/// A mnemonic without the order and scope that atomics have anyhow, its words in one order.
fn plain(mnemonic: &str) -> String {
    let words = mnemonic.split('.');
    let mut words: Vec<&str> = words.filter(|w| !matches!(*w, "relaxed" | "gpu")).collect();
    words.sort_unstable();
    words.join(".")
}

/// What remains of an atomic at a generic address without the loop for the memory of other blocks, in which ptxas's code is
/// not atomic.
fn without_swap_loop(list: &[String]) -> Option<&[String]> {
    match list {
        [test, _, swap, rest @ ..]
            if test == "isspacep.shared::cluster" && swap.contains(".cas") =>
        {
            Some(rest)
        }
        _ => None,
    }
}

#[test]
fn the_instructions_are_those_of_nvcc() {
    let table = gzip::read_text(project::oracle("nvcc_builtins.tsv"));
    let mut lines = table.lines();
    let chips: Vec<&str> = lines.next().unwrap_or("").split('\t').skip(2).collect();
    let (mut same, mut other, mut wrong) = (0, 0, Vec::new());
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let builtin = warpc_builtins::by_name(cells[0]);
        let builtin = builtin.unwrap_or_else(|| panic!("there is no {}", cells[0]));
        for (chip, &theirs) in chips.iter().zip(&cells[2..]) {
            if theirs == "-" {
                continue;
            }
            let ours = match fate(builtin, chip) {
                Fate::Compiled(ptx) => instructions(&ptx),
                fate => vec![format!("{fate:?}")],
            };
            let theirs: Vec<String> = match theirs {
                "(none)" => Vec::new(),
                theirs => theirs.split(' ').map(plain).collect(),
            };
            // The vector forms of bytes come apart before the store where the header has them packed.
            let stores = |list: &[String]| {
                let mut list = list.to_vec();
                list.retain(|word| !word.ends_with("prmt"));
                list
            };
            let reason = OTHER.iter().any(|entry| cells[0].ends_with(entry.0));
            let packed = cells[0].contains("sust") && stores(&ours) == stores(&theirs);
            let guarded = without_swap_loop(&ours) == Some(&theirs[..]);
            match ours == theirs || packed || guarded {
                true => same += 1,
                false if reason => other += 1,
                false => wrong.push(format!("{chip} {}: {ours:?}, not {theirs:?}", cells[0])),
            }
        }
    }
    println!(
        "{same} of {} calls as nvcc, {other} others with a reason",
        same + other
    );
    assert!(same > 1600, "{same}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
