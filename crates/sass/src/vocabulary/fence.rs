//! `fence`, `membar` and the fences between proxies.
//!
//! | PTX | SASS |
//! |---|---|
//! | `membar`, `fence.sc` | `MEMBAR.SC` |
//! | `fence.acq_rel`, `fence.release` | `MEMBAR.ALL` |
//! | beyond the block | and `ERRBAR`, from sm_90 on `CGAERRBAR` |
//! | what acquires, beyond the block | and `CCTL.IVALL`, which is all of `fence.acquire` |
//! | `fence.proxy.async` | `FENCE.VIEW.ASYNC`, for shared memory behind a `MEMBAR` |

use super::opcode::Code;
use super::read::Words;
use warpc_model::{Ordering, Proxy, Scope};

/// A fence. These are more than the manual has (`warpc_model::Fence`): ptxas takes a few that it does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fence {
    /// `fence.ORDER.SCOPE`, `membar.LEVEL`
    Memory(Ordering, Scope),
    /// `fence.ORDER.sync_restrict::shared…cluster`, also between the asynchronous and the generic proxy: only the
    /// shared memory of the cluster.
    Restricted(Ordering),
    /// `fence.mbarrier_init.release.cluster`
    MbarrierInit,
    /// Both ways between the generic proxy and another.
    Proxy(Proxy),
    /// `fence.proxy.TO::generic.ORDER.SCOPE`, to tensor maps or asynchronous operations.
    OneWay(Proxy, Ordering, Scope),
}

pub(super) fn read(words: &mut Words) -> Option<Fence> {
    if words.name() == "membar" {
        let scope = words.take_by(|word| Scope::from_membar(word).ok())?;
        return Some(Fence::Memory(Ordering::SeqCst, scope));
    }
    let restricted = words.take_by(|word| word.strip_prefix("sync_restrict::").map(|_| ()));
    if words.take("mbarrier_init") {
        let right =
            words.order() == Some(Ordering::Release) && words.scope() == Some(Scope::Cluster);
        return right.then_some(Fence::MbarrierInit);
    }
    if !words.take("proxy") {
        let order = words.order().unwrap_or(Ordering::AcqRel);
        let scope = words.scope()?;
        return Some(match restricted {
            Some(()) => Fence::Restricted(order),
            None => Fence::Memory(order, scope),
        });
    }
    let one_way = words.take_by(|word| match word {
        "tensormap::generic" => Some(Proxy::Tensormap),
        "async::generic" => Some(Proxy::Async),
        _ => None,
    });
    if let Some(proxy) = one_way {
        let order = words.order()?;
        let scope = words.scope()?;
        return Some(match (restricted, proxy) {
            (Some(()), Proxy::Async) => Fence::Restricted(order),
            // ptxas does not look at the restriction here.
            _ => Fence::OneWay(proxy, order, scope),
        });
    }
    let proxy = words.take_by(|word| match word {
        "alias" => Some(Proxy::Alias),
        "async" => Some(Proxy::Async),
        _ => None,
    })?;
    let part = words.take_by(|word| match word {
        "global" => Some(Proxy::AsyncGlobal),
        "shared::cta" => Some(Proxy::AsyncSharedCta),
        "shared::cluster" => Some(Proxy::AsyncSharedCluster),
        _ => None,
    });
    Some(Fence::Proxy(part.unwrap_or(proxy)))
}

impl Fence {
    fn exists(&self, code: &Code) -> bool {
        code.chip.since(match *self {
            Fence::Memory(Ordering::SeqCst | Ordering::AcqRel, scope)
                if scope != Scope::Cluster =>
            {
                70
            }
            Fence::Proxy(Proxy::Alias) => 70,
            _ => 90,
        })
    }

    pub(super) fn emit(&self, code: &mut Code) -> Option<()> {
        if !self.exists(code) {
            return None;
        }
        let chip = code.chip;
        match *self {
            Fence::Memory(order, scope) => {
                let kind = if order == Ordering::SeqCst {
                    "SC"
                } else {
                    "ALL"
                };
                code.put_if(order.is_release(), chip.barrier(kind, scope));
                code.put_if(order.is_acquire(), chip.acquire(scope));
            }
            Fence::Restricted(order) => {
                code.put_if(order.is_release(), "MEMBAR.ALL.CTA FENCE.VIEW.ASYNC.S");
            }
            Fence::MbarrierInit => {}
            Fence::Proxy(proxy) => match proxy {
                // Whether the memory of another device can be meant is known at run time.
                Proxy::Alias if chip.since(90) => {
                    code.put(if chip.since(100) { "LDCU" } else { "ULDC" });
                    code.put("UP2UR.B3 ULOP3.LUT BRA.U MEMBAR.SC.GPU BRA.U MEMBAR.SC.SYS");
                    code.put("CCTL.IVALL UR2UP");
                }
                Proxy::Alias if chip.since(80) => {
                    code.put("ISETP.EQ.U32.AND BRA MEMBAR.SC.SYS BRA MEMBAR.SC.GPU CCTL.IVALL")
                }
                Proxy::Alias => code.put("MEMBAR.SC.GPU CCTL.IVALL"),
                Proxy::AsyncGlobal => code.put("FENCE.VIEW.ASYNC.G"),
                Proxy::AsyncSharedCta => code.put("MEMBAR.ALL.CTA FENCE.VIEW.ASYNC.S"),
                Proxy::Async | Proxy::AsyncSharedCluster => {
                    code.put("MEMBAR.ALL.GPU FENCE.VIEW.ASYNC.S");
                }
                Proxy::Generic | Proxy::Tensormap => return None,
            },
            Fence::OneWay(Proxy::Tensormap, Ordering::Acquire, _) => {
                code.put("R2UR R2UR DEPBAR");
                code.put_if(chip.since(100), "CCTL.E.C.LDCU.IV.DEEP");
                code.put("UTMACCTL.IV UTMACMDFLUSH");
            }
            Fence::OneWay(proxy, _, scope) => {
                // Tensor maps are read through the second-level cache.
                let narrow = proxy == Proxy::Tensormap && scope == Scope::Cta;
                let scope = if narrow { Scope::Gpu } else { scope };
                code.put(chip.barrier("ALL", scope));
            }
        }
        Some(())
    }
}
