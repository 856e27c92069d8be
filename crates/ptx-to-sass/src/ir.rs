//! The machine IR: instructions of the machine over virtual registers.
//!
//! ```text
//!   Function ── blocks (in the order of the code) ── Inst: shape + operands + guard
//!      │                                                │
//!      └─ registers: file and width                     ├─ Reg(register, lane)   part of a virtual register
//!                                                       ├─ Value                 a fixed register, a number, a constant
//!                                                       └─ Block                 where a branch goes
//! ```
//!
//! A virtual register has as many lanes as the value has registers of the machine, one after the other and aligned: what
//! `LDG.E.128` loads is one register of four lanes. An operand names the first lane; how many it has is in the slot of the
//! shape. A write under a guard, or of some lanes, leaves the rest as it was.
//!
//! A block ends where control may leave it; it falls through to the next one in order unless its last instruction goes
//! elsewhere in any case.

mod changed;
mod parse;
pub(crate) mod print;
mod verify;

pub use changed::Changed;
pub use parse::parse;
pub use verify::{Fault, verify};

use crate::Repeats;
use crate::analysis::empty;
use crate::driver_table::Table;
use crate::knobs::Knobs;
use smallvec::SmallVec;
use warpc_diag::Span;
use warpc_ptx::symbol::Symbol;
use warpc_sass::shape::{SlotAccess, Space, Traits};
use warpc_sass::{Marks, Shape, Value};
use warpc_target::Sm;

pub use crate::wired::File;

/// A virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Reg(pub u32);

/// A block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

impl BlockId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a virtual register is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegData {
    /// Where it will be.
    pub file: File,
    /// How many registers of the machine it has.
    pub lanes: u8,
}

impl RegData {
    /// What the number of its first register of the machine is a multiple of.
    pub fn alignment(self) -> u8 {
        match (self.file, self.lanes) {
            (File::Register | File::Uniform, 2) => 2,
            (File::Register | File::Uniform, 3..=4) => 4,
            // The first factor of `DMMA.16x8x16`: an H200 finds it illegal elsewhere.
            (File::Register, 9..=16) => 16,
            // Accumulators of a warpgroup. Source: ptxas has them so in all of 146 kernels.
            (File::Register, 5..) => 8,
            // Source: where ptxas puts the places and coordinates of tensor copies.
            (File::Uniform, 5..) => 8,
            _ => 1,
        }
    }
}

/// Lanes of a register as bits: so many from one on.
pub(crate) fn lane_mask(lane: u8, lanes: u8) -> u128 {
    // Most accesses are to one.
    if lanes == 1 {
        return 1u128.checked_shl(lane.into()).unwrap_or(0);
    }
    let all = u128::MAX.checked_shr(128 - u32::from(lanes.min(128)));
    all.unwrap_or(0).checked_shl(lane.into()).unwrap_or(0)
}

/// What stands in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// A virtual register from a lane on.
    Reg(Reg, u8),
    /// What needs no register of its own: `RZ`, a number, a constant, a special register.
    Value(Value),
    /// Where it goes; in place of a number the distance of the block from the beginning of the section.
    Block(BlockId),
    /// A function of the section: 0 is the kernel, n the callee with the number n - 1.
    Function(u32),
    /// A number: how far what the caller has at this place of its stack is from the stack register.
    OfCaller(u32),
    /// A number that the loader knows: the size of an entry of a table of the driver.
    Size(Table),
    /// A number that the linker of relocatable objects knows: one of [`Function::links`].
    Linked(u32),
}

/// What a linker writes into an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// `R_CUDA_…`.
    pub kind: u32,
    /// The symbol whose place goes there.
    pub symbol: String,
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// What it is.
    pub op: Op,
    /// What is done to it first.
    pub marks: Marks,
}

impl Operand {
    /// Without marks.
    pub fn plain(op: Op) -> Operand {
        let marks = Marks::NONE;
        Operand { op, marks }
    }
}

/// The predicate that an instruction depends on, and whether it must be false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The predicate.
    pub reg: Reg,
    /// Whether the instruction is executed where it is false.
    pub not: bool,
}

/// An instruction.
#[derive(PartialEq, Debug)]
pub struct Inst {
    /// What it does.
    pub shape: &'static Shape,
    /// Which threads execute it.
    pub guard: Option<Guard>,
    /// One for each slot.
    pub operands: SmallVec<[Operand; 6]>,
    /// The PTX that it comes from.
    pub span: Span,
    /// Its number when registers were assigned ([`Function::number`]); nothing for what was put in for that.
    pub origin: Option<u32>,
    /// Whether it acquires in its block: no access to memory after it begins before its result is there. Beyond the block a
    /// `CCTL.IVALL` after it does this and more; in the block no instruction stands for it.
    pub acquires: bool,
    /// Whether it is a sum or a product that may become part of one with the other, with one rounding for both.
    pub contracts: bool,
    /// Whether it is an access to shared or local memory that is weak: nobody is told anything by its place among others, and
    /// nobody else writes there meanwhile. Names of such instructions do not say so; those of others do ([`Inst::is_weak`]).
    /// Of a `WARPSYNC` that lanes are together there, so that only accesses to memory do not pass it (`opt_sync`).
    pub weak: bool,
}

