//! Intrinsics that LLVM has renamed or replaced by instructions.
//!
//! The table in `rule` says what becomes of each. A call that becomes several instructions keeps its own place
//! for the last of them, so that its users need no change.

use super::mangle;
use super::rule::{Rule, rule_of};
use crate::constant::ConstId;
use crate::function::{Attachment, Body};
use crate::index::Id;
use crate::inst::{
    Access, Align, BinaryOp, CallConv, CallSite, CastOp, Flags, IcmpPredicate, Op, Ordering,
    ScopeId, Tail,
};
use crate::metadata::NodeKind;
use crate::module::{
    DllStorage, Function, Global, GlobalId, GlobalKind, Linkage, Module, ThreadLocal, UnnamedAddr,
    Visibility,
};
use crate::name::Name;
use crate::types::{Type, TypeId};
use crate::value::{InstId, Local, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes calls of intrinsics that LLVM has renamed or replaced modern, and removes their declarations.
///
/// Readers leave them as they are, because nothing is lost by that; a stage that looks at intrinsics
/// asks for this first.
pub fn upgrade_intrinsics(module: &mut Module) {
    let mut upgrader = Upgrader {
        by_name: FxHashMap::default(),
        rules: FxHashMap::default(),
        renamed: FxHashMap::default(),
        taken: None,
        suffix: 0,
    };
    let mut old = Vec::new();
    for &id in &module.order {
        let global = &module.globals[id];
        let Some(name) = global.name else { continue };
        upgrader.by_name.insert(name, id);
        let declared = matches!(&global.kind, GlobalKind::Function(f) if f.body.is_none());
        let bytes = module.names.bytes(name);
        if declared && bytes.starts_with(b"llvm.") {
            let rule = rule_of(bytes);
            let modern = match rule {
                Some(_) => None,
                None => mangle::without_pointees(bytes),
            };
            if rule.is_some() || modern.is_some() {
                old.push((id, rule, modern));
            }
        }
    }
    if old.is_empty() {
        return;
    }
    // LLVM makes the new declarations one after the other at the end.
    module
        .order
        .retain(|id| !old.iter().any(|entry| entry.0 == *id));
    for &(id, _, _) in &old {
        if let Some(name) = module.globals[id].name {
            upgrader.by_name.remove(&name);
        }
    }
    let called = called_globals(module);
    for (id, rule, modern) in old {
        let modern = match rule {
            Some(Rule::Rename(modern)) => Some(modern.as_bytes().to_vec()),
            _ => modern,
        };
        match (modern, rule) {
            (Some(modern), _) => upgrader.rename(module, id, &modern),
            (None, Some(rule)) => {
                if called.contains(&id) {
                    upgrader.declare_for(module, id, rule);
                }
                upgrader.rules.insert(id, rule);
            }
            (None, None) => {}
        }
    }
    let functions: Vec<GlobalId> = module.functions().map(|(id, _, _)| id).collect();
    for id in functions {
        let GlobalKind::Function(function) = &mut module.globals[id].kind else {
            continue;
        };
        if let Some(mut body) = function.body.take() {
            upgrader.body(module, &mut body);
            if let GlobalKind::Function(function) = &mut module.globals[id].kind {
                function.body = Some(body);
            }
        }
    }
}

/// The globals that are called somewhere.
fn called_globals(module: &Module) -> FxHashSet<GlobalId> {
    let bodies = module
        .functions()
        .filter_map(|(_, _, function)| function.body.as_ref());
    let mut called = FxHashSet::default();
    for body in bodies {
        for (id, inst) in body.insts.iter() {
            if inst.op.call_site().is_some() {
                let callee = body
                    .operands(id)
                    .last()
                    .and_then(|callee| callee.constant());
                called.extend(callee.and_then(|callee| module.global_of(callee)));
            }
        }
    }
    called
}

struct Upgrader {
    by_name: FxHashMap<Name, GlobalId>,
    /// Intrinsics whose calls are replaced.
    rules: FxHashMap<GlobalId, Rule>,
    /// Intrinsics that are another global now.
    renamed: FxHashMap<GlobalId, GlobalId>,
    /// The names of values and blocks of the function at hand, once they are needed.
    taken: Option<FxHashSet<Name>>,
    /// The last number that was put behind a name of the function at hand.
    suffix: u32,
}

impl Upgrader {
    /// Gives an intrinsic its modern name, or its calls to the intrinsic that has it.
    fn rename(&mut self, module: &mut Module, id: GlobalId, modern: &[u8]) {
        let name = module.names.intern(modern);
        match self.by_name.get(&name) {
            Some(&known) => {
                self.renamed.insert(id, known);
            }
            None => {
                module.globals[id].name = Some(name);
                self.by_name.insert(name, id);
                module.order.push(id);
            }
        }
    }

    /// The intrinsic with a name and type, declared if need be.
    fn intrinsic(
        &mut self,
        module: &mut Module,
        name: &str,
        ret: TypeId,
        params: &[TypeId],
    ) -> (ConstId, TypeId) {
        let ty = module.types.function(ret, params, false);
        let name = module.names.intern(name.as_bytes());
        let id = match self.by_name.get(&name) {
            Some(&id) => id,
            None => {
                let id = module.globals.push(Global {
                    name: Some(name),
                    linkage: Linkage::External,
                    visibility: Visibility::Default,
                    dll_storage: DllStorage::Default,
                    dso_local: false,
                    unnamed_addr: UnnamedAddr::None,
                    thread_local: ThreadLocal::None,
                    value_ty: ty,
                    space: 0,
                    section: None,
                    partition: None,
                    comdat: None,
                    align: Align::NONE,
                    metadata: Vec::new(),
                    pos: 0,
                    kind: GlobalKind::Function(Box::new(Function {
                        conv: CallConv::C,
                        attrs: module.attributes.empty_list,
                        gc: None,
                        prefix: None,
                        prologue: None,
                        personality: None,
                        body: None,
                    })),
                });
                self.by_name.insert(name, id);
                module.order.push(id);
                id
            }
        };
        (module.address_of(id), ty)
    }

    /// Declares what the calls of an intrinsic will call.
    fn declare_for(&mut self, module: &mut Module, id: GlobalId, rule: Rule) {
        let Some((ret, params, _)) = module.types.signature(module.globals[id].value_ty) else {
            return;
        };
        let params = params.to_vec();
        if let Some((name, ret, params)) = replacement(module, rule, ret, &params) {
            self.intrinsic(module, name, ret, &params);
        }
    }

    fn body(&mut self, module: &mut Module, body: &mut Body) {
        self.taken = None;
        self.suffix = 0;
        for index in 0..body.order.len() {
            let block = body.order[index];
            let affected = body.blocks[block]
                .insts
                .iter()
                .any(|&inst| self.callee(module, body, inst).is_some());
            if !affected {
                continue;
            }
            let insts = std::mem::take(&mut body.blocks[block].insts);
            let mut made = Vec::with_capacity(insts.len() + 8);
            // Where debug records go that stood before a call that is replaced.
            let mut moved: FxHashMap<InstId, InstId> = FxHashMap::default();
            for inst in insts {
                let first = made.len();
                if let Some(callee) = self.callee(module, body, inst) {
                    if let Some(&modern) = self.renamed.get(&callee) {
                        let address = module.address_of(modern);
                        if let Some(last) = body.operands_mut(inst).last_mut() {
                            *last = address.into();
                        }
                    } else if let Some(&rule) = self.rules.get(&callee) {
                        let mut call = Replaced {
                            upgrader: self,
                            module,
                            body,
                            made: &mut made,
                            inst,
                        };
                        call.apply(rule);
                    }
                }
                made.push(inst);
                if made[first] != inst {
                    moved.insert(inst, made[first]);
                }
            }
            body.blocks[block].insts = made;
            if !moved.is_empty() {
                for record in &mut body.records {
                    if let Some(&inst) = moved.get(&record.before) {
                        record.before = inst;
                    }
                }
            }
        }
    }

    /// The intrinsic that a call calls, if something becomes of it.
    fn callee(&self, module: &Module, body: &Body, inst: InstId) -> Option<GlobalId> {
        body.insts[inst].op.call_site()?;
        let callee = body.operands(inst).last()?.constant()?;
        let global = module.global_of(callee)?;
        (self.rules.contains_key(&global) || self.renamed.contains_key(&global)).then_some(global)
    }
}

/// An intrinsic: name, result and parameters.
type Intrinsic = (&'static str, TypeId, Vec<TypeId>);

/// The intrinsic that replaces another, if it is one.
fn replacement(module: &Module, rule: Rule, ret: TypeId, params: &[TypeId]) -> Option<Intrinsic> {
    let (i1, i32) = (module.types.i1, module.types.i32);
    Some(match rule {
        Rule::Call { name, zero } => {
            let mut params = params.to_vec();
            if zero {
                params.insert(0, i32);
            }
            (name, ret, params)
        }
        Rule::NamedCall { name, .. } => (name, ret, params.to_vec()),
        Rule::Recall { name, falsehood }
        | Rule::CountWide {
            name, falsehood, ..
        } => {
            let mut params = params.to_vec();
            let ret = *params.first()?;
            if falsehood {
                params.push(i1);
            }
            (name, ret, params)
        }
        Rule::Reduce { name, truth } => (name, if truth { i1 } else { ret }, vec![i32, i1]),
        Rule::Rotate(name) => (name, ret, vec![ret; 3]),
        Rule::SwapHalves => ("llvm.fshl.i64", ret, vec![ret; 3]),
        _ => return None,
    })
}

/// A call that becomes something else.
struct Replaced<'a> {
    upgrader: &'a mut Upgrader,
    module: &'a mut Module,
    body: &'a mut Body,
    /// The instructions of the block so far.
    made: &'a mut Vec<InstId>,
    inst: InstId,
}

impl Replaced<'_> {
    fn apply(&mut self, rule: Rule) {
        let inst = self.body.insts[self.inst];
        let operands = self.body.operands(self.inst);
        let args = operands[..operands.len() - 1].to_vec();
        let types: Vec<TypeId> = args
            .iter()
            .map(|&arg| self.module.type_of(self.body, arg))
            .collect();
        let call = replacement(self.module, rule, inst.ty, &types);
        // All but one kind of replacement leave the name of the value behind, as LLVM does.
        if !matches!(rule, Rule::Recall { .. })
            && let Some(local) = inst.local()
        {
            self.body.locals[local].name = None;
        }
        match (rule, call) {
            (Rule::Cast(op), _) => self.become_op(Op::Cast(op), &args[..1]),
            (Rule::Rmw(op), _) => {
                let access = Access {
                    volatile: false,
                    ordering: Ordering::SeqCst,
                    align: Align::NONE,
                    scope: ScopeId::new(0),
                };
                self.become_op(Op::AtomicRmw(op, access), &args);
            }
            (Rule::InvariantLoad, _) => self.invariant_load(&args),
            (Rule::Call { zero, .. }, Some(call)) => {
                let mut args = args;
                if zero {
                    args.insert(0, self.int(0, 32));
                }
                self.become_call(call, &args);
            }
            (Rule::Recall { falsehood, .. }, Some(call)) => {
                let mut args = args;
                if falsehood {
                    args.push(self.int(0, 1));
                }
                self.become_call(call, &args);
            }
            (
                Rule::CountWide {
                    falsehood, values, ..
                },
                Some(call),
            ) => {
                let mut args = args;
                if falsehood {
                    args.push(self.int(0, 1));
                }
                let count = self.emit_call(call, &args);
                self.name(count.local(), values[0]);
                self.become_op(Op::Cast(CastOp::Trunc), &[count]);
                self.name(inst.local(), values[1]);
            }
            (Rule::NamedCall { value, .. }, Some(call)) => {
                self.become_call(call, &args);
                self.name(inst.local(), value);
            }
            (Rule::Absolute, _) => {
                let bits = match self.module.types.get(inst.ty) {
                    Type::Int(bits) => bits,
                    _ => return,
                };
                let zero = self.int(0, bits);
                let negated = self.emit(Op::Binary(BinaryOp::Sub), inst.ty, &[zero, args[0]]);
                self.name(negated.local(), "neg");
                let i1 = self.module.types.i1;
                let icmp = Op::Icmp(IcmpPredicate::Sge);
                let condition = self.emit(icmp, i1, &[args[0], zero]);
                self.name(condition.local(), "abs.cond");
                self.become_op(Op::Select, &[condition, args[0], negated]);
                self.name(inst.local(), "abs");
            }
            (Rule::Reduce { truth, .. }, Some(call)) => {
                let zero = self.int(0, 32);
                let i1 = self.module.types.i1;
                let icmp = Op::Icmp(IcmpPredicate::Ne);
                let condition = self.emit(icmp, i1, &[args[0], zero]);
                let args = [zero, condition];
                if truth {
                    let result = self.emit_call(call, &args);
                    self.become_op(Op::Cast(CastOp::Zext), &[result]);
                } else {
                    self.become_call(call, &args);
                }
            }
            (Rule::Rotate(_), Some(call)) => {
                let amount = self.widened(args[1], inst.ty);
                self.become_call(call, &[args[0], args[0], amount]);
            }
            (Rule::SwapHalves, Some(call)) => {
                let half = self.int(32, 64);
                self.become_call(call, &[args[0], args[0], half]);
            }
            _ => {}
        }
    }

    /// Gives a value a name, with a number behind it if it is taken.
    fn name(&mut self, local: Option<Local>, name: &str) {
        let Some(local) = local else { return };
        let body = &*self.body;
        let taken = self.upgrader.taken.get_or_insert_with(|| {
            let locals = body.locals.iter().filter_map(|(_, def)| def.name);
            let blocks = body.blocks.iter().filter_map(|(_, block)| block.name);
            locals.chain(blocks).collect()
        });
        let mut found = self.module.names.intern(name.as_bytes());
        while !taken.insert(found) {
            self.upgrader.suffix += 1;
            let numbered = format!("{name}{}", self.upgrader.suffix);
            found = self.module.names.intern(numbered.as_bytes());
        }
        self.body.locals[local].name = Some(found);
    }

    fn int(&mut self, value: u64, bits: u32) -> Value {
        let ty = self.module.types.int(bits);
        self.module.constants.int(ty, bits, &[value]).into()
    }

    /// An amount as a value of a wider type.
    fn widened(&mut self, amount: Value, ty: TypeId) -> Value {
        if self.module.type_of(self.body, amount) == ty {
            return amount;
        }
        match amount
            .constant()
            .and_then(|constant| self.module.constants.as_u64(constant))
        {
            Some(value) => self.int(value, 64),
            None => self.emit(Op::Cast(CastOp::Zext), ty, &[amount]),
        }
    }

    /// A new instruction before the call, from the same place of the source.
    fn emit(&mut self, op: Op, ty: TypeId, operands: &[Value]) -> Value {
        let inst = self.body.add_inst(op, ty, operands, true);
        self.body.insts[inst].debug_location = self.body.insts[self.inst].debug_location;
        self.body.insts[inst].pos = self.body.insts[self.inst].pos;
        self.made.push(inst);
        match self.body.insts[inst].local() {
            Some(local) => local.into(),
            // It was made with a result.
            None => operands[0],
        }
    }

    /// The call becomes another instruction with the same result.
    fn become_op(&mut self, op: Op, operands: &[Value]) {
        self.body.set_operands(self.inst, operands);
        self.body.insts[self.inst].op = op;
        self.body.insts[self.inst].flags = Flags::empty();
        let inst = self.inst;
        self.body.attachments.retain(|other| other.inst != inst);
    }

    fn call_op(&mut self, (name, ret, params): Intrinsic, args: &[Value]) -> (Op, Vec<Value>) {
        let (address, ty) = self.upgrader.intrinsic(self.module, name, ret, &params);
        let site = self.module.call_sites.intern(CallSite {
            ty,
            attrs: self.module.attributes.empty_list,
            conv: CallConv::C,
            tail: Tail::None,
            args: args.len() as u32,
            bundles: self.module.bundles.intern(&[]),
        });
        let mut operands = args.to_vec();
        operands.push(address.into());
        (Op::Call(site), operands)
    }

    fn become_call(&mut self, call: Intrinsic, args: &[Value]) {
        let (op, operands) = self.call_op(call, args);
        self.become_op(op, &operands);
    }

    fn emit_call(&mut self, call: Intrinsic, args: &[Value]) -> Value {
        let ret = call.1;
        let (op, operands) = self.call_op(call, args);
        self.emit(op, ret, &operands)
    }

    fn invariant_load(&mut self, args: &[Value]) {
        let align = args
            .get(1)
            .and_then(|align| align.constant())
            .and_then(|align| self.module.constants.as_u64(align))
            .and_then(Align::new)
            .unwrap_or(Align::NONE);
        let mut address = args[0];
        // What is read this way lies in global memory.
        let ty = self.module.type_of(self.body, address);
        if self.module.types.get(ty) == Type::Ptr(0) {
            let global = self.module.types.pointer(1);
            address = self.emit(Op::Cast(CastOp::Addrspacecast), global, &[address]);
        }
        self.become_op(
            Op::Load(Access {
                volatile: false,
                ordering: Ordering::NotAtomic,
                align,
                scope: ScopeId::new(0),
            }),
            &[address],
        );
        let kind = self.module.names.intern(b"invariant.load");
        let node = self.module.metadata.intern(NodeKind::Tuple, &[]);
        let inst = self.inst;
        let at = self
            .body
            .attachments
            .partition_point(|other| other.inst <= inst);
        let attachment = Attachment { inst, kind, node };
        self.body.attachments.insert(at, attachment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = include_str!("tests/old.ll");

    /// The expectation is what `llvm-as-22` makes of the file.
    #[test]
    fn old_intrinsics_become_what_llvm_makes_of_them() {
        let file = warpc_diag::SourceFile::new("old.ll", OLD).expect("a short text");
        let mut module = crate::read_text(&file).module;
        upgrade_intrinsics(&mut module);
        let printed = crate::print(&module);
        let expected = include_str!("tests/old.expected.ll");
        let body = |text: &str| -> Vec<String> {
            let lines = text.lines().map(|line| line.trim().to_owned());
            let body = lines.skip_while(|line| !line.starts_with("define"));
            body.take_while(|line| line != "}").collect()
        };
        assert_eq!(body(&printed), body(expected));
        assert!(!printed.contains("barrier0"));
        let memcpy = "declare void @llvm.memcpy.p0.p0.i64(";
        assert!(printed.contains(memcpy), "{printed}");
    }
}
