//! What is written soon after memory instructions is not in the registers that these read.
//!
//! ```text
//!   LDG.E R6, [R8.64]                      LDG.E R6, [R8.64]
//!   LDG.E R9, [R24.64]   (R9 is read)  ──► LDG.E R7, [R24.64]
//! ```
//!
//! A memory instruction reads its registers some cycles after it was issued, and whoever writes one of them waits for that. When
//! all values have places, those that would have to wait go to other places that are free wherever they live, and where neither they nor
//! others wait for it: to registers that are used anyway, and in loops also to others, as far as a kernel's warps get them anyway.
//! Nothing else moves.
//!
//! Nobody waits for an instruction before one that has waited for its result, or for that of a load issued soon before it or after
//! it: what was read then has been read.

use super::{Taken, is_available};
use crate::analysis::segments::Segments;
use crate::analysis::uses::rounds;
use crate::ir::{File, Function, Inst, Reg};
use smallvec::SmallVec;
use warpc_sass::shape::Space;

/// For how many instructions after one that reads late others are kept from its registers.
const WINDOW: u32 = 16;

/// How many instructions after a load from far away others may be issued that have read their registers when it has its result. A
/// guess: it takes 200 cycles and more.
const SOON: u32 = 32;

/// A register of the machine and the number of an instruction that writes it, or reads it late.
#[derive(Default)]
struct Places {
    /// For each instruction the first one that may not have read its registers when it is issued.
    unread: Vec<u32>,
    written: Vec<Vec<u32>>,
    read_late: Vec<Vec<u32>>,
}

/// What a value does: the lane, and the number of the instruction.
#[derive(Default, Clone)]
struct Own {
    written: SmallVec<[(u8, u32); 2]>,
    read_late: SmallVec<[(u8, u32); 2]>,
    /// How often the writes are executed.
    rounds: u64,
    /// Whether one of them is in a loop.
    is_repeated: bool,
}

/// Moves values of a kernel that would have to wait; `used` is how many registers it has, `most` how many it may have.
pub(super) fn keep_apart(
    function: &Function,
    segments: &Segments,
    (used, most): (usize, usize),
    stays: impl Fn(Reg, usize, &[Option<u8>]) -> bool,
    taken: &mut Taken,
    places: &mut [Option<u8>],
) {
    let mut values: Vec<Own> = vec![Own::default(); places.len()];
    let mut number = 0;
    for (block, rounds) in function.blocks.iter().zip(rounds(function)) {
        for inst in &block.insts {
            for (reg, lane, lanes) in inst.writes() {
                let own = &mut values[reg.0 as usize];
                own.rounds += rounds;
                own.is_repeated |= rounds > 1;
                own.written
                    .extend((lane..lane + lanes).map(|lane| (lane, number)));
            }
            if reads_late(inst) {
                for (reg, lane, lanes) in inst.reads() {
                    let own = &mut values[reg.0 as usize];
                    own.read_late
                        .extend((lane..lane + lanes).map(|lane| (lane, number)));
                }
            }
            number += 1;
        }
    }
    let is_placed = |number: usize| function.regs[number].file == File::Register;
    let mut all = Places::of(function, taken.all.len());
    for number in (0..values.len()).filter(|number| is_placed(*number)) {
        if let Some(place) = places[number] {
            all.add(&values[number], place.into());
        }
    }
    // Those that are executed most get places first.
    let mut order: Vec<usize> = (0..values.len())
        .filter(|number| is_placed(*number) && !values[*number].written.is_empty())
        .collect();
    order.sort_by_key(|number| std::cmp::Reverse(values[*number].rounds));
    for number in order {
        let reg = Reg(number as u32);
        let lanes = usize::from(function.data(reg).lanes);
        let Some(place) = places[number].map(usize::from) else {
            continue;
        };
        let own = &values[number];
        if all.waits(own, place) == 0 || stays(reg, place, places) {
            continue;
        }
        all.remove(own, place);
        if all.waits(own, place) == 0 {
            // It waits for itself alone, wherever it is.
            all.add(own, place);
            continue;
        }
        // In the same bank first.
        let step = lanes.next_power_of_two().max(1);
        let parities = if step == 1 {
            vec![place % 2, 1 - place % 2]
        } else {
            vec![0]
        };
        let more = match own.is_repeated {
            true => most,
            false => used,
        };
        // What is used anyway first.
        let parts = [0..used, used..more];
        let others = parts.into_iter().flat_map(|part| {
            let each = parities.iter();
            each.flat_map(move |parity| {
                part.clone().filter(move |other| match step {
                    1 => other % 2 == *parity,
                    _ => other % step == 0,
                })
            })
        });
        let is_free = |other: usize| {
            other + lanes <= more
                && (0..lanes).all(|lane| {
                    is_available(function, File::Register, (other + lane) as u8)
                        && taken.is_free(other + lane, segments.lane(reg, lane as u8))
                })
        };
        let other = others
            .filter(|other| *other != place && is_free(*other))
            .map(|other| (all.waits(own, other), other))
            .find(|(waits, _)| *waits == 0)
            .map_or(place, |one| one.1);
        if other != place {
            taken.release(place, lanes, reg);
            for lane in 0..lanes {
                taken.take(other + lane, segments.lane(reg, lane as u8), reg);
            }
            places[number] = Some(other as u8);
        }
        all.add(own, other);
    }
}

