//! Operations of a warp: what a thread hands in, and what the manual says it gets.
//!
//! Each thread has the words: 0 and 1 the value, 2 the lane or distance, 3 the mask, 4 the place it comes from, 5
//! the clamp of shuffles. Threads with mask zero do not come.

use super::case::{Case, Draft, INPUT, OUTPUT, store};
use super::masks::{SORTS, Sort, masks};
use std::fmt::Write;
use warpc_testkit::Random;
use warpc_testkit::hash::fnv1a;

/// Threads of a block: the last warp has four.
const BLOCK: u32 = 100;
/// What a word is before the kernel writes it.
pub const UNTOUCHED: u32 = 0xeeee_eeee;

/// An operation.
#[derive(Clone, Copy)]
pub struct Operation {
    /// Its name, after `llvm.nvvm.`.
    pub name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Shuffle(Mode),
    Vote(Vote),
    MatchAny { wide: bool },
    MatchAll { wide: bool },
    Sum,
    Signed { largest: bool },
    Unsigned { largest: bool },
    Bits(Bits),
    Number { largest: bool, abs: bool, nan: bool },
    Elect,
    Meet,
    Active,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Idx,
    Up,
    Down,
    Bfly,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bits {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Vote {
    All,
    Any,
    Uni,
    Ballot,
}

const fn op(name: &'static str, kind: Kind) -> Operation {
    Operation { name, kind }
}

/// All operations.
pub const OPERATIONS: &[Operation] = &[
    op("shfl.sync.idx.i32", Kind::Shuffle(Mode::Idx)),
    op("shfl.sync.idx.f32", Kind::Shuffle(Mode::Idx)),
    op("shfl.sync.idx.i32p", Kind::Shuffle(Mode::Idx)),
    op("shfl.sync.idx.f32p", Kind::Shuffle(Mode::Idx)),
    op("shfl.sync.up.i32", Kind::Shuffle(Mode::Up)),
    op("shfl.sync.up.f32", Kind::Shuffle(Mode::Up)),
    op("shfl.sync.up.i32p", Kind::Shuffle(Mode::Up)),
    op("shfl.sync.up.f32p", Kind::Shuffle(Mode::Up)),
    op("shfl.sync.down.i32", Kind::Shuffle(Mode::Down)),
    op("shfl.sync.down.f32", Kind::Shuffle(Mode::Down)),
    op("shfl.sync.down.i32p", Kind::Shuffle(Mode::Down)),
    op("shfl.sync.down.f32p", Kind::Shuffle(Mode::Down)),
    op("shfl.sync.bfly.i32", Kind::Shuffle(Mode::Bfly)),
    op("shfl.sync.bfly.f32", Kind::Shuffle(Mode::Bfly)),
    op("shfl.sync.bfly.i32p", Kind::Shuffle(Mode::Bfly)),
    op("shfl.sync.bfly.f32p", Kind::Shuffle(Mode::Bfly)),
    op("shfl.idx.i32", Kind::Shuffle(Mode::Idx)),
    op("shfl.up.f32p", Kind::Shuffle(Mode::Up)),
    op("shfl.down.i32p", Kind::Shuffle(Mode::Down)),
    op("shfl.bfly.f32", Kind::Shuffle(Mode::Bfly)),
    op("vote.all.sync", Kind::Vote(Vote::All)),
    op("vote.any.sync", Kind::Vote(Vote::Any)),
    op("vote.uni.sync", Kind::Vote(Vote::Uni)),
    op("vote.ballot.sync", Kind::Vote(Vote::Ballot)),
    op("vote.all", Kind::Vote(Vote::All)),
    op("vote.any", Kind::Vote(Vote::Any)),
    op("vote.uni", Kind::Vote(Vote::Uni)),
    op("vote.ballot", Kind::Vote(Vote::Ballot)),
    op("match.any.sync.i32", Kind::MatchAny { wide: false }),
    op("match.any.sync.i64", Kind::MatchAny { wide: true }),
    op("match.all.sync.i32p", Kind::MatchAll { wide: false }),
    op("match.all.sync.i64p", Kind::MatchAll { wide: true }),
    op("redux.sync.add", Kind::Sum),
    op("redux.sync.min", Kind::Signed { largest: false }),
    op("redux.sync.max", Kind::Signed { largest: true }),
    op("redux.sync.umin", Kind::Unsigned { largest: false }),
    op("redux.sync.umax", Kind::Unsigned { largest: true }),
    op("redux.sync.and", Kind::Bits(Bits::And)),
    op("redux.sync.or", Kind::Bits(Bits::Or)),
    op("redux.sync.xor", Kind::Bits(Bits::Xor)),
    number("redux.sync.fmin", false, false, false),
    number("redux.sync.fmin.abs", false, true, false),
    number("redux.sync.fmin.NaN", false, false, true),
    number("redux.sync.fmin.abs.NaN", false, true, true),
    number("redux.sync.fmax", true, false, false),
    number("redux.sync.fmax.abs", true, true, false),
    number("redux.sync.fmax.NaN", true, false, true),
    number("redux.sync.fmax.abs.NaN", true, true, true),
    op("elect.sync", Kind::Elect),
    op("bar.warp.sync", Kind::Meet),
    op("activemask", Kind::Active),
];

const fn number(name: &'static str, largest: bool, abs: bool, nan: bool) -> Operation {
    op(name, Kind::Number { largest, abs, nan })
}

/// How threads come to the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callers {
    /// From one place.
    Together,
    /// From one of two places, each group from its own.
    Apart,
}

impl Operation {
    /// Old operations are between the threads that run now: only a whole warp knows who these are.
    fn has_mask(&self) -> bool {
        self.name.contains("sync")
    }

