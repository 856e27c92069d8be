//! Operations by the spelling of their instruction, for users that have no PTX: machine code is made of the same
//! arithmetic.

use crate::matrix::group::{GroupOperation, Settings};
use crate::matrix::{MatrixOperation, product};
use crate::{AtomicUpdate, Comparison, Operation, atomic, atomic_in_global, comparison, operation};
use warpc_ptx::inst::{Choice, Mnemonic, Operand, Part, Sign};
use warpc_ptx::symbol::SymbolTable;

/// The operation of an instruction that is spelled so, `fma.rz.ftz.f32`, with all operands that the form can have;
/// `None` if there is no such instruction or it does not compute.
///
/// ```
/// let add = warpc_ptx_eval::named("add.rz.f32").unwrap();
/// let mut sum = [0];
/// add.run(&[0x3f80_0000, 0x3f80_0000], &mut sum);
/// assert_eq!(sum, [0x4000_0000]);
/// ```
pub fn named(spelling: &str) -> Option<Operation> {
    let choice = choice(spelling)?;
    let register = Operand::Name {
        symbol: SymbolTable::default().intern("r"),
        part: Part::Whole,
        sign: Sign::Plain,
    };
    let specs = &choice.form.form().operands;
    let given: Vec<Option<Operand>> = specs
        .iter()
        .map(|spec| {
            let slot = spec.linked.map(usize::from);
            let is_there = slot.is_none_or(|slot| choice.values[slot] != Choice::ABSENT);
            is_there.then_some(register)
        })
        .collect();
    operation(&choice, &given)
}

/// How an atomic that is spelled so, `atom.global.add.f32`, updates an element in shared or in global memory.
pub fn named_atomic(spelling: &str, in_global: bool) -> Option<AtomicUpdate> {
    let choice = choice(spelling)?;
    match in_global {
        true => atomic_in_global(&choice),
        false => atomic(&choice),
    }
}

/// How a bulk reduction in global memory updates an element, and how many bytes that has; by the names that operation and
/// type have in the manual: `add` of `bf16`.
pub fn named_reduction(operation: &str, ty: &str) -> Option<(AtomicUpdate, u32)> {
    let (bits, bytes) = match ty {
        "u32" | "s32" => ("b32", 4),
        "u64" | "s64" => ("b64", 8),
        "f16" | "bf16" => ("", 2),
        "f32" => ("", 4),
        "f64" => ("", 8),
        _ => return None,
    };
    let (ty, kept) = match operation {
        "and" | "or" | "xor" => (bits, ""),
        "add" if ty == "s64" => ("u64", ""),
        "add" if bytes == 2 => (ty, ".noftz"),
        _ => (ty, ""),
    };
    let copy = "cp.reduce.async.bulk.global.shared::cta.bulk_group";
    // Unlike `red`, a bulk reduction keeps subnormal numbers of single precision (seen on an H200).
    let update = named_atomic(&format!("{copy}.{operation}{kept}.{ty}"), ty != "f32")?;
    Some((update, bytes))
}

/// The comparison of a `setp` that is spelled so, `setp.ltu.ftz.f32`.
pub fn named_comparison(spelling: &str) -> Option<Comparison> {
    comparison(&choice(spelling)?)
}

/// The product of matrices of an instruction that is spelled so,
/// `mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32`.
pub fn named_product(spelling: &str) -> Option<MatrixOperation> {
    product(&choice(spelling)?)
}

/// The product of a warpgroup of an instruction that is spelled so, `wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16`.
pub fn named_group_product(spelling: &str, settings: Settings) -> Option<GroupOperation> {
    GroupOperation::new(&choice(spelling)?, settings)
}

fn choice(spelling: &str) -> Option<Choice> {
    Mnemonic::find(spelling)?.choices.first().cloned()
}
