//! Typed pointers.
//!
//! Memory holds pointers to `i8`: a field, an element, a parameter of a function that is only declared and a result are
//! `i8*`. Variables, functions and stack memory are pointers to what they are, and so is an address that `getelementptr`
//! computes. What is free to be any pointer (a parameter, a value that is loaded, a phi) becomes what its uses require
//! (`infer`). Where a use requires another type than the value has, a `bitcast` is put before it.

use super::Pointers;
use super::infer::Chosen;
use super::intrinsic::pointees;
use crate::Module;
use crate::attribute::Attribute;
use crate::constant::ConstId;
use crate::function::Body;
use crate::index::Id;
use crate::inst::{CallSite, CastOp, Inst, Op};
use crate::metadata::{FieldValue, Md, NodeId};
use crate::module::{Asm, AsmId, GlobalId, GlobalKind};
use crate::types::{StructBody, StructId, Type, TypeId};
use crate::value::{Block, InstId, Local, Operand, Value};
use rustc_hash::FxHashMap;

/// The state of typing the pointers of a module.
pub(super) struct Typing<'a> {
    pub(super) module: &'a mut Module,
    pub(super) pointers: Pointers,
    /// Types with pointers to `i8` in the place of opaque ones.
    types: FxHashMap<TypeId, TypeId>,
    /// By constant: what it is now.
    pub(super) constants: Vec<ConstId>,
    /// By global: the type that it had.
    pub(super) old_types: Vec<TypeId>,
    pub(super) refused: &'a mut Vec<String>,
}

pub(super) fn type_pointers(module: &mut Module, refused: &mut Vec<String>) -> Pointers {
    let old_types = module.globals.iter().map(|(_, global)| global.value_ty);
    let mut typing = Typing {
        old_types: old_types.collect(),
        pointers: Pointers::default(),
        types: FxHashMap::default(),
        constants: Vec::new(),
        module,
        refused,
    };
    typing.structs();
    typing.global_types();
    typing.map_constants();
    typing.globals();
    typing.metadata();
    typing.asms();
    typing.bodies();
    typing.pointers
}

