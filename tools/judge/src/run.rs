//! Cases through the compiler, in this process, and what it makes to the judge.

use crate::asked::{Case, Target};
use crate::code::{Layout, Reader, Steps};
use crate::damage::{self, Tally};
use crate::expect::refusal;
use crate::ir;
use crate::report::{Fate, Report};
use crate::rules::{Verdict, judge};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpc::{Atomics, Options, Source};
use warpc_diag::{Diagnostics, Severity, SourceFile};
use warpc_model::Mapping;
use warpc_target::PtxVersion;

/// Kernels in a module.
pub const BATCH: usize = 256;

/// How cases are compiled.
#[derive(Clone, Copy, Debug)]
pub struct Compiler {
    /// The order table.
    pub mapping: &'static Mapping,
    /// How much is optimised.
    pub level: u8,
}

impl Default for Compiler {
    fn default() -> Compiler {
        Compiler {
            mapping: &Mapping::SOUND,
            level: 3,
        }
    }
}

impl Compiler {
    /// The PTX of cases, or what is wrong with them.
    pub fn compile(&self, cases: &[Case], target: Target) -> Result<String, Refusals> {
        let (text, starts) = ir::module(cases);
        let whole = |message: &str| Refusals {
            by_case: Vec::new(),
            other: Some(message.to_owned()),
        };
        let source = Source::new("cases.ll", text).map_err(|_| whole("too large"))?;
        let sm = format!("sm_{}", target.sm).parse();
        let mut options = Options::new(sm.map_err(|_| whole("no such chip"))?);
        options.level = self.level;
        options.mapping = self.mapping;
        options.ptx_version = target
            .version
            .map(|version| PtxVersion::new((version / 10) as u8, (version % 10) as u8));
        if target.cuda {
            options.atomics = Atomics::Cuda;
        }
        let made = warpc::compile(&source, &options);
        match made.value {
            Some(ptx) => Ok(ptx.to_string()),
            None => Err(Refusals::of(&made.diagnostics, &starts)),
        }
    }

    /// The fates of cases for a target. `see` gets the PTX of each module and the numbers of its cases.
    pub fn judge(
        &self,
        cases: &[Case],
        target: Target,
        see: &mut dyn FnMut(&str, &[usize]),
    ) -> Vec<Fate> {
        let mut fates = vec![None; cases.len()];
        // What must be refused apart: it would hide what else is in a module.
        let numbers = 0..cases.len();
        let (bad, good): (Vec<usize>, Vec<usize>) =
            numbers.partition(|&at| refusal(&cases[at], target).is_some());
        for batch in bad.chunks(BATCH).chain(good.chunks(BATCH)) {
            self.batch(cases, batch.to_vec(), target, &mut fates, see);
        }
        fates.into_iter().flatten().collect()
    }

    /// Compiles a batch, without what is refused, until something is left that is not.
    fn batch(
        &self,
        cases: &[Case],
        mut batch: Vec<usize>,
        target: Target,
        fates: &mut [Option<Fate>],
        see: &mut dyn FnMut(&str, &[usize]),
    ) {
        while !batch.is_empty() {
            let chosen: Vec<Case> = batch.iter().map(|&at| cases[at]).collect();
            let refusals = match self.compile(&chosen, target) {
                Ok(ptx) => {
                    see(&ptx, &batch);
                    let judged = judged(&ptx, &chosen, target);
                    for (&at, fate) in batch.iter().zip(judged) {
                        fates[at] = Some(match refusal(&cases[at], target) {
                            Some(why) => Fate::WronglyCompiled(why),
                            None => fate,
                        });
                    }
                    return;
                }
                Err(refusals) => refusals,
            };
            let mut refuse = |at: usize, message: String| {
                fates[at] = Some(match refusal(&cases[at], target) {
                    Some(why) => Fate::Refused(why),
                    None => Fate::WronglyRefused(message),
                });
            };
            let message = match (refusals.other, refusals.by_case.is_empty()) {
                (Some(message), _) => message,
                (None, true) => "nothing is said".to_owned(),
                (None, false) => {
                    for (number, message) in refusals.by_case {
                        refuse(batch[number], message);
                    }
                    batch.retain(|&at| fates[at].is_none());
                    continue;
                }
            };
            // What is said of the module may be about any of them.
            if let [at] = batch[..] {
                refuse(at, message);
                return;
            }
            let right = batch.split_off(batch.len() / 2);
            self.batch(cases, right, target, fates, see);
        }
    }

