//! How many registers the order may take: more of them hide what a warp waits for, fewer leave room for more warps, which do so, too.
//!
//! For each number of registers at which a multiprocessor holds another number of warps all stretches are put in order, and
//! the number counts with which they take the least: a stretch takes what the busiest resource needs for it, or what a warp
//! alone needs divided by the number of warps, joined as in `crate::cost`.

use super::pressure::{Pressure, most_live};
use super::{Aim, BESIDES, Found, LEAST, PREDICATES, Planner, STEP};
use crate::analysis::liveness::Liveness;
use crate::cost::demand::Demand;
use crate::cost::{joined, warps};
use crate::ir::{Function, Inst};
use crate::version::Order;

/// How much longer it may take than the fastest with more warps: they hide more than is counted here.
const MARGIN: f64 = 1.02;

/// How much more warps are worth besides: the rounds of loops are guessed, and of a grid that does not fit the blocks that are left are
/// executed alone. A guess.
const MORE_WARPS: f64 = 0.5;

/// How many warps of a block a quarter of a multiprocessor may have; how many a kernel's blocks have is not known.
const OF_BLOCK: [u32; 3] = [1, 2, 4];

/// Numbers of registers with which a quarter of a multiprocessor holds 4, 5, 6, 7, 8, 9, 10, 12 and 16 warps. Source: the CUDA
/// occupancy tables, all chips from sm_80 on.
const STEPS: [i32; 11] = [255, 168, 128, 96, 80, 72, 64, 56, 48, 40, 32];

/// In a function of more instructions fewer steps are tried.
const LARGE: usize = 4096;

/// The cycles for which instructions keep what executes them.
pub(super) fn busy(insts: &[Inst]) -> f64 {
    let mut demand = Demand::default();
    for inst in insts {
        demand.add(&Demand::of(inst.shape), 1.0);
    }
    demand.fullest().0
}

/// The warps of a quarter of a multiprocessor with so many registers, which come by whole blocks: the mean for different ones.
fn likely_warps(registers: u32) -> f64 {
    let warps = warps(registers);
    let fitting = OF_BLOCK.into_iter().filter(|own| *own <= warps);
    let each = fitting.map(|own| f64::from(warps / own * own));
    let (product, count) = each.fold((1.0, 0), |(product, count), one| (product * one, count + 1));
    product.powf(1.0 / f64::from(count.max(1)))
}

impl Planner<'_> {
    /// Finds the orders that take the least time, with at most so many registers.
    pub(super) fn choose(&mut self, registers: i32) {
        let count = self.stretches.len();
        let mut widest = Vec::with_capacity(count);
        let mut floor = LEAST;
        for number in 0..count {
            widest.push(self.within(number, registers, None));
            let own = &self.stretches[number].pressure;
            floor = floor.max(own.0.registers.max(own.1.registers));
        }
        let most = |found: &[Found]| found.iter().map(|one| one.peak.registers).max();
        let mut peak = most(&widest).unwrap_or(0);
        let mut best = widest.clone();
        let mut least = self.time(&widest, peak);
        let is_large = self
            .function
            .blocks
            .iter()
            .map(|one| one.insts.len())
            .sum::<usize>()
            > LARGE;
        let mut before = widest;
        for (number, step) in STEPS.into_iter().enumerate() {
            let level = step - self.besides;
            // With as many warps as now nothing is won.
            if level >= peak || is_large && number % 2 == 1 {
                continue;
            }
            if level < floor {
                break;
            }
            let found: Vec<Found> = (0..count)
                .map(|number| self.within(number, level, Some(&before[number])))
                .collect();
            let own = most(&found).unwrap_or(0);
            if own > level && peak <= registers {
                break;
            }
            peak = own;
            let time = self.time(&found, peak);
            let lasts = best.iter().all(|one| one.peak.registers <= registers);
            if time < least * MARGIN || !lasts {
                best.clone_from(&found);
            }
            least = least.min(time);
            before = found;
        }
        for (own, found) in self.stretches.iter_mut().zip(best) {
            own.best = found;
        }
    }

    /// The best order of a stretch with at most so many registers, if that can be; from that with more.
    fn within(&mut self, number: usize, registers: i32, wider: Option<&Found>) -> Found {
        let limits = Pressure {
            registers,
            predicates: PREDICATES,
        };
        if let Some(wider) = wider
            && wider.peak.registers <= registers
        {
            return wider.clone();
        }
        // What needs few registers is looked for among more orders: where it is anyway, the others need not be by themselves.
        let fast = wider
            .is_none()
            .then(|| self.try_with(number, limits, Aim::Fast));
        let fast = fast.flatten().filter(|fast| fast.peak.over(limits) == 0);
        let best = fast.or_else(|| self.try_with(number, limits, Aim::Few));
        // The order of the source was not counted, and may need fewer.
        let source = &self.stretches[number].best;
        let best = best.filter(|best| best.peak.over(limits) <= source.peak.over(limits));
        best.unwrap_or_else(|| source.clone())
    }

    /// What all stretches take with as many warps as so many live values leave room for.
    fn time(&self, found: &[Found], peak: i32) -> f64 {
        let warps = likely_warps((peak + self.besides).clamp(1, 255) as u32);
        let each = self.stretches.iter().zip(found).map(|(own, found)| {
            let waiting = f64::from(found.cycles) / warps;
            own.weight as f64 * joined(waiting, own.busy)
        });
        each.sum::<f64>() / warps.powf(MORE_WARPS)
    }
}

/// The registers of a kernel that needs no more than it has values, in the order in which it is.
pub(crate) fn needed(function: &Function) -> i32 {
    most_live(function, &Liveness::of(function)) + BESIDES
}

/// So many registers, up to the next number by which warps get them.
pub(crate) fn in_steps(registers: i32) -> i32 {
    (registers + STEP - 1) / STEP * STEP
}

/// The time that a kernel takes in the order in which it is, with so many registers; whatever it is counted in, different orders are
/// compared by it.
pub(crate) fn time(function: &Function, registers: i32) -> f64 {
    let mut planner = Planner::of(function, Order::Balanced, 0);
    planner.cut();
    let found: Vec<Found> = (0..planner.stretches.len())
        .map(|number| planner.as_it_is(number))
        .collect();
    planner.time(&found, registers - BESIDES)
}
