//! Barriers in shared memory, and copies in bulk that report to them: what an instruction does.

use crate::op::{Amount, Mbarrier, What};
use warpc_ptx_eval::named_atomic;
use warpc_sass::Inst;

/// The operation of an instruction.
pub(crate) fn find(inst: &Inst) -> Option<What> {
    let shape = inst.shape;
    let has = |modifier: &str| shape.has(modifier);
    Some(match shape.opcode() {
        "SYNCS" if has("EXCH") => What::Mbarrier(Mbarrier::Exchange),
        "SYNCS" if has("PHASECHK") => What::Mbarrier(Mbarrier::Check),
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
        // What they fetch or order is there at once.
        "UBLKPF" | "UTMACMDFLUSH" | "UTMAPF" => What::Nothing,
        "STAS" => What::StoreRemote {
            bytes: match () {
                () if has("128") => 16,
                () if has("64") => 8,
                () => 4,
            },
        },
        _ => return None,
    })
}

/// What a copy that reduces does to an element, and how many bytes that has.
fn update(inst: &Inst) -> Option<(warpc_ptx_eval::AtomicUpdate, u32)> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let (ty, bits, bytes) = match () {
        () if has("S32") => ("s32", "b32", 4),
        () if has("U64") => ("u64", "b64", 8),
        () if has("S64") => ("s64", "b64", 8),
        () if has("F16") => ("noftz.f16", "", 2),
        () if has("BF16") => ("noftz.bf16", "", 2),
        () if has("F32") => ("f32", "", 4),
        () if has("F64") => ("f64", "", 8),
        () => ("u32", "b32", 4),
    };
    let operation = inst.shape.modifiers().find_map(|one| match one {
        "ADD" => Some("add"),
        "MIN" => Some("min"),
        "MAX" => Some("max"),
        "INC" => Some("inc"),
        "DEC" => Some("dec"),
        "AND" => Some("and"),
        "OR" => Some("or"),
        "XOR" => Some("xor"),
        _ => None,
    })?;
    let ty = match operation {
        "and" | "or" | "xor" => bits,
        "add" if ty == "s32" => "u32",
        "add" if ty == "s64" => "u64",
        _ => ty,
    };
    let update = named_atomic(&format!("atom.global.{operation}.{ty}"), true)?;
    Some((update, bytes))
}
