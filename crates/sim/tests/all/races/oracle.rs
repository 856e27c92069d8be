//! The detector against the model, written down plainly: random little kernels are run, what each load saw is read back,
//! and the relations of the memory model are computed over all pairs of operations.
//!
//! A few threads take part, for example two lanes of a warp, one of another warp, one of another block ([`Setting`]). Every write has a
//! value of its own, so a value that was read names its write. Nothing here knows of clocks or cells.

use super::{HEAD, WORDS, module, show, without_exits};
use std::collections::{BTreeMap, BTreeSet};
use warpc_diag::Diagnostics;
use warpc_sim::{Argument, Device, Launch, Options, Races};
use warpc_testkit::random::Random;

/// What kernels are made of.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Block, thread: who takes part.
    pub threads: &'static [(u32, u32)],
    /// Blocks of the grid, and of a cluster.
    pub grid: u32,
    pub cluster: u32,
    /// Places in memory that all access.
    pub places: usize,
    /// In shared memory, not in global memory.
    pub is_shared: bool,
    /// The scopes to draw from: 0 is the block, 1 the cluster, 2 the chip.
    pub scopes: &'static [usize],
    /// Of ten accesses, so many are loads, stores, exchanges; the rest are fences.
    pub kinds: [usize; 3],
    /// One access in so many is weak.
    pub weak: usize,
    /// Operations: at least so many, and below so many more.
    pub count: (usize, usize),
}

/// Four threads: two lanes, another warp, another block. The scopes include all.
pub const FITTING: Setting = Setting {
    threads: &[(0, 0), (0, 1), (0, 32), (1, 0)],
    grid: 2,
    cluster: 1,
    places: 2,
    is_shared: false,
    scopes: &[2],
    kinds: [4, 3, 2],
    weak: 3,
    count: (8, 10),
};
/// Some scopes are only those of the block.
pub const MIXED: Setting = Setting {
    scopes: &[0, 2, 2],
    ..FITTING
};
/// Two clusters of two blocks, and scopes of all three widths.
const CLUSTERS: Setting = Setting {
    threads: &[(0, 0), (0, 1), (1, 0), (2, 0)],
    grid: 4,
    cluster: 2,
    scopes: &[0, 1, 2, 2, 2, 2],
    weak: 6,
    ..FITTING
};
/// More threads and operations at one place.
const CROWD: Setting = Setting {
    threads: &[(0, 0), (0, 1), (0, 32), (1, 0), (1, 1), (2, 0)],
    grid: 4,
    cluster: 2,
    places: 1,
    scopes: &[0, 1, 2, 2, 2, 2, 2, 2],
    kinds: [3, 2, 4],
    weak: 30,
    count: (6, 16),
    ..FITTING
};
/// Mostly exchanges, which carry releases on.
const CHAINS: Setting = Setting {
    scopes: &[0, 2, 2, 2],
    kinds: [3, 2, 4],
    weak: 4,
    count: (10, 14),
    ..FITTING
};
/// Weak accesses of several places, and few strong ones.
const WEAK: Setting = Setting {
    places: 3,
    scopes: &[0, 2],
    kinds: [4, 3, 1],
    weak: 2,
    count: (6, 12),
    ..FITTING
};
/// Threads of one block and shared memory.
const SHARED: Setting = Setting {
    threads: &[(0, 0), (0, 1), (0, 32), (0, 33)],
    grid: 1,
    is_shared: true,
    scopes: &[0, 2],
    ..FITTING
};

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
    /// Its scope: 0 is the block, 1 the cluster, 2 the chip.
    scope: usize,
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

    fn text(&self, setting: &Setting, output: usize) -> String {
        let scope = ["cta", "cluster", "gpu"][self.scope];
        let (space, base) = match setting.is_shared {
            true => ("shared", "s"),
            false => ("global", "%rd1"),
        };
        let at = format!("[{base}+{}]", 64 * self.place);
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
            Kind::Load => format!("ld{how}.{space}.u32 %r7, {at}; {keep}"),
            Kind::Store => format!("st{how}.{space}.u32 {at}, {};", self.value),
            Kind::Exchange => format!(
                "atom{how}.{space}.exch.b32 %r7, {at}, {}; {keep}",
                self.value
            ),
            Kind::Fence => format!("fence.acq_rel.{scope};"),
            Kind::Barrier(_) => unreachable!("barriers are written by who makes them"),
        }
    }
}