impl Places {
    fn of(function: &Function, count: usize) -> Places {
        Places {
            unread: unread(function),
            written: vec![Vec::new(); count],
            read_late: vec![Vec::new(); count],
        }
    }

    fn add(&mut self, own: &Own, place: usize) {
        let put = |all: &mut Vec<Vec<u32>>, lane: u8, number: u32| {
            if let Some(own) = all.get_mut(place + usize::from(lane)) {
                own.insert(own.partition_point(|one| *one < number), number);
            }
        };
        own.written
            .iter()
            .for_each(|one| put(&mut self.written, one.0, one.1));
        own.read_late
            .iter()
            .for_each(|one| put(&mut self.read_late, one.0, one.1));
    }

    fn remove(&mut self, own: &Own, place: usize) {
        let drop = |all: &mut Vec<Vec<u32>>, lane: u8, number: u32| {
            if let Some(own) = all.get_mut(place + usize::from(lane))
                && let Ok(at) = own.binary_search(&number)
            {
                own.remove(at);
            }
        };
        own.written
            .iter()
            .for_each(|one| drop(&mut self.written, one.0, one.1));
        own.read_late
            .iter()
            .for_each(|one| drop(&mut self.read_late, one.0, one.1));
    }

    /// How many instructions would wait if a value were at a place.
    fn waits(&self, own: &Own, place: usize) -> usize {
        // Whether one of these numbers is in a part of the code.
        let has = |all: &[Vec<u32>], lane: u8, first: u32, end: u32| {
            let numbers = all.get(place + usize::from(lane));
            numbers.is_some_and(|numbers| {
                let at = numbers.partition_point(|one| *one < first);
                numbers.get(at).is_some_and(|one| *one < end)
            })
        };
        let written = own.written.iter().filter(|(lane, number)| {
            let first = number.saturating_sub(WINDOW);
            let first = first.max(self.unread[*number as usize]);
            has(&self.read_late, *lane, first, *number)
        });
        let read = own.read_late.iter().filter(|(lane, number)| {
            // Until one that is only issued when it has been read.
            let after = self.unread[*number as usize + 1..].iter();
            let until = after.take(WINDOW as usize);
            let until = until.take_while(|first| **first <= *number).count() as u32;
            has(&self.written, *lane, number + 1, number + 1 + until)
        });
        written.count() + read.count()
    }
}

/// Whether an instruction reads its registers some time after it was issued.
fn reads_late(inst: &Inst) -> bool {
    !matches!(inst.shape.memory().space, Space::None | Space::Constant)
}

/// For each instruction the first one that may not have read its registers when it is issued, in the order of the code.
fn unread(function: &Function) -> Vec<u32> {
    let mut all = Vec::new();
    // For each register that a load writes and nobody has waited for: the first instruction that may not have read when it is there.
    let mut loads: Vec<Option<u32>> = vec![None; function.regs.len()];
    let (mut number, mut first) = (0, 0);
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        for (reg, ..) in inst.reads().chain(inst.writes()) {
            if let Some(until) = loads[reg.0 as usize].take() {
                first = first.max(until.min(number));
            }
        }
        all.push(first);
        if reads_late(inst) {
            let soon = match inst.shape.memory().space {
                Space::Global | Space::Generic => SOON,
                _ => 0,
            };
            for (reg, ..) in inst.writes() {
                loads[reg.0 as usize] = Some(number + 1 + soon);
            }
        }
        number += 1;
    }
    all
}
