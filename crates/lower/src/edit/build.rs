//! Building instructions: each method adds one at the place of the editor and works out its type.

use super::Editor;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{
    Access, Align, BinaryOp, CallConv, CallSite, CastOp, FcmpPredicate, Flags, IcmpPredicate, Op,
    Ordering, SyncScope, Tail,
};
use warpc_nvvm::module::{Asm, AsmFlags, GlobalId};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{Block, InstId, Operand, Value};

/// A phi whose values are not all known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhiId(InstId);

/// An access that is not atomic.
fn plain(align: u64, volatile: bool) -> Access {
    Access {
        volatile,
        ordering: Ordering::Weak,
        align: Align::new(align).unwrap_or(Align::NONE),
        scope: SyncScope::SYSTEM,
    }
}

impl Editor<'_> {
    /// Adds an instruction that has a result.
    pub fn value(&mut self, op: Op, flags: Flags, ty: TypeId, operands: &[Value]) -> Value {
        let inst = self.emit(op, flags, ty, operands);
        match self.body.insts[inst].local() {
            Some(local) => local.into(),
            // Only for `void`, of which there are no values.
            None => self.module.constants.intern(ty, ConstKind::Poison).into(),
        }
    }

    /// `add` and its kin
    pub fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        self.binary_with(op, Flags::empty(), left, right)
    }

    /// `add` and its kin, with flags
    pub fn binary_with(&mut self, op: BinaryOp, flags: Flags, left: Value, right: Value) -> Value {
        let ty = self.type_of(left);
        self.value(Op::Binary(op), flags, ty, &[left, right])
    }

    /// `trunc` and its kin; nothing if the value has the type already
    pub fn cast(&mut self, op: CastOp, value: Value, ty: TypeId) -> Value {
        if self.type_of(value) == ty {
            return value;
        }
        self.value(Op::Cast(op), Flags::empty(), ty, &[value])
    }

    /// An integer in another width, cut or extended with zeros.
    pub fn resize_unsigned(&mut self, value: Value, ty: TypeId) -> Value {
        match self.int_bits(ty) < self.int_bits(self.type_of(value)) {
            true => self.cast(CastOp::Trunc, value, ty),
            false => self.cast(CastOp::Zext, value, ty),
        }
    }

    /// `icmp`
    pub fn icmp(&mut self, predicate: IcmpPredicate, left: Value, right: Value) -> Value {
        let ty = self.truth_like(left);
        self.value(Op::Icmp(predicate), Flags::empty(), ty, &[left, right])
    }

    /// `fcmp`
    pub fn fcmp(&mut self, predicate: FcmpPredicate, left: Value, right: Value) -> Value {
        let ty = self.truth_like(left);
        self.value(Op::Fcmp(predicate), Flags::empty(), ty, &[left, right])
    }

    fn truth_like(&mut self, value: Value) -> TypeId {
        let (ty, i1) = (self.type_of(value), self.module.types.i1);
        self.module.types.with_shape_of(ty, i1)
    }

    /// `fneg`
    pub fn fneg(&mut self, value: Value) -> Value {
        let ty = self.type_of(value);
        self.value(Op::Fneg, Flags::empty(), ty, &[value])
    }

    /// `select`
    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let ty = self.type_of(yes);
        self.value(Op::Select, Flags::empty(), ty, &[condition, yes, no])
    }

    /// `freeze`
    pub fn freeze(&mut self, value: Value) -> Value {
        let ty = self.type_of(value);
        self.value(Op::Freeze, Flags::empty(), ty, &[value])
    }

    /// `load`
    pub fn load(&mut self, ty: TypeId, address: Value, align: u64, volatile: bool) -> Value {
        let op = Op::Load(plain(align, volatile));
        self.value(op, Flags::empty(), ty, &[address])
    }

    /// `store`
    pub fn store(&mut self, value: Value, address: Value, align: u64, volatile: bool) -> InstId {
        let void = self.module.types.void;
        let op = Op::Store(plain(align, volatile));
        self.emit(op, Flags::empty(), void, &[value, address])
    }

    /// `fence`
    pub fn fence(&mut self, ordering: Ordering, scope: SyncScope) {
        self.effect(Op::Fence(ordering, scope), &[]);
    }

    /// `getelementptr` with one index that counts elements of a type
    pub fn step(&mut self, source: TypeId, address: Value, index: Value) -> Value {
        let ty = self.type_of(address);
        self.value(Op::Gep { source }, Flags::empty(), ty, &[address, index])
    }

    /// The address some bytes further on.
    pub fn offset(&mut self, address: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return address;
        }
        let (i8, i64) = (self.module.types.i8, self.module.types.i64);
        let index = self.int(i64, bytes);
        self.step(i8, address, index)
    }

    /// `alloca` of one value in the local memory of NVIDIA's GPUs, as generic address
    pub fn alloca(&mut self, ty: TypeId, align: u64) -> Value {
        let op = Op::Alloca {
            ty,
            align: Align::new(align).unwrap_or(Align::NONE),
            inalloca: false,
            swifterror: false,
        };
        let (i32, ptr) = (self.module.types.i32, self.module.types.ptr);
        let one = self.int(i32, 1);
        self.value(op, Flags::empty(), ptr, &[one])
    }

    /// `extractelement`; nothing if the vector is constant
    pub fn element(&mut self, vector: Value, index: u64) -> Value {
        if let Some(whole) = self.resolve(vector).constant() {
            let (types, names) = (&self.module.types, &self.module.names);
            let constants = &mut self.module.constants;
            if let Some(part) = constants.element(types, names, whole, index as usize) {
                return part.into();
            }
        }
        let i64 = self.module.types.i64;
        let index = self.int(i64, index);
        self.element_at(vector, index)
    }

    /// `extractelement` at an index that is a value
    pub fn element_at(&mut self, vector: Value, index: Value) -> Value {
        let ty = self.module.types.scalar(self.type_of(vector));
        self.value(Op::ExtractElement, Flags::empty(), ty, &[vector, index])
    }

    /// `insertelement`
    pub fn with_element(&mut self, vector: Value, element: Value, index: u64) -> Value {
        let (ty, i64) = (self.type_of(vector), self.module.types.i64);
        let index = self.int(i64, index);
        let operands = [vector, element, index];
        self.value(Op::InsertElement, Flags::empty(), ty, &operands)
    }

    /// A vector of elements, or the element itself if `ty` is not a vector.
    pub fn vector(&mut self, ty: TypeId, elements: &[Value]) -> Value {
        if !self.module.types.is_vector(ty) {
            return elements.first().copied().unwrap_or_else(|| self.poison(ty));
        }
        let mut vector = self.poison(ty);
        for (index, &element) in elements.iter().enumerate() {
            vector = self.with_element(vector, element, index as u64);
        }
        vector
    }

    /// The elements of a vector, or the value itself if it is none.
    pub fn elements(&mut self, value: Value) -> Vec<Value> {
        match self.module.types.get(self.type_of(value)) {
            Type::Vector { len, .. } => (0..len)
                .map(|index| self.element(value, index.into()))
                .collect(),
            _ => vec![value],
        }
    }

    /// `shufflevector`; the mask counts through both vectors
    pub fn shuffle(&mut self, left: Value, right: Value, mask: &[u32]) -> Value {
        let element = self.module.types.scalar(self.type_of(left));
        let ty = self.vector_type(element, mask.len() as u32);
        let i32 = self.module.types.i32;
        let indices: Vec<_> = mask
            .iter()
            .map(|&index| self.module.constants.int(i32, 32, &[index.into()]))
            .collect();
        let mask_ty = self.vector_type(i32, mask.len() as u32);
        let (types, names) = (&self.module.types, &mut self.module.names);
        let mask = self
            .module
            .constants
            .aggregate(types, names, mask_ty, &indices);
        let operands = [left, right, mask.into()];
        self.value(Op::ShuffleVector, Flags::empty(), ty, &operands)
    }

    /// `extractvalue` of one member
    pub fn member(&mut self, aggregate: Value, index: u32) -> Value {
        let whole = self.type_of(aggregate);
        let ty = self.module.types.member(whole, index.into());
        let list = self.module.types.intern_numbers(&[index]);
        let ty = ty.unwrap_or(whole);
        self.value(Op::ExtractValue(list), Flags::empty(), ty, &[aggregate])
    }

    /// `insertvalue` of one member
    pub fn with_member(&mut self, aggregate: Value, member: Value, index: u32) -> Value {
        let ty = self.type_of(aggregate);
        let list = self.module.types.intern_numbers(&[index]);
        let op = Op::InsertValue(list);
        self.value(op, Flags::empty(), ty, &[aggregate, member])
    }

    /// `phi`; [`Editor::set_phi`] says where its values come from
    pub fn phi(&mut self, ty: TypeId) -> (PhiId, Value) {
        let value = self.value(Op::Phi, Flags::empty(), ty, &[]);
        let insts = &self.body.blocks[self.block].insts;
        (PhiId(insts[insts.len() - 1]), value)
    }

    /// Gives a phi its values.
    pub fn set_phi(&mut self, phi: PhiId, incoming: &[(Value, Block)]) {
        let pairs: Vec<Value> = incoming
            .iter()
            .flat_map(|&(value, block)| [value, block.into()])
            .collect();
        self.body.set_operands(phi.0, &pairs);
    }

    /// `call` of a function of the module
    pub fn call(&mut self, callee: GlobalId, args: &[Value]) -> Value {
        let ty = self.module.globals[callee].value_ty;
        let ret = self.module.types.signature(ty).map(|signature| signature.0);
        let site = self.module.call_sites.intern(CallSite {
            ty,
            attrs: self.module.attributes.empty_list,
            conv: CallConv::C,
            tail: Tail::None,
            args: args.len() as u32,
            bundles: self.module.bundles.intern(&[]),
        });
        let mut operands = args.to_vec();
        operands.push(self.module.address_of(callee).into());
        let ret = ret.unwrap_or(self.module.types.void);
        self.value(Op::Call(site), Flags::empty(), ret, &operands)
    }

    /// `call` of an intrinsic, which is declared if need be
    pub fn intrinsic(&mut self, name: &str, ret: TypeId, args: &[Value]) -> Value {
        let params: Vec<TypeId> = args.iter().map(|&arg| self.type_of(arg)).collect();
        let callee = self.symbols.declare(self.module, name, ret, &params);
        self.call(callee, args)
    }

    /// The function with a name and type, declared if need be.
    pub fn declare(&mut self, name: &str, ret: TypeId, params: &[TypeId]) -> GlobalId {
        self.symbols.declare(self.module, name, ret, params)
    }

    /// A call of inline PTX that does something beyond its result.
    pub fn asm(&mut self, text: &str, constraints: &str, ty: TypeId, args: &[Value]) -> Value {
        let params: Vec<TypeId> = args.iter().map(|&arg| self.type_of(arg)).collect();
        let module = &mut *self.module;
        let ty_of_call = module.types.function(ty, &params, false);
        let asm = module.asms.intern(Asm {
            ty: ty_of_call,
            text: module.names.intern(text.as_bytes()),
            constraints: module.names.intern(constraints.as_bytes()),
            flags: AsmFlags::SIDE_EFFECT,
        });
        let site = module.call_sites.intern(CallSite {
            ty: ty_of_call,
            attrs: module.attributes.empty_list,
            conv: CallConv::C,
            tail: Tail::None,
            args: args.len() as u32,
            bundles: module.bundles.intern(&[]),
        });
        let mut operands = args.to_vec();
        operands.push(Operand::Asm(asm).into());
        self.value(Op::Call(site), Flags::empty(), ty, &operands)
    }

    /// Gives the instruction that made a value flags.
    pub fn set_flags(&mut self, value: Value, flags: Flags) {
        let def = value.local().map(|local| self.body.locals[local].def);
        if let Some(Def::Inst(inst)) = def {
            self.body.insts[inst].flags = flags;
        }
    }

    /// Adds an instruction without a result.
    fn effect(&mut self, op: Op, operands: &[Value]) {
        let void = self.module.types.void;
        self.emit(op, Flags::empty(), void, operands);
    }

    /// `br label`
    pub fn br(&mut self, block: Block) {
        self.effect(Op::Br, &[block.into()]);
    }

    /// `br i1`
    pub fn cond_br(&mut self, condition: Value, yes: Block, no: Block) {
        self.effect(Op::CondBr, &[condition, yes.into(), no.into()]);
    }

    /// `switch`
    pub fn switch(&mut self, value: Value, default: Block, cases: &[(Value, Block)]) {
        let mut operands = vec![value, default.into()];
        operands.extend(cases.iter().flat_map(|&(case, to)| [case, to.into()]));
        self.effect(Op::Switch, &operands);
    }

    /// `ret`
    pub fn ret(&mut self, value: Option<Value>) {
        self.effect(Op::Ret, value.as_slice());
    }

    /// `unreachable`
    pub fn unreachable(&mut self) {
        self.effect(Op::Unreachable, &[]);
    }

    /// How many bits an integer type has; of a vector, its elements.
    pub fn int_bits(&self, ty: TypeId) -> u32 {
        match self.module.types.get(self.module.types.scalar(ty)) {
            Type::Int(bits) => bits,
            _ => 0,
        }
    }

    /// `iN`
    pub fn int_type(&mut self, bits: u32) -> TypeId {
        self.module.types.int(bits)
    }

    /// `<N x T>`
    pub fn vector_type(&mut self, element: TypeId, len: u32) -> TypeId {
        self.module.types.intern(Type::Vector {
            element,
            len,
            scalable: false,
        })
    }

    /// An integer constant, extended with zeros; a vector with it in each element.
    pub fn int(&mut self, ty: TypeId, value: u64) -> Value {
        self.wide_int(ty, &[value])
    }

    /// The integer constant with all bits set.
    pub fn all_ones(&mut self, ty: TypeId) -> Value {
        let words = self.int_bits(ty).div_ceil(64) as usize;
        self.wide_int(ty, &vec![u64::MAX; words])
    }

    /// An integer constant from its words, the low one first.
    pub fn wide_int(&mut self, ty: TypeId, words: &[u64]) -> Value {
        let (bits, scalar) = (self.int_bits(ty), self.module.types.scalar(ty));
        let constant = self.module.constants.int(scalar, bits, words);
        self.splat(ty, constant)
    }

    /// A floating-point constant from the bits it has in its own format; a vector with it in each element.
    pub fn float_bits(&mut self, ty: TypeId, bits: u64) -> Value {
        let scalar = self.module.types.scalar(ty);
        let width = self.module.types.get(scalar).float_bits().unwrap_or(0);
        let constant = self.module.constants.float(scalar, width, &[bits]);
        self.splat(ty, constant)
    }

    fn splat(&mut self, ty: TypeId, element: warpc_nvvm::constant::ConstId) -> Value {
        match self.module.types.is_vector(ty) {
            true => self
                .module
                .constants
                .splat(&self.module.types, ty, element)
                .into(),
            false => element.into(),
        }
    }

    /// The zero of a type.
    pub fn zero(&mut self, ty: TypeId) -> Value {
        match self.module.constants.zero(&self.module.types, ty) {
            Some(zero) => zero.into(),
            None => self.poison(ty),
        }
    }

    /// `poison`
    pub fn poison(&mut self, ty: TypeId) -> Value {
        self.module.constants.intern(ty, ConstKind::Poison).into()
    }

    /// The value of an integer constant of up to 64 bits.
    pub fn as_u64(&self, value: Value) -> Option<u64> {
        let constant = self.resolve(value).constant()?;
        self.module.constants.as_u64(constant)
    }
}
