//! Whether `warpc run` finds a mutant: it is run as a user would, and compared with the kernel itself.

use super::edits::Site;
use super::suite::{Launch, Suite};
use crate::project::{self, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A way to run a launch.
pub struct Step {
    /// The column of the table.
    pub title: &'static str,
    flags: &'static [&'static str],
    patience: Duration,
    /// Launches of more threads are not run so.
    most_threads: u64,
    /// Only so many launches of a kernel, the smallest ones.
    most_launches: usize,
}

/// The ways, in the order in which they are tried.
pub const STEPS: [Step; 4] = [
    Step {
        title: "found by `--races all`",
        flags: &["--races", "all"],
        patience: Duration::from_secs(30),
        most_threads: u64::MAX,
        most_launches: usize::MAX,
    },
    Step {
        title: "with `--seeds 8`",
        flags: &["--races", "all", "--seeds", "8", "--jobs", "1"],
        patience: Duration::from_secs(60),
        most_threads: u64::MAX,
        most_launches: usize::MAX,
    },
    Step {
        title: "with `--memory weak --seeds 32`",
        flags: &["--memory", "weak", "--seeds", "32", "--jobs", "1"],
        patience: Duration::from_secs(60),
        most_threads: 1 << 14,
        most_launches: usize::MAX,
    },
    Step {
        title: "with `--explore 2000`",
        flags: &["--races", "all", "--explore", "2000", "--jobs", "1"],
        patience: Duration::from_secs(20),
        most_threads: 256,
        most_launches: 1,
    },
];

/// How a launch is run to count its instructions.
const COUNTED: &[&str] = &["--races", "off", "--stats"];

/// What became of a mutant.
pub enum Verdict {
    /// It does not count: no launch reaches it, or it is not PTX.
    LeftOut(String),
    /// The step that finds it, and what is found.
    Found { step: usize, how: String },
    /// Nothing.
    NotFound,
}

/// What a run shows.
#[derive(Clone, Debug)]
struct Seen {
    /// Whether it ended in time.
    ended: bool,
    ok: bool,
    /// Codes of findings, each with the first message.
    codes: BTreeMap<String, String>,
    /// What is shown of memory, and what the kernel printed.
    results: String,
    /// The instructions of all threads.
    instructions: u64,
}

/// Runs the command.
pub struct Judge {
    warpc: PathBuf,
    work: PathBuf,
    number: AtomicUsize,
    /// What launches of the originals show: by file, launch and step.
    originals: Mutex<BTreeMap<(String, String, usize), Seen>>,
}

impl Judge {
    pub fn new(warpc: &Path, work: &Path) -> Judge {
        Judge {
            warpc: warpc.to_owned(),
            work: work.to_owned(),
            number: AtomicUsize::new(0),
            originals: Mutex::new(BTreeMap::new()),
        }
    }

    /// What a launch of a kernel that should be right ends with, if that is an error.
    pub fn own_error(&self, suite: &Suite, launch: &Launch) -> Outcome<Option<String>> {
        let seen = self.original(suite, launch, 0)?;
        if seen.ended && seen.ok {
            return Ok(None);
        }
        let first = seen.codes.iter().next();
        let told = first.map(|(code, message)| format!("{code}: {message}"));
        Ok(Some(told.unwrap_or_else(|| "it does not end".to_owned())))
    }

