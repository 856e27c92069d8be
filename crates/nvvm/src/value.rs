//! Operands of instructions.
//!
//! A [`Value`] is four bytes: a tag and an index. [`Value::get`] gives it as an enumeration.

use crate::constant::ConstId;
use crate::index::{Id, define_ids};
use crate::metadata::{Md, MdRef, NodeId};
use crate::module::AsmId;
use crate::name::Name;

define_ids! {
    /// A parameter of a function or the result of an instruction.
    Local
    /// A block of a function.
    Block
    /// An instruction of a function.
    InstId
    /// A list of values in a debug record: `!DIArgList(…)`.
    ArgList
}

/// An operand, packed. Compare, hash and copy it freely; [`get`](Value::get) takes it apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);

/// What an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A parameter or the result of an instruction.
    Local(Local),
    /// A constant of the module, globals included.
    Const(ConstId),
    /// A block: where a terminator goes, where a phi's value comes from.
    Block(Block),
    /// Inline assembly as a callee.
    Asm(AsmId),
    /// Metadata as a value: `metadata !5`, `metadata !"text"`, `metadata i32 7`.
    Metadata(MdRef),
    /// A local value as metadata: `metadata i32 %x`.
    LocalMetadata(Local),
    /// `!DIArgList(…)`
    ArgList(ArgList),
}

const TAG_SHIFT: u32 = 28;
const INDEX_MASK: u32 = (1 << TAG_SHIFT) - 1;
const LOCAL: u32 = 0;
const CONST: u32 = 1;
const BLOCK: u32 = 2;
const ASM: u32 = 3;
const NULL_METADATA: u32 = 4;
const NODE: u32 = 5;
const STRING: u32 = 6;
const CONST_METADATA: u32 = 7;
const LOCAL_METADATA: u32 = 8;
const ARG_LIST: u32 = 9;

impl Value {
    /// The largest index of anything an operand can name. Readers refuse larger modules.
    pub const MAX_INDEX: usize = INDEX_MASK as usize;

    fn pack(tag: u32, index: usize) -> Value {
        debug_assert!(index <= Value::MAX_INDEX);
        Value(tag << TAG_SHIFT | (index as u32 & INDEX_MASK))
    }

    /// What it is.
    pub fn get(self) -> Operand {
        let index = (self.0 & INDEX_MASK) as usize;
        match self.0 >> TAG_SHIFT {
            LOCAL => Operand::Local(Local::new(index)),
            CONST => Operand::Const(ConstId::new(index)),
            BLOCK => Operand::Block(Block::new(index)),
            ASM => Operand::Asm(AsmId::new(index)),
            NULL_METADATA => Operand::Metadata(Md::Null.into()),
            NODE => Operand::Metadata(Md::Node(NodeId::new(index)).into()),
            STRING => Operand::Metadata(Md::String(Name::new(index)).into()),
            CONST_METADATA => Operand::Metadata(Md::Const(ConstId::new(index)).into()),
            LOCAL_METADATA => Operand::LocalMetadata(Local::new(index)),
            _ => Operand::ArgList(ArgList::new(index)),
        }
    }

    /// The constant, if it is one.
    pub fn constant(self) -> Option<ConstId> {
        match self.get() {
            Operand::Const(constant) => Some(constant),
            _ => None,
        }
    }

    /// The local value, if it is one.
    pub fn local(self) -> Option<Local> {
        match self.get() {
            Operand::Local(local) => Some(local),
            _ => None,
        }
    }

    /// The block, if it is one.
    pub fn block(self) -> Option<Block> {
        match self.get() {
            Operand::Block(block) => Some(block),
            _ => None,
        }
    }
}

/// A value as a number, for tables indexed by values.
impl Id for Value {
    fn new(index: usize) -> Value {
        Value(index as u32)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Operand> for Value {
    fn from(operand: Operand) -> Value {
        match operand {
            Operand::Local(local) => Value::pack(LOCAL, local.index()),
            Operand::Const(constant) => Value::pack(CONST, constant.index()),
            Operand::Block(block) => Value::pack(BLOCK, block.index()),
            Operand::Asm(asm) => Value::pack(ASM, asm.index()),
            Operand::Metadata(md) => match md.get() {
                Md::Null => Value::pack(NULL_METADATA, 0),
                Md::Node(node) => Value::pack(NODE, node.index()),
                Md::String(name) => Value::pack(STRING, name.index()),
                Md::Const(constant) => Value::pack(CONST_METADATA, constant.index()),
            },
            Operand::LocalMetadata(local) => Value::pack(LOCAL_METADATA, local.index()),
            Operand::ArgList(list) => Value::pack(ARG_LIST, list.index()),
        }
    }
}

impl From<Local> for Value {
    fn from(local: Local) -> Value {
        Operand::Local(local).into()
    }
}

impl From<ConstId> for Value {
    fn from(constant: ConstId) -> Value {
        Operand::Const(constant).into()
    }
}

impl From<Block> for Value {
    fn from(block: Block) -> Value {
        Operand::Block(block).into()
    }
}

impl From<MdRef> for Value {
    fn from(md: MdRef) -> Value {
        Operand::Metadata(md).into()
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_loses_nothing() {
        let operands = [
            Operand::Local(Local::new(Value::MAX_INDEX)),
            Operand::Const(ConstId::new(7)),
            Operand::Block(Block::new(0)),
            Operand::Asm(AsmId::new(3)),
            Operand::Metadata(Md::Null.into()),
            Operand::Metadata(Md::Node(NodeId::new(9)).into()),
            Operand::Metadata(Md::String(Name::new(9)).into()),
            Operand::Metadata(Md::Const(ConstId::new(9)).into()),
            Operand::LocalMetadata(Local::new(4)),
            Operand::ArgList(ArgList::new(5)),
        ];
        for operand in operands {
            assert_eq!(Value::from(operand).get(), operand);
        }
    }
}
