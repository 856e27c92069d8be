//! Matrices: products of a warp, and moves between shared memory and registers.
//!
//! An operand of PTX that is a vector is one value here: `HMMA.16816.F32 %d, %a, %b, %c`. What the machine of sm_90 has no
//! instruction for (products of 4-bit numbers, of bits with `xor`, of eight-bit floating point, `m8n8k4` of halves) is
//! refused by name, and so is `wmma`.

use crate::code::{Code, address, ptx};
use crate::source::Source;
use warpc_ptx::types::ScalarType;

/// What ptxas writes after a product on sm_90, once, and twice where a factor has four registers: it computes nothing.
const AFTER: &str = "UIADD3 URZ, URZ, URZ, URZ";

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    match source.opcode() {
        "mma" => product(source, code),
        "ldmatrix" | "stmatrix" => transfer(source, code),
        "movmatrix" => {
            code.step("MOVM.16.MT88 R0, R0", &[ptx("d"), ptx("a")]);
            Some(())
        }
        _ => None,
    }
}

fn product(source: &Source, code: &mut Code) -> Option<()> {
    let choice = source.choice();
    let shape = choice.token("shape")?;
    let plain = source
        .words_seen()
        .all(|word| !word.starts_with("sp") && !word.starts_with("kind") && word != "block_scale");
    if !plain {
        return None;
    }
    let (from, other) = (choice.scalar("atype"), choice.scalar("btype"));
    let size = shape.trim_start_matches(".m").replace(['n', 'k'], "");
    let double = matches!(source.ty_of(&["dtype"]), Some(ScalarType::F64));
    let (text, pauses) = if double {
        let size = shape.trim_start_matches(".m").replace(['n', 'k'], "x");
        let rounding = super::divide::rounding(source);
        (format!("DMMA.{size}{rounding} R0, R0, R0, R0"), 0)
    } else {
        let result = choice.scalar("dtype").or(choice.scalar("ctype"));
        let pauses = match shape {
            ".m16n8k16" if from.is_some_and(|ty| ty.bits() == 8) => 1,
            ".m8n8k16" | ".m8n8k128" => 1,
            ".m16n8k8" if from.is_some_and(|ty| ty.bits() == 16) => 1,
            ".m16n8k4" => 1,
            _ => 2,
        };
        let text = match from? {
            ScalarType::F16 | ScalarType::Bf16 | ScalarType::Tf32 if shape == ".m8n8k4" => {
                return None;
            }
            ScalarType::F16 if result == Some(ScalarType::F16) => {
                format!("HMMA.{size}.F16 R0, R0, R0, R0")
            }
            ScalarType::F16 => format!("HMMA.{size}.F32 R0, R0, R0, R0"),
            ScalarType::Bf16 => format!("HMMA.{size}.F32.BF16 R0, R0, R0, R0"),
            ScalarType::Tf32 => format!("HMMA.{size}.F32.TF32 R0, R0, R0, R0"),
            ScalarType::S8 | ScalarType::U8 => {
                let name = |ty: ScalarType| match ty {
                    ScalarType::S8 => Some("S8"),
                    ScalarType::U8 => Some("U8"),
                    _ => None,
                };
                let (a, b) = (name(from?)?, name(other?)?);
                let sat = if source.has("satfinite") { ".SAT" } else { "" };
                format!("IMMA.{size}.{a}.{b}{sat} R0, R0.ROW, R0.COL, R0")
            }
            ScalarType::B1 if source.has_word("and") => {
                format!("BMMA.{size}.AND.POPC R0, R0.ROW, R0.COL, R0")
            }
            _ => return None,
        };
        (text, pauses)
    };
    let operands = [ptx("d"), ptx("a"), ptx("b"), ptx("c")];
    code.step(text, &operands);
    for _ in 0..pauses {
        code.step(AFTER, &[]);
    }
    Some(())
}

/// `ldmatrix`, `stmatrix` of elements with 16 bits.
fn transfer(source: &Source, code: &mut Code) -> Option<()> {
    if !source.has_word("b16") || source.choice().token("shape") != Some(".m8n8") {
        return None;
    }
    let count = match source.choice().token("num")? {
        ".x1" => "",
        ".x2" => ".2",
        _ => ".4",
    };
    let turned = if source.has("trans") { "MT88" } else { "M88" };
    // Of a generic address the low half counts.
    let shared = source.choice().token("ss").is_some();
    let place = match shared {
        true => address("p"),
        false => {
            let low = code.word();
            code.copy(low, ptx("p").register(0));
            low
        }
    };
    match source.opcode() {
        "ldmatrix" => code.step(
            format!("LDSM.16.{turned}{count} R0, [R0]"),
            &[ptx("r"), place],
        ),
        _ => code.step(
            format!("STSM.16.{turned}{count} [R0], R0"),
            &[place, ptx("r")],
        ),
    }
    Some(())
}
