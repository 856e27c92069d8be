//! What functions are called with: parameters and results as PTX declares them.
//!
//! | value | of a kernel | of a function |
//! |---|---|---|
//! | integers up to 8 and 16 bits | `.u8`, `.u16` | `.b32` |
//! | up to 32 bits, `float` | `.b32` | `.b32` |
//! | up to 64 bits, `double`, pointers | `.b64` | `.b64` |
//! | `half`, `bfloat` | two bytes | two bytes |
//! | wider integers, vectors, arrays, structs, `byval` | `.align A .b8 name[size]` | likewise |
//! | what has no bytes | nothing | nothing |
//!
//! This is what LLVM's NVPTX back end and nvcc do, so that functions of all three can call each other.
//! The alignment is that of the type, of which 128 counts at most, or a larger one that `align` (of `byval`) or
//! `alignstack` asks for. A function with a variable number of arguments takes one pointer more, to where they lie in
//! memory one after the other.

use crate::unit::{Refused, Unit};
use warpc_nvvm::attribute::{AttrList, AttrSet, Attribute};
use warpc_nvvm::module::{Function, GlobalId, GlobalKind};
use warpc_nvvm::types::{Type, TypeId};
use warpc_ptx::inst::At;
use warpc_ptx::module::{Linkage, Pointee, Pointer, Space, Variable, VariableExtra};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;

/// A parameter or result.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Symbol,
    /// The type of the value it holds: for `byval` what the pointer points to.
    pub ty: TypeId,
    /// How it is declared.
    pub passing: Passing,
    /// Whether it is the memory that a `byval` pointer points to.
    pub by_value: bool,
    /// The alignment that the pointer to it promises (`align`): for `byval` it may be less than that of the
    /// parameter, which is at least that of its type.
    pub promised: Option<u64>,
    /// Whether a short integer has zeros or its sign in front.
    pub extension: Option<Extension>,
    /// What a parameter of a kernel is known to point to.
    pub pointer: Option<Pointer>,
}

/// The largest alignment in bytes that a type gives a parameter.
const MOST_ALIGNED: u64 = 128;

/// How a value is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// Not at all: it has no bytes.
    Nothing,
    /// As a scalar.
    Scalar(ScalarType),
    /// As bytes: size and alignment.
    Bytes(u64, u64),
}

/// What stands in front of a short integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extension {
    /// Zeros.
    Zero,
    /// Its sign.
    Sign,
}

/// What a function is called with and gives back.
#[derive(Clone, Debug, Default)]
pub struct Abi {
    /// Whether it is a kernel.
    pub kernel: bool,
    /// The parameters, as many as the function's type has.
    pub params: Vec<Param>,
    /// The pointer to the arguments that the type does not list.
    pub variadic: Option<Param>,
    /// The result.
    pub result: Option<Param>,
    /// Whether it never returns.
    pub noreturn: bool,
}

impl Abi {
    /// How a function of the module is called.
    pub fn of(unit: &mut Unit, id: GlobalId) -> Result<Abi, Refused> {
        let global = &unit.module.globals[id];
        let GlobalKind::Function(function) = &global.kind else {
            return Ok(Abi::default());
        };
        let kernel = is_kernel(function);
        let name = unit.ptx.name(unit.own_symbol(id)).to_owned();
        let name = |unit: &mut Unit, param: Place| match param {
            Place::Param(index) => unit.local_name(&format!("{name}_param_{index}")),
            Place::Result => unit.local_name("func_retval0"),
        };
        Abi::new(unit, global.value_ty, function.attrs, kernel, name)
    }

    /// How a call through a pointer is made. Nothing has a name.
    pub fn of_call(unit: &mut Unit, ty: TypeId, attrs: AttrList) -> Result<Abi, Refused> {
        Abi::new(unit, ty, attrs, false, |unit, _| unit.intern("_"))
    }

    fn new(
        unit: &mut Unit,
        ty: TypeId,
        attrs: AttrList,
        kernel: bool,
        name: impl Fn(&mut Unit, Place) -> Symbol,
    ) -> Result<Abi, Refused> {
        let module = unit.module;
        let Some((ret, params, variadic)) = module.types.signature(ty) else {
            return Ok(Abi::default());
        };
        let attributes = &module.attributes;
        let mut abi = Abi {
            kernel,
            noreturn: has_flag(unit, attributes.of_function(attrs), b"noreturn"),
            ..Abi::default()
        };
        for (index, &ty) in params.iter().enumerate() {
            let name = name(unit, Place::Param(index));
            let attrs = attributes.of_param(attrs, index);
            abi.params.push(Param::new(unit, name, ty, attrs, kernel));
        }
        if variadic {
            let name = name(unit, Place::Param(params.len()));
            let ty = module.types.ptr;
            let param = Param::new(unit, name, ty, attributes.empty_set, kernel);
            abi.variadic = Some(param);
        }
        if !matches!(module.types.get(ret), Type::Void) {
            let name = name(unit, Place::Result);
            let param = Param::new(unit, name, ret, attributes.of_return(attrs), false);
            abi.result = (param.passing != Passing::Nothing).then_some(param);
        }
        Ok(abi)
    }

