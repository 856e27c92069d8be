//! `./x sass quality`: registers, spills and instructions of recorded PTX, after our assembler and after ptxas -O3.
//!
//! ```text
//! tests/corpus/ptx, tests/kernels/ptx ┬ warpc ptxas -v ─► cubin ┬ registers, spills, stack of each kernel
//! (--all: target/corpus, too)         └ ptxas -O3 -v ───► cubin ┴ instructions of each kernel, with its functions
//! ```
//!
//! Everything is assembled for one chip; what ptxas refuses for it, or does not optimise, is left out. ptxas's answers are
//! kept in `target/sass_quality`, and so is a table of all kernels, to be compared with that of another day.

use crate::ll::gpu::Cache;
use crate::oracle;
use crate::process::{self, Finished};
use crate::project::{self, Outcome};
use crate::{jobs, release};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The chip that everything is assembled for.
const CHIP: &str = "sm_90a";

/// How long a program may take for a module.
const PATIENCE: Duration = Duration::from_secs(300);

/// How many of the worst kernels are listed.
const WORST: usize = 40;

/// What an assembler made of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Size {
    registers: usize,
    /// Bytes stored and loaded because values have no register, in the kernel and its functions.
    spills: usize,
    /// Bytes of the kernel's stack frame.
    stack: usize,
    instructions: usize,
}

/// By name.
type Sizes = BTreeMap<String, Size>;

/// A kernel, after both.
struct Pair {
    /// The module and the kernel.
    of: String,
    ours: Size,
    theirs: Size,
}

/// The task.
pub fn quality(args: &[String]) -> Outcome {
    let (mut filter, mut program, mut is_all) = ("", None, false);
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--all" => is_all = true,
            "--with" => program = Some(words.next().ok_or("--with takes a program")?),
            word => filter = word,
        }
    }
    let ptxas = oracle::newest()?.join("bin/ptxas");
    let warpc = match program {
        Some(program) => PathBuf::from(program),
        None => release::build_checked_command()?,
    };
    let folder = project::root().join("target/sass_quality");
    project::make_dir(&folder)?;
    let cache = Cache::open(folder.join("answers.tsv"));
    let mut modules = modules(is_all);
    modules.retain(|(name, _)| name.contains(filter));
    let run = Run {
        ptxas: &ptxas,
        warpc: &warpc,
        folder: &folder,
        cache: &cache,
    };
    let answers = jobs::map(&modules, |(name, file)| run.compare(name, file));
    cache.save()?;
    let (mut pairs, mut left_out) = (Vec::new(), Vec::new());
    for ((name, _), answer) in modules.iter().zip(answers) {
        match answer {
            Ok(of_module) => pairs.extend(of_module),
            Err(message) => left_out.push(format!("{name}: {message}")),
        }
    }
    project::write(&folder.join("kernels.tsv"), table(&pairs))?;
    let report = report(&pairs, &left_out);
    print!("{report}");
    project::write(&folder.join("report.txt"), report)
}

/// The recorded modules with names, and those of the whole corpus if wanted.
fn modules(is_all: bool) -> Vec<(String, PathBuf)> {
    let root = project::root();
    let mut all: Vec<(String, PathBuf)> = Vec::new();
    for folder in ["tests/corpus/ptx", "tests/kernels/ptx"] {
        for file in project::files(&root.join(folder), "gz") {
            all.push((name_of(&root, &file), file));
        }
    }
    if is_all {
        let mut folders = vec![project::corpus_dir()];
        while let Some(folder) = folders.pop() {
            let mut own = warpc_testkit::project::entries(&folder);
            own.sort();
            for entry in own {
                match entry.extension() {
                    _ if entry.is_dir() => folders.push(entry),
                    Some(ending) if ending == "ptx" => all.push((name_of(&root, &entry), entry)),
                    _ => {}
                }
            }
        }
    }
    all
}

fn name_of(root: &Path, file: &Path) -> String {
    let name = file.strip_prefix(root).unwrap_or(file);
    let name = name.with_extension("").with_extension("");
    name.to_string_lossy().into_owned()
}

struct Run<'a> {
    ptxas: &'a Path,
    warpc: &'a Path,
    folder: &'a Path,
    cache: &'a Cache,
}

