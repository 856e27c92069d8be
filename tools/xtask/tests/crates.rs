//! What the crates may know of each other, and that those for users can be published.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use warpc_testkit::project::root;

/// The crates of `crates/`, from the bottom to the top, and the crates that each may depend on. A crate may use fewer; one
/// that needs more is in the wrong place, or the drawing in ARCHITECTURE.md changes with this table.
const ALLOWED: &[(&str, &str)] = &[
    ("warpc-diag", ""),
    ("warpc-target", ""),
    ("warpc-model", "target"),
    ("warpc-builtins", "diag model target"),
    ("warpc-nvvm", "diag model"),
    ("warpc-mlir", "diag nvvm"),
    ("warpc-lower", "builtins diag model nvvm target"),
    ("warpc-ptx", "diag model target"),
    ("warpc-ptx-eval", "ptx"),
    ("warpc-nvvm-to-ptx", "diag lower model nvvm ptx target"),
    // The data depend on nothing; the feature `check` holds them against a PTX module.
    ("warpc-launch", "diag ptx target"),
    ("warpc-request", "diag launch ptx target"),
    // Code for the host, which it alone knows how to call.
    ("warpc-jit", ""),
    ("warpc-sim", "diag jit launch ptx ptx-eval target"),
    ("warpc-sass", "model target"),
    ("warpc-cubin", "diag target"),
    ("warpc-sass-text", "cubin diag sass target"),
    ("warpc-sass-sim", "cubin diag launch ptx-eval sass target"),
    (
        "warpc-ptx-to-sass",
        "cubin diag launch model ptx ptx-eval sass sass-text target",
    ),
    ("warpc-driver", "launch"),
    ("warpc-litmus", "diag model ptx target"),
    (
        "warpc",
        "builtins cubin diag driver launch litmus lower mlir model nvvm nvvm-to-ptx ptx ptx-to-sass request sass sass-sim sass-text sim target",
    ),
    (
        "warpc-cli",
        "warpc builtins cubin diag lower model nvvm ptx ptx-to-sass request sass sass-text sim target",
    ),
    ("warpc-libnvvm", "warpc"),
    ("warpc-nvjitlink", "warpc"),
    ("warpc-capi", "warpc"),
];

/// What users of the library must not have to build.
const TOO_HEAVY: [&str; 4] = ["clap", "serde", "serde_json", "proptest"];

/// Runs cargo without a network and gives what it printed.
fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root()).args(arguments).arg("--offline");
    let output = command.output().expect("cargo runs this test");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}\n{errors}");
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

/// The packages of the workspace.
fn packages() -> Vec<Value> {
    let text = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&text).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or("")
}

/// Whether a package lies under `crates/`: what users link.
fn is_for_users(package: &Value) -> bool {
    let crates = root().join("crates").canonicalize().expect("it is there");
    Path::new(text(package, "manifest_path")).starts_with(crates)
}

/// Dependencies inside the workspace, of one kind: none for the usual ones, `dev` or `build`.
fn inside<'v>(package: &'v Value, kind: Option<&str>) -> impl Iterator<Item = &'v Value> {
    let all = package["dependencies"].as_array().expect("a list").iter();
    let kind = kind.map(str::to_owned);
    all.filter(move |one| one["path"].is_string() && one["kind"].as_str() == kind.as_deref())
}

