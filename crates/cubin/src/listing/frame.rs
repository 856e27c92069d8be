//! The text around the instructions.

use super::{CodeSection, Disassembler, Function, sections};
use crate::flags::Generation;
use crate::model::Cubin;
use object::elf;
use std::fmt::Write;

/// The listing of all code.
pub fn print(cubin: &Cubin, disassembler: &dyn Disassembler) -> String {
    let mut out = String::new();
    header(cubin, &mut out);
    let all = sections(cubin, disassembler);
    let texts = all.iter().flat_map(|code| &code.instructions);
    let widest = texts.map(|one| one.text.chars().count()).max().unwrap_or(0);
    for code in &all {
        section(cubin, code, widest, &mut out);
    }
    outer_symbols(cubin, &mut out);
    out
}

/// Writing to a string does not fail.
macro_rules! line {
    ($out:expr, $($argument:tt)*) => {{
        let _ = writeln!($out, $($argument)*);
    }};
}

fn header(cubin: &Cubin, out: &mut String) {
    match cubin.generation() {
        Some(Generation::Old) => {
            let flags = cubin.header.flags;
            let mut words = String::new();
            if flags & 0x100 != 0 {
                words.push_str("EF_CUDA_TEXMODE_UNIFIED ");
            }
            if flags & 0x400 != 0 {
                words.push_str("EF_CUDA_64BIT_ADDRESS ");
            }
            if flags & 0x800 != 0 {
                words.push_str("EF_CUDA_ACCELERATORS ");
            }
            let (real, virtual_chip) = (flags & 0xff, flags >> 16 & 0xff);
            line!(
                out,
                "\t.headerflags\t@\"{words}EF_CUDA_SM{real} EF_CUDA_VIRTUAL_SM(EF_CUDA_SM{virtual_chip})\""
            );
        }
        _ => {
            let chip = cubin
                .chip()
                .map_or_else(String::new, |chip| chip.to_string());
            line!(out, "\t.target\t{chip}\n");
        }
    }
    let kind = match cubin.header.kind {
        elf::ET_REL => "ET_REL",
        _ => "ET_EXEC",
    };
    line!(out, "\t.elftype\t@\"{kind}\"");
}

/// A section of code; what is remarked on instructions stands behind the widest of them.
fn section(cubin: &Cubin, code: &CodeSection, widest: usize, out: &mut String) {
    let raw = &cubin.sections[code.index];
    line!(
        out,
        "\n\n//--------------------- {:<25} --------------------------",
        code.name
    );
    line!(out, "\t.section\t{},\"ax\",@progbits", code.name);
    let barriers = raw.flags >> 20 & 0x7f;
    if barriers != 0 {
        line!(out, "\t.sectionflags\t@\"SHF_BARRIERS={barriers}\"");
    }
    let registers = raw.info >> 24;
    if registers != 0 {
        line!(out, "\t.sectioninfo\t@\"SHI_REGISTERS={registers}\"");
    }
    line!(out, "\t.align\t{}", raw.align);
    let mut labels = code.labels.iter().peekable();
    let mut functions = code.functions.iter().peekable();
    let places = code.instructions.iter().map(|one| (one.address, Some(one)));
    for (address, instruction) in places.chain([(code.size, None)]) {
        while let Some((_, name)) = labels.next_if(|(place, _)| *place <= address) {
            line!(out, "{name}:");
        }
        while let Some(function) = functions.next_if(|function| function.start <= address) {
            self::function(code, function, out);
        }
        if address == 0 {
            line!(out, "{}:", code.name);
        }
        let Some(instruction) = instruction else {
            break;
        };
        let (guard, text) = match instruction.text.split_once(' ') {
            // Guards of uniform instructions stand in the text.
            Some((guard, text)) if guard.starts_with("@P") || guard.starts_with("@!P") => {
                (guard, text)
            }
            _ => ("", instruction.text.as_str()),
        };
        let end = if is_unscheduled(instruction.word) {
            ""
        } else {
            " "
        };
        if instruction.targets.is_empty() {
            line!(out, "        /*{address:04x}*/ {guard:>17} {text}{end};");
            continue;
        }
        let targets = instruction.targets.join(",");
        let width = widest + 2;
        line!(
            out,
            "        /*{address:04x}*/ {guard:>17} {text:<width$}(*\"BRANCH_TARGETS {targets}\"*);"
        );
    }
}

/// Whether the control word is what it is before anything was scheduled; the tools print the semicolon closer then.
fn is_unscheduled(word: u128) -> bool {
    word >> 105 & 0x1_ffff == 0x7e0
}

fn function(code: &CodeSection, function: &Function, out: &mut String) {
    let name = &function.name;
    match function.symbol.binding() {
        elf::STB_GLOBAL => line!(out, "        .global         {name}"),
        elf::STB_WEAK => line!(out, "        .weak           {name}"),
        _ => {}
    }
    line!(out, "        .type           {name},@function");
    let end = function.start.saturating_add(function.size);
    let next = code.functions.iter().find(|other| other.start == end);
    let label = code.labels.iter().find(|(place, _)| *place == end);
    match (next, label) {
        (Some(next), _) => line!(
            out,
            "        .size           {name},({} - {name})",
            next.name
        ),
        (None, Some((_, label))) => line!(out, "        .size           {name},({label} - {name})"),
        (None, None) => line!(out, "        .size           {name},{:#x}", function.size),
    }
    if function.symbol.other != 0 {
        let words = function.symbol.other_words().join(" ");
        line!(out, "        .other          {name},@\"{words}\"");
    }
    line!(out, "{name}:");
}

/// The symbols that are not in this file.
fn outer_symbols(cubin: &Cubin, out: &mut String) {
    let (_, symbols) = cubin.symbols();
    let outer: Vec<_> = symbols
        .iter()
        .filter(|symbol| symbol.section == elf::SHN_UNDEF && symbol.name != 0)
        .collect();
    if outer.is_empty() {
        return;
    }
    line!(
        out,
        "\n\n//--------------------- SYMBOLS --------------------------\n"
    );
    for symbol in outer {
        let name = cubin.symbol_name(symbol);
        let kind = match symbol.kind() {
            elf::STT_FUNC => "@function",
            elf::STT_OBJECT => "@object",
            _ => "@notype",
        };
        line!(out, "\t.type\t\t{name},{kind}");
        if symbol.size != 0 {
            line!(out, "\t.size\t\t{name},{:#x}", symbol.size);
        }
    }
}
