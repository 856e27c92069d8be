//! The rows against the recorded table, `tests/oracle/builtins.tsv`.

use std::path::Path;
use warpc_builtins::Source;
use warpc_target::Chips;

fn recorded() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/builtins.tsv");
    std::fs::read_to_string(path).expect("the table is in the repository")
}

fn source(word: &str) -> Source {
    match word {
        "seed" => Source::Reference,
        "header" => Source::Headers,
        "clang" => Source::Clang,
        "inferred" => Source::Inferred,
        "unknown" => Source::Unknown,
        _ => Source::Page(Box::leak(word.replace("page:", "").into_boxed_str())),
    }
}

#[test]
fn rows_are_the_recorded_ones() {
    let text = recorded();
    let mut rows = warpc_builtins::all().iter();
    for line in text.lines().skip(1) {
        let [id, name, category, first_chip, signature, from] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{line}");
        };
        let row = rows.next().expect("as many rows as are recorded");
        assert_eq!(row.id.to_string(), id);
        assert_eq!(row.name, name);
        assert_eq!(row.category.slug(), category, "{name}");
        let chips = match first_chip.parse().unwrap() {
            0 => None,
            number => Some(Chips::AtLeast(number)),
        };
        assert_eq!(row.chips, chips, "{name}");
        let shown = row.signature.map_or(String::new(), |s| s.to_string());
        assert_eq!(shown, signature, "{name}");
        assert_eq!(row.source, source(from), "{name}");
        assert_eq!(row.is_reserved(), name.starts_with("reserved_"), "{name}");
    }
    assert!(rows.next().is_none());
    assert_eq!(text.lines().count(), 771);
}

#[test]
fn chips_open_and_shut() {
    let sm = |name: &str| name.parse().unwrap();
    let exchange = warpc_builtins::by_name("__nv_atomic_exchange_16").unwrap();
    assert!(exchange.is_on(sm("sm_90")) && exchange.is_on(sm("sm_90a")));
    assert!(!exchange.is_on(sm("sm_89")));
    let ceil = warpc_builtins::by_name("__ceilf").unwrap();
    assert!(ceil.is_on(sm("sm_60")));
}
