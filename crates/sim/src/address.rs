//! Where things lie in the 64-bit generic address space.
//!
//! ```text
//!   0x7f00_0000_0000 …  global memory, then constants: the address in its space is the generic one
//!   0x7e00_0000_0000 +  shared memory: block of the cluster (24 bits up), offset
//!   0x7d00_0000_0000 +  local memory of the thread: offset on its stack
//!   0x7c00_0000_0000 +  kernel parameters: offset
//!   0x7b00_0000_0000 +  functions, 16 bytes apart
//! ```
//!
//! The windows lie a terabyte apart, so an address that runs out of one never lands in another.
//! A shared address of 32 bits has the block of the cluster plus one in its upper byte, or zero for
//! the thread's own block: `mapa` makes the one, the address of a variable is the other.

use warpc_ptx::types::ScalarType;

/// Where global memory begins.
pub const GLOBAL: u64 = 0x7f00_0000_0000;
/// Where shared memory begins.
pub const SHARED: u64 = 0x7e00_0000_0000;
/// Where the thread's local memory begins.
pub const LOCAL: u64 = 0x7d00_0000_0000;
/// Where the kernel's parameters begin.
pub const PARAM: u64 = 0x7c00_0000_0000;
/// Where functions begin.
pub const CODE: u64 = 0x7b00_0000_0000;
/// How far functions lie apart.
pub const CODE_STEP: u64 = 16;

const WINDOW_BITS: u32 = 40;
const RANK_SHIFT: u32 = 24;

/// The address of a function.
pub fn of_function(index: usize) -> u64 {
    CODE + CODE_STEP * (index as u64 + 1)
}

/// The function at an address, if there may be one.
pub fn to_function(address: u64) -> Option<usize> {
    let offset = address.checked_sub(CODE)?;
    (offset < 1 << WINDOW_BITS && offset % CODE_STEP == 0 && offset > 0)
        .then(|| (offset / CODE_STEP) as usize - 1)
}

/// A shared address of another block of the cluster.
pub fn of_rank(offset: u64, rank: u32) -> u64 {
    (offset & OFFSET_MASK) | (u64::from(rank) + 1) << RANK_SHIFT
}

/// The offset within a block's shared memory.
pub const OFFSET_MASK: u64 = (1 << RANK_SHIFT) - 1;

/// The block of the cluster that a shared address names; `None` for the thread's own.
pub fn rank_of(address: u64) -> Option<u32> {
    ((address & !OFFSET_MASK) >> RANK_SHIFT)
        .checked_sub(1)
        .map(|rank| u32::try_from(rank).unwrap_or(u32::MAX))
}

/// A state space as accesses see it: variants that differ in nothing that happens are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Any: the address says which.
    Generic,
    /// Global memory.
    Global,
    /// Constants.
    Const,
    /// Shared memory of the block or of the cluster.
    Shared,
    /// The thread's own.
    Local,
    /// Parameters of the kernel.
    Param,
}

impl Space {
    /// What a message calls it.
    pub fn name(self) -> &'static str {
        match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Const => "constant",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Param => "parameter",
        }
    }

    /// The space of a modifier such as `.shared::cluster`.
    pub fn of_token(token: Option<&str>) -> Space {
        match token {
            None => Space::Generic,
            Some(".global") => Space::Global,
            Some(".const") => Space::Const,
            Some(".local") => Space::Local,
            Some(token) if token.starts_with(".param") => Space::Param,
            Some(_) => Space::Shared,
        }
    }

    /// The space a generic address lies in and the address there.
    pub fn of_generic(address: u64) -> (Space, u64) {
        match address >> WINDOW_BITS << WINDOW_BITS {
            SHARED => (Space::Shared, address - SHARED),
            LOCAL => (Space::Local, address - LOCAL),
            PARAM => (Space::Param, address - PARAM),
            _ => (Space::Global, address),
        }
    }

    /// What is added to an address of the space to make it generic.
    pub fn base(self) -> u64 {
        match self {
            Space::Shared => SHARED,
            Space::Local => LOCAL,
            Space::Param => PARAM,
            Space::Generic | Space::Global | Space::Const => 0,
        }
    }
}

/// Whether a value of the type is extended by its sign when it is loaded into a wider register.
pub fn sign_extends(ty: ScalarType) -> bool {
    ty.meaning() == warpc_ptx::types::Meaning::Signed
}
