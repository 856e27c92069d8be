//! Floating-point arithmetic.

use crate::select::intrinsic::row::{Row, pure};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    pure(
        "{add,mul}.{rn,rz,rm,rp}[.ftz][.sat].{f:f32,d:f64}",
        "$1.$2$3$4.$5 %d, %0, %1",
    ),
    pure(
        "div.{rn,rz,rm,rp}[.ftz].{f:f32,d:f64}",
        "div.$1$2.$3 %d, %0, %1",
    ),
    pure("div.approx[.ftz].f", "div.approx$1.f32 %d, %0, %1"),
    pure("div.full[.ftz]", "div.full$1.f32 %d, %0, %1"),
    pure(
        "fma.{rn,rz,rm,rp}[.ftz][.sat].{f:f32,d:f64}",
        "fma.$1$2$3.$4 %d, %0, %1, %2",
    ),
    pure(
        "fma.rn[.ftz][.sat][.relu].{f16,f16x2,bf16,bf16x2}",
        "fma.rn$1$2$3.$4 %d, %0, %1, %2",
    ),
    pure(
        "f{min,max}[.ftz]{.nan:.NaN,}{.xorsign.abs,}.{f:f32,d:f64,f16,f16x2,bf16,bf16x2}",
        "$1$2$3$4.$5 %d, %0, %1",
    ),
    pure(
        "{sqrt,rcp}.{rn,rz,rm,rp}[.ftz].{f:f32,d:f64}",
        "$1.$2$3.$4 %d, %0",
    ),
    pure("sqrt.f", "sqrt.$R$F.f32 %d, %0"),
    pure("sqrt.approx[.ftz].f", "sqrt.approx$1.f32 %d, %0"),
    pure("rcp.approx.ftz.{f:f32,d:f64}", "rcp.approx.ftz.$1 %d, %0"),
    pure(
        "rsqrt.approx[.ftz].{f:f32,d:f64}",
        "rsqrt.approx$1.$2 %d, %0",
    ),
    pure("{sin,cos,lg2}.approx[.ftz].f", "$1.approx$2.f32 %d, %0"),
    pure(
        "ex2.approx[.ftz].{f32,f16,v2f16:f16x2}",
        "ex2.approx$1.$2 %d, %0",
    ),
    pure(
        "ex2.approx.ftz.{bf16,v2bf16:bf16x2}",
        "ex2.approx.ftz.$1 %d, %0",
    ),
    pure(
        "fabs[.ftz].{f32,f64,f16,bf16,v2f16:f16x2,v2bf16:bf16x2}",
        "abs$1.$2 %d, %0",
    ),
    // The second name is the one before LLVM 22, whose values may be integers.
    pure("{neg,abs}.{bf16,bf16x2}", "$1.$2 %d, %0"),
    pure("saturate[.ftz].f", "cvt.sat$1.f32.f32 %d, %0"),
    pure("saturate.d", "cvt.sat.f64.f64 %d, %0"),
    pure(
        "{floor:rmi,ceil:rpi,trunc:rzi,round:rni}[.ftz].{f:f32,d:f64}",
        "cvt.$1$2.$3.$3 %d, %0",
    ),
];
