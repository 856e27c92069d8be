//! The table of types.
//!
//! An entry is a type in memory and the entries of its parts: what a typed pointer points to, the members of an
//! aggregate, result and parameters of a function. So older records, which leave types out, find them.

use super::{Read, Reader, Text};
use crate::bitcode::codes::record::{block, types as code};
use crate::index::Id;
use crate::types::{NamedStruct, StructBody, Type, TypeId, Types};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// There is no entry.
const NONE: u32 = u32::MAX;

/// Types nest so deeply at most, as in text.
const MAX_DEPTH: u32 = 200;

#[derive(Clone, Debug)]
struct Entry {
    id: TypeId,
    parts: Box<[u32]>,
}

/// The types of the file by their numbers, and more that instructions make.
#[derive(Debug, Default)]
pub(super) struct TypeTable {
    entries: Vec<Entry>,
    /// How many types the file has; the entries after them were made.
    len: usize,
    /// Entries without parts by their type; [`NONE`] where there is none.
    plain: Vec<u32>,
    /// Entries with parts by type and first part; few have both in common.
    made: FxHashMap<(TypeId, u32), SmallVec<[u32; 1]>>,
    /// Structs that were named before their record.
    forward: FxHashMap<u32, TypeId>,
    /// Whether all types of the file are there.
    done: bool,
}

impl TypeTable {
    /// The type in memory.
    #[inline]
    pub fn id(&self, ty: u32) -> TypeId {
        self.entries[ty as usize].id
    }

    /// An entry of a part.
    pub fn part(&self, ty: u32, index: usize) -> Option<u32> {
        self.entries[ty as usize].parts.get(index).copied()
    }

    /// The entries of the parts.
    pub fn parts(&self, ty: u32) -> &[u32] {
        &self.entries[ty as usize].parts
    }

    /// The entry of a type with parts.
    pub fn make(&mut self, id: TypeId, parts: &[u32]) -> u32 {
        let Some(&first) = parts.first() else {
            return self.make_plain(id);
        };
        let entries = &self.entries;
        let like = self.made.entry((id, first)).or_default();
        let found = like
            .iter()
            .find(|&&entry| *entries[entry as usize].parts == *parts);
        if let Some(&found) = found {
            return found;
        }
        let entry = self.entries.len() as u32;
        like.push(entry);
        self.entries.push(Entry {
            id,
            parts: parts.into(),
        });
        entry
    }

    /// The entry of a type without parts. Most are asked for again and again, so there is no hashing.
    fn make_plain(&mut self, id: TypeId) -> u32 {
        match self.plain.get(id.index()) {
            Some(&entry) if entry != NONE => entry,
            _ => {
                let entry = self.entries.len() as u32;
                self.entries.push(Entry {
                    id,
                    parts: Box::default(),
                });
                self.note(entry);
                entry
            }
        }
    }

    /// Lets [`make`](TypeTable::make) find an entry.
    fn note(&mut self, entry: u32) {
        let Entry { id, parts } = &self.entries[entry as usize];
        match parts.first() {
            Some(&first) => self.made.entry((*id, first)).or_default().push(entry),
            None => {
                let index = id.index();
                if self.plain.len() <= index {
                    self.plain.resize(index + 1, NONE);
                }
                if self.plain[index] == NONE {
                    self.plain[index] = entry;
                }
            }
        }
    }
}