#[test]
fn crates_know_only_what_lies_below_them() {
    let allowed: BTreeMap<&str, BTreeSet<String>> = ALLOWED
        .iter()
        .map(|(name, below)| {
            let full = |name: &str| match name {
                "warpc" => name.to_owned(),
                short => format!("warpc-{short}"),
            };
            (*name, below.split_whitespace().map(full).collect())
        })
        .collect();
    let mut wrong = Vec::new();
    for package in packages() {
        let name = text(&package, "name");
        if !is_for_users(&package) {
            continue;
        }
        let Some(allowed) = allowed.get(name) else {
            wrong.push(format!("{name} is not in the table"));
            continue;
        };
        for kind in [None, Some("build")] {
            for one in inside(&package, kind) {
                if !allowed.contains(text(one, "name")) {
                    wrong.push(format!("{name} must not depend on {}", text(one, "name")));
                }
            }
        }
        for one in inside(&package, Some("dev")) {
            let below = ALLOWED.iter().any(|(known, _)| *known == text(one, "name"));
            if !below && text(one, "name") != "warpc-testkit" {
                wrong.push(format!(
                    "tests of {name} must not depend on {}",
                    text(one, "name")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The table itself goes one way.
    for (index, (name, below)) in ALLOWED.iter().enumerate() {
        for short in below.split_whitespace() {
            let position = ALLOWED.iter().position(|(known, _)| {
                *known == short || known.strip_prefix("warpc-") == Some(short)
            });
            assert!(position.is_some_and(|at| at < index), "{name}: {short}");
        }
    }
}

#[test]
fn crates_for_users_can_be_published() {
    let mut wrong = Vec::new();
    let mut arguments = vec!["package".to_owned()];
    for package in packages() {
        let name = text(&package, "name");
        // `publish = false` is a list without a registry.
        let is_private = package["publish"].as_array().is_some_and(Vec::is_empty);
        if is_private == is_for_users(&package) {
            wrong.push(format!("{name}: `publish` fits only the other folder"));
        }
        if is_private {
            continue;
        }
        for key in ["description", "license", "repository", "readme"] {
            if text(&package, key).is_empty() {
                wrong.push(format!("{name} has no {key}"));
            }
        }
        for key in ["keywords", "categories"] {
            if package[key].as_array().is_none_or(Vec::is_empty) {
                wrong.push(format!("{name} has no {key}"));
            }
        }
        for one in inside(&package, None) {
            if text(one, "req") == "*" {
                let other = text(one, "name");
                wrong.push(format!("{name} depends on {other} without a version"));
            }
        }
        arguments.extend(["--package".to_owned(), name.to_owned()]);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    let folder = folder.to_string_lossy().into_owned();
    // Without building what was packaged: a list of files and manifests that a registry takes.
    arguments.extend(["--no-verify", "--allow-dirty", "--target-dir", &folder].map(str::to_owned));
    cargo(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_library_is_light_by_default() {
    let tree = cargo(&[
        "tree",
        "--package",
        "warpc",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ]);
    let names: BTreeSet<&str> = tree
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains("warpc-ptx"), "{tree}");
    let found: Vec<&&str> = names
        .iter()
        .filter(|name| TOO_HEAVY.contains(name))
        .collect();
    assert!(found.is_empty(), "{found:?} in\n{tree}");
    for optional in [
        "warpc-litmus",
        "warpc-mlir",
        "warpc-sim",
        "warpc-sass",
        "warpc-cubin",
        "warpc-driver",
    ] {
        assert!(!names.contains(optional), "{optional} in\n{tree}");
    }
}

/// Where the text of machine instructions is made or read: the rest of the product asks shapes. `parse::shape`, which
/// names a shape once, may stand anywhere.
const MACHINE_TEXT: &[(&str, &str)] = &[
    ("sass/src/print.rs", "text is made here"),
    ("sass/src/parse.rs", "text is read here"),
    ("sass/src/inst.rs", "`Display`"),
    ("sass/src/lib.rs", "the example"),
    ("sass-text/src/instruction.rs", "a line of an assembly text"),
    ("sass-text/src/listing/code.rs", "the lines of a listing"),
    ("ptx-to-sass/src/pattern.rs", "shapes by name, once each"),
    ("ptx-to-sass/src/wired.rs", "sequences as people read them"),
    ("ptx-to-sass/src/ir/print.rs", "the machine IR as text"),
    (
        "ptx-to-sass/src/ir/parse.rs",
        "the machine IR read from text",
    ),
    ("sass-sim/src/load.rs", "the instruction of a finding"),
    (
        "cli/src/explain/kernel/listing.rs",
        "the lines of an explained kernel",
    ),
];

#[test]
fn instructions_are_text_in_print_and_parse_alone() {
    let makes = [
        "print::text(",
        "print::full_text(",
        "print::styled(",
        "print::inst(",
    ];
    let reads = ["parse::word(", "parse::inst("];
    let crates = root().join("crates");
    let mut seen = BTreeSet::new();
    for file in sources(&crates) {
        let text = std::fs::read_to_string(&file).expect("it can be read");
        // What tests do does not count.
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        let name = file.strip_prefix(&crates).expect("it is below");
        let name = name.to_string_lossy().into_owned();
        let is_about = product.contains("warpc_sass") || name.starts_with("sass");
        let uses = makes
            .iter()
            .chain(&reads)
            .any(|call| product.contains(call));
        if is_about && uses {
            assert!(
                MACHINE_TEXT.iter().any(|row| row.0 == name),
                "{name} makes or reads the text of instructions: ask shapes instead"
            );
            seen.insert(name);
        }
    }
    assert!(seen.len() > 4, "{seen:?}");
}

/// The Rust files of all crates, without their tests.
fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !["tests", "benches", "examples"].contains(&name.as_ref()) {
            found.extend(sources(&path));
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
    found
}
