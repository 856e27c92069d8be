//! Debug information of functions: the places that instructions come from.
//!
//! LLVM drops debug information that is broken and goes on; the rules here give warnings.

use super::Verifier;
use super::body::Code;
use super::debug_location::LocationWords;
use crate::metadata::{FieldValue, Md, NodeId};
use crate::module::{Global, GlobalId, GlobalKind, Module};
use crate::name::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_diag::{Diagnostic, Span, codes};

/// What is known of the debug information of a module.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// Whether it has the version that LLVM reads.
    pub(super) current: bool,
    /// The subprogram of each function that was seen.
    subprograms: FxHashMap<NodeId, GlobalId>,
    pub(super) location: LocationWords,
    words: Words,
}

/// Names of kinds of nodes.
#[derive(Clone, Copy, Debug)]
struct Words {
    subprogram: Option<Name>,
    block: Option<Name>,
    block_file: Option<Name>,
    dbg: Option<Name>,
}

impl Checked {
    pub(super) fn new(module: &Module) -> Checked {
        let find = |word: &str| module.names.find(word.as_bytes());
        Checked {
            current: has_current_version(module),
            subprograms: FxHashMap::default(),
            location: LocationWords::of(module),
            words: Words {
                subprogram: find("DISubprogram"),
                block: find("DILexicalBlock"),
                block_file: find("DILexicalBlockFile"),
                dbg: find("dbg"),
            },
        }
    }
}

/// Whether the module flag for debug information says version 3.
fn has_current_version(module: &Module) -> bool {
    let Some(flags) = module.names.find(b"llvm.module.flags") else {
        return false;
    };
    let Some(flags) = module.metadata.named(flags) else {
        return false;
    };
    flags.nodes.iter().any(|&flag| {
        let name = module.metadata.operand(flag, 1).map(|md| md.get());
        let version = module.metadata.operand(flag, 2).map(|md| md.get());
        match (name, version) {
            (Some(Md::String(name)), Some(Md::Const(version))) => {
                module.names.bytes(name) == b"Debug Info Version"
                    && module.constants.as_u64(version) == Some(3)
            }
            _ => false,
        }
    })
}

impl<'m> Verifier<'m> {
    fn debug_rule(&mut self, holds: bool, message: impl Into<String>) {
        if !holds {
            let span = Span::new(self.at, self.at + 1);
            let warning = Diagnostic::warning(codes::IR_DEBUG, span, message);
            self.found
                .push(warning.help("debug information that is broken is dropped"));
        }
    }

    /// The subprogram of a function.
    fn subprogram(&self, global: &Global) -> Option<NodeId> {
        let dbg = self.debug.words.dbg?;
        let mut all = global.metadata.iter().filter(|a| a.kind == dbg);
        all.find_map(|attachment| attachment.node.node())
    }

    /// Checks the places that the instructions of a body come from.
    pub(super) fn debug_of_body(&mut self, code: &Code<'m>) {
        if !self.debug.current {
            return;
        }
        let Some(own) = self.subprogram(code.global) else {
            return;
        };
        let words = self.debug.words;
        self.at = code.global.pos;
        let is_subprogram = self.is_kind(own, words.subprogram);
        self.debug_rule(
            is_subprogram,
            "`!dbg` of a function must be a `!DISubprogram`",
        );
        if !is_subprogram {
            return;
        }
        let distinct = self.module.metadata.node(own).distinct;
        self.debug_rule(
            distinct,
            "the `!DISubprogram` of a function with a body must be distinct",
        );
        let other = self.debug.subprograms.insert(own, code.id);
        self.debug_rule(
            other.is_none_or(|other| other == code.id),
            "two functions have one `!DISubprogram`",
        );
        let mut seen = FxHashSet::default();
        let mut last = None;
        for &block in &code.body.order {
            for &id in &code.body.blocks[block].insts {
                let inst = &code.body.insts[id];
                self.at = inst.pos;
                match inst.location() {
                    Some(location) if last == Some(location) => {}
                    Some(location) if seen.insert(location) => {
                        let fits = self.is_kind(location, self.debug.location.kind);
                        self.debug_rule(fits, "`!dbg` of an instruction must be a `!DILocation`");
                        let owner = self.owner(location);
                        self.debug_rule(
                            !fits || owner.is_none_or(|owner| owner == own),
                            "`!dbg` leads to the subprogram of another function",
                        );
                    }
                    None if inst.op.call_site().is_some() => self.call_without_place(code, id),
                    _ => {}
                }
                last = inst.location();
            }
        }
    }

    /// A call that may be inlined must say where it stands.
    fn call_without_place(&mut self, code: &Code<'m>, id: crate::value::InstId) {
        let Some(site) = code.body.insts[id].op.call_site() else {
            return;
        };
        let call = code.body.call(id, self.module.call_sites.get(site));
        let Some((global, function)) = self.function_at(call.callee) else {
            return;
        };
        let inlinable = function.body.is_some()
            && !self.is_interposable(global)
            && matches!(self.module.globals[global].kind, GlobalKind::Function(_))
            && self.subprogram(&self.module.globals[global]).is_some();
        self.debug_rule(
            !inlinable,
            "a call of a function with debug information must have `!dbg`",
        );
    }

    /// The subprogram that a location is in, through what is inlined and blocks.
    fn owner(&self, location: NodeId) -> Option<NodeId> {
        let metadata = &self.module.metadata;
        let follow = |node: NodeId, field: Option<Name>| match metadata.field(node, field?)? {
            FieldValue::Md(md) => md.node(),
            _ => None,
        };
        let words = self.debug.words;
        let mut at = location;
        // Chains are short; a cycle would not end.
        for _ in 0..1000 {
            match follow(at, self.debug.location.inlined_at) {
                Some(next) => at = next,
                None => break,
            }
        }
        let mut scope = follow(at, self.debug.location.scope)?;
        for _ in 0..1000 {
            if self.is_kind(scope, words.subprogram) {
                return Some(scope);
            }
            if !self.is_kind(scope, words.block) && !self.is_kind(scope, words.block_file) {
                return None;
            }
            scope = follow(scope, self.debug.location.scope)?;
        }
        None
    }
}
