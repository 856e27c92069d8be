//! Products of matrices of a warp or a warpgroup: which one of `ptx-eval`'s an instruction is.

use crate::op::{GroupProduct, Product3, What};
use crate::operand::{Args, From, In};
use warpc_ptx_eval::matrix::group::Settings;
use warpc_ptx_eval::{named_group_product, named_product};
use warpc_sass::{Inst, Marks, Value};

/// The product of an instruction.
pub(crate) fn find(inst: &Inst) -> Option<What> {
    let shape = inst.shape;
    let has = |modifier: &str| shape.has(modifier);
    let opcode = shape.opcode();
    if !matches!(opcode, "HMMA" | "IMMA" | "BMMA" | "DMMA") {
        return None;
    }
    let negated = inst
        .operands
        .iter()
        .any(|one| one.marks.has(Marks::MINUS) || one.marks.has(Marks::BARS));
    if negated || has("884") {
        return None;
    }
    let size = shape.modifiers().find_map(|one| {
        Some(match one {
            "1684" => "m16n8k4",
            "1688" => "m16n8k8",
            "16816" => "m16n8k16",
            "16832" => "m16n8k32",
            "16864" => "m16n8k64",
            "168128" => "m16n8k128",
            "168256" => "m16n8k256",
            "8816" => "m8n8k16",
            "8832" => "m8n8k32",
            "88128" => "m8n8k128",
            "8x8x4" => "m8n8k4",
            "16x8x4" => "m16n8k4",
            "16x8x8" => "m16n8k8",
            "16x8x16" => "m16n8k16",
            _ => return None,
        })
    })?;
    let sparse = if has("SP") { ".sp" } else { "" };
    let start = format!("mma{sparse}.sync.aligned.{size}.row.col");
    let name = match opcode {
        "HMMA" => {
            let sum = if has("F16") { "f16" } else { "f32" };
            let of = match () {
                () if has("BF16") => "bf16",
                () if has("TF32") => "tf32",
                () => "f16",
            };
            format!("{start}.{sum}.{of}.{of}.{sum}")
        }
        "IMMA" => {
            let types = shape.modifiers().filter_map(|one| match one {
                "U8" => Some("u8"),
                "S8" => Some("s8"),
                "U4" => Some("u4"),
                "S4" => Some("s4"),
                _ => None,
            });
            let types: Vec<&str> = types.collect();
            let [a, b] = types[..] else { return None };
            let limit = if has("SAT") { ".satfinite" } else { "" };
            format!("{start}{limit}.s32.{a}.{b}.s32")
        }
        "BMMA" => {
            let operation = if has("XOR") { "xor" } else { "and" };
            format!("{start}.s32.b1.b1.s32.{operation}.popc")
        }
        _ => {
            let rounding = shape.modifiers().find_map(|one| match one {
                "RM" => Some(".rm"),
                "RP" => Some(".rp"),
                "RZ" => Some(".rz"),
                _ => None,
            });
            format!("{start}{}.f64.f64.f64.f64", rounding.unwrap_or(""))
        }
    };
    let operation = named_product(&name)?;
    Some(What::Product(Box::new(Product3 {
        operation,
        wide: opcode == "DMMA",
    })))
}

/// Where the words of products of warpgroups have their operands and what is done to them.
mod bit {
    /// A in registers, or the descriptors with A in shared memory.
    pub(super) const A: u8 = 24;
    /// The descriptors with A in registers.
    pub(super) const B: u8 = 32;
    pub(super) const METADATA: u8 = 40;
    pub(super) const SELECTOR: u8 = 48;
    pub(super) const C: u8 = 64;
    pub(super) const TURNED: [u32; 2] = [61, 62];
    pub(super) const NEGATED: [u32; 2] = [72, 63];
}

/// The product of a warpgroup that an instruction is.
pub(crate) fn find_group(inst: &Inst, args: &Args) -> Option<What> {
    let shape = inst.shape;
    let opcode = shape.opcode();
    if !matches!(opcode, "HGMMA" | "IGMMA" | "QGMMA" | "BGMMA") {
        return None;
    }
    let has = |modifier: &str| shape.has(modifier);
    let size = shape.modifiers().find_map(|one| {
        let (n, k) = one.strip_prefix("64x")?.split_once('x')?;
        Some(format!("m64n{n}k{k}"))
    })?;
    let sparse = if has("SP") { ".sp" } else { "" };
    let start = format!("wgmma.mma_async{sparse}.sync.aligned.{size}");
    let sum = if has("F16") { "f16" } else { "f32" };
    let types = || -> Option<[&str; 2]> {
        let types = shape.modifiers().filter_map(|one| match one {
            "U8" => Some("u8"),
            "S8" => Some("s8"),
            "E4M3" => Some("e4m3"),
            "E5M2" => Some("e5m2"),
            _ => None,
        });
        types.collect::<Vec<&str>>().try_into().ok()
    };
    let name = match opcode {
        "HGMMA" => {
            let of = match () {
                () if has("BF16") => "bf16",
                () if has("TF32") => "tf32",
                () => "f16",
            };
            format!("{start}.{sum}.{of}.{of}")
        }
        "QGMMA" => {
            let [a, b] = types()?;
            format!("{start}.{sum}.{a}.{b}")
        }
        "IGMMA" => {
            let [a, b] = types()?;
            let limit = if has("SAT") { ".satfinite" } else { "" };
            format!("{start}{limit}.s32.{a}.{b}")
        }
        _ => format!("{start}.s32.b1.b1.and.popc"),
    };
    let uniform = |bit: u8| match inst.at(bit)?.value {
        Value::Uniform(number) => Some(number),
        _ => None,
    };
    let source = |bit: u8| args.s.iter().copied().find(|source| source.bit == bit);
    let (descriptors, a): (u8, Option<In>) = match uniform(bit::A) {
        Some(number) => (number, None),
        None => (uniform(bit::B)?, Some(source(bit::A)?)),
    };
    // Only products of floats have these.
    let is_float = matches!(opcode, "HGMMA" | "QGMMA");
    let is_set = |bit: u32| is_float && shape.base() >> bit & 1 == 1;
    let mut settings = Settings {
        negated: bit::NEGATED.map(is_set),
        turned: bit::TURNED.map(|bit| opcode == "HGMMA" && is_set(bit)),
    };
    if let Some(a) = a {
        settings.negated[0] = a.minus();
        settings.turned[0] = false;
    }
    let metadata = match sparse.is_empty() {
        true => None,
        false => {
            let selector = match source(bit::SELECTOR).map(|source| source.from) {
                Some(From::Number(number)) => number as u64,
                _ => 0,
            };
            Some((source(bit::METADATA)?, selector))
        }
    };
    Some(What::GroupProduct(Box::new(GroupProduct {
        operation: named_group_product(&name, settings)?,
        descriptors,
        a,
        c: source(bit::C)?,
        metadata,
    })))
}
