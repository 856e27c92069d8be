//! Entries of functions, of blocks and inlined functions in them, and of their variables.

use super::location::REGISTERS;
use super::query::MOST_NESTED;
use super::tree::{Entry, Value};
use super::{Builder, Home, Recorded, Variable, attribute, tag};
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_nvvm::metadata::NodeId;

/// A scope of a function: its node, and where it was inlined.
type Instance = (NodeId, Option<NodeId>);

/// A scope of a function.
#[derive(Debug)]
struct Scope {
    instance: Instance,
    parent: Option<usize>,
    /// The first label of its code, and the one after it, as positions in the list of labels.
    range: (usize, usize),
    children: Vec<usize>,
    variables: Vec<usize>,
}

/// `DW_OP_call_frame_cfa`: the place that ptxas counts the frame from.
const FRAME: [u8; 1] = [0x9c];

impl Builder<'_, '_> {
    /// The functions of a unit.
    pub(super) fn programs_of(&mut self, functions: &[&Recorded]) {
        let inlined = self.inlined_programs(functions);
        // Entries first, so that types and imported names find them.
        let mut entries = Vec::with_capacity(functions.len());
        for function in functions {
            let node = function.program;
            let declared = self.query.node(node, b"declaration").is_some();
            let parent = match self.query.node(node, b"scope") {
                Some(scope) if !declared => self.context(scope),
                _ => self.root,
            };
            if inlined.contains(&node) || self.programs.contains_key(&node) {
                entries.push(self.tree.add(Some(self.root), tag::SUBPROGRAM));
                continue;
            }
            let entry = self.tree.add(Some(parent), tag::SUBPROGRAM);
            self.programs.insert(node, entry);
            entries.push(entry);
        }
        let mut in_order: Vec<NodeId> = inlined.iter().copied().collect();
        in_order.sort_unstable();
        for &node in &in_order {
            self.abstract_program(node);
        }
        for (function, entry) in functions.iter().zip(entries) {
            self.program(function, entry);
        }
    }

    /// The subprograms that were inlined somewhere.
    fn inlined_programs(&self, functions: &[&Recorded]) -> FxHashSet<NodeId> {
        let mut inlined = FxHashSet::default();
        for function in functions {
            for &(_, place) in &function.scopes {
                let mut at = Some(place);
                let mut depth = 0;
                while let Some(place) = at.filter(|_| depth < MOST_NESTED) {
                    at = self.query.node(place, b"inlinedAt");
                    depth += 1;
                    if at.is_some()
                        && let Some(scope) = self.query.scope_of(place)
                    {
                        inlined.extend(self.query.program_of(scope));
                    }
                }
            }
        }
        inlined
    }

    /// What copies of an inlined function have in common.
    fn abstract_program(&mut self, node: NodeId) {
        let declared = self.query.node(node, b"declaration").is_some();
        let parent = match self.query.node(node, b"scope") {
            Some(scope) if !declared => self.context(scope),
            _ => self.root,
        };
        let entry = self.tree.add(Some(parent), tag::SUBPROGRAM);
        self.programs.insert(node, entry);
        self.describe_program(entry, node);
        self.tree.put(entry, attribute::INLINE, Value::Number(1));
    }

    fn program(&mut self, function: &Recorded, entry: Entry) {
        let node = function.program;
        let [begin, end] = &function.bounds;
        self.tree
            .put(entry, attribute::LOW_PC, Value::Label(begin.clone()));
        self.tree
            .put(entry, attribute::HIGH_PC, Value::Label(end.clone()));
        let frame = super::tree::Bytes::default().bytes(&FRAME);
        self.tree
            .put(entry, attribute::FRAME_BASE, Value::Block(frame));
        match self.programs.get(&node) {
            Some(&origin) if origin != entry => {
                self.tree
                    .put(entry, attribute::ABSTRACT_ORIGIN, Value::Entry(origin));
            }
            _ => self.describe_program(entry, node),
        }
        let scopes = self.scopes_of(function);
        let mut labels: Vec<&str> = vec![begin];
        labels.extend(function.scopes.iter().map(|(label, _)| label.as_str()));
        labels.push(end);
        // Scopes and the entries that they are in, the outermost first.
        let mut work = vec![(0, entry)];
        while let Some((index, entry)) = work.pop() {
            let Some(scope) = scopes.get(index) else {
                continue;
            };
            let mut own: Vec<&Variable> = Vec::new();
            own.extend(
                scope
                    .variables
                    .iter()
                    .map(|&variable| &function.variables[variable]),
            );
            own.sort_by_key(|variable| match self.query.flags(variable.node, b"arg") {
                0 => u64::MAX,
                number => number,
            });
            for &variable in &own {
                self.variable(entry, variable);
            }
            if index == 0 {
                self.retained(entry, node, &own);
            }
            for &child in scope.children.iter().rev() {
                work.push((child, self.scope_entry(&scopes, child, entry, &labels)));
            }
        }
    }

