//! Barriers in shared memory, and copies in bulk that report to them: what an instruction does.

use crate::op::{Amount, Mbarrier, Tensor, What};
use warpc_ptx_eval::{AtomicUpdate, named_atomic, named_reduction};
use warpc_sass::Inst;

/// The operation of an instruction.
pub(crate) fn find(inst: &Inst) -> Option<What> {
    let shape = inst.shape;
    let has = |modifier: &str| shape.has(modifier);
    Some(match shape.opcode() {
        "SYNCS" if has("EXCH") => What::Mbarrier(Mbarrier::Exchange),
        "SYNCS" if has("PHASECHK") => What::Mbarrier(Mbarrier::Check),
        "SYNCS" if has("LD") => What::Mbarrier(Mbarrier::Load),
        "SYNCS" if has("CCTL") => What::Mbarrier(Mbarrier::Nothing),
        "SYNCS" if has("ARRIVE") && !has("TMASK") => {
            let (arrivals, bytes) = match () {
                () if has("A1T0") => (Amount::One, Amount::None),
                () if has("A0T1") => (Amount::None, Amount::One),
                () if has("A0TR") => (Amount::None, Amount::Register),
                () if has("A0TX") => (Amount::None, Amount::Less),
                () if has("ART0") => (Amount::Register, Amount::None),
                () => (Amount::One, Amount::Register),
            };
            What::Mbarrier(Mbarrier::Arrive {
                arrivals,
                bytes,
                drop: has("OPTOUT"),
            })
        }
        "ARRIVES" if has("ARVCNT") => What::Mbarrier(Mbarrier::Copied { counted: true }),
        "ARRIVES" if has("TRANSCNT") => What::Mbarrier(Mbarrier::Copied { counted: false }),
        "UBLKCP" | "UBLKRED" => {
            let mut spaces = shape.modifiers();
            let (to, from) = (spaces.next()?, spaces.next()?);
            let reduce = match shape.opcode() {
                "UBLKRED" => Some(update(inst)?),
                _ => None,
            };
            What::Bulk {
                to_shared: to == "S",
                from_shared: from == "S",
                reduce,
                multicast: has("MULTICAST"),
            }
        }
        "UTMALDG" | "UTMASTG" | "UTMAREDG" => {
            // What came after sm_90 puts its registers in ways of its own.
            let newer = ["W", "W128", "GATHER4", "SCATTER4", "2CTA"];
            if newer.into_iter().any(has) {
                return None;
            }
            What::Tensor(Tensor {
                dimensions: (1..=5).find(|n| has(["1D", "2D", "3D", "4D", "5D"][n - 1]))? as u8,
                loads: shape.opcode() == "UTMALDG",
                im2col: has("IM2COL"),
                multicast: has("MULTICAST"),
                reduce: match shape.opcode() {
                    "UTMAREDG" => Some(operation(inst)?),
                    _ => None,
                },
            })
        }
        // What they fetch or order is there at once.
        "UBLKPF" | "UTMACMDFLUSH" | "UTMAPF" | "UTMACCTL" => What::Nothing,
        "STAS" => What::StoreRemote {
            bytes: match () {
                () if has("128") => 16,
                () if has("64") => 8,
                () => 4,
            },
            update: None,
        },
        "REDAS" => {
            let (update, bytes) = update_remote(inst)?;
            let update = Some(update);
            What::StoreRemote { bytes, update }
        }
        _ => return None,
    })
}

/// The name of an operation in PTX.
fn operation(inst: &Inst) -> Option<&'static str> {
    inst.shape.modifiers().find_map(|one| {
        Some(match one {
            "ADD" => "add",
            "MIN" => "min",
            "MAX" => "max",
            "INC" => "inc",
            "DEC" => "dec",
            "AND" => "and",
            "OR" => "or",
            "XOR" => "xor",
            _ => return None,
        })
    })
}

/// What a copy that reduces does to an element, and how many bytes that has.
fn update(inst: &Inst) -> Option<(AtomicUpdate, u32)> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let ty = match () {
        () if has("S32") => "s32",
        () if has("U64") => "u64",
        () if has("S64") => "s64",
        () if has("F16") => "f16",
        () if has("BF16") => "bf16",
        () if has("F32") => "f32",
        () if has("F64") => "f64",
        () => "u32",
    };
    named_reduction(operation(inst)?, ty)
}

/// The same of one in the shared memory of another block.
fn update_remote(inst: &Inst) -> Option<(AtomicUpdate, u32)> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let (ty, bits, bytes) = match () {
        () if has("64") => ("u64", "b64", 8),
        () if has("S32") => ("s32", "b32", 4),
        () => ("u32", "b32", 4),
    };
    let operation = operation(inst)?;
    let ty = match operation {
        "and" | "or" | "xor" => bits,
        _ => ty,
    };
    let update = named_atomic(&format!("atom.shared.{operation}.{ty}"), false)?;
    Some((update, bytes))
}
