//! Addresses taken apart: a root, variable parts with their factors, and a constant.

use smallvec::SmallVec;
use warpc_nvvm::Module;
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::{Body, Def};
use warpc_nvvm::inst::{BinaryOp, CastOp, Flags, Op};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{Operand, Value};

/// How far definitions are followed.
const DEEPEST: usize = 16;

/// How an integer was made as wide as an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Extend {
    None,
    Signed,
    Unsigned,
}

/// A variable part of an address: what is multiplied by what.
pub(super) type Part = (Value, Extend, i64);

/// An address without its constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Base {
    pub(super) root: Value,
    pub(super) space: u32,
    parts: SmallVec<[Part; 2]>,
}

/// What an access touches: an address and the bytes from it on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) base: Base,
    pub(super) offset: i64,
    pub(super) size: u64,
}

/// What the question needs to know.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    pub(super) module: &'a Module,
    pub(super) body: &'a Body,
    pub(super) function: GlobalId,
    pub(super) layout: &'a Layout,
}

impl Code<'_> {
    /// Takes an address apart.
    pub(super) fn place(&self, address: Value, size: u64) -> Place {
        let ty = self.module.type_of(self.body, address);
        let space = match self.module.types.get(ty) {
            Type::Ptr(space) => space,
            _ => 0,
        };
        let mut place = Place {
            base: Base {
                root: address,
                space,
                parts: SmallVec::new(),
            },
            offset: 0,
            size,
        };
        for _ in 0..DEEPEST {
            let Some((source, operands)) = self.gep(place.base.root) else {
                break;
            };
            if self.step(&mut place, source, operands).is_none() {
                break;
            }
        }
        place.base.parts.sort_unstable();
        place
    }

    /// The type and operands of the `getelementptr` that makes an address.
    fn gep(&self, address: Value) -> Option<(TypeId, &[Value])> {
        let Def::Inst(inst) = self.body.locals[address.local()?].def else {
            return None;
        };
        match self.body.insts[inst].op {
            Op::Gep { source } => Some((source, self.body.operands(inst))),
            _ => None,
        }
    }

    /// Adds what a `getelementptr` adds.
    fn step(&self, place: &mut Place, source: TypeId, operands: &[Value]) -> Option<()> {
        let (types, layout) = (&self.module.types, self.layout);
        let (&root, indices) = operands.split_first()?;
        let mut offset = place.offset;
        let mut parts = place.base.parts.clone();
        let mut ty = source;
        for (at, &index) in indices.iter().enumerate() {
            if at > 0 && types.fields(ty).is_some() {
                let field = self.module.constants.as_u64(index.constant()?)?;
                let start = layout.offset(types, ty, field)?;
                offset = offset.checked_add(i64::try_from(start).ok()?)?;
                ty = types.member(ty, field)?;
                continue;
            }
            if at > 0 {
                ty = types.member(ty, 0)?;
            }
            let stride = i64::try_from(layout.stride(types, ty)).ok()?;
            let (part, constant) = self.index(index)?;
            offset = offset.checked_add(constant.checked_mul(stride)?)?;
            if let Some((value, extend)) = part {
                parts.push((value, extend, stride));
            }
        }
        place.base.root = root;
        place.base.parts = parts;
        place.offset = offset;
        Some(())
    }

    /// An index as a variable and a constant.
    fn index(&self, index: Value) -> Option<(Option<(Value, Extend)>, i64)> {
        let bits = match self.module.types.get(self.module.type_of(self.body, index)) {
            Type::Int(bits @ 1..=64) => bits,
            _ => return None,
        };
        // Narrow indices are extended with their sign.
        let (mut value, mut extend, mut sum) = (index, Extend::None, 0i64);
        if bits < 64 {
            extend = Extend::Signed;
        }
        for _ in 0..DEEPEST {
            if let Some(constant) = self.signed(value) {
                let constant = match extend {
                    Extend::Unsigned => constant & mask(self.width(value)),
                    _ => constant,
                };
                return Some((None, sum.checked_add(constant)?));
            }
            let Some((op, flags, operands)) = self.definition(value) else {
                break;
            };
            match op {
                Op::Cast(CastOp::Sext) if extend == Extend::None => {
                    (value, extend) = (operands[0], Extend::Signed);
                }
                Op::Cast(CastOp::Zext) if extend == Extend::None => {
                    (value, extend) = (operands[0], Extend::Unsigned);
                }
                // A sum that does not wrap may be taken apart before it is extended.
                Op::Binary(BinaryOp::Add | BinaryOp::Or) => {
                    let promised = match extend {
                        Extend::None => true,
                        Extend::Signed => flags.contains(Flags::NSW),
                        Extend::Unsigned => flags.contains(Flags::NUW),
                    };
                    let is_sum = match op {
                        Op::Binary(BinaryOp::Or) => flags.contains(Flags::DISJOINT),
                        _ => promised,
                    };
                    // Two numbers without a common bit: for their signed values only the sum of both is
                    // known to fit if the constant is not negative.
                    let Some(constant) = self.signed(operands[1]) else {
                        break;
                    };
                    if !is_sum || op == Op::Binary(BinaryOp::Or) && constant < 0 {
                        break;
                    }
                    let constant = match extend {
                        Extend::Unsigned => constant & mask(self.width(value)),
                        _ => constant,
                    };
                    sum = sum.checked_add(constant)?;
                    value = operands[0];
                }
                _ => break,
            }
        }
        Some((Some((value, extend)), sum))
    }

    fn width(&self, value: Value) -> u32 {
        match self.module.types.get(self.module.type_of(self.body, value)) {
            Type::Int(bits) => bits,
            _ => 64,
        }
    }

    fn definition(&self, value: Value) -> Option<(Op, Flags, &[Value])> {
        let Def::Inst(inst) = self.body.locals[value.local()?].def else {
            return None;
        };
        let data = &self.body.insts[inst];
        Some((data.op, data.flags, self.body.operands(inst)))
    }

    /// The value of a constant, with its sign.
    fn signed(&self, value: Value) -> Option<i64> {
        let constant = self.module.constants.as_u64(value.constant()?)?;
        let unused = 64 - self.width(value).clamp(1, 64);
        Some(((constant << unused) as i64) >> unused)
    }

    /// The alignment of an address because of what is there.
    pub(super) fn natural_align(&self, place: &Place) -> u64 {
        let lowest = |number: i64| match number {
            0 => u64::MAX,
            number => 1 << number.trailing_zeros(),
        };
        let parts = place.base.parts.iter().map(|part| lowest(part.2));
        let align = parts.fold(lowest(place.offset), u64::min);
        align.min(self.root_align(place.base.root).unwrap_or(1))
    }

    fn root_align(&self, root: Value) -> Option<u64> {
        let types = &self.module.types;
        match root.get() {
            Operand::Local(local) => match self.body.locals[local].def {
                Def::Inst(inst) => match self.body.insts[inst].op {
                    Op::Alloca { ty, align, .. } => Some(
                        align
                            .bytes()
                            .unwrap_or_else(|| self.layout.align(types, ty)),
                    ),
                    Op::Cast(CastOp::Addrspacecast) => self.root_align(self.body.operands(inst)[0]),
                    _ => None,
                },
                Def::Param(at) => match self.param_attribute(at, b"align")? {
                    Attribute::Int(_, bytes) => Some(bytes),
                    _ => None,
                },
                Def::Pending => None,
            },
            Operand::Const(constant) => {
                let global = &self.module.globals[self.module.global_of(constant)?];
                match global.kind {
                    GlobalKind::Variable(_) => Some(
                        global
                            .align
                            .bytes()
                            .unwrap_or_else(|| self.layout.align(types, global.value_ty)),
                    ),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn param_attribute(&self, at: u32, name: &[u8]) -> Option<Attribute> {
        let GlobalKind::Function(function) = &self.module.globals[self.function].kind else {
            return None;
        };
        let attributes = &self.module.attributes;
        let name = self.module.names.find(name)?;
        attributes.find(attributes.of_param(function.attrs, at as usize), name)
    }

    /// Whether two accesses may touch the same bytes.
    pub(super) fn may_overlap(&self, a: &Place, b: &Place) -> bool {
        match a.base == b.base {
            true => overlap((a.offset, a.size), (b.offset, b.size)),
            false => self.may_share(&a.base, &b.base),
        }
    }

    /// Whether accesses with two different bases may touch the same bytes.
    pub(super) fn may_share(&self, a: &Base, b: &Base) -> bool {
        let (x, y) = (a.space, b.space);
        // Shared memory shows in the window of the cluster, too.
        let apart = x != y && x != 0 && y != 0 && ![(3, 7), (7, 3)].contains(&(x, y));
        if apart {
            return false;
        }
        let (a, b) = (self.object(a.root), self.object(b.root));
        !a.is_other_than(b)
    }

    /// What a root is part of.
    fn object(&self, root: Value) -> Object {
        let mut root = root;
        for _ in 0..DEEPEST {
            match root.get() {
                Operand::Const(constant) => {
                    return match self.module.constants.get(constant).kind {
                        ConstKind::Global(id)
                            if matches!(self.module.globals[id].kind, GlobalKind::Variable(_)) =>
                        {
                            Object::Own(root)
                        }
                        _ => Object::Unknown,
                    };
                }
                Operand::Local(local) => match self.body.locals[local].def {
                    Def::Param(at) => {
                        return match self.param_attribute(at, b"noalias") {
                            Some(_) => Object::Own(root),
                            None => Object::Param,
                        };
                    }
                    Def::Inst(inst) => match self.body.insts[inst].op {
                        Op::Alloca { .. } => return Object::Own(root),
                        Op::Gep { .. } | Op::Cast(CastOp::Addrspacecast) => {
                            root = self.body.operands(inst)[0];
                        }
                        _ => return Object::Unknown,
                    },
                    Def::Pending => return Object::Unknown,
                },
                _ => return Object::Unknown,
            }
        }
        Object::Unknown
    }
}

/// Whether two ranges of bytes, each an offset and a size, have one in common.
pub(super) fn overlap(a: (i64, u64), b: (i64, u64)) -> bool {
    let end = |(offset, size): (i64, u64)| {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        offset.saturating_add(size)
    };
    a.0 < end(b) && b.0 < end(a)
}

fn mask(bits: u32) -> i64 {
    match bits {
        0..=63 => ((1u64 << bits) - 1) as i64,
        _ => -1,
    }
}

/// What an address points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Object {
    /// A variable, or a parameter that says that nobody else has its memory.
    Own(Value),
    /// Memory that a parameter came with.
    Param,
    Unknown,
}

impl Object {
    /// Whether two objects share no bytes. What is not known may have come from an own object.
    fn is_other_than(self, other: Object) -> bool {
        match (self, other) {
            (Object::Own(a), Object::Own(b)) => a != b,
            (Object::Own(own), Object::Param) | (Object::Param, Object::Own(own)) => {
                // A parameter may be the address of a variable of the module.
                own.constant().is_none()
            }
            _ => false,
        }
    }
}
