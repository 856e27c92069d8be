//! Inputs.

use library::{Kind, Source, SourceError};
use std::ffi::{CStr, c_char, c_void};

/// What an input holds.
pub type warpc_kind = i32;

/// The ending of the name states it (`k.ll`, `k.ptx`), or the bytes if the name has no ending.
pub const WARPC_KIND_AUTO: warpc_kind = 0;
/// PTX text.
pub const WARPC_KIND_PTX: warpc_kind = 1;
/// LLVM IR, as text or as bitcode.
pub const WARPC_KIND_LLVM: warpc_kind = 2;
/// MLIR of the `llvm` and `nvvm` dialects.
pub const WARPC_KIND_MLIR: warpc_kind = 3;
/// Machine code as text.
pub const WARPC_KIND_SASS: warpc_kind = 4;
/// A cubin.
pub const WARPC_KIND_CUBIN: warpc_kind = 5;
/// A fatbin.
pub const WARPC_KIND_FATBIN: warpc_kind = 6;

/// An input: a name for diagnostics, bytes, and what they are. Text does not need to end in a null byte. Bytes are copied,
/// so they may change after the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_input {
    /// The name that diagnostics show; null is the same as `input`.
    pub name: *const c_char,
    /// The bytes; may be null if there are none.
    pub bytes: *const c_void,
    /// How many bytes there are.
    pub size: usize,
    /// What they are.
    pub kind: warpc_kind,
}

/// Why there is no input.
pub(crate) enum BadInput {
    /// The call is invalid.
    Argument,
    /// The library refuses it.
    Source(SourceError),
}

/// A text of the caller that ends in a null byte; none if it is null or not UTF-8.
///
/// # Safety
///
/// The pointer is null or points to a text that ends in a null byte, which lives and does not change while `'t` lasts.
pub(crate) unsafe fn text_of<'t>(text: *const c_char) -> Option<&'t str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// Elements of the caller; none if there is no pointer where there should be one.
///
/// # Safety
///
/// The pointer is null or points to that many elements, which live and do not change while `'e` lasts.
pub(crate) unsafe fn elements_of<'e, T>(first: *const T, count: usize) -> Option<&'e [T]> {
    if count == 0 {
        return Some(&[]);
    }
    let fits = count
        .checked_mul(size_of::<T>().max(1))
        .is_some_and(|bytes| bytes <= isize::MAX as usize);
    if first.is_null() || !first.is_aligned() || !fits {
        return None;
    }
    // SAFETY: the caller's promise; pointer, alignment and size are checked.
    Some(unsafe { std::slice::from_raw_parts(first, count) })
}

/// The input of the caller as the library takes it.
///
/// # Safety
///
/// The pointer is null or points to an input whose name and bytes are as its fields state.
pub(crate) unsafe fn source_of(input: *const warpc_input) -> Result<Source, BadInput> {
    // SAFETY: the caller's promise.
    let input = unsafe { elements_of(input, 1) };
    let input = input.and_then(<[_]>::first).ok_or(BadInput::Argument)?;
    let name = match input.name.is_null() {
        true => Some("input"),
        // SAFETY: the caller's promise.
        false => unsafe { text_of(input.name) },
    };
    let name = name.ok_or(BadInput::Argument)?;
    // SAFETY: the caller's promise.
    let bytes = unsafe { elements_of(input.bytes.cast::<u8>(), input.size) };
    let bytes = bytes.ok_or(BadInput::Argument)?;
    let kind = match input.kind {
        WARPC_KIND_AUTO => None,
        WARPC_KIND_PTX => Some(Kind::Ptx),
        WARPC_KIND_LLVM => Some(Kind::Llvm),
        WARPC_KIND_MLIR => Some(Kind::Mlir),
        WARPC_KIND_SASS => Some(Kind::Sass),
        WARPC_KIND_CUBIN => Some(Kind::Cubin),
        WARPC_KIND_FATBIN => Some(Kind::Fatbin),
        _ => return Err(BadInput::Argument),
    };
    let source = match kind {
        Some(kind) => Source::of_kind(kind, name, bytes),
        None => Source::new(name, bytes),
    };
    source.map_err(BadInput::Source)
}
