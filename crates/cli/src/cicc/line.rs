//! The command line of cicc, read.

use super::flags::{FLAGS, Flag, Means, Takes};
use super::message::Messages;
use warpc::{Mode, ModeError, Product};
use warpc_target::Sm;

/// What is to be printed instead of compiling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Print {
    /// The flags.
    Help,
    /// The version.
    Version,
}

/// The command line.
pub struct Line {
    /// What is to be printed instead.
    pub print: Option<Print>,
    /// The inputs.
    pub inputs: Vec<String>,
    /// What is written.
    pub mode: Mode,
    /// Where it goes.
    pub output: Option<String>,
    /// Where LTO-IR goes.
    pub lto_output: Option<String>,
    /// How code is made.
    pub options: warpc::Options,
    /// The mode that was asked for, by its flag.
    asked: Option<Product>,
    /// Flags that were there, by their first spelling.
    seen: Vec<&'static str>,
    is_split: bool,
}

/// The command line cannot be used: it was said why.
#[derive(Debug)]
pub struct Refused;

type Outcome<T> = Result<T, Refused>;

impl Line {
    /// Reads a command line, and says what is wrong with it.
    pub fn read(words: Vec<String>, messages: &mut Messages) -> Outcome<Line> {
        let mut options = crate::code_options::plain_options();
        options.atomics = warpc::Atomics::Cuda;
        options.fuse_unmarked = true;
        options.demote_shared = true;
        let mut line = Line {
            print: None,
            inputs: Vec::new(),
            mode: Mode::default(),
            output: None,
            lto_output: None,
            options,
            asked: None,
            seen: Vec::new(),
            is_split: false,
        };
        line.words(words, messages)?;
        line.settle(messages)?;
        Ok(line)
    }

