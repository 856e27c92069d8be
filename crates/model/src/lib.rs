//! The vocabulary of synchronisation.
//!
//! Everything that speaks of memory order in this project speaks through these enums. Other
//! vocabularies are maps in and out of them, and nothing else knows what `acquire` or `.cluster` is:
//!
//! ```text
//!   C++/EDG numbers ──┐                        ┌── PTX tokens       .acq_rel .cluster .shared::cta
//!   LLVM names, IDs ──┼──  Ordering  Scope   ──┼── packed words     pack_atomic_modifier, OCG
//!   bitcode numbers ──┘    StateSpace  Proxy   └── legality, gates  Atomic::check, Fence::gate
//!                          AtomicOp  Fence
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`ordering`] | memory orders, their lattice, which access may have which |
//! | [`scope`] | who observes the order |
//! | [`space`] | state spaces and address spaces |
//! | [`proxy`] | the proxies and the fences between them |
//! | [`atomic`] | read-modify-write operations, their types, and the table of legal ones |
//! | [`fence`] | fences |
//! | [`collective`] | reductions over a warp, and which chips have which collective operation |
//! | [`mbarrier`] | the kinds of operations on barriers in memory |
//! | [`mapping`] | the order table, and [`lower`]: how an access of an order becomes PTX |
//! | [`axioms`] | the axioms of the PTX memory model, and a search through the executions of small programs |
//! | [`ptxas`] | what the real assembler does not keep of an access |
//! | [`packed`] | modifier words of code generators |
//! | [`ocg`] | atomics inside the assembler: tokens, checks, modifier word, opcode |
//!
//! ```
//! use warpc_model::{Access, Ordering, Scope, lower};
//! use warpc_target::PtxVersion;
//!
//! let sm = "sm_90".parse().unwrap();
//! let lowered = lower(Access::Rmw, Ordering::SeqCst, Scope::Gpu, sm, PtxVersion::LATEST).unwrap();
//! assert_eq!(lowered.to_string(), "fence.sc.gpu; atom.acquire.gpu");
//! ```

pub mod atomic;
pub mod axioms;
pub mod collective;
pub mod fence;
pub mod mapping;
pub mod mbarrier;
pub mod ocg;
pub mod ordering;
pub mod packed;
pub mod proxy;
pub mod ptxas;
pub mod requires;
pub mod scope;
pub mod space;

pub use atomic::{Atomic, AtomicOp, AtomicType, Illegal, TypeClass};
pub use collective::{Redux, ReduxOp, ReduxType};
pub use fence::Fence;
pub use mapping::{Lowered, Mapping, choose_fence, lower};
pub use mbarrier::MbarrierOp;
pub use ordering::{Access, IllegalOrder, Ordering, UnknownOrder};
pub use proxy::{Proxy, ProxyFence};
pub use ptxas::Lost;
pub use requires::{Requires, Unmet};
pub use scope::{Scope, UnknownScope};
pub use space::StateSpace;
