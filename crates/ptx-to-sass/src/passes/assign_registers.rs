//! Virtual registers get registers of the machine.
//!
//! Each lane of a virtual register occupies its place in the segments in which it is live (`analysis/segments.rs`), with
//! holes between them. Registers of three lanes and more are placed first, the widest of all before the others, then the
//! rest in the order of their beginning, each at the lowest place that is free and aligned; a move's two sides try to share
//! one.
//!
//! Registers of the machine that the code names (arguments, results and return addresses of calls) are taken from where
//! they are written to where they are read, and a call takes all that the callee may change: what it writes, where it was
//! assembled before (`ir/changed.rs`), else what the convention lets it change. In a function those come first that it need
//! not keep.
//!
//! Uniform registers are kept from other lanes (`analysis/sides.rs`).
//!
//! When all have places, values that would wait for instructions which read registers late go to other ones (`apart`), and those
//! that are in the way of others in their bank to free ones of the other (`banks`).
//!
//! What finds no place is spilled (`passes/spill.rs`), and all is done again.

mod apart;
mod banks;

use crate::abi;
use crate::analysis::constants::constants;
use crate::analysis::empty;
use crate::analysis::register_counts::RegisterCounts;
use crate::analysis::segments::{Segment, Segments};
use crate::analysis::uses::weights as weights_of;
use crate::assemble::MORE;
use crate::build::group::is_product;
use crate::ir::{File, Function, Inst, Op, Reg};
use crate::version::Version;
use warpc_sass::Value;

/// The registers of a file that may be given out.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many registers a thread may have.
    pub registers: u8,
    /// What passes are asked to do otherwise than usual.
    pub version: Version,
}

impl Limits {
    /// So many registers, and all else as usual.
    pub fn new(registers: u8) -> Limits {
        Limits {
            registers,
            version: Version::default(),
        }
    }
}

/// For each virtual register the first register of the machine.
pub struct Assignment {
    places: Vec<Option<u8>>,
    /// How many registers values need. They may have others besides that cost nothing.
    needed: u8,
}

impl Assignment {
    /// How many registers of the machine values need, with those between them.
    pub fn registers(&self) -> u8 {
        self.needed
    }

    /// The register of the machine of a lane.
    pub fn of(&self, reg: Reg, lane: u8) -> Option<u8> {
        Some(self.places[reg.0 as usize]? + lane)
    }
}

/// The registers of a file, each with the segments in which it is taken.
struct Taken {
    all: Vec<Vec<(u32, u32, Reg)>>,
    /// The last segment of each, which decides most questions; of one that is free, an empty one.
    last: Vec<Segment>,
}

impl Taken {
    fn new(count: usize) -> Taken {
        Taken {
            all: vec![Vec::new(); count],
            last: vec![(0, 0); count],
        }
    }

    /// Becomes a copy of these registers. What was there before is not given back, because as much comes again.
    fn copy(&mut self, registers: &[Vec<(u32, u32, Reg)>]) {
        self.all.resize(registers.len(), Vec::new());
        self.last.resize(registers.len(), (0, 0));
        for (register, other) in registers.iter().enumerate() {
            self.all[register].clone_from(other);
            self.keep_last(register);
        }
    }

    /// Notes the last segment of a register after a change.
    fn keep_last(&mut self, register: usize) {
        let last = self.all[register].last();
        self.last[register] = last.map_or((0, 0), |last| (last.0, last.1));
    }

    /// Whether the last segment of a register has something in common with another one.
    #[inline]
    fn ends_with_overlap(&self, register: usize, (start, end): Segment) -> bool {
        let last = self.last.get(register);
        last.is_some_and(|last| last.1 > start && last.0 < end)
    }

    /// Whether a register is free in all of these segments.
    fn is_free(&self, register: usize, wanted: &[Segment]) -> bool {
        let Some((start, end)) = wanted.first() else {
            return true;
        };
        // Values come in the order of their beginnings, so that the last one often decides.
        let (last_start, last_end) = self.last[register];
        if last_end <= *start {
            return true;
        }
        if last_start < *end {
            return false;
        }
        let own = &self.all[register];
        wanted.iter().all(|(start, end)| {
            let next = own.partition_point(|(_, own_end, _)| own_end <= start);
            own.get(next).is_none_or(|(own_start, ..)| own_start >= end)
        })
    }

