//! Launches on the emulator.

use crate::handle::{Extensible, borrowed, put, read_sized};
use crate::input::{elements_of, text_of};
use crate::options::{options_of, warpc_options};
use crate::program::warpc_program;
use crate::result::{warpc_counts, warpc_result};
use crate::status::{WARPC_BAD_ARGUMENT, guarded, warpc_status};
use crate::work::finish;
use library::diag::{Diagnostics, Span, codes};
use library::launch::{Argument, Launch};
use library::{Buffer, Diagnostic, Observer, Output, Ran};
use std::ffi::{c_char, c_void};
use std::ptr;

/// A buffer that a kernel gets the address of.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_buffer {
    /// Its contents before the run; those after it if the status is `WARPC_OK`.
    pub bytes: *mut c_void,
    /// How many bytes it has.
    pub size: usize,
    /// What diagnostics call it; may be null.
    pub name: *const c_char,
}

/// What an argument is.
pub type warpc_argument_kind = i32;

/// The bytes of the parameter itself: `bytes` and `size`.
pub const WARPC_ARGUMENT_VALUE: warpc_argument_kind = 0;
/// The address of a buffer: `buffer`.
pub const WARPC_ARGUMENT_BUFFER: warpc_argument_kind = 1;
/// Bytes with addresses of buffers in them: `bytes`, `size`, `addresses`, `address_count`.
pub const WARPC_ARGUMENT_STRUCT: warpc_argument_kind = 2;

/// An address inside a structure that is passed by value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_address {
    /// The offset in the bytes of the argument.
    pub offset: usize,
    /// The number of the buffer.
    pub buffer: usize,
}

/// An argument of a launch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_argument {
    /// Which of the fields are used.
    pub kind: warpc_argument_kind,
    /// The number of the buffer.
    pub buffer: usize,
    /// The bytes of the parameter, in the byte order of the GPU: little endian.
    pub bytes: *const c_void,
    /// How many there are.
    pub size: usize,
    /// The addresses in them.
    pub addresses: *const warpc_address,
    /// How many there are.
    pub address_count: usize,
}

/// A launch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_launch {
    /// `sizeof(warpc_launch)`, set by the caller.
    pub struct_size: usize,
    /// The name of the kernel; may be null if the program has only one.
    pub kernel: *const c_char,
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y and z; all 0 if the launch does not specify them.
    pub cluster: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The arguments, one per parameter.
    pub arguments: *const warpc_argument,
    /// How many there are.
    pub argument_count: usize,
}

// SAFETY: `repr(C)`, the size first, integers and pointers.
unsafe impl Extensible for warpc_launch {}

/// Runs a kernel on the emulator: that of PTX, or for a cubin that of machine code. With `WARPC_OK` the buffers have been
/// written, and the data of the result are what the kernel printed. With `WARPC_ERRORS` the buffers are as they were, and the
/// diagnostics are the findings, each with its thread and position; the data are what was printed until then. The options
/// `seed`, `jobs`, `limit`, `races`, `memory` and `init` apply. `result` may be null.
///
/// # Safety
///
/// `program` is a handle; `launch` states its size, and its pointers are valid; `buffers` points to `buffer_count` buffers that
/// do not overlap and are not used by others during the call; `options` is null or a handle; `result` is null or a variable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_run(
    program: *const warpc_program,
    launch: *const warpc_launch,
    buffers: *const warpc_buffer,
    buffer_count: usize,
    options: *const warpc_options,
    result: *mut *mut warpc_result,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (program, given, buffers, options) = unsafe {
            put(result, ptr::null_mut());
            (
                borrowed(program),
                read_sized(launch),
                elements_of(buffers, buffer_count),
                options_of(options),
            )
        };
        let (Some(program), Some(given), Some(buffers), Some(options)) =
            (program, given, buffers, options)
        else {
            return WARPC_BAD_ARGUMENT;
        };
        // SAFETY: the caller's promise.
        let read = unsafe { (launch_of(&given, program), contents_of(buffers)) };
        let (Some(launch), Some(contents)) = read else {
            return WARPC_BAD_ARGUMENT;
        };
        let mut printed = Printed::default();
        let ran = match launch {
            Ok(launch) => program
                .program
                .run(&launch, &contents, &options, &mut printed),
            Err(unknown) => Output::failed(Diagnostics::of(unknown)),
        };
        let Output { value, diagnostics } = ran;
        let counts = value.as_ref().and_then(counts_of);
        if let Some(ran) = &value {
            for (buffer, after) in buffers.iter().zip(&ran.buffers) {
                let len = after.len().min(buffer.size);
                if len > 0 {
                    // SAFETY: the buffer has `size` bytes that are the caller's to write, as it promised.
                    unsafe { ptr::copy_nonoverlapping(after.as_ptr(), buffer.bytes.cast(), len) };
                }
            }
        }
        let has_run = value.is_some();
        let text = value.map_or(printed.0, |ran| ran.printed);
        let shown = Output {
            value: Some(text),
            diagnostics,
        };
        let (made, _) = warpc_result::of("", shown);
        // SAFETY: the caller's promise.
        unsafe { finish((made.counted(counts), has_run), result) }
    })
}