/// A kernel: its operations in the order of each thread, and its text.
pub struct Kernel {
    pub setting: Setting,
    pub operations: Vec<Operation>,
    pub text: String,
    /// For each operation that reads, the word that has what it saw.
    outputs: Vec<usize>,
}

/// Who meets at a barrier, and its text: lanes of a warp, a block or a cluster.
fn random_barrier(random: &mut Random, setting: &Setting) -> (String, Vec<usize>) {
    let (block, number) = setting.threads[random.below(setting.threads.len())];
    let members = |is_of: &dyn Fn(u32, u32) -> bool| -> Vec<usize> {
        let all = setting.threads.iter().enumerate();
        all.filter(|(_, (block, number))| is_of(*block, *number))
            .map(|(index, _)| index)
            .collect()
    };
    let of_cluster = setting.cluster > 1;
    match random.below(3 + usize::from(of_cluster)) {
        0 => {
            let warp = members(&|b, n| b == block && n / 32 == number / 32);
            let mask = warp.iter().fold(0u32, |mask, &index| {
                mask | 1 << (setting.threads[index].1 % 32)
            });
            (format!("bar.warp.sync {mask};"), warp)
        }
        1 | 2 => ("barrier.sync 0;".to_owned(), members(&|b, _| b == block)),
        _ => (
            "barrier.cluster.arrive; barrier.cluster.wait;".to_owned(),
            members(&|b, _| b / setting.cluster == block / setting.cluster),
        ),
    }
}

pub fn random_kernel(random: &mut Random, setting: &Setting) -> Kernel {
    let mut operations: Vec<Operation> = Vec::new();
    let mut barriers = 0;
    let mut texts: Vec<Vec<(usize, String)>> = vec![Vec::new(); setting.threads.len()];
    let mut outputs = Vec::new();
    let [loads, stores, exchanges] = setting.kinds;
    for step in 0..setting.count.0 + random.below(setting.count.1) {
        if random.below(5) == 0 {
            let (text, who) = random_barrier(random, setting);
            for thread in who {
                outputs.push(0);
                texts[thread].push((operations.len(), text.clone()));
                operations.push(Operation {
                    thread,
                    kind: Kind::Barrier(barriers),
                    place: 0,
                    strong: false,
                    acquire: false,
                    release: false,
                    scope: 0,
                    value: 0,
                    line: 0,
                });
            }
            barriers += 1;
            continue;
        }
        let kind = match random.below(10) {
            n if n < loads => Kind::Load,
            n if n < loads + stores => Kind::Store,
            n if n < loads + stores + exchanges => Kind::Exchange,
            _ => Kind::Fence,
        };
        let strong = kind == Kind::Exchange || random.below(setting.weak) != 0;
        let operation = Operation {
            thread: random.below(setting.threads.len()),
            kind,
            place: random.below(setting.places),
            strong,
            acquire: strong && kind != Kind::Store && random.below(2) == 0,
            release: strong && kind != Kind::Load && random.below(2) == 0,
            scope: setting.scopes[random.below(setting.scopes.len())],
            value: step as u32 + 1,
            line: 0,
        };
        let output = 64 + operations.len();
        texts[operation.thread].push((operations.len(), operation.text(setting, output)));
        outputs.push(output);
        operations.push(operation);
    }
    let mut text = format!(
        "{HEAD}.visible .entry k(.param .u64 data) {{ .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; \
         .shared .align 64 .b8 s[192]; ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 10; \
         add.u32 %r3, %r3, %r1;\n"
    );
    if setting.is_shared {
        text += "setp.ne.u32 %p1, %r3, 0; @%p1 bra S; st.shared.u32 [s], 0; st.shared.u32 [s+64], 0; \
                 st.shared.u32 [s+128], 0; S: bar.sync 0;\n";
    }
    for (thread, (block, number)) in setting.threads.iter().enumerate() {
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
        setting: *setting,
        operations,
        text,
        outputs,
    }
}

