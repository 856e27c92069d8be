//! Cubins: the ELF files of machine code that the driver loads, and fatbins, which hold several of them.
//!
//! ```text
//!   bytes ──Cubin::read──► Cubin ──Cubin::write──► the same bytes
//!        Program ──build──►   │
//!                 verify ◄───┘
//! ```
//!
//! [`Cubin`] is plain: the header, the sections in the order of the file with their place in it, the segments. What
//! the sections of the ELF format and of `.nv.info` hold is typed ([`Content`]); everything else stays bytes. Reading
//! refuses what no model can hold (parts outside the file); [`verify`] says what else is wrong.
//!
//! The crate knows no instruction; listings and assembly texts are made by `warpc-sass-text`.

pub mod attribute;
pub mod build;
mod content;
pub mod fatbin;
mod flags;
mod host;
mod info;
mod layout;
mod lz4;
mod model;
mod read;
pub mod relocation;
mod value;
mod verify;
mod write;

pub use content::{CallEdge, Content, Relocation, Symbol};
pub use flags::Generation;
pub use host::is_host;
pub use info::{Format, Record};
pub use layout::MERC;
pub use model::{Cubin, Header, Section, Segment, kind, takes_no_room};
pub use read::Fault;
pub use value::{Mbarrier, Parameter, Value};
pub use verify::verify;