    /// The instructions of a call; the result is in `%first` and `%second`, both with a number after.
    fn call(&self, site: u32) -> String {
        let name = self.name;
        let tail = name.rsplit('.').next().unwrap_or(name);
        let mut text = String::new();
        match self.kind {
            Kind::Shuffle(_) => {
                let (ty, has_validity) = match tail {
                    "i32" => ("i32", false),
                    "f32" => ("float", false),
                    "i32p" => ("i32", true),
                    _ => ("float", true),
                };
                let mask = if self.has_mask() { "i32 %w3, " } else { "" };
                let result = match has_validity {
                    true => format!("{{ {ty}, i1 }}"),
                    false => ty.to_owned(),
                };
                let _ = writeln!(text, "  %v{site} = bitcast i32 %w0 to {ty}");
                let _ = writeln!(
                    text,
                    "  %r{site} = call {result} @llvm.nvvm.{name}({mask}{ty} %v{site}, i32 %w2, i32 %w5)"
                );
                if has_validity {
                    let _ = writeln!(
                        text,
                        "  %m{site} = extractvalue {result} %r{site}, 0\n  \
                         %p{site} = extractvalue {result} %r{site}, 1\n  \
                         %first{site} = bitcast {ty} %m{site} to i32\n  \
                         %second{site} = zext i1 %p{site} to i32"
                    );
                } else {
                    let _ = writeln!(
                        text,
                        "  %first{site} = bitcast {ty} %r{site} to i32\n  \
                         %second{site} = add i32 0, 0"
                    );
                }
            }
            Kind::Vote(vote) => {
                let mask = if self.has_mask() { "i32 %w3, " } else { "" };
                let _ = writeln!(text, "  %v{site} = trunc i32 %w0 to i1");
                let (ty, made) = match vote {
                    Vote::Ballot => ("i32", format!("  %first{site} = add i32 %r{site}, 0\n")),
                    _ => ("i1", format!("  %first{site} = zext i1 %r{site} to i32\n")),
                };
                let _ = writeln!(
                    text,
                    "  %r{site} = call {ty} @llvm.nvvm.{name}({mask}i1 %v{site})\n{made}  \
                     %second{site} = add i32 0, 0"
                );
            }
            Kind::MatchAny { wide } | Kind::MatchAll { wide } => {
                let value = match wide {
                    true => {
                        let _ = writeln!(
                            text,
                            "  %l{site} = zext i32 %w0 to i64\n  %h{site} = zext i32 %w1 to i64\n  \
                             %s{site} = shl i64 %h{site}, 32\n  %v{site} = or i64 %l{site}, %s{site}"
                        );
                        format!("i64 %v{site}")
                    }
                    false => "i32 %w0".to_owned(),
                };
                let is_all = matches!(self.kind, Kind::MatchAll { .. });
                let result = if is_all { "{ i32, i1 }" } else { "i32" };
                let _ = writeln!(
                    text,
                    "  %r{site} = call {result} @llvm.nvvm.{name}(i32 %w3, {value})"
                );
                text += &pair_or_one(site, is_all);
            }
            Kind::Number { .. } => {
                let _ = writeln!(
                    text,
                    "  %v{site} = bitcast i32 %w0 to float\n  \
                     %r{site} = call float @llvm.nvvm.{name}(float %v{site}, i32 %w3)\n  \
                     %first{site} = bitcast float %r{site} to i32\n  %second{site} = add i32 0, 0"
                );
            }
            Kind::Sum | Kind::Signed { .. } | Kind::Unsigned { .. } | Kind::Bits(_) => {
                let _ = writeln!(
                    text,
                    "  %r{site} = call i32 @llvm.nvvm.{name}(i32 %w0, i32 %w3)"
                );
                text += &pair_or_one(site, false);
            }
            Kind::Elect => {
                let _ = writeln!(
                    text,
                    "  %r{site} = call {{ i32, i1 }} @llvm.nvvm.elect.sync(i32 %w3)"
                );
                text += &pair_or_one(site, true);
            }
            // A word goes to the first thread of the mask and back, through memory.
            Kind::Meet => {
                let _ = writeln!(
                    text,
                    "  %a{site} = getelementptr i32, ptr addrspace(3) @NAME_words, i32 %tid\n  \
                     store i32 %w0, ptr addrspace(3) %a{site}\n  \
                     call void @llvm.nvvm.bar.warp.sync(i32 %w3)\n  \
                     %b{site} = getelementptr i32, ptr addrspace(3) @NAME_words, i32 %w2\n  \
                     %first{site} = load i32, ptr addrspace(3) %b{site}\n  \
                     call void @llvm.nvvm.bar.warp.sync(i32 %w3)\n  \
                     %second{site} = add i32 0, 0"
                );
            }
            // Those who may run with this thread are in word 2.
            Kind::Active => {
                let _ = writeln!(
                    text,
                    "  %r{site} = call i32 @llvm.nvvm.activemask()\n  \
                     %n{site} = xor i32 %w2, -1\n  %first{site} = and i32 %r{site}, %n{site}\n  \
                     %s{site} = lshr i32 %r{site}, %lane\n  %second{site} = and i32 %s{site}, 1"
                );
            }
        }
        text
    }

