//! Listings of the recorded cubins, beside what nvdisasm prints of them.

use std::collections::{BTreeMap, BTreeSet};
use warpc_cubin::Cubin;
use warpc_sass_text::listing::{attributes, print};
use warpc_testkit::{gzip, project};

/// The recorded cubins by name, each with its listing.
fn recorded() -> BTreeMap<String, (Vec<u8>, String)> {
    let mut all = BTreeMap::new();
    for path in project::entries(&project::oracle("cubins")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(stem) = name.strip_suffix(".cubin.gz") {
            let listing = gzip::read_text(path.with_file_name(format!("{stem}.lst.gz")));
            all.insert(stem.to_owned(), (gzip::read(&path), listing));
        }
    }
    assert!(all.len() >= 14, "only {} cubins", all.len());
    all
}

#[test]
fn listings_are_those_of_nvdisasm() {
    for (name, (bytes, listing)) in recorded() {
        let cubin = Cubin::read(&bytes).expect("it is a cubin");
        let ours = print(&cubin);
        for (number, (ours, theirs)) in ours.lines().zip(listing.lines()).enumerate() {
            assert_eq!(ours, theirs, "{name}, line {}", number + 1);
        }
        assert_eq!(ours.len(), listing.len(), "{name}");
    }
}

#[test]
fn attributes_have_names() {
    let mut seen = BTreeSet::new();
    for (bytes, _) in recorded().into_values() {
        let cubin = Cubin::read(&bytes).expect("it is a cubin");
        let sections = attributes(&cubin).into_iter();
        let records = sections.flat_map(|(_, records)| records);
        seen.extend(records.map(|(name, ..)| name));
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
