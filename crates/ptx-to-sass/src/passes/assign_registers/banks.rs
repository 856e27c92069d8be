//! Sources of an instruction lie in both banks of the register file.
//!
//! Registers with even and odd numbers lie in two banks, and each gives an operand a cycle: most instructions keep their pipe
//! for two cycles, and one whose three sources are in the same bank takes a cycle more; single-precision sums and products
//! keep it for one, and take a cycle more with two (measured on an H200, `docs/hardware.md`). When all values have places, those that are in the way
//! go to another one whose number is not, if it is free wherever they live and below the highest that is used: no more
//! registers are needed, and nothing else moves. A value that shares its place with a copy stays. Source: of ptxas's `FFMA`
//! with three registers, 4 of 1,000 have them in one bank; by chance it would be 250.

use super::{Taken, is_available};
use crate::analysis::empty;
use crate::analysis::segments::Segments;
use crate::analysis::uses::rounds;
use crate::ir::{File, Function, Inst, Op, Reg};
use smallvec::SmallVec;
use warpc_sass::latency::BANKS;

/// The most sources of a bank that an instruction gets in the cycles that it takes anyway: no more have three sources.
const AT_ONCE: u8 = 2;

/// A source: a register from a lane on, and how many.
type Source = (Reg, u8, u8);

/// An instruction with more sources than it gets of a bank at once.
struct Reader {
    sources: SmallVec<[Source; 3]>,
    at_once: u8,
    /// How often it is executed.
    rounds: u64,
}

/// Moves values of a kernel whose places are in the way of others.
pub(super) fn spread(
    function: &Function,
    segments: &Segments,
    stays: impl Fn(Reg, usize, &[Option<u8>]) -> bool,
    taken: &mut Taken,
    places: &mut [Option<u8>],
) {
    let readers = readers(function);
    if readers.is_empty() {
        return;
    }
    let mut of_reg: Vec<SmallVec<[u32; 2]>> = empty(places.len());
    for (number, reader) in (0u32..).zip(&readers) {
        for (reg, ..) in &reader.sources {
            of_reg[reg.0 as usize].push(number);
        }
    }
    let used = taken.all.iter().rposition(|own| !own.is_empty());
    let used = used.map_or(0, |last| last + 1);
    for reader in &readers {
        if cost(reader, places) == 0 {
            continue;
        }
        for (reg, ..) in &reader.sources {
            let number = reg.0 as usize;
            let Some(place) = places[number].map(usize::from) else {
                continue;
            };
            if function.data(*reg).lanes != 1 || stays(*reg, place, places) {
                continue;
            }
            let costs = |places: &[Option<u8>]| -> u64 {
                let own = of_reg[number].iter();
                own.map(|one| cost(&readers[*one as usize], places)).sum()
            };
            let now = costs(places);
            places[number] = Some((place ^ 1) as u8);
            let then = costs(places);
            places[number] = Some(place as u8);
            if then >= now {
                continue;
            }
            let wanted = segments.lane(*reg, 0);
            let mut others = (1 - place % 2..used).step_by(BANKS.into());
            let other = others.find(|other| {
                is_available(function, File::Register, *other as u8)
                    && taken.is_free(*other, wanted)
            });
            if let Some(other) = other {
                taken.release(place, 1, *reg);
                taken.take(other, wanted, *reg);
                places[number] = Some(other as u8);
                break;
            }
        }
    }
}

/// The cycles that an instruction takes more than it must, as often as it is executed.
fn cost(reader: &Reader, places: &[Option<u8>]) -> u64 {
    let mut banks = [0u8; BANKS as usize];
    for (reg, lane, lanes) in &reader.sources {
        let Some(place) = places[reg.0 as usize] else {
            return 0;
        };
        for one in 0..(*lanes).min(BANKS) {
            banks[usize::from(place + lane + one) % banks.len()] += 1;
        }
    }
    let most = banks.into_iter().max().unwrap_or(0);
    reader.rounds * u64::from(most.saturating_sub(reader.at_once))
}

/// The instructions that may have too many sources in one bank.
fn readers(function: &Function) -> Vec<Reader> {
    let mut all = Vec::new();
    for (block, rounds) in function.blocks.iter().zip(rounds(function)) {
        for inst in &block.insts {
            let sources = sources(inst);
            // What reads pairs at all places needs both banks alike.
            let at_once = inst.shape.issue().clamp(1, AT_ONCE);
            if sources.len() > usize::from(at_once) && sources.iter().any(|one| one.2 == 1) {
                all.push(Reader {
                    sources,
                    at_once,
                    rounds,
                });
            }
        }
    }
    all
}

/// The different registers that an instruction reads at the places that are read together.
fn sources(inst: &Inst) -> SmallVec<[Source; 3]> {
    let mut all: SmallVec<[Source; 3]> = SmallVec::new();
    let slots = inst.shape.accesses().iter().zip(&inst.operands);
    for (access, operand) in slots {
        let Op::Reg(reg, lane) = operand.op else {
            continue;
        };
        let slot = &inst.shape.slots()[usize::from(access.slot)];
        let source = (reg, lane, access.registers);
        if access.is_read && slot.reuse_place().is_some() && !all.contains(&source) {
            all.push(source);
        }
    }
    all
}
