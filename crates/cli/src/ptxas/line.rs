//! The command line of ptxas, read.

use super::flags::{FLAGS, Flag, Means, Takes};
use super::message::Messages;
use warpc::{Bounds, CacheDefault, CacheOperator};
use warpc_target::Sm;

/// What stands in for a file name where PTX is given itself.
pub const GIVEN_TEXT: &str = "application ptx input";

/// An input.
pub enum Input {
    /// A file.
    File(String),
    /// PTX itself.
    Text(String),
}

/// What is to be printed instead of assembling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Print {
    /// The flags.
    Help,
    /// The version.
    Version,
    /// The chips.
    Targets,
    /// The versions of PTX.
    Versions,
}

/// What is to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Code for a chip.
    Code(Sm),
    /// Nothing: the input is checked for what may run on chips from this one on.
    Check(Sm),
}

/// The command line.
pub struct Line {
    /// What is to be printed instead.
    pub print: Option<Print>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// What is to be made.
    pub target: Target,
    /// Where it goes.
    pub output: String,
    /// The level of optimisation.
    pub level: u8,
    /// Say what kernels use.
    pub verbose: bool,
    /// Say also which kernel is at hand.
    pub more_verbose: bool,
    /// Write lines.
    pub lines: bool,
    /// Write none, whatever was asked for.
    pub no_lines: bool,
    /// Debug information was asked for.
    pub debug: bool,
    /// Only these kernels.
    pub entries: Vec<String>,
    /// Bounds of launches.
    pub bounds: Bounds,
    /// Cache operators of loads.
    pub loads: CacheDefault,
    /// Cache operators of stores.
    pub stores: CacheDefault,
    /// Warn of spills.
    pub warn_spills: bool,
    /// Warn of local memory.
    pub warn_local: bool,
    /// Products and sums that do not name their rounding become one instruction.
    pub contract: bool,
    /// Threads wait for errors before they end.
    pub errors_at_exit: bool,
    /// Functions that are not in the module meet nobody at barriers of the block.
    pub extern_functions_do_not_sync: bool,
    /// A relocatable object is made.
    pub relocatable: bool,
    /// Member masks do not overlap.
    pub no_overlap: bool,
    /// Say where they may.
    pub print_overlap: bool,
    /// Flags that had a value before, with the value.
    seen: Vec<(&'static str, String)>,
}

/// The command line cannot be used: it was said why.
pub struct Refused;

type Outcome<T> = Result<T, Refused>;

/// How many files of options may name each other.
const DEPTH: usize = 15;

impl Line {
    /// Reads a command line, and says what is wrong with it.
    pub fn read(arguments: Vec<String>, messages: &mut Messages) -> Outcome<Line> {
        let mut line = Line {
            print: None,
            inputs: Vec::new(),
            target: Target::Code(Sm::DEFAULT),
            output: "elf.o".to_owned(),
            level: 3,
            verbose: false,
            more_verbose: false,
            lines: false,
            no_lines: false,
            debug: false,
            entries: Vec::new(),
            bounds: Bounds::default(),
            loads: CacheDefault::default(),
            stores: CacheDefault::default(),
            warn_spills: false,
            warn_local: false,
            contract: true,
            errors_at_exit: false,
            extern_functions_do_not_sync: false,
            relocatable: false,
            no_overlap: false,
            print_overlap: false,
            seen: Vec::new(),
        };
        line.words(arguments, 0, messages)?;
        line.raise_registers(messages);
        if line.bounds.registers.is_some() {
            line.drop_sizes(messages);
        }
        line.drop_caches(messages);
        if line.debug && line.lines {
            messages.warning("Conflicting options --device-debug and --generate-line-info specified, ignoring --generate-line-info option");
            line.lines = false;
        }
        Ok(line)
    }

