//! How values of each type lie in registers.
//!
//! | type | registers |
//! |---|---|
//! | `i1` | one predicate |
//! | `i2` to `i32` | one of 32 bits; what is above the width is arbitrary |
//! | `i33` to `i64` | one of 64 bits; likewise |
//! | wider integers, `fp128` | as many of 64 bits as it takes, the low one first; likewise |
//! | `half`, `bfloat` | one of 16 bits |
//! | `float`, `double`, pointers | one of their size |
//! | vectors | an element after the other; elements of 8 and 16 bits four and two in a register of 32 bits, where that goes up |
//! | structs and arrays | a member after the other |
//!
//! A register of a value is called a part of it.

use crate::code::Class;
use warpc_nvvm::Module;
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::{Type, TypeId};

/// A part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The registers that hold it.
    pub class: Class,
    /// How many bits of the register mean something.
    pub bits: u32,
}

impl Part {
    fn new(class: Class, bits: u32) -> Part {
        Part { class, bits }
    }
}

/// Values with more parts than this are refused: they belong into memory.
pub const MAX_PARTS: usize = 4096;

/// So are those of types that stand deeper in each other.
pub const MAX_NESTING: u32 = 500;

/// Why a type has no registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoShape {
    /// PTX has nothing like it.
    Unsupported(TypeId),
    /// It has more than [`MAX_PARTS`] parts, or nests deeper than [`MAX_NESTING`].
    TooLarge,
}

/// How the types of a module lie in registers, each worked out once.
#[derive(Debug, Default)]
pub struct Shapes {
    parts: Vec<Part>,
    by_type: Vec<Option<Result<(u32, u32), NoShape>>>,
    /// How deep the type that is worked out stands in others.
    depth: u32,
}

impl Shapes {
    /// The parts of values of a type.
    pub fn parts(
        &mut self,
        module: &Module,
        layout: &Layout,
        ty: TypeId,
    ) -> Result<&[Part], NoShape> {
        let (start, end) = self.range(module, layout, ty)?;
        Ok(&self.parts[start..end])
    }

    fn range(
        &mut self,
        module: &Module,
        layout: &Layout,
        ty: TypeId,
    ) -> Result<(usize, usize), NoShape> {
        use warpc_nvvm::index::Id;
        let index = ty.index();
        if index >= self.by_type.len() {
            self.by_type.resize(index + 1, None);
        }
        if self.by_type[index].is_none() {
            if self.depth >= MAX_NESTING {
                return Err(NoShape::TooLarge);
            }
            self.depth += 1;
            let mut parts = Vec::new();
            let result = self.flatten(module, layout, ty, &mut parts).map(|()| {
                let start = self.parts.len() as u32;
                self.parts.extend_from_slice(&parts);
                (start, self.parts.len() as u32)
            });
            self.depth -= 1;
            self.by_type[index] = Some(result);
        }
        match self.by_type[index] {
            Some(Ok((start, end))) => Ok((start as usize, end as usize)),
            Some(Err(error)) => Err(error),
            None => Err(NoShape::Unsupported(ty)),
        }
    }

    /// Adds the parts of a type. Those of its members are looked up: a type may stand in another very often.
    fn flatten(
        &mut self,
        module: &Module,
        layout: &Layout,
        ty: TypeId,
        parts: &mut Vec<Part>,
    ) -> Result<(), NoShape> {
        let types = &module.types;
        match types.get(ty) {
            Type::Void => {}
            Type::Int(bits @ 0..=64) => parts.push(Part::new(Class::for_bits(bits), bits)),
            Type::Int(bits) => {
                if bits.div_ceil(64) as usize > MAX_PARTS {
                    return Err(NoShape::TooLarge);
                }
                for limb in 0..bits.div_ceil(64) {
                    parts.push(Part::new(Class::B64, (bits - 64 * limb).min(64)));
                }
            }
            Type::Half | Type::BFloat => parts.push(Part::new(Class::B16, 16)),
            Type::Float => parts.push(Part::new(Class::B32, 32)),
            Type::Double => parts.push(Part::new(Class::B64, 64)),
            Type::Fp128 | Type::PpcFp128 => parts.extend([Part::new(Class::B64, 64); 2]),
            Type::Ptr(space) => {
                let bits = layout.pointer_bits(space);
                parts.push(Part::new(Class::for_bits(bits), bits));
            }
            Type::Vector { scalable: true, .. } => return Err(NoShape::Unsupported(ty)),
            Type::Vector { element, len, .. } => {
                let lanes = lanes(module, element, len);
                if lanes > 1 {
                    repeat(parts, u64::from(len / lanes), |parts| {
                        parts.push(Part::new(Class::B32, 32));
                        Ok(())
                    })?;
                } else {
                    repeat(parts, u64::from(len), |parts| {
                        self.append(module, layout, element, parts)
                    })?;
                }
            }
            Type::Array { element, len } => repeat(parts, len, |parts| {
                self.append(module, layout, element, parts)
            })?,
            Type::Struct { .. } | Type::Named(_) => {
                let Some(fields) = types.fields(ty) else {
                    return Err(NoShape::Unsupported(ty));
                };
                for &field in fields {
                    self.append(module, layout, field, parts)?;
                    if parts.len() > MAX_PARTS {
                        return Err(NoShape::TooLarge);
                    }
                }
            }
            _ => return Err(NoShape::Unsupported(ty)),
        }
        if parts.len() > MAX_PARTS {
            return Err(NoShape::TooLarge);
        }
        Ok(())
    }

    fn append(
        &mut self,
        module: &Module,
        layout: &Layout,
        ty: TypeId,
        parts: &mut Vec<Part>,
    ) -> Result<(), NoShape> {
        let (start, end) = self.range(module, layout, ty)?;
        parts.extend_from_slice(&self.parts[start..end]);
        Ok(())
    }
}

fn repeat(
    parts: &mut Vec<Part>,
    count: u64,
    mut element: impl FnMut(&mut Vec<Part>) -> Result<(), NoShape>,
) -> Result<(), NoShape> {
    for _ in 0..count {
        let before = parts.len();
        element(parts)?;
        if parts.len() == before {
            break;
        }
        if parts.len() > MAX_PARTS {
            return Err(NoShape::TooLarge);
        }
    }
    Ok(())
}

/// How many elements of a vector share a register: 2 or 4 for elements of 16 and 8 bits where the
/// length allows it, else 1.
pub fn lanes(module: &Module, element: TypeId, len: u32) -> u32 {
    let lanes = match module.types.get(element) {
        Type::Half | Type::BFloat | Type::Int(16) => 2,
        Type::Int(8) => 4,
        _ => 1,
    };
    if len.is_multiple_of(lanes) { lanes } else { 1 }
}
