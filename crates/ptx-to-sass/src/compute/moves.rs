//! Moves of values between registers, and of vectors to scalars and back. Special registers and addresses are not
//! here: whoever places the steps knows them.

use crate::code::{Code, element, ptx};
use crate::source::Source;
use warpc_ptx::types::ScalarType;

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let (d, a) = (ptx("d"), ptx("a"));
    let ty = source.ty_of(&["type"])?;
    if ty == ScalarType::Pred {
        code.step("PLOP3.LUT P0, PT, P0, PT, PT, 0x80, 0x0", &[d, a]);
        return Some(());
    }
    let (to, from) = (source.vector("d"), source.vector("a"));
    let words = ty.bits().div_ceil(32) as u8;
    match (to, from) {
        (None, None) if words == 1 => code.copy(d, a),
        (None, None) => (0..words).for_each(|word| code.copy(d.register(word), a.register(word))),
        // A scalar is put together.
        (None, Some(count)) => {
            let bits = ty.bits() / u32::from(count);
            match (bits, count) {
                (32.., _) => {
                    let each = (bits / 32) as u8;
                    for lane in 0..count {
                        for word in 0..each {
                            let from = match each {
                                1 => element("a", lane),
                                _ => crate::wired::Operand::Ptx(
                                    "a",
                                    crate::wired::Part::Word(lane, word),
                                ),
                            };
                            code.copy(d.register(lane * each + word), from);
                        }
                    }
                }
                (16, _) => {
                    for pair in 0..count / 2 {
                        let to = if words == 1 { d } else { d.register(pair) };
                        let parts = [to, element("a", 2 * pair), element("a", 2 * pair + 1)];
                        code.step("PRMT R0, R0, 0x5410, R0", &parts);
                    }
                }
                (8, 4) => {
                    let (low, high) = (code.word(), code.word());
                    code.step(
                        "PRMT R0, R0, 0x40, R0",
                        &[low, element("a", 0), element("a", 1)],
                    );
                    code.step(
                        "PRMT R0, R0, 0x40, R0",
                        &[high, element("a", 2), element("a", 3)],
                    );
                    code.step("PRMT R0, R0, 0x5410, R0", &[d, low, high]);
                }
                (8, 2) => {
                    code.step(
                        "PRMT R0, R0, 0x40, R0",
                        &[d, element("a", 0), element("a", 1)],
                    );
                }
                _ => return None,
            }
        }
        // A scalar is taken apart.
        (Some(count), None) => {
            let bits = ty.bits() / u32::from(count);
            for lane in (0..count).filter(|lane| source.wants_element("d", *lane)) {
                let to = element("d", lane);
                match bits {
                    64 => {
                        for word in 0..2 {
                            let to = crate::wired::Operand::Ptx(
                                "d",
                                crate::wired::Part::Word(lane, word),
                            );
                            code.copy(to, a.register(2 * lane + word));
                        }
                    }
                    32 => code.copy(to, a.register(lane)),
                    16 => {
                        let from = if words == 1 { a } else { a.register(lane / 2) };
                        match lane % 2 {
                            0 => code.copy(to, from),
                            _ => code.step("SHF.R.U32.HI R0, RZ, 0x10, R0", &[to, from]),
                        }
                    }
                    8 => {
                        let text = format!("PRMT R0, R0, {:#x}, RZ", 0x7770 + u32::from(lane));
                        code.step(text, &[to, a]);
                    }
                    _ => return None,
                }
            }
        }
        // The type is that of an element.
        (Some(count), Some(other)) if count == other => {
            for lane in (0..count).filter(|lane| source.wants_element("d", *lane)) {
                if words == 1 {
                    code.copy(element("d", lane), element("a", lane));
                    continue;
                }
                for word in 0..words {
                    let part = crate::wired::Part::Word(lane, word);
                    let [to, from] = ["d", "a"].map(|of| crate::wired::Operand::Ptx(of, part));
                    code.copy(to, from);
                }
            }
        }
        (Some(_), Some(_)) => return None,
    }
    Some(())
}
