//! Asynchronous copies, stores and reductions, and what waits for them.

use crate::code::{Code, address, ptx};
use crate::source::{Argument, Source};
use crate::wired::Operand;
use warpc_model::{AtomicOp, AtomicType, Scope};

/// What says how much of a copy is read; the rest is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partial {
    /// A number of bytes.
    Size,
    /// A predicate: nothing is read where it holds.
    Ignore,
}

/// A copy, or what belongs to copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copy {
    /// `cp.async`: a few bytes into shared memory by every thread.
    Few {
        /// `.cg`: past the first-level cache.
        bypass: bool,
        /// 4, 8 or 16.
        bytes: u8,
        /// Fewer bytes may be read, or none.
        partial: Option<Partial>,
        /// How many bytes the second-level cache should fetch.
        fetch: Option<u16>,
        /// A cache policy is given.
        policy: bool,
    },
    /// `cp.async.commit_group`
    Commit,
    /// `cp.async.wait_group`: until so many groups are left.
    Wait(i64),
    /// `cp.async.wait_all`
    WaitAll,
    /// `cp.async.bulk.commit_group`
    BulkCommit,
    /// `cp.async.bulk.wait_group`: until so many groups are left; whether only until the sources have been read.
    BulkWait(i64, bool),
    /// `cp.async.bulk` from global to shared memory; whether of any block of the cluster.
    BulkIn {
        /// Destination in the shared memory of the cluster.
        cluster: bool,
    },
    /// `cp.async.bulk` from shared to global memory.
    BulkOut,
    /// `cp.reduce.async.bulk` from shared to global memory.
    BulkReduce(AtomicOp, AtomicType),
    /// `st.async`: the type of an element, and how many there are.
    Store(AtomicType, u8),
    /// `red.async`
    Reduce(AtomicOp, AtomicType),
    /// `tensormap.cp_fenceproxy`
    Tensormap(Scope),
}

pub(crate) fn read(source: &mut Source) -> Option<Copy> {
    if source.opcode() == "tensormap" {
        let known = source.take("cp_fenceproxy")
            && source.take("global")
            && source.take("shared::cta")
            && source.take("tensormap::generic")
            && source.take("release")
            && source.take("sync")
            && source.take("aligned");
        return known.then(|| source.scope()).flatten().map(Copy::Tensormap);
    }
    if !source.take("async") {
        return None;
    }
    if source.opcode() != "cp" {
        // Shared memory of whatever block is meant: all its addresses say which.
        source.space();
        let known = source.take("mbarrier::complete_tx::bytes");
        let stores = source.opcode() == "st";
        source.order();
        source.scope();
        let op = source.operation();
        let lanes = source.elements();
        let ty = source.ty()?;
        return match op {
            None if known && stores => Some(Copy::Store(ty, lanes)),
            Some(op) if known && !stores => Some(Copy::Reduce(op, ty)),
            _ => None,
        };
    }
    let reduces = source.take("reduce");
    let bulk = source.take("bulk");
    if source.take("commit_group") {
        return Some(if bulk { Copy::BulkCommit } else { Copy::Commit });
    }
    if source.take("wait_group") {
        let left = source
            .operand("n")
            .and_then(Argument::constant)
            .unwrap_or(0);
        return Some(match bulk {
            true => Copy::BulkWait(left, source.take("read")),
            false => Copy::Wait(left),
        });
    }
    if source.take("wait_all") {
        return Some(Copy::WaitAll);
    }
    if !bulk {
        let known = source.take("shared") | source.take("shared::cta") && source.take("global");
        source.take("global");
        let bypass = source.take("cg");
        source.take("ca");
        let bytes = source
            .operand("cp_size")
            .and_then(Argument::constant)
            .unwrap_or(16);
        return known.then_some(Copy::Few {
            bypass,
            bytes: u8::try_from(bytes).ok()?,
            partial: match (source.operand("src_size"), source.operand("ignore_src")) {
                (Some(_), _) => Some(Partial::Size),
                (_, Some(_)) => Some(Partial::Ignore),
                (None, None) => None,
            },
            fetch: source.take_by(super::load_store::prefetch),
            policy: source.take("L2::cache_hint"),
        });
    }
    if source.take("bulk_group") {
        let known = source.take("global") && source.take("shared::cta");
        if !known {
            return None;
        }
        return Some(match reduces {
            true => Copy::BulkReduce(source.operation()?, source.ty()?),
            false => Copy::BulkOut,
        });
    }
    let cluster = source.take("shared::cluster") || !source.take("shared::cta");
    let known = source.take("global") && source.take("mbarrier::complete_tx::bytes");
    (known && !reduces).then_some(Copy::BulkIn { cluster })
}

