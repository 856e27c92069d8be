//! What chips have, by name, where no instruction says it.
//!
//! Instructions, modifiers and directives say what they need in their rows ([`crate::Gate`]). What is left are facts
//! about machines, files and tools: each is a set of chips here, with its evidence, and everybody else asks
//! [`Sm::has`]. No other crate compares the numbers of chips.
//!
//! ```
//! use warpc_target::{Sm, features};
//! let sm: Sm = "sm_90a".parse().unwrap();
//! assert!(sm.has(features::CLUSTERS));
//! assert!(!sm.has(features::WIDE_ACCESSES));
//! ```

use crate::{Chips, Sm};

impl Sm {
    /// Whether the target is in a set of chips.
    pub fn has(self, chips: Chips) -> bool {
        chips.contains(self)
    }
}

/// Atomics with scopes: CUDA's `atomicAdd_system` and `atomicAdd_block`. The first that this project knows at all.
pub const SCOPED_ATOMICS: Chips = Chips::AtLeast(60);

/// Orders of accesses. Volta brought the memory model: ptxas refuses every order and `fence` for older chips, even
/// `ld.weak`.
pub const MEMORY_ORDERS: Chips = Chips::AtLeast(70);

/// The chips that ptxas of CUDA 13 assembles for, and whose machine code is described.
pub const ASSEMBLED: Chips = Chips::AtLeast(75);

/// The system keeps the first kilobyte of a block's shared memory: addresses of the first variable as seen on GPUs, and
/// `%reserved_smem_offset_begin` of ptxas.
pub const RESERVED_SHARED_MEMORY: Chips = Chips::AtLeast(80);

/// Clusters of blocks that reach each other's shared memory.
pub const CLUSTERS: Chips = Chips::AtLeast(90);

/// Loads and stores of 256 bits.
pub const WIDE_ACCESSES: Chips = Chips::AtLeast(100);

/// Chips for which libNVVM 13.4 reads the IR of LLVM 22 and takes a version of PTX; for older ones it reads that of LLVM 7
/// (`nvvmLLVMVersion`).
pub const LIBNVVM_OF_LLVM_22: Chips = Chips::AtLeast(100);

/// Cubins have the order of sections, the records and the segments that ptxas 13 writes from Hopper on: headers are not
/// executable, shared memory begins with the reserved kilobyte.
pub const CUBINS_OF_HOPPER: Chips = Chips::AtLeast(90);

/// Cubins have what ptxas 13 changed with Blackwell: another lowest byte of the flags, the record of the count of blocks'
/// initialisations, 64 reserved bytes in constant bank 0, a fixed gap between the tables of names.
pub const CUBINS_OF_BLACKWELL: Chips = Chips::AtLeast(100);

/// Cubins say in `.nv.compat` which form of `tcgen05.mma` they use.
pub const TCGEN05_RECORDS: Chips = Chips::Arch(100);

/// Cubins are finalised for fewer other chips than those of the plain chip.
pub const NARROW_FINALIZATION: Chips = Chips::Arch(120);

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Who may compare numbers of chips: this crate. Facts about kernels in machine code come from the tables of `sass`.
    const EXEMPT: [&str; 3] = ["target/", "sass/", "ptx-to-sass/"];

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }

    /// What ends in the number of a chip: `sm.number()`, `self.target.number()`, `cubin.chip_number()`.
    fn after_number(code: &str) -> Option<&str> {
        let mut rest = code;
        while let Some(at) = rest.find("number()") {
            let (before, after) = (&rest[..at], &rest[at + "number()".len()..]);
            let of_chip = ["sm.", "chip.", "target.", "arch.", "chip_"];
            if of_chip.iter().any(|end| before.ends_with(end)) {
                return Some(after);
            }
            rest = after;
        }
        None
    }

    fn starts_with_order(code: &str) -> bool {
        let code = code.trim_start_matches([' ', ')']);
        code.starts_with(['<', '>']) && !code.starts_with("<<") && !code.starts_with(">>")
    }

    /// Whether a name is compared with an order, or taken apart, in a line.
    fn orders(code: &str, name: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        code.match_indices(name).any(|(at, _)| {
            let (before, after) = (&code[..at], &code[at + name.len()..]);
            let whole =
                !before.ends_with(is_part) && !before.ends_with('.') && !after.starts_with(is_part);
            whole && (starts_with_order(after) || before.ends_with("match "))
        })
    }

    /// Lines that compare numbers of chips.
    fn comparisons(text: &str) -> Vec<(usize, String)> {
        let code = |line: &str| line.split("//").next().unwrap_or("").trim().to_owned();
        let lines: Vec<String> = text.lines().map(code).collect();
        let numbers: Vec<&str> = lines
            .iter()
            .filter(|line| after_number(line).is_some())
            .filter_map(|line| line.strip_prefix("let ")?.split([' ', ':']).next())
            .collect();
        let compares = |line: &&(usize, String)| {
            let code = line.1.as_str();
            let direct = after_number(code);
            direct.is_some_and(|rest| starts_with_order(rest) || code.contains("match "))
                || numbers.iter().any(|name| orders(code, name))
                || code.contains("AtLeast(") && code.contains(").contains")
        };
        let numbered: Vec<(usize, String)> = lines.iter().cloned().enumerate().collect();
        numbered.iter().filter(compares).cloned().collect()
    }

    #[test]
    fn comparisons_are_seen() {
        for bad in [
            "if sm.number() >= 80 { 1 } else { 0 }",
            "match self.target.number() {",
            "let old = cubin.chip_number() < Some(90);",
            "let number = u32::from(chip.number());\nlet low = if number < 100 { 4 } else { 2 };",
            "let n = sm.number();\nmatch n {",
            "Chips::AtLeast(100).contains(sm)",
        ] {
            assert_eq!(comparisons(bad).len(), 1, "{bad}");
        }
        for good in [
            "flags | u32::from(chip.number()) << 8",
            "cursor.number() > 3",
            "let number = sm.number();\nROWS.iter().find(|row| row.0 == number)",
            "// sm.number() >= 80",
            "const SYNCS: Chips = Chips::AtLeast(90);",
        ] {
            assert_eq!(comparisons(good), [], "{good}");
        }
    }

    #[test]
    fn no_other_crate_compares_chips() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files = Vec::new();
        sources(&crates, &mut files);
        let mut found = Vec::new();
        for path in files {
            let name = path.strip_prefix(&crates).unwrap_or(&path);
            let name = name.to_string_lossy().replace('\\', "/");
            if EXEMPT.iter().any(|exempt| name.starts_with(exempt)) || !name.contains("/src/") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a source is text");
            let lines = comparisons(&text).into_iter();
            found.extend(lines.map(|(line, code)| format!("{name}:{}: {code}", line + 1)));
        }
        assert!(
            found.is_empty(),
            "ask `target` instead:\n{}",
            found.join("\n")
        );
    }
}