    /// Damages what becomes of cases where it is exactly right ([`damage`]): the counts, and what was not noticed.
    pub fn damage(&self, cases: &[Case], targets: &[Target]) -> (Tally, Vec<String>) {
        let mut tally = Tally::new();
        let mut unnoticed = Vec::new();
        for &target in targets {
            let mut see = |ptx: &str, numbers: &[usize]| {
                let kernels = steps(ptx, numbers.len()).unwrap_or_default();
                for (&number, steps) in numbers.iter().zip(kernels) {
                    let (case, Ok(steps)) = (&cases[number], steps) else {
                        continue;
                    };
                    if judge(case, target, &steps) == Verdict::Equal
                        && let Some(what) = damage::tally(case, target, &steps, &mut tally)
                    {
                        unnoticed.push(format!("{target}: {}: {what}", ir::instruction(case)));
                    }
                }
            };
            self.judge(cases, target, &mut see);
        }
        (tally, unnoticed)
    }

    /// Judges cases for all targets, on all cores.
    pub fn report(&self, cases: &[Case], targets: &[Target]) -> Report {
        let jobs: Vec<(Target, &[Case])> = targets
            .iter()
            .flat_map(|&target| cases.chunks(16 * BATCH).map(move |part| (target, part)))
            .collect();
        let next = AtomicUsize::new(0);
        let all = Mutex::new(Report::default());
        let work = || {
            while let Some((target, part)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut report = Report::default();
                let fates = self.judge(part, *target, &mut |_, _| {});
                for (case, fate) in part.iter().zip(fates) {
                    report.add(case, *target, fate);
                }
                all.lock().expect("no thread panics with it").append(report);
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(work);
            }
        });
        all.into_inner().expect("no thread panicked with it")
    }
}

/// What a compiler says of a module that it refuses.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    /// What it says of single cases.
    pub by_case: Vec<(usize, String)>,
    /// What it says of the whole.
    pub other: Option<String>,
}

impl Refusals {
    /// The errors among diagnostics, by case: `starts` says where each begins.
    pub fn of(diagnostics: &Diagnostics, starts: &[usize]) -> Refusals {
        let mut refusals = Refusals::default();
        for error in diagnostics.as_slice() {
            if error.severity != Severity::Error {
                continue;
            }
            let message = format!("{} {}", error.code.0, error.message);
            let place = error.span.start as usize;
            let number = starts.partition_point(|&start| start <= place);
            match number.checked_sub(1) {
                Some(case) => refusals.by_case.push((case, message)),
                None => refusals.other = Some(message),
            }
        }
        refusals
    }
}

/// The verdicts on the PTX of a module of [`ir::module`].
pub fn judged(ptx: &str, cases: &[Case], target: Target) -> Vec<Fate> {
    match steps(ptx, cases.len()) {
        Err(why) => {
            let fate = Fate::Judged(Verdict::Weaker(why.to_owned()));
            vec![fate; cases.len()]
        }
        Ok(kernels) => {
            let verdict = |(case, steps): (&Case, Steps)| match steps {
                Ok(steps) => judge(case, target, &steps),
                Err(why) => Verdict::Weaker(format!("cannot be judged: {why}")),
            };
            let verdicts = cases.iter().zip(kernels).map(verdict);
            verdicts.map(Fate::Judged).collect()
        }
    }
}

/// The steps of the kernels `c0`, `c1` … of a module; an error if it is not a PTX.
pub fn steps(ptx: &str, count: usize) -> Result<Vec<Steps>, &'static str> {
    let file = SourceFile::new("cases.ptx", ptx).ok_or("PTX that is too large")?;
    let parsed = warpc_ptx::check(&file);
    if parsed.diagnostics.has_errors() {
        return Err("PTX that the parser refuses");
    }
    let module = parsed.value.as_ref().unwrap();
    let mut kernels: Vec<Steps> = vec![Err("the kernel is missing".to_owned()); count];
    let mut reader = Reader::new(module);
    for function in module.functions() {
        let name = module.symbols.name(function.name);
        let number = name.strip_prefix('c').and_then(|n| n.parse::<usize>().ok());
        if let Some(kernel) = number.and_then(|number| kernels.get_mut(number)) {
            *kernel = reader.steps(function, Layout::Matrix);
        }
    }
    Ok(kernels)
}
