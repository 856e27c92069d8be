//! Instructions that steer a thread or the machine.

use crate::Context;
use crate::code::{Code, ptx};
use crate::source::{Argument, Source};
use warpc_target::Variant;

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// `nanosleep`; how long, where it is known.
    Nanosleep(Option<Argument>),
    /// `griddepcontrol.wait`: until the grids before are done.
    GridWait,
    /// `griddepcontrol.launch_dependents`
    GridLaunch,
    /// `setmaxnreg`; whether for more registers. ptxas ignores it in kernels without a limit of registers.
    SetRegisters {
        /// `.inc`, not `.dec`.
        grows: bool,
    },
    /// `pmevent`: a set of events, where it is known.
    PerformanceEvent(Option<i64>),
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
            Control::Nanosleep(source.operand("t"))
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
            let is_set = source.take("mask");
            let number = source.operand("a").and_then(Argument::constant);
            let event = |number: i64| 1i64.checked_shl(number.try_into().ok()?);
            Control::PerformanceEvent(match is_set {
                true => number,
                false => number.and_then(event),
            })
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
            Control::Nanosleep(time) => {
                if divergent {
                    let open = chip.open_names();
                    code.put_region(if chip.since(80) { "BSSY" } else { &open });
                    code.put_region("BRA");
                }
                // sm_75 puts the warp to sleep; threads that parted from it are let run.
                let name = match chip.since(80) {
                    true => "NANOSLEEP",
                    false => "NANOSLEEP.WARP",
                };
                match time.and_then(Argument::constant) {
                    Some(time) => code.step(format!("{name} {:#x}", time as u32), &[]),
                    None => code.step(format!("{name} R0"), &[ptx("t")]),
                }
                code.put_if(divergent && !chip.since(80), "YIELD");
                code.put_region(if divergent { "BSYNC" } else { "" });
            }
            Control::GridWait | Control::GridLaunch if !chip.since(90) => return None,
            Control::SetRegisters { .. } if chip.0.variant() == Variant::Plain => return None,
            Control::GridWait => code.step("ACQBULK", &[]),
            Control::GridLaunch => code.step("PREEXIT", &[]),
            // More registers may have to be waited for. What a kernel whose registers are known gets is the business of
            // `build/register_count.rs`; in others it does nothing.
            Control::SetRegisters { grows: true } => {
                code.needless("USETMAXREG.TRY_ALLOC.CTAPOOL");
                code.needless(if chip.since(100) {
                    "BRA.U"
                } else {
                    "PLOP3.LUT BRA"
                });
            }
            Control::SetRegisters { grows: false } => code.needless("USETMAXREG.DEALLOC.CTAPOOL"),
            Control::PerformanceEvent(Some(events)) => {
                code.step(format!("PMTRIG {events:#x}"), &[]);
            }
            Control::PerformanceEvent(None) => code.put("PMTRIG"),
            Control::Breakpoint | Control::Trap => code.step("BPT.TRAP 0x1", &[]),
            Control::Exit => code.step("EXIT", &[]),
        }
        Some(())
    }
}
