//! Nodes of debug information: what their fields may refer to.
//!
//! LLVM drops the debug information of a module in which one is broken, and takes the rest. Nodes that
//! other named metadata leads to stay, and are errors then; the others give warnings.

use super::Verifier;
use crate::metadata::{FieldValue, Md, MdRef, NodeId, NodeKind};
use crate::name::Name;
use rustc_hash::FxHashSet;
use warpc_diag::{Diagnostic, Span, codes};

/// What a field may refer to. `null` is always right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum To {
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
        &[("scope", To::Scope), ("baseType", TYPE), ("file", FILE)],
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
        ],
    ),
    ("DISubroutineType", &[("types", To::ListOf(&TYPE))]),
    (
        "DICompileUnit",
        &[
            ("file", FILE),
            ("enums", To::ListOf(&To::Kinds(&["DICompositeType"]))),
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
    ("DICommonBlock", &[("scope", To::Scope), ("file", FILE)]),
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

/// The tags of nodes, without `DW_TAG_`.
const TAGS: &[(&str, &[&str])] = &[
    (
        "DIBasicType",
        &["base_type", "unspecified_type", "string_type"],
    ),
    (
        "DIDerivedType",
        &[
            "typedef",
            "pointer_type",
            "ptr_to_member_type",
            "reference_type",
            "rvalue_reference_type",
            "const_type",
            "immutable_type",
            "volatile_type",
            "restrict_type",
            "atomic_type",
            "LLVM_ptrauth_type",
            "member",
            "variable",
            "inheritance",
            "friend",
            "set_type",
            "template_alias",
        ],
    ),
    (
        "DICompositeType",
        &[
            "array_type",
            "structure_type",
            "union_type",
            "enumeration_type",
            "class_type",
            "variant_part",
            "variant",
            "namelist",
        ],
    ),
    (
        "DITemplateValueParameter",
        &[
            "template_value_parameter",
            "GNU_template_template_param",
            "GNU_template_parameter_pack",
        ],
    ),
    (
        "DIImportedEntity",
        &["imported_module", "imported_declaration"],
    ),
];

/// Fields of composite types that only arrays have.
const OF_ARRAYS: &[&str] = &["dataLocation", "associated", "allocated", "rank"];

impl<'m> Verifier<'m> {
    /// Checks the nodes of debug information.
    pub(super) fn debug_references(&mut self) {
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
                    _ => None,
                }));
            }
        }
        for node in module.metadata.ids() {
            let NodeKind::Special(kind) = module.metadata.node(node).kind else {
                continue;
            };
            let is_kept = kept.contains(&node);
            if !is_kept && !self.debug.current {
                continue;
            }
            if let Some(rule) = self.wrong_node(node, kind) {
                let message = format!("a `!{}` {rule}", module.names.text(kind));
                let span = Span::new(0, 1);
                self.found.push(match is_kept {
                    true => Diagnostic::error(codes::IR_METADATA, span, message),
                    false => Diagnostic::warning(codes::IR_DEBUG, span, message),
                });
            }
        }
    }

    fn field(&self, node: NodeId, name: &str) -> Option<FieldValue> {
        let name = self.module.names.find(name.as_bytes())?;
        self.module.metadata.field(node, name)
    }

    /// The word of a field.
    fn word(&self, node: NodeId, name: &str) -> Option<&'m [u8]> {
        match self.field(node, name)? {
            FieldValue::Word(word) | FieldValue::Text(word) => Some(self.module.names.bytes(word)),
            _ => None,
        }
    }

    /// Whether a field is there and not `null`.
    fn has(&self, node: NodeId, name: &str) -> bool {
        match self.field(node, name) {
            Some(FieldValue::Md(md)) => md.get() != Md::Null,
            value => value.is_some(),
        }
    }

    /// The rule that a node breaks.
    fn wrong_node(&self, node: NodeId, kind: Name) -> Option<String> {
        let kind = self.module.names.bytes(kind);
        let of_kind = |row: &&str| row.as_bytes() == kind;
        if let Some((_, fields)) = FIELDS.iter().find(|row| of_kind(&row.0)) {
            for &(name, to) in *fields {
                if let Some(FieldValue::Md(md)) = self.field(node, name)
                    && !self.leads_to(md, to)
                {
                    return Some(format!("refers to something else in `{name}`"));
                }
            }
        }
        let tag = self
            .word(node, "tag")
            .and_then(|tag| tag.strip_prefix(b"DW_TAG_"));
        if let (Some((_, tags)), Some(tag)) = (TAGS.iter().find(|row| of_kind(&row.0)), tag)
            && !tags.iter().any(|known| known.as_bytes() == tag)
        {
            return Some(String::from("has a tag of something else"));
        }
        match kind {
            b"DICompositeType" => {
                let is_array = tag == Some(b"array_type");
                let only_arrays = OF_ARRAYS.iter().find(|name| self.has(node, name));
                if let Some(name) = only_arrays.filter(|_| !is_array) {
                    return Some(format!("has `{name}`, which is for arrays"));
                }
                if is_array && !self.has(node, "baseType") {
                    return Some(String::from("of an array has no `baseType`"));
                }
                if self.has(node, "discriminator") && tag != Some(b"variant_part") {
                    return Some(String::from(
                        "has a `discriminator`, which is for variant parts",
                    ));
                }
                let flags = self.word(node, "flags").unwrap_or_default();
                let is_vector = flags.windows(12).any(|part| part == b"DIFlagVector");
                let elements = match self.field(node, "elements") {
                    Some(FieldValue::Md(md)) => md.node(),
                    _ => None,
                };
                if let Some(elements) = elements
                    && self.module.metadata.node(elements).kind != NodeKind::Tuple
                {
                    return Some(String::from("refers to something else in `elements`"));
                }
                let count = elements.map_or(0, |list| self.module.metadata.fields(list).len());
                (is_vector && count != 1).then(|| String::from("of a vector has one subrange"))
            }
            b"DIFile" => {
                let sum = self.word(node, "checksum")?;
                let len = match self.word(node, "checksumkind")? {
                    b"CSK_MD5" => 32,
                    b"CSK_SHA1" => 40,
                    b"CSK_SHA256" => 64,
                    _ => return Some(String::from("has an unknown `checksumkind`")),
                };
                (sum.len() != len || !sum.iter().all(u8::is_ascii_hexdigit))
                    .then(|| String::from("has a `checksum` of the wrong length"))
            }
            b"DIMacro" => {
                let known = [&b"DW_MACINFO_define"[..], b"DW_MACINFO_undef"];
                let kind = self.word(node, "type")?;
                (!known.contains(&kind)).then(|| String::from("neither defines nor undefines"))
            }
            b"DISubrange" => (self.has(node, "count") && self.has(node, "upperBound"))
                .then(|| String::from("has both `count` and `upperBound`")),
            b"DIGlobalVariable" => {
                let declared = self.word(node, "isDefinition") == Some(b"false");
                (!declared && !self.has(node, "type")).then(|| String::from("has no `type`"))
            }
            _ => None,
        }
    }

    /// Whether metadata is what a field wants.
    fn leads_to(&self, md: MdRef, to: To) -> bool {
        let node = match (md.get(), to) {
            (Md::Null, _) | (Md::Const(_), To::Bound) => return true,
            (Md::Node(node), _) => node,
            _ => return false,
        };
        let kind = match self.module.metadata.node(node).kind {
            NodeKind::Special(kind) => self.module.names.bytes(kind),
            NodeKind::Tuple => b"",
        };
        let among = |kinds: &[&str]| kinds.iter().any(|known| known.as_bytes() == kind);
        match to {
            To::Type => among(TYPES),
            To::LocalScope => among(LOCAL_SCOPES),
            To::Scope => among(TYPES) || among(LOCAL_SCOPES) || among(SCOPES),
            To::Node => !kind.is_empty() && !among(&["DILocation", "DIExpression"]),
            To::Kinds(kinds) => among(kinds),
            To::Bound => among(VARIABLES),
            To::ListOf(inner) => {
                kind.is_empty() && self.tuple(node).iter().all(|&md| self.leads_to(md, *inner))
            }
        }
    }
}
