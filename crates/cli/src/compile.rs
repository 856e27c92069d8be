//! `warpc compile`: from one representation to another.

use crate::emit::{Emit, Ending};
use crate::{MessageFormat, report};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use warpc_diag::Diagnostics;
use warpc_nvvm::NvvmOptions;
use warpc_pipeline::{
    CompileOptions as Options, Input, InputError, Kind, assemble, compile_ir, without_builtins,
};
use warpc_target::{PtxVersion, Sm};

/// A switch.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Switch {
    /// Do it.
    On,
    /// Do not.
    Off,
}

/// How atomics are read.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Atomics {
    /// As they are written.
    Written,
    /// As CUDA means them.
    Cuda,
}

/// What `warpc compile` is called with.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: String,
    /// Where to write; `-` is standard output. Without it the output lies beside the input.
    #[arg(short, value_name = "OUT")]
    output: Option<String>,
    /// What to make; the ending of OUT says it, too. PTX if neither does, a cubin of an assembly text.
    #[arg(long, value_enum)]
    emit: Option<Ending>,
    /// The target.
    #[arg(long, value_name = "SM", default_value = "sm_75")]
    arch: Sm,
    /// The version of PTX; without it the lowest that has everything the module uses.
    #[arg(long, value_name = "VERSION")]
    ptx_version: Option<PtxVersion>,
    /// Say which line of the source an instruction comes from.
    #[arg(long)]
    lineinfo: bool,
    /// Whether products and sums that the module marks `contract` may become one operation.
    #[arg(long, value_enum, default_value = "on")]
    fmad: Switch,
    /// What sequentially consistent atomics at system scope mean: what they say, or the relaxed atomics of CUDA
    /// that clang writes so.
    #[arg(long, value_enum, default_value = "written")]
    atomics: Atomics,
    /// Whether single-precision denormals are flushed to zero, whatever the module says.
    #[arg(long, value_enum)]
    ftz: Option<Switch>,
    /// Full debug information. Not supported: `--lineinfo` is.
    #[arg(short = 'g')]
    debug: bool,
    /// How much is done to make the code good.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "3", value_parser = clap::value_parser!(u8).range(0..=3))]
    level: u8,
    /// Promise that collectives of a warp never have different member masks with lanes in common.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_value = "false", default_missing_value = "true", action = clap::ArgAction::Set)]
    no_membermask_overlap: bool,
    /// Say where collectives of a warp may have different member masks with lanes in common.
    #[arg(long)]
    print_potentially_overlapping_membermasks: bool,
    /// Print the module to standard error after a pass; `all` prints it after each.
    #[arg(long, value_name = "PASS")]
    print_after: Vec<String>,
    /// Say how long each step took.
    #[arg(long)]
    time_passes: bool,
}

impl Arguments {
    fn options(&self) -> Options {
        let mut options = Options::new(self.arch);
        options.level = self.level;
        options.member_masks.no_overlap = self.no_membermask_overlap;
        options.member_masks.print = self.print_potentially_overlapping_membermasks;
        options.atomics = match self.atomics {
            Atomics::Written => warpc_pipeline::Atomics::Written,
            Atomics::Cuda => warpc_pipeline::Atomics::Cuda,
        };
        let select = &mut options.select;
        select.version = self.ptx_version;
        select.lineinfo = self.lineinfo;
        select.fmad = self.fmad == Switch::On;
        select.ftz = self.ftz.map(|ftz| ftz == Switch::On);
        options
    }

    /// Passes that are to be printed after but do not exist.
    fn unknown_passes(&self) -> Option<&str> {
        let known = |name: &str| {
            let passes = warpc_lower::passes::PASSES.iter();
            name == "all" || passes.map(|pass| pass.name).any(|pass| pass == name)
        };
        self.print_after
            .iter()
            .map(String::as_str)
            .find(|name| !known(name))
    }

