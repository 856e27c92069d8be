//! The GPU itself: opening it, asking what it is, starting kernels.

use crate::api::{
    Address, Api, CLUSTER_DIMENSION, COOPERATIVE, Context, Device, Event, LaunchAttribute,
    LaunchConfig,
};
use crate::{Buffer, DriverError, Kernel, Loaded};
use std::ffi::{CStr, c_int, c_void};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use warpc_launch::tensor_map::BYTES;
use warpc_launch::{Argument, Launch};

/// The library that the driver's installation puts on the search path.
const LIBRARY: &str = "libcuda.so.1";

// Numbers of the driver's header.
const MAJOR: c_int = 75;
const MINOR: c_int = 76;
const FUNCTION_DYNAMIC_SHARED: c_int = 8;
const FUNCTION_LARGE_CLUSTERS: c_int = 14;

/// More dynamic shared memory than this must be asked for explicitly.
const DEFAULT_SHARED: u32 = 48 * 1024;
/// Clusters of more blocks than this must be allowed explicitly.
const PORTABLE_CLUSTER: u32 = 8;

/// Something of which a context has only so much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Bytes of stack a thread has.
    Stack = 0,
    /// Bytes `printf` may write between two synchronisations.
    Output = 1,
    /// Bytes `malloc` can give out.
    Heap = 2,
}

/// How many sessions this process has open: they share one context.
static OPEN: Mutex<usize> = Mutex::new(0);

/// The open device and its context. Modules and buffers share it; the last one closes it.
pub(crate) struct Session {
    pub(crate) api: Api,
    pub(crate) device: Device,
}

impl Session {
    pub(crate) fn check(
        &self,
        function: &'static str,
        status: crate::api::Status,
    ) -> Result<(), DriverError> {
        self.api.check(function, status)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the context was retained once, in `Gpu::open`, and everything made in it is gone:
        // modules and buffers hold the session.
        unsafe { (self.api.context_release)(self.device) };
        *OPEN.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
    }
}

/// A GPU, open for work of this thread.
pub struct Gpu {
    session: Rc<Session>,
    name: String,
    capability: (u16, u16),
    driver: (u32, u32),
}

impl Gpu {
    /// Opens the first GPU of the machine.
    pub fn open() -> Result<Gpu, DriverError> {
        let api = Api::load(LIBRARY)?;
        // SAFETY: plain calls with pointers to variables of the right type and size; `cuInit` comes
        // first, as the driver wants it.
        unsafe {
            let started = (api.init)(0);
            // 100: no device, as `cuInit` says on machines with a driver and no GPU.
            if started == 100 {
                return Err(DriverError::NoDevice);
            }
            api.check("cuInit", started)
                .map_err(|e| DriverError::NoDriver(e.to_string()))?;
            let mut count = 0;
            api.check("cuDeviceGetCount", (api.device_count)(&mut count))?;
            if count == 0 {
                return Err(DriverError::NoDevice);
            }
            let mut device = 0;
            api.check("cuDeviceGet", (api.device)(&mut device, 0))?;
            let mut name = [0; 128];
            api.check(
                "cuDeviceGetName",
                (api.device_name)(name.as_mut_ptr(), name.len() as c_int - 1, device),
            )?;
            let name = CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned();
            let attribute = |number| {
                let mut value = 0;
                api.check(
                    "cuDeviceGetAttribute",
                    (api.device_attribute)(&mut value, number, device),
                )?;
                Ok(value as u16)
            };
            let capability = (attribute(MAJOR)?, attribute(MINOR)?);
            let mut version = 0;
            api.check("cuDriverGetVersion", (api.driver_version)(&mut version))?;
            let driver = (version as u32 / 1000, version as u32 % 1000 / 10);
            let mut context: Context = std::ptr::null_mut();
            api.check(
                "cuDevicePrimaryCtxRetain",
                (api.context_retain)(&mut context, device),
            )?;
            *OPEN.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            let session = Session { api, device };
            session.check("cuCtxSetCurrent", (session.api.context_set)(context))?;
            Ok(Gpu {
                session: Rc::new(session),
                name,
                capability,
                driver,
            })
        }
    }

    /// Closes the GPU and opens it anew, after a fault. See [`Gpu::reset`].
    pub fn reopen(self) -> Result<Gpu, DriverError> {
        self.reset()?;
        Gpu::open()
    }

