//! Handles: boxes that start with a tag, so that a handle of the wrong kind is noticed.

use std::ptr;

/// A type that C has as an opaque handle.
///
/// # Safety
///
/// The type is `repr(C)`, and its first field is a `u64` that holds `TAG` until the handle is freed.
pub unsafe trait Handle: Sized {
    /// What tells the kind of a handle.
    const TAG: u64;
    /// Sets the first field.
    fn set_tag(&mut self, tag: u64);
}

/// The tag of a handle that was freed.
const FREED: u64 = 0;

/// Gives a value to the caller.
pub fn give<H: Handle>(value: H) -> *mut H {
    Box::into_raw(Box::new(value))
}

/// Whether a pointer is a handle of this kind.
fn is_valid<H: Handle>(handle: *const H) -> bool {
    if handle.is_null() || !handle.is_aligned() {
        return false;
    }
    // SAFETY: the pointer is not null and aligned for a type that starts with a u64. All handles of this library do, so
    // one of another kind is read within its bounds; other pointers are outside of the contract.
    let tag = unsafe { handle.cast::<u64>().read() };
    tag == H::TAG
}

/// The value of a handle, if it is one of this kind.
///
/// # Safety
///
/// The pointer is null or a handle of this library that was not freed, and the caller does not free it while `'h` lasts.
pub unsafe fn borrowed<'h, H: Handle>(handle: *const H) -> Option<&'h H> {
    // SAFETY: the tag shows that it came from `give` as this type; the caller keeps it alive.
    is_valid(handle).then(|| unsafe { &*handle })
}

/// Frees the handle in a variable of the caller and sets the variable to null, so that freeing it again does nothing.
/// What is not a handle of this kind is left alone.
///
/// # Safety
///
/// The pointer is null or points to a variable that is null or holds a handle of this library that was not freed through
/// another variable.
pub unsafe fn free<H: Handle>(variable: *mut *mut H) {
    if variable.is_null() || !variable.is_aligned() {
        return;
    }
    // SAFETY: the variable is the caller's, and valid for reads and writes.
    let handle = unsafe { ptr::replace(variable, ptr::null_mut()) };
    if is_valid(handle) {
        // SAFETY: the tag shows that it came from `give` as this type, and nothing else owns it.
        let mut value = unsafe { Box::from_raw(handle) };
        value.set_tag(FREED);
    } else {
        // SAFETY: as above.
        unsafe { variable.write(handle) };
    }
}

/// Puts a value into a variable of the caller, if there is one.
///
/// # Safety
///
/// The pointer is null or points to a variable that is valid for writes.
pub unsafe fn put<T>(variable: *mut T, value: T) {
    if !variable.is_null() && variable.is_aligned() {
        // SAFETY: the caller's promise.
        unsafe { variable.write(value) };
    }
}

/// A structure that starts with its size, which the caller sets: newer libraries have more fields, older programs fewer.
///
/// # Safety
///
/// The type is `repr(C)`, its first field is a `usize`, and all of its fields are valid when all of their bytes are zero.
pub unsafe trait Extensible: Copy {}

/// Reads a structure of the caller as far as it goes; the fields that it lacks are zero.
///
/// # Safety
///
/// The pointer is null or points to a structure whose first field is its size in bytes.
pub unsafe fn read_sized<T: Extensible>(from: *const T) -> Option<T> {
    // SAFETY: the caller's promise.
    let size = unsafe { size_of_caller(from)? };
    let mut value = std::mem::MaybeUninit::<T>::zeroed();
    let len = size.min(size_of::<T>());
    // SAFETY: `len` bytes are within both; bytes of `repr(C)` integers and pointers are valid as they are, and the rest is
    // zero, which `Extensible` promises to be valid.
    unsafe {
        ptr::copy_nonoverlapping(from.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), len);
        Some(value.assume_init())
    }
}

/// Writes a structure of the caller as far as it goes, except for its size.
///
/// # Safety
///
/// As [`read_sized`], and the structure is valid for writes.
pub unsafe fn write_sized<T: Extensible>(to: *mut T, value: &T) -> bool {
    // SAFETY: the caller's promise.
    let Some(size) = (unsafe { size_of_caller(to) }) else {
        return false;
    };
    let len = size.min(size_of::<T>());
    let first = size_of::<usize>();
    // SAFETY: `first..len` is within both structures.
    unsafe {
        let from = ptr::from_ref(value).cast::<u8>().add(first);
        ptr::copy_nonoverlapping(from, to.cast::<u8>().add(first), len.saturating_sub(first));
    }
    true
}

/// The size that the caller's structure states; none if it cannot be one.
///
/// # Safety
///
/// The pointer is null or points to a structure whose first field is a `usize`.
unsafe fn size_of_caller<T: Extensible>(structure: *const T) -> Option<usize> {
    if structure.is_null() || !structure.is_aligned() {
        return None;
    }
    // SAFETY: the caller's promise.
    let size = unsafe { structure.cast::<usize>().read() };
    (size >= size_of::<usize>()).then_some(size)
}