    /// Compiles to PTX, printing what was asked for on the way.
    fn compile(&self, input: &Input) -> (Option<String>, Diagnostics) {
        let mut times = Vec::new();
        let mut last = Instant::now();
        let mut after = |name: &'static str, module: &warpc_nvvm::Module| {
            times.push((name, last.elapsed()));
            if self
                .print_after
                .iter()
                .any(|asked| asked == name || asked == "all")
            {
                eprintln!("; after {name}\n{}", warpc_nvvm::print(module));
            }
            last = Instant::now();
        };
        let made = compile_ir(
            input.kind,
            &input.file,
            nvvm_options(),
            self.options(),
            &mut after,
        );
        let text = made.module.map(|module| warpc_ptx::print(&module));
        times.push(("print", last.elapsed()));
        if self.time_passes {
            for (name, time) in times {
                eprintln!("{:10.3} ms  {name}", time.as_secs_f64() * 1e3);
            }
        }
        (text, made.diagnostics)
    }
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    if arguments.debug {
        let message = "full debug information (`-g`) is not supported; `--lineinfo` gives lines";
        return report::failure(&message, format);
    }
    if let Some(name) = arguments.unknown_passes() {
        let names: Vec<&str> = warpc_lower::passes::PASSES
            .iter()
            .map(|pass| pass.name)
            .collect();
        let message = format_args!("there is no pass `{name}`; there are {}", names.join(", "));
        report::failure(&message, format);
        return ExitCode::from(2);
    }
    let name = arguments.file.as_str();
    let input = match Input::read(name) {
        Ok(input) => input,
        Err(error) => return report::failure(&error, format),
    };
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
    let emit = match (input.kind, emit) {
        (Kind::Sass, None | Some(Emit::Cubin)) => Emit::Cubin,
        (Kind::Sass, Some(_)) => {
            let message = format_args!("{name}: an assembly text becomes a cubin only");
            return report::failure(&message, format);
        }
        (Kind::Llvm | Kind::Mlir, Some(Emit::Cubin)) => {
            let message = format_args!(
                "{name}: cubins are made of assembly texts (.sass) only; use `--emit ptx`"
            );
            return report::failure(&message, format);
        }
        (Kind::Llvm | Kind::Mlir, emit) => emit.unwrap_or(Emit::Ptx),
        _ => {
            let error = InputError::WrongKind(name.to_owned(), Kind::Llvm);
            return report::failure(&error, format);
        }
    };
    let beside = Path::new(name).with_extension(emit.ending());
    let output = match output {
        Some(output) => output.to_owned(),
        None if name == "-" => "-".to_owned(),
        None => beside.to_string_lossy().into_owned(),
    };
    if output == name && name != "-" {
        let message = format_args!("{name}: the output would replace the input; use `-o`");
        report::failure(&message, format);
        return ExitCode::from(2);
    }
    let (made, diagnostics) = match emit {
        Emit::Ll => {
            let options = arguments.options();
            let checked = without_builtins(input.kind, &input.file, nvvm_options(), &options);
            let text = checked.module.map(|module| warpc_nvvm::print(&module));
            (text.map(String::into_bytes), checked.diagnostics)
        }
        Emit::Ptx => {
            let (text, diagnostics) = arguments.compile(&input);
            (text.map(String::into_bytes), diagnostics)
        }
        Emit::Cubin => {
            let made = assemble(&input.file);
            (made.module.map(|cubin| cubin.write()), made.diagnostics)
        }
    };
    report::diagnostics(&input.file, &diagnostics, format);
    match made {
        Some(made) => report::output(made, Some(&output), format),
        None => ExitCode::from(1),
    }
}

/// The rules for modules of GPUs: as for libNVVM, `NVVM_IR_VER_CHK=0` skips the version.
pub fn nvvm_options() -> NvvmOptions {
    NvvmOptions::from_version_check(std::env::var("NVVM_IR_VER_CHK").ok().as_deref())
}
