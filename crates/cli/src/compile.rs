//! `warpc compile`: from one representation to another.

use crate::code_options::{CodeOptions, dialect};
use crate::emit::{Emit, Ending};
use crate::{MessageFormat, report};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use warpc::{Kind, Observer, Options, Output, Source};
use warpc_target::PtxVersion;

/// What `warpc compile` is called with.
#[derive(clap::Args)]
pub struct Arguments {
    /// The files of LLVM IR, MLIR or assembly text; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output file; `-` is standard output. By default the output is written next to the input.
    #[arg(short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Output kind; the extension of OUT selects it as well. PTX by default, a cubin for PTX and for an assembly text.
    #[arg(long, value_enum)]
    emit: Option<Ending>,
    /// The LLVM that bitcode is for: `current`, or `7`, with typed pointers, which libNVVM reads for chips before sm_100.
    #[arg(long, value_name = "LLVM", default_value = "current", value_parser = dialect)]
    bitcode: warpc::BitcodeDialect,
    #[command(flatten)]
    code: CodeOptions,
    /// The version of PTX; without it the lowest that has everything the module uses.
    #[arg(long, value_name = "VERSION")]
    ptx_version: Option<PtxVersion>,
    /// Emit the source lines of instructions (`.loc`).
    #[arg(long)]
    lineinfo: bool,
    /// Full debug information in PTX, where the module has it: variables, types and scopes besides lines. A cubin gets lines.
    #[arg(short = 'g')]
    debug: bool,
    /// Say where collectives of a warp may have different member masks with lanes in common.
    #[arg(long)]
    print_potentially_overlapping_membermasks: bool,
    /// Print the code to standard error after a pass; `all` prints it after each.
    #[arg(long, value_name = "PASS", long_help = print_after_help())]
    print_after: Vec<String>,
    /// How many files are compiled at the same time, or of one file kernels assembled; 0 for one per processor. By default
    /// files come one after another, and kernels go to all processors.
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Say how long each step took.
    #[arg(long)]
    time_passes: bool,
    /// Machine code that issues one instruction at a time, to find faults of schedules.
    #[arg(long)]
    serial: bool,
    /// Machine code that keeps nearly everything in local memory, to find faults of registers.
    #[arg(long)]
    spill: bool,
    /// Make several versions of each kernel of machine code, and take the one that the cost model finds fastest: schedules, unrolled
    /// loops, branches or guards, numbers of registers, passes left out. The result is the same on every machine, and takes tens
    /// of times as long as without; no result is slower by the model. Same as -O4.
    #[arg(long)]
    tune: bool,
    /// Set a knob of synchronisation in machine code: `358=2`, `487=0`, `472=0`, `DisableErrbarAfterMembar`.
    #[arg(long, value_name = "NAME=VALUE", long_help = knob_help())]
    knob: Vec<String>,
    /// Make machine code without a pass that only makes it better (several times: without several).
    #[arg(long, value_name = "NAME", long_help = without_pass_help())]
    without_pass: Vec<String>,
    /// Of the passes over machine code that may be left out, run only this one (several times: these).
    #[arg(long, value_name = "NAME")]
    only_pass: Vec<String>,
    /// Have the machine code judged: that every register is there when it is read, and that lanes meet.
    #[arg(long)]
    verify: bool,
}

impl Arguments {
    fn options(&self) -> Options {
        let mut options = self.code.options();
        options.member_masks.print = self.print_potentially_overlapping_membermasks;
        options.ptx_version = self.ptx_version;
        options.bitcode.dialect = self.bitcode;
        options.lineinfo = self.lineinfo;
        options.debug = self.debug;
        options.assembler.serial = self.serial;
        options.assembler.spill = self.spill;
        options.assembler.tune |= self.tune;
        options.assembler.verify = self.verify;
        options.assembler.knobs = self.knobs().unwrap_or_default();
        options.assembler.passes = self.passes().unwrap_or_default();
        options
    }

    /// The threads that may assemble kernels besides the one that has the file.
    fn more_threads(&self) -> usize {
        match (self.jobs, self.files.len()) {
            (None | Some(0), 1) | (None, _) => other_processors(),
            (Some(jobs), 1) => jobs - 1,
            // Each file has a thread of its own.
            (Some(_), _) => 0,
        }
    }

    fn knobs(&self) -> Result<warpc::Knobs, warpc::BadKnob> {
        let mut knobs = warpc::Knobs::default();
        self.knob.iter().try_for_each(|knob| knobs.set(knob))?;
        Ok(knobs)
    }

    /// The passes over machine code that are run.
    fn passes(&self) -> Result<warpc::ChosenPasses, warpc::UnknownPass> {
        let mut passes = warpc::ChosenPasses::default();
        let mut without = self.without_pass.iter();
        without.try_for_each(|name| passes.leave_out(name))?;
        let mut only = self.only_pass.iter();
        only.try_for_each(|name| passes.run_only(name))?;
        Ok(passes)
    }

