//! One call of an intrinsic that LLVM has replaced, and what becomes of it.

use super::Upgrader;
use crate::function::{Attachment, Body};
use crate::inst::{
    Access, Align, BinaryOp, CallConv, CallSite, CastOp, Flags, IcmpPredicate, Op, Ordering, RmwOp,
    SyncScope, Tail,
};
use crate::metadata::NodeKind;
use crate::module::Module;
use crate::types::{Type, TypeId, Types};
use crate::upgrade::lifetime;
use crate::upgrade::rule::Rule;
use crate::value::{InstId, Local, Value};

/// An intrinsic: name, result and parameters.
pub(super) type Intrinsic<'a> = (&'a str, TypeId, Vec<TypeId>);

/// The intrinsic that replaces another, if it is one.
pub(super) fn replacement(
    module: &Module,
    rule: Rule,
    ret: TypeId,
    params: &[TypeId],
) -> Option<Intrinsic<'static>> {
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
pub(super) struct Replaced<'a> {
    pub(super) upgrader: &'a mut Upgrader,
    pub(super) module: &'a mut Module,
    pub(super) body: &'a mut Body,
    /// The instructions of the block so far.
    pub(super) made: &'a mut Vec<InstId>,
    pub(super) inst: InstId,
}

/// Whether an intrinsic with a result and parameters is the one that a rule replaces. One that is not stays as it is, and is
/// refused by name where code is made.
pub(super) fn fits(types: &Types, rule: Rule, ret: TypeId, params: &[TypeId]) -> bool {
    let bits = |ty: TypeId| match types.get(ty) {
        Type::Int(bits) => Some(bits),
        ty => ty.float_bits(),
    };
    match (rule, params) {
        (Rule::Cast(CastOp::Bitcast), &[from]) => bits(from).is_some() && bits(from) == bits(ret),
        (Rule::Cast(_), &[from]) => types.is_ptr(from) && types.is_ptr(ret),
        (Rule::Rmw(op), &[address, value]) => {
            let is_number = match op {
                RmwOp::Fadd => types.is_float(ret),
                _ => types.is_int(ret),
            };
            types.is_ptr(address) && value == ret && is_number
        }
        (Rule::InvariantLoad, &[address, ..]) => types.is_ptr(address) && types.is_first_class(ret),
        (Rule::Absolute, &[value]) => value == ret && types.is_int(ret),
        (Rule::Reduce { .. }, &[value]) => value == types.i32 && ret == types.i32,
        (Rule::Rotate(_), &[value, amount]) => {
            value == ret && types.is_int(ret) && types.is_int(amount)
        }
        (Rule::SwapHalves, &[value]) => value == types.i64 && ret == types.i64,
        (Rule::Recall { .. } | Rule::CountWide { .. }, &[value]) => {
            types.is_int(value) && types.is_int(ret)
        }
        (Rule::Mark(_), &[_, memory]) => types.is_ptr(memory),
        (Rule::Rename(_) | Rule::Call { .. } | Rule::NamedCall { .. }, _) => true,
        _ => false,
    }
}

impl Replaced<'_> {
    /// Replaces the call. Gives whether its instruction stays in the block.
    pub(super) fn apply(&mut self, rule: Rule) -> bool {
        let inst = self.body.insts[self.inst];
        let operands = self.body.operands(self.inst);
        let args = operands[..operands.len() - 1].to_vec();
        let types: Vec<TypeId> = args
            .iter()
            .map(|&arg| self.module.type_of(self.body, arg))
            .collect();
        if !fits(&self.module.types, rule, inst.ty, &types) {
            // Its declaration stays, too.
            let callee = operands.last().and_then(|callee| callee.constant());
            let callee = callee.and_then(|callee| self.module.global_of(callee));
            if let Some(callee) = callee.filter(|callee| !self.module.order.contains(callee)) {
                self.module.order.push(callee);
            }
            return true;
        }
        let call = replacement(self.module, rule, inst.ty, &types);
        // All but one kind of replacement leave the name of the value after, as LLVM does.
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
                    scope: SyncScope::SYSTEM,
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
                    _ => return true,
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
            (Rule::Mark(stem), _) => match lifetime::marked(self.module, self.body, args[1]) {
                Some((memory, space)) => {
                    let (void, ty) = (inst.ty, self.module.types.pointer(space));
                    let name = format!("{stem}.p{space}");
                    self.become_call((&name, void, vec![ty]), &[memory]);
                }
                None => {
                    self.become_op(Op::Unreachable, &[]);
                    return false;
                }
            },
            _ => {}
        }
        true
    }

    /// Gives a value a name, with a number after it if it is taken.
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

    fn call_op(&mut self, (name, ret, params): Intrinsic<'_>, args: &[Value]) -> (Op, Vec<Value>) {
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

    fn become_call(&mut self, call: Intrinsic<'_>, args: &[Value]) {
        let (op, operands) = self.call_op(call, args);
        self.become_op(op, &operands);
    }

    fn emit_call(&mut self, call: Intrinsic<'_>, args: &[Value]) -> Value {
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
                ordering: Ordering::Weak,
                align,
                scope: SyncScope::SYSTEM,
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
