//! `include/warpc.h`, generated from the sources.
//!
//! ```text
//!   src/*.rs, in the order of `SECTIONS` ──► items ──► warpc.h
//! ```
//!
//! The sources are formatted by rustfmt and contain few kinds of public items, so this reads lines, not Rust:
//!
//! | Rust | C |
//! |---|---|
//! | `pub type t = i32;` | `typedef int32_t t;` |
//! | `pub const N: t = 1;` | `#define N 1` |
//! | `pub struct s` without a public field | `typedef struct s s;` |
//! | `pub struct s` with public fields | `typedef struct s { … } s;` |
//! | `pub extern "C" fn f(…) -> t` | `t f(…);` |
//!
//! What it does not know is an error of the test. `./x bless header` writes the file anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use warpc_testkit::project;

/// A public item with its documentation.
struct Item {
    doc: Vec<String>,
    body: Body,
}

enum Body {
    /// A name for a type.
    Alias(String, String),
    /// A constant: name, value.
    Constant(String, String),
    /// A structure: name, and the documentation, name and type of each public field.
    Struct(String, Vec<(Vec<String>, String, String)>),
    /// A function: name, parameters, result.
    Function(String, Vec<(String, String)>, Option<String>),
}

/// A file of the sources: its title, what is said below it, and its items.
struct Section {
    title: String,
    text: Vec<String>,
    items: Vec<Item>,
}

fn folder() -> PathBuf {
    project::root().join("crates/capi")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files with public items: C declares types before they are used.
const SECTIONS: [&str; 8] = [
    "status", "version", "result", "options", "input", "work", "program", "launch",
];

/// The sections in order.
fn sections() -> Vec<Section> {
    let file = |name: &str| read(&folder().join(format!("src/{name}.rs")));
    let library = file("lib");
    let public = library.lines().filter(|line| line.starts_with("pub mod "));
    assert_eq!(
        public.count(),
        SECTIONS.len(),
        "`SECTIONS` names all modules"
    );
    SECTIONS.iter().map(|name| section(&file(name))).collect()
}

fn section(text: &str) -> Section {
    let head = text.lines().filter_map(|line| line.strip_prefix("//!"));
    let mut head = head.map(|line| line.trim().to_owned());
    let title = head.next().unwrap_or_default();
    let mut section = Section {
        title: title.trim_end_matches('.').to_owned(),
        text: head.collect(),
        items: Vec::new(),
    };
    // Unit tests are below everything else.
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut lines = product.lines();
    let mut doc = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(sentence) = line.strip_prefix("///") {
            doc.push(sentence.trim().to_owned());
        } else if line.starts_with("#[") {
            // Attributes come between the documentation and the item.
        } else if let Some(item) = line.strip_prefix("pub ")
            && !item.starts_with("(")
        {
            // An item goes on to its opening brace or its semicolon.
            let mut whole = item.to_owned();
            while !whole.ends_with(['{', ';']) {
                let next = lines.next().expect("an item ends");
                if !whole.ends_with('(') {
                    whole.push(' ');
                }
                whole.push_str(next.trim());
            }
            let body = body(&whole, &mut lines);
            section.items.push(Item {
                doc: described(&std::mem::take(&mut doc)),
                body,
            });
        } else {
            doc.clear();
        }
    }
    section
}

/// Documentation without what only Rust's readers need.
fn described(doc: &[String]) -> Vec<String> {
    let safety = doc.iter().position(|line| line == "# Safety");
    let doc = &doc[..safety.unwrap_or(doc.len())];
    let end = doc.iter().rposition(|line| !line.is_empty());
    doc[..end.map_or(0, |end| end + 1)].to_vec()
}

fn body<'l>(item: &str, lines: &mut impl Iterator<Item = &'l str>) -> Body {
    if let Some(rest) = item.strip_prefix("type ") {
        let (name, ty) = rest.trim_end_matches(';').split_once(" = ").expect(item);
        return Body::Alias(name.to_owned(), ty.to_owned());
    }
    if let Some(rest) = item.strip_prefix("const ") {
        let (name, value) = rest.trim_end_matches(';').split_once(": ").expect(item);
        let (_, value) = value.split_once(" = ").expect(item);
        return Body::Constant(name.to_owned(), value.to_owned());
    }
    if let Some(rest) = item.strip_prefix("struct ") {
        let name = rest.trim_end_matches(" {").to_owned();
        let (mut fields, mut doc) = (Vec::new(), Vec::new());
        for line in lines.take_while(|line| *line != "}") {
            let line = line.trim();
            if let Some(sentence) = line.strip_prefix("///") {
                doc.push(sentence.trim().to_owned());
            } else if let Some(field) = line.strip_prefix("pub ").filter(|f| !f.starts_with('(')) {
                let (field, ty) = field.trim_end_matches(',').split_once(": ").expect(item);
                fields.push((std::mem::take(&mut doc), field.to_owned(), ty.to_owned()));
            } else if !line.starts_with("pub") {
                doc.clear();
            }
        }
        return Body::Struct(name, fields);
    }
    let function = item.trim_start_matches("unsafe ");
    let function = function
        .strip_prefix("extern \"C\" fn ")
        .unwrap_or_else(|| panic!("C has nothing like `{item}`"));
    let (name, rest) = function.split_once('(').expect(item);
    let (parameters, result) = rest.rsplit_once(')').expect(item);
    let parameters = parameters.split(',').map(str::trim);
    let parameters = parameters.filter(|one| !one.is_empty()).map(|one| {
        let (name, ty) = one.split_once(": ").expect(item);
        (name.to_owned(), ty.to_owned())
    });
    let result = result.trim_end_matches('{').trim().strip_prefix("-> ");
    Body::Function(
        name.to_owned(),
        parameters.collect(),
        result.map(str::to_owned),
    )
}

