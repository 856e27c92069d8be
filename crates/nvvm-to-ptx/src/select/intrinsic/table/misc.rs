//! The rest.

use crate::select::intrinsic::row::{Row, effect, pure};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect("exit", "exit"),
    effect("nanosleep", "nanosleep.u32 %0"),
    effect("pm.event.mask", "pmevent.mask %0"),
    effect(
        "atomic.{max,min}.gen.i.{cta,sys}.i{32,64}*",
        "atom.$2$S.$1.s$3 %d, [%0], %1",
    ),
    effect(
        "atomic.add.gen.i.{cta,sys}.i{32,64}*",
        "atom.$1$S.add.u$2 %d, [%0], %1",
    ),
    effect(
        "atomic.add.gen.f.{cta,sys}.{f32,f64}*",
        "atom.$1$S.add.$2 %d, [%0], %1",
    ),
    effect(
        "atomic.{and,or,xor,exch}.gen.i.{cta,sys}.i{32,64}*",
        "atom.$2$S.$1.b$3 %d, [%0], %1",
    ),
    effect(
        "atomic.{inc,dec}.gen.i.{cta,sys}.i32*",
        "atom.$2$S.$1.u32 %d, [%0], %1",
    ),
    effect(
        "atomic.cas.gen.i.{cta,sys}.i{32,64,16}*",
        "atom.$1$S.cas.b$2 %d, [%0], %1, %2",
    ),
    effect(
        "clusterlaunchcontrol.try_cancel.async{.multicast.shared:.multicast::cluster::all,.shared:}",
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes$1.b128 [%0], [%1]",
    ),
    pure(
        "clusterlaunchcontrol.query_cancel.is_canceled",
        "mov.b128 %t0:b128, {%0}; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %d, %t0",
    ),
    pure(
        "clusterlaunchcontrol.query_cancel.get_first_ctaid.{x,y,z}",
        "mov.b128 %t0:b128, {%0}; clusterlaunchcontrol.query_cancel.get_first_ctaid::$1.b32.b128 %d, %t0",
    ),
];
