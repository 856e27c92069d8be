//! What functions are called with: parameters and results as PTX declares them.
//!
//! | value | parameter |
//! |---|---|
//! | integers up to 32 bits, `float`, `half` of functions | `.b32` (`.b16` for `half`) |
//! | 64 bits | `.b64` |
//! | integers of kernels | as long as they are in memory |
//! | structs, arrays, vectors, wide integers, `byval` | `.align A .b8 name[size]` |

use crate::unit::{Refused, Unit, refusal};
use warpc_diag::codes;
use warpc_nvvm::attribute::{AttrSet, Attribute};
use warpc_nvvm::module::{Function, Global, GlobalId};
use warpc_nvvm::types::{Type, TypeId};
use warpc_ptx::inst::{At, Int};
use warpc_ptx::module::{Linkage, Space, Variable};
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
}

/// How a value is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// As a scalar.
    Scalar(ScalarType),
    /// As bytes: size and alignment.
    Bytes(u64, u64),
}

/// What a function is called with and gives back.
#[derive(Clone, Debug, Default)]
pub struct Abi {
    /// Whether it is a kernel.
    pub kernel: bool,
    /// The parameters.
    pub params: Vec<Param>,
    /// The result.
    pub result: Option<Param>,
}

impl Abi {
    /// How a function of the module is called.
    pub fn of(unit: &mut Unit, id: GlobalId, kernel: bool) -> Result<Abi, Refused> {
        let global = &unit.module.globals[id];
        let warpc_nvvm::module::GlobalKind::Function(function) = &global.kind else {
            return Ok(Abi::default());
        };
        let symbol = unit.symbol(id);
        let name = unit.ptx.name(symbol).to_owned();
        let Some((ret, params, variadic)) = unit.module.types.signature(global.value_ty) else {
            return Ok(Abi::default());
        };
        if variadic {
            let message = "functions with a variable number of arguments are not supported";
            return Err(refusal(codes::UNSUPPORTED, global.pos, message).into());
        }
        let mut abi = Abi {
            kernel,
            ..Abi::default()
        };
        let params = params.to_vec();
        for (index, &ty) in params.iter().enumerate() {
            let attrs = unit.module.attributes.of_param(function.attrs, index);
            let by_value = type_attribute(unit, attrs, b"byval");
            let name = unit.intern(&format!("{name}_param_{index}"));
            let passing = match by_value {
                Some(ty) => bytes(unit, ty, int_attribute(unit, attrs, b"align")),
                None => passing(unit, ty, kernel, None),
            };
            abi.params.push(Param {
                name,
                ty: by_value.unwrap_or(ty),
                passing,
                by_value: by_value.is_some(),
            });
        }
        if !matches!(unit.module.types.get(ret), Type::Void) {
            let name = unit.intern("func_retval0");
            let passing = passing(unit, ret, false, None);
            abi.result = Some(Param {
                name,
                ty: ret,
                passing,
                by_value: false,
            });
        }
        Ok(abi)
    }
}

/// How a value of a type is passed.
pub fn passing(unit: &Unit, ty: TypeId, kernel: bool, align: Option<u64>) -> Passing {
    let bits = match unit.module.types.get(ty) {
        Type::Int(bits @ 0..=64) => bits,
        Type::Half | Type::BFloat => 16,
        Type::Float => 32,
        Type::Double => 64,
        Type::Ptr(space) => unit.layout.pointer_bits(space),
        _ => return bytes(unit, ty, align),
    };
    let float = !matches!(unit.module.types.get(ty), Type::Int(_));
    Passing::Scalar(match bits {
        0..=8 if kernel => ScalarType::U8,
        9..=16 if kernel && !float => ScalarType::U16,
        _ if bits <= 16 && float => ScalarType::B16,
        _ if bits <= 32 => ScalarType::B32,
        _ => ScalarType::B64,
    })
}

fn bytes(unit: &Unit, ty: TypeId, align: Option<u64>) -> Passing {
    let types = &unit.module.types;
    let natural = unit.layout.align(types, ty);
    Passing::Bytes(
        unit.layout.stride(types, ty),
        align.unwrap_or(natural).max(natural),
    )
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
pub fn is_kernel(_global: &Global, function: &Function) -> bool {
    function.conv == warpc_nvvm::inst::CallConv::PTX_KERNEL
}

/// The declaration of a parameter.
pub fn declaration(param: &Param) -> Variable {
    let (ty, align, dims) = match param.passing {
        Passing::Scalar(ty) => (ty, None, Vec::new()),
        Passing::Bytes(size, align) => (ScalarType::B8, Some(align as u32), vec![Some(size)]),
    };
    Variable {
        linkage: Linkage::Internal,
        space: Space::Param,
        align,
        vector: 1,
        ty,
        name: param.name,
        range: None,
        dims,
        extra: None,
        at: At::default(),
        name_at: At::default(),
    }
}

/// A number as PTX writes it.
pub fn number(value: u64) -> Int {
    Int::signed(value as i64)
}
