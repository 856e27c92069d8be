//! Entries of types.
//!
//! An entry is made where a type is named first and filled later, so that types may name each other in any order and
//! depth.

use super::query::MOST_NESTED;
use super::tree::{Bytes, Entry, Value};
use super::{Builder, attribute, tag};
use warpc_nvvm::metadata::NodeId;

/// Flags of nodes, as LLVM numbers them.
mod flag {
    pub const ACCESS: u64 = 3;
    pub const FORWARD: u64 = 1 << 2;
    pub const VIRTUAL: u64 = 1 << 5;
    pub const ARTIFICIAL: u64 = 1 << 6;
    pub const VECTOR: u64 = 1 << 11;
    pub const STATIC: u64 = 1 << 12;
    pub const BIT_FIELD: u64 = 1 << 19;
    pub const BY_VALUE: u64 = 1 << 22;
    pub const BY_REFERENCE: u64 = 1 << 23;
}

/// A tag of DWARF 3.
const RESTRICT_TYPE: i128 = 0x37;

/// The operations of location expressions that types use.
mod operation {
    pub const DEREF: u8 = 0x06;
    pub const CONSTU: u8 = 0x10;
    pub const DUP: u8 = 0x12;
    pub const MINUS: u8 = 0x1c;
    pub const PLUS: u8 = 0x22;
    pub const PLUS_UCONST: u8 = 0x23;
}

impl Builder<'_, '_> {
    /// The entry of a type; `None` for what is not described.
    pub(super) fn type_entry(&mut self, node: NodeId) -> Option<Entry> {
        let node = self.without_restrict(node)?;
        let node = self.shared(node);
        if let Some(&entry) = self.types.get(&node) {
            return Some(entry);
        }
        let tag = self.tag_of(node)?;
        let parent = match self.query.node(node, b"scope") {
            Some(scope) => self.context(scope),
            None => self.root,
        };
        // Its context may have made it.
        if let Some(&entry) = self.types.get(&node) {
            return Some(entry);
        }
        let entry = self.tree.add(Some(parent), tag);
        self.types.insert(node, entry);
        self.pending.push(node);
        Some(entry)
    }

    /// The first of nodes that say the same, unless they are to be different.
    fn shared(&mut self, node: NodeId) -> NodeId {
        let metadata = &self.query.0.metadata;
        let data = metadata.node(node);
        if data.distinct {
            return node;
        }
        let key = (data.kind, metadata.fields(node));
        *self.same.entry(key).or_insert(node)
    }

    /// The type without `restrict`, which DWARF 2 does not have.
    fn without_restrict(&self, mut node: NodeId) -> Option<NodeId> {
        for _ in 0..MOST_NESTED {
            if self.query.number(node, b"tag") != Some(RESTRICT_TYPE) {
                return Some(node);
            }
            node = self.query.node(node, b"baseType")?;
        }
        None
    }

    /// The tag of a type that can be described.
    fn tag_of(&self, node: NodeId) -> Option<u16> {
        let number = self.query.number(node, b"tag");
        let number = number.and_then(|tag| u16::try_from(tag).ok());
        match self.query.kind(node) {
            b"DIBasicType" => Some(number.unwrap_or(tag::BASE_TYPE)),
            b"DIStringType" => number.or(Some(0x12)),
            b"DISubroutineType" => Some(tag::SUBROUTINE_TYPE),
            b"DIDerivedType" => number,
            b"DICompositeType" => number.filter(|&tag| tag != tag::VARIANT_PART),
            _ => None,
        }
    }

    /// Fills the entries of all types, and of those that they name.
    pub(super) fn finish_types(&mut self) {
        while let Some(node) = self.pending.pop() {
            let Some(&entry) = self.types.get(&node) else {
                continue;
            };
            match self.query.kind(node) {
                b"DIBasicType" => self.basic(entry, node),
                b"DIStringType" => {
                    self.name(entry, node);
                    self.size(entry, node);
                }
                b"DISubroutineType" => {
                    self.signature(entry, node);
                }
                b"DIDerivedType" => self.derived(entry, node),
                _ => self.composite(entry, node),
            }
        }
    }

    /// Names the type that a field names.
    pub(super) fn put_type(&mut self, entry: Entry, node: NodeId, field: &[u8]) {
        if let Some(ty) = self.query.node(node, field)
            && let Some(ty) = self.type_entry(ty)
        {
            self.tree.put(entry, attribute::TYPE, Value::Entry(ty));
        }
    }

