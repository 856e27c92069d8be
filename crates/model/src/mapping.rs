//! How an access of an order becomes PTX: the order table, as data.
//!
//! [`Mapping::SOUND`] is the one place that says what a C++ or LLVM order becomes, and [`lower`] reads it. From sm_70 on a
//! sequentially consistent access is a leading `fence.sc` and a weaker access; before, there are no
//! orders, only volatile accesses and `membar`:
//!
//! ```text
//!            relaxed       acquire             release             acq_rel               seq_cst
//!  sm_70 on
//!   load     ld.relaxed    ld.acquire                                                    fence.sc; ld.acquire
//!   store    st.relaxed                        st.release                                fence.sc; st.relaxed
//!   rmw      atom.relaxed  atom.acquire        atom.release        atom.acq_rel          fence.sc; atom.acquire
//!   fence                  fence.acquire (*)   fence.release (*)   fence.acq_rel         fence.sc
//!  sm_60
//!   load     ld.volatile   ld.volatile; membar                                           membar; ld.volatile; membar
//!   store    st.volatile                       membar; st.volatile                       membar; st.volatile; membar
//!   rmw      atom          atom; membar        membar; atom        membar; atom; membar  membar; atom; membar
//!   fence                  membar              membar              membar                membar
//!
//!  (*) from sm_90 and PTX 8.6 on, else fence.acq_rel
//! ```
//!
//! An order may come out stronger than asked, never weaker. At thread scope there is nobody to order
//! against: no fences are made, and the access is relaxed at the narrowest scope.
//!
//! The table is a value that compilers carry in their options, so that tests can hand in one that is wrong in a
//! single place and see whether the wrong code is found.

use crate::{Access, Fence, IllegalOrder, Ordering, Scope};
use std::fmt;
use warpc_target::{PtxVersion, Sm, features};

use Ordering::{AcqRel, Acquire, Consume, Relaxed, Release, SeqCst, Unordered, Weak};

/// What an access of one order becomes. Fences have orders here; [`Mapping::fence`] finds the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The order of the fence before the access; for [`Access::Fence`] that of the fence itself.
    pub before: Option<Ordering>,
    /// The order of the access itself; `None` where PTX has no orders.
    pub order: Option<Ordering>,
    /// The order of the fence after the access.
    pub after: Option<Ordering>,
}

/// The orders of the fence that stands for an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenceChoice {
    /// Where target and version have it.
    pub first: Option<Ordering>,
    /// Elsewhere; a `membar` where the target has no orders.
    pub otherwise: Option<Ordering>,
}

/// One value for each order, in the order of the enum.
pub type PerOrder<T> = [T; 8];

/// One value for each scope, in the order of the enum.
pub type PerScope<T> = [T; 5];

/// The cells of a generation of chips: by access, then by order. Orders that an access cannot have
/// ([`Ordering::check`]) have empty cells.
pub type Cells = [PerOrder<Cell>; 4];

/// The order table and what belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// Chips with orders: sm_70 on.
    pub ordered: Cells,
    /// Chips without: volatile accesses and `membar`.
    pub membar: Cells,
    /// The order of a compare-and-swap, by its orders on success and on failure.
    pub cas: PerOrder<PerOrder<Ordering>>,
    /// Which fence stands for an order.
    pub fences: PerOrder<FenceChoice>,
    /// The scope to use where the target has the one asked for.
    pub scopes: PerScope<Scope>,
    /// The scope to use where the target lacks it.
    pub widened: PerScope<Scope>,
}

/// An empty cell.
const NONE: Cell = Cell {
    before: None,
    order: None,
    after: None,
};

/// From sm_70 on: an access with its order.
const fn access(order: Ordering) -> Cell {
    Cell {
        order: Some(order),
        ..NONE
    }
}

/// From sm_70 on: an access after a `fence.sc`.
const fn behind_sc(order: Ordering) -> Cell {
    Cell {
        before: Some(SeqCst),
        order: Some(order),
        after: None,
    }
}

/// A fence, or an access that has no order of its own after one.
const fn before(order: Ordering) -> Cell {
    Cell {
        before: Some(order),
        ..NONE
    }
}

/// An access without an order, and a fence after it.
const fn after(order: Ordering) -> Cell {
    Cell {
        after: Some(order),
        ..NONE
    }
}

/// An access without an order between fences.
const fn around(order: Ordering) -> Cell {
    Cell {
        before: Some(order),
        order: None,
        after: Some(order),
    }
}

const fn fence(first: Ordering, otherwise: Ordering) -> FenceChoice {
    FenceChoice {
        first: Some(first),
        otherwise: Some(otherwise),
    }
}