impl Typing<'_> {
    pub(super) fn refuse(&mut self, what: &str) {
        if !self.refused.iter().any(|known| known == what) {
            self.refused.push(what.to_owned());
        }
    }

    /// `T*`
    pub(super) fn pointer(&mut self, pointee: TypeId, space: u32) -> TypeId {
        self.pointers.to(self.module, pointee, space)
    }

    /// The address space of a pointer, typed or not.
    pub(super) fn space(&self, ty: TypeId) -> u32 {
        match self.module.types.get(ty) {
            Type::Ptr(space) => space,
            _ => self.pointers.pointee(ty).map_or(0, |row| row.1),
        }
    }

    /// What a pointer points to; `i8` for others.
    pub(super) fn pointee(&self, ty: TypeId) -> TypeId {
        let pointee = self.pointers.pointee(ty);
        pointee.map_or(self.module.types.i8, |row| row.0)
    }

    /// A type with pointers to `i8` in the place of opaque ones. Types nest up to a bounded depth.
    pub(super) fn mapped(&mut self, ty: TypeId) -> TypeId {
        if let Some(&mapped) = self.types.get(&ty) {
            return mapped;
        }
        let mapped = match self.module.types.get(ty) {
            Type::Ptr(space) => {
                let i8 = self.module.types.i8;
                self.pointer(i8, space)
            }
            Type::Vector {
                element,
                len,
                scalable,
            } => {
                let element = self.mapped(element);
                self.module.types.intern(Type::Vector {
                    element,
                    len,
                    scalable,
                })
            }
            Type::Array { element, len } => {
                let element = self.mapped(element);
                self.module.types.intern(Type::Array { element, len })
            }
            Type::Struct { fields, packed } => {
                let fields = self.module.types.list(fields).to_vec();
                let fields: Vec<TypeId> = fields.into_iter().map(|ty| self.mapped(ty)).collect();
                let fields = self.module.types.intern_list(&fields);
                self.module.types.intern(Type::Struct { fields, packed })
            }
            Type::Function {
                ret,
                params,
                variadic,
            } => {
                let params = self.module.types.list(params).to_vec();
                let params: Vec<TypeId> = params.into_iter().map(|ty| self.mapped(ty)).collect();
                let ret = self.mapped(ret);
                self.module.types.function(ret, &params, variadic)
            }
            _ => ty,
        };
        self.types.insert(ty, mapped);
        self.types.insert(mapped, mapped);
        mapped
    }

    fn structs(&mut self) {
        let ids: Vec<StructId> = self.module.types.structs.ids().collect();
        for id in ids {
            let StructBody::Fields { fields, packed } = self.module.types.structs[id].body else {
                continue;
            };
            let fields = self.module.types.list(fields).to_vec();
            let fields: Vec<TypeId> = fields.into_iter().map(|ty| self.mapped(ty)).collect();
            let fields = self.module.types.intern_list(&fields);
            self.module.types.structs[id].body = StructBody::Fields { fields, packed };
        }
    }

    /// The types of variables and functions, and the pointers to them.
    fn global_types(&mut self) {
        for id in self.module.order.clone() {
            let ty = match &self.module.globals[id].kind {
                GlobalKind::Function(function) => match &function.body {
                    Some(_) => self.definition(id),
                    None => self.declaration(id),
                },
                _ => {
                    let ty = self.module.globals[id].value_ty;
                    self.mapped(ty)
                }
            };
            self.module.globals[id].value_ty = ty;
            let space = self.module.globals[id].space;
            self.pointer(ty, space);
        }
    }

    fn declaration(&mut self, id: GlobalId) -> TypeId {
        let ty = self.module.globals[id].value_ty;
        let name = self.module.globals[id].name;
        let is_intrinsic =
            name.is_some_and(|name| self.module.names.bytes(name).starts_with(b"llvm."));
        if !is_intrinsic {
            return self.mapped(ty);
        }
        let (name, pointees) = pointees(self.module, id);
        let name = self.module.names.intern(&name);
        self.module.globals[id].name = Some(name);
        let Some((ret, params, variadic)) = self.module.types.signature(ty) else {
            return ty;
        };
        let params = params.to_vec();
        let mut ret = self.mapped(ret);
        // What marks memory that does not change points to nothing.
        let word = self.module.names.bytes(name);
        let starts = word.starts_with(b"llvm.invariant.start");
        let ends = word.starts_with(b"llvm.invariant.end");
        let fields = self.module.types.intern_list(&[]);
        let nothing = Type::Struct {
            fields,
            packed: false,
        };
        let nothing = self.module.types.intern(nothing);
        let nothing = self.pointer(nothing, 0);
        if starts {
            ret = nothing;
        }
        let mut pointees = pointees.into_iter();
        let mut typed = Vec::new();
        for param in params {
            let pointee = match self.module.types.is_ptr(param) {
                true => pointees.next().flatten(),
                false => None,
            };
            typed.push(match pointee {
                Some(pointee) => {
                    let pointee = self.mapped(pointee);
                    let space = self.space(param);
                    self.pointer(pointee, space)
                }
                None => self.mapped(param),
            });
        }
        if ends && let Some(first) = typed.first_mut() {
            *first = nothing;
        }
        self.module.types.function(ret, &typed, variadic)
    }

    /// The type of a function with a body: its parameters point to what the body uses them for.
    fn definition(&mut self, id: GlobalId) -> TypeId {
        let ty = self.module.globals[id].value_ty;
        let Some((ret, params, variadic)) = self.module.types.signature(ty) else {
            return ty;
        };
        let params = params.to_vec();
        let GlobalKind::Function(function) = &mut self.module.globals[id].kind else {
            return ty;
        };
        let (body, attrs) = (function.body.take(), function.attrs);
        let demanded = match &body {
            Some(body) => self.demanded_params(body, params.len()),
            None => Vec::new(),
        };
        if let GlobalKind::Function(function) = &mut self.module.globals[id].kind {
            function.body = body;
        }
        let mut typed = Vec::new();
        for (index, &param) in params.iter().enumerate() {
            let by_value = self.pointee_of_attribute(attrs, index);
            let pointee = by_value.or_else(|| demanded.get(index).copied().flatten());
            typed.push(match pointee {
                Some(pointee) if self.module.types.is_ptr(param) => {
                    let space = self.space(param);
                    self.pointer(pointee, space)
                }
                _ => self.mapped(param),
            });
        }
        let ret = self.mapped(ret);
        self.module.types.function(ret, &typed, variadic)
    }

    /// What an attribute says that a parameter points to.
    fn pointee_of_attribute(
        &mut self,
        attrs: crate::attribute::AttrList,
        index: usize,
    ) -> Option<TypeId> {
        let attributes = &self.module.attributes;
        let set = attributes.of_param(attrs, index);
        let mut types = attributes.set(set).iter();
        let ty = types.find_map(|&attribute| match attributes.get(attribute) {
            Attribute::Type(_, ty) => Some(ty),
            _ => None,
        })?;
        Some(self.mapped(ty))
    }

    fn globals(&mut self) {
        for id in self.module.order.clone() {
            let ty = self.module.globals[id].value_ty;
            let space = self.module.globals[id].space;
            match &self.module.globals[id].kind {
                GlobalKind::Variable(variable) => {
                    let init = variable.init.map(|init| self.constant_as(init, ty));
                    if let GlobalKind::Variable(variable) = &mut self.module.globals[id].kind {
                        variable.init = init;
                    }
                }
                &GlobalKind::Alias(target) => {
                    let pointer = self.pointer(ty, space);
                    let target = self.constant_as(target, pointer);
                    self.module.globals[id].kind = GlobalKind::Alias(target);
                }
                &GlobalKind::Ifunc(target) => {
                    let target = self.constants[target.index()];
                    self.module.globals[id].kind = GlobalKind::Ifunc(target);
                }
                GlobalKind::Function(function) => {
                    let old = [function.prefix, function.prologue, function.personality];
                    let [prefix, prologue, personality] =
                        old.map(|old| old.map(|old| self.constants[old.index()]));
                    if let GlobalKind::Function(function) = &mut self.module.globals[id].kind {
                        function.prefix = prefix;
                        function.prologue = prologue;
                        function.personality = personality;
                    }
                }
                GlobalKind::Pending => {}
            }
        }
    }

    fn metadata(&mut self) {
        let nodes: Vec<NodeId> = self.module.metadata.ids().collect();
        for node in nodes {
            for field in self.module.metadata.fields_mut(node) {
                if let FieldValue::Md(md) = field.value
                    && let Md::Const(constant) = md.get()
                    && let Some(&typed) = self.constants.get(constant.index())
                {
                    field.value = FieldValue::Md(Md::Const(typed).into());
                }
            }
        }
    }

    /// Inline assembly with typed pointers; each keeps its number.
    fn asms(&mut self) {
        let asms: Vec<Asm> = self.module.asms.iter().map(|row| *row.1).collect();
        for asm in asms {
            let ty = self.mapped(asm.ty);
            self.module.asms.intern(Asm { ty, ..asm });
            self.pointer(ty, 0);
        }
    }

    fn bodies(&mut self) {
        let functions: Vec<GlobalId> = self.module.functions().map(|(id, _, _)| id).collect();
        for id in functions {
            let GlobalKind::Function(function) = &mut self.module.globals[id].kind else {
                continue;
            };
            let Some(mut body) = function.body.take() else {
                continue;
            };
            self.body(id, &mut body);
            if let GlobalKind::Function(function) = &mut self.module.globals[id].kind {
                function.body = Some(body);
            }
        }
    }

    fn body(&mut self, id: GlobalId, body: &mut Body) {
        let ty = self.module.globals[id].value_ty;
        let (ret, params) = match self.module.types.signature(ty) {
            Some((ret, params, _)) => (ret, params.to_vec()),
            None => return,
        };
        let chosen = self.choose(body, &params);
        let mut rewrite = Rewrite {
            typing: self,
            chosen,
            ret,
            out: Vec::new(),
            casts: FxHashMap::default(),
            at_end: Vec::new(),
        };
        rewrite.run(body);
        for lists in body.arg_lists.iter_mut() {
            for value in lists.1.iter_mut() {
                *value = self.plain(*value);
            }
        }
    }

    /// An operand whose type does not matter.
    fn plain(&self, value: Value) -> Value {
        match value.get() {
            Operand::Const(constant) => match self.constants.get(constant.index()) {
                Some(&typed) => typed.into(),
                None => value,
            },
            Operand::Metadata(md) => match md.get() {
                Md::Const(constant) => match self.constants.get(constant.index()) {
                    Some(&typed) => Operand::Metadata(Md::Const(typed).into()).into(),
                    None => value,
                },
                _ => value,
            },
            _ => value,
        }
    }
}