    /// Ends the context with everything in it, so that the next [`Gpu::open`] starts afresh even
    /// after a fault. Refused while there are modules or buffers, or other openings in this process:
    /// their handles would dangle.
    pub fn reset(self) -> Result<(), DriverError> {
        let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if Rc::strong_count(&self.session) != 1 || *open != 1 {
            return Err(DriverError::Request(
                "the GPU cannot be reset while its modules or buffers are in use".into(),
            ));
        }
        // SAFETY: nothing that was made in the context is left, as just checked, and nobody can
        // open it again before the lock is given back.
        let status = unsafe { (self.session.api.context_reset)(self.session.device) };
        let result = self.session.check("cuDevicePrimaryCtxReset", status);
        drop(open);
        result
    }

    /// The product's name, such as `NVIDIA H200`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The chip's number: 90 for `sm_90`.
    pub fn sm(&self) -> u16 {
        self.capability.0 * 10 + self.capability.1
    }

    /// The CUDA version the driver belongs to, such as `(13, 0)`.
    pub fn driver_version(&self) -> (u32, u32) {
        self.driver
    }

    /// Sets how much of something kernels may use.
    pub fn set_limit(&self, limit: Limit, bytes: usize) -> Result<(), DriverError> {
        // SAFETY: a plain call.
        let status = unsafe { (self.session.api.context_limit)(limit as c_int, bytes) };
        self.session.check("cuCtxSetLimit", status)
    }

    /// Has the driver compile a module.
    pub fn load(&self, ptx: &str) -> Result<Loaded, DriverError> {
        Loaded::new(Rc::clone(&self.session), ptx)
    }

    /// Loads machine code: a cubin that is whole, as `warpc_cubin` reads or builds one.
    pub fn load_cubin(&self, cubin: &[u8]) -> Result<Loaded, DriverError> {
        Loaded::cubin(Rc::clone(&self.session), cubin)
    }

    /// Takes memory on the GPU. Its contents are undefined.
    pub fn alloc(&self, bytes: usize) -> Result<Buffer, DriverError> {
        Buffer::new(Rc::clone(&self.session), bytes)
    }

    /// Takes memory on the GPU and fills it.
    pub fn buffer(&self, bytes: &[u8]) -> Result<Buffer, DriverError> {
        let buffer = self.alloc(bytes.len())?;
        buffer.upload(bytes)?;
        Ok(buffer)
    }

    /// Gives a tensor map, which has the address of its tensor already, the driver's form.
    pub fn tensor_map(&self, map: &mut [u8; BYTES]) -> Result<(), DriverError> {
        crate::tensor_map::encode(&self.session, map)
    }

