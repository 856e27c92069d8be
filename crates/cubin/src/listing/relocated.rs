//! Operands that wait for the linker: what a relocation names stands in the place of the number.

use super::labels::Labels;
use super::{CodeSection, Room};
use crate::content::{Content, Relocation};
use crate::model::{Cubin, Section};
use crate::relocation;
use object::elf;

/// Which operand a relocation changes, by the name of its kind.
enum Operand {
    /// The last, which is a number: `32@lo(name)` or `` `(name) ``.
    Number(&'static str),
    /// The place that a call goes to, the last number or behind the register.
    Target,
    /// A constant: `c[bank][offset]`.
    Constant,
    /// An address in shared memory: the first in brackets.
    Address,
    /// Nothing; the tools say what the linker may make of the instruction.
    Opcode,
}

fn operand(kind: u32) -> Option<Operand> {
    Some(match relocation::name(kind)? {
        "R_CUDA_ABS32_LO_32" | "R_CUDA_FUNC_DESC32_LO_32" | "R_CUDA_UNIFIED32_LO_32" => {
            Operand::Number("32@lo")
        }
        "R_CUDA_ABS32_HI_32" | "R_CUDA_FUNC_DESC32_HI_32" | "R_CUDA_UNIFIED32_HI_32" => {
            Operand::Number("32@hi")
        }
        "R_CUDA_ABS32_32" | "R_CUDA_ABS16_32" | "R_CUDA_ABS24_32" => Operand::Number("`"),
        "R_CUDA_ABS47_34" | "R_CUDA_ABS55_16_34" | "R_CUDA_ABS56_16_34" => Operand::Target,
        "R_CUDA_CONST_FIELD19_40" | "R_CUDA_CONST_FIELD21_38" | "R_CUDA_CONST_FIELD22_37" => {
            Operand::Constant
        }
        "R_CUDA_ABS24_40" | "R_CUDA_ABS20_44" => Operand::Address,
        "R_CUDA_YIELD_OPCODE9_0" => Operand::Opcode,
        _ => return None,
    })
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

/// Puts what relocations name into the texts of instructions.
pub(super) fn name_operands(
    cubin: &Cubin,
    code: &mut CodeSection,
    relocations: &[Relocation],
    labels: &Labels,
    room: &mut Room,
) {
    for one in relocations {
        let instruction = usize::try_from(one.offset / 16)
            .ok()
            .and_then(|index| code.instructions.get_mut(index));
        let (Some(instruction), Some(operand)) = (instruction, operand(one.kind)) else {
            continue;
        };
        if let Operand::Opcode = operand {
            let number = one.addend.unwrap_or(0);
            instruction.remark = format!("RELOCATOR OPCODE,YIELD,{number}");
            continue;
        }
        if let Some(target) = target(cubin, one, labels).filter(|target| room.take(target.len())) {
            replace(&mut instruction.text, &operand, &target);
        }
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

/// Puts a target in the place of an operand.
fn replace(text: &mut String, operand: &Operand, target: &str) {
    let last = || {
        let start = text.rfind(", ").map(|at| at + 2);
        start.or_else(|| text.rfind(' ').map(|at| at + 1))
    };
    match operand {
        Operand::Number(function) => {
            if let Some(start) = last() {
                text.replace_range(start.., &format!("{function}({target})"));
            }
        }
        Operand::Target => match last() {
            Some(start) if !text[start..].starts_with('R') => {
                text.replace_range(start.., &format!("`({target})"));
            }
            _ => text.push_str(&format!(" `({target})")),
        },
        Operand::Constant => {
            // The bank is the symbol's; a register stays. (The uniform zero stays in addresses only.)
            let found = text.find("c[").and_then(|start| {
                let bank_end = start + text[start..].find("][")?;
                let end = bank_end + 2 + text[bank_end + 2..].find(']')?;
                let inside = &text[bank_end + 2..end];
                let inside = inside.strip_prefix("URZ").unwrap_or(inside);
                Some((start + 2, end, with_base(inside, target)))
            });
            if let Some((start, end, inside)) = found {
                text.replace_range(start..end, &inside);
                // The short name is for a number that is known.
                if let Some(at) = text.find("IMAD.MOV.U32 ") {
                    text.replace_range(at..at + "IMAD.MOV.U32".len(), "IMAD.U32");
                }
            }
        }
        Operand::Address => {
            let found = text.find('[').and_then(|start| {
                let end = start + text[start..].find(']')?;
                Some((start + 1, end, with_base(&text[start + 1..end], target)))
            });
            if let Some((start, end, inside)) = found {
                text.replace_range(start..end, &inside);
            }
        }
        Operand::Opcode => {}
    }
}

/// An address with the target in the place of its number; registers stay, but for one that is always zero and alone.
fn with_base(inside: &str, target: &str) -> String {
    let registers: Vec<&str> = inside
        .split('+')
        .filter(|part| part.starts_with(['R', 'U']))
        .collect();
    match registers[..] {
        [] | ["RZ"] => format!("`({target})"),
        _ => format!("{}+`({target})", registers.join("+")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_stand_where_nvdisasm_puts_them() {
        let with = |text: &str, kind: &str, target: &str| {
            let number = (0..256).find(|&number| relocation::name(number) == Some(kind));
            let mut text = text.to_owned();
            let operand = operand(number.expect("the kind has a number")).expect("it is known");
            replace(&mut text, &operand, target);
            text
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
