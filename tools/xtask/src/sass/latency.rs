//! `./x sass latency`: the scheduling facts against the control words that ptxas writes.
//!
//! Every pair of instructions in the corpus of which the second must wait for the first is looked at. A pair that is
//! closer than the facts allow shows that a number is too large or an operand is misjudged; a class of pairs that is
//! never as close as it may be shows that a number may be too small. `--record` writes the table in `docs/latency.md`,
//! all figures to `tests/oracle/sass_latency.tsv.gz` and code for the tests to `tests/oracle/sass_schedules.gz`;
//! `--cubins FOLDER` takes the cubins in `FOLDER/CHIP` as they are.

use crate::oracle;
use crate::project::{self, Outcome};
use crate::same_code::text_sections;
use crate::sass::cubins::Workshop;
use crate::{corpus, release, sass};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use warpc_sass::latency::check::{self, Line, Pair};
use warpc_sass::latency::{Facts, File, Hazard, Need, Port};
use warpc_sass::print;
use warpc_target::Sm;
use warpc_testkit::gzip;

/// What happens between which ports; the last says that the first instruction has a guard, where it matters.
type Class = (File, Hazard, Port, Port, bool);

/// How close ptxas puts the pairs of a class.
#[derive(Clone, Copy)]
struct Distances {
    need: Option<Need>,
    tightest: u32,
    at_tightest: u64,
    count: u64,
}

/// What was found in the code of a chip.
#[derive(Default)]
struct Found {
    files: usize,
    instructions: u64,
    unknown: u64,
    /// Pairs that scoreboards keep apart.
    by_scoreboard: u64,
    classes: BTreeMap<Class, Distances>,
    faults: Vec<String>,
    short: Vec<String>,
    recorded: Vec<Vec<u128>>,
    names: BTreeSet<String>,
}

/// The instructions that are recorded for the tests, of each chip.
const RECORDED: usize = 2_000;

/// The task.
pub fn latency(args: &[String]) -> Outcome {
    let tools = &oracle::ensure_all().0;
    let mut chips = Vec::new();
    let (mut folder, mut record) = (None, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--record" => record = true,
            "--cubins" => folder = Some(args.next().ok_or("--cubins wants a folder")?),
            _ => chips.push(arg.clone()),
        }
    }
    let chips = sass::chosen(&chips)?;
    let warpc = match &folder {
        Some(_) => PathBuf::new(),
        None => {
            corpus::ensure(tools, "")?;
            release::build()?
        }
    };
    let mut all = Vec::new();
    println!("{HEADER}");
    for chip in chips {
        let files = match &folder {
            Some(folder) => cubins_in(&Path::new(folder).join(chip))?,
            None => {
                let made = Workshop::new(tools, &warpc, chip)?.all()?;
                made.into_iter().map(|one| one.file).collect()
            }
        };
        let found = measure(chip, &files)?;
        println!("{}", found.line(chip));
        for text in found.faults.iter().chain(&found.short).take(10) {
            println!("{text}");
        }
        all.push((chip, found));
    }
    if record {
        write_down(&all)?;
    }
    let wrong: usize = all
        .iter()
        .map(|one| one.1.faults.len() + one.1.short.len())
        .sum();
    match wrong {
        0 => Ok(()),
        n => Err(format!(
            "{n} pairs of ptxas's are closer than the facts say"
        )),
    }
}

/// The cubins of a folder, in order.
pub(super) fn cubins_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "cubin"));
    files.sort();
    Ok(files)
}

/// Looks at all code of a chip.
fn measure(chip: &str, files: &[PathBuf]) -> Outcome<Found> {
    let sm: Sm = chip.parse().map_err(|_| format!("{chip} is not a chip"))?;
    let facts = Facts::of(sm).ok_or_else(|| format!("nothing is known of {chip}"))?;
    let mut found = Found::default();
    for file in files {
        let bytes =
            std::fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let Some(sections) = text_sections(&bytes) else {
            continue;
        };
        found.files += 1;
        for bytes in sections.values() {
            let (words, _) = bytes.as_chunks::<16>();
            let code: Vec<u128> = words.iter().map(|w| u128::from_le_bytes(*w)).collect();
            found.code(sm, facts, &project::stem(file), code);
        }
    }
    Ok(found)
}

impl Found {
    fn code(&mut self, sm: Sm, facts: &'static Facts, name: &str, code: Vec<u128>) {
        let lines = check::lines(sm, &code);
        self.instructions += code.len() as u64;
        self.unknown += lines.iter().filter(|line| line.is_none()).count() as u64;
        for at in check::short_stalls(&lines) {
            let text = shown(sm, &code, at);
            self.short.push(format!("{name}: short: {text}"));
        }
        check::pairs(facts, &lines, |pair| self.pair(sm, name, &code, pair));
        self.choose(&lines, code);
    }

    fn pair(&mut self, sm: Sm, name: &str, code: &[u128], pair: &Pair) {
        if pair.is_fault() {
            let (first, second) = (shown(sm, code, pair.from), shown(sm, code, pair.to));
            let (need, distance) = (pair.need, pair.distance);
            self.faults.push(format!(
                "{name}: {:?} {need:?}, but {distance}:\n  {first}\n  {second}",
                pair.hazard
            ));
        }
        if pair.waited || pair.need == Some(Need::Scoreboard) {
            self.by_scoreboard += 1;
            return;
        }
        let guarded = pair.guarded && pair.hazard == Hazard::WriteAfterWrite;
        let file = pair.first.access.file;
        let (first, second) = (pair.first.port(), pair.second.port());
        let class = (file, pair.hazard, first, second, guarded);
        let distances = self.classes.entry(class).or_insert(Distances {
            need: pair.need,
            tightest: u32::MAX,
            at_tightest: 0,
            count: 0,
        });
        distances.count += 1;
        if pair.distance < distances.tightest {
            distances.tightest = pair.distance;
            distances.at_tightest = 0;
        }
        distances.at_tightest += u64::from(pair.distance == distances.tightest);
    }

