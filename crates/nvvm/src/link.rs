//! Several modules into one, as `llvm-link` 22 does it.
//!
//! ```text
//!   module ─┐                    choose: which globals are taken     comdat: which groups win
//!   module ─┼─► one after other ► transfer: declarations, bodies      types, constants, ids: numbers of
//!   module ─┘   into the result   metadata, flags                     the source to those of the result
//! ```
//!
//! The result starts empty. Each module is added in turn: globals with names are matched with those
//! that are there, the rules of linkage and comdats say whose definition stays, and what is taken is
//! copied with everything it refers to. Internal, `linkonce` and `available_externally` globals come
//! only if something that is taken refers to them. A global that gets a definition keeps its number,
//! so that what refers to it stays right. Calls of intrinsics that LLVM has replaced are made modern first.
//!
//! Types: structs with equal fields become one, whatever their names; a struct without fields takes the
//! fields of one with its name. Metadata: nodes that are not distinct and equal become one.

mod body;
mod choose;
mod comdat;
mod constants;
mod drop_unused;
mod flags;
mod global;
mod ids;
mod internalize;
mod metadata;
mod replace;
mod transfer;
mod types;

use crate::Module;
use crate::index::Id;
use crate::metadata::FieldValue;
use crate::module::{ComdatId, Global, GlobalId};
use crate::name::Name;
use crate::types::{StructId, TypeList};
use crate::upgrade::upgrade_intrinsics;
pub use drop_unused::{drop_unused, drop_unused_but};
pub use internalize::internalize;
use rustc_hash::{FxHashMap, FxHashSet};
use transfer::Transfer;
use warpc_diag::{Code, Diagnostics, Severity, SourceFile, codes};

/// What is asked of the linker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Take from the second module on only what the modules before refer to and lack.
    pub only_needed: bool,
    /// Make internal what the second and further modules bring: libraries of device functions.
    pub internalize_added: bool,
}

/// A place in the text of one of the modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which module, counted from zero.
    pub module: usize,
    /// The byte where it starts.
    pub pos: u32,
}

/// Something wrong with modules together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// How bad it is.
    pub severity: Severity,
    /// Which entry of the registry explains it.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub text: String,
    /// What to do.
    pub help: &'static str,
    /// The places it is about, the one added last first; empty if it has none.
    pub places: Vec<Place>,
    /// The module that was being added.
    pub module: usize,
}

/// What linking gave.
#[derive(Debug)]
pub struct Linked {
    /// The module. Only to be used if there are no errors.
    pub module: Module,
    /// Errors and warnings.
    pub messages: Vec<Message>,
}

impl Linked {
    /// Whether there are errors.
    pub fn has_errors(&self) -> bool {
        self.messages
            .iter()
            .any(|message| message.severity == Severity::Error)
    }

    /// Checks the result: modules that are right can make one that is not, if a function is defined
    /// otherwise than it is called. What is wrong, and the text that the messages point into.
    pub fn verify(&self) -> Result<(), (SourceFile, Diagnostics)> {
        let found = crate::verify(&self.module);
        if !found.has_errors() {
            return Ok(());
        }
        // Places in the module are places in several files: the printed module has all in one.
        let name = "linked module";
        let Some(file) = SourceFile::new(name, crate::print(&self.module)) else {
            let empty = SourceFile::new(name, "").expect("an empty text is not too long");
            return Err((empty, found));
        };
        let read = crate::read_text(&file);
        let mut again = read.diagnostics;
        if let Some(module) = &read.value {
            again.append(crate::verify(module));
        }
        let found = if again.has_errors() { again } else { found };
        Err((file, found))
    }
}

