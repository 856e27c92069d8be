//! Options by name and as text, for doors to other languages: the C API and the Python package.
//!
//! [`SETTINGS`] is one row per option: its name, its values, what it does, how it is set. Names are those of the flags of
//! the command where it has the flag.

use crate::{Atomics, MemoryModel, Options, Place, Races};
use std::fmt;
use std::str::FromStr;
use warpc_target::Sm;

/// An option that can be set by name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// The name: `ptx-version`.
    pub name: &'static str,
    /// The values, as help texts name them: `on|off`.
    pub values: &'static str,
    /// What it does.
    pub help: &'static str,
    set: fn(&mut Options, &str) -> Result<(), String>,
}

/// Why an option could not be set.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadSetting {
    /// There is no such option.
    Unknown {
        /// What was given.
        name: String,
        /// A name that is nearly the same.
        near: Option<&'static str>,
    },
    /// The option does not have this value.
    Value {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        reason: String,
    },
}

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadSetting::Unknown { name, near } => {
                write!(f, "there is no option `{name}`")?;
                match near {
                    Some(near) => write!(f, "; did you mean `{near}`?"),
                    None => Ok(()),
                }
            }
            BadSetting::Value {
                name,
                value,
                reason,
            } => write!(
                f,
                "`{value}` is not a value of the option `{name}`: {reason}"
            ),
        }
    }
}

impl std::error::Error for BadSetting {}

/// A row.
const fn row(
    name: &'static str,
    values: &'static str,
    help: &'static str,
    set: fn(&mut Options, &str) -> Result<(), String>,
) -> Setting {
    Setting {
        name,
        values,
        help,
        set,
    }
}

