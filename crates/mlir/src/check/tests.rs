//! Every operation of the table, every attribute it has, every enumerator: the word and the number mean the same; an
//! attribute that it does not have is an error.

use super::*;
use crate::parse::{Parsed, parse};
use crate::table::attribute::Kind;
use crate::table::rows;
use crate::translate::translate;
use crate::tree::Attrs;
use std::collections::{BTreeMap, BTreeSet};

/// An operation with some attributes and nothing else.
fn bare<'a>(name: &'static str, attrs: Vec<Entry<'a>>) -> Op<'a> {
    Op {
        name,
        pos: 7,
        results: Vec::new(),
        result_types: Vec::new(),
        operands: Vec::new(),
        attrs: Attrs(attrs),
        successors: Vec::new(),
        regions: Vec::new(),
    }
}

fn entry<'a>(name: &str, value: Attr<'a>) -> Entry<'a> {
    Entry {
        name: name.into(),
        value,
        span: Some(Span::new(100, 104)),
    }
}

/// What is said about an operation with one attribute, and what is left of it.
fn one<'a>(row: &Row, name: &str, value: Attr<'a>) -> (Vec<String>, Option<Attr<'a>>) {
    let mut ops = [bare(row.name, vec![entry(name, value)])];
    let mut diagnostics = Diagnostics::new();
    check(&mut ops, &mut diagnostics);
    let said = diagnostics.as_slice().iter();
    let said = said.map(|found| {
        assert_eq!(found.span, Span::new(100, 104), "{}", found.message);
        found.message.clone()
    });
    let [op] = ops;
    (
        said.collect(),
        op.attrs.0.into_iter().next().map(|entry| entry.value),
    )
}

/// The ways to write an enumerator: its word bare and in its dialect's forms, and its number where it is known.
fn codings(words: &Enumeration, one: crate::table::enumeration::Enumerator) -> Vec<Attr<'static>> {
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let mut all = vec![
        Attr::Word(one.spelling),
        Attr::Dialect("", one.spelling),
        Attr::Dialect(leak(format!("nvvm.{}", words.name)), one.spelling),
        Attr::Dialect("nvvm", leak(format!("{} {}", words.name, one.spelling))),
        Attr::Dialect("nvvm", leak(format!("{}<{}>", words.name, one.spelling))),
        Attr::String(one.spelling.as_bytes().into()),
    ];
    for bits in [8, 32, 64] {
        all.extend(
            one.number
                .map(|number| Attr::Int(number, Some(Type::Int(bits)))),
        );
    }
    all
}

#[test]
fn words_and_numbers_are_the_same() {
    let (mut count, mut attributes) = (0, 0);
    for row in rows() {
        for attribute in row.attributes() {
            let Kind::Word(words) = attribute.kind else {
                continue;
            };
            attributes += 1;
            for name in attribute.names.split('/') {
                for enumerator in words.enumerators() {
                    for coding in codings(words, enumerator) {
                        let (said, left) = one(row, name, coding.clone());
                        let right = match left {
                            Some(Attr::Word(word)) => !words.bits && word == enumerator.word,
                            Some(Attr::Int(bits, None)) => {
                                words.bits && Some(bits) == enumerator.number
                            }
                            _ => false,
                        };
                        assert!(
                            right && said.is_empty(),
                            "{} {name} {coding:?}: {said:?}",
                            row.name
                        );
                        count += 1;
                    }
                }
                let largest = words.enumerators().filter_map(|one| one.number).max();
                for wrong in [largest.unwrap_or(0) * 2 + 1, -1000, i128::MAX] {
                    if words.bits && wrong > 0 && wrong <= largest.unwrap_or(0) * 2 + 1 {
                        continue;
                    }
                    let (said, left) = one(row, name, Attr::Int(wrong, Some(Type::Int(32))));
                    assert!(
                        left.is_none() && said.len() == 1,
                        "{} {name} {wrong}",
                        row.name
                    );
                    assert!(said[0].contains(&format!("`{name}`")), "{said:?}");
                }
                for wrong in [
                    Attr::Word("no_such_word"),
                    Attr::Dialect("nvvm.no_such_kind", "no_such_word"),
                    Attr::Unit,
                    Attr::Bool(true),
                    Attr::Array(Vec::new()),
                ] {
                    let (said, left) = one(row, name, wrong);
                    assert!(left.is_none() && said.len() == 1, "{} {name}", row.name);
                }
            }
        }
    }
    assert!(
        attributes > 200 && count > 8000,
        "{attributes} attributes, {count} codings"
    );
}

