//! Conversions.

use crate::select::intrinsic::row::{Row, pure};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    // Between numbers of one element.
    pure("d2f.{rn,rz,rm,rp}[.ftz]", "cvt.$1$2.f32.f64 %d, %0"),
    pure(
        "{f:f32,d:f64}2{i:s32,ui:u32,ll:s64,ull:u64}.{rn:rni,rz:rzi,rm:rmi,rp:rpi}[.ftz]",
        "cvt.$3$4.$2.$1 %d, %0",
    ),
    pure(
        "{i:s32,ui:u32,ll:s64,ull:u64}2{f:f32,d:f64}.{rn,rz,rm,rp}",
        "cvt.$3.$2.$1 %d, %0",
    ),
    pure("f2h.rn[.ftz]", "cvt.rn$1.f16.f32 %d, %0"),
    pure("bf2h.rn[.ftz]", "cvt.rn$1.f16.bf16 %d, %0"),
    pure(
        "f2{f16,bf16}.{rn,rz}[.relu][.satfinite]",
        "cvt.$2$3$4.$1.f32 %d, %0",
    ),
    pure(
        "f2tf32.{rna,rn,rz}[.relu][.satfinite]",
        "cvt.$1$2$3.tf32.f32 %d, %0",
    ),
    // The halves of a double.
    pure("d2i.lo", "mov.b64 {%d, %t0}, %0"),
    pure("d2i.hi", "mov.b64 {%t0, %d}, %0"),
    pure("lohi.i2d", "mov.b64 %d, {%0, %1}"),
    // Between packed numbers. The first argument becomes the upper half.
    pure(
        "ff2{f16x2,bf16x2}.{rn,rz}[.relu][.satfinite]",
        "cvt.$2$3$4.$1.f32 %d, %0, %1",
    ),
    pure(
        "ff2{f16x2,bf16x2}.rs[.relu][.satfinite]",
        "cvt.rs$2$3.$1.f32 %d, %0, %1, %2",
    ),
    pure(
        "ff.to.{e4m3x2,e5m2x2}.rn[.relu]",
        "cvt.rn.satfinite$2.$1.f32 %d, %0, %1",
    ),
    pure(
        "f16x2.to.{e4m3x2,e5m2x2}.rn[.relu]",
        "cvt.rn.satfinite$2.$1.f16x2 %d, %0",
    ),
    pure(
        "{e4m3x2,e5m2x2,e2m3x2,e3m2x2}.to.f16x2.rn[.relu]",
        "cvt.rn$2.f16x2.$1 %d, %0",
    ),
    pure(
        "ff.to.{e2m3x2,e3m2x2}.rn[.relu].satfinite",
        "cvt.rn.satfinite$2.$1.f32 %d, %0, %1",
    ),
    pure(
        "ff.to.e2m1x2.rn[.relu].satfinite",
        "cvt.rn.satfinite$1.e2m1x2.f32 %t0:b8, %0, %1; cvt.u16.u8 %d, %t0",
    ),
    pure(
        "e2m1x2.to.f16x2.rn[.relu]",
        "cvt.u8.u16 %t0:b8, %0; cvt.rn$1.f16x2.e2m1x2 %d, %t0",
    ),
    pure(
        "ff.to.ue8m0x2.{rz,rp}[.satfinite]",
        "cvt.$1$2.ue8m0x2.f32 %d, %0, %1",
    ),
    pure(
        "bf16x2.to.ue8m0x2.{rz,rp}[.satfinite]",
        "cvt.$1$2.ue8m0x2.bf16x2 %d, %0",
    ),
    pure("ue8m0x2.to.bf16x2", "cvt.rn.bf16x2.ue8m0x2 %d, %0"),
    pure(
        "f32x4.to.{e4m3x4,e5m2x4,e2m3x4,e3m2x4,e2m1x4}.rs[.relu].satfinite",
        "cvt.rs$2.satfinite.$1.f32 %d, {%0}, %1",
    ),
];