    /// The entry of a scope in another one: that one itself for a block that declares nothing.
    fn scope_entry(
        &mut self,
        scopes: &[Scope],
        index: usize,
        parent: Entry,
        labels: &[&str],
    ) -> Entry {
        let scope = &scopes[index];
        let (node, inlined_at) = scope.instance;
        let (first, last) = scope.range;
        let is_program = self.query.kind(node) == b"DISubprogram";
        if !is_program && scope.variables.is_empty() {
            return parent;
        }
        let kind = match is_program {
            true => tag::INLINED_SUBROUTINE,
            false => tag::LEXICAL_BLOCK,
        };
        let entry = self.tree.add(Some(parent), kind);
        if is_program && let Some(&origin) = self.programs.get(&node) {
            self.tree
                .put(entry, attribute::ABSTRACT_ORIGIN, Value::Entry(origin));
        }
        self.tree.put(
            entry,
            attribute::LOW_PC,
            Value::Label(labels[first].to_owned()),
        );
        self.tree.put(
            entry,
            attribute::HIGH_PC,
            Value::Label(labels[last].to_owned()),
        );
        if is_program && let Some(call) = inlined_at {
            if let Some(scope) = self.query.node(call, b"scope")
                && let Some(file) = crate::line::file_of(self.unit, scope)
            {
                self.tree
                    .put(entry, attribute::CALL_FILE, Value::Number(file));
            }
            let line = self.query.flags(call, b"line");
            self.tree
                .put(entry, attribute::CALL_LINE, Value::Number(line));
            let column = self.query.flags(call, b"column");
            self.tree
                .put(entry, attribute::CALL_COLUMN, Value::Number(column));
        }
        entry
    }

    /// The scopes that code of a function comes from; the first is the function itself.
    fn scopes_of(&self, function: &Recorded) -> Vec<Scope> {
        let mut scopes = vec![Scope {
            instance: (function.program, None),
            parent: None,
            range: (0, function.scopes.len() + 1),
            children: Vec::new(),
            variables: Vec::new(),
        }];
        let mut known: FxHashMap<Instance, usize> = FxHashMap::default();
        known.insert((function.program, None), 0);
        for (position, &(_, place)) in function.scopes.iter().enumerate() {
            let Some(instance) = self.instance_of(place) else {
                continue;
            };
            let Some(mut index) = self.scope(&mut scopes, &mut known, instance) else {
                continue;
            };
            // The labels start with the one before the function.
            let (first, last) = (position + 1, position + 2);
            while let Some(parent) = scopes[index].parent {
                let range = &mut scopes[index].range;
                *range = (range.0.min(first), range.1.max(last));
                index = parent;
            }
        }
        for (index, variable) in function.variables.iter().enumerate() {
            let Some(scope) = self.query.scope_of(variable.node) else {
                continue;
            };
            // A scope without code has no place where a variable could be seen.
            if let Some(&scope) = known.get(&(scope, variable.inlined_at)) {
                scopes[scope].variables.push(index);
            }
        }
        scopes
    }

    fn instance_of(&self, place: NodeId) -> Option<Instance> {
        Some((
            self.query.scope_of(place)?,
            self.query.node(place, b"inlinedAt"),
        ))
    }