/// A declaration of C: the type around a name, which may be empty.
fn declared(ty: &str, name: &str) -> String {
    if let Some(array) = ty.strip_prefix('[') {
        let (element, len) = array.trim_end_matches(']').split_once("; ").expect(ty);
        return declared(element, &format!("{name}[{len}]"));
    }
    if let Some(to) = ty.strip_prefix("*const ") {
        // `const` is about what is pointed to.
        return match to.starts_with('*') {
            true => declared(to, &format!("const *{name}")),
            false => format!("const {}", declared(to, &format!("*{name}"))),
        };
    }
    if let Some(to) = ty.strip_prefix("*mut ") {
        return declared(to, &format!("*{name}"));
    }
    let ty = match ty {
        "i32" => "int32_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "usize" => "size_t",
        "c_char" => "char",
        "c_void" => "void",
        own if own.starts_with("warpc_") => own,
        other => panic!("C has no type for `{other}`"),
    };
    format!("{ty} {name}").trim_end().to_owned()
}

/// A comment, with lines of at most 100 characters.
fn comment(lines: &[String], indent: &str) -> String {
    let mut rows = vec![String::new()];
    for word in lines.iter().flat_map(|line| line.split(' ')) {
        let row = rows.last_mut().expect("there is one");
        if row.len() + word.len() > 96 - indent.len() {
            rows.push(word.to_owned());
        } else {
            row.push_str(if row.is_empty() { "" } else { " " });
            row.push_str(word);
        }
    }
    let text = rows.join(&format!("\n{indent} * "));
    format!("{indent}/* {text} */\n").replace('`', "'")
}

fn printed(item: &Item) -> String {
    let mut out = String::new();
    match &item.body {
        Body::Alias(name, ty) => {
            out.push_str(&comment(&item.doc, ""));
            let _ = writeln!(out, "typedef {};", declared(ty, name));
        }
        Body::Constant(name, value) => {
            out.push_str(&comment(&item.doc, ""));
            let _ = writeln!(out, "#define {name} {value}");
        }
        Body::Struct(name, fields) if fields.is_empty() => {
            out.push_str(&comment(&item.doc, ""));
            let _ = writeln!(out, "typedef struct {name} {name};");
        }
        Body::Struct(name, fields) => {
            out.push_str(&comment(&item.doc, ""));
            let _ = writeln!(out, "typedef struct {name} {{");
            for (doc, field, ty) in fields {
                out.push_str(&comment(doc, "    "));
                let _ = writeln!(out, "    {};", declared(ty, field));
            }
            let _ = writeln!(out, "}} {name};");
        }
        Body::Function(name, parameters, result) => {
            out.push_str(&comment(&item.doc, ""));
            let parameters: Vec<String> = parameters
                .iter()
                .map(|(name, ty)| declared(ty, name))
                .collect();
            let parameters = match parameters.is_empty() {
                true => "void".to_owned(),
                false => parameters.join(", "),
            };
            let call = format!("{name}({parameters})");
            let declaration = match result {
                Some(ty) => declared(ty, &call),
                None => format!("void {call}"),
            };
            let _ = writeln!(out, "{declaration};");
        }
    }
    out
}

/// The header.
pub fn header() -> String {
    let mut out = String::from(
        "/* warpc.h: the C API of warpc. Generated from crates/capi/src; do not edit. */\n\
         /* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\n\
         #ifndef WARPC_H\n#define WARPC_H\n\n\
         #include <stddef.h>\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {\n#endif\n",
    );
    for section in sections() {
        let rule = "-".repeat(70usize.saturating_sub(section.title.len()));
        let _ = write!(out, "\n/* ---- {} {rule} */\n", section.title);
        let text: Vec<String> = section.text.into_iter().filter(|t| !t.is_empty()).collect();
        if !text.is_empty() {
            out.push('\n');
            out.push_str(&comment(&text, ""));
        }
        for item in &section.items {
            out.push('\n');
            out.push_str(&printed(item));
        }
    }
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

#[test]
fn the_header_is_up_to_date() {
    let path = folder().join("include/warpc.h");
    let made = header();
    if std::env::var_os("WARPC_BLESS").is_some() {
        std::fs::write(&path, &made).expect("it can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let mut lines = found.lines().zip(made.lines());
    let different = lines.find(|(found, made)| found != made);
    assert!(
        found == made,
        "include/warpc.h is out of date ({different:?}): run `./x bless header`"
    );
}

#[test]
fn every_item_is_documented_and_every_function_declared() {
    let mut functions = 0;
    for section in sections() {
        assert!(!section.items.is_empty(), "{}", section.title);
        for item in &section.items {
            let text = printed(item);
            assert!(!item.doc.is_empty(), "{text}");
            if let Body::Struct(_, fields) = &item.body {
                assert!(fields.iter().all(|(doc, ..)| !doc.is_empty()), "{text}");
            }
            functions += usize::from(matches!(item.body, Body::Function(..)));
        }
    }
    let sources = project::files(&folder().join("src"), &[".rs"]);
    let exported: usize = sources
        .iter()
        .map(|path| read(path).matches("#[unsafe(no_mangle)]").count())
        .sum();
    assert_eq!(functions, exported);
}
