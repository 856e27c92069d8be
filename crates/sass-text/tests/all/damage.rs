//! Damaged files: an answer for each, and what can still be read comes back as it was.

use warpc_cubin::attribute::info;
use warpc_cubin::{Cubin, Record, fatbin, kind, verify};
use warpc_diag::codes;
use warpc_sass::{Control, parse};
use warpc_sass_text::listing::{attributes, print};
use warpc_testkit::{Random, gzip, project};

fn sample(name: &str) -> Vec<u8> {
    gzip::read(project::oracle(name))
}

const CUBIN: &str = "cubins/sm_90a.clang_sm_75_control_flow.cubin.gz";

/// Whatever the bytes, nothing panics, and what is read is written back.
fn answer(bytes: &[u8]) {
    if let Ok(cubin) = Cubin::read(bytes) {
        assert!(cubin.write() == bytes);
        verify(&cubin);
        attributes(&cubin);
        print(&cubin);
    }
    if let Ok(entries) = fatbin::read(bytes) {
        for entry in entries {
            let _ = entry.unpacked();
        }
    }
}

#[test]
fn cut_files_are_refused_by_name() {
    let bytes = sample(CUBIN);
    for length in 0..bytes.len() {
        if length < 4096 || length % 61 == 0 {
            answer(&bytes[..length]);
        }
    }
    let fault = Cubin::read(&bytes[..bytes.len() / 2]).expect_err("half a file is not a cubin");
    assert_eq!(fault.code, codes::CUBIN_TRUNCATED);
    let fault = Cubin::read(b"no ELF").expect_err("it is not an ELF");
    assert_eq!(fault.code, codes::NOT_A_CUBIN);
}

#[test]
fn changed_bytes_are_answered() {
    let mut numbers = Random::new(7);
    for name in [CUBIN, "fatbins/size.fatbin", "fatbins/speed.fatbin"] {
        let bytes = sample(name);
        let header = |numbers: &mut Random| numbers.below(64);
        for round in 0..1500 {
            let mut changed = bytes.clone();
            for _ in 0..=numbers.below(4) {
                // Half of the damage goes to the headers at the start and at the end.
                let at = match round % 4 {
                    0 => header(&mut numbers),
                    1 => changed.len() - 1 - numbers.below(changed.len().min(3000)),
                    _ => numbers.below(changed.len()),
                };
                changed[at] = [0, 1, 0x7f, 0x80, 0xff, numbers.below(256) as u8][numbers.below(6)];
            }
            answer(&changed);
        }
    }
}

/// The most memory that this process has had, in bytes; nothing where the system does not say.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let number = line.split_whitespace().nth(1)?.parse::<usize>().ok()?;
    Some(number * 1024)
}

