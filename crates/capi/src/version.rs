//! Version.

use std::ffi::{CStr, c_char};

/// The version of the header. It changes when something is added; programs can test for what they need.
pub const WARPC_API_VERSION: u32 = 1;

/// The version of the library, as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn warpc_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// The version of the header that the library was built with: `WARPC_API_VERSION` there.
#[unsafe(no_mangle)]
pub extern "C" fn warpc_api_version() -> u32 {
    WARPC_API_VERSION
}