    fn words(&mut self, words: Vec<String>, messages: &mut Messages) -> Outcome<()> {
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == "-" || !word.starts_with('-') {
                self.inputs.push(word);
                continue;
            }
            let Some((flag, attached)) = Flag::find(&word) else {
                return refused(messages, format_args!("{word} is an unsupported option"));
            };
            let given = match (flag.takes, attached) {
                (Takes::Nothing, None) => String::new(),
                (Takes::Nothing, Some(_)) => {
                    return refused(messages, format_args!("{word} is an unsupported option"));
                }
                (_, Some(value)) => value.to_owned(),
                (_, None) => match words.next() {
                    Some(value) => value,
                    None => {
                        return refused(messages, format_args!("{word} needs a value"));
                    }
                },
            };
            let fits = match flag.takes {
                Takes::Nothing => true,
                Takes::Text => !given.is_empty(),
                Takes::Number => given.parse::<u32>().is_ok(),
                Takes::Bit => given == "0" || given == "1",
                Takes::OneOf(values) => values.contains(&given.as_str()),
            };
            if !fits {
                let spelled = format!("{}={given}", flag.name);
                return refused(messages, format_args!("{spelled} is an unsupported option"));
            }
            self.apply(flag, given, messages)?;
        }
        Ok(())
    }

    /// Refuses a flag that was there before, in the words of libNVVM.
    fn once(&mut self, flag: &Flag, messages: &mut Messages) -> Outcome<()> {
        let name = flag.first_spelling();
        // A mode may be asked for again, and what has no effect may be said as often as one likes.
        let may_repeat = matches!(
            flag.means,
            Means::Mode
                | Means::Nothing
                | Means::NvvmVersion
                | Means::Help
                | Means::Version
                | Means::Bits64
                | Means::NoWarnings
                | Means::WarningsAreErrors
        );
        if may_repeat {
            return Ok(());
        }
        if self.seen.contains(&name) {
            return refused(messages, format_args!("{name} defined more than once"));
        }
        self.seen.push(name);
        Ok(())
    }

    fn apply(
        &mut self,
        flag: &'static Flag,
        given: String,
        messages: &mut Messages,
    ) -> Outcome<()> {
        if matches!(flag.means, Means::Split | Means::SplitExtended) {
            if std::mem::replace(&mut self.is_split, true) {
                return refused(messages, "split compilation defined more than once");
            }
            self.options.parts = match (flag.means, given.parse()) {
                (Means::Split, Ok(parts)) => parts,
                // One part per function: there are never more.
                (_, Ok(1)) => 1,
                _ => usize::MAX,
            };
            return Ok(());
        }
        self.once(flag, messages)?;
        let on = given == "1";
        match flag.means {
            Means::Target => {
                let number = given.strip_prefix("compute_");
                let sm = number.and_then(|number| format!("sm_{number}").parse::<Sm>().ok());
                if sm.is_none() {
                    return refused(
                        messages,
                        format_args!("-arch={given} is an unsupported option"),
                    );
                }
                self.options.target = sm;
            }
            Means::Output => self.output = Some(given),
            Means::LtoOutput => self.lto_output = Some(given),
            Means::Level => self.options.level = given.parse().unwrap_or(3),
            Means::Ftz => self.options.ftz = Some(on),
            Means::Division => self.options.precise_division = on,
            Means::SquareRoot => self.options.precise_square_root = on,
            Means::Fma => self.options.fmad = on,
            Means::Lines => {
                self.options.lineinfo = true;
                self.mode.debug = true;
            }
            Means::Debug => {
                self.options.lineinfo = true;
                self.options.debug = true;
                self.mode.debug = true;
                if !self.seen.contains(&"-opt") {
                    self.options.level = 0;
                }
            }
            Means::Mode => self.choose(flag, messages)?,
            Means::OptimizedLto => self.mode.optimized_lto = true,
            Means::NvvmVersion => {
                self.options.bitcode.dialect = match given.as_str() {
                    "nvvm-latest" => warpc::BitcodeDialect::Current,
                    "nvvm70" => warpc::BitcodeDialect::Llvm7,
                    _ => {
                        return refused(
                            messages,
                            format_args!(
                                "{given} is an unsupported value for option: -nvvm-version"
                            ),
                        );
                    }
                }
            }
            Means::Libdevice => match warpc::Source::read(&given) {
                Ok(library) => self.options.libdevice = Some(library),
                Err(error) => return refused(messages, format_args!("{}: {error}", flag.name)),
            },
            Means::NoVersionUpgrade => self.options.rules.upgrade_version = false,
            Means::Bits64 => self.mode.bits_64 = true,
            Means::Bits32 => {
                let error = match self.mode.bits_64 {
                    true => ModeError::BothWidths,
                    false => ModeError::Bits32,
                };
                return refused(messages, format_args!("{}: {error}", flag.name));
            }
            Means::Kernels => self.options.lto.kernels = list(&given),
            Means::Variables => self.options.lto.variables = list(&given),
            Means::Demote => self.options.demote_shared = on,
            Means::GenericToNvvm => self.options.generic_to_nvvm = on,
            Means::Atomics => {
                self.options.atomics = match given.as_str() {
                    "written" => warpc::Atomics::Written,
                    _ => warpc::Atomics::Cuda,
                }
            }
            Means::NoWarnings => messages.no_warnings = true,
            Means::WarningsAreErrors => messages.deny_warnings = true,
            Means::Help => self.print = Some(Print::Help),
            Means::Version => self.print = Some(Print::Version),
            Means::Split | Means::SplitExtended | Means::Nothing => {}
        }
        Ok(())
    }

    /// Chooses a mode; two different ones exclude each other.
    fn choose(&mut self, flag: &'static Flag, messages: &mut Messages) -> Outcome<()> {
        let Some(product) = Product::of_flag(flag.name) else {
            return refused(
                messages,
                format_args!("{} is an unsupported option", flag.name),
            );
        };
        match self.asked {
            Some(before) if before != product => refused(
                messages,
                format_args!("{} and {} exclude each other", before.flag(), flag.name),
            ),
            _ => {
                self.asked = Some(product);
                self.mode.product = product;
                Ok(())
            }
        }
    }

    /// What only the whole line can say.
    fn settle(&mut self, messages: &mut Messages) -> Outcome<()> {
        // nvcc asks for LTO-IR beside PTX by its file alone.
        if self.lto_output.is_some() && self.asked.is_none() {
            self.mode.product = Product::LtoAndPtx;
        }
        let product = self.mode.product;
        if self.lto_output.is_some() && !product.has_lto() {
            return refused(
                messages,
                format_args!("-olto and {} exclude each other", product.flag()),
            );
        }
        // One would replace the other.
        if product == Product::LtoAndPtx
            && self.lto_output.is_some()
            && self.lto_output == self.output
        {
            return refused(messages, "-o and -olto name the same file");
        }
        let lists = [
            ("-kernels-used", &self.options.lto.kernels),
            ("-variables-used", &self.options.lto.variables),
        ];
        for (name, list) in lists {
            if !list.is_empty() && !product.is_whole_program() {
                return refused(messages, format_args!("{name} needs -link-lto or -lto"));
            }
        }
        match Mode::from_word(self.mode.word()) {
            Ok(_) => Ok(()),
            Err(error) => refused(messages, error),
        }
    }
}

