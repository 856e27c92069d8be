//! `fence`, `membar` and the fences between proxies.
//!
//! | PTX | SASS |
//! |---|---|
//! | `membar`, `fence.sc` | `MEMBAR.SC` |
//! | `fence.acq_rel`, `fence.release` | `MEMBAR.ALL` |
//! | beyond the block | and `ERRBAR`, from sm_90 on `CGAERRBAR` |
//! | what acquires, beyond the block | and `CCTL.IVALL`, which is all of `fence.acquire` |
//! | `fence.proxy.async` | `FENCE.VIEW.ASYNC`, for shared memory after a `MEMBAR` |

use crate::chip::membar_scope;
use crate::code::Code;
use crate::source::Source;
use crate::wired::{File, Operand};
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
    /// `fence.proxy.TO::generic.ORDER.SCOPE`, to tensor maps or asynchronous operations, and
    /// `fence.proxy.alias.ORDER.SCOPE`.
    OneWay(Proxy, Ordering, Scope),
}

pub(crate) fn read(source: &mut Source) -> Option<Fence> {
    if source.opcode() == "membar" && !source.has("proxy") {
        return Some(Fence::Memory(Ordering::SeqCst, source.scope()?));
    }
    let restricted = source.take_by(|word| word.strip_prefix("sync_restrict::").map(|_| ()));
    if source.take("mbarrier_init") {
        let right =
            source.order() == Some(Ordering::Release) && source.scope() == Some(Scope::Cluster);
        return right.then_some(Fence::MbarrierInit);
    }
    if !source.take("proxy") {
        let order = source.order().unwrap_or(Ordering::AcqRel);
        let scope = source.scope()?;
        return Some(match restricted {
            Some(()) => Fence::Restricted(order),
            None => Fence::Memory(order, scope),
        });
    }
    let one_way = source.take_by(|word| match word {
        "tensormap::generic" => Some(Proxy::Tensormap),
        "async::generic" => Some(Proxy::Async),
        _ => None,
    });
    if let Some(proxy) = one_way {
        let order = source.order()?;
        let scope = source.scope()?;
        return Some(match (restricted, proxy) {
            (Some(()), Proxy::Async) => Fence::Restricted(order),
            // ptxas does not look at the restriction here.
            _ => Fence::OneWay(proxy, order, scope),
        });
    }
    let proxy = source.take_by(|word| match word {
        "alias" => Some(Proxy::Alias),
        "async" => Some(Proxy::Async),
        _ => None,
    })?;
    let part = source.take_by(|word| match word {
        "global" => Some(Proxy::AsyncGlobal),
        "shared::cta" => Some(Proxy::AsyncSharedCta),
        "shared::cluster" => Some(Proxy::AsyncSharedCluster),
        _ => None,
    });
    if proxy == Proxy::Alias
        && let Some(order) = source.order()
    {
        return Some(Fence::OneWay(proxy, order, source.scope()?));
    }
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

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        if !self.exists(code) {
            return None;
        }
        let chip = code.chip;
        match *self {
            Fence::Memory(order, scope) => {
                if order.is_release() {
                    let strict = order == Ordering::SeqCst;
                    code.fence(if strict { "SC" } else { "ALL" }, scope);
                }
                match scope {
                    // Without it nothing would stand between a load and what comes after the fence.
                    Scope::Cta if order == Ordering::Acquire => {
                        code.loses("a fence that acquires in the block is a wait for the loads before it, if they are waited for");
                        code.restore(|code| code.fence("ALL", scope));
                    }
                    _ if order.is_acquire() => code.acquire(scope),
                    _ => {}
                }
            }
            Fence::Restricted(order) if order.is_release() => shared_view(code, Scope::Cta),
            Fence::Restricted(_) | Fence::MbarrierInit => {}
            Fence::Proxy(proxy) => match proxy {
                Proxy::Alias => alias(code),
                Proxy::AsyncGlobal => code.step("FENCE.VIEW.ASYNC.G", &[]),
                Proxy::AsyncSharedCta => shared_view(code, Scope::Cta),
                Proxy::Async | Proxy::AsyncSharedCluster => shared_view(code, Scope::Gpu),
                Proxy::Generic | Proxy::Tensormap => return None,
            },
            Fence::OneWay(Proxy::Tensormap, Ordering::Acquire, _) => {
                code.put("R2UR R2UR DEPBAR");
                code.put_if(chip.since(100), "CCTL.E.C.LDCU.IV.DEEP");
                code.put("UTMACCTL.IV UTMACMDFLUSH");
            }
            Fence::OneWay(Proxy::Alias, Ordering::Acquire, _) => code.step("CCTL.IVALL", &[]),
            Fence::OneWay(proxy, _, scope) => {
                // Tensor maps are read through the second-level cache.
                let narrow = proxy == Proxy::Tensormap && scope == Scope::Cta;
                code.fence("ALL", if narrow { Scope::Gpu } else { scope });
            }
        }
        Some(())
    }
}

/// Between ordinary and asynchronous accesses to shared memory.
fn shared_view(code: &mut Code, scope: Scope) {
    code.step(format!("MEMBAR.ALL.{}", membar_scope(scope)), &[]);
    code.step("FENCE.VIEW.ASYNC.S", &[]);
}

/// Between two addresses of the same memory. From sm_80 on it is known at run time whether the memory of another device
/// can be meant.
fn alias(code: &mut Code) {
    let chip = code.chip;
    if chip.since(100) {
        code.put("LDCU UP2UR.B3 ULOP3.LUT BRA.U MEMBAR.SC.GPU BRA.U MEMBAR.SC.SYS");
        code.put("CCTL.IVALL UR2UP");
    } else if chip.since(90) {
        let flags = Operand::from(code.temporary(File::Uniform, 1));
        let narrow = Operand::from(code.temporary(File::UniformPredicate, 1));
        let (wide, end) = (code.label(), code.label());
        code.step("ULDC UR0, c[0x0][0x18c]", &[flags]);
        code.step("UP2UR.B3 UR0, UPR, UR0, 0xff", &[flags, flags]);
        let test = "ULOP3.LUT UP0, URZ, UR0, 0x1, URZ, 0xc0, !UPT";
        code.step(test, &[narrow, flags]);
        code.step("BRA.U !UP0, `(x)", &[narrow, wide.into()]);
        code.step("MEMBAR.SC.GPU", &[]);
        code.place(wide);
        code.step("BRA.U UP0, `(x)", &[narrow, end.into()]);
        code.step("MEMBAR.SC.SYS", &[]);
        code.place(end);
        code.step("CCTL.IVALL", &[]);
        code.step("UR2UP UPR, UR0.B3", &[flags]);
    } else if chip.since(80) {
        code.put("ISETP.EQ.U32.AND BRA MEMBAR.SC.SYS BRA MEMBAR.SC.GPU CCTL.IVALL");
    } else {
        code.put("MEMBAR.SC.GPU CCTL.IVALL");
    }
}
