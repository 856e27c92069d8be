//! Fences, and how an access of an order becomes PTX.
//!
//! [`lower`] is the one place that says what a C++ or LLVM order becomes. From sm_70 on a
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

use crate::proxy::{SM90_PTX86, restriction};
use crate::{Access, IllegalOrder, Ordering, ProxyFence, Scope};
use std::fmt;
use warpc_target::{Gate, PtxVersion, Sm, at_least};

/// A fence instruction without its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fence {
    /// `fence.ORDER.SCOPE`
    Memory {
        /// Acquire, release, both, or sequentially consistent.
        order: Ordering,
        /// Among which threads.
        scope: Scope,
    },
    /// `membar.LEVEL`: sequentially consistent, the only fence before sm_70.
    Membar(Scope),
    /// `fence.{acquire,release}.sync_restrict::SPACE.cluster`
    Restricted {
        /// Acquire or release.
        order: Ordering,
    },
    /// `fence.mbarrier_init.release.cluster`: makes the initialisation of mbarriers seen.
    MbarrierInit,
    /// A fence between proxies.
    Proxy(ProxyFence),
}

impl Fence {
    /// Every fence there is.
    pub fn all() -> impl Iterator<Item = Fence> {
        let memory = Ordering::all()
            .flat_map(|order| Scope::all().map(move |scope| Fence::Memory { order, scope }));
        let membar = Scope::all().map(Fence::Membar);
        let restricted = Ordering::all().map(|order| Fence::Restricted { order });
        let proxies = ProxyFence::all().map(Fence::Proxy);
        let fences = memory.chain(membar).chain(restricted);
        let fences = fences.chain([Fence::MbarrierInit]).chain(proxies);
        fences.filter(|fence| fence.gate().is_some())
    }

    /// The fence of an instruction's text, without operands. A `fence` without an order is
    /// `fence.acq_rel`; `membar.proxy` is an old spelling of `fence.proxy`.
    ///
    /// ```
    /// use warpc_model::{Fence, Scope};
    /// assert_eq!(Fence::from_ptx("membar.gl"), Some(Fence::Membar(Scope::Gpu)));
    /// assert_eq!(Fence::from_ptx("fence.gpu").unwrap().to_string(), "fence.acq_rel.gpu");
    /// assert_eq!(Fence::from_ptx("fence.acquire.gl"), None);
    /// ```
    pub fn from_ptx(text: &str) -> Option<Fence> {
        if let Some(Ok(scope)) = text.strip_prefix("fence.").map(Scope::from_ptx) {
            let order = Ordering::AcqRel;
            return Some(Fence::Memory { order, scope });
        }
        let text = match text {
            // ptxas has the old spelling for these two only.
            "membar.proxy.alias" => "fence.proxy.alias",
            "membar.proxy.async" => "fence.proxy.async",
            _ => text,
        };
        Fence::all().find(|fence| fence.to_string() == text)
    }

    /// What it needs; `None` when there is no such fence.
    pub fn gate(self) -> Option<Gate> {
        const FENCE: Gate = Gate(&[at_least(70, PtxVersion::new(6, 0))]);
        const MBARRIER_INIT: Gate = Gate(&[at_least(90, PtxVersion::new(8, 0))]);
        match self {
            Fence::Memory {
                scope: Scope::Thread,
                ..
            } => None,
            Fence::Memory { order, scope } => match order {
                Ordering::Acquire | Ordering::Release => Some(SM90_PTX86),
                Ordering::AcqRel | Ordering::SeqCst if scope == Scope::Cluster => {
                    Some(scope.gate())
                }
                Ordering::AcqRel | Ordering::SeqCst => Some(FENCE),
                _ => None,
            },
            Fence::Membar(scope) => {
                let legal = Scope::from_membar(scope.membar()) == Ok(scope);
                legal.then_some(Gate::ALWAYS)
            }
            Fence::Restricted { order } => restriction(order).map(|_| SM90_PTX86),
            Fence::MbarrierInit => Some(MBARRIER_INIT),
            Fence::Proxy(fence) => fence.gate(),
        }
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fence::Memory { order, scope } => write!(f, "fence.{}.{}", order.ptx(), scope.ptx()),
            Fence::Membar(scope) => write!(f, "membar.{}", scope.membar()),
            Fence::Restricted { order } => {
                let space = restriction(order).unwrap_or("?");
                write!(f, "fence.{}.{space}.cluster", order.ptx())
            }
            Fence::MbarrierInit => f.write_str("fence.mbarrier_init.release.cluster"),
            Fence::Proxy(fence) => fence.fmt(f),
        }
    }
}

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
    if scope == Scope::Thread || !(order.is_acquire() || order.is_release()) {
        return None;
    }
    let order = match order {
        Ordering::Consume => Ordering::Acquire,
        _ => order,
    };
    let scope = scope.on(sm);
    let candidates = [
        Fence::Memory { order, scope },
        Fence::Memory {
            order: order.join(Ordering::AcqRel),
            scope,
        },
    ];
    let there = |fence: &Fence| {
        let gate = fence.gate();
        gate.is_some_and(|gate| gate.check(sm, version).is_ok())
    };
    let fence = candidates.into_iter().find(there);
    Some(fence.unwrap_or(Fence::Membar(match scope {
        Scope::Cluster => Scope::Gpu,
        _ => scope,
    })))
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
    order.check(access)?;
    let fence = |order| choose_fence(order, scope, sm, version);
    let mut lowered = Lowered {
        access,
        before: None,
        order: None,
        scope: None,
        volatile: false,
        after: None,
    };
    if access == Access::Fence {
        lowered.before = fence(order);
        return Ok(lowered);
    }

    if sm.number() < FIRST_WITH_ORDERS {
        lowered.volatile = access != Access::Rmw;
        lowered.scope = (access == Access::Rmw).then(|| scope.on(sm));
        if order.is_release() {
            lowered.before = fence(order);
        }
        if order.is_acquire() {
            lowered.after = fence(order);
        }
        return Ok(lowered);
    }

    lowered.scope = Some(scope.on(sm));
    lowered.order = Some(match (order, access) {
        _ if scope == Scope::Thread => Ordering::Relaxed,
        (Ordering::SeqCst, Access::Store) => Ordering::Relaxed,
        (Ordering::SeqCst | Ordering::Consume, _) => Ordering::Acquire,
        (Ordering::Unordered, _) => Ordering::Relaxed,
        _ => order,
    });
    if order == Ordering::SeqCst {
        lowered.before = fence(order);
    }
    Ok(lowered)
}

/// Volta brought the memory model: ptxas refuses every order and `fence` for older chips, even
/// `ld.weak`.
const FIRST_WITH_ORDERS: u16 = 70;

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
