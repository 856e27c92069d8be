//! [`Module`] to text, as `llvm-dis` 22 writes it.
//!
//! ```text
//!   source_filename  datalayout  triple  module asm
//!   %T = type   $c = comdat   @v = global   @a = alias   @i = ifunc
//!   declare/define …            numbers of values start anew in each function
//!   attributes #N               numbered: variables, functions, then calls as they come
//!   !name = !{…}   !N = …       numbered: variables, named metadata, then as functions need them
//! ```
//!
//! Printing is one walk that appends to one buffer. Numbers of values, groups and nodes are given as
//! LLVM gives them, so text that `llvm-dis` wrote comes out as it was. Nodes that nothing refers to are
//! left out.

mod attribute;
mod body;
mod constant;
mod global;
mod instruction;
mod metadata;
mod number;
mod text;
mod types;
mod used_types;

use crate::Module;
use crate::index::Id;
use crate::module::{GlobalId, GlobalKind};
use crate::name::Name;
use crate::types::{StructId, TypeId};
use attribute::{Groups, NumberedWords};
use body::Numbers;
use metadata::Nodes;
use text::Text;
use types::TypeTexts;

/// The module as text, in the form of LLVM 22.
pub fn print(module: &Module) -> String {
    let mut printer = Printer::new(module, used_types::used_structs(module));
    printer.module();
    printer.out.finish()
}

/// A type as text, for messages; the module may still be incomplete.
pub fn type_text(module: &Module, ty: TypeId) -> String {
    let mut printer = Printer::new(module, module.types.structs.ids().collect());
    printer.ty(ty);
    printer.out.finish()
}

/// The state of printing a module.
struct Printer<'m> {
    module: &'m Module,
    out: Text,
    types: TypeTexts,
    groups: Groups,
    nodes: Nodes,
    /// Values and blocks of the function that is being printed.
    numbers: Numbers<'m>,
    /// Numbers of globals without a name.
    globals: Vec<u32>,
    /// The named structs that are used.
    used_structs: Vec<StructId>,
    /// Numbers of structs without a name.
    struct_numbers: Vec<u32>,
    numbered_words: NumberedWords,
    /// The address space functions are in by default, which the data layout says.
    program_space: u32,
}

impl<'m> Printer<'m> {
    fn new(module: &'m Module, used_structs: Vec<StructId>) -> Printer<'m> {
        let mut struct_numbers = vec![0; module.types.structs.len()];
        let unnamed = used_structs
            .iter()
            .filter(|&&id| module.types.structs[id].name.is_none());
        for (number, &id) in unnamed.enumerate() {
            struct_numbers[id.index()] = number as u32;
        }
        Printer {
            module,
            out: Text::with_capacity(1 << 16),
            types: TypeTexts::new(module.types.len()),
            groups: Groups::default(),
            nodes: Nodes::new(module),
            numbers: Numbers::default(),
            globals: number_globals(module),
            used_structs,
            struct_numbers,
            numbered_words: NumberedWords {
                align: module.names.find(b"align"),
                alignstack: module.names.find(b"alignstack"),
            },
            program_space: program_space(module),
        }
    }

    fn module(&mut self) {
        let module = self.module;
        self.reserve_groups_and_nodes();
        self.header("source_filename = ", module.source_filename);
        self.header("target datalayout = ", module.data_layout);
        self.header("target triple = ", module.triple);
        if !module.module_asm.is_empty() {
            self.out.gap();
        }
        for &line in &module.module_asm {
            self.header("module asm ", Some(line));
        }
        self.struct_definitions();
        self.comdats();
        self.variables();
        self.aliases();
        for (id, global, function) in module.functions() {
            self.out.gap();
            self.function(id, global, function);
        }
        self.group_definitions();
        self.named_metadata();
        self.node_definitions();
    }

    fn header(&mut self, words: &str, value: Option<Name>) {
        if let Some(value) = value {
            self.out.str(words);
            self.out.quoted(self.module.names.bytes(value));
            self.out.newline();
        }
    }

    /// What stands before the functions is numbered first, and so are the groups of all functions.
    fn reserve_groups_and_nodes(&mut self) {
        let module = self.module;
        for (_, global, variable) in module.variables() {
            for attachment in &global.metadata {
                self.reserve_node(attachment.node);
            }
            self.reserve_group(variable.attrs);
        }
        for named in &module.metadata.named {
            for &node in &named.nodes {
                self.reserve_node(crate::metadata::Md::Node(node).into());
            }
        }
        for (_, _, function) in module.functions() {
            self.reserve_group(module.attributes.of_function(function.attrs));
        }
    }

    /// `@name`
    #[inline]
    fn global_name(&mut self, global: GlobalId) {
        self.out.byte(b'@');
        match self.module.globals[global].name {
            Some(name) => self.out.name(self.module.names.bytes(name)),
            None => self.out.number(u64::from(self.globals[global.index()])),
        }
    }
}

/// Numbers for globals without a name, in the order in which they are printed.
fn number_globals(module: &Module) -> Vec<u32> {
    let rank = |kind: &GlobalKind| match kind {
        GlobalKind::Variable(_) => 0,
        GlobalKind::Alias(_) => 1,
        GlobalKind::Ifunc(_) => 2,
        GlobalKind::Function(_) | GlobalKind::Pending => 3,
    };
    let mut unnamed: Vec<GlobalId> = module
        .order
        .iter()
        .copied()
        .filter(|&id| module.globals[id].name.is_none())
        .collect();
    unnamed.sort_by_key(|&id| rank(&module.globals[id].kind));
    let mut numbers = vec![0; module.globals.len()];
    for (number, id) in unnamed.into_iter().enumerate() {
        numbers[id.index()] = number as u32;
    }
    numbers
}

/// The `P` of the data layout.
fn program_space(module: &Module) -> u32 {
    let layout = module
        .data_layout
        .map_or(&b""[..], |name| module.names.bytes(name));
    layout
        .split(|&c| c == b'-')
        .filter_map(|part| part.strip_prefix(b"P"))
        .find_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests;