    /// The position of a scope, made together with those around it.
    fn scope(
        &self,
        scopes: &mut Vec<Scope>,
        known: &mut FxHashMap<Instance, usize>,
        instance: Instance,
    ) -> Option<usize> {
        let mut missing = Vec::new();
        let mut at = instance;
        let mut parent = loop {
            if let Some(&index) = known.get(&at) {
                break index;
            }
            if missing.len() > MOST_NESTED {
                return None;
            }
            missing.push(at);
            at = match (self.query.kind(at.0), at.1) {
                (b"DISubprogram", Some(call)) => self.instance_of(call)?,
                // Code of another function that was not inlined here: the module is wrong.
                (b"DISubprogram", None) => return None,
                (_, inlined_at) => (self.query.scope_of(at.0)?, inlined_at),
            };
        };
        for instance in missing.into_iter().rev() {
            let index = scopes.len();
            scopes.push(Scope {
                instance,
                parent: Some(parent),
                range: (usize::MAX, 0),
                children: Vec::new(),
                variables: Vec::new(),
            });
            scopes[parent].children.push(index);
            known.insert(instance, index);
            parent = index;
        }
        Some(parent)
    }

    fn variable(&mut self, parent: Entry, variable: &Variable) {
        let node = variable.node;
        let entry = self.tree.add(Some(parent), self.variable_tag(node));
        match &variable.home {
            Home::Unknown => {}
            Home::Fixed(super::Place::Number(number)) => {
                self.tree
                    .put(entry, attribute::CONST_VALUE, Value::Unsigned(*number));
            }
            Home::Fixed(place) => {
                if let (Some(class), Some(bytes)) = (place.class(), place.bytes(0)) {
                    self.tree
                        .put(entry, attribute::ADDRESS_CLASS, Value::Number(class));
                    self.tree
                        .put(entry, attribute::LOCATION, Value::Block(bytes));
                }
            }
            Home::List(list) => {
                let places = list.iter().filter_map(|(from, to, place)| {
                    Some((from.clone(), to.clone(), place.bytes(0)?))
                });
                let places: Vec<_> = places.collect();
                if !places.is_empty() {
                    let start = self.tree.list(self.unit, &places);
                    self.tree.put(
                        entry,
                        attribute::LOCATION,
                        Value::Offset(".debug_loc", start),
                    );
                    self.tree
                        .put(entry, attribute::ADDRESS_CLASS, Value::Number(REGISTERS));
                }
            }
        }
        // What copies of an inlined function have in common is written once.
        if let Some(program) = self
            .query
            .scope_of(node)
            .and_then(|scope| self.query.program_of(scope))
            && let Some(&origin) = self.programs.get(&program)
            && variable.inlined_at.is_some()
        {
            let origin = self.abstract_variable(origin, node);
            self.tree
                .put(entry, attribute::ABSTRACT_ORIGIN, Value::Entry(origin));
            return;
        }
        self.describe_variable(entry, node);
    }

    fn variable_tag(&self, node: NodeId) -> u16 {
        match self.query.flags(node, b"arg") {
            0 => tag::VARIABLE,
            _ => tag::FORMAL_PARAMETER,
        }
    }

    fn abstract_variable(&mut self, program: Entry, node: NodeId) -> Entry {
        if let Some(&entry) = self.abstract_variables.get(&node) {
            return entry;
        }
        let entry = self.tree.add(Some(program), self.variable_tag(node));
        self.abstract_variables.insert(node, entry);
        self.describe_variable(entry, node);
        entry
    }

    fn describe_variable(&mut self, entry: Entry, node: NodeId) {
        self.name(entry, node);
        self.declared_at(entry, node);
        self.put_type(entry, node, b"type");
        if self.query.flags(node, b"flags") & (1 << 6) != 0 {
            self.tree.put(entry, attribute::ARTIFICIAL, Value::Flag);
        }
    }

    /// Variables that a function keeps although no record names them, and names that it imports.
    fn retained(&mut self, entry: Entry, program: NodeId, seen: &[&Variable]) {
        for node in self.query.list(program, b"retainedNodes") {
            match self.query.kind(node) {
                b"DILocalVariable" => {
                    let own = self.query.scope_of(node) == Some(program);
                    if own && !seen.iter().any(|variable| variable.node == node) {
                        let unknown = Variable {
                            node,
                            inlined_at: None,
                            home: Home::Unknown,
                        };
                        self.variable(entry, &unknown);
                    }
                }
                b"DIImportedEntity" => self.imported(node),
                _ => {}
            }
        }
    }
}
