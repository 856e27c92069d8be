//! Fragments of matrices between shared memory and registers, and their products.

use super::memory::each;
use super::{Fault, Machine};
use crate::finding::Access;
use crate::op::{Product3, Step, What};
use crate::warp::{Lanes, Warp, further, next};
use warpc_sass::shape::Space;

/// Executes a step on fragments of matrices; whether it is one.
pub(super) fn run(machine: &mut Machine<'_>, warp: &mut Warp, step: &Step, lanes: u32) -> bool {
    let done = match &step.what {
        What::LoadMatrix { count, transposed } => {
            load(machine, warp, step, lanes, *count, *transposed)
        }
        What::StoreMatrix { count, transposed } => {
            store(machine, warp, step, lanes, *count, *transposed)
        }
        What::Product(product) => {
            multiply(machine, warp, step, lanes, product);
            Ok(())
        }
        What::Transpose => {
            let value = machine.bits(warp, step.args.source(0));
            let element = |row: usize, column: usize| {
                let word = value[row * 4 + column / 2];
                word >> (16 * (column % 2)) & 0xffff
            };
            let result: Lanes = std::array::from_fn(|lane| {
                let (row, column) = (lane / 4, lane % 4 * 2);
                element(column, row) | element(column + 1, row) << 16
            });
            warp.set(step.args.d, &result, lanes);
            Ok(())
        }
        _ => return false,
    };
    if let Err((problem, _)) = done {
        machine.problem.get_or_insert(problem);
    }
    true
}

/// A product of matrices in the registers of the warp.
fn multiply(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    product: &Product3,
) {
    let args = &step.args;
    let operation = &product.operation;
    let mut sources: Vec<[u64; 32]> = Vec::with_capacity(operation.sources);
    // Without the predicate, nothing is added.
    let adds = args.t.last().is_none_or(|truth| warp.truth(*truth) != 0);
    for (index, count) in operation.operand_registers().into_iter().enumerate() {
        for register in 0..count as u8 {
            sources.push(match (index, product.wide) {
                (2, _) if !adds => [0; 32],
                (_, true) => machine.long_bits(warp, further(args.source(index), 2 * register)),
                (_, false) => machine
                    .bits(warp, further(args.source(index), register))
                    .map(u64::from),
            });
        }
    }
    if operation.is_sparse() {
        sources.push(machine.bits(warp, args.source(3)).map(u64::from));
        sources.push(machine.bits(warp, args.source(4)).map(u64::from));
    }
    let mut results = vec![[0; 32]; operation.results];
    operation.run(&sources, &mut results);
    for (register, value) in results.iter().enumerate() {
        let by = register as u8 * if product.wide { 2 } else { 1 };
        let dest = if by == 0 { args.d } else { next(args.d, by) };
        match product.wide {
            true => warp.set_pair(dest, value, lanes),
            false => warp.set(dest, &value.map(|one| one as u32), lanes),
        }
    }
}

/// `LDSM`: matrices of 8 by 8 elements of 16 bits, whose rows the lanes have the addresses of.
fn load(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    count: u32,
    transposed: bool,
) -> Result<(), Fault> {
    let addresses = warp.addresses(&step.args);
    for matrix in 0..count as usize {
        let mut elements = [[0u16; 8]; 8];
        for (row, elements) in elements.iter_mut().enumerate() {
            let lane = matrix * 8 + row;
            let place =
                machine.place(warp, Space::Shared, addresses[lane], 16, Access::Read, lane)?;
            for (element, bytes) in elements.iter_mut().zip(place.as_chunks::<2>().0) {
                *element = u16::from_le_bytes(*bytes);
            }
        }
        let value: Lanes = std::array::from_fn(|lane| {
            let (row, column) = (lane / 4, lane % 4 * 2);
            let [low, high] = [column, column + 1].map(|column| match transposed {
                false => elements[row][column],
                true => elements[column][row],
            });
            u32::from(low) | u32::from(high) << 16
        });
        let dest = match matrix {
            0 => step.args.d,
            more => next(step.args.d, more as u8),
        };
        warp.set(dest, &value, lanes);
    }
    Ok(())
}

/// `STSM`, the other way.
fn store(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    count: u32,
    transposed: bool,
) -> Result<(), Fault> {
    let addresses = warp.addresses(&step.args);
    for matrix in 0..count as usize {
        let value = machine.bits(warp, further(step.args.source(0), matrix as u8));
        let mut elements = [[0u16; 8]; 8];
        for lane in each(lanes) {
            let (row, column) = (lane / 4, lane % 4 * 2);
            for (column, half) in [(column, value[lane]), (column + 1, value[lane] >> 16)] {
                match transposed {
                    false => elements[row][column] = half as u16,
                    true => elements[column][row] = half as u16,
                }
            }
        }
        for (row, elements) in elements.iter().enumerate() {
            let lane = matrix * 8 + row;
            let place = machine.place(
                warp,
                Space::Shared,
                addresses[lane],
                16,
                Access::Write,
                lane,
            )?;
            for (bytes, element) in place.chunks_exact_mut(2).zip(elements) {
                bytes.copy_from_slice(&element.to_le_bytes());
            }
        }
    }
    Ok(())
}
