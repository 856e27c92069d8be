//! Global variables, aliases, and what else a module holds.

use super::constant::{self, Constant};
use super::function::{unnamed_address, words_of_global};
use super::{Outcome, Output, Problem};
use crate::tree::{Attr, Op};
use crate::types::quoted;
use std::fmt::Write;

impl<'t> Output<'t> {
    pub(super) fn global(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let (Some(name), Some(ty)) = (
            op.attrs.string("sym_name"),
            op.attrs.get("global_type").and_then(Attr::ty),
        ) else {
            return Err(Problem::wrong("its name or type is missing"));
        };
        let block = op.regions.first().and_then(|region| region.blocks.first());
        let external = matches!(
            op.attrs.word("linkage"),
            None | Some("external" | "extern_weak")
        );
        let initial = match (op.attrs.get("value"), block) {
            (Some(value), _) => Some(Constant::of_attribute(value, ty)?.text()),
            (None, Some(block)) => Some(constant::of_initialiser(&block.ops, self)?.text()),
            // A variable of this module has some value.
            (None, None) if !external => Some("undef".to_owned()),
            (None, None) => None,
        };
        let kind = match op.attrs.flag("constant") {
            true => "constant",
            false => "global",
        };
        let space = match op.attrs.int("addr_space").unwrap_or(0) {
            0 => String::new(),
            space => format!("addrspace({space}) "),
        };
        let externally = match op.attrs.flag("externally_initialized") {
            true => "externally_initialized ",
            false => "",
        };
        let thread_local = match op.attrs.flag("thread_local_") {
            true => "thread_local ",
            false => "",
        };
        let words = words_of_global(op, initial.is_some());
        let unnamed = unnamed_address(op);
        let line = self.line(op.pos);
        let _ = write!(
            line,
            "@{} = {words}{thread_local}{unnamed}{space}{externally}{kind} {ty}",
            quoted(name)
        );
        if let Some(initial) = initial {
            let _ = write!(line, " {initial}");
        }
        if let Some(section) = op.attrs.string("section") {
            let _ = write!(line, ", section {}", quoted(section));
        }
        if let Some(name) = op.attrs.get("comdat").and_then(Attr::symbol) {
            let _ = write!(line, ", comdat(${})", quoted(name));
        }
        if let Some(align) = op.attrs.int("alignment") {
            let _ = write!(line, ", align {align}");
        }
        line.push('\n');
        Ok(())
    }

    pub(super) fn alias(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let (Some(name), Some(ty)) = (
            op.attrs.string("sym_name"),
            op.attrs.get("alias_type").and_then(Attr::ty),
        ) else {
            return Err(Problem::wrong("its name or type is missing"));
        };
        let block = op.regions.first().and_then(|region| region.blocks.first());
        let Some(block) = block else {
            return Err(Problem::wrong("it does not say of what"));
        };
        let target = constant::of_initialiser(&block.ops, self)?.typed();
        let words = words_of_global(op, true);
        let unnamed = unnamed_address(op);
        let line = self.line(op.pos);
        let _ = writeln!(
            line,
            "@{} = {words}{unnamed}alias {ty}, {target}",
            quoted(name)
        );
        Ok(())
    }

    /// `[#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, …]`
    pub(super) fn module_flags(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let Some(Attr::Array(flags)) = op.attrs.get("flags") else {
            return Err(Problem::wrong("`flags` is a list"));
        };
        const BEHAVIOURS: [&str; 8] = [
            "error",
            "warning",
            "require",
            "override",
            "append",
            "append_unique",
            "max",
            "min",
        ];
        for flag in flags {
            let Attr::Dialect(_, body) = flag else {
                return Err(Problem::wrong("a flag is `#llvm.mlir.module_flag<…>`"));
            };
            let mut parts = body.splitn(3, ',').map(str::trim);
            let (Some(behaviour), Some(key), Some(value)) =
                (parts.next(), parts.next(), parts.next())
            else {
                return Err(Problem::wrong("a flag is `<behaviour, \"key\", value>`"));
            };
            let behaviour = BEHAVIOURS.iter().position(|word| *word == behaviour);
            let value = match value.split_once(':') {
                Some((number, ty)) => format!("{} {}", ty.trim(), number.trim()),
                None if value.starts_with('"') => format!("!{value}"),
                // Profiles and the like say nothing about code for a GPU.
                None => continue,
            };
            if let Some(behaviour) = behaviour {
                let flag = format!("!{{i32 {}, !{key}, {value}}}", behaviour + 1);
                if !self.flags.contains(&flag) && !key.contains("Debug Info Version") {
                    self.flags.push(flag);
                }
            }
        }
        Ok(())
    }

    pub(super) fn comdats(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let blocks = op.regions.iter().flat_map(|region| &region.blocks);
        for selector in blocks.flat_map(|block| &block.ops) {
            let name = selector.attrs.string("sym_name");
            let kind = selector.attrs.word("comdat");
            let (Some(name), Some(kind)) = (name, kind) else {
                return Err(Problem::wrong("a selector has a name and a kind"));
            };
            let line = self.line(selector.pos);
            let _ = writeln!(line, "${} = comdat {kind}", quoted(name));
        }
        Ok(())
    }

    /// Lists of functions that run before or after a program. An empty list is none.
    pub(super) fn constructors(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let list = op.attrs.get("ctors").or_else(|| op.attrs.get("dtors"));
        match list {
            Some(Attr::Array(functions)) if functions.is_empty() => Ok(()),
            _ => Err(Problem::unsupported(
                "GPUs run no constructors or destructors",
            )),
        }
    }
}
