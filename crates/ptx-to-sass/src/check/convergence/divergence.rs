//! Where lanes may have parted, and which registers may differ between them.

use super::local::{Frame, Kept, Words};
use super::{Condition, Known, Maker, What, condition};
use crate::check::changed::Changed;
use crate::check::flow::is_conditional;
use crate::{abi, ir};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use warpc_sass::latency::{Access, Effects, File};
use warpc_sass::shape::{Shape, Space, Traits};
use warpc_sass::{Inst, Operand, Value, special};

/// The lanes at a place in the code.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Lanes {
    /// The first branch of this function at which they may have parted.
    parted: Option<usize>,
    /// Whether they may have parted before this function was called.
    inherited: Option<usize>,
    /// Those for which this holds are together, though others may not be.
    gathered: Option<Condition>,
    /// The registers, and then the predicates, that may differ.
    differ: [u64; 5],
    /// For registers what they were last given on all ways, if that is always the same, by its number. Lanes that are apart
    /// may not all have it; once the whole warp is together, they do not differ.
    fixed: BTreeMap<u8, u32>,
    /// The registers that have the number of the thread in the first dimension of its block.
    threads: [u64; 4],
    /// What is known of words of local memory.
    frame: Frame,
}

/// Instructions that give all lanes the same, whenever they execute them, numbered: moves of numbers, and words of the constant
/// bank.
pub(super) fn constants(insts: &[Inst]) -> Vec<Option<u32>> {
    let mut numbers: FxHashMap<(*const Shape, SmallVec<[Operand; 6]>), u32> = FxHashMap::default();
    let number = |inst: &Inst| {
        let is_plain = matches!(inst.shape.opcode(), "MOV" | "LDC");
        let effects = is_plain.then(|| Effects::of(inst))?;
        if effects.accesses.iter().any(|access| !access.is_write()) {
            return None;
        }
        // What it writes may be in another register each time.
        let read = inst.operands.iter().skip(1).copied();
        let next = numbers.len() as u32;
        let operands = read.collect();
        Some(*numbers.entry((inst.shape, operands)).or_insert(next))
    };
    insts.iter().map(number).collect()
}

/// Special registers that are the same for all lanes of a warp.
const SAME: &[&str] = &[
    "SR_VIRTCFG",
    "SR_VIRTID",
    "SR_CTAID.X",
    "SR_CTAID.Y",
    "SR_CTAID.Z",
    "SR_NTID",
    "SR_LWINHI",
    "SR_SWINHI",
    "SR_SWINLO",
    "SR_SWINSZ",
    "SR_SMEMSZ",
    "SR_LWINLO",
    "SR_LWINSZ",
    "SR_VIRTUALSMID",
    "SR_WARPGROUPID",
    "SR_CgaCtaId",
    "SR_GpcLocalCgaId",
    "SR_CgaSize",
    "SR_CTARegPoolSz",
    "SRZ",
];

impl Lanes {
    /// Adds what may be on another way; whether it changed.
    pub fn join(&mut self, other: &Lanes) -> bool {
        let before = self.clone();
        self.parted = first(self.parted, other.parted);
        self.inherited = first(self.inherited, other.inherited);
        if self.gathered != other.gathered {
            self.gathered = None;
        }
        for (own, other) in self.differ.iter_mut().zip(other.differ) {
            *own |= other;
        }
        for (own, other) in self.threads.iter_mut().zip(other.threads) {
            *own &= other;
        }
        self.fixed
            .retain(|number, value| other.fixed.get(number) == Some(value));
        self.frame.join(&other.frame);
        *self != before
    }

    /// Whether the whole warp is together.
    pub fn is_whole(&self) -> bool {
        self.parted.is_none() && self.inherited.is_none()
    }

    /// The whole warp is together.
    pub fn meet(&mut self) {
        self.parted = None;
        self.inherited = None;
        for number in self.fixed.keys().copied() {
            self.differ[usize::from(number) / 64] &= !(1 << (number % 64));
        }
    }

    /// The lanes at the start of a function that is called here.
    pub fn called(&self) -> Lanes {
        Lanes {
            parted: None,
            inherited: first(self.parted, self.inherited),
            ..self.clone()
        }
    }

    /// What is left of them after a function returned.
    pub fn returned(&mut self, lanes: &Lanes) {
        self.parted = first(self.parted, lanes.parted);
    }

    /// After a call, every register may differ that the functions change and need not keep.
    pub fn forget_values(&mut self, changed: &Changed) {
        for number in 0..=u8::MAX {
            // The stack register is given back, too.
            let is_kept = number == 1 || abi::is_kept(ir::File::Register, number);
            if !is_kept && changed.has_register(number) {
                let (place, bit) = (usize::from(number) / 64, 1 << (number % 64));
                self.differ[place] |= bit;
                self.threads[place] &= !bit;
                self.fixed.remove(&number);
            }
        }
        for number in (0..8).filter(|one| changed.has_predicate(*one)) {
            self.differ[4] |= 1 << number;
        }
    }

