//! Operations by the spelling of their instruction, for users that have no PTX: machine code is made of the same
//! arithmetic.

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

/// The comparison of a `setp` that is spelled so, `setp.ltu.ftz.f32`.
pub fn named_comparison(spelling: &str) -> Option<Comparison> {
    comparison(&choice(spelling)?)
}

/// The product of matrices of an instruction that is spelled so,
/// `mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32`.
pub fn named_product(spelling: &str) -> Option<MatrixOperation> {
    product(&choice(spelling)?)
}

fn choice(spelling: &str) -> Option<Choice> {
    Mnemonic::find(spelling)?.choices.first().cloned()
}