    /// Judges one mutant.
    pub fn judge(&self, suite: &Suite, site: &Site, is_equivalent: bool) -> Outcome<Verdict> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let file = self.work.join(format!("{number}.ptx"));
        let verdict = self.judged(suite, site, &file, is_equivalent);
        std::fs::remove_file(&file).ok();
        if let (Ok(Verdict::NotFound), false) = (&verdict, is_equivalent) {
            println!(
                "not found: {}:{}: {} -> {}",
                suite.name, site.line, site.old, site.told
            );
        }
        verdict
    }

    fn judged(
        &self,
        suite: &Suite,
        site: &Site,
        file: &Path,
        is_equivalent: bool,
    ) -> Outcome<Verdict> {
        let left_out = |reason: &str| Ok(Verdict::LeftOut(reason.to_owned()));
        project::write(file, site.trapping(suite))?;
        let mut reached = Vec::new();
        for launch in suite.launches_of(&site.kernel) {
            let seen = self.run(file, launch, &["--races", "off"], Duration::from_secs(30))?;
            // Where one thread traps, others can wait for it for ever.
            if !seen.ok {
                reached.push(launch);
            }
        }
        if reached.is_empty() {
            return left_out("no launch executes it");
        }
        reached.sort_by_key(|launch| launch.threads * launch.blocks);
        project::write(file, site.mutant(&suite.text))?;
        let mut check = Command::new(&self.warpc);
        check.arg("check").arg(file);
        let checked = crate::process::capture(&mut check)?;
        if !checked.ok {
            return left_out("the edit is not valid PTX");
        }
        // What is said to be equivalent is held against the quick steps only.
        let steps = STEPS.len() - usize::from(is_equivalent);
        let mut is_judged = false;
        for (number, step) in STEPS.iter().enumerate().take(steps) {
            let fitting = reached
                .iter()
                .filter(|one| one.threads * one.blocks <= step.most_threads)
                .take(step.most_launches);
            for launch in fitting {
                let original = self.original(suite, launch, number)?;
                if !original.ended {
                    continue;
                }
                is_judged = true;
                let limit = (20 * original.instructions + 100_000).to_string();
                let mut flags = step.flags.to_vec();
                if number != 3 {
                    flags.extend(["--limit", &limit]);
                }
                let seen = self.run(file, launch, &flags, step.patience)?;
                // A result that depends on the order in the kernel itself shows nothing.
                let is_stable = !self.original(suite, launch, 1)?.codes.contains_key("W0770");
                if let Some(how) = difference(&original, &seen, is_stable) {
                    let how = format!("{how}; {}", launch.words);
                    return Ok(Verdict::Found { step: number, how });
                }
            }
        }
        match is_judged {
            true => Ok(Verdict::NotFound),
            false => left_out("the kernel itself takes too long"),
        }
    }

    /// What the kernel itself shows in a step; run once.
    fn original(&self, suite: &Suite, launch: &Launch, step: usize) -> Outcome<Seen> {
        let key = (suite.name.clone(), launch.words.clone(), step);
        let known = |map: &BTreeMap<_, Seen>| map.get(&key).cloned();
        if let Some(seen) = known(&self.originals.lock().unwrap_or_else(|e| e.into_inner())) {
            return Ok(seen);
        }
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let file = self.work.join(format!("{number}.ptx"));
        project::write(&file, &suite.text)?;
        let plain = self.run(&file, launch, COUNTED, STEPS[0].patience)?;
        let limit = (20 * plain.instructions + 100_000).to_string();
        let mut flags = STEPS[step].flags.to_vec();
        if step != 3 {
            flags.extend(["--limit", &limit]);
        }
        let mut seen = self.run(&file, launch, &flags, STEPS[step].patience)?;
        seen.instructions = plain.instructions;
        std::fs::remove_file(&file).ok();
        let mut originals = self.originals.lock().unwrap_or_else(|e| e.into_inner());
        originals.insert(key, seen.clone());
        Ok(seen)
    }

    /// The findings of the kernels themselves, which right kernels do not have.
    pub fn findings_of_originals(&self) -> BTreeSet<String> {
        let originals = self.originals.lock().unwrap_or_else(|e| e.into_inner());
        let mut all = BTreeSet::new();
        for ((file, words, step), seen) in originals.iter() {
            for (code, message) in &seen.codes {
                all.insert(format!(
                    "{file}: {}: {code} {message}: {words}",
                    STEPS[*step].title
                ));
            }
        }
        all
    }

    fn run(
        &self,
        file: &Path,
        launch: &Launch,
        flags: &[&str],
        patience: Duration,
    ) -> Outcome<Seen> {
        let mut command = Command::new(&self.warpc);
        command.arg("run").arg(file).args(&launch.flags).args(flags);
        // Without figures, which differ between right kernels as well.
        if flags != COUNTED {
            command.arg("--quiet");
        }
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let logs = ["out", "err"].map(|name| self.work.join(format!("{number}.{name}")));
        let create = |path: &Path| {
            File::create(path).map_err(|e| format!("cannot write {}: {e}", path.display()))
        };
        command
            .stdin(Stdio::null())
            .stdout(create(&logs[0])?)
            .stderr(create(&logs[1])?);
        let status = ended(&mut command, patience)?;
        let texts = logs.map(|path| {
            let text =
                String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned();
            std::fs::remove_file(&path).ok();
            text
        });
        Ok(seen(status, &texts[0], &texts[1]))
    }
}

/// Whether a program succeeds; `None` if it takes too long.
fn ended(command: &mut Command, patience: Duration) -> Outcome<Option<bool>> {
    let mut child = command
        .spawn()
        .map_err(|e| format!("cannot run warpc: {e}"))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("cannot wait: {e}"))? {
            return Ok(Some(status.success()));
        }
        if start.elapsed() > patience {
            child.kill().ok();
            child.wait().ok();
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn seen(status: Option<bool>, out: &str, err: &str) -> Seen {
    let mut codes = BTreeMap::new();
    for line in err.lines() {
        let rest = line
            .strip_prefix("error[")
            .or(line.strip_prefix("warning["));
        if let Some((code, message)) = rest.and_then(|rest| rest.split_once("]: ")) {
            codes
                .entry(code.to_owned())
                .or_insert_with(|| message.to_owned());
        }
    }
    let mut instructions = 0;
    for line in out.lines() {
        if let Some(count) = line.strip_prefix("thread instructions") {
            let digits = count.split(" in ").next().unwrap_or_default();
            let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
            instructions += digits.parse::<u64>().unwrap_or(0);
        }
    }
    Seen {
        ended: status.is_some(),
        ok: status == Some(true),
        codes,
        results: out.to_owned(),
        instructions,
    }
}

/// What a mutant shows that the kernel itself does not show in the same step.
fn difference(original: &Seen, mutant: &Seen, is_stable: bool) -> Option<String> {
    let new = mutant
        .codes
        .iter()
        .find(|(code, _)| !original.codes.contains_key(*code));
    if let Some((code, message)) = new {
        return Some(format!("{code}: {message}"));
    }
    if !mutant.ended {
        return Some("does not end".to_owned());
    }
    if original.ok && !mutant.ok {
        return Some("exit status".to_owned());
    }
    (is_stable && original.codes.is_empty() && original.results != mutant.results)
        .then(|| "another result".to_owned())
}
