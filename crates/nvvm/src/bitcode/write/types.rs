//! Types: the numbers they get, and their records.
//!
//! A type gets its number when something needs it first, after all that it is made of. The block of types comes early in a
//! module, but is written last, when all numbers are given.

use super::stream::{Part, Stream};
use crate::Module;
use crate::bitcode::codes::record::{block, types as code};
use crate::index::Id;
use crate::name::Name;
use crate::types::{StructBody, Type, TypeId, TypeList};

/// Numbers of types.
pub(super) struct TypeTable {
    /// The number of each type plus one; zero if it has none yet.
    numbers: Vec<u32>,
    order: Vec<TypeId>,
    /// Types still to be numbered, and whether what they are made of has been looked at.
    pending: Vec<(TypeId, bool)>,
    /// `target` types of this name are pointers to the type that they hold.
    pointer: Option<Name>,
}

impl TypeTable {
    pub(super) fn new(module: &Module, pointer: Option<Name>) -> TypeTable {
        TypeTable {
            numbers: vec![0; module.types.len()],
            order: Vec::new(),
            pending: Vec::new(),
            pointer,
        }
    }

    /// The number of a type.
    #[inline]
    pub(super) fn id(&mut self, module: &Module, ty: TypeId) -> u64 {
        if self.numbers[ty.index()] == 0 {
            self.number(module, ty);
        }
        u64::from(self.numbers[ty.index()] - 1)
    }

    fn number(&mut self, module: &Module, ty: TypeId) {
        self.pending.push((ty, false));
        while let Some((ty, looked_at)) = self.pending.pop() {
            if self.numbers[ty.index()] != 0 {
                continue;
            }
            if looked_at {
                self.order.push(ty);
                self.numbers[ty.index()] = self.order.len() as u32;
                continue;
            }
            self.pending.push((ty, true));
            self.push_parts(module, ty);
        }
    }

    fn push_parts(&mut self, module: &Module, ty: TypeId) {
        match module.types.get(ty) {
            Type::Vector { element, .. } | Type::Array { element, .. } => self.push(element),
            Type::Struct { fields, .. } => self.push_list(module, fields),
            Type::Named(id) => {
                if let StructBody::Fields { fields, .. } = module.types.structs[id].body {
                    self.push_list(module, fields);
                }
            }
            Type::Function { ret, params, .. } => {
                self.push_list(module, params);
                self.push(ret);
            }
            Type::Target { types, .. } => self.push_list(module, types),
            _ => {}
        }
    }

    /// The first is looked at next, so it is put on the stack last.
    fn push_list(&mut self, module: &Module, list: TypeList) {
        for &ty in module.types.list(list).iter().rev() {
            self.push(ty);
        }
    }

    fn push(&mut self, ty: TypeId) {
        if self.numbers[ty.index()] == 0 {
            self.pending.push((ty, false));
        }
    }

    /// The block of types.
    pub(super) fn write(&self, module: &Module, stream: &mut Stream) {
        stream.enter(block::TYPE, 4);
        for parts in [
            &[
                Part::Literal(code::STRUCT_NAME as u64),
                Part::Array,
                Part::Char6,
            ][..],
            &[
                Part::Literal(code::STRUCT_NAME as u64),
                Part::Array,
                Part::Fixed(8),
            ],
            &[
                Part::Literal(code::FUNCTION as u64),
                Part::Fixed(1),
                Part::Array,
                Part::Vbr(6),
            ],
            &[
                Part::Literal(code::STRUCT_ANON as u64),
                Part::Fixed(1),
                Part::Array,
                Part::Vbr(6),
            ],
            &[
                Part::Literal(code::STRUCT_NAMED as u64),
                Part::Fixed(1),
                Part::Array,
                Part::Vbr(6),
            ],
        ] {
            stream.define(parts);
        }
        stream.record(code::NUMENTRY, &[self.order.len() as u64]);
        let mut record = Vec::new();
        for &ty in &self.order {
            record.clear();
            let code = self.record(module, ty, stream, &mut record);
            stream.record(code, &record);
        }
        stream.exit();
    }

    fn of(&self, ty: TypeId) -> u64 {
        u64::from(self.numbers[ty.index()].saturating_sub(1))
    }

    fn record(
        &self,
        module: &Module,
        ty: TypeId,
        stream: &mut Stream,
        record: &mut Vec<u64>,
    ) -> u32 {
        let list = |list: TypeList| module.types.list(list).iter().map(|&ty| self.of(ty));
        match module.types.get(ty) {
            Type::Void => code::VOID,
            Type::Half => code::HALF,
            Type::BFloat => code::BFLOAT,
            Type::Float => code::FLOAT,
            Type::Double => code::DOUBLE,
            Type::X86Fp80 => code::X86_FP80,
            Type::Fp128 => code::FP128,
            Type::PpcFp128 => code::PPC_FP128,
            Type::Label => code::LABEL,
            Type::Token => code::TOKEN,
            Type::Metadata => code::METADATA,
            Type::X86Amx => code::X86_AMX,
            Type::Int(bits) => {
                record.push(u64::from(bits));
                code::INTEGER
            }
            Type::Ptr(space) => {
                record.push(u64::from(space));
                code::OPAQUE_POINTER
            }
            Type::Vector {
                element,
                len,
                scalable,
            } => {
                record.extend([u64::from(len), self.of(element)]);
                record.extend(scalable.then_some(1));
                code::VECTOR
            }
            Type::Array { element, len } => {
                record.extend([len, self.of(element)]);
                code::ARRAY
            }
            Type::Struct { fields, packed } => {
                record.push(u64::from(packed));
                record.extend(list(fields));
                code::STRUCT_ANON
            }
            Type::Named(id) => {
                let data = &module.types.structs[id];
                if let Some(name) = data.name {
                    self.name(module, name, stream);
                }
                match data.body {
                    StructBody::Opaque => {
                        record.push(0);
                        code::OPAQUE
                    }
                    StructBody::Fields { fields, packed } => {
                        record.push(u64::from(packed));
                        record.extend(list(fields));
                        code::STRUCT_NAMED
                    }
                }
            }
            Type::Function {
                ret,
                params,
                variadic,
            } => {
                record.extend([u64::from(variadic), self.of(ret)]);
                record.extend(list(params));
                code::FUNCTION
            }
            Type::Target {
                name,
                types,
                numbers,
            } => {
                let numbers = module.types.numbers(numbers);
                if Some(name) == self.pointer {
                    record.extend(list(types));
                    record.extend(numbers.iter().map(|&number| u64::from(number)));
                    return code::POINTER;
                }
                self.name(module, name, stream);
                record.push(module.types.list(types).len() as u64);
                record.extend(list(types));
                record.extend(numbers.iter().map(|&number| u64::from(number)));
                code::TARGET_TYPE
            }
        }
    }

    /// The name of the next record.
    fn name(&self, module: &Module, name: Name, stream: &mut Stream) {
        let name = module.names.bytes(name);
        let name: Vec<u64> = name.iter().map(|&byte| u64::from(byte)).collect();
        stream.record(code::STRUCT_NAME, &name);
    }
}
