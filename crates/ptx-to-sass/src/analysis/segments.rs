//! Where in the code each lane of a virtual register holds something that is still needed.
//!
//! Code is numbered in order: an instruction reads at `2 i` and writes at `2 i + 1`. A lane has segments, from the first
//! number to before the last, with holes between them. What a product of a warpgroup reads and writes is needed until a
//! wait for it.

use crate::analysis::empty;
use crate::analysis::guarded::Guarded;
use crate::analysis::in_flight::InFlight;
use crate::analysis::liveness::Liveness;
use crate::analysis::sides;
use crate::ir::{File, Function, Inst, Reg};
use smallvec::SmallVec;

/// From the first number to before the last.
pub type Segment = (u32, u32);

/// The segments of a lane: most have one.
pub type Lane = SmallVec<[Segment; 2]>;

/// The segments of all lanes.
pub struct Segments {
    /// For each register the number of its first lane.
    first: Vec<u32>,
    lanes: Vec<Lane>,
}

impl Segments {
    /// The segments of a function's registers.
    pub fn of(function: &Function) -> Segments {
        let mut segments = Segments::of_reads(function);
        if let Some(in_flight) = InFlight::of(function) {
            in_flight.each_segment(function, |reg, lane, lanes, segment| {
                for one in lane..lane + lanes {
                    let at = segments.index(reg, one);
                    segments.lanes[at].push(segment);
                }
            });
            segments.join();
        }
        segments.keep_uniform_tuples(function);
        segments
    }

    /// A tuple of uniform registers is one value: descriptors and coordinates are read as a whole, whatever an instruction
    /// names of them.
    fn keep_uniform_tuples(&mut self, function: &Function) {
        for (number, data) in function.regs.iter().enumerate() {
            if data.file != File::Uniform || data.lanes < 2 {
                continue;
            }
            let first = self.first[number] as usize;
            let lanes = first..first + usize::from(data.lanes);
            let own = self.lanes[lanes.clone()].iter().flatten();
            let mut all: Lane = own.copied().collect();
            join(&mut all);
            self.lanes[lanes].fill(all);
        }
    }

    /// The same without regard to what is still under way.
    pub fn of_reads(function: &Function) -> Segments {
        let liveness = Liveness::of(function);
        let mut first = Vec::with_capacity(function.regs.len());
        let mut count = 0;
        for reg in &function.regs {
            first.push(count);
            count += u32::from(reg.lanes);
        }
        let mut all = Segments {
            first,
            lanes: empty(count as usize),
        };
        let mut starts = Vec::with_capacity(function.blocks.len());
        let mut at = 0u32;
        for block in &function.blocks {
            starts.push(at);
            at += block.insts.len() as u32;
        }
        // For each lane that is live where that ends; zero for the others.
        let mut live: Vec<u32> = vec![0; count as usize];
        let mut open: Vec<(usize, Reg, u8)> = Vec::new();
        // For each of them where it was last touched on the way back.
        let mut touched: Vec<u32> = vec![0; count as usize];
        let mut guarded = Guarded::default();
        for block in function.block_ids().rev() {
            let insts = &function.blocks[block.index()].insts;
            let start = starts[block.index()];
            let end = 2 * (start + insts.len() as u32);
            for (reg, lane) in liveness.out(block) {
                let index = all.index(reg, lane);
                live[index] = end.max(1);
                touched[index] = end.max(1) - 1;
                open.push((index, reg, lane));
            }
            guarded.clear();
            for (index, inst) in insts.iter().enumerate().rev() {
                let at = 2 * (start + index as u32);
                guarded.before(inst);
                for (reg, lane, lanes) in inst.writes() {
                    for one in lane..lane + lanes {
                        let lane = all.index(reg, one);
                        if live[lane] == 0 {
                            // What nobody reads is written all the same.
                            all.lanes[lane].push((at + 1, at + 2));
                        } else if guarded.write(function, reg, one, inst.guard) {
                            all.lanes[lane].push((at + 1, live[lane]));
                            live[lane] = 0;
                        } else {
                            touched[lane] = at + 1;
                        }
                    }
                }
                let last = at + 1 + u32::from(reads_again(inst));
                for (reg, lane, lanes) in inst.reads() {
                    for one in lane..lane + lanes {
                        let lane = all.index(reg, one);
                        guarded.read(function, (reg, one), inst.guard, live[lane] != 0);
                        if live[lane] == 0 {
                            live[lane] = last;
                            open.push((lane, reg, one));
                        }
                        touched[lane] = at;
                    }
                }
            }
            for (lane, reg, one) in open.drain(..) {
                if live[lane] != 0 {
                    // What was never written before is there from where the block touches it first.
                    let start = match liveness.is_defined_at(block, reg, one) {
                        true => 2 * start,
                        false => touched[lane],
                    };
                    all.lanes[lane].push((start, live[lane]));
                    live[lane] = 0;
                }
            }
        }
        // What is uniform belongs to all lanes of the warp, wherever they are.
        sides::widen(function, &liveness, &starts, &mut |reg, segment| {
            for lane in 0..function.data(reg).lanes {
                let lane = all.index(reg, lane);
                all.lanes[lane].push(segment);
            }
        });
        all.join();
        all
    }

    /// The number of a lane among all.
    fn index(&self, reg: Reg, lane: u8) -> usize {
        self.first[reg.0 as usize] as usize + usize::from(lane)
    }

    /// The segments of a lane, in order.
    pub fn lane(&self, reg: Reg, lane: u8) -> &[Segment] {
        &self.lanes[self.index(reg, lane)]
    }

    /// The segments of each lane of a register.
    pub fn lanes(&self, function: &Function, reg: Reg) -> &[Lane] {
        let first = self.first[reg.0 as usize] as usize;
        &self.lanes[first..first + usize::from(function.data(reg).lanes)]
    }

    /// Puts the segments of each lane in order, and those that touch each other together.
    fn join(&mut self) {
        self.lanes.iter_mut().for_each(join);
    }
}

fn join(segments: &mut Lane) {
    if segments.len() < 2 {
        return;
    }
    segments.sort_unstable();
    segments.dedup_by(|next, before| {
        let touches = next.0 <= before.1;
        if touches {
            before.1 = before.1.max(next.1);
        }
        touches
    });
}

/// Whether an instruction may read its operands again after it has written its result for some lanes: the result is in
/// none of their registers. Source: an H200 lost updates where the result of a spinning compare-and-swap was where the
/// compared value is (ptxas does that once in 446 of them). Products of doubles take long, and ptxas keeps them apart.
fn reads_again(inst: &Inst) -> bool {
    inst.shape.has("SPIN") || inst.shape.opcode() == "DMMA"
}
