//! Proxies: the ways by which memory is reached, and the fences between them.
//!
//! Accesses of one proxy are ordered by ordinary fences; between two proxies only a proxy fence
//! orders. The list is closed: ptxas takes these and, without a word in the manual, a few more
//! (`docs/deviations.md`), which are not here.
//!
//! ```text
//!   both ways     fence.proxy.{alias, async, async.global, async.shared::cta, async.shared::cluster}
//!   one way       fence.proxy.tensormap::generic.{acquire, release}.SCOPE
//!                 fence.proxy.async::generic.{acquire, release}.sync_restrict::…cluster
//! ```

use crate::{Ordering, Scope};
use std::fmt;
use warpc_target::{Gate, PtxVersion, at_least};

/// A way to reach memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proxy {
    /// Ordinary loads, stores and atomics.
    Generic,
    /// The same memory under another virtual address.
    Alias,
    /// Asynchronous copies and matrix operations, in all memory.
    Async,
    /// Those in global memory.
    AsyncGlobal,
    /// Those in the block's shared memory.
    AsyncSharedCta,
    /// Those in the cluster's shared memory.
    AsyncSharedCluster,
    /// Reads of tensor maps.
    Tensormap,
}

#[rustfmt::skip]
static NAMES: [(Proxy, &str); 7] = [
    (Proxy::Generic,            "generic"),
    (Proxy::Alias,              "alias"),
    (Proxy::Async,              "async"),
    (Proxy::AsyncGlobal,        "async.global"),
    (Proxy::AsyncSharedCta,     "async.shared::cta"),
    (Proxy::AsyncSharedCluster, "async.shared::cluster"),
    (Proxy::Tensormap,          "tensormap"),
];

impl Proxy {
    /// The proxy of PTX's words.
    pub fn from_ptx(tokens: &str) -> Option<Proxy> {
        let row = NAMES.iter().find(|row| row.1 == tokens)?;
        Some(row.0)
    }

    /// PTX's words.
    pub fn ptx(self) -> &'static str {
        NAMES[self as usize].1
    }
}

/// The pairs of a one-way fence, spelled `to::from`: accesses of the second proxy before the fence
/// are ordered before accesses of the first after it.
pub static PAIRS: [(Proxy, Proxy); 2] = [
    (Proxy::Tensormap, Proxy::Generic),
    (Proxy::Async, Proxy::Generic),
];

/// A fence between proxies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProxyFence {
    /// Between the generic proxy and another, both ways.
    Both(Proxy),
    /// `tensormap::generic`; acquire names the map's address and its 128 bytes, release does not.
    Tensormap {
        /// Acquire or release.
        order: Ordering,
        /// Among which threads.
        scope: Scope,
    },
    /// `async::generic`, restricted to shared memory, at cluster scope.
    Async {
        /// Acquire or release.
        order: Ordering,
    },
}

/// What a fence restricted to shared memory names: the cluster's when acquiring, the block's when
/// releasing; `None` for other orders, which have no such fence.
pub(crate) fn restriction(order: Ordering) -> Option<&'static str> {
    match order {
        Ordering::Acquire => Some("sync_restrict::shared::cluster"),
        Ordering::Release => Some("sync_restrict::shared::cta"),
        _ => None,
    }
}

pub(crate) const SM90_PTX86: Gate = Gate(&[at_least(90, PtxVersion::new(8, 6))]);

impl ProxyFence {
    /// Every proxy fence there is.
    pub fn all() -> impl Iterator<Item = ProxyFence> {
        let both = NAMES.iter().map(|row| ProxyFence::Both(row.0));
        let tensormap = Ordering::all().flat_map(|order| {
            Scope::all().map(move |scope| ProxyFence::Tensormap { order, scope })
        });
        let asynchronous = Ordering::all().map(|order| ProxyFence::Async { order });
        let fences = both.chain(tensormap).chain(asynchronous);
        fences.filter(|fence| fence.gate().is_some())
    }

    /// What it needs; `None` when there is no such fence.
    pub fn gate(self) -> Option<Gate> {
        const ALIAS: Gate = Gate(&[at_least(70, PtxVersion::new(7, 5))]);
        const ASYNC: Gate = Gate(&[at_least(90, PtxVersion::new(8, 0))]);
        const TENSORMAP: Gate = Gate(&[at_least(90, PtxVersion::new(8, 3))]);
        match self {
            ProxyFence::Both(Proxy::Generic | Proxy::Tensormap) => None,
            ProxyFence::Both(Proxy::Alias) => Some(ALIAS),
            ProxyFence::Both(_) => Some(ASYNC),
            ProxyFence::Tensormap { order, scope } => {
                let legal = matches!(order, Ordering::Acquire | Ordering::Release);
                (legal && scope != Scope::Thread).then_some(TENSORMAP)
            }
            ProxyFence::Async { order } => restriction(order).map(|_| SM90_PTX86),
        }
    }
}

impl fmt::Display for ProxyFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ProxyFence::Both(proxy) => write!(f, "fence.proxy.{}", proxy.ptx()),
            ProxyFence::Tensormap { order, scope } => write!(
                f,
                "fence.proxy.tensormap::generic.{}.{}",
                order.ptx(),
                scope.ptx()
            ),
            ProxyFence::Async { order } => write!(
                f,
                "fence.proxy.async::generic.{}.{}.cluster",
                order.ptx(),
                restriction(order).unwrap_or("?")
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_both_ways() {
        for (i, (proxy, name)) in NAMES.into_iter().enumerate() {
            assert_eq!(proxy as usize, i);
            assert_eq!(Proxy::from_ptx(proxy.ptx()), Some(proxy));
            assert_eq!(proxy.ptx(), name);
        }
        assert_eq!(Proxy::from_ptx("async.shared"), None);
    }

    #[test]
    fn the_list_is_closed() {
        assert_eq!(ProxyFence::all().count(), 5 + 2 * 4 + 2);
    }

    /// ptxas 12.9 refuses `fence.proxy.alias` for sm_60 to sm_62.
    #[test]
    fn alias_needs_volta() {
        let gate = ProxyFence::Both(Proxy::Alias).gate().unwrap();
        assert!(gate.required_version("sm_60".parse().unwrap()).is_none());
        let version = gate.required_version("sm_70".parse().unwrap());
        assert_eq!(version, Some(PtxVersion::new(7, 5)));
    }
}