    /// The name of a node.
    pub(super) fn name(&mut self, entry: Entry, node: NodeId) {
        if let Some(name) = self.query.bytes(node, b"name") {
            self.tree.string(entry, attribute::NAME, name);
        }
    }

    /// Where a node was declared.
    pub(super) fn declared_at(&mut self, entry: Entry, node: NodeId) {
        let line = self.query.flags(node, b"line");
        if line == 0 || self.query.node(node, b"file").is_none() {
            return;
        }
        if let Some(file) = crate::line::file_of(self.unit, node) {
            self.tree
                .put(entry, attribute::DECL_FILE, Value::Number(file));
            self.tree
                .put(entry, attribute::DECL_LINE, Value::Number(line));
        }
    }

    fn size(&mut self, entry: Entry, node: NodeId) {
        let bits = self.query.flags(node, b"size");
        if bits > 0 {
            let bytes = bits.div_ceil(8);
            self.tree
                .put(entry, attribute::BYTE_SIZE, Value::Number(bytes));
        }
    }

    fn artificial(&mut self, entry: Entry, flags: u64) {
        if flags & flag::ARTIFICIAL != 0 {
            self.tree.put(entry, attribute::ARTIFICIAL, Value::Flag);
        }
    }

    /// Public, protected or private.
    pub(super) fn access(&mut self, entry: Entry, flags: u64) {
        // LLVM counts from the other end.
        let access = match flags & flag::ACCESS {
            1 => 3,
            2 => 2,
            3 => 1,
            _ => return,
        };
        self.tree
            .put(entry, attribute::ACCESSIBILITY, Value::Number(access));
    }

    fn basic(&mut self, entry: Entry, node: NodeId) {
        self.name(entry, node);
        // Types that nothing is known about have a name only.
        if self
            .query
            .number(node, b"tag")
            .is_some_and(|tag| tag != i128::from(tag::BASE_TYPE))
        {
            return;
        }
        let encoding = self.query.flags(node, b"encoding");
        self.tree
            .put(entry, attribute::ENCODING, Value::Number(encoding));
        let bytes = self.query.flags(node, b"size").div_ceil(8);
        self.tree
            .put(entry, attribute::BYTE_SIZE, Value::Number(bytes));
    }

    fn derived(&mut self, entry: Entry, node: NodeId) {
        self.put_type(entry, node, b"baseType");
        let tag = self.tag_of(node).unwrap_or(0);
        match tag {
            tag::MEMBER | tag::INHERITANCE | tag::FRIEND => return,
            tag::PTR_TO_MEMBER_TYPE => {
                if let Some(class) = self.query.node(node, b"extraData")
                    && let Some(class) = self.type_entry(class)
                {
                    self.tree
                        .put(entry, attribute::CONTAINING_TYPE, Value::Entry(class));
                }
            }
            tag::POINTER_TYPE | tag::REFERENCE_TYPE | tag::RVALUE_REFERENCE_TYPE => {
                if let Some(space) = self.query.number(node, b"dwarfAddressSpace") {
                    let space = Value::Number(space as u64);
                    self.tree.put(entry, attribute::ADDRESS_CLASS, space);
                }
            }
            _ => self.size(entry, node),
        }
        self.name(entry, node);
        self.declared_at(entry, node);
    }

    /// The result and the parameters of a subroutine type; the entries of the parameters.
    pub(super) fn signature(&mut self, entry: Entry, node: NodeId) -> Vec<Entry> {
        let types = self.query.elements(node, b"types");
        if let Some(&Some(result)) = types.first()
            && let Some(result) = self.type_entry(result)
        {
            self.tree.put(entry, attribute::TYPE, Value::Entry(result));
        }
        if self.is_c() {
            self.tree.put(entry, attribute::PROTOTYPED, Value::Flag);
        }
        self.parameters(entry, &types)
    }

