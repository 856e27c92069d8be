//! What code does to mbarriers.
//!
//! From sm_90 on `SYNCS` does it, and its modifiers say what:
//!
//! | `SYNCS` | kind |
//! |---|---|
//! | `EXCH` | init |
//! | `ARRIVE` with `A1T0` or `ART0` | arrive; `TMASK`: without completing; `OPTOUT`: and drop |
//! | `ARRIVE` without them, `RED.A0T1` | none: `arrive.expect_tx`, and what belongs to `ARRIVES` |
//! | `ARRIVE.RED.A0TR`, `.A0TX` | expect and complete transactions |
//! | `PHASECHK` | test; `TRYWAIT`: try; of a parity where the phase was made by a shift by 31 or is a constant |
//! | `PHASECHK` after `NANOSLEEP.SYNCS` | none: it is the end of a try with a time |
//! | `CCTL` | invalidate |
//!
//! Before that, `ATOMS.ARRIVE.64` and `ARRIVES` are the only instructions that tell; what else is done at the same
//! address is told by that: `STS.64` initialises, `LDS` of the upper half tests, `ATOMS.ADD` on it arrives without
//! completing, and `ATOMS.POPC.INC` or `ATOMS.ADD` on the lower half drops.

use super::Line;
use crate::inst::Inst;
use crate::operand::Value;
use warpc_target::{Chips, Sm};

/// The chips with instructions for mbarriers.
const SYNCS: Chips = Chips::AtLeast(90);

/// What is done, by the numbers that `EIATTR_MBARRIER_INSTR_OFFSETS` has for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `mbarrier.init`
    Init = 0,
    /// `mbarrier.arrive`
    Arrive = 1,
    /// `mbarrier.arrive.noComplete`
    ArriveNoComplete = 2,
    /// `mbarrier.arrive_drop`
    ArriveDrop = 3,
    /// `mbarrier.arrive_drop.noComplete`
    ArriveDropNoComplete = 4,
    /// `mbarrier.test_wait`
    TestWait = 5,
    /// `mbarrier.test_wait.parity`
    TestWaitParity = 6,
    /// `cp.async.mbarrier.arrive`
    CopyArrive = 7,
    /// `mbarrier.inval`
    Invalidate = 8,
    /// `mbarrier.try_wait`
    TryWait = 9,
    /// `mbarrier.try_wait.parity`
    TryWaitParity = 10,
    /// `mbarrier.expect_tx`
    ExpectTx = 11,
    /// `mbarrier.complete_tx`
    CompleteTx = 12,
}

/// The number of no register.
const NO_REGISTER: u8 = 255;

/// The address of an mbarrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The register; 255 is none.
    pub register: u8,
    /// The uniform register; 255 is none, before sm_100 it is 63.
    pub uniform: u8,
    /// The distance.
    pub displacement: u32,
}

impl Address {
    /// The address of an instruction.
    fn of(sm: Sm, inst: &Inst) -> Option<Address> {
        let none = match Chips::AtLeast(100).contains(sm) {
            true => 255,
            false => 63,
        };
        let mut address = Address {
            register: NO_REGISTER,
            uniform: none,
            displacement: 0,
        };
        let mut parts = inst.address().peekable();
        parts.peek()?;
        for part in parts {
            match part {
                Value::Register(number) => address.register = number,
                Value::Uniform(number) if number != 255 => address.uniform = number,
                Value::Number(number) => address.displacement = number as u32,
                _ => {}
            }
        }
        Some(address)
    }

    /// The upper half of what lies here.
    fn upper(self) -> Address {
        Address {
            displacement: self.displacement.wrapping_add(4),
            ..self
        }
    }
}

/// An instruction on an mbarrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MbarrierUse {
    /// Where it is.
    pub place: u32,
    /// What it does.
    pub kind: Kind,
    /// To which mbarrier.
    pub address: Address,
}

/// The instructions on mbarriers, in order.
pub(super) fn find(sm: Sm, lines: &[Line]) -> Vec<MbarrierUse> {
    let kinds: Vec<Option<Kind>> = match SYNCS.contains(sm) {
        true => (0..lines.len()).map(|at| by_syncs(lines, at)).collect(),
        false => by_address(sm, lines),
    };
    let entries = lines.iter().zip(kinds).filter_map(|(line, kind)| {
        let address = Address::of(sm, line.inst)?;
        Some(MbarrierUse {
            place: line.place,
            kind: kind?,
            address,
        })
    });
    entries.collect()
}