/// Puts a number of bytes at a place.
fn put(bytes: &mut [u8], at: usize, number: u64, size: usize) {
    bytes[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
}

/// A file of so many sections of a kind: the headers stand after `body`, which all sections cover.
fn of_sections(count: u16, kind: u32, flags: u64, body: &[u8]) -> Vec<u8> {
    let mut bytes = sample(CUBIN)[..64].to_vec();
    let table = 64 + body.len();
    bytes.extend(body);
    for _ in 0..count {
        let mut header = [0; 64];
        put(&mut header, 4, u64::from(kind), 4);
        put(&mut header, 8, flags, 8);
        put(&mut header, 24, 64, 8);
        put(&mut header, 32, body.len() as u64, 8);
        bytes.extend(header);
    }
    put(&mut bytes, 32, 0, 8);
    put(&mut bytes, 40, table as u64, 8);
    put(&mut bytes, 56, 0, 2);
    put(&mut bytes, 60, u64::from(count), 2);
    put(&mut bytes, 62, 0, 2);
    bytes
}

/// Small files that ask for much: sections that cover the same bytes, names that share one long text, sizes that are
/// not there, payloads that unpack to more than anyone packs.
#[test]
fn hostile_sizes_take_no_memory() {
    // Sections that all cover the same bytes.
    let shared = of_sections(60_000, 1, 6, &vec![0; 1 << 20]);
    let fault = Cubin::read(&shared).expect_err("it holds too much");
    assert!(fault.message.contains("times the file's length"), "{fault}");
    answer(&shared);
    // Memory without bytes may have any size.
    let empty = of_sections(100, 8, 3, &[]);
    for size in [u64::MAX, 1 << 62, 1 << 40] {
        let mut empty = empty.clone();
        put(&mut empty, 64 + 64 + 32, size, 8);
        answer(&empty);
    }
    // Names of sections that share one text; the first section holds it.
    let mut named = of_sections(40_000, 8, 3, &vec![b'x'; 30_000]);
    let (start, end) = (64 + 30_000, named.len());
    put(&mut named, start + 4, 3, 4);
    named[start - 1] = 0;
    assert!(end > start);
    let fault = Cubin::read(&named).expect_err("its names are too long");
    assert!(fault.message.contains("names"), "{fault}");
    // A relocation of every instruction names the longest symbol.
    let clean = Cubin::read(&sample(CUBIN)).expect("it is a cubin");
    let mut cubin = clean.clone();
    let (table, _) = clean.symbols();
    let strings = clean.sections[table].link as usize;
    let mut text = vec![b'y'; 30_000];
    text.push(0);
    cubin.sections[strings].content = warpc_cubin::Content::Bytes(text);
    if let warpc_cubin::Content::Symbols(symbols) = &mut cubin.sections[table].content {
        symbols.iter_mut().for_each(|symbol| symbol.name = 0);
    }
    let code = clean
        .sections
        .iter()
        .position(warpc_cubin::Section::is_code);
    let code = code.expect("there is code");
    let chip = cubin.chip().expect("a chip");
    let word = parse::word(chip, "MOV R4, 0x0", Control::UNSCHEDULED, 0).expect("an instruction");
    let words = word.to_le_bytes().repeat(1 << 16);
    cubin.sections[code].content = warpc_cubin::Content::Bytes(words);
    let relocation = |index: u64| warpc_cubin::Relocation {
        offset: index * 16,
        kind: 56,
        symbol: 1,
        addend: Some(0),
    };
    let mut relocations = clean.sections[table].clone();
    relocations.kind = 4;
    relocations.info = code as u32;
    relocations.content = warpc_cubin::Content::Relocations((0..65_536).map(relocation).collect());
    cubin.sections.push(relocations);
    cubin.length = 1 << 20;
    let listing = print(&cubin);
    assert!(listing.len() < 1 << 29, "{} bytes", listing.len());
    // Fatbins whose entries claim more than they hold.
    for name in ["fatbins/size.fatbin", "fatbins/speed.fatbin"] {
        let bytes = sample(name);
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight"));
        let (mut at, mut index) = (16, 0);
        while number(at + 40) & 0xa000 == 0 {
            at += (number(at + 4) as u32) as usize + number(at + 8) as usize;
            index += 1;
        }
        for size in [u64::MAX, 1 << 40, 1 << 29] {
            let mut bytes = bytes.clone();
            put(&mut bytes, at + 56, size, 8);
            let entries = fatbin::read(&bytes).expect("its headers are whole");
            let unpacked = entries[index].unpacked().map(|_| ());
            let fault = unpacked.expect_err("it claims too much");
            assert_eq!(fault.code, codes::BAD_FATBIN);
            assert!(fault.message.contains("unpack"), "{fault}");
        }
    }
    let most = peak().unwrap_or(0);
    assert!(most < 1 << 30, "{most} bytes at the peak");
}

/// Blocks of one repeated byte: four bytes of zstd for each 128 KiB.
#[test]
fn bombs_are_refused() {
    let bytes = sample("fatbins/size.fatbin");
    let head_size = u32::from_le_bytes(bytes[20..24].try_into().expect("four bytes")) as usize;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for _ in 0..8192 {
        frame.extend([0x02, 0x00, 0x10, 0]);
    }
    let mut bomb = bytes[..16 + head_size].to_vec();
    bomb.extend(&frame);
    put(&mut bomb, 8, (head_size + frame.len()) as u64, 8);
    put(&mut bomb, 16 + 8, frame.len() as u64, 8);
    put(&mut bomb, 16 + 16, frame.len() as u64, 4);
    for size in [1 << 30, 1 << 20] {
        put(&mut bomb, 16 + 56, size, 8);
        let entries = fatbin::read(&bomb).expect("its headers are whole");
        let unpacked = entries[0].unpacked().map(|_| ());
        let fault = unpacked.expect_err("it unpacks to too much");
        assert_eq!(fault.code, codes::BAD_FATBIN);
    }
}

#[test]
fn files_for_the_host_are_searched() {
    let fatbin = sample("fatbins/default.fatbin");
    // Three sections: the empty one, the names, the fatbin.
    let names = b"\0.nv_fatbin\0";
    let mut host = of_sections(3, 1, 2, &fatbin);
    let at = host.len();
    host.extend(names);
    put(&mut host, 18, 62, 2);
    put(&mut host, 62, 1, 2);
    let headers = 64 + fatbin.len();
    put(&mut host, headers + 64 + 24, at as u64, 8);
    put(&mut host, headers + 64 + 32, names.len() as u64, 8);
    put(&mut host, headers + 128, 1, 4);
    assert!(warpc_cubin::is_host(&host));
    let entries = fatbin::read(&host).expect("the fatbin is found");
    assert_eq!(entries, fatbin::read(&fatbin).expect("it is a fatbin"));
    put(&mut host, headers + 128, 0, 4);
    let fault = fatbin::read(&host).expect_err("there is none of that name");
    assert_eq!(fault.code, codes::BAD_FATBIN);
    for length in 0..host.len().min(512) {
        answer(&host[..length]);
    }
}

#[test]
fn wrong_parts_are_named() {
    let bytes = sample(CUBIN);
    let clean = Cubin::read(&bytes).expect("it is a cubin");
    let faults = |change: &dyn Fn(&mut Cubin)| {
        let mut cubin = clean.clone();
        change(&mut cubin);
        let texts: Vec<String> = verify(&cubin)
            .iter()
            .map(|fault| fault.message.clone())
            .collect();
        texts.join("\n")
    };
    assert_eq!(faults(&|_| {}), "");
    let (symtab, _) = clean.symbols();
    let (info_section, _) = clean.section(".nv.info").expect("every cubin has it");
    assert!(
        faults(&|cubin| cubin.sections[info_section].link = 999).contains("linked to section 999")
    );
    assert!(faults(&|cubin| cubin.sections[symtab].name = 1 << 20).contains("outside the names"));
    assert!(faults(&|cubin| cubin.header.flags = 0xffff_ff00).contains("chip 65535"));
    assert!(faults(&|cubin| cubin.sections[info_section].offset = 64).contains("overlaps"));
    assert!(faults(&|cubin| cubin.segments[0].file_size = u64::MAX).contains("segment 0"));
    let symbol = |change: fn(&mut warpc_cubin::Symbol)| {
        faults(&|cubin| {
            if let warpc_cubin::Content::Symbols(symbols) = &mut cubin.sections[symtab].content {
                let last = symbols.iter_mut().rfind(|symbol| symbol.kind() == 2);
                change(last.expect("there is a function"));
            }
        })
    };
    assert!(symbol(|symbol| symbol.section = 500).contains("section 500"));
    assert!(symbol(|symbol| symbol.size = 1 << 30).contains("outside its section"));
    assert!(symbol(|symbol| symbol.name = u32::MAX).contains("outside the strings"));
    let record = faults(&|cubin| {
        if let warpc_cubin::Content::Info(records) = &mut cubin.sections[info_section].content {
            records[0].bytes[0] = 0xee;
        }
    });
    assert!(
        record.contains("EIATTR_REGCOUNT names symbol 238"),
        "{record}"
    );
    let in_kernel = |change: fn(&mut Vec<Record>)| {
        faults(&|cubin| {
            let is_info = |section: &&mut warpc_cubin::Section| section.kind == kind::INFO;
            let last = cubin.sections.iter_mut().rfind(is_info);
            let last = last.expect("the kernel has attributes");
            if let warpc_cubin::Content::Info(records) = &mut last.content {
                change(records);
            }
        })
    };
    let find = |records: &mut Vec<Record>, attribute: u8| {
        let is = |record: &Record| record.attribute == attribute;
        records.iter().position(is).expect("the kernel has it")
    };
    assert_eq!(in_kernel(|_| {}), "");
    let places = in_kernel(|records| records.push(Record::words(info::EXIT_INSTR_OFFSETS, &[8])));
    assert!(places.contains("which is not there"), "{places}");
    let after = [0x7fff_fff0];
    let places = faults(&|cubin| {
        let kernel = cubin
            .sections
            .iter_mut()
            .find(|one| one.kind == kind::INFO && one.info > 0);
        if let warpc_cubin::Content::Info(records) = &mut kernel.expect("a kernel").content {
            records.push(Record::words(info::EXIT_INSTR_OFFSETS, &after));
        }
    });
    assert!(places.contains("which is not there"), "{places}");
    let kernel = |change: &dyn Fn(&mut Vec<Record>)| {
        faults(&|cubin| {
            let has = |section: &&mut warpc_cubin::Section| match &section.content {
                warpc_cubin::Content::Info(records) => {
                    records.iter().any(|one| one.attribute == info::KPARAM_INFO)
                }
                _ => false,
            };
            let section = cubin.sections.iter_mut().find(has).expect("a kernel");
            if let warpc_cubin::Content::Info(records) = &mut section.content {
                change(records);
            }
        })
    };
    let twice = kernel(&|records| {
        let first = find(records, info::KPARAM_INFO);
        records.push(records[first].clone());
    });
    assert!(twice.contains("overlap at"), "{twice}");
    let nowhere = kernel(&|records| {
        let place = find(records, info::PARAM_CBANK);
        records.remove(place);
    });
    assert!(nowhere.contains("no EIATTR_PARAM_CBANK"), "{nowhere}");
    let small = kernel(&|records| {
        let size = find(records, info::CBANK_PARAM_SIZE);
        records[size] = Record::half(info::CBANK_PARAM_SIZE, 1);
    });
    assert!(small.contains("EIATTR_CBANK_PARAM_SIZE is 0x1"), "{small}");
    let many = kernel(&|records| records.push(Record::half(info::MAXREG_COUNT, 999)));
    assert!(many.contains("allows 999 registers"), "{many}");
    let none = kernel(&|records| records.clear());
    assert!(none.contains("has no attributes"), "{none}");
    let registers = faults(&|cubin| {
        if let warpc_cubin::Content::Info(records) = &mut cubin.sections[info_section].content {
            records.retain(|record| record.attribute != info::REGCOUNT);
            records.push(Record::words(info::REGCOUNT, &[1, 300]));
        }
    });
    assert!(registers.contains("no EIATTR_REGCOUNT"), "{registers}");
    assert!(registers.contains("300 registers"), "{registers}");
    assert!(faults(&|cubin| cubin.header.abi_version = 3).contains("does not go with"));
}
