//! Which lanes of virtual registers hold values that are still read.
//!
//! Backwards over blocks: `in = reads ∪ (out − writes)`, lane by lane. A write under a guard does not end what was there
//! before: a lane may read in the next round of a loop what it has written in the last one. It does where the guard says that
//! nobody reads it (`analysis/guarded.rs`). What was never written on any way is not live. Only registers that are live
//! across the end of some block get a number: most live inside one block, and sets stay small. In a function with very
//! many blocks they would still have the square of its size: there each lane is followed by itself, from where it is read
//! back to where it is written, and blocks have lists; what guards say and what was never written is left out there.

use crate::analysis::guarded::Guarded;
use crate::ir::{BlockId, File, Function, Inst, Reg, lane_mask};
use rustc_hash::FxHashSet;

/// For each block a set of lanes that are live across blocks, one after the other.
struct Sets {
    words: Vec<u64>,
    /// How many words a set has.
    size: usize,
}

impl Sets {
    fn new(blocks: usize, lanes: usize) -> Sets {
        let size = lanes.div_ceil(64);
        Sets {
            words: vec![0; blocks * size],
            size,
        }
    }

    fn of(&self, block: usize) -> &[u64] {
        &self.words[block * self.size..][..self.size]
    }

    fn of_mut(&mut self, block: usize) -> &mut [u64] {
        &mut self.words[block * self.size..][..self.size]
    }

    fn has(&self, block: usize, lane: usize) -> bool {
        has(self.of(block), lane)
    }

    fn members(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        self.of(block).iter().enumerate().flat_map(|(i, word)| {
            let mut bits = *word;
            std::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    64 * i + bit
                })
            })
        })
    }
}

fn has(set: &[u64], lane: usize) -> bool {
    set[lane / 64] >> (lane % 64) & 1 == 1
}

fn insert(set: &mut [u64], lane: usize) {
    set[lane / 64] |= 1 << (lane % 64);
}

fn remove(set: &mut [u64], lane: usize) {
    set[lane / 64] &= !(1 << (lane % 64));
}

/// What is live at the ends of blocks.
pub struct Liveness {
    /// For each register the number of its first lane among those that live across blocks.
    numbers: Vec<Option<u32>>,
    /// For each such number its register and lane.
    lanes: Vec<(Reg, u8)>,
    outs: Outs,
    /// The registers that may be read without having been written, in any order.
    exposed: Vec<Reg>,
    /// What is live where each block begins; nothing where that is not kept.
    ins: Option<Sets>,
    /// What may have been written where each block begins; nothing where that is not followed.
    defined: Option<Sets>,
}

/// The lanes that are live at the ends of blocks.
enum Outs {
    Sets(Sets),
    Lists(Lists),
}

/// Words that sets of bits may have for a function: beyond, lists are smaller.
const MOST_WORDS: usize = 1 << 14;

