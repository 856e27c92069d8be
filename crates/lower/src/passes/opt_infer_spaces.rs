//! Finds out which generic addresses point to one space, and uses them there.
//!
//! ```text
//!   define ptx_kernel void @k(ptr %p) {          %g = addrspacecast ptr %p to ptr addrspace(1)
//!     %q = getelementptr i32, ptr %p, i64 %i  ──►  %q = getelementptr i32, ptr addrspace(1) %g, i64 %i
//!     store i32 1, ptr %q                        store i32 1, ptr addrspace(1) %q
//! ```
//!
//! An access to a known space is faster than one that has to find out. An address has a space if it comes
//! from one: a cast from it, a variable on the stack, a parameter of a kernel or a pointer loaded from one
//! (the host can pass addresses of global memory only), or from addresses that all have it (elements, phis,
//! selections). The lattice of a value is *not known yet* above the spaces above *generic*; values start not
//! known and only fall, so phis of loops are found too:
//!
//! | value | space |
//! |---|---|
//! | cast from a space | that space |
//! | variable on the stack | local |
//! | pointer parameter of a kernel, pointer loaded from its parameters (also as a number) | global |
//! | element, `freeze` | that of the address it starts from |
//! | phi, `select` | the one that all operands have; null and undefined ones have every |
//! | anything else | generic |
//!
//! Every address that an access needs is then made a second time in its space; the generic one stays for other
//! users.

use crate::edit::{Editor, edit_bodies};
use crate::pass::Context;
use warpc_nvvm::analysis::Cfg;
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::constant::{ConstId, ConstKind, ExprOp};
use warpc_nvvm::function::Def;
use warpc_nvvm::index::Id;
use warpc_nvvm::inst::{CallConv, CastOp, Flags, Op};
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{Block, InstId, Local, Operand, Value};

const GENERIC: u32 = 0;
const GLOBAL: u32 = 1;
const LOCAL: u32 = 5;
/// Not known yet.
const OPEN: u32 = u32::MAX;

pub(super) fn run(module: &mut warpc_nvvm::Module, context: &mut Context) {
    if context.options.level == 0 {
        return;
    }
    edit_bodies(module, |editor| {
        let any_access = editor.any(|module, body, inst| {
            accessed(body.insts[inst].op).is_some_and(|operand| {
                let pointer = body.operands(inst)[operand];
                module.types.get(module.type_of(body, pointer)) == Type::Ptr(GENERIC)
            })
        });
        if any_access {
            Inference::new(editor).run();
        }
    });
}

/// The space that each of some generic addresses points to, where it is known to be one.
pub(super) fn known_spaces(editor: &mut Editor, addresses: &[Value]) -> Vec<Option<u32>> {
    let mut inference = Inference::new(editor);
    inference.find_spaces();
    let known = addresses.iter().map(|&address| inference.known(address));
    known.collect()
}

/// Which operand of an instruction is the address it accesses.
fn accessed(op: Op) -> Option<usize> {
    match op {
        Op::Load(_) | Op::AtomicRmw(..) | Op::CmpXchg { .. } => Some(0),
        Op::Store(_) => Some(1),
        _ => None,
    }
}

struct Inference<'e, 'm> {
    editor: &'e mut Editor<'m>,
    /// The blocks that can be reached, definitions before uses.
    order: Vec<Block>,
    /// For each value the space it points to.
    spaces: Vec<u32>,
    /// For each value its twin in its space, once it is made.
    twins: Vec<Option<Value>>,
    /// Whether the function is a kernel.
    kernel: bool,
    /// Parameters of the kernel that are memory themselves.
    by_value: Vec<bool>,
}