    /// A bound of registers is not below the least that code can do with.
    fn raise_registers(&mut self, messages: &mut Messages) {
        let (Target::Code(sm) | Target::Check(sm)) = self.target;
        let bounds = &mut self.bounds;
        for bound in [&mut bounds.registers, &mut bounds.function_registers] {
            if let Some(number) = bound
                && *number < LEAST_REGISTERS
            {
                messages.warning(format_args!("For profile {sm} adjusting per thread register count of {number} to lower bound of {LEAST_REGISTERS}"));
                *number = LEAST_REGISTERS;
            }
        }
    }

    /// A cache operator for all accesses leaves none to the usual one.
    fn drop_caches(&mut self, messages: &mut Messages) {
        for (what, one) in [("load", &mut self.loads), ("store", &mut self.stores)] {
            if one.forced.is_some() && one.default.take().is_some() {
                messages.warning(format_args!("Conflicting options force-{what}-cache and def-{what}-cache specified, ignoring def-{what}-cache option"));
            }
        }
    }

    /// A bound of registers comes before sizes of launches.
    fn drop_sizes(&mut self, messages: &mut Messages) {
        let sizes = [
            ("maxntid", self.bounds.threads.take()),
            ("minnctapersm", self.bounds.blocks.take()),
        ];
        for (name, _) in sizes.iter().filter(|size| size.1.is_some()) {
            messages.warning(format_args!(
                "Conflicting options -maxrregcount and -{name} specified, ignoring -{name} option"
            ));
        }
    }

    fn words(&mut self, words: Vec<String>, depth: usize, messages: &mut Messages) -> Outcome<()> {
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix('-').filter(|name| !name.is_empty()) else {
                self.inputs.push(Input::File(word));
                continue;
            };
            let Some((flag, attached)) = Flag::find(name) else {
                messages.fatal(format_args!("Unknown option '{}'", first_word(name)));
                return Err(Refused);
            };
            let given = match (flag.takes, attached) {
                (Takes::Nothing, None) => String::new(),
                (Takes::Nothing, Some(_)) => {
                    let name = first_word(&word);
                    messages.fatal(format_args!("no argument expected after '{name}'"));
                    return Err(Refused);
                }
                (_, Some(value)) => value.to_owned(),
                // `-O` alone is the usual level; `--opt-level` has its number in the next word.
                (Takes::AttachedNumber, None) if !word.starts_with("--") => String::new(),
                (_, None) => words.next().ok_or_else(|| {
                    messages.fatal(format_args!("argument expected after '{word}'"));
                    Refused
                })?,
            };
            self.check(flag, &given, messages)?;
            self.redefine(flag, &given, messages);
            self.apply(flag, given, depth, messages)?;
        }
        Ok(())
    }

    /// What follows a flag is of the kind that it takes.
    fn check(&self, flag: &Flag, given: &str, messages: &mut Messages) -> Outcome<()> {
        let problem = match flag.takes {
            Takes::Number | Takes::AttachedNumber if given.is_empty() => return Ok(()),
            Takes::Number if flag.long == "split-compile" && given.starts_with('-') => {
                format!("Invalid value '{given}' for option '--split-compile'")
            }
            Takes::Number | Takes::AttachedNumber => match given.parse::<i64>() {
                Ok(number) if i32::try_from(number).is_ok() => return Ok(()),
                Ok(number) => format!("32-bit integer value ({number}) out of range"),
                Err(_) => format!("'{given}': expected a number"),
            },
            Takes::Boolean if !["true", "false"].contains(&given) => {
                format!("'{given}': expected true or false")
            }
            Takes::OneOf(values) if flag.short == "Ofc" && !values.contains(&given) => {
                format!(
                    "Invalid value for --Ofast-compile/-Ofc ({given}), is not 'max', 'mid', 'min', or '0'"
                )
            }
            Takes::OneOf(values) if !values.contains(&given) => {
                format!("Value '{given}' is not defined for option '{}'", flag.long)
            }
            _ => return Ok(()),
        };
        messages.fatal(problem);
        Err(Refused)
    }

