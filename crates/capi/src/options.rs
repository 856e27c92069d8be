//! Options.

use crate::handle::{Handle, borrowed, free, give};
use crate::input::text_of;
use crate::result::{refused, warpc_result};
use crate::status::{
    WARPC_BAD_ARGUMENT, WARPC_BAD_VALUE, WARPC_OK, WARPC_UNKNOWN_OPTION, guarded, guarded_or,
    warpc_status,
};
use library::{BadSetting, Options, SETTINGS};
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::{OnceLock, RwLock};

/// Options for all functions. Threads may share a handle, and set options while others use it: a call uses the options as
/// they are when it starts.
#[repr(C)]
pub struct warpc_options {
    tag: u64,
    value: RwLock<Options>,
    /// Names, values and help of all options, made when they are asked for.
    rows: OnceLock<Vec<[CString; 3]>>,
}

// SAFETY: `repr(C)` with the tag first.
unsafe impl Handle for warpc_options {
    const TAG: u64 = 0x7761_7270_6f70_7431;

    fn set_tag(&mut self, tag: u64) {
        self.tag = tag;
    }
}

/// Options with their default values. Free them with `warpc_options_free`.
#[unsafe(no_mangle)]
pub extern "C" fn warpc_options_new() -> *mut warpc_options {
    guarded_or(ptr::null_mut(), || {
        give(warpc_options {
            tag: warpc_options::TAG,
            value: RwLock::new(Options::default()),
            rows: OnceLock::new(),
        })
    })
}

/// Frees options and sets the variable to null.
///
/// # Safety
///
/// `options` is null or points to a variable that is null or holds options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_options_free(options: *mut *mut warpc_options) {
    // SAFETY: the caller's promise.
    guarded_or((), || unsafe { free(options) });
}

/// Sets an option by its name: `warpc_options_set(options, "arch", "sm_90", NULL)`. `warpc_options_row` lists the names.
/// Returns `WARPC_UNKNOWN_OPTION` or `WARPC_BAD_VALUE` if it is refused; then nothing has changed. `result` may be null;
/// else it gets a result with the reason as a diagnostic, or null if the option was set.
///
/// # Safety
///
/// `options` is a handle; `name` and `value` are texts that end in a null byte; `result` is null or a variable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_options_set(
    options: *mut warpc_options,
    name: *const c_char,
    value: *const c_char,
    result: *mut *mut warpc_result,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise, for all of these.
        let (options, name, value) = unsafe {
            crate::handle::put(result, ptr::null_mut());
            (borrowed(options), text_of(name), text_of(value))
        };
        let (Some(options), Some(name), Some(value)) = (options, name, value) else {
            return WARPC_BAD_ARGUMENT;
        };
        let set = match options.value.write() {
            Ok(mut held) => held.set(name, value),
            // A setter is a plain assignment: what a panic left is still whole.
            Err(poisoned) => poisoned.into_inner().set(name, value),
        };
        let Err(bad) = set else {
            return WARPC_OK;
        };
        let status = match bad {
            BadSetting::Unknown { .. } => WARPC_UNKNOWN_OPTION,
            _ => WARPC_BAD_VALUE,
        };
        // SAFETY: the caller's promise.
        unsafe { crate::handle::put(result, give(refused(bad.to_string()))) };
        status
    })
}

/// How many options there are.
#[unsafe(no_mangle)]
pub extern "C" fn warpc_options_count() -> usize {
    SETTINGS.len()
}

/// Name, values and meaning of an option, by its number below `warpc_options_count()`. Each of the variables may be null.
/// The texts belong to the options handle.
///
/// # Safety
///
/// `options` is a handle; the others are null or variables.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpc_options_row(
    options: *const warpc_options,
    index: usize,
    name: *mut *const c_char,
    values: *mut *const c_char,
    help: *mut *const c_char,
) -> warpc_status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let Some(options) = (unsafe { borrowed(options) }) else {
            return WARPC_BAD_ARGUMENT;
        };
        let rows = options.rows.get_or_init(|| {
            let texts = SETTINGS.iter().map(|row| [row.name, row.values, row.help]);
            texts
                .map(|texts| texts.map(crate::result::c_text))
                .collect()
        });
        let Some(row) = rows.get(index) else {
            return WARPC_BAD_ARGUMENT;
        };
        for (variable, text) in [name, values, help].into_iter().zip(row) {
            // SAFETY: the caller's promise.
            unsafe { crate::handle::put(variable, text.as_ptr()) };
        }
        WARPC_OK
    })
}

/// The options of a handle as they are now; the default ones for null. None if it is not a handle of options.
///
/// # Safety
///
/// The pointer is null or a handle of this library.
pub(crate) unsafe fn options_of(options: *const warpc_options) -> Option<Options> {
    if options.is_null() {
        return Some(Options::default());
    }
    // SAFETY: the caller's promise.
    let options = unsafe { borrowed(options)? };
    Some(match options.value.read() {
        Ok(held) => held.clone(),
        Err(poisoned) => poisoned.into_inner().clone(),
    })
}
