//! Memory barriers: `__nvvm_membar_{cta,gl,sys}` and `__nv_threadfence_cluster_impl`.
//!
//! They order everything and have no order to ask for: `membar`, which every chip has. A cluster has none of that
//! name and gets `fence.sc.cluster`, its equal.

use super::call::{Call, Outcome};
use warpc_model::{Fence, Ordering, Scope};

/// A barrier among the threads of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Barrier {
    pub scope: Scope,
}

impl Barrier {
    pub(super) fn parse(name: &str) -> Option<Barrier> {
        let scope = match name {
            "__nv_threadfence_cluster_impl" => Scope::Cluster,
            _ => Scope::from_membar(name.strip_prefix("__nvvm_membar_")?).ok()?,
        };
        Some(Barrier { scope })
    }
}

pub(super) fn lower(call: &mut Call, barrier: Barrier) -> Outcome {
    call.check_count(&[0])?;
    call.check_result(call.editor.module.types.void)?;
    let scope = barrier.scope;
    let fence = match scope {
        Scope::Cluster => Fence::Memory {
            order: Ordering::SeqCst,
            scope,
        },
        _ => Fence::Membar(scope),
    };
    let gate = fence.gate().unwrap_or(scope.gate());
    if gate.required_version(call.options.sm).is_none() {
        let sm = call.options.sm;
        return Err(call.lacks(
            &format!("{sm} has no clusters"),
            &format!("it needs {gate}; `__nvvm_membar_gl` is wider and exists everywhere"),
        ));
    }
    call.asm_alone(&fence.to_string());
    Ok(None)
}