    /// The kernel.
    fn body(&self, callers: Callers) -> String {
        let sites: &[u32] = match callers {
            Callers::Together => &[0],
            Callers::Apart => &[0, 1],
        };
        let mut text = String::from(
            "  %comes = icmp ne i32 %w3, 0\n  br i1 %comes, label %choose, label %end\nchoose:\n",
        );
        match callers {
            Callers::Together => text += "  br label %site0\n",
            Callers::Apart => {
                text +=
                    "  %other = icmp ne i32 %w4, 0\n  br i1 %other, label %site1, label %site0\n";
            }
        }
        for &site in sites {
            let _ = write!(text, "site{site}:\n{}  br label %join\n", self.call(site));
        }
        text += "join:\n";
        for word in ["first", "second"] {
            let from: Vec<String> = sites
                .iter()
                .map(|site| format!("[ %{word}{site}, %site{site} ]"))
                .collect();
            let _ = writeln!(text, "  %{word} = phi i32 {}", from.join(", "));
        }
        text + &store("%first", "%second") + "  br label %end\nend:\n  ret void\n"
    }
}

fn pair_or_one(site: u32, is_pair: bool) -> String {
    match is_pair {
        true => format!(
            "  %first{site} = extractvalue {{ i32, i1 }} %r{site}, 0\n  \
             %q{site} = extractvalue {{ i32, i1 }} %r{site}, 1\n  \
             %second{site} = zext i1 %q{site} to i32\n"
        ),
        false => {
            format!("  %first{site} = add i32 %r{site}, 0\n  %second{site} = add i32 0, 0\n")
        }
    }
}

/// What a thread hands in.
#[derive(Clone, Copy, Default)]
struct Thread {
    words: [u32; INPUT],
}

impl Thread {
    fn value(&self) -> u32 {
        self.words[0]
    }

