//! Matrices: products of a warp, and moves between shared memory and registers.
//!
//! An operand of PTX that is a vector is one value here: `HMMA.16816.F32 %d, %a, %b, %c`. Products that the machine of
//! sm_90 does not have are put together (`matrix/product.rs`, `matrix/quad.rs`, `matrix/sparse_floats.rs`).

mod fragment;
mod product;
mod quad;
mod sparse_floats;

use crate::code::{Code, address, ptx};
use crate::source::Source;

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    match source.opcode() {
        "mma" if product::is_quad(source) => quad::emit(source, code),
        "mma" => product::emit(source, code),
        "wmma" if source.has_word("mma") => product::emit(source, code),
        "wmma" => fragment::emit(source, code),
        "ldmatrix" | "stmatrix" => transfer(source, code),
        "movmatrix" => {
            code.step("MOVM.16.MT88 R0, R0", &[ptx("d"), ptx("a")]);
            Some(())
        }
        _ => None,
    }
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
