//! Types, interned: equal types have equal numbers.
//!
//! Pointers are opaque, as in LLVM from version 15 on. Typed pointers of older text exist only while
//! it is read: the reader keeps the pointee where the instruction needs it.

use crate::index::{Id, IdVec, define_ids};
use crate::intern::{Lists, Set};
use crate::name::Name;

define_ids! {
    /// A type of a module.
    TypeId
    /// A list of types.
    TypeList
    /// A struct type with a name, or a numbered one (`%0 = type {…}`).
    StructId
    /// A list of numbers: parameters of `target("…")` types, indices of aggregates.
    IndexList
}

/// What a type is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Type {
    /// `void`
    Void,
    /// `half`
    Half,
    /// `bfloat`
    BFloat,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `x86_fp80`
    X86Fp80,
    /// `fp128`
    Fp128,
    /// `ppc_fp128`
    PpcFp128,
    /// `label`
    Label,
    /// `token`
    Token,
    /// `metadata`
    Metadata,
    /// `x86_amx`
    X86Amx,
    /// `iN`
    Int(u32),
    /// `ptr addrspace(N)`
    Ptr(u32),
    /// `<N x T>`, or `<vscale x N x T>`
    Vector {
        /// The type of an element.
        element: TypeId,
        /// How many; a multiple of it if scalable.
        len: u32,
        /// Whether the length is a multiple only known at run time.
        scalable: bool,
    },
    /// `[N x T]`
    Array {
        /// The type of an element.
        element: TypeId,
        /// How many.
        len: u64,
    },
    /// `{…}` or `<{…}>`, equal by its fields.
    Struct {
        /// The types of the fields.
        fields: TypeList,
        /// Without padding.
        packed: bool,
    },
    /// `%name`, equal by its name.
    Named(StructId),
    /// `T (…)`
    Function {
        /// The type of the result.
        ret: TypeId,
        /// The types of the parameters.
        params: TypeList,
        /// With `...` at the end.
        variadic: bool,
    },
    /// `target("name", types…, numbers…)`
    Target {
        /// The name.
        name: Name,
        /// Type parameters.
        types: TypeList,
        /// Number parameters.
        numbers: IndexList,
    },
}

/// A struct type with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedStruct {
    /// The name; numbered ones have none.
    pub name: Option<Name>,
    /// What it holds.
    pub body: StructBody,
}

/// What a named struct holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StructBody {
    /// `type opaque`
    Opaque,
    /// `type {…}` or `type <{…}>`
    Fields {
        /// The types of the fields.
        fields: TypeList,
        /// Without padding.
        packed: bool,
    },
}

/// The types of a module.
#[derive(Clone, Debug)]
pub struct Types {
    set: Set<TypeId, Type>,
    /// How deep each type nests; a struct with a name counts as nothing.
    depths: Vec<u32>,
    lists: Lists<TypeList, TypeId>,
    numbers: Lists<IndexList, u32>,
    /// Named structs, in the order of their definitions or first uses.
    pub structs: IdVec<StructId, NamedStruct>,
    /// By named struct: where it stands in the text it was read from.
    places: Vec<u32>,
    /// `void`
    pub void: TypeId,
    /// `i1`
    pub i1: TypeId,
    /// `i8`
    pub i8: TypeId,
    /// `i32`
    pub i32: TypeId,
    /// `i64`
    pub i64: TypeId,
    /// `ptr` in address space 0
    pub ptr: TypeId,
    /// `label`
    pub label: TypeId,
    /// `metadata`
    pub metadata: TypeId,
    /// `token`
    pub token: TypeId,
}

impl Default for Types {
    fn default() -> Types {
        let mut set = Set::default();
        Types {
            void: set.intern(Type::Void),
            i1: set.intern(Type::Int(1)),
            i8: set.intern(Type::Int(8)),
            i32: set.intern(Type::Int(32)),
            i64: set.intern(Type::Int(64)),
            ptr: set.intern(Type::Ptr(0)),
            label: set.intern(Type::Label),
            metadata: set.intern(Type::Metadata),
            token: set.intern(Type::Token),
            depths: vec![0; set.len()],
            set,
            lists: Lists::default(),
            numbers: Lists::default(),
            structs: IdVec::new(),
            places: Vec::new(),
        }
    }
}

impl Types {
    /// The largest width of an integer, as in LLVM.
    pub const MAX_INT_BITS: u32 = 1 << 23;

    /// What a type is.
    pub fn get(&self, ty: TypeId) -> Type {
        *self.set.get(ty)
    }

