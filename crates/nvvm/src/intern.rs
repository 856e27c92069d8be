//! Interning: equal things get equal numbers.
//!
//! [`Set`] holds single values, [`Lists`] holds lists of values in one flat array. Both keep an
//! open-addressed table of numbers beside the data, so a value is stored once.

use crate::index::Id;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Numbers of the entries plus one by hash; zero is free.
#[derive(Clone, Debug, Default)]
struct Slots(Vec<u32>);

impl Slots {
    /// The entry that `same` accepts, or the free slot where it belongs.
    fn find(&self, hash: usize, mut same: impl FnMut(usize) -> bool) -> Result<usize, usize> {
        let mask = self.0.len() - 1;
        let mut slot = hash & mask;
        loop {
            match self.0[slot] {
                0 => return Err(slot),
                number if same(number as usize - 1) => return Ok(number as usize - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Makes room for one more than `len` entries.
    fn reserve(&mut self, len: usize, hash_of: impl Fn(usize) -> usize) {
        if (len + 1) * 2 <= self.0.len() {
            return;
        }
        let size = (self.0.len() * 2).max(64);
        let mask = size - 1;
        let mut slots = vec![0u32; size];
        for entry in 0..len {
            let mut slot = hash_of(entry) & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry as u32 + 1;
        }
        self.0 = slots;
    }
}

/// The low bits of the product are weak; fold the high ones in.
fn folded(hasher: &FxHasher) -> usize {
    let hash = hasher.finish();
    (hash ^ (hash >> 29)) as usize
}

fn hash_one<T: Hash>(item: &T) -> usize {
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
        self.slots
            .reserve(items.len(), |entry| hash_one(&items[entry]));
        match self
            .slots
            .find(hash_one(&item), |entry| items[entry] == item)
        {
            Ok(entry) => K::new(entry),
            Err(slot) => {
                self.items.push(item);
                self.slots.0[slot] = self.items.len() as u32;
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
        self.slots
            .reserve(ends.len(), |entry| hash_list(list_at(items, ends, entry)));
        let found = self
            .slots
            .find(hash_list(list), |entry| list_at(items, ends, entry) == list);
        match found {
            Ok(entry) => K::new(entry),
            Err(slot) => {
                self.items.extend_from_slice(list);
                self.ends.push(self.items.len() as u32);
                self.slots.0[slot] = self.ends.len() as u32;
                K::new(self.ends.len() - 1)
            }
        }
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

fn hash_list<T: Hash>(list: &[T]) -> usize {
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