/// What an instruction does where there are instructions for it.
fn by_syncs(lines: &[Line], at: usize) -> Option<Kind> {
    let line = &lines[at];
    if line.opcode() == "ARRIVES" {
        return Some(Kind::CopyArrive);
    }
    if line.opcode() != "SYNCS" {
        return None;
    }
    let shape = line.inst.shape;
    let has = |modifier: &str| shape.has(modifier);
    match shape.modifiers().next()? {
        "EXCH" => Some(Kind::Init),
        "CCTL" => Some(Kind::Invalidate),
        "ARRIVE" if has("A0TR") => Some(Kind::ExpectTx),
        "ARRIVE" if has("A0TX") => Some(Kind::CompleteTx),
        "ARRIVE" if has("A1T0") || has("ART0") => Some(match (has("OPTOUT"), has("TMASK")) {
            (false, false) => Kind::Arrive,
            (false, true) => Kind::ArriveNoComplete,
            (true, false) => Kind::ArriveDrop,
            (true, true) => Kind::ArriveDropNoComplete,
        }),
        "PHASECHK" => {
            let before = at.checked_sub(1).map(|before| &lines[before]);
            let slept = before.is_some_and(|line| line.inst.shape.name() == "NANOSLEEP.SYNCS");
            match (slept, has("TRYWAIT"), is_parity(lines, at)) {
                (true, ..) => None,
                (_, false, false) => Some(Kind::TestWait),
                (_, false, true) => Some(Kind::TestWaitParity),
                (_, true, false) => Some(Kind::TryWait),
                (_, true, true) => Some(Kind::TryWaitParity),
            }
        }
        _ => None,
    }
}

/// Whether the phase that an instruction waits for comes from a parity: the bit of it is shifted to the top, or it is a
/// constant. The phase of a state is the upper half of the state.
fn is_parity(lines: &[Line], at: usize) -> bool {
    let Some(phase) = lines[at].inst.at(PHASE).map(|operand| operand.value) else {
        return false;
    };
    if matches!(phase, Value::ZERO | Value::UNIFORM_ZERO) {
        return true;
    }
    let makes = |line: &&Line| {
        let slot = line.inst.shape.slot_at(RESULT);
        let slot = slot.filter(|slot| line.inst.shape.slots()[*slot].is_written());
        slot.is_some_and(|slot| line.inst.operands[slot].value == phase)
    };
    let Some(maker) = lines[..at].iter().rev().find(makes) else {
        return false;
    };
    let has = |number: i64| {
        maker
            .inst
            .values()
            .any(|value| value == Value::Number(number))
    };
    match maker.opcode() {
        "SHF" | "USHF" => maker.inst.shape.has("L") && has(31),
        "IMAD" | "UIMAD" | "MOV" | "UMOV" => has(i64::from(i32::MIN)) || has(1 << 31),
        _ => false,
    }
}

/// The first bits of the phase that is waited for, and of results.
const PHASE: u8 = 32;
const RESULT: u8 = 16;

/// What instructions do where only some tell that there is an mbarrier.
fn by_address(sm: Sm, lines: &[Line]) -> Vec<Option<Kind>> {
    let address = |line: &Line| Address::of(sm, line.inst);
    let name = |line: &Line| line.inst.shape.name();
    let tells = |line: &&Line| name(line) == "ATOMS.ARRIVE.64" || line.opcode() == "ARRIVES";
    let objects: Vec<Address> = lines.iter().filter(tells).filter_map(address).collect();
    let mut dropping = false;
    let kind = |line: &Line| {
        let name = name(line);
        let at = address(line)?;
        let lower = objects.contains(&at);
        let upper = objects.iter().any(|object| object.upper() == at);
        match name {
            "ARRIVES.LDGSTSBAR.64" => Some(Kind::CopyArrive),
            "ATOMS.ARRIVE.64" => match std::mem::take(&mut dropping) {
                true => Some(Kind::ArriveDrop),
                false => Some(Kind::Arrive),
            },
            "ATOMS.POPC.INC.32" | "ATOMS.ADD" if lower => {
                dropping = true;
                None
            }
            "ATOMS.ADD" if upper => match std::mem::take(&mut dropping) {
                true => Some(Kind::ArriveDropNoComplete),
                false => Some(Kind::ArriveNoComplete),
            },
            "STS.64" if lower => Some(Kind::Init),
            "LDS" if upper => Some(Kind::TestWait),
            _ => None,
        }
    };
    lines.iter().map(kind).collect()
}
