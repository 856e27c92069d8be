//! Nodes of debug information: what single kinds want.

use super::Verifier;
use super::debug_node::To;
use crate::constant::ConstKind;
use crate::metadata::{FieldValue, Md, NodeId, NodeKind};

/// Fields of composite types that only arrays have.
const OF_ARRAYS: &[&str] = &["dataLocation", "associated", "allocated", "rank"];

/// A kind of node that has one of these tags only, without `DW_TAG_`.
const TAGS: &[(&str, &[&str])] = &[
    (
        "DIBasicType",
        &["base_type", "unspecified_type", "string_type"],
    ),
    ("DIFixedPointType", &["base_type"]),
    ("DIStringType", &["string_type"]),
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

impl<'m> Verifier<'m> {
    /// Whether a field is there and not `null`.
    fn has(&self, node: NodeId, name: &'static str) -> bool {
        match self.node_field(node, name) {
            Some(FieldValue::Md(md)) => md.get() != Md::Null,
            value => value.is_some(),
        }
    }

    /// The node that a field refers to.
    fn referred(&self, node: NodeId, name: &'static str) -> Option<NodeId> {
        match self.node_field(node, name)? {
            FieldValue::Md(md) => md.node(),
            _ => None,
        }
    }

    /// The kind of a node; empty for a tuple.
    pub(super) fn node_kind(&self, node: NodeId) -> &'m [u8] {
        match self.module.metadata.node(node).kind {
            NodeKind::Special(kind) => self.module.names.bytes(kind),
            NodeKind::Tuple => b"",
        }
    }

    /// Whether the flags of a node have one.
    fn has_flag(&self, node: NodeId, flag: &str) -> bool {
        let flags = self.node_word(node, "flags").unwrap_or_default();
        let mut flags = flags.split(|&c| c == b'|').map(<[u8]>::trim_ascii);
        flags.any(|found| found == flag.as_bytes())
    }

    /// The tag of a node without `DW_TAG_`.
    fn tag(&self, node: NodeId) -> Option<&'m [u8]> {
        self.node_word(node, "tag")?.strip_prefix(b"DW_TAG_")
    }

    /// The rule that a node of a kind breaks.
    pub(super) fn wrong_node_of(&self, node: NodeId, kind: &[u8]) -> Option<String> {
        let row = TAGS.iter().find(|row| row.0.as_bytes() == kind);
        if let (Some((_, tags)), Some(tag)) = (row, self.tag(node))
            && !tags.iter().any(|known| known.as_bytes() == tag)
        {
            return Some(String::from("has a tag of something else"));
        }
        let rule = match kind {
            b"DICompositeType" => return self.wrong_composite(node),
            b"DISubprogram" => self.wrong_subprogram(node),
            b"DIDerivedType" => self.wrong_derived(node),
            b"DIFixedPointType" => self.wrong_fixed_point(node),
            b"DIFile" => self.wrong_checksum(node),
            b"DISubrange" | b"DIGenericSubrange" => self.wrong_subrange(node, kind),
            b"DIGlobalVariableExpression" => self.wrong_global(node),
            b"GenericDINode" => (self.tag(node) == Some(b"null")
                || self.node_number(node, "tag") == Some(0))
            .then_some("has no tag"),
            b"DIExpression" => (!self.is_whole_expression(node))
                .then_some("has an operation that has no place there or lacks operands"),
            b"DIBasicType" | b"DISubrangeType" => match self.node_field(node, "size") {
                Some(FieldValue::Md(md)) => (!matches!(md.get(), Md::Null | Md::Const(_)))
                    .then_some("has a `size` that is not a constant"),
                _ => None,
            },
            b"DISubroutineType" => self.wrong_references(node),
            b"DICompileUnit" => {
                let file = self.referred(node, "file")?;
                (self.node_word(file, "filename") == Some(b""))
                    .then_some("has a file without a name")
            }
            b"DILexicalBlock"
                if self.node_number(node, "column").is_some_and(|n| n != 0)
                    && self.node_number(node, "line").is_none_or(|n| n == 0) =>
            {
                Some("has a column without a line")
            }
            b"DILexicalBlock" | b"DILexicalBlockFile" | b"DILocation" => {
                let scope = self.referred(node, "scope")?;
                (self.node_kind(scope) == b"DISubprogram" && !self.is_definition(scope))
                    .then_some("stands in a subprogram that is not defined")
            }
            b"DIMacro" if self.node_word(node, "name") == Some(b"") => Some("has no name"),
            b"DIMacro" => {
                let known = [&b"DW_MACINFO_define"[..], b"DW_MACINFO_undef"];
                let kind = self.node_word(node, "type")?;
                (!known.contains(&kind)).then_some("neither defines nor undefines")
            }
            b"DIMacroFile" => {
                let kind = self.node_word(node, "type")?;
                (kind != b"DW_MACINFO_start_file").then_some("does not start a file")
            }
            b"DIModule" if self.node_word(node, "name") == Some(b"") => Some("has no name"),
            b"DIGlobalVariable" => {
                let declared = self.node_word(node, "isDefinition") == Some(b"false");
                (!declared && !self.has(node, "type")).then_some("has no `type`")
            }
            b"DILocalVariable" => {
                let ty = self.referred(node, "type")?;
                (self.node_kind(ty) == b"DISubroutineType").then_some("has the type of a function")
            }
            _ => None,
        };
        rule.map(str::to_owned)
    }

    fn wrong_references(&self, node: NodeId) -> Option<&'static str> {
        (self.has_flag(node, "DIFlagLValueReference")
            && self.has_flag(node, "DIFlagRValueReference"))
        .then_some("has flags that exclude each other")
    }

    fn wrong_composite(&self, node: NodeId) -> Option<String> {
        let tag = self.tag(node);
        let is_array = tag == Some(b"array_type");
        let only_arrays = OF_ARRAYS.iter().find(|name| self.has(node, name));
        if let Some(name) = only_arrays.filter(|_| !is_array) {
            return Some(format!("has `{name}`, which is for arrays"));
        }
        let elements = self.referred(node, "elements");
        let list = elements.map(|list| self.tuple(list)).unwrap_or_default();
        let rule = if is_array && !self.has(node, "baseType") {
            "of an array has no `baseType`"
        } else if self.has(node, "discriminator") && tag != Some(b"variant_part") {
            "has a `discriminator`, which is for variant parts"
        } else if elements.is_some_and(|list| !self.node_kind(list).is_empty()) {
            "refers to something else in `elements`"
        } else if list.iter().any(|md| md.get() == Md::Null) {
            "has `null` among its elements"
        } else if self.has_flag(node, "DIFlagVector")
            && !matches!(&list[..], [one] if one.node().is_some_and(|one| self.node_kind(one) == b"DISubrange"))
        {
            "of a vector has one subrange"
        } else if self.has_flag(node, "DIFlagReservedBit4") {
            "has a flag that is no longer used"
        } else {
            self.wrong_references(node)?
        };
        Some(rule.to_owned())
    }

    fn wrong_subprogram(&self, node: NodeId) -> Option<&'static str> {
        let defined = self.is_definition(node);
        if !self.has(node, "file") && self.node_number(node, "line").is_some_and(|n| n != 0) {
            return Some("has a line without a file");
        }
        if defined != self.has(node, "unit") {
            return Some("has a `unit` if it is a definition, and only then");
        }
        if let Some(declaration) = self.referred(node, "declaration") {
            if !defined {
                return Some("that is a declaration has no `declaration`");
            }
            if self.is_definition(declaration) {
                return Some("has a definition as its `declaration`");
            }
        }
        if !defined && self.has_flag(node, "DIFlagAllCallsDescribed") {
            return Some("that is a declaration describes no calls");
        }
        self.wrong_references(node)
    }

    fn wrong_derived(&self, node: NodeId) -> Option<&'static str> {
        let tag = self.tag(node);
        let is_pointer = matches!(
            tag,
            Some(b"pointer_type" | b"reference_type" | b"rvalue_reference_type")
        );
        if self.has(node, "dwarfAddressSpace") && !is_pointer {
            return Some("has an address space, which is for pointers");
        }
        if tag == Some(b"ptr_to_member_type")
            && let Some(FieldValue::Md(class)) = self.node_field(node, "extraData")
            && !self.leads_to(class, To::Type)
        {
            return Some("of a pointer to a member has no class as `extraData`");
        }
        let base = self.referred(node, "baseType");
        if let Some(base) = base.filter(|_| tag == Some(b"set_type")) {
            let fits = match self.node_kind(base) {
                b"DIBasicType" => true,
                b"DICompositeType" => self.tag(base) == Some(b"enumeration_type"),
                b"DISubrangeType" => true,
                _ => false,
            };
            return (!fits).then_some("of a set has no base that counts");
        }
        None
    }

    fn wrong_fixed_point(&self, node: NodeId) -> Option<&'static str> {
        let encoding = self.node_word(node, "encoding");
        if !matches!(
            encoding,
            Some(b"DW_ATE_signed_fixed" | b"DW_ATE_unsigned_fixed")
        ) {
            return Some("has no encoding of fixed-point numbers");
        }
        let is_zero = |name: &'static str| self.node_number(node, name).is_none_or(|n| n == 0);
        if self.node_word(node, "kind") == Some(b"Rational") {
            return (!is_zero("factor")).then_some("that is rational has no factor");
        }
        (!is_zero("numerator") || !is_zero("denominator"))
            .then_some("that is not rational has no numerator or denominator")
    }

    fn wrong_checksum(&self, node: NodeId) -> Option<&'static str> {
        let sum = self.node_word(node, "checksum")?;
        let len = match self.node_word(node, "checksumkind")? {
            b"CSK_MD5" => 32,
            b"CSK_SHA1" => 40,
            _ => 64,
        };
        (sum.len() != len || !sum.iter().all(u8::is_ascii_hexdigit))
            .then_some("has a `checksum` of the wrong length")
    }

    fn wrong_subrange(&self, node: NodeId, kind: &[u8]) -> Option<&'static str> {
        if self.has(node, "count") && self.has(node, "upperBound") {
            return Some("has both `count` and `upperBound`");
        }
        if kind == b"DIGenericSubrange" {
            let whole = self.has(node, "lowerBound") && self.has(node, "stride");
            return (!whole).then_some("must have `lowerBound` and `stride`");
        }
        let Some(FieldValue::Md(count)) = self.node_field(node, "count") else {
            return None;
        };
        let operands = [count];
        let fits = match (count.get(), self.integer_at(&operands, 0)) {
            (_, Some(count)) => count.signed() >= -1,
            (Md::Const(constant), None) => {
                matches!(
                    self.module.constants.get(constant).kind,
                    ConstKind::WideInt(_)
                )
            }
            _ => true,
        };
        (!fits).then_some("has a `count` that is not a count")
    }

    fn wrong_global(&self, node: NodeId) -> Option<&'static str> {
        let Some(variable) = self.referred(node, "var") else {
            return Some("has no variable");
        };
        let expression = self.referred(node, "expr")?;
        self.wrong_fragment(variable, expression)
    }

    /// A part of a variable lies in it and is not all of it.
    pub(super) fn wrong_fragment(
        &self,
        variable: NodeId,
        expression: NodeId,
    ) -> Option<&'static str> {
        let (offset, size) = self.fragment(expression)?;
        let ty = self.referred(variable, "type")?;
        // Types that only refer to another have its size.
        let mut sized = ty;
        for _ in 0..100 {
            match (self.node_number(sized, "size"), self.node_kind(sized)) {
                (Some(1..), _) => break,
                (_, b"DIDerivedType") => sized = self.referred(sized, "baseType")?,
                _ => break,
            }
        }
        let whole = self.node_number(sized, "size").filter(|&size| size > 0)?;
        if offset.saturating_add(size) > whole {
            return Some("has a part that is larger than the variable or outside of it");
        }
        (size == whole).then_some("has a part that is all of the variable")
    }
}
