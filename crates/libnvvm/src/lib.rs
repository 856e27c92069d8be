//! libNVVM's C functions on warpc: `libnvvm.so`, to be put in the place of NVIDIA's.
//!
//! ```text
//!   nvvmCreateProgram ──► handle ── nvvmAddModuleToProgram, nvvmLazyAddModuleToProgram ──► modules
//!                           │                       (copied; read when the program is compiled or verified)
//!                           ├────── nvvmVerifyProgram ───► log
//!                           ├────── nvvmCompileProgram ──► log, PTX or LTO-IR
//!                           └────── nvvmDestroyProgram
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `lib.rs` | the functions that are exported, and all that is unsafe: pointers of the caller become slices and texts |
//! | `handle.rs` | handles: numbers in a table, so that a stale one is noticed |
//! | `program.rs` | modules and what becomes of them |
//! | `options.rs` | the options of compilation and verification, one row each |
//! | `rules.rs` | what libNVVM asks of a module before it looks at its code: version, triple, data layout |
//! | `log.rs` | diagnostics as lines of a log |
//! | `result.rs` | result codes and their names |
//!
//! Any thread may call any function. Programs are independent of each other; calls for one program wait for each other.
//! Nothing panics across the border: each function catches what may happen inside it.

mod handle;
mod log;
mod options;
mod program;
mod result;
mod rules;

pub use handle::Handle;
use program::{Program, Shown};
pub use result::NvvmResult;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What [`nvvmVersion`] gives: the version of the library that this one takes the place of.
const VERSION: (c_int, c_int) = (2, 0);
/// The LLVM whose dialect every chip before Blackwell has, and the one of Blackwell and later.
const LLVM_OF_OLD_CHIPS: c_int = 7;
const LLVM_OF_NEW_CHIPS: c_int = 22;

/// Does the work of a function; a panic becomes a result.
fn guarded(failed: NvvmResult, work: impl FnOnce() -> NvvmResult) -> NvvmResult {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(failed)
}

/// Does work on the program of a handle.
fn on_program(
    handle: Handle,
    failed: NvvmResult,
    work: impl FnOnce(&mut Program) -> NvvmResult,
) -> NvvmResult {
    guarded(failed, || match handle::find(handle) {
        Some(program) => work(&mut handle::lock(&program)),
        None => NvvmResult::InvalidProgram,
    })
}

/// Writes through a pointer of the caller if it is not null.
///
/// # Safety
///
/// The pointer is null or can be written through.
unsafe fn put<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: it is not null, and the caller of this function promises that it can be written through.
        unsafe { to.write(value) };
    }
}

/// A text of the caller.
///
/// # Safety
///
/// The pointer is null or points to bytes that end with a zero and stay as they are while the result is used.
unsafe fn text<'t>(text: *const c_char) -> Option<&'t CStr> {
    // SAFETY: it is not null, and the caller of this function promises the rest.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

/// The options of the caller, without null pointers; none if the list is not one.
///
/// # Safety
///
/// `options` is null or points to `count` pointers, each of which is null or points to bytes that end with a zero.
unsafe fn list(count: c_int, options: *const *const c_char) -> Option<Vec<String>> {
    let count = usize::try_from(count).ok()?;
    if count == 0 {
        return Some(Vec::new());
    }
    if options.is_null() {
        return None;
    }
    // SAFETY: it is not null, and the caller of this function promises that there are `count` of them.
    let pointers = unsafe { std::slice::from_raw_parts(options, count) };
    let one = |&pointer: &*const c_char| {
        // SAFETY: the caller of this function promises that it is null or a text.
        let option = unsafe { text(pointer) }?;
        Some(option.to_string_lossy().into_owned())
    };
    pointers.iter().map(one).collect()
}

/// The name of a result, as the header spells it.
#[unsafe(no_mangle)]
pub extern "C" fn nvvmGetErrorString(result: c_int) -> *const c_char {
    result::name(result).as_ptr()
}

/// The version of the library.
///
/// # Safety
///
/// The pointers are null or can be written through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmVersion(major: *mut c_int, minor: *mut c_int) -> NvvmResult {
    // SAFETY: the caller promises it.
    unsafe {
        put(major, VERSION.0);
        put(minor, VERSION.1);
    }
    NvvmResult::Success
}

