//! Results.

use crate::handle::{Extensible, Handle, borrowed, free, write_sized};
use crate::status::{WARPC_BAD_ARGUMENT, WARPC_OK, guarded, guarded_or, warpc_status};
use library::diag::{Diagnostics, SourceFile, Span, codes, render_json};
use library::{Diagnostic, Output, Severity};
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::OnceLock;

/// What a call made, and its diagnostics. Threads may share a handle.
#[repr(C)]
pub struct warpc_result {
    tag: u64,
    /// The bytes, with a null byte after them.
    data: Vec<u8>,
    diagnostics: Diagnostics,
    texts: Vec<Texts>,
    /// The input, for diagnostics that do not name one.
    name: String,
    human: OnceLock<CString>,
    json: OnceLock<CString>,
    counts: Option<warpc_counts>,
}

/// The texts of a diagnostic as C has them.
struct Texts {
    code: CString,
    message: CString,
    help: Option<CString>,
    label: Option<CString>,
    file: Option<CString>,
    related: Vec<CString>,
}

// SAFETY: `repr(C)` with the tag first.
unsafe impl Handle for warpc_result {
    const TAG: u64 = 0x7761_7270_7265_7331;

    fn set_tag(&mut self, tag: u64) {
        self.tag = tag;
    }
}

/// How severe a diagnostic is.
pub type warpc_severity = i32;

/// There is no result because of it.
pub const WARPC_SEVERITY_ERROR: warpc_severity = 0;
/// There is a result, but probably not the intended one.
pub const WARPC_SEVERITY_WARNING: warpc_severity = 1;

/// A diagnostic. The texts belong to the result.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_diagnostic {
    /// `sizeof(warpc_diagnostic)`, set by the caller.
    pub struct_size: usize,
    /// How severe it is.
    pub severity: warpc_severity,
    /// Whether it is about a thread of a launch: then `block` and `thread` are set.
    pub has_thread: i32,
    /// The code, as `W0123`; `warpc explain` describes it.
    pub code: *const c_char,
    /// What is wrong.
    pub message: *const c_char,
    /// What to do; may be null.
    pub help: *const c_char,
    /// What is at the position; may be null.
    pub label: *const c_char,
    /// The name of the input; null if it has no position in one.
    pub file: *const c_char,
    /// The line, from 1; 0 if there is no position.
    pub line: u32,
    /// The column in characters, from 1; 0 if there is no position.
    pub column: u32,
    /// The line of the end.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
    /// The offset of the first byte in the input.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
    /// How many other positions belong to it: see `warpc_result_related`.
    pub related_count: usize,
    /// The position of the block in the grid: x, y, z.
    pub block: [u32; 3],
    /// The position of the thread in the block: x, y, z.
    pub thread: [u32; 3],
}

// SAFETY: `repr(C)`, the size first, integers and pointers.
unsafe impl Extensible for warpc_diagnostic {}

/// Another position of a diagnostic. The text belongs to the result.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct warpc_related {
    /// `sizeof(warpc_related)`, set by the caller.
    pub struct_size: usize,
    /// What is there.
    pub message: *const c_char,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The offset of the first byte in the input.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

// SAFETY: `repr(C)`, the size first, integers and pointers.
unsafe impl Extensible for warpc_related {}

/// What a run on the emulator did.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct warpc_counts {
    /// `sizeof(warpc_counts)`, set by the caller.
    pub struct_size: usize,
    /// Instructions, once for every thread that executed it.
    pub thread_instructions: u64,
    /// Instructions, once for every warp, or part of one, that executed it.
    pub warp_instructions: u64,
    /// Barriers that were completed.
    pub barriers: u64,
    /// Atomic operations, once for every thread.
    pub atomics: u64,
    /// Loads and stores, once for every thread.
    pub accesses: u64,
    /// Bytes that loads and stores moved.
    pub bytes: u64,
    /// Warp operations such as shuffles and votes, once for every warp.
    pub collectives: u64,
    /// How long it took, in nanoseconds.
    pub nanoseconds: u64,
}

// SAFETY: `repr(C)`, the size first, integers.
unsafe impl Extensible for warpc_counts {}

/// A text as C has it. Null bytes inside it are written as `\0`.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_default()
}