/// Fences that order nothing need no instruction.
const NO_FENCE: FenceChoice = FenceChoice {
    first: None,
    otherwise: None,
};

const FENCES: PerOrder<Cell> = [
    NONE,
    NONE,
    NONE,
    before(Consume),
    before(Acquire),
    before(Release),
    before(AcqRel),
    before(SeqCst),
];

impl Mapping {
    /// The right one.
    #[rustfmt::skip]
    pub const SOUND: Mapping = Mapping {
        ordered: [
            // Weak, Unordered,      Relaxed,         Consume,         Acquire,         Release,         AcqRel,         SeqCst
            [NONE, access(Relaxed), access(Relaxed), access(Acquire), access(Acquire), NONE,            NONE,           behind_sc(Acquire)],
            [NONE, access(Relaxed), access(Relaxed), NONE,            NONE,            access(Release), NONE,           behind_sc(Relaxed)],
            [NONE, NONE,            access(Relaxed), access(Acquire), access(Acquire), access(Release), access(AcqRel), behind_sc(Acquire)],
            FENCES,
        ],
        membar: [
            [NONE, NONE,            NONE,            after(Consume),  after(Acquire),  NONE,            NONE,           around(SeqCst)],
            [NONE, NONE,            NONE,            NONE,            NONE,            before(Release), NONE,           around(SeqCst)],
            [NONE, NONE,            NONE,            after(Consume),  after(Acquire),  before(Release), around(AcqRel), around(SeqCst)],
            FENCES,
        ],
        // The join: it must serve both outcomes.
        cas: JOIN,
        // fence.acquire and fence.release are newer than the others.
        fences: [NO_FENCE, NO_FENCE, NO_FENCE, fence(Acquire, AcqRel), fence(Acquire, AcqRel),
                 fence(Release, AcqRel), fence(AcqRel, AcqRel), fence(SeqCst, SeqCst)],
        scopes: [Scope::Thread, Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys],
        // Only clusters are missing on some chips.
        widened: [Scope::Thread, Scope::Cta, Scope::Gpu, Scope::Gpu, Scope::Sys],
    };

    /// The fence that a target has for an order; `None` where none is needed.
    pub fn fence(
        &self,
        order: Ordering,
        scope: Scope,
        sm: Sm,
        version: PtxVersion,
    ) -> Option<Fence> {
        if scope == Scope::Thread {
            return None;
        }
        let choice = self.fences[order as usize];
        let scope = self.scope(scope, sm);
        let first = choice.first.map(|order| Fence::Memory { order, scope });
        let there = |fence: &Fence| {
            let gate = fence.gate();
            gate.is_some_and(|gate| gate.check(sm, version).is_ok())
        };
        if let Some(fence) = first.filter(there) {
            return Some(fence);
        }
        let order = choice.otherwise?;
        let fence = Fence::Memory { order, scope };
        Some(match there(&fence) {
            true => fence,
            // Before sm_70 there are no clusters.
            false => Fence::Membar(scope),
        })
    }

    /// The scope of an access on a target.
    pub fn scope(&self, scope: Scope, sm: Sm) -> Scope {
        match scope.gate().required_version(sm) {
            Some(_) => self.scopes[scope as usize],
            None => self.widened[scope as usize],
        }
    }

    /// The order that a compare-and-swap instruction carries.
    pub fn cas(&self, success: Ordering, failure: Ordering) -> Ordering {
        self.cas[success as usize][failure as usize]
    }

    /// Turns an access of a C++ or LLVM order into what PTX has on a target.
    pub fn lower(
        &self,
        access: Access,
        order: Ordering,
        scope: Scope,
        sm: Sm,
        version: PtxVersion,
    ) -> Result<Lowered, IllegalOrder> {
        order.check(access)?;
        let has_orders = sm.has(features::MEMORY_ORDERS);
        let cells = if has_orders {
            &self.ordered
        } else {
            &self.membar
        };
        let cell = cells[access as usize][order as usize];
        let fence = |order: Option<Ordering>| {
            let order = order?;
            self.fence(order, scope, sm, version)
        };
        let is_fence = access == Access::Fence;
        Ok(Lowered {
            access,
            before: fence(cell.before),
            order: match scope {
                Scope::Thread => cell.order.map(|_| Relaxed),
                _ => cell.order,
            },
            scope: (!is_fence && (has_orders || access == Access::Rmw))
                .then(|| self.scope(scope, sm)),
            volatile: !is_fence && !has_orders && access != Access::Rmw,
            after: fence(cell.after),
        })
    }
}

