//! What goes wrong between us and a GPU.

use std::fmt;

/// Why a call of the driver did not do what was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DriverError {
    /// There is no driver on this machine, or one that cannot be used.
    NoDriver(String),
    /// There is a driver and no GPU.
    NoDevice,
    /// The driver's compiler refused the PTX: its code's name and what it said.
    Refused(String, String),
    /// The request itself makes no sense: wrong number or size of arguments.
    Request(String),
    /// A call failed: its name, the error's number, name and meaning.
    Call {
        /// The driver's function.
        function: &'static str,
        /// The error's number.
        code: i32,
        /// The error's name, such as `CUDA_ERROR_ILLEGAL_ADDRESS`.
        name: String,
        /// What the driver says about it.
        text: String,
    },
}

impl DriverError {
    /// Whether the GPU was left in a state in which nothing works until [`crate::Gpu::reset`].
    pub fn is_sticky(&self) -> bool {
        // 700..=719: illegal address, launch time-out, traps and their like, by the driver's header.
        matches!(self, DriverError::Call { code, .. } if (700..720).contains(code) && *code != 701)
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DriverError::NoDriver(why) => {
                write!(f, "no CUDA driver can be used on this machine: {why}")
            }
            DriverError::NoDevice => f.write_str("the CUDA driver finds no GPU on this machine"),
            DriverError::Refused(name, log) => {
                write!(f, "the GPU's driver refused the PTX ({name})")?;
                match log.trim() {
                    "" => Ok(()),
                    log => write!(f, ": {log}"),
                }
            }
            DriverError::Request(what) => f.write_str(what),
            DriverError::Call {
                function,
                name,
                text,
                ..
            } => write!(f, "{text} ({name} from {function})"),
        }
    }
}

impl std::error::Error for DriverError {}