    /// Entries for the parameters of a signature.
    pub(super) fn parameters(&mut self, entry: Entry, types: &[Option<NodeId>]) -> Vec<Entry> {
        let mut made = Vec::new();
        for (index, ty) in types.iter().enumerate().skip(1) {
            let Some(ty) = *ty else {
                // Nothing at the end: any number of arguments.
                if index + 1 == types.len() {
                    self.tree.add(Some(entry), tag::UNSPECIFIED_PARAMETERS);
                }
                continue;
            };
            let parameter = self.tree.add(Some(entry), tag::FORMAL_PARAMETER);
            if let Some(ty_entry) = self.type_entry(ty) {
                self.tree
                    .put(parameter, attribute::TYPE, Value::Entry(ty_entry));
            }
            let flags = self.query.flags(ty, b"flags");
            self.artificial(parameter, flags);
            made.push(parameter);
        }
        made
    }

    /// Whether functions of the language of the unit may have no prototype.
    pub(super) fn is_c(&self) -> bool {
        let language = self.node.map(|node| self.query.flags(node, b"language"));
        matches!(language, Some(1 | 2 | 12 | 16 | 29 | 44))
    }

    fn composite(&mut self, entry: Entry, node: NodeId) {
        match self.tag_of(node).unwrap_or(0) {
            tag::ARRAY_TYPE => self.array(entry, node),
            tag::ENUMERATION_TYPE => self.enumeration(entry, node),
            _ => self.record(entry, node),
        }
    }

    fn array(&mut self, entry: Entry, node: NodeId) {
        if self.query.flags(node, b"flags") & flag::VECTOR != 0 {
            self.tree.put(entry, attribute::VECTOR, Value::Flag);
            self.size(entry, node);
        }
        self.put_type(entry, node, b"baseType");
        self.name(entry, node);
        for range in self.query.list(node, b"elements") {
            if self.query.kind(range) != b"DISubrange" {
                continue;
            }
            let index = self.index_type();
            let child = self.tree.add(Some(entry), tag::SUBRANGE_TYPE);
            self.tree.put(child, attribute::TYPE, Value::Entry(index));
            let bound = |name: &[u8]| {
                let number = self.query.number(range, name)?;
                i64::try_from(number).ok()
            };
            let (lower, count) = (bound(b"lowerBound"), bound(b"count"));
            let upper = bound(b"upperBound");
            if let Some(lower) = lower.filter(|&lower| lower != self.default_bound) {
                self.tree
                    .put(child, attribute::LOWER_BOUND, Value::Signed(lower));
            }
            if let Some(count) = count.and_then(|count| u64::try_from(count).ok()) {
                self.tree.put(child, attribute::COUNT, Value::Number(count));
            }
            if let Some(upper) = upper {
                self.tree
                    .put(child, attribute::UPPER_BOUND, Value::Signed(upper));
            }
        }
    }

    /// The type of indices, which the module does not describe.
    fn index_type(&mut self) -> Entry {
        if let Some(entry) = self.index_type {
            return entry;
        }
        let entry = self.tree.add(Some(self.root), tag::BASE_TYPE);
        self.tree
            .string(entry, attribute::NAME, b"__ARRAY_SIZE_TYPE__");
        self.tree.put(entry, attribute::BYTE_SIZE, Value::Number(8));
        self.tree.put(entry, attribute::ENCODING, Value::Number(7));
        self.index_type = Some(entry);
        entry
    }

    fn enumeration(&mut self, entry: Entry, node: NodeId) {
        self.put_type(entry, node, b"baseType");
        self.name(entry, node);
        self.size(entry, node);
        self.declared_at(entry, node);
        if self.query.flags(node, b"flags") & flag::FORWARD != 0 {
            self.tree.put(entry, attribute::DECLARATION, Value::Flag);
        }
        for item in self.query.list(node, b"elements") {
            if self.query.kind(item) != b"DIEnumerator" {
                continue;
            }
            let child = self.tree.add(Some(entry), tag::ENUMERATOR);
            self.name(child, item);
            if let Some(number) = self.query.number(item, b"value") {
                let is_unsigned = self.query.truth(item, b"isUnsigned") == Some(true);
                let value = match is_unsigned {
                    true => u64::try_from(number).ok().map(Value::Unsigned),
                    false => i64::try_from(number).ok().map(Value::Signed),
                };
                if let Some(value) = value {
                    self.tree.put(child, attribute::CONST_VALUE, value);
                }
            }
        }
    }

