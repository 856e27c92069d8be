//! How many registers are live before each instruction of finished code.
//!
//! Backwards over the flow: what is read is live before, what is written without a guard is not. `before = (after ∖ written) ∪ read`.

use crate::check::Code;
use crate::check::flow::Flow;
use warpc_sass::latency::{Effects, File};

/// A set of registers.
type Set = [u128; 2];

fn add(set: &mut Set, number: u8) {
    set[usize::from(number >> 7)] |= 1 << (number & 127);
}

fn remove(set: &mut Set, number: u8) {
    set[usize::from(number >> 7)] &= !(1 << (number & 127));
}

/// For each instruction how many registers are live before it.
pub fn live(code: &Code, flow: &Flow) -> Vec<u16> {
    let effects: Vec<Effects> = code.insts.iter().map(Effects::of).collect();
    let step = |set: &mut Set, at: usize| {
        let own = &effects[at];
        let registers = own.accesses.iter().filter(|one| one.file == File::Register);
        for access in registers
            .clone()
            .filter(|one| one.is_write() && !own.guarded)
        {
            access.numbers().for_each(|number| remove(set, number));
        }
        for access in registers.filter(|one| !one.is_write()) {
            access.numbers().for_each(|number| add(set, number));
        }
    };
    let mut before: Vec<Set> = vec![[0; 2]; flow.blocks.len()];
    let after = |before: &[Set], block: usize| {
        let mut set: Set = [0; 2];
        let it = &flow.blocks[block];
        let back = it.call.as_ref().and_then(|call| call.back);
        for next in it.next.iter().copied().chain(back) {
            set[0] |= before[next][0];
            set[1] |= before[next][1];
        }
        set
    };
    // Sets only grow, so that this ends.
    loop {
        let mut is_settled = true;
        for block in flow.order.iter().rev().copied() {
            let mut set = after(&before, block);
            let it = &flow.blocks[block];
            (it.start..it.end).rev().for_each(|at| step(&mut set, at));
            if set != before[block] {
                before[block] = set;
                is_settled = false;
            }
        }
        if is_settled {
            break;
        }
    }
    let mut counts = vec![0; code.insts.len()];
    for (number, block) in flow.blocks.iter().enumerate() {
        let mut set = after(&before, number);
        for at in (block.start..block.end).rev() {
            step(&mut set, at);
            counts[at] = (set[0].count_ones() + set[1].count_ones()) as u16;
        }
    }
    counts
}
