//! Nanoseconds to find a builtin by its name: our table beside `phf`'s perfect hash and hash maps.
//!
//! Prints a section of `docs/benchmarks.md`; `./x bench builtins` runs it. All names are asked for in a
//! shuffled order, in four sets: every builtin; builtins with one letter changed; names as modules have
//! them, none of which is a builtin; and a module's mix, where one call in ten is of a builtin.

use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;
use warpc_builtins::{all, by_name};
use warpc_testkit::Random;

/// How often each set is asked for, and how many times that is measured.
const PASSES: usize = 200;
const RUNS: usize = 15;

fn main() {
    let keys: Vec<&'static str> = all().iter().map(|row| row.name).collect();
    let perfect = perfect_map(&keys);
    let std_map: HashMap<&str, u16> = all().iter().map(|row| (row.name, row.id)).collect();
    let fx_map: FxHashMap<&str, u16> = all().iter().map(|row| (row.name, row.id)).collect();

    println!("## Finding builtins\n");
    println!("| names | ours | phf | std `HashMap` | `FxHashMap` |");
    println!("|---|---|---|---|---|");
    for (title, names) in sets(&keys) {
        let names = shuffled(names);
        let ours = measure(&names, |name| by_name(name).map(|row| row.id));
        let phf = measure(&names, |name| perfect.get(name).copied());
        let std = measure(&names, |name| std_map.get(name).copied());
        let fx = measure(&names, |name| fx_map.get(name).copied());
        let against = |theirs: f64| format!("{theirs:.1} ns ({:.1}x)", theirs / ours);
        println!(
            "| {title} | {ours:.1} ns | {} | {} | {} |",
            against(phf),
            against(std),
            against(fx)
        );
    }
    println!(
        "\nOne look-up by name among 770 builtins, the best of {RUNS} runs over shuffled names, in one thread; in\n\
         brackets their time over ours. Ours and phf's are made when they are compiled, the maps at run time.\n\
         `cargo bench -p warpc-builtins` measures it alone."
    );
}

/// What `phf_map!` makes at compile time, made at run time by the same generator.
fn perfect_map(keys: &[&'static str]) -> phf::Map<&'static str, u16> {
    let state = phf_generator::generate_hash(keys);
    let entries: Vec<(&'static str, u16)> = state
        .map
        .iter()
        .map(|&place| (keys[place], place as u16 + 1))
        .collect();
    phf::Map {
        key: state.key,
        disps: Box::leak(state.disps.into_boxed_slice()),
        entries: Box::leak(entries.into_boxed_slice()),
    }
}

/// The sets of names.
fn sets(keys: &[&'static str]) -> Vec<(&'static str, Vec<String>)> {
    let hits: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
    let changed = keys
        .iter()
        .enumerate()
        .map(|(i, key)| {
            let mut bytes = key.as_bytes().to_vec();
            let place = i % bytes.len();
            bytes[place] = if bytes[place] == b'q' { b'z' } else { b'q' };
            String::from_utf8(bytes).expect("names are ASCII")
        })
        .collect();
    let foreign: Vec<String> = (0..keys.len())
        .map(|i| match i % 7 {
            0 => format!("llvm.nvvm.read.ptx.sreg.tid.x{i}"),
            1 => format!("_Z{}reduce_kernelILi{i}EEvPKfPfi", 10 + i % 9),
            2 => "vprintf".repeat(1 + i % 3),
            3 => format!("llvm.memcpy.p0.p0.i64.{i}"),
            4 => format!(
                "__nv_{}f",
                ["sin", "cos", "exp", "log"][i % 4].repeat(1 + i % 5)
            ),
            5 => format!("llvm.fmuladd.f{i}"),
            _ => format!("kernel_{i}"),
        })
        .collect();
    let mixed = foreign
        .iter()
        .enumerate()
        .map(|(i, name)| {
            if i % 10 == 0 {
                hits[i].clone()
            } else {
                name.clone()
            }
        })
        .collect();
    vec![
        ("all builtins", hits),
        ("builtins with one letter changed", changed),
        ("other functions", foreign),
        ("one builtin among ten", mixed),
    ]
}

/// The same order in each run, but not the table's.
fn shuffled(mut names: Vec<String>) -> Vec<String> {
    Random::new(1).shuffle(&mut names);
    names
}

/// The best time of a look-up: what else runs on the machine only makes it longer.
fn measure(names: &[String], find: impl Fn(&str) -> Option<u16>) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..PASSES {
                for name in names {
                    black_box(find(black_box(name)));
                }
            }
            start.elapsed().as_nanos() as f64 / (PASSES * names.len()) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[0]
}
