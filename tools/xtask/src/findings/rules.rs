//! Which mutants are equivalent: by a rule that looks at the instructions around, or by a list with a reason for each.
//!
//! The rules are about the straight line of instructions around the change: up to the next label, branch, call or end.

use super::edits::{Kind, Site};
use super::suite::Suite;
use crate::project::{self, Outcome};
use crate::ptx_shape::Inst;

/// The rule that makes a mutant equivalent.
pub fn reason(suite: &Suite, site: &Site) -> Option<&'static str> {
    let line = Line {
        suite,
        at: site.inst,
    };
    let is_in_kernel = !site.kernel.is_empty();
    let launches = suite.launches_of(&site.kernel);
    let threads = launches.iter().map(|one| one.threads * one.blocks).max();
    // Copies are not the thread: what it waits for, it needs.
    let is_wait = line.mnemonic().contains("_wait");
    let is_between_threads = !is_wait
        && !matches!(
            site.kind,
            Kind::ProxyFence | Kind::Wait | Kind::ShortWait | Kind::Mask
        );
    if threads == Some(1) && is_between_threads {
        return Some("the launches have one thread");
    }
    if site.kind == Kind::Strength && line.mnemonic().contains(".local") {
        return Some("local memory is of one thread");
    }
    match site.kind {
        Kind::Barrier => {
            let same = |one: &Inst| line.words(one) == line.words(line.inst());
            if !line.is_whole_barrier(line.inst()) {
                return None;
            }
            if line.before(same) || line.after(same) {
                return Some("the same barrier is next to it, with no access between them");
            }
            (is_in_kernel && line.ends()).then_some("the threads access nothing after it")
        }
        Kind::WarpBarrier => {
            let wider = |one: &Inst| {
                line.words(one) == line.words(line.inst()) || line.is_whole_barrier(one)
            };
            if line.before(wider) || line.after(wider) {
                return Some(
                    "a barrier of these threads is next to it, with no access between them",
                );
            }
            (is_in_kernel && line.ends()).then_some("the threads access nothing after it")
        }
        Kind::Fence | Kind::Scope | Kind::Order
            if line.opcode().ends_with("fence") || line.opcode() == "membar" =>
        {
            let own = line.strength(line.inst())?;
            let strong = |one: &Inst| {
                line.strength(one)
                    .is_some_and(|(sc, scope)| sc >= own.0 && scope >= own.1)
            };
            if line.before(strong) || line.after(strong) {
                return Some("a fence as strong is next to it, with no access between them");
            }
            let barrier = |one: &Inst| line.is_whole_barrier(one);
            if own.1 == 0 && (line.before(barrier) || line.after(barrier)) {
                return Some(
                    "a barrier of the block is next to this fence of the block, with no access between them",
                );
            }
            (is_in_kernel && line.ends()).then_some("the thread accesses nothing after it")
        }
        Kind::ProxyFence if line.mnemonic().starts_with("fence.mbarrier_init") => line
            .is_released(&site.kernel)
            .then_some("a barrier that is a release for all who can use the mbarrier follows"),
        Kind::Order if line.mnemonic().starts_with("mbarrier.arrive") => line
            .is_released(&site.kernel)
            .then_some("a barrier that is a release for all who can use the mbarrier follows"),
        Kind::Wait | Kind::ShortWait if line.mnemonic().starts_with("cp.async.wait_group") => {
            let same = |one: &Inst| line.words(one) == line.words(line.inst());
            let is_next = line.before(same) || line.after(same);
            is_next.then_some("the same wait is next to it, with nothing between them")
        }
        Kind::ShortWait if site.told == "wait_group.read" => (is_in_kernel && line.ends())
            .then_some("nothing follows, so nobody reads what the copies have written"),
        _ => None,
    }
}

/// The instructions around one.
struct Line<'s> {
    suite: &'s Suite,
    at: usize,
}