    /// Keeps code for the tests if it has operations that were not there before.
    fn choose(&mut self, lines: &[Option<Line>], code: Vec<u128>) {
        let names: BTreeSet<String> = lines
            .iter()
            .flatten()
            .map(|line| line.shape().opcode().to_owned())
            .collect();
        let fresh = names.difference(&self.names).count();
        let length: usize = self.recorded.iter().map(Vec::len).sum();
        if fresh > 0 && code.len() <= fresh * 60 && length + code.len() <= RECORDED {
            self.names.extend(names);
            self.recorded.push(code);
        }
    }

    fn line(&self, chip: &str) -> String {
        let by_stalls: u64 = self.classes.values().map(|one| one.count).sum();
        format!(
            "| {chip} | {} | {} | {by_stalls} | {} | {} | {} | {} |",
            self.files,
            self.instructions,
            self.by_scoreboard,
            self.classes.len(),
            self.faults.len(),
            self.short.len()
        )
    }
}

/// The head of the table of [`Found::line`]s.
const HEADER: &str = "\
| chip | cubins | instructions | pairs kept apart by stall counts | by scoreboards | classes of pairs | too close | stalls too short |
|---|---:|---:|---:|---:|---:|---:|---:|";

fn shown(sm: Sm, code: &[u128], at: usize) -> String {
    let text = print::text(sm, code[at], at as u64 * 16);
    let control = warpc_sass::Control::of(code[at]);
    format!("{:04x} {control} {}", at * 16, text.unwrap_or_default())
}

/// The number of a need in a table.
fn number(need: Option<Need>) -> String {
    match need {
        Some(Need::Cycles(cycles)) => cycles.to_string(),
        Some(Need::Either(cycles)) => format!("{cycles} or scoreboard"),
        Some(Need::Scoreboard) => "scoreboard".into(),
        None => "none".into(),
    }
}

/// A class in words.
fn words(class: &Class) -> [String; 3] {
    let (file, hazard, first, second, guarded) = class;
    let file = match file {
        File::Register => "R",
        File::Predicate => "P",
        File::Uniform => "UR",
        File::UniformPredicate => "UP",
    };
    let hazard = match hazard {
        Hazard::ReadAfterWrite => "read after write",
        Hazard::WriteAfterWrite => "write after write",
        Hazard::WriteAfterRead => "write after read",
    };
    let guard = if *guarded { ", guarded" } else { "" };
    let ports = format!("{}{guard} → {}", first.name(), second.name());
    [file.into(), hazard.into(), ports]
}

fn write_down(all: &[(&str, Found)]) -> Outcome {
    let oracle = project::root().join("tests/oracle");
    let mut figures = String::from("chip\tfile\thazard\tports\tneed\ttightest\tso often\tpairs\n");
    let mut code = String::new();
    for (chip, found) in all {
        for (class, one) in &found.classes {
            let [file, hazard, ports] = words(class);
            let (need, tightest, often) = (number(one.need), one.tightest, one.at_tightest);
            let _ = writeln!(
                figures,
                "{chip}\t{file}\t{hazard}\t{ports}\t{need}\t{tightest}\t{often}\t{}",
                one.count
            );
        }
        for words in &found.recorded {
            let _ = writeln!(code, "{chip}");
            for word in words {
                let _ = writeln!(code, "{word:032x}");
            }
        }
    }
    project::write(&oracle.join("sass_latency.tsv.gz"), gzip::pack(&figures))?;
    project::write(&oracle.join("sass_schedules.gz"), gzip::pack(&code))?;
    let path = project::root().join("docs/latency.md");
    let page = project::read(&path)?;
    let chips: Vec<String> = all.iter().map(|(chip, found)| found.line(chip)).collect();
    let chips = format!("{HEADER}\n{}\n", chips.join("\n"));
    let page = replaced(&page, "chips", &chips)?;
    let page = replaced(&page, "classes", &table(all))?;
    project::write(&path, page)
}

/// Reads after writes: a class in a row, a chip in a column.
fn table(all: &[(&str, Found)]) -> String {
    let mut classes = BTreeSet::new();
    for (_, found) in all {
        let keys = found.classes.keys();
        classes.extend(keys.filter(|class| class.1 == Hazard::ReadAfterWrite));
    }
    let mut text = String::from("| | from → to |");
    for (chip, _) in all {
        let _ = write!(text, " {chip} |");
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(all.len()));
    for class in classes {
        let [file, _, ports] = words(class);
        let _ = write!(text, "| {file} | {ports} |");
        for (_, found) in all {
            let _ = match found.classes.get(class) {
                Some(one) => write!(
                    text,
                    " {}: {} ({} of {}) |",
                    number(one.need),
                    one.tightest,
                    one.at_tightest,
                    one.count
                ),
                None => write!(text, " |"),
            };
        }
        text.push('\n');
    }
    text
}

/// A page with other text between `<!-- name -->` and `<!-- end of name -->`.
pub(crate) fn replaced(page: &str, name: &str, text: &str) -> Outcome<String> {
    let (start, end) = (
        format!("<!-- {name} -->"),
        format!("<!-- end of {name} -->"),
    );
    let missing = || format!("the page has no {start}");
    let (before, rest) = page.split_once(&start).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{start}\n{text}{end}{after}"))
}
