//! Typed indices and the arrays they index.
//!
//! Everything in a module is named by a four-byte index of its own type, so a block cannot be taken
//! for a type, and the module is a handful of flat arrays instead of a graph of pointers.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index of its own type.
pub trait Id: Copy + Eq + 'static {
    /// The index at a position.
    fn new(index: usize) -> Self;
    /// The position.
    fn index(self) -> usize;
}

/// Defines index types.
macro_rules! define_ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $crate::index::Id for $name {
            fn new(index: usize) -> $name {
                debug_assert!(index < u32::MAX as usize);
                $name(index as u32)
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
pub(crate) use define_ids;

/// An array indexed by one type of index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> IdVec<K, V> {
    /// An empty array.
    pub const fn new() -> IdVec<K, V> {
        IdVec {
            items: Vec::new(),
            key: PhantomData,
        }
    }

    /// Appends an item and returns its index.
    pub fn push(&mut self, item: V) -> K {
        self.items.push(item);
        K::new(self.items.len() - 1)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item, if the index is in range.
    pub fn get(&self, key: K) -> Option<&V> {
        self.items.get(key.index())
    }

    /// All indices in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.items.len()).map(K::new)
    }

    /// All items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, v)| (K::new(i), v))
    }

    /// All items in order, to be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (K, &mut V)> {
        self.items
            .iter_mut()
            .enumerate()
            .map(|(i, v)| (K::new(i), v))
    }

    /// The items as a slice.
    pub fn as_slice(&self) -> &[V] {
        &self.items
    }

    /// Moves all items into a new array with just as much memory as they need.
    pub(crate) fn move_out(&mut self) -> IdVec<K, V> {
        IdVec {
            items: move_out(&mut self.items),
            key: PhantomData,
        }
    }
}

/// Moves all items into a new vector with just as much memory as they need.
pub(crate) fn move_out<T>(items: &mut Vec<T>) -> Vec<T> {
    let mut moved = Vec::with_capacity(items.len());
    moved.append(items);
    moved
}

impl<K: Id, V> Default for IdVec<K, V> {
    fn default() -> IdVec<K, V> {
        IdVec::new()
    }
}

impl<K: Id, V> Index<K> for IdVec<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        &self.items[key.index()]
    }
}

impl<K: Id, V> IndexMut<K> for IdVec<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.items[key.index()]
    }
}
