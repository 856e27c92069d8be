//! The driver's functions, found by name in its library.

use crate::DriverError;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// What every function returns; zero is success.
pub type Status = c_int;
pub type Device = c_int;
pub type Context = *mut c_void;
pub type ModuleHandle = *mut c_void;
pub type Function = *mut c_void;
pub type Event = *mut c_void;
pub type Address = u64;

/// `CUlaunchAttribute` with one of the values below.
#[repr(C)]
pub struct LaunchAttribute {
    pub id: c_int,
    pub padding: [u8; 4],
    /// A union of 64 bytes, of which a cluster's dimensions take the first twelve and a switch the first four.
    pub value: [u32; 16],
}

/// `CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION`
pub const CLUSTER_DIMENSION: c_int = 4;
/// `CU_LAUNCH_ATTRIBUTE_COOPERATIVE`
pub const COOPERATIVE: c_int = 2;

/// `CUlaunchConfig`
#[repr(C)]
pub struct LaunchConfig {
    pub grid: [c_uint; 3],
    pub block: [c_uint; 3],
    pub shared_bytes: c_uint,
    pub stream: *mut c_void,
    pub attributes: *const LaunchAttribute,
    pub attribute_count: c_uint,
}

macro_rules! functions {
    ($($field:ident $symbol:literal ($($arg:ty),*);)*) => {
        /// The functions we call. The library stays open as long as they do.
        pub struct Api {
            $(pub $field: unsafe extern "C" fn($($arg),*) -> Status,)*
            _library: Library,
        }

        impl Api {
            /// Opens the library and finds every function.
            pub fn load(name: &str) -> Result<Api, DriverError> {
                // SAFETY: the driver's library has no initialisers that need anything of us; it is
                // what every CUDA program loads at its start.
                let library = unsafe { Library::new(name) }
                    .map_err(|e| DriverError::NoDriver(e.to_string()))?;
                $(
                    // SAFETY: the signature is the one in the driver's public header, `cuda.h`.
                    let $field = unsafe {
                        library.get::<unsafe extern "C" fn($($arg),*) -> Status>($symbol.as_bytes())
                    }
                    .map(|symbol| *symbol)
                    .map_err(|_| DriverError::NoDriver(format!(
                        "{name} has no {}: the driver is older than CUDA 12.4", $symbol
                    )))?;
                )*
                Ok(Api { $($field,)* _library: library })
            }
        }
    };
}

functions! {
    init "cuInit" (c_uint);
    driver_version "cuDriverGetVersion" (*mut c_int);
    device_count "cuDeviceGetCount" (*mut c_int);
    device "cuDeviceGet" (*mut Device, c_int);
    device_name "cuDeviceGetName" (*mut c_char, c_int, Device);
    device_attribute "cuDeviceGetAttribute" (*mut c_int, c_int, Device);
    context_retain "cuDevicePrimaryCtxRetain" (*mut Context, Device);
    context_release "cuDevicePrimaryCtxRelease_v2" (Device);
    context_reset "cuDevicePrimaryCtxReset_v2" (Device);
    context_set "cuCtxSetCurrent" (Context);
    context_limit "cuCtxSetLimit" (c_int, usize);
    synchronize "cuCtxSynchronize" ();
    module_load "cuModuleLoadDataEx" (*mut ModuleHandle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    module_unload "cuModuleUnload" (ModuleHandle);
    module_function "cuModuleGetFunction" (*mut Function, ModuleHandle, *const c_char);
    module_global "cuModuleGetGlobal_v2" (*mut Address, *mut usize, ModuleHandle, *const c_char);
    function_set "cuFuncSetAttribute" (Function, c_int, c_int);
    function_attribute "cuFuncGetAttribute" (*mut c_int, c_int, Function);
    function_parameter "cuFuncGetParamInfo" (Function, usize, *mut usize, *mut usize);
    alloc "cuMemAlloc_v2" (*mut Address, usize);
    free "cuMemFree_v2" (Address);
    upload "cuMemcpyHtoD_v2" (Address, *const c_void, usize);
    download "cuMemcpyDtoH_v2" (*mut c_void, Address, usize);
    fill "cuMemsetD8_v2" (Address, u8, usize);
    launch "cuLaunchKernelEx" (*const LaunchConfig, Function, *mut *mut c_void, *mut *mut c_void);
    event_create "cuEventCreate" (*mut Event, c_uint);
    event_record "cuEventRecord" (Event, *mut c_void);
    event_elapsed "cuEventElapsedTime" (*mut f32, Event, Event);
    event_destroy "cuEventDestroy_v2" (Event);
    tensor_map_tiled "cuTensorMapEncodeTiled" (*mut c_void, c_int, c_uint, *mut c_void, *const u64, *const u64, *const c_uint, *const c_uint, c_int, c_int, c_int, c_int);
    tensor_map_im2col "cuTensorMapEncodeIm2col" (*mut c_void, c_int, c_uint, *mut c_void, *const u64, *const u64, *const c_int, *const c_int, c_uint, c_uint, *const c_uint, c_int, c_int, c_int, c_int);
    error_name "cuGetErrorName" (Status, *mut *const c_char);
    error_text "cuGetErrorString" (Status, *mut *const c_char);
}

type ErrorText = unsafe extern "C" fn(Status, *mut *const c_char) -> Status;

impl Api {
    /// An error unless the status is success.
    pub fn check(&self, function: &'static str, status: Status) -> Result<(), DriverError> {
        if status == 0 {
            return Ok(());
        }
        Err(DriverError::Call {
            function,
            code: status,
            name: self.describe(self.error_name, status),
            text: self.describe(self.error_text, status),
        })
    }

    fn describe(&self, function: ErrorText, status: Status) -> String {
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: the function writes a pointer to a constant string, or null for unknown numbers.
        let known = unsafe { function(status, &mut text) } == 0 && !text.is_null();
        if known {
            // SAFETY: not null, and the driver's constant strings end in a zero byte.
            let text = unsafe { CStr::from_ptr(text) };
            text.to_string_lossy().into_owned()
        } else {
            format!("error {status}")
        }
    }
}
