//! Handles of programs: numbers in a table. A handle is never followed as a pointer, so one that was destroyed, or never
//! was, is an error and not a crash.

use crate::program::Program;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// What C sees as a pointer to a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Handle(usize);

impl Handle {
    /// No program.
    pub const NULL: Handle = Handle(0);
}

#[derive(Default)]
struct Table {
    programs: HashMap<Handle, Arc<Mutex<Program>>>,
    /// How many were made: numbers are not used again.
    made: usize,
}

static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);

/// What a lock guards. After a panic the data are whole: a table entry is put in or not, and a program is changed by
/// assignments of finished values.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handle of a new program.
pub fn add(program: Program) -> Handle {
    let mut table = lock(&TABLE);
    table.made += 1;
    // Aligned like a pointer, for callers that keep something in the low bits.
    let handle = Handle(table.made * 16);
    table.programs.insert(handle, Arc::new(Mutex::new(program)));
    handle
}

/// The program of a handle.
pub fn find(handle: Handle) -> Option<Arc<Mutex<Program>>> {
    lock(&TABLE).programs.get(&handle).cloned()
}

/// Forgets a program; whether there was one. A call that is under way for it ends first.
pub fn remove(handle: Handle) -> bool {
    lock(&TABLE).programs.remove(&handle).is_some()
}
