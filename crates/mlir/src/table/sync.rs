//! The `nvvm` dialect: special registers, warps, barriers, mbarriers and fences.

use super::{Row, row};

const NOTHING: &str = "{}";
const REGISTER: &str = "<? range #range ?> {} : R";
const ADDR: &str = "%addr {} : T*";
const ADDR_COUNT: &str = "%addr , %count {} : T* -> R";
const ARRIVE: &str = "%addr <? , %count ?> {} : T%addr <? -> R ?>";
const DROP_EXPECT: &str = "%addr , %txcount {} : T* <? -> R ?>";
const TX: &str = "%addr , %txcount {} : T*";

pub(super) static ROWS: &[Row] = &[
    // Special registers: the operations are named as the intrinsics, but for three.
    row("nvvm.read.ptx.sreg.*", "", REGISTER, "call llvm.{op}()")
    .attrs("range:any"),
    row(
        "nvvm.read.ptx.sreg.aggr.smem.size",
        "",
        REGISTER,
        "call llvm.nvvm.read.ptx.sreg.aggr_smem_size()",
    )
    .attrs("range:any"),
    row(
        "nvvm.read.ptx.sreg.dynamic.smem.size",
        "",
        REGISTER,
        "call llvm.nvvm.read.ptx.sreg.dynamic_smem_size()",
    )
    .attrs("range:any"),
    row(
        "nvvm.read.ptx.sreg.total.smem.size",
        "",
        REGISTER,
        "call llvm.nvvm.read.ptx.sreg.total_smem_size()",
    )
    .attrs("range:any"),
    // Barriers of a block.
    row(
        "nvvm.barrier0",
        "",
        NOTHING,
        "call llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
    ),
    row(
        "nvvm.barrier",
        "barrierId? numberOfThreads? reductionPredicate?",
        "<? id = %barrierId ?> <? number_of_threads = %numberOfThreads ?> \
         <? #reductionOp %reductionPredicate ?> <? -> R ?> {}",
        "[!reductionOp !reductionPredicate !numberOfThreads] call llvm.nvvm.barrier.cta.sync.aligned.all(barrierId|i32 0) || \
         [!reductionOp !reductionPredicate] call llvm.nvvm.barrier.cta.sync.aligned.count(barrierId|i32 0, numberOfThreads) || \
         [reductionOp=popc !numberOfThreads] call llvm.nvvm.barrier.cta.red.popc.aligned.all(barrierId|i32 0, reductionPredicate>i1) || \
         [reductionOp=popc] call llvm.nvvm.barrier.cta.red.popc.aligned.count(barrierId|i32 0, numberOfThreads, reductionPredicate>i1) || \
         [!numberOfThreads] call llvm.nvvm.barrier.cta.red.{reductionOp}.aligned.all(barrierId|i32 0, reductionPredicate>i1) -> i1 : zext || \
         call llvm.nvvm.barrier.cta.red.{reductionOp}.aligned.count(barrierId|i32 0, numberOfThreads, reductionPredicate>i1) -> i1 : zext",
    )
    .attrs("reductionOp:reduction"),
    row(
        "nvvm.barrier.arrive",
        "barrierId? numberOfThreads",
        "<? id = %barrierId ?> number_of_threads = %numberOfThreads {}",
        "[barrierId] asm bar.arrive $0, $1;(barrierId, numberOfThreads) || \
         asm bar.arrive 0, $0;(numberOfThreads)",
    ),
    row(
        "nvvm.bar.warp.sync",
        "mask",
        "%mask {} : T%mask",
        "call llvm.nvvm.bar.warp.sync(mask)",
    ),
    // Barriers of a cluster.
    row(
        "nvvm.cluster.arrive",
        "",
        NOTHING,
        "call llvm.nvvm.barrier.cluster.arrive{aligned?.aligned}()",
    )
    .attrs("aligned:flag"),
    row(
        "nvvm.cluster.arrive.relaxed",
        "",
        NOTHING,
        "call llvm.nvvm.barrier.cluster.arrive.relaxed{aligned?.aligned}()",
    )
    .attrs("aligned:flag"),
    row(
        "nvvm.cluster.wait",
        "",
        NOTHING,
        "call llvm.nvvm.barrier.cluster.wait{aligned?.aligned}()",
    )
    .attrs("aligned:flag"),
    // Warps.
    row(
        "nvvm.shfl.sync",
        "thread_mask val offset mask_and_clamp",
        "#kind %thread_mask , %val , %offset , %mask_and_clamp {} : T%val -> R",
        "call llvm.nvvm.shfl.sync.{kind}.{~val=i32:i32,f32:f32}{return_value_and_is_valid?p}\
         (thread_mask, val, offset, mask_and_clamp)",
    )
    .attrs("kind:shfl_kind return_value_and_is_valid:flag"),
    row(
        "nvvm.vote.sync",
        "mask pred",
        "#kind %mask , %pred {} -> R",
        "call llvm.nvvm.vote.{kind=any:any,all:all,uni:uni,ballot:ballot}.sync(mask, pred)",
    )
    .attrs("kind:vote_sync_kind"),
    row(
        "nvvm.match.sync",
        "thread_mask val",
        "#kind %thread_mask , %val {} : T%val -> R",
        "call llvm.nvvm.match.{kind=any:any,all:all}.sync.{~val=i32:i32,i64:i64}{kind=any:,all:p}(thread_mask, val)",
    )
    .attrs("kind:match_sync_kind"),
    row(
        "nvvm.redux.sync",
        "val mask_and_clamp",
        "#kind %val , %mask_and_clamp {} : T%val -> R",
        "call llvm.nvvm.redux.sync.{kind=add:add,and:and,or:or,xor:xor,min:min,max:max,umin:umin,umax:umax,fmin:fmin,fmax:fmax,fminabsnan:fmin.abs.NaN,fmaxabsnan:fmax.abs.NaN}{abs?.abs}{nan?.NaN}(val, mask_and_clamp)",
    )
    .attrs("abs:flag kind:redux_kind nan:flag"),
    row(
        "nvvm.elect.sync",
        "membermask?",
        "<? %membermask ?> {} -> R",
        "call llvm.nvvm.elect.sync(membermask|i32 -1) -> { i32, i1 } : extractvalue 1",
    ),
    // Fences.
    row(
        "nvvm.fence.mbarrier.init",
        "",
        NOTHING,
        "call llvm.nvvm.fence.mbarrier_init.release.cluster()",
    )
    .attrs("useIntrinsic:advice"),
    row(
        "nvvm.fence.sc.cluster",
        "",
        NOTHING,
        "call llvm.nvvm.fence.sc.cluster()",
    ),
    row(
        "nvvm.fence.proxy",
        "",
        NOTHING,
        "[kind=async.shared] call llvm.nvvm.fence.proxy.async.shared_{space=cta:cta,cluster:cluster}() || \
         [!space] call llvm.nvvm.fence.proxy.{kind=alias:alias,async:async,async.global:async.global}()",
    )
    .attrs("kind:proxy_kind space:shared_space useIntrinsic:advice"),
    row(
        "nvvm.fence.proxy.acquire",
        "addr size",
        "#scope %addr , %size <? from_proxy = #fromProxy ?> <? to_proxy = #toProxy ?> {}",
        "call llvm.nvvm.fence.proxy.{toProxy=:tensormap,tensormap:tensormap}_{fromProxy=:generic,generic:generic}\
         .acquire.{scope}(addr, size)",
    )
    .attrs("fromProxy:proxy_kind scope:mem_scope toProxy:proxy_kind"),
    row(
        "nvvm.fence.proxy.release",
        "",
        "#scope <? from_proxy = #fromProxy ?> <? to_proxy = #toProxy ?> {}",
        "call llvm.nvvm.fence.proxy.{toProxy=:tensormap,tensormap:tensormap}_{fromProxy=:generic,generic:generic}\
         .release.{scope}()",
    )
    .attrs("fromProxy:proxy_kind scope:mem_scope toProxy:proxy_kind"),
    row(
        "nvvm.fence.proxy.sync_restrict",
        "",
        NOTHING,
        "[fromProxy=/generic toProxy=/async] call llvm.nvvm.fence.proxy.async_generic.{order=acquire:acquire,release:release}.sync_restrict.\
         space.{order=acquire:cluster,release:cta}.scope.cluster()",
    )
    .attrs("fromProxy:proxy_kind order:mem_order toProxy:proxy_kind"),
    row(
        "nvvm.fence.sync_restrict",
        "",
        NOTHING,
        "call llvm.nvvm.fence.{order=acquire:acquire,release:release}.sync_restrict.\
         space.{order=acquire:cluster,release:cta}.scope.cluster()",
    )
    .attrs("order:mem_order"),
    row(
        "nvvm.memory.barrier",
        "",
        "#scope {}",
        "call llvm.nvvm.{scope=cta:membar.cta,cluster:fence.sc.cluster,gpu:membar.gl,sys:membar.sys}()",
    )
    .attrs("scope:mem_scope"),
    // mbarriers. A generic address is one of shared memory wherever the intrinsic takes no other.
    row(
        "nvvm.mbarrier.init",
        "addr count predicate?",
        "%addr , %count <? , predicate = %predicate ?> {} : T*",
        "[predicate] asm @$2 mbarrier.init{~addr=p3:.shared,p0:}.b64 [$0], $1;(addr, count, predicate) || \
         call llvm.nvvm.mbarrier.init{~addr=p3:.shared,p0:}(addr, count)",
    ),
    row(
        "nvvm.mbarrier.inval",
        "addr",
        ADDR,
        "call llvm.nvvm.mbarrier.inval{~addr=p3:.shared,p0:}(addr)",
    ),
    row(
        "nvvm.mbarrier.arrive",
        "addr count?",
        ARRIVE,
        "[!count !relaxed scope=/cta !~addr=p7] call llvm.nvvm.mbarrier.arrive.shared(addr>p3) -> i64 : same || \
         [~addr=p7] call llvm.nvvm.mbarrier.arrive{relaxed?.relaxed}.scope.{scope=:cta,cta:cta,cluster:cluster}.space.cluster\
         (addr, count|i32 1) || \
         call llvm.nvvm.mbarrier.arrive{relaxed?.relaxed}.scope.{scope=:cta,cta:cta,cluster:cluster}.space.cta\
         (addr>p3, count|i32 1) -> i64 : same",
    )
    .attrs("relaxed:flag scope:mem_scope"),
    row(
        "nvvm.mbarrier.arrive_drop",
        "addr count?",
        ARRIVE,
        "[~addr=p7] call llvm.nvvm.mbarrier.arrive.drop{relaxed?.relaxed}.scope.{scope=:cta,cta:cta,cluster:cluster}.space.cluster\
         (addr, count|i32 1) || \
         call llvm.nvvm.mbarrier.arrive.drop{relaxed?.relaxed}.scope.{scope=:cta,cta:cta,cluster:cluster}.space.cta\
         (addr>p3, count|i32 1) -> i64 : same",
    )
    .attrs("relaxed:flag scope:mem_scope"),
    row(
        "nvvm.mbarrier.arrive.nocomplete",
        "addr count",
        ADDR_COUNT,
        "call llvm.nvvm.mbarrier.arrive.noComplete{~addr=p3:.shared,p0:}(addr, count)",
    ),
    row(
        "nvvm.mbarrier.arrive_drop.nocomplete",
        "addr count",
        ADDR_COUNT,
        "call llvm.nvvm.mbarrier.arrive.drop.noComplete{~addr=p3:.shared,p0:}(addr, count)",
    ),
    row(
        "nvvm.mbarrier.arrive.expect_tx",
        "addr txcount predicate?",
        "%addr , %txcount <? , predicate = %predicate ?> {} : T* <? -> R ?>",
        "[predicate !relaxed scope=/cta] asm @$2 mbarrier.arrive.expect_tx{~addr=p3:.shared,p0:}.b64 _, [$0], $1;\
         (addr, txcount, predicate) || \
         [predicate] refuse a predicate together with a relaxed order or the scope of a cluster || \
         [~addr=p7] call llvm.nvvm.mbarrier.arrive.expect.tx{relaxed?.relaxed}.scope.{scope=:cta,cta:cta,cluster:cluster}.space.cluster\
         (addr, txcount) || \
         call llvm.nvvm.mbarrier.arrive.expect.tx{relaxed?.relaxed}.scope.{scope=:cta,cta:cta,cluster:cluster}.space.cta\
         (addr>p3, txcount) -> i64 : same",
    )
    .attrs("relaxed:flag scope:mem_scope"),
    row(
        "nvvm.mbarrier.arrive_drop.expect_tx",
        "addr txcount",
        DROP_EXPECT,
        "[~addr=p7] call llvm.nvvm.mbarrier.arrive.drop.expect.tx{relaxed?.relaxed}.scope.{scope=:cta,cta:cta,cluster:cluster}.space.cluster\
         (addr, txcount) || \
         call llvm.nvvm.mbarrier.arrive.drop.expect.tx{relaxed?.relaxed}.scope.{scope=:cta,cta:cta,cluster:cluster}.space.cta\
         (addr>p3, txcount) -> i64 : same",
    )
    .attrs("relaxed:flag scope:mem_scope"),
    row(
        "nvvm.mbarrier.expect_tx",
        "addr txcount",
        TX,
        "call llvm.nvvm.mbarrier.expect.tx.scope.{scope=:cta,cta:cta,cluster:cluster}\
         .space.{~addr=p3:cta,p7:cluster}(addr, txcount)",
    )
    .attrs("scope:mem_scope"),
    row(
        "nvvm.mbarrier.complete_tx",
        "addr txcount",
        TX,
        "call llvm.nvvm.mbarrier.complete.tx.scope.{scope=:cta,cta:cta,cluster:cluster}\
         .space.{~addr=p3:cta,p7:cluster}(addr, txcount)",
    )
    .attrs("scope:mem_scope"),
    row(
        "nvvm.mbarrier.test.wait",
        "addr stateOrPhase",
        "%addr , %stateOrPhase {} : T* -> R",
        "call llvm.nvvm.mbarrier.test.wait{~stateOrPhase=i32:.parity,i64:}{relaxed?.relaxed}\
         .scope.{scope=:cta,cta:cta,cluster:cluster}.space.cta(addr>p3, stateOrPhase)",
    )
    .attrs("relaxed:flag scope:mem_scope"),
    row(
        "nvvm.mbarrier.try_wait",
        "addr stateOrPhase ticks?",
        "%addr , %stateOrPhase <? , %ticks ?> {} : T* -> R",
        "call llvm.nvvm.mbarrier.try.wait{~stateOrPhase=i32:.parity,i64:}{ticks?.tl}{relaxed?.relaxed}\
         .scope.{scope=:cta,cta:cta,cluster:cluster}.space.cta(addr>p3, stateOrPhase, ticks?)",
    )
    .attrs("relaxed:flag scope:mem_scope"),
    row(
        "nvvm.mbarrier.try_wait.parity",
        "addr phase ticks",
        "%addr , %phase , %ticks {} : T*",
        "asm { \n\t.reg .pred P1; \n\tLAB_WAIT: \n\tmbarrier.try_wait.parity{~addr=p3:.shared,p0:}.b64 P1, [$0], $1, $2; \
         \n\t@P1 bra.uni DONE; \n\tbra.uni LAB_WAIT; \n\tDONE: \n\t}(addr, phase, ticks)",
    ),
    row(
        "nvvm.cp.async.mbarrier.arrive",
        "addr",
        ADDR,
        "call llvm.nvvm.cp.async.mbarrier.arrive{noinc?.noinc}{~addr=p3:.shared,p0:}(addr)",
    )
    .attrs("noinc:flag"),
    // Control of the grid and the chip.
    row(
        "nvvm.griddepcontrol",
        "",
        "#kind {}",
        "call llvm.nvvm.griddepcontrol.{kind=wait:wait,launch_dependents:launch.dependents}()",
    )
    .attrs("kind:grid_dep_action"),
    row(
        "nvvm.setmaxregister",
        "",
        "#action #regCount {}",
        "call llvm.nvvm.setmaxnreg.{action=increase:inc,decrease:dec}.sync.aligned.u32(i32 #regCount)",
    )
    .attrs("action:action regCount:number"),
    row(
        "nvvm.nanosleep",
        "duration",
        "{} %duration",
        "call llvm.nvvm.nanosleep(duration)",
    ),
    row(
        "nvvm.pmevent",
        "",
        "{} <? id = #eventId ?> <? mask = #maskedEventId ?>",
        "[maskedEventId !eventId] call llvm.nvvm.pm.event.mask(i16 #maskedEventId) || \
         [eventId !maskedEventId] call llvm.nvvm.pm.event.mask(i16 {bit:eventId})",
    )
    .attrs("eventId:number maskedEventId:number"),
    row("nvvm.breakpoint", "", NOTHING, "call llvm.debugtrap()"),
    row("nvvm.exit", "", NOTHING, "call llvm.nvvm.exit()"),
    row(
        "nvvm.clusterlaunchcontrol.query.cancel",
        "try_cancel_response",
        "query = #query_type , %try_cancel_response {} : R",
        "call llvm.nvvm.clusterlaunchcontrol.query_cancel.{query_type=is_canceled:is_canceled,\
         get_first_cta_id_x:get_first_ctaid.x,get_first_cta_id_y:get_first_ctaid.y,\
         get_first_cta_id_z:get_first_ctaid.z}(try_cancel_response)",
    )
    .attrs("query_type:cluster_launch_control_query_type"),
    row(
        "nvvm.clusterlaunchcontrol.try.cancel",
        "smemAddress mbarrier",
        "<? multicast !multicast , ?> %smemAddress , %mbarrier {}",
        "call llvm.nvvm.clusterlaunchcontrol.try_cancel.async{multicast?.multicast}.shared(smemAddress, mbarrier)",
    )
    .attrs("multicast:flag"),
    row(
        "nvvm.mapa",
        "a b",
        "%a , %b {} : T%a -> R",
        "call llvm.nvvm.mapa{~a=p3:.shared.cluster,p0:}(a, b)",
    ),
];
