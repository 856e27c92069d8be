//! GPU targets and PTX versions.
//!
//! Two small value types, [`Sm`] (`sm_90a`) and [`PtxVersion`] (`8.6`), one table that says which
//! chip exists since which version ([`chips`]), [`Gate`], the one way in which everything else
//! in the project says "this needs that chip and that version", and [`features`], what chips have by name where no
//! version matters.
//!
//! ```
//! use warpc_target::{Gate, PtxVersion, Sm, at_least};
//!
//! const CLUSTER: Gate = Gate(&[at_least(90, PtxVersion::new(7, 8))]);
//! let sm: Sm = "sm_90a".parse().unwrap();
//! assert!(CLUSTER.check(sm, PtxVersion::new(8, 0)).is_ok());
//! assert!(CLUSTER.check("sm_80".parse().unwrap(), PtxVersion::LATEST).is_err());
//! ```

pub mod chips;
pub mod features;
mod gate;
mod limits;
mod sm;
mod version;

pub use gate::{Chips, Gate, Need, Removal, Unavailable, arch, at_least, family};
pub use limits::Limits;
pub use sm::{ParseSmError, Sm, Variant};
pub use version::{ParseVersionError, PtxVersion};
