//! Handles of links: numbers in a table. A handle is never followed as a pointer, so one that was destroyed, or never
//! was, is an error and not a crash.

use crate::link::Link;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// What C sees as a pointer to a link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Handle(usize);

impl Handle {
    /// No link.
    pub const NULL: Handle = Handle(0);
}

#[derive(Default)]
struct Table {
    links: HashMap<Handle, Arc<Mutex<Link>>>,
    /// How many were made: numbers are not used again.
    made: usize,
}

static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);

/// What a lock guards. After a panic the data are whole: a table entry is put in or not, and a link is changed by
/// assignments of finished values.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handle of a new link.
pub fn add(link: Link) -> Handle {
    let mut table = lock(&TABLE);
    table.made += 1;
    // Aligned like a pointer, for callers that keep something in the low bits.
    let handle = Handle(table.made * 16);
    table.links.insert(handle, Arc::new(Mutex::new(link)));
    handle
}

/// The link of a handle.
pub fn find(handle: Handle) -> Option<Arc<Mutex<Link>>> {
    lock(&TABLE).links.get(&handle).cloned()
}

/// Forgets a link; whether there was one. A call that is under way for it ends first.
pub fn remove(handle: Handle) -> bool {
    lock(&TABLE).links.remove(&handle).is_some()
}
