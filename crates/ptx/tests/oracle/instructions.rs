//! Single instructions: our verdict and lowest version against ptxas's.
//!
//! Every table `ptx_*.tsv.gz` has a column `instruction`, one column a target with `y` or `n`, and
//! `min_version`: the smallest `.version` at which any of the targets takes the instruction.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpc_diag::SourceFile;
use warpc_target::{PtxVersion, Sm};
use warpc_testkit::project;
use warpc_testkit::record::{Exceptions, Table};
use warpc_testkit::wrap::wrap;

/// The share of rows that may differ, each of them for a reason in `exceptions.tsv`.
const MAX_EXCEPTIONS: f64 = 0.005;

/// Targets that only the older toolkit assembles were asked with its newest version.
pub fn newest(target: &str) -> &'static str {
    if matches!(
        target.split(',').next().unwrap_or_default(),
        "sm_60" | "sm_61" | "sm_62" | "sm_70" | "sm_72" | "sm_101" | "sm_101a" | "sm_101f"
    ) {
        "8.8"
    } else {
        "9.4"
    }
}

/// What we say of an instruction.
struct Judgement {
    /// Whether we take it at the newest version.
    taken: bool,
    /// The lowest version that has it.
    lowest: Option<PtxVersion>,
}

fn judge(target: &str, instruction: &str) -> Option<Judgement> {
    let file = SourceFile::new("row", wrap(target, newest(target), instruction))?;
    let parsed = warpc_ptx::parse(&file);
    if parsed.diagnostics.has_errors() {
        return Some(Judgement {
            taken: false,
            lowest: None,
        });
    }
    let taken = !warpc_ptx::verify(parsed.value.as_ref().unwrap(), Some(&file)).has_errors();
    // After a comma are options of the `.target` directive.
    let sm = target.split(',').next()?.parse::<Sm>().ok()?;
    Some(Judgement {
        taken,
        lowest: parsed.value.as_ref().unwrap().required_version(sm),
    })
}

fn replay(name: &str) {
    let Table { header, rows } = Table::read(project::oracle(name));
    let column = |wanted: &str| {
        header
            .iter()
            .position(|title| title == wanted)
            .unwrap_or_else(|| panic!("{name}: no column {wanted}"))
    };
    let instruction = column("instruction");
    let version = column("min_version");
    let targets: Vec<(usize, &str)> = header
        .iter()
        .enumerate()
        .filter(|(_, title)| title.starts_with("sm_"))
        .map(|(i, title)| (i, title.as_str()))
        .collect();
    assert!(
        !targets.is_empty() && rows.len() > 10,
        "{name} has {} rows and {} targets",
        rows.len(),
        targets.len()
    );
    let exceptions = Exceptions::of(name);
    let (mut excused, mut wrong) = (0usize, String::new());
    let mut wrong_rows = 0usize;
    for row in &rows {
        let text = &row[instruction];
        let ours: Vec<Judgement> = targets
            .iter()
            .map(|(_, target)| judge(target, text).expect("a target and a short text"))
            .collect();
        let verdicts_agree = targets
            .iter()
            .zip(&ours)
            .all(|((i, _), ours)| (row[*i] == "y") == ours.taken);
        let lowest = ours
            .iter()
            .filter_map(|ours| ours.lowest)
            .min()
            .map_or("-".to_owned(), |version| version.to_string());
        // Forms that only old versions have were not looked for everywhere.
        let not_asked = row[version] == "-" && ours.iter().all(|ours| !ours.taken);
        if verdicts_agree && (lowest == row[version] || not_asked) {
            continue;
        }
        if exceptions.reason(text).is_some() {
            excused += 1;
            continue;
        }
        wrong_rows += 1;
        if wrong_rows <= 40 {
            let list: Vec<String> = targets
                .iter()
                .zip(&ours)
                .map(|((i, target), ours)| {
                    format!("{target}:{}{}", row[*i], if ours.taken { "y" } else { "n" })
                })
                .collect();
            let _ = writeln!(
                wrong,
                "  {text}\n      ptxas/ours {} version {}/{lowest}",
                list.join(" "),
                row[version]
            );
        }
    }
    println!(
        "{name}: {} rows, {} targets, {excused} known exceptions, {wrong_rows} wrong",
        rows.len(),
        targets.len()
    );
    assert!(
        wrong_rows == 0,
        "{name}: {wrong_rows} of {} rows differ from ptxas:\n{wrong}",
        rows.len()
    );
    let share = excused as f64 / rows.len() as f64;
    assert!(
        share < MAX_EXCEPTIONS,
        "{name}: {excused} of {} rows are exceptions",
        rows.len()
    );
}

/// All tables, whoever adds one.
#[test]
fn recorded_instructions_are_judged_as_ptxas_judges_them() {
    let mut names: Vec<String> = std::fs::read_dir(project::oracle(""))
        .expect("the folder with recorded answers")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("ptx_") && name.ends_with(".tsv.gz"))
        .filter(|name| {
            std::env::var("WARPC_ORACLE_TABLE").map_or(true, |only| name.contains(&only))
        })
        .collect();
    assert!(!names.is_empty());
    // Largest first, a worker a core: the tables are most of what the tests take time for.
    let size =
        |name: &String| std::fs::metadata(project::oracle(name)).map_or(0, |file| file.len());
    names.sort_by_key(|name| std::cmp::Reverse(size(name)));
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failed) = std::panic::catch_unwind(|| replay(name)) {
                        let text = failed.downcast_ref::<String>().cloned();
                        let text = text.unwrap_or_else(|| format!("{name}: failed"));
                        failures.lock().expect("nobody panics here").push(text);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("nobody panics here");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
