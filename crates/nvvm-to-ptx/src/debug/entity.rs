//! Entries of what stands outside of functions: namespaces, variables, imported names, declarations of functions.

use super::location::{Expression, Place, class_of_space};
use super::query::MOST_NESTED;
use super::tree::{Entry, Value};
use super::{Builder, attribute, tag};
use rustc_hash::FxHashMap;
use warpc_nvvm::metadata::NodeId;
use warpc_nvvm::module::{GlobalId, GlobalKind};

/// Flags of subprograms, as LLVM numbers them.
const LOCAL_TO_UNIT: u64 = 1 << 2;
/// The same.
pub(super) const IS_DEFINITION: u64 = 1 << 3;

impl Builder<'_, '_> {
    /// The entry that something with this scope is a child of.
    pub(super) fn context(&mut self, scope: NodeId) -> Entry {
        // From the scope outwards up to one that has an entry.
        let mut chain = Vec::new();
        let mut at = Some(scope);
        let mut found = None;
        while let Some(node) = at {
            if chain.len() > MOST_NESTED {
                return self.root;
            }
            let known = match self.query.kind(node) {
                b"DINamespace" | b"DIModule" => self.scopes.get(&node),
                b"DISubprogram" => self.programs.get(&node),
                _ => self.types.get(&node),
            };
            if let Some(&entry) = known {
                found = Some(entry);
                break;
            }
            chain.push(node);
            at = self.query.node(node, b"scope");
        }
        let mut parent = found.unwrap_or(self.root);
        for node in chain.into_iter().rev() {
            match self.query.kind(node) {
                b"DINamespace" => {
                    let entry = self.tree.add(Some(parent), tag::NAMESPACE);
                    self.scopes.insert(node, entry);
                    self.name(entry, node);
                    parent = entry;
                }
                b"DIModule" => {
                    let entry = self.tree.add(Some(parent), tag::MODULE);
                    self.scopes.insert(node, entry);
                    self.name(entry, node);
                    self.declared_at(entry, node);
                    parent = entry;
                }
                // Its own scope has an entry by now.
                _ if self.query.is_type(node) => {
                    if let Some(entry) = self.type_entry(node) {
                        parent = entry;
                    }
                }
                _ => {}
            }
        }
        parent
    }

    /// The variables of a unit.
    pub(super) fn globals(&mut self, unit: NodeId) {
        // The same variable may have several addresses, of which the first counts.
        let attached = self.attached();
        for node in self.query.list(unit, b"globals") {
            let (variable, expression) = match self.query.kind(node) {
                b"DIGlobalVariableExpression" => {
                    let Some(variable) = self.query.node(node, b"var") else {
                        continue;
                    };
                    (variable, self.query.node(node, b"expr"))
                }
                _ => (node, None),
            };
            if self.variables.contains_key(&variable) {
                continue;
            }
            let global = attached.get(&node).or_else(|| attached.get(&variable));
            self.global(variable, expression, global.copied());
        }
    }

    /// The variables of the module that nodes are attached to.
    fn attached(&self) -> FxHashMap<NodeId, GlobalId> {
        let module = self.unit.module;
        let Some(kind) = module.names.find(b"dbg") else {
            return FxHashMap::default();
        };
        let mut attached = FxHashMap::default();
        for (id, global) in module.globals.iter() {
            if !matches!(global.kind, GlobalKind::Variable(_)) {
                continue;
            }
            let own = global.metadata.iter().filter(|found| found.kind == kind);
            attached.extend(own.filter_map(|found| Some((found.node.node()?, id))));
        }
        attached
    }

