//! The `warpc` command.
//!
//! Exit status: 0 done, 1 diagnostics, 2 wrong usage.

mod bench_compile;
mod bench_parse;
mod builtins;
mod check;
mod cicc;
mod code_options;
mod compile;
mod dis;
mod emit;
mod explain;
mod fingerprint;
mod fmt;
mod link;
mod litmus;
mod manual;
mod peak;
mod ptxas;
mod report;
mod run;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc_target::Sm;

/// What flags that every command takes stand under.
const GLOBAL: &str = "For every command";

/// An open compiler back end for NVIDIA GPUs.
#[derive(Parser)]
#[command(name = "warpc", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
}

/// `warpc compile` alone: the flags of all other commands are not made ready for it.
#[derive(Parser)]
#[command(name = "warpc")]
struct CompileOnly {
    #[command(flatten)]
    arguments: compile::Arguments,
    #[command(flatten)]
    global: Global,
}

impl CompileOnly {
    /// The arguments, if they are those of `compile` and nothing is wrong with them: what is to be said about them
    /// otherwise, [`Arguments`] says.
    fn of(words: &[OsString]) -> Option<Arguments> {
        let (program, rest) = words.split_first()?;
        let (command, rest) = rest.split_first()?;
        if command != "compile" {
            return None;
        }
        let words = std::iter::once(program).chain(rest);
        let only = CompileOnly::try_parse_from(words).ok()?;
        Some(Arguments {
            command: Command::Compile(only.arguments),
            global: only.global,
        })
    }
}

