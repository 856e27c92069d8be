//! Right kernels with one instruction less, or with a scope or an order too weak: what strong memory with a search for races
//! does not find, and what weak memory finds of it.

use super::suite::{load, number, right, run, suites};
use std::collections::BTreeMap;
use warpc_request::Case;
use warpc_sim::MemoryModel;

/// The kind of a change, and the line with it.
type Change = (&'static str, String);

fn replaced(line: &str, tokens: &[&str], with: &str) -> Option<String> {
    let token = tokens.iter().find(|token| line.contains(**token))?;
    Some(line.replacen(token, with, 1))
}

/// What is changed in a line.
fn changes(line: &str) -> Vec<Change> {
    let text = line.trim();
    let inst = match text.strip_prefix('@') {
        Some(_) => text.split_once(' ').map_or("", |(_, inst)| inst.trim()),
        None => text,
    };
    let mut all = Vec::new();
    let is_barrier = inst.starts_with("bar.") || inst.starts_with("barrier.");
    let waits = inst.contains(".sync") || inst.contains(".arrive") || inst.contains(".wait");
    let is_fence = inst.starts_with("fence.") || inst.starts_with("membar.");
    let left_out = line.replacen(inst, "", 1);
    let left_out = left_out.split('@').next().unwrap_or_default().to_owned();
    if is_barrier && inst.contains("cluster") {
        all.push(("barrier of a cluster left out", left_out));
    } else if is_barrier && waits {
        all.push(("barrier left out", left_out));
    } else if is_fence {
        all.push(("fence left out", left_out));
    }
    let is_access = ["ld.", "st.", "atom.", "red.", "mbarrier."];
    let is_access = is_access.iter().any(|start| inst.starts_with(start));
    if is_fence || is_access {
        let wide = [".gpu", ".sys"];
        if let Some(narrow) = replaced(line, &wide, ".cta") {
            all.push(("scope narrowed", narrow));
        } else if let Some(narrow) = replaced(line, &["membar.gl"], "membar.cta") {
            all.push(("scope narrowed", narrow));
        }
    }
    let orders = [".acquire", ".release", ".acq_rel"];
    if is_access && let Some(weak) = replaced(line, &orders, ".relaxed") {
        all.push(("order weakened", weak));
    }
    all
}

#[derive(Default)]
struct Count {
    executed: usize,
    strong: usize,
    weak: usize,
}

#[test]
fn mutants_of_locks_are_found() {
    let seeds = number("WARPC_WEAK_SEEDS", 24);
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for suite in suites(Some(&["locks"])) {
        let program = load(&suite.text).expect("a right file");
        let mut usable: Vec<(&Case, _, u64)> = Vec::new();
        for case in &suite.cases {
            let Some(right) = right(&program, case, 20_000_000) else {
                continue;
            };
            if run(&program, case, MemoryModel::Strong, 0, 20_000_000).is_err() {
                // It races.
                continue;
            }
            // A mutant that needs many times as long waits for ever.
            let limits = [100_000, 1_000_000, 10_000_000, 100_000_000];
            let ends = |limit: &&u64| {
                run(&program, case, MemoryModel::Weak, 0, **limit).is_ok()
                    && run(&program, case, MemoryModel::Weak, 1, **limit).is_ok()
            };
            if let Some(limit) = limits.iter().find(ends) {
                usable.push((case, right, 10 * limit));
            }
        }
        let lines: Vec<&str> = suite.text.lines().collect();
        let mut kernel = String::new();
        for (at, line) in lines.iter().enumerate() {
            if let Some((_, rest)) = line.split_once(".entry ") {
                kernel = rest.split('(').next().unwrap_or_default().trim().to_owned();
            } else if line.contains(".func ") {
                kernel.clear();
            }
            for (kind, new) in changes(line) {
                let runs: Vec<_> = usable
                    .iter()
                    .filter(|(case, ..)| {
                        let own = case.options.kernel.as_deref();
                        own.is_none_or(|own| kernel.is_empty() || own == kernel)
                    })
                    .filter(|(case, ..)| {
                        let blocks = case.options.grid.map_or(1, |grid| grid.iter().product());
                        kind != "scope narrowed" || blocks > 1
                    })
                    .collect();
                let with = |new: &str| {
                    let mut mutant = lines.clone();
                    mutant[at] = new;
                    load(&mutant.join("\n"))
                };
                let Some(mutant) = with(&new) else { continue };
                let inst = line.trim();
                let trap = match inst.strip_prefix('@') {
                    Some(_) => format!("{} trap;", inst.split(' ').next().unwrap_or_default()),
                    None => "trap;".to_owned(),
                };
                let trapping = with(&trap).expect("a trap is right");
                let is_executed = runs.iter().any(|(case, _, limit)| {
                    run(&trapping, case, MemoryModel::Strong, 0, *limit).is_err()
                });
                if !is_executed {
                    continue;
                }
                let finds = |memory: MemoryModel, seeds: u64| {
                    (0..seeds).find(|seed| {
                        runs.iter().any(|(case, right, limit)| {
                            match run(&mutant, case, memory, *seed, *limit) {
                                Ok(shown) => right.len() == 1 && !right.contains(&shown),
                                Err(_) => true,
                            }
                        })
                    })
                };
                let count = counts.entry(kind).or_default();
                count.executed += 1;
                if finds(MemoryModel::Strong, 4).is_some() {
                    count.strong += 1;
                    continue;
                }
                let found = finds(MemoryModel::Weak, seeds);
                count.weak += usize::from(found.is_some());
                let told = found.map_or("not found".to_owned(), |seed| format!("seed {seed}"));
                println!("{}: {kernel}: {kind}: {}: {told}", suite.name, inst);
            }
        }
    }
    let mut all = Count::default();
    for (kind, count) in &counts {
        let Count {
            executed,
            strong,
            weak,
        } = count;
        println!(
            "{kind}: {executed} executed, {strong} found with strong memory, {weak} of the others with weak"
        );
        all.executed += executed;
        all.strong += strong;
        all.weak += weak;
    }
    println!(
        "all: {} executed, {} found with strong memory, {} of the others with weak",
        all.executed, all.strong, all.weak
    );
    assert!(all.weak >= 10, "{}", all.weak);
}
