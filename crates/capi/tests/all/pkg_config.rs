//! `warpc.pc.in`: what `./x capi` fills in and installs.

use std::collections::BTreeMap;
use warpc_testkit::project;

/// The values of a `.pc` file with variables replaced, as pkg-config does it.
fn fields(text: &str) -> BTreeMap<String, String> {
    let (mut variables, mut fields) = (BTreeMap::new(), BTreeMap::new());
    let filled = |value: &str, variables: &BTreeMap<String, String>| {
        let mut value = value.trim().to_owned();
        for (name, text) in variables {
            value = value.replace(&format!("${{{name}}}"), text);
        }
        assert!(!value.contains("${"), "{value}");
        value
    };
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match (line.find('='), line.find(": ")) {
            (Some(at), colon) if colon.is_none_or(|colon| at < colon) => {
                let value = filled(&line[at + 1..], &variables);
                variables.insert(line[..at].to_owned(), value);
            }
            (_, Some(at)) => {
                fields.insert(line[..at].to_owned(), filled(&line[at + 1..], &variables));
            }
            _ => panic!("not a line of a .pc file: {line}"),
        }
    }
    fields
}

#[test]
fn the_template_gives_flags() {
    let template = project::root().join("crates/capi/warpc.pc.in");
    let template = std::fs::read_to_string(template).expect("it is there");
    let filled = template
        .replace("@PREFIX@", "/opt/warpc")
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    assert!(!filled.contains('@'), "{filled}");
    let fields = fields(&filled);
    assert_eq!(fields["Cflags"], "-I/opt/warpc/include");
    assert_eq!(fields["Libs"], "-L/opt/warpc/lib -lwarpc");
    assert_eq!(fields["Version"], env!("CARGO_PKG_VERSION"));
    // The programs of these tests are linked to the static library with the same words.
    assert_eq!(fields["Libs.private"], crate::programs::STATIC.join(" "));
}