    /// Tells if the whole warp must be together and may not be.
    pub fn judge(&self, inst: &Inst, maker: Maker, report: &mut dyn FnMut(What)) {
        let gathered = self.gathered.as_ref();
        let is_barrier = maker == Maker::Own && inst.shape.opcode() == "BAR";
        let needs_warp = needs_warp(inst) || is_barrier;
        let Some(by) = first(self.parted, self.inherited).filter(|_| needs_warp) else {
            return;
        };
        if gathered.is_none_or(|gathered| *gathered != condition(inst)) {
            report(What::Diverged { by });
        }
    }

    /// Steps over an instruction, which may move a spilled value.
    pub fn step(&mut self, at: usize, inst: &Inst, known: Known) {
        let effects = Effects::of(inst);
        if gathers_all(inst) {
            match is_conditional(inst) {
                true => self.gathered = Some(condition(inst)),
                false => self.meet(),
            }
        }
        let changes = |gathered: &Condition| {
            let mut writes = effects.accesses.iter().filter(|access| access.is_write());
            writes.any(|write| {
                gathered
                    .iter()
                    .any(|one| (write.file, write.first) == (one.0, one.1))
            })
        };
        self.gathered = self.gathered.take().filter(|gathered| !changes(gathered));
        let warps = self.asks_for_warps(inst, &effects);
        let reads = effects.accesses.iter().filter(|access| !access.is_write());
        let mut reads = reads.filter(|access| !(warps && access.file == File::Register));
        let parted = !self.is_whole();
        // All lanes get the same, whatever they bring.
        let votes = inst.shape.opcode() == "VOTE" && !effects.guarded;
        let some = parted
            || comes_from_lane(inst)
            || !votes
                && reads.any(|access| {
                    let mut numbers = access.numbers();
                    numbers.any(|number| self.differs(access.file, number))
                });
        self.note_threads(inst, &effects);
        self.note_fixed(&effects, known.constant);
        for access in effects.accesses.iter().filter(|access| access.is_write()) {
            for one in access
                .numbers()
                .filter_map(|number| index(access.file, number))
            {
                let bit = 1 << (one % 64);
                match some {
                    true => self.differ[one / 64] |= bit,
                    false if !effects.guarded => self.differ[one / 64] &= !bit,
                    false => {}
                }
            }
        }
        self.follow_frame(inst, &effects, parted, known.is_spill);
        if !is_way(inst) {
            return;
        }
        let parts = self.parts_at(inst);
        self.gathered = None;
        if parts && self.parted.is_none() {
            self.parted = Some(at);
        }
    }

    /// Loads and stores of words of the frame.
    fn follow_frame(&mut self, inst: &Inst, effects: &Effects, parted: bool, is_spill: bool) {
        let mut condition = condition(inst).into_iter();
        let some = condition.any(|(file, number, _)| self.differs(file, number));
        let (differ, threads) = (self.differ, self.threads);
        let bit = |all: &[u64], number: u8| all[usize::from(number) / 64] >> (number % 64) & 1 == 1;
        let known = |number: u8| Kept {
            same: !bit(&differ, number),
            thread: bit(&threads, number),
            is_spilled: is_spill,
        };
        let is_for_all = !parted && !some;
        self.frame.step(inst, effects, is_for_all, known);
        if inst.shape.opcode() != "LDL" || !is_for_all || effects.guarded {
            return;
        }
        for (word, register) in Words::of(inst).iter().flat_map(Words::each) {
            let (kept, Some(number)) = (self.frame.get(word), register) else {
                continue;
            };
            let (place, bit) = (usize::from(number) / 64, 1 << (number % 64));
            if kept.same {
                self.differ[place] &= !bit;
            }
            if kept.thread {
                self.threads[place] |= bit;
            }
        }
    }

    /// Whether a register or predicate may differ.
    fn differs(&self, file: File, number: u8) -> bool {
        index(file, number).is_some_and(|one| self.differ[one / 64] >> (one % 64) & 1 == 1)
    }

    /// Whether lanes may part at an instruction.
    pub fn parts_at(&self, inst: &Inst) -> bool {
        if !is_way(inst) {
            return false;
        }
        let mut asked = condition(inst).into_iter();
        asked.any(|(file, number, _)| self.differs(file, number))
            || matches!(inst.shape.opcode(), "BRX" | "JMX")
                && Effects::of(inst).accesses.iter().any(|access| {
                    let mut numbers = access.numbers();
                    numbers.any(|number| self.differs(access.file, number))
                })
    }
}

/// The place of a register or predicate among those that may differ.
fn index(file: File, number: u8) -> Option<usize> {
    match file {
        File::Register => Some(usize::from(number)),
        File::Predicate => Some(256 + usize::from(number)),
        File::Uniform | File::UniformPredicate => None,
    }
}

/// Whether lanes may go on elsewhere, and not all together. With `.U`, all lanes go the same way.
fn is_way(inst: &Inst) -> bool {
    let traits = inst.shape.traits();
    traits.intersects(Traits::BRANCHES)
        && inst.shape.opcode() != "BSYNC"
        && !traits.contains(Traits::EXITS)
        && !inst.shape.has("U")
}

