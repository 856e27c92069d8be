//! Programs from seeds.
//!
//! A `Draft` is one function under construction. Its *pool* has the registers that are written on every way to the
//! place under construction: variables, which are read from the input first of all, and values that steps define for
//! those after them in the same list. Where a list ends its values leave the pool, so nothing reads a register that a
//! way around the list did not write.
//!
//! What instructions may be used is chosen for each program (groups of [`crate::table`] and `Has`): programs with few
//! features find other faults than those with all of them.

mod atomic;
mod call;
mod compute;
mod control;
mod copy;
mod kernel;
mod matrix;
mod memory;
mod parameter;
mod stack;
mod warp;

use crate::class::{ALL, COUNT, Class};
use crate::program::{Condition, Program, Step};
use crate::table::{GROUPS, Group};
use call::Callee;
use memory::Region;
use warpc_testkit::Random;

/// What a user can choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choices {
    /// Whether programs have functions that are called.
    pub calls: bool,
    /// Whether programs have jumps through tables.
    pub tables: bool,
}

impl Default for Choices {
    fn default() -> Choices {
        Choices {
            calls: true,
            tables: true,
        }
    }
}

/// What a function may have besides instructions that compute.
#[derive(Clone, Copy, Debug, Default)]
struct Has {
    branches: bool,
    loops: bool,
    tangles: bool,
    tables: bool,
    memory: bool,
    atomics: bool,
    collectives: bool,
    barriers: bool,
    carries: bool,
    division: bool,
    guards: bool,
    matrices: bool,
    copies: bool,
    stack: bool,
}

/// What is known at the place under construction.
#[derive(Clone, Debug, Default)]
struct Context {
    /// The lanes of the warp that are here, as an operand; nothing where that is not known.
    mask: Option<String>,
    /// Whether all threads of the block are here.
    is_uniform: bool,
    /// Whether threads may end here.
    may_exit: bool,
    /// How deep the place is nested.
    depth: usize,
    /// The loops around it that may be left from here, outermost first.
    loops: Vec<u32>,
}

/// A function under construction.
struct Draft {
    random: Random,
    next: [u32; COUNT],
    pool: [Vec<u32>; COUNT],
    groups: Vec<&'static Group>,
    has: Has,
    regions: Vec<Region>,
    callees: Vec<Callee>,
    ids: u32,
    /// Steps that may still be added.
    budget: usize,
    lane: String,
    /// Registers with the same value in all threads of a block.
    uniform: Vec<String>,
    /// Whether all warps are whole.
    whole_warps: bool,
    threads: u32,
    tid: String,
    /// Spaces and addresses of contended cells.
    cells: Vec<(&'static str, String)>,
}

/// The program of a seed.
pub fn program(seed: u64, choices: Choices) -> Program {
    kernel::program(seed, choices)
}

impl Draft {
    fn new(mut random: Random) -> Draft {
        let mut groups: Vec<&'static Group> = Vec::new();
        // Some programs have few kinds of instructions, and many of each.
        let few = random.one_in(3);
        for group in GROUPS {
            let percent = if few {
                group.percent / 3
            } else {
                group.percent
            };
            if random.chance(percent) {
                groups.push(group);
            }
        }
        if groups.is_empty() {
            groups.push(&GROUPS[0]);
        }
        let mut chance = |percent| random.chance(percent);
        let has = Has {
            branches: chance(75),
            loops: chance(60),
            tangles: chance(30),
            tables: false,
            memory: chance(70),
            atomics: chance(30),
            collectives: chance(45),
            barriers: chance(40),
            carries: chance(30),
            division: chance(30),
            guards: chance(75),
            matrices: chance(20),
            copies: chance(25),
            stack: chance(10),
        };
        Draft {
            random,
            next: [0; COUNT],
            pool: Default::default(),
            groups,
            has,
            regions: Vec::new(),
            callees: Vec::new(),
            ids: 0,
            budget: 0,
            lane: String::new(),
            uniform: Vec::new(),
            whole_warps: false,
            threads: 1,
            tid: String::new(),
            cells: Vec::new(),
        }
    }