    /// Passes that are to be printed after but do not exist.
    fn unknown_passes(&self) -> Option<&str> {
        let known = |name: &str| name == "all" || all_passes().any(|pass| pass == pass_of(name));
        self.print_after
            .iter()
            .map(String::as_str)
            .find(|name| !known(name))
    }

    /// Compiles to PTX, printing what was asked for on the way.
    fn compile(&self, source: &Source, format: MessageFormat) -> Output<String> {
        let mut passes = Passes {
            print_after: &self.print_after,
            is_timed: self.time_passes,
            times: Vec::new(),
            last: Instant::now(),
        };
        let made = warpc::compile_observed(source, &self.options(), &mut passes);
        if let Some(ptx) = &made.value {
            let (name, module) = (source.name(), &ptx.module);
            let message = format_args!("{name}: PTX {} for {}", module.version, module.sm);
            report::note(&message, format);
        }
        let text = made.map(|ptx| ptx.to_string());
        passes.over("print");
        self.say_times(&passes);
        text
    }

    /// Assembles, printing what was asked for on the way.
    fn assemble(&self, source: &Source) -> Output<Vec<u8>> {
        let mut passes = Passes {
            print_after: &self.print_after,
            is_timed: self.time_passes,
            times: Vec::new(),
            last: Instant::now(),
        };
        let mut options = self.options();
        options.assembler.more_threads = self.more_threads();
        let made = warpc::assemble_observed(source, &options, &mut passes);
        let bytes = made.map(|cubin| cubin.write());
        passes.over("write");
        self.say_times(&passes);
        bytes
    }

    fn say_times(&self, passes: &Passes) {
        if self.time_passes {
            for (name, time) in &passes.times {
                report::say(format_args!("{:10.3} ms  {name}", time.as_secs_f64() * 1e3));
            }
        }
    }
}

/// The passes to PTX and to machine code.
fn all_passes() -> impl Iterator<Item = &'static str> {
    warpc::pass_names().chain(warpc::machine_pass_names())
}

/// The pass that a number or name of a phase stands for; else the name itself.
fn pass_of(name: &str) -> &str {
    let mut phases = warpc::PHASES.iter();
    let phase = phases.find(|phase| phase.name == name || phase.number.to_string() == name);
    phase.map_or(name, |phase| phase.pass)
}

/// Prints modules after passes, and measures them.
struct Passes<'a> {
    print_after: &'a [String],
    is_timed: bool,
    times: Vec<(&'static str, Duration)>,
    last: Instant,
}

impl Passes<'_> {
    fn over(&mut self, name: &'static str) {
        // Passes over functions come once for each.
        match self.times.iter_mut().find(|(known, _)| *known == name) {
            Some((_, time)) => *time += self.last.elapsed(),
            None => self.times.push((name, self.last.elapsed())),
        }
    }
}

impl Observer for Passes<'_> {
    fn watches_passes(&self) -> bool {
        self.is_timed || !self.print_after.is_empty()
    }

    fn after(&mut self, pass: &'static str, code: &dyn std::fmt::Display) {
        self.over(pass);
        let mut asked = self.print_after.iter();
        if asked.any(|asked| pass_of(asked) == pass || asked == "all") {
            // From selection on the code is PTX, with its own comments.
            let mut of_ptx = all_passes().skip_while(|pass| *pass != "select");
            let is_ptx = of_ptx.any(|name| name == pass);
            let comment = if is_ptx { "//" } else { ";" };
            report::say(format_args!("{comment} after {pass}\n{code}"));
        }
        self.last = Instant::now();
    }
}

/// The help of `--print-after`, with the names of all passes.
fn print_after_help() -> String {
    let names: Vec<&str> = all_passes().collect();
    let phases = warpc::PHASES.iter();
    let phases = phases.map(|phase| format!("{} {} ({})", phase.number, phase.name, phase.pass));
    format!(
        "Print the code to standard error after a pass; `all` prints it after each. Passes over functions print one \
         function at a time.\n\nThe passes, in order: {}.\n\nPhases of synchronisation, by number or name: {}.",
        names.join(", "),
        phases.collect::<Vec<_>>().join(", ")
    )
}

/// The help of `--without-pass`, with the names of the passes.
fn without_pass_help() -> String {
    let names: Vec<&str> = warpc::optional_pass_names().collect();
    format!(
        "Make machine code without a pass that only makes it better; given several times, without several. This finds the pass \
         that makes code slow or wrong.\n\nThe passes: {}.",
        names.join(", ")
    )
}