/// The versions of NVVM IR and of its debug information.
///
/// # Safety
///
/// The pointers are null or can be written through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmIRVersion(
    major_ir: *mut c_int,
    minor_ir: *mut c_int,
    major_debug: *mut c_int,
    minor_debug: *mut c_int,
) -> NvvmResult {
    let as_int = |number: u64| c_int::try_from(number).unwrap_or(c_int::MAX);
    // SAFETY: the caller promises it.
    unsafe {
        put(major_ir, as_int(rules::IR_VERSION.0));
        put(minor_ir, as_int(rules::IR_VERSION.1));
        put(major_debug, as_int(rules::DEBUG_VERSION.0));
        put(minor_debug, as_int(rules::DEBUG_VERSION.1));
    }
    NvvmResult::Success
}

/// The version of LLVM whose IR is read for a chip, given as `compute_90`. (Modules of all versions are read for every
/// chip; the answer is NVIDIA's, for callers that choose what to write by it.)
///
/// # Safety
///
/// `arch` is null or a text that ends with a zero; `major` is null or can be written through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmLLVMVersion(arch: *const c_char, major: *mut c_int) -> NvvmResult {
    guarded(NvvmResult::InvalidInput, || {
        // SAFETY: the caller promises it.
        let arch = unsafe { text(arch) };
        let sm = arch
            .and_then(|arch| arch.to_str().ok())
            .and_then(options::chip);
        let Some(sm) = sm else {
            return NvvmResult::InvalidInput;
        };
        let version = match sm.has(warpc::target::features::LIBNVVM_OF_LLVM_22) {
            true => LLVM_OF_NEW_CHIPS,
            false => LLVM_OF_OLD_CHIPS,
        };
        // SAFETY: the caller promises it.
        unsafe { put(major, version) };
        NvvmResult::Success
    })
}

/// Makes a program.
///
/// # Safety
///
/// `program` is null or can be written through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmCreateProgram(program: *mut Handle) -> NvvmResult {
    guarded(NvvmResult::ProgramCreationFailure, || {
        if program.is_null() {
            return NvvmResult::InvalidProgram;
        }
        // SAFETY: it is not null, and the caller promises that it can be written through.
        unsafe { program.write(handle::add(Program::default())) };
        NvvmResult::Success
    })
}

/// Ends a program and sets its handle to null.
///
/// # Safety
///
/// `program` is null or can be read and written through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmDestroyProgram(program: *mut Handle) -> NvvmResult {
    guarded(NvvmResult::InvalidProgram, || {
        if program.is_null() {
            return NvvmResult::InvalidProgram;
        }
        // SAFETY: it is not null, and the caller promises that it can be read through.
        let handle = unsafe { program.read() };
        if !handle::remove(handle) {
            return NvvmResult::InvalidProgram;
        }
        // SAFETY: as above.
        unsafe { program.write(Handle::NULL) };
        NvvmResult::Success
    })
}

/// Adds a module to a program.
///
/// # Safety
///
/// `buffer` is null or points to `size` bytes; `name` is null or a text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmAddModuleToProgram(
    program: Handle,
    buffer: *const c_char,
    size: usize,
    name: *const c_char,
) -> NvvmResult {
    // SAFETY: the caller promises it.
    unsafe { add(program, buffer, size, name, false) }
}

/// Adds a module to a program, of which only what other modules need is taken.
///
/// # Safety
///
/// As for [`nvvmAddModuleToProgram`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmLazyAddModuleToProgram(
    program: Handle,
    buffer: *const c_char,
    size: usize,
    name: *const c_char,
) -> NvvmResult {
    // SAFETY: the caller promises it.
    unsafe { add(program, buffer, size, name, true) }
}

/// Adds a module to a program.
///
/// # Safety
///
/// As for [`nvvmAddModuleToProgram`].
unsafe fn add(
    program: Handle,
    buffer: *const c_char,
    size: usize,
    name: *const c_char,
    lazy: bool,
) -> NvvmResult {
    on_program(program, NvvmResult::OutOfMemory, |program| {
        // No memory has more bytes than the largest distance of two addresses.
        if buffer.is_null() || isize::try_from(size).is_err() {
            return NvvmResult::InvalidInput;
        }
        // SAFETY: it is not null, the size can be one, and the caller promises that there are `size` bytes.
        let bytes = unsafe { std::slice::from_raw_parts(buffer.cast::<u8>(), size) };
        // SAFETY: the caller promises it.
        let name = unsafe { text(name) };
        let name = name.map(|name| name.to_string_lossy());
        program.add(name.as_deref().unwrap_or_default(), bytes, lazy)
    })
}

