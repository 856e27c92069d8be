//! Integer arithmetic and bit manipulation.

use crate::select::intrinsic::row::{Row, pure};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    pure(
        "mulhi.{s:s16,us:u16,i:s32,ui:u32,ll:s64,ull:u64}",
        "mul.hi.$1 %d, %0, %1",
    ),
    pure("mul24.{i:s32,ui:u32}", "mul24.lo.$1 %d, %0, %1"),
    pure(
        "sad.{s:s16,us:u16,i:s32,ui:u32,ll:s64,ull:u64}",
        "sad.$1 %d, %0, %1, %2",
    ),
    pure("bmsk.{clamp,wrap}", "bmsk.$1.b32 %d, %0, %1"),
    pure("{sext:s,zext:u}.{clamp,wrap}", "szext.$2.$132 %d, %0, %1"),
    pure("flo.{s,u}*", "bfind(?1:.shiftamt).$1$A %d, %0"),
    pure("fns", "fns.b32 %d, %0, %1, %2"),
    pure("fshl.clamp*", "shf.l.clamp.b32 %d, %1, %0, %2"),
    pure("fshr.clamp*", "shf.r.clamp.b32 %d, %1, %0, %2"),
    pure("prmt", "prmt.b32 %d, %0, %1, %2"),
    pure("prmt.{f4e,b4e}", "prmt.b32.$1 %d, %0, %1, %2"),
    pure("prmt.{rc8,ecl,ecr,rc16}", "prmt.b32.$1 %d, %0, 0, %1"),
    pure(
        "idp4a.{s:s32,u:u32}.{s:s32,u:u32}",
        "dp4a.$1.$2 %d, %0, %1, %2",
    ),
    pure(
        "idp2a.{s:s32,u:u32}.{s:s32,u:u32}",
        "dp2a(=2:0=.lo,1=.hi).$1.$2 %d, %0, %1, %3",
    ),
    pure(
        "move.{i16:b16,i32:b32,i64:b64,float:f32,double:f64}",
        "mov.$1 %d, %0",
    ),
    pure("move.ptr*", "mov.b$T %d, %0"),
];
