//! The instructions that are measured: what the first one writes, and how the second one reads it.

/// What is handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handed {
    /// A register: `R4`, and `R5` of 64 bits.
    Register,
    /// A predicate: `P1`.
    Predicate,
    /// A uniform register: `UR8`.
    Uniform,
    /// A uniform predicate: `UP1`.
    UniformPredicate,
}

/// A first instruction. Its sources are `R10` to `R17` (integers, floats from `R12` on, doubles from `R14` on), `P2`, `P3`,
/// `UR6`, `UR7`.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// What it hands over.
    pub handed: Handed,
    /// The text.
    pub text: &'static str,
}

/// A second instruction, which leaves what it read in `R20`; several with what makes that of it.
#[derive(Clone, Copy, Debug)]
pub struct Second {
    /// What it reads.
    pub handed: Handed,
    /// The text of the one that reads.
    pub text: &'static str,
    /// Its scoreboards: `R1:W0` where its result has no fixed time, `R1:W-` for a store.
    pub scoreboards: &'static str,
    /// What puts its result into `R20`, if it is elsewhere.
    pub then: &'static str,
}

const fn first(handed: Handed, text: &'static str) -> First {
    First { handed, text }
}

const fn second(handed: Handed, text: &'static str) -> Second {
    Second {
        handed,
        text,
        scoreboards: FIXED,
        then: "",
    }
}

impl Second {
    const fn variable(self) -> Second {
        Second {
            scoreboards: "R1:W0",
            ..self
        }
    }

    const fn store(self) -> Second {
        Second {
            scoreboards: "R1:W-",
            ..self
        }
    }

    const fn then(self, then: &'static str) -> Second {
        Second { then, ..self }
    }
}

use Handed::{Predicate, Register, Uniform, UniformPredicate};

/// No scoreboards: the time is fixed.
pub const FIXED: &str = "R-:W-";

/// The first instructions.
pub static FIRST: &[First] = &[
    first(Register, "IADD3 R4, R10, R11, R12"),
    first(Register, "LOP3.LUT R4, R10, R11, R12, 0x96, !PT"),
    first(Register, "SHF.L.U32 R4, R10, 0x3, RZ"),
    first(Register, "LEA R4, R10, R11, 0x2"),
    first(Register, "PRMT R4, R10, 0x3120, R11"),
    first(Register, "SEL R4, R10, R11, P2"),
    first(Register, "VIADD R4, R10, 0x77"),
    first(Register, "VIMNMX R4, R10, R11, PT"),
    first(Register, "MOV R4, R10"),
    first(Register, "SGXT R4, R10, 0x5"),
    first(Register, "FMNMX R4, R12, R13, PT"),
    first(Register, "FSEL R4, R12, R13, P2"),
    first(Register, "FADD R4, R12, R13"),
    first(Register, "FMUL R4, R12, R13"),
    first(Register, "FFMA R4, R12, R13, R12"),
    first(Register, "IMAD R4, R10, R11, R12"),
    first(Register, "IMAD.WIDE.U32 R4, R10, R11, R14"),
    first(Register, "IMAD.HI.U32 R4, R10, R11, R12"),
    first(Register, "HADD2 R4, R12, R13"),
    first(Register, "HMUL2 R4, R12, R13"),
    first(Register, "HFMA2 R4, R12, R13, R12"),
    first(Register, "HFMA2.MMA R4, R12, R13, R12"),
    first(Register, "DADD R4, R14, R16"),
    first(Register, "DMUL R4, R14, R16"),
    first(Register, "DFMA R4, R14, R16, R14"),
    first(Register, "IADD3.X R4, R10, R11, RZ, P2, !PT"),
    first(Register, "IMAD.MOV.U32 R4, RZ, RZ, R10"),
    first(Register, "IDP.4A.S8.S8 R4, R10, R11, R12"),
    first(Register, "BMSK R4, R0, 0x3"),
    first(Register, "HMNMX2 R4, R12, R13, PT"),
    first(Register, "HMMA.1688.F32 R4, R12, R16, RZ"),
    first(Register, "HMMA.16816.F32 R4, R12, R16, RZ"),
    first(Register, "IMMA.16816.S8.S8 R4, R12.ROW, R16.COL, RZ"),
    first(Predicate, "ISETP.LT.U32.AND P1, PT, R10, R11, PT"),
    first(Predicate, "FSETP.GT.AND P1, PT, R12, R13, PT"),
    first(Predicate, "LOP3.LUT P1, RZ, R10, 0x4, RZ, 0xc0, !PT"),
    first(Predicate, "PLOP3.LUT P1, PT, P2, P3, PT, 0x80, 0x0"),
    first(Predicate, "HSETP2.GT.AND P1, PT, R12, R13, PT"),
    first(Predicate, "DSETP.GT.AND P1, PT, R14, R16, PT"),
    first(Predicate, "IADD3 RZ, P1, R10, R11, RZ"),
    first(Uniform, "UIADD3 UR8, UR6, UR7, URZ"),
    first(Uniform, "ULOP3.LUT UR8, UR6, UR7, URZ, 0x3c, !UPT"),
    first(Uniform, "USHF.L.U32 UR8, UR6, 0x3, URZ"),
    first(Uniform, "UIMAD UR8, UR6, UR7, URZ"),
    first(Uniform, "ULEA UR8, UR6, UR7, 0x2"),
    first(Uniform, "USEL UR8, UR6, UR7, UPT"),
    first(Uniform, "VOTEU.ANY UR8, UPT, P2"),
    first(Uniform, "UMOV UR8, 0x40212345"),
    first(Uniform, "R2UR UR8, R18"),
    first(
        UniformPredicate,
        "UISETP.GT.U32.AND UP1, UPT, UR6, UR7, UPT",
    ),
];

