//! Types of kernel parameters by the LLVM IR that a program was made from: PTX declares a `float` as any 32 bits, and a
//! `half` as two bytes.

use crate::{Kind, Llvm, Source};
use std::collections::BTreeMap;
use warpc_nvvm::types::Type;
use warpc_ptx::types::ScalarType;
use warpc_request::Signature;

/// Gives the parameters of kernels the types that they have in a source. One that is not LLVM IR or MLIR, or that cannot
/// be read, changes nothing.
pub(super) fn refine(signatures: &mut [Signature], source: &Source) {
    if matches!(
        source.kind(),
        Kind::Ptx | Kind::Sass | Kind::Cubin | Kind::Fatbin
    ) {
        return;
    }
    let Some(Llvm { module, .. }) = Llvm::read(source).value else {
        return;
    };
    let functions = module.functions().filter_map(|(_, global, _)| {
        let name = module.names.text(global.name?);
        let Type::Function { params, .. } = module.types.get(global.value_ty) else {
            return None;
        };
        let types = module.types.list(params).iter();
        let types: Vec<_> = types.map(|ty| scalar(module.types.get(*ty))).collect();
        Some((name.to_string(), types))
    });
    let functions: BTreeMap<String, Vec<Option<ScalarType>>> = functions.collect();
    for signature in signatures {
        let Some(types) = functions.get(&signature.kernel) else {
            continue;
        };
        if types.len() != signature.parameters.len() {
            continue;
        }
        for (parameter, ty) in signature.parameters.iter_mut().zip(types) {
            if let Some(ty) = *ty
                && parameter.bytes == Some(u64::from(ty.bits() / 8))
            {
                parameter.ty = Some(ty);
                parameter.holds_address &= !warpc_request::number::is_float(ty);
            }
        }
    }
}

/// The type of PTX for a number of LLVM IR.
fn scalar(ty: Type) -> Option<ScalarType> {
    Some(match ty {
        Type::Half => ScalarType::F16,
        Type::BFloat => ScalarType::Bf16,
        Type::Float => ScalarType::F32,
        Type::Double => ScalarType::F64,
        // Signs are in operations, not in types; a boolean has a byte.
        Type::Int(1 | 8) => ScalarType::U8,
        Type::Int(16) => ScalarType::U16,
        Type::Int(32) => ScalarType::U32,
        Type::Int(64) => ScalarType::U64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Emit, Kind, Options, Source};

    #[test]
    fn parameters_have_the_types_of_the_source() {
        let text = "define ptx_kernel void @k(ptr %p, float %f, half %h, double %d, i8 %b, i64 %l, [2 x i32] %a) {\n  ret void\n}\n";
        let source = Source::new("k.ll", text).expect("a short text");
        let types = |program: &crate::Program, origin: &Source| {
            let kernels = program.kernels_typed_by(origin);
            let types = kernels[0].parameters.iter().map(|one| one.ty);
            let types = types.map(|ty| ty.map_or("-".to_owned(), |ty| ty.to_string()));
            types.collect::<Vec<_>>().join(" ")
        };
        let expected = ".b64 .f32 .f16 .f64 .u8 .u64 -";
        let options = Options::default();
        let program = crate::load(&source, &options).unwrap();
        assert_eq!(types(&program, &source), expected);
        assert_eq!(program.kernels(), program.kernels_typed_by(&source));
        let ptx = crate::emit(&source, Emit::Ptx, &options).unwrap();
        let ptx = Source::of_kind(Kind::Ptx, "k.ptx", ptx).expect("a short text");
        let program = crate::load(&ptx, &options).unwrap();
        assert_eq!(types(&program, &ptx), ".b64 .b32 - .b64 .u8 .b64 -");
        assert_eq!(types(&program, &source), expected);
        // Another module says nothing about this kernel.
        let other = Source::new(
            "q.ll",
            "define ptx_kernel void @k(i32 %x) {\n  ret void\n}\n",
        );
        let other = other.expect("a short text");
        assert_eq!(types(&program, &other), types(&program, &ptx));
    }
}