    fn take(&mut self, register: usize, segments: &[Segment], reg: Reg) {
        let own = &mut self.all[register];
        for (start, end) in segments {
            let at = own.partition_point(|one| one.0 < *start);
            own.insert(at, (*start, *end, reg));
        }
        self.keep_last(register);
    }

    /// Those that are in the way of these segments, or of each register the first of them: a value that lives long has
    /// thousands in its way, and to look at all of them for each that finds no place would take minutes.
    fn in_the_way<'a>(
        &'a self,
        room: usize,
        wanted: &'a [Segment],
    ) -> impl Iterator<Item = Reg> + 'a {
        self.all.iter().take(room).flat_map(move |own| {
            wanted.iter().flat_map(move |(start, end)| {
                let first = own.partition_point(|(_, own_end, _)| own_end <= start);
                let rest = own[first..].iter();
                let own = rest.take_while(move |one| one.0 < *end);
                own.take(LOOKED_AT).map(|one| one.2)
            })
        })
    }

    /// Gives back the registers that a value has, from the first on.
    fn release(&mut self, first: usize, lanes: usize, reg: Reg) {
        for register in (first..self.all.len()).take(lanes) {
            self.all[register].retain(|one| one.2 != reg);
            self.keep_last(register);
        }
    }
}

/// How many values of a register are looked at for one to be spilled.
const LOOKED_AT: usize = 16;

/// By how much computing a value again costs less than storing it and loading it. A guess: a number takes one instruction
/// without memory, and nothing is stored.
const CHEAPER_AGAIN: u64 = 4;

/// The uniform registers that are kept for the descriptor of global memory.
const KEPT_UNIFORM: [u8; 2] = [crate::build::DESCRIPTOR, crate::build::DESCRIPTOR + 1];

/// Warps get registers in such steps, and with so many of a thread a multiprocessor has all warps that it can have.
const STEP: usize = 8;
const FULL: usize = 32;

/// The register of the stack.
const STACK: u8 = 1;

/// Whether a register of the machine may be given out.
fn is_available(function: &Function, file: File, number: u8) -> bool {
    match file {
        File::Register => number != STACK && number != function.frame_base,
        File::Uniform => !KEPT_UNIFORM.contains(&number),
        _ => true,
    }
}

fn count(function: &Function, file: File, limits: &Limits) -> usize {
    match file {
        // What a function would have to keep, it does not use.
        File::Uniform if !function.is_kernel => usize::from(abi::KEPT_UNIFORM),
        File::Register => {
            let counts = RegisterCounts::of(function);
            usize::from(counts.map_or(limits.registers, |counts| counts.most()))
        }
        File::Predicate | File::UniformPredicate => 7,
        File::Uniform => 63,
        // A copy of a barrier that callers count on could name lanes that have left it.
        File::Barrier if !function.is_kernel && function.barriers_are_left => {
            usize::from(abi::KEPT_BARRIER)
        }
        File::Barrier => 16,
    }
}

const FILES: [File; 5] = [
    File::Register,
    File::Predicate,
    File::Uniform,
    File::UniformPredicate,
    File::Barrier,
];

/// Gives places to all virtual registers; else those that are to be spilled. `kept` says which must not be.
///
/// Where one finds no place, of it and of those in its way the one goes that is live for longest and touched least.
pub fn assign(function: &Function, limits: &Limits, kept: &[bool]) -> Result<Assignment, Vec<Reg>> {
    let problem = Problem::of(function, kept);
    let mut places: Vec<Option<u8>> = vec![None; function.regs.len()];
    let mut without = Vec::new();
    let mut named = Taken::new(count(function, File::Register, limits));
    take_named(function, File::Register, &mut named);
    for file in FILES {
        let missing = problem.place_all((file, limits), &named, &mut places);
        without.extend(missing);
    }
    match without.is_empty() {
        true => {
            // Who says how many registers there are has all of them.
            if function.is_kernel && problem.room.is_none() {
                problem.pack(&named, &mut places);
            }
            let needed = u8::try_from(problem.used(&places)).unwrap_or(u8::MAX);
            // The registers that functions must keep are chosen with more care.
            if function.is_kernel {
                problem.spread(named, limits, &mut places);
            }
            Ok(Assignment { places, needed })
        }
        false => Err(without),
    }
}

