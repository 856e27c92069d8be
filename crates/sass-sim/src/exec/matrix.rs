//! Fragments of matrices between shared memory and registers.

use super::memory::each;
use super::{Fault, Machine};
use crate::finding::Access;
use crate::op::{Step, What};
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