/// [`Ordering::join`] for every pair.
#[rustfmt::skip]
const JOIN: PerOrder<PerOrder<Ordering>> = [
    // Failure:    Weak,      Unordered, Relaxed, Consume, Acquire, Release, AcqRel, SeqCst
    /* Weak      */ [Weak,      Unordered, Relaxed, Consume, Acquire, Release, AcqRel, SeqCst],
    /* Unordered */ [Unordered, Unordered, Relaxed, Consume, Acquire, Release, AcqRel, SeqCst],
    /* Relaxed   */ [Relaxed,   Relaxed,   Relaxed, Consume, Acquire, Release, AcqRel, SeqCst],
    /* Consume   */ [Consume,   Consume,   Consume, Consume, Acquire, AcqRel,  AcqRel, SeqCst],
    /* Acquire   */ [Acquire,   Acquire,   Acquire, Acquire, Acquire, AcqRel,  AcqRel, SeqCst],
    /* Release   */ [Release,   Release,   Release, AcqRel,  AcqRel,  Release, AcqRel, SeqCst],
    /* AcqRel    */ [AcqRel,    AcqRel,    AcqRel,  AcqRel,  AcqRel,  AcqRel,  AcqRel, SeqCst],
    /* SeqCst    */ [SeqCst,    SeqCst,    SeqCst,  SeqCst,  SeqCst,  SeqCst,  SeqCst, SeqCst],
];

/// The weakest fence that a target has for an order; `None` where none is needed.
///
/// ```
/// use warpc_model::{Ordering, Scope, choose_fence};
/// use warpc_target::PtxVersion;
/// let text = |sm: &str, version| {
///     let fence = choose_fence(Ordering::Acquire, Scope::Cluster, sm.parse().unwrap(), version);
///     fence.unwrap().to_string()
/// };
/// assert_eq!(text("sm_90", PtxVersion::new(8, 6)), "fence.acquire.cluster");
/// assert_eq!(text("sm_90", PtxVersion::new(8, 5)), "fence.acq_rel.cluster");
/// assert_eq!(text("sm_80", PtxVersion::LATEST), "fence.acq_rel.gpu");
/// assert_eq!(text("sm_60", PtxVersion::LATEST), "membar.gl");
/// ```
pub fn choose_fence(order: Ordering, scope: Scope, sm: Sm, version: PtxVersion) -> Option<Fence> {
    Mapping::SOUND.fence(order, scope, sm, version)
}

/// What an access of an order becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lowered {
    /// What it was.
    pub access: Access,
    /// The fence before the access; for [`Access::Fence`] the fence itself.
    pub before: Option<Fence>,
    /// The order of the access itself; `None` where PTX has no order for it to print.
    pub order: Option<Ordering>,
    /// The scope of the access itself; `None` likewise.
    pub scope: Option<Scope>,
    /// Whether the access is `.volatile`, which has neither order nor scope.
    pub volatile: bool,
    /// The fence after the access.
    pub after: Option<Fence>,
}

/// Turns an access of a C++ or LLVM order into what PTX has on a target (the table above).
///
/// ```
/// use warpc_model::{Access, Ordering, Scope, lower};
/// use warpc_target::PtxVersion;
/// let text = |sm: &str| {
///     let sm = sm.parse().unwrap();
///     lower(Access::Load, Ordering::Acquire, Scope::Sys, sm, PtxVersion::LATEST).unwrap().to_string()
/// };
/// assert_eq!(text("sm_70"), "ld.acquire.sys");
/// assert_eq!(text("sm_60"), "ld.volatile; membar.sys");
/// ```
pub fn lower(
    access: Access,
    order: Ordering,
    scope: Scope,
    sm: Sm,
    version: PtxVersion,
) -> Result<Lowered, IllegalOrder> {
    Mapping::SOUND.lower(access, order, scope, sm, version)
}

impl fmt::Display for Lowered {
    /// Fences and the access's mnemonic, without space, operation, type and operands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(fence) = self.before {
            write!(f, "{fence}")?;
            separator = "; ";
        }
        let mnemonic = match self.access {
            Access::Load => "ld",
            Access::Store => "st",
            Access::Rmw => "atom",
            Access::Fence => return Ok(()),
        };
        write!(f, "{separator}{mnemonic}")?;
        let volatile = self.volatile.then_some("volatile");
        let tokens = [
            volatile,
            self.order.map(Ordering::ptx),
            self.scope.map(Scope::ptx),
        ];
        for token in tokens.into_iter().flatten() {
            write!(f, ".{token}")?;
        }
        match self.after {
            Some(fence) => write!(f, "; {fence}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