impl Clone for Inst {
    fn clone(&self) -> Inst {
        Inst {
            // All of them at once: `SmallVec::clone` copies one after the other, which passes that go over copies would feel.
            operands: SmallVec::from_slice(&self.operands),
            ..*self
        }
    }
}

impl Inst {
    /// The virtual registers that it reads: register, first lane, lanes. The guard is one of them.
    pub fn reads(&self) -> impl Iterator<Item = (Reg, u8, u8)> + '_ {
        let guard = self.guard.map(|guard| (guard.reg, 0, 1));
        guard
            .into_iter()
            .chain(self.registers(self.shape.read_slots()))
    }

    /// The virtual registers that it writes.
    pub fn writes(&self) -> impl Iterator<Item = (Reg, u8, u8)> + '_ {
        self.registers(self.shape.written_slots())
    }

    fn registers(&self, slots: &'static [SlotAccess]) -> impl Iterator<Item = (Reg, u8, u8)> + '_ {
        let operands = &self.operands[..];
        slots
            .iter()
            .filter_map(move |slot| match operands.get(usize::from(slot.slot))?.op {
                Op::Reg(reg, lane) => Some((reg, lane, slot.registers)),
                _ => None,
            })
    }

    /// Whether it is a load or store, and weak in the words of PTX: neither volatile nor of any order. What others write there
    /// at the same time is a race; so it may be left out, moved or made one with another one, if this thread cannot tell.
    pub fn is_weak(&self) -> bool {
        let is_access = matches!(
            self.shape.opcode(),
            "LD" | "ST" | "LDG" | "STG" | "LDS" | "STS" | "LDL" | "STL"
        );
        let says = match self.shape.memory().space {
            Space::Shared | Space::Local => self.weak,
            _ => !self.shape.has("STRONG") && !self.shape.has("MMIO"),
        };
        is_access && says && !self.acquires
    }

    /// Where it may go besides the next instruction.
    pub fn target(&self) -> Option<BlockId> {
        self.operands.iter().find_map(|operand| match operand.op {
            Op::Block(block) => Some(block),
            _ => None,
        })
    }

    /// Whether it is a branch, not an instruction that only names a place.
    pub fn is_branch(&self) -> bool {
        self.shape.opcode() == "BRA"
    }

    /// Whether the next instruction is never reached from here.
    pub fn ends(&self) -> bool {
        self.guard.is_none() && self.shape.traits().contains(Traits::TERMINATES)
    }
}

/// Instructions that are executed one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// Whether a loop that begins here keeps its rounds: they are not unrolled.
    pub keeps_rounds: bool,
    /// What is known of how often a loop is repeated that begins here.
    pub repeats: Repeats,
    /// Whether it is seldom executed. Only the block before it leads there, which else branches around it, and any lane
    /// that comes to that branch may execute it: lanes that need not get the same from it. So lanes agree on where to go
    /// ([`Function::agrees`]).
    pub is_cold: bool,
}

/// A kernel or function, as machine code over virtual registers.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The chip.
    pub sm: Sm,
    /// The virtual registers.
    pub regs: Vec<RegData>,
    /// The blocks, in the order of the code.
    pub blocks: Vec<Block>,
    /// Bytes of local memory of a thread.
    pub frame: u32,
    /// What the frame is a multiple of.
    pub frame_align: u32,
    /// The register from which places in the frame are counted: that of the stack, or another one where that moves.
    pub frame_base: u8,
    /// Whether it is a kernel, not a function that is called.
    pub is_kernel: bool,
    /// Whether a load from shared memory may read what another thread tells it. Machine instructions do not say so.
    pub listens_in_shared: bool,
    /// Parameters that are addresses of which more is known.
    pub pointers: Vec<Pointer>,
    /// The functions that it calls by name, one for each call.
    pub callees: Vec<Symbol>,
    /// What each of these calls may change, as far as the functions were assembled before: of none, or of all.
    pub changed: Vec<Changed>,
    /// What values without a register cost.
    pub spills: Spills,
    /// How synchronisation is optimised.
    pub knobs: Knobs,
    /// Whether it calls functions of the system.
    pub calls_system: bool,
    /// Whether it calls functions by their addresses: any whose address is taken.
    pub calls_taken: bool,
    /// Whether no function that it may call meets others at a barrier of the block, or ends threads.
    pub quiet_calls: bool,
    /// Whether lanes may leave convergence barriers early in the kernel that it belongs to. A function then has none open
    /// across a call, and leaves those of its callers alone; what is open in a kernel across calls is open once.
    pub barriers_are_left: bool,
    /// What a linker writes into instructions of a relocatable object.
    pub links: Vec<Link>,
    /// The registers of a thread where a kernel begins, if it changes how many there are (`setmaxnreg`).
    pub first_registers: Option<u8>,
}

