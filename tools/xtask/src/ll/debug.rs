//! `./x ll debug`: the debug information of GPU modules, ours and llc's, after ptxas.
//!
//! ```text
//! module ─ warpc compile -O0 -g ─► PTX ─ ptxas -g ─► cubin ─ llvm-dwarfdump ─► entries ┐ the same?
//!        ─ llc-22 -O0           ─► PTX ─ ptxas -g ─► cubin ─ llvm-dwarfdump ─► entries ┘
//!        ─ warpc compile -O0, and both without what only debugging needs ─► the same code?
//! ```
//!
//! An entry is compared by tag, name, type, size, file, line, the entry it stands in; locations are counted. Entries of code
//! that was inlined or stands in blocks are not: which of them have instructions is up to each compiler. A module is not compared where
//! llc makes code of functions that we leave out because nobody calls them.

use crate::ll::gpu::{self, Module};
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The chips: one of today, and the oldest, whose ptxas is an older one.
const CHIPS: [&str; 2] = ["sm_90", "sm_60"];

/// How many of a hundred variables that llc gives a location must have one: the others are values that an instruction took in.
const LOCATED_PERCENT: usize = 99;

/// What a module showed.
#[derive(Debug, Default)]
struct Found {
    /// Entries of llc that were looked for.
    compared: usize,
    /// Those that are missing.
    missing: Vec<String>,
    /// Variables that have a location in both, and in llc's.
    located: [usize; 2],
    /// What else is wrong.
    wrong: Vec<String>,
    /// Why there is nothing to compare with.
    without: Option<String>,
}

/// The task.
pub fn debug(args: &[String]) -> Outcome {
    let mut filter = "";
    let mut program = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--with" => program = Some(PathBuf::from(args.next().ok_or("--with needs a program")?)),
            option if option.starts_with("--") => return Err(format!("unknown option {option}")),
            word => filter = word,
        }
    }
    let (tools, _) = oracle::ensure_all();
    let warpc = match program {
        Some(program) => program,
        None => release::build()?,
    };
    let mut modules = gpu::modules(filter)?;
    modules.retain(|module| {
        let text = project::read(&module.file).unwrap_or_default();
        text.contains("emissionKind: FullDebug")
    });
    if modules.is_empty() {
        return Err("there is no module with full debug information".into());
    }
    let folder = project::root().join("target/ll_debug");
    project::make_dir(&folder)?;
    let run = Run {
        tools: &tools,
        warpc: &warpc,
        folder: &folder,
    };
    let found = jobs::map(&modules, |module| run.module(module));
    let (mut compared, mut missing, mut wrong, mut without) = (0, 0, 0, 0);
    let mut located = [0, 0];
    for (module, found) in modules.iter().zip(found) {
        let found = found?;
        compared += found.compared;
        missing += found.missing.len();
        wrong += found.wrong.len();
        located[0] += found.located[0];
        located[1] += found.located[1];
        if let Some(why) = &found.without {
            without += 1;
            println!("{}: not compared: {why}", module.row.path);
        }
        for said in found.wrong.iter().chain(found.missing.iter().take(5)) {
            println!("{}: {said}", module.row.path);
        }
    }
    println!(
        "{} modules, {without} of them not compared; {compared} entries of llc, {missing} of them missing; {wrong} faults",
        modules.len()
    );
    println!(
        "{} of {} variables that llc gives a location have one",
        located[0], located[1]
    );
    match missing + wrong {
        0 if located[0] * 100 >= located[1] * LOCATED_PERCENT => Ok(()),
        _ => Err("debug information is not what it should be".into()),
    }
}

struct Run<'a> {
    tools: &'a Tools,
    warpc: &'a Path,
    folder: &'a Path,
}

