//! The lanes that each instruction of a function reads and writes, each once: what is live is counted for many orders of the
//! same instructions, and shapes need not be asked for that again and again.

use crate::ir::{File, Function, Reg};

/// A lane that an instruction reads or writes.
#[derive(Clone, Copy)]
pub(super) struct Touch {
    /// Its number among the lanes of all registers.
    pub(super) at: u32,
    /// Its register.
    pub(super) reg: Reg,
    /// Its number in the register.
    pub(super) lane: u8,
    /// How often the instruction reads it.
    pub(super) times: u8,
    /// Whether it is of a register, and whether it is a predicate.
    pub(super) is_register: bool,
    pub(super) is_predicate: bool,
    /// Whether a lane that is read is written by the same instruction.
    pub(super) is_written: bool,
    /// Whether it is live after the stretch that the instruction is in.
    pub(super) outlives: bool,
}

/// The lanes of all instructions.
pub(super) struct Touched {
    all: Vec<Touch>,
    /// For each instruction where what it reads and what it writes begins; at the end, where the last one ends.
    starts: Vec<[u32; 2]>,
    /// For each block the number of its first instruction.
    blocks: Vec<u32>,
}

impl Touched {
    /// The lanes of a function, where lanes of registers have numbers from these on.
    pub(super) fn of(function: &Function, first: &[u32], lanes: usize) -> Touched {
        let count: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
        let mut all: Vec<Touch> = Vec::with_capacity(4 * count);
        let mut starts = Vec::with_capacity(count + 1);
        let mut blocks = Vec::with_capacity(function.blocks.len());
        // For each lane where it was read and written last.
        let mut read = vec![u32::MAX; lanes];
        let mut written = vec![u32::MAX; lanes];
        for block in &function.blocks {
            blocks.push(starts.len() as u32);
            for inst in &block.insts {
                let begin = all.len() as u32;
                inst.reads().for_each(|(reg, lane, count)| {
                    let file = function.data(reg).file;
                    for lane in lane..lane + count {
                        let at = first[reg.0 as usize] + u32::from(lane);
                        let own = &mut read[at as usize];
                        if *own != u32::MAX && *own >= begin {
                            all[*own as usize].times += 1;
                            continue;
                        }
                        *own = all.len() as u32;
                        all.push(Touch {
                            at,
                            reg,
                            lane,
                            times: 1,
                            is_register: file == File::Register,
                            is_predicate: file == File::Predicate,
                            is_written: false,
                            outlives: false,
                        });
                    }
                });
                let middle = all.len() as u32;
                inst.writes().for_each(|(reg, lane, count)| {
                    let file = function.data(reg).file;
                    for lane in lane..lane + count {
                        let at = first[reg.0 as usize] + u32::from(lane);
                        let own = &mut written[at as usize];
                        if *own != u32::MAX && *own >= begin {
                            continue;
                        }
                        *own = all.len() as u32;
                        let earlier = read[at as usize];
                        let mut times = 0;
                        if earlier != u32::MAX && earlier >= begin {
                            let earlier = &mut all[earlier as usize];
                            earlier.is_written = true;
                            times = earlier.times;
                        }
                        all.push(Touch {
                            at,
                            reg,
                            lane,
                            times,
                            is_register: file == File::Register,
                            is_predicate: file == File::Predicate,
                            is_written: true,
                            outlives: false,
                        });
                    }
                });
                starts.push([begin, middle]);
            }
        }
        let end = all.len() as u32;
        starts.push([end, end]);
        Touched {
            all,
            starts,
            blocks,
        }
    }

    /// The number of the first instruction of a block.
    pub(super) fn first(&self, block: usize) -> usize {
        self.blocks[block] as usize
    }

    /// The lanes that an instruction reads.
    pub(super) fn reads(&self, inst: usize) -> &[Touch] {
        let [begin, middle] = self.starts[inst];
        &self.all[begin as usize..middle as usize]
    }

    /// The lanes that it writes.
    pub(super) fn writes(&self, inst: usize) -> &[Touch] {
        let (begin, end) = (self.starts[inst][1], self.starts[inst + 1][0]);
        &self.all[begin as usize..end as usize]
    }

    /// The lanes of instructions one after the other.
    pub(super) fn of_insts(&self, insts: std::ops::Range<usize>) -> &[Touch] {
        let (begin, end) = (self.starts[insts.start][0], self.starts[insts.end][0]);
        &self.all[begin as usize..end as usize]
    }

    /// The same, to be changed.
    pub(super) fn of_insts_mut(&mut self, insts: std::ops::Range<usize>) -> &mut [Touch] {
        let (begin, end) = (self.starts[insts.start][0], self.starts[insts.end][0]);
        &mut self.all[begin as usize..end as usize]
    }
}
