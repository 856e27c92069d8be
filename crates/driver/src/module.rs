//! Modules in the GPU's memory, and their kernels.

use crate::DriverError;
use crate::api::{Address, Function, ModuleHandle};
use crate::gpu::Session;
use std::ffi::{CString, c_int, c_void};
use std::marker::PhantomData;
use std::rc::Rc;

// Options of the driver's compiler, by its header.
const ERROR_LOG: c_int = 5;
const ERROR_LOG_BYTES: c_int = 6;
/// As much of what the compiler says as is kept.
const LOG_BYTES: usize = 8192;

/// `CUDA_ERROR_INVALID_VALUE`: how the driver says that there is no such parameter.
const INVALID_VALUE: c_int = 1;

/// A module the driver has compiled.
pub struct Loaded {
    session: Rc<Session>,
    module: ModuleHandle,
}

impl Loaded {
    pub(crate) fn new(session: Rc<Session>, ptx: &str) -> Result<Loaded, DriverError> {
        let text = CString::new(ptx)
            .map_err(|_| DriverError::Request("the PTX contains a zero byte".into()))?;
        // A text that ends in a zero byte is an image.
        Loaded::image(session, text.as_bytes_with_nul())
    }

    /// Machine code. The driver finds the end of an image by itself, so this trusts that the ELF headers name no part
    /// outside of it.
    pub(crate) fn cubin(session: Rc<Session>, cubin: &[u8]) -> Result<Loaded, DriverError> {
        if !cubin.starts_with(b"\x7fELF") {
            return Err(DriverError::Request("this is not a cubin".into()));
        }
        Loaded::image(session, cubin)
    }

    fn image(session: Rc<Session>, image: &[u8]) -> Result<Loaded, DriverError> {
        let mut log = vec![0u8; LOG_BYTES];
        let mut options = [ERROR_LOG, ERROR_LOG_BYTES];
        // The second value is a number that is passed in the place of a pointer.
        let mut values: [*mut c_void; 2] = [
            log.as_mut_ptr().cast(),
            std::ptr::without_provenance_mut(LOG_BYTES),
        ];
        let mut module: ModuleHandle = std::ptr::null_mut();
        // SAFETY: the image ends where its zero byte or its headers say, the log has as many bytes as we say, and
        // both arrays have as many elements as we say.
        let status = unsafe {
            (session.api.module_load)(
                &mut module,
                image.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        match session.check("cuModuleLoadDataEx", status) {
            Ok(()) => Ok(Loaded { session, module }),
            // 2xx: what is wrong with an image or its PTX. Everything else is not a verdict on it.
            Err(DriverError::Call { code, name, .. }) if (200..300).contains(&code) => {
                let end = log.iter().position(|&byte| byte == 0).unwrap_or(LOG_BYTES);
                let log = String::from_utf8_lossy(&log[..end]).into_owned();
                Err(DriverError::Refused(name, log))
            }
            Err(error) => Err(error),
        }
    }

    /// The kernel with this name.
    pub fn kernel(&self, name: &str) -> Result<Kernel<'_>, DriverError> {
        let mut function: Function = std::ptr::null_mut();
        let text = c_name(name)?;
        // SAFETY: the module is loaded, the name ends in a zero byte.
        let status = unsafe {
            (self.session.api.module_function)(&mut function, self.module, text.as_ptr())
        };
        self.session.check("cuModuleGetFunction", status)?;
        Ok(Kernel {
            session: Rc::clone(&self.session),
            function,
            module: PhantomData,
        })
    }

    /// Address and size of a global variable.
    pub fn global(&self, name: &str) -> Result<(Address, usize), DriverError> {
        let (mut address, mut bytes) = (0, 0);
        let text = c_name(name)?;
        // SAFETY: as above.
        let status = unsafe {
            (self.session.api.module_global)(&mut address, &mut bytes, self.module, text.as_ptr())
        };
        self.session.check("cuModuleGetGlobal", status)?;
        Ok((address, bytes))
    }

    /// What a global variable holds.
    pub fn read_global(&self, name: &str) -> Result<Vec<u8>, DriverError> {
        let (address, bytes) = self.global(name)?;
        let mut data = vec![0; bytes];
        // SAFETY: `data` has as many bytes as the variable.
        let status =
            unsafe { (self.session.api.download)(data.as_mut_ptr().cast(), address, bytes) };
        self.session.check("cuMemcpyDtoH", status)?;
        Ok(data)
    }

    /// Gives a global variable a value, from its start on.
    pub fn write_global(&self, name: &str, data: &[u8]) -> Result<(), DriverError> {
        let (address, bytes) = self.global(name)?;
        if data.len() > bytes {
            return Err(DriverError::Request(format!(
                "{} bytes do not fit into `{name}`, which has {bytes}",
                data.len()
            )));
        }
        // SAFETY: as many bytes are read as the slice has; the variable has room for them.
        let status =
            unsafe { (self.session.api.upload)(address, data.as_ptr().cast(), data.len()) };
        self.session.check("cuMemcpyHtoD", status)
    }
}

fn c_name(name: &str) -> Result<CString, DriverError> {
    CString::new(name).map_err(|_| DriverError::Request(format!("`{name:?}` is not a name")))
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: loaded once, unloaded once; kernels borrow the module and are gone.
        unsafe { (self.session.api.module_unload)(self.module) };
    }
}

/// A kernel of a loaded module.
pub struct Kernel<'m> {
    session: Rc<Session>,
    function: Function,
    module: PhantomData<&'m Loaded>,
}

impl Kernel<'_> {
    pub(crate) fn function(&self) -> Function {
        self.function
    }

    /// The sizes of its parameters in bytes, in order.
    pub fn parameters(&self) -> Result<Vec<usize>, DriverError> {
        let mut sizes = Vec::new();
        loop {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the module is alive; pointers to variables of the right type.
            let status = unsafe {
                (self.session.api.function_parameter)(
                    self.function,
                    sizes.len(),
                    &mut offset,
                    &mut size,
                )
            };
            if status == INVALID_VALUE {
                return Ok(sizes);
            }
            self.session.check("cuFuncGetParamInfo", status)?;
            sizes.push(size);
        }
    }

    /// Whether there is a value for each parameter, and none of another size.
    pub(crate) fn check_arguments(&self, values: &[Vec<u8>]) -> Result<(), DriverError> {
        let sizes = self.parameters()?;
        if sizes.len() != values.len() {
            return Err(DriverError::Request(format!(
                "the kernel takes {} arguments, not {}",
                sizes.len(),
                values.len()
            )));
        }
        for (i, (size, value)) in sizes.iter().zip(values).enumerate() {
            if *size != value.len() {
                return Err(DriverError::Request(format!(
                    "argument {i} of the kernel has {size} bytes, not {}",
                    value.len()
                )));
            }
        }
        Ok(())
    }

    /// Bytes of static shared memory and of local memory, and registers of a thread, as the driver
    /// compiled it.
    pub fn footprint(&self) -> Result<[u32; 3], DriverError> {
        // Shared bytes, local bytes, registers: numbers of the driver's header.
        let mut found = [0; 3];
        for (place, attribute) in found.iter_mut().zip([1, 3, 4]) {
            let mut value: c_int = 0;
            // SAFETY: the module is alive; a pointer to a variable of the right type.
            let status = unsafe {
                (self.session.api.function_attribute)(&mut value, attribute, self.function)
            };
            self.session.check("cuFuncGetAttribute", status)?;
            *place = value as u32;
        }
        Ok(found)
    }
}
