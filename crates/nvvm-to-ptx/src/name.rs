//! Names of globals, made valid for PTX and different from each other.
//!
//! PTX takes letters, digits, `_` and `$`, and at the start also `%`, followed by one more. Other characters
//! are written as LLVM's NVPTX back end writes them: `.` and `@` become `_$_`; the rest becomes its code in
//! hexadecimal between `_x` and `_`. Two names that become one this way get a number, so that no two
//! globals share a name: those that others can see first, in the order of the module, because others
//! must find them.
//!
//! Names inside functions (parameters, labels, local memory) hide globals, so they are chosen apart from
//! the names of all globals.

use rustc_hash::FxHashSet;
use std::fmt::Write;
use warpc_nvvm::Module;
use warpc_nvvm::index::Id;
use warpc_nvvm::module::{Global, GlobalId, Linkage};
use warpc_ptx::symbol::{Symbol, SymbolTable};

/// Words of PTX that stand for something wherever they are written.
const RESERVED: [&str; 1] = ["WARP_SZ"];

/// The names of a module in PTX.
#[derive(Debug, Default)]
pub struct Names {
    symbols: Vec<Symbol>,
    taken: FxHashSet<Symbol>,
}

impl Names {
    /// Names all globals of a module.
    pub fn new(module: &Module, symbols: &mut SymbolTable) -> Names {
        let mut names = Names {
            symbols: Vec::new(),
            taken: RESERVED.iter().map(|name| symbols.intern(name)).collect(),
        };
        let mut given: Vec<Option<Symbol>> = vec![None; module.globals.len()];
        for seen in [true, false] {
            for (number, (id, global)) in in_order(module).enumerate() {
                let local = matches!(global.linkage, Linkage::Private | Linkage::Internal);
                if local == seen {
                    continue;
                }
                let name = names.free(symbols, wanted(module, global, number));
                names.taken.insert(name);
                given[id.index()] = Some(name);
            }
        }
        names.symbols = given.into_iter().flatten().collect();
        names
    }

    /// The name of a global.
    pub fn of(&self, global: GlobalId) -> Symbol {
        self.symbols[global.index()]
    }

    /// A name for something inside a function: the one asked for unless a global has it.
    pub fn local(&self, symbols: &mut SymbolTable, name: &str) -> Symbol {
        let symbol = symbols.intern(name);
        if !self.taken.contains(&symbol) {
            return symbol;
        }
        self.free(symbols, name.to_owned())
    }

    /// The first of `name`, `name_1`, `name_2` … that is free.
    fn free(&self, symbols: &mut SymbolTable, name: String) -> Symbol {
        let mut symbol = symbols.intern(&name);
        let mut number = 0;
        while self.taken.contains(&symbol) {
            number += 1;
            symbol = symbols.intern(&format!("{name}_{number}"));
        }
        symbol
    }
}

/// The globals in the order of the text, then any that were only mentioned.
fn in_order(module: &Module) -> impl Iterator<Item = (GlobalId, &Global)> {
    let listed: FxHashSet<GlobalId> = module.order.iter().copied().collect();
    let rest = module.globals.ids().filter(move |id| !listed.contains(id));
    let all = module.order.iter().copied().chain(rest);
    all.map(|id| (id, &module.globals[id]))
}

/// The name a global would have if it were alone. One without a name has its place in the module.
fn wanted(module: &Module, global: &Global, number: usize) -> String {
    match global.name {
        Some(name) => valid(module.names.bytes(name)),
        None => format!("__unnamed_{}", number + 1),
    }
}

/// A name that PTX takes.
pub fn valid(name: &[u8]) -> String {
    // LLVM's mark for names that are not to be changed.
    let name = name.strip_prefix(b"\x01").unwrap_or(name);
    let mut text = String::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => text.push(byte as char),
            b'.' | b'@' => text.push_str("_$_"),
            other => {
                let _ = write!(text, "_x{other:02x}_");
            }
        }
    }
    if matches!(text.as_str(), "" | "_" | "$") {
        text.insert_str(0, "$_");
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '$');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_valid() {
        assert_eq!(valid(b"_Z1kPf"), "_Z1kPf");
        assert_eq!(valid(b"a.b"), "a_$_b");
        assert_eq!(valid(b"core::fmt"), "core_x3a__x3a_fmt");
        assert_eq!(valid(b"1"), "$1");
        assert_eq!(valid(b"$"), "$_$");
        assert_eq!(valid(b"\x01raw"), "raw");
    }

    #[test]
    fn names_stay_different() {
        let text = "@a.b = internal global i32 0\n@\"a@b\" = global i32 0\n@\"a_$_b\" = global i32 0\n\
                    @WARP_SZ = global i32 0\n";
        let file = warpc_diag::SourceFile::new("m.ll", text).unwrap();
        let module = warpc_nvvm::read_text(&file).unwrap();
        let mut symbols = SymbolTable::default();
        let names = Names::new(&module, &mut symbols);
        let given: Vec<&str> = module
            .order
            .iter()
            .map(|&id| symbols.name(names.of(id)))
            .collect();
        assert_eq!(given, ["a_$_b_2", "a_$_b", "a_$_b_1", "WARP_SZ_1"]);
        let local = names.local(&mut symbols, "a_$_b");
        assert_eq!(symbols.name(local), "a_$_b_3");
    }
}
