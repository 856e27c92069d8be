//! Special registers.

use crate::select::intrinsic::row::{Row, effect, pure};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    pure(
        "read.ptx.sreg.{tid,ntid,ctaid,nctaid,clusterid,nclusterid}.{x,y,z,w}",
        "mov.u32 %d, %$1.$2",
    ),
    pure(
        "read.ptx.sreg.cluster.{ctaid,nctaid}.{x,y,z,w}",
        "mov.u32 %d, %cluster_$1.$2",
    ),
    pure(
        "read.ptx.sreg.cluster.{ctarank,nctarank}",
        "mov.u32 %d, %cluster_$1",
    ),
    pure(
        "read.ptx.sreg.{laneid,warpid,nwarpid,smid,nsmid,gridid}",
        "mov.u32 %d, %$1",
    ),
    pure(
        "read.ptx.sreg.lanemask.{eq,ge,gt,le,lt}",
        "mov.u32 %d, %lanemask_$1",
    ),
    pure(
        "read.ptx.sreg.{dynamic_smem_size,total_smem_size,aggr_smem_size}",
        "mov.u32 %d, %$1",
    ),
    pure(
        "read.ptx.sreg.envreg{0,1,2,3,4,5,6,7,8,9}",
        "mov.b32 %d, %envreg$1",
    ),
    pure(
        "read.ptx.sreg.envreg{1,2,3}{0,1,2,3,4,5,6,7,8,9}",
        "mov.b32 %d, %envreg$1$2",
    ),
    pure("read.ptx.sreg.warpsize", "mov.u32 %d, 32"),
    // Time passes: such a read must be made where it stands.
    effect("read.ptx.sreg.clock", "mov.u32 %d, %clock"),
    effect("read.ptx.sreg.clock64", "mov.u64 %d, %clock64"),
    effect("read.ptx.sreg.globaltimer", "mov.u64 %d, %globaltimer"),
    effect(
        "read.ptx.sreg.globaltimer.lo",
        "mov.u32 %d, %globaltimer_lo",
    ),
    effect("read.ptx.sreg.pm{0,1,2,3,4,5,6,7}", "mov.u32 %d, %pm$1"),
    pure("is_explicit_cluster", "mov.pred %d, %is_explicit_cluster"),
];
