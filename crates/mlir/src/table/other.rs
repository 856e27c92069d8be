//! Operations of the `nvvm` dialect that MLIR 22 does not have: spellings of older versions, where the memory was a
//! part of the name, and those of NVIDIA's own version of the dialect. The latter are known from their description
//! only, so that they are read in the generic form alone, with the names of operands in the order given here.

use super::{Row, row};

/// The order and scope of atomics have several names among the producers of the dialect.
const ATOMIC: &str = "op:atomic_op ordering/mem_order/memOrder:mem_order \
                      scope/mem_scope/memScope/syncscope:mem_scope";
const FENCE: &str = "scope:mem_scope space:advice";
const WAIT: &str = "%addr , %state {} : T* -> R";

pub(super) static ROWS: &[Row] = &[
    // MLIR up to 21.
    row(
        "nvvm.mbarrier.init.shared",
        "addr count predicate?",
        "%addr , %count <? , predicate = %predicate ?> {} : T*",
        "[predicate] asm @$2 mbarrier.init.shared.b64 [$0], $1;(addr, count, predicate) || \
         call llvm.nvvm.mbarrier.init.shared(addr, count)",
    ),
    row(
        "nvvm.mbarrier.inval.shared",
        "addr",
        "%addr {} : T*",
        "call llvm.nvvm.mbarrier.inval.shared(addr)",
    ),
    row(
        "nvvm.mbarrier.arrive.shared",
        "addr",
        "%addr {} : T* -> R",
        "call llvm.nvvm.mbarrier.arrive.shared(addr) -> i64 : same",
    ),
    row(
        "nvvm.mbarrier.arrive.nocomplete.shared",
        "addr count",
        "%addr , %count {} : T* -> R",
        "call llvm.nvvm.mbarrier.arrive.noComplete.shared(addr, count) -> i64 : same",
    ),
    row(
        "nvvm.mbarrier.arrive.expect_tx.shared",
        "addr txcount predicate?",
        "%addr , %txcount <? , predicate = %predicate ?> {} : T*",
        "[predicate] asm @$2 mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;(addr, txcount, predicate) || \
         call llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(addr, txcount) -> i64 : same",
    ),
    row(
        "nvvm.mbarrier.test.wait.shared",
        "addr state",
        WAIT,
        "call llvm.nvvm.mbarrier.test.wait.shared(addr, state)",
    ),
    row(
        "nvvm.mbarrier.try_wait.parity.shared",
        "addr phase ticks",
        "%addr , %phase , %ticks {} : T*",
        "asm { \n\t.reg .pred P1; \n\tLAB_WAIT: \n\tmbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \
         \n\t@P1 bra.uni DONE; \n\tbra.uni LAB_WAIT; \n\tDONE: \n\t}(addr, phase, ticks)",
    ),
    row(
        "nvvm.cp.async.mbarrier.arrive.shared",
        "addr",
        "%addr {} : T*",
        "call llvm.nvvm.cp.async.mbarrier.arrive{noinc?.noinc}.shared(addr)",
    )
    .attrs("noinc:flag"),
    // NVIDIA's version. Its waits are loops: PTX has no waiting instruction.
    row("nvvm.mbarrier.wait", "smemPtr state?", "", ""),
    row("nvvm.mbarrier.txn", "smemPtr txCount peerRank?", "", "")
        .attrs("relaxed:flag noComplete:flag kind:shared_space scope:mem_scope peerRank:number"),
    row(
        "nvvm.fence.acq_rel.cta",
        "",
        "{}",
        "fence syncscope(\"block\") acq_rel",
    ),
    row(
        "nvvm.fence.acq_rel.cluster",
        "",
        "{}",
        "fence syncscope(\"cluster\") acq_rel",
    ),
    row(
        "nvvm.fence.acq_rel.gpu",
        "",
        "{}",
        "fence syncscope(\"device\") acq_rel",
    ),
    row("nvvm.fence.acq_rel.sys", "", "{}", "fence acq_rel"),
    row(
        "nvvm.fence.sc.cta",
        "",
        "{}",
        "fence syncscope(\"block\") seq_cst",
    ),
    row(
        "nvvm.fence.sc.gpu",
        "",
        "{}",
        "fence syncscope(\"device\") seq_cst",
    ),
    row("nvvm.fence.sc.sys", "", "{}", "fence seq_cst"),
    // A fence for all memory is one for the kind of shared memory that `space` names.
    row("nvvm.fence.acquire", "", "{}", "fence{scope} acquire").attrs(FENCE),
    row("nvvm.fence.release", "", "{}", "fence{scope} release").attrs(FENCE),
    row("nvvm.membar.cta", "", "{}", "call llvm.nvvm.membar.cta()"),
    row("nvvm.membar.gpu", "", "{}", "call llvm.nvvm.membar.gl()"),
    row("nvvm.membar.sys", "", "{}", "call llvm.nvvm.membar.sys()"),
    row(
        "nvvm.tensormap.cp_fenceproxy",
        "srcTmapPtr dstTmapPtr sizeBytes?",
        "",
        "",
    )
    .attrs("sizeBytes:number scope:mem_scope"),
    // Atomics. What is `val` of `cas` is the value that is expected.
    row("nvvm.atomic.rmw", "ptr val new? cacheHint?", "", "").attrs(ATOMIC),
    row("nvvm.red", "ptr val cacheHint?", "", "").attrs(ATOMIC),
];
