//! Lines of the source: `.file` and `.loc`.
//!
//! ```text
//!   .loc 1 8 3                                                      where the kernel calls `twice`
//!   .loc 1 4 3, function_name $L__info_string0, inlined_at 1 8 3    where `twice` calls `sq`
//!   .loc 1 2 71, function_name $L__info_string1, inlined_at 1 4 3   the instruction
//! ```
//!
//! A place in a function that was inlined stands after the place of the call, which is written once in a
//! function of PTX. Names of functions lie in `.debug_str`, the table of files at the end, as nvcc and LLVM
//! write them. Where the version of PTX has no `inlined_at`, the outermost place is all that is said.

use crate::unit::Unit;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_nvvm::Module;
use warpc_nvvm::metadata::{FieldValue, Md, NodeId, NodeKind};
use warpc_nvvm::module::{Global, GlobalKind};
use warpc_nvvm::name::Name;
use warpc_ptx::inst::{At, Int};
use warpc_ptx::module::{File, Inlined, Item, Loc, Section, SectionLine, Statement};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;
use warpc_target::PtxVersion;

/// The first version that has `inlined_at`.
const INLINED_AT: PtxVersion = PtxVersion { major: 7, minor: 2 };

/// The files and names that lines mention.
#[derive(Debug, Default)]
pub struct Lines {
    /// The number of each file, by its node.
    numbers: FxHashMap<NodeId, u64>,
    /// The names of files, in the order of their numbers.
    files: Vec<String>,
    by_name: FxHashMap<String, u64>,
    /// The label of each function's name.
    labels: FxHashMap<Name, Symbol>,
    /// The names, in the order of their labels.
    names: Vec<(Symbol, Name)>,
}

impl Lines {
    /// The number of a file, by its path as it stands between quotes.
    fn number(&mut self, path: String) -> u64 {
        let next = self.files.len() as u64 + 1;
        let number = *self.by_name.entry(path.clone()).or_insert(next);
        if number == next {
            self.files.push(path);
        }
        number
    }
}

/// What was said last in a function.
#[derive(Debug, Default)]
pub struct Said {
    last: Option<NodeId>,
    calls: FxHashSet<NodeId>,
}

/// The place where a function starts.
pub fn start(unit: &mut Unit, global: &Global) -> Option<Statement> {
    let GlobalKind::Function(_) = global.kind else {
        return None;
    };
    let module = unit.module;
    let kind = module.names.find(b"dbg")?;
    let attached = global.metadata.iter().find(|found| found.kind == kind)?;
    let program = attached.node.node()?;
    let line =
        number(module, program, b"scopeLine").or_else(|| number(module, program, b"line"))?;
    let file = file_of(unit, program)?;
    Some(statement(file, line, 0, None))
}

/// The statements that say where an instruction comes from; none if that was just said.
pub fn locate(unit: &mut Unit, said: &mut Said, place: NodeId) -> Vec<Statement> {
    if said.last == Some(place) {
        return Vec::new();
    }
    let module = unit.module;
    // From the instruction outwards.
    let mut chain = vec![place];
    while let Some(call) = chain.last().and_then(|&at| node(module, at, b"inlinedAt")) {
        if chain.len() > 256 {
            return Vec::new();
        }
        chain.push(call);
    }
    if unit
        .options
        .version
        .is_some_and(|version| version < INLINED_AT)
    {
        chain.drain(..chain.len() - 1);
    }
    let mut statements = Vec::new();
    for (index, &at) in chain.iter().enumerate().rev() {
        // Places of calls are said once.
        if index > 0 && !said.calls.insert(at) {
            continue;
        }
        let Some((file, line, column)) = position(unit, at) else {
            return Vec::new();
        };
        let inlined = chain.get(index + 1).and_then(|&call| {
            let name = function_name(module, at)?;
            Some(Inlined {
                function: label(unit, name),
                offset: 0,
                call: position(unit, call)?,
            })
        });
        statements.push(statement(file, line, column, inlined));
    }
    said.last = Some(place);
    statements
}

/// Takes over the files and names of a part of the module: the numbers of its files here, its labels as ours.
pub fn take(unit: &mut Unit, part: Lines, transfer: &mut warpc_ptx::Transfer) -> Vec<u64> {
    for (theirs, name) in part.names {
        let ours = label(unit, name);
        transfer.rename(theirs, ours);
    }
    let files = part.files.into_iter();
    files.map(|path| unit.lines.number(path)).collect()
}

