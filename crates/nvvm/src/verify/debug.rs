//! Debug information.
//!
//! A node without a field that its kind requires cannot be read by LLVM: that is an error. Beyond that
//! LLVM drops debug information that is broken and goes on; the rules here give warnings.

use super::Verifier;
use super::body::Code;
use crate::metadata::{FieldValue, Md, NodeId, NodeKind};
use crate::module::{Global, GlobalId, GlobalKind, Module};
use crate::name::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_diag::{Diagnostic, Span, codes};

/// What a field must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Must {
    /// There.
    Be,
    /// There, and not `null`.
    Refer,
    /// A text that is not empty, if there.
    BeNamed,
}

/// The fields that nodes must have.
const REQUIRED: &[(&str, &[(&str, Must)])] = &[
    ("DILocation", &[("scope", Must::Refer)]),
    ("GenericDINode", &[("tag", Must::Be)]),
    ("DIEnumerator", &[("name", Must::Be), ("value", Must::Be)]),
    (
        "DIDerivedType",
        &[("tag", Must::Be), ("baseType", Must::Be)],
    ),
    ("DICompositeType", &[("tag", Must::Be)]),
    ("DISubroutineType", &[("types", Must::Be)]),
    ("DIFile", &[("filename", Must::Be), ("directory", Must::Be)]),
    ("DICompileUnit", &[("file", Must::Refer)]),
    ("DILexicalBlock", &[("scope", Must::Refer)]),
    (
        "DILexicalBlockFile",
        &[("scope", Must::Refer), ("discriminator", Must::Be)],
    ),
    ("DICommonBlock", &[("scope", Must::Be)]),
    ("DINamespace", &[("scope", Must::Be)]),
    ("DIMacro", &[("type", Must::Be), ("name", Must::Be)]),
    ("DIMacroFile", &[("file", Must::Be)]),
    ("DIModule", &[("scope", Must::Be), ("name", Must::Be)]),
    ("DITemplateTypeParameter", &[("type", Must::Be)]),
    ("DITemplateValueParameter", &[("value", Must::Be)]),
    ("DIGlobalVariable", &[("name", Must::BeNamed)]),
    ("DILocalVariable", &[("scope", Must::Refer)]),
    (
        "DILabel",
        &[
            ("scope", Must::Refer),
            ("name", Must::Be),
            ("file", Must::Be),
            ("line", Must::Be),
        ],
    ),
    (
        "DIGlobalVariableExpression",
        &[("var", Must::Be), ("expr", Must::Be)],
    ),
    (
        "DIImportedEntity",
        &[("tag", Must::Be), ("scope", Must::Be)],
    ),
];

/// The fields that nodes may have, in LLVM 22.
const FIELDS: &[(&str, &str)] = &[
    (
        "DILocation",
        "atomGroup atomRank column inlinedAt isImplicitCode line scope",
    ),
    ("GenericDINode", "header operands tag"),
    ("DISubrange", "count lowerBound stride upperBound"),
    ("DIGenericSubrange", "count lowerBound stride upperBound"),
    ("DIEnumerator", "isUnsigned name value"),
    (
        "DIBasicType",
        "align dataSize encoding flags name num_extra_inhabitants size tag",
    ),
    (
        "DIFixedPointType",
        "align denominator encoding factor flags kind name numerator size tag",
    ),
    (
        "DIStringType",
        "align encoding name size stringLength stringLengthExpression stringLocationExpression tag",
    ),
    (
        "DIDerivedType",
        "align annotations baseType dwarfAddressSpace extraData file flags line name offset ptrAuthAuthenticatesNullValues ptrAuthExtraDiscriminator ptrAuthIsAddressDiscriminated ptrAuthIsaPointer ptrAuthKey scope size tag",
    ),
    (
        "DISubrangeType",
        "align baseType bias file flags line lowerBound name scope size stride upperBound",
    ),
    (
        "DICompositeType",
        "align allocated annotations associated baseType bitStride dataLocation discriminator elements enumKind file flags identifier line name num_extra_inhabitants offset rank runtimeLang scope size specification tag templateParams vtableHolder",
    ),
    ("DISubroutineType", "cc flags types"),
    ("DIFile", "checksum checksumkind directory filename source"),
    (
        "DICompileUnit",
        "debugInfoForProfiling dwoId emissionKind enums file flags globals imports isOptimized language macros nameTableKind producer rangesBaseAddress retainedTypes runtimeVersion sdk sourceLanguageName sourceLanguageVersion splitDebugFilename splitDebugInlining sysroot",
    ),
    (
        "DISubprogram",
        "annotations containingType declaration file flags isDefinition isLocal isOptimized keyInstructions line linkageName name retainedNodes scope scopeLine spFlags targetFuncName templateParams thisAdjustment thrownTypes type unit virtualIndex virtuality",
    ),
    ("DILexicalBlock", "column file line scope"),
    ("DILexicalBlockFile", "discriminator file scope"),
    ("DICommonBlock", "declaration file line name scope"),
    ("DINamespace", "exportSymbols name scope"),
    ("DIMacro", "line name type value"),
    ("DIMacroFile", "file line nodes type"),
    (
        "DIModule",
        "apinotes configMacros file includePath isDecl line name scope",
    ),
    ("DITemplateTypeParameter", "defaulted name type"),
    ("DITemplateValueParameter", "defaulted name tag type value"),
    (
        "DIGlobalVariable",
        "align annotations declaration file isDefinition isLocal line linkageName name scope templateParams type",
    ),
    (
        "DILocalVariable",
        "align annotations arg file flags line name scope type",
    ),
    (
        "DILabel",
        "column coroSuspendIdx file isArtificial line name scope",
    ),
    ("DIGlobalVariableExpression", "expr var"),
    (
        "DIObjCProperty",
        "attributes file getter line name setter type",
    ),
    (
        "DIImportedEntity",
        "elements entity file line name scope tag",
    ),
    ("DIAssignID", ""),
];

