//! Registers whose values can still be read, for each step of a program: `in = reads ∪ (out − writes)`, backwards until nothing
//! changes. A write under a guard leaves the register as it was where the guard does not hold, and ends nothing.

use crate::program::{Code, Dst, Op, Program, Slot, Src, Visitor};

/// The registers that are live before each step of each function.
#[derive(Debug, Default)]
pub(crate) struct Live(Vec<Vec<Registers>>);

/// A set of registers of a function.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Registers {
    pub(crate) predicates: Vec<bool>,
    pub(crate) words: Vec<bool>,
    pub(crate) doubles: Vec<bool>,
}

/// What a step reads and writes.
#[derive(Default)]
struct Used {
    reads: Vec<Src>,
    writes: Vec<Dst>,
}

impl Visitor for Used {
    fn read(&mut self, source: &mut Src) {
        self.reads.push(*source);
    }

    fn write(&mut self, to: &mut Dst) {
        self.writes.push(*to);
    }
}

impl Registers {
    fn of(code: &Code) -> Registers {
        Registers {
            predicates: vec![false; code.predicates],
            words: vec![false; code.words],
            doubles: vec![false; code.doubles],
        }
    }

    fn set(&mut self, source: Src, live: bool) {
        let (list, slot): (&mut Vec<bool>, Slot) = match source {
            Src::P(slot, _) => (&mut self.predicates, slot),
            Src::W(slot) => (&mut self.words, slot),
            Src::D(slot) => (&mut self.doubles, slot),
            Src::Imm(_) | Src::Special(_) | Src::Stack(_) => return,
        };
        if let Some(one) = list.get_mut(slot as usize) {
            *one = live;
        }
    }

    fn add(&mut self, other: &Registers) {
        let lists = [
            (&mut self.predicates, &other.predicates),
            (&mut self.words, &other.words),
            (&mut self.doubles, &other.doubles),
        ];
        for (own, other) in lists {
            own.iter_mut()
                .zip(other)
                .for_each(|(own, other)| *own |= other);
        }
    }
}

impl Live {
    /// Of all functions of a program. Nothing in it changes: visitors may, this one does not.
    pub(crate) fn of(program: &mut Program) -> Live {
        Live(program.codes.iter_mut().map(of_code).collect())
    }

    /// Before a step of a function.
    pub(crate) fn at(&self, code: usize, pc: u32) -> Option<&Registers> {
        self.0.get(code)?.get(pc as usize)
    }
}

fn of_code(code: &mut Code) -> Vec<Registers> {
    let count = code.steps.len();
    let used: Vec<Used> = (0..count).map(|step| used(code, step)).collect();
    let mut all = vec![Registers::of(code); count];
    let mut changed = true;
    while changed {
        changed = false;
        for index in (0..count).rev() {
            let step = &code.steps[index];
            let mut live = Registers::of(code);
            for next in step.successors(index as u32) {
                if let Some(next) = all.get(next as usize) {
                    live.add(next);
                }
            }
            match step.guard {
                None => {
                    for to in &used[index].writes {
                        match *to {
                            Dst::P(slot) => live.set(Src::P(slot, false), false),
                            Dst::W(slot, _) => live.set(Src::W(slot), false),
                            Dst::D(slot) => live.set(Src::D(slot), false),
                            Dst::Sink => {}
                        }
                    }
                }
                Some((slot, _)) => live.set(Src::P(slot, false), true),
            }
            used[index]
                .reads
                .iter()
                .for_each(|read| live.set(*read, true));
            if live != all[index] {
                all[index] = live;
                changed = true;
            }
        }
    }
    all
}

fn used(code: &mut Code, step: usize) -> Used {
    let mut used = Used::default();
    code.steps[step].op.visit(&mut used);
    // What a function returns is read where it returns.
    if matches!(code.steps[step].op, Op::Return) {
        code.returns
            .iter_mut()
            .for_each(|place| place.visit(&mut used));
    }
    used
}
