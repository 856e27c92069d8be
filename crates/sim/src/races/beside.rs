//! What is known of a piece of memory besides its cell: more reads, strong writes before the last one, and who saw strong
//! writes.
//!
//! A write is before an access by synchronisation, or because a strong read saw it, or an atomic operation that goes back to
//! it, and the access is after that. So a strong write comes with those that saw it. It may be forgotten who they were, but
//! not that there were any: of such a write nothing is reported any more.

use super::know::Actor;
use super::shadow::{Info, LOST, Seen};

/// Lanes of an actor that saw a write, at a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Witness {
    pub(super) actor: Actor,
    pub(super) clock: u32,
    pub(super) lanes: u32,
}

/// A strong write that another one has followed. Of one with [`LOST`] it is not known who saw it.
#[derive(Clone, Debug)]
pub(super) struct Old {
    pub(super) write: Seen,
    pub(super) witnesses: Vec<Witness>,
    /// Whether the last write is an atomic operation that goes back to it.
    pub(super) chained: bool,
}

/// All of it for a cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside {
    /// Reads that the cell has no room for.
    pub(super) reads: Vec<Seen>,
    /// Strong writes before the last one.
    pub(super) old: Vec<Old>,
    /// Who saw the last write.
    pub(super) witnesses: Vec<Witness>,
}

impl Beside {
    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.old.is_empty() && self.witnesses.is_empty()
    }

    /// Bytes that it takes.
    pub(super) fn size(&self) -> usize {
        let of_old = self.old.iter();
        let of_old = of_old.map(|old| old.witnesses.capacity() * size_of::<Witness>());
        size_of::<Beside>()
            + 2 * size_of::<u64>()
            + self.reads.capacity() * size_of::<Seen>()
            + self.old.capacity() * size_of::<Old>()
            + self.witnesses.capacity() * size_of::<Witness>()
            + of_old.sum::<usize>()
    }

    /// Forgets what there is least need of until it takes at most so many bytes; `last` is what is known of the last write.
    pub(super) fn shrink(&mut self, most: usize, last: &mut Info) {
        while self.size() > most && !self.old.is_empty() {
            self.old.remove(0);
            self.old.shrink_to_fit();
        }
        if self.size() > most && !self.witnesses.is_empty() {
            self.witnesses = Vec::new();
            *last |= LOST;
        }
        while self.size() > most && !self.reads.is_empty() {
            // The first ones are kept.
            self.reads.pop();
            self.reads.shrink_to_fit();
        }
    }
}

/// Remembers who saw a write, unless it is known that nothing depends on it: `is_after` says of a witness whether the new one
/// is after it.
pub(super) fn see(list: &mut Vec<Witness>, new: Witness, is_after: impl Fn(&Witness) -> bool) {
    if list.iter().any(is_after) {
        return;
    }
    let same = list
        .iter_mut()
        .find(|old| (old.actor, old.clock) == (new.actor, new.clock));
    match same {
        Some(old) => old.lanes |= new.lanes,
        None => {
            list.reserve_exact(if list.len() < 8 { 1 } else { list.len() });
            list.push(new);
        }
    }
}
