//! What a kernel is started with, for the emulators and for a real GPU alike.
//!
//! ```text
//!   Launch ──check(module, chip)──► Shape        (or what is wrong with the launch)
//! ```
//!
//! [`Launch`] and [`Argument`] are plain data and depend on nothing. With the feature `check`, a launch can be
//! checked against the PTX module that has the kernel.

#[cfg(feature = "check")]
mod check;
#[cfg(feature = "check")]
pub mod functions;
mod memory_model;
mod races;
#[cfg(feature = "check")]
pub mod reach;
#[cfg(feature = "check")]
pub mod shared;
pub mod tensor_map;
pub mod texture;

#[cfg(feature = "check")]
pub use check::{Shape, check_count, kernel, kernels, parameter_text, parameters_text};
pub use memory_model::MemoryModel;
pub use races::Races;
#[cfg(feature = "check")]
pub use shared::static_shared_bytes;

/// One launch of one kernel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y and z, where the launch says it.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory a block gets.
    pub dynamic_shared: u32,
    /// Whether all blocks are resident at the same time, so that they may wait for each other (`grid.sync()`).
    pub cooperative: bool,
    /// The kernel's parameters, in order.
    pub arguments: Vec<Argument>,
}

/// A kernel parameter's value.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// The bytes of the parameter itself.
    Value(Vec<u8>),
    /// The address of a buffer, by its number.
    Buffer(usize),
    /// Bytes with addresses of buffers in them, as a structure passed by value has.
    Struct {
        /// The bytes of the parameter itself; where an address goes they do not matter.
        bytes: Vec<u8>,
        /// Offset and buffer of each address.
        addresses: Vec<(usize, usize)>,
        /// Where tensor maps begin, whose tensors' addresses are among them. Only a GPU's driver has to know: it has a form
        /// of its own for the rest of a map.
        maps: Vec<usize>,
    },
}

impl Argument {
    /// How many bytes the parameter must have.
    pub fn len(&self, address_bytes: usize) -> usize {
        match self {
            Argument::Value(bytes) | Argument::Struct { bytes, .. } => bytes.len(),
            Argument::Buffer(_) => address_bytes,
        }
    }

    /// The buffers whose addresses it has.
    pub fn buffers(&self) -> impl Iterator<Item = usize> {
        let (one, many) = match self {
            Argument::Value(_) => (None, &[][..]),
            Argument::Buffer(buffer) => (Some(*buffer), &[][..]),
            Argument::Struct { addresses, .. } => (None, addresses.as_slice()),
        };
        one.into_iter()
            .chain(many.iter().map(|&(_, buffer)| buffer))
    }

    /// The parameter's bytes, once it is known where the buffers lie.
    ///
    /// # Panics
    ///
    /// If an address is not inside the bytes of a structure; `Launch::check` refuses it.
    ///
    /// ```
    /// let argument = warpc_launch::Argument::Struct {
    ///     bytes: vec![7; 12],
    ///     addresses: vec![(4, 0)],
    ///     maps: vec![],
    /// };
    /// assert_eq!(argument.bytes(8, |_| 0x100), [7, 7, 7, 7, 0, 1, 0, 0, 0, 0, 0, 0]);
    /// ```
    pub fn bytes(&self, address_bytes: usize, address: impl Fn(usize) -> u64) -> Vec<u8> {
        let of = |buffer| address(buffer).to_le_bytes()[..address_bytes].to_vec();
        match self {
            Argument::Value(bytes) => bytes.clone(),
            Argument::Buffer(buffer) => of(*buffer),
            Argument::Struct {
                bytes, addresses, ..
            } => {
                let mut bytes = bytes.clone();
                for &(offset, buffer) in addresses {
                    bytes[offset..offset + address_bytes].copy_from_slice(&of(buffer));
                }
                bytes
            }
        }
    }
}