fn refused<T>(messages: &mut Messages, why: impl std::fmt::Display) -> Outcome<T> {
    messages.option(why);
    Err(Refused)
}

fn list(given: &str) -> Vec<String> {
    given.split(',').map(str::to_owned).collect()
}

/// The text of `--help`.
pub fn help() -> String {
    let mut text =
        "\nUsage  : cicc [options] <file of LLVM IR>...\n\nOptions\n=======\n\n".to_owned();
    for flag in FLAGS {
        let value = match flag.takes {
            Takes::Nothing => String::new(),
            Takes::Text => " <text>".to_owned(),
            Takes::Number => " <N>".to_owned(),
            Takes::Bit => "=<0|1>".to_owned(),
            Takes::OneOf(values) => format!("=<{}>", values.join("|")),
        };
        text.push_str(&format!("{}{value}\n", flag.name));
        if !flag.help.is_empty() {
            text.push_str(&format!("        {}\n\n", flag.help));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> (Option<Line>, String) {
        let mut messages = Messages {
            kept: Some(String::new()),
            ..Messages::default()
        };
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let line = Line::read(words, &mut messages).ok();
        (line, messages.kept.unwrap_or_default())
    }

    #[test]
    fn lines_of_nvcc() {
        let words = "--c++17 --static-host-stub --device-hidden-visibility --gnu_version=120200 --display_error_number \
            --orig_src_file_name t.cu --orig_src_path_name /tmp/t.cu --allow_managed --device-c -arch compute_90 -m64 \
            --no-version-ident -ftz=1 -prec_div=0 -prec_sqrt=1 -fmad=0 --include_file_name t.fatbin.c -generate-line-info \
            -maxreg 32 -split-compile 4 -tused --module_id_file_name t.module_id --gen_c_file_name t.c \
            --stub_file_name t.stub.c --gen_device_file_name t.gpu t.bc --simt-only -o t.ptx -olto t.ltoir";
        let words: Vec<&str> = words.split_whitespace().collect();
        let (line, said) = read(&words);
        let line = line.unwrap_or_else(|| panic!("{said}"));
        assert_eq!(line.inputs, ["t.bc"]);
        assert_eq!(line.mode.word(), 0x137);
        assert_eq!(line.output.as_deref(), Some("t.ptx"));
        assert_eq!(line.lto_output.as_deref(), Some("t.ltoir"));
        let options = &line.options;
        assert_eq!((options.ftz, options.parts), (Some(true), 4));
        assert!(!options.precise_division && options.precise_square_root && !options.fmad);
    }

    #[test]
    fn wrong_lines_have_libnvvm_s_errors() {
        for (words, expected) in [
            (&["-foo"][..], "-foo is an unsupported option"),
            (&["-lnk"], "-lnk is an unsupported option"),
            (&["-arch=sm_90"], "-arch=sm_90 is an unsupported option"),
            (
                &["-arch", "compute_33"],
                "-arch=compute_33 is an unsupported option",
            ),
            (&["-opt=4"], "-opt=4 is an unsupported option"),
            (&["-O9"], "-O=9 is an unsupported option"),
            (&["-ftz=2"], "-ftz=2 is an unsupported option"),
            (&["-prec-div=x"], "-prec-div=x is an unsupported option"),
            (&["-g=1"], "-g=1 is an unsupported option"),
            (&["-o"], "-o needs a value"),
            (
                &["-nvvm-version=7"],
                "7 is an unsupported value for option: -nvvm-version",
            ),
            (
                &["-split-compile=2", "-split-compile=2"],
                "split compilation defined more than once",
            ),
            (
                &["-split-compile=2", "-split-compile-extended=3"],
                "split compilation defined more than once",
            ),
            (
                &["-split-compile=x"],
                "-split-compile=x is an unsupported option",
            ),
            (&["-ftz=1", "-ftz=0"], "-ftz defined more than once"),
            (&["-fma=1", "-fmad=1"], "-fma defined more than once"),
            (&["-opt=3", "-O3"], "-opt defined more than once"),
            (&["-g", "-g"], "-g defined more than once"),
            (
                &["-arch=compute_90", "-arch=compute_90"],
                "-arch defined more than once",
            ),
            (
                &["-gen-lto", "-link-lto"],
                "-gen-lto and -link-lto exclude each other",
            ),
            (
                &["-lto", "-gen-lto"],
                "-lto and -gen-lto exclude each other",
            ),
            (
                &["--emit-optix-ir", "-gen-lto"],
                "--emit-optix-ir and -gen-lto exclude each other",
            ),
            (
                &["--emit-llvm-bc", "-link-lto"],
                "--emit-llvm-bc and -link-lto exclude each other",
            ),
            (
                &["-link-lto", "-olto", "a"],
                "-olto and -link-lto exclude each other",
            ),
            (
                &["-gen-lto-and-llc", "-o", "a", "-olto", "a"],
                "-o and -olto name the same file",
            ),
            (
                &["-gen-opt-lto"],
                "gen-opt-lto needs LTO-IR, which PTX does not write",
            ),
            (
                &["-kernels-used=k"],
                "-kernels-used needs -link-lto or -lto",
            ),
            (
                &["-nvvm-32"],
                "-nvvm-32: nvvm-32 is not supported: GPUs have 64-bit addresses",
            ),
            (
                &["-m64", "-m32"],
                "-m32: nvvm-32 and nvvm-64 exclude each other",
            ),
        ] {
            let (line, said) = read(words);
            assert!(line.is_none(), "{words:?}");
            assert_eq!(said, format!("libnvvm : error: {expected}\n"));
        }
    }

    #[test]
    fn modes_have_the_words_of_the_reference() {
        for (words, word) in [
            (&[][..], 0x07),
            (&["-gen-lto"], 0x21),
            (&["-gen-lto", "-gen-lto", "-nvvm-64"], 0x121),
            (&["-gen-lto", "-gen-opt-lto"], 0xa1),
            (&["-gen-lto-and-llc"], 0x27),
            (&["-olto", "x"], 0x27),
            (&["-link-lto", "-g"], 0x36),
            (&["-lto"], 0x23),
            (&["--emit-optix-ir"], 0x43),
        ] {
            let (line, said) = read(words);
            let line = line.unwrap_or_else(|| panic!("{said}"));
            assert_eq!(line.mode.word(), word, "{words:?}");
        }
    }
}
