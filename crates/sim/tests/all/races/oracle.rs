//! The detector against the model, written down plainly: random little kernels are run, what each load saw is read back,
//! and the relations of the memory model are computed over all pairs of operations.
//!
//! Four threads take part: two lanes of a warp, one of another warp, one of another block. Every write has a value of its own, so
//! a value that was read names its write. Nothing here knows of clocks or cells.

use super::{HEAD, WORDS, module, show, without_exits};
use std::collections::{BTreeMap, BTreeSet};
use warpc_diag::Diagnostics;
use warpc_sim::{Argument, Device, Launch, Options, Races};
use warpc_testkit::random::Random;

/// Block, thread: who takes part.
pub const THREADS: [(u32, u32); 4] = [(0, 0), (0, 1), (0, 32), (1, 0)];
/// Places in memory that all access.
const PLACES: usize = 2;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Load,
    Store,
    Exchange,
    Fence,
    /// A barrier of the block or of the two lanes, by number.
    Barrier(usize),
}

#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub thread: usize,
    pub kind: Kind,
    pub place: usize,
    strong: bool,
    acquire: bool,
    release: bool,
    /// Whether its scope is the chip, not the block.
    wide: bool,
    /// What it writes.
    pub value: u32,
    /// The line of the kernel.
    line: usize,
}

impl Operation {
    pub fn reads(&self) -> bool {
        matches!(self.kind, Kind::Load | Kind::Exchange)
    }

    pub fn writes(&self) -> bool {
        matches!(self.kind, Kind::Store | Kind::Exchange)
    }

    fn text(&self, output: usize) -> String {
        let scope = if self.wide { "gpu" } else { "cta" };
        let at = format!("[%rd1+{}]", 64 * self.place);
        let order = match (self.acquire, self.release) {
            (true, true) => "acq_rel",
            (true, false) => "acquire",
            (false, true) => "release",
            _ => "relaxed",
        };
        let how = match self.strong {
            true => format!(".{order}.{scope}"),
            false => String::new(),
        };
        let keep = format!("st.global.u32 [%rd1+{}], %r7;", 4 * output);
        match self.kind {
            Kind::Load => format!("ld{how}.global.u32 %r7, {at}; {keep}"),
            Kind::Store => format!("st{how}.global.u32 {at}, {};", self.value),
            Kind::Exchange => format!(
                "atom{how}.global.exch.b32 %r7, {at}, {}; {keep}",
                self.value
            ),
            Kind::Fence => format!("fence.acq_rel.{scope};"),
            Kind::Barrier(_) => unreachable!("barriers are written by who makes them"),
        }
    }
}

/// A kernel: its operations in the order of each thread, and its text.
pub struct Kernel {
    pub operations: Vec<Operation>,
    pub text: String,
    /// For each operation that reads, the word that has what it saw.
    outputs: Vec<usize>,
}

fn random_kernel(random: &mut Random, mixed: bool) -> Kernel {
    random_kernel_of(random, mixed, 8, 10)
}

/// A kernel of so many operations or up to `more` others.
pub fn random_kernel_of(random: &mut Random, mixed: bool, least: usize, more: usize) -> Kernel {
    let mut operations: Vec<Operation> = Vec::new();
    let mut barriers = 0;
    let mut texts: Vec<Vec<(usize, String)>> = vec![Vec::new(); THREADS.len()];
    let mut outputs = Vec::new();
    for step in 0..least + random.below(more) {
        if random.below(5) == 0 {
            let (text, who): (&str, &[usize]) = match random.below(3) {
                0 => ("bar.warp.sync 3;", &[0, 1]),
                _ => ("barrier.sync 0;", &[0, 1, 2]),
            };
            for &thread in who {
                outputs.push(0);
                texts[thread].push((operations.len(), text.to_owned()));
                operations.push(Operation {
                    thread,
                    kind: Kind::Barrier(barriers),
                    place: 0,
                    strong: false,
                    acquire: false,
                    release: false,
                    wide: false,
                    value: 0,
                    line: 0,
                });
            }
            barriers += 1;
            continue;
        }
        let kind = match random.below(10) {
            0..4 => Kind::Load,
            4..7 => Kind::Store,
            7 | 8 => Kind::Exchange,
            _ => Kind::Fence,
        };
        let strong = kind == Kind::Exchange || random.below(3) != 0;
        let operation = Operation {
            thread: random.below(THREADS.len()),
            kind,
            place: random.below(PLACES),
            strong,
            acquire: strong && kind != Kind::Store && random.below(2) == 0,
            release: strong && kind != Kind::Load && random.below(2) == 0,
            wide: !mixed || random.below(3) != 0,
            value: step as u32 + 1,
            line: 0,
        };
        let output = 64 + operations.len();
        texts[operation.thread].push((operations.len(), operation.text(output)));
        outputs.push(output);
        operations.push(operation);
    }
    let mut text = format!(
        "{HEAD}.visible .entry k(.param .u64 data) {{ .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; \
         ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 10; \
         add.u32 %r3, %r3, %r1;\n"
    );
    for (thread, (block, number)) in THREADS.iter().enumerate() {
        let id = block * 1024 + number;
        text += &format!("setp.eq.u32 %p1, %r3, {id}; @%p1 bra T{thread};\n");
    }
    text += "exit;\n";
    for (thread, lines) in texts.iter().enumerate() {
        text += &format!("T{thread}:\n");
        for (index, line) in lines {
            operations[*index].line = text.lines().count() + 1;
            text += &format!("{line}\n");
        }
        text += "exit;\n";
    }
    text += "}\n";
    Kernel {
        operations,
        text,
        outputs,
    }
}