impl Reader<'_> {
    /// The entry of a type's number.
    #[inline]
    pub(super) fn type_at(&self, number: u64) -> Read<u32> {
        if number < self.types.len as u64 {
            return Ok(number as u32);
        }
        Err(self.fault(format!(
            "it names type {number}, and there are {} types",
            self.types.len
        )))
    }

    /// The type in memory of a type's number.
    pub(super) fn type_id_at(&self, number: u64) -> Read<TypeId> {
        Ok(self.types.id(self.type_at(number)?))
    }

    /// What a typed pointer points to; the entry of the pointee.
    pub(super) fn pointee(&self, ty: u32) -> Read<u32> {
        let id = self.types.id(ty);
        if self.module.types.is_ptr(id)
            && let Some(pointee) = self.types.part(ty, 0)
        {
            return Ok(pointee);
        }
        Err(self.fault("the record lacks a type that its pointer does not have"))
    }

    /// The entry of a pointer to a type.
    pub(super) fn pointer_to(&mut self, pointee: u32, space: u32) -> u32 {
        let id = self.module.types.pointer(space);
        self.types.make(id, &[pointee])
    }

    /// The entry of the truth values of comparisons of a type.
    pub(super) fn truth_of(&mut self, ty: u32) -> u32 {
        let i1 = self.module.types.i1;
        let scalar = self.types.make(i1, &[]);
        let id = self.module.types.with_shape_of(self.types.id(ty), i1);
        match id == i1 {
            true => scalar,
            false => self.types.make(id, &[scalar]),
        }
    }

    /// The types of the module.
    pub(super) fn type_block(&mut self) -> Read<()> {
        let mut name = None;
        if self.types.done {
            return Err(self.fault("a second table of types"));
        }
        self.records(block::TYPE, |reader, code| {
            match code {
                code::NUMENTRY => return Ok(()),
                code::STRUCT_NAME => {
                    let text = reader.text(0);
                    name = Some(text);
                    return Ok(());
                }
                _ => {}
            }
            let number = reader.types.entries.len() as u32;
            let entry = reader.type_record(code, number, &mut name)?;
            let depth = reader.module.types.depth(entry.id);
            if depth > MAX_DEPTH {
                return Err(reader.fault(format!("more than {MAX_DEPTH} levels of nesting")));
            }
            if let Some(&forward) = reader.types.forward.get(&number)
                && forward != entry.id
            {
                return Err(reader.fault("a type that was used before is not a struct with a name"));
            }
            reader.types.forward.remove(&number);
            reader.types.entries.push(entry);
            reader.types.len = reader.types.entries.len();
            Ok(())
        })?;
        self.types.done = true;
        if let Some(number) = self.types.forward.keys().min() {
            return Err(self.fault(format!("type {number} is used but not defined")));
        }
        for entry in 0..self.types.len as u32 {
            self.types.note(entry);
        }
        Ok(())
    }

    /// A part of a type, which may come later if it is a struct with a name.
    fn type_part(&mut self, index: usize) -> Read<(u32, TypeId)> {
        let number = self.op(index)?;
        let number = u32::try_from(number)
            .ok()
            .filter(|&number| u64::from(number) < self.cursor.bit())
            .ok_or_else(|| self.fault("the number of a type is too large"))?;
        if let Some(entry) = self.types.entries.get(number as usize) {
            return Ok((number, entry.id));
        }
        if let Some(&id) = self.types.forward.get(&number) {
            return Ok((number, id));
        }
        let body = StructBody::Opaque;
        let id = self
            .module
            .types
            .structs
            .push(NamedStruct { name: None, body });
        let ty = self.module.types.intern(Type::Named(id));
        self.types.forward.insert(number, ty);
        Ok((number, ty))
    }

    /// Parts from an operand on.
    fn type_parts(&mut self, from: usize) -> Read<(Vec<u32>, Vec<TypeId>)> {
        let mut parts = Vec::new();
        let mut ids = Vec::new();
        for index in from..self.ops.len() {
            let (part, id) = self.type_part(index)?;
            parts.push(part);
            ids.push(id);
        }
        Ok((parts, ids))
    }

    fn check_members(&self, members: &[TypeId]) -> Read<()> {
        match members.iter().all(|&ty| self.module.types.is_member(ty)) {
            true => Ok(()),
            false => Err(self.fault("a type without a size inside of another type")),
        }
    }

    fn type_record(&mut self, code: u32, number: u32, name: &mut Option<Text>) -> Read<Entry> {
        let plain = |id: TypeId| Entry {
            id,
            parts: Box::default(),
        };
        let types = &mut self.module.types;
        let simple = match code {
            code::VOID => Some(Type::Void),
            code::FLOAT => Some(Type::Float),
            code::DOUBLE => Some(Type::Double),
            code::LABEL => Some(Type::Label),
            code::HALF => Some(Type::Half),
            code::BFLOAT => Some(Type::BFloat),
            code::X86_FP80 => Some(Type::X86Fp80),
            code::FP128 => Some(Type::Fp128),
            code::PPC_FP128 => Some(Type::PpcFp128),
            code::METADATA => Some(Type::Metadata),
            code::TOKEN => Some(Type::Token),
            code::X86_AMX => Some(Type::X86Amx),
            // LLVM 20 dropped it; what it held is a vector of 64 bits.
            code::X86_MMX => Some(Type::Vector {
                element: types.i64,
                len: 1,
                scalable: false,
            }),
            _ => None,
        };
        if let Some(ty) = simple {
            return Ok(plain(types.intern(ty)));
        }
        match code {
            code::INTEGER => {
                let bits = self.op(0)?;
                if !(1..=u64::from(Types::MAX_INT_BITS)).contains(&bits) {
                    return Err(self.fault(format!("there is no integer of {bits} bits")));
                }
                Ok(plain(self.module.types.int(bits as u32)))
            }
            code::POINTER | code::OPAQUE_POINTER => {
                let typed = code == code::POINTER;
                let space = self.optional(usize::from(typed));
                if space >= 1 << 24 {
                    return Err(self.fault("the address space does not fit into 24 bits"));
                }
                let parts: Box<[u32]> = match typed {
                    true => Box::new([self.type_part(0)?.0]),
                    false => Box::default(),
                };
                let id = self.module.types.pointer(space as u32);
                Ok(Entry { id, parts })
            }
            code::FUNCTION | code::FUNCTION_OLD => {
                let first = match code {
                    code::FUNCTION => 1,
                    _ => 2,
                };
                let variadic = self.op(0)? != 0;
                let (parts, ids) = self.type_parts(first)?;
                let Some((&ret, params)) = ids.split_first() else {
                    return Err(self.fault("a function type without a result"));
                };
                let bad = |ty: &TypeId| {
                    matches!(
                        self.module.types.get(*ty),
                        Type::Label | Type::Function { .. }
                    )
                };
                let void = self.module.types.void;
                if bad(&ret)
                    || ret == self.module.types.metadata
                    || params.iter().any(bad)
                    || params.contains(&void)
                {
                    return Err(self.fault("a function type with a part that is not a value"));
                }
                let id = self.module.types.function(ret, params, variadic);
                Ok(Entry {
                    id,
                    parts: parts.into(),
                })
            }
            code::STRUCT_ANON | code::STRUCT_NAMED => {
                let packed = self.op(0)? != 0;
                let (parts, ids) = self.type_parts(1)?;
                self.check_members(&ids)?;
                let fields = self.module.types.intern_list(&ids);
                let id = match code {
                    code::STRUCT_ANON => self.module.types.intern(Type::Struct { fields, packed }),
                    _ => {
                        let body = StructBody::Fields { fields, packed };
                        self.named_struct(number, name.take(), body)
                    }
                };
                Ok(Entry {
                    id,
                    parts: parts.into(),
                })
            }
            code::OPAQUE => {
                let id = self.named_struct(number, name.take(), StructBody::Opaque);
                Ok(plain(id))
            }
            code::ARRAY | code::VECTOR => {
                let len = self.op(0)?;
                let (part, element) = self.type_part(1)?;
                let id = if code == code::ARRAY {
                    self.check_members(&[element])?;
                    self.module.types.intern(Type::Array { element, len })
                } else {
                    let scalable = self.optional(2) != 0;
                    let len = u32::try_from(len).unwrap_or(0);
                    if len == 0 || !self.module.types.is_vector_element(element) {
                        return Err(
                            self.fault("a vector with no elements, or of no numbers or pointers")
                        );
                    }
                    self.module.types.intern(Type::Vector {
                        element,
                        len,
                        scalable,
                    })
                };
                Ok(Entry {
                    id,
                    parts: Box::new([part]),
                })
            }
            code::TARGET_TYPE => {
                let count = self.op(0)?;
                let end = 1 + usize::try_from(count)
                    .unwrap_or(usize::MAX)
                    .min(self.ops.len());
                let mut parts = Vec::new();
                for index in 1..end {
                    parts.push(self.type_part(index)?.1);
                }
                let numbers: Option<Vec<u32>> = self.ops[end.min(self.ops.len())..]
                    .iter()
                    .map(|&op| u32::try_from(op).ok())
                    .collect();
                let Some(numbers) = numbers else {
                    return Err(self.fault("a parameter of a target type is too large"));
                };
                let name = name.take().unwrap_or_default();
                let name = self.module.names.intern(&name);
                let types = self.module.types.intern_list(&parts);
                let numbers = self.module.types.intern_numbers(&numbers);
                Ok(plain(self.module.types.intern(Type::Target {
                    name,
                    types,
                    numbers,
                })))
            }
            code::BYTE => Err(self.unsupported("byte types are newer than what is read")),
            _ => Err(self.unsupported("an unknown type")),
        }
    }

    fn named_struct(&mut self, number: u32, name: Option<Text>, body: StructBody) -> TypeId {
        let name = name
            .filter(|name| !name.is_empty())
            .map(|name| self.module.names.intern(&name));
        let structs = &mut self.module.types.structs;
        match self.types.forward.get(&number) {
            Some(&ty) => {
                if let Type::Named(id) = self.module.types.get(ty) {
                    self.module.types.structs[id] = NamedStruct { name, body };
                }
                ty
            }
            None => {
                let id = structs.push(NamedStruct { name, body });
                self.module.types.intern(Type::Named(id))
            }
        }
    }
}
