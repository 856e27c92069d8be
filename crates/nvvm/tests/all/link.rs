//! The linker against `llvm-link` 22: recorded sets of modules, and real modules where the corpus was made.
//!
//! What is compared is the canonical form of both texts: equal up to naming and order.

mod canonical;
mod real;

use canonical::canonical;
use warpc_diag::SourceFile;
use warpc_nvvm::link::{drop_unused, internalize};
use warpc_nvvm::{LinkOptions, Module, link, print, read_text};
use warpc_testkit::{gzip, project};

/// A set of modules and what `llvm-link` made of it.
struct Set {
    name: String,
    flags: Vec<String>,
    modules: Vec<String>,
    accepted: bool,
    text: String,
}

fn recorded() -> Vec<Set> {
    let text = gzip::read_text(project::oracle("ll_link.gz"));
    let mut rest = text.as_str();
    let mut sets: Vec<Set> = Vec::new();
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        if let Some(head) = line.strip_prefix("==== ") {
            let mut words = head.split_whitespace().map(str::to_string);
            sets.push(Set {
                name: words.next().unwrap_or_default(),
                flags: words.collect(),
                modules: Vec::new(),
                accepted: false,
                text: String::new(),
            });
            continue;
        }
        let Some(head) = line.strip_prefix("---- ") else {
            continue;
        };
        let (kind, len) = head.split_once(' ').unwrap();
        let (body, after) = rest.split_at(len.parse().unwrap());
        rest = after;
        let set = sets.last_mut().unwrap();
        match kind {
            "input" => set.modules.push(body.to_string()),
            _ => (set.accepted, set.text) = (kind == "accept", body.to_string()),
        }
    }
    sets
}

fn read(name: &str, text: impl Into<Vec<u8>>) -> Result<Module, String> {
    let file = SourceFile::new(name, text).ok_or("too large")?;
    let read = read_text(&file);
    match read.diagnostics.as_slice().first() {
        Some(first) if read.diagnostics.has_errors() => Err(format!("{name}: {}", first.message)),
        _ => Ok(read.value.unwrap()),
    }
}

/// Our linked text, or the first message.
fn linked(modules: Vec<Module>, flags: &[String]) -> Result<String, String> {
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    let options = LinkOptions {
        only_needed: has("--only-needed"),
        internalize_added: has("--internalize"),
    };
    let linked = link(modules, options);
    match linked.has_errors() {
        true => Err(linked.messages[0].text.clone()),
        false => Ok(print(&linked.module)),
    }
}

/// What differs, line by line.
fn difference(ours: &str, theirs: &str) -> Option<String> {
    let (ours, theirs) = (canonical(ours), canonical(theirs));
    if ours == theirs {
        return None;
    }
    let at = ours.iter().zip(&theirs).position(|(a, b)| a != b);
    let at = at.unwrap_or(ours.len().min(theirs.len()));
    let show = |lines: &[String]| {
        lines
            .get(at)
            .map_or("(nothing)".into(), |line| line.clone())
    };
    let (ours, theirs) = (show(&ours), show(&theirs));
    // Long items are bodies: the line that differs says more.
    let line = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b);
    let (a, b) = line.unwrap_or((&ours, &theirs));
    Some(format!("ours: {a}\n  llvm-link: {b}"))
}

#[test]
fn recorded_sets_link_as_llvm_link_does() {
    let sets = recorded();
    assert!(sets.len() >= 60, "{} sets", sets.len());
    let mut wrong = Vec::new();
    for set in &sets {
        let modules: Result<Vec<Module>, String> = set
            .modules
            .iter()
            .map(|text| read(&set.name, text.as_str()))
            .collect();
        let ours = modules.and_then(|modules| linked(modules, &set.flags));
        let complaint = match (&ours, set.accepted) {
            (Ok(ours), true) => difference(ours, &set.text),
            (Err(message), true) => Some(format!("refused: {message}")),
            (Ok(_), false) => Some(format!("llvm-link refuses: {}", set.text)),
            (Err(_), false) => None,
        };
        wrong.extend(complaint.map(|text| format!("{}: {text}", set.name)));
    }
    assert!(
        wrong.is_empty(),
        "{} of {} sets differ:\n{}",
        wrong.len(),
        sets.len(),
        wrong.join("\n")
    );
}

