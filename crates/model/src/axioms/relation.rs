//! Relations over the events of an execution: a square of bits, one word a row.

/// The most events that a relation has.
pub const MAX_EVENTS: usize = 64;

/// A relation over events `0..len`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    rows: [u64; MAX_EVENTS],
    len: usize,
}

/// The positions of the bits of a word.
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let at = word.trailing_zeros() as usize;
            word &= word - 1;
            at
        })
    })
}

impl Relation {
    /// Nothing is related.
    ///
    /// # Panics
    ///
    /// With more than [`MAX_EVENTS`] events.
    pub fn empty(len: usize) -> Relation {
        assert!(len <= MAX_EVENTS, "callers count events first");
        Relation {
            rows: [0; MAX_EVENTS],
            len,
        }
    }

    /// The pairs for which a function says so.
    pub fn new(len: usize, related: impl Fn(usize, usize) -> bool) -> Relation {
        let mut relation = Relation::empty(len);
        for a in 0..len {
            for b in 0..len {
                if related(a, b) {
                    relation.insert(a, b);
                }
            }
        }
        relation
    }

    /// How many events there are.
    pub fn events(&self) -> usize {
        self.len
    }

    /// Adds a pair.
    pub fn insert(&mut self, a: usize, b: usize) {
        self.rows[a] |= 1 << b;
    }

    /// Whether a pair is in it.
    pub fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a] >> b & 1 == 1
    }

    /// What an event is related to, as bits.
    pub fn row(&self, a: usize) -> u64 {
        self.rows[a]
    }

    /// The pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.len).flat_map(|a| bits(self.rows[a]).map(move |b| (a, b)))
    }

    fn zip(&self, other: &Relation, join: impl Fn(u64, u64) -> u64) -> Relation {
        let mut result = Relation::empty(self.len);
        for a in 0..self.len {
            result.rows[a] = join(self.rows[a], other.rows[a]);
        }
        result
    }

    /// The pairs of either.
    pub fn or(&self, other: &Relation) -> Relation {
        self.zip(other, |a, b| a | b)
    }

    /// The pairs of both.
    pub fn and(&self, other: &Relation) -> Relation {
        self.zip(other, |a, b| a & b)
    }

    /// The pairs of this one that the other lacks.
    pub fn minus(&self, other: &Relation) -> Relation {
        self.zip(other, |a, b| a & !b)
    }

    /// One step of this and then one of the other.
    pub fn then(&self, other: &Relation) -> Relation {
        let mut result = Relation::empty(self.len);
        for a in 0..self.len {
            result.rows[a] = bits(self.rows[a]).fold(0, |row, b| row | other.rows[b]);
        }
        result
    }

    /// Every pair the other way round.
    pub fn inverse(&self) -> Relation {
        let mut result = Relation::empty(self.len);
        for (a, b) in self.pairs() {
            result.insert(b, a);
        }
        result
    }

    /// This, or nothing: with every event related to itself.
    pub fn maybe(&self) -> Relation {
        let mut result = self.clone();
        for a in 0..self.len {
            result.insert(a, a);
        }
        result
    }

    /// One or more steps.
    pub fn closure(&self) -> Relation {
        let mut result = self.clone();
        for middle in 0..self.len {
            let row = result.rows[middle];
            for a in 0..self.len {
                if result.rows[a] >> middle & 1 == 1 {
                    result.rows[a] |= row;
                }
            }
        }
        result
    }

    /// Only pairs that begin in one set of events and end in another.
    pub fn between(&self, from: u64, to: u64) -> Relation {
        let mut result = self.clone();
        for a in 0..self.len {
            result.rows[a] = if from >> a & 1 == 1 {
                self.rows[a] & to
            } else {
                0
            };
        }
        result
    }

    /// An event that is related to itself.
    pub fn reflexive(&self) -> Option<usize> {
        (0..self.len).find(|&a| self.has(a, a))
    }

    /// Whether steps lead back to where they began.
    pub fn has_cycle(&self) -> bool {
        self.closure().reflexive().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up() {
        let mut next = Relation::empty(4);
        for a in 0..3 {
            next.insert(a, a + 1);
        }
        assert!(next.closure().has(0, 3) && !next.closure().has(3, 0));
        assert!(next.then(&next).has(1, 3) && !next.then(&next).has(0, 1));
        assert!(!next.has_cycle());
        next.insert(3, 1);
        assert_eq!(next.closure().reflexive(), Some(1));
        assert!(next.inverse().has(1, 3));
        assert_eq!(
            next.between(0b10, 0b100).pairs().collect::<Vec<_>>(),
            [(1, 2)]
        );
    }
}
