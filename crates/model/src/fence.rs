//! Fences.
//!
//! Which one an order needs, and what becomes of accesses, says [`crate::mapping`].

use crate::proxy::{SM90_PTX86, restriction};
use crate::{Ordering, ProxyFence, Scope};
use std::fmt;
use warpc_target::{Gate, PtxVersion, at_least};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_both_ways() {
        for fence in Fence::all() {
            assert_eq!(Fence::from_ptx(&fence.to_string()), Some(fence));
        }
        assert_eq!(Fence::from_ptx("membar.gpu"), None);
        assert_eq!(Fence::from_ptx("fence.sc"), None);
        let old = Fence::from_ptx("membar.proxy.async").unwrap();
        assert_eq!(old.to_string(), "fence.proxy.async");
        assert_eq!(Fence::from_ptx("membar.proxy.async.global"), None);
    }
}
