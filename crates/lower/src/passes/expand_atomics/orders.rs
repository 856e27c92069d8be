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
    /// The fence behind it.
    pub after: Option<Ordering>,
}

impl Orders {
    /// The access of a first look, which needs no order: the swap finds out whether it was right.
    pub fn look(&self) -> Access {
        Access {
            volatile: false,
            ordering: Ordering::Monotonic,
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

    /// Writes the fence behind the operation.
    pub fn close(&self, editor: &mut Editor) {
        if let Some(order) = self.after {
            editor.fence(order, self.swap.scope);
        }
    }
}

/// The orders of a read-modify-write.
pub(super) fn of_rmw(editor: &Editor, context: &Context, access: Access) -> Orders {
    let mut orders = taken_apart(editor, context, access, model_order(access.ordering));
    orders.failure = Ordering::Monotonic;
    orders
}

/// The orders of a compare-and-swap, which serve both its outcomes.
pub(super) fn of_swap(
    editor: &Editor,
    context: &Context,
    access: Access,
    failure: Ordering,
) -> Orders {
    let (success, failure) = (model_order(access.ordering), model_order(failure));
    let joined = context.options.mapping.cas(success, failure);
    taken_apart(editor, context, access, joined)
}

fn taken_apart(
    editor: &Editor,
    context: &Context,
    access: Access,
    order: model::Ordering,
) -> Orders {
    let options = context.options;
    let name = *editor.module.scopes.get(access.scope);
    let scope = Scope::from_llvm(&editor.module.names.text(name)).unwrap_or(Scope::Sys);
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
            failure: Ordering::Monotonic,
            after: None,
        };
    };
    let own = lowered.order.map_or(Ordering::Monotonic, llvm_order);
    let failure = match own {
        Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
        _ => Ordering::Monotonic,
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
        Fence::Memory { order, .. } => llvm_order(order),
        _ => Ordering::SeqCst,
    }
}

fn model_order(order: Ordering) -> model::Ordering {
    model::Ordering::from_llvm(order.keyword()).unwrap_or(model::Ordering::SeqCst)
}

fn llvm_order(order: model::Ordering) -> Ordering {
    let word = order.llvm().unwrap_or("seq_cst");
    Ordering::from_keyword(word.as_bytes()).unwrap_or(Ordering::SeqCst)
}