impl<'e, 'm> Inference<'e, 'm> {
    fn new(editor: &'e mut Editor<'m>) -> Inference<'e, 'm> {
        let order = Cfg::new(editor.body).reverse_post_order().to_vec();
        let count = editor.body.locals.len();
        let mut kernel = false;
        let mut by_value = Vec::new();
        if let GlobalKind::Function(function) = &editor.module.globals[editor.function].kind {
            kernel = function.conv == CallConv::PTX_KERNEL;
            let attributes = &editor.module.attributes;
            let name = editor.module.names.find(b"byval");
            by_value = (0..attributes.param_count(function.attrs))
                .map(|index| {
                    let set = attributes.of_param(function.attrs, index);
                    let found = name.and_then(|name| attributes.find(set, name));
                    matches!(found, Some(Attribute::Type(..)))
                })
                .collect();
        }
        Inference {
            editor,
            order,
            spaces: vec![GENERIC; count],
            twins: vec![None; count],
            kernel,
            by_value,
        }
    }

    fn run(mut self) {
        self.find_spaces();
        let needed = self.needed();
        if needed.iter().any(|&needed| needed) {
            self.make_twins(&needed);
            self.use_twins();
        }
    }

    fn is_generic(&self, local: Local) -> bool {
        let ty = self.editor.body.locals[local].ty;
        self.editor.module.types.get(ty) == Type::Ptr(GENERIC)
    }

    // The analysis.

