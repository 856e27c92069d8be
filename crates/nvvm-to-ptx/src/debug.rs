//! Debug information: the DWARF 2 sections of a PTX module.
//!
//! ```text
//!   debug records ─ location ─► where variables are ─ select, assemble ─► Recorded: names of labels and registers
//!   !DICompileUnit ─ unit ─► entries ◄─ types, scopes, globals       all entries ─ tree ─► .debug_abbrev, .debug_info, .debug_loc
//! ```
//!
//! The sections describe the code and never change it: labels between instructions, where scopes and values of variables
//! start, are all that a function has more. ptxas gives registers and addresses their place in machine code; what it
//! expects is written as LLVM's NVPTX back end and libNVVM write it. Registers of PTX are numbered by the bytes of their names,
//! `DW_AT_address_class` says what memory a location is in, and a table of lines is made by ptxas from `.loc`.
//!
//! What a module describes and DWARF 2 or this crate cannot express is left out (`docs/debug.md`).

mod entity;
pub mod location;
mod query;
mod scopes;
#[cfg(test)]
mod tests;
mod tree;
mod types;

use crate::unit::Unit;
use location::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use tree::{Tree, Value};
use warpc_nvvm::Module;
use warpc_nvvm::metadata::{Field, NodeId, NodeKind};
use warpc_nvvm::module::Global;
use warpc_ptx::module::{Item, Section, SectionLine, TargetOption};
use warpc_ptx::symbol::Symbol;

use query::Query;

/// What was found out about a function while it was compiled.
#[derive(Debug)]
pub struct Recorded {
    /// Its `DISubprogram`.
    pub program: NodeId,
    /// The labels before its first and after its last instruction.
    pub bounds: [String; 2],
    /// The labels from which on instructions come from somewhere else, and the `DILocation` of the first of them.
    pub scopes: Vec<(String, NodeId)>,
    /// Its variables, as debug records name them.
    pub variables: Vec<Variable>,
}

/// A variable of a function.
#[derive(Debug)]
pub struct Variable {
    /// Its `DILocalVariable`.
    pub node: NodeId,
    /// Where the function was inlined that it belongs to.
    pub inlined_at: Option<NodeId>,
    /// Where it is.
    pub home: Home,
}

/// Where a variable is.
#[derive(Debug)]
pub enum Home {
    /// Nobody knows.
    Unknown,
    /// In one place.
    Fixed(Place<String>),
    /// In registers that change: from a label up to another one.
    List(Vec<(String, String, Place<String>)>),
}

/// Whether full debug information is asked for and a module has some.
pub fn is_wanted(module: &Module, asked: bool) -> bool {
    asked && Query(module).full_units().next().is_some()
}

/// Questions to the metadata of a module.
pub fn query(module: &Module) -> Query<'_> {
    Query(module)
}

/// The `DISubprogram` of a function that has full debug information.
pub fn program_of(module: &Module, global: &Global) -> Option<NodeId> {
    let kind = module.names.find(b"dbg")?;
    let attached = global.metadata.iter().find(|found| found.kind == kind)?;
    let program = attached.node.node()?;
    let query = Query(module);
    let unit = query.node(program, b"unit")?;
    query.is_full_unit(unit).then_some(program)
}

/// The sections that describe a module whose items are these. Files are numbered on the way.
pub fn items(unit: &mut Unit, items: &[Item]) -> Vec<Item> {
    if !unit.debug {
        return Vec::new();
    }
    let functions = std::mem::take(&mut unit.recorded);
    let declared = items.iter().filter_map(|item| match item {
        Item::Variable(variable) => Some(variable.name),
        _ => None,
    });
    let mut builder = Builder {
        query: Query(unit.module),
        declared: declared.collect(),
        unit,
        tree: Tree::default(),
        root: tree::Entry::default(),
        node: None,
        default_bound: 0,
        types: FxHashMap::default(),
        same: FxHashMap::default(),
        programs: FxHashMap::default(),
        scopes: FxHashMap::default(),
        variables: FxHashMap::default(),
        abstract_variables: FxHashMap::default(),
        index_type: None,
        pending: Vec::new(),
    };
    let units: Vec<NodeId> = builder.query.full_units().collect();
    for &node in &units {
        builder.compile_unit(node, &functions);
    }
    let Builder { tree, unit, .. } = builder;
    unit.ptx.options.push(TargetOption::Debug);
    tree.sections(unit)
}

