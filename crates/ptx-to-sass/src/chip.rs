//! What every family needs to know of a chip: how it says things.

use warpc_model::Scope;
use warpc_target::{Chips, Sm};

/// A chip, asked for its spellings.
#[derive(Clone, Copy)]
pub(crate) struct Chip(pub Sm);

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
    pub fn open(self) -> &'static [&'static str] {
        match self.0.number() {
            100.. => &["BSSY.RECONVERGENT B0, `(x)"],
            80.. => &["BSSY B0, `(x)"],
            _ => &["BMOV.32.CLEAR", "BSSY B0, `(x)"],
        }
    }

    /// Ends such a region.
    pub fn close(self) -> &'static str {
        if self.since(100) {
            "BSYNC.RECONVERGENT B0"
        } else {
            "BSYNC B0"
        }
    }

    /// The opcodes of [`Chip::open`], for a branch around.
    pub fn open_names(self) -> String {
        let names = self.open().iter().map(|text| name(text));
        names.collect::<Vec<_>>().join(" ")
    }

    /// The opcode of [`Chip::close`].
    pub fn close_name(self) -> &'static str {
        name(self.close())
    }

    /// Whether operands are wired on the chip: where global memory has descriptors.
    pub fn is_wired(self) -> bool {
        Chips::AtLeast(80).contains(self.0)
    }

    /// Whether there are integer operations on 64 bits.
    pub fn has_wide_integers(self) -> bool {
        self.since(120)
    }

    /// The smaller or larger one of two integers.
    pub fn min_max(self) -> &'static str {
        match self.0.number() {
            101 | 110 => "IMNMX",
            90.. => "VIMNMX",
            _ => "IMNMX",
        }
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

/// The name of an example without its operands.
fn name(text: &'static str) -> &'static str {
    text.split(' ').next().unwrap_or(text)
}

/// The scope's name in `MEMBAR`.
pub(crate) fn membar_scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Thread | Scope::Cta => "CTA",
        Scope::Cluster | Scope::Gpu => "GPU",
        Scope::Sys => "SYS",
    }
}