    fn global(
        &mut self,
        node: NodeId,
        expression: Option<NodeId>,
        global: Option<GlobalId>,
    ) -> Entry {
        let declaration = self.query.node(node, b"declaration");
        let declaration = declaration.and_then(|member| self.static_member_entry(member));
        let parent = match self.query.node(node, b"scope") {
            Some(scope) if declaration.is_none() => self.context(scope),
            _ => self.root,
        };
        let entry = self.tree.add(Some(parent), tag::VARIABLE);
        self.variables.insert(node, entry);
        match declaration {
            Some(member) => self
                .tree
                .put(entry, attribute::SPECIFICATION, Value::Entry(member)),
            None => {
                self.name(entry, node);
                self.put_type(entry, node, b"type");
                if self.query.truth(node, b"isLocal") != Some(true) {
                    self.tree.put(entry, attribute::EXTERNAL, Value::Flag);
                }
                self.declared_at(entry, node);
            }
        }
        if self.query.truth(node, b"isDefinition") == Some(false) {
            self.tree.put(entry, attribute::DECLARATION, Value::Flag);
        }
        let expression = match expression {
            Some(expression) => Expression::read(self.query, expression),
            None => Some(Expression::default()),
        };
        if let Some(expression) = expression {
            match (global, expression.constant) {
                (Some(id), None) => self.global_location(entry, id, expression),
                (None, Some(value)) => {
                    self.tree
                        .put(entry, attribute::CONST_VALUE, Value::Unsigned(value));
                }
                _ => {}
            }
        }
        if let Some(linkage) = self.query.bytes(node, b"linkageName") {
            self.tree.string(entry, attribute::LINKAGE_NAME, linkage);
        }
        self.template_parameters(entry, node);
        entry
    }

    fn global_location(&mut self, entry: Entry, id: GlobalId, expression: Expression) {
        let symbol = self.unit.own_symbol(id);
        if !self.declared.contains(&symbol) && !self.unit.demoted.contains(id) {
            return;
        }
        let space = self.unit.module.globals[id].space;
        let Some(class) = class_of_space(if space == 0 { 1 } else { space }) else {
            return;
        };
        let place = Place::Global(self.unit.ptx.name(symbol).to_owned(), space);
        if let Some(bytes) = place.bytes(expression.offset) {
            self.tree
                .put(entry, attribute::ADDRESS_CLASS, Value::Number(class));
            self.tree
                .put(entry, attribute::LOCATION, Value::Block(bytes));
        }
    }

    /// A name that another scope is given here.
    pub(super) fn imported(&mut self, node: NodeId) {
        if self.query.kind(node) != b"DIImportedEntity" {
            return;
        }
        let Some(tag) = self.query.number(node, b"tag") else {
            return;
        };
        let Some(entity) = self.query.node(node, b"entity") else {
            return;
        };
        let target = match self.query.kind(entity) {
            b"DINamespace" | b"DIModule" => Some(self.context(entity)),
            b"DISubprogram" => Some(self.declaration(entity)),
            b"DIGlobalVariable" => match self.variables.get(&entity) {
                Some(&entry) => Some(entry),
                None => Some(self.global(entity, None, None)),
            },
            _ if self.query.is_type(entity) => self.type_entry(entity),
            _ => None,
        };
        let Some(target) = target else {
            return;
        };
        let parent = match self.query.node(node, b"scope") {
            Some(scope) => self.context(scope),
            None => self.root,
        };
        let entry = self.tree.add(Some(parent), tag as u16);
        self.declared_at(entry, node);
        self.tree
            .put(entry, attribute::IMPORT, Value::Entry(target));
        self.name(entry, node);
    }

    /// The entry of a subprogram that is not defined here, or the one that its definition has.
    pub(super) fn declaration(&mut self, node: NodeId) -> Entry {
        if let Some(&entry) = self.programs.get(&node) {
            return entry;
        }
        let parent = match self.query.node(node, b"scope") {
            Some(scope) => self.context(scope),
            None => self.root,
        };
        // Its class may have made it.
        if let Some(&entry) = self.programs.get(&node) {
            return entry;
        }
        let entry = self.tree.add(Some(parent), tag::SUBPROGRAM);
        self.programs.insert(node, entry);
        self.describe_program(entry, node);
        entry
    }

