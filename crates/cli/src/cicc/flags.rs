//! The flags of cicc that concern LLVM IR: their names, what follows them, and what they do here.
//!
//! cicc has names of one and of two dashes; each is written as it is here. A value follows after `=` or, where nvcc writes
//! it so, as the next word: `-arch compute_90`, `-arch=compute_90`.

/// What follows a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Any text.
    Text,
    /// A number.
    Number,
    /// `0` or `1`.
    Bit,
    /// One of these.
    OneOf(&'static [&'static str]),
}

/// What a flag means to this compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// `-arch`
    Target,
    /// `-o`
    Output,
    /// `-olto`
    LtoOutput,
    /// `-opt`, `-O`
    Level,
    /// `-ftz`
    Ftz,
    /// `-prec-div`
    Division,
    /// `-prec-sqrt`
    SquareRoot,
    /// `-fma`
    Fma,
    /// `-generate-line-info`
    Lines,
    /// `-g`
    Debug,
    /// A mode: the flag's name says which.
    Mode,
    /// `-gen-opt-lto`
    OptimizedLto,
    /// `-split-compile`
    Split,
    /// `-split-compile-extended`
    SplitExtended,
    /// `-nvvm-version`
    NvvmVersion,
    /// `-nvvmir-library`
    Libdevice,
    /// `-disable-bitcode-version-upgrade`
    NoVersionUpgrade,
    /// `-nvvm-64`, `-m64`
    Bits64,
    /// `-nvvm-32`, `-m32`
    Bits32,
    /// `-kernels-used`
    Kernels,
    /// `-variables-used`
    Variables,
    /// `-demote-shared`
    Demote,
    /// `-generic-to-nvvm`
    GenericToNvvm,
    /// `-atomics`
    Atomics,
    /// `-w`
    NoWarnings,
    /// `-Werror`
    WarningsAreErrors,
    /// `--help`
    Help,
    /// `--version`
    Version,
    /// Nothing: what it asks for holds in any case, or concerns only C++.
    Nothing,
}

/// A flag.
pub struct Flag {
    /// Its name, with its dashes.
    pub name: &'static str,
    /// What follows it.
    pub takes: Takes,
    /// What it means.
    pub means: Means,
    /// What `--help` says of it; empty for another spelling of the flag before.
    pub help: &'static str,
}

const fn flag(name: &'static str, takes: Takes, means: Means, help: &'static str) -> Flag {
    Flag {
        name,
        takes,
        means,
        help,
    }
}

use Means as M;
use Takes as T;

const CXX: &str = "No effect: for the front end of C++.";

