//! Arithmetic with a carry between instructions: the carry is a predicate.

use super::is_signed;
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let ty = source.ty_of(&["type"])?;
    let takes = matches!(source.opcode(), "addc" | "subc" | "madc");
    let gives = source.has("cc");
    let (a, b) = (ptx("a"), ptx("b"));
    let words = ty.bits().div_ceil(32) as u8;
    match source.opcode() {
        "addc" | "subc" if source.has("sat") && !gives && ty == ScalarType::S32 => {
            saturated(code, source.opcode() == "subc");
        }
        // A product with `.sat` is not saturated by ptxas, either.
        "add" | "addc" | "sub" | "subc" if source.has("sat") => return None,
        "add" | "addc" => chain(code, words, a, b, false, takes, gives),
        "sub" | "subc" => chain(code, words, a, b, true, takes, gives),
        "mad" | "madc" => {
            let product = product(source, code, ty)?;
            chain(code, words, product, ptx("c"), false, takes, gives);
        }
        _ => return None,
    }
    Some(())
}

/// The low or high half of a product.
fn product(source: &Source, code: &mut Code, ty: ScalarType) -> Option<Operand> {
    let (a, b) = (ptx("a"), ptx("b"));
    if ty.bits() == 64 {
        let to = code.double();
        if source.has("hi") {
            super::integer::multiply_high_64(code, to, a, b, is_signed(ty));
            return Some(to);
        }
        code.mad_low_64(to, a, b, None);
        return Some(to);
    }
    let to = code.word();
    if ty.bits() == 16 {
        let (a, b) = (code.widened("a", ty), code.widened("b", ty));
        // The high half is what is above 32 bits, as ptxas has it: the sign.
        let text = match (source.has("hi"), is_signed(ty)) {
            (false, _) => "IMAD R0, R0, R0, RZ",
            (true, true) => "IMAD.HI R0, R0, R0, RZ",
            (true, false) => "IMAD.HI.U32 R0, R0, R0, RZ",
        };
        code.step(text, &[to, a, b]);
        return Some(to);
    }
    let text = match (source.has("hi"), is_signed(ty)) {
        (false, _) => "IMAD R0, R0, R0, RZ",
        (true, true) => "IMAD.HI R0, R0, R0, RZ",
        (true, false) => "IMAD.HI.U32 R0, R0, R0, RZ",
    };
    code.step(text, &[to, a, b]);
    Some(to)
}

/// `d = a + b`, or `a - b`, word by word. For differences the carry says that nothing was borrowed, in the machine and
/// here.
fn chain(
    code: &mut Code,
    words: u8,
    a: Operand,
    b: Operand,
    subtracts: bool,
    takes: bool,
    gives: bool,
) {
    let d = ptx("d");
    let mut carry = takes.then_some(Operand::Carry);
    for word in 0..words {
        let part = |of: Operand| if words == 1 { of } else { of.register(word) };
        let (d, a, b) = (part(d), part(a), part(b));
        let is_last = word + 1 == words;
        let out = match is_last {
            true if gives => Some(Operand::Carry),
            true => None,
            false => Some(code.flag()),
        };
        match (carry, out, subtracts) {
            (None, Some(out), false) => code.step("IADD3 R0, P0, R0, R0, RZ", &[d, out, a, b]),
            (None, Some(out), true) => code.step("IADD3 R0, P0, R0, -R0, RZ", &[d, out, a, b]),
            (Some(into), Some(out), false) => {
                code.step("IADD3.X R0, P0, R0, R0, RZ, P0, !PT", &[d, out, a, b, into]);
            }
            (Some(into), Some(out), true) => {
                code.step(
                    "IADD3.X R0, P0, R0, ~R0, RZ, P0, !PT",
                    &[d, out, a, b, into],
                );
            }
            (Some(into), None, false) => {
                code.step("IADD3.X R0, R0, R0, RZ, P0, !PT", &[d, a, b, into]);
            }
            (Some(into), None, true) => {
                code.step("IADD3.X R0, R0, ~R0, RZ, P0, !PT", &[d, a, b, into]);
            }
            (None, None, false) => code.step("IADD3 R0, R0, R0, RZ", &[d, a, b]),
            (None, None, true) => code.step("IADD3 R0, R0, -R0, RZ", &[d, a, b]),
        }
        carry = out;
    }
}

/// `d = a + b + carry`, or `a + ~b + carry`, brought into the range of 32 bits with a sign: the sum has another sign than
/// both terms where it is out of it.
fn saturated(code: &mut Code, subtracts: bool) {
    let (a, mut b) = (ptx("a"), ptx("b"));
    if subtracts {
        let other = code.word();
        code.step("LOP3.LUT R0, RZ, R0, RZ, 0x33, !PT", &[other, b]);
        b = other;
    }
    let (sum, above, below, limited) = (code.word(), code.flag(), code.flag(), code.word());
    let operands = [sum, a, b, Operand::Carry];
    code.step("IADD3.X R0, R0, R0, RZ, P0, !PT", &operands);
    for (flag, table) in [(above, "0x2"), (below, "0x40")] {
        let text = format!("PLOP3.LUT P0, PT, R0.SIGN, R0.SIGN, R0.SIGN, {table}, 0x0");
        code.step(text, &[flag, a, b, sum]);
    }
    code.step("SEL R0, R0, 0x7fffffff, !P0", &[limited, sum, above]);
    code.step("SEL R0, R0, 0x80000000, !P0", &[ptx("d"), limited, below]);
}
