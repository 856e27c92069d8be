//! How undefined bits travel through instructions.
//!
//! Each rule gives the bits of a result that can change when undefined bits of the sources do: exactly for operations that move
//! bits (copies, shifts by known amounts, `and`, `or`, selections), from the lowest undefined bit upwards for sums and products,
//! and all bits for the rest. Operations that are known as functions only are evaluated with several values in the place of the
//! undefined bits: what stays the same does not depend on them.

use super::shadow::{Origin, Shadow};
use super::uses::{Use, report};
use crate::exec::async_copy::Async;
use crate::exec::frame::{Around, Frame};
use crate::exec::group::Shared;
use crate::exec::groups::Group;
use crate::exec::matrix::Matrix;
use crate::exec::mbarrier::What;
use crate::exec::tensor::Tensor;
use crate::exec::tensor_map::MapOp;
use crate::exec::warp::Warp;
use crate::exec::{Env, Outcome, lanes};
use crate::program::{
    Callee, Compare, Double, Dst, Op, Precision, Src, StackOp, Step, Together, Word,
};
use smallvec::SmallVec;

/// Undefined bits move as the step does; a use that matters is reported.
#[inline]
pub(crate) fn step(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    frame: usize,
    step: &Step,
    mask: u32,
) -> Outcome<()> {
    match &warp.frames[frame].undefined {
        None => return Ok(()),
        Some(shadow) => {
            let guard = step.guard.map_or(0, |(slot, _)| shadow.of_guard(slot));
            if guard & mask == 0 && !shadow.is_over() && shadow.is_untouched_by(&step.op, mask) {
                return Ok(());
            }
        }
    }
    touched(warp, env, shared, frame, step, mask)
}

/// The same for a step that may touch undefined bits.
#[cold]
fn touched(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    frame: usize,
    step: &Step,
    mask: u32,
) -> Outcome<()> {
    let Some(mut shadow) = warp.frames[frame].undefined.take() else {
        return Ok(());
    };
    if shadow.is_over() {
        warp.tainted = warp.frames.iter().any(|frame| frame.undefined.is_some());
        return Ok(());
    }
    let mut active = mask;
    let mut bad = None;
    if let Some((slot, wanted)) = step.guard {
        let undefined = shadow.of_guard(slot) & mask;
        if undefined != 0 && !matches!(step.op, Op::Nothing) {
            bad = Some((Src::P(slot, false), undefined, Use::Branch));
        }
        let bits = warp.frames[frame].predicates[slot as usize];
        active &= if wanted { bits } else { !bits };
    }
    if bad.is_none() {
        bad = first_use(&shadow, &step.op, active);
    }
    if bad.is_none() && active != 0 {
        let identity = warp.identity;
        let around = Around::new(env, &identity, shared);
        propagate(&mut shadow, &warp.frames[frame], around, &step.op, active);
    }
    warp.frames[frame].undefined = Some(shadow);
    match bad {
        None => Ok(()),
        Some((source, lanes, what)) => {
            let lane = lanes.trailing_zeros() as usize;
            Err(report(warp, env, frame, (source, lane), what))
        }
    }
}

