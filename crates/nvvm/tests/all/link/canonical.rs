//! Text of a module in a form that does not depend on names nobody outside sees, nor on any order.
//!
//! ```text
//!   roots: target, module asm, comdats, globals others see (by name), named metadata (by name)
//!   ► each time one of them, or what follows, first names a local global, struct or node, that one gets
//!     the next number and is written after what is there
//!   ► attribute groups are written where they are used; comments are left out
//! ```
//!
//! It works on the words of the text alone and knows nothing of our reader. Two modules have the same
//! form if and only if they are equal up to naming and order: every root is known by its name, and the
//! rest is found from the roots in a fixed way.

use std::collections::{HashMap, VecDeque};

/// A top-level entity: how it is known, and its words.
struct Entity {
    text: String,
    /// Seen outside the module: it keeps its name.
    root: bool,
}

#[derive(Default)]
struct Form {
    /// By the word that names them: `@x`, `%T`, `!7`.
    entities: HashMap<String, Entity>,
    groups: HashMap<String, String>,
    numbers: HashMap<String, String>,
    queue: VecDeque<String>,
    next: [usize; 3],
}

/// The canonical form of a module, a line an item.
pub fn canonical(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let mut form = Form::default();
    let mut fixed: Vec<String> = Vec::new();
    let mut named: Vec<String> = Vec::new();
    let mut asm: Vec<String> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let first = line.split(' ').next().unwrap_or("");
        let definition = line.split_once(" = ").map(|pair| pair.1);
        match line.as_bytes().first() {
            None => {}
            Some(b'@') => {
                let name = first_word(line);
                let words: Vec<&str> = definition.unwrap_or("").split(' ').collect();
                let local = words.contains(&"private") || words.contains(&"internal");
                let body = line[name.len()..].to_string();
                form.add(name, body, !local);
            }
            Some(b'%') => form.add(first_word(line), definition.unwrap_or("").into(), false),
            Some(b'$') => fixed.push(line.to_string()),
            Some(b'!') if line.as_bytes()[1].is_ascii_digit() => {
                form.add(first, definition.unwrap_or("").into(), false);
            }
            Some(b'!') => named.push(line.to_string()),
            _ if first == "attributes" => {
                let number = line.split(' ').nth(1).unwrap_or("");
                let content = &line[line.find('{').unwrap_or(0)..];
                form.groups.insert(number.into(), content.into());
            }
            _ if first == "declare" || first == "define" => {
                let at = line.find('@').unwrap_or(0);
                let name = first_word(&line[at..]);
                let head: Vec<&str> = line[..at].split(' ').collect();
                let local = head.contains(&"internal") || head.contains(&"private");
                let mut body = format!("{}{}", &line[..at], &line[at + name.len()..]);
                if first == "define" {
                    for line in lines.by_ref() {
                        body.push('\n');
                        body.push_str(line);
                        if line == "}" {
                            break;
                        }
                    }
                }
                form.add(name, body, !local);
            }
            _ if first == "module" => asm.push(line.to_string()),
            _ if first == "source_filename" => {}
            _ => fixed.push(line.to_string()),
        }
    }
    fixed.sort();
    named.sort();
    let mut out = fixed;
    out.extend(asm);
    let mut roots: Vec<String> = form.entities.keys().cloned().collect();
    roots.retain(|name| form.entities[name].root);
    roots.sort();
    for name in roots {
        let body = form.entities[&name].text.clone();
        out.push(format!("{name} {}", form.rewrite(&body)));
    }
    for line in named {
        out.push(form.rewrite(&line));
    }
    while let Some(name) = form.queue.pop_front() {
        let body = form.entities[&name].text.clone();
        let number = form.numbers[&name].clone();
        out.push(format!("{number} {}", form.rewrite(&body)));
    }
    out
}

/// The name at the start, with its sigil: up to a character that names do not have, or in quotes.
fn first_word(text: &str) -> &str {
    let bytes = text.as_bytes();
    if bytes.get(1) == Some(&b'"') {
        let end = text[2..].find('"').map_or(text.len(), |at| at + 3);
        return &text[..end];
    }
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-$._".contains(byte);
    let len = bytes[1..].iter().take_while(|byte| name(byte)).count();
    &text[..1 + len]
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let mut quoted = false;
        let end = line.bytes().position(|byte| {
            quoted ^= byte == b'"';
            byte == b';' && !quoted
        });
        let line = line[..end.unwrap_or(line.len())].trim_end();
        if !line.is_empty() {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

impl Form {
    fn add(&mut self, name: &str, text: String, root: bool) {
        // `@0` has no name outside.
        let root = root && !name.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        self.entities
            .insert(name.to_string(), Entity { text, root });
    }

    /// The text with references in canonical form.
    fn rewrite(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['@', '%', '!', '#', '"']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with('"') {
                let end = rest[1..].find('"').map_or(rest.len(), |at| at + 2);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            let word = first_word(rest);
            out.push_str(&self.reference(word));
            rest = &rest[word.len()..];
        }
        out.push_str(rest);
        out
    }

    fn reference(&mut self, word: &str) -> String {
        if let Some(group) = self.groups.get(word) {
            return group.clone();
        }
        if let Some(number) = self.numbers.get(word) {
            return number.clone();
        }
        let class = match word.as_bytes()[0] {
            b'@' => 0,
            b'%' => 1,
            _ => 2,
        };
        // A local value may be numbered as a struct is; structs with numbers keep them.
        let value = class == 1 && word.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        match self.entities.get(word) {
            Some(entity) if !entity.root && !value => {
                let sigil = ["@local", "%struct", "!node"][class];
                let number = format!("{sigil}{}", self.next[class]);
                self.next[class] += 1;
                self.numbers.insert(word.to_string(), number.clone());
                self.queue.push_back(word.to_string());
                number
            }
            _ => word.to_string(),
        }
    }
}
