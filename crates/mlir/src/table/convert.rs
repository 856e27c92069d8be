//! The `nvvm` dialect: conversions and arithmetic.

use super::{Row, row};

const SRC: &str = "%src {} : T%src ( #srcType ) -> R";
const FOUR: &str = "%src , %rbits {} : T%src -> R ( #dstTy )";
const SRC_HI_LO: &str = "%src_hi , %src_lo <? , %random_bits ?> {} : R";

pub(super) static ROWS: &[Row] = &[
    row(
        "nvvm.convert.float.to.tf32",
        "src",
        "%src {}",
        "call llvm.nvvm.f2tf32.{rnd}{relu?.relu}{sat=:,none:,satfinite:.satfinite}(src)",
    )
    .attrs("relu:flag rnd:fp_rnd_mode sat:sat_mode")
    .result("i32"),
    row(
        "nvvm.convert.f32x2.to.bf16x2",
        "src_hi src_lo random_bits?",
        SRC_HI_LO,
        "call llvm.nvvm.ff2bf16x2.{rnd}{relu?.relu}{sat=:,none:,satfinite:.satfinite}(src_hi, src_lo, random_bits?)",
    )
    .attrs("relu:flag rnd:fp_rnd_mode sat:sat_mode"),
    row(
        "nvvm.convert.f32x2.to.f16x2",
        "src_hi src_lo random_bits?",
        SRC_HI_LO,
        "call llvm.nvvm.ff2f16x2.{rnd}{relu?.relu}{sat=:,none:,satfinite:.satfinite}(src_hi, src_lo, random_bits?)",
    )
    .attrs("relu:flag rnd:fp_rnd_mode sat:sat_mode"),
    row(
        "nvvm.convert.f32x2.to.f8x2",
        "a b",
        "%a , %b {} : R ( #dstTy )",
        "[dstTy=f8E8M0FNU !relu] call llvm.nvvm.ff.to.ue8m0x2.{rnd}{sat=:,none:,satfinite:.satfinite}(a, b) -> i16 : bitcast || \
         [rnd=rn sat=satfinite] call llvm.nvvm.ff.to.{dstTy=f8E4M3FN:e4m3,f8E5M2:e5m2}x2.rn{relu?.relu}(a, b) -> i16 : bitcast",
    )
    .attrs("dstTy:type relu:flag rnd:fp_rnd_mode sat:sat_mode"),
    row(
        "nvvm.convert.f32x2.to.f6x2",
        "a b",
        "%a , %b {} : R ( #dstTy )",
        "call llvm.nvvm.ff.to.{dstTy=f6E2M3FN:e2m3,f6E3M2FN:e3m2}x2.rn{relu?.relu}.satfinite(a, b) -> i16 : bitcast",
    )
    .attrs("dstTy:type relu:flag"),
    row(
        "nvvm.convert.f32x2.to.f4x2",
        "a b",
        "%a , %b {} : R ( #dstTy )",
        "call llvm.nvvm.ff.to.{dstTy=f4E2M1FN:e2m1}x2.rn{relu?.relu}.satfinite(a, b) -> i16 : trunc",
    )
    .attrs("dstTy:type relu:flag"),
    row(
        "nvvm.convert.f16x2.to.f8x2",
        "a",
        "%a {} : T%a -> R ( #dstTy )",
        "call llvm.nvvm.f16x2.to.{dstTy=f8E4M3FN:e4m3,f8E5M2:e5m2}x2.rn{relu?.relu}(a) -> i16 : bitcast",
    )
    .attrs("dstTy:type relu:flag"),
    row(
        "nvvm.convert.bf16x2.to.f8x2",
        "a",
        "%a {} : T%a -> R ( #dstTy )",
        "call llvm.nvvm.bf16x2.to.{dstTy=f8E8M0FNU:ue8m0}x2.{rnd}{sat=:,none:,satfinite:.satfinite}(a) -> i16 : bitcast",
    )
    .attrs("dstTy:type rnd:fp_rnd_mode sat:sat_mode"),
    row(
        "nvvm.convert.f32x4.to.f8x4",
        "src rbits",
        FOUR,
        "call llvm.nvvm.f32x4.to.{dstTy=f8E4M3FN:e4m3,f8E5M2:e5m2}x4.rs{relu?.relu}.satfinite(src, rbits)",
    )
    .attrs("dstTy:type relu:flag"),
    row(
        "nvvm.convert.f32x4.to.f6x4",
        "src rbits",
        FOUR,
        "call llvm.nvvm.f32x4.to.{dstTy=f6E2M3FN:e2m3,f6E3M2FN:e3m2}x4.rs{relu?.relu}.satfinite(src, rbits)",
    )
    .attrs("dstTy:type relu:flag"),
    row(
        "nvvm.convert.f32x4.to.f4x4",
        "src rbits",
        FOUR,
        "call llvm.nvvm.f32x4.to.{dstTy=f4E2M1FN:e2m1}x4.rs{relu?.relu}.satfinite(src, rbits)",
    )
    .attrs("dstTy:type relu:flag"),
    row(
        "nvvm.convert.f8x2.to.f16x2",
        "src",
        SRC,
        "call llvm.nvvm.{srcType=f8E4M3FN:e4m3,f8E5M2:e5m2}x2.to.f16x2.rn{relu?.relu}(src>i16)",
    )
    .attrs("relu:flag srcType:type"),
    row(
        "nvvm.convert.f8x2.to.bf16x2",
        "src",
        SRC,
        "call llvm.nvvm.{srcType=f8E8M0FNU:ue8m0}x2.to.bf16x2(src>i16)",
    )
    .attrs("srcType:type"),
    row(
        "nvvm.convert.f6x2.to.f16x2",
        "src",
        SRC,
        "call llvm.nvvm.{srcType=f6E2M3FN:e2m3,f6E3M2FN:e3m2}x2.to.f16x2.rn{relu?.relu}(src>i16)",
    )
    .attrs("relu:flag srcType:type"),
    row(
        "nvvm.convert.f4x2.to.f16x2",
        "src",
        SRC,
        "call llvm.nvvm.{srcType=f4E2M1FN:e2m1}x2.to.f16x2.rn{relu?.relu}(src>i16)",
    )
    .attrs("relu:flag srcType:type"),
    row(
        "nvvm.rcp.approx.ftz.f",
        "arg",
        "%arg {} : R",
        "call llvm.nvvm.rcp.approx.ftz.f(arg)",
    ),
    row(
        "nvvm.prmt",
        "lo hi? selector",
        "#mode %selector , %lo <? , %hi ?> {} : R",
        "call llvm.nvvm.prmt{mode=default:,f4e:.f4e,b4e:.b4e,rc8:.rc8,ecl:.ecl,ecr:.ecr,rc16:.rc16}(lo, hi?, selector)",
    )
    .attrs("mode:permute_mode"),
    row(
        "nvvm.dot.accumulate.4way",
        "a b c",
        "%a #a_type , %b #b_type , %c {} : T%a , T%b",
        "call llvm.nvvm.idp4a.{a_type=signed:s,unsigned:u}.{b_type=signed:s,unsigned:u}(a>i32, b>i32, c)",
    )
    .attrs("a_type:dot_accumulate_type b_type:dot_accumulate_type")
    .result("i32"),
    row(
        "nvvm.dot.accumulate.2way",
        "a b c",
        "%a #a_type , %b #b_type , %c {} : T%a , T%b",
        "call llvm.nvvm.idp2a.{a_type=signed:s,unsigned:u}.{b_type=signed:s,unsigned:u}(a>i32, b>i32, i1 #b_hi, c)",
    )
    .attrs("a_type:dot_accumulate_type b_hi:flag b_type:dot_accumulate_type")
    .result("i32"),
];
