//! Cubins that ptxas made, and fatbins that nvcc made, recorded with what nvdisasm prints of them.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use warpc_cubin::listing::{Ask, Disassembler, attributes, print};
use warpc_cubin::{Content, Cubin, Value, fatbin, verify};
use warpc_testkit::{gzip, project};

/// The recorded cubins by name, each with its listing.
fn recorded() -> BTreeMap<String, (Vec<u8>, String)> {
    let mut all = BTreeMap::new();
    for path in project::entries(&project::oracle("cubins")) {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("names are ASCII");
        if let Some(stem) = name.strip_suffix(".cubin.gz") {
            let listing = gzip::read_text(path.with_file_name(format!("{stem}.lst.gz")));
            all.insert(stem.to_owned(), (gzip::read(&path), listing));
        }
    }
    assert!(all.len() >= 14, "only {} cubins", all.len());
    all
}

#[test]
fn every_cubin_comes_back_byte_for_byte_and_is_clean() {
    let mut typed = BTreeSet::new();
    for (name, (bytes, _)) in recorded() {
        let cubin = Cubin::read(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert!(cubin.write() == bytes, "{name} does not come back");
        assert_eq!(verify(&cubin), [], "{name}");
        let chip = name.split('.').next().expect("split gives one part");
        assert_eq!(
            cubin.chip().map(|chip| chip.to_string()).as_deref(),
            Some(chip),
            "{name}"
        );
        for section in &cubin.sections {
            typed.insert(match section.content {
                Content::Zeros(_) => "zeros",
                Content::Bytes(_) => "bytes",
                Content::Symbols(_) => "symbols",
                Content::Relocations(_) => "relocations",
                Content::Info(_) => "info",
                Content::CallGraph(_) => "call graph",
            });
        }
    }
    assert_eq!(typed.len(), 6, "{typed:?}");
}

#[test]
fn known_attributes_have_typed_values() {
    let mut seen = BTreeSet::new();
    for (name, (bytes, _)) in recorded() {
        let cubin = Cubin::read(&bytes).expect("it is a cubin");
        for section in cubin
            .sections
            .iter()
            .filter(|section| section.kind == warpc_cubin::kind::INFO)
        {
            let Content::Info(records) = &section.content else {
                panic!("{name}: attributes stayed bytes");
            };
            for record in records {
                let raw = matches!(record.value(), Value::Raw(_));
                match record.row() {
                    Some(row) => assert!(!raw, "{name}: {}", row.name),
                    // Numbers that the tools of toolkit 13 do not name either.
                    None => assert!([0x35, 0x5f].contains(&record.attribute), "{name}"),
                }
            }
        }
        seen.extend(
            attributes(&cubin)
                .into_iter()
                .flat_map(|(_, records)| records)
                .map(|(name, ..)| name),
        );
    }
    for name in [
        "EIATTR_KPARAM_INFO",
        "EIATTR_REGCOUNT",
        "EIATTR_MBARRIER_INSTR_OFFSETS",
        "EIATTR_INDIRECT_BRANCH_TARGETS",
        "EIATTR_EXTERNS",
        "EICOMPAT_ATTR_ISA_CLASS",
    ] {
        assert!(seen.contains(name), "{name} in {seen:?}");
    }
}

/// Texts of instructions from a recorded listing, in order; one that names a place is cut there.
struct Texts {
    texts: Vec<(String, Rest)>,
    next: Cell<usize>,
}

/// What follows the start of a text.
enum Rest {
    Nothing,
    /// A place, and what stands after its name.
    Place(u64, String),
    /// How far the start of the section is from the next instruction, which the listing shows in its own way.
    Distance,
}

fn address(line: &str) -> Option<u64> {
    let (number, _) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    u64::from_str_radix(number, 16).ok()
}

impl Texts {
    fn of(listing: &str) -> Texts {
        let mut texts = Vec::new();
        for section in listing.split("\n//--------------------- .text").skip(1) {
            let mut places: HashMap<&str, u64> = HashMap::new();
            let mut waiting = Vec::new();
            let mut end = 0;
            for line in section.lines() {
                if let Some(address) = address(line) {
                    end = address + 16;
                    places.extend(waiting.drain(..).map(|name| (name, address)));
                } else if let Some(name) = line.strip_suffix(':') {
                    waiting.push(name);
                }
            }
            places.extend(waiting.drain(..).map(|name| (name, end)));
            for line in section.lines().filter(|line| address(line).is_some()) {
                let text = line
                    .split_once("*/")
                    .map_or("", |(_, text)| text)
                    .trim_start();
                let text = text.trim_end_matches(';');
                let text = text.strip_suffix(' ').unwrap_or(text);
                let text = match text.split_once("(*") {
                    Some((text, _)) => text.trim_end(),
                    None => text,
                };
                // A branch through a table counts from the start of the section.
                if let Some((before, _)) = text.split_once("`(((.text.") {
                    texts.push((before.to_owned(), Rest::Distance));
                    continue;
                }
                let named = text.split_once("`(").and_then(|(before, rest)| {
                    let (name, behind) = rest.split_once(')')?;
                    Some((before.to_owned(), (*places.get(name)?, behind.to_owned())))
                });
                texts.push(match named {
                    Some((before, (place, after))) => (before, Rest::Place(place, after)),
                    None => (text.to_owned(), Rest::Nothing),
                });
            }
        }
        Texts {
            texts,
            next: Cell::new(0),
        }
    }
}

impl Disassembler for Texts {
    fn text(&self, _word: u128, address: u64, ask: &mut Ask<'_>) -> Option<String> {
        let at = self.next.replace(self.next.get() + 1);
        let (before, rest) = self.texts.get(at)?;
        Some(match rest {
            Rest::Place(place, after) => format!("{before}{}{after}", ask(*place)),
            Rest::Distance => format!("{before}-{:#x}", address + 16),
            Rest::Nothing => before.clone(),
        })
    }
}

/// The frame of the listing: all but the texts of instructions, which the recorded listing gives.
#[test]
fn listings_are_those_of_nvdisasm() {
    for (name, (bytes, listing)) in recorded() {
        let cubin = Cubin::read(&bytes).expect("it is a cubin");
        let ours = print(&cubin, &Texts::of(&listing));
        for (number, (ours, theirs)) in ours.lines().zip(listing.lines()).enumerate() {
            assert_eq!(ours, theirs, "{name}, line {}", number + 1);
        }
        assert_eq!(ours.len(), listing.len(), "{name}");
    }
}

#[test]
fn fatbins_are_unpacked_whatever_their_compression() {
    let read = |name: &str| gzip::read(project::oracle("fatbins").join(name));
    let plain = read("none.fatbin");
    let plain = fatbin::read(&plain).expect("it is a fatbin");
    assert_eq!(plain.len(), 2);
    let cubin = plain[0].unpacked().expect("it is whole");
    assert!(Cubin::read(&cubin).is_ok());
    let ptx = plain[1].unpacked().expect("it is whole");
    assert!(ptx.windows(8).any(|part| part == b".version"));
    let mut compressions = BTreeSet::new();
    for name in ["size.fatbin", "speed.fatbin"] {
        let bytes = read(name);
        let entries = fatbin::read(&bytes).expect("it is a fatbin");
        assert_eq!(entries.len(), 2);
        compressions.extend(
            entries
                .iter()
                .map(|entry| format!("{:?}", entry.compression)),
        );
        assert_eq!(entries[0].unpacked().as_deref(), Ok(&cubin[..]), "{name}");
        assert_eq!(entries[1].unpacked().as_deref(), Ok(&ptx[..]), "{name}");
    }
    assert!(compressions.contains("Zstd"), "{compressions:?}");
    assert!(compressions.contains("Lz4"), "{compressions:?}");
    let bytes = read("default.fatbin");
    let names: Vec<_> = fatbin::read(&bytes)
        .expect("it is a fatbin")
        .iter()
        .map(fatbin::Entry::file_name)
        .collect();
    assert_eq!(
        names,
        ["sm_75.cubin", "sm_90.cubin", "sm_90.ptx", "sm_90a.cubin"]
    );
}
