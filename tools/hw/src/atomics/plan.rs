//! What the launches of a case are given.
//!
//! | launch | threads | operands |
//! |---|---|---|
//! | `equal+N` | all go for the value at byte N of a slot | all the same |
//! | `spread+N` | the same | of all sorts |
//! | `beside` | each value of a word has its own threads, all at once | of all sorts |
//! | `own` | each has its own value | pairs of special values |

use super::case::{Case, Space};
use super::float::{BFLOAT, FloatOp};
use super::operation::{IntOp, Op, Ty};
use warpc_testkit::Random;
use warpc_testkit::hash::fnv1a;

/// Threads of a launch.
pub const THREADS: usize = 1024;
/// Bytes of cells that a thread moves.
pub const SLOT: usize = 16;
/// The slot that threads contend for.
const CONTENDED: usize = 5;

/// A value in memory, and who goes for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Its place in the cells.
    pub at: usize,
    /// What it is at first.
    pub initial: u128,
    /// The threads that go for it.
    pub threads: Vec<usize>,
}

/// A launch.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// Whether a generic pointer points to shared memory.
    pub to_shared: bool,
    /// The cells at first.
    pub cells: Vec<u8>,
    /// Two values of each thread.
    pub operands: Vec<[u128; 2]>,
    /// The values in memory, one after the other.
    pub targets: Vec<Target>,
}

impl Plan {
    /// The place that each thread goes for.
    pub fn places(&self) -> Vec<u32> {
        let mut places = vec![0; THREADS];
        for target in &self.targets {
            for &thread in &target.threads {
                places[thread] = target.at as u32;
            }
        }
        places
    }
}

/// All launches of a case.
pub fn plans(case: &Case) -> Vec<Plan> {
    let width = case.ty.bytes();
    let offsets: Vec<usize> = match width {
        1 | 2 => (4..8).step_by(width).collect(),
        4 => vec![4],
        8 => vec![8],
        _ => vec![0],
    };
    let mut plans = Vec::new();
    let sides: &[bool] = match (case.space, case.shape(false).0) {
        // Blocks of their own cannot contend for the shared memory of one.
        (Space::Generic, _) => &[false, true],
        _ => &[false],
    };
    for &to_shared in sides {
        let mut add = |name: String, values: Values, groups: &[(usize, Vec<usize>)]| {
            plans.push(plan(case, name, to_shared, values, groups));
        };
        let everyone = || (0..THREADS).collect::<Vec<usize>>();
        if case.space != Space::Local {
            for &offset in &offsets {
                let group = [(CONTENDED * SLOT + offset, everyone())];
                add(format!("equal+{}", offset % 4), Values::Equal, &group);
                if case.used || case.op.commutes() {
                    add(format!("spread+{}", offset % 4), Values::Spread, &group);
                }
            }
            if offsets.len() > 1 && (case.used || case.op.commutes()) {
                let count = offsets.len();
                let share = |i: usize| {
                    everyone()
                        .into_iter()
                        .filter(|t| t / 2 % count == i)
                        .collect()
                };
                let groups: Vec<(usize, Vec<usize>)> = offsets
                    .iter()
                    .enumerate()
                    .map(|(i, offset)| (CONTENDED * SLOT + offset, share(i)))
                    .collect();
                add("beside".into(), Values::Spread, &groups);
            }
        }
        let own: Vec<(usize, Vec<usize>)> = everyone()
            .into_iter()
            .map(|t| (t * SLOT + offsets[t % offsets.len()], vec![t]))
            .collect();
        add("own".into(), Values::Special, &own);
    }
    plans
}

/// How values are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Values {
    Equal,
    Spread,
    Special,
}

fn plan(
    case: &Case,
    name: String,
    to_shared: bool,
    values: Values,
    groups: &[(usize, Vec<usize>)],
) -> Plan {
    let (op, ty) = (case.op, case.ty);
    let mut random = Random::new(fnv1a(format!("{} {} {name}", op.text(), ty.text())));
    let mut cells: Vec<u8> = (0..THREADS * SLOT).map(|_| random.bits() as u8).collect();
    let mut operands = vec![[0; 2]; THREADS];
    let specials = specials(ty, &mut random);
    let mut targets = Vec::new();
    for (at, threads) in groups {
        let initial = match values {
            Values::Special => specials[threads[0] / 32 % specials.len()],
            _ => initial(op, ty),
        };
        for &thread in threads {
            operands[thread] = match values {
                Values::Equal => [equal(op, ty), symbol(ty, 1)],
                Values::Spread => spread(op, ty, &mut random),
                Values::Special => {
                    let other = random.wide() & ty.mask();
                    [special(ty, &specials, thread % 32, thread / 32), other]
                }
            };
        }
        cells[*at..at + ty.bytes()].copy_from_slice(&initial.to_le_bytes()[..ty.bytes()]);
        targets.push(Target {
            at: *at,
            initial,
            threads: threads.clone(),
        });
    }
    Plan {
        name,
        to_shared,
        cells,
        operands,
        targets,
    }
}

