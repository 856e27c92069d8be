//! Races: accesses of shared and global memory that nothing orders, by the memory model of PTX.
//!
//! ```text
//!   exec ──accesses──► shadow: who accessed each word last ──► a pair without order ──► report
//!        ──barriers, fences, releases, acquires──► clock: what each thread knows of others
//! ```
//!
//! Two accesses of the same bytes race if they are of different threads, one of them writes, neither is before the other
//! ([`clock`], [`gather`], [`location`]), and they are not both strong with scopes that include each other. What is before
//! what follows from the synchronisation of the run, not from when things happened, so blocks may run in any order.
//!
//! A [`Session`] is for one launch, a [`Watch`] for the blocks of a cluster. What is about global memory is in a [`Hub`]:
//! with [`Races::All`] there is one, which the group that runs holds; with [`Races::Shared`] every group has its own.

mod access;
mod beside;
mod clock;
mod compact;
mod gather;
mod know;
mod location;
mod place;
mod proxy;
mod report;
mod session;
mod shadow;
mod watch;

pub(crate) use session::Session;
pub(crate) use watch::{Copy, Touched, Watch};

use location::Locations;
use report::Found;
use shadow::Shadow;
use warpc_launch::Races;

/// Memory that is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A region of global memory by its number, and its address.
    Global(u32, u64),
    /// Shared memory of a block of the cluster.
    Shared(u32),
}

impl Target {
    /// An address that no other memory of the group has.
    fn address(self, offset: u64) -> u64 {
        match self {
            Target::Global(_, address) => address + offset,
            Target::Shared(rank) => crate::address::SHARED + crate::address::of_rank(offset, rank),
        }
    }
}

/// What is about global memory, and what was found.
#[derive(Debug)]
struct Hub {
    /// By region; empty if global memory is not watched.
    global: Vec<Shadow>,
    locations: Locations,
    found: Found,
}
