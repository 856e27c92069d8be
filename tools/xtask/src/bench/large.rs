//! One large module from many corpus files.
//!
//! Modules cannot simply be joined: each has its header, and names repeat. So headers are dropped, and what a
//! file defines gets the file's number after its name; declarations of outside functions stay as they are,
//! once.

use crate::corpus::manifest::Row;
use crate::project::{self, Outcome};
use crate::ptx_shape::{items, tokens};
use std::collections::BTreeSet;

/// Joins corpus files for `target` and older generic chips until `bytes` are reached.
pub fn module(rows: &[Row], target: &str, bytes: usize) -> Outcome<String> {
    let chip = |name: &str| name.trim_start_matches("sm_").parse::<u32>().ok();
    let newest = chip(target).ok_or("the target has no number")?;
    let mut out = format!(".version 9.0\n.target {target}\n.address_size 64\n\n");
    let mut declared = BTreeSet::new();
    let fits = |r: &&Row| {
        r.verdict == "accept"
            && r.options.is_empty()
            && chip(&r.target).is_some_and(|n| n <= newest && n >= 75)
            && !r.path.contains("debug")
            && !r.path.contains("lineinfo")
    };
    let fitting: Vec<&Row> = rows.iter().filter(fits).collect();
    if fitting.is_empty() {
        return Err(format!("the corpus has nothing for {target}"));
    }
    // Once round is nearly enough; the rest is taken from the beginning again, under other names.
    for (n, row) in fitting.iter().cycle().take(3 * fitting.len()).enumerate() {
        if out.len() >= bytes {
            break;
        }
        let text = project::read(&project::corpus_dir().join(&row.path))?;
        let Some((_, items)) = items(&text) else {
            continue;
        };
        let defined: BTreeSet<&str> = items
            .iter()
            .filter(|i| !is_extern(&text[i.range.clone()]))
            .filter_map(|i| i.name.as_deref())
            .collect();
        for item in &items {
            let part = &text[item.range.clone()];
            if is_extern(part) && !declared.insert(item.name.clone()) {
                continue;
            }
            rename(part, &defined, n, &mut out);
            out.push_str("\n\n");
        }
    }
    Ok(out)
}

fn is_extern(item: &str) -> bool {
    item.trim_start().starts_with(".extern")
}

/// Copies an item, with the number after each name that the file defines. `.loc` lines refer to files that the
/// joined module does not have, so they are left out.
fn rename(item: &str, defined: &BTreeSet<&str>, n: usize, out: &mut String) {
    for line in item.split_inclusive('\n') {
        if line.trim_start().starts_with(".loc ") || line.trim_start().starts_with(".loc\t") {
            continue;
        }
        let mut from = 0;
        for token in tokens(line) {
            // A kernel may be named like an opcode; the opcode has modifiers after it.
            let opcode = line[token.range.end..].starts_with('.');
            if !opcode && defined.contains(&line[token.range.clone()]) {
                out.push_str(&line[from..token.range.end]);
                out.push_str(&format!("_{n}"));
                from = token.range.end;
            }
        }
        out.push_str(&line[from..]);
    }
}
