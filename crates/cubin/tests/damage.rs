//! Damaged files: an answer for each, and what can still be read comes back as it was.

use flate2::read::GzDecoder;
use std::io::Read;
use std::path::Path;
use warpc_cubin::listing::{Ask, Disassembler, attributes, print};
use warpc_cubin::{Cubin, fatbin, verify};
use warpc_diag::codes;

struct Words;

impl Disassembler for Words {
    fn text(&self, word: u128, _address: u64, ask: &mut Ask<'_>) -> Option<String> {
        Some(format!("X {}", ask(word as u64 & 0xfff0)))
    }
}

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle");
    let bytes = std::fs::read(folder.join(name)).expect("it is part of the project");
    if !name.ends_with(".gz") {
        return bytes;
    }
    let mut out = Vec::new();
    GzDecoder::new(&bytes[..])
        .read_to_end(&mut out)
        .expect("it is whole");
    out
}

const CUBIN: &str = "cubins/sm_90a.clang_sm_75_control_flow.cubin.gz";

/// Whatever the bytes, nothing panics, and what is read is written back.
fn answer(bytes: &[u8]) {
    if let Ok(cubin) = Cubin::read(bytes) {
        assert!(cubin.write() == bytes);
        verify(&cubin);
        attributes(&cubin);
        print(&cubin, &Words);
    }
    if let Ok(entries) = fatbin::read(bytes) {
        for entry in entries {
            let _ = entry.unpacked();
        }
    }
}

/// A small generator of numbers: the same damage in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
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
    let fault = Cubin::read(&bytes[..bytes.len() / 2]).expect_err("half a file is no cubin");
    assert_eq!(fault.code, codes::CUBIN_TRUNCATED);
    let fault = Cubin::read(b"no ELF").expect_err("it is no ELF");
    assert_eq!(fault.code, codes::NOT_A_CUBIN);
}

#[test]
fn changed_bytes_are_answered() {
    let mut numbers = Numbers(7);
    for name in [CUBIN, "fatbins/size.fatbin", "fatbins/speed.fatbin"] {
        let bytes = sample(name);
        let header = |numbers: &mut Numbers| numbers.below(64);
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
    let (info, _) = clean.section(".nv.info").expect("every cubin has it");
    assert!(faults(&|cubin| cubin.sections[info].link = 999).contains("linked to section 999"));
    assert!(faults(&|cubin| cubin.sections[symtab].name = 1 << 20).contains("outside the names"));
    assert!(faults(&|cubin| cubin.header.flags = 0xffff_ff00).contains("chip 65535"));
    assert!(faults(&|cubin| cubin.sections[info].offset = 64).contains("overlaps"));
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
        if let warpc_cubin::Content::Info(records) = &mut cubin.sections[info].content {
            records[0].bytes[0] = 0xee;
        }
    });
    assert!(
        record.contains("EIATTR_REGCOUNT names symbol 238"),
        "{record}"
    );
}
