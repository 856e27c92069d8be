//! The instructions whose time is measured in cycles: those without a fixed latency, and one of each pipe.

/// How the chip says that a result is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ready {
    /// After a fixed number of cycles.
    Fixed,
    /// A scoreboard says so.
    Scoreboard,
    /// A scoreboard says that the sources were read; there is no result.
    Read,
}

/// An instruction. `{d}` is the first of four registers for its result, a multiple of four; its sources are those that
/// [`super::rates`] sets up.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The text.
    pub text: &'static str,
    /// How its result is known to be there.
    pub ready: Ready,
}

const fn fixed(text: &'static str) -> Case {
    let ready = Ready::Fixed;
    Case { text, ready }
}

const fn variable(text: &'static str) -> Case {
    let ready = Ready::Scoreboard;
    Case { text, ready }
}

const fn read(text: &'static str) -> Case {
    let ready = Ready::Read;
    Case { text, ready }
}

/// All of them, by pipe.
pub static CASES: &[Case] = &[
    fixed("IADD3 {d}, R10, R11, R12"),
    fixed("LOP3.LUT {d}, R10, R11, R12, 0x96, !PT"),
    fixed("SHF.L.U32 {d}, R10, 0x3, RZ"),
    fixed("SHF.L.W.U32.HI {d}, R10, 0x3, R11"),
    fixed("LEA {d}, R10, R11, 0x2"),
    fixed("PRMT {d}, R10, 0x3120, R11"),
    fixed("SEL {d}, R10, R11, P2"),
    fixed("VIMNMX {d}, R10, R11, PT"),
    fixed("ISETP.LT.U32.AND P4, PT, R10, R11, PT"),
    fixed("FSETP.GT.AND P4, PT, R12, R13, PT"),
    fixed("FMNMX {d}, R12, R13, PT"),
    fixed("FADD {d}, R12, R13"),
    fixed("FMUL {d}, R12, R13"),
    fixed("FFMA {d}, R12, R13, R12"),
    // Sources that are all in one bank, and the same with the first kept.
    fixed("FFMA {d}, R12, R14, R16"),
    fixed("FFMA {d}, R12.reuse, R14, R16"),
    fixed("FFMA {d}, R12, R14, R17"),
    fixed("IADD3 {d}, R12, R14, R16"),
    fixed("IMAD {d}, R12, R14, R16"),
    fixed("IMAD {d}, R10, R11, R12"),
    fixed("IMAD.MOV.U32 {d}, RZ, RZ, R10"),
    fixed("IMAD.WIDE.U32 {d}, R10, R11, R14"),
    fixed("IMAD.HI.U32 {d}, R10, R11, R12"),
    fixed("VIADD {d}, R10, 0x77"),
    fixed("MOV {d}, R10"),
    fixed("HADD2 {d}, R12, R13"),
    fixed("HFMA2 {d}, R12, R13, R12"),
    fixed("HFMA2.MMA {d}, R12, R13, R12"),
    fixed("DADD {d}, R14, R16"),
    fixed("DFMA {d}, R14, R16, R14"),
    fixed("IDP.4A.S8.S8 {d}, R10, R11, R12"),
    fixed("HMMA.1688.F32 {d}, R12, R16, RZ"),
    fixed("HMMA.16816.F32 {d}, R12, R16, RZ"),
    fixed("IMMA.16816.S8.S8 {d}, R12.ROW, R16.COL, RZ"),
    fixed("UIADD3 UR8, UR6, UR7, URZ"),
    fixed("UIMAD UR8, UR6, UR7, URZ"),
    fixed("NOP"),
    variable("MUFU.RCP {d}, R12"),
    variable("MUFU.RSQ {d}, R12"),
    variable("MUFU.EX2 {d}, R12"),
    variable("MUFU.LG2 {d}, R12"),
    variable("MUFU.SIN {d}, R12"),
    variable("MUFU.RCP64H {d}, R15"),
    variable("POPC {d}, R10"),
    variable("FLO.U32 {d}, R10"),
    variable("BREV {d}, R10"),
    variable("F2I.S64.TRUNC {d}, R12"),
    variable("F2I.TRUNC.NTZ {d}, R12"),
    variable("I2F.U64 {d}, R10"),
    variable("F2F.F64.F32 {d}, R12"),
    variable("F2F.F32.F64 {d}, R14"),
    variable("FRND.FLOOR {d}, R12"),
    variable("FCHK P4, R12, R13"),
    variable("S2R {d}, SR_TID.X"),
    variable("S2R {d}, SR_CTAID.X"),
    variable("S2UR UR8, SR_CTAID.X"),
    variable("SHFL.IDX PT, {d}, R10, 0x5, 0x1f"),
    variable("SHFL.BFLY PT, {d}, R10, 0x1, 0x1f"),
    variable("MATCH.ANY {d}, R10"),
    variable("REDUX.SUM UR8, R10"),
    variable("R2UR UR8, R18"),
    variable("LDC {d}, c[0x0][out]"),
    variable("LDC.64 {d}, c[0x0][out]"),
    variable("LDC {d}, c[0x0][R19+0x210]"),
    variable("LDS {d}, [R8]"),
    variable("LDS.64 {d}, [R9]"),
    variable("LDS.128 {d}, [R20]"),
    read("STS [R8], R10"),
    read("STS.128 [R20], R12"),
    variable("ATOMS.ADD {d}, [R8], R10"),
    variable("ATOMS.POPC.INC.32 RZ, [R8+URZ]"),
    variable("ATOMS.CAS {d}, [R8], R10, R11"),
    variable("LDG.E {d}, desc[UR4][R2.64]"),
    variable("LDG.E.64 {d}, desc[UR4][R22.64]"),
    variable("LDG.E.128 {d}, desc[UR4][R24.64]"),
    variable("LDG.E.CONSTANT {d}, desc[UR4][R2.64]"),
    variable("LDG.E.STRONG.GPU {d}, desc[UR4][R2.64]"),
    variable("LDG.E.STRONG.SYS {d}, desc[UR4][R2.64]"),
    variable("LD.E {d}, desc[UR4][R2.64]"),
    read("STG.E desc[UR4][R2.64], R10"),
    read("STG.E.128 desc[UR4][R24.64], R12"),
    variable("ATOMG.E.ADD.STRONG.GPU PT, {d}, desc[UR4][R2.64], R10"),
    variable("ATOMG.E.EXCH.STRONG.GPU PT, {d}, desc[UR4][R2.64], R10"),
    read("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R10"),
    variable("LDL {d}, [R21]"),
    read("STL [R21], R10"),
    variable("LDSM.16.M88.4 {d}, [R20]"),
    read("BAR.SYNC.DEFER_BLOCKING 0x0"),
    read("MEMBAR.ALL.CTA"),
    read("MEMBAR.SC.GPU"),
    read("MEMBAR.SC.SYS"),
    read("CCTL.IVALL"),
    fixed("WARPSYNC.ALL"),
    fixed("VOTE.ANY {d}, PT, P2"),
];