/// All of them.
#[rustfmt::skip]
pub static FLAGS: &[Flag] = &[
    flag("-arch", T::Text, M::Target, "The chip, as compute_90."),
    flag("--nv_arch", T::Text, M::Target, ""),
    flag("-o", T::Text, M::Output, "Where the output goes; without it beside the input, with the ending of its kind."),
    flag("-olto", T::Text, M::LtoOutput, "Where LTO-IR goes; PTX is written as well unless -gen-lto is given."),
    flag("-opt", T::OneOf(&["0", "1", "2", "3"]), M::Level, "The level of optimisation, 0 to 3; 3 without it."),
    flag("-O", T::OneOf(&["0", "1", "2", "3"]), M::Level, ""),
    flag("-ftz", T::Bit, M::Ftz, "Whether single-precision denormals are flushed to zero."),
    flag("-prec-div", T::Bit, M::Division, "Whether single-precision quotients are rounded to the nearest."),
    flag("-prec_div", T::Bit, M::Division, ""),
    flag("-prec-sqrt", T::Bit, M::SquareRoot, "Whether single-precision square roots are rounded to the nearest."),
    flag("-prec_sqrt", T::Bit, M::SquareRoot, ""),
    flag("-fma", T::Bit, M::Fma, "Whether products and sums may become one operation."),
    flag("-fmad", T::Bit, M::Fma, ""),
    flag("-generate-line-info", T::Nothing, M::Lines, "Write which line of the source an instruction comes from."),
    flag("-g", T::Nothing, M::Debug, "Full debug information where the module has it, and the code of -opt=0."),
    flag("--emit-llvm-bc", T::Nothing, M::Mode, "Write LLVM bitcode."),
    flag("--emit-optix-ir", T::Nothing, M::Mode, "Write OptiX IR."),
    flag("-gen-lto", T::Nothing, M::Mode, "Write LTO-IR, to be linked later."),
    flag("-gen-lto-and-llc", T::Nothing, M::Mode, "Write LTO-IR (-olto), and PTX beside it (-o)."),
    flag("-gen-opt-lto", T::Nothing, M::OptimizedLto, "Optimise LTO-IR before it is written."),
    flag("-link-lto", T::Nothing, M::Mode, "Link LTO-IR into a whole program, as PTX."),
    flag("-lto", T::Nothing, M::Mode, "The same from any modules, in one run."),
    flag("-kernels-used", T::Text, M::Kernels, "With -link-lto and -lto: the kernels that are launched, with commas; all without it."),
    flag("-variables-used", T::Text, M::Variables, "With -link-lto and -lto: the variables that the host looks up, with commas; all without it."),
    flag("-split-compile", T::Number, M::Split, "In how many parts functions are compiled at the same time; 0 for one per processor. The output is the same."),
    flag("-split-compile-extended", T::Number, M::SplitExtended, "The same with one part per function, on that many threads at most."),
    flag("-nvvm-version", T::Text, M::NvvmVersion, "The dialect of inputs: nvvm-latest or nvvm70. Both are read in any case."),
    flag("-nvvmir-library", T::Text, M::Libdevice, "CUDA's library of mathematical functions, libdevice.10.bc: what the inputs call of it is linked."),
    flag("--libdevice", T::Text, M::Libdevice, ""),
    flag("-disable-bitcode-version-upgrade", T::Nothing, M::NoVersionUpgrade, "Refuse modules of older versions of NVVM IR; without it they are upgraded."),
    flag("-nvvm-64", T::Nothing, M::Bits64, "64-bit addresses: there are no others."),
    flag("-m64", T::Nothing, M::Bits64, ""),
    flag("-nvvm-32", T::Nothing, M::Bits32, "Not supported."),
    flag("-m32", T::Nothing, M::Bits32, ""),
    flag("-atomics", T::OneOf(&["written", "cuda"]), M::Atomics, "What sequentially consistent atomics at system scope mean: what they say, or CUDA's. cuda without it."),
    flag("-demote-shared", T::Bit, M::Demote, "Whether internal variables in shared memory that one function alone uses are declared inside of it; 1 without it."),
    flag("-generic-to-nvvm", T::Bit, M::GenericToNvvm, "Whether variables in generic memory are moved to global memory in the IR; 1 without it."),
    flag("-w", T::Nothing, M::NoWarnings, "Print no warnings."),
    flag("-Werror", T::Nothing, M::WarningsAreErrors, "Warnings are errors."),
    flag("--help", T::Nothing, M::Help, "Print this."),
    flag("-h", T::Nothing, M::Help, ""),
    flag("--version", T::Nothing, M::Version, "Print the version."),
    flag("-V", T::Nothing, M::Version, ""),
    flag("--Ofast-compile", T::OneOf(&["0", "min", "mid", "max"]), M::Nothing, "No effect: compiling is fast at every level."),
    flag("-Ofast-compile", T::OneOf(&["0", "min", "mid", "max"]), M::Nothing, ""),
    flag("-maxreg", T::Number, M::Nothing, "No effect on PTX: the assembler counts registers."),
    flag("-fast-math", T::Nothing, M::Nothing, "No effect: the flags of the module's instructions decide."),
    flag("-jump-table-density", T::Number, M::Nothing, "No effect: switches have one form."),
    flag("-discard-value-names", T::Bit, M::Nothing, "No effect: PTX has no names of values."),
    flag("-opt-fdiv", T::Bit, M::Nothing, "No effect: -prec-div decides."),
    flag("-jobserver", T::Nothing, M::Nothing, "No effect: threads are those of -split-compile."),
    flag("-tused", T::Nothing, M::Nothing, "No effect: the triple of the module decides."),
    flag("--simt-only", T::Nothing, M::Nothing, "No effect: there is only SIMT code."),
    flag("--no-version-ident", T::Nothing, M::Nothing, "No effect: outputs do not name their compiler."),
    flag("--device-c", T::Nothing, M::Nothing, "No effect: what a module shows stays visible unless it is a whole program."),
    flag("--debug_mode", T::Nothing, M::Nothing, CXX),
    flag("--gen_div_approx_ftz", T::Nothing, M::Nothing, CXX),
    flag("--allow_managed", T::Nothing, M::Nothing, CXX),
    flag("--static-host-stub", T::Nothing, M::Nothing, CXX),
    flag("--device-hidden-visibility", T::Nothing, M::Nothing, CXX),
    flag("--display_error_number", T::Nothing, M::Nothing, CXX),
    flag("--c++11", T::Nothing, M::Nothing, CXX),
    flag("--c++14", T::Nothing, M::Nothing, CXX),
    flag("--c++17", T::Nothing, M::Nothing, CXX),
    flag("--c++20", T::Nothing, M::Nothing, CXX),
    flag("--gnu_version", T::Number, M::Nothing, CXX),
    flag("--orig_src_file_name", T::Text, M::Nothing, CXX),
    flag("--orig_src_path_name", T::Text, M::Nothing, CXX),
    flag("--include_file_name", T::Text, M::Nothing, CXX),
    flag("--gen_module_id_file", T::Nothing, M::Nothing, CXX),
    flag("--module_id_file_name", T::Text, M::Nothing, CXX),
    flag("--gen_c_file_name", T::Text, M::Nothing, CXX),
    flag("--stub_file_name", T::Text, M::Nothing, CXX),
    flag("--gen_device_file_name", T::Text, M::Nothing, CXX),
];