    /// Says that a flag has another value than before.
    fn redefine(&mut self, flag: &Flag, given: &str, messages: &mut Messages) {
        if matches!(flag.takes, Takes::Nothing | Takes::List) {
            return;
        }
        match self.seen.iter_mut().find(|seen| seen.0 == flag.long) {
            Some((name, before)) => {
                if before.as_str() != given {
                    messages.warning(format_args!("incompatible redefinition for option '{name}', the last value of this option was used"));
                    *before = given.to_owned();
                }
            }
            None => self.seen.push((flag.long, given.to_owned())),
        }
    }

    fn apply(
        &mut self,
        flag: &'static Flag,
        given: String,
        depth: usize,
        messages: &mut Messages,
    ) -> Outcome<()> {
        match flag.means {
            Means::Target => self.target = target(&given, flag, messages)?,
            Means::Output => self.output = given,
            Means::Level => self.level = given.parse::<i64>().unwrap_or(3).clamp(0, 3) as u8,
            Means::Verbose => {
                self.verbose = true;
                self.more_verbose |= flag.short == "v2";
            }
            Means::Version => self.print = Some(Print::Version),
            Means::Help => self.print = Some(Print::Help),
            Means::ListTargets => self.print = Some(Print::Targets),
            Means::ListVersions => self.print = Some(Print::Versions),
            Means::OptionsFile => self.options_files(&given, depth, messages)?,
            Means::Text => self.inputs.push(Input::Text(given)),
            Means::Entries => self.entries.extend(given.split(',').map(str::to_owned)),
            Means::Lines => self.lines = true,
            Means::NoLines => self.no_lines = true,
            Means::Debug => self.debug = true,
            Means::Registers => self.bounds.registers = Some(registers(&given, flag, messages)?),
            Means::FunctionRegisters => {
                self.bounds.function_registers = Some(registers(&given, flag, messages)?);
            }
            Means::UsageLevel => {
                let level = given.parse::<i64>().unwrap_or(0);
                if !(0..=MOST_USAGE_LEVEL).contains(&level) {
                    messages.warning(format_args!("Value of RegUsageLevel ({level}) is out of valid range {{0..{MOST_USAGE_LEVEL}}}, option will be ignored"));
                }
            }
            Means::Threads => self.bounds.threads = threads(&given, messages),
            Means::Blocks => self.bounds.blocks = given.parse().ok(),
            Means::Override => self.bounds.override_directives = true,
            Means::LoadCache => self.loads.default = Some(load_cache(&given, messages)?),
            Means::ForcedLoadCache => self.loads.forced = Some(load_cache(&given, messages)?),
            Means::StoreCache => self.stores.default = Some(store_cache(&given, messages)?),
            Means::ForcedStoreCache => self.stores.forced = Some(store_cache(&given, messages)?),
            Means::NoWarnings => messages.say_no_warnings(),
            Means::WarningsAreErrors => messages.deny_warnings(),
            Means::WarnSpills => self.warn_spills = true,
            Means::WarnLocal => self.warn_local = true,
            Means::Relocatable => self.relocatable = true,
            Means::Contract => self.contract = given == "true",
            Means::ErrorsAtExit => self.errors_at_exit = true,
            Means::ExternDoNotSync => self.extern_functions_do_not_sync = given == "true",
            Means::NoOverlap => self.no_overlap = given == "true",
            Means::PrintOverlap => self.print_overlap = true,
            Means::Nothing => {}
            Means::Refused(what) => {
                messages.fatal(format_args!(
                    "'--{}' is not supported: warpc does not make {what} yet",
                    flag.long
                ));
                return Err(Refused);
            }
        }
        Ok(())
    }

    fn options_files(&mut self, names: &str, depth: usize, messages: &mut Messages) -> Outcome<()> {
        for name in names.split(',') {
            let text = match std::fs::read_to_string(name) {
                Ok(text) if depth < DEPTH => text,
                Ok(_) => {
                    messages.fatal(format_args!("Too many options file opened '{name}'"));
                    return Err(Refused);
                }
                Err(_) => {
                    messages.fatal(format_args!("Could not open options file '{name}'"));
                    return Err(Refused);
                }
            };
            self.words(words_of(&text), depth + 1, messages)?;
        }
        Ok(())
    }
}

