//! Barriers of blocks and clusters: threads put a word into shared memory, meet, and read another thread's.
//!
//! Each thread has the words: 0 the value, 1 the predicate, 2 the thread it reads from, 3 the number of its barrier,
//! 4 how many threads meet there, 5 its team. Teams are whole warps, the first so many of them.

use super::case::{Case, Draft, INPUT, OUTPUT, store};
use super::warp::UNTOUCHED;
use warpc_testkit::Random;
use warpc_testkit::hash::fnv1a;

/// Sizes of blocks: whole warps and not.
const SIZES: [u32; 8] = [1, 31, 33, 64, 100, 257, 1000, 1024];

/// What threads do at a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meeting {
    /// They wait.
    Sync,
    /// The first team arrives only, the other waits.
    Arrive,
    /// They wait and learn whether all of them have the predicate, one of them, or how many.
    Red(&'static str),
}

/// How a barrier is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Use {
    meeting: Meeting,
    /// All threads of a warp come together.
    aligned: bool,
    /// Two teams, each with its barrier and a count.
    teams: bool,
    /// The number of the barrier is a constant.
    constant: bool,
    /// Threads of a warp come from two places.
    apart: bool,
}

impl Use {
    fn name(&self) -> String {
        let what = match self.meeting {
            Meeting::Sync => "sync".to_owned(),
            Meeting::Arrive => "arrive".to_owned(),
            Meeting::Red(op) => format!("red.{op}"),
        };
        let aligned = if self.aligned { ".aligned" } else { "" };
        let extent = if self.has_count() { ".count" } else { ".all" };
        format!("barrier.cta.{what}{aligned}{extent}")
    }

    fn has_count(&self) -> bool {
        self.teams || self.meeting == Meeting::Arrive
    }

    /// The call at a place; the result is in `%first` with a number after.
    fn call(&self, index: &str, site: u32) -> String {
        let count = if self.has_count() { ", i32 %w4" } else { "" };
        let name = self.name();
        match self.meeting {
            Meeting::Red(op) => {
                let ty = if op == "popc" { "i32" } else { "i1" };
                let widen = match op {
                    "popc" => format!("  %first{site} = add i32 %r{site}, 0\n"),
                    _ => format!("  %first{site} = zext i1 %r{site} to i32\n"),
                };
                format!(
                    "  %p{site} = trunc i32 %w1 to i1\n  \
                     %r{site} = call {ty} @llvm.nvvm.{name}(i32 {index}{count}, i1 %p{site})\n{widen}"
                )
            }
            _ => format!(
                "  call void @llvm.nvvm.{name}(i32 {index}{count})\n  \
                 %f{site} = getelementptr i32, ptr addrspace(3) @NAME_words, i32 %w2\n  \
                 %first{site} = load i32, ptr addrspace(3) %f{site}\n"
            ),
        }
    }

    /// The kernel for a barrier with a number.
    fn body(&self, number: u32) -> String {
        let constant = number.to_string();
        let index = if self.constant { &constant } else { "%w3" };
        let mut text = String::from(
            "  %mine = getelementptr i32, ptr addrspace(3) @NAME_words, i32 %tid\n  \
             store i32 %w0, ptr addrspace(3) %mine\n",
        );
        if self.meeting == Meeting::Arrive {
            let waits = Use {
                meeting: Meeting::Sync,
                ..*self
            };
            let name = self.name();
            text += &format!(
                "  %waits = icmp ne i32 %w5, 0\n  br i1 %waits, label %site1, label %site0\n\
                 site0:\n  call void @llvm.nvvm.{name}(i32 {index}, i32 %w4)\n  ret void\n\
                 site1:\n{}  br label %join\njoin:\n  %first = add i32 %first1, 0\n",
                Use {
                    teams: true,
                    ..waits
                }
                .call(index, 1)
            );
        } else if self.teams || self.apart {
            // A constant cannot be two barriers: the second team has the next one.
            let next = ((number + 1) % 16).to_string();
            let other = match (self.constant, self.teams) {
                (true, true) => &next,
                _ => index,
            };
            let by = if self.teams { "%w5" } else { "%odd" };
            text += &format!(
                "  %odd = and i32 %tid, 1\n  \
                 %other = icmp ne i32 {by}, 0\n  br i1 %other, label %site1, label %site0\n\
                 site0:\n{}  br label %join\nsite1:\n{}  br label %join\njoin:\n  \
                 %first = phi i32 [ %first0, %site0 ], [ %first1, %site1 ]\n",
                self.call(index, 0),
                self.call(other, 1)
            );
        } else {
            text += &self.call(index, 0);
            text += "  %first = add i32 %first0, 0\n";
        }
        text + &store("%first", "%w0") + "  ret void\n"
    }

