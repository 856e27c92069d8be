//! The items of a module: what stands between its header and its end.

use crate::ptx_shape::lex::{self, Kind};
use std::collections::BTreeSet;
use std::ops::Range;

/// One declaration or definition at module level.
pub struct Item {
    /// Byte range.
    pub range: Range<usize>,
    /// The names it declares (or refers to; a superset does no harm).
    pub words: BTreeSet<String>,
    /// The name it defines, for a function or variable.
    pub name: Option<String>,
    /// Whether it is a function with a body.
    pub has_body: bool,
    /// Whether it is a kernel.
    pub is_entry: bool,
}

/// Splits a module into its header and its items, or `None` when it is not of the plain shape.
pub fn items(text: &str) -> Option<(String, Vec<Item>)> {
    let tokens = lex::tokens(text);
    let word = |i: usize| tokens.get(i).map_or("", |t| &text[t.range.clone()]);
    let mut header = String::new();
    let mut i = 0;
    while i < tokens.len() {
        match word(i) {
            ".version" | ".address_size" => {
                header.push_str(&format!("{} {}\n", word(i), word(i + 1)));
                i += 2;
            }
            ".target" => {
                // Without `debug`: it asks for sections that we leave out.
                header.push_str(&format!(".target {}\n", word(i + 1)));
                i += 2;
                while word(i) == "," {
                    i += 2;
                }
            }
            _ => break,
        }
    }
    header.push('\n');
    let mut items = Vec::new();
    while i < tokens.len() {
        let start = i;
        if word(i) == ".file" {
            i += 3;
            while word(i) == "," {
                i += 2;
            }
            continue;
        }
        let debug = word(i) == ".section";
        let (mut depth, mut has_body) = (0, false);
        let mut initialised = false;
        loop {
            match word(i) {
                "" => return None,
                "{" => {
                    depth += 1;
                    has_body |= !initialised;
                }
                "}" => {
                    depth -= 1;
                    if depth == 0 && !initialised {
                        i += 1;
                        break;
                    }
                }
                "=" if depth == 0 => initialised = true,
                ";" if depth == 0 => {
                    i += 1;
                    break;
                }
                _ => {}
            }
            i += 1;
        }
        if debug {
            continue;
        }
        let range = tokens[start].range.start..tokens[i - 1].range.end;
        let is_entry = (start..i).take(6).any(|k| word(k) == ".entry");
        let is_func = (start..i).take(8).any(|k| word(k) == ".func");
        let mut words = BTreeSet::new();
        let mut name = None;
        // A function's name stands before the parameters, but the results in front of it are in parentheses.
        let (mut depth, mut brackets) = (0, 0);
        for token in &tokens[start..i] {
            match &text[token.range.clone()] {
                "(" | "{" => depth += 1,
                ")" | "}" => depth -= 1,
                "[" => brackets += 1,
                "]" => brackets -= 1,
                w if token.kind == Kind::Word => {
                    if depth == 0 && brackets == 0 && name.is_none() {
                        name = Some(w.to_string());
                    }
                    words.insert(w.to_string());
                }
                _ => {}
            }
        }
        let has_body = has_body && (is_entry || is_func);
        items.push(Item {
            range,
            words,
            name,
            has_body,
            is_entry,
        });
    }
    Some((header, items))
}
