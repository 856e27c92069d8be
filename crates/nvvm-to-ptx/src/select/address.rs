//! Addresses: what can be folded into `[base+offset]`, and the computation of the rest.

use super::Selector;
use super::by_value::Home;

use crate::code::{Arg, Class, Reg};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::constant::{ConstKind, ExprOp};
use warpc_nvvm::inst::{CastOp, Op};
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Operand, Value};

/// Where an address points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Anywhere.
    Generic,
    /// `.global`
    Global,
    /// `.shared`
    Shared,
    /// `.const`
    Const,
    /// `.local`
    Local,
    /// `.param` of a kernel
    Param,
    /// `.shared::cluster`
    SharedCluster,
    /// Tensor memory, which only its own instructions reach.
    Tensor,
}

impl Space {
    /// The space with LLVM's number.
    pub fn of(number: u32) -> Option<Space> {
        Some(match number {
            0 => Space::Generic,
            1 => Space::Global,
            3 => Space::Shared,
            4 => Space::Const,
            5 => Space::Local,
            6 => Space::Tensor,
            7 => Space::SharedCluster,
            101 => Space::Param,
            _ => return None,
        })
    }

    /// The modifier of loads and stores.
    pub fn modifier(self) -> &'static str {
        match self {
            Space::Generic | Space::Tensor => "",
            Space::Global => ".global",
            Space::Shared => ".shared",
            Space::Const => ".const",
            Space::Local => ".local",
            Space::Param => ".param",
            Space::SharedCluster => ".shared::cluster",
        }
    }
}

/// An address that an instruction can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// A register or a name.
    pub base: Arg,
    /// Added to it.
    pub offset: i64,
    /// Where it points.
    pub space: Space,
}

impl Selector<'_, '_> {
    /// The space a type of pointers points to.
    pub fn space_of(&self, ty: TypeId) -> Result<Space, Refused> {
        let number = match self.kind(self.module.types.scalar(ty)) {
            Type::Ptr(number) => number,
            _ => 0,
        };
        Space::of(number).ok_or_else(|| {
            let message = format!("GPUs have no address space {number}");
            self.refuse(codes::UNSUPPORTED, message)
        })
    }

    /// The address that a pointer holds: constant offsets and casts from other spaces are taken in.
    pub fn address(&mut self, pointer: Value) -> Result<Address, Refused> {
        self.folded_address(pointer, true)
    }

    /// The address that a pointer holds, in the space that its type says: only constant offsets are taken in.
    pub fn plain_address(&mut self, pointer: Value) -> Result<Address, Refused> {
        self.folded_address(pointer, false)
    }

    fn folded_address(&mut self, pointer: Value, casts: bool) -> Result<Address, Refused> {
        let mut value = pointer;
        let mut offset = 0i64;
        let mut space = self.space_of(self.type_of(pointer))?;
        // An offset that PTX can write, else nothing is taken in any more.
        let fits = |offset: i64| i32::try_from(offset).is_ok();
        loop {
            if let Some((from, added)) = self.constant_offset(value)
                && fits(offset.wrapping_add(added))
            {
                (value, offset) = (from, offset + added);
                continue;
            }
            if let Some(from) = self.cast_from(value)
                && space == Space::Local
                && let Some((inst, Op::Alloca { .. })) = self.definition(from)
                && self.slot(inst)?.is_some()
            {
                value = from;
                continue;
            }
            if let Some(from) = self.cast_from(value)
                && space == Space::Generic
                && casts
            {
                let inner = self.space_of(self.type_of(from))?;
                if !matches!(inner, Space::Tensor) {
                    (value, space) = (from, inner);
                    continue;
                }
            }
            break;
        }
        if let Some((inst, Op::Alloca { .. })) = self.definition(value)
            && (casts || space == Space::Local)
            && let Some(start) = self.slot(inst)?
            && fits(offset + start as i64)
        {
            // The generic address of local memory serves nothing here.
            let base = self.frame_register(true);
            let space = if space == Space::Generic {
                Space::Local
            } else {
                space
            };
            let offset = offset + start as i64;
            return Ok(Address {
                base: base.into(),
                offset,
                space,
            });
        }
        if let Some(address) = self.home_address(value, offset)? {
            return Ok(address);
        }
        space = self.home_space(value).unwrap_or(space);
        if let Some((base, bytes)) = self.apart_from_constants(value)?
            && fits(offset.wrapping_add(bytes))
        {
            let (base, offset) = (base.into(), offset + bytes);
            return Ok(Address {
                base,
                offset,
                space,
            });
        }
        if let Some(name) = self.named_address(value) {
            // Variables in no space of their own lie in global memory.
            let space = match space {
                Space::Generic => Space::Global,
                space => space,
            };
            return Ok(Address {
                base: name,
                offset,
                space,
            });
        }
        let base = self.reg_of(value)?.into();
        Ok(Address {
            base,
            offset,
            space,
        })
    }

