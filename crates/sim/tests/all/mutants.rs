//! Mutants of the correct twins in `tests/findings`: one barrier, fence or wait is left out, or a fence is made one of the block.
//!
//! Those that nothing finds are listed with the reason; `docs/findings.md` has the figures for all kernels.

use std::collections::BTreeMap;
use warpc_diag::SourceFile;
use warpc_request::{Request, cases};
use warpc_sim::{Device, Options, Races};
use warpc_testkit::{gzip, project};

const SEEDS: [u64; 2] = [0, 7];
const LIMIT: u64 = 3_000_000;

/// What is changed: the start of a line, and what stands there instead.
const CHANGES: [(&str, &str); 8] = [
    ("bar.sync", ""),
    ("bar.warp.sync", ""),
    ("cp.async.wait_group", ""),
    ("cp.async.bulk.wait_group", ""),
    ("fence.proxy.async", ""),
    ("fence.mbarrier_init", ""),
    ("membar.gl", ""),
    ("membar.gl", "membar.cta;"),
];

/// Kernels with mutants that are not found: how many of one compiler's code, and why.
const MISSED: [(&str, usize, &str); 12] = [
    (
        "arrivals_ok",
        2,
        "a barrier that nothing follows; a fence before a barrier",
    ),
    (
        "phase_ok",
        2,
        "a barrier that nothing follows; a fence before a barrier",
    ),
    ("bulk_wait_ok", 1, "a fence before a barrier"),
    ("bulk_bytes_ok", 1, "a fence before a barrier"),
    (
        "bulk_source_ok",
        3,
        "another wait follows; a barrier that nothing follows",
    ),
    ("shared_neighbour_ok", 2, "threads read their own words"),
    ("double_free_ok", 1, "nothing is handed on in memory"),
    ("divergent_barrier_ok", 1, "threads read their own words"),
    ("barrier_count_ok", 1, "nothing is handed on in memory"),
    ("barrier_counts_ok", 1, "nothing is handed on in memory"),
    (
        "shared_race_ok",
        1,
        "before the first barrier threads write their own words",
    ),
    (
        "warp_race_ok",
        1,
        "before the first barrier threads write their own words",
    ),
];
/// The data are volatile: nothing races.
const STRONG: (&str, usize) = ("lock_ok", 4);

fn is_found(name: &str, text: String, launch: &warpc_request::Case) -> bool {
    let file = SourceFile::new(name, text).expect("a short text");
    let module = warpc_ptx::check(&file).value.expect("a module");
    SEEDS.iter().any(|seed| {
        let request = Request::new(&module, &launch.options).expect("a launch");
        let options = Options {
            seed: *seed,
            jobs: 1,
            races: Races::All,
            limit: Some(LIMIT),
            ..Options::default()
        };
        let mut device = Device::new(&module, options);
        for buffer in &request.buffers {
            device.buffer(&buffer.bytes);
        }
        let outcome = device.launch(request.launch());
        outcome.map_or(true, |report| !report.warnings.as_slice().is_empty())
    })
}

#[test]
fn mutants_of_correct_kernels_are_found() {
    let folder = project::root().join("tests/findings");
    for tool in ["nvcc", "clang"] {
        let (mut found, mut missed) = (0, BTreeMap::<String, usize>::new());
        for name in ["bounds", "values", "warps", "copies", "races"] {
            let path = folder.join(format!("{name}.cu"));
            let text = std::fs::read_to_string(&path).expect("a source");
            let source = SourceFile::new(path.to_string_lossy(), text).expect("a short text");
            let launches = cases(&source).expect("launches");
            let text = gzip::read_text(folder.join(tool).join(format!("{name}.ptx.gz")));
            let lines: Vec<&str> = text.lines().collect();
            let mut kernel = "";
            for (at, line) in lines.iter().enumerate() {
                if let Some((_, rest)) = line.split_once(".entry ") {
                    kernel = rest.split('(').next().unwrap_or_default();
                }
                if line.contains(".func ") {
                    kernel = "";
                }
                if !kernel.ends_with("_ok") {
                    continue;
                }
                let is_it =
                    |case: &&warpc_request::Case| case.options.kernel.as_deref() == Some(kernel);
                let launch = launches.iter().find(is_it).expect("a launch");
                for (_, new) in CHANGES
                    .iter()
                    .filter(|(old, _)| line.trim().starts_with(old))
                {
                    let mut mutant = lines.clone();
                    mutant[at] = new;
                    match is_found(name, mutant.join("\n"), launch) {
                        true => found += 1,
                        false => *missed.entry(kernel.to_owned()).or_default() += 1,
                    }
                }
            }
        }
        let known = MISSED.iter().map(|(kernel, count, _)| (*kernel, *count));
        let known = known
            .chain([STRONG])
            .map(|(kernel, count)| (kernel.to_owned(), count));
        assert_eq!(missed, known.collect(), "{tool}");
        assert!(found >= 35, "{tool}: {found}");
    }
}
