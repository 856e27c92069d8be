//! The order of an expanded operation, taken apart.
//!
//! ```text
//!              sm_60                          sm_70 on
//!   acq_rel    fence; loop monotonic; fence   loop acq_rel
//!   seq_cst    fence; loop monotonic; fence   fence seq_cst; loop acquire
//! ```
//!
//! The table says what an access of an order becomes: fences around it, and an order of its own. The fences of a loop
//! stand outside: what is between them and the swap that succeeds are accesses to the same word, which mean
//! nothing to anybody.

use crate::edit::Editor;
use crate::pass::Context;
use warpc_model::{self as model, Fence, Scope};
use warpc_nvvm::inst::{Access, Ordering};

/// The fences and accesses of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orders {
    /// The fence before it.
    pub before: Option<Ordering>,
    /// The swap that succeeds.
    pub swap: Access,
    /// The order of a swap that ends the operation without success.
    pub failure: Ordering,
    /// The fence after it.
    pub after: Option<Ordering>,
}

impl Orders {
    /// The access of a first look, which needs no order: the swap finds out whether it was right.
    pub fn look(&self) -> Access {
        Access {
            volatile: false,
            ordering: Ordering::Relaxed,
            ..self.swap
        }
    }

    /// The same with another alignment.
    pub fn aligned(self, align: warpc_nvvm::inst::Align) -> Orders {
        let swap = Access { align, ..self.swap };
        Orders { swap, ..self }
    }

    /// Writes the fence before the operation.
    pub fn open(&self, editor: &mut Editor) {
        if let Some(order) = self.before {
            editor.fence(order, self.swap.scope);
        }
    }

    /// Writes the fence after the operation.
    pub fn close(&self, editor: &mut Editor) {
        if let Some(order) = self.after {
            editor.fence(order, self.swap.scope);
        }
    }
}

/// The orders of a read-modify-write.
pub(super) fn of_rmw(context: &Context, access: Access) -> Orders {
    let mut orders = taken_apart(context, access, access.ordering);
    orders.failure = Ordering::Relaxed;
    orders
}

/// The orders of a compare-and-swap, which serve both its outcomes.
pub(super) fn of_swap(context: &Context, access: Access, failure: Ordering) -> Orders {
    let joined = context.options.mapping.cas(access.ordering, failure);
    taken_apart(context, access, joined)
}

fn taken_apart(context: &Context, access: Access, order: Ordering) -> Orders {
    let options = context.options;
    // Selection refuses scopes that GPUs do not have.
    let scope = access.scope.resolved().unwrap_or(Scope::Sys);
    // Newer fences would raise the version of the module.
    let version = options.version.unwrap_or(options.sm.first_version());
    let lowered = options
        .mapping
        .lower(model::Access::Rmw, order, scope, options.sm, version);
    let Ok(lowered) = lowered else {
        // No order that a read-modify-write cannot have passes the verifier; selection refuses it again.
        return Orders {
            before: None,
            swap: access,
            failure: Ordering::Relaxed,
            after: None,
        };
    };
    let own = lowered.order.unwrap_or(Ordering::Relaxed);
    let failure = match own {
        Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
        _ => Ordering::Relaxed,
    };
    Orders {
        before: lowered.before.map(fence_order),
        swap: Access {
            ordering: own,
            ..access
        },
        failure,
        after: lowered.after.map(fence_order),
    }
}

/// The order of a fence of LLVM that becomes this one.
fn fence_order(fence: Fence) -> Ordering {
    match fence {
        Fence::Memory { order, .. } => order,
        _ => Ordering::SeqCst,
    }
}
