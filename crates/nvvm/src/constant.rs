//! Constants, interned: equal constants have equal numbers.
//!
//! The builders of [`Constants`] give each value one form, as LLVM does: an aggregate of zeros is
//! `zeroinitializer`, one of `undef` is `undef`, an array of bytes is a string. So a pass may compare
//! numbers instead of values.

use crate::index::{IdVec, define_ids};
use crate::inst::{BinaryOp, CastOp, FcmpPredicate, Flags, IcmpPredicate};
use crate::intern::{Lists, Set};
use crate::module::GlobalId;
use crate::name::{Name, Names};
use crate::types::{IndexList, Type, TypeId, Types};
use crate::value::Block;

define_ids! {
    /// A constant of a module.
    ConstId
    /// A list of constants.
    ConstList
    /// The words of a wide integer or floating-point constant, the low one first.
    Words
    /// A constant expression.
    ExprId
    /// The target of a `blockaddress`.
    BlockAddressId
}

/// The bytes of a number in an array whose elements are kept as the bytes that they have in memory; `None` if arrays of
/// the type are kept as lists.
pub fn dense_width(types: &Types, element: TypeId) -> Option<usize> {
    match types.get(element) {
        Type::Int(8) => Some(1),
        Type::Int(16) | Type::Half | Type::BFloat => Some(2),
        Type::Int(32) | Type::Float => Some(4),
        Type::Int(64) | Type::Double => Some(8),
        _ => None,
    }
}

/// The bits of one of the numbers of so many bytes each.
pub fn dense_number(bytes: &[u8], width: usize, index: usize) -> Option<u64> {
    let start = index.checked_mul(width)?;
    let number = bytes.get(start..start.checked_add(width)?)?;
    let mut word = [0; 8];
    word[..width].copy_from_slice(number);
    Some(u64::from_le_bytes(word))
}

/// A constant: its type and what it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Const {
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub kind: ConstKind,
}

/// What a constant is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ConstKind {
    /// An integer of up to 64 bits, zero-extended.
    Int(u64),
    /// A wider integer.
    WideInt(Words),
    /// The bits of a `half`, `bfloat`, `float` or `double`.
    Float(u64),
    /// The bits of a wider floating-point number.
    WideFloat(Words),
    /// `null`
    Null,
    /// `none` (the token)
    TokenNone,
    /// `undef`
    Undef,
    /// `poison`
    Poison,
    /// `zeroinitializer` of an aggregate, vector or target type
    Zero,
    /// The elements of a struct, array or vector.
    Aggregate(ConstList),
    /// `splat (T v)`: a vector with one value in each element. Integers and floating-point numbers only, and
    /// very long vectors of anything.
    Splat(ConstId),
    /// An array of numbers that [`dense_width`] has a width for, as their bytes in memory.
    Bytes(Name),
    /// The address of a global.
    Global(GlobalId),
    /// `blockaddress(@f, %b)`
    BlockAddress(BlockAddressId),
    /// `dso_local_equivalent @f`
    DsoLocalEquivalent(GlobalId),
    /// `no_cfi @f`
    NoCfi(GlobalId),
    /// `ptrauth (ptr p, i32 key, i64 discriminator, ptr address)`; also the deactivation symbol, if there is one
    PtrAuth(ConstList),
    /// A constant expression.
    Expr(ExprId),
}

/// A constant expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// The operation.
    pub op: ExprOp,
    /// Its flags.
    pub flags: Flags,
    /// Its operands.
    pub operands: ConstList,
}

/// What a constant expression computes. Some exist only in older versions of LLVM; they are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ExprOp {
    /// A cast to the type of the constant.
    Cast(CastOp),
    /// `add`, `sub`, `xor`; older: all of them.
    Binary(BinaryOp),
    /// `getelementptr`
    Gep {
        /// The type that the first index steps over.
        source: TypeId,
        /// `inrange(from, to)`: the offsets that may be accessed through the result.
        inrange: Option<(i64, i64)>,
    },
    /// Older: `icmp`
    Icmp(IcmpPredicate),
    /// Older: `fcmp`
    Fcmp(FcmpPredicate),
    /// Older: `select`
    Select,
    /// Older: `fneg`
    Fneg,
    /// `extractelement`
    ExtractElement,
    /// `insertelement`
    InsertElement,
    /// `shufflevector`
    ShuffleVector,
    /// Older: `extractvalue`
    ExtractValue(IndexList),
    /// Older: `insertvalue`
    InsertValue(IndexList),
}

/// The target of a `blockaddress`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockAddress {
    /// The function.
    pub function: GlobalId,
    /// The block; `None` only while the function is not read yet.
    pub block: Option<Block>,
}