impl Kernel {
    /// Whether each of two strong operations includes the other's thread.
    fn include(&self, a: &Operation, b: &Operation) -> bool {
        let block = |one: &Operation| self.setting.threads[one.thread].0;
        let least = if block(a) == block(b) {
            0
        } else if block(a) / self.setting.cluster == block(b) / self.setting.cluster {
            1
        } else {
            2
        };
        a.scope.min(b.scope) >= least
    }

    fn morally_strong(&self, a: &Operation, b: &Operation) -> bool {
        a.thread == b.thread || a.strong && b.strong && self.include(a, b)
    }
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
                && kernel.morally_strong(w, r)
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
                    let fits = all[begin].thread == all[end].thread
                        || kernel.include(&all[begin], &all[end]);
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
                && !kernel.morally_strong(x, y)
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
    /// The smallest kernel that is not as expected.
    smallest: Option<(usize, String)>,
}

/// Runs kernel after kernel and compares.
fn compare(numbers: std::ops::Range<u64>, setting: &Setting) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        let kernel = random_kernel(&mut Random::new(number), setting);
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
                let (block, thread) = setting.threads[kernel.operations[i].thread];
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
        // Of a launch so many pairs are reported, and of global memory so many reads are kept.
        let is_full = found.as_slice().len() >= 16;
        let loads = |place: usize| {
            let loads = kernel.operations.iter();
            loads
                .filter(|one| one.reads() && one.place == place)
                .count()
        };
        let is_kept = |place: usize| setting.is_shared || loads(place) <= 4;
        let must = expected
            .iter()
            .filter(|((a, _), must)| **must && !is_full && is_kept(kernel.operations[*a].place));
        let must: BTreeSet<usize> = must
            .map(|((a, _), _)| kernel.operations[*a].place)
            .collect();
        tally.places += must.len();
        tally
            .missed
            .extend(must.difference(&places).map(|_| number));
        let lists = [&tally.missed, &tally.wrong, &tally.false_alarms];
        let size = kernel.operations.len();
        if lists.iter().any(|list| list.last() == Some(&number))
            && tally.smallest.as_ref().is_none_or(|(of, _)| size < *of)
        {
            tally.smallest = Some((size, context()));
        }
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
        grid: [kernel.setting.grid, 1, 1],
        block: [64, 1, 1],
        cluster: (kernel.setting.cluster > 1).then_some([kernel.setting.cluster, 1, 1]),
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
    /// Only races are reported, and no place with one is missed.
    fn check(&self) {
        let wrong = self.missed.len() + self.wrong.len() + self.false_alarms.len();
        let example = self.smallest.as_ref().map_or("", |(_, text)| text);
        assert!(wrong == 0, "{self:?}\n{example}");
        // Both kinds must come up, or nothing was compared.
        let all = self.racy + self.clean;
        assert!(8 * self.racy > all && 20 * self.clean > all, "{self:?}");
    }
}

/// Compares so many kernels of a setting; `WARPC_RACE_KERNELS` times as many where that is set.
fn check(first: u64, count: u64, setting: &Setting) {
    let times = std::env::var("WARPC_RACE_KERNELS").map_or(1, |times| times.parse().unwrap());
    let tally = compare(first..first + times * count, setting);
    println!(
        "{} kernels race, {} do not: {} places, {} missed; {} pairs, {} wrong, {} false alarms",
        tally.racy,
        tally.clean,
        tally.places,
        tally.missed.len(),
        tally.pairs,
        tally.wrong.len(),
        tally.false_alarms.len()
    );
    tally.check();
}

/// Where the scopes fit.
#[test]
fn agrees_with_the_model() {
    check(0, 4000, &FITTING);
}

/// With scopes that do not fit, chains of atomics end half way.
#[test]
fn agrees_where_scopes_differ() {
    check(10_000, 4000, &MIXED);
}

#[test]
fn agrees_in_clusters() {
    check(1_000_000, 2000, &CLUSTERS);
}

#[test]
fn agrees_where_many_access_one_place() {
    check(2_000_000, 2000, &CROWD);
}

#[test]
fn agrees_on_chains_of_atomics() {
    check(3_000_000, 2000, &CHAINS);
}

#[test]
fn agrees_on_weak_accesses() {
    check(4_000_000, 2000, &WEAK);
}

#[test]
fn agrees_in_shared_memory() {
    check(5_000_000, 2000, &SHARED);
}
