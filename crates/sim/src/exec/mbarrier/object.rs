//! What a barrier object counts.
//!
//! A phase is over when no arrival is missing and as many bytes have come as were announced. The next
//! one then waits for as many arrivals as are expected. How the counts lie in the 64 bits of the
//! object and of a state is nowhere said, so the layouts here are our own:
//!
//! ```text
//!   object   63 parity of the phase │ 62 layout │ 40..61 bytes that are missing │ 20..40 expected │ 0..20 missing
//!   state    40..64 number of the phase                             │ 20..40 expected │ 0..20 missing
//! ```

/// The most arrivals or bytes that can be missing.
pub(crate) const MOST: u32 = (1 << 20) - 1;

const FIELD: u32 = 20;
/// Bits of the phase's number in a state.
const PHASE_BITS: u32 = 24;

/// What an object has room for: reports of copies, from `.layout::v1` on. Both are counted alike here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Layout {
    #[default]
    V0,
    V1,
}

/// The counts of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    /// How many phases are over.
    pub(crate) phase: u32,
    /// Arrivals in a phase.
    expected: u32,
    /// Arrivals that are missing in this one.
    pub(crate) pending: u32,
    /// Bytes that were announced and have not come; below zero if they came first.
    pub(crate) bytes: i32,
    pub(crate) layout: Layout,
}

/// An arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival {
    /// For how many it counts.
    pub(crate) count: u32,
    /// Whether as many are expected no more.
    pub(crate) drop: bool,
    /// Whether it may end the phase.
    pub(crate) may_complete: bool,
}

impl Object {
    /// `mbarrier.init`
    pub(crate) fn new(count: u32, layout: Layout) -> Result<Object, String> {
        if count == 0 || count > MOST {
            return Err(format!("it counts 1 to {MOST} arrivals, not {count}"));
        }
        Ok(Object {
            phase: 0,
            expected: count,
            pending: count,
            bytes: 0,
            layout,
        })
    }

    /// Counts an arrival; gives the state before.
    pub(crate) fn arrive(&mut self, arrival: Arrival) -> Result<u64, String> {
        let before = self.state();
        let count = arrival.count;
        if count == 0 || count > MOST {
            return Err(format!(
                "an arrival counts for 1 to {MOST} threads, not {count}"
            ));
        }
        if count > self.pending {
            return Err(format!(
                "{count} arrival(s) more, but only {} are missing in this phase",
                self.pending
            ));
        }
        if arrival.drop {
            let Some(left) = self.expected.checked_sub(count) else {
                return Err(format!(
                    "{count} arrival(s) are dropped, but only {} are expected",
                    self.expected
                ));
            };
            self.expected = left;
        }
        self.pending -= count;
        if !arrival.may_complete && self.is_complete() {
            return Err("an arrival with `.noComplete` ends the phase".to_owned());
        }
        Ok(before)
    }

    /// One arrival more is missing in this phase.
    pub(crate) fn increment(&mut self) -> Result<(), String> {
        if self.pending == MOST {
            return Err(format!("more than {MOST} arrivals would be missing"));
        }
        self.pending += 1;
        Ok(())
    }

    /// Announces bytes.
    pub(crate) fn expect(&mut self, bytes: u32) -> Result<(), String> {
        self.change_bytes(i64::from(bytes))
    }

    /// Bytes have come.
    pub(crate) fn complete(&mut self, bytes: u32) -> Result<(), String> {
        self.change_bytes(-i64::from(bytes))
    }

    fn change_bytes(&mut self, by: i64) -> Result<(), String> {
        let bytes = i64::from(self.bytes) + by;
        if bytes.unsigned_abs() > u64::from(MOST) {
            return Err(format!(
                "its count of bytes becomes {bytes}, outside -{MOST} to {MOST}"
            ));
        }
        self.bytes = bytes as i32;
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.pending == 0 && self.bytes == 0
    }

    /// Ends the phase if nothing is missing; whether it did.
    pub(crate) fn settle(&mut self) -> bool {
        let complete = self.is_complete();
        if complete {
            self.phase = self.phase.wrapping_add(1);
            self.pending = self.expected;
        }
        complete
    }