/// Every option that can be set by name.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    row("arch", "sm_90|compute_90|…", "the chip; without it the one that the module names, else sm_75",
        |options, value| chip(value).map(|chip| options.target = Some(chip))),
    row("opt", "0|1|2|3|4", "the level of optimisation; 3 by default; 4 is 3 with `tune`",
        |options, value| level(value).map(|level| { options.level = level.min(3); options.assembler.tune |= level > 3; })),
    row("ptx-version", "8.5|…", "the version of PTX; without it the lowest that has everything the module uses",
        |options, value| parsed(value).map(|version| options.ptx_version = Some(version))),
    row("lineinfo", "on|off", "emit the source lines of instructions",
        |options, value| switch(value).map(|on| options.lineinfo = on)),
    row("debug", "on|off", "describe variables, types and scopes for debuggers in PTX; lines, too",
        |options, value| switch(value).map(|on| options.debug = on)),
    row("fmad", "on|off", "products and sums marked `contract` may become one operation; on by default",
        |options, value| switch(value).map(|on| options.fmad = on)),
    row("ftz", "on|off", "flush single-precision denormals to zero, whatever the module specifies",
        |options, value| switch(value).map(|on| options.ftz = Some(on))),
    row("atomics", "written|cuda", "what sequentially consistent atomics at system scope mean; written by default",
        |options, value| atomics(value).map(|atomics| options.atomics = atomics)),
    row("no-membermask-overlap", "on|off", "promise that member masks of collectives that differ have no lane in common",
        |options, value| switch(value).map(|on| options.member_masks.no_overlap = on)),
    row("print-potentially-overlapping-membermasks", "on|off", "warn where member masks of collectives may overlap",
        |options, value| switch(value).map(|on| options.member_masks.print = on)),
    row("check-nvvm-version", "on|off", "check `nvvmir.version` of modules; on by default",
        |options, value| switch(value).map(|on| options.rules.check_version = on)),
    row("upgrade-nvvm-version", "on|off", "take older versions of NVVM IR, which are upgraded; on by default",
        |options, value| switch(value).map(|on| options.rules.upgrade_version = on)),
    row("bitcode", "current|7", "emit: the LLVM that bitcode is for; 7 has typed pointers; current by default",
        |options, value| value.parse().map(|dialect| options.bitcode.dialect = dialect)),
    row("bitcode-producer", "VERSION", "emit: the version that bitcode names as its producer's, after \"LLVM\"",
        |options, value| { options.bitcode.producer = Some(value.to_owned()); Ok(()) }),
    row("only-needed", "on|off", "link: take from the second and further modules only what is needed",
        |options, value| switch(value).map(|on| options.link.only_needed = on)),
    row("internalize", "on|off", "link: make internal what the second and further modules define",
        |options, value| switch(value).map(|on| options.link.internalize_added = on)),
    row("keep", "NAME,…", "link: make internal all definitions except these, and drop what nothing needs",
        |options, value| { options.link.keep = names(value); Ok(()) }),
    row("lowest-version", "on|off", "format: lower `.version` to the oldest that has everything the module uses",
        |options, value| switch(value).map(|on| options.format.lowest_version = on)),
    row("serial", "on|off", "assemble: issue one instruction at a time",
        |options, value| switch(value).map(|on| options.assembler.serial = on)),
    row("spill", "on|off", "assemble: keep nearly everything in local memory",
        |options, value| switch(value).map(|on| options.assembler.spill = on)),
    row("tune", "on|off", "assemble: make several versions of each kernel, and take the one that the cost model finds fastest",
        |options, value| switch(value).map(|on| options.assembler.tune = on)),
    row("verify", "on|off", "assemble: have the machine code judged",
        |options, value| switch(value).map(|on| options.assembler.verify = on)),
    row("entries", "NAME,…", "assemble: only these kernels, and what they call",
        |options, value| { options.assembler.entries = names(value); Ok(()) }),
    #[cfg(feature = "sass")]
    row("maxrregcount", "N", "assemble: the most registers of a thread, for kernels that do not specify it",
        |options, value| parsed(value).map(|count| options.assembler.bounds.registers = Some(count))),
    #[cfg(feature = "sass")]
    row("knob", "NAME=VALUE", "assemble: set a knob of synchronisation; may be set several times",
        |options, value| options.assembler.knobs.set(value).map_err(|bad| bad.to_string())),
    #[cfg(feature = "sass")]
    row("without-pass", "NAME", "assemble: leave out a pass that only makes code better; may be set several times",
        |options, value| options.assembler.passes.leave_out(value).map_err(|bad| bad.to_string())),
    #[cfg(feature = "sass")]
    row("only-pass", "NAME", "assemble: of the passes that may be left out, run only this one, and others that are set so",
        |options, value| options.assembler.passes.run_only(value).map_err(|bad| bad.to_string())),
    row("reassemblable", "on|off", "disassemble: write a text that assembles to the same cubin",
        |options, value| switch(value).map(|on| options.listing.reassemblable = on)),
    row("words", "on|off", "disassemble: print the words next to the instructions",
        |options, value| switch(value).map(|on| options.listing.words = on)),
    row("function", "NAME", "disassemble: list only this function",
        |options, value| { options.listing.function = Some(value.to_owned()); Ok(()) }),
    row("on", "sim|gpu", "run: where; sim, the emulator, by default",
        |options, value| place(value).map(|place| options.run.place = place)),
    row("seed", "N", "run: which interleaving of threads; 0 by default",
        |options, value| parsed(value).map(|seed| options.run.seed = seed)),
    row("jobs", "N", "run: host threads; 0, as many as make sense, by default",
        |options, value| parsed(value).map(|jobs| options.run.jobs = jobs)),
    row("limit", "N", "run: thread instructions after which a run is stopped with an error",
        |options, value| parsed(value).map(|limit| options.run.limit = Some(limit))),
    row("races", "auto|off|shared|all", "run: which races are looked for; auto, all in small launches, by default",
        |options, value| races(value).map(|races| options.run.races = races)),
    row("memory", "strong|weak", "run: what loads may return; strong, the last value that was stored, by default",
        |options, value| memory(value).map(|memory| options.run.memory = memory)),
    row("init", "on|off", "run: report uses of uninitialised memory; on by default",
        |options, value| switch(value).map(|on| options.run.skip_init = !on)),
];

impl Options {
    /// Sets an option by its name, one of [`SETTINGS`]. Nothing changes if the value is refused.
    ///
    /// ```
    /// let mut options = warpc::Options::default();
    /// options.set("arch", "sm_90")?;
    /// options.set("fmad", "off")?;
    /// assert!(!options.fmad);
    /// let refused = options.set("arhc", "sm_90").unwrap_err();
    /// assert_eq!(refused.to_string(), "there is no option `arhc`; did you mean `arch`?");
    /// # Ok::<(), warpc::BadSetting>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadSetting> {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let names = SETTINGS.iter().map(|setting| setting.name);
            return Err(BadSetting::Unknown {
                name: name.to_owned(),
                near: warpc_ptx::suggest::nearest(name, names),
            });
        };
        (setting.set)(self, value).map_err(|reason| BadSetting::Value {
            name: setting.name,
            value: value.to_owned(),
            reason,
        })
    }
}

