//! Whether a value fits a parameter.
//!
//! - A buffer goes to a parameter that can hold an address, which it gets; into an array parameter of
//!   another size it goes by value.
//! - A number has its parameter's size, and is a floating-point number where the parameter is one; for
//!   parameters that are bits or arrays of bytes the size alone counts.
//! - Structures and plain bytes have their parameter's size.

use crate::args::Spec;
use crate::fill::Value;
use crate::number;
use crate::signature::Parameter;
use warpc_launch::tensor_map;
use warpc_ptx::types::{Meaning, ScalarType};

/// What an argument is, if that is not what its parameter wants.
pub fn misfit(spec: &Spec, value: &Value, param: &Parameter) -> Option<String> {
    let bytes = value.bytes.len();
    let plural = if bytes == 1 { "" } else { "s" };
    let size = format!("of {bytes} byte{plural}");
    let fits = param.bytes == Some(bytes as u64);
    match spec {
        Spec::Scalar(ty, _) => {
            // Only a parameter that is itself a number can mind which kind of number it gets.
            let minds = |own: &ScalarType| {
                let same = number::is_float(*ty) == number::is_float(*own);
                own.meaning() != Meaning::Bits && ty.meaning() != Meaning::Bits && !same
            };
            if fits && !param.ty.as_ref().is_some_and(minds) {
                return None;
            }
            Some(format!("{} {size}", article(*ty)))
        }
        _ if fits => None,
        Spec::Array(array) => Some(format!("a buffer of {} elements", array.ty.name())),
        Spec::Null | Spec::Address(_) => Some(format!("an address {size}")),
        Spec::Texture(_) => Some(format!("a description {size}")),
        Spec::TensorMap(_) => Some(format!("a tensor map {size}")),
        Spec::Addresses(_) => Some(format!("addresses {size}")),
        Spec::Bytes(_) | Spec::RawFile(_) | Spec::Struct(_) => Some(format!("a value {size}")),
    }
}

fn article(ty: ScalarType) -> String {
    let article = match ty.meaning() {
        Meaning::Signed | Meaning::Float => "an",
        _ => "a",
    };
    format!("{article} {}", ty.name())
}

/// How an argument for the parameter is written.
pub fn advice(param: &Parameter) -> String {
    let bytes = param.bytes.unwrap_or(0);
    let Some(ty) = param.ty else {
        if bytes == tensor_map::BYTES as u64 {
            return format!(
                "write {bytes} bytes as `{{u32=1,f32=2}}` or `hex:…`, or a map as `tensormap:…`"
            );
        }
        return format!("write {bytes} bytes as `{{u32=1,f32=2}}` or `hex:…`");
    };
    let number = format!("write `{}=…`", ty.name());
    if param.holds_address {
        return format!("{number}, or a buffer such as `u32[256]=0` for an address");
    }
    number
}