impl warpc_result {
    /// The result of a step about an input, and whether there is a value.
    pub(crate) fn of(name: &str, output: Output<Vec<u8>>) -> (warpc_result, bool) {
        let made = output.value.is_some();
        let mut data = output.value.unwrap_or_default();
        data.push(0);
        let texts = output.diagnostics.as_slice().iter().map(|diagnostic| {
            let optional = |text: &Option<String>| text.as_deref().map(c_text);
            let file = diagnostic.file.as_deref().map(SourceFile::name);
            let related = diagnostic.related.iter();
            Texts {
                code: c_text(diagnostic.code.0),
                message: c_text(&diagnostic.message),
                help: optional(&diagnostic.help),
                label: optional(&diagnostic.label),
                file: (diagnostic.span != Span::NOWHERE).then(|| c_text(file.unwrap_or(name))),
                related: related.map(|(_, message)| c_text(message)).collect(),
            }
        });
        let result = warpc_result {
            tag: warpc_result::TAG,
            data,
            texts: texts.collect(),
            diagnostics: output.diagnostics,
            name: name.to_owned(),
            human: OnceLock::new(),
            json: OnceLock::new(),
            counts: None,
        };
        (result, made)
    }

    /// The same with what a run did.
    pub(crate) fn counted(mut self, counts: Option<warpc_counts>) -> warpc_result {
        self.counts = counts;
        self
    }

    fn related(&self, diagnostic: usize, related: usize) -> Option<warpc_related> {
        let texts = self.texts.get(diagnostic)?;
        let diagnostic = &self.diagnostics.as_slice()[diagnostic];
        let (span, _) = diagnostic.related.get(related)?;
        let at = diagnostic
            .file
            .as_ref()
            .map(|file| file.position(span.start));
        Some(warpc_related {
            struct_size: size_of::<warpc_related>(),
            message: texts.related[related].as_ptr(),
            line: at.map_or(0, |at| number(at.line)),
            column: at.map_or(0, |at| number(at.column)),
            start: span.start,
            end: span.end,
        })
    }

    fn diagnostic(&self, index: usize) -> Option<warpc_diagnostic> {
        let texts = self.texts.get(index)?;
        let diagnostic = &self.diagnostics.as_slice()[index];
        let pointer =
            |text: &Option<CString>| text.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        let is_somewhere = diagnostic.span != Span::NOWHERE;
        let file = diagnostic.file.as_ref().filter(|_| is_somewhere);
        let (start, end) = match file {
            Some(file) => (
                Some(file.position(diagnostic.span.start)),
                Some(file.position(diagnostic.span.end)),
            ),
            None => (None, None),
        };
        let thread = diagnostic.thread;
        Some(warpc_diagnostic {
            struct_size: size_of::<warpc_diagnostic>(),
            severity: match diagnostic.severity {
                Severity::Error => WARPC_SEVERITY_ERROR,
                Severity::Warning => WARPC_SEVERITY_WARNING,
            },
            has_thread: i32::from(thread.is_some()),
            code: texts.code.as_ptr(),
            message: texts.message.as_ptr(),
            help: pointer(&texts.help),
            label: pointer(&texts.label),
            file: pointer(&texts.file),
            line: start.map_or(0, |at| number(at.line)),
            column: start.map_or(0, |at| number(at.column)),
            end_line: end.map_or(0, |at| number(at.line)),
            end_column: end.map_or(0, |at| number(at.column)),
            start: if is_somewhere {
                diagnostic.span.start
            } else {
                0
            },
            end: if is_somewhere { diagnostic.span.end } else { 0 },
            related_count: diagnostic.related.len(),
            block: thread.map_or([0; 3], |thread| thread.block),
            thread: thread.map_or([0; 3], |thread| thread.thread),
        })
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A result that holds one error without a position.
pub(crate) fn refused(message: String) -> warpc_result {
    let error = Diagnostic::error(codes::WRONG_INPUT, Span::NOWHERE, message);
    warpc_result::of("", Output::failed(Diagnostics::of(error))).0
}

/// The bytes of a result: PTX, LLVM IR, a cubin, a listing, or what a kernel printed. A null byte follows them that
/// `warpc_result_size` does not count. They belong to the result; null if it is not one.
///
/// # Safety
///
/// `result` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_data(result: *const warpc_result) -> *const c_void {
    guarded_or(ptr::null(), || {
        // SAFETY: the caller's promise.
        let result = unsafe { borrowed(result) };
        result.map_or(ptr::null(), |result| result.data.as_ptr().cast())
    })
}

/// How many bytes a result has.
///
/// # Safety
///
/// `result` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_size(result: *const warpc_result) -> usize {
    guarded_or(0, || {
        // SAFETY: the caller's promise.
        let result = unsafe { borrowed(result) };
        result.map_or(0, |result| result.data.len() - 1)
    })
}