impl Lanes {
    /// Notes which registers have the number of the thread.
    fn note_threads(&mut self, inst: &Inst, effects: &Effects) {
        let is_thread = inst.shape.opcode() == "S2R"
            && inst.values().any(|value| match value {
                Value::Special(number) => special::name(number) == "SR_TID.X",
                _ => false,
            });
        let writes = effects.accesses.iter();
        let writes = writes.filter(|access| access.is_write() && access.file == File::Register);
        for number in writes.flat_map(Access::numbers).map(usize::from) {
            let bit = 1 << (number % 64);
            match is_thread && !effects.guarded {
                true => self.threads[number / 64] |= bit,
                false => self.threads[number / 64] &= !bit,
            }
        }
    }

    /// Notes which registers have what always is the same.
    fn note_fixed(&mut self, effects: &Effects, constant: Option<u32>) {
        let writes = effects.accesses.iter();
        let writes = writes.filter(|access| access.is_write() && access.file == File::Register);
        let constant = constant.filter(|_| !effects.guarded);
        for number in writes.flat_map(Access::numbers) {
            match constant {
                Some(constant) => self.fixed.insert(number, constant),
                None => self.fixed.remove(&number),
            };
        }
    }

    /// Whether an instruction finds the same for all lanes in the number of the thread: it compares it with a multiple of
    /// 32, or divides it by one. Whole warps are on one side, if the block has one dimension, which code alone does not
    /// tell. Source: kernels of Triton for sm_100 as ptxas assembles them; `.reqntid` says there that it is so.
    fn asks_for_warps(&self, inst: &Inst, effects: &Effects) -> bool {
        let shape = inst.shape;
        if !matches!(shape.opcode(), "ISETP" | "SHF") {
            return false;
        }
        let reads = effects.accesses.iter();
        let mut reads = reads.filter(|one| !one.is_write() && one.file == File::Register);
        let (Some(read), None) = (reads.next(), reads.next()) else {
            return false;
        };
        let number = read.first;
        let is_thread = self.threads[usize::from(number) / 64] >> (number % 64) & 1 == 1;
        let bound = inst.values().find_map(Value::number);
        let is_same = bound.is_some_and(|bound| match shape.opcode() {
            "SHF" => shape.has("R") && bound >= 5,
            _ if shape.has("GE") || shape.has("LT") => bound % 32 == 0,
            _ => (shape.has("GT") || shape.has("LE")) && bound % 32 == 31,
        });
        is_thread && is_same
    }
}

fn first(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Whether the results of an instruction may differ between lanes though its operands do not.
fn comes_from_lane(inst: &Inst) -> bool {
    let shape = inst.shape;
    let space = shape.memory().space;
    if shape.traits().contains(Traits::READS_SPECIAL) {
        return inst.values().any(|value| match value {
            Value::Special(number) => !SAME.contains(&&*special::name(number)),
            _ => false,
        });
    }
    match shape.opcode() {
        "VOTE" | "VOTEU" | "REDUX" | "CREDUX" | "R2UR" => false,
        "SHFL" | "MATCH" | "ELECT" | "B2R" | "MOVM" | "BMOV" => true,
        "HMMA" | "IMMA" | "BMMA" | "DMMA" | "QMMA" | "HGMMA" | "IGMMA" | "BGMMA" | "QGMMA" => true,
        // One instruction of all lanes on one address: they get the same. What is not so is what a thread has for
        // itself, and operations that come one after the other.
        "LDG" | "LDS" => false,
        "SYNCS" => !shape.has("PHASECHK"),
        _ => !matches!(space, Space::None | Space::Constant),
    }
}

/// Whether all lanes of the warp that have not ended wait for each other: `WARPSYNC.ALL`, and on older chips
/// `WARPSYNC 0xffffffff`.
pub(super) fn gathers_all(inst: &Inst) -> bool {
    let all = |value: Value| value.number().is_some_and(|mask| mask as u32 == u32::MAX);
    inst.shape.opcode() == "WARPSYNC"
        && (inst.shape.modifiers().eq(["ALL"])
            || inst.shape.modifiers().next().is_none() && inst.values().any(all))
}

/// Operations that a lane which is missing makes wrong: matrices, which all lanes hold parts of, and what warps of a
/// warpgroup or of a cluster do as a whole. Barriers of a block are not among them: ptxas puts them where lanes have
/// parted, too.
const WHOLE_WARP: &[&str] = &[
    "HMMA",
    "IMMA",
    "BMMA",
    "DMMA",
    "QMMA",
    "OMMA",
    "MOVM",
    "LDSM",
    "STSM",
    "LDTM",
    "STTM",
    "HGMMA",
    "IGMMA",
    "BGMMA",
    "QGMMA",
    "WARPGROUP",
    "USETMAXREG",
    "UCGABAR_ARV",
    "UCGABAR_WAIT",
];

fn needs_warp(inst: &Inst) -> bool {
    WHOLE_WARP.contains(&inst.shape.opcode())
}
