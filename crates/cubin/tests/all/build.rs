//! Cubins from nothing, held against those of ptxas: kernels of ptxas are described, and the builder must make the
//! file of ptxas again, byte for byte, or differ in what is listed here by name.

use std::collections::BTreeMap;
use warpc_cubin::attribute::info;
use warpc_cubin::build::{Kernel, Producer, Program, Space, Variable, build};
use warpc_cubin::{Content, Cubin, Record, Section, Symbol, Value, verify};
use warpc_target::features;
use warpc_testkit::{gzip, project};

/// The recorded cubins by name (`add.sm_90`): each is a line with name and length, then its bytes.
fn recorded() -> BTreeMap<String, Vec<u8>> {
    let bytes = gzip::read(project::oracle("plain_cubins.gz"));
    let mut all = BTreeMap::new();
    let mut rest = &bytes[..];
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let line = std::str::from_utf8(&rest[..end]).expect("names are ASCII");
        let (name, length) = line.split_once(' ').expect("a name and a length");
        let length = length.parse().expect("a number");
        let (file, after) = rest[end + 1..].split_at(length);
        all.insert(name.to_owned(), file.to_vec());
        rest = after;
    }
    all
}

fn bytes<'c>(cubin: &'c Cubin, name: &str) -> Option<&'c [u8]> {
    match &cubin.section(name)?.1.content {
        Content::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn values(cubin: &Cubin, section: &str, attribute: u8) -> Vec<Value> {
    match cubin.section(section).map(|(_, section)| &section.content) {
        Some(Content::Info(records)) => {
            let records = records
                .iter()
                .filter(|record| record.attribute == attribute);
            records.map(|record| record.value()).collect()
        }
        _ => Vec::new(),
    }
}

/// What ptxas says of itself: four texts after the places of five.
fn producer(cubin: &Cubin) -> Producer {
    let note = bytes(cubin, ".note.nv.tkinfo").expect("every file has it");
    let texts = &note[24 + 24..];
    let mut texts = texts.split(|&byte| byte == 0).skip(1);
    let mut next = || String::from_utf8_lossy(texts.next().unwrap_or_default()).into_owned();
    Producer {
        tool: next(),
        version: next(),
        build: next(),
        options: next(),
    }
}

/// The program of the entry of `.debug_frame` whose code's address is relocated with a symbol.
fn unwinding(cubin: &Cubin, symbol: u32) -> Option<Vec<u8>> {
    let relocations = cubin.sections.iter().find_map(|section| {
        let is_it = cubin.section_name(section).ends_with(".debug_frame");
        match &section.content {
            Content::Relocations(all) if is_it => Some(all),
            _ => None,
        }
    })?;
    let at = relocations.iter().find(|one| one.symbol == symbol)?.offset as usize;
    let frames = bytes(cubin, ".debug_frame")?;
    let length = u64::from_le_bytes(frames[at - 16..at - 8].try_into().ok()?) as usize;
    Some(frames[at + 16..at - 8 + length].to_vec())
}

/// A description of what is in a cubin of ptxas.
fn describe(cubin: &Cubin) -> Program {
    let mut program = Program::new(cubin.chip().expect("a chip"));
    program.producer = producer(cubin);
    program.toolkit = 134;
    let (_, symbols) = cubin.symbols();
    let name_of = |symbol: u32| cubin.symbol_name(&symbols[symbol as usize]).into_owned();
    let new = program.target.has(features::CUBINS_OF_HOPPER);
    for value in values(cubin, ".nv.info", info::REGCOUNT) {
        let Value::Function { symbol, number } = value else {
            panic!("{value:?}");
        };
        let name = name_of(symbol);
        let section = format!(".nv.info.{name}");
        let mut kernel = Kernel {
            code: bytes(cubin, &format!(".text.{name}"))
                .expect("code")
                .to_vec(),
            registers: number as u8,
            unwinding: unwinding(cubin, symbol),
            ..Kernel::default()
        };
        for value in values(cubin, ".nv.info", info::FRAME_SIZE) {
            if let Value::Function { symbol: of, number } = value
                && of == symbol
            {
                kernel.frame = number;
            }
        }
        for value in values(cubin, &section, info::KPARAM_INFO) {
            if let Value::Parameter(parameter) = value {
                kernel.parameters.insert(0, parameter);
            }
        }
        for value in values(cubin, &section, info::EXIT_INSTR_OFFSETS) {
            if let Value::Offsets(offsets) = value {
                kernel.exits = offsets;
            }
        }
        if let [Value::Number(barriers)] = values(cubin, &section, info::NUM_BARRIERS)[..] {
            kernel.barriers = barriers as u8;
        }
        if let Some((_, shared)) = cubin.section(&format!(".nv.shared.{name}")) {
            kernel.shared = shared.size() as u32 - if new { 0x400 } else { 0 };
            kernel.shared_align = shared.align as u32;
        }
        kernel.name = name;
        program.kernels.push(kernel);
    }
    for (symbol, space) in symbols
        .iter()
        .filter_map(|symbol| Some((symbol, space(cubin, symbol)?)))
    {
        let name = cubin.section_name(&cubin.sections[usize::from(symbol.section)]);
        let (from, size) = (symbol.value as usize, symbol.size as usize);
        let initial = bytes(cubin, &name).map(|bytes| bytes[from..from + size].to_vec());
        program.variables.push(Variable {
            name: cubin.symbol_name(symbol).into_owned(),
            space,
            align: cubin.sections[usize::from(symbol.section)].align as u32,
            size: size as u32,
            initial,
            references: Vec::new(),
            weak: false,
            managed: false,
            visible: symbol.binding() == 1,
        });
    }
    let addresses = cubin
        .section(".rel.nv.constant4")
        .or(cubin.section(".rela.nv.constant4"));
    if let Some((_, section)) = addresses
        && let Content::Relocations(all) = &section.content
    {
        program.addresses = all.iter().rev().map(|one| name_of(one.symbol)).collect();
    }
    program
}

fn space(cubin: &Cubin, symbol: &Symbol) -> Option<Space> {
    let section = cubin.sections.get(usize::from(symbol.section))?;
    match (symbol.kind(), &*cubin.section_name(section)) {
        (1, ".nv.global" | ".nv.global.init") => Some(Space::Global),
        (1, ".nv.constant3") => Some(Space::Constant),
        _ => None,
    }
}

/// The files of ptxas that the builder makes again byte for byte, once what it does not make is taken out of them:
/// - from sm_100 on, the second form of the code (`.nv.capmerc…`, `.nv.merc…`);
/// - on sm_110, variables in the shared memory that the chip keeps for itself, for a workaround.
///
/// Kernels with shared memory of ptxas for chips from sm_90 on have an empty section of relocations and a symbol
/// without a name besides: what is left of a shared variable. Files with variables from sm_100 on have more names in
/// their tables, those that sections had before ptxas renamed them. Such files are compared part by part.
#[test]
fn kernels_of_ptxas_described_give_the_files_of_ptxas() {
    let (mut equal, mut alike) = (0, 0);
    for (name, theirs) in recorded() {
        let mut cubin = Cubin::read(&theirs).expect("a cubin");
        let ours = build(&describe(&cubin)).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(verify(&ours), [], "{name}");
        let new = cubin.chip_is_in(features::CUBINS_OF_HOPPER);
        let second_form = cubin.chip_is_in(features::CUBINS_OF_BLACKWELL);
        let in_parts = match name.split('.').next() {
            Some("shared") => new,
            Some("global") => second_form,
            _ => name.ends_with("sm_110"),
        };
        if in_parts {
            let different: Vec<String> = differences(&ours, &cubin);
            assert!(different.is_empty(), "{name}: {different:?}");
            alike += 1;
            continue;
        }
        if drop_second_form(&mut cubin) {
            cubin.lay_out();
        }
        let (ours, theirs) = (ours.write(), cubin.write());
        let first = ours.iter().zip(&theirs).position(|(a, b)| a != b);
        assert!(ours == theirs, "{name} differs at {first:x?}");
        equal += 1;
    }
    assert_eq!((equal, alike), (48, 24));
}

/// Takes the second form of the code out of a file, and its names; whether there was one.
fn drop_second_form(cubin: &mut Cubin) -> bool {
    let is_second = |section: &Section| section.flags & 0x1000_0000 != 0;
    let Some(first) = cubin.sections.iter().position(is_second) else {
        return false;
    };
    let end = cubin.sections[first].name as usize;
    cubin.sections.truncate(first);
    let Content::Bytes(names) = &mut cubin.sections[1].content else {
        panic!("names are bytes");
    };
    names.truncate(end);
    true
}

/// What differs besides places in the file and numbers of sections and symbols.
fn differences(ours: &Cubin, theirs: &Cubin) -> Vec<String> {
    let mut out = Vec::new();
    for section in theirs.sections.iter().skip(1) {
        let name = theirs.section_name(section);
        let is_left_out = [".rela.text.", ".nv.merc.", ".nv.capmerc."];
        if is_left_out.iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        let Some((_, mine)) = ours.section(&name) else {
            out.push(format!("there is no {name}"));
            continue;
        };
        let same = (mine.kind, mine.flags, mine.entry_size)
            == (section.kind, section.flags, section.entry_size);
        let content = match &section.content {
            Content::Bytes(bytes) if name.ends_with("strtab") => bytes.is_empty(),
            Content::Info(records) => {
                let numbers = |records: &[Record]| -> Vec<u8> {
                    let numbers = records.iter().map(|record| record.attribute);
                    // The workaround's variables on sm_110 (`EIATTR_RESERVED_SMEM_USED`).
                    numbers.filter(|number| *number != 0x41).collect()
                };
                matches!(&mine.content, Content::Info(mine) if numbers(mine) != numbers(records))
            }
            Content::Symbols(_) | Content::Relocations(_) => false,
            content => mine.content != *content && name != ".nv.shared.reserved.0",
        };
        if !same || content {
            out.push(name.into_owned());
        }
    }
    let access = |cubin: &Cubin| -> Vec<(u32, u32)> {
        cubin
            .segments
            .iter()
            .map(|one| (one.kind, one.flags))
            .collect()
    };
    if access(ours) != access(theirs) {
        out.push("segments".to_owned());
    }
    out
}
