//! Whether a condition is the same for all lanes of a warp by the way it is computed from the thread's number.
//!
//! Kernels give each warp its own work: `if (threadIdx.x / 32 == 0)`, `if (threadIdx.x < 64)`. With rows of threads
//! that are a multiple of 32 long, which is how such kernels are launched, all lanes go one way.

use warpc_nvvm::Module;
use warpc_nvvm::analysis::Divergence;
use warpc_nvvm::function::{Body, Def};
use warpc_nvvm::inst::{BinaryOp, CastOp, IcmpPredicate, Op};
use warpc_nvvm::value::{InstId, Value};

const DEPTH: u32 = 16;
const WARP: u64 = 32;

pub(super) fn is_warp_wide(
    module: &Module,
    body: &Body,
    divergence: &Divergence,
    value: Value,
) -> bool {
    let question = Question {
        module,
        body,
        divergence,
    };
    question.holds(value, DEPTH)
}

struct Question<'m> {
    module: &'m Module,
    body: &'m Body,
    divergence: &'m Divergence,
}

impl Question<'_> {
    fn inst(&self, value: Value) -> Option<InstId> {
        match self.body.locals[value.local()?].def {
            Def::Inst(inst) => Some(inst),
            _ => None,
        }
    }

    fn number(&self, value: Value) -> Option<u64> {
        self.module.constants.as_u64(value.constant()?)
    }

    /// Whether it is the number of the thread in its block, perhaps in another width.
    fn is_thread(&self, value: Value) -> bool {
        let Some(inst) = self.inst(value) else {
            return false;
        };
        match self.body.insts[inst].op {
            Op::Cast(CastOp::Zext | CastOp::Sext | CastOp::Trunc) | Op::Freeze => {
                self.is_thread(self.body.operands(inst)[0])
            }
            Op::Call(_) => {
                let callee = self.body.operands(inst).last();
                let callee = callee.and_then(|callee| self.module.global_of(callee.constant()?));
                let name = callee.and_then(|callee| self.module.globals[callee].name);
                name.is_some_and(|name| {
                    self.module.names.bytes(name) == b"llvm.nvvm.read.ptx.sreg.tid.x"
                })
            }
            _ => false,
        }
    }

    fn holds(&self, value: Value, depth: u32) -> bool {
        if !self.divergence.value(value) {
            return true;
        }
        let (Some(inst), Some(depth)) = (self.inst(value), depth.checked_sub(1)) else {
            return false;
        };
        let operands = self.body.operands(inst);
        let op = self.body.insts[inst].op;
        let by = operands.get(1).and_then(|&by| self.number(by));
        if operands.first().is_some_and(|&first| self.is_thread(first))
            && let Some(by) = by
        {
            return match op {
                Op::Binary(BinaryOp::Lshr | BinaryOp::Ashr) => by >= 5,
                Op::Binary(BinaryOp::Udiv | BinaryOp::Sdiv) => by != 0 && by % WARP == 0,
                Op::Binary(BinaryOp::And) => by % WARP == 0,
                Op::Icmp(
                    IcmpPredicate::Ult
                    | IcmpPredicate::Uge
                    | IcmpPredicate::Slt
                    | IcmpPredicate::Sge,
                ) => by % WARP == 0,
                Op::Icmp(
                    IcmpPredicate::Ugt
                    | IcmpPredicate::Ule
                    | IcmpPredicate::Sgt
                    | IcmpPredicate::Sle,
                ) => by % WARP == WARP - 1,
                _ => false,
            };
        }
        let through = matches!(
            op,
            Op::Binary(_) | Op::Icmp(_) | Op::Cast(_) | Op::Select | Op::Freeze
        );
        through && operands.iter().all(|&operand| self.holds(operand, depth))
    }
}