/// In which order registers are given places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// As they begin in the code.
    Begin,
    /// The same, pairs before the others.
    PairsFirst,
    /// Those that are live for longest first.
    LongestFirst,
}

/// The orders that are tried to need fewer registers.
const ORDERS: [Order; 3] = [Order::PairsFirst, Order::Begin, Order::LongestFirst];

/// The orders that are tried where registers do not last.
const TRIED: [Order; 3] = [Order::Begin, Order::PairsFirst, Order::LongestFirst];

/// In larger functions none are.
const MOST_TO_PACK: usize = 20_000;

/// What is known of a function before registers get places.
struct Problem<'a> {
    function: &'a Function,
    kept: &'a [bool],
    segments: Segments,
    /// The registers of each of [`FILES`], and where they begin.
    by_file: [Vec<(u32, Reg)>; FILES.len()],
    friends: Vec<smallvec::SmallVec<[(Reg, i8); 2]>>,
    hints: Vec<smallvec::SmallVec<[usize; 1]>>,
    of_groups: Vec<bool>,
    /// How many registers there are wherever each of them is live, if that changes.
    room: Option<Vec<u8>>,
    gains: std::cell::OnceCell<Vec<u64>>,
    /// Whether it calls or returns.
    has_calls: bool,
}

impl<'a> Problem<'a> {
    fn of(function: &'a Function, kept: &'a [bool]) -> Problem<'a> {
        let segments = Segments::of(function);
        let mut by_file = [const { Vec::new() }; FILES.len()];
        for (number, data) in (0..).zip(&function.regs) {
            let own = segments.lanes(function, Reg(number)).iter();
            let begin = own.filter_map(|lane| Some(lane.first()?.0)).min();
            let file = FILES.iter().position(|file| *file == data.file);
            if let (Some(begin), Some(file)) = (begin, file) {
                by_file[file].push((begin, Reg(number)));
            }
        }
        Problem {
            function,
            kept,
            by_file,
            room: RegisterCounts::of_values(function, &segments),
            segments,
            friends: friends(function),
            hints: hints(function),
            of_groups: of_groups(function),
            gains: std::cell::OnceCell::new(),
            has_calls: has_calls(function),
        }
    }

    /// For how long a register is live.
    fn length(&self, reg: Reg) -> u32 {
        let own = self.segments.lanes(self.function, reg).iter();
        let each = own.map(|lane| lane.iter().map(|(start, end)| end - start).sum());
        each.max().unwrap_or(0)
    }

    /// What keeping a register free is worth, for what spilling costs: worked out for all of them once one is without a
    /// place, because those that are in the way of one may be all that there are.
    fn gain(&self, reg: Reg) -> u64 {
        let gains = self.gains.get_or_init(|| {
            let function = self.function;
            let weights = weights_of(function).into_iter().zip(constants(function));
            let costs = weights.map(|(weight, is_constant)| match is_constant {
                true => weight.div_ceil(CHEAPER_AGAIN),
                false => weight,
            });
            let costs = (0..).map(Reg).zip(costs);
            costs
                .map(|(reg, cost)| (u64::from(self.length(reg)) << 20) / cost.max(1))
                .collect()
        });
        gains[reg.0 as usize]
    }

    /// The registers below this one are there wherever a value is live.
    fn room_of(&self, reg: Reg) -> usize {
        let room = self.room.as_ref();
        room.map_or(usize::MAX, |room| usize::from(room[reg.0 as usize]))
    }

    fn is_kept(&self, reg: Reg) -> bool {
        self.kept.get(reg.0 as usize).copied().unwrap_or(false)
    }

    /// The registers of a file, in the order in which they get places.
    fn in_order(&self, file: File, order: Order) -> impl Iterator<Item = Reg> + use<> {
        let files = FILES.iter().zip(&self.by_file);
        let own = files.filter(|one| *one.0 == file).flat_map(|one| one.1);
        // What decides first is in the upper bits.
        let mut all: Vec<(u64, Reg)> = own
            .map(|(begin, reg)| {
                let (begin, reg) = (*begin, *reg);
                let lanes = self.function.data(reg).lanes;
                // The widest leave the fewest choices.
                let wide = if lanes > 4 { u8::MAX - lanes } else { u8::MAX };
                let (is_late, place) = match order {
                    Order::Begin => (lanes < 3, begin),
                    Order::PairsFirst => (lanes < 2, begin),
                    Order::LongestFirst => (lanes < 3, u32::MAX - self.length(reg)),
                };
                let class = u64::from(is_late) << 8 | u64::from(wide);
                (class << 32 | u64::from(place), reg)
            })
            .collect();
        all.sort_unstable();
        all.into_iter().map(|one| one.1)
    }

    /// The place of a register: near those that it is moved from or to, else the first of `numbers`.
    fn find(
        &self,
        reg: Reg,
        file: File,
        taken: &Taken,
        places: &[Option<u8>],
        numbers: &[usize],
        is_packed: bool,
    ) -> Option<usize> {
        let data = self.function.data(reg);
        let (lanes, align) = (usize::from(data.lanes), usize::from(data.alignment()));
        let wanted = self.segments.lanes(self.function, reg);
        let room = taken.all.len().min(self.room_of(reg));
        let first = wanted.first().and_then(|own| own.first()).copied();
        // Most of those that are tried are taken, and the last segment shows it.
        let is_taken = |base: usize| first.is_some_and(|one| taken.ends_with_overlap(base, one));
        let fits = |base: usize| {
            base.is_multiple_of(align)
                && base + lanes <= room
                && (base..base + lanes).all(|one| {
                    let own = &wanted[one - base];
                    own.is_empty()
                        || is_available(self.function, file, one as u8) && taken.is_free(one, own)
                })
        };
        let friends = self.friends[reg.0 as usize].iter();
        let mut friends = friends.filter_map(|(other, distance)| {
            let place = i32::from(places[other.0 as usize]?) + i32::from(*distance);
            usize::try_from(place).ok()
        });
        let mut named = self.hints[reg.0 as usize].iter().copied();
        let is_group = self.of_groups[reg.0 as usize];
        let is_high = |place: usize| !is_group || place >= FIRST_OF_GROUP;
        let can_be = |place: usize| is_high(place) && !is_taken(place) && fits(place);
        let found = friends.find(|place| can_be(*place));
        let found = found.or_else(|| named.find(|place| can_be(*place)));
        let found = found.or_else(|| {
            // The other half of a pair that is taken anyway.
            let is_half = |place: usize| {
                let other = place ^ 1;
                !is_available(self.function, file, other as u8)
                    || taken
                        .all
                        .get(other)
                        .is_some_and(|_| !taken.is_free(other, &wanted[0]))
            };
            let next = |from: usize| {
                for (at, place) in (from..).zip(&numbers[from..]) {
                    if !is_taken(*place) && is_high(*place) && fits(*place) {
                        return Some((at, *place));
                    }
                }
                None
            };
            let (at, first) = next(0)?;
            if !is_packed || lanes != 1 || is_half(first) {
                return Some(first);
            }
            // Else the first that is not.
            let mut from = at + 1;
            while let Some((at, place)) = next(from) {
                if is_half(place) {
                    return Some(place);
                }
                from = at + 1;
            }
            Some(first)
        });
        let is_free = |place: usize| !is_taken(place) && fits(place);
        match is_group {
            true => found.or_else(|| numbers.iter().copied().find(|place| is_free(*place))),
            // All were tried.
            false => found,
        }
    }

    fn put(&self, reg: Reg, base: usize, taken: &mut Taken, places: &mut [Option<u8>]) {
        places[reg.0 as usize] = Some(base as u8);
        let wanted = self.segments.lanes(self.function, reg);
        for (one, own) in (base..).zip(wanted) {
            taken.take(one, own, reg);
        }
    }

    /// Gives places to the registers of a file, in the order that leaves the fewest without one; those. `named` has the
    /// registers that the code names itself.
    fn place_all(
        &self,
        (file, limits): (File, &Limits),
        named: &Taken,
        places: &mut Vec<Option<u8>>,
    ) -> Vec<Reg> {
        let mut taken = Taken::new(0);
        if file != File::Register {
            taken = Taken::new(count(self.function, file, limits));
            // Instructions name others than those of calls and returns in no case.
            if self.has_calls {
                take_named(self.function, file, &mut taken);
            }
            let mut without = Vec::new();
            self.place((file, Order::Begin), &mut taken, places, &mut without);
            return without;
        }
        let before = places.clone();
        let mut least = None;
        let mut missing = Vec::new();
        for order in TRIED {
            taken.copy(&named.all);
            let (mut new, mut without) = (before.clone(), Vec::new());
            self.place((file, order), &mut taken, &mut new, &mut without);
            let lanes = without
                .iter()
                .map(|reg| u32::from(self.function.data(*reg).lanes));
            let own: u32 = lanes.sum();
            if least.is_none_or(|least| own < least) {
                least = Some(own);
                (*places, missing) = (new, without);
            }
            if own == 0 || self.is_large() {
                break;
            }
        }
        missing
    }

    /// Whether other orders are not tried, because that would take long.
    fn is_large(&self) -> bool {
        self.function.regs.len() > MOST_TO_PACK
    }

    /// Gives places to the registers of a file; those that find none, or make room for others, are `without` one.
    fn place(
        &self,
        (file, order): (File, Order),
        taken: &mut Taken,
        places: &mut [Option<u8>],
        without: &mut Vec<Reg>,
    ) {
        let numbers = preferred(self.function, file, taken.all.len());
        for reg in self.in_order(file, order) {
            loop {
                if let Some(base) = self.find(reg, file, taken, places, &numbers, false) {
                    self.put(reg, base, taken, places);
                    break;
                }
                let wanted = self.segments.lanes(self.function, reg);
                let room = self.room_of(reg);
                let others = wanted.iter().flat_map(|own| taken.in_the_way(room, own));
                let victim = others
                    .chain([reg])
                    .filter(|one| *one != NAMED && !self.is_kept(*one))
                    .max_by_key(|one| (self.gain(*one), one.0));
                // Where none may go, there is nothing left to try, and the caller sees it.
                let victim = victim.unwrap_or(reg);
                without.push(victim);
                if victim == reg {
                    break;
                }
                if let Some(first) = places[victim.0 as usize].take() {
                    let lanes = self.function.data(victim).lanes;
                    taken.release(first.into(), lanes.into(), victim);
                }
            }
        }
    }

    /// Moves values out of the way of others in their bank; `named` has what the code names itself.
    fn spread(&self, named: Taken, limits: &Limits, places: &mut [Option<u8>]) {
        if self.room.is_some() {
            return;
        }
        let mut taken = named;
        for reg in self.in_order(File::Register, Order::Begin) {
            if let Some(base) = places[reg.0 as usize] {
                self.put(reg, base.into(), &mut taken, places);
            }
        }
        let stays = |reg: Reg, place: usize, places: &[Option<u8>]| {
            let mut friends = self.friends[reg.0 as usize].iter();
            let shares = friends.any(|(other, distance)| {
                let own = places[other.0 as usize].map(|own| i32::from(own) + i32::from(*distance));
                own == i32::try_from(place).ok()
            });
            let is_named = self.hints[reg.0 as usize].contains(&place);
            shares || is_named || self.of_groups[reg.0 as usize]
        };
        // Warps get registers in steps, and up to the next one more cost nothing.
        let used = self.used(places);
        let most = (used + MORE as usize).next_multiple_of(STEP).max(FULL) - MORE as usize;
        let most = most.min(limits.registers.into()).min(taken.all.len());
        let (function, segments) = (self.function, &self.segments);
        apart::keep_apart(function, segments, (used, most), stays, &mut taken, places);
        banks::spread(function, segments, stays, &mut taken, places);
    }

    /// How many registers these places take.
    fn used(&self, places: &[Option<u8>]) -> usize {
        let all = places.iter().zip(&self.function.regs);
        let ends = all.filter_map(|(place, data)| {
            let is_one = data.file == File::Register;
            place
                .filter(|_| is_one)
                .map(|place| usize::from(place) + usize::from(data.lanes))
        });
        ends.max().unwrap_or(0)
    }

    /// The most registers that are live at a time, with that of the stack.
    fn live(&self) -> usize {
        let mut changes: Vec<(u32, i32)> = Vec::new();
        for (number, data) in (0..).zip(&self.function.regs) {
            if data.file == File::Register {
                let lanes = self
                    .segments
                    .lanes(self.function, Reg(number))
                    .iter()
                    .flatten();
                changes.extend(lanes.flat_map(|(start, end)| [(*start, 1), (*end, -1)]));
            }
        }
        changes.sort_unstable();
        let live = changes.iter().scan(0, |live, change| {
            *live += change.1;
            Some(*live)
        });
        live.max().unwrap_or(0) as usize + 1
    }

    /// How many moves there are between different places.
    fn moves(&self, places: &[Option<u8>]) -> usize {
        let all = self.friends.iter().zip(places);
        let apart = all.flat_map(|(friends, place)| {
            friends.iter().filter(move |(other, distance)| {
                let other = places[other.0 as usize].map(i32::from);
                other
                    .zip(*place)
                    .is_some_and(|(other, place)| other + i32::from(*distance) != i32::from(place))
            })
        });
        apart.count() / 2
    }

    /// Tries to do with fewer registers, in other orders; pairs and tuples leave gaps.
    fn pack(&self, named: &Taken, places: &mut [Option<u8>]) {
        let mut used = self.used(places);
        let least = self.live().max(LEAST);
        if used <= least || self.is_large() {
            return;
        }
        let moves = self.moves(places);
        let file = File::Register;
        let mut taken = Taken::new(0);
        let mut new = Vec::with_capacity(places.len());
        for order in ORDERS {
            if used <= least {
                break;
            }
            let regs: Vec<Reg> = self.in_order(file, order).collect();
            while used > least {
                taken.copy(&named.all[..used - 1]);
                new.clear();
                new.extend_from_slice(places);
                for reg in &regs {
                    new[reg.0 as usize] = None;
                }
                let numbers = preferred(self.function, file, used - 1);
                let is_placed = regs.iter().all(|reg| {
                    let found = self.find(*reg, file, &taken, &new, &numbers, true);
                    if let Some(base) = found {
                        self.put(*reg, base, &mut taken, &mut new);
                    }
                    found.is_some()
                });
                // A move that is left costs more than a register or two.
                if !is_placed || self.moves(&new) > moves {
                    break;
                }
                used = self.used(&new);
                places.copy_from_slice(&new);
            }
        }
    }
}

