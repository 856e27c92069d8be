//! Waits and transactions of barriers in shared memory, and copies of tensor maps, as NVIDIA's version of the `nvvm`
//! dialect has them.

use super::function::Writer;
use super::{Outcome, Problem};
use crate::tree::{Op, Use};
use crate::types::Type;

/// The name of the operation that ends a block of LLVM IR: it waits in a loop.
const WAIT: &str = "nvvm.mbarrier.wait";

/// Whether an operation makes LLVM IR of several blocks.
pub(super) fn splits(op: &Op<'_>) -> bool {
    op.name == WAIT
}

/// The bytes of a tensor map: what PTX copies, and nothing else.
const TENSOR_MAP: i128 = 128;

impl<'o, 't> Writer<'o, 't> {
    /// `nvvm.mbarrier.wait`: PTX has no instruction that waits for good, so this is a loop around one that tries.
    ///
    /// The phase is given by the state that an arrival gave (`i64`) or by its parity (`i32`). If none is given, it is
    /// the one that is current now: if the phase of parity 0 is over, that is the one of parity 1.
    pub(super) fn wait(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let (barrier, phase) = match op.operands.as_slice() {
            [barrier] => (barrier, None),
            [barrier, phase] => (barrier, Some(phase)),
            _ => return Err(Problem::wrong("it has one or two operands")),
        };
        match op.result_types.as_slice() {
            [] | [Type::Int(1)] => {}
            _ => return Err(Problem::wrong("its result is i1: that the phase is over")),
        }
        let barrier = self.made(barrier, "p3")?;
        let (parity, phase) = match phase {
            None => {
                let over = self.fresh();
                self.write(&format!(
                    "{over} = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta({barrier}, i32 0)"
                ));
                let parity = self.fresh();
                self.write(&format!("{parity} = zext i1 {over} to i32"));
                (".parity", format!("i32 {parity}"))
            }
            Some(phase) => match self.known(phase)?.ty {
                Type::Int(32) => (".parity", self.typed(phase)?),
                Type::Int(64) => ("", self.typed(phase)?),
                ref ty => {
                    let message = format!("the phase is i32 (a parity) or i64 (a state), not {ty}");
                    return Err(Problem::wrong(message).at(phase.pos, phase.value.name));
                }
            },
        };
        let (again, after) = self.split();
        let over = match op.results.is_empty() {
            true => self.fresh(),
            false => self.result_name(op),
        };
        self.write(&format!("br label %{again}"));
        self.label(&again);
        self.write(&format!(
            "{over} = call i1 @llvm.nvvm.mbarrier.try.wait{parity}.scope.cta.space.cta({barrier}, {phase})"
        ));
        self.write(&format!("br i1 {over}, label %{after}, label %{again}"));
        self.label(&after);
        Ok(())
    }

    /// `nvvm.mbarrier.txn`: tells a barrier, perhaps another block's, to expect bytes.
    ///
    /// PTX knows this order alone: relaxed. That it completes no phase (`noComplete`) is a promise of the program,
    /// which no instruction needs.
    pub(super) fn transaction(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let (barrier, count, rank) = match op.operands.as_slice() {
            [barrier, count] => (barrier, count, None),
            [barrier, count, rank] => (barrier, count, Some(rank)),
            _ => {
                return Err(Problem::wrong(
                    "it has a barrier, a count and perhaps a rank",
                ));
            }
        };
        let rank = match (rank, op.attrs.int("peerRank")) {
            (Some(_), Some(_)) => return Err(Problem::wrong("`peerRank` is there twice")),
            (Some(rank), None) => Some(self.typed(rank)?),
            (None, rank) => rank.map(|rank| format!("i32 {rank}")),
        };
        let scope = match op.attrs.word("scope") {
            None => "cta",
            Some(scope @ ("cta" | "cluster")) => scope,
            Some(scope) => {
                return Err(Problem::wrong(format!("`scope` cannot be `{scope}` here"))
                    .help("it is one of cta, cluster"));
            }
        };
        let of_cluster = match (op.attrs.word("kind"), &self.known(barrier)?.ty, &rank) {
            (kind, Type::Pointer(0 | 3), Some(_)) if kind != Some("cta") => true,
            (_, _, Some(_)) => {
                return Err(
                    Problem::wrong("`peerRank` is for an address in this block's memory")
                        .help("the rank says which block of the cluster has the barrier"),
                );
            }
            (None, Type::Pointer(space), None) => *space == 7,
            (Some("cta"), Type::Pointer(7), None) => {
                return Err(Problem::wrong(
                    "`kind` is `cta`, the address another block's",
                ));
            }
            (kind, _, None) => kind == Some("cluster"),
        };
        let count = self.typed(count)?;
        let barrier = match rank {
            Some(rank) => {
                let own = self.made(barrier, "p3")?;
                let peer = self.fresh();
                self.write(&format!(
                    "{peer} = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster({own}, {rank})"
                ));
                format!("ptr addrspace(7) {peer}")
            }
            None => self.made(barrier, if of_cluster { "p7" } else { "p3" })?,
        };
        let space = if of_cluster { "cluster" } else { "cta" };
        self.write(&format!(
            "call void @llvm.nvvm.mbarrier.expect.tx.scope.{scope}.space.{space}({barrier}, {count})"
        ));
        Ok(())
    }

    /// `nvvm.tensormap.cp_fenceproxy`: copies a tensor map and makes it known to the proxy that reads it.
    pub(super) fn copy_tensor_map(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let (from, to, size) = match op.operands.as_slice() {
            [from, to] => (from, to, None),
            [from, to, size] => (from, to, Some(size)),
            _ => {
                return Err(Problem::wrong(
                    "it has a source, a destination and perhaps a size",
                ));
            }
        };
        let size = match size {
            Some(size) => self.constant(size)?,
            None => None,
        }
        .or(op.attrs.int("sizeBytes"));
        let stated = op.operands.len() == 3 || op.attrs.get("sizeBytes").is_some();
        if stated && size != Some(TENSOR_MAP) {
            return Err(Problem::wrong(format!(
                "`sizeBytes` is {TENSOR_MAP}: PTX copies whole tensor maps only"
            )));
        }
        if op.operands.len() == 3 && op.attrs.get("sizeBytes").is_some() {
            return Err(Problem::wrong("`sizeBytes` is there twice"));
        }
        let Some(scope) = op.attrs.word("scope") else {
            return Err(Problem::wrong("`scope` is missing"));
        };
        let text = format!(
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.{scope}.sync.aligned [$0], [$1], {TENSOR_MAP};"
        );
        self.write_asm(&text, &[to, from])
    }

    /// The value of an operand that is an integer constant.
    fn constant(&self, operand: &Use<'t>) -> Outcome<Option<i128>> {
        Ok(crate::number::integer(&self.known(operand)?.text))
    }
}
