//! Every door through the compiler and ptxas, and what becomes of it to the judge of machine code.
//!
//! ```text
//!   Written… ─ compile ─► PTX ─ each kernel once ─ ptxas ─► cubin ─ machine ─► verdict ─► Tally
//! ```

use crate::asked::Target;
use crate::assembler::Assembler;
use crate::code::{Layout, Reader};
use crate::distinct::{NAME, anonymous};
use crate::door::{Site, Written, llvm, mlir};
use crate::machine::flow::{addresses, first_parameter};
use crate::machine::line::{Lines, lines};
use crate::machine::rules::{Question, judge};
use crate::report::Fate;
use crate::rules::Verdict;
use crate::run::Refusals;
use crate::tally::Tally;
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpc::{Kind, Options, PtxFor, Source};
use warpc_cubin::Cubin;
use warpc_diag::SourceFile;
use warpc_target::Sm;

/// Cases in a module for the compiler.
const BATCH: usize = 256;
/// Kernels in a module for the assembler.
const PER_MODULE: usize = 200;

/// The chips whose machine code is judged: one of each generation that ptxas 13 assembles for.
pub fn targets() -> Vec<Target> {
    let plain = |sm| Target {
        sm,
        version: None,
        cuda: false,
    };
    [80, 90, 100, 120].map(plain).to_vec()
}

/// A kernel that the compiler has made, without its name: what stands before it in its module, and its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kernel {
    /// Version and target.
    pub header: String,
    /// The text.
    pub text: String,
}

impl Kernel {
    /// A module with kernels `k0`, `k1` …, which share a header.
    pub fn module(kernels: &[&Kernel]) -> String {
        let mut text = kernels
            .first()
            .map_or(String::new(), |kernel| kernel.header.clone());
        for (number, kernel) in kernels.iter().enumerate() {
            text.push_str("\n.visible ");
            text.push_str(&kernel.text.replace(NAME, &format!("k{number}")));
        }
        text
    }

    /// The lines that say something about memory.
    pub fn essence(&self) -> String {
        let is_told = |line: &&str| {
            let words = [
                "atom", "red.", "fence", "membar", "relaxed", "acquire", "release", "isspacep",
                "volatile",
            ];
            words.iter().any(|word| line.contains(word))
        };
        let told: Vec<&str> = self.text.lines().map(str::trim).filter(is_told).collect();
        told.join(" ")
    }
}

/// What became of cases in the compiler: a kernel and the verdict on its PTX.
pub type Made = Result<(Kernel, Verdict), Fate>;

/// Compiles cases: a kernel each, or why there is none.
pub fn compile(cases: &[&Written], target: Target, ptx_for: PtxFor) -> Vec<Made> {
    let mut made: Vec<Option<Made>> = vec![None; cases.len()];
    let numbers = 0..cases.len();
    // What must be refused apart: it would hide what else is in a module.
    let (bad, good): (Vec<usize>, Vec<usize>) =
        numbers.partition(|&at| cases[at].refusal(target).is_some());
    for batch in bad.chunks(BATCH).chain(good.chunks(BATCH)) {
        compile_batch(cases, batch.to_vec(), target, ptx_for, &mut made);
    }
    let lost = || Err(Fate::WronglyRefused("the compiler has lost it".into()));
    made.into_iter()
        .map(|one| one.unwrap_or_else(lost))
        .collect()
}

