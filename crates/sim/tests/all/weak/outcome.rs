//! Outcomes of a program: what registers hold at the end, and what memories do; as seen, and as allowed.

use super::emit::{self, Kernel, STRIDE};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use warpc_model::axioms::ptx::Model;
use warpc_model::axioms::relation::bits;
use warpc_model::axioms::{Execution, Inst, Limits, Program, TooLarge, Version, explore};
use warpc_sim::{Argument, Device, Launch, MemoryModel, Options, Races};

/// The registers of all threads, one after the other, then the memories.
pub type Outcome = Vec<u64>;

/// The memories of a program, by number.
fn memories(program: &Program) -> usize {
    let all = program.locations.iter().map(|one| one.memory + 1);
    all.max().unwrap_or(0)
}

/// Runs a program with a seed. A finding is an error: no program does anything wrong.
pub fn run(
    program: &Program,
    kernel: &Kernel,
    seed: u64,
    memory: MemoryModel,
) -> Result<Outcome, String> {
    let options = Options {
        seed,
        memory,
        races: Races::Off,
        limit: Some(100_000),
        ..Options::default()
    };
    let mut bytes = vec![0; STRIDE * memories(program).max(1)];
    for location in &program.locations {
        let at = STRIDE * location.memory;
        bytes[at..at + 8].copy_from_slice(&location.initial.to_le_bytes());
    }
    let registers: usize = program.threads.iter().map(|one| one.registers.len()).sum();
    let mut device = Device::new(&kernel.module, options);
    let memory = device.buffer(&bytes);
    let out = device.buffer(&vec![0; 8 * registers.max(1)]);
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [kernel.grid, 1, 1],
        block: [kernel.block, 1, 1],
        cluster: Some([kernel.cluster, 1, 1]),
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(memory), Argument::Buffer(out)],
    };
    device.launch(&launch).map_err(|found| {
        let all = found.as_slice().iter();
        all.map(|one| one.message.clone())
            .collect::<Vec<_>>()
            .join("; ")
    })?;
    let words = |bytes: Vec<u8>, step: usize| -> Vec<u64> {
        let all = bytes.chunks(step);
        all.map(|word| u64::from_le_bytes(word[..8].try_into().expect("eight bytes")))
            .collect()
    };
    let mut outcome = words(device.read(out), 8);
    outcome.truncate(registers);
    outcome.extend(&words(device.read(memory), STRIDE)[..memories(program)]);
    Ok(outcome)
}

/// What runs with many seeds showed. Only programs with barriers or loops may hang: these runs have no outcome.
pub fn seen(program: &Program, kernel: &Kernel, seeds: std::ops::Range<u64>) -> BTreeSet<Outcome> {
    let waits = |inst: &Inst| {
        matches!(
            inst,
            Inst::Barrier { .. } | Inst::Branch { .. } | Inst::Jump(_)
        )
    };
    let mut threads = program.threads.iter();
    let may_hang = threads.any(|one| one.code.iter().any(waits));
    let outcomes = seeds.filter_map(|seed| match run(program, kernel, seed, MemoryModel::Weak) {
        Err(_) if may_hang => None,
        outcome => Some(outcome.expect("nothing is wrong")),
    });
    outcomes.collect()
}

/// The kernels of a program: a warp for each thread, and its threads of a block in one warp.
pub fn kernels(program: &Program) -> Option<[Kernel; 2]> {
    Some([emit::kernel(program, false)?, emit::kernel(program, true)?])
}

/// All outcomes of an execution: memories may end with any write that has no successor.
fn outcomes(program: &Program, execution: &Execution) -> Vec<Outcome> {
    let registers: Outcome = execution.registers.iter().flatten().copied().collect();
    let mut all = vec![registers];
    for memory in 0..memories(program) {
        let mut last: BTreeSet<u64> = execution
            .last_writes(memory)
            .filter_map(|at| execution.values[at])
            .collect();
        if last.is_empty() {
            let initial = program.locations.iter().find(|one| one.memory == memory);
            last.insert(initial.map_or(0, |one| one.initial));
        }
        all = all
            .iter()
            .flat_map(|one| {
                last.iter().map(move |value| {
                    let mut one = one.clone();
                    one.push(*value);
                    one
                })
            })
            .collect();
    }
    all
}