/// A kernel that has no more than so many has no fewer, either.
const LEAST: usize = 6;

/// The first register that products of a warpgroup get, as long as there are others. Source: ptxas never gives them a lower
/// one.
const FIRST_OF_GROUP: usize = 24;

/// Which registers are accumulators or factors of products of a warpgroup.
fn of_groups(function: &Function) -> Vec<bool> {
    let mut all = vec![false; function.regs.len()];
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    for inst in insts.filter(|inst| is_product(inst)) {
        for (reg, ..) in inst.reads().chain(inst.writes()) {
            all[reg.0 as usize] = function.data(reg).file == File::Register;
        }
    }
    all
}

/// Stands for what the code names itself.
const NAMED: Reg = Reg(u32::MAX);

/// Below it, a function saves registers that it has to keep rather than use higher ones: as many as leave room for all
/// warps of a multiprocessor. Source: ptxas does the same.
const LOW: usize = 30;

/// The numbers of a file in the order in which they are tried.
fn preferred(function: &Function, file: File, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    if !function.is_kernel {
        all.sort_by_key(|number| {
            let is_high = file == File::Register && *number >= LOW;
            (is_high, abi::is_kept(file, *number as u8), *number)
        });
    }
    all
}

/// Whether there are calls or returns.
fn has_calls(function: &Function) -> bool {
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.shape.opcode(), "CALL" | "RET"))
}