/// Compiles a program to PTX, or to LTO-IR with `-gen-lto`.
///
/// # Safety
///
/// `options` is null or points to `count` texts that end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmCompileProgram(
    program: Handle,
    count: c_int,
    options: *const *const c_char,
) -> NvvmResult {
    on_program(program, NvvmResult::Compilation, |program| {
        // SAFETY: the caller promises it.
        match unsafe { list(count, options) } {
            Some(options) => program.compile(&options),
            None => NvvmResult::InvalidOption,
        }
    })
}

/// Verifies a program.
///
/// # Safety
///
/// As for [`nvvmCompileProgram`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmVerifyProgram(
    program: Handle,
    count: c_int,
    options: *const *const c_char,
) -> NvvmResult {
    on_program(program, NvvmResult::InvalidIr, |program| {
        // SAFETY: the caller promises it.
        match unsafe { list(count, options) } {
            Some(options) => program.verify(&options),
            None => NvvmResult::InvalidOption,
        }
    })
}

/// The size of a result or log: of a text with the zero at its end.
///
/// # Safety
///
/// `size` is null or can be written through.
unsafe fn size_of(
    program: Handle,
    size: *mut usize,
    part: impl FnOnce(&Program) -> Shown<'_>,
) -> NvvmResult {
    on_program(program, NvvmResult::InvalidProgram, |program| {
        if size.is_null() {
            return NvvmResult::InvalidInput;
        }
        let len = match part(program) {
            Shown::Text(text) => text.len() + 1,
            Shown::Bytes(bytes) => bytes.len(),
        };
        // SAFETY: it is not null, and the caller promises that it can be written through.
        unsafe { size.write(len) };
        NvvmResult::Success
    })
}

/// Copies a result or log to the caller; a text with a zero at its end.
///
/// # Safety
///
/// `buffer` is null or has room for as many bytes as the function for the size gave.
unsafe fn copy(
    program: Handle,
    buffer: *mut c_char,
    part: impl FnOnce(&Program) -> Shown<'_>,
) -> NvvmResult {
    on_program(program, NvvmResult::InvalidProgram, |program| {
        if buffer.is_null() {
            return NvvmResult::InvalidInput;
        }
        let (bytes, end) = match part(program) {
            Shown::Text(text) => (text, true),
            Shown::Bytes(bytes) => (bytes, false),
        };
        let to = buffer.cast::<u8>();
        // SAFETY: the buffer is not null, and the caller promises room for the bytes, and for a zero after a text; memory
        // of this library and of the caller do not overlap.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
            if end {
                to.add(bytes.len()).write(0);
            }
        }
        NvvmResult::Success
    })
}

/// The size of the compiled result.
///
/// # Safety
///
/// `size` is null or can be written through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmGetCompiledResultSize(
    program: Handle,
    size: *mut usize,
) -> NvvmResult {
    // SAFETY: the caller promises it.
    unsafe { size_of(program, size, Program::compiled) }
}

/// The compiled result.
///
/// # Safety
///
/// `buffer` is null or has as many bytes as [`nvvmGetCompiledResultSize`] gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmGetCompiledResult(program: Handle, buffer: *mut c_char) -> NvvmResult {
    // SAFETY: the caller promises it.
    unsafe { copy(program, buffer, Program::compiled) }
}

/// The size of the log.
///
/// # Safety
///
/// `size` is null or can be written through.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmGetProgramLogSize(program: Handle, size: *mut usize) -> NvvmResult {
    // SAFETY: the caller promises it.
    unsafe { size_of(program, size, Program::log) }
}

/// The log.
///
/// # Safety
///
/// `buffer` is null or has as many bytes as [`nvvmGetProgramLogSize`] gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvmGetProgramLog(program: Handle, buffer: *mut c_char) -> NvvmResult {
    // SAFETY: the caller promises it.
    unsafe { copy(program, buffer, Program::log) }
}