impl Run<'_> {
    /// The kernels of a module.
    fn compare(&self, name: &str, file: &Path) -> Outcome<Vec<Pair>> {
        let text = String::from_utf8(project::unpack(file)?).map_err(|e| e.to_string())?;
        let target = text.lines().find(|line| line.starts_with(".target"));
        if target.is_some_and(|line| line.contains("debug")) {
            return Err("ptxas does not optimise it".into());
        }
        let stem = name.replace('/', "_");
        let ptx = self.folder.join(format!("{stem}.ptx"));
        project::write(&ptx, &text)?;
        let theirs = self.cache.ask(&["ptxas", &text, CHIP], || {
            let mut command = Command::new(self.ptxas);
            command.arg("-O3");
            self.measure(command, &ptx, "ptxas")
        })?;
        let theirs = sizes(&theirs)?;
        let mut command = Command::new(self.warpc);
        command.arg("ptxas");
        let ours = sizes(&self.measure(command, &ptx, "warpc")?)?;
        std::fs::remove_file(&ptx).ok();
        let pairs = ours.into_iter().filter_map(|(kernel, ours)| {
            let theirs = *theirs.get(&kernel)?;
            let of = format!("{name} {kernel}");
            Some(Pair { of, ours, theirs })
        });
        Ok(pairs.collect())
    }

    /// What an assembler makes of a text: a cell for each kernel, separated by semicolons; a message after `!`.
    fn measure(&self, mut command: Command, ptx: &Path, who: &str) -> Outcome<String> {
        let cubin = ptx.with_extension(format!("{who}.cubin"));
        let log = ptx.with_extension(format!("{who}.log"));
        command.args(["-v", &format!("-arch={CHIP}")]);
        command.arg(ptx).arg("-o").arg(&cubin);
        // Functions that are somewhere else make an object.
        let is_linked = std::fs::read_to_string(ptx).is_ok_and(|text| is_object(&text));
        command.args(is_linked.then_some("-c"));
        let output = match process::capture_within(&mut command, PATIENCE, &log)? {
            Some(Finished {
                ok: true, output, ..
            }) => output,
            Some(done) => {
                return Ok(format!(
                    "!{who}: {}",
                    crate::ll::gpu::complaint(&done.output)
                ));
            }
            None => return Ok(format!("!{who} takes longer than five minutes")),
        };
        let mut sizes = said(&output);
        let mut command = Command::new(self.warpc);
        let listing = process::must("warpc dis", command.arg("dis").arg(&cubin))?;
        for (name, instructions) in instructions(&listing) {
            if let Some(own) = sizes.get_mut(&name) {
                own.instructions = instructions;
            }
        }
        std::fs::remove_file(&cubin).ok();
        let cell = |(name, size): (&String, &Size)| {
            let Size {
                registers,
                spills,
                stack,
                instructions,
            } = size;
            format!("{name} {registers} {spills} {stack} {instructions}")
        };
        Ok(sizes.iter().map(cell).collect::<Vec<_>>().join(";"))
    }
}

/// Whether a module calls functions that it does not have, other than those of the system.
fn is_object(text: &str) -> bool {
    const OF_SYSTEM: [&str; 4] = ["vprintf", "malloc", "free", "__assertfail"];
    let mut functions = text
        .lines()
        .filter(|line| line.starts_with(".extern .func"));
    functions.any(|line| !OF_SYSTEM.iter().any(|name| line.contains(name)))
}

/// Registers, spills and stack of kernels in the words of `ptxas -v`.
fn said(output: &str) -> Sizes {
    let mut sizes = Sizes::new();
    let mut kernel = String::new();
    let mut is_kernel = false;
    for line in output.lines() {
        let quoted = |line: &str| line.split('\'').nth(1).map(str::to_owned);
        let number = |text: &str| -> usize {
            let words = text.split(' ').map(|word| word.trim_matches(','));
            words.rev().find_map(|word| word.parse().ok()).unwrap_or(0)
        };
        if line.contains("Compiling entry function '") {
            kernel = quoted(line).unwrap_or_default();
            sizes.insert(kernel.clone(), Size::default());
        } else if let Some((_, name)) = line.split_once("Function properties for ") {
            is_kernel = name.trim() == kernel;
        } else if let Some((stack, spills)) = line.split_once(" bytes stack frame, ")
            && let Some(own) = sizes.get_mut(&kernel)
        {
            if is_kernel {
                own.stack = number(stack);
            }
            own.spills += spills.split(" bytes ").map(number).sum::<usize>();
        } else if let Some((_, rest)) = line.split_once(": Used ")
            && let Some(own) = sizes.get_mut(&kernel)
        {
            own.registers = rest.split(' ').next().map_or(0, number);
        }
    }
    sizes
}

/// Instructions of each kernel in a listing, without those that only fill up.
fn instructions(listing: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut name = String::new();
    for line in listing.lines() {
        let line = line.trim();
        if let Some(label) = line
            .strip_prefix(".text.")
            .and_then(|rest| rest.strip_suffix(':'))
        {
            name = label.to_string();
        } else if line.starts_with("/*") && line.ends_with(';') && !line.contains(" NOP") {
            *counts.entry(name.clone()).or_default() += 1;
        }
    }
    counts
}

