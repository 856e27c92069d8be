//! Cubins that ptxas made, and fatbins that nvcc made.

use std::collections::{BTreeMap, BTreeSet};
use warpc_cubin::{Content, Cubin, Value, fatbin, verify};
use warpc_testkit::{gzip, project};

/// The recorded cubins by name.
fn recorded() -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for path in project::entries(&project::oracle("cubins")) {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("names are ASCII");
        if let Some(stem) = name.strip_suffix(".cubin.gz") {
            all.insert(stem.to_owned(), gzip::read(&path));
        }
    }
    assert!(all.len() >= 14, "only {} cubins", all.len());
    all
}

#[test]
fn every_cubin_comes_back_byte_for_byte_and_is_clean() {
    let mut typed = BTreeSet::new();
    for (name, bytes) in recorded() {
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
    for (name, bytes) in recorded() {
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
