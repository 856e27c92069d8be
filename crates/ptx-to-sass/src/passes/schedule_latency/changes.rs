//! How what is live changes by each instruction of a region, kept up to date while an order is found.
//!
//! Where each lane has one value in the region ([`super::graph::Graph::is_counted`]), it is live from the instruction that writes it to the
//! last one that reads it: whichever that is in an order, it is known when only one is left.

use super::pressure::Pressure;
use super::{Region, Scratch, Tally};

/// What is known of a region before an order is looked for.
pub(super) struct Changes {
    /// For each instruction how what is live would change if it came first, from the beginning on.
    forward: Vec<Pressure>,
    /// The same from the end on, if it came last.
    backward: Vec<Pressure>,
    /// Whether it writes something that is read later.
    makes: Vec<bool>,
    /// For each lane that ends in the region how many instructions read it; and all of them as one number, which is that of
    /// the last one when the others have been taken out.
    readers: Vec<(u32, u32)>,
    /// For each instruction where the lanes begin that it reads and that end in the region; at the end, where the last ones end.
    starts: Vec<u32>,
    /// Those, and whether they are predicates.
    reads: Vec<(u32, bool)>,
}

/// The changes while an order is found.
#[derive(Default)]
pub(super) struct Current {
    changes: Vec<Pressure>,
    readers: Vec<(u32, u32)>,
    /// For each lane where its readers begin, and they.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Current {
    /// What would change by an instruction.
    pub(super) fn of(&self, at: u32) -> Pressure {
        self.changes[at as usize]
    }

    fn end_at(&mut self, at: u32, is_predicate: bool) {
        let own = &mut self.changes[at as usize];
        match is_predicate {
            true => own.predicates -= 1,
            false => own.registers -= 1,
        }
    }
}

impl Changes {
    fn reads(&self, at: u32) -> &[(u32, bool)] {
        let (from, to) = (self.starts[at as usize], self.starts[at as usize + 1]);
        &self.reads[from as usize..to as usize]
    }

    /// Whether an instruction writes something that is read later.
    pub(super) fn makes_live(&self, at: u32) -> bool {
        self.makes[at as usize]
    }

    /// How what is live changes by an instruction of a whole order with these places; after [`Changes::begin_at_end`].
    pub(super) fn in_order(&self, at: u32, places: &[u32], current: &Current) -> Pressure {
        let mut change = self.forward[at as usize];
        for (lane, is_predicate) in self.reads(at) {
            let lane = *lane as usize;
            let own = current.starts[lane] as usize..current.starts[lane + 1] as usize;
            // What is read once has ended already.
            let is_last = |reader: &u32| places[*reader as usize] <= places[at as usize];
            if own.len() > 1 && current.all[own].iter().rev().all(is_last) {
                match is_predicate {
                    true => change.predicates -= 1,
                    false => change.registers -= 1,
                }
            }
        }
        change
    }

    /// Begins an order from the beginning on.
    pub(super) fn begin(&self, current: &mut Current) {
        current.changes.clone_from(&self.forward);
        current.readers.clone_from(&self.readers);
    }

    /// Puts an instruction behind all before.
    pub(super) fn go_on(&self, at: u32, current: &mut Current) {
        for (lane, is_predicate) in self.reads(at) {
            let own = &mut current.readers[*lane as usize];
            own.0 -= 1;
            own.1 ^= at;
            let (left, last) = *own;
            if left == 1 {
                current.end_at(last, *is_predicate);
            }
        }
    }

    /// Begins an order from the end on.
    pub(super) fn begin_at_end(&self, current: &mut Current) {
        current.changes.clone_from(&self.backward);
        current.starts.clear();
        let mut count = 0;
        for (readers, _) in &self.readers {
            current.starts.push(count);
            count += readers;
        }
        current.starts.push(count);
        current.all.clear();
        current.all.resize(count as usize, 0);
        current.readers.clear();
        current.readers.resize(self.readers.len(), (0, 0));
        for at in 0..self.makes.len() as u32 {
            for (lane, _) in self.reads(at) {
                let filled = &mut current.readers[*lane as usize].0;
                let place = current.starts[*lane as usize] + *filled;
                current.all[place as usize] = at;
                *filled += 1;
            }
        }
    }

    /// Puts an instruction before all that was put behind it: what it reads is live for all others that read it.
    pub(super) fn go_back(&self, at: u32, current: &mut Current) {
        for (lane, is_predicate) in self.reads(at) {
            let lane = *lane as usize;
            // None are left once it is live.
            if std::mem::take(&mut current.readers[lane].0) == 0 {
                continue;
            }
            for place in current.starts[lane]..current.starts[lane + 1] {
                let reader = current.all[place as usize];
                current.end_at(reader, *is_predicate);
            }
        }
    }
}

impl Region<'_> {
    /// How what is live changes by each instruction.
    pub(super) fn changes(&self, scratch: &mut Scratch) -> Changes {
        let tallies = &mut scratch.tallies;
        for touch in self.touches() {
            tallies[touch.at as usize] = Tally::default();
        }
        let count = self.insts.len();
        for at in 0..count as u32 {
            for read in self.reads(at) {
                let own = &mut tallies[read.at as usize];
                own.reads += 1;
                own.last_reader ^= at;
            }
        }
        for touch in self.touches().iter().filter(|touch| touch.outlives) {
            tallies[touch.at as usize].counted = true;
        }
        let mut all = Changes {
            forward: Vec::with_capacity(count),
            backward: Vec::with_capacity(count),
            makes: Vec::with_capacity(count),
            readers: Vec::new(),
            starts: Vec::with_capacity(count + 1),
            reads: Vec::new(),
        };
        for at in 0..count as u32 {
            all.starts.push(all.reads.len() as u32);
            let (mut forward, mut backward) = (Pressure::default(), Pressure::default());
            for read in self.reads(at) {
                let own = &mut tallies[read.at as usize];
                if own.counted || !read.is_register && !read.is_predicate {
                    continue;
                }
                forward.touch(read, -i32::from(own.reads == 1));
                backward.touch(read, 1);
                let number = *own.number.get_or_insert(all.readers.len() as u32);
                if number as usize == all.readers.len() {
                    all.readers.push((own.reads, own.last_reader));
                }
                all.reads.push((number, read.is_predicate));
            }
            let mut makes = false;
            for write in self.writes(at) {
                let own = &tallies[write.at as usize];
                let is_read = own.reads > 0 || own.counted;
                makes |= is_read;
                forward.touch(write, is_read.into());
                backward.touch(write, -i32::from(is_read));
            }
            all.makes.push(makes);
            all.forward.push(forward);
            all.backward.push(backward);
        }
        all.starts.push(all.reads.len() as u32);
        all
    }
}