impl Line<'_> {
    fn inst(&self) -> &Inst {
        &self.suite.insts[self.at]
    }

    fn mnemonic(&self) -> &str {
        self.inst().mnemonic(&self.suite.text)
    }

    fn opcode(&self) -> &str {
        &self.suite.text[self.inst().opcode.clone()]
    }

    fn words(&self, inst: &Inst) -> String {
        let text = &self.suite.text[inst.range.clone()];
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Whether this is a barrier of all threads of the block, without a guard.
    fn is_whole_barrier(&self, inst: &Inst) -> bool {
        let name = inst.mnemonic(&self.suite.text);
        inst.guard.is_none()
            && [
                "bar.sync",
                "bar.cta.sync",
                "barrier.sync",
                "barrier.cta.sync",
            ]
            .iter()
            .any(|start| {
                name.strip_prefix(start)
                    .is_some_and(|rest| rest.is_empty() || rest == ".aligned")
            })
            && inst.operands.len() == 1
    }

    /// Of a fence without a guard: whether it is sequentially consistent, and how far it reaches.
    fn strength(&self, inst: &Inst) -> Option<(bool, u8)> {
        let name = inst.mnemonic(&self.suite.text);
        let is_it = name.starts_with("membar.")
            || name.starts_with("fence.sc")
            || name.starts_with("fence.acq_rel");
        let scopes = [
            (".cta", 0),
            (".cluster", 1),
            (".gpu", 2),
            (".gl", 2),
            (".sys", 3),
        ];
        let scope = scopes.iter().find(|(word, _)| name.ends_with(word))?.1;
        (is_it && inst.guard.is_none()).then_some((!name.contains("acq_rel"), scope))
    }

    /// Whether an instruction does nothing with memory or other threads, and goes on to the next.
    fn is_quiet(&self, inst: &Inst) -> bool {
        let name = inst.mnemonic(&self.suite.text);
        let opcode = &self.suite.text[inst.opcode.clone()];
        if name.starts_with("ld.param") {
            return true;
        }
        let known = [
            "mov", "add", "sub", "mul", "mad", "fma", "and", "or", "xor", "not", "neg", "abs",
            "min", "max", "shl", "shr", "setp", "set", "selp", "cvt", "cvta", "bfe", "bfi", "lop3",
            "prmt", "popc", "clz", "shf", "mul24", "mad24", "div", "rem", "cnot", "sad", "rcp",
            "sqrt", "ex2", "lg2", "sin", "cos", "tanh", "rsqrt", "mapa", "isspacep", "pragma",
        ];
        known.contains(&opcode)
    }

    /// Whether a barrier that is a release follows before the thread can take another way: of the cluster, or of the block if
    /// the kernel has no clusters.
    fn is_released(&self, kernel: &str) -> bool {
        let text = &self.suite.text;
        let start = text.find(&format!(".entry {kernel}(")).unwrap_or(0);
        let head = text[start..].split('{').next().unwrap_or_default();
        let launches = self.suite.launches_of(kernel);
        let has_clusters = kernel.is_empty()
            || head.contains("nctapercluster")
            || launches.iter().any(|one| one.has_clusters);
        for inst in &self.suite.insts[self.at + 1..] {
            let name = inst.mnemonic(text);
            let opcode = &text[inst.opcode.clone()];
            if matches!(opcode, "bra" | "brx" | "ret" | "exit" | "call") {
                return false;
            }
            let of_cluster =
                name.starts_with("barrier.cluster.arrive") && !name.contains(".relaxed");
            if inst.guard.is_none() && of_cluster || !has_clusters && self.is_whole_barrier(inst) {
                return true;
            }
        }
        false
    }

    fn has_label(&self, from: usize, to: usize) -> bool {
        self.suite
            .labels
            .iter()
            .any(|one| (from..to).contains(&one.start))
    }

    /// Whether such an instruction comes before, with only quiet ones between.
    fn before(&self, is_it: impl Fn(&Inst) -> bool) -> bool {
        let insts = &self.suite.insts;
        let mut next = self.inst().range.start;
        for inst in insts[..self.at].iter().rev() {
            if self.has_label(inst.range.end, next) || self.leaves(inst.range.end, next) {
                return false;
            }
            if is_it(inst) {
                return true;
            }
            if !self.is_quiet(inst) {
                return false;
            }
            next = inst.range.start;
        }
        false
    }

    /// The same after it.
    fn after(&self, is_it: impl Fn(&Inst) -> bool) -> bool {
        let mut last = self.inst().range.end;
        for inst in &self.suite.insts[self.at + 1..] {
            if self.has_label(last, inst.range.start) || self.leaves(last, inst.range.start) {
                return false;
            }
            if is_it(inst) {
                return true;
            }
            if !self.is_quiet(inst) {
                return false;
            }
            last = inst.range.end;
        }
        false
    }

    /// Whether the kernel ends after it with nothing but quiet instructions; labels do not matter.
    fn ends(&self) -> bool {
        for inst in &self.suite.insts[self.at + 1..] {
            let opcode = &self.suite.text[inst.opcode.clone()];
            if inst.guard.is_none() && matches!(opcode, "ret" | "exit") {
                return true;
            }
            if !self.is_quiet(inst) {
                return false;
            }
        }
        false
    }

    /// Whether another function begins between.
    fn leaves(&self, from: usize, to: usize) -> bool {
        let between = &self.suite.text[from.min(to)..to];
        between.contains(".entry ") || between.contains(".func ")
    }
}

/// The equivalent mutants of `tests/findings/equivalent.tsv`.
pub struct Listed {
    rows: Vec<Row>,
}

struct Row {
    file: String,
    kernel: String,
    lines: String,
    kind: String,
    told: String,
    reason: String,
}

impl Row {
    fn fits(&self, suite: &Suite, site: &Site) -> bool {
        self.file == suite.name
            && self.kernel == site.kernel
            && self.kind == site.kind.words()
            && (self.lines == "*"
                || self
                    .lines
                    .split(',')
                    .any(|line| line.parse() == Ok(site.line)))
            && (self.told == "*" || self.told == site.told)
    }
}

/// Reads the list; each row must be about a mutant that there is.
pub fn listed(suites: &[Suite]) -> Outcome<Listed> {
    let path = project::root().join("tests/findings/equivalent.tsv");
    let (mut rows, mut stale) = (Vec::new(), Vec::new());
    for line in project::read(&path)?.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, kernel, lines, kind, told, reason] = columns[..] else {
            return Err(format!("{}: a row has six columns: {line}", path.display()));
        };
        let row = Row {
            file: file.to_owned(),
            kernel: kernel.to_owned(),
            lines: lines.to_owned(),
            kind: kind.to_owned(),
            told: told.to_owned(),
            reason: reason.to_owned(),
        };
        let of_file = suites.iter().filter(|suite| suite.name == row.file);
        if !of_file
            .flat_map(|suite| suite.sites.iter().map(move |site| (suite, site)))
            .any(|(suite, site)| row.fits(suite, site))
        {
            stale.push(line.to_owned());
        }
        rows.push(row);
    }
    match stale.is_empty() {
        true => Ok(Listed { rows }),
        false => Err(format!(
            "{}: there are no such mutants:\n{}",
            path.display(),
            stale.join("\n")
        )),
    }
}

impl Listed {
    /// The reason in the list.
    pub fn reason(&self, suite: &Suite, site: &Site) -> Option<String> {
        let row = self.rows.iter().find(|row| row.fits(suite, site))?;
        Some(row.reason.clone())
    }
}