/// Flags that every command takes.
#[derive(clap::Args)]
struct Global {
    /// How diagnostics are printed.
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Human, help_heading = GLOBAL)]
    message_format: MessageFormat,
    /// When to colour the output.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN", help_heading = GLOBAL
    )]
    color: report::Colour,
    /// `-Werror`: warnings are errors.
    #[arg(short = 'W', global = true, value_name = "error", value_enum, help_heading = GLOBAL)]
    warnings: Option<Warnings>,
    /// Report what is done: targets, versions, files written.
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    verbose: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MessageFormat {
    /// As rustc prints them.
    Human,
    /// One JSON object a line.
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Warnings {
    /// They are errors.
    Error,
}

#[derive(Subcommand)]
enum Command {
    /// Read and verify files; report what is wrong.
    Check {
        /// Files of PTX, LLVM IR, MLIR, assembly text, cubins or fatbins; `-` is standard input.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Compile or convert a module: LLVM IR or MLIR to PTX, LLVM IR of any version to the form of LLVM 22, a cubin
    /// of an assembly text.
    Compile(compile::Arguments),
    /// Print PTX files in canonical form, with their comments.
    Fmt(fmt::Arguments),
    /// Link modules of LLVM IR into one.
    Link(link::Arguments),
    /// List the machine code of a cubin, as nvdisasm does; list or unpack a fatbin.
    Dis(dis::Arguments),
    /// Run a kernel on the emulator, or on a GPU.
    Run(Box<run::Arguments>),
    /// Judge litmus tests by the axioms of the PTX memory model: one line a file, `holds` or `fails`.
    Litmus(litmus::Arguments),
    /// List the NVVM builtins.
    Builtins {
        /// Part of a name, or a pattern with `*` and `?` for a whole one.
        pattern: Option<String>,
        /// Print a JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Explain a builtin, instruction, special register, directive, machine operation or diagnostic; or a kernel: what its machine
    /// code waits for, and what its loops are expected to take.
    Explain(explain::Arguments),
    /// Print a script that completes commands and flags in a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print a page of the manual, to be read with `man -l -`.
    Man(manual::Arguments),
    /// Assemble PTX, with the command line of ptxas. A link to the program that is named `ptxas` does the same.
    #[command(disable_help_flag = true)]
    Ptxas {
        /// What ptxas takes: `warpc ptxas --help` lists it.
        #[arg(
            value_name = "WORD",
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        words: Vec<String>,
    },
    /// Compile LLVM IR, with the command line of cicc. A link to the program that is named `cicc` does the same.
    #[command(disable_help_flag = true)]
    Cicc {
        /// What cicc takes: `warpc cicc --help` lists it.
        #[arg(
            value_name = "WORD",
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        words: Vec<String>,
    },
    /// Print a key of this build, or of a command with the contents of its inputs, for caches: equal keys mean equal outputs.
    Fingerprint {
        /// The command without `warpc`: `cicc -arch compute_90 k.bc -o k.ptx`.
        #[arg(
            value_name = "WORD",
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        words: Vec<String>,
    },
    /// Measure reading and verifying (for `./x bench`).
    #[command(hide = true)]
    BenchParse {
        /// The file.
        file: PathBuf,
    },
    /// Measure compiling LLVM IR to PTX (for `./x bench`).
    #[command(hide = true)]
    BenchCompile {
        /// The target.
        #[arg(long, value_parser = code_options::target)]
        arch: Sm,
        /// The file.
        file: PathBuf,
    },
}

/// Other compilers write the target as a long flag with one dash: `-mcpu=sm_90`, `-arch compute_90`.
fn with_two_dashes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut operands_only = false;
    let spelled = arguments.map(|argument| {
        operands_only |= argument == "--";
        let text = argument.to_str().filter(|_| !operands_only).unwrap_or("");
        let flag = text.split('=').next().unwrap_or("");
        match flag {
            "-mcpu" | "-arch" | "-gpu-name" => OsString::from(format!("-{text}")),
            _ => argument,
        }
    });
    spelled.collect()
}

/// A command whose words are not read as ours are, by the command or by the name of the program.
type Foreign = (&'static str, fn(&Path) -> bool, fn(Vec<String>) -> ExitCode);

const FOREIGN: [Foreign; 2] = [
    ("ptxas", ptxas::is_named, ptxas::run),
    ("cicc", cicc::is_named, cicc::run),
];

/// Runs such a command, if that is what was called.
fn run_foreign() -> Option<ExitCode> {
    let mut words = std::env::args_os();
    let program = PathBuf::from(words.next()?);
    let text = |word: OsString| word.to_string_lossy().into_owned();
    if let Some((.., run)) = FOREIGN.iter().find(|foreign| foreign.1(&program)) {
        return Some(run(words.map(text).collect()));
    }
    let command = words.next()?;
    let (.., run) = FOREIGN.iter().find(|foreign| command == foreign.0)?;
    Some(run(words.map(text).collect()))
}

/// Has the allocator keep memory that is free again. That of glibc gives the end of its heap back to the system whenever
/// 128 kB are free there, and the next function gets it again, page by page: half of the page faults of a module with many
/// kernels. Once a large block was freed it takes it that more will come, and keeps twice as much. The block is never
/// touched, so that it costs two calls of the system.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(16 << 20)));
}

fn main() -> ExitCode {
    keep_freed_memory();
    warpc::note_places_of_failures();
    if let Some(status) = run_foreign() {
        return status;
    }
    let words = with_two_dashes(std::env::args_os());
    let arguments = CompileOnly::of(&words).unwrap_or_else(|| Arguments::parse_from(words));
    let format = arguments.global.message_format;
    report::set_manner(report::Manner {
        colour: arguments.global.color,
        deny_warnings: arguments.global.warnings == Some(Warnings::Error),
        verbose: arguments.global.verbose,
    });
    match arguments.command {
        Command::Check { files } => check::run(&files, format),
        Command::Compile(arguments) => compile::run(&arguments, format),
        Command::Fmt(arguments) => fmt::run(&arguments, format),
        Command::Link(arguments) => link::run(&arguments, format),
        Command::Dis(arguments) => dis::run(&arguments, format),
        Command::Run(arguments) => run::run(&arguments, format),
        Command::Litmus(arguments) => litmus::run(&arguments, format),
        Command::Builtins { pattern, json } => builtins::run(pattern.as_deref(), json, format),
        Command::Explain(arguments) => explain::run(&arguments, format),
        Command::Completions { shell } => manual::completions(Arguments::command(), shell, format),
        Command::Man(arguments) => manual::run(Arguments::command(), &arguments, format),
        Command::Ptxas { words } => ptxas::run(words),
        Command::Cicc { words } => cicc::run(words),
        Command::Fingerprint { words } => fingerprint::run(&words, format),
        Command::BenchParse { file } => bench_parse::run(&file),
        Command::BenchCompile { arch, file } => bench_compile::run(&file, arch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    /// Every flag, as `--flag` or `-f`.
    fn flags(command: &clap::Command, found: &mut BTreeSet<String>) {
        for argument in command
            .get_arguments()
            .filter(|argument| !argument.is_hide_set())
        {
            let long = argument.get_long_and_visible_aliases().unwrap_or_default();
            found.extend(long.iter().map(|name| format!("--{name}")));
            if let Some(short) = argument.get_short() {
                found.insert(format!("-{short}"));
            }
        }
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            flags(sub, found);
        }
    }

    /// `docs/command.md` names every command and flag, and none that does not exist.
    #[test]
    fn the_page_and_the_flags_agree() {
        let mut command = Arguments::command();
        command.build();
        let mut flags = BTreeSet::new();
        super::tests::flags(&command, &mut flags);
        let page = include_str!("../../../docs/command.md");
        let spans = page
            .split('`')
            .skip(1)
            .step_by(2)
            .flat_map(str::split_whitespace);
        let named: BTreeSet<String> = spans
            .filter(|word| word.starts_with('-') && word.len() > 1)
            .map(|word| {
                let flag = |c: char| c.is_ascii_alphanumeric() || c == '-';
                word.trim_start_matches('[')
                    .split(|c| !flag(c))
                    .next()
                    .unwrap_or(word)
                    .to_owned()
            })
            .collect();
        let missing = flags.iter().filter(|flag| {
            // `-Werror` names `-W`.
            !named
                .iter()
                .any(|name| name == *flag || *flag == "-W" && name == "-Werror")
        });
        let missing: Vec<_> = missing.collect();
        assert!(missing.is_empty(), "docs/command.md lacks {missing:?}");
        let known = ["-Werror", "-arch", "-mcpu", "-l"];
        let unknown: Vec<_> = named
            .iter()
            .filter(|name| {
                !flags.contains(*name) && !known.contains(&name.as_str()) && *name != "--profile"
            })
            .collect();
        assert!(unknown.is_empty(), "docs/command.md names {unknown:?}");
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let name = sub.get_name();
            let said = name == "help" || page.contains(&format!("`warpc {name} "));
            assert!(said, "docs/command.md lacks the command {name}");
        }
    }

    #[test]
    fn compile_alone_takes_what_compile_takes() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        for good in [
            "warpc compile k.ll",
            "warpc compile k.ptx --arch sm_90a -o k.cubin -Werror -v --color never",
        ] {
            assert!(CompileOnly::of(&words(good)).is_some(), "{good}");
            assert!(Arguments::try_parse_from(words(good)).is_ok(), "{good}");
        }
        for other in [
            "warpc check k.ll",
            "warpc -v compile k.ll",
            "warpc compile --help",
            "warpc compile",
            "warpc compile k.ll --nothing",
            "warpc",
        ] {
            assert!(CompileOnly::of(&words(other)).is_none(), "{other}");
        }
        CompileOnly::command().debug_assert();
    }

    #[test]
    fn targets_of_other_compilers() {
        let spelled = |words: &[&str]| with_two_dashes(words.iter().map(OsString::from));
        assert_eq!(
            spelled(&["-mcpu=sm_90", "-arch", "-O2"]),
            ["--mcpu=sm_90", "--arch", "-O2"]
        );
        assert_eq!(spelled(&["--", "-mcpu"]), ["--", "-mcpu"]);
        for flag in [
            "-arch=compute_90",
            "-mcpu=sm_90",
            "--gpu-name=sm_90",
            "--arch=compute_90",
        ] {
            let words = ["warpc", "compile", flag, "k.ll"].map(OsString::from);
            let parsed = Arguments::try_parse_from(with_two_dashes(words.into_iter()));
            assert!(parsed.is_ok(), "{flag}");
        }
    }
}
