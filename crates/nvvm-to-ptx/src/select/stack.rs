//! Variables on the stack.
//!
//! One of known size that is made at most once in a call has a place in the frame. Others are made when
//! they are reached: `alloca` moves the stack pointer.

use super::Selector;
use super::address::Space;
use crate::code::{Arg, Class, Reg};
use crate::unit::Refused;
use rustc_hash::FxHashSet;
use warpc_diag::codes;
use warpc_nvvm::inst::Op;
use warpc_nvvm::value::{Block, InstId};

/// The largest variable, and the largest frame: local memory of a thread is at most half a megabyte.
const MAX_SIZE: u64 = 1 << 31;

impl Selector<'_, '_> {
    /// Finds the variables that have a place in the frame.
    pub fn choose_slots(&mut self) {
        let body = self.body;
        for &block in &body.order {
            let mut once = None;
            for &inst in &body.blocks[block].insts {
                let Op::Alloca { .. } = body.insts[inst].op else {
                    continue;
                };
                let known = self.integer(body.operands(inst)[0]).is_some();
                if known && *once.get_or_insert_with(|| self.runs_once(block)) {
                    self.frame.fixed.insert(inst);
                }
            }
        }
    }

    /// Whether no way leads from a block back to it.
    fn runs_once(&self, block: Block) -> bool {
        if self.body.order.first() == Some(&block) {
            return true;
        }
        let mut seen = FxHashSet::default();
        let mut work = vec![block];
        while let Some(at) = work.pop() {
            for &next in self.cfg.successors(at) {
                if next == block {
                    return false;
                }
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        true
    }

    /// Where a variable on the stack starts in the frame; `None` if it has no place there.
    pub(super) fn slot(&mut self, inst: InstId) -> Result<Option<u64>, Refused> {
        let Op::Alloca { ty, align, .. } = self.body.insts[inst].op else {
            return Ok(None);
        };
        if !self.frame.fixed.contains(&inst) {
            return Ok(None);
        }
        let count = self.integer(self.body.operands(inst)[0]).unwrap_or(1);
        let types = &self.module.types;
        let stride = self.unit.layout.stride(types, ty);
        let natural = self.unit.layout.align(types, ty);
        let align = align.bytes().unwrap_or(natural);
        let size = stride.checked_mul(count).filter(|&size| size < MAX_SIZE);
        match size {
            Some(size) => Ok(Some(self.frame.slot(inst, size, align))),
            None => Err(self.too_large()),
        }
    }

    fn too_large(&self) -> Refused {
        let message = "this variable is too large for the stack";
        self.refuse(codes::UNSUPPORTED, message)
    }

    /// The register with the address of the frame, in local memory or generic.
    pub(super) fn frame_register(&mut self, local: bool) -> Reg {
        let class = match self.unit.layout.pointer_bits(5) {
            32 if local => Class::B32,
            _ => Class::B64,
        };
        let slot = if local {
            self.frame.local
        } else {
            self.frame.generic
        };
        if let Some(reg) = slot {
            return reg;
        }
        let reg = self.code.reg(class);
        let name = if local { "%SPL" } else { "%SP" };
        self.code.named.push((reg, name));
        *(if local {
            &mut self.frame.local
        } else {
            &mut self.frame.generic
        }) = Some(reg);
        reg
    }

    /// Selects `alloca`: an address in the frame, or new memory.
    pub(super) fn alloca(&mut self, inst: InstId) -> Result<(), Refused> {
        let local = self.space_of(self.body.insts[inst].ty)? == Space::Local;
        let result = self.result(inst)?;
        let Some(start) = self.slot(inst)? else {
            return self.dynamic_alloca(inst, local, result);
        };
        let base = self.frame_register(local);
        let add = match self.code.class(result) {
            Class::B64 => "add.s64",
            _ => "add.s32",
        };
        self.emit(add, &[result.into(), base.into(), Arg::Int(start as i64)])
    }

    fn dynamic_alloca(&mut self, inst: InstId, local: bool, result: Reg) -> Result<(), Refused> {
        let Op::Alloca { ty, align, .. } = self.body.insts[inst].op else {
            return Err(self.unsupported(inst));
        };
        let types = &self.module.types;
        let stride = self.unit.layout.stride(types, ty);
        let natural = self.unit.layout.align(types, ty);
        let align = align.bytes().unwrap_or(natural).max(8);
        let count = self.body.operands(inst)[0];
        let size = match self.integer(count) {
            Some(count) => {
                let size = stride.checked_mul(count).filter(|&size| size < MAX_SIZE);
                let size = size.ok_or_else(|| self.too_large())?;
                Arg::Int(size.next_multiple_of(8) as i64)
            }
            None => {
                let warpc_nvvm::types::Type::Int(bits @ 1..=64) = self.kind(self.type_of(count))
                else {
                    return Err(self.unsupported(inst));
                };
                let count = self.arg(count)?;
                let count = self.extended(count, bits, 64, false)?;
                let args = [count, Arg::Int(stride as i64), Arg::Int(7)];
                let size = self.op(Class::B64, "mad.lo.s64", &args)?;
                self.op(Class::B64, "and.b64", &[size.into(), Arg::Int(-8)])?
                    .into()
            }
        };
        let made = self.op(Class::B64, "alloca.u64", &[size, Arg::Int(align as i64)])?;
        match (local, self.code.class(result)) {
            (false, _) => self.emit("cvta.local.u64", &[result.into(), made.into()]),
            (true, Class::B32) => self.emit("cvt.u32.u64", &[result.into(), made.into()]),
            (true, _) => self.copy(result, made.into()),
        }
    }
}