    /// What a definition says that its declaration does not: the name of one of several constructors, a deduced type.
    fn differences(&mut self, entry: Entry, node: NodeId, declaration: NodeId) {
        let query = self.query;
        let linkage = |node| query.bytes(node, b"linkageName");
        if let Some(name) = linkage(node).filter(|_| linkage(node) != linkage(declaration)) {
            self.tree.string(entry, attribute::LINKAGE_NAME, name);
        }
        let result = |node| -> Option<NodeId> {
            let ty = query.node(node, b"type")?;
            query.elements(ty, b"types").first().copied().flatten()
        };
        if let Some(ty) = result(node).filter(|&ty| Some(ty) != result(declaration))
            && let Some(ty) = self.type_entry(ty)
        {
            self.tree.put(entry, attribute::TYPE, Value::Entry(ty));
        }
    }

    /// What a subprogram is, apart from its code.
    pub(super) fn describe_program(&mut self, entry: Entry, node: NodeId) {
        let flags = self.query.flags(node, b"flags");
        let more = self.query.flags(node, b"spFlags");
        let is_definition = match self.query.truth(node, b"isDefinition") {
            Some(found) => found,
            None => more & IS_DEFINITION != 0,
        };
        self.template_parameters(entry, node);
        if let Some(declaration) = self.query.node(node, b"declaration")
            && self.query.kind(declaration) == b"DISubprogram"
            && self.query.node(declaration, b"declaration").is_none()
        {
            let known = self.declaration(declaration);
            self.tree
                .put(entry, attribute::SPECIFICATION, Value::Entry(known));
            self.differences(entry, node, declaration);
            let line = self.query.flags(node, b"line");
            if line != self.query.flags(declaration, b"line") {
                if self.query.node(node, b"file") != self.query.node(declaration, b"file")
                    && let Some(file) = crate::line::file_of(self.unit, node)
                {
                    self.tree
                        .put(entry, attribute::DECL_FILE, Value::Number(file));
                }
                self.tree
                    .put(entry, attribute::DECL_LINE, Value::Number(line));
            }
            return;
        }
        if let Some(linkage) = self.query.bytes(node, b"linkageName") {
            self.tree.string(entry, attribute::LINKAGE_NAME, linkage);
        }
        self.name(entry, node);
        self.declared_at(entry, node);
        if self.is_c() {
            self.tree.put(entry, attribute::PROTOTYPED, Value::Flag);
        }
        let types = match self.query.node(node, b"type") {
            Some(ty) => self.query.elements(ty, b"types"),
            None => Vec::new(),
        };
        if let Some(&Some(result)) = types.first()
            && let Some(result) = self.type_entry(result)
        {
            self.tree.put(entry, attribute::TYPE, Value::Entry(result));
        }
        let virtuality = match self.query.number(node, b"virtuality") {
            Some(virtuality) => virtuality as u64,
            None => more & 3,
        };
        if virtuality > 0 {
            self.tree
                .put(entry, attribute::VIRTUALITY, Value::Number(virtuality));
        }
        if !is_definition {
            self.tree.put(entry, attribute::DECLARATION, Value::Flag);
            let parameters = self.parameters(entry, &types);
            // The object that a member function is called for.
            if let Some(&Some(first)) = types.get(1)
                && self.query.flags(first, b"flags") & (1 << 10) != 0
                && let Some(&object) = parameters.first()
            {
                self.tree
                    .put(entry, attribute::OBJECT_POINTER, Value::Entry(object));
            }
        }
        if flags & (1 << 6) != 0 {
            self.tree.put(entry, attribute::ARTIFICIAL, Value::Flag);
        }
        let local = match self.query.truth(node, b"isLocal") {
            Some(found) => found,
            None => more & LOCAL_TO_UNIT != 0,
        };
        if !local {
            self.tree.put(entry, attribute::EXTERNAL, Value::Flag);
        }
        self.access(entry, flags);
        if flags & (1 << 7) != 0 {
            self.tree.put(entry, attribute::EXPLICIT, Value::Flag);
        }
    }
}
