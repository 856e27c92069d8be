//! Conversions: cvt and cvt.pack.
//!
//! Between the old types (integers, f16, f32, f64) what must be rounded has a rounding and what need
//! not be has none: `.irnd` where the result is an integer, `.frnd` where it is a float that may be
//! inexact. A float to itself may be rounded to an integral value. `.ftz` goes with an `.f32` on
//! either side, `.sat` with every float result and with integers whose range it can cut. Registers
//! may be wider than these types.
//!
//! The newer formats (bf16, tf32 and everything narrower) take no `.sat` but `.satfinite` and
//! `.relu`, and want registers of exactly their size; the old types do so too on the other side of
//! such a conversion. Formats narrower than a byte or a half come in pairs or fours.

use super::gates::{ALWAYS, SPECIFIC, v};
use crate::inst::Operand;
use crate::row::{Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use crate::types::Meaning;
use warpc_target::{Gate, arch, at_least, family};

const INTEGERS: &[(&str, Gate)] = &[(".u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64", ALWAYS)];
const TO_INTEGER: Set = set("dtype", INTEGERS);
const OF_INTEGER: Set = set("atype", INTEGERS);
/// Floats other than f32, with which alone `.ftz` goes.
const F16_F64: &[(&str, Gate)] = &[(".f16 .f64", ALWAYS)];
const TO_F16_F64: Set = set("dtype", F16_F64);
const OF_F16_F64: Set = set("atype", F16_F64);

const IRND: Set = set("irnd", &[(".rni .rzi .rmi .rpi", ALWAYS)]);
const FRND: Set = set("frnd", &[(".rn .rz .rm .rp", ALWAYS)]);
const FRND2: Set = set("frnd2", &[(".rn .rz", ALWAYS)]);
const FRND2_107: Set = set("frnd2", &[(".rn", ALWAYS), (".rz", F107)]);
const FRND2_107A: Set = set("frnd2", &[(".rn", ALWAYS), (".rz", A107)]);
const FRND3: Set = set("frnd3", &[(".rz .rp", ALWAYS)]);
const FRND4: Set = set("frnd4", &[(".rn .rz .rp", ALWAYS)]);
const RELU: Set = set("relu", &[(".relu", Gate(&[at_least(80, v(7, 0))]))]);
const SATFINITE: Set = set("satfinite", &[(".satfinite", SM70_81)]);
const SATFINITE_TF32: Set = set(
    "satfinite",
    &[(".satfinite", Gate(&[at_least(100, v(8, 6))]))],
);
const FTZ_90: Set = set("ftz", &[(".ftz", SM90)]);
/// One scale for both elements.
const SCALED_1: Set = set("scaled", &[(".scaled::n1::ue8m0", F107)]);
/// A scale for each element.
const SCALED_2: Set = set("scaled", &[(".scaled::n2::ue8m0", ALWAYS)]);

const F8X2: Set = set("f8x2type", &[(".e4m3x2 .e5m2x2", ALWAYS)]);
const F6X2: Set = set("f6x2type", &[(".e2m3x2 .e3m2x2", ALWAYS)]);
const F4X2: Set = set("f4x2type", &[(".e2m1x2", ALWAYS)]);
const F8X4: Set = set("f8x4type", &[(".e4m3x4 .e5m2x4", ALWAYS)]);
const F6X4: Set = set("f6x4type", &[(".e2m3x4 .e3m2x4", ALWAYS)]);
const F4X4: Set = set("f4x4type", &[(".e2m1x4", ALWAYS)]);
const OF_PAIR: Set = set("atype", &[(".f16x2 .bf16x2", ALWAYS)]);

const SM70_81: Gate = Gate(&[at_least(70, v(8, 1))]);
const SM80: Gate = Gate(&[at_least(80, v(7, 0))]);
const SM80_71: Gate = Gate(&[at_least(80, v(7, 1))]);
const SM90: Gate = Gate(&[at_least(90, v(7, 8))]);
const FP8: Gate = Gate(&[at_least(89, v(8, 1)), at_least(90, v(7, 8))]);
const NARROW_91: Gate = Gate(&[
    family(100, v(9, 1)),
    family(101, v(9, 1)),
    family(120, v(9, 1)),
]);
const NARROW_92: Gate = Gate(&[
    family(100, v(9, 2)),
    family(101, v(9, 2)),
    family(120, v(9, 2)),
]);
const S2F6: Gate = Gate(&[
    arch(100, v(9, 1)),
    arch(103, v(9, 1)),
    arch(107, v(9, 4)),
    arch(110, v(9, 1)),
    arch(120, v(9, 1)),
    arch(121, v(9, 1)),
]);
const RANDOM: Gate = Gate(&[arch(100, v(8, 7)), arch(103, v(8, 8)), arch(107, v(9, 4))]);
const F107: Gate = Gate(&[family(107, v(9, 4))]);
const A107: Gate = Gate(&[arch(107, v(9, 4))]);

const PACK_HALVES: Set = set("convertType", &[(".u16 .s16", ALWAYS)]);
const PACK_PARTS: Set = set(
    "convertType",
    &[
        (".u8 .s8", ALWAYS),
        (".u4 .s4 .u2 .s2", Gate(&[at_least(75, v(6, 5))])),
    ],
);
const PACK: Gate = Gate(&[at_least(72, v(6, 5))]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("cvt{.sat}.dtype.atype  d, a", &[TO_INTEGER, OF_INTEGER])
        .operands("d=dtype a:$atype")
        .wider()
        .rule(sat_cuts),
    // Float to integer.
    form("cvt.irnd{.ftz}{.sat}.dtype.f32  d, a", &[IRND, TO_INTEGER])
        .operands("d=dtype a:f32")
        .wider(),
    form(
        "cvt.irnd{.sat}.dtype.atype  d, a",
        &[IRND, TO_INTEGER, OF_F16_F64],
    )
    .operands("d=dtype a:atype")
    .wider(),
    form("cvt.irnd.dtype.bf16  d, a", &[IRND, TO_INTEGER])
        .operands("d=dtype a:bf16")
        .since(SM90),
    // Integer to float.
    form("cvt.frnd{.ftz}{.sat}.f32.atype  d, a", &[FRND, OF_INTEGER])
        .operands("d=f32 a:atype")
        .wider(),
    form(
        "cvt.frnd{.sat}.dtype.atype  d, a",
        &[FRND, TO_F16_F64, OF_INTEGER],
    )
    .operands("d=dtype a:atype")
    .wider(),
    form("cvt.frnd.bf16.atype  d, a", &[FRND, OF_INTEGER])
        .operands("d=bf16 a:atype")
        .since(SM90),
    // Float to a narrower one.
    form("cvt.frnd{.ftz}{.sat}.f16.f32  d, a", &[FRND])
        .operands("d=f16 a:f32")
        .wider(),
    form("cvt.frnd{.ftz}{.sat}.f32.f64  d, a", &[FRND])
        .operands("d=f32 a:f64")
        .wider(),
    form("cvt.frnd{.sat}.f16.f64  d, a", &[FRND])
        .operands("d=f16 a:f64")
        .wider(),
    form("cvt.frnd{.ftz}.bf16.f32  d, a", &[FRND])
        .operands("d=bf16 a:f32")
        .since(SM80),
    form("cvt.frnd.bf16.f64  d, a", &[FRND])
        .operands("d=bf16 a:f64")
        .since(SM90),
    form("cvt{.frnd}.bf16.f16  d, a", &[FRND])
        .operands("d=bf16 a:f16")
        .since(SM90),
    // To a wider one. A rounding changes nothing, and is welcome from bf16 alone.
    form("cvt{.ftz}{.sat}.f32.f16  d, a", &[])
        .operands("d=f32 a:f16")
        .wider(),
    form("cvt{.ftz}{.sat}.f64.f32  d, a", &[])
        .operands("d=f64 a:f32")
        .wider(),
    form("cvt{.sat}.f64.f16  d, a", &[])
        .operands("d=f64 a:f16")
        .wider(),
    form("cvt{.frnd}{.ftz}.f32.bf16  d, a", &[FRND, FTZ_90])
        .operands("d=f32 a:bf16")
        .since(SM80_71),
    form("cvt{.frnd}.dtype.bf16  d, a", &[FRND, TO_F16_F64])
        .operands("d=dtype a:bf16")
        .since(SM90),
    // To itself.
    form("cvt{.irnd}{.ftz}{.sat}.f32.f32  d, a", &[IRND])
        .operands("d=f32 a:f32")
        .wider(),
    form("cvt{.irnd}{.sat}.f16.f16  d, a", &[IRND])
        .operands("d=f16 a:f16")
        .wider(),
    form("cvt{.irnd}{.sat}.f64.f64  d, a", &[IRND])
        .operands("d=f64 a:f64")
        .wider(),
    form("cvt{.irnd}.bf16.bf16  d, a", &[IRND])
        .operands("d=bf16 a:bf16")
        .since(SM90),
    // Halves and their pairs, with `.relu` and `.satfinite`.
    form(
        "cvt.frnd2{.relu}{.satfinite}.f16.f32  d, a",
        &[FRND2, RELU, SATFINITE],
    )
    .operands("d=f16 a:f32")
    .wider(),
    form(
        "cvt.frnd2{.relu}{.satfinite}.f16x2.f32  d, a, b",
        &[FRND2, SATFINITE],
    )
    .operands("d=f16x2 a:f32 b:f32")
    .wider()
    .since(SM80),
    form("cvt.rs{.relu}{.satfinite}.f16x2.f32  d, a, b, rbits", &[])
        .operands("d=f16x2 a:f32 b:f32 rbits:%^b32")
        .wider()
        .since(RANDOM),
    form(
        "cvt.frnd2{.relu}{.satfinite}.bf16.f32  d, a",
        &[FRND2, SATFINITE],
    )
    .operands("d=bf16 a:f32")
    .since(SM80),
    form(
        "cvt.frnd2{.relu}{.satfinite}.bf16x2.f32  d, a, b",
        &[FRND2, SATFINITE],
    )
    .operands("d=bf16x2 a:f32 b:f32")
    .since(SM80),
    form("cvt.rs{.relu}{.satfinite}.bf16x2.f32  d, a, b, rbits", &[])
        .operands("d=bf16x2 a:f32 b:f32 rbits:%^b32")
        .since(RANDOM),
    form("cvt.rna{.satfinite}.tf32.f32  d, a", &[SATFINITE])
        .operands("d=tf32 a:f32")
        .since(SM80)
        .rule(single_constant),
    form(
        "cvt.frnd2{.satfinite}{.relu}.tf32.f32  d, a",
        &[FRND2, SATFINITE_TF32],
    )
    .operands("d=tf32 a:f32")
    .since(SM90),
    // Eight bits.
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.f8x2type.f32  d, a, b{, scale}",
        &[FRND2_107, SCALED_1, F8X2],
    )
    .operands("d=f8x2type a:f32 b:f32 scale:%ue8m0?scaled")
    .since(FP8),
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.f8x2type.f16x2  d, a{, scale}",
        &[FRND2_107, SCALED_1, F8X2],
    )
    .operands("d=f8x2type a:f16x2 scale:%ue8m0?scaled")
    .since(FP8),
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.f8x2type.bf16x2  d, a{, scale}",
        &[FRND2_107, SCALED_1, F8X2],
    )
    .operands("d=f8x2type a:bf16x2 scale:%ue8m0?scaled")
    .since(NARROW_91),
    form("cvt.rn{.relu}.f16x2.f8x2type  d, a", &[F8X2])
        .operands("d=f16x2 a:f8x2type")
        .since(FP8),
    form(
        "cvt.rn{.relu}{.satfinite}{.scaled}.bf16x2.f8x2type  d, a{, scale}",
        &[SCALED_2, F8X2],
    )
    .operands("d=bf16x2 a:f8x2type scale:%ue8m0x2?scaled")
    .since(NARROW_92),
    form("cvt.rs{.relu}.satfinite.f8x4type.f32  d, a, rbits", &[F8X4])
        .operands("d=f8x4type a:f32*4 rbits:%^b32")
        .since(RANDOM),
    // Four bits.
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.f4x2type.f32  d, a, b{, scale}",
        &[FRND2_107, SCALED_1, F4X2],
    )
    .operands("d=f4x2type a:f32 b:f32 scale:%ue8m0?scaled")
    .since(SPECIFIC),
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.f4x2type.atype  d, a{, scale}",
        &[FRND2_107, SCALED_1, F4X2, OF_PAIR],
    )
    .operands("d=f4x2type a:atype scale:%ue8m0?scaled")
    .since(NARROW_91),
    form("cvt.rn{.relu}.f16x2.f4x2type  d, a", &[F4X2])
        .operands("d=f16x2 a:f4x2type")
        .since(SPECIFIC),
    form(
        "cvt.rn{.relu}{.satfinite}{.scaled}.bf16x2.f4x2type  d, a{, scale}",
        &[SCALED_2, F4X2],
    )
    .operands("d=bf16x2 a:f4x2type scale:%ue8m0x2?scaled")
    .since(NARROW_92),
    form("cvt.rs{.relu}.satfinite.f4x4type.f32  d, a, rbits", &[F4X4])
        .operands("d=f4x4type a:f32*4 rbits:%^b32")
        .since(RANDOM),
    // Six bits.
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.f6x2type.f32  d, a, b{, scale}",
        &[FRND2_107, SCALED_1, F6X2],
    )
    .operands("d=f6x2type a:f32 b:f32 scale:%ue8m0?scaled")
    .since(SPECIFIC),
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.f6x2type.atype  d, a{, scale}",
        &[FRND2_107, SCALED_1, F6X2, OF_PAIR],
    )
    .operands("d=f6x2type a:atype scale:%ue8m0?scaled")
    .since(NARROW_91),
    form("cvt.rn{.relu}.f16x2.f6x2type  d, a", &[F6X2])
        .operands("d=f16x2 a:f6x2type")
        .since(SPECIFIC),
    form(
        "cvt.rn{.relu}{.satfinite}{.scaled}.bf16x2.f6x2type  d, a{, scale}",
        &[SCALED_2, F6X2],
    )
    .operands("d=bf16x2 a:f6x2type scale:%ue8m0x2?scaled")
    .since(NARROW_92),
    form("cvt.rs{.relu}.satfinite.f6x4type.f32  d, a, rbits", &[F6X4])
        .operands("d=f6x4type a:f32*4 rbits:%^b32")
        .since(RANDOM),
    // Scales.
    form("cvt.frnd3{.satfinite}.ue8m0x2.f32  d, a, b", &[FRND3])
        .operands("d=ue8m0x2 a:f32 b:f32")
        .since(SPECIFIC),
    form("cvt.frnd3{.satfinite}.ue8m0x2.bf16x2  d, a", &[FRND3])
        .operands("d=ue8m0x2 a:bf16x2")
        .since(SPECIFIC),
    form("cvt.rn.bf16x2.ue8m0x2  d, a", &[])
        .operands("d=bf16x2 a:ue8m0x2")
        .since(SPECIFIC),
    form("cvt.frnd4{.satfinite}.ue5m3x2.f32  d, a, b", &[FRND4])
        .operands("d=ue5m3x2 a:f32 b:f32")
        .since(F107),
    form(
        "cvt.frnd4{.satfinite}.ue5m3x2.atype  d, a",
        &[FRND4, OF_PAIR],
    )
    .operands("d=ue5m3x2 a:atype")
    .since(F107),
    form(
        "cvt.frnd2{.satfinite}.scaled.ue5m3x2.f32  d, a, b, scale",
        &[FRND2, SCALED_1],
    )
    .operands("d=ue5m3x2 a:f32 b:f32 scale:%ue8m0")
    .since(F107),
    form(
        "cvt.frnd2{.satfinite}.scaled.ue5m3x2.atype  d, a, scale",
        &[FRND2, SCALED_1, OF_PAIR],
    )
    .operands("d=ue5m3x2 a:atype scale:%ue8m0")
    .since(F107),
    form("cvt.rn.f16x2.ue5m3x2  d, a", &[])
        .operands("d=f16x2 a:ue5m3x2")
        .since(F107),
    form(
        "cvt.rn{.satfinite}{.scaled}.bf16x2.ue5m3x2  d, a{, scale}",
        &[SCALED_2],
    )
    .operands("d=bf16x2 a:ue5m3x2 scale:%ue8m0x2?scaled")
    .since(F107),
    // Fixed point.
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.s2f6x2.f32  d, a, b{, scale}",
        &[FRND2_107A, SCALED_2],
    )
    .operands("d=s2f6x2 a:f32 b:f32 scale:%ue8m0x2?scaled")
    .since(S2F6),
    form(
        "cvt.frnd2.satfinite{.relu}{.scaled}.s2f6x2.bf16x2  d, a{, scale}",
        &[FRND2_107A, SCALED_2],
    )
    .operands("d=s2f6x2 a:bf16x2 scale:%ue8m0x2?scaled")
    .since(S2F6),
    form(
        "cvt.rn{.relu}{.satfinite}{.scaled}.bf16x2.s2f6x2  d, a{, scale}",
        &[SCALED_2],
    )
    .operands("d=bf16x2 a:s2f6x2 scale:%ue8m0x2?scaled")
    .since(S2F6),
    // Integers cut and packed.
    form("cvt.pack.sat.convertType.s32  d, a, b", &[PACK_HALVES])
        .operands("d=u32 a:s32 b:s32")
        .wider()
        .since(PACK),
    form(
        "cvt.pack.sat.convertType.s32.b32  d, a, b, c",
        &[PACK_PARTS],
    )
    .operands("d=u32 a:s32 b:s32 c:b32")
    .wider()
    .since(PACK),
];

/// Between integers `.sat` stands only where there is something to cut: where the result cannot hold
/// every value of the source.
fn sat_cuts(inst: &RuleView<'_>) -> Result<(), Violation> {
    let (Some(to), Some(of)) = (inst.scalar("dtype"), inst.scalar("atype")) else {
        return Ok(());
    };
    let holds_all = match (to.meaning(), of.meaning()) {
        (Meaning::Unsigned, Meaning::Signed) => false,
        (Meaning::Signed, Meaning::Unsigned) => to.bits() > of.bits(),
        _ => to.bits() >= of.bits(),
    };
    if inst.has("sat") && holds_all {
        let message = format!("{to} holds every value of {of}: there is nothing to saturate");
        return Err(Violation::modifiers(message).help("leave out `.sat`"));
    }
    Ok(())
}

/// Of constants, `cvt.rna.tf32` takes single-precision ones alone.
fn single_constant(inst: &RuleView<'_>) -> Result<(), Violation> {
    match inst.operand("a") {
        Some(Operand::F64(_)) => Err(Violation::operand(
            "a",
            "the constant must be a single-precision one",
        )
        .help("write it as `0f` and eight hexadecimal digits")),
        _ => Ok(()),
    }
}
