//! What pointers of a body point to.
//!
//! Stack memory and computed addresses are what they are. What is free gets what the first use that requires something
//! requires: an access, a step through memory, an argument. Phis and choices pass it on to what comes into them, and take
//! it from there if nothing else requires anything. The rest points to `i8`.

use super::pointer::Typing;
use crate::function::{Body, Def};
use crate::index::Id;
use crate::inst::{CastOp, Op};
use crate::types::{Type, TypeId};
use crate::value::{InstId, Local, Operand, Value};

/// How often what phis require is passed on.
const ROUNDS: usize = 4;

/// The types of the values of a body.
pub(super) struct Chosen {
    types: Vec<TypeId>,
}

impl Chosen {
    pub(super) fn of(&self, local: Local) -> TypeId {
        self.types[local.index()]
    }

    /// The type of a new value.
    pub(super) fn push(&mut self, ty: TypeId) {
        self.types.push(ty);
    }
}

impl Typing<'_> {
    /// What accesses of parameters require them to point to.
    pub(super) fn demanded_params(&mut self, body: &Body, count: usize) -> Vec<Option<TypeId>> {
        let mut demanded = vec![None; body.locals.len()];
        self.accesses(body, &mut demanded);
        demanded.truncate(count);
        demanded
    }

    /// The types of all values.
    pub(super) fn choose(&mut self, body: &Body, params: &[TypeId]) -> Chosen {
        let mut demanded = vec![None; body.locals.len()];
        self.accesses(body, &mut demanded);
        // What is decided: the pointee of a scalar pointer, or the whole type of everything else.
        let mut types: Vec<Option<TypeId>> = vec![None; body.locals.len()];
        for index in 0..body.locals.len() {
            let local = Local::new(index);
            let old = body.locals[local].ty;
            types[index] = match body.locals[local].def {
                Def::Param(position) => params.get(position as usize).copied(),
                Def::Inst(inst) => self.own_type(body, inst, old),
                Def::Pending => Some(self.mapped(old)),
            };
            if types[index].is_none()
                && let Some(pointee) = demanded[index]
            {
                let space = self.space(old);
                types[index] = Some(self.pointer(pointee, space));
            }
        }
        for _ in 0..ROUNDS {
            if !self.pass_on(body, &mut types) {
                break;
            }
        }
        let types = types.into_iter().enumerate().map(|(index, ty)| {
            ty.unwrap_or_else(|| self.mapped(body.locals[Local::new(index)].ty))
        });
        Chosen {
            types: types.collect(),
        }
    }

    /// Notes what accesses require their addresses to point to; the first requirement counts.
    fn accesses(&mut self, body: &Body, demanded: &mut [Option<TypeId>]) {
        for &block in &body.order {
            for &id in &body.blocks[block].insts {
                let inst = &body.insts[id];
                let operands = body.operands(id);
                let (address, ty) = match inst.op {
                    Op::Load(_) => (operands.first(), inst.ty),
                    Op::Store(_) => (operands.get(1), self.module.type_of(body, operands[0])),
                    Op::AtomicRmw(..) | Op::CmpXchg { .. } => {
                        (operands.first(), self.module.type_of(body, operands[1]))
                    }
                    Op::Gep { source } => (operands.first(), source),
                    _ => continue,
                };
                let Some(Operand::Local(local)) = address.map(|address| address.get()) else {
                    continue;
                };
                let is_pointer = self.module.types.is_ptr(body.locals[local].ty);
                if is_pointer && demanded[local.index()].is_none() {
                    demanded[local.index()] = Some(self.mapped(ty));
                }
            }
        }
    }

    /// The type of a result that is not free.
    fn own_type(&mut self, body: &Body, id: InstId, old: TypeId) -> Option<TypeId> {
        let inst = &body.insts[id];
        let is_pointer = self.module.types.is_ptr(old);
        match inst.op {
            Op::Alloca { ty, .. } => {
                let ty = self.mapped(ty);
                let space = self.space(old);
                Some(self.pointer(ty, space))
            }
            Op::Gep { source } => Some(self.computed(body, id, source, old)),
            Op::Load(_) | Op::Phi | Op::Select if is_pointer => None,
            Op::Cast(CastOp::Bitcast | CastOp::Inttoptr | CastOp::Addrspacecast) if is_pointer => {
                None
            }
            Op::Call(site) | Op::Invoke(site) if is_pointer => {
                let site = *self.module.call_sites.get(site);
                let callee = body.call(id, &site).callee;
                let callee = callee.and_then(|callee| callee.constant());
                let target = callee.and_then(|callee| self.module.global_of(callee));
                let target = target.filter(|target| self.old_types[target.index()] == site.ty);
                let ty = target.map(|target| self.module.globals[target].value_ty);
                let signature = ty.and_then(|ty| self.module.types.signature(ty));
                let ret = signature.map(|signature| signature.0);
                Some(ret.unwrap_or_else(|| self.mapped(old)))
            }
            _ => Some(self.mapped(old)),
        }
    }

    /// The type of a computed address.
    fn computed(&mut self, body: &Body, id: InstId, source: TypeId, old: TypeId) -> TypeId {
        let mut member = self.mapped(source);
        for &index in body.operands(id).iter().skip(2) {
            let index = index.constant().and_then(|index| self.index(index));
            match self.module.types.member(member, index.unwrap_or(0)) {
                Some(next) => member = next,
                None => break,
            }
        }
        match self.module.types.get(old) {
            Type::Vector {
                element,
                len,
                scalable,
            } => {
                let space = self.space(element);
                let element = self.pointer(member, space);
                self.module.types.intern(Type::Vector {
                    element,
                    len,
                    scalable,
                })
            }
            _ => {
                let space = self.space(old);
                self.pointer(member, space)
            }
        }
    }

    /// A constant index, that of all elements of a vector included.
    fn index(&self, index: crate::constant::ConstId) -> Option<u64> {
        match self.module.constants.get(index).kind {
            crate::constant::ConstKind::Splat(element) => self.module.constants.as_u64(element),
            _ => self.module.constants.as_u64(index),
        }
    }

    /// Passes types on between phis, choices, casts and loads and what comes into them; whether anything changed.
    fn pass_on(&mut self, body: &Body, types: &mut [Option<TypeId>]) -> bool {
        let mut changed = false;
        for &block in &body.order {
            for &id in &body.blocks[block].insts {
                let inst = &body.insts[id];
                let operands = body.operands(id);
                let incoming: Vec<Value> = match inst.op {
                    Op::Phi => operands.iter().copied().step_by(2).collect(),
                    Op::Select => operands[1..].to_vec(),
                    Op::Cast(CastOp::Addrspacecast | CastOp::Bitcast) => operands.to_vec(),
                    Op::Call(site) | Op::Invoke(site) => {
                        changed |= self.arguments(body, id, site, types);
                        continue;
                    }
                    _ => continue,
                };
                let Some(result) = inst.local().map(|local| local.index()) else {
                    continue;
                };
                if !self.module.types.is_ptr(inst.ty) {
                    continue;
                }
                let is_cast = matches!(inst.op, Op::Cast(_));
                let of = |value: &Value| match value.get() {
                    Operand::Local(local) => types[local.index()],
                    _ => None,
                };
                if types[result].is_none()
                    && let Some(ty) = incoming.iter().find_map(of)
                    && self.pointers.pointee(ty).is_some()
                {
                    let pointee = self.pointee(ty);
                    let space = self.space(inst.ty);
                    types[result] = Some(self.pointer(pointee, space));
                    changed = true;
                }
                let Some(ty) = types[result].filter(|_| !is_cast) else {
                    continue;
                };
                for value in incoming {
                    if let Operand::Local(local) = value.get()
                        && types[local.index()].is_none()
                    {
                        types[local.index()] = Some(ty);
                        changed = true;
                    }
                }
            }
        }
        changed
    }

    /// Arguments get the types of the parameters of functions that are called directly.
    fn arguments(
        &mut self,
        body: &Body,
        id: InstId,
        site: crate::inst::CallSiteId,
        types: &mut [Option<TypeId>],
    ) -> bool {
        let site = *self.module.call_sites.get(site);
        let call = body.call(id, &site);
        let callee = call.callee.and_then(|callee| callee.constant());
        let Some(target) = callee.and_then(|callee| self.module.global_of(callee)) else {
            return false;
        };
        if self.old_types[target.index()] != site.ty {
            return false;
        }
        let ty = self.module.globals[target].value_ty;
        let Some((_, params, _)) = self.module.types.signature(ty) else {
            return false;
        };
        let mut changed = false;
        for (&argument, &param) in call.args.iter().zip(params) {
            if let Operand::Local(local) = argument.get()
                && types[local.index()].is_none()
            {
                types[local.index()] = Some(param);
                changed = true;
            }
        }
        changed
    }
}
