//! Memory barriers: `__nvvm_membar_{cta,gl,sys}`.
//!
//! They order everything and have no order to ask for: `membar`, which every chip has.

use super::call::{Call, Outcome};
use warpc_model::{Fence, Scope};

/// A barrier among the threads of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Barrier {
    pub scope: Scope,
}

impl Barrier {
    pub(super) fn parse(name: &str) -> Option<Barrier> {
        let scope = Scope::from_membar(name.strip_prefix("__nvvm_membar_")?).ok()?;
        Some(Barrier { scope })
    }
}

pub(super) fn lower(call: &mut Call, barrier: Barrier) -> Outcome {
    call.check_count(&[0])?;
    call.check_result(call.editor.module.types.void)?;
    call.asm_alone(&Fence::Membar(barrier.scope).to_string());
    Ok(None)
}
