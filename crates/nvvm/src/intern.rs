//! Interning: equal things get equal numbers.
//!
//! [`Set`] holds single values, [`Lists`] holds lists of values in one flat array. Both keep an
//! open-addressed table of numbers beside the data, so a value is stored once.

use crate::index::Id;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// A hash of an entry; its low bits choose the slot.
type EntryHash = u32;

/// A slot of the table: the number of an entry plus one, zero if it is free, and the hash of the entry, so that others are
/// seldom looked at, and never when the table grows.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    number: u32,
    hash: EntryHash,
}

/// The entries by hash.
#[derive(Clone, Debug, Default)]
struct Slots(Vec<Slot>);

impl Slots {
    /// The entry that `same` accepts, or the free slot where it belongs.
    #[inline]
    fn find(&self, hash: EntryHash, mut same: impl FnMut(usize) -> bool) -> Result<usize, usize> {
        let mask = self.0.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.0[at];
            if slot.number == 0 {
                return Err(at);
            }
            let entry = slot.number as usize - 1;
            if slot.hash == hash && same(entry) {
                return Ok(entry);
            }
            at = (at + 1) & mask;
        }
    }

    /// Puts entry `len - 1` into a free slot.
    #[inline]
    fn put(&mut self, at: usize, len: usize, hash: EntryHash) {
        self.0[at] = Slot {
            number: len as u32,
            hash,
        };
    }

    /// Makes room for one more than `len` entries.
    #[inline]
    fn reserve(&mut self, len: usize) {
        if (len + 1) * 2 > self.0.len() {
            self.grow(len);
        }
    }

    /// Makes room for more than `len` entries.
    #[cold]
    fn grow(&mut self, len: usize) {
        let size = ((len + 1) * 2).next_power_of_two().max(64);
        let mask = size - 1;
        let mut slots = vec![Slot::default(); size];
        for &slot in self.0.iter().filter(|slot| slot.number != 0) {
            let mut at = slot.hash as usize & mask;
            while slots[at].number != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = slot;
        }
        self.0 = slots;
    }
}

/// The low bits of the product are weak; fold the high ones in.
fn folded(hasher: &FxHasher) -> EntryHash {
    let hash = hasher.finish();
    (hash ^ (hash >> 29)) as EntryHash
}

fn hash_one<T: Hash>(item: &T) -> EntryHash {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    folded(&hasher)
}

/// Distinct values, numbered in the order they came.
#[derive(Clone, Debug)]
pub struct Set<K, T> {
    items: Vec<T>,
    slots: Slots,
    key: PhantomData<K>,
}

impl<K, T> Default for Set<K, T> {
    fn default() -> Set<K, T> {
        Set {
            items: Vec::new(),
            slots: Slots::default(),
            key: PhantomData,
        }
    }
}

impl<K: Id, T: Hash + Eq> Set<K, T> {
    /// The number of a value, new if need be.
    pub fn intern(&mut self, item: T) -> K {
        let items = &self.items;
        self.slots.reserve(items.len());
        let hash = hash_one(&item);
        match self.slots.find(hash, |entry| items[entry] == item) {
            Ok(entry) => K::new(entry),
            Err(slot) => {
                self.items.push(item);
                self.slots.put(slot, self.items.len(), hash);
                K::new(self.items.len() - 1)
            }
        }
    }

    /// The value with a number.
    pub fn get(&self, key: K) -> &T {
        &self.items[key.index()]
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (K, &T)> {
        self.items.iter().enumerate().map(|(i, v)| (K::new(i), v))
    }
}

/// Distinct lists, numbered in the order they came.
#[derive(Clone, Debug)]
pub struct Lists<K, T> {
    items: Vec<T>,
    /// Where each list ends in `items`; it starts where the one before ends.
    ends: Vec<u32>,
    slots: Slots,
    key: PhantomData<K>,
}

impl<K, T> Default for Lists<K, T> {
    fn default() -> Lists<K, T> {
        Lists {
            items: Vec::new(),
            ends: Vec::new(),
            slots: Slots::default(),
            key: PhantomData,
        }
    }
}

fn list_at<'a, T>(items: &'a [T], ends: &[u32], entry: usize) -> &'a [T] {
    let start = if entry == 0 { 0 } else { ends[entry - 1] };
    &items[start as usize..ends[entry] as usize]
}

impl<K: Id, T: Hash + Eq + Copy> Lists<K, T> {
    /// The number of a list, new if need be.
    pub fn intern(&mut self, list: &[T]) -> K {
        let (items, ends) = (&self.items, &self.ends);
        self.slots.reserve(ends.len());
        let hash = hash_list(list);
        let found = self
            .slots
            .find(hash, |entry| list_at(items, ends, entry) == list);
        match found {
            Ok(entry) => K::new(entry),
            Err(slot) => {
                self.items.extend_from_slice(list);
                self.ends.push(self.items.len() as u32);
                self.slots.put(slot, self.ends.len(), hash);
                K::new(self.ends.len() - 1)
            }
        }
    }

    /// Makes room for more lists, and for all their items together.
    pub fn reserve(&mut self, lists: usize, items: usize) {
        self.items.reserve(items);
        self.ends.reserve(lists);
        self.slots.reserve(self.ends.len() + lists);
    }

    /// The number of a list that is there already.
    pub fn find(&self, list: &[T]) -> Option<K> {
        if self.ends.is_empty() {
            return None;
        }
        self.slots
            .find(hash_list(list), |entry| {
                list_at(&self.items, &self.ends, entry) == list
            })
            .ok()
            .map(K::new)
    }

    /// The list with a number.
    pub fn get(&self, key: K) -> &[T] {
        list_at(&self.items, &self.ends, key.index())
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn hash_list<T: Hash>(list: &[T]) -> EntryHash {
    let mut hasher = FxHasher::default();
    T::hash_slice(list, &mut hasher);
    hasher.write_usize(list.len());
    folded(&hasher)
}

#[cfg(test)]
mod tests {
    use super::*;
    crate::index::define_ids! { Number }

    #[test]
    fn equal_values_share_a_number() {
        let mut set: Set<Number, u64> = Set::default();
        let numbers: Vec<Number> = (0..1000u64).map(|i| set.intern(i * 7)).collect();
        for (i, &number) in numbers.iter().enumerate() {
            assert_eq!(*set.get(number), i as u64 * 7);
            assert_eq!(set.intern(i as u64 * 7), number);
        }
        assert_eq!(set.len(), 1000);
    }

    #[test]
    fn lists_keep_their_bounds() {
        let mut lists: Lists<Number, u8> = Lists::default();
        let empty = lists.intern(b"");
        let a = lists.intern(b"a");
        let ab = lists.intern(b"ab");
        assert_eq!(lists.intern(b"a"), a);
        assert_eq!(lists.get(ab), b"ab");
        assert_eq!(lists.get(empty), b"");
        assert_eq!(lists.find(b"b"), None);
    }
}
