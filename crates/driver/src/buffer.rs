//! Memory on the GPU.

use crate::DriverError;
use crate::api::Address;
use crate::gpu::Session;
use std::rc::Rc;

/// Memory on the GPU, given back when dropped.
pub struct Buffer {
    session: Rc<Session>,
    address: Address,
    bytes: usize,
}

impl Buffer {
    pub(crate) fn new(session: Rc<Session>, bytes: usize) -> Result<Buffer, DriverError> {
        let mut address = 0;
        // The driver refuses to give out nothing.
        // SAFETY: a pointer to a variable of the right type.
        let status = unsafe { (session.api.alloc)(&mut address, bytes.max(1)) };
        session.check("cuMemAlloc", status)?;
        Ok(Buffer {
            session,
            address,
            bytes,
        })
    }

    /// Where it lies, for kernels.
    pub fn address(&self) -> Address {
        self.address
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Copies bytes to its beginning.
    pub fn upload(&self, bytes: &[u8]) -> Result<(), DriverError> {
        if bytes.len() > self.bytes {
            return Err(DriverError::Request(format!(
                "{} bytes do not fit into a buffer of {}",
                bytes.len(),
                self.bytes
            )));
        }
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: as many bytes are read as the slice has; the buffer has room for them.
        let status =
            unsafe { (self.session.api.upload)(self.address, bytes.as_ptr().cast(), bytes.len()) };
        self.session.check("cuMemcpyHtoD", status)
    }

    /// Waits for what was started, and copies everything back.
    pub fn download(&self) -> Result<Vec<u8>, DriverError> {
        let mut data = vec![0; self.bytes];
        if data.is_empty() {
            return Ok(data);
        }
        // SAFETY: `data` has as many bytes as are written.
        let status = unsafe {
            (self.session.api.download)(data.as_mut_ptr().cast(), self.address, self.bytes)
        };
        self.session.check("cuMemcpyDtoH", status)?;
        Ok(data)
    }

    /// Sets every byte.
    pub fn fill(&self, byte: u8) -> Result<(), DriverError> {
        if self.bytes == 0 {
            return Ok(());
        }
        // SAFETY: the buffer has as many bytes as we say.
        let status = unsafe { (self.session.api.fill)(self.address, byte, self.bytes) };
        self.session.check("cuMemsetD8", status)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: taken once, given back once. After a fault this fails, and nothing is lost: the
        // context is gone anyway.
        unsafe { (self.session.api.free)(self.address) };
    }
}
