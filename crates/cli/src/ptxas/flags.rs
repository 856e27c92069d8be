//! The flags of ptxas: their names, what follows them, and what they do here.
//!
//! A flag has a name after two dashes and a short one after one: `--gpu-name sm_90`, `-arch=sm_90`. The short names of one
//! letter that take numbers have them right after the letter, too: `-O3`, `-m64`.

/// What follows a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Any text.
    Text,
    /// Texts with commas between them; further uses add to it.
    List,
    /// A number.
    Number,
    /// A number that may be missing: only what is attached belongs to it.
    AttachedNumber,
    /// `true` or `false`.
    Boolean,
    /// One of these.
    OneOf(&'static [&'static str]),
}

/// What a flag means to this assembler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// `--gpu-name`
    Target,
    /// `--output-file`
    Output,
    /// `--opt-level`
    Level,
    /// `--verbose`, `--verbose2`
    Verbose,
    /// `--version`
    Version,
    /// `--help`
    Help,
    /// `--list-arch`
    ListTargets,
    /// `--list-version`
    ListVersions,
    /// `--options-file`
    OptionsFile,
    /// `--input-as-string`
    Text,
    /// `--entry`
    Entries,
    /// `--generate-line-info`
    Lines,
    /// `--suppress-debug-info`
    NoLines,
    /// `--device-debug`
    Debug,
    /// `--maxrregcount`
    Registers,
    /// `--device-function-maxrregcount`
    FunctionRegisters,
    /// `--register-usage-level`
    UsageLevel,
    /// `--maxntid`
    Threads,
    /// `--minnctapersm`
    Blocks,
    /// `--override-directive-values`
    Override,
    /// `--def-load-cache`
    LoadCache,
    /// `--def-store-cache`
    StoreCache,
    /// `--force-load-cache`
    ForcedLoadCache,
    /// `--force-store-cache`
    ForcedStoreCache,
    /// `--disable-warnings`
    NoWarnings,
    /// `--warning-as-error`
    WarningsAreErrors,
    /// `--warn-on-spills`
    WarnSpills,
    /// `--warn-on-local-memory-usage`
    WarnLocal,
    /// `--compile-only`
    Relocatable,
    /// `--fmad`
    Contract,
    /// `--make-errors-visible-at-exit`
    ErrorsAtExit,
    /// `--assume-extern-functions-do-not-sync`
    ExternDoNotSync,
    /// `--no-membermask-overlap`
    NoOverlap,
    /// `--print-potentially-overlapping-membermasks`
    PrintOverlap,
    /// Nothing: what it asks for holds in any case, or changes no result.
    Nothing,
    /// It asks for what is not supported.
    Refused(&'static str),
}

/// A flag.
pub struct Flag {
    /// Its name, after two dashes.
    pub long: &'static str,
    /// Its short name, after one.
    pub short: &'static str,
    /// What follows it.
    pub takes: Takes,
    /// What it means.
    pub means: Means,
    /// What `--help` says of it.
    pub help: &'static str,
}

const fn flag(
    long: &'static str,
    short: &'static str,
    takes: Takes,
    means: Means,
    help: &'static str,
) -> Flag {
    Flag {
        long,
        short,
        takes,
        means,
        help,
    }
}

use Means as M;
use Takes as T;

