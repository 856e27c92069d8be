//! Atomics in the shared memory of other blocks of a cluster.
//!
//! ptxas 13.4, and the one in the driver of CUDA 13.0, take some operations on `.shared::cluster` apart: an `ATOM` on the
//! generic window, then a test for the block's own shared memory with a loop, then a plain load and store for everything
//! else. That end is made for local memory, but the memory of another block gets there, too. Seen on an H200: of 1,024
//! threads in several blocks, many lose their update. So these operations become loops of swaps, which are right there.

use crate::edit::Editor;
use rustc_hash::FxHashSet;
use warpc_model::{AtomicOp, AtomicType};
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{CastOp, Op};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{Operand, Value};

/// LLVM's number of the shared memory of a cluster.
const CLUSTER: u32 = 7;

/// Addresses are followed this far.
const MOST: usize = 64;

/// Whether an operation is taken apart: logic, minimum and maximum of 64 bits, and sums of pairs. All operations of 32
/// bits, sums, exchanges and swaps of 64 bits, and sums of single numbers are right.
pub(super) fn is_split(op: AtomicOp, ty: AtomicType) -> bool {
    let logic = matches!(
        op,
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Min | AtomicOp::Max
    );
    logic && ty.bytes() == 8 || matches!(ty, AtomicType::F16x2 | AtomicType::Bf16x2)
}

/// Whether an address is seen to come from the shared memory of a cluster, at least on one way.
pub(super) fn may_be_in(editor: &Editor, address: Value) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![address];
    while let Some(value) = work.pop() {
        let value = editor.resolve(value);
        if editor.module.types.get(editor.type_of(value)) == Type::Ptr(CLUSTER) {
            return true;
        }
        let Operand::Local(local) = value.get() else {
            continue;
        };
        let Def::Inst(inst) = editor.body.locals[local].def else {
            continue;
        };
        if !seen.insert(local) || seen.len() > MOST {
            continue;
        }
        let operands = editor.body.operands(inst);
        match editor.body.insts[inst].op {
            Op::Gep { .. } | Op::Cast(CastOp::Addrspacecast | CastOp::Bitcast) | Op::Freeze => {
                work.push(operands[0]);
            }
            Op::Select => work.extend(&operands[1..]),
            Op::Phi => work.extend(operands.iter().step_by(2)),
            // The address of a variable in another block, by the block's number.
            Op::Call(_) if is_map(editor, operands) => return true,
            _ => {}
        }
    }
    false
}

/// Whether a call maps an address to another block.
fn is_map(editor: &Editor, operands: &[Value]) -> bool {
    let callee = operands.last().and_then(|callee| callee.constant());
    let Some(callee) = callee else {
        return false;
    };
    let ConstKind::Global(id) = editor.module.constants.get(callee).kind else {
        return false;
    };
    let name = editor.module.globals[id].name;
    name.is_some_and(|name| {
        let name = editor.module.names.bytes(name);
        name.starts_with(b"llvm.nvvm.mapa")
    })
}
