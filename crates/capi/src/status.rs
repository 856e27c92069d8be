//! Status of a call.

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function returns.
pub type warpc_status = i32;

/// It is done. There may be warnings among the diagnostics.
pub const WARPC_OK: warpc_status = 0;
/// There are errors; the result has them as diagnostics.
pub const WARPC_ERRORS: warpc_status = 1;
/// An argument of the call is invalid: a null pointer, a handle of another kind, an index out of range, text that is not UTF-8.
pub const WARPC_BAD_ARGUMENT: warpc_status = 2;
/// There is no option of this name.
pub const WARPC_UNKNOWN_OPTION: warpc_status = 3;
/// The option does not have this value.
pub const WARPC_BAD_VALUE: warpc_status = 4;
/// A failure of the library itself.
pub const WARPC_INTERNAL: warpc_status = 5;

/// A status in words. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn warpc_status_text(status: warpc_status) -> *const c_char {
    let text: &CStr = match status {
        WARPC_OK => c"ok",
        WARPC_ERRORS => c"there are errors; the result has the diagnostics",
        WARPC_BAD_ARGUMENT => c"invalid argument",
        WARPC_UNKNOWN_OPTION => c"unknown option",
        WARPC_BAD_VALUE => c"the option does not have this value",
        WARPC_INTERNAL => c"internal failure",
        _ => c"unknown status",
    };
    text.as_ptr()
}

/// Does the work of a function. A panic becomes a status: it must not cross the border.
pub(crate) fn guarded(work: impl FnOnce() -> warpc_status) -> warpc_status {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(WARPC_INTERNAL)
}

/// The same for functions that return something else.
pub(crate) fn guarded_or<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}