/// Links modules into one.
///
/// ```
/// let read = |text: &str| {
///     let file = warpc_diag::SourceFile::new("x.ll", text).unwrap();
///     warpc_nvvm::read_text(&file).unwrap()
/// };
/// let a = read("declare i32 @f()\ndefine i32 @g() {\n  %x = call i32 @f()\n  ret i32 %x\n}\n");
/// let b = read("define i32 @f() {\n  ret i32 7\n}\n");
/// let linked = warpc_nvvm::link(vec![a, b], warpc_nvvm::LinkOptions::default());
/// assert!(!linked.has_errors());
/// assert!(warpc_nvvm::print(&linked.module).contains("define i32 @f()"));
/// ```
pub fn link(modules: Vec<Module>, options: Options) -> Linked {
    let modules = modules.into_iter().enumerate();
    link_each(modules.map(|(index, module)| match index {
        0 => (module, Options::default()),
        _ => (module, options),
    }))
}

/// The same, with options for each module: libraries can come before and between modules that are taken whole. What
/// is needed is what the modules before it refer to and lack.
pub fn link_each(modules: impl IntoIterator<Item = (Module, Options)>) -> Linked {
    let mut linker = Linker::default();
    for (index, (mut module, options)) in modules.into_iter().enumerate() {
        // Modules of different ages declare one intrinsic with different types.
        upgrade_intrinsics(&mut module);
        let added = Transfer::new(&mut linker, module, index, options.only_needed).run();
        if linker.failed {
            break;
        }
        if options.internalize_added {
            let names = &linker.module.names;
            let added: FxHashSet<Vec<u8>> = added
                .into_iter()
                .map(|name| names.bytes(name).to_vec())
                .collect();
            // Comdats keep their numbers while modules are added.
            internalize::make_internal(&mut linker.module, |name| !added.contains(name));
        }
    }
    comdat::drop_unused_comdats(&mut linker.module);
    Linked {
        module: linker.module,
        messages: linker.messages,
    }
}

/// The result so far, and tables to find things in it.
#[derive(Default)]
struct Linker {
    module: Module,
    /// Globals by name.
    by_name: FxHashMap<Name, GlobalId>,
    /// Where each global comes from, by number.
    origins: Vec<Place>,
    /// Comdats by name.
    comdats: FxHashMap<Name, ComdatId>,
    /// Named structs by their fields and whether they are packed.
    structs_by_fields: FxHashMap<(TypeList, bool), StructId>,
    /// Named structs by name.
    structs_by_name: FxHashMap<Name, StructId>,
    /// The last number put after a name of a struct.
    struct_suffix: u32,
    /// The last number put after a name of a global.
    global_suffix: u32,
    /// Nodes of debug information that are one across modules because the language says so.
    one_definition: metadata::OneDefinition,
    /// Wide numbers of metadata, so that equal nodes have equal fields.
    wide: FxHashMap<(bool, u64), FieldValue>,
    messages: Vec<Message>,
    failed: bool,
}

impl Linker {
    fn error(&mut self, module: usize, text: String, help: &'static str, places: Vec<Place>) {
        self.failed = true;
        self.messages.push(Message {
            severity: Severity::Error,
            code: codes::LINK_CONFLICT,
            text,
            help,
            places,
            module,
        });
    }

    fn warning(&mut self, module: usize, text: String, help: &'static str) {
        self.messages.push(Message {
            severity: Severity::Warning,
            code: codes::LINK_DIFFERENCE,
            text,
            help,
            places: Vec::new(),
            module,
        });
    }

    /// A new global at the end, entered under its name, which must be free.
    fn add_global(&mut self, global: Global, origin: Place) -> GlobalId {
        let name = global.name;
        let id = self.module.globals.push(global);
        debug_assert_eq!(self.origins.len(), id.index());
        self.origins.push(origin);
        if let Some(name) = name {
            self.by_name.insert(name, id);
        }
        id
    }

    /// The name if it is free, else the name with a number after it.
    fn free_name(&mut self, name: Name) -> Name {
        if !self.by_name.contains_key(&name) {
            return name;
        }
        let base = self.module.names.bytes(name).to_vec();
        loop {
            self.global_suffix += 1;
            let mut text = base.clone();
            text.extend_from_slice(format!(".{}", self.global_suffix).as_bytes());
            let candidate = self.module.names.intern(&text);
            if !self.by_name.contains_key(&candidate) {
                return candidate;
            }
        }
    }
}