/// The words of a file of options: separated by white space, which double quotes and a backslash before it keep.
fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            '\\' => word.get_or_insert_default().extend(characters.next()),
            _ if character.is_whitespace() && !is_quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The part of an argument before `=`.
fn first_word(text: &str) -> &str {
    text.split('=').next().unwrap_or(text)
}

fn target(given: &str, flag: &Flag, messages: &mut Messages) -> Outcome<Target> {
    let number = |prefix: &str| {
        let rest = given.strip_prefix(prefix)?;
        format!("sm_{rest}").parse::<Sm>().ok()
    };
    let code = number("sm_").map(Target::Code);
    let check = || {
        let sm = number("compute_").or_else(|| number("lto_"));
        sm.map(Target::Check)
    };
    code.or_else(check).ok_or_else(|| {
        let name = flag.long;
        messages.fatal(format_args!(
            "Value '{given}' is not defined for option '{name}'"
        ));
        Refused
    })
}

/// The most registers of a thread, and the least that a bound can be.
const MOST_REGISTERS: u8 = 255;
const LEAST_REGISTERS: u8 = 24;
/// The largest value of `--register-usage-level`.
const MOST_USAGE_LEVEL: i64 = 10;
/// What `archmin` is.
const ARCH_LEAST: u8 = 32;

/// A number as C reads it: decimal, `0x20` or `040`.
fn number(given: &str) -> Option<i64> {
    let (sign, digits) = match given.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, given),
    };
    let hexadecimal = digits.strip_prefix("0x").or(digits.strip_prefix("0X"));
    let parsed = match (hexadecimal, digits) {
        (Some(digits), _) => i64::from_str_radix(digits, 16),
        (None, digits) if digits.len() > 1 && digits.starts_with('0') => {
            i64::from_str_radix(digits, 8)
        }
        (None, digits) => digits.parse(),
    };
    parsed.ok().map(|number| sign * number)
}

fn registers(given: &str, flag: &Flag, messages: &mut Messages) -> Outcome<u8> {
    match given {
        "archmax" => return Ok(MOST_REGISTERS),
        "archmin" => return Ok(ARCH_LEAST),
        _ => {}
    }
    let Some(number) = number(given) else {
        messages.fatal(format_args!(
            "Invalid value '{given}' for option '{}'",
            flag.long
        ));
        return Err(Refused);
    };
    Ok(match u8::try_from(number) {
        Ok(number) => number,
        Err(_) => {
            messages.warning(format_args!(
                "Too big maxrregcount value specified {number}, will be ignored"
            ));
            MOST_REGISTERS
        }
    })
}

fn threads(given: &str, messages: &mut Messages) -> Option<u64> {
    let sizes: Vec<&str> = given.split(',').collect();
    if sizes.len() > 3 {
        messages.warning("Too many values specified for option '-maxntid', option will be ignored");
        return None;
    }
    let mut sizes = sizes.iter().map(|size| size.trim().parse::<u64>());
    let product = sizes.try_fold(1, |all: u64, size| {
        size.map(|size| all.saturating_mul(size))
    });
    // What is not a number is ignored, and nothing is said.
    product.ok().map(|product| product.max(1))
}

fn load_cache(given: &str, messages: &mut Messages) -> Outcome<CacheOperator> {
    Ok(match given {
        "ca" => CacheOperator::All,
        "cg" => CacheOperator::Global,
        "cs" => CacheOperator::Streaming,
        "lu" => CacheOperator::LastUse,
        "cv" => CacheOperator::Volatile,
        _ => return Err(no_cache("load", given, messages)),
    })
}

fn store_cache(given: &str, messages: &mut Messages) -> Outcome<CacheOperator> {
    Ok(match given {
        "wb" => CacheOperator::WriteBack,
        "cg" => CacheOperator::Global,
        "cs" => CacheOperator::Streaming,
        "wt" => CacheOperator::WriteThrough,
        _ => return Err(no_cache("store", given, messages)),
    })
}

fn no_cache(what: &str, given: &str, messages: &mut Messages) -> Refused {
    messages.error(format_args!(
        "Invalid default cache modifier on {what} specified: {given}"
    ));
    messages.aborted();
    Refused
}