fn compile_batch(
    cases: &[&Written],
    mut batch: Vec<usize>,
    target: Target,
    ptx_for: PtxFor,
    made: &mut [Option<Made>],
) {
    while !batch.is_empty() {
        let chosen: Vec<&Written> = batch.iter().map(|&at| cases[at]).collect();
        let refusals = match compile_module(&chosen, target, ptx_for) {
            Ok(ptx) => {
                let verdicts = ptx_verdicts(&ptx, &chosen, target);
                for (number, kernel) in kernels(&ptx) {
                    if let (Some(&at), Some(verdict)) = (batch.get(number), verdicts.get(number)) {
                        made[at] = Some(match cases[at].refusal(target) {
                            Some(why) => Err(Fate::WronglyCompiled(why)),
                            None => Ok((kernel, verdict.clone())),
                        });
                    }
                }
                return;
            }
            Err(refusals) => refusals,
        };
        let mut refuse = |at: usize, message: String| {
            made[at] = Some(Err(match cases[at].refusal(target) {
                Some(why) => Fate::Refused(why),
                None => Fate::WronglyRefused(message),
            }));
        };
        if let (None, false) = (&refusals.other, refusals.by_case.is_empty()) {
            for (number, message) in refusals.by_case {
                refuse(batch[number], message);
            }
            batch.retain(|&at| made[at].is_none());
            continue;
        }
        // What is said of the module may be about any of them.
        if let [at] = batch[..] {
            refuse(
                at,
                refusals.other.unwrap_or_else(|| "nothing is said".into()),
            );
            return;
        }
        let right = batch.split_off(batch.len() / 2);
        compile_batch(cases, right, target, ptx_for, made);
    }
}

fn compile_module(cases: &[&Written], target: Target, ptx_for: PtxFor) -> Result<String, Refusals> {
    let is_mlir = cases.iter().any(|case| case.door.is_mlir());
    let (kind, (text, starts)) = match is_mlir {
        true => (Kind::Mlir, mlir::module(cases)),
        false => (Kind::Llvm, llvm::module(cases)),
    };
    let whole = |message: &str| Refusals {
        by_case: Vec::new(),
        other: Some(message.to_owned()),
    };
    let source = Source::of_kind(kind, "cases", text).map_err(|_| whole("too large"))?;
    let sm = format!("sm_{}", target.sm).parse();
    let mut options = Options::new(sm.map_err(|_| whole("no such chip"))?);
    options.ptx_for = ptx_for;
    let made = warpc::compile(&source, &options);
    match made.value {
        Some(ptx) => Ok(ptx.to_string()),
        None => Err(Refusals::of(&made.diagnostics, &starts)),
    }
}

/// The verdicts on the PTX of a module.
fn ptx_verdicts(ptx: &str, cases: &[&Written], target: Target) -> Vec<Verdict> {
    let weaker = |why: &str| Verdict::Weaker(format!("PTX: {why}"));
    let mut verdicts = vec![weaker("the kernel is missing"); cases.len()];
    let Some(file) = SourceFile::new("cases.ptx", ptx) else {
        return verdicts;
    };
    let parsed = warpc_ptx::check(&file);
    if parsed.diagnostics.has_errors() {
        return vec![weaker("the parser refuses it"); cases.len()];
    }
    let module = parsed.value.as_ref().unwrap();
    let mut reader = Reader::new(module);
    for function in module.functions() {
        let name = module.symbols.name(function.name);
        let number = name.strip_prefix('c').and_then(|n| n.parse::<usize>().ok());
        let Some((case, verdict)) =
            number.and_then(|number| cases.get(number).zip(verdicts.get_mut(number)))
        else {
            continue;
        };
        let loaded = case.site == Site::Unknown;
        *verdict = match reader.steps(function, Layout::Door { loaded }) {
            // The manual has no order for the elements of a vector.
            Ok(_) if case.elements > 1 => Verdict::Equal,
            Ok(steps) => match crate::rules::judge(&case.case, target, &steps) {
                Verdict::Weaker(why) => weaker(&why),
                other => other,
            },
            Err(why) => weaker(&format!("cannot be judged: {why}")),
        };
    }
    verdicts
}

/// Compiles and judges the PTX of cases alone: no ptxas is needed.
pub fn run_ptx(cases: &[Written], target: Target) -> Tally {
    let mut tally = Tally::default();
    for (case, made) in cases.iter().zip(compile_all(cases, target, PtxFor::Ptxas)) {
        match made {
            Ok((kernel, verdict)) => {
                tally.add(case, target, &Fate::Judged(verdict), &kernel.essence());
            }
            Err(fate) => tally.add(case, target, &fate, ""),
        }
    }
    tally
}