    /// The number of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        let id = self.set.intern(ty);
        if self.depths.len() < self.set.len() {
            let deepest = |list| self.list(list).iter().map(|&ty| self.depth(ty)).max();
            let inside = match ty {
                Type::Array { element, .. } | Type::Vector { element, .. } => {
                    Some(self.depth(element))
                }
                Type::Struct { fields, .. } => deepest(fields),
                Type::Function { ret, params, .. } => deepest(params).max(Some(self.depth(ret))),
                Type::Target { types, .. } => deepest(types),
                _ => None,
            };
            self.depths.push(inside.map_or(0, |depth| depth + 1));
        }
        id
    }

    /// How deep a type nests; a struct with a name counts as nothing.
    pub fn depth(&self, ty: TypeId) -> u32 {
        self.depths[ty.index()]
    }

    /// The types in a list.
    pub fn list(&self, list: TypeList) -> &[TypeId] {
        self.lists.get(list)
    }

    /// The number of a list of types.
    pub fn intern_list(&mut self, types: &[TypeId]) -> TypeList {
        self.lists.intern(types)
    }

    /// The numbers in a list.
    pub fn numbers(&self, list: IndexList) -> &[u32] {
        self.numbers.get(list)
    }

    /// The number of a list of numbers.
    pub fn intern_numbers(&mut self, numbers: &[u32]) -> IndexList {
        self.numbers.intern(numbers)
    }

    /// `iN`
    pub fn int(&mut self, bits: u32) -> TypeId {
        self.intern(Type::Int(bits))
    }

    /// `ptr addrspace(N)`
    pub fn pointer(&mut self, space: u32) -> TypeId {
        self.intern(Type::Ptr(space))
    }

    /// `T (…)`
    pub fn function(&mut self, ret: TypeId, params: &[TypeId], variadic: bool) -> TypeId {
        let params = self.intern_list(params);
        self.intern(Type::Function {
            ret,
            params,
            variadic,
        })
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Whether there is no type; there always is one.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// All types in the order they came.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (TypeId, &Type)> {
        self.set.iter()
    }

    /// The fields of a struct type, named or not; `None` for other types and opaque structs.
    pub fn fields(&self, ty: TypeId) -> Option<&[TypeId]> {
        match self.get(ty) {
            Type::Struct { fields, .. } => Some(self.list(fields)),
            Type::Named(id) => match self.structs[id].body {
                StructBody::Fields { fields, .. } => Some(self.list(fields)),
                StructBody::Opaque => None,
            },
            _ => None,
        }
    }

    /// Whether it is a struct without padding, named or not.
    pub fn is_packed(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Struct { packed, .. } => packed,
            Type::Named(id) => {
                let body = self.structs[id].body;
                matches!(body, StructBody::Fields { packed: true, .. })
            }
            _ => false,
        }
    }

    /// Return type, parameters and variadicity of a function type.
    pub fn signature(&self, ty: TypeId) -> Option<(TypeId, &[TypeId], bool)> {
        match self.get(ty) {
            Type::Function {
                ret,
                params,
                variadic,
            } => Some((ret, self.list(params), variadic)),
            _ => None,
        }
    }

    /// The type of the elements of a vector, else the type itself.
    pub fn scalar(&self, ty: TypeId) -> TypeId {
        match self.get(ty) {
            Type::Vector { element, .. } => element,
            _ => ty,
        }
    }

    /// The type with `scalar` in each place where `shape` has an element: for comparisons and casts.
    pub fn with_shape_of(&mut self, shape: TypeId, scalar: TypeId) -> TypeId {
        match self.get(shape) {
            Type::Vector { len, scalable, .. } => self.intern(Type::Vector {
                element: scalar,
                len,
                scalable,
            }),
            _ => scalar,
        }
    }

    /// The type of the member of an aggregate at an index, as `extractvalue` and GEP step into it.
    pub fn member(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match self.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => Some(element),
            _ => self.fields(ty)?.get(usize::try_from(index).ok()?).copied(),
        }
    }

    /// Where a named struct stands in the text that it was read from; zero for others.
    pub fn place(&self, id: StructId) -> u32 {
        self.places.get(id.index()).copied().unwrap_or(0)
    }

    /// Says where a named struct stands in the text.
    pub(crate) fn set_place(&mut self, id: StructId, place: u32) {
        if self.places.len() <= id.index() {
            self.places.resize(self.structs.len(), 0);
        }
        self.places[id.index()] = place;
    }

    /// Whether it can be part of an array or a struct.
    pub fn is_member(&self, ty: TypeId) -> bool {
        !matches!(
            self.get(ty),
            Type::Void | Type::Label | Type::Metadata | Type::Function { .. } | Type::Token
        )
    }

    /// Whether there are vectors of it.
    pub fn is_vector_element(&self, ty: TypeId) -> bool {
        let ty = self.get(ty);
        matches!(ty, Type::Int(_) | Type::Ptr(_) | Type::Target { .. }) || ty.float_bits().is_some()
    }

    /// Whether it is an integer.
    pub fn is_int(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Int(_))
    }

    /// Whether it is a pointer.
    pub fn is_ptr(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Ptr(_))
    }

    /// Whether it is a vector.
    pub fn is_vector(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Vector { .. })
    }

    /// Whether it is a floating-point number.
    pub fn is_float(&self, ty: TypeId) -> bool {
        self.get(ty).float_bits().is_some()
    }

    /// Whether values of the type can exist as the result of an instruction.
    pub fn is_first_class(&self, ty: TypeId) -> bool {
        !matches!(self.get(ty), Type::Void | Type::Function { .. })
    }
}

impl Type {
    /// The size of a floating-point type in bits; `None` for other types.
    pub fn float_bits(self) -> Option<u32> {
        match self {
            Type::Half | Type::BFloat => Some(16),
            Type::Float => Some(32),
            Type::Double => Some(64),
            Type::X86Fp80 => Some(80),
            Type::Fp128 | Type::PpcFp128 => Some(128),
            _ => None,
        }
    }
}