impl Flag {
    /// The flag that an argument names, and what is attached to it.
    pub fn find(text: &str) -> Option<(&'static Flag, Option<&str>)> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Some(flag) = FLAGS.iter().find(|flag| flag.name == name) {
            return Some((flag, value));
        }
        // `-O3`
        let level = text.strip_prefix("-O").filter(|level| level.len() == 1)?;
        let flag = FLAGS.iter().find(|flag| flag.name == "-O")?;
        Some((flag, Some(level)))
    }

    /// The name that all spellings of a flag share.
    pub fn first_spelling(&self) -> &'static str {
        let of_means = |flag: &&Flag| flag.means == self.means && !flag.help.is_empty();
        match self.means {
            M::Mode | M::Nothing => self.name,
            _ => FLAGS
                .iter()
                .find(of_means)
                .map_or(self.name, |flag| flag.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different_and_modes_are_known() {
        let mut names: Vec<_> = FLAGS.iter().map(|flag| flag.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FLAGS.len());
        for flag in FLAGS.iter().filter(|flag| flag.means == M::Mode) {
            assert!(
                warpc::Product::of_flag(flag.name).is_some(),
                "{}",
                flag.name
            );
        }
        for product in warpc::Product::all().skip(1) {
            assert!(Flag::find(product.flag()).is_some(), "{product:?}");
        }
    }

    /// `docs/cicc.md` names every flag.
    #[test]
    fn the_page_names_every_flag() {
        let page = include_str!("../../../../docs/cicc.md");
        for flag in FLAGS {
            let name = format!("`{}`", flag.name);
            assert!(page.contains(&name), "docs/cicc.md lacks {name}");
        }
    }

    #[test]
    fn values_are_attached_or_follow() {
        let means = |text| Flag::find(text).map(|(flag, value)| (flag.means, value));
        assert_eq!(means("-arch"), Some((M::Target, None)));
        assert_eq!(
            means("-arch=compute_90"),
            Some((M::Target, Some("compute_90")))
        );
        assert_eq!(means("-O3"), Some((M::Level, Some("3"))));
        assert_eq!(means("-Og"), Some((M::Level, Some("g"))));
        assert_eq!(means("--arch"), None);
        assert_eq!(means("-unknown"), None);
        let of = |text| Flag::find(text).map(|(flag, _)| flag.first_spelling());
        assert_eq!(of("-fmad=1"), Some("-fma"));
        assert_eq!(of("-O3"), Some("-opt"));
        assert_eq!(of("-lto"), Some("-lto"));
    }
}
