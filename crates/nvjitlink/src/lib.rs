//! nvJitLink's C functions on warpc: `libnvJitLink.so`, to be put in the place of NVIDIA's, as far as the assembler goes.
//!
//! ```text
//!   nvJitLinkCreate ──► handle ── nvJitLinkAddData, nvJitLinkAddFile ──► inputs (PTX is assembled at once)
//!                         ├────── nvJitLinkComplete ──► cubin, PTX
//!                         ├────── nvJitLinkGet… ──► bytes and logs
//!                         └────── nvJitLinkDestroy
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `lib.rs` | the functions that are exported, and all that is unsafe: pointers of the caller become slices and texts |
//! | `handle.rs` | handles: numbers in a table, so that a stale one is noticed |
//! | `link.rs` | inputs and what becomes of them |
//! | `options.rs` | the options of a link |
//! | `result.rs` | result codes, kinds of inputs |
//!
//! The header gives each function a name with the version of the toolkit; there is one for each version of CUDA 13 and one
//! without. Nothing panics across the border.

// The file has to be named as NVIDIA's.
#![allow(non_snake_case)]

mod handle;
mod link;
mod options;
mod result;

pub use handle::Handle;
use link::{Link, Wanted};
pub use result::JitLinkResult;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What [`nvJitLinkVersion`] gives: the version of the library that this one takes the place of.
const VERSION: (c_uint, c_uint) = (13, 4);

/// Does the work of a function; a panic becomes a result.
fn guarded(work: impl FnOnce() -> JitLinkResult) -> JitLinkResult {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(JitLinkResult::Internal)
}

/// Does work on the link of a handle.
fn on_link(handle: Handle, work: impl FnOnce(&mut Link) -> JitLinkResult) -> JitLinkResult {
    guarded(|| match handle::find(handle) {
        Some(link) => work(&mut handle::lock(&link)),
        None if handle == Handle::NULL => JitLinkResult::NullInput,
        None => JitLinkResult::InvalidInput,
    })
}

/// A text of the caller; empty for null.
///
/// # Safety
///
/// The pointer is null or points to bytes that end with a zero.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: it is not null, and the caller of this function promises the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}

/// # Safety
///
/// `handle` is null or can be written through; `options` is null or points to `count` texts that end with a zero.
unsafe fn create(handle: *mut Handle, count: u32, options: *const *const c_char) -> JitLinkResult {
    guarded(|| {
        if handle.is_null() || (options.is_null() && count > 0) {
            return JitLinkResult::NullInput;
        }
        let mut texts = Vec::new();
        for index in 0..count as usize {
            // SAFETY: there are `count` pointers, each of them null or a text, as the caller promises.
            texts.push(unsafe { text(*options.add(index)) });
        }
        let (link, result) = Link::new(&texts);
        // SAFETY: it is not null, and the caller promises that it can be written through.
        unsafe { handle.write(handle::add(link)) };
        result
    })
}

/// # Safety
///
/// `handle` is null or can be read and written through.
unsafe fn destroy(handle: *mut Handle) -> JitLinkResult {
    guarded(|| {
        if handle.is_null() {
            return JitLinkResult::NullInput;
        }
        // SAFETY: it is not null, and the caller promises that it can be read through.
        let held = unsafe { handle.read() };
        if held == Handle::NULL {
            return JitLinkResult::NullInput;
        }
        if !handle::remove(held) {
            return JitLinkResult::InvalidInput;
        }
        // SAFETY: as above.
        unsafe { handle.write(Handle::NULL) };
        JitLinkResult::Success
    })
}

/// # Safety
///
/// `data` is null or points to `size` bytes; `name` is null or a text that ends with a zero.
unsafe fn add_data(
    handle: Handle,
    kind: c_int,
    data: *const c_void,
    size: usize,
    name: *const c_char,
) -> JitLinkResult {
    on_link(handle, |link| {
        // No memory has more bytes than the largest distance of two addresses.
        if data.is_null() || size == 0 || isize::try_from(size).is_err() {
            return JitLinkResult::InvalidInput;
        }
        // SAFETY: it is not null, the size can be one, and the caller promises that there are `size` bytes.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) };
        // SAFETY: the caller promises it.
        let name = unsafe { text(name) };
        link.add(kind, bytes, &name)
    })
}