/// The first use of an undefined value that matters: the source, the lanes, and what it decides.
fn first_use(shadow: &Shadow, op: &Op, active: u32) -> Option<(Src, u32, Use)> {
    let undefined = |source: Src| {
        lanes(active)
            .filter(|lane| shadow.get(source, *lane) != 0)
            .fold(0, |mask, lane| mask | 1u32 << lane)
    };
    let mut uses: SmallVec<[(Src, Use); 6]> = SmallVec::new();
    match op {
        Op::Load(load) => uses.push((load.from.base, Use::Address)),
        Op::Store(store) => uses.push((store.to.base, Use::Address)),
        Op::Atomic(atomic) => uses.push((atomic.at.base, Use::Address)),
        Op::BranchIndexed(index, _) => uses.push((*index, Use::Branch)),
        Op::Call(call) => {
            if let Callee::Pointer(source) = call.callee {
                uses.push((source, Use::Branch));
            }
        }
        Op::Stack(StackOp::Grow { size, .. }) => uses.push((*size, Use::Operand("a size"))),
        Op::Stack(StackOp::Restore(from)) => uses.push((*from, Use::Address)),
        Op::Barrier(barrier) => {
            uses.push((barrier.number, Use::Operand("the number of a barrier")));
            if let Some(threads) = barrier.threads {
                uses.push((threads, Use::Operand("a number of threads")));
            }
        }
        Op::Collective(op) => {
            if let Some(mask) = op.mask {
                uses.push((mask, Use::Operand("a member mask")));
            }
            uses.push((op.b, Use::Operand("the lane of a shuffle")));
        }
        Op::TensorMap(op) => match &**op {
            MapOp::Replace { at, value, .. } => {
                uses.push((at.base, Use::Address));
                uses.push((*value, Use::Operand("a field of a tensor map")));
            }
            MapOp::Publish { to, from } => {
                uses.push((to.base, Use::Address));
                uses.push((from.base, Use::Address));
            }
            MapOp::Acquire { at } => uses.push((at.base, Use::Address)),
        },
        Op::Mbarrier(op) => {
            uses.push((op.at.base, Use::Address));
            let name = match op.what {
                What::Wait { .. } => "the phase of an mbarrier",
                _ => "a count of an mbarrier",
            };
            uses.push((op.value, Use::Operand(name)));
        }
        Op::Async(op) => match &**op {
            Async::Small(op) => {
                uses.push((op.to.base, Use::Address));
                uses.push((op.from.base, Use::Address));
                uses.extend(
                    op.read
                        .map(|size| (size, Use::Operand("the size of a copy"))),
                );
            }
            Async::Bulk(op) => {
                uses.push((op.to.1.base, Use::Address));
                uses.push((op.from.1.base, Use::Address));
                uses.push((op.size, Use::Operand("the size of a copy")));
                uses.extend(op.barrier.map(|at| (at.base, Use::Address)));
            }
            Async::Cancel(op) => {
                uses.push((op.to.1.base, Use::Address));
                uses.push((op.barrier.base, Use::Address));
            }
            Async::Elements(op) => {
                uses.push((op.to.1.base, Use::Address));
                uses.extend(op.barrier.map(|at| (at.base, Use::Address)));
            }
            Async::Tensor(op) => {
                uses.push((op.map.base, Use::Address));
                uses.push((op.at.base, Use::Address));
                uses.extend(op.barrier.map(|at| (at.base, Use::Address)));
                let coordinates = op.coordinates.iter().chain(&op.offsets);
                uses.extend(coordinates.map(|at| (*at, Use::Operand("a coordinate of a tensor"))));
            }
            Async::Zeros { at, size, .. } => {
                uses.push((at.base, Use::Address));
                uses.push((*size, Use::Operand("the size of a copy")));
            }
            Async::Arrive { at, .. } => uses.push((at.base, Use::Address)),
            Async::CloseGroup { .. } | Async::Wait { .. } => {}
        },
        Op::Matrix(op) => match &**op {
            Matrix::Rows(rows) => uses.push((rows.at.base, Use::Address)),
            Matrix::Fragment(fragment) => uses.push((fragment.at.base, Use::Address)),
            Matrix::Product(_) | Matrix::Transpose(..) => {}
        },
        Op::Tensor(op) => match &**op {
            Tensor::Allocate(_, at, columns) => {
                uses.push((at.base, Use::Address));
                uses.push((*columns, Use::Operand("a number of columns")));
            }
            Tensor::Free(at, columns) => {
                uses.push((*at, Use::Address));
                uses.push((*columns, Use::Operand("a number of columns")));
            }
            Tensor::Load(_, pattern, _) | Tensor::Store(_, pattern) => {
                uses.push((pattern.at.base, Use::Address));
            }
            Tensor::Product(product) => {
                uses.push((product.d.base, Use::Address));
                uses.push(match product.a {
                    Ok(matrix) => (matrix, Use::Operand("a matrix descriptor")),
                    Err(at) => (at.base, Use::Address),
                });
                let scales = product.scales.iter().flatten();
                uses.extend(scales.map(|at| (at.base, Use::Address)));
                uses.extend((product.metadata).map(|at| (at.base, Use::Address)));
                uses.extend((product.mask).map(|mask| (mask, Use::Operand("a zero-column mask"))));
                uses.push((product.b, Use::Operand("a matrix descriptor")));
                uses.push((
                    product.descriptor,
                    Use::Operand("an instruction descriptor"),
                ));
                uses.push((product.adds, Use::Operand("the predicate of a product")));
                uses.extend(
                    (product.disabled.iter()).map(|mask| (*mask, Use::Operand("a mask of lanes"))),
                );
            }
            Tensor::Copy(_, at, from) => {
                uses.push((at.base, Use::Address));
                uses.push((*from, Use::Operand("a matrix descriptor")));
            }
            Tensor::Commit(_, at, blocks) => {
                uses.push((at.base, Use::Address));
                uses.extend(blocks.map(|mask| (mask, Use::Operand("a mask of blocks"))));
            }
            Tensor::Relinquish | Tensor::WaitForLoads | Tensor::WaitForStores => {}
        },
        Op::Group(op) => {
            if let Group::Product(product) = &**op {
                uses.push((product.b_matrix, Use::Operand("a matrix descriptor")));
                uses.extend((product.a_matrix).map(|a| (a, Use::Operand("a matrix descriptor"))));
                uses.push((product.adds, Use::Operand("the predicate of a product")));
                uses.extend((product.metadata).map(|(m, _)| (m, Use::Operand("metadata"))));
            }
        }
        _ => return None,
    }
    uses.into_iter().find_map(|(source, what)| {
        let lanes = undefined(source);
        (lanes != 0).then_some((source, lanes, what))
    })
}

