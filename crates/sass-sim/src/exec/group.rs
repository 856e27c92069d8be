//! Products of warpgroups: `HGMMA`, `IGMMA`, `QGMMA`, `BGMMA`.
//!
//! ```text
//!   gdesc[UR]   UR, UR + 1 the matrix descriptor of A (if A is in shared memory)   UR + 2, UR + 3 that of B
//! ```
//!
//! Each warp computes its 16 rows where it issues the product. When its registers may be touched again the timed register file knows
//! (`gsb0`); nothing follows what is still read of shared memory.

use super::{Fault, Machine};
use crate::finding::Access;
use crate::op::{GroupProduct, Step, What};
use crate::operand::Dest;
use crate::warp::{Warp, further, next};
use warpc_ptx_eval::matrix::block::Side;
use warpc_ptx_eval::matrix::descriptor::{PIECE, SharedMatrix};
use warpc_sass::shape::Space;

/// Executes a product of a warpgroup; whether the step is one.
pub(super) fn run(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
) -> Result<bool, Fault> {
    let What::GroupProduct(product) = &step.what else {
        return Ok(false);
    };
    multiply(machine, warp, step, lanes, product)?;
    Ok(true)
}

fn multiply(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    product: &GroupProduct,
) -> Result<(), Fault> {
    let GroupProduct {
        operation,
        descriptors,
        a,
        c,
        metadata,
    } = product;
    // A product of nothing only ends a group.
    let Dest::Register(first) = step.args.d else {
        return Ok(());
    };
    if first == u8::MAX {
        return Ok(());
    }
    let descriptor = |warp: &Warp, at: u8| {
        let word = |by: u8| u64::from(warp.uniform(descriptors.saturating_add(at + by)));
        SharedMatrix::of_group(word(0) | word(1) << 32)
    };
    let of_b = fetched(machine, warp, product, (Side::B, descriptor(warp, 2)))?;
    let of_a = match a {
        None => fetched(machine, warp, product, (Side::A, descriptor(warp, 0)))?,
        Some(registers) => {
            let count = operation.a_registers() as u8;
            let words: Vec<[u64; 32]> = (0..count)
                .map(|register| {
                    machine
                        .bits(warp, further(*registers, register))
                        .map(u64::from)
                })
                .collect();
            operation.a_elements(&words)
        }
    };
    let metadata = metadata
        .map(|(register, selector)| (machine.bits(warp, register).map(u64::from), selector));
    let adds = step
        .args
        .t
        .last()
        .is_none_or(|truth| warp.truth(*truth) != 0);
    let count = operation.d_registers() as u8;
    let mut sums: Vec<[u64; 32]> = (0..count)
        .map(|register| machine.bits(warp, further(*c, register)).map(u64::from))
        .collect();
    operation.run(
        &of_a,
        &of_b,
        metadata
            .as_ref()
            .map(|(register, selector)| (register, *selector)),
        (&mut sums, adds),
    );
    for (register, value) in sums.iter().enumerate() {
        let dest = match register {
            0 => step.args.d,
            more => next(step.args.d, more as u8),
        };
        warp.set(dest, &value.map(|one| one as u32), lanes);
    }
    Ok(())
}

/// The elements of a factor in shared memory.
fn fetched(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    product: &GroupProduct,
    (side, matrix): (Side, SharedMatrix),
) -> Result<Vec<u32>, Fault> {
    let addresses = product.operation.pieces(side, &matrix, warp.number);
    let mut bytes = Vec::with_capacity(addresses.len() * PIECE as usize);
    for address in addresses {
        let place = machine.place(warp, Space::Shared, u64::from(address), 16, Access::Read, 0)?;
        bytes.extend_from_slice(place);
    }
    Ok(product.operation.elements(side, &bytes))
}
