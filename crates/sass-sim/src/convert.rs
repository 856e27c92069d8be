//! Conversions between formats of numbers and integers, and packed results of them.

use crate::compute::{Compute, Kind, Output, Pick, made, operands, rounding};
use crate::find::field;
use crate::op::What;
use crate::operand::{Args, In};
use smallvec::SmallVec;
use warpc_ptx_eval::{Operation, named};
use warpc_sass::Inst;

/// The integer type that a modifier names.
fn integer_type(modifier: &str) -> Option<(&'static str, u32, bool)> {
    Some(match modifier {
        "U8" => ("u8", 8, false),
        "S8" => ("s8", 8, true),
        "U16" => ("u16", 16, false),
        "S16" => ("s16", 16, true),
        "U32" => ("u32", 32, false),
        "S32" => ("s32", 32, true),
        "U64" => ("u64", 64, false),
        "S64" => ("s64", 64, true),
        _ => return None,
    })
}

/// The formats of numbers that modifiers name, in order.
fn formats(inst: &Inst) -> SmallVec<[&'static str; 2]> {
    let modifiers = inst.shape.modifiers();
    modifiers
        .filter_map(|one| match one {
            "F16" => Some("f16"),
            "F32" => Some("f32"),
            "F64" => Some("f64"),
            "BF16" => Some("bf16"),
            "TF32" => Some("tf32"),
            _ => None,
        })
        .collect()
}

fn output_of(format: &str) -> Output {
    match format {
        "f64" => Output::Long,
        "f16" | "bf16" => Output::Half,
        _ => Output::Word,
    }
}

pub(crate) fn from_integer(inst: &Inst, args: &Args) -> Option<What> {
    let (ty, bits, signed) = inst
        .shape
        .modifiers()
        .find_map(integer_type)
        .unwrap_or(("s32", 32, true));
    let format = formats(inst).first().copied().unwrap_or("f32");
    let part = field::get(inst.shape.base(), field::PART);
    let kind = match bits {
        64 => Kind::Long,
        32 => Kind::Word,
        bits => Kind::Part {
            shift: part * bits,
            bits,
            signed,
        },
    };
    let name = format!("cvt.{}.{format}.{ty}", rounding(inst));
    let compute = made(&name, operands(args, kind, 1), output_of(format))?;
    Some(What::Compute(compute))
}

/// How a number of a format is read.
fn kind_of(inst: &Inst, format: &str) -> Kind {
    match format {
        "f64" => Kind::Double,
        "f16" | "bf16" => Kind::Half(match field::get(inst.shape.base(), field::PART) {
            0 => Pick::Low,
            _ => Pick::High,
        }),
        _ => Kind::Single,
    }
}

fn integral(inst: &Inst) -> &'static str {
    let found = inst.shape.modifiers().find_map(|one| match one {
        "FLOOR" => Some("rmi"),
        "CEIL" => Some("rpi"),
        "TRUNC" => Some("rzi"),
        _ => None,
    });
    found.unwrap_or("rni")
}

fn flush(inst: &Inst, format: &str) -> &'static str {
    match inst.shape.has("FTZ") && format == "f32" {
        true => ".ftz",
        false => "",
    }
}

pub(crate) fn to_integer(inst: &Inst, args: &Args) -> Option<What> {
    let (ty, bits, _) = inst
        .shape
        .modifiers()
        .find_map(integer_type)
        .unwrap_or(("s32", 32, true));
    let format = formats(inst).first().copied().unwrap_or("f32");
    let name = format!(
        "cvt.{}{}.{ty}.{format}",
        integral(inst),
        flush(inst, format)
    );
    let output = if bits == 64 {
        Output::Long
    } else {
        Output::Word
    };
    let compute = made(&name, operands(args, kind_of(inst, format), 1), output)?;
    Some(What::Compute(compute))
}

pub(crate) fn between(inst: &Inst, args: &Args) -> Option<What> {
    let formats = formats(inst);
    let [to, of] = formats[..] else { return None };
    let bits = |format: &str| match format {
        "f64" => 64,
        "f32" => 32,
        _ => 16,
    };
    let rounding = match bits(to) < bits(of) || bits(to) == 16 {
        true => format!(".{}", rounding(inst)),
        false => String::new(),
    };
    if (to, of, inst.shape.has("FTZ")) == ("f32", "f64", true) {
        return narrowed(inst, args);
    }
    let flush = match inst.shape.has("FTZ") && (to == "f32" || of == "f32") {
        true => ".ftz",
        false => "",
    };
    let name = format!("cvt{rounding}{flush}.{to}.{of}");
    let compute = made(&name, operands(args, kind_of(inst, of), 1), output_of(to))?;
    Some(What::Compute(compute))
}

/// `F2F.FTZ.F32.F64`: what is subnormal after it is rounded becomes zero. A number that is rounded up to a normal one
/// stays, as an H200 has shown it; PTX wants it otherwise, and ptxas does not use it.
fn narrowed(inst: &Inst, args: &Args) -> Option<What> {
    let narrow = named(&format!("cvt.{}.f32.f64", rounding(inst)))?;
    let operation = Operation::general(1, 1, move |sources, results| {
        narrow.run(sources, results);
        if f32::from_bits(results[0] as u32).is_subnormal() {
            results[0] &= 1 << 31;
        }
    });
    Some(What::Compute(Compute {
        operation,
        inputs: operands(args, Kind::Double, 1),
        output: Output::Word,
    }))
}