/// The instructions of a body on typed pointers.
struct Rewrite<'t, 'a> {
    typing: &'t mut Typing<'a>,
    chosen: Chosen,
    /// The type of the function's result.
    ret: TypeId,
    /// The instructions of the block.
    out: Vec<InstId>,
    /// Values with other types, in the block.
    casts: FxHashMap<(Value, TypeId), Value>,
    /// Casts of values that come into phis, at the ends of blocks.
    at_end: Vec<(Block, InstId)>,
}

impl Rewrite<'_, '_> {
    fn run(&mut self, body: &mut Body) {
        for block in body.order.clone() {
            self.casts.clear();
            let insts = std::mem::take(&mut body.blocks[block].insts);
            for inst in insts {
                self.instruction(body, inst);
                self.out.push(inst);
            }
            body.blocks[block].insts = std::mem::take(&mut self.out);
        }
        for (block, inst) in std::mem::take(&mut self.at_end) {
            let insts = &mut body.blocks[block].insts;
            let at = insts.len().saturating_sub(1);
            insts.insert(at, inst);
        }
        for index in 0..body.locals.len() {
            let local = Local::new(index);
            body.locals[local].ty = self.chosen.of(local);
        }
    }

    fn type_of(&self, value: Value) -> Option<TypeId> {
        match value.get() {
            Operand::Local(local) => Some(self.chosen.of(local)),
            Operand::Const(constant) => {
                let typed = self.typing.constants.get(constant.index());
                let typed = typed.copied().unwrap_or(constant);
                Some(self.typing.module.constants.get(typed).ty)
            }
            _ => None,
        }
    }