    fn draft(self, number: u32, size: u32) -> Draft {
        let place = match self.constant {
            true => "constant",
            false => "register",
        };
        let apart = if self.apart { " apart" } else { "" };
        let name = format!("{} {place} {number}, {size} threads{apart}", self.name());
        let named = name.clone();
        Draft {
            name,
            first_chip: if self.aligned && !self.apart { 0 } else { 70 },
            make: Box::new(move || self.case(&named, number, size)),
        }
    }

    fn case(&self, name: &str, number: u32, size: u32) -> Case {
        let mut random = Random::new(fnv1a(name));
        let warps = size.div_ceil(32);
        // The first team has at least one warp, the second what is left.
        let first = match self.teams || self.meeting == Meeting::Arrive {
            true => 32 * (1 + random.number_below(u64::from(warps.max(2) - 1)) as u32),
            false => 0,
        };
        let team_of = |thread: u32| u32::from(thread >= first || first == 0);
        let all: Vec<u32> = (0..size).collect();
        let teams = [0, 1].map(|team| -> Vec<u32> {
            all.iter()
                .copied()
                .filter(|&t| team_of(t) == team)
                .collect()
        });
        let values: Vec<[u32; 2]> = all
            .iter()
            .map(|_| {
                let bits = random.bits();
                // Predicates that are mostly true, mostly false, or mixed.
                let truth = match number % 3 {
                    0 => !(bits >> 32).is_multiple_of(200),
                    1 => (bits >> 32).is_multiple_of(200),
                    _ => (bits >> 32).is_multiple_of(2),
                };
                [bits as u32, u32::from(truth)]
            })
            .collect();
        let (mut input, mut expected) = (Vec::new(), Vec::new());
        for &thread in &all {
            let team = team_of(thread);
            let readable = match self.meeting {
                Meeting::Arrive => &teams[0],
                _ => &teams[team as usize],
            };
            let from = readable[random.below(readable.len())];
            let meets = match self.meeting {
                Meeting::Arrive => 32 * warps,
                _ if self.teams => 32 * (teams[team as usize].len() as u32).div_ceil(32),
                _ => 0,
            };
            let index = match self.teams {
                true => (number + team) % 16,
                false => number,
            };
            let [value, predicate] = values[thread as usize];
            let words = [value, predicate, from, index, meets, team, 0, 0];
            debug_assert_eq!(words.len(), INPUT);
            input.extend(words);
            let of_team = || {
                let team = &teams[team as usize];
                team.iter().map(|&t| values[t as usize][1])
            };
            let first = match self.meeting {
                Meeting::Arrive if team == 0 => {
                    expected.extend([Some(UNTOUCHED); OUTPUT]);
                    continue;
                }
                Meeting::Sync | Meeting::Arrive => values[from as usize][0],
                Meeting::Red("and") => u32::from(of_team().all(|p| p != 0)),
                Meeting::Red("or") => u32::from(of_team().any(|p| p != 0)),
                Meeting::Red(_) => of_team().sum(),
            };
            expected.extend([Some(first), Some(value)]);
        }
        Case {
            body: self.body(number),
            globals: "@NAME_words = internal addrspace(3) global [1024 x i32] poison\n".to_owned(),
            shape: (1, size, 1),
            input,
            expected,
        }
    }
}