/// A register of the machine that the code names itself.
#[derive(Clone, Copy)]
enum Named {
    /// Nothing is known to be in it.
    Free,
    /// A caller or callee has put something there, which may be read.
    Given(u32),
    /// It was written for a call or a return.
    Written(u32),
}

/// Takes the registers that the code names, and at calls all that a callee may change.
fn take_named(function: &Function, file: File, taken: &mut Taken) {
    let mut at = 0;
    let mut all = vec![Named::Free; taken.all.len()];
    let mut is_after_call = false;
    if !function.is_kernel && file == File::Register {
        // What a function is passed is there from its beginning on.
        all.fill(Named::Given(0));
        is_after_call = true;
    }
    for block in &function.blocks {
        if !std::mem::take(&mut is_after_call) {
            all.fill(Named::Free);
        }
        for inst in &block.insts {
            if file == File::Register {
                for register in named(inst, function.frame_base, false) {
                    close(taken, &all, register, at + 1);
                }
                for register in named(inst, function.frame_base, true) {
                    if let Some(one) = all.get_mut(usize::from(register)) {
                        *one = Named::Written(at + 1);
                    }
                    close(taken, &all, register, at + 2);
                }
            }
            is_after_call = inst.shape.opcode() == "CALL";
            if is_after_call || inst.shape.opcode() == "RET" {
                let changed = function.changed_by(inst);
                for register in 0..taken.all.len() {
                    let number = register as u8;
                    if let Named::Written(_) = all[register] {
                        close(taken, &all, number, at + 1);
                    }
                    all[register] = Named::Free;
                    let keeps = file == File::Uniform && KEPT_UNIFORM.contains(&number);
                    if is_after_call && !abi::is_kept(file, number) && !keeps {
                        all[register] = Named::Given(at + 1);
                        if changed.has(file, number) {
                            close(taken, &all, number, at + 2);
                        }
                    }
                }
            }
            at += 2;
        }
    }
}

