//! Which named structs a module uses, in the order in which LLVM comes across them.
//!
//! Only these are printed. The walk looks at variables, aliases, functions and their instructions in the
//! order of the text, and ends when all structs were seen. Constants in metadata come last of each function:
//! LLVM meets them on the way, but they hardly ever have such types.

use crate::Module;
use crate::attribute::{AttrList, AttrSet, Attribute};
use crate::constant::{Const, ConstId, ConstKind, ExprOp};
use crate::function::Body;
use crate::index::Id;
use crate::inst::Op;
use crate::metadata::{FieldValue, Md, MdRef};
use crate::module::{Function, GlobalKind};
use crate::types::{StructBody, StructId, Type, TypeId, TypeList};
use crate::value::{Operand, Value};

/// The named structs that are used.
pub(super) fn used_structs(module: &Module) -> Vec<StructId> {
    let count = module.types.structs.len();
    if count == 0 {
        return Vec::new();
    }
    let mut walk = Walk {
        module,
        found: Vec::with_capacity(count),
        types: vec![false; module.types.len()],
        constants: vec![false; module.constants.len()],
        pending: Vec::new(),
        nodes: vec![false; module.metadata.len()],
        pending_metadata: Vec::new(),
    };
    walk.module();
    walk.found
}

struct Walk<'m> {
    module: &'m Module,
    found: Vec<StructId>,
    /// Types that were seen.
    types: Vec<bool>,
    /// Constants that were seen.
    constants: Vec<bool>,
    /// Types still to be looked into, the next one last.
    pending: Vec<TypeId>,
    /// Nodes that were seen.
    nodes: Vec<bool>,
    /// Metadata still to be looked into, the next one last.
    pending_metadata: Vec<MdRef>,
}

impl<'m> Walk<'m> {
    fn is_done(&self) -> bool {
        self.found.len() == self.module.types.structs.len()
    }

    fn module(&mut self) {
        let module = self.module;
        for (_, global, variable) in module.variables() {
            self.ty(global.value_ty);
            variable
                .init
                .into_iter()
                .for_each(|init| self.constant(init));
        }
        for is_alias in [true, false] {
            for &id in &module.order {
                let global = &module.globals[id];
                match global.kind {
                    GlobalKind::Alias(target) if is_alias => {
                        self.ty(global.value_ty);
                        self.constant(target);
                    }
                    GlobalKind::Ifunc(_) if !is_alias => self.ty(global.value_ty),
                    _ => {}
                }
            }
        }
        for (_, global, function) in module.functions() {
            if self.is_done() {
                return;
            }
            self.ty(global.value_ty);
            self.function(function);
        }
        if self.is_done() {
            return;
        }
        for global in module.order.iter().map(|&id| &module.globals[id]) {
            for attachment in &global.metadata {
                self.metadata(attachment.node);
            }
        }
        for &node in module.metadata.named.iter().flat_map(|named| &named.nodes) {
            self.metadata(Md::Node(node).into());
        }
    }

    fn function(&mut self, function: &'m Function) {
        self.attributes(function.attrs);
        let constants = [function.personality, function.prefix, function.prologue];
        for constant in constants.into_iter().flatten() {
            self.constant(constant);
        }
        let Some(body) = &function.body else { return };
        for &block in &body.order {
            if self.is_done() {
                return;
            }
            for &id in &body.blocks[block].insts {
                let inst = &body.insts[id];
                self.ty(inst.ty);
                for &value in body.operands(id) {
                    self.operand(body, value);
                }
                match inst.op {
                    Op::Gep { source } => self.ty(source),
                    Op::Alloca { ty, .. } => self.ty(ty),
                    op => {
                        if let Some(site) = op.call_site() {
                            let site = self.module.call_sites.get(site);
                            self.ty(site.ty);
                            self.attributes(site.attrs);
                        }
                    }
                }
            }
        }
        for record in &body.records {
            for &value in body.record_operands(record) {
                self.operand(body, value);
            }
        }
        for attachment in &body.attachments {
            self.metadata(Md::Node(attachment.node).into());
        }
        for (_, inst) in body.insts.iter() {
            if let Some(node) = inst.location() {
                self.metadata(Md::Node(node).into());
            }
        }
    }