    /// `[base+offset]`
    pub fn address_arg(&mut self, address: Address, added: i64) -> Arg {
        self.code.address(address.base, address.offset + added)
    }

    /// The pointer and the bytes that a value is the sum of.
    fn constant_offset(&self, value: Value) -> Option<(Value, i64)> {
        let (source, operands): (TypeId, Vec<Value>) = match value.get() {
            Operand::Local(_) => match self.definition(value)? {
                (inst, Op::Gep { source }) => (source, self.body.operands(inst).to_vec()),
                _ => return None,
            },
            Operand::Const(constant) => match self.module.constants.get(constant).kind {
                ConstKind::Expr(expr) => {
                    let expr = self.module.constants.expr(expr);
                    let ExprOp::Gep { source, .. } = expr.op else {
                        return None;
                    };
                    let list = self.module.constants.list(expr.operands);
                    (source, list.iter().map(|&operand| operand.into()).collect())
                }
                _ => return None,
            },
            _ => return None,
        };
        if self.module.types.is_vector(self.type_of(value)) {
            return None;
        }
        let mut bytes = 0i64;
        for (index, scale) in self.steps(source, &operands[1..])? {
            match (index, scale) {
                (None, scale) => bytes = bytes.checked_add(scale)?,
                (Some(index), scale) => {
                    let index = self.signed(index)?;
                    bytes = bytes.checked_add(index.checked_mul(scale)?)?;
                }
            }
        }
        Some((operands[0], bytes))
    }