/// Whether each of two strong operations includes the other's thread.
fn include(a: &Operation, b: &Operation) -> bool {
    let same_block = THREADS[a.thread].0 == THREADS[b.thread].0;
    same_block || a.wide && b.wide
}

fn morally_strong(a: &Operation, b: &Operation) -> bool {
    a.thread == b.thread || a.strong && b.strong && include(a, b)
}

type Relation = Vec<Vec<bool>>;

fn close(relation: &mut Relation) {
    for k in 0..relation.len() {
        let row = relation[k].clone();
        for other in relation.iter_mut().filter(|other| other[k]) {
            for (to, from) in other.iter_mut().zip(&row) {
                *to |= from;
            }
        }
    }
}

/// Pairs that race, by the model: `seen` is what each operation read. With each whether it must be found: that one of the
/// two is after a write between them only because its value was read is left open, for what a strong write covers is not
/// kept.
pub fn races(kernel: &Kernel, seen: &[u32]) -> BTreeMap<(usize, usize), bool> {
    let all = &kernel.operations;
    let count = all.len();
    let empty = || vec![vec![false; count]; count];
    let program = |a: usize, b: usize| all[a].thread == all[b].thread && a < b;
    // Observation: by reading, and through operations that read and write.
    let mut observation = empty();
    for write in 0..count {
        for read in 0..count {
            let (w, r) = (&all[write], &all[read]);
            observation[write][read] = write != read
                && w.writes()
                && r.reads()
                && w.place == r.place
                && morally_strong(w, r)
                && (w.thread != r.thread || w.strong && r.strong)
                && seen[read] == w.value;
        }
    }
    close(&mut observation);
    let mut base = empty();
    for a in 0..count {
        for b in 0..count {
            base[a][b] |= program(a, b);
            // Those who meet at a barrier are on both sides of it together.
            if let (Kind::Barrier(x), Kind::Barrier(y)) = (all[a].kind, all[b].kind) {
                base[a][b] |= x == y && a != b;
            }
        }
    }
    // Patterns: what begins a release with each write, and what ends an acquire with each read. A release is followed by any
    // strong write of the place, an acquire comes after any strong read of it.
    let fence = |i: usize| all[i].kind == Kind::Fence;
    let same_place = |a: usize, b: usize| all[a].place == all[b].place;
    let releases = |i: usize| all[i].writes() && all[i].release;
    let acquires = |i: usize| all[i].reads() && all[i].acquire;
    for write in (0..count).filter(|&i| all[i].writes() && all[i].strong) {
        let begins = (0..count).filter(|&i| {
            let is_first = i == write || program(i, write);
            is_first && (releases(i) && same_place(i, write) || fence(i) && i != write)
        });
        for begin in begins {
            for read in (0..count).filter(|&i| all[i].reads() && all[i].strong) {
                if !observation[write][read] {
                    continue;
                }
                let ends = (0..count).filter(|&i| {
                    let is_last = i == read || program(read, i);
                    is_last && (acquires(i) && same_place(i, read) || fence(i) && i != read)
                });
                for end in ends {
                    let fits =
                        all[begin].thread == all[end].thread || include(&all[begin], &all[end]);
                    base[begin][end] |= fits;
                }
            }
        }
    }
    close(&mut base);
    let before =
        |a: usize, b: usize| base[a][b] || (0..count).any(|z| observation[a][z] && base[z][b]);
    let mut either = base.clone();
    for a in 0..count {
        for b in 0..count {
            either[a][b] |= observation[a][b];
        }
    }
    close(&mut either);
    let mut found = BTreeMap::new();
    for a in 0..count {
        for b in a + 1..count {
            let (x, y) = (&all[a], &all[b]);
            let touch = |o: &Operation| o.reads() || o.writes();
            let conflict = touch(x) && touch(y) && x.place == y.place && (x.writes() || y.writes());
            if conflict
                && x.thread != y.thread
                && !morally_strong(x, y)
                && !before(a, b)
                && !before(b, a)
            {
                found.insert((a, b), !either[a][b] && !either[b][a]);
            }
        }
    }
    found
}

