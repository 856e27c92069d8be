//! The planted bugs of `tests/findings`: each is found, on the code of both compilers, and its correct twin gives no finding.
//!
//! A source has lines `// bug: CODE NAME: TEXT`; the kernel `NAME_bug` has the bug, `NAME_ok` has not. What nvcc and clang make of
//! it is recorded next to it.

use std::collections::BTreeMap;
use std::path::Path;
use warpc_diag::SourceFile;
use warpc_request::{Case, Request, cases};
use warpc_sim::{Device, Options, Races};
use warpc_testkit::{gzip, project};

/// Interleavings that each kernel is run in.
const SEEDS: [u64; 2] = [0, 7];
/// A bug that is not found must not make a test that never ends.
const LIMIT: u64 = 3_000_000;

/// What the messages of the races say: the bug, the cause, the cure.
const RACES: [(&str, &str, &str); 7] = [
    (
        "shared_race",
        "no barrier that both threads wait at is between them",
        "put `bar.sync` (`__syncthreads()`) between the two",
    ),
    (
        "warp_race",
        "both threads are in one warp, and its lanes run on their own",
        "put `bar.warp.sync` (`__syncwarp()`) between the two",
    ),
    (
        "loop_race",
        "no barrier that both threads wait at is between them",
        "put `bar.sync` (`__syncthreads()`) between the two",
    ),
    (
        "block_race",
        "they are in different blocks, which run in any order",
        "use atomic operations, or make two kernels of it",
    ),
    (
        "message_fence",
        "was written by a relaxed store with no fence before it",
        "put `fence.acq_rel.gpu` before it",
    ),
    (
        "message_scope",
        "the release is `.cta`, the reader is in another block",
        "`.gpu` would do",
    ),
    (
        "mixed_accesses",
        "this access is weak: only strong accesses may meet without order",
        "make this access relaxed or atomic",
    ),
];

/// The bugs of a source: for each name the code.
fn bugs(text: &str) -> BTreeMap<String, String> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("// bug: "));
    let parts = lines.map(|line| {
        let (code, rest) = line.split_once(' ').expect("a code");
        let (name, _) = rest.split_once(": ").expect("a name");
        (name.to_owned(), code.to_owned())
    });
    parts.collect()
}

/// The codes, messages and cures that a launch ends with.
fn found(module: &warpc_ptx::Module, case: &Case, seed: u64) -> Vec<(String, String, String)> {
    let request = Request::new(module, &case.options).expect("a launch");
    let options = Options {
        seed,
        jobs: 1,
        races: Races::All,
        limit: Some(LIMIT),
        ..Options::default()
    };
    let mut device = Device::new(module, options);
    for buffer in &request.buffers {
        device.buffer(&buffer.bytes);
    }
    let mut found = Vec::new();
    match device.launch(request.launch()) {
        Ok(report) => found.extend(report.warnings.as_slice().iter().cloned()),
        Err(errors) => found.extend(errors.as_slice().iter().cloned()),
    }
    if found.is_empty() {
        found.extend(device.leaks().as_slice().iter().cloned());
    }
    for one in &found {
        assert!(one.help.is_some(), "{}: no cure", one.message);
        assert!(one.thread.is_some(), "{}: no thread", one.message);
        let label = one.label.as_deref().unwrap_or_default();
        assert!(label.contains(", from "), "{label}: no source line");
    }
    let told = |one: &warpc_diag::Diagnostic| {
        let help = one.help.clone().unwrap_or_default();
        (one.code.0.to_owned(), one.message.clone(), help)
    };
    found.iter().map(told).collect()
}

fn judge(folder: &Path, name: &str) -> usize {
    let path = folder.join(format!("{name}.cu"));
    let text = std::fs::read_to_string(&path).expect("a source");
    let bugs = bugs(&text);
    let source = SourceFile::new(path.to_string_lossy(), text).expect("a short text");
    let launches = cases(&source).expect("launches");
    let mut wrong = String::new();
    for tool in ["nvcc", "clang"] {
        let text = gzip::read_text(folder.join(tool).join(format!("{name}.ptx.gz")));
        let ptx = SourceFile::new(format!("{tool}/{name}.ptx"), text).expect("a short text");
        let module = warpc_ptx::check(&ptx).value.expect("a module");
        for (bug, code) in &bugs {
            for (kernel, wanted) in [("bug", Some(code)), ("ok", None)] {
                let kernel = format!("{bug}_{kernel}");
                let is_it = |case: &&Case| case.options.kernel.as_ref() == Some(&kernel);
                let case = launches
                    .iter()
                    .find(is_it)
                    .expect("a launch of each kernel");
                for seed in SEEDS {
                    let found = found(&module, case, seed);
                    let codes: Vec<&String> = found.iter().map(|(code, ..)| code).collect();
                    let race = RACES.iter().find(|(name, ..)| name == bug);
                    let told = race.is_none_or(|(_, cause, cure)| {
                        let tells = |one: &(String, String, String)| {
                            one.1.contains(cause) && one.2.contains(cure)
                        };
                        found.iter().all(tells)
                    });
                    if codes != wanted.into_iter().collect::<Vec<_>>() || !told {
                        wrong.push_str(&format!("{tool}, `{kernel}`, seed {seed}: {found:?}\n"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    bugs.len()
}

#[test]
fn planted_bugs_are_found() {
    let folder = project::root().join("tests/findings");
    let names = ["bounds", "values", "warps", "copies", "races"];
    let count: usize = names.iter().map(|name| judge(&folder, name)).sum();
    assert_eq!(count, 45);
    // What the documentation lists.
    let page = std::fs::read_to_string(project::root().join("docs/findings.md")).expect("a page");
    for name in names {
        let text = std::fs::read_to_string(folder.join(format!("{name}.cu"))).expect("a source");
        for (bug, code) in bugs(&text) {
            let row = page.lines().find(|line| line.contains(&format!("`{bug}`")));
            assert!(row.is_some_and(|row| row.contains(&code)), "{bug}: {row:?}");
        }
    }
}
