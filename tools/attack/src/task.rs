//! The functions of a test tree, from the command line.

use crate::known;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpc_attack::chance::Chance;
use warpc_attack::check::group;
use warpc_attack::functions::{Function, Native, Outcome, Verdict, extract, judge};
use warpc_attack::machine::Ask;

/// What is to be tried, and how.
pub struct Task {
    /// The folder with the tests.
    pub tests: PathBuf,
    /// Where files go.
    pub out: PathBuf,
    /// Only files whose path contains this.
    pub only: String,
    /// How many functions.
    pub sample: Option<usize>,
    /// Which sample, and which inputs.
    pub seed: u64,
    /// Functions of a module.
    pub set: usize,
    /// The chip.
    pub chip: String,
    /// Modules at a time.
    pub jobs: usize,
}

impl Task {
    /// Tries them, prints a summary, and writes `functions.tsv` and the modules that fail. Whether none did.
    pub fn run(&self) -> Result<bool, String> {
        let chip = known(&self.chip)
            .ok_or_else(|| format!("{} is not a chip of the attack", self.chip))?;
        let sample = self.sample.map(|most| (most, Chance::new(self.seed)));
        let (functions, defined) = extract(&self.tests, &|file| file.contains(&self.only), sample);
        println!(
            "{} functions of {defined} can be called with numbers and buffers",
            functions.len()
        );
        if functions.is_empty() {
            return Err(format!("there are no tests in {}", self.tests.display()));
        }
        let sets: Vec<&[Function]> = functions.chunks(self.set.max(1)).collect();
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<Outcome>> = Mutex::default();
        let failed: Mutex<Option<String>> = Mutex::default();
        std::thread::scope(|scope| {
            for job in 0..self.jobs.max(1) {
                let (sets, next, found, failed) = (&sets, &next, &found, &failed);
                scope.spawn(move || {
                    let work = || -> Result<(), String> {
                        let native = Native::new(&self.out.join(format!("native{job}")))?;
                        while let Some(set) = sets.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let some: Vec<&Function> = set.iter().collect();
                            let outcomes = judge(&some, &native, Ask::chip(chip), self.seed)?;
                            let mut found = found
                                .lock()
                                .unwrap_or_else(|poisoned| poisoned.into_inner());
                            for outcome in &outcomes {
                                if matches!(
                                    outcome.verdict,
                                    Verdict::Different(_) | Verdict::Faults(_)
                                ) {
                                    println!("fault {}: {:?}", outcome.origin, outcome.verdict);
                                }
                            }
                            found.extend(outcomes);
                        }
                        Ok(())
                    };
                    if let Err(message) = work() {
                        *failed
                            .lock()
                            .unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(message);
                    }
                });
            }
        });
        if let Some(message) = failed
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
        {
            return Err(message);
        }
        let found = found
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        self.report(&found)
    }

    fn report(&self, found: &[Outcome]) -> Result<bool, String> {
        let failed = |e: std::io::Error| format!("cannot write to {}: {e}", self.out.display());
        let modules = self.out.join("functions");
        std::fs::remove_dir_all(&modules).ok();
        std::fs::create_dir_all(&modules).map_err(failed)?;
        let mut table = String::from("verdict\torigin\twhat\n");
        let mut groups: BTreeMap<String, (usize, String)> = BTreeMap::new();
        let (mut same, mut rows, mut bad, mut written) = (0, 0, 0, 0);
        for outcome in found {
            let (verdict, what) = match &outcome.verdict {
                Verdict::Same(count) => {
                    same += 1;
                    rows += count;
                    ("same", count.to_string())
                }
                Verdict::Different(what) => ("different", what.clone()),
                Verdict::Faults(what) => ("faults", what.clone()),
                Verdict::Refused(what) => ("refused", what.clone()),
                Verdict::Open(what) => ("open", what.clone()),
            };
            let _ = writeln!(table, "{verdict}\t{}\t{what}", outcome.origin);
            if verdict != "same" {
                let what = if verdict == "different" { "" } else { &what };
                let entry = groups.entry(group(&format!("{verdict}: {what}")));
                let entry = entry.or_insert_with(|| (0, outcome.origin.clone()));
                entry.0 += 1;
            }
            if !outcome.text.is_empty() {
                written += 1;
                bad += usize::from(verdict != "refused");
                let text = format!("; {} {verdict}: {what}\n{}", outcome.origin, outcome.text);
                std::fs::write(modules.join(format!("{written:05}.ll")), text).map_err(failed)?;
            }
        }
        std::fs::write(self.out.join("functions.tsv"), table).map_err(failed)?;
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (what, (count, example)) in groups.iter().take(60) {
            println!("{count:6} {what}    {example}");
        }
        println!(
            "{} functions: {same} the same on {rows} rows, {bad} not, {} refused",
            found.len(),
            written - bad
        );
        println!("passed {same}");
        Ok(bad == 0)
    }
}
