//! Programs: modules that are ready to run, and their kernels.

use crate::handle::{Extensible, Handle, borrowed, free, give, put, write_sized};
use crate::input::{BadInput, source_of, warpc_input};
use crate::options::{options_of, warpc_options};
use crate::result::{c_text, warpc_result};
use crate::status::{WARPC_BAD_ARGUMENT, WARPC_OK, guarded, guarded_or, warpc_status};
use crate::work::{finish, not_an_input};
use library::Program;
use std::ffi::{CString, c_char};
use std::ptr;

/// A module that is ready to run. Threads may share a handle and run kernels of it at the same time.
#[repr(C)]
pub struct warpc_program {
    tag: u64,
    pub(crate) program: Program,
    kernels: Vec<Kernel>,
}

/// A kernel with its texts as C has them.
struct Kernel {
    name: CString,
    address_bytes: usize,
    parameters: Vec<(CString, CString, warpc_parameter)>,
}

// SAFETY: `repr(C)` with the tag first.
unsafe impl Handle for warpc_program {
    const TAG: u64 = 0x7761_7270_7072_6731;

    fn set_tag(&mut self, tag: u64) {
        self.tag = tag;
    }
}

/// A kernel. The text belongs to the program.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_kernel {
    /// `sizeof(warpc_kernel)`, set by the caller.
    pub struct_size: usize,
    /// Its name.
    pub name: *const c_char,
    /// How many parameters it has.
    pub parameter_count: usize,
    /// How many bytes an address has.
    pub address_bytes: usize,
}

// SAFETY: `repr(C)`, the size first, integers and pointers.
unsafe impl Extensible for warpc_kernel {}

/// A parameter of a kernel. The texts belong to the program.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_parameter {
    /// `sizeof(warpc_parameter)`, set by the caller.
    pub struct_size: usize,
    /// Its name.
    pub name: *const c_char,
    /// Its type in PTX without the dot (`u32`, `f64`, `b64`); empty if it is not a number.
    pub type_name: *const c_char,
    /// How many bytes it has.
    pub size: usize,
    /// Whether it can be the address of a buffer.
    pub holds_address: i32,
}

// SAFETY: `repr(C)`, the size first, integers and pointers.
unsafe impl Extensible for warpc_parameter {}

impl warpc_program {
    fn new(program: Program) -> warpc_program {
        let kernels = program.kernels().into_iter().map(|signature| Kernel {
            name: c_text(&signature.kernel),
            address_bytes: signature.address_bytes,
            parameters: signature
                .parameters
                .iter()
                .map(|one| {
                    let ty = one.ty.map(|ty| ty.to_string()).unwrap_or_default();
                    let parameter = warpc_parameter {
                        struct_size: size_of::<warpc_parameter>(),
                        name: ptr::null(),
                        type_name: ptr::null(),
                        size: one
                            .bytes
                            .and_then(|bytes| bytes.try_into().ok())
                            .unwrap_or(0),
                        holds_address: i32::from(one.holds_address),
                    };
                    (
                        c_text(&one.name),
                        c_text(ty.trim_start_matches('.')),
                        parameter,
                    )
                })
                .collect(),
        });
        warpc_program {
            tag: warpc_program::TAG,
            kernels: kernels.collect(),
            program,
        }
    }

    fn kernel(&self, index: usize) -> Option<warpc_kernel> {
        let kernel = self.kernels.get(index)?;
        Some(warpc_kernel {
            struct_size: size_of::<warpc_kernel>(),
            name: kernel.name.as_ptr(),
            parameter_count: kernel.parameters.len(),
            address_bytes: kernel.address_bytes,
        })
    }

    fn parameter(&self, kernel: usize, index: usize) -> Option<warpc_parameter> {
        let (name, ty, parameter) = self.kernels.get(kernel)?.parameters.get(index)?;
        Some(warpc_parameter {
            name: name.as_ptr(),
            type_name: ty.as_ptr(),
            ..*parameter
        })
    }

    /// The name of the only kernel.
    pub(crate) fn only_kernel(&self) -> Option<&str> {
        match self.kernels.as_slice() {
            [one] => one.name.to_str().ok(),
            _ => None,
        }
    }
}

/// Makes a module ready to run: PTX is checked, LLVM IR and MLIR are compiled, cubins are verified, assembly texts assembled.
/// `program` gets a program for `WARPC_OK`, to be freed with `warpc_program_free`, else null. `result` may be null; it gets
/// the diagnostics, as for `warpc_compile`.
///
/// # Safety
///
/// The pointers are valid: an input, options or null, a variable, a variable or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_load(
    input: *const warpc_input,
    options: *const warpc_options,
    program: *mut *mut warpc_program,
    result: *mut *mut warpc_result,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (source, options) = unsafe {
            put(program, ptr::null_mut());
            put(result, ptr::null_mut());
            (source_of(input), options_of(options))
        };
        let Some(options) = options.filter(|_| !program.is_null()) else {
            return WARPC_BAD_ARGUMENT;
        };
        let made = match source {
            Ok(source) => {
                let loaded = library::load(&source, &options);
                warpc_result::of(
                    source.name(),
                    loaded.map(|loaded| {
                        // SAFETY: the caller's promise.
                        unsafe { put(program, give(warpc_program::new(loaded))) };
                        Vec::new()
                    }),
                )
            }
            Err(BadInput::Source(error)) => warpc_result::of("", not_an_input(&error)),
            Err(BadInput::Argument) => return WARPC_BAD_ARGUMENT,
        };
        // SAFETY: the caller's promise.
        unsafe { finish(made, result) }
    })
}

/// Frees a program and sets the variable to null.
///
/// # Safety
///
/// `program` is null or points to a variable that is null or holds a program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_program_free(program: *mut *mut warpc_program) {
    // SAFETY: the caller's promise.
    guarded_or((), || unsafe { free(program) });
}

/// How many kernels a program has.
///
/// # Safety
///
/// `program` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_program_kernel_count(program: *const warpc_program) -> usize {
    guarded_or(0, || {
        // SAFETY: the caller's promise.
        let program = unsafe { borrowed(program) };
        program.map_or(0, |program| program.kernels.len())
    })
}

/// A kernel by its number. Set `kernel->struct_size` first.
///
/// # Safety
///
/// `program` is null or a handle; `kernel` is null or a structure that states its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_program_kernel(
    program: *const warpc_program,
    index: usize,
    kernel: *mut warpc_kernel,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let found = unsafe { borrowed(program) }.and_then(|program| program.kernel(index));
        // SAFETY: the caller's promise.
        match found.is_some_and(|found| unsafe { write_sized(kernel, &found) }) {
            true => WARPC_OK,
            false => WARPC_BAD_ARGUMENT,
        }
    })
}

/// A parameter of a kernel, by the numbers of both. Set `parameter->struct_size` first.
///
/// # Safety
///
/// `program` is null or a handle; `parameter` is null or a structure that states its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_program_parameter(
    program: *const warpc_program,
    kernel: usize,
    index: usize,
    parameter: *mut warpc_parameter,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let program = unsafe { borrowed(program) };
        let found = program.and_then(|program| program.parameter(kernel, index));
        // SAFETY: the caller's promise.
        match found.is_some_and(|found| unsafe { write_sized(parameter, &found) }) {
            true => WARPC_OK,
            false => WARPC_BAD_ARGUMENT,
        }
    })
}
