//! Which function calls which, and the order in which functions are inlined: callees before their callers.

use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::Body;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::value::InstId;

/// What is known about the functions that have a body.
pub struct CallGraph {
    /// The functions, callees before callers.
    pub order: Vec<GlobalId>,
    /// Whether a function may call itself, directly or through others.
    pub recursive: FxHashMap<GlobalId, bool>,
    /// How often a function is named.
    pub uses: FxHashMap<GlobalId, u32>,
}

/// The function that a call names.
pub fn callee(module: &Module, body: &Body, inst: InstId) -> Option<GlobalId> {
    body.insts[inst].op.call_site()?;
    let &last = body.operands(inst).last()?;
    let global = module.global_of(last.constant()?)?;
    matches!(module.globals[global].kind, GlobalKind::Function(_)).then_some(global)
}

impl CallGraph {
    /// The graph of a module whose bodies are in a table of their own.
    pub fn new(module: &Module, bodies: &FxHashMap<GlobalId, Body>) -> CallGraph {
        let mut calls: FxHashMap<GlobalId, Vec<GlobalId>> = FxHashMap::default();
        let mut uses: FxHashMap<GlobalId, u32> = FxHashMap::default();
        let functions: Vec<GlobalId> = module
            .functions()
            .map(|(id, _, _)| id)
            .filter(|id| bodies.contains_key(id))
            .collect();
        for &id in &functions {
            let body = &bodies[&id];
            let mut callees = Vec::new();
            for &block in &body.order {
                for &inst in &body.blocks[block].insts {
                    for operand in body.operands(inst) {
                        let global = operand.constant().and_then(|c| module.global_of(c));
                        if let Some(global) = global.filter(|global| bodies.contains_key(global)) {
                            *uses.entry(global).or_default() += 1;
                        }
                    }
                    let called = callee(module, body, inst);
                    callees.extend(called.filter(|called| bodies.contains_key(called)));
                }
            }
            callees.dedup();
            calls.insert(id, callees);
        }
        count_other_uses(module, &mut uses);
        let mut graph = CallGraph {
            order: Vec::new(),
            recursive: FxHashMap::default(),
            uses,
        };
        graph.arrange(&functions, &calls);
        graph
    }

    /// Whether a function is named once.
    pub fn is_used_once(&self, id: GlobalId) -> bool {
        self.uses.get(&id) == Some(&1)
    }

    /// Finds the cycles (Tarjan's strongly connected components, without recursion) in the order in which they are left.
    fn arrange(&mut self, functions: &[GlobalId], calls: &FxHashMap<GlobalId, Vec<GlobalId>>) {
        #[derive(Clone, Copy)]
        struct State {
            number: usize,
            lowest: usize,
            open: bool,
        }
        let mut states: FxHashMap<GlobalId, State> = FxHashMap::default();
        let mut open: Vec<GlobalId> = Vec::new();
        for &root in functions {
            if states.contains_key(&root) {
                continue;
            }
            let mut path: Vec<(GlobalId, usize)> = vec![(root, 0)];
            while let Some((id, next)) = path.last_mut() {
                let id = *id;
                if *next == 0 && !states.contains_key(&id) {
                    let number = states.len();
                    let state = State {
                        number,
                        lowest: number,
                        open: true,
                    };
                    states.insert(id, state);
                    open.push(id);
                }
                let callees = calls.get(&id).map_or(&[][..], |callees| callees);
                if let Some(&callee) = callees.get(*next) {
                    *next += 1;
                    match states.get(&callee).copied() {
                        None => path.push((callee, 0)),
                        Some(state) if state.open => lower(&mut states, id, state.number),
                        Some(_) => {}
                    }
                    continue;
                }
                path.pop();
                let state = states[&id];
                if let Some(&(caller, _)) = path.last() {
                    lower(&mut states, caller, state.lowest);
                }
                if state.lowest != state.number {
                    continue;
                }
                let from = open.iter().rposition(|&other| other == id).unwrap_or(0);
                let members = open.split_off(from);
                let in_cycle = members.len() > 1 || callees.contains(&id);
                for &member in &members {
                    if let Some(state) = states.get_mut(&member) {
                        state.open = false;
                    }
                    self.recursive.insert(member, in_cycle);
                    self.order.push(member);
                }
            }
        }

        fn lower(states: &mut FxHashMap<GlobalId, State>, id: GlobalId, number: usize) {
            if let Some(state) = states.get_mut(&id) {
                state.lowest = state.lowest.min(number);
            }
        }
    }
}

/// Counts what names a function outside of code: variables, aliases, and constants made of its address.
fn count_other_uses(module: &Module, uses: &mut FxHashMap<GlobalId, u32>) {
    let mut found = Vec::new();
    for (id, constant) in module.constants.iter() {
        let parts = module.constants.operands(id);
        found.extend(parts.filter_map(|part| module.global_of(part)));
        if let ConstKind::DsoLocalEquivalent(global) | ConstKind::NoCfi(global) = constant.kind {
            found.push(global);
        }
    }
    for &id in &module.order {
        let constants = match &module.globals[id].kind {
            GlobalKind::Variable(variable) => [variable.init, None, None],
            GlobalKind::Alias(target) | GlobalKind::Ifunc(target) => [Some(*target), None, None],
            GlobalKind::Function(function) => {
                [function.prefix, function.prologue, function.personality]
            }
            GlobalKind::Pending => [None; 3],
        };
        let constants = constants.into_iter().flatten();
        found.extend(constants.filter_map(|constant| module.global_of(constant)));
    }
    for global in found {
        *uses.entry(global).or_default() += 1;
    }
}