    /// A structure, class, union, or what else has members.
    fn record(&mut self, entry: Entry, node: NodeId) {
        let flags = self.query.flags(node, b"flags");
        let convention = match flags {
            _ if flags & flag::BY_VALUE != 0 => Some(5),
            _ if flags & flag::BY_REFERENCE != 0 => Some(4),
            _ => None,
        };
        if let Some(convention) = convention {
            self.tree.put(
                entry,
                attribute::CALLING_CONVENTION,
                Value::Number(convention),
            );
        }
        if let Some(holder) = self.query.node(node, b"vtableHolder")
            && let Some(holder) = self.type_entry(holder)
        {
            self.tree
                .put(entry, attribute::CONTAINING_TYPE, Value::Entry(holder));
        }
        self.name(entry, node);
        if flags & flag::FORWARD != 0 {
            self.tree.put(entry, attribute::DECLARATION, Value::Flag);
        } else {
            let bytes = self.query.flags(node, b"size").div_ceil(8);
            self.tree
                .put(entry, attribute::BYTE_SIZE, Value::Number(bytes));
            self.declared_at(entry, node);
        }
        self.access(entry, flags);
        for element in self.query.list(node, b"elements") {
            self.element(entry, element);
        }
        self.template_parameters(entry, node);
    }

    fn element(&mut self, entry: Entry, element: NodeId) {
        match self.query.kind(element) {
            b"DISubprogram" => {
                self.declaration(element);
            }
            b"DIDerivedType" => {
                self.member(entry, element);
            }
            b"DICompositeType"
                if self.query.number(element, b"tag") == Some(tag::VARIANT_PART.into()) =>
            {
                self.variant_part(entry, element);
            }
            _ if self.query.is_type(element) => {
                self.type_entry(element);
            }
            _ => {}
        }
    }

    /// A member, base class or friend; also a type that was declared inside.
    fn member(&mut self, parent: Entry, node: NodeId) -> Option<Entry> {
        let flags = self.query.flags(node, b"flags");
        let kind = self.tag_of(node)?;
        match kind {
            tag::FRIEND => {
                let friend = self.query.node(node, b"baseType")?;
                let friend = self.type_entry(friend)?;
                let entry = self.tree.add(Some(parent), tag::FRIEND);
                self.tree
                    .put(entry, attribute::FRIEND, Value::Entry(friend));
                return Some(entry);
            }
            tag::MEMBER | tag::VARIABLE if flags & flag::STATIC != 0 => {
                return Some(self.static_member(parent, node));
            }
            tag::MEMBER | tag::INHERITANCE => {}
            _ => return self.type_entry(node),
        }
        let entry = self.tree.add(Some(parent), kind);
        self.name(entry, node);
        self.put_type(entry, node, b"baseType");
        self.declared_at(entry, node);
        if kind == tag::INHERITANCE && flags & flag::VIRTUAL != 0 {
            // Where it is stands in the table of virtual functions.
            let offset = self.query.flags(node, b"offset");
            let block = Bytes::default()
                .bytes(&[operation::DUP, operation::DEREF, operation::CONSTU])
                .unsigned(offset)
                .bytes(&[operation::MINUS, operation::DEREF, operation::PLUS]);
            self.tree
                .put(entry, attribute::DATA_MEMBER_LOCATION, Value::Block(block));
        } else {
            let offset = self.bit_field(entry, node, flags);
            let offset = offset.unwrap_or_else(|| self.query.flags(node, b"offset") / 8);
            let block = Bytes::default()
                .bytes(&[operation::PLUS_UCONST])
                .unsigned(offset);
            self.tree
                .put(entry, attribute::DATA_MEMBER_LOCATION, Value::Block(block));
        }
        self.access(entry, flags);
        if flags & flag::VIRTUAL != 0 {
            self.tree
                .put(entry, attribute::VIRTUALITY, Value::Number(1));
        }
        self.artificial(entry, flags);
        Some(entry)
    }

    /// Says which bits of a unit of storage a bit field has; where the unit starts.
    fn bit_field(&mut self, entry: Entry, node: NodeId, flags: u64) -> Option<u64> {
        if flags & flag::BIT_FIELD == 0 {
            return None;
        }
        let field = self.base_size(node)?;
        let size = self.query.flags(node, b"size");
        let offset = self.query.flags(node, b"offset");
        if !field.is_power_of_two() || field < 8 || size > field {
            return None;
        }
        // Bits are counted from the highest one of the unit.
        let start = (offset.checked_add(field)? & !(field - 1)).checked_sub(field)?;
        let from_low = offset.checked_sub(start)?;
        let bit_offset = field.checked_sub(from_low.checked_add(size)?)?;
        self.tree
            .put(entry, attribute::BYTE_SIZE, Value::Number(field / 8));
        self.tree
            .put(entry, attribute::BIT_SIZE, Value::Number(size));
        self.tree
            .put(entry, attribute::BIT_OFFSET, Value::Number(bit_offset));
        Some(start / 8)
    }