/// The second instructions.
pub static SECOND: &[Second] = &[
    second(Register, "IADD3 R20, R4, R11, R12"),
    second(Register, "LOP3.LUT R20, R4, R11, R12, 0x96, !PT"),
    second(Register, "IMAD R20, R4, R11, R12"),
    second(Register, "IMAD R20, R10, R11, R4"),
    second(Register, "FFMA R20, R4, R13, R12"),
    second(Register, "FADD R20, R4, R13"),
    second(Register, "HFMA2 R20, R4, R13, R12"),
    second(Register, "DADD R20, R4, R16"),
    second(Register, "ISETP.LT.U32.AND P4, PT, R4, R11, PT").then("SEL R20, R10, R11, P4"),
    second(Register, "MUFU.RCP R20, R4").variable(),
    second(Register, "SHFL.IDX PT, R20, R4, 0x5, 0x1f").variable(),
    second(Register, "STS [R8], R4")
        .store()
        .then("LDS R20, [R8]"),
    second(Predicate, "SEL R20, R10, R11, P1"),
    second(Predicate, "FSEL R20, R10, R11, P1"),
    second(Predicate, "IADD3.X R20, R10, R11, RZ, P1, !PT"),
    second(Predicate, "@P1 IADD3 R20, R10, R11, RZ"),
    second(Predicate, "@P1 IMAD R20, R10, R11, R12"),
    second(Predicate, "@P1 FADD R20, R12, R13"),
    second(Predicate, "@P1 SHFL.IDX PT, R20, R10, 0x5, 0x1f").variable(),
    second(Predicate, "PLOP3.LUT P4, PT, P1, PT, PT, 0x80, 0x0").then("SEL R20, R10, R11, P4"),
    second(Predicate, "VOTE.ANY R20, PT, P1"),
    second(Uniform, "IADD3 R20, R10, UR8, RZ"),
    second(Uniform, "IMAD R20, R10, UR8, R11"),
    second(Uniform, "FADD R20, R12, UR8"),
    second(Uniform, "LOP3.LUT R20, R10, UR8, RZ, 0x3c, !PT"),
    second(Uniform, "UIADD3 UR9, UR8, 0x1, URZ").then("MOV R20, UR9"),
    second(UniformPredicate, "USEL UR9, UR6, UR7, UP1").then("MOV R20, UR9"),
    second(UniformPredicate, "@UP1 UIADD3 UR9, UR6, 0x5, URZ").then("MOV R20, UR9"),
];

/// All pairs.
pub fn all() -> impl Iterator<Item = (&'static First, &'static Second)> {
    FIRST.iter().flat_map(|first| {
        let seconds = SECOND.iter();
        seconds
            .filter(|second| second.handed == first.handed)
            .map(move |second| (first, second))
    })
}