    /// A register that nothing else uses.
    fn fresh(&mut self, class: Class) -> String {
        class.reg(self.fresh_number(class))
    }

    fn fresh_number(&mut self, class: Class) -> u32 {
        let number = self.next[class.index()];
        self.next[class.index()] += 1;
        number
    }

    fn id(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    /// A register that can be read. Those that were defined last are more likely.
    fn read(&mut self, class: Class) -> String {
        let pool = &self.pool[class.index()];
        let count = pool.len();
        let late = count.min(4);
        let at = match self.random.chance(35) {
            true => count - 1 - self.random.below(late),
            false => self.random.below(count),
        };
        class.reg(pool[at])
    }

    /// A register or a constant.
    fn read_any(&mut self, class: Class) -> String {
        if self.random.chance(30)
            && let Some(constant) = class.constant(&mut self.random)
        {
            return constant;
        }
        self.read(class)
    }

    /// A register to write: one that has a value already, or a new one, which `step` then defines.
    fn write(&mut self, class: Class, step: &mut Step, taken: &mut Vec<String>) -> String {
        if self.random.chance(50) {
            let register = self.read(class);
            if !taken.contains(&register) {
                taken.push(register.clone());
                return register;
            }
        }
        let number = self.fresh_number(class);
        step.defines.push((class, number));
        taken.push(class.reg(number));
        class.reg(number)
    }

    /// A register to write that has a value already, and is not among those `taken`; none if all are.
    fn rewrite(&mut self, class: Class, taken: &mut Vec<String>) -> Option<String> {
        for _ in 0..4 {
            let register = self.read(class);
            if !taken.contains(&register) {
                taken.push(register.clone());
                return Some(register);
            }
        }
        None
    }

    /// Lets what comes after a step read what it defines.
    fn publish(&mut self, step: &Step) {
        for &(class, number) in &step.defines {
            self.pool[class.index()].push(number);
        }
    }

    /// What the pool has, to be restored where a list ends.
    fn mark(&self) -> [usize; COUNT] {
        let mut lengths = [0; COUNT];
        for class in ALL {
            lengths[class.index()] = self.pool[class.index()].len();
        }
        lengths
    }

    fn restore(&mut self, lengths: [usize; COUNT]) {
        for class in ALL {
            self.pool[class.index()].truncate(lengths[class.index()]);
        }
    }

    /// A predicate or its opposite, with what makes it.
    fn condition(&mut self) -> (Vec<String>, Condition) {
        let mut lines = Vec::new();
        let is_negated = self.random.one_in(2);
        let register = match self.random.below(6) {
            0 | 1 => self.read(Class::P),
            2 if !self.lane.is_empty() => {
                let register = self.fresh(Class::P);
                let lane = self.lane.clone();
                let (bound, compare) = (
                    self.random.below(32),
                    self.random.pick(&["lt", "ge", "eq", "ne"]),
                );
                lines.push(format!("setp.{compare}.u32 {register}, {lane}, {bound};"));
                register
            }
            3 => {
                let (register, bit) = (self.fresh(Class::P), self.fresh(Class::W));
                let word = self.read(Class::W);
                let mask = 1 << self.random.below(8);
                lines.push(format!("and.b32 {bit}, {word}, {mask};"));
                lines.push(format!("setp.ne.u32 {register}, {bit}, 0;"));
                register
            }
            _ => {
                let register = self.fresh(Class::P);
                let (one, other) = (self.read(Class::W), self.read_any(Class::W));
                let compare = self.random.pick(&["lt", "ge", "eq", "ne", "gt", "le"]);
                let ty = self.random.pick(&["u32", "s32"]);
                lines.push(format!("setp.{compare}.{ty} {register}, {one}, {other};"));
                register
            }
        };
        (
            lines,
            Condition {
                register,
                is_negated,
            },
        )
    }
}
