//! A warp alone goes through code: when each instruction is issued, and what it waits for.
//!
//! It is issued when the stall counts of those before it are over, the scoreboards that it waits for are released, and the
//! resource that executes it has taken what came before. Three source registers in one bank take a cycle more unless `.reuse`
//! keeps one.

use super::demand::{self, RESOURCES, Resource};
use warpc_sass::latency::check::{GROUP, waits};
use warpc_sass::latency::{BANKS, Effects, File, Role};
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
}

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
    /// The registers that `.reuse` keeps, by the place of the operand.
    kept: [Option<u8>; 8],
}

impl Warp {
    /// Before its first instruction.
    pub(super) fn new() -> Warp {
        Warp {
            ready: 0,
            last: 0,
            boards: Default::default(),
            free: [0; RESOURCES],
            kept: [None; 8],
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
        let main = demand::main(inst);
        if let Some((resource, cycles)) = main {
            let free = &mut self.free[resource as usize];
            if *free > issued {
                issued = *free;
                on = Wait::Busy(resource);
            }
            *free = issued + u64::from(cycles);
        }
        let stall = u64::from(control.stall);
        let latency = u64::from(demand::latency(inst));
        self.last = issued;
        self.ready = match stall {
            // Without a stall the next one is issued when this one is done.
            0 => issued + latency,
            stall => issued + stall + u64::from(self.is_in_one_bank(inst)),
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
        }
    }

    /// Whether an instruction asks one bank for three registers.
    fn is_in_one_bank(&self, inst: &Inst) -> bool {
        let mut asked = [0u8; BANKS as usize];
        let mut seen: [Option<u8>; 4] = [None; 4];
        let effects = Effects::of(inst);
        let sources = effects.accesses.iter().filter(|access| {
            access.file == File::Register
                && access.count == 1
                && matches!(access.role, Role::Source(_))
        });
        for (place, access) in sources.enumerate().take(4) {
            let number = access.first;
            if self.kept.contains(&Some(number)) || seen.contains(&Some(number)) {
                continue;
            }
            seen[place] = Some(number);
            asked[usize::from(number % BANKS)] += 1;
        }
        asked.iter().any(|count| *count >= 3)
    }

    /// Keeps the operands that are marked.
    fn keep(&mut self, inst: &Inst) {
        self.kept = [None; 8];
        for (place, operand) in inst.operands.iter().enumerate().take(8) {
            if let Value::Register(number) = operand.value
                && operand.marks.has(Marks::REUSE)
            {
                self.kept[place] = Some(number);
            }
        }
    }
}