/// All of them, by name.
#[rustfmt::skip]
pub static FLAGS: &[Flag] = &[
    flag("Ofast-compile", "Ofc", T::OneOf(&["0", "min", "mid", "max"]), M::Nothing, "No effect: assembling is fast at every level."),
    flag("allow-expensive-optimizations", "allow-expensive-optimizations", T::Boolean, M::Nothing, "No effect: `-O` alone decides."),
    flag("apply-controls", "apply-controls", T::Text, M::Refused("files of compiler controls"), "Not supported."),
    flag("assume-extern-functions-do-not-sync", "assume-extern-functions-do-not-sync", T::Boolean, M::ExternDoNotSync, "Promise that functions that are not in the module meet nobody at barriers of the block."),
    flag("compile-as-tools-patch", "astoolspatch", T::Nothing, M::Refused("code for tools that patch programs"), "Not supported."),
    flag("compile-only", "c", T::Nothing, M::Relocatable, "Write a relocatable object, for a linker."),
    flag("compiler-annotations", "annotate", T::Nothing, M::Nothing, "No effect: there are no annotations."),
    flag("def-load-cache", "dlcm", T::Text, M::LoadCache, "The cache operator of loads from global memory that name none: ca, cg, cs, lu or cv."),
    flag("def-store-cache", "dscm", T::Text, M::StoreCache, "The cache operator of stores to global memory that name none: wb, cg, cs or wt."),
    flag("device-debug", "g", T::Nothing, M::Debug, "Assemble as with -O0. Debug information is not written."),
    flag("device-function-maxrregcount", "func-maxrregcount", T::Text, M::FunctionRegisters, "With -c the most registers of a function that is not a kernel: a number, archmin or archmax."),
    flag("device-stack-protector", "device-stack-protector", T::Boolean, M::Nothing, "No effect: there are no canaries."),
    flag("disable-optimizer-constants", "disable-optimizer-consts", T::Nothing, M::Nothing, "No effect: there is no such bank."),
    flag("disable-warnings", "w", T::Nothing, M::NoWarnings, "Print no warnings."),
    flag("dont-merge-basicblocks", "no-bb-merge", T::Nothing, M::Nothing, "No effect: -O0 merges none."),
    flag("enable-func-clone-sc", "enable-func-clone-sc", T::Boolean, M::Nothing, "No effect: functions are not cloned."),
    flag("entry", "e", T::List, M::Entries, "Assemble only these kernels."),
    flag("extensible-whole-program", "ewp", T::Nothing, M::Refused("programs that are extended later"), "Not supported."),
    flag("fmad", "fmad", T::Boolean, M::Contract, "Products and sums that do not name their rounding become one instruction from -O1 on; true without it."),
    flag("force-load-cache", "flcm", T::Text, M::ForcedLoadCache, "The cache operator of all weak loads from global memory."),
    flag("force-store-cache", "fscm", T::Text, M::ForcedStoreCache, "The cache operator of all weak stores to global memory."),
    flag("g-tensor-memory-access-check", "g-tmem-access-check", T::Nothing, M::Nothing, "No effect: there are no such checks."),
    flag("generate-line-info", "lineinfo", T::Nothing, M::Lines, "Write which instruction belongs to which line."),
    flag("gno-tensor-memory-access-check", "gno-tmem-access-check", T::Nothing, M::Nothing, "No effect: there are no such checks."),
    flag("gpu-name", "arch", T::Text, M::Target, "The chip, as sm_90; sm_75 without it. With compute_90 the input is checked, and nothing is written."),
    flag("help", "h", T::Nothing, M::Help, "Print this."),
    flag("input-as-string", "ias", T::Text, M::Text, "PTX itself instead of a file."),
    flag("jobserver", "jobserver", T::Nothing, M::Nothing, "No effect: one thread assembles."),
    flag("legacy-bar-warp-wide-behavior", "legacy-bar-warp-wide-behavior", T::Nothing, M::Nothing, "No effect from sm_70 on."),
    flag("list-arch", "arch-ls", T::Nothing, M::ListTargets, "Print the numbers of the chips that code is made for."),
    flag("list-version", "version-ls", T::Nothing, M::ListVersions, "Print the versions of PTX."),
    flag("machine", "m", T::OneOf(&["64"]), M::Nothing, "The bits of the host's addresses: 64."),
    flag("make-errors-visible-at-exit", "make-errors-visible-at-exit", T::Nothing, M::ErrorsAtExit, "Threads wait for errors of memory before they end."),
    flag("maxntid", "maxntid", T::List, M::Threads, "The most threads of a block, for kernels that do not say."),
    flag("maxrregcount", "maxrregcount", T::Text, M::Registers, "The most registers of a thread, for kernels that do not say: a number, archmin or archmax."),
    flag("minnctapersm", "minnctapersm", T::Number, M::Blocks, "The least blocks on a multiprocessor at a time, for kernels that do not say."),
    flag("no-membermask-overlap", "no-membermask-overlap", T::Boolean, M::NoOverlap, "Promise that collectives of a warp never have different member masks with lanes in common."),
    flag("opt-level", "O", T::AttachedNumber, M::Level, "The level of optimisation, 0 to 3; 3 without it."),
    flag("optimize-float-atomics", "opt-fp-atomics", T::Nothing, M::Nothing, "No effect: floating-point atomics are not reordered."),
    flag("options-file", "optf", T::List, M::OptionsFile, "Read more of the command line from these files."),
    flag("output-file", "o", T::Text, M::Output, "Where the cubin goes; elf.o without it."),
    flag("override-directive-values", "override-directive-values", T::Nothing, M::Override, "-maxrregcount, -maxntid and -minnctapersm come before what a kernel says."),
    flag("position-independent-code", "pic", T::Boolean, M::Nothing, "No effect: code is always independent of its place."),
    flag("preserve-relocs", "preserve-relocs", T::Nothing, M::Refused("relocations in finished programs"), "Not supported."),
    flag("print-potentially-overlapping-membermasks", "print-potentially-overlapping-membermasks", T::Nothing, M::PrintOverlap, "Say where collectives of a warp may have different member masks with lanes in common."),
    flag("regAllocOptLevel", "regAllocOptLevel", T::Number, M::Nothing, "No effect: there is one way of assigning registers."),
    flag("register-usage-level", "regUsageLevel", T::Number, M::UsageLevel, "No effect: there is one way of assigning registers."),
    flag("return-at-end", "ret-end", T::Nothing, M::Nothing, "No effect: the last return stays."),
    flag("sanitize", "sanitize", T::OneOf(&["memcheck", "threadsteer"]), M::Refused("instrumented code (`warpc run` finds such faults on the emulator)"), "Not supported."),
    flag("sp-bounds-check", "sp-bounds-check", T::Nothing, M::Nothing, "No effect: the stack is not checked."),
    flag("split-compile", "split-compile", T::Number, M::Nothing, "No effect: one thread assembles."),
    flag("suppress-async-bulk-multicast-advisory-warning", "suppress-async-bulk-multicast-advisory-warning", T::Nothing, M::Nothing, "No effect: there is no such warning."),
    flag("suppress-debug-info", "suppress-debug-info", T::Nothing, M::NoLines, "Write no lines, whatever -lineinfo says."),
    flag("suppress-double-demote-warning", "suppress-double-demote-warning", T::Nothing, M::Nothing, "No effect: there is no such warning."),
    flag("suppress-sparse-mma-advisory-info", "suppress-sparse-mma-advisory-info", T::Nothing, M::Nothing, "No effect: there is no such advice."),
    flag("suppress-stack-size-warning", "suppress-stack-size-warning", T::Nothing, M::Nothing, "No effect: there is no such warning."),
    flag("verbose", "v", T::Nothing, M::Verbose, "Print what each kernel uses."),
    flag("verbose2", "v2", T::Nothing, M::Verbose, "The same."),
    flag("version", "V", T::Nothing, M::Version, "Print the version."),
    flag("warn-on-double-precision-use", "warn-double-usage", T::Nothing, M::Nothing, "No effect: every chip here has double precision."),
    flag("warn-on-local-memory-usage", "warn-lmem-usage", T::Nothing, M::WarnLocal, "Warn of kernels that use local memory."),
    flag("warn-on-spills", "warn-spills", T::Nothing, M::WarnSpills, "Warn of kernels whose values do not all have registers."),
    flag("warning-as-error", "Werror", T::Nothing, M::WarningsAreErrors, "Warnings are errors."),
];