    /// The constants that metadata leads to.
    fn metadata(&mut self, md: MdRef) {
        self.pending_metadata.push(md);
        while let Some(md) = self.pending_metadata.pop() {
            match md.get() {
                Md::Null | Md::String(_) => {}
                Md::Const(constant) => self.constant(constant),
                Md::Node(node) => {
                    if std::mem::replace(&mut self.nodes[node.index()], true) {
                        continue;
                    }
                    let fields = self.module.metadata.fields(node).iter().rev();
                    self.pending_metadata
                        .extend(fields.filter_map(|field| match field.value {
                            FieldValue::Md(md) => Some(md),
                            FieldValue::List(list) => Some(Md::Node(list).into()),
                            _ => None,
                        }));
                }
            }
        }
    }

    fn operand(&mut self, body: &Body, value: Value) {
        match value.get() {
            Operand::Const(constant) => self.constant(constant),
            Operand::Metadata(md) => self.metadata(md),
            Operand::ArgList(list) => {
                for &value in &body.arg_lists[list] {
                    self.operand(body, value);
                }
            }
            Operand::Local(_) | Operand::LocalMetadata(_) | Operand::Block(_) | Operand::Asm(_) => {
            }
        }
    }

    fn constant(&mut self, constant: ConstId) {
        if std::mem::replace(&mut self.constants[constant.index()], true) {
            return;
        }
        let constants = &self.module.constants;
        let Const { ty, kind } = constants.get(constant);
        self.ty(ty);
        for operand in constants.operands(constant) {
            self.constant(operand);
        }
        if let ConstKind::Expr(expr) = kind
            && let ExprOp::Gep { source, .. } = constants.expr(expr).op
        {
            self.ty(source);
        }
    }

    fn attributes(&mut self, list: AttrList) {
        let attributes = &self.module.attributes;
        if list == attributes.empty_list {
            return;
        }
        self.attribute_set(attributes.of_function(list));
        self.attribute_set(attributes.of_return(list));
        for index in 0..attributes.param_count(list) {
            self.attribute_set(attributes.of_param(list, index));
        }
    }

    fn attribute_set(&mut self, set: AttrSet) {
        let attributes = &self.module.attributes;
        for &attribute in attributes.set(set) {
            if let Attribute::Type(_, ty) = attributes.get(attribute) {
                self.ty(ty);
            }
        }
    }

    #[inline]
    fn ty(&mut self, ty: TypeId) {
        if !self.types[ty.index()] {
            self.new_ty(ty);
        }
    }

    fn new_ty(&mut self, ty: TypeId) {
        self.push(ty);
        while let Some(ty) = self.pending.pop() {
            match self.module.types.get(ty) {
                Type::Named(id) => {
                    self.found.push(id);
                    if let StructBody::Fields { fields, .. } = self.module.types.structs[id].body {
                        self.push_list(fields);
                    }
                }
                Type::Struct { fields, .. } => self.push_list(fields),
                Type::Array { element, .. } | Type::Vector { element, .. } => self.push(element),
                Type::Function { ret, params, .. } => {
                    self.push_list(params);
                    self.push(ret);
                }
                Type::Target { types, .. } => self.push_list(types),
                _ => {}
            }
        }
    }

    fn push(&mut self, ty: TypeId) {
        if !std::mem::replace(&mut self.types[ty.index()], true) {
            self.pending.push(ty);
        }
    }

    /// The first is looked into next, so it is put on the stack last.
    fn push_list(&mut self, list: TypeList) {
        for &ty in self.module.types.list(list).iter().rev() {
            self.push(ty);
        }
    }
}
