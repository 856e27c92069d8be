//! The rows against the recorded table, `tests/oracle/builtins.tsv`.

use warpc_builtins::{Signature, Source};
use warpc_target::Chips;
use warpc_testkit::{gzip, project};

fn recorded(name: &str) -> String {
    gzip::read_text(project::oracle(name))
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

/// Where the reference names other chips than those that have what the builtin needs: the end of the name, the
/// reference's first chip, and what is true (`docs/deviations.md`).
const OTHER_CHIPS: [(&str, u16, Option<Chips>); 8] = [
    ("_add_gen_f4", 100, Some(Chips::AtLeast(90))),
    ("_xchg_gen_128", 70, Some(Chips::AtLeast(90))),
    ("_cas_gen_128", 70, Some(Chips::AtLeast(90))),
    ("_cas_gen_us", 70, None),
    ("__wgmma_mma_async_f16", 90, Some(Chips::Arch(90))),
    ("__wgmma_mma_async_bf16", 90, Some(Chips::Arch(90))),
    ("__wgmma_mma_async_tf32", 90, Some(Chips::Arch(90))),
    ("__wgmma_mma_async_f8", 90, Some(Chips::Arch(90))),
];

#[test]
fn rows_are_the_recorded_ones() {
    let text = recorded("builtins.tsv");
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
        let other = OTHER_CHIPS.iter().find(|gate| name.ends_with(gate.0));
        let chips = match (other, first_chip.parse().unwrap()) {
            (Some(&(_, recorded, chips)), number) => {
                assert_eq!(number, recorded, "{name}");
                chips
            }
            (None, 0) => None,
            (None, number) => Some(Chips::AtLeast(number)),
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

/// The types of a signature in LLVM IR.
fn in_llvm(signature: &Signature) -> String {
    let params: Vec<&str> = signature.params().iter().map(|p| p.llvm()).collect();
    let dots = if signature.variadic { ", ..." } else { "" };
    format!("{} ({}{dots})", signature.result.llvm(), params.join(", "))
}

/// What the notation of a type is in LLVM IR.
fn word_in_llvm(word: &str) -> String {
    let word = word.trim_start_matches("const ");
    match word {
        _ if word.contains('*') => "ptr".to_owned(),
        "bool" => "i1".to_owned(),
        "f32" => "float".to_owned(),
        "f64" => "double".to_owned(),
        _ => word.replace('u', "i"),
    }
}

/// The same for a function; `None` for the line of a name that is not a function.
fn text_in_llvm(prototype: &str) -> Option<String> {
    if prototype == "-" {
        return None;
    }
    // Callbacks have parentheses of their own; only the outer ones matter.
    let (result, params) = prototype.split_once('(')?;
    let params = params.strip_suffix(')')?;
    let mut words = vec![String::new()];
    let mut depth = 0;
    for c in params.chars() {
        match c {
            ',' if depth == 0 => words.push(String::new()),
            _ => {
                depth += i32::from(c == '(') - i32::from(c == ')');
                words.last_mut()?.push(c);
            }
        }
    }
    let words = words.iter().filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(|word| word_in_llvm(word)).collect();
    Some(format!("{} ({})", word_in_llvm(result), words.join(", ")))
}

/// Every prototype of CUDA's front end: ours in LLVM IR, or listed as another.
#[test]
fn types_are_those_of_the_front_end() {
    let text = recorded("builtin_prototypes.tsv");
    let (mut exact, mut same, mut other, mut none) = (0, 0, 0, 0);
    for (line, row) in text.lines().skip(1).zip(warpc_builtins::all()) {
        let (name, prototype) = line.split_once('\t').unwrap();
        assert_eq!(row.name, name);
        let Some(theirs) = text_in_llvm(prototype) else {
            none += 1;
            assert_eq!(row.prototype(), None, "{name}");
            continue;
        };
        match (row.prototype(), row.signature) {
            (Some(listed), ours) => {
                other += 1;
                assert_eq!(listed.to_string(), prototype, "{name}");
                assert_ne!(ours.map(|s| in_llvm(&s)), Some(theirs), "{name}");
            }
            (None, Some(ours)) => {
                exact += u32::from(ours.to_string() == prototype);
                same += 1;
                assert_eq!(in_llvm(&ours), theirs, "{name}");
            }
            (None, None) => panic!("{name}: {prototype}"),
        }
    }
    println!(
        "{same} the same in LLVM IR, {exact} of them exactly; {other} others; {none} no functions"
    );
    assert_eq!((same + other + none, none), (770, 11));
}
