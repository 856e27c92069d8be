//! Cache policies of memory accesses, as metadata.
//!
//! ```text
//!   %old = atomicrmw add ptr %p, i32 1 monotonic, !mem.cache_hint !0
//!   !0 = !{i32 0, !1}                                                operand number, what holds for it, and so on
//!   !1 = !{!"nvvm.l2_cache_hint", i64 1368510564865671168}           key, value, and so on
//! ```
//!
//! The notation is that of LLVM 23. Other keys (`nvvm.l1_eviction` …) are read over: they are hints, and a hint may be ignored.

use crate::Module;
use crate::function::Body;
use crate::metadata::{Field, FieldValue, Md, NodeId, NodeKind};
use crate::value::InstId;

/// The kind of the attachment.
pub const KIND: &str = "mem.cache_hint";
/// The key of a policy for the second-level cache.
const POLICY: &str = "nvvm.l2_cache_hint";

/// The node that gives the memory an operand points to a cache policy.
pub fn node(module: &mut Module, operand: u64, policy: u64) -> NodeId {
    let i32 = module.types.int(32);
    let number = module.constants.int(i32, 32, &[operand]);
    let i64 = module.types.i64;
    let policy = module.constants.int(i64, 64, &[policy]);
    let key = module.names.intern(POLICY.as_bytes());
    let tuple = |module: &mut Module, items: [Md; 2]| {
        let fields = items.map(|item| Field {
            name: None,
            value: FieldValue::Md(item.into()),
        });
        module.metadata.intern(NodeKind::Tuple, &fields)
    };
    let hints = tuple(module, [Md::String(key), Md::Const(policy)]);
    tuple(module, [Md::Const(number), Md::Node(hints)])
}

/// The cache policy of the memory that an operand of an instruction points to.
pub fn policy(module: &Module, body: &Body, inst: InstId, operand: u64) -> Option<u64> {
    let kind = module.names.find(KIND.as_bytes())?;
    let attached = body.attachments_of(inst).iter();
    let node = attached.into_iter().find(|found| found.kind == kind)?.node;
    let item = |node, index| module.metadata.operand(node, index).map(|md| md.get());
    let number = |md| match md {
        Some(Md::Const(constant)) => module.constants.as_u64(constant),
        _ => None,
    };
    let pairs = |node: NodeId| (0..module.metadata.fields(node).len()).step_by(2);
    let hints = pairs(node).find_map(|at| match (number(item(node, at)), item(node, at + 1)) {
        (Some(found), Some(Md::Node(hints))) if found == operand => Some(hints),
        _ => None,
    })?;
    pairs(hints).find_map(|at| match item(hints, at) {
        Some(Md::String(key)) if module.names.bytes(key) == POLICY.as_bytes() => {
            number(item(hints, at + 1))
        }
        _ => None,
    })
}