impl Run<'_> {
    fn module(&self, module: &Module) -> Outcome<Found> {
        let mut found = Found::default();
        let chip = CHIPS[0];
        let ours = self.folder.join(format!("{}.ptx", module.stem()));
        let plain = self.folder.join(format!("{}.plain.ptx", module.stem()));
        let refused = self.compile(module, chip, &["-g"], &ours)?;
        if !refused.is_empty() {
            found.without = Some(refused);
            return Ok(found);
        }
        self.compile(module, chip, &[], &plain)?;
        let (text, code) = (project::read(&ours)?, project::read(&plain)?);
        if let Some(line) = first_difference(&text, &code) {
            found.wrong.push(format!("-g changes code: {line}"));
        }
        for chip in CHIPS {
            let refused = self.compile(module, chip, &["-g"], &ours)?;
            // The oldest chip lacks what some modules use.
            if refused.is_empty() {
                let said = self.ptxas(chip, &ours, &cubin(&ours, chip))?;
                if !said.is_empty() {
                    found.wrong.push(format!("ptxas -g for {chip}: {said}"));
                }
            }
        }
        if found.wrong.is_empty() {
            self.compare(module, chip, &ours, &code, &mut found)?;
        }
        for path in [
            &ours,
            &plain,
            &cubin(&ours, CHIPS[0]),
            &cubin(&ours, CHIPS[1]),
        ] {
            std::fs::remove_file(path).ok();
        }
        Ok(found)
    }

    fn compare(
        &self,
        module: &Module,
        chip: &str,
        ours: &Path,
        plain: &str,
        found: &mut Found,
    ) -> Outcome {
        let theirs = ours.with_extension("llc.ptx");
        let input = module.for_llvm(self.folder)?;
        let mut command = Command::new("llc-22");
        command
            .args(["-O0", &format!("-mcpu={chip}"), "-mattr=+ptx88"])
            .args(["-mtriple=nvptx64-nvidia-cuda"])
            .arg(&input)
            .arg("-o")
            .arg(&theirs);
        let mut said = gpu::judged(&mut command, &theirs.with_extension("log"))?;
        if input != module.file {
            std::fs::remove_file(input).ok();
        }
        if said.is_empty() {
            said = self.ptxas(chip, &theirs, &cubin(&theirs, chip))?;
        }
        if !said.is_empty() {
            found.without = Some(format!("llc-22: {said}"));
        } else if bodies(plain) < bodies(&project::read(&theirs)?) {
            found.without = Some("functions that nobody calls are not compiled".into());
        } else {
            let llc = entries(&cubin(&theirs, chip))?;
            let own = entries(&cubin(ours, chip))?;
            for (entry, [count, located]) in llc {
                let [have, know] = own.get(&entry).copied().unwrap_or_default();
                found.compared += count;
                found.located[0] += located.min(know);
                found.located[1] += located;
                let missing = count.saturating_sub(have);
                found
                    .missing
                    .extend((0..missing).map(|_| format!("missing {entry}")));
            }
        }
        for path in [&theirs, &cubin(&theirs, chip)] {
            std::fs::remove_file(path).ok();
        }
        Ok(())
    }

    /// Compiles a module; what is said against it.
    fn compile(&self, module: &Module, chip: &str, flags: &[&str], out: &Path) -> Outcome<String> {
        let mut command = Command::new(self.warpc);
        command
            .args(["compile", "-O0", "--arch", chip])
            .args(flags)
            .arg(&module.file)
            .arg("-o")
            .arg(out)
            .env("NVVM_IR_VER_CHK", "0");
        let done = process::capture(&mut command)?;
        Ok(match done.ok {
            true => String::new(),
            false => gpu::complaint(&done.output),
        })
    }

    fn ptxas(&self, chip: &str, ptx: &Path, out: &Path) -> Outcome<String> {
        let (_, ptxas) = self.tools.ptxas(chip).ok_or("its ptxas could not be had")?;
        let mut command = Command::new(ptxas);
        command
            .args(["-g", "-c", &format!("-arch={chip}")])
            .arg(ptx)
            .arg("-o")
            .arg(out);
        gpu::judged(&mut command, &ptx.with_extension("log"))
    }
}

fn cubin(ptx: &Path, chip: &str) -> PathBuf {
    ptx.with_extension(format!("{chip}.cubin"))
}

/// How many functions a text of PTX defines.
fn bodies(ptx: &str) -> usize {
    let sections = ptx
        .lines()
        .filter(|line| line.starts_with(".section"))
        .count();
    ptx.lines().filter(|line| *line == "{").count() - sections
}

/// The first line of code in which two texts of PTX differ, apart from what only debugging needs.
fn first_difference(debug: &str, plain: &str) -> Option<String> {
    let mut inside = false;
    let mut code = |text: &str| -> Vec<String> {
        inside = false;
        let lines = text.lines().filter(|line| {
            let word = line.trim_start();
            inside |= word.starts_with(".section");
            let skipped = inside
                || word.starts_with(".loc")
                || word.starts_with(".file")
                || word.starts_with("$L__tmp")
                || word.starts_with("$L__func_")
                || word.starts_with(".target")
                || word.starts_with(".version")
                || word.is_empty();
            inside &= word != "}";
            !skipped
        });
        lines.map(str::to_owned).collect()
    };
    let (debug, plain) = (code(debug), code(plain));
    if debug == plain {
        return None;
    }
    let different = debug.iter().zip(&plain).find(|(a, b)| a != b);
    Some(different.map_or("one is longer".into(), |(a, b)| {
        format!("{a:?}, without {b:?}")
    }))
}

