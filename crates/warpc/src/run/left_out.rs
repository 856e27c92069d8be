//! What the emulator can find and did not look for in a launch, and why.

/// Something that the emulator can look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Check {
    /// Races in shared memory.
    SharedRaces,
    /// Races in global memory.
    GlobalRaces,
    /// Races in tensor memory.
    TensorRaces,
    /// Uses of uninitialised memory.
    Uninitialised,
}

/// Why it was not looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why {
    /// An option turned it off.
    Option,
    /// The launch is large, and nothing else was asked for.
    Large,
    /// The emulator of machine code does not have it.
    MachineCode,
    /// No emulator has it.
    NotFollowed,
}

/// Something that was not looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// What.
    pub check: Check,
    /// Why.
    pub why: Why,
}

impl Check {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Check::SharedRaces => "shared_races",
            Check::GlobalRaces => "global_races",
            Check::TensorRaces => "tensor_races",
            Check::Uninitialised => "uninitialised",
        }
    }
}

impl LeftOut {
    /// What the emulator of machine code leaves out.
    #[cfg(all(feature = "sim", feature = "sass"))]
    pub(super) fn of_machine_code() -> Vec<LeftOut> {
        let all = [Check::SharedRaces, Check::GlobalRaces, Check::Uninitialised];
        let why = Why::MachineCode;
        all.map(|check| LeftOut { check, why }).to_vec()
    }

    /// What the emulator of PTX left out of a run; `auto` if no option chose which races it looks for.
    #[cfg(feature = "sim")]
    pub(super) fn of_ptx(auto: bool, report: &warpc_sim::Report) -> Vec<LeftOut> {
        let races = report.races;
        let mut all = Vec::new();
        let mut leave = |check, why| all.push(LeftOut { check, why });
        if races == warpc_launch::Races::Off {
            leave(Check::SharedRaces, Why::Option);
        }
        if races != warpc_launch::Races::All {
            let why = if auto { Why::Large } else { Why::Option };
            leave(Check::GlobalRaces, why);
        }
        if report.tensor_memory {
            leave(Check::TensorRaces, Why::NotFollowed);
        }
        if !report.init {
            leave(Check::Uninitialised, Why::Option);
        }
        all
    }
}
