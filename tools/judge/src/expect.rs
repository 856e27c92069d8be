//! Which cases a compiler must refuse: what PTX has no instruction for and nothing sound can stand in for.

use crate::asked::{Case, Operation, Space, Target, Type};

/// Why a case must be refused; `None` if it must be compiled.
///
/// - 128 bits at once: loads and stores from sm_70 on, everything else from sm_90 on. A lock would not be sound
///   beside other code that accesses the same memory.
/// - Memory of other blocks of the cluster exists from sm_90 on.
/// - Constant memory cannot be written.
pub fn refusal(case: &Case, target: Target) -> Option<&'static str> {
    let reads = matches!(case.operation, Operation::Load);
    let writes = !matches!(case.operation, Operation::Load | Operation::Fence);
    if case.space == Space::Constant && writes {
        return Some("constant memory cannot be written");
    }
    if case.space == Space::SharedCluster && target.sm < 90 {
        return Some("no memory of clusters before sm_90");
    }
    if case.ty == Type::I128 && !case.space.is_private() {
        let first = match reads || case.operation == Operation::Store {
            true => 70,
            false => 90,
        };
        if target.sm < first {
            return Some("no atomics of 128 bits on this chip");
        }
    }
    None
}