/// What came of some kernels.
#[derive(Default, Debug)]
struct Tally {
    /// Kernels with and without races.
    racy: usize,
    clean: usize,
    /// Places with a race that must be found, and those where none was.
    places: usize,
    missed: Vec<u64>,
    /// Pairs that were reported, and those that do not race.
    pairs: usize,
    wrong: Vec<u64>,
    /// Those at a place where nothing races.
    false_alarms: Vec<u64>,
}

/// Runs kernel after kernel and compares.
fn compare(numbers: std::ops::Range<u64>, mixed: bool) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        let kernel = random_kernel(&mut Random::new(number), mixed);
        let (found, seen) = run(&kernel, number);
        let found = without_exits(&found);
        let expected = races(&kernel, &seen);
        let context = || {
            format!(
                "kernel {number}:\n{}\n{expected:?}\n{}",
                kernel.text,
                show(&found)
            )
        };
        let at = |start: u32| {
            let line = kernel.text[..start as usize + 1].lines().count();
            kernel.operations.iter().position(|one| one.line == line)
        };
        let mut places = BTreeSet::new();
        for one in found.as_slice() {
            assert!(one.code.0.starts_with("W074"), "{}", context());
            let (second, first) = (at(one.span.start), at(one.related[0].0.start));
            let (Some(a), Some(b)) = (first, second) else {
                panic!("a place that no operation has: {}", context());
            };
            places.insert(kernel.operations[a].place);
            // Reads of a warp are kept as one, so the place may be that of its other lane.
            let warp = |i: usize| {
                let (block, thread) = THREADS[kernel.operations[i].thread];
                (block, thread / 32)
            };
            let merged = one.related[0].1.contains("or at another");
            let similar = |x: usize, y: usize| y == b && warp(x) == warp(a);
            let right = expected.contains_key(&(a.min(b), a.max(b)))
                || merged
                    && expected
                        .keys()
                        .any(|&(x, y)| similar(x, y) || similar(y, x));
            tally.pairs += 1;
            if !right {
                tally.wrong.push(number);
            }
            // Where nothing races, nothing may be reported.
            let place = kernel.operations[a].place;
            let races = expected
                .keys()
                .any(|(x, _)| kernel.operations[*x].place == place);
            if !races {
                tally.false_alarms.push(number);
            }
        }
        let must = expected.iter().filter(|(_, must)| **must);
        let must: BTreeSet<usize> = must
            .map(|((a, _), _)| kernel.operations[*a].place)
            .collect();
        tally.places += must.len();
        tally
            .missed
            .extend(must.difference(&places).map(|_| number));
        match expected.is_empty() {
            true => tally.clean += 1,
            false => tally.racy += 1,
        }
    }
    tally
}

/// What was found in a kernel, and what each of its operations read.
fn run(kernel: &Kernel, seed: u64) -> (Diagnostics, Vec<u32>) {
    let module = module(&kernel.text);
    let options = Options {
        seed,
        races: Races::All,
        ..Options::default()
    };
    let mut device = Device::new(&module, options);
    let buffer = device.named_buffer("data", &[0; 4 * WORDS]);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [2, 1, 1],
        block: [64, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    });
    let found = match outcome {
        Ok(report) => report.warnings,
        Err(found) => found,
    };
    let bytes = device.read(buffer);
    let word = |i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap());
    (found, kernel.outputs.iter().map(|&i| word(i)).collect())
}

impl Tally {
    /// Nothing is reported that does not race, and at most one place of a thousand is missed.
    fn check(&self) {
        assert!(self.wrong.is_empty(), "{self:?}");
        assert!(self.false_alarms.is_empty(), "{self:?}");
        assert!(1000 * self.missed.len() <= self.places, "{self:?}");
        // Both kinds must come up, or nothing was compared.
        assert!(self.racy > 500 && self.clean > 200, "{self:?}");
    }
}

/// Where the scopes fit, no place is missed.
#[test]
fn agrees_with_the_model() {
    let tally = compare(0..4000, false);
    tally.check();
    assert!(tally.missed.is_empty(), "{tally:?}");
}

/// With scopes that do not fit, chains of atomics end half way.
#[test]
fn agrees_where_scopes_differ() {
    let tally = compare(10_000..14_000, true);
    tally.check();
}