/// What a kernel's parameter points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// Where it is in bank 0.
    pub at: u32,
    /// What the address is a multiple of: a power of two.
    pub align: u32,
}

/// The bytes that instructions store and load because values have no register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spills {
    /// Bytes stored.
    pub stores: u32,
    /// Bytes loaded.
    pub loads: u32,
}

impl Function {
    /// A new virtual register.
    pub fn reg(&mut self, file: File, lanes: u8) -> Reg {
        self.regs.push(RegData { file, lanes });
        Reg(self.regs.len() as u32 - 1)
    }

    /// What a linker writes, as an operand.
    pub fn linked(&mut self, kind: u32, symbol: &str) -> Op {
        let known = |one: &Link| one.kind == kind && one.symbol == symbol;
        let at = self.links.iter().position(known).unwrap_or_else(|| {
            self.links.push(Link {
                kind,
                symbol: symbol.to_owned(),
            });
            self.links.len() - 1
        });
        Op::Linked(at as u32)
    }

    /// Drops moves of a register to itself: code does not have them, and who follows values need not know them.
    pub fn drop_moves_to_themselves(&mut self) {
        for block in &mut self.blocks {
            block.insts.retain(|inst| match &inst.operands[..] {
                [to, from, ..] if inst.shape.opcode() == "MOV" => {
                    !matches!(to.op, Op::Reg(..)) || to.op != from.op
                }
                _ => true,
            });
        }
    }

    /// Numbers the instructions in the order of the code, so that they are known again once registers are assigned.
    pub fn number(&mut self) {
        let insts = self.blocks.iter_mut().flat_map(|block| &mut block.insts);
        for (inst, number) in insts.zip(0..) {
            inst.origin = Some(number);
        }
    }

    /// Whether it calls anything.
    pub fn calls(&self) -> bool {
        !self.callees.is_empty() || self.calls_system || self.calls_taken
    }

    /// What a call may change.
    pub fn changed_by(&self, call: &Inst) -> Changed {
        let mut callees = call.operands.iter().filter_map(|operand| match operand.op {
            Op::Function(number) => number.checked_sub(1),
            _ => None,
        });
        let callee = callees.next();
        let known = callee.and_then(|number| self.changed.get(number as usize));
        known.copied().unwrap_or_else(Changed::by_convention)
    }

    /// What a register is.
    pub fn data(&self, reg: Reg) -> RegData {
        self.regs[reg.0 as usize]
    }

    /// The blocks that control may go to from a block.
    pub fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 2]> {
        let mut all = SmallVec::new();
        let Some(last) = self.blocks[block.index()].insts.last() else {
            all.extend(self.next(block));
            return all;
        };
        if last.is_branch() {
            all.extend(last.target());
        }
        if !last.ends() {
            all.extend(self.next(block).filter(|next| all.first() != Some(next)));
        }
        all
    }

    /// Whether lanes agree at the end of a block on whether to execute a cold one, so that they do not part there: all of
    /// them do if one must (`converge` has them vote).
    pub fn agrees(&self, block: BlockId) -> bool {
        let is_cold = |block: Option<BlockId>| {
            let block = block.and_then(|block| self.blocks.get(block.index()));
            block.is_some_and(|block| block.is_cold)
        };
        let last = self.blocks[block.index()].insts.last();
        last.is_some_and(|last| {
            last.shape.name() == "BRA"
                && last.guard.is_some()
                && (is_cold(last.target()) || is_cold(self.next(block)))
        })
    }

    /// The block after a block in the code.
    fn next(&self, block: BlockId) -> Option<BlockId> {
        let next = BlockId(block.0 + 1);
        (next.index() < self.blocks.len()).then_some(next)
    }

    /// For each block whether an instruction names it.
    pub fn named_blocks(&self) -> Vec<bool> {
        let mut named = vec![false; self.blocks.len()];
        for inst in self.blocks.iter().flat_map(|block| &block.insts) {
            for operand in &inst.operands {
                if let Op::Block(block) = operand.op {
                    named[block.index()] = true;
                }
            }
        }
        named
    }

    /// All blocks, in the order of the code.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// The predecessors of each block.
    pub fn predecessors(&self) -> Vec<SmallVec<[BlockId; 2]>> {
        let mut all: Vec<SmallVec<[BlockId; 2]>> = empty(self.blocks.len());
        for block in self.block_ids() {
            for next in self.successors(block) {
                all[next.index()].push(block);
            }
        }
        all
    }
}
