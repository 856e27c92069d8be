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
//! | `PHASECHK` behind `NANOSLEEP.SYNCS` | none: it is the end of a try with a time |
//! | `CCTL` | invalidate |
//!
//! Before that, `ATOMS.ARRIVE.64` and `ARRIVES` are the only instructions that tell; what else is done at the same
//! address is told by that: `STS.64` initialises, `LDS` of the upper half tests, `ATOMS.ADD` on it arrives without
//! completing, and `ATOMS.POPC.INC` or `ATOMS.ADD` on the lower half drops.

use super::Line;
use warpc_target::{Chips, Sm};

/// The chips with instructions for mbarriers.
const SYNCS: Chips = Chips::AtLeast(90);

/// What is done, by the numbers that `EIATTR_MBARRIER_INSTR_OFFSETS` has for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Init = 0,
    Arrive = 1,
    ArriveNoComplete = 2,
    ArriveDrop = 3,
    ArriveDropNoComplete = 4,
    TestWait = 5,
    TestWaitParity = 6,
    CopyArrive = 7,
    Invalidate = 8,
    TryWait = 9,
    TryWaitParity = 10,
    ExpectTx = 11,
    CompleteTx = 12,
}

/// A bit that all entries have.
const ALWAYS: u32 = 0x100;

/// The number of no register.
const NO_REGISTER: u32 = 255;

/// The address of an mbarrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Address {
    register: u32,
    uniform: u32,
    displacement: u32,
}

impl Address {
    /// The first address in operands.
    fn of(sm: Sm, operands: &str) -> Option<Address> {
        let (inside, _) = operands.split_once('[')?.1.split_once(']')?;
        let none = if Chips::AtLeast(100).contains(sm) {
            255
        } else {
            63
        };
        let mut address = Address {
            register: NO_REGISTER,
            uniform: none,
            displacement: 0,
        };
        for part in inside.split('+') {
            if let Some(digits) = part.strip_prefix("0x") {
                address.displacement = u32::from_str_radix(digits, 16).ok()?;
            } else if let Some(digits) = part.strip_prefix("-0x") {
                address.displacement = u32::from_str_radix(digits, 16).ok()?.wrapping_neg();
            } else if let Some(number) = part.strip_prefix("UR") {
                address.uniform = number.parse().unwrap_or(none);
            } else if let Some(number) = part.strip_prefix('R') {
                let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
                address.register = digits.parse().unwrap_or(NO_REGISTER);
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
pub(super) struct Entry {
    place: u32,
    kind: Kind,
    address: Address,
}

impl Entry {
    /// Whether it makes an mbarrier.
    pub(super) fn is_init(&self) -> bool {
        self.kind == Kind::Init
    }

    /// The entry as the attribute has it.
    pub(super) fn words(&self) -> [u32; 4] {
        let Address {
            register,
            uniform,
            displacement,
        } = self.address;
        let packed = self.kind as u32 | ALWAYS | uniform << 16;
        [self.place, register, displacement, packed]
    }
}

/// The instructions on mbarriers, in order.
pub(super) fn find(sm: Sm, lines: &[Line]) -> Vec<Entry> {
    let kinds: Vec<Option<Kind>> = match SYNCS.contains(sm) {
        true => (0..lines.len()).map(|at| by_syncs(lines, at)).collect(),
        false => by_address(sm, lines),
    };
    let entries = lines.iter().zip(kinds).filter_map(|(line, kind)| {
        let address = Address::of(sm, line.operands())?;
        Some(Entry {
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
    if line.operation() == "ARRIVES" {
        return Some(Kind::CopyArrive);
    }
    if line.operation() != "SYNCS" {
        return None;
    }
    let modifiers = line.modifiers();
    let has = |modifier: &str| modifiers.contains(&modifier);
    match *modifiers.first()? {
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
            let slept = before.is_some_and(|line| line.parts().0 == "NANOSLEEP.SYNCS");
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
    let Some(phase) = lines[at].operands().rsplit(", ").next() else {
        return false;
    };
    if matches!(phase, "RZ" | "URZ") {
        return true;
    }
    let makes = |line: &&Line| line.operands().split(", ").next() == Some(phase);
    let Some(maker) = lines[..at].iter().rev().find(makes) else {
        return false;
    };
    let (name, operands) = maker.parts();
    let has = |operand: &str| operands.split(", ").skip(1).any(|own| own == operand);
    match maker.operation() {
        "SHF" | "USHF" => name.contains(".L") && has("0x1f"),
        "IMAD" | "UIMAD" if name.contains(".SHL") => has("-0x80000000") || has("0x80000000"),
        "IMAD" | "UIMAD" | "MOV" | "UMOV" => has("-0x80000000") || has("0x80000000"),
        _ => false,
    }
}

/// What instructions do where only some tell that there is an mbarrier.
fn by_address(sm: Sm, lines: &[Line]) -> Vec<Option<Kind>> {
    let address = |line: &Line| Address::of(sm, line.operands());
    let name = |line: &Line| line.parts().0.to_owned();
    let tells = |line: &&Line| name(line) == "ATOMS.ARRIVE.64" || line.operation() == "ARRIVES";
    let objects: Vec<Address> = lines.iter().filter(tells).filter_map(address).collect();
    let mut dropping = false;
    let kind = |line: &Line| {
        let name = name(line);
        let at = address(line)?;
        let lower = objects.contains(&at);
        let upper = objects.iter().any(|object| object.upper() == at);
        match name.as_str() {
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