/// Keeps what a kernel printed before it failed.
#[derive(Default)]
struct Printed(Vec<u8>);

impl Observer for Printed {
    fn printed(&mut self, text: &[u8]) {
        self.0 = text.to_vec();
    }
}

fn counts_of(ran: &Ran) -> Option<warpc_counts> {
    let report = ran.report.as_ref()?;
    let counts = report.counts;
    Some(warpc_counts {
        struct_size: size_of::<warpc_counts>(),
        thread_instructions: counts.thread_instructions,
        warp_instructions: counts.warp_instructions,
        barriers: counts.barriers,
        atomics: counts.atomics,
        accesses: counts.accesses,
        bytes: counts.bytes,
        collectives: counts.collectives,
        nanoseconds: ran.time.as_nanos().try_into().unwrap_or(u64::MAX),
    })
}

/// The launch as the library takes it; none if the call is invalid.
///
/// # Safety
///
/// The pointers of the launch are valid.
unsafe fn launch_of(
    given: &warpc_launch,
    program: &warpc_program,
) -> Option<Result<Launch, Diagnostic>> {
    let kernel = match given.kernel.is_null() {
        true => program.only_kernel(),
        // SAFETY: the caller's promise.
        false => Some(unsafe { text_of(given.kernel)? }),
    };
    let Some(kernel) = kernel else {
        let message = "the program does not have exactly one kernel, and none was chosen";
        let refused = Diagnostic::error(codes::NO_KERNEL, Span::NOWHERE, message);
        return Some(Err(refused.help("set `kernel` of the launch")));
    };
    // SAFETY: the caller's promise.
    let arguments = unsafe { elements_of(given.arguments, given.argument_count)? };
    // SAFETY: the caller's promise.
    let arguments = arguments.iter().map(|one| unsafe { argument_of(one) });
    Some(Ok(Launch {
        kernel: kernel.to_owned(),
        grid: given.grid,
        block: given.block,
        cluster: (given.cluster != [0; 3]).then_some(given.cluster),
        dynamic_shared: given.dynamic_shared,
        cooperative: false,
        arguments: arguments.collect::<Option<_>>()?,
    }))
}

/// An argument as the library takes it; none if it is invalid.
///
/// # Safety
///
/// The pointers of the argument are valid.
unsafe fn argument_of(given: &warpc_argument) -> Option<Argument> {
    // SAFETY: the caller's promise.
    let bytes = || unsafe { elements_of(given.bytes.cast::<u8>(), given.size) };
    Some(match given.kind {
        WARPC_ARGUMENT_VALUE => Argument::Value(bytes()?.to_vec()),
        WARPC_ARGUMENT_BUFFER => Argument::Buffer(given.buffer),
        WARPC_ARGUMENT_STRUCT => {
            // SAFETY: the caller's promise.
            let addresses = unsafe { elements_of(given.addresses, given.address_count)? };
            let addresses = addresses.iter().map(|one| (one.offset, one.buffer));
            Argument::Struct {
                bytes: bytes()?.to_vec(),
                addresses: addresses.collect(),
                maps: Vec::new(),
            }
        }
        _ => return None,
    })
}

/// The contents of the buffers; none if one is invalid.
///
/// # Safety
///
/// The pointers of the buffers are valid.
unsafe fn contents_of(buffers: &[warpc_buffer]) -> Option<Vec<Buffer>> {
    let contents = buffers.iter().enumerate().map(|(number, buffer)| {
        let name = match buffer.name.is_null() {
            true => format!("buffer {number}"),
            // SAFETY: the caller's promise.
            false => unsafe { text_of(buffer.name)?.to_owned() },
        };
        // SAFETY: the caller's promise.
        let bytes = unsafe { elements_of(buffer.bytes.cast::<u8>().cast_const(), buffer.size)? };
        Some(Buffer {
            name,
            bytes: bytes.to_vec(),
        })
    });
    contents.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Handles may be shared between threads: this compiles only if their types allow it.
    #[test]
    fn handles_are_for_all_threads() {
        fn for_threads<T: Send + Sync>() {}
        for_threads::<crate::options::warpc_options>();
        for_threads::<library::Program>();
        for_threads::<Diagnostics>();
    }
}