/// Splats of others than numbers are written out up to this length.
const MAX_WRITTEN_OUT: u32 = 1 << 16;

/// The constants of a module.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    set: Set<ConstId, Const>,
    lists: Lists<ConstList, ConstId>,
    words: Lists<Words, u64>,
    exprs: Set<ExprId, Expr>,
    /// The targets of `blockaddress` constants.
    pub block_addresses: IdVec<BlockAddressId, BlockAddress>,
}

impl Constants {
    /// A constant.
    pub fn get(&self, constant: ConstId) -> Const {
        *self.set.get(constant)
    }

    /// The number of a constant that is in its one form already.
    pub fn intern(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        self.set.intern(Const { ty, kind })
    }

    /// The constants in a list.
    pub fn list(&self, list: ConstList) -> &[ConstId] {
        self.lists.get(list)
    }

    /// The number of a list of constants.
    pub fn intern_list(&mut self, list: &[ConstId]) -> ConstList {
        self.lists.intern(list)
    }

    /// The words of a wide constant, the low one first.
    pub fn words(&self, words: Words) -> &[u64] {
        self.words.get(words)
    }

    /// A constant expression.
    pub fn expr(&self, expr: ExprId) -> Expr {
        *self.exprs.get(expr)
    }

    /// How many constants there are.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Whether there is no constant.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// All constants in the order they came.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ConstId, &Const)> {
        self.set.iter()
    }

    /// An integer of `bits` bits; `words` hold its value, the low one first, and are cut or extended
    /// with zeros to that width.
    pub fn int(&mut self, ty: TypeId, bits: u32, words: &[u64]) -> ConstId {
        let low = words.first().copied().unwrap_or(0);
        if bits <= 64 {
            let mask = u64::MAX >> (64 - bits.max(1));
            return self.intern(ty, ConstKind::Int(low & mask));
        }
        let count = bits.div_ceil(64) as usize;
        let mut value = words.to_vec();
        value.resize(count, 0);
        if !bits.is_multiple_of(64) {
            value[count - 1] &= u64::MAX >> (64 - bits % 64);
        }
        let words = self.words.intern(&value);
        self.intern(ty, ConstKind::WideInt(words))
    }

    /// A floating-point number from its bits, the low word first.
    pub fn float(&mut self, ty: TypeId, bits: u32, words: &[u64]) -> ConstId {
        let low = words.first().copied().unwrap_or(0);
        if bits <= 64 {
            return self.intern(ty, ConstKind::Float(low));
        }
        let high = words.get(1).copied().unwrap_or(0);
        let words = self.words.intern(&[low, high]);
        self.intern(ty, ConstKind::WideFloat(words))
    }

    /// The zero of a type; `None` if the type has none.
    pub fn zero(&mut self, types: &Types, ty: TypeId) -> Option<ConstId> {
        Some(match types.get(ty) {
            Type::Int(bits) => self.int(ty, bits, &[]),
            Type::Ptr(_) => self.intern(ty, ConstKind::Null),
            Type::Token => self.intern(ty, ConstKind::TokenNone),
            Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Target { .. } => self.intern(ty, ConstKind::Zero),
            other => {
                let bits = other.float_bits()?;
                self.float(ty, bits, &[])
            }
        })
    }

    /// Whether it is the zero of its type, all bits zero.
    pub fn is_zero(&self, constant: ConstId) -> bool {
        match self.get(constant).kind {
            ConstKind::Int(value) | ConstKind::Float(value) => value == 0,
            ConstKind::WideInt(words) | ConstKind::WideFloat(words) => {
                self.words(words).iter().all(|&word| word == 0)
            }
            ConstKind::Null | ConstKind::Zero | ConstKind::TokenNone => true,
            _ => false,
        }
    }

    /// The value of an integer constant of up to 64 bits, zero-extended.
    pub fn as_u64(&self, constant: ConstId) -> Option<u64> {
        match self.get(constant).kind {
            ConstKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// A number of up to 64 bits from its bits.
    pub fn number(&mut self, types: &Types, ty: TypeId, bits: u64) -> ConstId {
        match types.get(ty) {
            Type::Int(width) => self.int(ty, width, &[bits]),
            other => self.float(ty, other.float_bits().unwrap_or(64), &[bits]),
        }
    }

    /// A struct, array or vector of elements, in its one form.
    pub fn aggregate(
        &mut self,
        types: &Types,
        names: &mut Names,
        ty: TypeId,
        elements: &[ConstId],
    ) -> ConstId {
        let Some((&first, rest)) = elements.split_first() else {
            return self.intern(ty, ConstKind::Zero);
        };
        let same = rest.iter().all(|&element| element == first);
        let all =
            |this: &Constants, kind: ConstKind| elements.iter().all(|&e| this.get(e).kind == kind);
        if elements.iter().all(|&element| self.is_zero(element)) {
            return self.intern(ty, ConstKind::Zero);
        }
        match self.get(first).kind {
            ConstKind::Poison if all(self, ConstKind::Poison) => {
                return self.intern(ty, ConstKind::Poison);
            }
            ConstKind::Undef if all(self, ConstKind::Undef) => {
                return self.intern(ty, ConstKind::Undef);
            }
            _ => {}
        }
        match types.get(ty) {
            Type::Array { element, .. } if dense_width(types, element).is_some() => {
                let width = dense_width(types, element).unwrap_or(1);
                let numbers = elements.iter().all(|&element| {
                    matches!(
                        self.get(element).kind,
                        ConstKind::Int(_) | ConstKind::Float(_)
                    )
                });
                if numbers {
                    let mut bytes = Vec::with_capacity(width * elements.len());
                    for &element in elements {
                        if let ConstKind::Int(value) | ConstKind::Float(value) =
                            self.get(element).kind
                        {
                            bytes.extend_from_slice(&value.to_le_bytes()[..width]);
                        }
                    }
                    return self.bytes(names, ty, &bytes);
                }
            }
            Type::Vector { .. } if same => return self.splat(types, ty, first),
            _ => {}
        }
        let list = self.intern_list(elements);
        self.intern(ty, ConstKind::Aggregate(list))
    }

    /// A vector with one value in each element.
    pub fn splat(&mut self, types: &Types, ty: TypeId, element: ConstId) -> ConstId {
        let kind = match self.get(element).kind {
            ConstKind::Undef => ConstKind::Undef,
            ConstKind::Poison => ConstKind::Poison,
            _ if self.is_zero(element) => ConstKind::Zero,
            ConstKind::Int(_)
            | ConstKind::WideInt(_)
            | ConstKind::Float(_)
            | ConstKind::WideFloat(_) => ConstKind::Splat(element),
            _ => match types.get(ty) {
                // A few bytes of text must not become gigabytes.
                Type::Vector { len, .. } if len <= MAX_WRITTEN_OUT => {
                    let list = self.intern_list(&vec![element; len as usize]);
                    ConstKind::Aggregate(list)
                }
                _ => ConstKind::Splat(element),
            },
        };
        self.intern(ty, kind)
    }

    /// An array of numbers that [`dense_width`] has a width for, given as their bytes in memory.
    pub fn bytes(&mut self, names: &mut Names, ty: TypeId, bytes: &[u8]) -> ConstId {
        if bytes.iter().all(|&byte| byte == 0) {
            return self.intern(ty, ConstKind::Zero);
        }
        let name = names.intern(bytes);
        self.intern(ty, ConstKind::Bytes(name))
    }

    /// A constant expression.
    pub fn expression(
        &mut self,
        ty: TypeId,
        op: ExprOp,
        flags: Flags,
        operands: &[ConstId],
    ) -> ConstId {
        let operands = self.intern_list(operands);
        let expr = self.exprs.intern(Expr {
            op,
            flags,
            operands,
        });
        self.intern(ty, ConstKind::Expr(expr))
    }

    /// The element of an aggregate constant at an index; `None` for expressions and bad indices.
    pub fn element(
        &mut self,
        types: &Types,
        names: &Names,
        constant: ConstId,
        index: usize,
    ) -> Option<ConstId> {
        let Const { ty, kind } = self.get(constant);
        let member = types.member(ty, index as u64)?;
        match kind {
            ConstKind::Aggregate(list) => self.list(list).get(index).copied(),
            ConstKind::Splat(element) => Some(element),
            ConstKind::Bytes(name) => {
                let width = dense_width(types, member)?;
                let number = dense_number(names.bytes(name), width, index)?;
                Some(self.number(types, member, number))
            }
            ConstKind::Zero => self.zero(types, member),
            ConstKind::Undef | ConstKind::Poison => Some(self.intern(member, kind)),
            _ => None,
        }
    }

    /// The constants that a constant is made of. Each was made before it.
    pub fn operands(&self, constant: ConstId) -> impl Iterator<Item = ConstId> {
        let (list, single) = match self.get(constant).kind {
            ConstKind::Aggregate(list) | ConstKind::PtrAuth(list) => (self.list(list), None),
            ConstKind::Expr(expr) => (self.list(self.expr(expr).operands), None),
            ConstKind::Splat(element) => (&[][..], Some(element)),
            _ => (&[][..], None),
        };
        list.iter().copied().chain(single)
    }
}
