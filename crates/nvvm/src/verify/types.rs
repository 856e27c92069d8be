//! Questions about types that the rules ask.

use super::Verifier;
use crate::index::Id;
use crate::module::Module;
use crate::types::{StructBody, Type, TypeId};
use rustc_hash::FxHashMap;
use warpc_diag::codes;

/// What a type is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Nothing,
    Asked,
    Sized { scalable: bool },
    Unsized,
}

/// Answers kept by type.
#[derive(Clone, Debug)]
pub(super) struct TypeFacts {
    known: Vec<Known>,
    bytes: FxHashMap<TypeId, u128>,
}

impl TypeFacts {
    pub(super) fn new(module: &Module) -> TypeFacts {
        TypeFacts {
            known: vec![Known::Nothing; module.types.len()],
            bytes: FxHashMap::default(),
        }
    }
}

/// How many values a type holds side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lanes {
    /// One: no vector.
    Scalar,
    /// A vector with so many, times a factor of the machine if scalable.
    Vector { len: u32, scalable: bool },
}

impl Verifier<'_> {
    /// Checks what types are made of.
    pub(super) fn made_types(&mut self) {
        let module = self.module;
        let types = &module.types;
        let is_member = |ty: TypeId| types.is_member(ty);
        for (id, &ty) in types.iter() {
            self.at = match ty {
                Type::Named(id) => types.place(id),
                _ => 0,
            };
            let fits = match ty {
                Type::Array { element, .. } => {
                    is_member(element) && !matches!(types.get(element), Type::X86Amx)
                }
                Type::Vector { element, .. } => types.is_vector_element(element),
                _ => types
                    .fields(id)
                    .is_none_or(|fields| fields.iter().all(|&f| is_member(f))),
            };
            rule!(
                self.check[codes::IR_OPERAND],
                fits,
                "the type {} has parts that have no size",
                self.show(id)
            );
        }
    }

    /// A struct with a name cannot hold itself.
    pub(super) fn recursive_types(&mut self) {
        let types = &self.module.types;
        // Not seen, being looked into, done.
        let mut state = vec![0u8; types.len()];
        let mut recursive = Vec::new();
        let all: Vec<TypeId> = types.iter().map(|(id, _)| id).collect();
        for root in all {
            let mut work = vec![root];
            while let Some(&top) = work.last() {
                if state[top.index()] != 0 {
                    state[top.index()] = 2;
                    work.pop();
                    continue;
                }
                state[top.index()] = 1;
                let single;
                let members = match types.get(top) {
                    Type::Array { element, .. } => {
                        single = [element];
                        &single[..]
                    }
                    _ => types.fields(top).unwrap_or_default(),
                };
                for &member in members {
                    match state[member.index()] {
                        0 => work.push(member),
                        1 => recursive.push(member),
                        _ => {}
                    }
                }
            }
        }
        for ty in recursive {
            if let Type::Named(id) = self.module.types.get(ty) {
                self.at = self.module.types.place(id);
            }
            rule!(
                self.check[codes::IR_OPERAND],
                false,
                "the type {} holds itself",
                self.show(ty)
            );
        }
    }

    /// What a type is.
    pub(super) fn ty(&self, ty: TypeId) -> Type {
        self.module.types.get(ty)
    }

    /// What the elements of a vector are, or the type itself.
    pub(super) fn scalar(&self, ty: TypeId) -> Type {
        self.ty(self.module.types.scalar(ty))
    }

    /// How many values a type holds side by side.
    pub(super) fn lanes(&self, ty: TypeId) -> Lanes {
        match self.ty(ty) {
            Type::Vector { len, scalable, .. } => Lanes::Vector { len, scalable },
            _ => Lanes::Scalar,
        }
    }

    /// Whether it is an integer or a vector of integers.
    pub(super) fn is_int_like(&self, ty: TypeId) -> bool {
        matches!(self.scalar(ty), Type::Int(_))
    }

    /// Whether it is a floating-point number or a vector of such.
    pub(super) fn is_float_like(&self, ty: TypeId) -> bool {
        self.scalar(ty).float_bits().is_some()
    }

    /// Whether it is a pointer or a vector of pointers.
    pub(super) fn is_ptr_like(&self, ty: TypeId) -> bool {
        matches!(self.scalar(ty), Type::Ptr(_))
    }

    /// The size of a number, or of an element of a vector of numbers; zero for other types.
    pub(super) fn scalar_bits(&self, ty: TypeId) -> u32 {
        match self.scalar(ty) {
            Type::Int(bits) => bits,
            other => other.float_bits().unwrap_or(0),
        }
    }

    /// The size in bits of a number or a vector of numbers; `None` for other types. Scalable vectors have
    /// their smallest size.
    pub(super) fn primitive_bits(&self, ty: TypeId) -> Option<u64> {
        let lanes = match self.lanes(ty) {
            Lanes::Scalar => 1,
            Lanes::Vector { len, .. } => u64::from(len),
        };
        match self.scalar(ty) {
            Type::Int(bits) => Some(lanes * u64::from(bits)),
            Type::X86Amx => Some(8192),
            other => Some(lanes * u64::from(other.float_bits()?)),
        }
    }

    /// Whether values of the type have a size, and so can lie in memory.
    pub(super) fn is_sized(&mut self, ty: TypeId) -> bool {
        self.size_fact(ty) != Known::Unsized
    }

    /// Whether a scalable vector is inside.
    pub(super) fn is_scalable(&mut self, ty: TypeId) -> bool {
        self.size_fact(ty) == Known::Sized { scalable: true }
    }

    fn size_fact(&mut self, ty: TypeId) -> Known {
        let known = self.types.known[ty.index()];
        if known != Known::Nothing {
            return known;
        }
        let mut stack = vec![ty];
        while let Some(&top) = stack.last() {
            let known = self.types.known[top.index()];
            if !matches!(known, Known::Nothing | Known::Asked) {
                stack.pop();
                continue;
            }
            let mut members: &[TypeId] = &[];
            let single;
            let mut fact = Known::Sized { scalable: false };
            match self.module.types.get(top) {
                Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Function { .. } => {
                    fact = Known::Unsized
                }
                Type::Vector {
                    element, scalable, ..
                } => {
                    single = [element];
                    members = &single;
                    fact = Known::Sized { scalable };
                }
                Type::Array { element, .. } => {
                    single = [element];
                    members = &single;
                }
                Type::Struct { fields, .. } => members = self.module.types.list(fields),
                Type::Named(id) => match self.module.types.structs[id].body {
                    StructBody::Opaque => fact = Known::Unsized,
                    StructBody::Fields { fields, .. } => members = self.module.types.list(fields),
                },
                Type::Target { name, .. } if !has_target_layout(self.module.names.bytes(name)) => {
                    fact = Known::Unsized;
                }
                _ => {}
            }
            let waiting = stack.len();
            for &member in members {
                match self.types.known[member.index()] {
                    Known::Nothing if known == Known::Nothing => stack.push(member),
                    Known::Sized { scalable: true } if fact != Known::Unsized => {
                        fact = Known::Sized { scalable: true };
                    }
                    Known::Unsized => fact = Known::Unsized,
                    // A type that holds itself has no size.
                    Known::Asked => fact = Known::Unsized,
                    _ => {}
                }
            }
            if stack.len() == waiting {
                self.types.known[top.index()] = fact;
                stack.pop();
            } else {
                self.types.known[top.index()] = Known::Asked;
            }
        }
        self.types.known[ty.index()]
    }

    /// At least how many bytes a value takes, without padding. Types nested deeper than any real one
    /// count as small.
    pub(super) fn bytes(&mut self, ty: TypeId, depth: u32) -> u128 {
        if let Some(bytes) = self.types.bytes.get(&ty) {
            return *bytes;
        }
        if depth > 64 {
            return 0;
        }
        let types = &self.module.types;
        let bytes = match types.get(ty) {
            Type::Array { element, len } => self
                .bytes(element, depth + 1)
                .saturating_mul(u128::from(len)),
            Type::Ptr(space) => u128::from(self.layout.pointer_bits(space).div_ceil(8)),
            _ => match types.fields(ty) {
                Some(fields) => fields
                    .iter()
                    .map(|&field| self.bytes(field, depth + 1))
                    .fold(0, u128::saturating_add),
                None => u128::from(self.primitive_bits(ty).unwrap_or(0).div_ceil(8)),
            },
        };
        self.types.bytes.insert(ty, bytes);
        bytes
    }

    /// The type as text, for messages.
    pub(super) fn show(&self, ty: TypeId) -> String {
        crate::type_text(self.module, ty)
    }
}

/// Whether a target type with this name lies in memory as some other type does.
fn has_target_layout(name: &[u8]) -> bool {
    name.starts_with(b"spirv.")
        || name.starts_with(b"dx.")
        || matches!(
            name,
            b"aarch64.svcount" | b"riscv.vector.tuple" | b"amdgcn.named.barrier"
        )
}
