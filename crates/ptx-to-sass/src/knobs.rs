//! The eight phases of synchronisation by number and name, and the knobs that steer them.
//!
//! Numbers and names are those of the reference text on ptxas. What a phase does here is the better thing where the two
//! differ (`docs/ptx-to-sass.md`, Phases).

use std::fmt;

/// A phase and the pass that does its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Its number.
    pub number: u8,
    /// Its name.
    pub name: &'static str,
    /// The pass, by the name that `--print-after` takes.
    pub pass: &'static str,
    /// What it does.
    pub does: &'static str,
}

/// The phases, in order.
pub const PHASES: &[Phase] = &[
    Phase {
        number: 25,
        name: "StageAndFence",
        pass: "order_fences",
        does: "puts in the fences that mbarriers need, and takes the error barriers after fences out if they are not wanted",
    },
    Phase {
        number: 26,
        name: "RemoveRedundantBarriers",
        pass: "opt_barriers",
        does: "removes a barrier of the block where all its threads have just met at the same one",
    },
    Phase {
        number: 42,
        name: "ExpandMbarrier",
        pass: "build",
        does: "makes machine instructions of operations on mbarriers",
    },
    Phase {
        number: 71,
        name: "OptimizeSyncInstructions",
        pass: "opt_sync",
        does: "removes `WARPSYNC` where the warp is together, and fences after which nothing was accessed",
    },
    Phase {
        number: 72,
        name: "LateExpandSyncInstructions",
        pass: "converge",
        does: "puts in the convergence barriers where lanes part and meet",
    },
    Phase {
        number: 99,
        name: "ExpandSyncAfterRegisters",
        pass: "enter_frame",
        does: "saves and restores what barriers and functions keep, when registers are known",
    },
    Phase {
        number: 100,
        name: "ExpandSyncOfChip",
        pass: "errors_at_exit",
        does: "waits for errors of memory before threads end, if that is asked for",
    },
    Phase {
        number: 114,
        name: "FixUpDependencies",
        pass: "schedule",
        does: "makes instructions wait for the results and fences that they need",
    },
];

/// How far barriers of the block are looked at (phase 26).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum SyncMode {
    /// None is removed.
    None,
    /// Within a run of instructions.
    Conservative,
    /// Over branches, too.
    Aggressive,
    /// Also where functions are called, if none of them meets others at a barrier.
    #[default]
    Functions,
}

/// The knobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knobs {
    /// Knob 487: whether synchronisation is optimised at all (phases 26, 71, 72).
    pub sync_optimisation: bool,
    /// Knob 358: how far phase 26 looks.
    pub sync_mode: SyncMode,
    /// Knob 472: whether phase 71 follows fences over branches.
    pub follows_branches: bool,
    /// `DisableErrbarAfterMembar`: no error barriers after fences.
    pub no_errbar: bool,
}

impl Default for Knobs {
    fn default() -> Knobs {
        Knobs {
            sync_optimisation: true,
            sync_mode: SyncMode::default(),
            follows_branches: true,
            no_errbar: false,
        }
    }
}

/// Why a knob cannot be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadKnob {
    /// There is none of this name.
    Unknown(String),
    /// It does not take this value.
    Value(String, &'static str),
}

impl fmt::Display for BadKnob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadKnob::Unknown(name) => write!(
                f,
                "there is no knob `{name}`; there are 358, 472, 487 and DisableErrbarAfterMembar"
            ),
            BadKnob::Value(name, takes) => write!(f, "knob {name} is {takes}"),
        }
    }
}

impl std::error::Error for BadKnob {}

impl Knobs {
    /// The knobs that are not as they usually are, as [`Knobs::set`] takes them.
    pub fn settings(&self) -> impl Iterator<Item = String> + use<> {
        let usual = Knobs::default();
        let mode =
            (self.sync_mode != usual.sync_mode).then(|| format!("358={}", self.sync_mode as u8));
        let switches = [
            ("472", self.follows_branches, usual.follows_branches),
            ("487", self.sync_optimisation, usual.sync_optimisation),
            ("DisableErrbarAfterMembar", self.no_errbar, usual.no_errbar),
        ];
        let switches = switches.into_iter().filter(|(_, now, usual)| now != usual);
        let switches = switches.map(|(name, now, _)| format!("{name}={}", u8::from(now)));
        mode.into_iter().chain(switches)
    }

    /// Sets a knob, as `358=2`; one without a value is set to 1.
    ///
    /// ```
    /// use warpc_ptx_to_sass::{Knobs, SyncMode};
    /// let mut knobs = Knobs::default();
    /// knobs.set("358=0").unwrap();
    /// assert_eq!(knobs.sync_mode, SyncMode::None);
    /// assert!(knobs.set("359").is_err());
    /// ```
    pub fn set(&mut self, text: &str) -> Result<(), BadKnob> {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        let number = value.parse::<u32>().ok();
        let bad = |takes| BadKnob::Value(name.to_owned(), takes);
        let switch = number
            .filter(|number| *number <= 1)
            .map(|number| number == 1);
        let switch = switch.ok_or_else(|| bad("0 or 1"));
        match name {
            "358" => {
                self.sync_mode = match number {
                    Some(0) => SyncMode::None,
                    Some(1) => SyncMode::Conservative,
                    Some(2) => SyncMode::Aggressive,
                    Some(_) => SyncMode::Functions,
                    None => {
                        return Err(bad(
                            "0 (none), 1 (conservative), 2 (over branches), 3 or more (with functions)",
                        ));
                    }
                }
            }
            "487" => self.sync_optimisation = switch?,
            "472" => self.follows_branches = switch?,
            "DisableErrbarAfterMembar" => self.no_errbar = switch?,
            _ => return Err(BadKnob::Unknown(name.to_owned())),
        }
        Ok(())
    }
}
