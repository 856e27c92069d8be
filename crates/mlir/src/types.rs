//! Types, as MLIR has them and as LLVM IR spells them.

use std::fmt::{self, Write};
use std::rc::Rc;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    /// `i32`; also `si32` and `ui32` of attributes, whose sign LLVM IR does not have.
    Int(u32),
    /// A float that LLVM IR has too.
    Float(Float),
    /// `index`: a number as wide as an address, only in attributes.
    Index,
    /// `!llvm.ptr<SPACE>`
    Pointer(u32),
    /// `vector<4xf32>`
    Vector {
        len: u64,
        scalable: bool,
        of: Rc<Type>,
    },
    /// `!llvm.array<4 x f32>`
    Array(u64, Rc<Type>),
    /// `!llvm.struct<(i32, f32)>`
    Struct {
        packed: bool,
        fields: Rc<[Type]>,
    },
    /// `!llvm.struct<"name", (i32)>`; what it holds stands in a table.
    Named(Rc<str>),
    /// `!llvm.func<i32 (f32, ...)>`
    Function(Rc<Signature>),
    /// `(i32, f32) -> i1`
    Arrow(Rc<Arrow>),
    /// `tensor<2x3xf32>`: the shape of a constant.
    Tensor(Rc<[u64]>, Rc<Type>),
    Void,
    Token,
    Label,
    Metadata,
    /// `!llvm.target<"name", i32, 1>`, as LLVM IR writes it.
    Target(Rc<str>),
    /// A type of another dialect or one that LLVM IR does not have: only its name is known.
    Other(Rc<str>),
}

/// The floats that LLVM IR has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Float {
    F16,
    Bf16,
    F32,
    F64,
    F80,
    F128,
    Ppc128,
}

impl Float {
    /// The type with a name in MLIR.
    pub fn named(name: &str) -> Option<Float> {
        Some(match name {
            "f16" => Float::F16,
            "bf16" => Float::Bf16,
            "f32" => Float::F32,
            "f64" => Float::F64,
            "f80" => Float::F80,
            "f128" => Float::F128,
            "ppc_fp128" => Float::Ppc128,
            _ => return None,
        })
    }

    pub fn bits(self) -> u32 {
        match self {
            Float::F16 | Float::Bf16 => 16,
            Float::F32 => 32,
            Float::F64 => 64,
            Float::F80 => 80,
            Float::F128 | Float::Ppc128 => 128,
        }
    }

    fn in_llvm(self) -> &'static str {
        match self {
            Float::F16 => "half",
            Float::Bf16 => "bfloat",
            Float::F32 => "float",
            Float::F64 => "double",
            Float::F80 => "x86_fp80",
            Float::F128 => "fp128",
            Float::Ppc128 => "ppc_fp128",
        }
    }

    /// As the names of intrinsics have it.
    fn mangled(self) -> &'static str {
        match self {
            Float::F16 => "f16",
            Float::Bf16 => "bf16",
            Float::F32 => "f32",
            Float::F64 => "f64",
            Float::F80 => "f80",
            Float::F128 => "f128",
            Float::Ppc128 => "ppcf128",
        }
    }
}

/// What an LLVM function takes and gives.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub result: Type,
    pub params: Vec<Type>,
    pub variadic: bool,
}

/// What an operation takes and gives.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Arrow {
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
}

impl Type {
    /// The type of an element of a vector or array, and how many there are.
    pub fn element(&self) -> Option<(u64, &Type)> {
        match self {
            Type::Vector { len, of, .. } => Some((*len, of)),
            Type::Array(len, of) => Some((*len, of)),
            _ => None,
        }
    }

    /// The number of elements of a vector or tensor, if it is one that a list can hold.
    pub fn count(&self) -> Option<usize> {
        const MOST: u64 = 1 << 22;
        let count = match self {
            Type::Vector { len, .. } => *len,
            Type::Tensor(shape, _) => shape
                .iter()
                .try_fold(1u64, |all, len| all.checked_mul(*len))?,
            _ => return None,
        };
        usize::try_from(count).ok().filter(|_| count <= MOST)
    }

    /// The type of the elements of vectors, arrays and tensors of any depth.
    pub fn leaf(&self) -> &Type {
        match self {
            Type::Vector { of, .. } | Type::Array(_, of) | Type::Tensor(_, of) => of.leaf(),
            other => other,
        }
    }