/// The name of a reduction's operation and type.
fn reduction(op: AtomicOp, ty: AtomicType) -> Option<String> {
    let ty = match ty {
        AtomicType::S32 => ".S32",
        AtomicType::U64 | AtomicType::B64 | AtomicType::S64 => ".64",
        _ => "",
    };
    Some(format!("{}{ty}", super::atomic::operation(op)?))
}

impl Copy {
    fn exists(&self, code: &Code) -> bool {
        let few = matches!(
            self,
            Copy::Few { .. } | Copy::Commit | Copy::Wait(_) | Copy::WaitAll
        );
        code.chip.since(if few { 80 } else { 90 })
    }

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        if !self.exists(code) {
            return None;
        }
        let chip = code.chip;
        match *self {
            Copy::Few {
                bypass,
                bytes,
                partial,
                fetch,
                policy,
            } => {
                // Three loads that nothing executes stand before it from sm_90 on.
                code.needless(if chip.since(90) { "LDS LDS LDS" } else { "" });
                let bypass = if bypass { ".BYPASS" } else { "" };
                let fetch = fetch.map_or_else(String::new, |bytes| format!(".LTC{bytes}B"));
                let size = match bytes {
                    16 => ".128",
                    8 => ".64",
                    _ => "",
                };
                let name = format!("LDGSTS.E{bypass}{fetch}{size}");
                let descriptor = match policy {
                    true => crate::location::policy(code),
                    false => Operand::Descriptor,
                };
                copy_few(code, &name, bytes, partial, descriptor);
            }
            Copy::Commit => code.step("LDGDEPBAR", &[]),
            Copy::Wait(left) => wait(code, left),
            Copy::WaitAll => {
                code.step("LDGDEPBAR", &[]);
                wait(code, 0);
            }
            Copy::BulkCommit => code.step("UTMACMDFLUSH", &[]),
            Copy::BulkWait(left, read) => {
                wait(code, left);
                if !read {
                    code.step("CCTL.IVALL", &[]);
                }
            }
            Copy::BulkIn { cluster } => {
                // sm_120 has no other block to write to: it asks, and ends the kernel.
                if cluster && chip.since(120) {
                    code.put("S2UR(SR_CgaCtaId) USHF.L.U64.HI UISETP.NE.U32.AND BRA.U");
                    code.put("LDC.64 LEPC CALL.ABS.NOINC EXIT");
                }
                bulk(code, 4, "UBLKCP.S.G", true);
            }
            Copy::BulkOut => bulk(code, 3, "UBLKCP.G.S", false),
            Copy::BulkReduce(op, ty) => {
                let name = format!("UBLKRED.G.S.{}", reduction(op, ty)?);
                bulk(code, 3, &name, true);
            }
            Copy::Store(ty, lanes) => remote(
                code,
                match u16::from(ty.bytes()) * u16::from(lanes) {
                    4 => "STAS",
                    8 => "STAS.64",
                    16 => "STAS.128",
                    _ => return None,
                },
            ),
            Copy::Reduce(op, ty) => remote(code, &format!("REDAS.{}", reduction(op, ty)?)),
            Copy::Tensormap(scope) => {
                // Every lane copies four bytes of the 128.
                let addresses = match chip.has_wide_integers() {
                    true => "IADD IADD.64",
                    false => "IADD3 IADD3 IMAD.X",
                };
                code.put(format!("S2R(SR_LANEID) IMAD.SHL.U32 {addresses} LDS"));
                code.put(match scope {
                    Scope::Sys => "STG.E MEMBAR.ALL.SYS",
                    _ => "ATOMG.E.EXCH.STRONG.GPU",
                });
            }
        }
        Some(())
    }
}