    /// What an address is cast from.
    pub(super) fn cast_from(&self, value: Value) -> Option<Value> {
        match value.get() {
            Operand::Local(_) => match self.definition(value)? {
                (inst, Op::Cast(CastOp::Addrspacecast)) => Some(self.body.operands(inst)[0]),
                _ => None,
            },
            Operand::Const(constant) => match self.module.constants.get(constant).kind {
                ConstKind::Expr(expr) => {
                    let expr = self.module.constants.expr(expr);
                    matches!(expr.op, ExprOp::Cast(CastOp::Addrspacecast))
                        .then(|| self.module.constants.list(expr.operands)[0].into())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A variable by its name.
    fn named_address(&mut self, value: Value) -> Option<Arg> {
        let global = self.module.global_of(value.constant()?)?;
        match self.module.globals[global].kind {
            GlobalKind::Variable(_) => Some(Arg::Name(self.unit.symbol(global))),
            _ => None,
        }
    }

    /// What the indices of an address add: each either bytes, or an index and the bytes it is multiplied with.
    pub(super) fn steps(
        &self,
        source: TypeId,
        indices: &[Value],
    ) -> Option<Vec<(Option<Value>, i64)>> {
        let types = &self.module.types;
        let layout = &self.unit.layout;
        let mut steps = Vec::with_capacity(indices.len());
        let mut ty = source;
        for (position, &index) in indices.iter().enumerate() {
            if position == 0 {
                steps.push((Some(index), i64::try_from(layout.stride(types, ty)).ok()?));
                continue;
            }
            match types.get(ty) {
                Type::Array { element, .. } => {
                    ty = element;
                    steps.push((Some(index), i64::try_from(layout.stride(types, ty)).ok()?));
                }
                Type::Vector { element, .. } => {
                    let bytes = layout.bits(types, element) / 8;
                    ty = element;
                    steps.push((Some(index), bytes as i64));
                }
                _ => {
                    let field = self.integer(index)?;
                    let offset = layout.offset(types, ty, field)?;
                    steps.push((None, i64::try_from(offset).ok()?));
                    ty = types.member(ty, field)?;
                }
            }
        }
        Some(steps)
    }

    pub(super) fn gep(&mut self, inst: InstId) -> Result<(), Refused> {
        let Op::Gep { source } = self.body.insts[inst].op else {
            return Err(self.unsupported(inst));
        };
        let ty = self.body.insts[inst].ty;
        let operands = self.body.operands(inst);
        if self.module.types.is_vector(ty) {
            let made = self.vector_of_addresses(source, operands, ty)?;
            return self.settle(inst, &made);
        }
        let made = self.element_address(source, operands, ty)?;
        self.settle(inst, &[made.into()])
    }

    /// The address of an element: a pointer and indices.
    pub(super) fn element_address(
        &mut self,
        source: TypeId,
        operands: &[Value],
        ty: TypeId,
    ) -> Result<Reg, Refused> {
        let class = self.unit.class_of(ty).unwrap_or(Class::B64);
        let Some(steps) = self.steps(source, &operands[1..]) else {
            return Err(self.refuse(codes::UNSUPPORTED, "this address cannot be computed"));
        };
        let mut base: Arg = self.reg_of(operands[0])?.into();
        let mut bytes = 0i64;
        for (index, scale) in steps {
            let Some(index) = index else {
                bytes = bytes.wrapping_add(scale);
                continue;
            };
            match self.signed(index) {
                Some(index) => bytes = bytes.wrapping_add(index.wrapping_mul(scale)),
                None => base = self.scaled(base, index, scale, class)?.into(),
            }
        }
        if bytes != 0 {
            let add = if class == Class::B64 {
                "add.s64"
            } else {
                "add.s32"
            };
            base = self.op(class, add, &[base, Arg::Int(bytes)])?.into();
        }
        self.in_register(base, class)
    }

    /// An address in another space.
    pub(super) fn cast_address(&mut self, from: Value, to: TypeId) -> Result<Reg, Refused> {
        let (from_ty, to_space) = (self.type_of(from), self.space_of(to)?);
        let to_class = self.unit.class_of(to).unwrap_or(Class::B64);
        if let (Some((inst, Op::Alloca { .. })), Space::Local) = (self.definition(from), to_space)
            && let Some(start) = self.slot(inst)?
        {
            let base = self.frame_register(true);
            let add = if to_class == Class::B64 {
                "add.s64"
            } else {
                "add.s32"
            };
            return self.op(to_class, add, &[base.into(), Arg::Int(start as i64)]);
        }
        let pointer = self.reg_of(from)?;
        if to_space == Space::Param && matches!(self.home_of(from), Some((_, Home::Param))) {
            return Ok(pointer);
        }
        self.cast_pointer(pointer, from_ty, to)
    }

    /// An address in a register in another space.
    pub(super) fn cast_pointer(
        &mut self,
        pointer: Reg,
        from: TypeId,
        to: TypeId,
    ) -> Result<Reg, Refused> {
        let (from_space, to_space) = (self.space_of(from)?, self.space_of(to)?);
        let to_class = self.unit.class_of(to).unwrap_or(Class::B64);
        let from_class = self.unit.class_of(from).unwrap_or(Class::B64);
        match (from_space, to_space) {
            (a, b) if a == b => Ok(pointer),
            // Both windows show the same bytes of the own block.
            (Space::Shared, Space::SharedCluster) => self.resized(pointer, from_class, to_class),
            (space, Space::Generic) if space.has_window() => {
                let wide = self.resized(pointer, from_class, Class::B64)?;
                let mnemonic = format!("cvta{}.u64", space.modifier());
                self.op(Class::B64, &mnemonic, &[wide.into()])
            }
            (Space::Generic, space) if space.has_window() => {
                let mnemonic = format!("cvta.to{}.u64", space.modifier());
                let wide = self.op(Class::B64, &mnemonic, &[pointer.into()])?;
                self.resized(wide, Class::B64, to_class)
            }
            // The generic space has them both; an address that is not in the other has no meaning there.
            (from_space, to_space) if from_space.has_window() && to_space.has_window() => {
                let generic = self.cast_pointer(pointer, from, self.module.types.ptr)?;
                self.cast_pointer(generic, self.module.types.ptr, to)
            }
            _ => {
                let message = "tensor memory has no addresses in other spaces";
                Err(self.refuse(codes::UNSUPPORTED, message))
            }
        }
    }

    fn resized(&mut self, reg: Reg, from: Class, to: Class) -> Result<Reg, Refused> {
        match (from, to) {
            (Class::B32, Class::B64) => self.op(to, "cvt.u64.u32", &[reg.into()]),
            (Class::B64, Class::B32) => self.op(to, "cvt.u32.u64", &[reg.into()]),
            _ => Ok(reg),
        }
    }
}

impl Space {
    /// Whether the space is a part of the generic one.
    fn has_window(self) -> bool {
        !matches!(self, Space::Generic | Space::Tensor)
    }
}
