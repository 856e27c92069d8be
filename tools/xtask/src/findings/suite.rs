//! Right kernels with launches.

use super::edits::{self, Site};
use crate::project::{self, Outcome};
use crate::ptx_shape::{self, Inst};
use std::ops::Range;
use std::path::Path;

/// A file of PTX with its launches.
pub struct Suite {
    /// The file, relative to the project.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its instructions.
    pub insts: Vec<Inst>,
    /// Its labels.
    pub labels: Vec<Range<usize>>,
    /// The launches.
    pub launches: Vec<Launch>,
    /// Where a mistake can be made.
    pub sites: Vec<Site>,
}

/// One launch, or several on the same memory.
pub struct Launch {
    /// The kernel, if it is named.
    pub kernel: Option<String>,
    /// The flags of `warpc run`, with all buffers shown.
    pub flags: Vec<String>,
    /// Threads of a block.
    pub threads: u64,
    /// Blocks of the grid.
    pub blocks: u64,
    /// Whether there are clusters of more than one block.
    pub has_clusters: bool,
    /// Its words, for messages.
    pub words: String,
}

/// All kernels of the project that are right and have launches.
pub fn suites() -> Outcome<Vec<Suite>> {
    let root = project::root();
    let tests = root.join("tests");
    let mut all = Vec::new();
    let mut add = |path: &Path, launches: Vec<Launch>| -> Outcome {
        let text = String::from_utf8_lossy(&project::unpack(path)?).into_owned();
        let name = path.strip_prefix(&root).unwrap_or(path);
        all.push(suite(&name.to_string_lossy(), text, launches));
        Ok(())
    };
    for (packed, sources) in [
        ("kernels/ptx", "kernels/cuda"),
        ("kernels/compute/ptx", "kernels/compute"),
    ] {
        for path in project::files(&tests.join(packed), "gz") {
            let source = tests.join(sources).join(format!("{}.cu", stem(&path)));
            add(&path, launches(&source, |_| true)?)?;
        }
    }
    for tool in ["nvcc", "clang"] {
        for path in project::files(&tests.join("findings").join(tool), "gz") {
            let source = tests.join(format!("findings/{}.cu", stem(&path)));
            add(&path, launches(&source, |kernel| kernel.ends_with("_ok"))?)?;
        }
    }
    for folder in [
        tests.join("kernels/copies"),
        tests.join("kernels/calls"),
        tests.join("kernels/parted"),
        root.join("examples"),
    ] {
        for path in project::files(&folder, "ptx") {
            add(&path, launches(&path, |_| true)?)?;
        }
    }
    let triton = project::read(&tests.join("kernels/triton.tsv"))?;
    for line in triton.lines().skip(1) {
        let Some((name, flags)) = line.split_once('\t') else {
            continue;
        };
        let path = tests.join(format!("kernels/triton/{name}.ptx.gz"));
        if path.exists() {
            let words = flags.split_whitespace().map(str::to_owned).collect();
            add(&path, vec![launch(words, flags)])?;
        }
    }
    all.retain(|suite| !suite.launches.is_empty());
    Ok(all)
}

fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// The text with blanks for `.loc`, which ends with its line and not with a semicolon.
fn without_lines(text: &str) -> String {
    let blank = |line: &str| match line.trim_start().starts_with(".loc") {
        true => " ".repeat(line.len()),
        false => line.to_owned(),
    };
    let lines: Vec<String> = text.split('\n').map(blank).collect();
    lines.join("\n")
}

/// A suite with its sites.
pub fn suite(name: &str, text: String, launches: Vec<Launch>) -> Suite {
    let (insts, labels) = ptx_shape::instructions(&without_lines(&text));
    let mut suite = Suite {
        name: name.to_owned(),
        text,
        insts,
        labels,
        launches,
        sites: Vec::new(),
    };
    suite.sites = edits::sites(&suite);
    suite
}

/// The launches in the comments of a file, of these kernels.
fn launches(file: &Path, is_wanted: impl Fn(&str) -> bool) -> Outcome<Vec<Launch>> {
    let text = project::read(file)?;
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    let mut number = 0;
    while let Some(line) = lines.next() {
        let Some(first) = line.trim().strip_prefix("// run:") else {
            continue;
        };
        number += 1;
        let mut flags = first.trim().to_owned();
        while let Some(start) = flags.strip_suffix('\\') {
            let next = lines.next().unwrap_or_default().trim();
            flags = format!("{start} {}", next.trim_start_matches('/').trim());
        }
        let mut one = launch(
            flags.split_whitespace().map(str::to_owned).collect(),
            &flags,
        );
        let shown = one.flags.split_off(one.flags.len() - one.shown());
        one.flags = vec![
            "--cases".to_owned(),
            file.to_string_lossy().into_owned(),
            "--case".to_owned(),
            number.to_string(),
        ];
        // With several launches each shows what it is told to show.
        let has_more = lines
            .peek()
            .is_some_and(|line| line.trim().starts_with("// then:"));
        if !has_more {
            one.flags.extend(shown);
        }
        if one.kernel.as_deref().is_none_or(&is_wanted) {
            found.push(one);
        }
    }
    Ok(found)
}

/// A launch of these flags, with `--print` for each buffer at the end.
fn launch(words: Vec<String>, told: &str) -> Launch {
    let values = |name: &str| -> Vec<&str> {
        let at = (0..words.len()).filter(|&i| words[i] == name);
        at.filter_map(|i| words.get(i + 1).map(String::as_str))
            .collect()
    };
    let product = |name: &str| -> u64 {
        let first = values(name).first().copied().unwrap_or("1");
        first
            .split(',')
            .map(|n| n.parse::<u64>().unwrap_or(1))
            .product()
    };
    let kernel = values("--kernel").first().map(|name| (*name).to_owned());
    let (threads, blocks) = (product("--block"), product("--grid"));
    let has_clusters = product("--cluster") > 1;
    let mut shown = Vec::new();
    for (number, spec) in values("--arg").iter().enumerate() {
        let is_buffer = spec
            .split(['=', '@'])
            .next()
            .is_some_and(|s| s.contains('['))
            && !spec.starts_with("tensormap:");
        if is_buffer {
            shown.push(number.to_string());
        }
    }
    for buffer in values("--buffer") {
        let (name, spec) = buffer.split_once(':').unwrap_or((buffer, ""));
        let is_plain = ["tensormap:", "texture:", "surface:", "sampler:"];
        if !is_plain.iter().any(|start| spec.starts_with(start)) {
            shown.push(name.to_owned());
        }
    }
    let mut flags = words;
    for one in shown {
        flags.extend(["--print".to_owned(), one]);
    }
    Launch {
        kernel,
        flags,
        threads,
        blocks,
        has_clusters,
        words: told.to_owned(),
    }
}

impl Launch {
    /// How many words at the end of the flags show buffers.
    fn shown(&self) -> usize {
        self.flags.len() - self.words.split_whitespace().count()
    }
}

impl Suite {
    /// The launches that can execute an instruction of a kernel; all, for one of a function.
    pub fn launches_of(&self, kernel: &str) -> Vec<&Launch> {
        let exact = self
            .launches
            .iter()
            .any(|one| one.kernel.as_deref() == Some(kernel));
        let fits = |one: &&Launch| match one.kernel.as_deref() {
            Some(name) if exact => name == kernel,
            Some(name) => kernel.is_empty() || kernel.contains(name),
            None => true,
        };
        self.launches.iter().filter(fits).collect()
    }
}
