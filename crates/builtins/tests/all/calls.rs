//! Calls of `__nv_atomic_*` builtins: our verdict against that of CUDA's front ends.

use std::collections::{BTreeMap, BTreeSet};
use warpc_builtins::construct::{Form, Spelling};
use warpc_builtins::fault::{ENTRIES, Fault};
use warpc_builtins::resolve::{Argument, Call, Kind, Object, Resolved, resolve};
use warpc_diag::Severity;
use warpc_testkit::{gzip, project};

fn recorded(name: &str) -> String {
    gzip::read_text(project::oracle(name))
}

fn object(word: &str) -> Object {
    let of = |kind, bits: &str| Object::Of {
        kind,
        bytes: bits.parse::<u64>().unwrap().div_ceil(8),
    };
    match word {
        "-" | "value" => Object::Value,
        "void" => Object::Unknown,
        "bool" => of(Kind::Unsigned, "8"),
        "e32" => of(Kind::Enum, "32"),
        "scoped" => of(Kind::ScopedEnum, "32"),
        "pointer" => of(Kind::Address, "64"),
        _ => match word.split_at(1) {
            ("s", bits) => of(Kind::Signed, bits),
            ("u", bits) => of(Kind::Unsigned, bits),
            ("f", bits) => of(Kind::Float, bits),
            ("r", bytes) => Object::Of {
                kind: Kind::Record,
                bytes: bytes.parse().unwrap(),
            },
            _ => panic!("{word}"),
        },
    }
}

fn argument(word: &str, names: &[&str]) -> Argument {
    let place = names.iter().position(|name| *name == word);
    match (word, place) {
        ("-" | "none", _) => Argument::Missing,
        ("var", _) => Argument::Variable,
        (_, Some(place)) => Argument::Constant(place as i64),
        (_, None) => Argument::Constant(word.parse().unwrap()),
    }
}

/// The call of a row's first five columns.
fn call(row: &[&str], chip: u16) -> Call {
    const ORDERS: [&str; 6] = [
        "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst",
    ];
    const SCOPES: [&str; 5] = ["thread", "block", "cluster", "device", "system"];
    Call {
        spelling: Spelling::parse(row[0]).unwrap_or_else(|| panic!("{}", row[0])),
        object: object(row[1]),
        order: argument(row[2], &ORDERS),
        failure: argument(row[3], &ORDERS),
        scope: argument(row[4], &SCOPES),
        chip,
    }
}

fn words(verdict: &Result<Resolved, Vec<Fault>>) -> Vec<String> {
    let faults = match verdict {
        Ok(resolved) => &resolved.warnings,
        Err(faults) => faults,
    };
    let letter = |fault: &Fault| match fault.severity() {
        Severity::Error => 'E',
        Severity::Warning => 'W',
    };
    let word = |fault: &Fault| format!("{}{}", letter(fault), fault.number());
    faults.iter().map(word).collect()
}

/// What the front ends say about a value that they do not know follows from nothing.
fn follows(word: &str, row: &[&str]) -> bool {
    match word {
        "E3746" => row[2] == "var" || row[3] == "var",
        "E3747" | "W3759" | "W3763" => row[4] == "var",
        _ => false,
    }
}

/// Every diagnostic of every recorded call, in its order.
#[test]
fn diagnostics_are_those_of_the_front_ends() {
    let table = recorded("atomic_calls.tsv.gz");
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let chips: Vec<u16> = header[5..]
        .iter()
        .map(|name| name.strip_prefix("sm_").unwrap().parse().unwrap())
        .collect();
    assert_eq!(chips, [50, 60, 70, 75, 80, 90, 100]);

    let mut differing = Vec::new();
    let mut counts = BTreeMap::<String, u32>::new();
    let mut asked = 0;
    for line in lines {
        let row: Vec<&str> = line.split('\t').collect();
        for (said, &chip) in row[5..]
            .iter()
            .zip(&chips)
            .filter(|(said, _)| **said != "?")
        {
            asked += 1;
            let words_of_it = said.split(' ').filter(|word| *word != "-");
            let theirs: Vec<&str> = words_of_it.filter(|word| !follows(word, &row)).collect();
            let ours = words(&resolve(&call(&row, chip)));
            if ours != theirs && differing.len() < 20 {
                differing.push(format!("{line}\n    sm_{chip}: ours {ours:?}"));
            }
            for word in ours {
                *counts.entry(word).or_default() += 1;
            }
        }
    }
    println!("{asked} calls, {counts:?}");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert_eq!(asked, 32_495);
}

