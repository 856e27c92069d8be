//! A warp alone goes through code: when each instruction is issued, and what it waits for.
//!
//! It is issued when the stall counts of those before it are over, the scoreboards that it waits for are released, and the
//! resource that executes it has taken what came before. The next one waits while a bank of registers gives it its operands: one a
//! cycle, but for those that `.reuse` keeps.

use super::demand::{self, RESOURCES, Resource};
use smallvec::SmallVec;
use warpc_sass::latency::BANKS;
use warpc_sass::latency::check::{GROUP, waits};
use warpc_sass::latency::measured::turns;
use warpc_sass::operand::Marks;
use warpc_sass::{Inst, Value};

/// What an instruction costs where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InstCost {
    /// The cycle when it is issued, from the start of its block on.
    pub at: u64,
    /// Cycles from the earliest that the warp could have issued it, one after the instruction before.
    pub waited: u64,
    /// For what most of them.
    pub on: Wait,
    /// For how many cycles it keeps the banks of registers.
    pub banks: u32,
}

/// The places of sources at which `.reuse` keeps registers.
const PLACES: usize = 4;

/// What an instruction waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wait {
    /// Nothing.
    #[default]
    Nothing,
    /// The stall count of the instruction before: a fixed latency.
    Stall,
    /// A scoreboard.
    Scoreboard {
        /// Which; six is that of warpgroups.
        board: u8,
        /// The instruction that releases it last.
        from: usize,
    },
    /// What executes it is busy.
    Busy(Resource),
}

/// What holds a scoreboard.
#[derive(Clone, Copy)]
struct Held {
    until: u64,
    by: usize,
}

/// A warp.
pub(super) struct Warp {
    /// When the next instruction may be issued by the stall counts.
    ready: u64,
    /// When the last one was.
    last: u64,
    boards: [Vec<Held>; GROUP + 1],
    /// When each resource takes the next instruction.
    free: [u64; RESOURCES],
    /// The registers that `.reuse` keeps, by the place of the operand and the bank.
    kept: [[Option<u8>; BANKS as usize]; PLACES],
}

impl Warp {
    /// Before its first instruction.
    pub(super) fn new() -> Warp {
        Warp {
            ready: 0,
            last: 0,
            boards: Default::default(),
            free: [0; RESOURCES],
            kept: Default::default(),
        }
    }

    /// The cycle when the next instruction may be issued.
    pub(super) fn now(&self) -> u64 {
        self.ready
    }

    /// Issues an instruction.
    pub(super) fn issue(&mut self, at: usize, inst: &Inst) -> InstCost {
        let control = inst.control;
        let earliest = if self.ready == 0 { 0 } else { self.last + 1 };
        let mut issued = self.ready;
        let mut on = match issued > earliest {
            true => Wait::Stall,
            false => Wait::Nothing,
        };
        for (board, may_stay) in waits(inst) {
            let Some(held) = self.boards.get_mut(board) else {
                continue;
            };
            // Those that finish first are let go first.
            held.sort_by_key(|one| one.until);
            let gone = held.len().saturating_sub(may_stay);
            if let Some(one) = held[..gone].last()
                && one.until > issued
            {
                issued = one.until;
                on = Wait::Scoreboard {
                    board: board as u8,
                    from: one.by,
                };
            }
            held.drain(..gone);
        }
        let main = demand::main(inst.shape);
        let banks = self.banks(inst);
        let mut asked: SmallVec<[(Resource, u32); 2]> = SmallVec::new();
        asked.extend(main.map(|(resource, rate)| (resource, rate.alone)));
        asked.extend((banks > 0).then_some((Resource::Banks, banks)));
        for (resource, _) in &asked {
            let free = self.free[*resource as usize];
            if free > issued {
                issued = free;
                on = Wait::Busy(*resource);
            }
        }
        for (resource, cycles) in asked {
            self.free[resource as usize] = issued + u64::from(cycles);
        }
        let stall = u64::from(control.stall);
        let latency = u64::from(demand::latency(inst));
        self.last = issued;
        self.ready = match stall {
            // Without a stall the next one is issued when this one is done.
            0 => issued + latency,
            stall => issued + stall,
        };
        let mut raise = |board: u8, cycles: u64| {
            if let Some(held) = self
                .boards
                .get_mut(usize::from(board))
                .filter(|_| board < 6)
            {
                held.push(Held {
                    until: issued + cycles,
                    by: at,
                });
            }
        };
        raise(control.write, latency);
        raise(control.read, u64::from(demand::reading(inst)));
        if inst.shape.pipe() == Some(warpc_sass::latency::Pipe::Group) {
            self.boards[GROUP].push(Held {
                until: issued + latency,
                by: at,
            });
        }
        self.keep(inst);
        InstCost {
            at: issued,
            waited: issued.saturating_sub(earliest),
            on,
            banks,
        }
    }

    /// For how many cycles an instruction asks a bank for registers. Wide operands are left out: what they take is not known.
    fn banks(&self, inst: &Inst) -> u32 {
        let slots = inst.shape.accesses().iter().zip(&inst.operands);
        let sources = slots.filter_map(|(access, operand)| {
            let slot = &inst.shape.slots()[usize::from(access.slot)];
            let place = usize::from(slot.reuse_place()?);
            match operand.value {
                Value::Register(number @ 0..=254) if access.is_read && access.registers == 1 => {
                    let kept = self.kept.get(place)?[usize::from(number % BANKS)];
                    (kept != Some(number)).then_some(number)
                }
                _ => None,
            }
        });
        turns(sources)
    }

    /// Keeps the operands that are marked, each at its place, until something else is read there.
    fn keep(&mut self, inst: &Inst) {
        let slots = inst.shape.accesses().iter().zip(&inst.operands);
        for (access, operand) in slots {
            let slot = &inst.shape.slots()[usize::from(access.slot)];
            let place = slot.reuse_place().map(usize::from);
            if let (Some(place), Value::Register(number)) = (place, operand.value)
                && let Some(kept) = self.kept.get_mut(place)
            {
                kept[usize::from(number % BANKS)] =
                    operand.marks.has(Marks::REUSE).then_some(number);
            }
        }
    }
}