/// Values at which things change, and others: 32 of them.
fn specials(ty: Ty, random: &mut Random) -> Vec<u128> {
    let mut list: Vec<u128> = match ty.format() {
        Some(format) => format
            .specials()
            .into_iter()
            .map(|bits| match ty {
                Ty::Pair(_) => u128::from(bits) << format.bits() | u128::from(bits),
                _ => u128::from(bits),
            })
            .collect(),
        None => {
            let top = 1u128 << (ty.bits() - 1);
            let near = [0u128, 1, 2, 3, 100, 127, 128, 255];
            let ends = near.iter().flat_map(|&n| [n, n.wrapping_neg()]);
            let middle = [top, top - 1, top + 1, top >> 1, 0x5555 << (ty.bits() / 2)];
            ends.chain(middle).map(|v| v & ty.mask()).collect()
        }
    };
    while list.len() < 32 {
        list.push(random.wide() & ty.mask());
    }
    list.truncate(32);
    list
}

/// One of the values; the upper lane of a pair has another one.
fn special(ty: Ty, specials: &[u128], i: usize, j: usize) -> u128 {
    match ty {
        Ty::Pair(format) => {
            let low = specials[i] & ((1 << format.bits()) - 1);
            let high = specials[(i + 7 * j + 3) % specials.len()] >> format.bits();
            high << format.bits() | low
        }
        _ => specials[i],
    }
}

/// One of four values with all sorts of bits; both halves of a wide one say which it is.
fn symbol(ty: Ty, number: usize) -> u128 {
    let pattern: u128 = [
        0x0123_4567_89ab_cdef_0123_4567_89ab_cd10,
        0x8040_2010_0804_0201_8040_2010_0804_02fe,
        u128::MAX,
        0,
    ][number];
    pattern & ty.mask()
}

fn initial(op: Op, ty: Ty) -> u128 {
    match op {
        Op::Int(IntOp::And) => ty.mask(),
        Op::Int(IntOp::UsubCond | IntOp::UsubSat) => 700 & ty.mask(),
        Op::Int(IntOp::Max) => 1 << (ty.bits() - 1),
        Op::Int(IntOp::Min) => ty.mask() >> 1,
        Op::Int(IntOp::Umin) => ty.mask(),
        Op::Swap { .. } | Op::LoadStore | Op::Int(IntOp::Xchg) => symbol(ty, 0),
        Op::Float(FloatOp::Max | FloatOp::Maximum) => ty.number(-200.0),
        Op::Float(FloatOp::Min | FloatOp::Minimum) => ty.number(200.0),
        _ => 0,
    }
}

fn equal(op: Op, ty: Ty) -> u128 {
    match op {
        Op::Int(IntOp::Xchg) | Op::LoadStore => symbol(ty, 1),
        Op::Int(IntOp::And) => symbol(ty, 0),
        Op::Int(IntOp::Nand) => ty.mask(),
        Op::Int(IntOp::Or | IntOp::Xor) => symbol(ty, 1),
        Op::Int(IntOp::UincWrap | IntOp::UdecWrap) => 100,
        Op::Int(IntOp::UsubCond) => 3,
        Op::Swap { .. } => symbol(ty, 0),
        Op::Float(_) => ty.number(1.0),
        _ => 1,
    }
}

fn spread(op: Op, ty: Ty, random: &mut Random) -> [u128; 2] {
    let mask = ty.mask();
    let any = random.wide();
    let value = match op {
        Op::Int(IntOp::And) => any | random.wide() | random.wide() | random.wide(),
        Op::Int(IntOp::Or) => any & random.wide() & random.wide() & random.wide(),
        Op::Int(IntOp::UincWrap | IntOp::UdecWrap) => any % 100,
        Op::Int(IntOp::UsubCond | IntOp::UsubSat) => any % 7,
        Op::Swap { .. } => {
            return [
                symbol(ty, (any % 4) as usize),
                symbol(ty, (any / 4 % 4) as usize),
            ];
        }
        // Both halves follow from one another, so that a value put together of two is found out.
        Op::LoadStore if ty.bits() == 128 => {
            let half = any & u128::from(u64::MAX);
            half << 64 | !half & u128::from(u64::MAX)
        }
        // Sums of these are exact, whatever their order.
        Op::Float(FloatOp::Add | FloatOp::Sub) => pair(ty, random, 2),
        // Numbers that all formats hold, and no zero.
        Op::Float(_) => {
            let most = if ty.format() == Some(BFLOAT) { 60 } else { 120 };
            pair(ty, random, most)
        }
        _ => any,
    };
    [value & mask, 0]
}

/// Whole numbers up to a size in all lanes, not zero.
fn pair(ty: Ty, random: &mut Random, most: u64) -> u128 {
    let mut one = || {
        let size = (random.number_below(most) + 1) as f64;
        ty.number(if random.number_below(2) == 0 {
            size
        } else {
            -size
        })
    };
    match ty {
        Ty::Pair(format) => {
            let low = (1 << format.bits()) - 1;
            one() & low | one() & !low
        }
        _ => one(),
    }
}
