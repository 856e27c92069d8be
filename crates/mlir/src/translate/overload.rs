//! Names of overloaded intrinsics that `llvm.call_intrinsic` gives without their types.

use crate::types::Type;

/// Intrinsics whose names end in types, and which: `R` the result, a digit an operand.
const OVERLOADED: [(&str, &str); 12] = [
    ("llvm.ctpop", "R"),
    ("llvm.ctlz", "R"),
    ("llvm.cttz", "R"),
    ("llvm.bswap", "R"),
    ("llvm.bitreverse", "R"),
    ("llvm.fshl", "R"),
    ("llvm.fshr", "R"),
    ("llvm.fma", "R"),
    ("llvm.sqrt", "R"),
    ("llvm.fabs", "R"),
    ("llvm.minnum", "R"),
    ("llvm.maxnum", "R"),
];

/// The name with its types, if it lacks them.
pub(super) fn full_name(name: &str, args: &[Type], result: Option<&Type>) -> String {
    let Some((_, types)) = OVERLOADED.iter().find(|(known, _)| *known == name) else {
        return name.to_owned();
    };
    let mut full = name.to_owned();
    for which in types.chars() {
        let ty = match which.to_digit(10) {
            Some(index) => args.get(index as usize),
            None => result,
        };
        if let Some(ty) = ty {
            full.push('.');
            full.push_str(&ty.mangled());
        }
    }
    full
}
