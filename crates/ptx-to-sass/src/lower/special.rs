//! Special registers: which are read (`S2R`, `S2UR`, `CS2R`), which are in the constant bank, which are worked out.

use crate::code::{Code, ptx};
use crate::source::Source;

/// A read of a special register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Special {
    /// PTX's name with its component: `tid.x`.
    pub name: String,
}

pub(crate) fn read(source: &mut Source) -> Option<Special> {
    let name = source.special("a")?;
    source.elements();
    let ty = source.ty().is_some() || source.take("pred");
    ty.then_some(Special { name })
}

/// How a register of PTX is had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// `S2R`: a register of the thread or the machine.
    Thread(&'static str),
    /// `CS2R.32`, or `CS2R` for 64 bits: a counter.
    Counter(&'static str, bool),
    /// A word of the constant bank that the driver fills, or 64 bits of it. Until sm_89 instructions read it themselves.
    Constant {
        /// 64 bits.
        wide: bool,
        /// From sm_100 on its place depends on whether the kernel runs in clusters.
        moves: bool,
    },
}

/// PTX's name, where it is had, and the first chip with it.
#[rustfmt::skip]
pub const SOURCES: &[(&str, Origin, u16)] = &[
    ("tid.x",                     Origin::Thread("SR_TID.X"), 60),
    ("tid.y",                     Origin::Thread("SR_TID.Y"), 60),
    ("tid.z",                     Origin::Thread("SR_TID.Z"), 60),
    ("ctaid.x",                   Origin::Thread("SR_CTAID.X"), 60),
    ("ctaid.y",                   Origin::Thread("SR_CTAID.Y"), 60),
    ("ctaid.z",                   Origin::Thread("SR_CTAID.Z"), 60),
    ("ntid.x",                    Origin::Constant { wide: false, moves: false }, 60),
    ("ntid.y",                    Origin::Constant { wide: false, moves: false }, 60),
    ("ntid.z",                    Origin::Constant { wide: false, moves: false }, 60),
    ("nctaid.x",                  Origin::Constant { wide: false, moves: false }, 60),
    ("nctaid.y",                  Origin::Constant { wide: false, moves: false }, 60),
    ("nctaid.z",                  Origin::Constant { wide: false, moves: false }, 60),
    ("laneid",                    Origin::Thread("SR_LANEID"), 60),
    ("smid",                      Origin::Thread("SR_VIRTUALSMID"), 60),
    ("nsmid",                     Origin::Constant { wide: false, moves: false }, 60),
    ("gridid",                    Origin::Constant { wide: true, moves: false }, 60),
    ("lanemask_eq",               Origin::Thread("SR_EQMASK"), 60),
    ("lanemask_le",               Origin::Thread("SR_LEMASK"), 60),
    ("lanemask_lt",               Origin::Thread("SR_LTMASK"), 60),
    ("lanemask_ge",               Origin::Thread("SR_GEMASK"), 60),
    ("lanemask_gt",               Origin::Thread("SR_GTMASK"), 60),
    ("clock",                     Origin::Counter("SR_CLOCKLO", false), 60),
    ("clock_hi",                  Origin::Counter("SR_CLOCKHI", false), 60),
    ("clock64",                   Origin::Counter("SR_CLOCKLO", true), 60),
    ("globaltimer",               Origin::Counter("SR_GLOBALTIMERLO", true), 60),
    ("globaltimer_lo",            Origin::Counter("SR_GLOBALTIMERLO", false), 60),
    ("globaltimer_hi",            Origin::Counter("SR_GLOBALTIMERHI", false), 60),
    ("pm0",                       Origin::Counter("SR_PM0", false), 60),
    ("pm1",                       Origin::Counter("SR_PM1", false), 60),
    ("pm2",                       Origin::Counter("SR_PM2", false), 60),
    ("pm3",                       Origin::Counter("SR_PM3", false), 60),
    ("pm4",                       Origin::Counter("SR_PM4", false), 60),
    ("pm5",                       Origin::Counter("SR_PM5", false), 60),
    ("pm6",                       Origin::Counter("SR_PM6", false), 60),
    ("pm7",                       Origin::Counter("SR_PM7", false), 60),
    ("pm0_64",                    Origin::Counter("SR_PM0", true), 60),
    ("pm1_64",                    Origin::Counter("SR_PM1", true), 60),
    ("pm2_64",                    Origin::Counter("SR_PM2", true), 60),
    ("pm3_64",                    Origin::Counter("SR_PM3", true), 60),
    ("pm4_64",                    Origin::Counter("SR_PM4", true), 60),
    ("pm5_64",                    Origin::Counter("SR_PM5", true), 60),
    ("pm6_64",                    Origin::Counter("SR_PM6", true), 60),
    ("pm7_64",                    Origin::Counter("SR_PM7", true), 60),
    ("nclusterid.x",              Origin::Constant { wide: false, moves: true }, 90),
    ("nclusterid.y",              Origin::Constant { wide: false, moves: true }, 90),
    ("nclusterid.z",              Origin::Constant { wide: false, moves: true }, 90),
    ("cluster_nctaid.x",          Origin::Constant { wide: false, moves: true }, 90),
    ("cluster_nctaid.y",          Origin::Constant { wide: false, moves: true }, 90),
    ("cluster_nctaid.z",          Origin::Constant { wide: false, moves: true }, 90),
    ("cluster_ctarank",           Origin::Thread("SR_CgaCtaId"), 90),
    ("cluster_nctarank",          Origin::Constant { wide: false, moves: true }, 90),
    ("dynamic_smem_size",         Origin::Constant { wide: false, moves: true }, 60),
    ("current_graph_exec",        Origin::Constant { wide: true, moves: false }, 60),
    ("envreg0",                   Origin::Constant { wide: false, moves: true }, 60),
    ("envreg1",                   Origin::Constant { wide: false, moves: true }, 60),
    ("envreg31",                  Origin::Constant { wide: false, moves: false }, 60),
    ("reserved_smem_offset_end",  Origin::Constant { wide: false, moves: true }, 80),
    ("reserved_smem_offset_1",    Origin::Constant { wide: false, moves: true }, 80),
];

/// A reciprocal and two corrections: a division of 32-bit numbers.
const DIVISION: &str = "I2FP.F32.U32 MUFU.RCP I2FP.F32.U32.RZ FMUL.RZ F2I.U32.TRUNC.NTZ IMAD I2FP.F32.U32.RZ \
     FMUL.RZ F2I.U32.TRUNC.NTZ IMAD ISETP.GE.U32.AND SEL ISETP.EQ.U32.AND SEL";

impl Special {
    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        let row = SOURCES.iter().find(|row| row.0 == self.name);
        let Some(&(_, source, since)) = row else {
            return self.emit_made(code);
        };
        if !code.chip.since(since) {
            return None;
        }
        match source {
            Origin::Thread(register) => code.step(format!("S2R R0, {register}"), &[ptx("d")]),
            Origin::Counter(register, true) => {
                code.step(format!("CS2R R0, {register}"), &[ptx("d")]);
            }
            Origin::Counter(register, false) => {
                code.step(format!("CS2R.32 R0, {register}"), &[ptx("d")]);
            }
            Origin::Constant { wide, moves } if code.chip.since(90) => {
                constant(code, moves);
                code.put(if wide { "LDC.64" } else { "LDC" });
            }
            Origin::Constant { .. } => code.misses("MOV"),
        }
        Some(())
    }

    /// Registers that are worked out of others.
    fn emit_made(&self, code: &mut Code) -> Option<()> {
        let chip = code.chip;
        let hopper = chip.since(90);
        code.misses("MOV");
        match self.name.as_str() {
            "tid" => code.put("S2R(SR_TID.X) S2R(SR_TID.Y) S2R(SR_TID.Z)"),
            "warpid" => code.put("S2R(SR_VIRTID) SHF.R.U32.HI SGXT.U32"),
            "nwarpid" => code.put_if(hopper, "S2R(SR_VIRTCFG) SHF.R.U32.HI SGXT.U32"),
            "total_smem_size" if hopper => {
                code.put(format!("S2UR(SR_SMEMSZ) LDC {}", chip.add()));
            }
            "total_smem_size" => {
                code.put("S2R(SR_SMEMSZ)");
                code.put_if(chip.since(80), "IADD3");
            }
            "aggr_smem_size" if hopper => {
                code.put("S2R(SR_SMEMSZ)");
                uniform_constant(code);
                // sm_110 has no such operation of the vector unit.
                code.put(match chip.0.number() {
                    101 | 110 => "IMNMX.U32",
                    _ => "VIMNMX.U32",
                });
            }
            "reserved_smem_offset_begin" | "reserved_smem_offset_0" if chip.since(80) => {
                code.put_if(!hopper, "S2R(SR_SMEMSZ) IADD3");
            }
            "reserved_smem_offset_cap" if chip.since(80) => {
                code.put_if(!hopper, "S2R(SR_SMEMSZ)");
            }
            "is_explicit_cluster" if hopper => code.put("LDC ISETP.NE.AND"),
            name if hopper => return self.emit_cluster(code, name),
            _ => return None,
        }
        Some(())
    }

    /// Which cluster, and which block in it: the block's number divided by the size of the cluster, and the rest.
    /// Sizes of y and z are divided by with the reciprocal that the driver gives.
    fn emit_cluster(&self, code: &mut Code, name: &str) -> Option<()> {
        let chip = code.chip;
        let wide = chip.has_wide_integers();
        let (register, axis) = name.split_once('.')?;
        let rest = match register {
            "clusterid" => false,
            "cluster_ctaid" => true,
            _ => return None,
        };
        let block = format!("S2UR(SR_CTAID.{})", axis.to_ascii_uppercase());
        match axis {
            "x" => {
                constant(code, true);
                code.put(format!("LDC {block}"));
                let uniform = DIVISION.replacen("I2FP.F32.U32.RZ", "UI2FP.F32.U32.RZ", 1);
                code.put(if wide { &uniform } else { DIVISION });
                // Sums and differences of the two corrections, and of the rest.
                let (sums, left) = match chip.0.number() {
                    120.. => ("IADD IADD IADD IADD IADD", "IADD IMAD"),
                    101 | 110 => ("IADD3 IMAD.IADD IMAD.IADD", "IMAD"),
                    _ => ("VIADD IMAD.IADD IMAD.IADD", "IADD3 IADD3 IMAD"),
                };
                code.put(sums);
                code.put_if(rest, left);
            }
            "y" | "z" => {
                code.put(block);
                uniform_constant(code);
                if rest {
                    constant(code, true);
                    code.put("LDC");
                }
                code.put(match (wide, rest) {
                    (true, true) => "UI2FP.F32.U32 UFMUL UF2I.U32.TRUNC.NTZ",
                    (true, false) => "UI2FP.F32.U32 UFMUL F2I.U32.TRUNC.NTZ",
                    _ => "I2FP.F32.U32 FMUL F2I.U32.TRUNC.NTZ",
                });
                code.put_if(rest, format!("{} IMAD", chip.add()));
            }
            _ => return None,
        }
        Some(())
    }
}

/// What finds the place of a constant that moves, from sm_100 on.
fn constant(code: &mut Code, moves: bool) {
    code.put_if(moves && code.chip.since(100), "CS2R.32(SR_CgaSize) IMAD");
}

/// Such a constant in a uniform register.
fn uniform_constant(code: &mut Code) {
    if code.chip.since(100) {
        constant(code, true);
        code.put("R2UR LDCU");
    } else {
        code.put("ULDC");
    }
}