/// Outcomes that the model allows.
#[derive(Default)]
pub struct Allowed {
    pub all: BTreeSet<Outcome>,
    /// Those of executions in which no read comes before the write that it sees: without load buffering.
    pub in_order: BTreeSet<Outcome>,
    /// Of these those in which what memory holds at the end is the last write in a coherence order of all writes, which
    /// has atomics after what they read. The model leaves writes that race without an order.
    pub coherent: BTreeSet<Outcome>,
}

/// Outcomes of an execution in which the last write of each memory is after all others, and atomics are after what they
/// read.
fn coherent(program: &Program, execution: &Execution) -> Vec<Outcome> {
    let graph = execution.graph;
    let model = Model::new(graph, Version::V7_5);
    let mut choice = execution.choice.clone();
    choice.co = choice.co.or(&choice.rf.then(&graph.rmw));
    let registers: Outcome = execution.registers.iter().flatten().copied().collect();
    let mut all = vec![(registers, choice)];
    for memory in 0..memories(program) {
        let of_memory = |at: &usize| graph.memory[*at] == Some(memory);
        let writes: Vec<usize> = bits(graph.writes).filter(of_memory).collect();
        let initial = program.locations.iter().find(|one| one.memory == memory);
        let initial = initial.map_or(0, |one| one.initial);
        let mut next = Vec::new();
        for (outcome, choice) in all {
            let mut keep = |value: u64, choice| {
                let mut outcome = outcome.clone();
                outcome.push(value);
                next.push((outcome, choice));
            };
            if writes.is_empty() {
                keep(initial, choice.clone());
            }
            for &last in &writes {
                let mut choice = choice.clone();
                for &write in writes.iter().filter(|write| **write != last) {
                    choice.co.insert(write, last);
                }
                if let (Ok(_), Some(value)) = (model.judge(&choice), execution.values[last]) {
                    keep(value, choice);
                }
            }
        }
        all = next;
    }
    all.into_iter().map(|(outcome, _)| outcome).collect()
}

/// Every outcome that is allowed.
pub fn allowed(program: &Program, limits: Limits) -> Result<Allowed, TooLarge> {
    let mut found = Allowed::default();
    explore(
        program,
        Version::V7_5,
        limits,
        &mut |_| true,
        &mut |execution| {
            let choice = execution.choice;
            let order = execution.graph.po.or(&choice.rf).or(&choice.fences);
            let in_order = !order.or(&choice.barriers).has_cycle();
            if in_order {
                found.coherent.extend(coherent(program, execution));
            }
            for outcome in outcomes(program, execution) {
                if in_order {
                    found.in_order.insert(outcome.clone());
                }
                found.all.insert(outcome);
            }
            ControlFlow::Continue(())
        },
    )?;
    Ok(found)
}

/// Of some outcomes those that the model forbids.
pub fn forbidden(
    program: &Program,
    seen: &BTreeSet<Outcome>,
    limits: Limits,
) -> Result<BTreeSet<Outcome>, TooLarge> {
    let left = std::cell::RefCell::new(seen.clone());
    let mut wants = |execution: &Execution| {
        let registers: Outcome = execution.registers.iter().flatten().copied().collect();
        let left = left.borrow();
        left.iter().any(|one| one.starts_with(&registers))
    };
    let mut visit = |execution: &Execution| {
        let mut left = left.borrow_mut();
        for outcome in outcomes(program, execution) {
            left.remove(&outcome);
        }
        match left.is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    explore(program, Version::V7_5, limits, &mut wants, &mut visit)?;
    Ok(left.into_inner())
}