    /// Starts a kernel; [`Argument::Buffer`] is an index of `buffers`. It runs on its own until
    /// [`Gpu::synchronize`] or a download waits for it.
    pub fn launch(
        &self,
        kernel: &Kernel<'_>,
        launch: &Launch,
        buffers: &[&Buffer],
    ) -> Result<(), DriverError> {
        let encode = |map: &mut [u8; BYTES]| crate::tensor_map::encode(&self.session, map);
        let mut values = argument_bytes(launch, buffers, encode)?;
        kernel.check_arguments(&values)?;
        let set = |attribute: c_int, value: c_int| {
            // SAFETY: the function's module is alive: the kernel borrows it.
            let status =
                unsafe { (self.session.api.function_set)(kernel.function(), attribute, value) };
            self.session.check("cuFuncSetAttribute", status)
        };
        if launch.dynamic_shared > DEFAULT_SHARED {
            let bytes = c_int::try_from(launch.dynamic_shared)
                .map_err(|_| DriverError::Request("too much shared memory is asked for".into()))?;
            set(FUNCTION_DYNAMIC_SHARED, bytes)?;
        }
        let attribute = |id, first: &[u32]| {
            let mut value = [0; 16];
            value[..first.len()].copy_from_slice(first);
            LaunchAttribute {
                id,
                padding: [0; 4],
                value,
            }
        };
        let cluster = launch
            .cluster
            .map(|size| attribute(CLUSTER_DIMENSION, &size));
        let cooperative = launch.cooperative.then(|| attribute(COOPERATIVE, &[1]));
        let attributes: Vec<LaunchAttribute> = cluster.into_iter().chain(cooperative).collect();
        if launch
            .cluster
            .is_some_and(|c| c.iter().product::<u32>() > PORTABLE_CLUSTER)
        {
            set(FUNCTION_LARGE_CLUSTERS, 1)?;
        }
        let config = LaunchConfig {
            grid: launch.grid,
            block: launch.block,
            shared_bytes: launch.dynamic_shared,
            stream: std::ptr::null_mut(),
            attributes: match attributes.is_empty() {
                true => std::ptr::null(),
                false => attributes.as_ptr(),
            },
            attribute_count: attributes.len() as u32,
        };
        let mut pointers: Vec<*mut c_void> = values
            .iter_mut()
            .map(|bytes| bytes.as_mut_ptr().cast())
            .collect();
        // SAFETY: `config` and its attributes live through the call; there is one pointer for each
        // parameter, to as many bytes as it has (checked above); the driver copies them at once.
        let status = unsafe {
            (self.session.api.launch)(
                &config,
                kernel.function(),
                pointers.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        self.session.check("cuLaunchKernelEx", status)
    }

    /// Runs a kernel to its end and says how many seconds it took on the GPU.
    pub fn time(
        &self,
        kernel: &Kernel<'_>,
        launch: &Launch,
        buffers: &[&Buffer],
    ) -> Result<f64, DriverError> {
        let events = [Mark::new(&self.session)?, Mark::new(&self.session)?];
        events[0].set()?;
        self.launch(kernel, launch, buffers)?;
        events[1].set()?;
        self.synchronize()?;
        events[1].since(&events[0])
    }

    /// Waits until everything that was started is done, and says how it ended. What kernels printed
    /// is written to standard output by the driver here.
    pub fn synchronize(&self) -> Result<(), DriverError> {
        // SAFETY: a plain call.
        let status = unsafe { (self.session.api.synchronize)() };
        self.session.check("cuCtxSynchronize", status)
    }
}

/// A place in the order of what the GPU does, with the time when it got there.
struct Mark<'s> {
    session: &'s Session,
    event: Event,
}

impl<'s> Mark<'s> {
    fn new(session: &'s Session) -> Result<Mark<'s>, DriverError> {
        let mut event: Event = std::ptr::null_mut();
        // SAFETY: the function writes a handle.
        let status = unsafe { (session.api.event_create)(&mut event, 0) };
        session.check("cuEventCreate", status)?;
        Ok(Mark { session, event })
    }

    /// Puts it after what was started so far.
    fn set(&self) -> Result<(), DriverError> {
        // SAFETY: the event lives as long as this; a null stream is the one that kernels run in.
        let status = unsafe { (self.session.api.event_record)(self.event, std::ptr::null_mut()) };
        self.session.check("cuEventRecord", status)
    }

    /// Seconds between two that the GPU has got to.
    fn since(&self, start: &Mark<'_>) -> Result<f64, DriverError> {
        let mut milliseconds = 0f32;
        // SAFETY: both events live; the function writes a number.
        let status =
            unsafe { (self.session.api.event_elapsed)(&mut milliseconds, start.event, self.event) };
        self.session.check("cuEventElapsedTime", status)?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        // SAFETY: the event is destroyed once. After a fault of a kernel the call fails; nothing is lost.
        unsafe { (self.session.api.event_destroy)(self.event) };
    }
}

/// The bytes of each parameter; `encode` gives tensor maps the driver's form.
fn argument_bytes(
    launch: &Launch,
    buffers: &[&Buffer],
    encode: impl Fn(&mut [u8; BYTES]) -> Result<(), DriverError>,
) -> Result<Vec<Vec<u8>>, DriverError> {
    let address = |i: usize| -> Result<Address, DriverError> {
        let buffer = buffers.get(i).ok_or_else(|| {
            DriverError::Request(format!("there is no buffer {i} for the kernel's argument"))
        })?;
        Ok(buffer.address())
    };
    launch
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Value(bytes) => Ok(bytes.clone()),
            Argument::Buffer(i) => Ok(address(*i)?.to_le_bytes().to_vec()),
            Argument::Struct {
                bytes,
                addresses,
                maps,
            } => {
                let mut bytes = bytes.clone();
                for &(offset, i) in addresses {
                    bytes[offset..offset + 8].copy_from_slice(&address(i)?.to_le_bytes());
                }
                for &offset in maps {
                    let place = bytes
                        .get_mut(offset..)
                        .and_then(|rest| rest.first_chunk_mut());
                    encode(place.ok_or_else(|| {
                        DriverError::Request("a tensor map is not inside its argument".into())
                    })?)?;
                }
                Ok(bytes)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The driver copies from these structures, so their layout is part of the contract.
    #[test]
    fn structures_have_the_sizes_of_the_header() {
        assert_eq!(size_of::<LaunchAttribute>(), 72);
        assert_eq!(size_of::<LaunchConfig>(), 56);
        assert_eq!(std::mem::offset_of!(LaunchConfig, stream), 32);
    }

    #[test]
    fn a_buffer_that_is_not_there_is_no_address() {
        let launch = Launch {
            kernel: "k".into(),
            grid: [1; 3],
            block: [1; 3],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: vec![Argument::Value(vec![1, 0, 0, 0]), Argument::Buffer(0)],
        };
        let error = argument_bytes(&launch, &[], |_| Ok(())).expect_err("there are no buffers");
        assert!(matches!(error, DriverError::Request(_)), "{error}");
    }
}
