//! What a kernel is started with, for the emulator and for a real GPU alike.

/// One launch of one kernel.
#[derive(Clone, PartialEq, Debug)]
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
}