    /// The parameters that PTX sees.
    pub fn passed(&self) -> impl Iterator<Item = &Param> {
        let params = self.params.iter().chain(&self.variadic);
        params.filter(|param| param.passing != Passing::Nothing)
    }
}

/// Which parameter a name is for.
#[derive(Clone, Copy)]
enum Place {
    Param(usize),
    Result,
}

impl Param {
    fn new(unit: &Unit, name: Symbol, ty: TypeId, attrs: AttrSet, kernel: bool) -> Param {
        let by_value = type_attribute(unit, attrs, b"byval");
        let stack = int_attribute(unit, attrs, b"alignstack");
        let align = int_attribute(unit, attrs, b"align");
        let passing = match by_value {
            Some(ty) => bytes(unit, ty, stack.or(align)),
            None => passing(unit, ty, kernel, stack),
        };
        let extension = match () {
            () if has_flag(unit, attrs, b"signext") => Some(Extension::Sign),
            () if has_flag(unit, attrs, b"zeroext") => Some(Extension::Zero),
            () => None,
        };
        Param {
            name,
            ty: by_value.unwrap_or(ty),
            passing,
            by_value: by_value.is_some(),
            promised: align,
            extension,
            pointer: match unit.module.types.get(ty) {
                Type::Ptr(space) if kernel && by_value.is_none() => pointer(space, align),
                _ => None,
            },
        }
    }

    /// The declaration of the parameter.
    pub fn declaration(&self) -> Variable {
        let (ty, align, dims) = match self.passing {
            Passing::Nothing => (ScalarType::B8, None, vec![Some(0)]),
            Passing::Scalar(ty) => (ty, None, Vec::new()),
            Passing::Bytes(size, align) => (ScalarType::B8, Some(align as u32), vec![Some(size)]),
        };
        let extra = self.pointer.map(|pointer| {
            Box::new(VariableExtra {
                pointer: Some(pointer),
                ..VariableExtra::default()
            })
        });
        Variable {
            linkage: Linkage::Internal,
            space: Space::Param,
            align,
            vector: 1,
            ty,
            name: self.name,
            range: None,
            dims,
            extra,
            at: At::default(),
            name_at: At::default(),
        }
    }
}

/// What is worth saying about the pointer that a kernel gets.
fn pointer(space: u32, align: Option<u64>) -> Option<Pointer> {
    let pointee = match space {
        1 => Some(Pointee::Space(Space::Global)),
        3 => Some(Pointee::Space(Space::Shared)),
        4 => Some(Pointee::Space(Space::Const)),
        5 => Some(Pointee::Space(Space::Local)),
        _ => None,
    };
    if pointee.is_none() && align.is_none() {
        return None;
    }
    let align = Some(align.unwrap_or(1) as u32);
    Some(Pointer { pointee, align })
}

/// How a value of a type is passed.
fn passing(unit: &Unit, ty: TypeId, kernel: bool, align: Option<u64>) -> Passing {
    let bits = match unit.module.types.get(ty) {
        Type::Int(bits @ 0..=64) => bits,
        Type::Float => 32,
        Type::Double => 64,
        Type::Ptr(space) => unit.layout.pointer_bits(space),
        _ => return bytes(unit, ty, align),
    };
    Passing::Scalar(match bits {
        0..=8 if kernel => ScalarType::U8,
        9..=16 if kernel => ScalarType::U16,
        0..=32 => ScalarType::B32,
        _ => ScalarType::B64,
    })
}

fn bytes(unit: &Unit, ty: TypeId, align: Option<u64>) -> Passing {
    let types = &unit.module.types;
    // As LLVM has it; ptxas takes no more.
    let natural = unit.layout.align(types, ty).min(MOST_ALIGNED);
    match unit.layout.stride(types, ty) {
        0 => Passing::Nothing,
        size => Passing::Bytes(size, align.unwrap_or(natural).max(natural)),
    }
}

/// Whether an attribute is there.
pub fn has_flag(unit: &Unit, attrs: AttrSet, name: &[u8]) -> bool {
    let name = unit.module.names.find(name);
    name.is_some_and(|name| unit.module.attributes.find(attrs, name).is_some())
}

/// The type in an attribute such as `byval(T)`.
pub fn type_attribute(unit: &Unit, attrs: AttrSet, name: &[u8]) -> Option<TypeId> {
    let name = unit.module.names.find(name)?;
    match unit.module.attributes.find(attrs, name)? {
        Attribute::Type(_, ty) => Some(ty),
        _ => None,
    }
}

/// The number in an attribute such as `align 8`.
pub fn int_attribute(unit: &Unit, attrs: AttrSet, name: &[u8]) -> Option<u64> {
    let name = unit.module.names.find(name)?;
    match unit.module.attributes.find(attrs, name)? {
        Attribute::Int(_, value) => Some(value),
        _ => None,
    }
}

/// Whether a function is a kernel. (The reader has turned annotations into the calling convention.)
pub fn is_kernel(function: &Function) -> bool {
    function.conv == warpc_nvvm::inst::CallConv::PTX_KERNEL
}
