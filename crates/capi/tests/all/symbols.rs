//! What the shared library exports and how it is found.

use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;

#[test]
fn only_functions_of_the_header_are_exported() {
    let bytes = std::fs::read(crate::programs::built("so")).expect("it was built");
    let file = object::File::parse(&*bytes).expect("a shared library");
    let symbols = file.dynamic_symbols().filter(|one| one.is_definition());
    let exported: BTreeSet<&str> = symbols.map(|one| one.name().expect("a name")).collect();
    let header = crate::header::header();
    let declared: BTreeSet<&str> = header
        .lines()
        .filter_map(|line| {
            let (before, _) = line.strip_suffix(';')?.split_once('(')?;
            before.rsplit([' ', '*']).next()
        })
        .collect();
    assert!(declared.len() > 25, "{declared:?}");
    assert_eq!(exported, declared);
}

#[test]
#[cfg(target_os = "linux")]
fn programs_look_it_up_by_the_version_of_its_abi() {
    let bytes = std::fs::read(crate::programs::built("so")).expect("it was built");
    let name = b"\0libwarpc.so.0\0";
    assert!(bytes.windows(name.len()).any(|window| window == name));
}