/// # Safety
///
/// `name` is null or a text that ends with a zero.
unsafe fn add_file(handle: Handle, kind: c_int, name: *const c_char) -> JitLinkResult {
    on_link(handle, |link| {
        if name.is_null() {
            return JitLinkResult::NullInput;
        }
        // SAFETY: the caller promises it.
        let name = unsafe { text(name) };
        match std::fs::read(&name) {
            Ok(bytes) => link.add(kind, &bytes, &name),
            Err(_) => JitLinkResult::InvalidInput,
        }
    })
}

/// # Safety
///
/// None is needed; the functions of the header have one form.
unsafe fn complete(handle: Handle) -> JitLinkResult {
    on_link(handle, Link::complete)
}

/// # Safety
///
/// `size` is null or can be written through.
unsafe fn size_of(handle: Handle, size: *mut usize, wanted: Wanted) -> JitLinkResult {
    on_link(handle, |link| {
        if size.is_null() {
            return JitLinkResult::NullInput;
        }
        match link.get(wanted) {
            Ok(bytes) => {
                // SAFETY: it is not null, and the caller promises that it can be written through.
                unsafe { size.write(bytes.len()) };
                JitLinkResult::Success
            }
            Err(result) => result,
        }
    })
}

/// # Safety
///
/// `buffer` is null or has room for as many bytes as the function for the size gave.
unsafe fn copy(handle: Handle, buffer: *mut c_void, wanted: Wanted) -> JitLinkResult {
    on_link(handle, |link| {
        if buffer.is_null() {
            return JitLinkResult::NullInput;
        }
        match link.get(wanted) {
            Ok(bytes) => {
                let to = buffer.cast::<u8>();
                // SAFETY: the buffer is not null, and the caller promises room for the bytes; memory of this library and
                // of the caller do not overlap.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
                JitLinkResult::Success
            }
            Err(result) => result,
        }
    })
}

/// The version of the library.
///
/// # Safety
///
/// The pointers are null or can be written through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvJitLinkVersion(major: *mut c_uint, minor: *mut c_uint) -> JitLinkResult {
    if major.is_null() || minor.is_null() {
        return JitLinkResult::NullInput;
    }
    // SAFETY: they are not null, and the caller promises that they can be written through.
    unsafe {
        major.write(VERSION.0);
        minor.write(VERSION.1);
    }
    JitLinkResult::Success
}

/// A function under one name.
macro_rules! named {
    ($inner:expr, ($($argument:ident: $ty:ty),*), $name:ident) => {
        /// The function of `nvJitLink.h` with this name.
        ///
        /// # Safety
        ///
        /// Pointers are as the header requires.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $ty),*) -> JitLinkResult {
            // SAFETY: the caller keeps what the header requires, which is what the function inside requires.
            unsafe { $inner($($argument),*) }
        }
    };
}

/// A function under all of its names.
macro_rules! exported {
    ($arguments:tt => $inner:expr; $($name:ident)+) => {
        $(named!($inner, $arguments, $name);)+
    };
}

exported!((handle: *mut Handle, count: u32, options: *const *const c_char) => create;
    nvJitLinkCreate __nvJitLinkCreate_13_0 __nvJitLinkCreate_13_1 __nvJitLinkCreate_13_2 __nvJitLinkCreate_13_3
    __nvJitLinkCreate_13_4);
exported!((handle: *mut Handle) => destroy;
    nvJitLinkDestroy __nvJitLinkDestroy_13_0 __nvJitLinkDestroy_13_1 __nvJitLinkDestroy_13_2 __nvJitLinkDestroy_13_3
    __nvJitLinkDestroy_13_4);
exported!((handle: Handle, kind: c_int, data: *const c_void, size: usize, name: *const c_char) => add_data;
    nvJitLinkAddData __nvJitLinkAddData_13_0 __nvJitLinkAddData_13_1 __nvJitLinkAddData_13_2 __nvJitLinkAddData_13_3
    __nvJitLinkAddData_13_4);
exported!((handle: Handle, kind: c_int, name: *const c_char) => add_file;
    nvJitLinkAddFile __nvJitLinkAddFile_13_0 __nvJitLinkAddFile_13_1 __nvJitLinkAddFile_13_2 __nvJitLinkAddFile_13_3
    __nvJitLinkAddFile_13_4);
exported!((handle: Handle) => complete;
    nvJitLinkComplete __nvJitLinkComplete_13_0 __nvJitLinkComplete_13_1 __nvJitLinkComplete_13_2 __nvJitLinkComplete_13_3
    __nvJitLinkComplete_13_4);
