//! The text around the instructions.

use super::{CodeSection, Function, Instruction, Room, sections};
use object::elf;
use std::collections::HashMap;
use std::fmt::Write;
use warpc_cubin::Generation;
use warpc_cubin::{Cubin, Section};

/// Writing to a string does not fail.
macro_rules! line {
    ($out:expr, $($argument:tt)*) => {{
        let _ = writeln!($out, $($argument)*);
    }};
}

/// What a listing shows beside the texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout<'a> {
    /// The words of the instructions, as `nvdisasm -hex` shows them.
    pub words: bool,
    /// Only the section of this function.
    pub function: Option<&'a str>,
}

/// The listing of all code.
pub fn print(cubin: &Cubin) -> String {
    print_as(cubin, Layout::default())
}

/// The listing of code in a layout.
pub fn print_as(cubin: &Cubin, layout: Layout<'_>) -> String {
    let mut out = String::new();
    header(cubin, &mut out);
    let all = sections(cubin);
    let mut room = Room::of(cubin);
    let texts = all.iter().flat_map(|code| &code.instructions);
    let widest = texts
        .map(|one| one.text.chars().count() + usize::from(!is_unscheduled(one.word)))
        .max()
        .unwrap_or(0);
    let mut columns = Columns {
        widest,
        words: None,
    };
    if layout.words {
        let all = || all.iter().flat_map(|code| &code.instructions);
        let lines = all().map(|one| {
            let mut line = String::new();
            columns.line(one, &mut room, &mut line);
            line.chars().count()
        });
        // There is room for a remark, were it empty.
        let gap = match all().any(|one| !one.remark.is_empty()) {
            true => 1,
            false => 2,
        };
        columns.words = Some(lines.max().unwrap_or(0) + gap);
        room = Room::of(cubin);
    }
    let own_symbols = section_symbols(cubin);
    for code in &all {
        let is_wanted = |name: &str| code.functions.iter().any(|function| function.name == name);
        if layout.function.is_none_or(is_wanted) {
            let raw = &cubin.sections[code.index];
            let own = own_symbols.get(&code.index).copied();
            section(raw, code, own, &columns, &mut room, &mut out);
        }
    }
    outer_symbols(cubin, &mut out);
    out
}

/// Where things stand in a line.
struct Columns {
    /// How long the longest text of an instruction is, with the space after it; remarks stand after that.
    widest: usize,
    /// Where words stand, if they are shown.
    words: Option<usize>,
}

impl Columns {
    /// Appends the line of an instruction, without its word and the end of the line.
    fn line(&self, instruction: &Instruction, room: &mut Room, out: &mut String) {
        let (guard, text) = match instruction.text.split_once(' ') {
            // Guards of uniform instructions stand in the text.
            Some((guard, text)) if guard.starts_with("@P") || guard.starts_with("@!P") => {
                (guard, text)
            }
            _ => ("", instruction.text.as_str()),
        };
        // Writing to a string does not fail.
        let _ = write!(out, "        /*{:04x}*/ {guard:>17} ", instruction.address);
        if !instruction.remark.is_empty() {
            let width = self.widest + 1;
            let width = if room.take(width) { width } else { 0 };
            let _ = write!(out, "{text:<width$}(*\"{}\"*);", instruction.remark);
            return;
        }
        out.push_str(text);
        out.push_str(match is_unscheduled(instruction.word) {
            true => ";",
            false => " ;",
        });
    }

    /// Appends the line of an instruction.
    fn write(&self, instruction: &Instruction, room: &mut Room, out: &mut String) {
        let Some(words) = self.words else {
            self.line(instruction, room, out);
            out.push('\n');
            return;
        };
        let mut line = String::new();
        self.line(instruction, room, &mut line);
        let words = if room.take(2 * words) { words } else { 0 };
        let (low, high) = (instruction.word as u64, (instruction.word >> 64) as u64);
        line!(out, "{line:<words$}/* {low:#018x} */");
        line!(out, "{:words$}/* {high:#018x} */", "");
    }
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

/// A section of code; `own` is the symbol that stands for it.
fn section(
    raw: &Section,
    code: &CodeSection,
    own: Option<usize>,
    columns: &Columns,
    room: &mut Room,
    out: &mut String,
) {
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
        // Of several symbols for one place the last of the table comes first.
        let mut is_named = address != 0;
        while let Some(function) = functions.next_if(|function| function.start <= address) {
            if !is_named && own.is_some_and(|own| own > function.index) {
                line!(out, "{}:", code.name);
                is_named = true;
            }
            self::function(code, function, out);
        }
        if !is_named {
            line!(out, "{}:", code.name);
        }
        if let Some(instruction) = instruction {
            columns.write(instruction, room, out);
        }
    }
}

/// The symbols that stand for sections, by section; the last of several.
fn section_symbols(cubin: &Cubin) -> HashMap<usize, usize> {
    let (_, symbols) = cubin.symbols();
    let of_sections = symbols.iter().enumerate();
    of_sections
        .filter(|(_, symbol)| symbol.kind() == elf::STT_SECTION)
        .map(|(index, symbol)| (usize::from(symbol.section), index))
        .collect()
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
    let next = code.functions.partition_point(|other| other.start < end);
    let next = code.functions.get(next).filter(|next| next.start == end);
    let label = code.labels.partition_point(|(place, _)| *place < end);
    let label = code.labels.get(label).filter(|(place, _)| *place == end);
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

/// Kinds of symbols that only machine code for GPUs has.
const STT_CUDA: [(u8, &str); 4] = [
    (10, "STT_CUDA_TEXTURE"),
    (11, "STT_CUDA_SAMPLER"),
    (12, "STT_CUDA_SURFACE"),
    (13, "STT_CUDA_OBJECT"),
];

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
            elf::STT_FUNC => "@function".to_owned(),
            elf::STT_OBJECT => "@object".to_owned(),
            other => match STT_CUDA.iter().find(|(kind, _)| *kind == other) {
                Some((_, name)) => format!("@\"{name}\""),
                None => "@notype".to_owned(),
            },
        };
        line!(out, "\t.type\t\t{name},{kind}");
        if symbol.other != 0 {
            let words = symbol.other_words().join(" ");
            line!(out, "\t.other\t\t{name},@\"{words}\"");
        }
        if symbol.size != 0 {
            line!(out, "\t.size\t\t{name},{:#x}", symbol.size);
        }
    }
}