/// Takes a register from where it was written until now.
fn close(taken: &mut Taken, all: &[Named], register: u8, until: u32) {
    let register = usize::from(register);
    let Some(Named::Given(since) | Named::Written(since)) = all.get(register).copied() else {
        return;
    };
    let own = &mut taken.all[register];
    // It may be read more than once.
    match own.last_mut() {
        Some(last) if last.0 <= since && since <= last.1 => last.1 = last.1.max(until),
        _ => own.push((since, until, NAMED)),
    }
    taken.keep_last(register);
}

/// The registers that an instruction names itself and reads or writes, but for the stack.
fn named(inst: &Inst, base: u8, written: bool) -> impl Iterator<Item = u8> + '_ {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let slots = slots.filter(move |(slot, _)| slot.is_written() == written);
    slots.flat_map(move |(slot, operand)| {
        let (first, width) = match operand.op {
            Op::Value(Value::Register(first)) if ![STACK, base, 255].contains(&first) => {
                (first, slot.width.registers(u128::MAX).max(1))
            }
            _ => (0, 0),
        };
        first..first + width
    })
}

/// For each register those that it is moved from or to, and how far from theirs its place would be.
fn friends(function: &Function) -> Vec<smallvec::SmallVec<[(Reg, i8); 2]>> {
    let mut all: Vec<smallvec::SmallVec<[(Reg, i8); 2]>> = empty(function.regs.len());
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if inst.shape.opcode() != "MOV" {
            continue;
        }
        if let [to, from, ..] = &inst.operands[..]
            && let (Op::Reg(to, to_lane), Op::Reg(from, from_lane)) = (to.op, from.op)
            && function.data(to).file == function.data(from).file
        {
            let distance = from_lane as i8 - to_lane as i8;
            all[to.0 as usize].push((from, distance));
            all[from.0 as usize].push((to, -distance));
        }
    }
    all
}

/// For each register the places of those that the code names and that it is moved from or to.
fn hints(function: &Function) -> Vec<smallvec::SmallVec<[usize; 1]>> {
    let mut all: Vec<smallvec::SmallVec<[usize; 1]>> = empty(function.regs.len());
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let [to, from, ..] = &inst.operands[..] else {
            continue;
        };
        if inst.shape.opcode() != "MOV" {
            continue;
        }
        let ((Op::Reg(reg, lane), Op::Value(Value::Register(number)))
        | (Op::Value(Value::Register(number)), Op::Reg(reg, lane))) = (to.op, from.op)
        else {
            continue;
        };
        let place = usize::from(number).checked_sub(lane.into());
        if let Some(place) = place.filter(|_| number < 255) {
            all[reg.0 as usize].push(place);
        }
    }
    all
}
