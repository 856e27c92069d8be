//! Scopes: which threads observe an order.
//!
//! ```text
//!   Thread ⊂ Cta ⊂ Cluster ⊂ Gpu ⊂ Sys
//! ```

use crate::Mapping;
use std::fmt;
use warpc_target::{Gate, PtxVersion, Sm, at_least};

/// A scope, narrowest first; `<` is inclusion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// The thread itself. PTX has no such scope: accesses print `.cta`.
    Thread,
    /// The thread block.
    Cta,
    /// The cluster of thread blocks.
    Cluster,
    /// The device.
    Gpu,
    /// Every thread of the system, host and other devices included.
    Sys,
}

use Scope::{Cluster, Cta, Gpu, Sys, Thread};

/// One scope's names; its EDG number is its place.
struct Row {
    scope: Scope,
    llvm: &'static str,
    ptx: &'static str,
    membar: &'static str,
}

#[rustfmt::skip]
static ROWS: [Row; 5] = [
    Row { scope: Thread,  llvm: "singlethread", ptx: "cta",     membar: "cta" },
    Row { scope: Cta,     llvm: "block",        ptx: "cta",     membar: "cta" },
    Row { scope: Cluster, llvm: "cluster",      ptx: "cluster", membar: "gl" },
    Row { scope: Gpu,     llvm: "device",       ptx: "gpu",     membar: "gl" },
    // LLVM's default scope; a scope named "system" does not exist.
    Row { scope: Sys,     llvm: "",             ptx: "sys",     membar: "sys" },
];

/// No scope has this number or name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownScope(pub String);

impl UnknownScope {
    /// The reference's number for it, where the number came from a C++ program.
    pub const CODE: &'static str = "NV3747";
}

impl fmt::Display for UnknownScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a synchronisation scope", self.0)
    }
}

impl std::error::Error for UnknownScope {}

fn find(text: impl fmt::Display, matches: impl Fn(&Row) -> bool) -> Result<Scope, UnknownScope> {
    let row = ROWS.iter().find(|row| matches(row));
    row.map(|row| row.scope)
        .ok_or_else(|| UnknownScope(text.to_string()))
}

impl Scope {
    /// Every scope, narrowest first.
    pub fn all() -> impl Iterator<Item = Scope> {
        ROWS.iter().map(|row| row.scope)
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The scope with an EDG number, as `__nv_atomic_*` builtins take it (0 thread to 4 system).
    pub fn from_edg(number: u64) -> Result<Scope, UnknownScope> {
        let row = usize::try_from(number).ok().and_then(|n| ROWS.get(n));
        row.map(|row| row.scope)
            .ok_or_else(|| UnknownScope(number.to_string()))
    }

    /// The EDG number.
    pub fn edg(self) -> u8 {
        self as u8
    }

    /// The scope with an LLVM `syncscope` name; the empty one is the default, system.
    ///
    /// ```
    /// use warpc_model::Scope;
    /// assert_eq!(Scope::from_llvm("block"), Ok(Scope::Cta));
    /// assert_eq!(Scope::from_llvm(""), Ok(Scope::Sys));
    /// assert!(Scope::from_llvm("system").is_err());
    /// ```
    pub fn from_llvm(name: &str) -> Result<Scope, UnknownScope> {
        find(name, |row| row.llvm == name)
    }

    /// The LLVM `syncscope` name; empty for system, which is written without one.
    pub fn llvm(self) -> &'static str {
        self.row().llvm
    }

    /// The scope of a PTX modifier of `atom`, `red`, `ld`, `st` or `fence`.
    pub fn from_ptx(token: &str) -> Result<Scope, UnknownScope> {
        find(token, |row| row.scope != Thread && row.ptx == token)
    }

    /// The PTX modifier of `atom`, `red`, `ld`, `st` and `fence`.
    pub fn ptx(self) -> &'static str {
        self.row().ptx
    }

    /// The scope of a `membar` level: `cta`, `gl` or `sys`.
    pub fn from_membar(level: &str) -> Result<Scope, UnknownScope> {
        find(level, |row| {
            matches!(row.scope, Cta | Gpu | Sys) && row.membar == level
        })
    }

    /// The `membar` level; a cluster needs `gl`.
    pub fn membar(self) -> &'static str {
        self.row().membar
    }

    /// The scope to use on a target: one that the target lacks is widened, never narrowed.
    ///
    /// ```
    /// use warpc_model::Scope;
    /// assert_eq!(Scope::Cluster.on("sm_80".parse().unwrap()), Scope::Gpu);
    /// assert_eq!(Scope::Cluster.on("sm_90".parse().unwrap()), Scope::Cluster);
    /// ```
    pub fn on(self, sm: Sm) -> Scope {
        Mapping::SOUND.scope(self, sm)
    }

    /// What the PTX modifier needs.
    pub fn gate(self) -> Gate {
        const CLUSTER: Gate = Gate(&[at_least(90, PtxVersion::new(7, 8))]);
        match self {
            Cluster => CLUSTER,
            Thread | Cta | Gpu | Sys => Gate::ALWAYS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_scope() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.scope as usize, i);
        }
    }

    #[test]
    fn numbers_and_names_both_ways() {
        for scope in Scope::all() {
            assert_eq!(Scope::from_edg(scope.edg().into()), Ok(scope));
            assert_eq!(Scope::from_llvm(scope.llvm()), Ok(scope));
            assert!(Scope::from_ptx(scope.ptx()).unwrap() >= scope);
            assert!(Scope::from_membar(scope.membar()).unwrap() >= scope);
        }
        assert_eq!(Scope::from_ptx("cta"), Ok(Cta));
        assert_eq!(Scope::from_membar("gl"), Ok(Gpu));
        assert!(Scope::from_edg(5).is_err());
        assert!(Scope::from_edg(u64::MAX).is_err());
        for bad in ["gl", "gpu"] {
            let (ptx, membar) = (Scope::from_ptx(bad), Scope::from_membar(bad));
            assert!(ptx.is_err() != membar.is_err(), "{bad}");
        }
        assert!(Scope::from_membar("cluster").is_err());
        assert!(Scope::from_ptx("cta::cluster").is_err());
    }

    #[test]
    fn widening_never_narrows() {
        for sm in Sm::all() {
            for scope in Scope::all() {
                assert!(scope.on(sm) >= scope);
                assert!(scope.on(sm).gate().required_version(sm).is_some());
            }
        }
    }
}