exported!((handle: Handle, size: *mut usize) => |handle, size| size_of(handle, size, Wanted::Cubin);
    nvJitLinkGetLinkedCubinSize __nvJitLinkGetLinkedCubinSize_13_0 __nvJitLinkGetLinkedCubinSize_13_1
    __nvJitLinkGetLinkedCubinSize_13_2 __nvJitLinkGetLinkedCubinSize_13_3 __nvJitLinkGetLinkedCubinSize_13_4);
exported!((handle: Handle, to: *mut c_void) => |handle, to| copy(handle, to, Wanted::Cubin);
    nvJitLinkGetLinkedCubin __nvJitLinkGetLinkedCubin_13_0 __nvJitLinkGetLinkedCubin_13_1
    __nvJitLinkGetLinkedCubin_13_2 __nvJitLinkGetLinkedCubin_13_3 __nvJitLinkGetLinkedCubin_13_4);
exported!((handle: Handle, size: *mut usize) => |handle, size| size_of(handle, size, Wanted::Ptx);
    nvJitLinkGetLinkedPtxSize __nvJitLinkGetLinkedPtxSize_13_0 __nvJitLinkGetLinkedPtxSize_13_1
    __nvJitLinkGetLinkedPtxSize_13_2 __nvJitLinkGetLinkedPtxSize_13_3 __nvJitLinkGetLinkedPtxSize_13_4);
exported!((handle: Handle, to: *mut c_void) => |handle, to| copy(handle, to, Wanted::Ptx);
    nvJitLinkGetLinkedPtx __nvJitLinkGetLinkedPtx_13_0 __nvJitLinkGetLinkedPtx_13_1 __nvJitLinkGetLinkedPtx_13_2
    __nvJitLinkGetLinkedPtx_13_3 __nvJitLinkGetLinkedPtx_13_4);
exported!((handle: Handle, size: *mut usize) => |handle, size| size_of(handle, size, Wanted::LtoIr);
    nvJitLinkGetLinkedLTOIRSize __nvJitLinkGetLinkedLTOIRSize_13_0 __nvJitLinkGetLinkedLTOIRSize_13_1
    __nvJitLinkGetLinkedLTOIRSize_13_2 __nvJitLinkGetLinkedLTOIRSize_13_3 __nvJitLinkGetLinkedLTOIRSize_13_4);
exported!((handle: Handle, to: *mut c_void) => |handle, to| copy(handle, to, Wanted::LtoIr);
    nvJitLinkGetLinkedLTOIR __nvJitLinkGetLinkedLTOIR_13_0 __nvJitLinkGetLinkedLTOIR_13_1
    __nvJitLinkGetLinkedLTOIR_13_2 __nvJitLinkGetLinkedLTOIR_13_3 __nvJitLinkGetLinkedLTOIR_13_4);
exported!((handle: Handle, size: *mut usize) => |handle, size| size_of(handle, size, Wanted::ErrorLog);
    nvJitLinkGetErrorLogSize __nvJitLinkGetErrorLogSize_13_0 __nvJitLinkGetErrorLogSize_13_1
    __nvJitLinkGetErrorLogSize_13_2 __nvJitLinkGetErrorLogSize_13_3 __nvJitLinkGetErrorLogSize_13_4);
exported!((handle: Handle, to: *mut c_void) => |handle, to| copy(handle, to, Wanted::ErrorLog);
    nvJitLinkGetErrorLog __nvJitLinkGetErrorLog_13_0 __nvJitLinkGetErrorLog_13_1 __nvJitLinkGetErrorLog_13_2
    __nvJitLinkGetErrorLog_13_3 __nvJitLinkGetErrorLog_13_4);
exported!((handle: Handle, size: *mut usize) => |handle, size| size_of(handle, size, Wanted::InfoLog);
    nvJitLinkGetInfoLogSize __nvJitLinkGetInfoLogSize_13_0 __nvJitLinkGetInfoLogSize_13_1
    __nvJitLinkGetInfoLogSize_13_2 __nvJitLinkGetInfoLogSize_13_3 __nvJitLinkGetInfoLogSize_13_4);
exported!((handle: Handle, to: *mut c_void) => |handle, to| copy(handle, to, Wanted::InfoLog);
    nvJitLinkGetInfoLog __nvJitLinkGetInfoLog_13_0 __nvJitLinkGetInfoLog_13_1 __nvJitLinkGetInfoLog_13_2
    __nvJitLinkGetInfoLog_13_3 __nvJitLinkGetInfoLog_13_4);