/// For each block a list of numbers in order, one after the other.
struct Lists {
    /// Where the list of each block begins, and where the last one ends.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    /// Lists of what stands behind blocks; for each block in the order in which it is given.
    fn of(blocks: usize, pairs: &[(u32, u32)]) -> Lists {
        let mut starts = vec![0u32; blocks + 1];
        for (block, _) in pairs {
            starts[*block as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut free = starts.clone();
        let mut all = vec![0; pairs.len()];
        for (block, one) in pairs {
            let at = &mut free[*block as usize];
            all[*at as usize] = *one;
            *at += 1;
        }
        Lists { starts, all }
    }

    fn list(&self, block: usize) -> &[u32] {
        &self.all[self.starts[block] as usize..self.starts[block + 1] as usize]
    }
}

impl Liveness {
    /// Finds what is live.
    pub fn of(function: &Function) -> Liveness {
        Liveness::with_sets_of(function, MOST_WORDS)
    }

    /// The same with sets if they have at most so many words.
    fn with_sets_of(function: &Function, most_words: usize) -> Liveness {
        let (numbers, lanes) = crossing(function);
        let size = lanes.len();
        let count = function.blocks.len();
        if count * size.div_ceil(64) > most_words {
            let (outs, exposed) = follow(function, &numbers, size);
            let outs = Outs::Lists(outs);
            let exposed = exposed.into_iter().map(|lane| lanes[lane].0).collect();
            return Liveness {
                numbers,
                lanes,
                outs,
                exposed,
                ins: None,
                defined: None,
            };
        }
        let mut outs = Sets::new(count, size);
        if size == 0 {
            let outs = Outs::Sets(outs);
            return Liveness {
                numbers,
                lanes,
                outs,
                exposed: Vec::new(),
                ins: None,
                defined: None,
            };
        }
        let mut ins = Sets::new(count, size);
        // What a block writes whatever guards say, and what it may write.
        let mut writes = Sets::new(count, size);
        let mut written = Sets::new(count, size);
        for (index, block) in function.blocks.iter().enumerate() {
            let insts = &block.insts;
            let (reads, writes) = (ins.of_mut(index), writes.of_mut(index));
            let is_plain = |inst: &Inst| inst.guard.is_none() || inst.writes().next().is_none();
            if insts.iter().all(is_plain) {
                for inst in insts.iter().rev() {
                    numbered(&numbers, inst.writes(), |lane| {
                        insert(writes, lane);
                        remove(reads, lane);
                    });
                    numbered(&numbers, inst.reads(), |lane| insert(reads, lane));
                }
                written.of_mut(index).copy_from_slice(writes);
                continue;
            }
            let own = written.of_mut(index);
            for inst in insts {
                numbered(&numbers, inst.writes(), |lane| insert(own, lane));
            }
            // What is live before the block depends on whether it is after it.
            go_back(function, insts, &numbers, reads);
            writes.fill(u64::MAX);
            go_back(function, insts, &numbers, writes);
            writes.iter_mut().for_each(|live| *live = !*live);
        }
        let predecessors = function.predecessors();
        let mut work: Vec<BlockId> = function.block_ids().collect();
        let mut waiting = vec![true; count];
        while let Some(block) = work.pop() {
            let index = block.index();
            waiting[index] = false;
            let out = outs.of_mut(index);
            for next in function.successors(block) {
                for (out, new) in out.iter_mut().zip(ins.of(next.index())) {
                    *out |= new;
                }
            }
            let mut changed = false;
            let own = ins.of_mut(index).iter_mut();
            for ((own, out), written) in own.zip(&*out).zip(writes.of(index)) {
                let live = out & !written;
                changed |= live & !*own != 0;
                *own |= live;
            }
            if changed {
                for before in &predecessors[index] {
                    if !waiting[before.index()] {
                        waiting[before.index()] = true;
                        work.push(*before);
                    }
                }
            }
        }
        let exposed = ins.members(0).map(|lane| lanes[lane].0).collect();
        let defined = defined(function, &lanes, &written);
        let both = defined.words.iter().zip(&written.words);
        for (live, (before, here)) in outs.words.iter_mut().zip(both) {
            *live &= before | here;
        }
        for (live, defined) in ins.words.iter_mut().zip(&defined.words) {
            *live &= defined;
        }
        Liveness {
            numbers,
            lanes,
            outs: Outs::Sets(outs),
            exposed,
            ins: Some(ins),
            defined: Some(defined),
        }
    }

    /// The registers of which a lane may be read without having been written, maybe more than once.
    pub fn exposed(&self) -> &[Reg] {
        &self.exposed
    }

    /// Whether a lane may have been written where a block begins.
    pub fn is_defined_at(&self, block: BlockId, reg: Reg, lane: u8) -> bool {
        let known = self.numbers[reg.0 as usize].zip(self.defined.as_ref());
        known.is_none_or(|(first, defined)| {
            defined.has(block.index(), first as usize + usize::from(lane))
        })
    }

    /// The lanes that are live at the end of a block.
    pub fn out(&self, block: BlockId) -> impl Iterator<Item = (Reg, u8)> + '_ {
        let (sets, list) = match &self.outs {
            Outs::Sets(sets) => (Some(sets), &[][..]),
            Outs::Lists(lists) => (None, lists.list(block.index())),
        };
        let members = sets.into_iter();
        let members = members.flat_map(move |sets| sets.members(block.index()));
        let listed = list.iter().map(|number| *number as usize);
        members.chain(listed).map(|number| self.lanes[number])
    }

    /// Whether a lane is known to be live at the beginning of a block.
    pub fn is_live_in(&self, block: BlockId, reg: Reg, lane: u8) -> bool {
        let known = self.numbers[reg.0 as usize].zip(self.ins.as_ref());
        known.is_some_and(|(first, ins)| ins.has(block.index(), first as usize + usize::from(lane)))
    }

    /// The registers of which a lane is live at the beginning of a block.
    pub fn registers_in(&self, function: &Function, block: BlockId) -> FxHashSet<Reg> {
        let mut live: FxHashSet<(Reg, u8)> = self.out(block).collect();
        let lanes =
            |(reg, lane, count): (Reg, u8, u8)| (lane..lane + count).map(move |one| (reg, one));
        for inst in function.blocks[block.index()].insts.iter().rev() {
            if inst.guard.is_none() {
                for written in inst.writes().flat_map(lanes) {
                    live.remove(&written);
                }
            }
            live.extend(inst.reads().flat_map(lanes));
        }
        live.into_iter().map(|one| one.0).collect()
    }

    /// Whether a lane is live at the end of a block.
    pub fn is_live_out(&self, block: BlockId, reg: Reg, lane: u8) -> bool {
        let first = self.numbers[reg.0 as usize];
        first.is_some_and(|first| {
            let lane = first as usize + usize::from(lane);
            match &self.outs {
                Outs::Sets(sets) => sets.has(block.index(), lane),
                Outs::Lists(lists) => {
                    let list = lists.list(block.index());
                    list.binary_search(&(lane as u32)).is_ok()
                }
            }
        })
    }
}

/// Goes back over the instructions of a block with what is live after it.
fn go_back(function: &Function, insts: &[Inst], numbers: &[Option<u32>], live: &mut [u64]) {
    let mut guarded = Guarded::default();
    for inst in insts.iter().rev() {
        guarded.before(inst);
        // Most registers live in one block and have no number.
        for (reg, lane, count) in inst.writes() {
            let Some(first) = numbers[reg.0 as usize] else {
                continue;
            };
            for lane in lane..lane + count {
                let number = first as usize + usize::from(lane);
                if has(live, number) && guarded.write(function, reg, lane, inst.guard) {
                    remove(live, number);
                }
            }
        }
        for (reg, lane, count) in inst.reads() {
            let Some(first) = numbers[reg.0 as usize] else {
                continue;
            };
            for lane in lane..lane + count {
                let number = first as usize + usize::from(lane);
                guarded.read(function, (reg, lane), inst.guard, has(live, number));
                insert(live, number);
            }
        }
    }
}

/// For each block what may have been written where it begins. Uniform registers and barriers belong to the warp: another side
/// of a branch may have written them.
fn defined(function: &Function, lanes: &[(Reg, u8)], written: &Sets) -> Sets {
    let count = function.blocks.len();
    let mut entry = vec![0; written.size];
    for (number, (reg, _)) in lanes.iter().enumerate() {
        if !matches!(function.data(*reg).file, File::Register | File::Predicate) {
            insert(&mut entry, number);
        }
    }
    let mut all = Sets::new(count, lanes.len());
    if count > 0 {
        all.of_mut(0).copy_from_slice(&entry);
    }
    // Blocks that nothing leads to are walked once, too.
    let mut work: Vec<BlockId> = function.block_ids().rev().collect();
    let mut waiting = vec![true; count];
    let mut after = vec![0; written.size];
    while let Some(block) = work.pop() {
        let index = block.index();
        waiting[index] = false;
        let here = all.of(index).iter().zip(written.of(index)).zip(&entry);
        for (after, ((before, here), entry)) in after.iter_mut().zip(here) {
            *after = before | here | entry;
        }
        for next in function.successors(block) {
            let mut changed = false;
            for (own, new) in all.of_mut(next.index()).iter_mut().zip(&after) {
                changed |= new & !*own != 0;
                *own |= new;
            }
            if changed && !waiting[next.index()] {
                waiting[next.index()] = true;
                work.push(next);
            }
        }
    }
    all
}

/// Follows each lane from the blocks that read it back to those that write it: where it is live at the ends of blocks, and the
/// lanes that are at the beginning of the function.
fn follow(function: &Function, numbers: &[Option<u32>], lanes: usize) -> (Lists, Vec<usize>) {
    let count = function.blocks.len();
    // The blocks that read a lane before they write it, and those that write it.
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    // For each lane the last block that did.
    let (mut reader, mut writer) = (vec![u32::MAX; lanes], vec![u32::MAX; lanes]);
    for block in function.block_ids() {
        for inst in &function.blocks[block.index()].insts {
            numbered(numbers, inst.reads(), |lane| {
                if writer[lane] != block.0 && reader[lane] != block.0 {
                    reader[lane] = block.0;
                    reads.push((lane as u32, block.0));
                }
            });
            if inst.guard.is_some() {
                continue;
            }
            numbered(numbers, inst.writes(), |lane| {
                if writer[lane] != block.0 {
                    writer[lane] = block.0;
                    writes.push((lane as u32, block.0));
                }
            });
        }
    }
    let (reads, writes) = (Lists::of(lanes, &reads), Lists::of(lanes, &writes));
    let predecessors = function.predecessors();
    // For each block the last lane that was found live where it begins, where it ends, and that it writes.
    let (mut begins, mut ends) = (vec![u32::MAX; count], vec![u32::MAX; count]);
    let mut written = vec![u32::MAX; count];
    let (mut outs, mut exposed) = (Vec::new(), Vec::new());
    let mut work = Vec::new();
    for lane in 0..lanes {
        let own = lane as u32;
        for block in writes.list(lane) {
            written[*block as usize] = own;
        }
        for block in reads.list(lane) {
            begins[*block as usize] = own;
            work.push(*block);
        }
        while let Some(block) = work.pop() {
            for before in &predecessors[block as usize] {
                let at = before.index();
                if std::mem::replace(&mut ends[at], own) == own {
                    continue;
                }
                outs.push((before.0, own));
                if written[at] != own && std::mem::replace(&mut begins[at], own) != own {
                    work.push(before.0);
                }
            }
        }
        if begins.first() == Some(&own) {
            exposed.push(lane);
        }
    }
    (Lists::of(count, &outs), exposed)
}

/// Goes through the numbers of lanes.
fn numbered(
    numbers: &[Option<u32>],
    accesses: impl Iterator<Item = (Reg, u8, u8)>,
    mut each: impl FnMut(usize),
) {
    accesses.for_each(|(reg, lane, count)| {
        // Most registers live in one block and have no number.
        if let Some(first) = numbers[reg.0 as usize] {
            let first = first as usize + usize::from(lane);
            (first..first + usize::from(count)).for_each(&mut each);
        }
    });
}

/// The registers that are read in some block before that block has written all that is read, with numbers for lanes.
fn crossing(function: &Function) -> (Vec<Option<u32>>, Vec<(Reg, u8)>) {
    let count = function.regs.len();
    let mut crosses = vec![false; count];
    // For each register the block that wrote it last, and of wide ones the lanes that it has written: most have one lane.
    let mut writer = vec![u32::MAX; count];
    let mut written = vec![0u128; count];
    for block in function.block_ids() {
        for inst in &function.blocks[block.index()].insts {
            inst.reads().for_each(|(reg, lane, count)| {
                let at = reg.0 as usize;
                let is_own = writer[at] == block.0
                    && (function.regs[at].lanes == 1 || {
                        let lanes = lane_mask(lane, count);
                        written[at] & lanes == lanes
                    });
                crosses[at] |= !is_own;
            });
            // What a guarded write leaves is from before.
            if inst.guard.is_some() {
                continue;
            }
            inst.writes().for_each(|(reg, lane, count)| {
                let at = reg.0 as usize;
                let is_first = std::mem::replace(&mut writer[at], block.0) != block.0;
                if function.regs[at].lanes > 1 {
                    let before = if is_first { 0 } else { written[at] };
                    written[at] = before | lane_mask(lane, count);
                }
            });
        }
    }
    let mut numbers = vec![None; function.regs.len()];
    let mut lanes = Vec::new();
    for (index, crosses) in crosses.iter().enumerate() {
        if *crosses {
            numbers[index] = Some(lanes.len() as u32);
            let reg = Reg(index as u32);
            lanes.extend((0..function.data(reg).lanes).map(|lane| (reg, lane)));
        }
    }
    (numbers, lanes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::SourceFile;

    /// A loop with a side, a pair of which one lane is written again, and a write under a guard.
    const TEXT: &str = ".kernel k on sm_90a
.frame 0, align 16, base R1
.regs %r0, %r1:2, %p2, %r3, %r4
.L0:
    S2R %r0, SR_TID.X
    MOV %r3, RZ
    MOV %r1.0, %r0
    MOV %r1.1, %r0
    ISETP.EQ.AND %p2, PT, %r0, RZ, PT
.L1:
    @%p2 BRA .L3
.L2:
    MOV %r1.1, %r3
    @%p2 MOV %r4, %r3
.L3:
    IADD3 %r3, %r3, %r0, RZ
    STG.E desc[UR4][%r1.0.64], %r3
    ISETP.LT.AND %p2, PT, %r3, %r0, PT
    @%p2 BRA .L1
.L4:
    STG.E desc[UR4][%r1.0.64], %r4
    EXIT
";

    #[test]
    fn lists_have_what_sets_have() {
        let file = SourceFile::new("k.mir", TEXT).expect("a short text");
        let read = crate::ir::parse(&file);
        assert!(read.value.is_some(), "{:?}", read.diagnostics);
        let functions = read.value.expect("a function");
        let function = &functions[0];
        let sets = Liveness::of(function);
        let lists = Liveness::with_sets_of(function, 0);
        assert!(matches!(sets.outs, Outs::Sets(_)) && matches!(lists.outs, Outs::Lists(_)));
        let mut seen = 0;
        for block in function.block_ids() {
            let own: Vec<_> = sets.out(block).collect();
            // What no way has written before is in the lists alone.
            let more: Vec<_> = lists.out(block).collect();
            let missing = own.iter().find(|one| !more.contains(one));
            assert_eq!(missing, None);
            let unwritten = Reg(4);
            let known = more.iter().filter(|one| one.0 != unwritten);
            assert!(known.eq(own.iter().filter(|one| one.0 != unwritten)));
            for (index, data) in function.regs.iter().enumerate() {
                for lane in 0..data.lanes {
                    let one = (Reg(index as u32), lane);
                    assert_eq!(lists.is_live_out(block, one.0, lane), more.contains(&one));
                    assert_eq!(sets.is_live_out(block, one.0, lane), own.contains(&one));
                }
            }
            seen += own.len();
        }
        assert!(seen > 10, "{seen}");
    }
}