/// The text of `--help`.
pub fn help() -> String {
    let mut text = "\nUsage  : ptxas [options] <ptx file>,...\n\nOptions\n=======\n\n".to_owned();
    for flag in FLAGS {
        let value = match flag.takes {
            Takes::Nothing => String::new(),
            Takes::Text => " <text>".to_owned(),
            Takes::List => " <text>,...".to_owned(),
            Takes::Number | Takes::AttachedNumber => " <N>".to_owned(),
            Takes::Boolean => " <true|false>".to_owned(),
            Takes::OneOf(values) => format!(" <{}>", values.join("|")),
        };
        let long = format!("--{}{value}", flag.long);
        text.push_str(&format!(
            "{long:<52}(-{})\n        {}\n\n",
            flag.short, flag.help
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> (Option<Line>, String) {
        let mut messages = Messages::kept();
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let line = Line::read(words, &mut messages).ok();
        (line, messages.text().to_owned())
    }

    #[test]
    fn lines_of_callers() {
        // Triton, clang and nvcc write these.
        let triton = [
            "-lineinfo",
            "-suppress-debug-info",
            "-v",
            "--gpu-name=sm_90a",
            "k.ptx",
            "-o",
            "k.cubin",
        ];
        let clang = [
            "-m64",
            "-O3",
            "--gpu-name",
            "sm_90",
            "--output-file",
            "k.cubin",
            "k.s",
        ];
        let nvcc = [
            "-arch=sm_90",
            "-m64",
            "-maxrregcount=64",
            "k.ptx",
            "-o",
            "k.cubin",
        ];
        for words in [&triton[..], &clang, &nvcc] {
            let (line, said) = read(words);
            let line = line.unwrap_or_else(|| panic!("{words:?}: {said}"));
            assert_eq!((line.output.as_str(), said.as_str()), ("k.cubin", ""));
            assert_eq!(line.inputs.len(), 1);
        }
    }

    #[test]
    fn what_is_refused_is_named() {
        for (words, expected) in [
            (&["-foo"][..], "ptxas fatal   : Unknown option 'foo'\n"),
            (&["--foo=1"], "ptxas fatal   : Unknown option '-foo'\n"),
            (
                &["-arch=sm_33"],
                "ptxas fatal   : Value 'sm_33' is not defined for option 'gpu-name'\n",
            ),
            (
                &["-m32"],
                "ptxas fatal   : Value '32' is not defined for option 'machine'\n",
            ),
            (&["-Oq"], "ptxas fatal   : 'q': expected a number\n"),
            (
                &["-fmad=maybe"],
                "ptxas fatal   : 'maybe': expected true or false\n",
            ),
            (&["-o"], "ptxas fatal   : argument expected after '-o'\n"),
            (
                &["--verbose=true"],
                "ptxas fatal   : no argument expected after '--verbose'\n",
            ),
            (
                &["-optf", "does/not/exist"],
                "ptxas fatal   : Could not open options file 'does/not/exist'\n",
            ),
        ] {
            let (line, said) = read(words);
            assert!(line.is_none(), "{words:?}");
            assert_eq!(said, expected);
        }
    }

    #[test]
    fn levels() {
        let level = |words: &[&str]| read(words).0.map(|line| (line.level, line.inputs.len()));
        assert_eq!(level(&["-O1", "a"]), Some((1, 1)));
        assert_eq!(level(&["-O=1", "a"]), Some((1, 1)));
        assert_eq!(level(&["-O", "a"]), Some((3, 1)));
        assert_eq!(level(&["-O9", "a"]), Some((3, 1)));
        assert_eq!(level(&["--opt-level", "1", "a"]), Some((1, 1)));
    }

    #[test]
    fn words_of_files_keep_what_is_quoted() {
        let words = words_of("-v  -o \"a b\"\n'c'\"d e\" f\\ g \"\"");
        assert_eq!(words, ["-v", "-o", "a b", "'c'd e", "f g", ""]);
    }
}