/// Fields that hold small numbers, and the largest.
const SMALL: &[(&str, i128)] = &[
    ("column", 65535),
    ("arg", 65535),
    ("line", u32::MAX as i128),
    ("scopeLine", u32::MAX as i128),
];

/// What is known of the debug information of a module.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// Whether it has the version that LLVM reads.
    pub(super) current: bool,
    /// The subprogram of each function that was seen.
    subprograms: FxHashMap<NodeId, GlobalId>,
    scope: Option<Name>,
    inlined_at: Option<Name>,
    words: Words,
}

/// Names of kinds of nodes.
#[derive(Clone, Copy, Debug)]
struct Words {
    location: Option<Name>,
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
            scope: find("scope"),
            inlined_at: find("inlinedAt"),
            words: Words {
                location: find("DILocation"),
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

    /// Checks the fields of all nodes.
    pub(super) fn debug_nodes(&mut self) {
        let module = self.module;
        let find = |word: &str| module.names.find(word.as_bytes());
        type Rule = (&'static str, Option<Name>, Must);
        let mut rules: FxHashMap<Name, Vec<Rule>> = FxHashMap::default();
        for (kind, fields) in REQUIRED {
            if let Some(kind) = find(kind) {
                let fields = fields.iter().map(|&(word, must)| (word, find(word), must));
                rules.insert(kind, fields.collect());
            }
        }
        let known: FxHashMap<Name, Vec<Name>> = FIELDS
            .iter()
            .filter_map(|(kind, fields)| {
                Some((find(kind)?, fields.split(' ').filter_map(find).collect()))
            })
            .collect();
        let (unit, subprogram, id) = (
            find("DICompileUnit"),
            find("DISubprogram"),
            find("DIAssignID"),
        );
        for node in module.metadata.ids() {
            let data = module.metadata.node(node);
            let NodeKind::Special(kind) = data.kind else {
                continue;
            };
            for &(word, name, must) in rules.get(&kind).map_or(&[][..], Vec::as_slice) {
                let value = name.and_then(|name| module.metadata.field(node, name));
                let fits = match (must, value) {
                    (Must::Be, value) => value.is_some(),
                    (Must::Refer, Some(FieldValue::Md(md))) => md.get() != Md::Null,
                    (Must::Refer, value) => value.is_some(),
                    (Must::BeNamed, Some(FieldValue::Text(text))) => {
                        !module.names.bytes(text).is_empty()
                    }
                    (Must::BeNamed, _) => true,
                };
                rule!(
                    self.metadata_rule,
                    fits,
                    "a `!{}` must have `{word}`",
                    module.names.text(kind)
                );
            }
            let fields = module.metadata.fields(node).iter();
            let names = fields.filter_map(|field| field.name.map(|name| name.name()));
            if let Some(known) = known.get(&kind)
                && let Some(name) = names.into_iter().find(|name| !known.contains(name))
            {
                let message = format!(
                    "a `!{}` has no field `{}`",
                    module.names.text(kind),
                    module.names.text(name)
                );
                self.metadata_rule(false, message);
            }
            let twice = module
                .metadata
                .fields(node)
                .iter()
                .enumerate()
                .any(|(at, field)| {
                    let before = &module.metadata.fields(node)[..at];
                    field.name.is_some() && before.iter().any(|other| other.name == field.name)
                });
            rule!(
                self.metadata_rule,
                !twice,
                "a `!{}` has a field twice",
                module.names.text(kind)
            );
            for (word, limit) in SMALL {
                let value = find(word).and_then(|name| module.metadata.field(node, name));
                let value = value.and_then(|value| module.metadata.number(value));
                rule!(
                    self.metadata_rule,
                    value.is_none_or(|value| (0..=*limit).contains(&value)),
                    "`{word}` of a `!{}` is a number up to {limit}",
                    module.names.text(kind)
                );
            }
            let kind = Some(kind);
            let must_be_distinct =
                kind == unit || kind == id || kind == subprogram && self.is_definition(node);
            self.metadata_rule(
                data.distinct || !must_be_distinct,
                "compile units, defined subprograms and assignments must be `distinct`",
            );
        }
    }

    /// Whether a subprogram says that it is defined.
    fn is_definition(&self, node: NodeId) -> bool {
        let module = self.module;
        let word = |field: &str| {
            let field = module.names.find(field.as_bytes())?;
            match module.metadata.field(node, field)? {
                FieldValue::Word(word) => Some(module.names.text(word)),
                _ => None,
            }
        };
        word("spFlags").is_some_and(|flags| flags.contains("DISPFlagDefinition"))
            || word("isDefinition").is_some_and(|value| value == "true")
    }

    fn is_kind(&self, node: NodeId, kind: Option<Name>) -> bool {
        kind.is_some_and(|kind| self.module.metadata.node(node).kind == NodeKind::Special(kind))
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
        for &block in &code.body.order {
            for &id in &code.body.blocks[block].insts {
                let inst = &code.body.insts[id];
                self.at = inst.pos;
                match inst.location() {
                    Some(location) if seen.insert(location) => {
                        let fits = self.is_kind(location, words.location);
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
            match follow(at, self.debug.inlined_at) {
                Some(next) => at = next,
                None => break,
            }
        }
        let mut scope = follow(at, self.debug.scope)?;
        for _ in 0..1000 {
            if self.is_kind(scope, words.subprogram) {
                return Some(scope);
            }
            if !self.is_kind(scope, words.block) && !self.is_kind(scope, words.block_file) {
                return None;
            }
            scope = follow(scope, self.debug.scope)?;
        }
        None
    }
}
