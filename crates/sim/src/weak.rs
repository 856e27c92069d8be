//! The weak memory model of PTX: loads may return any value that the model allows, chosen by the seed.
//!
//! ```text
//!   exec ──loads, stores, atomics──► history: the writes of each place in coherence order ──► a value
//!        ──fences, barriers, releases, acquires──► thread: what each thread knows of others
//! ```
//!
//! Threads run one instruction after the other, as ever; what is weak is which write a read sees. Memory itself has the
//! last write of each place in coherence order, a [`history`] the earlier ones. A thread must not read what is before a
//! write that it knows of: its own, one that a read of its own observed, and one that what it synchronised with ([`thread`],
//! [`release`]) wrote or observed. Of the others the seed chooses. A store, too, may go before writes that its thread does
//! not know of, but not between the read and the write of an atomic operation that is morally strong with it.
//!
//! That is sound: `rf`, `fr` and `co` never go against causality, since causality orders what is known; morally strong
//! accesses of one place never go back in coherence order; and `fence.sc` are in the order of their execution. It leaves
//! out executions in which a read sees a write that its own thread makes possible later (load buffering).
//!
//! A [`Session`] is for one launch, a [`Weak`] for the blocks of a cluster. What is about global memory is in a hub that
//! the group holds which runs. Whatever bypasses this (copies, matrix instructions, barrier objects) is strong: all
//! threads know of it at once.

mod engine;
mod history;
mod know;
mod release;
mod session;
mod thread;

pub(crate) use engine::{Access, Weak};
pub(crate) use session::Session;