    /// The size in bits of the type of a member, through its names and qualifiers.
    fn base_size(&self, node: NodeId) -> Option<u64> {
        let mut ty = self.query.node(node, b"baseType")?;
        for _ in 0..MOST_NESTED {
            let size = self.query.flags(ty, b"size");
            if size > 0 {
                return Some(size);
            }
            ty = self.query.node(ty, b"baseType")?;
        }
        None
    }

    fn static_member(&mut self, parent: Entry, node: NodeId) -> Entry {
        if let Some(&entry) = self.variables.get(&node) {
            return entry;
        }
        let entry = self.tree.add(Some(parent), tag::MEMBER);
        self.variables.insert(node, entry);
        self.name(entry, node);
        self.put_type(entry, node, b"baseType");
        self.declared_at(entry, node);
        self.tree.put(entry, attribute::EXTERNAL, Value::Flag);
        self.tree.put(entry, attribute::DECLARATION, Value::Flag);
        if let Some(value) = self.query.number(node, b"extraData") {
            self.tree
                .put(entry, attribute::CONST_VALUE, Value::Unsigned(value as u64));
        }
        self.access(entry, self.query.flags(node, b"flags"));
        entry
    }

    /// The entry of the static member that a variable defines.
    pub(super) fn static_member_entry(&mut self, node: NodeId) -> Option<Entry> {
        let class = self.query.node(node, b"scope")?;
        let parent = self.type_entry(class)?;
        Some(self.static_member(parent, node))
    }

    /// Rust's enumerations: one of several structures, chosen by a discriminator.
    fn variant_part(&mut self, parent: Entry, node: NodeId) {
        let part = self.tree.add(Some(parent), tag::VARIANT_PART);
        if let Some(discriminator) = self.query.node(node, b"discriminator")
            && let Some(member) = self.member(part, discriminator)
        {
            self.tree.put(part, attribute::DISCR, Value::Entry(member));
        }
        for element in self.query.list(node, b"elements") {
            if self.query.kind(element) != b"DIDerivedType" {
                continue;
            }
            let variant = self.tree.add(Some(part), tag::VARIANT);
            if let Some(value) = self.query.number(element, b"extraData") {
                self.tree.put(
                    variant,
                    attribute::DISCR_VALUE,
                    Value::Unsigned(value as u64),
                );
            }
            self.member(variant, element);
        }
    }

    /// The arguments of a template.
    pub(super) fn template_parameters(&mut self, entry: Entry, node: NodeId) {
        for parameter in self.query.list(node, b"templateParams") {
            self.template_parameter(entry, parameter, 0);
        }
    }

    fn template_parameter(&mut self, parent: Entry, node: NodeId, depth: usize) {
        let is_type = match self.query.kind(node) {
            b"DITemplateTypeParameter" => true,
            b"DITemplateValueParameter" => false,
            _ => return,
        };
        let kind = match self.query.number(node, b"tag") {
            _ if is_type => tag::TEMPLATE_TYPE_PARAMETER,
            Some(kind) => kind as u16,
            None => tag::TEMPLATE_VALUE_PARAMETER,
        };
        let entry = self.tree.add(Some(parent), kind);
        if kind == tag::TEMPLATE_VALUE_PARAMETER || is_type {
            self.put_type(entry, node, b"type");
        }
        self.name(entry, node);
        match kind {
            tag::TEMPLATE_TEMPLATE => {
                if let Some(name) = self.query.bytes(node, b"value") {
                    self.tree.string(entry, attribute::TEMPLATE_NAME, name);
                }
            }
            tag::TEMPLATE_PACK if depth < 64 => {
                for parameter in self.query.list(node, b"value") {
                    self.template_parameter(entry, parameter, depth + 1);
                }
            }
            tag::TEMPLATE_VALUE_PARAMETER => {
                if let Some(value) = self.query.number(node, b"value") {
                    self.tree
                        .put(entry, attribute::CONST_VALUE, Value::Unsigned(value as u64));
                }
            }
            _ => {}
        }
    }
}