    /// The value with a type; a cast goes before the instruction that is rewritten.
    fn with_type(&mut self, body: &mut Body, value: Value, ty: TypeId, like: &Inst) -> Value {
        match value.get() {
            Operand::Const(constant) => self.typing.constant_as(constant, ty).into(),
            Operand::Local(local) if self.chosen.of(local) != ty => {
                if let Some(&cast) = self.casts.get(&(value, ty)) {
                    return cast;
                }
                let (inst, cast) = self.cast(body, value, ty, like);
                self.out.push(inst);
                self.casts.insert((value, ty), cast);
                cast
            }
            _ => value,
        }
    }

    fn cast(&mut self, body: &mut Body, value: Value, ty: TypeId, like: &Inst) -> (InstId, Value) {
        let op = Op::Cast(CastOp::Bitcast);
        let (inst, cast) = super::body::add(body, op, ty, &[value]);
        body.insts[inst].debug_location = like.debug_location;
        self.chosen.push(ty);
        (inst, cast)
    }

    fn instruction(&mut self, body: &mut Body, id: InstId) {
        let inst = body.insts[id];
        let mut operands = body.operands(id).to_vec();
        if let Some(local) = inst.local() {
            body.insts[id].ty = self.chosen.of(local);
        }
        let i8 = self.typing.module.types.i8;
        match inst.op {
            Op::Call(site) | Op::Invoke(site) | Op::CallBr(site, _) => {
                let site = *self.typing.module.call_sites.get(site);
                self.call(body, id, site, &mut operands);
            }
            Op::Load(_) => {
                let result = inst.local().map(|local| self.chosen.of(local));
                let result = result.unwrap_or(i8);
                operands[0] = self.address(body, operands[0], result, &inst);
            }
            Op::Store(_) => {
                let ty = self.type_of(operands[0]).unwrap_or(i8);
                operands[0] = self.typing.plain(operands[0]);
                operands[1] = self.address(body, operands[1], ty, &inst);
            }
            Op::CmpXchg { .. } => {
                let old = self.typing.module.type_of(body, body.operands(id)[1]);
                let ty = self.typing.mapped(old);
                operands[0] = self.address(body, operands[0], ty, &inst);
                operands[1] = self.with_type(body, operands[1], ty, &inst);
                operands[2] = self.with_type(body, operands[2], ty, &inst);
            }
            Op::AtomicRmw(..) => {
                let ty = self.type_of(operands[1]).unwrap_or(i8);
                operands[0] = self.address(body, operands[0], ty, &inst);
                operands[1] = self.typing.plain(operands[1]);
            }
            Op::Gep { source } => {
                let source = self.typing.mapped(source);
                body.insts[id].op = Op::Gep { source };
                self.base(body, &mut operands, source, &inst);
            }
            Op::Alloca {
                ty,
                align,
                inalloca,
                swifterror,
            } => {
                let ty = self.typing.mapped(ty);
                body.insts[id].op = Op::Alloca {
                    ty,
                    align,
                    inalloca,
                    swifterror,
                };
                operands[0] = self.typing.plain(operands[0]);
            }
            Op::Phi => self.phi(body, &mut operands, body.insts[id].ty, &inst),
            Op::Select => {
                let ty = body.insts[id].ty;
                operands[0] = self.typing.plain(operands[0]);
                for operand in &mut operands[1..] {
                    *operand = self.with_type(body, *operand, ty, &inst);
                }
            }
            Op::Ret => {
                for operand in &mut operands {
                    *operand = self.with_type(body, *operand, self.ret, &inst);
                }
            }
            Op::Icmp(_) => {
                let constant_first = operands[0].constant().is_some();
                let (lead, other) = if constant_first { (1, 0) } else { (0, 1) };
                let ty = self.type_of(operands[lead]).unwrap_or(i8);
                operands[lead] = self.typing.plain(operands[lead]);
                operands[other] = self.with_type(body, operands[other], ty, &inst);
            }
            // A bitcast between pointers of one type is one that nothing needs, but it is right.
            Op::Cast(_) | Op::ExtractValue(_) => {
                for operand in &mut operands {
                    *operand = self.typing.plain(*operand);
                }
            }
            _ => {
                // Everything else has what it had in memory: pointers to `i8`.
                for (index, operand) in operands.iter_mut().enumerate() {
                    if operand.block().is_some() {
                        continue;
                    }
                    let old = self.typing.module.type_of(body, body.operands(id)[index]);
                    let ty = self.typing.mapped(old);
                    *operand = match operand.get() {
                        Operand::Local(_) | Operand::Const(_) => {
                            self.with_type(body, *operand, ty, &inst)
                        }
                        _ => self.typing.plain(*operand),
                    };
                }
            }
        }
        body.set_operands(id, &operands);
    }

