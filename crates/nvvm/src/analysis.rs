//! Analyses: what passes and the verifier ask about the body of a function.
//!
//! ```text
//!   Body ──► Cfg ──► Dominators, post-dominators ──► Loops
//!        └─► Uses ──► Liveness (with Cfg)     all of them ──► Divergence
//! ```
//!
//! [`Analyses`] computes each on the first question and keeps it. Nothing is kept up to date: a pass
//! that changes the body says so ([`Analyses::code_changed`], [`Analyses::edges_changed`]) and the next
//! question computes anew. No analysis recurses, so that deep graphs do not overflow the stack.

mod cfg;
mod divergence;
mod dominators;
mod liveness;
mod loops;
mod uses;

#[cfg(test)]
mod random;

pub use cfg::Cfg;
pub use divergence::Divergence;
pub use dominators::Dominators;
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, Loops};
pub use uses::{Use, Uses};

use crate::function::Body;
use std::cell::OnceCell;

/// The analyses of one body, each computed when it is asked for first.
#[derive(Clone, Debug, Default)]
pub struct Analyses {
    cfg: OnceCell<Cfg>,
    dominators: OnceCell<Dominators>,
    post_dominators: OnceCell<Dominators>,
    loops: OnceCell<Loops>,
    uses: OnceCell<Uses>,
    liveness: OnceCell<Liveness>,
}

impl Analyses {
    /// The edges between blocks.
    pub fn cfg(&self, body: &Body) -> &Cfg {
        self.cfg.get_or_init(|| Cfg::new(body))
    }

    /// Which blocks every path from the entry to a block goes through.
    pub fn dominators(&self, body: &Body) -> &Dominators {
        self.dominators
            .get_or_init(|| Dominators::new(self.cfg(body)))
    }

    /// Which blocks every path from a block to an exit goes through.
    pub fn post_dominators(&self, body: &Body) -> &Dominators {
        self.post_dominators
            .get_or_init(|| Dominators::post(self.cfg(body)))
    }

    /// The natural loops.
    pub fn loops(&self, body: &Body) -> &Loops {
        self.loops
            .get_or_init(|| Loops::new(self.cfg(body), self.dominators(body)))
    }

    /// Who uses each local value.
    pub fn uses(&self, body: &Body) -> &Uses {
        self.uses.get_or_init(|| Uses::new(body))
    }

    /// Which local values are needed where.
    pub fn liveness(&self, body: &Body) -> &Liveness {
        self.liveness
            .get_or_init(|| Liveness::new(body, self.cfg(body), self.uses(body)))
    }

    /// Instructions have changed, blocks and the edges between them have not.
    pub fn code_changed(&mut self) {
        self.uses.take();
        self.liveness.take();
    }

    /// Blocks or edges have changed, and so perhaps everything.
    pub fn edges_changed(&mut self) {
        *self = Analyses::default();
    }
}