/// Sets the undefined bits of the results.
fn propagate(shadow: &mut Shadow, frame: &Frame, around: Around<'_>, op: &Op, active: u32) {
    // What the rules of two and three sources need: bits and values.
    let mut results: SmallVec<[(Dst, Src); 4]> = SmallVec::new();
    for lane in lanes(active) {
        let u = |shadow: &Shadow, source: Src| shadow.get(source, lane);
        let v = |source: Src| frame.get(source, lane, around);
        match op {
            Op::Word(op, d, a, b, c) => {
                let bits = word(
                    *op,
                    [*a, *b, *c].map(|s| (v(s) as u32, u(shadow, s) as u32)),
                );
                put(
                    shadow,
                    Dst::W(*d, u32::MAX),
                    lane,
                    u64::from(bits),
                    &[*a, *b, *c],
                );
            }
            Op::Double(op, d, a, b, c) => {
                let bits = double(*op, [*a, *b, *c].map(|s| (v(s), u(shadow, s))));
                put(shadow, Dst::D(*d), lane, bits, &[*a, *b, *c]);
            }
            Op::CompareWord(op, d, a, b) | Op::CompareDouble(op, d, a, b) => {
                let bits = compare(*op, [*a, *b].map(|s| (v(s), u(shadow, s))));
                put(shadow, Dst::P(*d), lane, bits, &[*a, *b]);
            }
            Op::Float(_, precision, d, a, b, c) => {
                let any = u(shadow, *a) | u(shadow, *b) | u(shadow, *c);
                let to = match precision {
                    Precision::Double => Dst::D(*d),
                    Precision::Single | Precision::Flushed => Dst::W(*d, u32::MAX),
                };
                put(shadow, to, lane, all_if(any), &[*a, *b, *c]);
            }
            Op::CompareFloat(_, d, a, b) => {
                let any = u(shadow, *a) | u(shadow, *b);
                put(shadow, Dst::P(*d), lane, all_if(any), &[*a, *b]);
            }
            Op::One(f, d, a) => {
                let bits = evaluated([(v(*a), u(shadow, *a)), (0, 0), (0, 0)], *d, |x| f(x[0]));
                put(shadow, *d, lane, bits, &[*a]);
            }
            Op::Two(f, d, a, b) => {
                let sources = [*a, *b].map(|s| (v(s), u(shadow, s)));
                let bits = evaluated([sources[0], sources[1], (0, 0)], *d, |x| f(x[0], x[1]));
                put(shadow, *d, lane, bits, &[*a, *b]);
            }
            Op::Three(f, d, a, b, c) => {
                let sources = [*a, *b, *c].map(|s| (v(s), u(shadow, s)));
                let bits = evaluated(sources, *d, |x| f(x[0], x[1], x[2]));
                put(shadow, *d, lane, bits, &[*a, *b, *c]);
            }
            Op::General(general) => {
                let sources: SmallVec<[(u64, u64); 8]> = general
                    .sources
                    .iter()
                    .map(|s| (v(*s), u(shadow, *s)))
                    .collect();
                let any = sources.iter().fold(0, |any, (_, bits)| any | bits);
                let mut bits: SmallVec<[u64; 8]> = general.results.iter().map(|_| any).collect();
                // The carry is not followed.
                if any != 0 && !general.carry_in && !general.carry_out {
                    let run = |x: &[u64], out: &mut [u64]| general.operation.run(x, out);
                    changed(&sources, run, &mut bits);
                    for (to, bits) in general.results.iter().zip(&mut bits) {
                        *bits = filled(*bits, *to);
                    }
                } else {
                    bits.iter_mut().for_each(|bits| *bits = all_if(*bits));
                }
                for (to, bits) in general.results.iter().zip(bits) {
                    put(shadow, *to, lane, bits, &general.sources);
                }
            }
            Op::Move(list) => {
                let bits: SmallVec<[u64; 8]> = list.iter().map(|(_, s)| u(shadow, *s)).collect();
                let origins: SmallVec<[Origin; 8]> =
                    list.iter().map(|(_, s)| shadow.origin(*s)).collect();
                for (i, (to, _)) in list.iter().enumerate() {
                    shadow.set(*to, lane, bits[i], origins[i]);
                }
            }
            Op::Pack(pack) => {
                let mask = u64::MAX >> (64 - pack.bits);
                let bits = pack.elements.iter().enumerate().fold(0, |all, (i, s)| {
                    all | u128::from(u(shadow, *s) & mask) << (i as u32 * pack.bits)
                });
                for (i, to) in pack.to.iter().enumerate() {
                    put(shadow, *to, lane, (bits >> (64 * i)) as u64, &pack.elements);
                }
            }
            Op::Unpack(unpack) => {
                let mask = u128::from(u64::MAX >> (64 - unpack.bits));
                let bits = unpack
                    .from
                    .iter()
                    .enumerate()
                    .fold(0, |all, (i, s)| all | u128::from(u(shadow, *s)) << (64 * i));
                for (i, to) in unpack.to.iter().enumerate() {
                    let bits = bits >> (i as u32 * unpack.bits) & mask;
                    put(shadow, *to, lane, bits as u64, &unpack.from);
                }
            }
            Op::Address(_, d, a, b) => {
                let any = u(shadow, *a) | u(shadow, *b);
                put(shadow, *d, lane, all_if(any), &[*a, *b]);
            }
            // What memory and other lanes bring is set when it comes.
            Op::Load(load) => results.extend(load.to.iter().map(|to| (*to, Src::Imm(0)))),
            Op::Atomic(atomic) => results.extend(atomic.to.iter().map(|to| (*to, Src::Imm(0)))),
            Op::Stack(StackOp::Grow { to, .. } | StackOp::Save(to)) | Op::ActiveMask(to) => {
                results.push((*to, Src::Imm(0)));
            }
            Op::Barrier(barrier) => results.push((barrier.to, barrier.value)),
            Op::Texture(op) => {
                results.extend(op.results().into_iter().map(|to| (to, Src::Imm(0))));
            }
            Op::Mbarrier(op) => {
                let all = [op.to].into_iter().chain(op.reports);
                results.extend(all.map(|to| (to, Src::Imm(0))));
            }
            Op::Collective(op) if op.what == Together::Wait => {}
            Op::Matrix(op) => {
                if let Matrix::Transpose(to, from) = &**op {
                    results.push((*to, *from));
                }
            }
            _ => {}
        }
        for (to, from) in results.drain(..) {
            let bits = all_if(u(shadow, from));
            put(shadow, to, lane, bits, &[from]);
        }
    }
}