    /// An address of a value of a type.
    fn address(&mut self, body: &mut Body, value: Value, ty: TypeId, inst: &Inst) -> Value {
        let old = self.type_of(value);
        let space = old.map_or(0, |old| self.typing.space(old));
        let pointer = self.typing.pointer(ty, space);
        self.with_type(body, value, pointer, inst)
    }

    /// The base of an address that is computed, one or several.
    fn base(&mut self, body: &mut Body, operands: &mut [Value], source: TypeId, inst: &Inst) {
        let Some((base, indices)) = operands.split_first_mut() else {
            return;
        };
        let old = self.type_of(*base);
        let vector = old.map(|ty| self.typing.module.types.get(ty));
        if let Some(Type::Vector {
            element,
            len,
            scalable,
        }) = vector
        {
            let space = self.typing.space(element);
            let element = self.typing.pointer(source, space);
            let ty = self.typing.module.types.intern(Type::Vector {
                element,
                len,
                scalable,
            });
            *base = self.with_type(body, *base, ty, inst);
        } else {
            *base = self.address(body, *base, source, inst);
        }
        for index in indices {
            *index = self.typing.plain(*index);
        }
    }

    /// Casts of what comes into a phi are at the ends of the blocks it comes from.
    fn phi(&mut self, body: &mut Body, operands: &mut [Value], ty: TypeId, inst: &Inst) {
        let mut known: FxHashMap<(Value, Block), Value> = FxHashMap::default();
        for pair in operands.chunks_mut(2) {
            let &mut [value, block] = pair else { continue };
            match (value.get(), block.block()) {
                (Operand::Const(constant), _) => {
                    pair[0] = self.typing.constant_as(constant, ty).into();
                }
                (Operand::Local(local), Some(block)) if self.chosen.of(local) != ty => {
                    if let Some(&cast) = known.get(&(value, block)) {
                        pair[0] = cast;
                        continue;
                    }
                    let (id, cast) = self.cast(body, value, ty, inst);
                    self.at_end.push((block, id));
                    known.insert((value, block), cast);
                    pair[0] = cast;
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, body: &mut Body, id: InstId, site: CallSite, operands: &mut [Value]) {
        let inst = body.insts[id];
        let Some((callee, others)) = operands.split_last_mut() else {
            return;
        };
        let mut ty = self.typing.mapped(site.ty);
        match callee.get() {
            Operand::Const(constant) => {
                let target = self.typing.module.global_of(constant);
                let direct =
                    target.filter(|&target| self.typing.old_types[target.index()] == site.ty);
                match direct {
                    Some(target) => {
                        ty = self.typing.module.globals[target].value_ty;
                        *callee = self.typing.plain(*callee);
                    }
                    None => {
                        let old = self.type_of(*callee);
                        let space = old.map_or(0, |old| self.typing.space(old));
                        let pointer = self.typing.pointer(ty, space);
                        *callee = self.typing.constant_as(constant, pointer).into();
                    }
                }
            }
            Operand::Asm(asm) => {
                let data = *self.typing.module.asms.get(asm);
                let asm: AsmId = self.typing.module.asms.intern(Asm { ty, ..data });
                *callee = Operand::Asm(asm).into();
                self.typing.pointer(ty, 0);
            }
            _ => *callee = self.address(body, *callee, ty, &inst),
        }
        let params = match self.typing.module.types.signature(ty) {
            Some((_, params, _)) => params.to_vec(),
            None => Vec::new(),
        };
        for (index, operand) in others.iter_mut().enumerate() {
            if operand.block().is_some() {
                continue;
            }
            *operand = match (params.get(index), operand.get()) {
                (Some(&param), Operand::Local(_) | Operand::Const(_))
                    if index < site.args as usize =>
                {
                    self.with_type(body, *operand, param, &inst)
                }
                _ => self.typing.plain(*operand),
            };
        }
        let site = self
            .typing
            .module
            .call_sites
            .intern(CallSite { ty, ..site });
        body.insts[id].op = match inst.op {
            Op::Invoke(_) => Op::Invoke(site),
            Op::CallBr(_, blocks) => Op::CallBr(site, blocks),
            _ => Op::Call(site),
        };
    }
}