/// Compiles cases of any doors, on all cores.
fn compile_all(cases: &[Written], target: Target, ptx_for: PtxFor) -> Vec<Made> {
    let parts: Vec<&[Written]> = cases.chunks(4 * BATCH).collect();
    let made = each(&parts, |part| {
        // The doors of one module are all of MLIR, or none is.
        let (mlir, llvm): (Vec<usize>, Vec<usize>) =
            (0..part.len()).partition(|&at| part[at].door.is_mlir());
        let mut made: Vec<Option<Made>> = vec![None; part.len()];
        for numbers in [mlir, llvm] {
            let chosen: Vec<&Written> = numbers.iter().map(|&at| &part[at]).collect();
            for (at, one) in numbers.into_iter().zip(compile(&chosen, target, ptx_for)) {
                made[at] = Some(one);
            }
        }
        made
    });
    made.into_iter().flatten().flatten().collect()
}

/// The kernels of a module, by their numbers.
fn kernels(ptx: &str) -> Vec<(usize, Kernel)> {
    let mut parts = ptx.split("\n.visible ");
    let header = parts.next().unwrap_or_default().to_owned();
    let mut kernels = Vec::new();
    for part in parts {
        let name = part
            .strip_prefix(".entry c")
            .and_then(|rest| rest.split('(').next())
            .and_then(|number| number.trim().parse().ok());
        if let Some(number) = name {
            let kernel = Kernel {
                header: header.clone(),
                text: anonymous(part),
            };
            kernels.push((number, kernel));
        }
    }
    kernels
}

/// Judges cases for a chip, on all cores.
pub fn run(assembler: &Assembler, cases: &[Written], target: Target) -> Result<Tally, String> {
    let tally = Mutex::new(Tally::default());
    let mut users: FxHashMap<Kernel, Vec<&Written>> = FxHashMap::default();
    for (case, made) in cases
        .iter()
        .zip(compile_all(cases, target, assembler.ptx_for()))
    {
        match made {
            Ok((kernel, verdict @ Verdict::Weaker(_))) => {
                let fate = Fate::Judged(verdict);
                let mut tally = tally.lock().map_err(|_| "a thread has failed")?;
                tally.add(case, target, &fate, &kernel.essence());
            }
            Ok((kernel, _)) => users.entry(kernel).or_default().push(case),
            Err(fate) => tally
                .lock()
                .map_err(|_| "a thread has failed")?
                .add(case, target, &fate, ""),
        }
    }
    let mut kernels: Vec<(Kernel, Vec<&Written>)> = users.into_iter().collect();
    kernels.sort_by(|a, b| a.0.cmp(&b.0));
    let mut modules: Vec<&[(Kernel, Vec<&Written>)]> = Vec::new();
    for part in kernels.chunk_by(|a, b| a.0.header == b.0.header) {
        modules.extend(part.chunks(PER_MODULE));
    }
    let numbered: Vec<_> = modules.into_iter().enumerate().collect();
    each(&numbered, |(number, module)| {
        let name = format!("sm_{}-{number}", target.sm);
        let judged = judge_module(assembler, module, target, &name);
        if let Ok(mut tally) = tally.lock() {
            tally.kernels += module.len();
            for (case, fate, kernel) in judged {
                tally.add(case, target, &fate, &kernel.essence());
            }
        }
    });
    tally.into_inner().map_err(|_| "a thread has failed".into())
}

