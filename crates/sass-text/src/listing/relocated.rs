//! Operands that wait for the linker: what a relocation names stands in the place of the number.

use super::Room;
use super::code::Decoded;
use super::labels::Labels;
use object::elf;
use warpc_cubin::relocation;
use warpc_cubin::{Content, Relocation};
use warpc_cubin::{Cubin, Section};

/// What a relocation changes, by the name of its kind.
enum Change {
    /// The operand whose number has this bit; what stands before its name.
    Operand(u8, &'static str),
    /// Nothing; the tools say what the linker may make of the instruction.
    Opcode,
}

fn change(kind: u32) -> Option<Change> {
    Some(match relocation::name(kind)? {
        "R_CUDA_ABS32_LO_32" | "R_CUDA_FUNC_DESC32_LO_32" | "R_CUDA_UNIFIED32_LO_32" => {
            Change::Operand(32, "32@lo")
        }
        "R_CUDA_ABS32_HI_32" | "R_CUDA_FUNC_DESC32_HI_32" | "R_CUDA_UNIFIED32_HI_32" => {
            Change::Operand(32, "32@hi")
        }
        "R_CUDA_ABS32_32" | "R_CUDA_ABS16_32" | "R_CUDA_ABS24_32" => Change::Operand(32, "`"),
        "R_CUDA_ABS47_34" | "R_CUDA_ABS55_16_34" | "R_CUDA_ABS56_16_34" => Change::Operand(34, "`"),
        "R_CUDA_CONST_FIELD19_40" => Change::Operand(40, "`"),
        "R_CUDA_CONST_FIELD21_38" | "R_CUDA_CONST_FIELD22_37" => Change::Operand(38, "`"),
        "R_CUDA_ABS24_40" | "R_CUDA_BINDLESSOFF14_40" => Change::Operand(40, "`"),
        "R_CUDA_ABS20_44" => Change::Operand(44, "`"),
        "R_CUDA_YIELD_OPCODE9_0" => Change::Opcode,
        _ => return None,
    })
}

/// Whether a relocation waits for the place of a constant.
pub(super) fn is_of_constants(one: &Relocation) -> bool {
    relocation::name(one.kind).is_some_and(|name| name.starts_with("R_CUDA_CONST_FIELD"))
}

/// The addend that data hold where a relocation without one changes them.
pub(super) fn held_addend(section: &Section, one: &Relocation) -> Option<i64> {
    let Content::Bytes(bytes) = &section.content else {
        return None;
    };
    let rest = bytes.get(usize::try_from(one.offset).ok()?..)?;
    match relocation::name(one.kind)? {
        "R_CUDA_64" if !section.is_code() => rest.first_chunk().map(|all| i64::from_le_bytes(*all)),
        "R_CUDA_32" if !section.is_code() => {
            let held = rest.first_chunk()?;
            Some(i64::from(u32::from_le_bytes(*held)))
        }
        _ => None,
    }
}

/// The place in a function that a relocation names by an addend.
fn inner_place(cubin: &Cubin, one: &Relocation) -> Option<(usize, u64)> {
    let addend = one.addend.filter(|&addend| addend != 0)?;
    let (_, symbols) = cubin.symbols();
    let symbol = symbols.get(one.symbol as usize)?;
    let home = usize::from(symbol.section);
    let section = cubin.sections.get(home).filter(|one| one.is_code())?;
    let place = symbol.value.wrapping_add_signed(addend);
    (symbol.kind() == elf::STT_FUNC && place <= Section::size(section)).then_some((home, place))
}

/// Numbers the places in functions that relocations name.
pub(super) fn number_places(cubin: &Cubin, relocations: &[Relocation], labels: &mut Labels) {
    for one in relocations {
        if let Some((section, place)) = inner_place(cubin, one) {
            labels.number(section, place);
        }
    }
}

/// Puts what relocations name into instructions. What comes back are remarks on instructions, by their number.
pub(super) fn name_operands(
    cubin: &Cubin,
    decoded: &mut Decoded,
    relocations: &[Relocation],
    labels: &Labels,
    room: &mut Room,
) -> Vec<(usize, String)> {
    let mut remarks = Vec::new();
    for one in relocations {
        let Ok(index) = usize::try_from(one.offset / 16) else {
            continue;
        };
        match change(one.kind) {
            Some(Change::Opcode) => {
                let number = one.addend.unwrap_or(0);
                remarks.push((index, format!("RELOCATOR OPCODE,YIELD,{number}")));
            }
            Some(Change::Operand(bit, before)) => {
                let target = target(cubin, one, labels);
                if let Some(target) = target.filter(|target| room.take(target.len())) {
                    replace(decoded, index, bit, format!("{before}({target})"));
                }
            }
            None => {}
        }
    }
    remarks
}

/// Puts a symbol where an instruction has a number at a bit.
fn replace(decoded: &mut Decoded, index: usize, bit: u8, symbol: String) {
    let slot = decoded
        .inst(index)
        .and_then(|inst| inst.shape.slot_with(bit));
    if let Some(slot) = slot {
        decoded.replace(index, |at, _| at == slot, symbol);
    }
}

/// What a relocation names: a symbol, or a place at a distance from it.
fn target(cubin: &Cubin, one: &Relocation, labels: &Labels) -> Option<String> {
    let (_, symbols) = cubin.symbols();
    let name = cubin.symbol_name(symbols.get(one.symbol as usize)?);
    let inner = inner_place(cubin, one).and_then(|(home, place)| labels.name_of(home, place));
    let target = match (inner, one.addend) {
        (Some(label), _) => format!("({name} + {label}@srel)"),
        (None, None | Some(0)) => name.into_owned(),
        (None, Some(addend)) => {
            let sign = if addend < 0 { "-" } else { "" };
            format!("({name} + {sign}{:#x})", addend.unsigned_abs())
        }
    };
    Some(match relocation::name(one.kind) {
        // Where a function is launched from the device, its descriptor is meant.
        Some(kind) if kind.starts_with("R_CUDA_FUNC_DESC") => format!("fun@fdesc({target})"),
        // The address of a function as the host and the device both know it.
        Some(kind) if kind.starts_with("R_CUDA_UNIFIED") => format!("fun@unified({target})"),
        _ => target,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_sass::print::{self, Names, Style};
    use warpc_sass::{Control, Value, parse};

    #[test]
    fn targets_stand_where_nvdisasm_puts_them() {
        let with = |text: &str, kind: &str, target: &str| {
            let number = (0..256).find(|&number| relocation::name(number) == Some(kind));
            let change = change(number.expect("the kind has a number")).expect("it is known");
            let Change::Operand(bit, before) = change else {
                panic!("{kind} changes no operand");
            };
            let chips = ["sm_80", "sm_90", "sm_120"].map(|chip| chip.parse().expect("a chip"));
            let inst = |sm: warpc_target::Sm| parse::inst(sm, text, Control::UNSCHEDULED, 0);
            let read = chips.into_iter().find_map(inst);
            let (mut inst, _) = read.unwrap_or_else(|| panic!("{text}"));
            let slot = inst.shape.slot_with(bit).expect("a slot");
            inst.operands[slot].value = Value::Symbol(0);
            let names = Names {
                address: 0,
                labels: &[],
                symbols: &[format!("{before}({target})")],
            };
            print::styled(&inst, &names, Style::Nvdisasm).expect("a text")
        };
        let cases = [
            (
                "MOV R3, 0x0",
                "R_CUDA_ABS16_32",
                "coeff",
                "MOV R3, `(coeff)",
            ),
            (
                "UMOV UR4, 0x0",
                "R_CUDA_ABS32_LO_32",
                "next",
                "UMOV UR4, 32@lo(next)",
            ),
            (
                "CALL.ABS.NOINC R2",
                "R_CUDA_ABS56_16_34",
                "f",
                "CALL.ABS.NOINC R2 `(f)",
            ),
            (
                "CALL.ABS.NOINC 0x0",
                "R_CUDA_ABS47_34",
                "f",
                "CALL.ABS.NOINC `(f)",
            ),
            (
                "FFMA R30, R35, c[0x0][0x0], R30",
                "R_CUDA_CONST_FIELD19_40",
                "(x + 0xc)",
                "FFMA R30, R35, c[`((x + 0xc))], R30",
            ),
            (
                "LDC R4, c[0x0][R0]",
                "R_CUDA_CONST_FIELD21_38",
                "x",
                "LDC R4, c[R0+`(x)]",
            ),
            (
                "LDCU UR8, c[0x3][URZ]",
                "R_CUDA_CONST_FIELD22_37",
                "(tab + 0x8)",
                "LDCU UR8, c[`((tab + 0x8))]",
            ),
            (
                "IMAD.MOV.U32 R6, RZ, RZ, c[0x3][0x0]",
                "R_CUDA_CONST_FIELD19_40",
                "(ext + 0x8)",
                "IMAD.U32 R6, RZ, RZ, c[`((ext + 0x8))]",
            ),
            (
                "UMOV UR4, 0x0",
                "R_CUDA_UNIFIED32_LO_32",
                "fun@unified(df)",
                "UMOV UR4, 32@lo(fun@unified(df))",
            ),
            (
                "@!P0 STS [RZ], R10",
                "R_CUDA_ABS24_40",
                "s",
                "@!P0 STS [`(s)], R10",
            ),
            (
                "ARRIVES.LDGSTSBAR.64 [URZ]",
                "R_CUDA_ABS24_40",
                "s",
                "ARRIVES.LDGSTSBAR.64 [URZ+`(s)]",
            ),
            (
                "STS [R12.X4+UR4], R11",
                "R_CUDA_ABS24_40",
                "s",
                "STS [R12.X4+UR4+`(s)], R11",
            ),
            (
                "TLD.SCR.LZ RZ, R9, R4, 0x0, 0x0, 1D, 0x1",
                "R_CUDA_BINDLESSOFF14_40",
                "tex0",
                "TLD.SCR.LZ RZ, R9, R4, 0x0, `(tex0), 1D, 0x1",
            ),
            (
                "LDGSTS.E [R25+0x10], [R18.64]",
                "R_CUDA_ABS20_44",
                "s",
                "LDGSTS.E [R25+`(s)], [R18.64]",
            ),
        ];
        for (text, kind, target, wanted) in cases {
            assert_eq!(with(text, kind, target), wanted);
        }
    }
}