    fn find_spaces(&mut self) {
        for (local, data) in self.editor.body.locals.iter() {
            let ty = self.editor.module.types.get(data.ty);
            if ty == Type::Ptr(GENERIC) {
                self.spaces[local.index()] = match data.def {
                    Def::Param(index) if self.kernel && !self.is_by_value(index) => GLOBAL,
                    Def::Inst(_) => OPEN,
                    _ => GENERIC,
                };
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.order.len() {
                let block = self.order[index];
                for position in 0..self.editor.body.blocks[block].insts.len() {
                    let inst = self.editor.body.blocks[block].insts[position];
                    let Some(local) = self.editor.body.insts[inst].local() else {
                        continue;
                    };
                    let old = self.spaces[local.index()];
                    if old == GENERIC || !self.is_generic(local) {
                        continue;
                    }
                    let new = meet(old, self.transfer(inst));
                    changed |= new != old;
                    self.spaces[local.index()] = new;
                }
            }
        }
    }

    fn is_by_value(&self, index: u32) -> bool {
        self.by_value.get(index as usize).copied().unwrap_or(false)
    }

    /// The space that the result of an instruction points to, as far as its operands say.
    fn transfer(&self, inst: InstId) -> u32 {
        let body = &*self.editor.body;
        let operands = body.operands(inst);
        match body.insts[inst].op {
            Op::Cast(CastOp::Addrspacecast) => self.space_of_type(operands[0]),
            Op::Alloca { .. } => LOCAL,
            Op::Gep { .. } | Op::Freeze => self.space(operands[0]),
            Op::Select => meet(self.space(operands[1]), self.space(operands[2])),
            Op::Phi => {
                let values = operands.iter().step_by(2);
                values.fold(OPEN, |all, &value| meet(all, self.space(value)))
            }
            Op::Load(access) if !access.volatile && self.is_kernel_parameter(operands[0]) => GLOBAL,
            Op::Cast(CastOp::Inttoptr) if self.is_loaded_parameter(operands[0]) => GLOBAL,
            _ => GENERIC,
        }
    }

    /// Whether a number was loaded from the parameters of the kernel: a pointer that was copied as bytes.
    fn is_loaded_parameter(&self, number: Value) -> bool {
        let Some(local) = number.local() else {
            return false;
        };
        let Def::Inst(inst) = self.editor.body.locals[local].def else {
            return false;
        };
        matches!(self.editor.body.insts[inst].op, Op::Load(access) if !access.volatile)
            && self.is_kernel_parameter(self.editor.body.operands(inst)[0])
    }

    /// Whether an address lies in the parameters of the kernel.
    fn is_kernel_parameter(&self, address: Value) -> bool {
        let mut value = address;
        // Bounded, because chains of elements can be long and this is asked for each load.
        for _ in 0..8 {
            let Some(local) = value.local() else {
                return false;
            };
            match self.editor.body.locals[local].def {
                Def::Param(index) => return self.kernel && self.is_by_value(index),
                Def::Inst(inst) => match self.editor.body.insts[inst].op {
                    Op::Gep { .. } | Op::Cast(CastOp::Addrspacecast) => {
                        value = self.editor.body.operands(inst)[0];
                    }
                    _ => return false,
                },
                Def::Pending => return false,
            }
        }
        false
    }

    fn space_of_type(&self, value: Value) -> u32 {
        let ty = self.editor.type_of(value);
        match self.editor.module.types.get(ty) {
            Type::Ptr(space) if is_part_of_generic(space) => space,
            _ => GENERIC,
        }
    }

    fn space(&self, value: Value) -> u32 {
        match value.get() {
            Operand::Local(local) => self.spaces[local.index()],
            Operand::Const(constant) => self.space_of_constant(constant),
            _ => GENERIC,
        }
    }

    fn space_of_constant(&self, constant: ConstId) -> u32 {
        let constants = &self.editor.module.constants;
        let mut constant = constant;
        loop {
            match constants.get(constant).kind {
                ConstKind::Null | ConstKind::Undef | ConstKind::Poison => return OPEN,
                ConstKind::Expr(expr) => {
                    let expr = constants.expr(expr);
                    let first = constants.list(expr.operands)[0];
                    match expr.op {
                        ExprOp::Cast(CastOp::Addrspacecast) => {
                            return self.space_of_type(first.into());
                        }
                        ExprOp::Gep { .. } => constant = first,
                        _ => return GENERIC,
                    }
                }
                _ => return GENERIC,
            }
        }
    }

    // The change.

    /// The space of a value if it is one of its own.
    fn known(&self, value: Value) -> Option<u32> {
        match self.space(value) {
            GENERIC | OPEN => None,
            space => Some(space),
        }
    }

    /// For each value whether an access needs it in its space.
    fn needed(&self) -> Vec<bool> {
        let body = &*self.editor.body;
        let mut needed = vec![false; body.locals.len()];
        let mut work: Vec<Local> = Vec::new();
        let mut need = |value: Value, work: &mut Vec<Local>| {
            if let Some(local) = value.local()
                && self.is_generic(local)
                && self.known(value).is_some()
                && !std::mem::replace(&mut needed[local.index()], true)
            {
                work.push(local);
            }
        };
        for &block in &self.order {
            for &inst in &body.blocks[block].insts {
                let operand = match body.insts[inst].op {
                    Op::Cast(CastOp::Addrspacecast) => Some(0),
                    op => accessed(op),
                };
                if let Some(operand) = operand {
                    need(body.operands(inst)[operand], &mut work);
                }
            }
        }
        while let Some(local) = work.pop() {
            let Def::Inst(inst) = body.locals[local].def else {
                continue;
            };
            let operands = body.operands(inst);
            match body.insts[inst].op {
                Op::Gep { .. } | Op::Freeze => need(operands[0], &mut work),
                Op::Select => {
                    need(operands[1], &mut work);
                    need(operands[2], &mut work);
                }
                Op::Phi => {
                    for &value in operands.iter().step_by(2) {
                        need(value, &mut work);
                    }
                }
                _ => {}
            }
        }
        needed
    }

    /// Makes the twins of the values that are needed, each after the value itself.
    fn make_twins(&mut self, needed: &[bool]) {
        let mut phis: Vec<(InstId, InstId)> = Vec::new();
        let mut added: Vec<(InstId, InstId)> = Vec::new();
        let mut at_entry = Vec::new();
        for (index, &needed) in needed.iter().enumerate() {
            let local = Local::new(index);
            if needed && matches!(self.editor.body.locals[local].def, Def::Param(_)) {
                let cast = self.add_cast(local);
                at_entry.push(cast);
            }
        }
        for index in 0..self.order.len() {
            let block = self.order[index];
            for inst in self.editor.body.blocks[block].insts.clone() {
                let Some(local) = self.editor.body.insts[inst].local() else {
                    continue;
                };
                if !needed.get(local.index()).copied().unwrap_or(false) {
                    continue;
                }
                match self.editor.body.insts[inst].op {
                    Op::Cast(CastOp::Addrspacecast) => {
                        self.twins[local.index()] = Some(self.editor.body.operands(inst)[0]);
                    }
                    Op::Phi => {
                        let twin = self.add_like(inst, local, &[]);
                        phis.push((inst, twin));
                        added.push((inst, twin));
                    }
                    Op::Gep { .. } | Op::Freeze | Op::Select => {
                        let space = self.spaces[local.index()];
                        let mut operands = self.editor.body.operands(inst).to_vec();
                        let pointers = match self.editor.body.insts[inst].op {
                            Op::Select => 1..3,
                            _ => 0..1,
                        };
                        for operand in &mut operands[pointers] {
                            *operand = self.twin(*operand, space);
                        }
                        let twin = self.add_like(inst, local, &operands);
                        added.push((inst, twin));
                    }
                    _ => {
                        let cast = self.add_cast(local);
                        added.push((inst, cast));
                    }
                }
            }
        }
        for (phi, twin) in phis {
            let mut operands = self.editor.body.operands(phi).to_vec();
            let space = self.editor.body.insts[phi]
                .local()
                .map_or(GENERIC, |local| self.spaces[local.index()]);
            for operand in operands.iter_mut().step_by(2) {
                *operand = self.twin(*operand, space);
            }
            self.editor.body.set_operands(twin, &operands);
        }
        self.place(at_entry, added);
    }

    /// A cast of a generic address to its space, in no block yet.
    fn add_cast(&mut self, local: Local) -> InstId {
        let ty = self.editor.module.types.pointer(self.spaces[local.index()]);
        let cast = Op::Cast(CastOp::Addrspacecast);
        let body = &mut *self.editor.body;
        let inst = body.add_inst(cast, ty, &[local.into()], true);
        if let Def::Inst(origin) = body.locals[local].def {
            body.insts[inst].pos = body.insts[origin].pos;
            body.insts[inst].debug_location = body.insts[origin].debug_location;
        }
        self.twins[local.index()] = body.insts[inst].local().map(Value::from);
        inst
    }

    /// An instruction like another one with other operands, in the space of its value, in no block yet.
    fn add_like(&mut self, inst: InstId, local: Local, operands: &[Value]) -> InstId {
        let ty = self.editor.module.types.pointer(self.spaces[local.index()]);
        let body = &mut *self.editor.body;
        let data = body.insts[inst];
        let twin = body.add_inst(data.op, ty, operands, true);
        let made = &mut body.insts[twin];
        made.flags = data.flags;
        made.pos = data.pos;
        made.debug_location = data.debug_location;
        self.twins[local.index()] = body.insts[twin].local().map(Value::from);
        twin
    }

    /// A value in a space.
    fn twin(&mut self, value: Value, space: u32) -> Value {
        match value.get() {
            Operand::Local(local) => match self.twins.get(local.index()).copied().flatten() {
                Some(twin) => twin,
                // After an edge that is never taken: any value will do.
                None => self.constant_of(space, ConstKind::Poison),
            },
            Operand::Const(constant) => self.constant_twin(constant, space),
            _ => value,
        }
    }

    fn constant_of(&mut self, space: u32, kind: ConstKind) -> Value {
        let module = &mut *self.editor.module;
        let ty = module.types.pointer(space);
        module.constants.intern(ty, kind).into()
    }

    fn constant_twin(&mut self, constant: ConstId, space: u32) -> Value {
        let kind = self.editor.module.constants.get(constant).kind;
        let ConstKind::Expr(id) = kind else {
            return self.constant_of(space, kind);
        };
        let module = &mut *self.editor.module;
        let expr = module.constants.expr(id);
        let operands = module.constants.list(expr.operands).to_vec();
        match expr.op {
            ExprOp::Cast(CastOp::Addrspacecast) => operands[0].into(),
            ExprOp::Gep { .. } => {
                let mut operands = operands;
                if let Some(base) = self.constant_twin(operands[0], space).constant() {
                    operands[0] = base;
                }
                let module = &mut *self.editor.module;
                let ty = module.types.pointer(space);
                let made = module
                    .constants
                    .expression(ty, expr.op, expr.flags, &operands);
                made.into()
            }
            _ => {
                let module = &mut *self.editor.module;
                let ty = module.types.pointer(space);
                let cast = ExprOp::Cast(CastOp::Addrspacecast);
                let made = module
                    .constants
                    .expression(ty, cast, Flags::empty(), &[constant]);
                made.into()
            }
        }
    }

    /// Puts new instructions into the blocks: after those they belong to, but after all phis and at the
    /// start after the variables on the stack.
    fn place(&mut self, at_entry: Vec<InstId>, added: Vec<(InstId, InstId)>) {
        let body = &mut *self.editor.body;
        let mut after: Vec<Option<InstId>> = vec![None; body.insts.len()];
        for (inst, twin) in added {
            after[inst.index()] = Some(twin);
        }
        for (position, &block) in self.order.iter().enumerate() {
            let mut insts = Vec::with_capacity(body.blocks[block].insts.len() + 4);
            let mut waiting = if position == 0 {
                at_entry.clone()
            } else {
                Vec::new()
            };
            for inst in std::mem::take(&mut body.blocks[block].insts) {
                let is_phi = body.insts[inst].op == Op::Phi;
                if !is_phi {
                    insts.append(&mut waiting);
                }
                insts.push(inst);
                match after[inst.index()] {
                    Some(twin) if body.insts[twin].op == Op::Phi => insts.push(twin),
                    Some(twin) if is_phi => waiting.push(twin),
                    Some(twin) => insts.push(twin),
                    None => {}
                }
            }
            body.blocks[block].insts = insts;
        }
    }

    /// Lets accesses use the twins of their addresses, and casts to a space the twin itself.
    fn use_twins(&mut self) {
        for index in 0..self.order.len() {
            let block = self.order[index];
            for inst in self.editor.body.blocks[block].insts.clone() {
                let op = self.editor.body.insts[inst].op;
                let Some(operand) = accessed(op) else {
                    if op == Op::Cast(CastOp::Addrspacecast) {
                        self.forward_cast(inst);
                    }
                    continue;
                };
                let pointer = self.editor.body.operands(inst)[operand];
                if let Some(space) = self.known_generic(pointer) {
                    let twin = self.twin(pointer, space);
                    self.editor.body.operands_mut(inst)[operand] = twin;
                }
            }
        }
        self.editor.settle();
    }

    /// The space of a generic address.
    fn known_generic(&self, value: Value) -> Option<u32> {
        let ty = self.editor.type_of(value);
        if self.editor.module.types.get(ty) != Type::Ptr(GENERIC) {
            return None;
        }
        match value.local() {
            Some(local) if local.index() >= self.spaces.len() => None,
            _ => self.known(value),
        }
    }

    /// A cast of an address to the space that it is known to point to is its twin.
    fn forward_cast(&mut self, inst: InstId) {
        let body = &*self.editor.body;
        let (from, to) = (body.operands(inst)[0], body.insts[inst].ty);
        let Some(local) = body.insts[inst].local() else {
            return;
        };
        let Some(space) = self.known_generic(from) else {
            return;
        };
        if self.editor.module.types.get(to) != Type::Ptr(space) {
            return;
        }
        let twin = self.twin(from, space);
        // The twin of a parameter or of memory is this very kind of cast.
        if twin != Value::from(local) {
            self.editor.replace(local, twin);
        }
    }
}

/// Whether generic addresses can point to a space.
fn is_part_of_generic(space: u32) -> bool {
    matches!(space, 1 | 3 | 4 | 5 | 7)
}

/// The lower bound of two spaces.
fn meet(a: u32, b: u32) -> u32 {
    match (a, b) {
        (OPEN, other) | (other, OPEN) => other,
        (a, b) if a == b => a,
        _ => GENERIC,
    }
}
