//! Instructions that steer a thread or the machine.

use crate::Context;
use crate::code::Code;
use crate::source::Source;
use warpc_target::Variant;

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// `nanosleep`
    Nanosleep,
    /// `griddepcontrol.wait`: until the grids before are done.
    GridWait,
    /// `griddepcontrol.launch_dependents`
    GridLaunch,
    /// `setmaxnreg`; whether for more registers. ptxas ignores it in kernels without a limit of registers.
    SetRegisters {
        /// `.inc`, not `.dec`.
        grows: bool,
    },
    /// `pmevent`
    PerformanceEvent,
    /// `brkpt`
    Breakpoint,
    /// `trap`
    Trap,
    /// `exit`
    Exit,
}

pub(crate) fn read(source: &mut Source) -> Option<Control> {
    Some(match source.opcode() {
        "nanosleep" => {
            source.take("u32");
            Control::Nanosleep
        }
        "griddepcontrol" if source.take("wait") => Control::GridWait,
        "griddepcontrol" if source.take("launch_dependents") => Control::GridLaunch,
        "setmaxnreg" => {
            let grows = source.take("inc");
            let known = grows || source.take("dec");
            if !(known && source.take("sync") && source.take("aligned")) {
                return None;
            }
            source.take("u32");
            Control::SetRegisters { grows }
        }
        "pmevent" => {
            source.take("mask");
            Control::PerformanceEvent
        }
        "brkpt" => Control::Breakpoint,
        "trap" => Control::Trap,
        "exit" => Control::Exit,
        _ => return None,
    })
}

impl Control {
    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        let chip = code.chip;
        let divergent = code.context == Context::Divergent;
        match self {
            Control::Nanosleep => {
                if divergent {
                    let open = chip.open_names();
                    code.put_region(if chip.since(80) { "BSSY" } else { &open });
                    code.put_region("BRA");
                }
                // sm_75 puts the warp to sleep; threads that parted from it are let run.
                code.put(if chip.since(80) {
                    "NANOSLEEP"
                } else {
                    "NANOSLEEP.WARP"
                });
                code.put_if(divergent && !chip.since(80), "YIELD");
                code.put_region(if divergent { "BSYNC" } else { "" });
            }
            Control::GridWait | Control::GridLaunch if !chip.since(90) => return None,
            Control::SetRegisters { .. } if chip.0.variant() == Variant::Plain => return None,
            Control::GridWait => code.put("ACQBULK"),
            Control::GridLaunch => code.put("PREEXIT"),
            // More registers may have to be waited for.
            Control::SetRegisters { grows: true } => {
                code.put("USETMAXREG.TRY_ALLOC.CTAPOOL");
                code.put(if chip.since(100) {
                    "BRA.U"
                } else {
                    "PLOP3.LUT BRA"
                });
            }
            Control::SetRegisters { grows: false } => code.put("USETMAXREG.DEALLOC.CTAPOOL"),
            Control::PerformanceEvent => code.put("PMTRIG"),
            Control::Breakpoint | Control::Trap => code.put("BPT.TRAP"),
            Control::Exit => code.put("EXIT"),
        }
        Some(())
    }
}
