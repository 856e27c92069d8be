//! Products of matrices of a warp: which one of `ptx-eval`'s an instruction is.

use crate::op::{Product3, What};
use warpc_ptx_eval::named_product;
use warpc_sass::{Inst, Marks};

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
