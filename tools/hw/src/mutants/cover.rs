//! Why a scoreboard that an instruction no longer raises is not missed: who waits for it otherwise.
//!
//! All ways are followed from the instruction until a register is used again that the scoreboard tells of. On each,
//! something must come first that is done only after it: a wait for its other scoreboard, or for one of a later
//! instruction that keeps the order with it, or a barrier or fence, before which memory operations have read their operands.

use std::collections::BTreeSet;
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_sass::latency::{Access, Effects, File};
use warpc_sass::{Control, Inst};

/// What a scoreboard tells of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// That the operands have been read.
    Operands,
    /// That the results are there.
    Results,
}

/// Instructions before which memory operations have read their operands.
const ALL_READ: &[&str] = &["BAR", "MEMBAR", "ERRBAR"];

/// Why nobody misses that an instruction tells of something; `changed` is how it is now. Nothing if somebody may.
pub fn why(
    insts: &[Inst],
    flow: &Flow,
    at: usize,
    changed: &Inst,
    told: Told,
) -> Option<&'static str> {
    let own = insts.get(at)?;
    let is_told = |access: &Access| access.is_write() == (told == Told::Results);
    let accesses: Vec<Access> = Effects::of(own)
        .accesses
        .into_iter()
        .filter(is_told)
        .collect();
    let registers: BTreeSet<(File, u8)> = accesses
        .iter()
        .flat_map(|access| access.numbers().map(|number| (access.file, number)))
        .collect();
    let collides = |inst: &Inst| {
        let effects = Effects::of(inst);
        let uses = effects.accesses.iter();
        let mut uses = uses.filter(|one| told == Told::Results || one.is_write());
        uses.any(|one| {
            one.numbers()
                .any(|number| registers.contains(&(one.file, number)))
        })
    };
    let row = match told {
        Told::Operands => own.shape.reads_in_order(),
        Told::Results => own.shape.writes_in_order(),
    };
    let in_order = |inst: &Inst| {
        let other = match told {
            Told::Operands => inst.shape.reads_in_order(),
            Told::Results => inst.shape.writes_in_order(),
        };
        row.is_some() && row == other
    };
    let mut seen: BTreeSet<(usize, u8)> = BTreeSet::new();
    let mut work: Vec<(usize, u8)> = Vec::new();
    let mut is_used = false;
    follow(flow, at, boards(changed.control), &mut work)?;
    while let Some((next, mut covering)) = work.pop() {
        if !seen.insert((next, covering)) {
            continue;
        }
        let inst = insts.get(next)?;
        if inst.control.wait & covering != 0 {
            is_used = true;
            continue;
        }
        if told == Told::Operands && ALL_READ.contains(&inst.shape.opcode()) {
            continue;
        }
        if collides(inst) {
            // It comes after it in the same queue.
            if in_order(inst) {
                is_used = true;
                continue;
            }
            return None;
        }
        if in_order(inst) {
            covering |= boards(inst.control);
        }
        follow(flow, next, covering, &mut work)?;
    }
    Some(match (is_used, told) {
        (true, _) => {
            "another scoreboard tells of it first, or who comes next keeps the order with it"
        }
        (false, Told::Operands) => "its operands are not written again before a barrier or the end",
        (false, Told::Results) => "its results are not used again",
    })
}

/// Adds the instructions that may come after one; nothing if it is not known where that is.
fn follow(flow: &Flow, at: usize, covering: u8, work: &mut Vec<(usize, u8)>) -> Option<()> {
    let number = flow.blocks.partition_point(|block| block.end <= at);
    let block = flow.blocks.get(number)?;
    if at + 1 < block.end {
        work.push((at + 1, covering));
        return Some(());
    }
    let mut next = block.next.to_vec();
    if let Some(call) = &block.call {
        next.extend(call.callees.iter().map(|one| flow.functions[*one].entry));
        next.extend(call.back);
    }
    work.extend(next.iter().map(|to| (flow.blocks[*to].start, covering)));
    // Who called it goes on, wherever that is.
    (!block.returns).then_some(())
}

/// The scoreboards that an instruction raises.
fn boards(control: Control) -> u8 {
    let bit = |board: u8| if board < 6 { 1 << board } else { 0 };
    bit(control.write) | bit(control.read)
}