/// `sm_90`, or `compute_90` as nvcc and libNVVM call it.
fn chip(value: &str) -> Result<Sm, String> {
    match value.strip_prefix("compute_") {
        Some(number) => parsed(&format!("sm_{number}")),
        None => parsed(value),
    }
}

fn level(value: &str) -> Result<u8, String> {
    match value {
        "0" => Ok(0),
        "1" => Ok(1),
        "2" => Ok(2),
        "3" => Ok(3),
        "4" => Ok(4),
        _ => Err("it is 0, 1, 2, 3 or 4".to_owned()),
    }
}

/// Anything that reads itself.
fn parsed<T: FromStr<Err: fmt::Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|error: T::Err| error.to_string())
}

fn switch(value: &str) -> Result<bool, String> {
    match value {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err("it is on or off".to_owned()),
    }
}

fn atomics(value: &str) -> Result<Atomics, String> {
    match value {
        "written" => Ok(Atomics::Written),
        "cuda" => Ok(Atomics::Cuda),
        _ => Err("it is written or cuda".to_owned()),
    }
}

fn place(value: &str) -> Result<Place, String> {
    match value {
        "sim" => Ok(Place::Emulator),
        "gpu" => Ok(Place::Gpu),
        _ => Err("it is sim or gpu".to_owned()),
    }
}

fn races(value: &str) -> Result<Races, String> {
    match value {
        "auto" => Ok(Races::Auto),
        "off" => Ok(Races::Off),
        "shared" => Ok(Races::Shared),
        "all" => Ok(Races::All),
        _ => Err("it is auto, off, shared or all".to_owned()),
    }
}

fn memory(value: &str) -> Result<MemoryModel, String> {
    match value {
        "strong" => Ok(MemoryModel::Strong),
        "weak" => Ok(MemoryModel::Weak),
        _ => Err("it is strong or weak".to_owned()),
    }
}

/// Names between commas.
fn names(value: &str) -> Vec<String> {
    let names = value.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_set_by_its_name_and_refuses_what_it_does_not_take() {
        // A value of each row that is not its default, and one that is refused unless any text is a value.
        let examples = [
            ("arch", "compute_90", Some("sm_1")),
            ("opt", "1", Some("5")),
            ("ptx-version", "8.5", Some("new")),
            ("fmad", "off", Some("maybe")),
            ("atomics", "cuda", Some("relaxed")),
            ("check-nvvm-version", "off", Some("2")),
            ("upgrade-nvvm-version", "off", Some("2")),
            ("bitcode", "7", Some("8")),
            ("bitcode-producer", "7.0.1", None),
            ("keep", "a, b", None),
            ("entries", "k", None),
            ("maxrregcount", "64", Some("300")),
            ("knob", "487=0", Some("1=1")),
            ("without-pass", "opt_gvn", Some("opt_gnv")),
            ("only-pass", "opt_gvn", Some("build")),
            ("function", "f", None),
            ("on", "gpu", Some("moon")),
            ("seed", "7", Some("-1")),
            ("jobs", "2", Some("two")),
            ("limit", "1000", Some("")),
            ("races", "all", Some("some")),
            ("memory", "weak", Some("none")),
            ("init", "off", Some("maybe")),
        ];
        let plain = format!("{:?}", Options::default());
        for setting in SETTINGS {
            let example = examples.iter().find(|(name, ..)| *name == setting.name);
            let (_, value, wrong) = example.unwrap_or(&("", "on", Some("maybe")));
            let mut options = Options::default();
            options.set(setting.name, value).expect(setting.name);
            assert_ne!(format!("{options:?}"), plain, "{}", setting.name);
            if let Some(wrong) = wrong {
                let mut options = Options::default();
                let refused = options.set(setting.name, wrong).expect_err(setting.name);
                assert!(refused.to_string().contains(setting.name), "{refused}");
                assert_eq!(format!("{options:?}"), plain, "{}", setting.name);
            }
        }
        let mut options = Options::default();
        options.set("keep", "a, b,").expect("names");
        assert_eq!(options.link.keep, ["a", "b"]);
        assert!(options.set("zzzzzzzz", "1").is_err());
    }
}