/// Sets a result; its undefined bits came with the first source that has some.
fn put(shadow: &mut Shadow, to: Dst, lane: usize, bits: u64, sources: &[Src]) {
    let origin = sources
        .iter()
        .find(|source| shadow.get(**source, lane) != 0)
        .map_or(Origin::UNWRITTEN, |source| shadow.origin(*source));
    shadow.set(to, lane, bits, origin);
}

fn all_if(bits: u64) -> u64 {
    if bits != 0 { u64::MAX } else { 0 }
}

/// From the lowest undefined bit upwards.
fn upwards(bits: u64) -> u64 {
    bits | bits.wrapping_neg()
}

/// `and` of values with undefined bits: a zero decides.
fn and((a, ua): (u64, u64), (b, ub): (u64, u64)) -> u64 {
    (ua | ub) & (a | ua) & (b | ub)
}

/// `or` of values with undefined bits: a one decides.
fn or((a, ua): (u64, u64), (b, ub): (u64, u64)) -> u64 {
    (ua | ub) & (!a | ua) & (!b | ub)
}

fn select((a, ua): (u64, u64), (b, ub): (u64, u64), (c, uc): (u64, u64)) -> u64 {
    match (uc != 0, c != 0) {
        (true, _) => ua | ub | (a ^ b),
        (false, true) => ua,
        (false, false) => ub,
    }
}