/// How many diagnostics a result has.
///
/// # Safety
///
/// `result` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_diagnostic_count(result: *const warpc_result) -> usize {
    guarded_or(0, || {
        // SAFETY: the caller's promise.
        let result = unsafe { borrowed(result) };
        result.map_or(0, |result| result.texts.len())
    })
}

/// A diagnostic by its number. Set `diagnostic->struct_size` first.
///
/// # Safety
///
/// `result` is null or a handle; `diagnostic` is null or a structure that states its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_diagnostic(
    result: *const warpc_result,
    index: usize,
    diagnostic: *mut warpc_diagnostic,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let found = unsafe { borrowed(result) }.and_then(|result| result.diagnostic(index));
        // SAFETY: the caller's promise.
        written(found, |found| unsafe { write_sized(diagnostic, found) })
    })
}

/// Another position of a diagnostic, by the numbers of both. Set `related->struct_size` first.
///
/// # Safety
///
/// `result` is null or a handle; `related` is null or a structure that states its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_related(
    result: *const warpc_result,
    diagnostic: usize,
    index: usize,
    related: *mut warpc_related,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let result = unsafe { borrowed(result) };
        let found = result.and_then(|result| result.related(diagnostic, index));
        // SAFETY: the caller's promise.
        written(found, |found| unsafe { write_sized(related, found) })
    })
}

/// What a run did, if the result is that of `warpc_run`. Set `counts->struct_size` first.
///
/// # Safety
///
/// `result` is null or a handle; `counts` is null or a structure that states its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_counts(
    result: *const warpc_result,
    counts: *mut warpc_counts,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let found = unsafe { borrowed(result) }.and_then(|result| result.counts);
        // SAFETY: the caller's promise.
        written(found, |found| unsafe { write_sized(counts, found) })
    })
}

/// Writes what was found.
fn written<T>(found: Option<T>, write: impl FnOnce(&T) -> bool) -> warpc_status {
    match found.as_ref().is_some_and(write) {
        true => WARPC_OK,
        false => WARPC_BAD_ARGUMENT,
    }
}

/// The diagnostics as a person reads them, with lines of the source; empty if there are none. The text belongs to the result.
///
/// # Safety
///
/// `result` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_text(result: *const warpc_result) -> *const c_char {
    guarded_or(ptr::null(), || {
        // SAFETY: the caller's promise.
        let result = unsafe { borrowed(result) };
        result.map_or(ptr::null(), |result| {
            let text = || c_text(&result.diagnostics.to_string());
            result.human.get_or_init(text).as_ptr()
        })
    })
}

/// The diagnostics as JSON, one object per line; `docs/diagnostics.schema.json` describes them. The text belongs to the result.
///
/// # Safety
///
/// `result` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_json(result: *const warpc_result) -> *const c_char {
    guarded_or(ptr::null(), || {
        // SAFETY: the caller's promise.
        let result = unsafe { borrowed(result) };
        result.map_or(ptr::null(), |result| {
            let text = || {
                let file = SourceFile::new(&*result.name, "");
                let json = file.map(|file| render_json(&file, &result.diagnostics));
                c_text(&json.unwrap_or_default())
            };
            result.json.get_or_init(text).as_ptr()
        })
    })
}

/// Frees a result and sets the variable to null.
///
/// # Safety
///
/// `result` is null or points to a variable that is null or holds a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_result_free(result: *mut *mut warpc_result) {
    // SAFETY: the caller's promise.
    guarded_or((), || unsafe { free(result) });
}