    /// What lies in memory.
    pub(crate) fn image(&self) -> u64 {
        let bytes = self.bytes as u64 & ((1 << (FIELD + 1)) - 1);
        u64::from(self.phase & 1) << 63
            | (self.layout as u64) << 62
            | bytes << (2 * FIELD)
            | u64::from(self.expected) << FIELD
            | u64::from(self.pending)
    }

    /// What an arrival gives back.
    fn state(&self) -> u64 {
        u64::from(self.phase) << (2 * FIELD)
            | u64::from(self.expected) << FIELD
            | u64::from(self.pending)
    }

    /// Whether the phase of a state is over.
    pub(crate) fn is_over(&self, state: u64) -> Result<bool, String> {
        let then = (state >> (2 * FIELD)) as u32;
        match self.phase.wrapping_sub(then) & ((1 << PHASE_BITS) - 1) {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(format!(
                "the state is of phase {then}, but only phase {} and the one before can be waited for",
                self.phase
            )),
        }
    }

    /// Whether the phase with a parity is over: this one or the one before.
    pub(crate) fn is_parity_over(&self, parity: u32) -> Result<bool, String> {
        match parity {
            0 | 1 => Ok(self.phase & 1 != parity),
            _ => Err(format!("the parity of a phase is 0 or 1, not {parity}")),
        }
    }
}

/// `mbarrier.pending_count`: the arrivals that were missing when a state was made.
pub fn pending_count(state: u64) -> u64 {
    state & u64::from(MOST)
}

/// A state of which only the phase is kept. Nothing else can be seen of one where `mbarrier.pending_count` is not used, and then
/// arrivals in a phase give the same state in every order.
pub(crate) fn without_counts(state: u64) -> u64 {
    state >> (2 * FIELD) << (2 * FIELD)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Arrival = Arrival {
        count: 1,
        drop: false,
        may_complete: true,
    };

    #[test]
    fn phases() {
        let mut object = Object::new(3, Layout::V0).unwrap();
        let first = object.arrive(ONE).unwrap();
        assert_eq!((pending_count(first), object.settle()), (3, false));
        assert_eq!(object.is_over(first), Ok(false));
        let both = Arrival { count: 2, ..ONE };
        assert_eq!(object.arrive(both).map(pending_count), Ok(2));
        assert!(object.settle());
        assert_eq!(object.is_over(first), Ok(true));
        assert_eq!(object.is_parity_over(0), Ok(true));
        assert_eq!(object.is_parity_over(1), Ok(false));
        // One of three leaves for good.
        let drop = Arrival { drop: true, ..ONE };
        object.arrive(drop).unwrap();
        object.arrive(both).unwrap();
        assert!(object.settle());
        assert!(object.is_over(first).is_err());
        assert_eq!((object.pending, object.phase), (2, 2));
    }

    #[test]
    fn bytes_hold_a_phase_open() {
        let mut object = Object::new(1, Layout::V0).unwrap();
        // They may come before they are announced.
        object.complete(16).unwrap();
        object.arrive(ONE).unwrap();
        assert!(!object.settle());
        assert!(object.arrive(ONE).is_err());
        object.expect(16).unwrap();
        assert!(object.settle());
        object.expect(MOST).unwrap();
        assert!(object.expect(1).is_err());
    }

    #[test]
    fn bad_counts() {
        assert!(Object::new(0, Layout::V0).is_err() && Object::new(MOST + 1, Layout::V0).is_err());
        let mut object = Object::new(MOST, Layout::V0).unwrap();
        assert!(object.increment().is_err());
        assert!(object.arrive(Arrival { count: 0, ..ONE }).is_err());
        let all = Arrival {
            count: MOST,
            may_complete: false,
            ..ONE
        };
        assert!(object.arrive(all).is_err());
        assert!(object.is_parity_over(2).is_err());
    }

    #[test]
    fn images_differ() {
        let mut object = Object::new(2, Layout::V0).unwrap();
        let other = Object::new(2, Layout::V1).unwrap();
        let mut seen = vec![object.image(), other.image()];
        object.expect(1).unwrap();
        seen.push(object.image());
        object.complete(2).unwrap();
        seen.push(object.image());
        object.arrive(ONE).unwrap();
        seen.push(object.image());
        object.expect(1).unwrap();
        object.arrive(ONE).unwrap();
        assert!(object.settle());
        seen.push(object.image());
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all);
    }
}