/// An entry as it is read.
#[derive(Debug, Default)]
struct Entry {
    depth: usize,
    tag: String,
    attributes: BTreeMap<String, String>,
}

/// The entries of a cubin, as text; how often each is there, and how often with a location.
fn entries(cubin: &Path) -> Outcome<BTreeMap<String, [usize; 2]>> {
    let mut command = Command::new("llvm-dwarfdump-22");
    command.arg("--debug-info").arg(cubin);
    let done = process::capture(&mut command)?;
    if !done.ok {
        return Err(format!(
            "llvm-dwarfdump-22: {}",
            gpu::complaint(&done.output)
        ));
    }
    let mut all: Vec<Entry> = Vec::new();
    for line in done.output.lines() {
        if let Some((_, rest)) = line.split_once(':').filter(|_| line.starts_with("0x"))
            && let word = rest.trim_start()
            && let Some(tag) = word.strip_prefix("DW_TAG_")
        {
            all.push(Entry {
                depth: rest.len() - word.len(),
                tag: tag.to_owned(),
                attributes: BTreeMap::new(),
            });
        } else if let Some(rest) = line.trim_start().strip_prefix("DW_AT_")
            && let Some((name, value)) = rest.split_once('(')
            && let Some(entry) = all.last_mut()
        {
            let value = value.strip_suffix(')').unwrap_or(value);
            entry
                .attributes
                .insert(name.trim().to_owned(), value.to_owned());
        }
    }
    let mut counts = BTreeMap::new();
    let mut around: Vec<usize> = Vec::new();
    for (index, entry) in all.iter().enumerate() {
        while around
            .last()
            .is_some_and(|&at| all[at].depth >= entry.depth)
        {
            around.pop();
        }
        let parent = around.last().map(|&at| &all[at]);
        let inside = around
            .iter()
            .chain([&index])
            .any(|&at| matches!(all[at].tag.as_str(), "inlined_subroutine" | "lexical_block"));
        if !inside {
            let count: &mut [usize; 2] = counts.entry(entry.text(parent)).or_default();
            count[0] += 1;
            // Variables outside of functions that nobody uses are left out.
            let local = parent.is_some_and(|parent| parent.tag == "subprogram");
            count[1] += usize::from(local && entry.attributes.contains_key("location"));
        }
        around.push(index);
    }
    Ok(counts)
}

impl Entry {
    fn get(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    /// What stands between quotes: offsets before it are different in every file.
    fn quoted(&self, name: &str) -> &str {
        let value = self.get(name);
        value
            .split_once('"')
            .map_or("", |(_, rest)| rest.trim_end_matches('"'))
    }

    fn name(&self) -> &str {
        let names = ["name", "abstract_origin", "specification"].map(|name| self.quoted(name));
        names
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or("")
    }

    fn text(&self, parent: Option<&Entry>) -> String {
        let place = parent.filter(|parent| parent.tag != "compile_unit");
        let place = place.map_or(String::new(), |parent| {
            format!(" in {} {}", parent.tag, parent.name())
        });

        format!(
            "{} {}{place} type {} size {} at {}:{} member {}count {} value {}",
            self.tag,
            self.name(),
            self.quoted("type"),
            self.get("byte_size"),
            self.quoted("decl_file"),
            self.get("decl_line"),
            self.get("data_member_location"),
            self.get("count"),
            self.get("const_value"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_counts() {
        let plain = ".version 7.8\n.target sm_90\n{\n\tret;\n}\n";
        let debug = ".version 7.8\n.target sm_90, debug\n{\n$L__func_begin0:\n\t.loc 1 2 3\n\tret;\n\
                     $L__func_end0:\n}\n.file 1 \"a\"\n.section .debug_info\n{\n\t.b8 1\n}\n";
        assert_eq!(first_difference(debug, plain), None);
        let other = debug.replace("ret", "exit");
        assert!(first_difference(&other, plain).is_some());
        let more = debug.replace("\tret;", "\tret;\n\tret;");
        assert!(first_difference(&more, plain).is_some());
    }
}