/// The table of files and the names of functions.
pub fn items(unit: &mut Unit) -> Vec<Item> {
    let lines = std::mem::take(&mut unit.lines);
    let files = lines.files.into_iter().enumerate().map(|(index, name)| {
        Item::File(File {
            index: index as u64 + 1,
            name,
            time: None,
            size: None,
            at: At::default(),
        })
    });
    let mut items: Vec<Item> = files.collect();
    if lines.names.is_empty() {
        return items;
    }
    let mut section = Vec::new();
    for (label, name) in lines.names {
        let bytes = unit.module.names.bytes(name).iter().copied().chain([0]);
        let bytes = bytes.map(|byte| Int::signed(i64::from(byte)));
        section.push(SectionLine::Label(label, At::default()));
        section.push(SectionLine::Numbers(
            ScalarType::B8,
            bytes.collect(),
            At::default(),
        ));
    }
    items.push(Item::Section(Section {
        name: ".debug_str".to_owned(),
        lines: section,
        at: At::default(),
    }));
    items
}

fn statement(file: u64, line: u64, column: u64, inlined: Option<Inlined>) -> Statement {
    Statement::Loc(Box::new(Loc {
        file,
        line,
        column,
        inlined,
        at: At::default(),
    }))
}

/// File, line and column of a place.
fn position(unit: &mut Unit, place: NodeId) -> Option<(u64, u64, u64)> {
    let module = unit.module;
    let scope = node(module, place, b"scope")?;
    let line = number(module, place, b"line").unwrap_or(0);
    let column = number(module, place, b"column").unwrap_or(0);
    Some((file_of(unit, scope)?, line, column))
}

/// The number of the file of a scope: its own, or that of the scope around it.
pub fn file_of(unit: &mut Unit, mut scope: NodeId) -> Option<u64> {
    let module = unit.module;
    let mut steps = 0;
    let file = loop {
        match node(module, scope, b"file") {
            Some(file) => break file,
            None => scope = node(module, scope, b"scope")?,
        }
        // Scopes may be a ring.
        steps += 1;
        if steps > 4096 {
            return None;
        }
    };
    if let Some(&number) = unit.lines.numbers.get(&file) {
        return Some(number);
    }
    let name = text(module, file, b"filename")?;
    let folder = text(module, file, b"directory").unwrap_or_default();
    let path = match name.starts_with('/') || folder.is_empty() {
        true => name,
        false => format!("{folder}/{name}"),
    };
    // As it stands between quotes.
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    let number = unit.lines.number(path);
    unit.lines.numbers.insert(file, number);
    Some(number)
}

/// The name of the function that a place lies in.
fn function_name(module: &Module, place: NodeId) -> Option<Name> {
    let mut scope = node(module, place, b"scope")?;
    for _ in 0..4096 {
        if let Some(name) = string(module, scope, b"linkageName") {
            return Some(name);
        }
        let function = module.names.find(b"DISubprogram").map(NodeKind::Special);
        if function == Some(module.metadata.node(scope).kind) {
            return string(module, scope, b"name");
        }
        scope = node(module, scope, b"scope")?;
    }
    None
}

fn label(unit: &mut Unit, name: Name) -> Symbol {
    if let Some(&label) = unit.lines.labels.get(&name) {
        return label;
    }
    let label = unit.local_name(&format!("$L__info_string{}", unit.lines.names.len()));
    unit.lines.labels.insert(name, label);
    unit.lines.names.push((label, name));
    label
}

fn field(module: &Module, node: NodeId, name: &[u8]) -> Option<FieldValue> {
    module.metadata.field(node, module.names.find(name)?)
}

fn number(module: &Module, node: NodeId, name: &[u8]) -> Option<u64> {
    let value = field(module, node, name)?;
    u64::try_from(module.metadata.number(value)?).ok()
}

fn node(module: &Module, at: NodeId, name: &[u8]) -> Option<NodeId> {
    match field(module, at, name)? {
        FieldValue::Md(md) => md.node(),
        _ => None,
    }
}

fn string(module: &Module, at: NodeId, name: &[u8]) -> Option<Name> {
    match field(module, at, name)? {
        FieldValue::Text(text) => Some(text),
        FieldValue::Md(md) => match md.get() {
            Md::String(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn text(module: &Module, at: NodeId, name: &[u8]) -> Option<String> {
    let name = string(module, at, name)?;
    Some(module.names.text(name).into_owned())
}