/// All uses of barriers of a block: each with all numbers, of which each has blocks of other sizes.
fn blocks() -> Vec<Draft> {
    let meetings = [
        Meeting::Sync,
        Meeting::Arrive,
        Meeting::Red("and"),
        Meeting::Red("or"),
        Meeting::Red("popc"),
    ];
    let mut cases = Vec::new();
    for meeting in meetings {
        for bits in 0..16u32 {
            let is = |bit: u32| bits >> bit & 1 != 0;
            let of = Use {
                meeting,
                aligned: is(0),
                teams: is(1),
                constant: is(2),
                apart: is(3),
            };
            // Those who come apart are not teams and not aligned; arrivals are teams by themselves.
            if of.apart && (of.aligned || of.teams)
                || meeting == Meeting::Arrive && (of.teams || of.apart)
            {
                continue;
            }
            for number in 0..16 {
                let size = SIZES[(number + bits) as usize % SIZES.len()];
                // Two teams are two warps at least.
                let size = match of.has_count() {
                    true => size.max(33),
                    false => size,
                };
                cases.push(of.draft(number, size));
            }
        }
    }
    cases
}

/// Ways for the blocks of a cluster to meet: a name, and the instructions.
const CLUSTERS: [(&str, &str); 4] = [
    (
        "aligned",
        "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n  \
         call void @llvm.nvvm.barrier.cluster.wait.aligned()\n",
    ),
    (
        "any",
        "  call void @llvm.nvvm.barrier.cluster.arrive()\n  \
         call void @llvm.nvvm.barrier.cluster.wait()\n",
    ),
    (
        "relaxed aligned",
        "  fence syncscope(\"cluster\") acq_rel\n  \
         call void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()\n  \
         call void @llvm.nvvm.barrier.cluster.wait.aligned()\n",
    ),
    (
        "relaxed",
        "  fence syncscope(\"cluster\") acq_rel\n  \
         call void @llvm.nvvm.barrier.cluster.arrive.relaxed()\n  \
         call void @llvm.nvvm.barrier.cluster.wait()\n",
    ),
];

/// The blocks of a cluster exchange words, through the shared memory of the others.
fn cluster(meet: &str, name: &str, blocks: u32, size: u32) -> Case {
    let mut random = Random::new(fnv1a(name));
    // Two clusters, so that one is not the whole grid.
    let threads: Vec<u32> = (0..2 * blocks * size)
        .map(|_| random.bits() as u32)
        .collect();
    let (mut input, mut expected) = (Vec::new(), Vec::new());
    for (number, &value) in (0u32..).zip(&threads) {
        let (block, inside) = (
            random.number_below(blocks.into()) as u32,
            random.number_below(size.into()) as u32,
        );
        let cluster = number / (blocks * size) * blocks;
        let from = (cluster + block) * size + inside;
        input.extend([value, 0, inside, block, 0, 0, 0, 0]);
        expected.extend([Some(threads[from as usize]), Some(value)]);
    }
    let body = format!(
        "  %mine = getelementptr i32, ptr addrspace(3) @NAME_words, i32 %tid\n  \
         store i32 %w0, ptr addrspace(3) %mine\n{}  \
         %there = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @NAME_words, i32 %w3)\n  \
         %from = getelementptr i32, ptr addrspace(7) %there, i32 %w2\n  \
         %first = load i32, ptr addrspace(7) %from\n{}{}  ret void\n",
        meet,
        // Nobody leaves while others read from its memory.
        meet,
        store("%first", "%w0")
    );
    Case {
        body,
        globals: "@NAME_words = internal addrspace(3) global [1024 x i32] poison\n".to_owned(),
        shape: (2 * blocks, size, blocks),
        input,
        expected,
    }
}

/// All cases.
pub fn suite() -> Vec<Draft> {
    let mut drafts = blocks();
    for (way, meet) in CLUSTERS {
        for (blocks, size) in [(1, 33), (2, 64), (4, 100), (8, 32)] {
            let name = format!("barrier.cluster {way} of {blocks}, {size} threads");
            let named = name.clone();
            drafts.push(Draft {
                name,
                first_chip: 90,
                make: Box::new(move || cluster(meet, &named, blocks, size)),
            });
        }
    }
    drafts
}
