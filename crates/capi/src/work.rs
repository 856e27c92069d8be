//! Compile, check, link, format, assemble, disassemble.
//!
//! All of these take an input, options (null for the default ones) and a variable for the result. The variable may be null; else
//! it gets a result for `WARPC_OK` and `WARPC_ERRORS`, to be freed with `warpc_result_free`, and null for any other status.

use crate::handle::{give, put};
use crate::input::{BadInput, elements_of, source_of, warpc_input};
use crate::options::{options_of, warpc_options};
use crate::result::warpc_result;
use crate::status::{WARPC_BAD_ARGUMENT, WARPC_ERRORS, WARPC_OK, guarded, warpc_status};
use library::diag::{Diagnostics, Span, codes};
use library::{Diagnostic, Emit, Options, Output, Source};
use std::ptr;

/// What `warpc_compile` makes.
pub type warpc_emit = i32;

/// PTX of LLVM IR and MLIR, a cubin of everything else.
pub const WARPC_EMIT_DEFAULT: warpc_emit = 0;
/// PTX.
pub const WARPC_EMIT_PTX: warpc_emit = 1;
/// LLVM IR as text.
pub const WARPC_EMIT_LLVM: warpc_emit = 2;
/// A cubin.
pub const WARPC_EMIT_CUBIN: warpc_emit = 3;
/// An assembly text of that cubin.
pub const WARPC_EMIT_SASS: warpc_emit = 4;
/// LLVM IR as bitcode. The option `bitcode` selects the LLVM that it is for.
pub const WARPC_EMIT_BITCODE: warpc_emit = 5;

/// What is meant; none if the number is not one of the constants. The inner one is missing for the default.
fn emit_of(emit: warpc_emit) -> Option<Option<Emit>> {
    Some(match emit {
        WARPC_EMIT_DEFAULT => None,
        WARPC_EMIT_PTX => Some(Emit::Ptx),
        WARPC_EMIT_LLVM => Some(Emit::Llvm),
        WARPC_EMIT_CUBIN => Some(Emit::Cubin),
        WARPC_EMIT_SASS => Some(Emit::Sass),
        WARPC_EMIT_BITCODE => Some(Emit::Bitcode),
        _ => return None,
    })
}

/// Gives a result to the caller.
///
/// # Safety
///
/// The pointer is null or a variable.
pub(crate) unsafe fn finish(
    (result, made): (warpc_result, bool),
    to: *mut *mut warpc_result,
) -> warpc_status {
    if !to.is_null() {
        // SAFETY: the caller's promise.
        unsafe { put(to, give(result)) };
    }
    match made {
        true => WARPC_OK,
        false => WARPC_ERRORS,
    }
}

/// The output for an input that the library refuses.
pub(crate) fn not_an_input<T>(error: &library::SourceError) -> Output<T> {
    let refused = Diagnostic::error(codes::WRONG_INPUT, Span::NOWHERE, error.to_string());
    Output::failed(Diagnostics::of(refused))
}

/// Does what every function here does around its work.
///
/// # Safety
///
/// The pointers are as the documentation of the functions requires.
unsafe fn on_input(
    input: *const warpc_input,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
    work: impl FnOnce(&Source, &Options) -> Output<Vec<u8>>,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (source, options) = unsafe {
            put(result, ptr::null_mut());
            (source_of(input), options_of(options))
        };
        let Some(options) = options else {
            return WARPC_BAD_ARGUMENT;
        };
        let made = match source {
            Ok(source) => warpc_result::of(source.name(), work(&source, &options)),
            Err(BadInput::Source(error)) => warpc_result::of("", not_an_input(&error)),
            Err(BadInput::Argument) => return WARPC_BAD_ARGUMENT,
        };
        // SAFETY: the caller's promise.
        unsafe { finish(made, result) }
    })
}

/// Compiles or converts a module, or assembles it: what `emit` selects is made. The data of the result are what was made.
///
/// # Safety
///
/// The pointers are valid as the text above requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_compile(
    input: *const warpc_input,
    emit: warpc_emit,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
) -> warpc_status {
    let Some(emit) = emit_of(emit) else {
        // SAFETY: the caller's promise.
        unsafe { put(result, ptr::null_mut()) };
        return WARPC_BAD_ARGUMENT;
    };
    let work = |source: &Source, options: &Options| {
        let emit = emit.unwrap_or_else(|| Emit::default_for(source.kind()));
        library::emit(source, emit, options)
    };
    // SAFETY: the caller's promise.
    unsafe { on_input(input, options, result, work) }
}