/// Makes the entries of one compilation unit after the other.
struct Builder<'u, 'm> {
    unit: &'u mut Unit<'m>,
    query: Query<'m>,
    tree: Tree,
    /// Variables that the PTX module declares.
    declared: FxHashSet<Symbol>,
    /// The entry of the compilation unit.
    root: tree::Entry,
    /// Its node.
    node: Option<NodeId>,
    /// Where arrays start in its language.
    default_bound: i64,
    /// The entries of types, and of members that definitions refer to.
    types: FxHashMap<NodeId, tree::Entry>,
    /// Types that were named so far, by what they say.
    same: FxHashMap<(NodeKind, &'m [Field]), NodeId>,
    /// The entries of subprograms: definitions, abstract ones of inlined functions, declarations.
    programs: FxHashMap<NodeId, tree::Entry>,
    /// The entries of namespaces and modules.
    scopes: FxHashMap<NodeId, tree::Entry>,
    /// The entries of variables outside of functions.
    variables: FxHashMap<NodeId, tree::Entry>,
    /// The entries of local variables in the abstract entries of inlined functions.
    abstract_variables: FxHashMap<NodeId, tree::Entry>,
    /// The type of indices of arrays.
    index_type: Option<tree::Entry>,
    /// Types whose entries have no attributes yet.
    pending: Vec<NodeId>,
}

impl Builder<'_, '_> {
    fn compile_unit(&mut self, node: NodeId, functions: &[Recorded]) {
        let root = self.tree.add(None, tag::COMPILE_UNIT);
        self.root = root;
        self.node = Some(node);
        self.types.clear();
        self.programs.clear();
        self.scopes.clear();
        self.variables.clear();
        self.abstract_variables.clear();
        self.index_type = None;
        let query = self.query;
        let language = query.number(node, b"language").unwrap_or(0) as u64;
        self.default_bound = match language {
            // Fortran, Ada, Cobol, Pascal, Modula, PL/I and Julia count from 1.
            3 | 5..=10 | 13..=15 | 23 | 31 | 34 | 35 | 45..=47 => 1,
            _ => 0,
        };
        if let Some(producer) = query.bytes(node, b"producer") {
            self.tree.string(root, attribute::PRODUCER, producer);
        }
        self.tree
            .put(root, attribute::LANGUAGE, Value::Data2(language as u16));
        if let Some(file) = query.node(node, b"file") {
            if let Some(name) = query.bytes(file, b"filename") {
                self.tree.string(root, attribute::NAME, name);
            }
            self.tree
                .put(root, attribute::STMT_LIST, Value::Offset(".debug_line", 0));
            if let Some(folder) = query.bytes(file, b"directory") {
                self.tree.string(root, attribute::COMP_DIR, folder);
            }
        }
        self.tree.put(root, attribute::LOW_PC, Value::NoAddress);
        let own: Vec<&Recorded> = functions
            .iter()
            .filter(|function| query.node(function.program, b"unit") == Some(node))
            .collect();
        self.programs_of(&own);
        self.globals(node);
        for types in [&b"enums"[..], b"retainedTypes"] {
            for ty in query.list(node, types) {
                if query.is_type(ty) {
                    self.type_entry(ty);
                }
            }
        }
        for import in query.list(node, b"imports") {
            self.imported(import);
        }
        self.finish_types();
    }
}

/// Makes a section.
fn section(name: &str, lines: Vec<SectionLine>) -> Item {
    Item::Section(Section {
        name: name.to_owned(),
        lines,
        at: warpc_ptx::inst::At::default(),
    })
}

/// Numbers of tags.
mod tag {
    pub const ARRAY_TYPE: u16 = 0x01;
    pub const ENUMERATION_TYPE: u16 = 0x04;
    pub const FORMAL_PARAMETER: u16 = 0x05;
    pub const LEXICAL_BLOCK: u16 = 0x0b;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER_TYPE: u16 = 0x0f;
    pub const REFERENCE_TYPE: u16 = 0x10;
    pub const COMPILE_UNIT: u16 = 0x11;
    pub const SUBROUTINE_TYPE: u16 = 0x15;
    pub const UNSPECIFIED_PARAMETERS: u16 = 0x18;
    pub const VARIANT: u16 = 0x19;
    pub const INHERITANCE: u16 = 0x1c;
    pub const INLINED_SUBROUTINE: u16 = 0x1d;
    pub const MODULE: u16 = 0x1e;
    pub const PTR_TO_MEMBER_TYPE: u16 = 0x1f;
    pub const SUBRANGE_TYPE: u16 = 0x21;
    pub const BASE_TYPE: u16 = 0x24;
    pub const ENUMERATOR: u16 = 0x28;
    pub const FRIEND: u16 = 0x2a;
    pub const SUBPROGRAM: u16 = 0x2e;
    pub const TEMPLATE_TYPE_PARAMETER: u16 = 0x2f;
    pub const TEMPLATE_VALUE_PARAMETER: u16 = 0x30;
    pub const VARIANT_PART: u16 = 0x33;
    pub const VARIABLE: u16 = 0x34;
    pub const NAMESPACE: u16 = 0x39;
    pub const RVALUE_REFERENCE_TYPE: u16 = 0x42;
    pub const TEMPLATE_TEMPLATE: u16 = 0x4106;
    pub const TEMPLATE_PACK: u16 = 0x4107;
}

/// Numbers of attributes.
mod attribute {
    pub const LOCATION: u16 = 0x02;
    pub const NAME: u16 = 0x03;
    pub const BYTE_SIZE: u16 = 0x0b;
    pub const BIT_OFFSET: u16 = 0x0c;
    pub const BIT_SIZE: u16 = 0x0d;
    pub const STMT_LIST: u16 = 0x10;
    pub const LOW_PC: u16 = 0x11;
    pub const HIGH_PC: u16 = 0x12;
    pub const LANGUAGE: u16 = 0x13;
    pub const DISCR: u16 = 0x15;
    pub const DISCR_VALUE: u16 = 0x16;
    pub const IMPORT: u16 = 0x18;
    pub const COMP_DIR: u16 = 0x1b;
    pub const CONST_VALUE: u16 = 0x1c;
    pub const CONTAINING_TYPE: u16 = 0x1d;
    pub const INLINE: u16 = 0x20;
    pub const LOWER_BOUND: u16 = 0x22;
    pub const PRODUCER: u16 = 0x25;
    pub const PROTOTYPED: u16 = 0x27;
    pub const UPPER_BOUND: u16 = 0x2f;
    pub const ABSTRACT_ORIGIN: u16 = 0x31;
    pub const ACCESSIBILITY: u16 = 0x32;
    pub const ADDRESS_CLASS: u16 = 0x33;
    pub const ARTIFICIAL: u16 = 0x34;
    pub const CALLING_CONVENTION: u16 = 0x36;
    pub const COUNT: u16 = 0x37;
    pub const DATA_MEMBER_LOCATION: u16 = 0x38;
    pub const DECL_FILE: u16 = 0x3a;
    pub const DECL_LINE: u16 = 0x3b;
    pub const DECLARATION: u16 = 0x3c;
    pub const ENCODING: u16 = 0x3e;
    pub const EXTERNAL: u16 = 0x3f;
    pub const FRAME_BASE: u16 = 0x40;
    pub const FRIEND: u16 = 0x41;
    pub const SPECIFICATION: u16 = 0x47;
    pub const TYPE: u16 = 0x49;
    pub const VIRTUALITY: u16 = 0x4c;
    pub const CALL_COLUMN: u16 = 0x57;
    pub const CALL_FILE: u16 = 0x58;
    pub const CALL_LINE: u16 = 0x59;
    pub const EXPLICIT: u16 = 0x63;
    pub const OBJECT_POINTER: u16 = 0x64;
    pub const LINKAGE_NAME: u16 = 0x2007;
    pub const VECTOR: u16 = 0x2107;
    pub const TEMPLATE_NAME: u16 = 0x2110;
}