pub(crate) fn round(inst: &Inst, args: &Args) -> Option<What> {
    let format = formats(inst).first().copied().unwrap_or("f32");
    let name = format!(
        "cvt.{}{}.{format}.{format}",
        integral(inst),
        flush(inst, format)
    );
    let compute = made(
        &name,
        operands(args, kind_of(inst, format), 1),
        output_of(format),
    )?;
    Some(What::Compute(compute))
}

/// `F2FP`: numbers packed into a register.
pub(crate) fn pack(inst: &Inst, args: &Args) -> Option<What> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let formats = formats(inst);
    let relu = if has("RELU") { ".relu" } else { "" };
    let finite = if has("SATFINITE") { ".satfinite" } else { "" };
    let rounding = if has("RZ") { "rz" } else { "rn" };
    if has("PACK_AB") {
        let to = match (formats.first(), has("BF16")) {
            (_, true) => "bf16x2",
            (Some(&"f16") | Some(&"f32") | None, false) => "f16x2",
            _ => return None,
        };
        let name = format!("cvt.{rounding}{relu}{finite}.{to}.f32");
        return Some(What::Compute(made(
            &name,
            operands(args, Kind::Single, 2),
            Output::Word,
        )?));
    }
    if has("PACK_B") && formats.contains(&"tf32") {
        let name = format!("cvt.{rounding}{relu}{finite}.tf32.f32");
        let compute = made(&name, operands(args, Kind::Single, 1), Output::Word)?;
        return Some(What::Compute(compute));
    }
    let small = inst.shape.modifiers().find_map(|one| match one {
        "E4M3" => Some("e4m3x2"),
        "E5M2" => Some("e5m2x2"),
        _ => None,
    });
    let upper = inst.shape.base() >> 72 & 1 == 1;
    if has("PACK_AB_MERGE_C") && !upper {
        let name = format!("cvt.rn.satfinite{relu}.{}.f32", small?);
        return merged(&name, args, operands(args, Kind::Single, 2), 2);
    }
    if has("UNPACK_B_MERGE_C") && !upper && formats.contains(&"f16") {
        let name = format!("cvt.rn.satfinite{relu}.{}.f16x2", small?);
        return merged(&name, args, operands(args, Kind::Word, 1), 1);
    }
    if has("UNPACK_B") {
        let high = inst.shape.base() >> 88 & 1 == 1;
        let part = Kind::Part {
            shift: if high { 16 } else { 0 },
            bits: 16,
            signed: false,
        };
        let name = format!("cvt.rn{relu}.f16x2.{}", small?);
        return Some(What::Compute(made(
            &name,
            operands(args, part, 1),
            Output::Word,
        )?));
    }
    None
}

/// A packed pair in the lower half, and the lower half of another register above it.
fn merged(
    name: &str,
    args: &Args,
    mut inputs: SmallVec<[(Kind, In); 3]>,
    above: usize,
) -> Option<What> {
    let convert = named(name)?;
    let sources = inputs.len();
    if convert.sources != sources {
        return None;
    }
    inputs.push((Kind::Word, args.source(above)));
    let operation = Operation::general(sources + 1, 1, move |values, results| {
        let mut low = [0];
        convert.run(&values[..sources], &mut low);
        results[0] = low[0] & 0xffff | (values[sources] & 0xffff) << 16;
    });
    Some(What::Compute(Compute {
        operation,
        inputs,
        output: Output::Word,
    }))
}

/// `F2IP` and `I2IP`: two integers of at most 16 bits in a register; above them, the lower bits of a third operand.
pub(crate) fn pack_integers(inst: &Inst, args: &Args, of_numbers: bool) -> Option<What> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let (ty, bits, signed) = inst.shape.modifiers().find_map(|one| match one {
        "U2" => Some(("u2", 2, false)),
        "S2" => Some(("s2", 2, true)),
        "U4" => Some(("u4", 4, false)),
        "S4" => Some(("s4", 4, true)),
        one => integer_type(one),
    })?;
    let upper = inst.shape.base() >> 72 & 1 == 1;
    if bits > 16 || bits == 8 && upper || has("SATRELU") || has("RELU") {
        return None;
    }
    let kind = if of_numbers { Kind::Single } else { Kind::Word };
    let mut inputs = operands(args, kind, 2);
    inputs.push((Kind::Word, args.source(2)));
    let convert = match of_numbers {
        true => Some(named(&format!("cvt.{}.sat.{ty}.f32", integral(inst)))?),
        false => None,
    };
    let saturates = has("SAT");
    let narrow = move |value: u64| -> u64 {
        let mask = (1u64 << bits) - 1;
        if let Some(convert) = &convert {
            let mut result = [0];
            convert.run(&[value], &mut result);
            return result[0] & mask;
        }
        let value = value as u32 as i32;
        let (least, most) = match signed {
            true => (-(1i32 << (bits - 1)), (1i32 << (bits - 1)) - 1),
            false => (0, (1i32 << bits) - 1),
        };
        let value = if saturates {
            value.clamp(least, most)
        } else {
            value
        };
        value as u64 & mask
    };
    let operation = Operation::general(3, 1, move |sources, results| {
        let pair = narrow(sources[0]) << bits | narrow(sources[1]);
        results[0] = match bits {
            16 => pair,
            _ => (pair | sources[2] << (2 * bits)) & 0xffff_ffff,
        };
    });
    Some(What::Compute(Compute {
        operation,
        inputs,
        output: Output::Word,
    }))
}