/// As `opt-22 -passes=internalize` (and `globaldce` for `dropped.ll`) with the same names kept.
/// llvm-link refuses this pair, too: "linked module is broken!".
#[test]
fn a_linked_module_is_verified() {
    let a =
        "declare void @f(ptr)\ndefine void @g(ptr %p) {\n  call void @f(ptr %p)\n  ret void\n}\n";
    let b = "define void @f(ptr swifterror %e) {\n  ret void\n}\n";
    let modules = [a, b].map(|text| read("x.ll", text).unwrap());
    let linked = link(modules.into(), LinkOptions::default());
    assert!(!linked.has_errors());
    let (file, found) = linked.verify().unwrap_err();
    let line = file.position(found.as_slice()[0].span.start).line;
    let text = String::from_utf8_lossy(file.bytes()).into_owned();
    assert_eq!(text.lines().nth(line - 1), Some("  call void @f(ptr %p)"));
    let fine = link(vec![read("x.ll", b).unwrap()], LinkOptions::default());
    assert!(fine.verify().is_ok());
}

#[test]
fn internalizing_and_dropping_do_as_opt_does() {
    let module = read("module.ll", include_str!("link/internalize/module.ll")).unwrap();
    let keeping = |kept: &'static [&'static [u8]]| {
        let mut module = module.clone();
        internalize(&mut module, |name| kept.contains(&name));
        module
    };
    let check = |module: &Module, expected: &str| {
        assert_eq!(canonical(&print(module)), canonical(expected));
    };
    let mut internal = keeping(&[b"api", b"kept"]);
    check(&internal, include_str!("link/internalize/internal.ll"));
    assert_eq!(drop_unused(&mut internal), 6);
    check(&internal, include_str!("link/internalize/dropped.ll"));
    let comdat = keeping(&[b"api", b"kept", b"g"]);
    check(&comdat, include_str!("link/internalize/comdat.ll"));
}

/// The canonical form tells modules apart that differ and takes for equal those that do not.
#[test]
fn the_form_depends_on_neither_names_nor_order() {
    let a = "@x = global ptr @i\n@i = internal global i32 1\n!n = !{!1}\n!0 = !{}\n!1 = !{!0}\n";
    let b = "@j = internal global i32 1\n@x = global ptr @j\n!n = !{!0}\n!0 = !{!1}\n!1 = !{}\n";
    assert_eq!(canonical(a), canonical(b));
    for (from, to) in [
        ("i32 1", "i32 2"),
        ("!{}", "!{null}"),
        ("@x", "@y"),
        ("internal", "private"),
    ] {
        assert_ne!(canonical(a), canonical(&b.replace(from, to)), "{from}");
    }
}

/// Chains of structs that differ at their ends only, written from either end: what does not fit is found once.
#[test]
fn deep_structs_that_do_not_fit_are_compared_once() {
    const DEPTH: usize = 50_000;
    let module = |end: &str, inner_first: bool, function: &str| {
        let mut lines: Vec<String> = (1..DEPTH)
            .map(|level| format!("%t{level} = type {{ [1 x %t{}] }}\n", level - 1))
            .collect();
        lines.insert(0, format!("%t0 = type {{ {end} }}\n"));
        if !inner_first {
            lines.reverse();
        }
        let last = DEPTH - 1;
        let body = format!(
            "define ptr @{function}(ptr %p) {{\n  %q = getelementptr %t{last}, ptr %p, i64 1\n  ret ptr %q\n}}\n"
        );
        read("deep.ll", lines.concat() + &body).expect("the module is valid")
    };
    let start = std::time::Instant::now();
    for inner_first in [true, false] {
        let modules = vec![
            module("i32", inner_first, "f"),
            module("i64", inner_first, "g"),
        ];
        let text = linked(modules, &[]).expect("the modules link");
        let structs = text
            .lines()
            .filter(|line| line.contains("= type {"))
            .count();
        assert_eq!(structs, 2 * DEPTH, "written inner first: {inner_first}");
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
