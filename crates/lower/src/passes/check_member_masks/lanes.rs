//! The lanes that get to a block, where the number of the lane alone decides that.
//!
//! The branches above the block in the dominator tree are worked out for each of the 32 lanes. A lane gets there
//! if every one of them lets it; one that depends on anything else makes the answer unknown.

use warpc_nvvm::Module;
use warpc_nvvm::analysis::Analyses;
use warpc_nvvm::function::{Body, Def};
use warpc_nvvm::inst::{BinaryOp, CastOp, IcmpPredicate, Op};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{Block, InstId, Operand, Value};

/// How deep conditions are looked into.
const DEPTH: u32 = 16;

pub(super) struct Lanes<'m> {
    module: &'m Module,
    body: &'m Body,
    analyses: &'m Analyses,
}

impl<'m> Lanes<'m> {
    pub(super) fn new(module: &'m Module, body: &'m Body, analyses: &'m Analyses) -> Lanes<'m> {
        Lanes {
            module,
            body,
            analyses,
        }
    }

    /// The lanes that get to a block; nothing if no branch above it depends on the lane, or one on something
    /// else too.
    pub(super) fn of(&self, block: Block) -> Option<u32> {
        let dominators = self.analyses.dominators(self.body);
        let cfg = self.analyses.cfg(self.body);
        let mut lanes = u32::MAX;
        let mut decided = false;
        let mut below = block;
        while let Some(above) = dominators.immediate(below) {
            let last = self.body.terminator(above)?;
            match self.body.insts[last].op {
                Op::CondBr => {
                    let operands = self.body.operands(last);
                    let (condition, yes, no) = (operands[0], operands[1], operands[2]);
                    // A block that both sides reach is on neither.
                    let side = cfg.predecessors(below).len() == 1;
                    if side {
                        let wanted = yes.block() == Some(below);
                        if !wanted && no.block() != Some(below) {
                            return None;
                        }
                        for lane in 0..32 {
                            let holds = self.eval(condition, lane, DEPTH)? != 0;
                            if holds != wanted {
                                lanes &= !(1 << lane);
                            }
                        }
                        decided = true;
                    }
                }
                Op::Br => {}
                _ => return None,
            }
            below = above;
        }
        decided.then_some(lanes)
    }

    /// A value for a lane, cut to its width.
    fn eval(&self, value: Value, lane: u32, depth: u32) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        let bits = self.bits(value)?;
        let mask = if bits >= 64 {
            u64::MAX
        } else {
            (1 << bits) - 1
        };
        let result = match value.get() {
            Operand::Const(constant) => self.module.constants.as_u64(constant)?,
            Operand::Local(local) => match self.body.locals[local].def {
                Def::Inst(inst) => self.inst(inst, lane, depth)?,
                _ => return None,
            },
            _ => return None,
        };
        Some(result & mask)
    }

    fn bits(&self, value: Value) -> Option<u32> {
        let ty = self.module.type_of(self.body, value);
        match self.module.types.get(ty) {
            Type::Int(bits) if bits <= 64 => Some(bits),
            _ => None,
        }
    }

    fn inst(&self, inst: InstId, lane: u32, depth: u32) -> Option<u64> {
        let operands = self.body.operands(inst);
        let arg = |index: usize| self.eval(operands[index], lane, depth);
        Some(match self.body.insts[inst].op {
            Op::Binary(op) => {
                let (a, b) = (arg(0)?, arg(1)?);
                let shift = u32::try_from(b).ok();
                match op {
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Sub => a.wrapping_sub(b),
                    BinaryOp::Mul => a.wrapping_mul(b),
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::Udiv => a.checked_div(b)?,
                    BinaryOp::Urem => a.checked_rem(b)?,
                    BinaryOp::Shl => a.checked_shl(shift?)?,
                    BinaryOp::Lshr => a.checked_shr(shift?)?,
                    _ => return None,
                }
            }
            Op::Cast(CastOp::Zext | CastOp::Trunc) => arg(0)?,
            Op::Freeze => arg(0)?,
            Op::Icmp(predicate) => {
                let bits = self.bits(operands[0])?;
                let signed = |x: u64| ((x << (64 - bits)) as i64) >> (64 - bits);
                let (a, b) = (arg(0)?, arg(1)?);
                u64::from(match predicate {
                    IcmpPredicate::Eq => a == b,
                    IcmpPredicate::Ne => a != b,
                    IcmpPredicate::Ult => a < b,
                    IcmpPredicate::Ule => a <= b,
                    IcmpPredicate::Ugt => a > b,
                    IcmpPredicate::Uge => a >= b,
                    IcmpPredicate::Slt => signed(a) < signed(b),
                    IcmpPredicate::Sle => signed(a) <= signed(b),
                    IcmpPredicate::Sgt => signed(a) > signed(b),
                    IcmpPredicate::Sge => signed(a) >= signed(b),
                })
            }
            Op::Call(_) => {
                let callee = self.module.global_of(operands.last()?.constant()?)?;
                let name = self.module.names.bytes(self.module.globals[callee].name?);
                match name {
                    b"llvm.nvvm.read.ptx.sreg.laneid" => lane.into(),
                    b"llvm.nvvm.read.ptx.sreg.lanemask.eq" => 1 << lane,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}
