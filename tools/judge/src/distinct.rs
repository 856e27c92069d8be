//! The different kernels among many, in modules for ptxas.
//!
//! Most cases become code that others have become, too; ptxas needs to see each text once.

use crate::asked::Target;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Kernels in a module: enough that starting ptxas does not count, few enough that modules can share the cores.
const PER_MODULE: usize = 400;

/// Kernels of one target, each once, and how many cases became it.
#[derive(Debug)]
pub struct Distinct {
    target: Target,
    /// By header: version and chip.
    by_header: FxHashMap<String, FxHashMap<String, usize>>,
}

/// A module for ptxas.
#[derive(Debug)]
pub struct Module {
    /// The chip.
    pub sm: u16,
    /// The text.
    pub text: String,
    /// How many kernels it has.
    pub kernels: usize,
    /// How many cases became them.
    pub cases: usize,
}

impl Distinct {
    /// None yet.
    pub fn new(target: Target) -> Distinct {
        Distinct {
            target,
            by_header: FxHashMap::default(),
        }
    }

    /// Adds the kernels of a module.
    pub fn add(&mut self, ptx: &str) {
        let mut parts = ptx.split("\n.visible ");
        let header = parts.next().unwrap_or_default();
        if !self.by_header.contains_key(header) {
            self.by_header
                .insert(header.to_owned(), FxHashMap::default());
        }
        let Some(kernels) = self.by_header.get_mut(header) else {
            return;
        };
        for kernel in parts {
            *kernels.entry(anonymous(kernel)).or_default() += 1;
        }
    }

    /// The modules.
    pub fn modules(self) -> Vec<Module> {
        let mut modules = Vec::new();
        let mut headers: Vec<_> = self.by_header.into_iter().collect();
        headers.sort_by(|a, b| a.0.cmp(&b.0));
        for (header, kernels) in headers {
            let mut kernels: Vec<(String, usize)> = kernels.into_iter().collect();
            kernels.sort();
            for part in kernels.chunks(PER_MODULE) {
                let mut text = header.clone();
                for (number, (kernel, _)) in part.iter().enumerate() {
                    let name = format!("k{number}");
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\n.visible {}", kernel.replace(NAME, &name));
                }
                modules.push(Module {
                    sm: self.target.sm,
                    text,
                    kernels: part.len(),
                    cases: part.iter().map(|(_, cases)| cases).sum(),
                });
            }
        }
        modules
    }
}

/// Stands for the name of a kernel. Labels are local, so that their numbers may be those of another.
pub(crate) const NAME: &str = "\u{1}";

/// A kernel without its name and the number in its labels.
pub(crate) fn anonymous(kernel: &str) -> String {
    let start = kernel.find(' ').map_or(0, |blank| blank + 1);
    let end = kernel.find('(').unwrap_or(start).max(start);
    let name = &kernel[start..end];
    let mut text = kernel[..start].to_owned();
    let mut rest = &kernel[start..];
    let label = "$L__BB";
    while let Some(place) = [rest.find(name), rest.find(label)]
        .into_iter()
        .flatten()
        .min()
    {
        text.push_str(&rest[..place]);
        rest = &rest[place..];
        match rest.strip_prefix(label) {
            Some(number) => {
                text.push_str("$L__BB0");
                rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
            }
            None => {
                text.push_str(NAME);
                rest = &rest[name.len()..];
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_kernels_are_one() {
        let target = Target {
            sm: 90,
            version: None,
            cuda: false,
        };
        let module = |name: &str, number: u32| {
            format!(
                ".version 8.0\n\n.visible .entry {name}(\n\t.param .b64 {name}_param_0\n)\n{{\n$L__BB{number}_1:\n\
                 \tld.param.b64 %rd1, [{name}_param_0];\n\tbra $L__BB{number}_1;\n}}\n"
            )
        };
        let mut distinct = Distinct::new(target);
        distinct.add(&module("c1", 12));
        distinct.add(&module("c22", 3));
        distinct.add(&module("c3", 3).replace("b64", "b32"));
        let modules = distinct.modules();
        assert_eq!(modules.len(), 1);
        assert_eq!((modules[0].kernels, modules[0].cases), (2, 3));
        assert!(modules[0].text.contains("ld.param.b64 %rd1, [k1_param_0];"));
        assert!(modules[0].text.contains("bra $L__BB0_1;"));
    }
}