/// A copy by every thread. One that reads fewer bytes says so by the low bits of the address: as many are left out as the
/// address is beyond a multiple of the size. One that reads none has a predicate.
fn copy_few(code: &mut Code, name: &str, bytes: u8, partial: Option<Partial>, descriptor: Operand) {
    let (to, from) = (address("dst"), address("src"));
    match partial {
        None => {
            let operands = [to, descriptor, from];
            code.step(format!("{name} [R0], desc[UR0][R0.64]"), &operands);
        }
        Some(Partial::Ignore) => {
            let operands = [to, descriptor, from, ptx("ignore_src")];
            code.needless(name);
            code.restore(|code| {
                code.step(format!("{name} [R0], desc[UR0][R0.64], !P0"), &operands);
            });
        }
        Some(Partial::Size) => {
            code.needless(name);
            code.restore(|code| {
                let less = Operand::from(code.registers(1));
                let (some, carry) = (code.predicate(), code.predicate());
                let sum = Operand::from(code.registers(2));
                let size = ptx("src_size");
                let bits = u32::from(bytes);
                code.step(format!("IADD3 R0, -R0, {bits:#x}, RZ"), &[less, size]);
                let text = format!("LOP3.LUT R0, R0, {:#x}, RZ, 0xc0, !PT", bits - 1);
                code.step(text, &[less, less]);
                let text = "ISETP.NE.U32.AND P0, PT, R0, RZ, PT";
                code.step(text, &[some.into(), size]);
                let from = ptx("src");
                let low = [sum.register(0), carry.into(), less, from.register(0)];
                code.step("IADD3 R0, P0, R0, R0, RZ", &low);
                let high = [sum.register(1), from.register(1), carry.into()];
                code.step("IADD3.X R0, RZ, R0, RZ, P0, !PT", &high);
                let operands = [to, descriptor, sum, some.into()];
                code.step(
                    format!("{name}.ZFILL [R0], desc[UR0][R0.64], P0"),
                    &operands,
                );
            });
        }
    }
}

/// Waits until so many groups of copies are left. The machine counts up to 63 of them.
fn wait(code: &mut Code, left: i64) {
    let left = (left as u32).min(63);
    code.step(format!("DEPBAR.LE SB0, {left:#x}"), &[]);
}

/// An access to the shared memory of another block: the address and that of the barrier that is told are a pair.
fn remote(code: &mut Code, name: &str) {
    let pair = Operand::from(code.registers(2));
    code.copy(pair.register(0), ptx("a").register(0));
    code.copy(pair.register(1), ptx("mbar").register(0));
    code.step(format!("{name} [R0.64], R0"), &[pair, ptx("b")]);
}

/// A bulk copy: its operands are uniform, so a loop takes the different values of the threads one by one.
fn bulk(code: &mut Code, uniform: usize, name: &str, elects: bool) {
    let fetch = match (elects, code.chip.since(100)) {
        (true, true) => "R2UR.BROADCAST",
        _ => "R2UR",
    };
    code.put("PLOP3.LUT");
    code.put("R2UR ".repeat(uniform));
    code.put("SHF.R.U32.HI PRMT");
    code.put_if(elects, "ELECT");
    code.put_if(!elects, "PLOP3.LUT");
    code.put(format!("{fetch} PLOP3.LUT {name}"));
    code.put_if(elects, "PLOP3.LUT");
    code.put("BRA.U.ANY");
}