fn word(op: Word, sources: [(u32, u32); 3]) -> u32 {
    let wide = sources.map(|(value, bits)| (u64::from(value), u64::from(bits)));
    let [(_, ua), (b, ub), (_, uc)] = sources;
    let any = if ua | ub | uc != 0 { u32::MAX } else { 0 };
    let shifted = |shift: &dyn Fn(u32) -> u32| if ub != 0 { any } else { shift(b) };
    match op {
        Word::Move | Word::Narrow | Word::Not => ua,
        Word::Add | Word::Sub | Word::Mul => upwards(wide[0].1 | wide[1].1) as u32,
        Word::Mad => upwards(wide[0].1 | wide[1].1 | wide[2].1) as u32,
        Word::And => and(wide[0], wide[1]) as u32,
        Word::Or => or(wide[0], wide[1]) as u32,
        Word::Xor => ua | ub,
        Word::Shl => shifted(&|by| ua.checked_shl(by).unwrap_or(0)),
        Word::ShrU => shifted(&|by| ua.checked_shr(by).unwrap_or(0)),
        Word::ShrS => shifted(&|by| (ua as i32 >> by.min(31)) as u32),
        Word::Select => select(wide[0], wide[1], wide[2]) as u32,
        Word::MinU | Word::MinS | Word::MaxU | Word::MaxS => any,
        Word::SingleOfU | Word::SingleOfS | Word::CutToU | Word::CutToS => any,
    }
}

fn double(op: Double, sources: [(u64, u64); 3]) -> u64 {
    let [(_, ua), (b, ub), (_, uc)] = sources;
    let shifted = |shift: &dyn Fn(u32) -> u64| match ub {
        0 => shift(b as u32),
        _ => u64::MAX,
    };
    let low = |bits: u64| bits & u64::from(u32::MAX);
    match op {
        Double::Move => ua,
        Double::Add | Double::Sub | Double::Mul => upwards(ua | ub),
        Double::MulWideU | Double::MulWideS => upwards(low(ua) | low(ub)),
        Double::Mad | Double::MadWideU | Double::MadWideS => upwards(ua | ub | uc),
        Double::And => and(sources[0], sources[1]),
        Double::Or => or(sources[0], sources[1]),
        Double::Xor => ua | ub,
        Double::Shl => shifted(&|by| ua.checked_shl(by).unwrap_or(0)),
        Double::ShrU => shifted(&|by| ua.checked_shr(by).unwrap_or(0)),
        Double::ShrS => shifted(&|by| (ua as i64 >> by.min(63)) as u64),
        Double::WidenU => low(ua),
        Double::WidenS => i64::from(ua as u32 as i32) as u64,
        Double::Select => select(sources[0], sources[1], sources[2]),
    }
}

/// Values whose defined bits differ are different, whatever the others are.
fn compare(op: Compare, [(a, ua), (b, ub)]: [(u64, u64); 2]) -> u64 {
    let differ = (a ^ b) & !(ua | ub) != 0;
    match op {
        Compare::Eq | Compare::Ne if differ => 0,
        _ => all_if(ua | ub),
    }
}

/// What stands in the place of undefined bits, one after another.
const GUESSES: [u64; 6] = [
    0,
    u64::MAX,
    0x5555_5555_5555_5555,
    0xaaaa_aaaa_aaaa_aaaa,
    0x9e37_79b9_7f4a_7c15,
    0x3c6e_f372_fe94_f82b,
];

/// The bits of a result that change with the undefined bits of its sources.
fn evaluated(sources: [(u64, u64); 3], to: Dst, f: impl Fn([u64; 3]) -> u64) -> u64 {
    if sources.iter().all(|(_, bits)| *bits == 0) {
        return 0;
    }
    let mut bits = [0];
    changed(&sources, |x, out| out[0] = f([x[0], x[1], x[2]]), &mut bits);
    filled(bits[0], to)
}