/// Reads and verifies an input of any kind. The result has no data.
///
/// # Safety
///
/// The pointers are valid as the text above requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_check(
    input: *const warpc_input,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
) -> warpc_status {
    let work =
        |source: &Source, options: &Options| library::check(source, options).map(|_| Vec::new());
    // SAFETY: the caller's promise.
    unsafe { on_input(input, options, result, work) }
}

/// Prints PTX in canonical form, with its comments.
///
/// # Safety
///
/// The pointers are valid as the text above requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_format(
    input: *const warpc_input,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
) -> warpc_status {
    // SAFETY: the caller's promise.
    unsafe { on_input(input, options, result, library::format) }
}

/// Makes a cubin of PTX, of an assembly text, or of LLVM IR and MLIR by way of PTX.
///
/// # Safety
///
/// The pointers are valid as the text above requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_assemble(
    input: *const warpc_input,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
) -> warpc_status {
    let work = |source: &Source, options: &Options| library::emit(source, Emit::Cubin, options);
    // SAFETY: the caller's promise.
    unsafe { on_input(input, options, result, work) }
}

/// Lists the machine code of a cubin, or of the cubins of a fatbin.
///
/// # Safety
///
/// The pointers are valid as the text above requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_disassemble(
    input: *const warpc_input,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
) -> warpc_status {
    let work = |source: &Source, options: &Options| {
        library::disassemble(source, options).map(String::into_bytes)
    };
    // SAFETY: the caller's promise.
    unsafe { on_input(input, options, result, work) }
}

/// A key for caches: 32 hexadecimal digits that are the same if what `warpc_compile` makes of the input is. They depend on the
/// bytes, the name and the kind of the input, on `emit`, on the options (not on those of runs) and on the version of the library.
///
/// # Safety
///
/// The pointers are valid as the text above requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_fingerprint(
    input: *const warpc_input,
    emit: warpc_emit,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
) -> warpc_status {
    let Some(emit) = emit_of(emit) else {
        // SAFETY: the caller's promise.
        unsafe { put(result, ptr::null_mut()) };
        return WARPC_BAD_ARGUMENT;
    };
    let work = |source: &Source, options: &Options| {
        let emit = emit.unwrap_or_else(|| Emit::default_for(source.kind()));
        let key = library::fingerprint(&[source], emit, options);
        Output::new(key.to_string().into_bytes(), Diagnostics::new())
    };
    // SAFETY: the caller's promise.
    unsafe { on_input(input, options, result, work) }
}

/// Links modules of LLVM IR into one, the first one being linked into. `emit` is `WARPC_EMIT_LLVM`, `WARPC_EMIT_DEFAULT`, which is
/// the same, or `WARPC_EMIT_BITCODE`.
///
/// # Safety
///
/// `inputs` points to `count` inputs; the other pointers are valid as the text above requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_link(
    inputs: *const warpc_input,
    count: usize,
    emit: warpc_emit,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (inputs, options) = unsafe {
            put(result, ptr::null_mut());
            (elements_of(inputs, count), options_of(options))
        };
        let (Some(inputs), Some(options)) = (inputs, options) else {
            return WARPC_BAD_ARGUMENT;
        };
        let is_text = matches!(emit, WARPC_EMIT_DEFAULT | WARPC_EMIT_LLVM);
        if !is_text && emit != WARPC_EMIT_BITCODE {
            return WARPC_BAD_ARGUMENT;
        }
        let mut sources = Vec::new();
        for input in inputs {
            // SAFETY: the caller's promise.
            match unsafe { source_of(input) } {
                Ok(source) => sources.push(source),
                Err(BadInput::Source(error)) => {
                    let refused = warpc_result::of("", not_an_input(&error));
                    // SAFETY: the caller's promise.
                    return unsafe { finish(refused, result) };
                }
                Err(BadInput::Argument) => return WARPC_BAD_ARGUMENT,
            }
        }
        let linked = library::link(&sources, &options);
        let made = linked.and_then(|module| match is_text {
            true => Output::new(module.to_string().into_bytes(), Diagnostics::new()),
            false => module.to_bitcode(&options),
        });
        let name = sources.first().map_or("", Source::name);
        // SAFETY: the caller's promise.
        unsafe { finish(warpc_result::of(name, made), result) }
    })
}
