//! The options of compilation and verification: one row each, with what is done for it.
//!
//! The names, values and messages are those of libNVVM 13.4, undocumented options included where clients use them.

use warpc::{Atomics, BitcodeDialect, Options, PtxVersion, Sm};

/// What an option is followed by.
enum Value {
    /// Nothing.
    None,
    /// `=` and one of a few numbers, and what is done with it.
    Number(&'static [u8], fn(&mut Chosen, u8)),
    /// `=` and a text, and what is done with it; false if the text is none that there is.
    Text(fn(&mut Chosen, &str) -> bool),
    /// The same, with a message of its own about a text that there is not.
    Named(fn(&mut Chosen, &str) -> bool),
}

/// What was chosen.
pub struct Chosen {
    /// For the compiler.
    pub options: Options,
    /// Whether warnings are left out of the log.
    pub quiet: bool,
    /// Whether LTO-IR is made, not PTX.
    pub lto: bool,
    /// The version of PTX that was asked for, as a number.
    version: Option<u32>,
    /// The chip, if that version does not have it.
    too_old: Option<Sm>,
}

/// The option that asks for LTO-IR.
const LTO: &str = "-gen-lto";
/// The option for split compilation, which has another name in a message.
const SPLIT: &str = "-split-compile";

/// The options that libNVVM accepts more than once.
const REPEATABLE: &[&str] = &[
    LTO,
    "-numba-debug",
    "-inline-info",
    "-jobserver",
    "-nvvm-version",
    "-jump-table-density",
    "-ptx-version-target",
];

/// An option: name, value.
const ROWS: &[(&str, Value)] = &[
    (
        "-arch",
        Value::Text(|chosen, text| {
            chosen.options.target = chip(text);
            chosen.options.target.is_some()
        }),
    ),
    (
        "-opt",
        Value::Number(&[0, 1, 2, 3], |chosen, level| chosen.options.level = level),
    ),
    (
        "-ftz",
        Value::Number(&[0, 1], |chosen, on| chosen.options.ftz = Some(on == 1)),
    ),
    (
        "-prec-sqrt",
        Value::Number(&[0, 1], |chosen, on| {
            chosen.options.precise_square_root = on == 1
        }),
    ),
    (
        "-prec-div",
        Value::Number(&[0, 1], |chosen, on| {
            chosen.options.precise_division = on == 1
        }),
    ),
    (
        "-fma",
        Value::Number(&[0, 1], |chosen, on| chosen.options.fmad = on == 1),
    ),
    (
        "-ptx-version-target",
        Value::Named(|chosen, text| {
            chosen.version = text.parse().ok();
            chosen.version.is_some()
        }),
    ),
    ("-w", Value::None),
    (LTO, Value::None),
    // Debug information comes with that of the module; there is nothing to turn on.
    ("-g", Value::None),
    ("-generate-line-info", Value::None),
    ("-numba-debug", Value::None),
    ("-inline-info", Value::None),
    ("-show-src", Value::None),
    // How the work is divided, or how switches and registers are counted: the same code comes out.
    ("-jump-table-density", Value::Text(|_, _| true)),
    ("-maxreg", Value::Text(|_, _| true)),
    (SPLIT, Value::Text(|_, _| true)),
    ("-jobserver", Value::None),
    ("-fast-math", Value::None),
    ("-discard-value-names", Value::Text(|_, _| true)),
    (
        "-nvvm-version",
        Value::Named(|chosen, text| {
            chosen.options.bitcode.dialect = match text {
                "nvvm-latest" => BitcodeDialect::Current,
                "nvvm70" => BitcodeDialect::Llvm7,
                _ => return false,
            };
            true
        }),
    ),
];

/// The chip of `compute_90`.
pub fn chip(text: &str) -> Option<Sm> {
    let number = text.strip_prefix("compute_")?;
    format!("sm_{number}").parse().ok()
}

/// Reads options; a message if one of them is not one.
pub fn read(texts: &[String]) -> Result<Chosen, String> {
    let mut options = Options::new(Sm::DEFAULT);
    options.atomics = Atomics::Cuda;
    options.fuse_unmarked = true;
    options.all_dimensions = true;
    options.lineinfo = true;
    // `rules` checks versions, and not those of libraries.
    options.rules.check_version = false;
    let mut chosen = Chosen {
        options,
        quiet: false,
        lto: false,
        version: None,
        too_old: None,
    };
    let mut seen = Vec::new();
    for text in texts {
        let text = text.trim();
        let unsupported = || format!("libnvvm : error: {text} is an unsupported option");
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let row = ROWS.iter().find(|row| row.0 == name);
        let (name, kind) = row.ok_or_else(unsupported)?;
        if seen.contains(name) && !REPEATABLE.contains(name) {
            let name = if *name == SPLIT {
                "split compilation"
            } else {
                name
            };
            return Err(format!("libnvvm : error: {name} defined more than once"));
        }
        seen.push(*name);
        let fits = match (kind, value) {
            (Value::None, None) => true,
            (Value::Number(allowed, set), Some(value)) => {
                // One digit: neither `+1` nor `01`.
                let digit = allowed.iter().find(|digit| digit.to_string() == value);
                digit.is_some_and(|&digit| {
                    set(&mut chosen, digit);
                    true
                })
            }
            // libNVVM accepts it without a value.
            (Value::Number(..), None) => *name == "-opt",
            (Value::Text(set), Some(value)) => set(&mut chosen, value),
            (Value::Named(set), Some(value)) => match set(&mut chosen, value) {
                true => true,
                false => return Err(bad_value(name, value)),
            },
            _ => false,
        };
        if !fits {
            return Err(unsupported());
        }
        chosen.quiet |= *name == "-w";
        chosen.lto |= *name == LTO;
    }
    // As in libNVVM, the module says how much debug information it has, and not an option; lines alone can be asked for.
    chosen.options.debug = seen.contains(&"-g") || !seen.contains(&"-generate-line-info");
    chosen.set_version()?;
    Ok(chosen)
}

fn bad_value(name: &str, value: &str) -> String {
    format!("libnvvm : error: {value} is an unsupported value for option: {name}")
}

impl Chosen {
    /// Says that the version of PTX does not have the chip, which is no fault of an option by itself.
    pub fn version_problem(&self) -> Option<String> {
        let (sm, version) = (self.too_old?, self.options.ptx_version?);
        let first = sm.first_version();
        Some(format!(
            "PTX version {version} does not support target '{sm}'. Minimum required PTX version is {first}. \
             Either remove the PTX version to use the default, or increase it to at least {first}.\n"
        ))
    }

    /// The version of PTX that was asked for. NVIDIA's library looks at it for Blackwell and later only.
    fn set_version(&mut self) -> Result<(), String> {
        let newer = self
            .options
            .target
            .is_some_and(|sm| sm.has(warpc::target::features::LIBNVVM_OF_LLVM_22));
        let Some(number) = self.version.filter(|_| newer) else {
            return Ok(());
        };
        let unsupported = bad_value("-ptx-version-target", &number.to_string());
        if number < LOWEST_VERSION {
            return Err(unsupported);
        }
        let parts = (u8::try_from(number / 10), u8::try_from(number % 10));
        let (Ok(major), Ok(minor)) = parts else {
            return Err(unsupported);
        };
        let version = PtxVersion::new(major, minor).min(PtxVersion::LATEST);
        self.too_old = self
            .options
            .target
            .filter(|sm| version < sm.first_version());
        self.options.ptx_version = Some(version);
        Ok(())
    }
}

/// The lowest version that `-ptx-version-target` accepts.
const LOWEST_VERSION: u32 = 86;