#[test]
fn unknown_attributes_are_errors_everywhere() {
    for row in rows() {
        for name in [
            "no_such",
            "kindd",
            "llvm.no_such",
            "nvvm.no_such",
            "rocdl.kernel",
            "",
        ] {
            let (said, left) = one(row, name, Attr::Unit);
            let wanted = format!("`{}`: there is no attribute `{name}`", row.name);
            assert!(
                left.is_none() && said == [wanted],
                "{} {name}: {said:?}",
                row.name
            );
        }
        // Other dialects speak to others.
        for name in ["gpu.known_block_size", "tt.divisibility", "llvm.mmra"] {
            let (said, left) = one(row, name, Attr::Unit);
            assert!(
                left.is_none() && said.is_empty(),
                "{} {name}: {said:?}",
                row.name
            );
        }
        for attribute in row.attributes() {
            let name = attribute.name();
            let twice = vec![entry(name, Attr::Unit), entry(name, Attr::Unit)];
            let mut diagnostics = Diagnostics::new();
            check(&mut [bare(row.name, twice)], &mut diagnostics);
            let said = diagnostics.as_slice().iter();
            let said = said.filter(|found| found.message.contains("is there twice"));
            assert_eq!(said.count(), 1, "{} {name}", row.name);
        }
    }
}

#[test]
fn flags_and_numbers_are_that() {
    for row in rows() {
        for attribute in row.attributes() {
            let wrong = match attribute.kind {
                Kind::Flag => Attr::Int(2, Some(Type::Int(32))),
                Kind::Number => Attr::Bool(true),
                Kind::Numbers | Kind::Text | Kind::Type | Kind::Symbol | Kind::List => Attr::Unit,
                Kind::Empty => Attr::Array(vec![Attr::Unit]),
                Kind::Refused => Attr::Unit,
                Kind::Any | Kind::Advice | Kind::Word(_) => continue,
            };
            let (said, left) = one(row, attribute.name(), wrong);
            assert!(
                left.is_none() && said.len() == 1,
                "{} {}",
                row.name,
                attribute.name()
            );
        }
    }
}

/// Calls a function with every operation of a module, inner ones included, in the order of the text.
fn each<'x, 'a>(ops: &'x mut [Op<'a>], see: &mut dyn FnMut(&'x mut Op<'a>)) {
    for op in ops {
        // Only a module is looked into: everything else has no attributes inside.
        if op.regions.is_empty() {
            see(op);
            continue;
        }
        for block in op.regions.iter_mut().flat_map(|region| &mut region.blocks) {
            each(&mut block.ops, see);
        }
    }
}

/// The LLVM IR of a module in which one attribute of one operation has another value, or the first message.
fn changed(text: &str, index: usize, name: &str, value: Attr<'static>) -> Result<String, String> {
    let Parsed {
        mut ops,
        structs,
        mut diagnostics,
    } = parse(text);
    let mut at = 0;
    each(&mut ops, &mut |op| {
        if at == index {
            op.attrs.0.retain(|entry| *entry.name != *name);
            op.attrs.push(name, value.clone());
        }
        at += 1;
    });
    check(&mut ops, &mut diagnostics);
    let first = |found: &Diagnostics| found.as_slice().first().map(|found| found.message.clone());
    if let Some(message) = first(&diagnostics) {
        return Err(message);
    }
    let translated = translate(&ops, &structs);
    match first(&translated.diagnostics) {
        Some(message) => Err(message),
        None => Ok(translated.text),
    }
}

#[test]
fn words_and_numbers_become_the_same_llvm_ir() {
    let root = warpc_testkit::project::tests().join("mlir");
    let (mut seen, mut differ) = (BTreeMap::new(), BTreeSet::new());
    let mut compiled = 0;
    for folder in ["ops", "kernels"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder is there");
        let mut files: Vec<_> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(file).expect("the file is there");
            let mut places = Vec::new();
            let mut at = 0;
            each(&mut parse(&text).ops, &mut |op| {
                places.push((at, op.name.to_owned()));
                at += 1;
            });
            for (index, name) in places {
                let Some(row) = row_of(&name) else {
                    continue;
                };
                for attribute in row.attributes() {
                    let Kind::Word(words) = attribute.kind else {
                        continue;
                    };
                    // One sample of each is enough.
                    let samples = seen.entry((name.clone(), attribute.name())).or_insert(0);
                    *samples += 1;
                    if *samples > 1 {
                        continue;
                    }
                    let mut results = BTreeSet::new();
                    for one in words.enumerators() {
                        let Some(number) = one.number else {
                            continue;
                        };
                        let by_word =
                            changed(&text, index, attribute.name(), Attr::Word(one.spelling));
                        let number = Attr::Int(number, Some(Type::Int(32)));
                        let by_number = changed(&text, index, attribute.name(), number);
                        assert_eq!(
                            by_word,
                            by_number,
                            "{name} {} {}",
                            attribute.name(),
                            one.word
                        );
                        compiled += usize::from(by_word.is_ok());
                        results.insert(by_word);
                    }
                    if results.len() > 1 {
                        differ.insert((name.clone(), attribute.name()));
                    }
                }
            }
        }
    }
    println!("{compiled} compiled, {} attributes differ", differ.len());
    assert!(
        compiled > 450 && differ.len() > 90,
        "{compiled} {}",
        differ.len()
    );
}
