//! The verifier: whether a module means something.
//!
//! [`verify`] checks what LLVM's verifier checks, so that a module of any producer that LLVM takes is
//! taken here, and one that it refuses is refused. [`verify_nvvm`] checks on top of it what holds for
//! modules that become code for a GPU. Both report all they find; each message names the rule and points
//! at the instruction or global that breaks it.
//!
//! | file | code | rules |
//! |------|------|-------|
//! | `body` | W0811 | one terminator a block, at its end; phis first, one entry an edge; nobody goes to the entry |
//! | `body` | W0812 | a value is made before it is used, on every path |
//! | `instruction` | W0813 | the types of operands and results fit the instruction |
//! | `memory` | W0814 | what is loaded, stored, allocated has a size; orders, scopes and sizes of atomics; GEP indices |
//! | `call`, `asm`, `convergence` | W0815 | arguments fit the signature; operand bundles; `musttail`; inline assembly |
//! | `attribute`, `attribute_list`, `attribute_text` | W0816 | attributes stand where they may, on types they may, beside what they may |
//! | `global` | W0817 | linkage, visibility, initialisers, comdats; aliases and ifuncs lead to definitions |
//! | `function` | W0818 | signatures, calling conventions, what declarations may not have |
//! | `exception` | W0819 | landing pads and funclets are entered and left as they must be |
//! | `intrinsic`, `intrinsic_rule` | W0820 | intrinsics have the signature their name says, constants where they want constants |
//! | `metadata`, `attachment`, `tbaa` | W0821 | module flags, and what attachments hold |
//! | `debug_field`, `debug_schema` | W0821 | nodes of debug information have the fields they must, with values that can be |
//! | `debug`, `debug_node`, `debug_rule`, `debug_expression` | W0822 | debug information; warnings, as LLVM drops what is broken and goes on |
//! | `constant` | W0823 | constant expressions |
//! | `nvvm` | W0831 … | NVVM: version, constructors, address spaces, what a GPU does not have |
//!
//! All of it takes time in the size of the module: what is interned (attribute lists, call sites,
//! constants, metadata nodes) is checked once.

/// Reports by a method of the verifier unless a condition holds. The message is made only then.
macro_rules! rule {
    ($self:ident.$method:ident, $holds:expr, $($message:tt)+) => {{
        let holds = $holds;
        if !holds {
            let message = format!($($message)+);
            $self.$method(false, message);
        }
        holds
    }};
    ($self:ident.check[$code:expr], $holds:expr, $($message:tt)+) => {{
        let holds = $holds;
        if !holds {
            let message = format!($($message)+);
            $self.error($code, message);
        }
        holds
    }};
}

mod asm;
mod attachment;
pub(crate) mod attribute;
mod attribute_list;
mod attribute_text;
mod body;
mod call;
mod constant;
mod convergence;
mod debug;
mod debug_expression;
mod debug_field;
mod debug_location;
mod debug_node;
mod debug_rule;
mod debug_schema;
mod exception;
mod function;
mod global;
mod instruction;
mod intrinsic;
mod intrinsic_rule;
pub(crate) mod layout;
mod memory;
mod metadata;
mod nvvm;
mod tbaa;
mod types;

pub use nvvm::{NvvmOptions, verify_nvvm, verify_version};

use crate::attribute::{AttrList, AttrSet};
use crate::index::Id;
use crate::inst::CallSiteId;
use crate::module::{GlobalId, GlobalKind, Module};
use crate::types::TypeId;
use layout::Layout;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_diag::{Code, Diagnostic, Diagnostics, Span};

/// Checks a module as LLVM does.
///
/// Errors say that it is broken; warnings, that its debug information is.
pub fn verify(module: &Module) -> Diagnostics {
    let mut verifier = Verifier::new(module);
    verifier.made_types();
    verifier.recursive_types();
    verifier.globals();
    verifier.constants();
    verifier.functions();
    verifier.named_metadata();
    verifier.found.sort_by_place();
    verifier.found
}

/// What a function is to the verifier, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Callee {
    /// Any function.
    Plain,
    /// One whose name says that it is an intrinsic, but none that is known here.
    Unknown,
    /// An intrinsic of the table.
    Known(&'static crate::intrinsic::Row),
}

/// How an attribute list is used; the rules differ a little.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ListUse {
    Function,
    Intrinsic,
    Call,
    IntrinsicCall,
    AsmCall,
}

/// Checks one module.
struct Verifier<'m> {
    module: &'m Module,
    layout: Layout,
    found: Diagnostics,
    /// Whether there are convergence tokens.
    tokens: bool,
    /// Where what is checked now stands in the text.
    at: u32,
    /// By global: what it is as a callee.
    callees: Vec<Callee>,
    types: types::TypeFacts,
    /// By constant: whether it was checked.
    seen: Vec<bool>,
    attr_sets: FxHashMap<AttrSet, attribute::Kinds>,
    attr_lists: FxHashSet<(AttrList, TypeId, ListUse)>,
    call_sites: FxHashSet<(CallSiteId, ListUse)>,
    /// Aliases that were checked and end somewhere.
    aliases: FxHashSet<GlobalId>,
    attachments: FxHashMap<crate::name::Name, attachment::AttachmentKind>,
    tbaa: tbaa::Checked,
    debug: debug::Checked,
    /// Names of fields by the address and length of their text.
    words: std::cell::RefCell<FxHashMap<(usize, usize), Option<crate::name::Name>>>,
}

impl<'m> Verifier<'m> {
    fn new(module: &'m Module) -> Verifier<'m> {
        let callees = module
            .globals
            .iter()
            .map(|(_, global)| match (&global.kind, global.name) {
                (GlobalKind::Function(_), Some(name)) => {
                    intrinsic::callee(module.names.bytes(name))
                }
                _ => Callee::Plain,
            })
            .collect();
        let mut verifier = Verifier {
            module,
            tokens: false,
            layout: Layout::of(module),
            found: Diagnostics::new(),
            at: 0,
            callees,
            types: types::TypeFacts::new(module),
            seen: vec![false; module.constants.len()],
            attr_sets: FxHashMap::default(),
            attr_lists: FxHashSet::default(),
            call_sites: FxHashSet::default(),
            aliases: FxHashSet::default(),
            attachments: attachment::attachment_kinds(module),
            tbaa: tbaa::Checked::default(),
            debug: debug::Checked::new(module),
            words: Default::default(),
        };
        verifier.tokens = verifier.has_convergence_tokens();
        verifier
    }

    /// Reports an error at the current place.
    fn error(&mut self, code: Code, message: impl Into<String>) {
        let span = Span::new(self.at, self.at + 1);
        self.found.push(Diagnostic::error(code, span, message));
    }

    /// Reports an error at the current place unless a condition holds.
    fn check(&mut self, holds: bool, code: Code, message: impl Into<String>) -> bool {
        if !holds {
            self.error(code, message);
        }
        holds
    }

    /// What a global is as a callee.
    fn callee(&self, global: GlobalId) -> Callee {
        self.callees[global.index()]
    }

    /// The name of a global for messages.
    fn name_of(&self, global: GlobalId) -> String {
        match self.module.globals[global].name {
            Some(name) => format!("@{}", self.module.names.text(name)),
            None => String::from("a global without a name"),
        }
    }
}

#[cfg(test)]
mod tests;
