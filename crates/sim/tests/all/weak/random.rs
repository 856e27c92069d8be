//! Random programs: nothing is seen that the model forbids.

use super::outcome::{self, forbidden, kernels, seen};
use warpc_model::axioms::{
    Inst, Limits, Location, MemoryProxy, Operand, Operation, Place, Program, Rmw, Thread, ValueType,
};
use warpc_model::{Ordering, Scope};
use warpc_testkit::random::Random;

const SCOPES: [Scope; 4] = [Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys];

/// A program of two to four threads with two to four accesses each, and fences.
pub fn program(random: &mut Random) -> Program {
    let memories = 1 + random.below(3);
    let kind = if random.chance(50) {
        ValueType::S64
    } else {
        ValueType {
            bits: 32,
            signed: false,
        }
    };
    let mut value = 0;
    // Mostly one scope in the whole program, so that it does something.
    let usual = random.chance(60).then(|| random.pick(&SCOPES));
    let fences = random.below(60);
    let weak = random.below(60);
    let atomics = random.below(60);
    // The search takes long for more than ten accesses.
    let threads = random.weighted(&[(4, 2), (4, 3), (2, 4)]);
    let most = [4, 3, 2][threads - 2];
    let threads = (0..threads).map(|_| {
        let cta = random.below(2) as u32;
        let place = Place {
            gpu: 0,
            cluster: if random.chance(50) { 0 } else { cta },
            cta,
        };
        let mut registers = Vec::new();
        let mut code = Vec::new();
        let accesses = 2 + random.below(most - 1);
        for _ in 0..accesses {
            let scope = usual.unwrap_or_else(|| random.pick(&SCOPES));
            if random.chance(fences) {
                let order = random.pick(&[
                    Ordering::Acquire,
                    Ordering::Release,
                    Ordering::AcqRel,
                    Ordering::SeqCst,
                    Ordering::SeqCst,
                ]);
                code.push(Inst::Fence { order, scope });
            }
            let location = random.below(memories);
            value += 1;
            let proxy = MemoryProxy::Generic;
            let written = match registers.len() {
                some if some > 0 && random.chance(10) => Operand::Register(random.below(some)),
                _ => Operand::Constant(value),
            };
            if random.chance(atomics) {
                let order = random.pick(&[
                    Ordering::Relaxed,
                    Ordering::Acquire,
                    Ordering::Release,
                    Ordering::AcqRel,
                ]);
                let operation = match random.below(4) {
                    0 | 1 => Rmw::Apply(Operation::Second, written),
                    2 => Rmw::Apply(Operation::Add, Operand::Constant(100)),
                    _ => Rmw::Cas(
                        Operand::Constant(random.below(value as usize) as u64),
                        written,
                    ),
                };
                code.push(Inst::Atomic {
                    to: Some(registers.len()),
                    location,
                    operation,
                    order,
                    scope,
                    proxy,
                    kind,
                });
                registers.push(0);
                continue;
            }
            let is_load = random.chance(50);
            let order = match (random.chance(weak), random.chance(50), is_load) {
                (true, ..) => Ordering::Weak,
                (_, true, _) => Ordering::Relaxed,
                (_, _, true) => Ordering::Acquire,
                (_, _, false) => Ordering::Release,
            };
            if is_load {
                code.push(Inst::Load {
                    to: registers.len(),
                    location,
                    order,
                    scope,
                    proxy,
                    kind,
                });
                registers.push(0);
            } else {
                code.push(Inst::Store {
                    location,
                    value: written,
                    order,
                    scope,
                    proxy,
                    kind,
                });
            }
        }
        Thread {
            place,
            code,
            registers,
        }
    });
    Program {
        threads: threads.collect(),
        locations: (0..memories)
            .map(|memory| Location {
                memory,
                address: memory,
                initial: 0,
            })
            .collect(),
    }
}

/// A number from the environment.
fn number(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(usual, |text| text.parse().expect("a number"))
}

#[test]
fn random_programs_show_nothing_that_the_model_forbids() {
    let programs = number("WARPC_WEAK_PROGRAMS", 400);
    let seeds = number("WARPC_WEAK_SEEDS", 60);
    let limits = Limits {
        steps: 200_000,
        ..Limits::default()
    };
    let (mut judged, mut outcomes, mut left_out) = (0, 0, 0);
    for number in number("WARPC_WEAK_FIRST", 0)..programs {
        let program = program(&mut Random::new(number));
        let kernels = kernels(&program).expect("all can be launched");
        let mut all = seen(&program, &kernels[0], 0..seeds / 2);
        all.extend(seen(&program, &kernels[1], seeds / 2..seeds));
        match forbidden(&program, &all, limits) {
            Ok(bad) => {
                assert!(bad.is_empty(), "program {number}: {bad:?}\n{program:#?}");
                judged += 1;
                outcomes += all.len();
            }
            Err(_) => left_out += 1,
        }
    }
    println!("{judged} programs with {outcomes} outcomes, {left_out} too large to be judged");
    assert!(judged > 9 * left_out);
}

/// Of what the model allows without load buffering, most is seen.
#[test]
fn most_outcomes_of_small_programs_are_seen() {
    let programs = number("WARPC_WEAK_COMPLETE", 40);
    let seeds = number("WARPC_WEAK_MANY_SEEDS", 400);
    let limits = Limits {
        steps: 20_000,
        ..Limits::default()
    };
    let (mut all, mut found, mut judged) = (0, 0, 0);
    for number in 0..programs {
        let program = program(&mut Random::new(number));
        let Ok(allowed) = outcome::allowed(&program, limits) else {
            continue;
        };
        let kernels = kernels(&program).expect("all can be launched");
        let mut saw = seen(&program, &kernels[0], 0..seeds / 2);
        saw.extend(seen(&program, &kernels[1], seeds / 2..seeds));
        let few = allowed.coherent.len() <= 24;
        if few {
            judged += 1;
            all += allowed.coherent.len();
            let of_them = allowed.coherent.intersection(&saw).count();
            found += of_them;
            if std::env::var_os("WARPC_SHOW").is_some() && of_them < allowed.coherent.len() {
                let missed: Vec<_> = allowed.coherent.difference(&saw).collect();
                println!("program {number}: {missed:?}\n{program:?}");
            }
        }
    }
    println!("{judged} programs: {found} of {all} outcomes");
    assert!(judged > 0 && found * 10 > all * 8, "{found} of {all}");
}
