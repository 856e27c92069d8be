//! Nodes of debug information: what their fields may refer to.
//!
//! LLVM drops the debug information of a module in which one is broken, and takes the rest. Nodes that
//! other named metadata leads to stay, and are errors then; the others give warnings.

use super::Verifier;
use crate::index::Id;
use crate::metadata::{FieldValue, Md, MdRef, NodeId, NodeKind};
use crate::name::Name;
use rustc_hash::FxHashSet;
use warpc_diag::{Diagnostic, Span, codes};

/// What a field may refer to. `null` is always right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum To {
    Type,
    Scope,
    LocalScope,
    /// A node that describes something.
    Node,
    /// Nodes of these kinds.
    Kinds(&'static [&'static str]),
    /// A list of such.
    ListOf(&'static To),
    /// A constant, variable or expression.
    Bound,
    /// A constant, variable, expression, or a node of this kind.
    BoundOr(&'static str),
    /// A type, or a subprogram that is only declared.
    Retained,
    /// An enumeration.
    Enumeration,
}

const TYPES: &[&str] = &[
    "DIBasicType",
    "DIDerivedType",
    "DICompositeType",
    "DISubroutineType",
    "DIStringType",
    "DIFixedPointType",
    "DISubrangeType",
];
const LOCAL_SCOPES: &[&str] = &["DISubprogram", "DILexicalBlock", "DILexicalBlockFile"];
const SCOPES: &[&str] = &[
    "DIFile",
    "DINamespace",
    "DIModule",
    "DICompileUnit",
    "DICommonBlock",
];
const VARIABLES: &[&str] = &["DILocalVariable", "DIGlobalVariable", "DIExpression"];
const FILE: To = To::Kinds(&["DIFile"]);
const PARAMETER: To = To::Kinds(&["DITemplateTypeParameter", "DITemplateValueParameter"]);
const GLOBAL: To = To::Kinds(&["DIGlobalVariableExpression"]);
const ENTITY: To = To::Kinds(&["DIImportedEntity"]);
const MACRO: To = To::Kinds(&["DIMacro", "DIMacroFile"]);
const RETAINED: To = To::Kinds(&["DILocalVariable", "DILabel", "DIImportedEntity"]);
const TYPE: To = To::Type;
const LIMIT: To = To::BoundOr("DIDerivedType");

/// What the fields of nodes refer to.
const FIELDS: &[(&str, &[(&str, To)])] = &[
    (
        "DILocation",
        &[
            ("scope", To::LocalScope),
            ("inlinedAt", To::Kinds(&["DILocation"])),
        ],
    ),
    (
        "DIDerivedType",
        &[
            ("scope", To::Scope),
            ("baseType", TYPE),
            ("file", FILE),
            ("size", To::Bound),
        ],
    ),
    (
        "DICompositeType",
        &[
            ("scope", To::Scope),
            ("baseType", TYPE),
            ("file", FILE),
            ("vtableHolder", TYPE),
            ("templateParams", To::ListOf(&PARAMETER)),
            ("discriminator", To::Kinds(&["DIDerivedType"])),
            ("size", To::Bound),
        ],
    ),
    ("DISubroutineType", &[("types", To::ListOf(&TYPE))]),
    (
        "DICompileUnit",
        &[
            ("file", FILE),
            ("enums", To::ListOf(&To::Enumeration)),
            ("retainedTypes", To::ListOf(&To::Retained)),
            ("globals", To::ListOf(&GLOBAL)),
            ("imports", To::ListOf(&ENTITY)),
            ("macros", To::ListOf(&MACRO)),
        ],
    ),
    (
        "DISubprogram",
        &[
            ("scope", To::Scope),
            ("file", FILE),
            ("type", To::Kinds(&["DISubroutineType"])),
            ("containingType", TYPE),
            ("templateParams", To::ListOf(&PARAMETER)),
            ("declaration", To::Kinds(&["DISubprogram"])),
            ("unit", To::Kinds(&["DICompileUnit"])),
            ("retainedNodes", To::ListOf(&RETAINED)),
            ("thrownTypes", To::ListOf(&TYPE)),
        ],
    ),
    (
        "DILexicalBlock",
        &[("scope", To::LocalScope), ("file", FILE)],
    ),
    (
        "DILexicalBlockFile",
        &[("scope", To::LocalScope), ("file", FILE)],
    ),
    (
        "DICommonBlock",
        &[
            ("scope", To::Scope),
            ("declaration", To::Kinds(&["DIGlobalVariable"])),
        ],
    ),
    (
        "DIGlobalVariableExpression",
        &[
            ("var", To::Kinds(&["DIGlobalVariable"])),
            ("expr", To::Kinds(&["DIExpression"])),
        ],
    ),
    (
        "DISubrangeType",
        &[
            ("baseType", TYPE),
            ("bias", To::Bound),
            ("lowerBound", LIMIT),
            ("upperBound", LIMIT),
            ("stride", To::Bound),
        ],
    ),
    (
        "DIGenericSubrange",
        &[
            ("count", To::Bound),
            ("lowerBound", To::Bound),
            ("upperBound", To::Bound),
            ("stride", To::Bound),
        ],
    ),
    ("DINamespace", &[("scope", To::Scope)]),
    (
        "DIMacroFile",
        &[("file", FILE), ("nodes", To::ListOf(&MACRO))],
    ),
    ("DITemplateTypeParameter", &[("type", TYPE)]),
    ("DITemplateValueParameter", &[("type", TYPE)]),
    (
        "DIGlobalVariable",
        &[
            ("scope", To::Scope),
            ("file", FILE),
            ("type", TYPE),
            ("declaration", To::Kinds(&["DIDerivedType"])),
        ],
    ),
    (
        "DILocalVariable",
        &[("scope", To::LocalScope), ("file", FILE), ("type", TYPE)],
    ),
    ("DILabel", &[("scope", To::LocalScope), ("file", FILE)]),
    (
        "DIImportedEntity",
        &[("scope", To::Scope), ("file", FILE), ("entity", To::Node)],
    ),
    ("DIObjCProperty", &[("type", TYPE), ("file", FILE)]),
    (
        "DISubrange",
        &[
            ("count", To::Bound),
            ("lowerBound", To::Bound),
            ("upperBound", To::Bound),
            ("stride", To::Bound),
        ],
    ),
];

impl<'m> Verifier<'m> {
    /// Checks the nodes of debug information but plain places.
    pub(super) fn debug_references(&mut self, plain: &[bool]) {
        let module = self.module;
        let mut kept: FxHashSet<NodeId> = FxHashSet::default();
        let mut work: Vec<NodeId> = Vec::new();
        for named in &module.metadata.named {
            if !module.names.bytes(named.name).starts_with(b"llvm.dbg.") {
                work.extend(&named.nodes);
            }
        }
        while let Some(node) = work.pop() {
            if kept.insert(node) {
                let fields = module.metadata.fields(node).iter();
                work.extend(fields.filter_map(|field| match field.value {
                    FieldValue::Md(md) => md.node(),
                    FieldValue::List(list) => Some(list),
                    _ => None,
                }));
            }
        }
        for node in module.metadata.ids() {
            let NodeKind::Special(kind) = module.metadata.node(node).kind else {
                continue;
            };
            if plain[node.index()] {
                continue;
            }
            let is_kept = kept.contains(&node);
            if !is_kept && !self.debug.current {
                continue;
            }
            if let Some(rule) = self.wrong_node(node, kind) {
                let message = format!("a `!{}` {rule}", module.names.text(kind));
                let place = module.metadata.place(node);
                let span = Span::new(place, place + 1);
                self.found.push(match is_kept {
                    true => Diagnostic::error(codes::IR_METADATA, span, message),
                    false => Diagnostic::warning(codes::IR_DEBUG, span, message),
                });
            }
        }
    }

    /// The rule that a node breaks.
    fn wrong_node(&self, node: NodeId, kind: Name) -> Option<String> {
        let kind = self.module.names.bytes(kind);
        if let Some((_, fields)) = FIELDS.iter().find(|row| row.0.as_bytes() == kind) {
            for &(name, to) in *fields {
                if let Some(FieldValue::Md(md)) = self.node_field(node, name)
                    && !self.leads_to(md, to)
                {
                    return Some(format!("refers to something else in `{name}`"));
                }
            }
        }
        self.wrong_node_of(node, kind)
    }

    /// Whether metadata is what a field wants.
    pub(super) fn leads_to(&self, md: MdRef, to: To) -> bool {
        let node = match (md.get(), to) {
            (Md::Null, _) | (Md::Const(_), To::Bound | To::BoundOr(_)) => return true,
            (Md::Node(node), _) => node,
            _ => return false,
        };
        let kind = self.node_kind(node);
        let among = |kinds: &[&str]| kinds.iter().any(|known| known.as_bytes() == kind);
        match to {
            To::Type => among(TYPES),
            To::LocalScope => among(LOCAL_SCOPES),
            To::Scope => among(TYPES) || among(LOCAL_SCOPES) || among(SCOPES),
            To::Node => !kind.is_empty() && !among(&["DILocation", "DIExpression"]),
            To::Kinds(kinds) => among(kinds),
            To::Bound => among(VARIABLES),
            To::BoundOr(other) => among(VARIABLES) || among(&[other]),
            To::Retained => among(TYPES) || kind == b"DISubprogram" && !self.is_definition(node),
            To::Enumeration => {
                kind == b"DICompositeType"
                    && self.node_word(node, "tag") == Some(b"DW_TAG_enumeration_type")
            }
            To::ListOf(inner) => {
                kind.is_empty() && self.tuple(node).iter().all(|&md| self.leads_to(md, *inner))
            }
        }
    }
}