/// The table of PTX: refused, compiled, or compiled with a warning of the number that nvcc prints.
#[test]
fn verdicts_are_those_of_the_compiler() {
    let table = recorded("cuda_atomics.tsv.gz");
    let mut counts = BTreeMap::<String, u32>::new();
    for line in table.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let verdict = resolve(&call(&row, row[5].parse().unwrap()));
        let printed: Vec<u16> = match &verdict {
            Ok(resolved) => resolved
                .warnings
                .iter()
                .filter_map(|w| w.printed())
                .collect(),
            Err(_) => Vec::new(),
        };
        let status = row[6].split_once(' ').unwrap_or((row[6], ""));
        let fits = match status {
            ("ok", _) => verdict.is_ok() && printed.is_empty(),
            ("rejected", _) => verdict.is_err(),
            (_, number) => printed.contains(&number.parse().unwrap()),
        };
        assert!(fits, "{line}\nours: {verdict:?}");
        if let Ok(resolved) = &verdict {
            assert_eq!(resolved.builtin.name, sized_name(row[0], row[1]), "{line}");
        }
        *counts.entry(row[6].to_owned()).or_default() += 1;
    }
    println!("{counts:?}");
    assert_eq!(counts.values().sum::<u32>(), 17_670);
}

/// The row that a builtin becomes for a type such as `s32`, put together here from the words alone.
fn sized_name(builtin: &str, ty: &str) -> String {
    let word = builtin.strip_prefix("__nv_atomic_").unwrap();
    let word = word.strip_suffix("_n").unwrap_or(word);
    if word == "thread_fence" {
        return builtin.to_owned();
    }
    let is_other = ["load", "store", "exchange", "compare_exchange"].contains(&word);
    let fetch = match is_other || word.starts_with("fetch_") {
        true => "",
        false => "fetch_",
    };
    let (letter, bits) = ty.split_at(1);
    let bytes = bits.parse::<u32>().unwrap() / 8;
    let has_letter = ["add", "sub", "min", "max"]
        .iter()
        .any(|op| word.ends_with(op));
    match has_letter {
        true => format!("__nv_atomic_{fetch}{word}_{bytes}_{letter}"),
        false => format!("__nv_atomic_{fetch}{word}_{bytes}"),
    }
}

/// Every number can be reached.
#[test]
fn every_fault_is_reached() {
    let table = recorded("atomic_calls.tsv.gz");
    let mut reached = BTreeSet::new();
    for line in table.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        for chip in [50, 60, 80] {
            reached.extend(words(&resolve(&call(&row, chip))));
        }
    }
    // What no row of the table can say.
    let load = call(&["__nv_atomic_load_n", "u32", "relaxed", "-", "device"], 90);
    let bytes = 3;
    let kind = Kind::Unsigned;
    let object = Object::Of { kind, bytes };
    for wrong in [
        Call {
            order: Argument::Missing,
            ..load
        },
        Call {
            object: Object::Missing,
            ..load
        },
        Call { object, ..load },
    ] {
        reached.extend(words(&resolve(&wrong)));
    }
    let numbers: BTreeSet<u16> = reached.iter().map(|w| w[1..].parse().unwrap()).collect();
    let known: BTreeSet<u16> = ENTRIES.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers, known);
}

/// A row's own name chooses the row, whatever the front ends say to its type.
#[test]
fn sized_names_choose_their_rows() {
    for row in warpc_builtins::all() {
        let Some(spelling) = Spelling::parse(row.name) else {
            continue;
        };
        if !matches!(spelling.form, Form::Sized { .. }) {
            continue;
        }
        let relaxed = Argument::Constant(0);
        let call = Call {
            spelling,
            object: Object::Unknown,
            order: relaxed,
            failure: relaxed,
            scope: Argument::Missing,
            chip: 90,
        };
        assert_eq!(resolve(&call).unwrap().builtin, row);
        let at_gate = row.chips.expect("atomics have a gate");
        for chip in [60, 70, 80, 90] {
            let has = at_gate.contains_number(chip);
            let verdict = resolve(&Call { chip, ..call });
            assert_eq!(verdict.is_ok(), has, "{} {chip}", row.name);
        }
        let no_address = Call {
            object: Object::Value,
            ..call
        };
        assert_eq!(resolve(&no_address), Err(vec![Fault::NotAnAddress]));
    }
}