/// Runs an operation with several values in the place of the undefined bits, the values of its other sources among them (for
/// comparisons); gives the bits of each result that are not always the same.
fn changed(sources: &[(u64, u64)], mut run: impl FnMut(&[u64], &mut [u64]), results: &mut [u64]) {
    let mut first: SmallVec<[u64; 8]> = SmallVec::new();
    let mut out: SmallVec<[u64; 8]> = SmallVec::from_elem(0, results.len());
    results.fill(0);
    let values = sources.iter().map(|(value, bits)| value & !bits);
    let guesses = GUESSES.into_iter().chain(values);
    for guess in guesses {
        // All sources alike, and each with another value than the one before.
        for turn in [0, 1] {
            let with: SmallVec<[u64; 8]> = (0..)
                .zip(sources)
                .map(|(i, (value, bits))| value & !bits | guess.rotate_left(turn * i * 7) & bits)
                .collect();
            out.fill(0);
            run(&with, &mut out);
            if first.is_empty() {
                first = out.clone();
            }
            for (bits, (now, before)) in results.iter_mut().zip(out.iter().zip(&first)) {
                *bits |= now ^ before;
            }
        }
    }
}

/// Undefined bits of a result: arithmetic leaves few bits alone, by chance; moving bits leaves many.
fn filled(changed: u64, to: Dst) -> u64 {
    let width = match to {
        Dst::W(_, mask) => u64::from(mask),
        Dst::D(_) => u64::MAX,
        Dst::P(_) | Dst::Sink => 1,
    };
    let changed = changed & width;
    match 4 * changed.count_ones() >= 3 * width.count_ones() {
        true => u64::MAX,
        false => changed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_that_decide_nothing() {
        // The upper half of a register is undefined; the lower half is looked at.
        let half = (0x0000_1234, 0xffff_0000);
        assert_eq!(word(Word::And, [half, (0xffff, 0), (0, 0)]), 0);
        assert_eq!(word(Word::Shl, [half, (16, 0), (0, 0)]), 0);
        assert_eq!(word(Word::ShrU, [half, (16, 0), (0, 0)]), 0xffff);
        assert_eq!(
            word(Word::Or, [half, (0xff00_0000, 0), (0, 0)]),
            0x00ff_0000
        );
        assert_eq!(word(Word::Add, [half, (1, 0), (0, 0)]), 0xffff_0000);
        assert_eq!(word(Word::Select, [half, (5, 0), (0, 0)]), 0);
        assert_eq!(word(Word::MinU, [half, (1, 0), (0, 0)]), u32::MAX);
        let byte = |x: [u64; 3]| x[0] >> 8 & 0xff;
        let sources = [(0x0000_1234, 0xffff_0000), (0, 0), (0, 0)];
        assert_eq!(evaluated(sources, Dst::W(0, u32::MAX), byte), 0);
        assert_eq!(
            evaluated(sources, Dst::W(0, u32::MAX), |x| x[0] >> 16),
            0xffff
        );
    }

    #[test]
    fn comparisons() {
        let half = (0x0000_1234, 0xffff_0000);
        assert_eq!(compare(Compare::Eq, [half, (0x1235, 0)]), 0);
        assert_eq!(compare(Compare::Eq, [half, (0x1234, 0)]), u64::MAX);
        assert_eq!(compare(Compare::LtU, [half, (0x1235, 0)]), u64::MAX);
        let equal = |x: [u64; 3]| u64::from(x[0] == x[1]);
        let all = (0, u64::from(u32::MAX));
        assert_eq!(
            evaluated([all, (77, 0), (0, 0)], Dst::P(0), equal),
            u64::MAX
        );
        // What is false anyway decides.
        let both = |x: [u64; 3]| x[0] & x[1];
        assert_eq!(evaluated([(0, 1), (0, 0), (0, 0)], Dst::P(0), both), 0);
        assert_eq!(
            evaluated([(0, 1), (1, 0), (0, 0)], Dst::P(0), both),
            u64::MAX
        );
        assert_eq!(
            evaluated([(0, 1), (0, 1), (0, 0)], Dst::P(0), |x| x[0] ^ x[1]),
            u64::MAX
        );
    }
}
