//! Names: each distinct string of a module once.
//!
//! LLVM's names and strings are bytes, not text: `@"\FF"` is a name. They are kept as bytes; the
//! printer writes what is not printable ASCII as `\XX` again.

use crate::index::define_ids;
use crate::intern::Lists;
use std::borrow::Cow;

define_ids! {
    /// A string of a module: the name of a value, an attribute, a metadata string.
    Name
}

/// The strings of a module.
#[derive(Clone, Debug, Default)]
pub struct Names {
    lists: Lists<Name, u8>,
}

impl Names {
    /// The number of a string, new if need be.
    pub fn intern(&mut self, text: &[u8]) -> Name {
        self.lists.intern(text)
    }

    /// Makes room for more strings, and for all their bytes together.
    pub(crate) fn reserve(&mut self, strings: usize, bytes: usize) {
        self.lists.reserve(strings, bytes);
    }

    /// The number of a string that is there already.
    pub fn find(&self, text: &[u8]) -> Option<Name> {
        self.lists.find(text)
    }

    /// The bytes of a string.
    pub fn bytes(&self, name: Name) -> &[u8] {
        self.lists.get(name)
    }

    /// The string as text, for messages.
    pub fn text(&self, name: Name) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(name))
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there is no string.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}
