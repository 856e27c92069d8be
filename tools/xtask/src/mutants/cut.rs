//! Cuts a large module into small ones of one function each, with all that the function refers to.
//!
//! ptxas's time goes with the size of a file, and a fault in a small file is found by a person at once.

use crate::ptx_shape::items;
use std::collections::{BTreeMap, BTreeSet};

/// The single-kernel modules of a module. Debug sections, `.file` and `.loc` lines are left out.
pub fn cut(text: &str) -> Vec<String> {
    let Some((header, items)) = items(text) else {
        return Vec::new();
    };
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, item) in items.iter().enumerate() {
        if let Some(name) = &item.name {
            by_name.entry(name).or_default().push(i);
        }
    }
    let mut modules = Vec::new();
    for (root, item) in items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.is_entry && item.has_body)
    {
        let mut wanted = BTreeSet::from([root]);
        let mut open: Vec<&BTreeSet<String>> = vec![&item.words];
        while let Some(words) = open.pop() {
            for &i in words
                .iter()
                .filter_map(|w| by_name.get(w.as_str()))
                .flatten()
            {
                if wanted.insert(i) {
                    open.push(&items[i].words);
                }
            }
        }
        let mut module = header.clone();
        for i in wanted {
            module.push_str(without_lines(&text[items[i].range.clone()]).trim());
            module.push_str("\n\n");
        }
        modules.push(module);
    }
    modules
}

/// A function's text without `.loc` lines and comments, so that the mutants' lines hold code.
fn without_lines(text: &str) -> String {
    let kept = text.lines().filter(|line| {
        let line = line.trim_start();
        !line.starts_with(".loc\t")
            && !line.starts_with(".loc ")
            && !line.starts_with("//")
            && !line.is_empty()
    });
    kept.map(|line| line.split("//").next().unwrap_or(line).trim_end())
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn each_kernel_takes_what_it_needs() {
        let text = ".version 8.0\n.target sm_80, debug\n.address_size 64\n.global .u32 a = 1;\n.global .u32 b[2] = {1, 2};\n\
                    .func (.param .b32 r) f (.param .b32 x)\n{ ld.global.u32 %r1, [b]; ret; }\n\
                    .entry k1() { ld.global.u32 %r1, [a]; ret; }\n.entry k2() { call (r), f, (x); ret; }\n";
        let modules = cut(text);
        assert_eq!(modules.len(), 2);
        assert!(modules[0].contains(" a = 1") && !modules[0].contains("b[2]"));
        assert!(
            modules[1].contains("b[2]")
                && modules[1].contains(".func")
                && !modules[1].contains("k1")
        );
        assert!(!modules[1].contains("debug"));
    }
}