/// The cases whose machine code is exactly right, with their kernels: one case for each kernel.
pub fn exactly_right<'a>(
    assembler: &Assembler,
    cases: &'a [Written],
    target: Target,
) -> Result<Vec<(&'a Written, Kernel)>, String> {
    let mut users: FxHashMap<Kernel, Vec<&Written>> = FxHashMap::default();
    for (case, made) in cases
        .iter()
        .zip(compile_all(cases, target, assembler.ptx_for()))
    {
        if let Ok((kernel, Verdict::Equal | Verdict::Stronger(_))) = made {
            users.insert(kernel, vec![case]);
        }
    }
    let mut kernels: Vec<(Kernel, Vec<&Written>)> = users.into_iter().collect();
    kernels.sort_by(|a, b| a.0.cmp(&b.0));
    let mut right = Vec::new();
    for (number, part) in kernels
        .chunk_by(|a, b| a.0.header == b.0.header)
        .enumerate()
    {
        for (at, part) in part.chunks(PER_MODULE).enumerate() {
            let name = format!("right-sm_{}-{number}-{at}", target.sm);
            for (_, fate, kernel) in judge_module(assembler, part, target, &name) {
                if fate == Fate::Judged(Verdict::Equal) {
                    right.push(kernel.clone());
                }
            }
        }
    }
    let mut found = Vec::new();
    for (kernel, users) in kernels {
        if right.contains(&kernel) {
            found.extend(users.first().map(|&user| (user, kernel)));
        }
    }
    Ok(found)
}

/// The fates of the users of kernels. A module that ptxas refuses is assembled in halves.
fn judge_module<'a>(
    assembler: &Assembler,
    module: &'a [(Kernel, Vec<&'a Written>)],
    target: Target,
    name: &str,
) -> Vec<(&'a Written, Fate, &'a Kernel)> {
    let texts: Vec<&Kernel> = module.iter().map(|(kernel, _)| kernel).collect();
    let bytes = assembler.assemble(target.sm, name, &Kernel::module(&texts));
    let cubin = bytes.and_then(|bytes| Cubin::read(&bytes).map_err(|fault| fault.message));
    let cubin = match cubin {
        Ok(cubin) => cubin,
        Err(said) => match module {
            [(kernel, users)] => {
                let fate = Fate::Judged(Verdict::Weaker(format!("ptxas: {said}")));
                let refused = |&user: &&'a Written| (user, fate.clone(), kernel);
                return users.iter().map(refused).collect();
            }
            _ => {
                let (left, right) = module.split_at(module.len() / 2);
                let mut all = judge_module(assembler, left, target, name);
                all.extend(judge_module(assembler, right, target, name));
                return all;
            }
        },
    };
    let mut fates = Vec::new();
    for (number, (kernel, users)) in module.iter().enumerate() {
        let lines = read(&cubin, target, number);
        for &user in users {
            let verdict = verdict(&lines, user, target);
            fates.push((user, Fate::Judged(verdict), kernel));
        }
    }
    fates
}

/// The lines of the kernel with a number.
pub fn read(cubin: &Cubin, target: Target, number: usize) -> Lines {
    let sm: Sm = format!("sm_{}", target.sm)
        .parse()
        .map_err(|_| "no such chip")?;
    lines(cubin, sm, &format!("k{number}"))
}

/// The verdict on a kernel for a case.
pub fn verdict(lines: &Lines, case: &Written, target: Target) -> Verdict {
    let lines = match lines {
        Ok(lines) => lines,
        Err(why) => return Verdict::Weaker(format!("cannot be judged: {why}")),
    };
    let origins = addresses(lines, first_parameter(target.sm), &case.site.parameters());
    let question = Question {
        case: &case.case,
        target,
        memories: memories(case, target),
    };
    judge(question, lines, &origins)
}

/// A vector exists in global memory alone, whatever its pointer says.
fn memories(case: &Written, target: Target) -> &'static [crate::machine::Memory] {
    match case.elements {
        1 => case.site.memories(target),
        _ => &[crate::machine::Memory::Global],
    }
}

/// Does something for each, on all cores, and gives the answers in order.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let one = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let answer = work(item);
            if let Ok(mut done) = done.lock() {
                done.push((at, answer));
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(items.len()) {
            scope.spawn(one);
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, answer)| answer).collect()
}