    /// `i1`, in as many lanes as this type has.
    pub fn truth(&self) -> Type {
        match self {
            Type::Vector { len, scalable, .. } => Type::Vector {
                len: *len,
                scalable: *scalable,
                of: Rc::new(Type::Int(1)),
            },
            _ => Type::Int(1),
        }
    }

    /// As the names of overloaded intrinsics have it.
    pub fn mangled(&self) -> String {
        match self {
            Type::Int(bits) => format!("i{bits}"),
            Type::Float(float) => float.mangled().to_owned(),
            Type::Pointer(space) => format!("p{space}"),
            Type::Vector { len, scalable, of } => {
                let prefix = if *scalable { "nx" } else { "" };
                format!("{prefix}v{len}{}", of.mangled())
            }
            Type::Array(len, of) => format!("a{len}{}", of.mangled()),
            Type::Struct { fields, .. } => {
                let fields: String = fields.iter().map(Type::mangled).collect();
                format!("sl_{fields}s")
            }
            Type::Named(name) => format!("s_{name}s"),
            Type::Metadata => "Metadata".to_owned(),
            other => other.to_string(),
        }
    }
}

/// As LLVM IR spells it.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Float(float) => f.write_str(float.in_llvm()),
            Type::Index => f.write_str("i64"),
            Type::Pointer(0) => f.write_str("ptr"),
            Type::Pointer(space) => write!(f, "ptr addrspace({space})"),
            Type::Vector { len, scalable, of } => {
                let scale = if *scalable { "vscale x " } else { "" };
                write!(f, "<{scale}{len} x {of}>")
            }
            Type::Array(len, of) => write!(f, "[{len} x {of}]"),
            Type::Struct { packed, fields } => {
                let (open, close) = match (packed, fields.is_empty()) {
                    (false, true) => return f.write_str("{}"),
                    (true, true) => return f.write_str("<{}>"),
                    (false, false) => ("{ ", " }"),
                    (true, false) => ("<{ ", " }>"),
                };
                f.write_str(open)?;
                list(f, fields)?;
                f.write_str(close)
            }
            Type::Named(name) => write!(f, "%{}", quoted(name.as_bytes())),
            Type::Function(signature) => {
                write!(f, "{} (", signature.result)?;
                list(f, &signature.params)?;
                match (signature.variadic, signature.params.is_empty()) {
                    (true, true) => f.write_str("...)"),
                    (true, false) => f.write_str(", ...)"),
                    (false, _) => f.write_str(")"),
                }
            }
            Type::Arrow(arrow) => {
                f.write_str("(")?;
                list(f, &arrow.inputs)?;
                f.write_str(") -> (")?;
                list(f, &arrow.results)?;
                f.write_str(")")
            }
            Type::Tensor(shape, of) => {
                f.write_str("tensor<")?;
                shape.iter().try_for_each(|len| write!(f, "{len}x"))?;
                write!(f, "{of}>")
            }
            Type::Void => f.write_str("void"),
            Type::Token => f.write_str("token"),
            Type::Label => f.write_str("label"),
            Type::Metadata => f.write_str("metadata"),
            Type::Target(text) | Type::Other(text) => f.write_str(text),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, types: &[Type]) -> fmt::Result {
    for (i, ty) in types.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{ty}")?;
    }
    Ok(())
}

/// A name between quotes, as LLVM IR takes every name.
pub(crate) fn quoted(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for &byte in name {
        match byte {
            b'"' | b'\\' => write!(text, "\\{byte:02X}"),
            0x20..=0x7e => write!(text, "{}", byte as char),
            _ => write!(text, "\\{byte:02X}"),
        }
        .expect("a string takes everything");
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn llvm_spells_types_so() {
        let vector = Type::Vector {
            len: 4,
            scalable: false,
            of: Rc::new(Type::Float(Float::F32)),
        };
        let structure = Type::Struct {
            packed: false,
            fields: [vector.clone(), Type::Pointer(3)].into(),
        };
        assert_eq!(structure.to_string(), "{ <4 x float>, ptr addrspace(3) }");
        assert_eq!(structure.mangled(), "sl_v4f32p3s");
        assert_eq!(vector.truth().to_string(), "<4 x i1>");
    }
}