    fn wide(&self) -> u64 {
        u64::from(self.words[1]) << 32 | u64::from(self.words[0])
    }
}

/// Values that make a difference to an operation.
fn value(kind: Kind, random: &mut Random) -> [u32; 2] {
    const NUMBERS: [u32; 12] = [
        0,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0xffc0_1234,
        0x7f80_0001,
        1,
        0x8000_0001,
        0x7f7f_ffff,
    ];
    let bits = random.bits();
    let word = bits as u32;
    match kind {
        Kind::MatchAny { .. } => [word & 3, (bits >> 32) as u32 & 1],
        // Mostly equal.
        Kind::MatchAll { .. } => [
            u32::from(word.is_multiple_of(50)),
            u32::from(word.is_multiple_of(49)),
        ],
        Kind::Vote(_) => [u32::from(!word.is_multiple_of(10)), 0],
        Kind::Number { .. } if word.is_multiple_of(3) => {
            [NUMBERS[(bits >> 32) as usize % NUMBERS.len()], 0]
        }
        // Small numbers of both signs, so that minima are met more than once.
        Kind::Signed { .. } | Kind::Unsigned { .. } if word.is_multiple_of(2) => {
            [((bits >> 32) as u32 % 7).wrapping_sub(3), 0]
        }
        _ => [word, (bits >> 32) as u32],
    }
}

/// A case of so many warps.
fn case(name: &str, operation: &Operation, callers: Callers, warps: usize) -> Case {
    let mut random = Random::new(fnv1a(name));
    let per_block = BLOCK.div_ceil(32) as usize;
    let blocks = warps.div_ceil(per_block);
    let (mut input, mut expected) = (Vec::new(), Vec::new());
    for number in 0..blocks * per_block {
        let first = number % per_block * 32;
        let threads = (BLOCK as usize - first).min(32);
        let sort = match operation.has_mask() || operation.kind == Kind::Active {
            true => SORTS[number / per_block % SORTS.len()],
            false => Sort::Full,
        };
        let warp = warp(
            operation.kind,
            sort,
            threads,
            first as u32,
            callers,
            &mut random,
        );
        for lane in 0..threads {
            input.extend(warp[lane].words);
            let comes = warp[lane].words[3] != 0;
            let result = match comes {
                true => result(operation.kind, &warp[..threads], lane),
                false => [Some(UNTOUCHED); OUTPUT],
            };
            expected.extend(result);
        }
    }
    // Only some shuffles give a validity.
    if !operation.name.ends_with('p') && matches!(operation.kind, Kind::Shuffle(_)) {
        let seconds = expected.iter_mut().skip(1).step_by(OUTPUT);
        seconds
            .filter(|word| **word != Some(UNTOUCHED))
            .for_each(|word| *word = Some(0));
    }
    let globals = match operation.kind {
        Kind::Meet => "@NAME_words = internal addrspace(3) global [128 x i32] poison\n".to_owned(),
        _ => String::new(),
    };
    Case {
        body: operation.body(callers),
        globals,
        shape: (blocks as u32, BLOCK, 1),
        input,
        expected,
    }
}

/// What the threads of a warp hand in.
fn warp(
    kind: Kind,
    sort: Sort,
    threads: usize,
    first: u32,
    callers: Callers,
    random: &mut Random,
) -> [Thread; 32] {
    let masks = masks(sort, threads as u32, random);
    let places = random.bits() as u32;
    // Segments of 4 to 32 threads; for `up` the clamp is zero.
    let segment = 32u32 >> random.number_below(4);
    let clamp = if kind == Kind::Shuffle(Mode::Up) {
        0
    } else {
        31
    };
    let mut warp = [Thread::default(); 32];
    for lane in 0..threads {
        let mask = masks[lane];
        let [low, high] = value(kind, random);
        // A whole group comes from one place: that of its first thread.
        let place = match callers {
            Callers::Together => 0,
            Callers::Apart => places >> mask.trailing_zeros().min(31) & 1,
        };
        let other = match kind {
            Kind::Meet => first + (mask & mask.wrapping_neg()).trailing_zeros() % 32,
            _ => random.bits() as u32 % 40,
        };
        warp[lane].words = [
            low,
            high,
            other,
            mask,
            place,
            (32 - segment) << 8 | clamp,
            0,
            0,
        ];
    }
    if kind == Kind::Active {
        let at = |place: u32| {
            let here = |lane: &usize| {
                let words = warp[*lane].words;
                words[3] != 0 && words[4] == place
            };
            (0..threads)
                .filter(here)
                .fold(0, |all, lane| all | 1 << lane)
        };
        let sets = [at(0), at(1)];
        for thread in &mut warp[..threads] {
            thread.words[2] = sets[thread.words[4] as usize];
        }
    }
    warp
}

/// What a thread gets.
fn result(kind: Kind, warp: &[Thread], lane: usize) -> [Option<u32>; 2] {
    let mask = warp[lane].words[3];
    // Threads that the warp does not have count for nothing.
    let members: Vec<usize> = (0..warp.len())
        .filter(|other| mask >> other & 1 != 0)
        .collect();
    let there = members.iter().fold(0u32, |all, other| all | 1 << other);
    let words = || members.iter().map(|&other| warp[other].value());
    let one = |word: u32| [Some(word), Some(0)];
    let truth = |is: bool| one(u32::from(is));
    match kind {
        Kind::Shuffle(mode) => shuffle(mode, warp, lane, there),
        Kind::Vote(Vote::All) => truth(words().all(|word| word & 1 != 0)),
        Kind::Vote(Vote::Any) => truth(words().any(|word| word & 1 != 0)),
        Kind::Vote(Vote::Uni) => {
            truth(words().all(|word| word & 1 == warp[members[0]].value() & 1))
        }
        Kind::Vote(Vote::Ballot) => one(members
            .iter()
            .filter(|&&other| warp[other].value() & 1 != 0)
            .fold(0, |all, other| all | 1 << other)),
        Kind::MatchAny { wide } | Kind::MatchAll { wide } => {
            let of = |other: usize| match wide {
                true => warp[other].wide(),
                false => warp[other].value().into(),
            };
            let equal = members
                .iter()
                .filter(|&&other| of(other) == of(lane))
                .fold(0u32, |all, other| all | 1 << other);
            match kind {
                Kind::MatchAny { .. } => one(equal),
                _ if equal == there => [Some(there), Some(1)],
                _ => [Some(0), Some(0)],
            }
        }
        Kind::Sum => one(words().fold(0, u32::wrapping_add)),
        Kind::Bits(op) => one(words()
            .reduce(|a, b| match op {
                Bits::And => a & b,
                Bits::Or => a | b,
                Bits::Xor => a ^ b,
            })
            .unwrap_or(0)),
        Kind::Signed { largest } => {
            let words = words().map(|word| word as i32);
            let found = if largest { words.max() } else { words.min() };
            one(found.unwrap_or(0) as u32)
        }
        Kind::Unsigned { largest } => {
            let found = if largest {
                words().max()
            } else {
                words().min()
            };
            one(found.unwrap_or(0))
        }
        Kind::Number { largest, abs, nan } => one(extreme(words(), largest, abs, nan)),
        Kind::Elect => {
            let leader = members[0] as u32;
            [Some(leader), Some(u32::from(leader == lane as u32))]
        }
        Kind::Meet => one(warp[members[0]].value()),
        Kind::Active => [Some(0), Some(1)],
    }
}

/// The smallest or largest number. Zeros have an order, NaN is left out or wins.
fn extreme(words: impl Iterator<Item = u32>, largest: bool, abs: bool, nan: bool) -> u32 {
    const NAN: u32 = 0x7fff_ffff;
    let numbers: Vec<f32> = words
        .map(|word| f32::from_bits(if abs { word & NAN } else { word }))
        .collect();
    if nan && numbers.iter().any(|number| number.is_nan()) {
        return NAN;
    }
    let numbers = numbers.into_iter().filter(|number| !number.is_nan());
    let found = match largest {
        true => numbers.max_by(f32::total_cmp),
        false => numbers.min_by(f32::total_cmp),
    };
    found.map_or(NAN, f32::to_bits)
}

/// The manual's rule: the segment and the clamp bound the lane that is read.
fn shuffle(mode: Mode, warp: &[Thread], lane: usize, there: u32) -> [Option<u32>; 2] {
    let words = warp[lane].words;
    let (distance, clamp, segment) = (words[2] & 31, words[5] & 31, words[5] >> 8 & 31);
    let lane = lane as u32;
    let (low, high) = (lane & segment, lane & segment | clamp & !segment);
    let (source, is_valid) = match mode {
        Mode::Up => {
            let source = lane as i32 - distance as i32;
            (source, source >= high as i32)
        }
        Mode::Down => (lane as i32 + distance as i32, lane + distance <= high),
        Mode::Bfly => ((lane ^ distance) as i32, lane ^ distance <= high),
        Mode::Idx => {
            let source = low | distance & !segment;
            (source as i32, source <= high)
        }
    };
    let source = if is_valid { source as u32 } else { lane };
    // What comes from a thread that does not take part is anything.
    let value = (there >> source & 1 != 0).then(|| warp[source as usize].value());
    [value, Some(u32::from(is_valid))]
}

/// All cases, of so many warps each.
pub fn suite(warps: usize) -> Vec<Draft> {
    let both = [Callers::Together, Callers::Apart];
    let callers = |operation: &Operation| match operation.kind {
        // A part of a warp does not know who else runs.
        kind if !operation.has_mask() && kind != Kind::Active => &both[..1],
        _ => &both[..],
    };
    let mut drafts = Vec::new();
    for operation in OPERATIONS {
        for &callers in callers(operation) {
            let name = match callers {
                Callers::Together => operation.name.to_owned(),
                Callers::Apart => format!("{} apart", operation.name),
            };
            let named = name.clone();
            drafts.push(Draft {
                name,
                first_chip: 0,
                make: Box::new(move || case(&named, operation, callers, warps)),
            });
        }
    }
    drafts
}