fn sizes(text: &str) -> Outcome<Sizes> {
    if let Some(message) = text.strip_prefix('!') {
        return Err(message.to_string());
    }
    let cell = |cell: &str| {
        let mut words = cell.split(' ');
        let name = words.next()?.to_string();
        let mut number = || words.next()?.parse().ok();
        let size = Size {
            registers: number()?,
            spills: number()?,
            stack: number()?,
            instructions: number()?,
        };
        Some((name, size))
    };
    Ok(text.split(';').filter_map(cell).collect())
}

/// All kernels.
fn table(pairs: &[Pair]) -> String {
    let mut out = String::from(
        "module kernel\tregisters\tptxas\tspills\tptxas\tstack\tptxas\tinstructions\tptxas\n",
    );
    for Pair { of, ours, theirs } in pairs {
        let _ = writeln!(
            out,
            "{of}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            ours.registers,
            theirs.registers,
            ours.spills,
            theirs.spills,
            ours.stack,
            theirs.stack,
            ours.instructions,
            theirs.instructions
        );
    }
    out
}

/// Totals, then kernels that spill what ptxas does not, then the worst in registers and in instructions.
fn report(pairs: &[Pair], left_out: &[String]) -> String {
    let mut out = String::new();
    let mut total = |what: &str, of: fn(&Size) -> usize| {
        let sum = |side: fn(&Pair) -> &Size| pairs.iter().map(|pair| of(side(pair))).sum::<usize>();
        let (ours, theirs) = (sum(|pair| &pair.ours), sum(|pair| &pair.theirs));
        let ratio = ours as f64 / theirs.max(1) as f64;
        let _ = writeln!(out, "{what:13} {ours:8} and {theirs:8}  {ratio:6.3}");
    };
    total("registers", |size| size.registers);
    total("spilled bytes", |size| size.spills);
    total("stack bytes", |size| size.stack);
    total("instructions", |size| size.instructions);
    let line = |pair: &Pair| {
        let (a, b) = (&pair.ours, &pair.theirs);
        format!(
            "  registers {:3} and {:3}  spilled {:5} and {:4}  instructions {:6} and {:6}  {}",
            a.registers, b.registers, a.spills, b.spills, a.instructions, b.instructions, pair.of
        )
    };
    let _ = writeln!(out, "{} kernels, ours and ptxas's", pairs.len());
    let spilling: Vec<&Pair> = pairs
        .iter()
        .filter(|pair| pair.ours.spills > pair.theirs.spills)
        .collect();
    let _ = writeln!(out, "{} spill more than ptxas's:", spilling.len());
    for pair in &spilling {
        let _ = writeln!(out, "{}", line(pair));
    }
    let mut worst = |what: &str, of: fn(&Size) -> usize| {
        let mut all: Vec<&Pair> = pairs
            .iter()
            .filter(|pair| of(&pair.ours) > of(&pair.theirs))
            .collect();
        let more = |pair: &Pair| of(&pair.ours) - of(&pair.theirs);
        let sum: usize = all.iter().map(|pair| more(pair)).sum();
        all.sort_by_key(|pair| std::cmp::Reverse(more(pair)));
        let _ = writeln!(
            out,
            "{} have more {what}, {sum} together; the worst:",
            all.len()
        );
        for pair in all.iter().take(WORST) {
            let _ = writeln!(out, "{}", line(pair));
        }
    };
    worst("registers", |size| size.registers);
    worst("instructions", |size| size.instructions);
    let _ = writeln!(out, "{} modules left out:", left_out.len());
    for one in left_out {
        let _ = writeln!(out, "  {one}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_the_tools_words() {
        let output = "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n\
                      ptxas info    : Function properties for k\n    \
                      112 bytes stack frame, 280 bytes spill stores, 412 bytes spill loads\n\
                      ptxas info    : Used 250 registers, used 0 barriers, 160 bytes cumulative stack size\n\
                      ptxas info    : Function properties for f\n    \
                      48 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n";
        let size = said(output)["k"];
        let expected = Size {
            registers: 250,
            spills: 700,
            stack: 112,
            instructions: 0,
        };
        assert_eq!(size, expected);
        assert_eq!(sizes("k 250 700 112 0").unwrap()["k"], size);
        assert!(sizes("!ptxas: no").is_err());
    }

    #[test]
    fn objects_are_known_by_what_they_call() {
        assert!(is_object(".extern .func (.param .b32 r) f ()"));
        assert!(!is_object(".extern .func (.param .b32 r) vprintf"));
    }
}
