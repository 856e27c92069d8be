//! Names of globals, made valid for PTX.
//!
//! PTX takes letters, digits, `_` and `$`, and at the start also `%`, followed by one more. Other characters
//! are written as LLVM's NVPTX back end writes them: `.` and `@` become `_$_`; the rest becomes its code in
//! hexadecimal between `_x` and `_`.

use std::fmt::Write;
use warpc_nvvm::Module;
use warpc_nvvm::index::Id;
use warpc_nvvm::module::GlobalId;

/// The name of a global in PTX. Globals without a name are numbered.
pub fn of_global(module: &Module, global: GlobalId) -> String {
    match module.globals[global].name {
        Some(name) => valid(module.names.bytes(name)),
        None => format!("__unnamed_{}", global.index()),
    }
}

/// A name that PTX takes, different for different names in practice.
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
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) || text == "_" {
        text.insert(0, '$');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::valid;

    #[test]
    fn names_become_valid() {
        assert_eq!(valid(b"_Z1kPf"), "_Z1kPf");
        assert_eq!(valid(b"a.b"), "a_$_b");
        assert_eq!(valid(b"core::fmt"), "core_x3a__x3a_fmt");
        assert_eq!(valid(b"1"), "$1");
        assert_eq!(valid(b"\x01raw"), "raw");
    }
}