/// The help of `--knob`.
fn knob_help() -> &'static str {
    "Set a knob of synchronisation in machine code.\n\n\
     487: 0 leaves synchronisation as it is written (phases 26, 71, 72).\n\
     358: how far phase 26 looks for barriers that do nothing: 0 not at all, 1 within a run of instructions, 2 over branches.\n\
     472: 0 keeps phase 71 from following fences over branches.\n\
     DisableErrbarAfterMembar: no error barriers after fences."
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    if let Err(bad) = arguments.knobs() {
        report::failure(&bad, format);
        return ExitCode::from(2);
    }
    if let Err(unknown) = arguments.passes() {
        report::failure(&unknown, format);
        return ExitCode::from(2);
    }
    if let Some(name) = arguments.unknown_passes() {
        let names: Vec<&str> = all_passes().collect();
        let message = format_args!("there is no pass `{name}`; there are {}", names.join(", "));
        report::failure(&message, format);
        return ExitCode::from(2);
    }
    if arguments.files.len() > 1 && arguments.output.is_some() {
        let message = "`-o` names one output, and there are several inputs; leave it out to write beside each of them";
        report::failure(&message, format);
        return ExitCode::from(2);
    }
    let mut status = ExitCode::SUCCESS;
    let mut end = |of_file: ExitCode| {
        if of_file != ExitCode::SUCCESS {
            status = of_file;
        }
    };
    let files = &arguments.files;
    let jobs = match arguments.jobs {
        Some(0) => other_processors() + 1,
        jobs => jobs.unwrap_or(1),
    };
    match jobs.min(files.len()) {
        0 | 1 => {
            for path in files {
                end(one(arguments, path, format));
            }
        }
        jobs => at_the_same_time(files, jobs, |path| one(arguments, path, format), end),
    }
    status
}

/// The processors beside the one that this thread runs on.
pub(crate) fn other_processors() -> usize {
    std::thread::available_parallelism().map_or(0, |all| all.get() - 1)
}

/// The stack of a thread that compiles: as large as that of a program's first thread.
const STACK_BYTES: usize = 8 << 20;

/// Does work for each file, for several at the same time. What is said and how it ended is told in the order of the files.
fn at_the_same_time(
    files: &[PathBuf],
    jobs: usize,
    work: impl Fn(&Path) -> ExitCode + Sync,
    mut end: impl FnMut(ExitCode),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let started = thread.spawn_scoped(scope, move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = files.get(index) else { break };
                    let done = report::kept(|| work(path));
                    if sender.send((index, done)).is_err() {
                        break;
                    }
                }
            });
            // The others do the work of a thread that the system does not give.
            if started.is_err() {
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut told = 0;
        for (index, done) in receiver {
            waiting.insert(index, done);
            while let Some((status, said)) = waiting.remove(&told) {
                report::say_bytes(&said);
                end(status);
                told += 1;
            }
        }
        // Nothing was started at all.
        for path in files.get(told..).unwrap_or_default() {
            end(work(path));
        }
    });
}

/// Compiles one file.
fn one(arguments: &Arguments, path: &Path, format: MessageFormat) -> ExitCode {
    let source = Source::read(path);
    let source =
        source.and_then(|source| source.only(&[Kind::Llvm, Kind::Mlir, Kind::Ptx, Kind::Sass]));
    let source = match source {
        Ok(source) => source,
        Err(error) => return report::failure(&error, format),
    };
    let name = source.name();
    let output = arguments.output.as_deref();
    let emit = match arguments.emit {
        Some(ending) => Some(ending),
        None => match output.map_or(Ok(None), Ending::of) {
            Ok(ending) => ending,
            Err(unknown) => {
                report::failure(&unknown, format);
                return ExitCode::from(2);
            }
        },
    };
    let emit = match emit.map(Emit::try_from).transpose() {
        Ok(emit) => emit,
        Err(not_yet) => return report::failure(&not_yet, format),
    };
    let emit = match (source.kind(), emit) {
        (Kind::Sass, None | Some(Emit::Cubin)) => Emit::Cubin,
        (Kind::Sass, Some(_)) => {
            let message = format_args!("{name}: an assembly text becomes a cubin only");
            return report::failure(&message, format);
        }
        (Kind::Ptx, None | Some(Emit::Cubin)) => Emit::Cubin,
        (Kind::Ptx, Some(_)) => {
            let message = format_args!("{name}: PTX becomes a cubin only; `warpc fmt` prints it");
            return report::failure(&message, format);
        }
        (_, emit) => emit.unwrap_or(Emit::Ptx),
    };
    let standard = Path::new("-");
    let output = match output {
        Some(output) => output.to_owned(),
        None if path == standard => standard.to_owned(),
        None => path.with_extension(emit.ending()),
    };
    if output == path && path != standard {
        let message = format_args!("{name}: the output would replace the input; use `-o`");
        report::failure(&message, format);
        return ExitCode::from(2);
    }
    let made: Output<Vec<u8>> = match emit {
        Emit::Ll => warpc::replace_builtins(&source, &arguments.options())
            .map(|llvm| llvm.to_string().into_bytes()),
        Emit::Bc => warpc::emit(&source, warpc::Emit::Bitcode, &arguments.options()),
        Emit::Ptx => arguments.compile(&source, format).map(String::into_bytes),
        Emit::Cubin => arguments.assemble(&source),
    };
    let failed = report::diagnostics(source.file(), &made.diagnostics, format);
    match made.value.filter(|_| !failed) {
        Some(made) => {
            if output != standard {
                report::note(
                    &format_args!("{name}: written to {}", output.display()),
                    format,
                );
            }
            report::output(made, Some(&output), format)
        }
        None => ExitCode::from(1),
    }
}