impl Flag {
    /// The flag that an argument without its first dash names, and what is attached to it.
    pub fn find(text: &str) -> Option<(&'static Flag, Option<&str>)> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let named = |flag: &&Flag| match name.strip_prefix('-') {
            Some(long) => flag.long == long,
            None => flag.short == name,
        };
        if let Some(flag) = FLAGS.iter().find(named) {
            return Some((flag, value));
        }
        // `-O3`, `-m64`
        let attached = |flag: &&Flag| {
            let takes_more = matches!(flag.takes, T::AttachedNumber | T::OneOf(_));
            flag.short.len() == 1 && takes_more && text.starts_with(flag.short)
        };
        let flag = FLAGS.iter().find(attached)?;
        Some((flag, text.get(1..)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_different() {
        let mut names: Vec<_> = FLAGS.iter().map(|flag| flag.long).collect();
        names.sort_unstable_by_key(|name| name.to_lowercase());
        names.dedup();
        assert_eq!(names.len(), FLAGS.len());
        let mut shorts: Vec<_> = FLAGS.iter().map(|flag| flag.short).collect();
        shorts.sort_unstable();
        shorts.dedup();
        assert_eq!(shorts.len(), FLAGS.len());
    }

    /// `docs/ptxas.md` names every flag.
    #[test]
    fn the_page_names_every_flag() {
        let page = include_str!("../../../../docs/ptxas.md");
        for flag in FLAGS {
            let name = format!("`--{}`", flag.long);
            assert!(page.contains(&name), "docs/ptxas.md lacks {name}");
        }
    }

    #[test]
    fn long_names_have_two_dashes_and_short_ones_one() {
        let means = |text| Flag::find(text).map(|(flag, value)| (flag.means, value));
        assert_eq!(means("-gpu-name=sm_90"), Some((M::Target, Some("sm_90"))));
        assert_eq!(means("arch"), Some((M::Target, None)));
        assert_eq!(means("gpu-name"), None);
        assert_eq!(means("-arch"), None);
        assert_eq!(means("O3"), Some((M::Level, Some("3"))));
        assert_eq!(means("m64"), Some((M::Nothing, Some("64"))));
        assert_eq!(means("ofile"), None);
        assert_eq!(means("vv"), None);
    }
}
