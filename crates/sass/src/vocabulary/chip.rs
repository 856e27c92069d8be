//! What every family needs to know of a chip: how it says things.

use warpc_model::Scope;
use warpc_target::Sm;

/// A chip, asked for its spellings.
#[derive(Clone, Copy)]
pub(super) struct Chip(pub Sm);

impl Chip {
    /// Whether the chip's number is this or a later one.
    pub fn since(self, number: u16) -> bool {
        self.0.number() >= number
    }

    /// The end of the name of a weak access: until sm_75 it names the widest scope.
    pub fn weak(self) -> &'static str {
        if self.since(80) { "" } else { ".SYS" }
    }

    /// The end of the name of a strong access.
    pub fn strong(self, scope: Scope) -> &'static str {
        match scope {
            Scope::Thread | Scope::Cta if self.since(80) => ".STRONG.SM",
            Scope::Thread | Scope::Cta => ".STRONG.CTA",
            Scope::Cluster | Scope::Gpu => ".STRONG.GPU",
            Scope::Sys => ".STRONG.SYS",
        }
    }

    /// A load from shared memory.
    pub fn load_shared(self) -> &'static str {
        if self.since(80) { "LDS" } else { "LDS.U" }
    }

    /// Opens a region of a convergence barrier.
    pub fn open(self) -> &'static str {
        match self.0.number() {
            100.. => "BSSY.RECONVERGENT",
            80.. => "BSSY",
            _ => "BMOV.32.CLEAR BSSY",
        }
    }

    /// Ends such a region.
    pub fn close(self) -> &'static str {
        if self.since(100) {
            "BSYNC.RECONVERGENT"
        } else {
            "BSYNC"
        }
    }

    /// What makes earlier accesses seen by a scope. The barrier proper is followed by a wait for its errors, and from
    /// sm_90 on by one for errors of the cluster.
    pub fn barrier(self, kind: &str, scope: Scope) -> String {
        let errors = match scope {
            Scope::Thread | Scope::Cta => "",
            _ if self.since(90) => " ERRBAR CGAERRBAR",
            _ => " ERRBAR",
        };
        format!("MEMBAR.{kind}.{}{errors}", membar_scope(scope))
    }

    /// What orders later accesses behind an acquiring one: the first-level cache forgets everything.
    pub fn acquire(self, scope: Scope) -> &'static str {
        match scope {
            Scope::Thread | Scope::Cta => "",
            _ => "CCTL.IVALL",
        }
    }

    /// Whether there are integer operations on 64 bits.
    pub fn has_wide_integers(self) -> bool {
        self.since(120)
    }

    /// An addition of 32 bits.
    pub fn add(self) -> &'static str {
        if self.has_wide_integers() {
            "IADD"
        } else {
            "IADD3"
        }
    }
}

/// The scope's name in `MEMBAR`.
pub(super) fn membar_scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Thread | Scope::Cta => "CTA",
        Scope::Cluster | Scope::Gpu => "GPU",
        Scope::Sys => "SYS",
    }
}
