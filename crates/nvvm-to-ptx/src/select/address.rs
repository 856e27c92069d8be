//! Addresses: what can be folded into `[base+offset]`, and the computation of the rest.

use super::Selector;
use super::by_value::Home;
use super::extend::Above;
use crate::code::{Arg, Class, Reg};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::constant::{ConstKind, ExprOp};
use warpc_nvvm::inst::{BinaryOp, CastOp, Flags, Op};
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

/// The part of an index that is no constant.
#[derive(Clone, Copy, Debug)]
enum Term {
    /// A value.
    Plain(Value),
    /// A value of 32 bits, widened.
    Widened {
        /// The value.
        from: Value,
        /// Whether with its sign.
        signed: bool,
    },
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
    fn cast_from(&self, value: Value) -> Option<Value> {
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
    fn steps(&self, source: TypeId, indices: &[Value]) -> Option<Vec<(Option<Value>, i64)>> {
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
        if self.module.types.is_vector(ty) {
            return self.vector_of_addresses(inst, source);
        }
        let operands = self.body.operands(inst);
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

    /// `base + index * scale`
    fn scaled(
        &mut self,
        base: Arg,
        index: Value,
        scale: i64,
        class: Class,
    ) -> Result<Reg, Refused> {
        if scale == 0 {
            return self.in_register(base, class);
        }
        let bits = match self.kind(self.type_of(index)) {
            Type::Int(bits @ 1..=64) => bits,
            _ => {
                return Err(
                    self.refuse(codes::UNSUPPORTED, "an index of this type is not supported")
                );
            }
        };
        if class == Class::B32 {
            let index = self.arg(index)?;
            let index = if bits > 32 {
                self.op(Class::B32, "cvt.u32.u64", &[index])?.into()
            } else {
                self.extended(index, bits, 32, true)?
            };
            return match scale {
                1 => self.op(class, "add.s32", &[base, index]),
                _ => self.op(class, "mad.lo.s32", &[index, Arg::Int(scale), base]),
            };
        }
        let (index, scale) = self.inner_scale(index, scale);
        // An index of 32 bits is widened by the product itself, which costs nothing even if others need it
        // widened, too.
        let narrow = match self.definition(index) {
            Some((inst, Op::Cast(op @ (CastOp::Sext | CastOp::Zext)))) if scale != 1 => {
                let from = self.body.operands(inst)[0];
                matches!(self.kind(self.type_of(from)), Type::Int(2..=32))
                    .then_some((op == CastOp::Sext, from))
            }
            _ if bits == 32 && scale != 1 => Some((true, index)),
            _ => None,
        };
        if let Some((signed, from)) = narrow
            && i32::try_from(scale).is_ok_and(|scale| signed || scale > 0)
        {
            let above = if signed { Above::Sign } else { Above::Zeros };
            let from = self.arg_with(from, above)?;
            return self.scaled_word(base, from, signed, scale);
        }
        let index = self.arg(index)?;
        let index = self.extended(index, bits, 64, true)?;
        if scale == 1 {
            return self.op(class, "add.s64", &[base, index]);
        }
        let product = if (scale as u64).is_power_of_two() && scale > 0 {
            let shift = Arg::Int(scale.trailing_zeros().into());
            self.op(class, "shl.b64", &[index, shift])?
        } else {
            return self.op(class, "mad.lo.s64", &[index, Arg::Int(scale), base]);
        };
        self.op(class, "add.s64", &[base, product.into()])
    }

    /// The address of an element whose indices are sums with constants, without the constants, and the bytes
    /// they stand for: neighbours then share the rest. `None` if there are none.
    fn apart_from_constants(&mut self, value: Value) -> Result<Option<(Reg, i64)>, Refused> {
        let Some((inst, Op::Gep { source })) = self.definition(value) else {
            return Ok(None);
        };
        let ty = self.body.insts[inst].ty;
        let operands = self.body.operands(inst);
        let class = self.unit.class_of(ty).unwrap_or(Class::B64);
        let Some(steps) = self.steps(source, &operands[1..]) else {
            return Ok(None);
        };
        // Nothing lies before the start of a variable, so within it no index is negative, and a sum that is not
        // negative has not wrapped if what was added is not negative.
        let inside = self.body.insts[inst].flags.contains(Flags::INBOUNDS);
        let no_wrap = inside && steps.len() <= 2 && self.is_start(operands[0]);
        let mut bytes = 0i64;
        let mut found = false;
        let mut variable = Vec::new();
        for (index, scale) in steps {
            let Some(index) = index else {
                bytes = bytes.wrapping_add(scale);
                continue;
            };
            if let Some(number) = self.signed(index) {
                bytes = bytes.wrapping_add(number.wrapping_mul(scale));
                continue;
            }
            let (term, constant) = self.without_constant(index, class, no_wrap);
            found |= constant != 0;
            bytes = bytes.wrapping_add(constant.wrapping_mul(scale));
            variable.push((term, scale));
        }
        if !found {
            return Ok(None);
        }
        let mut base: Arg = self.reg_of(operands[0])?.into();
        for (term, scale) in variable {
            base = match term {
                Term::Plain(index) => self.scaled(base, index, scale, class)?.into(),
                Term::Widened { from, signed } => {
                    self.widened_product(base, from, signed, scale)?.into()
                }
            };
        }
        Ok(Some((self.in_register(base, class)?, bytes)))
    }

    /// Whether a pointer is the start of a variable.
    fn is_start(&self, pointer: Value) -> bool {
        let value = self.cast_from(pointer).unwrap_or(pointer);
        match value.get() {
            Operand::Const(constant) => self.module.global_of(constant).is_some(),
            _ => matches!(self.definition(value), Some((_, Op::Alloca { .. }))),
        }
    }

    /// An index as a sum of a term and a constant, both as wide as an address.
    fn without_constant(&self, index: Value, class: Class, no_wrap: bool) -> (Term, i64) {
        let plain = (Term::Plain(index), 0);
        let Some((inst, op)) = self.definition(index) else {
            return plain;
        };
        let operands = self.body.operands(inst);
        let width = self.kind(self.type_of(index));
        match op {
            // A sum of whole words wraps as addresses do.
            Op::Binary(BinaryOp::Add)
                if matches!(
                    (width, class),
                    (Type::Int(64), _) | (Type::Int(32), Class::B32)
                ) =>
            {
                match self.signed(operands[1]) {
                    Some(constant) => (Term::Plain(operands[0]), constant),
                    None => plain,
                }
            }
            Op::Cast(cast @ (CastOp::Sext | CastOp::Zext)) if class == Class::B64 => {
                let positive = self.body.insts[inst].flags.contains(Flags::NNEG);
                let from = operands[0];
                if self.kind(self.type_of(from)) != Type::Int(32) {
                    return plain;
                }
                let Some((sum, op)) = self.definition(from) else {
                    return plain;
                };
                let flags = self.body.insts[sum].flags;
                let terms = self.body.operands(sum);
                let signed = match op {
                    // What does not wrap can be widened before; no bits in common means no carry at all.
                    Op::Binary(BinaryOp::Or) if flags.contains(Flags::DISJOINT) => {
                        cast == CastOp::Sext
                    }
                    Op::Binary(BinaryOp::Add)
                        if flags.contains(Flags::NSW) && (cast == CastOp::Sext || positive) =>
                    {
                        true
                    }
                    Op::Binary(BinaryOp::Add)
                        if flags.contains(Flags::NUW) && cast == CastOp::Zext =>
                    {
                        false
                    }
                    Op::Binary(BinaryOp::Add)
                        if no_wrap
                            && cast == CastOp::Sext
                            && self.signed(terms[1]).is_some_and(|added| added >= 0) =>
                    {
                        true
                    }
                    _ => return plain,
                };
                let constant = match signed {
                    true => self.signed(terms[1]),
                    false => self.integer(terms[1]).map(|number| number as i64),
                };
                match constant {
                    // A disjoint sign would be lost between the parts.
                    Some(constant) if constant >= 0 || matches!(op, Op::Binary(BinaryOp::Add)) => {
                        let from = terms[0];
                        (Term::Widened { from, signed }, constant)
                    }
                    _ => plain,
                }
            }
            _ => plain,
        }
    }

    /// `base + from * scale` for an index of 32 bits, by a product of 64 bits. ptxas makes one instruction of the two;
    /// of `mad.wide` with a power of two it makes two.
    fn scaled_word(
        &mut self,
        base: Arg,
        from: Arg,
        signed: bool,
        scale: i64,
    ) -> Result<Reg, Refused> {
        let mnemonic = if signed {
            "mul.wide.s32"
        } else {
            "mul.wide.u32"
        };
        let product = self.op(Class::B64, mnemonic, &[from, Arg::Int(scale)])?;
        self.op(Class::B64, "add.s64", &[base, product.into()])
    }

    /// `base + widened(from) * scale` for an index of 32 bits.
    fn widened_product(
        &mut self,
        base: Arg,
        from: Value,
        signed: bool,
        scale: i64,
    ) -> Result<Reg, Refused> {
        let from = self.arg(from)?;
        if scale != 1 && i32::try_from(scale).is_ok_and(|scale| signed || scale > 0) {
            return self.scaled_word(base, from, signed, scale);
        }
        let wide = self.extended(from, 32, 64, signed)?;
        match scale {
            1 => self.op(Class::B64, "add.s64", &[base, wide]),
            _ => self.op(Class::B64, "mad.lo.s64", &[wide, Arg::Int(scale), base]),
        }
    }

    /// An index that is a product with a constant, which only this address needs: the factors go together.
    fn inner_scale(&self, index: Value, scale: i64) -> (Value, i64) {
        let Some((inst, op)) = self.own_definition(index) else {
            return (index, scale);
        };
        if self.kind(self.type_of(index)) != Type::Int(64) {
            return (index, scale);
        }
        let operands = self.body.operands(inst);
        let factor = match op {
            Op::Binary(BinaryOp::Shl) => match self.integer(operands[1]) {
                Some(shift @ 0..=30) => Some(1 << shift),
                _ => None,
            },
            Op::Binary(BinaryOp::Mul) => self.signed(operands[1]),
            _ => None,
        };
        match factor.and_then(|factor| scale.checked_mul(factor)) {
            Some(product) if product != 0 => (operands[0], product),
            _ => (index, scale),
        }
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
            _ => {
                let message = "an address cannot be cast between these spaces";
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
