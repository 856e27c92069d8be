//! State spaces: where an address lies, in PTX's words and in LLVM's numbers.
//!
//! ```text
//!   Generic ⊃ Global, Const, Local, SharedCluster ⊃ SharedCta = Shared, ParamEntry
//!   Param   ⊃ ParamEntry, ParamFunc
//! ```
//!
//! LLVM's numbers are those of its public header `NVPTXAddrSpace.h` (LLVM 22 and 23). Address widths
//! were asked of ptxas 13.4 in a module of 64-bit addresses: it takes 32-bit registers as addresses
//! of shared, local and constant memory, and refuses them for global and generic ones.

use warpc_target::{Gate, PtxVersion, at_least};

/// A state space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StateSpace {
    /// No space said: the address itself tells.
    Generic,
    /// Registers.
    Reg,
    /// Special registers.
    Sreg,
    /// Constant memory.
    Const,
    /// Global memory.
    Global,
    /// Per-thread memory.
    Local,
    /// Parameters; of the kernel in a kernel, of the function in a function.
    Param,
    /// Kernel parameters.
    ParamEntry,
    /// Function parameters and results.
    ParamFunc,
    /// Shared memory of the block, spelled without its block.
    Shared,
    /// Shared memory of the executing block.
    SharedCta,
    /// Shared memory of any block of the cluster.
    SharedCluster,
    /// Textures, as a space long replaced by `.texref`.
    Tex,
    /// Tensor memory. PTX has no word for it: only `tcgen05` instructions address it.
    Tensor,
}

use StateSpace::*;

/// One space's spellings and widths.
struct Row {
    space: StateSpace,
    ptx: Option<&'static str>,
    llvm: Option<u32>,
    /// Widths in bits that an address register may have where addresses are 64 bits wide.
    address_bits: &'static [u8],
}

#[rustfmt::skip]
static ROWS: [Row; 14] = [
    Row { space: Generic,       ptx: None,                    llvm: Some(0),   address_bits: &[64] },
    Row { space: Reg,           ptx: Some("reg"),             llvm: None,      address_bits: &[] },
    Row { space: Sreg,          ptx: Some("sreg"),            llvm: None,      address_bits: &[] },
    Row { space: Const,         ptx: Some("const"),           llvm: Some(4),   address_bits: &[32, 64] },
    Row { space: Global,        ptx: Some("global"),          llvm: Some(1),   address_bits: &[64] },
    Row { space: Local,         ptx: Some("local"),           llvm: Some(5),   address_bits: &[32, 64] },
    Row { space: Param,         ptx: Some("param"),           llvm: Some(101), address_bits: &[32, 64] },
    Row { space: ParamEntry,    ptx: Some("param::entry"),    llvm: None,      address_bits: &[32, 64] },
    Row { space: ParamFunc,     ptx: Some("param::func"),     llvm: None,      address_bits: &[32, 64] },
    Row { space: Shared,        ptx: Some("shared"),          llvm: Some(3),   address_bits: &[32, 64] },
    Row { space: SharedCta,     ptx: Some("shared::cta"),     llvm: None,      address_bits: &[32, 64] },
    Row { space: SharedCluster, ptx: Some("shared::cluster"), llvm: Some(7),   address_bits: &[32, 64] },
    Row { space: Tex,           ptx: Some("tex"),             llvm: None,      address_bits: &[] },
    Row { space: Tensor,        ptx: None,                    llvm: Some(6),   address_bits: &[32] },
];

impl StateSpace {
    /// Every space.
    pub fn all() -> impl Iterator<Item = StateSpace> {
        ROWS.iter().map(|row| row.space)
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The space of a PTX word, without the dot.
    ///
    /// ```
    /// use warpc_model::StateSpace;
    /// assert_eq!(StateSpace::from_ptx("shared::cta"), Some(StateSpace::SharedCta));
    /// assert_eq!(StateSpace::from_ptx("generic"), None);
    /// ```
    pub fn from_ptx(token: &str) -> Option<StateSpace> {
        let row = ROWS.iter().find(|row| row.ptx == Some(token))?;
        Some(row.space)
    }

    /// The PTX word, without the dot; `None` for the generic space, which is written by leaving it
    /// out, and for tensor memory.
    pub fn ptx(self) -> Option<&'static str> {
        self.row().ptx
    }

    /// The space with an LLVM address-space number.
    pub fn from_llvm(number: u32) -> Option<StateSpace> {
        let row = ROWS.iter().find(|row| row.llvm == Some(number))?;
        Some(row.space)
    }

    /// LLVM's address-space number. Spellings of one space share it.
    pub fn llvm(self) -> Option<u32> {
        match self {
            SharedCta => Shared.llvm(),
            ParamEntry | ParamFunc => Param.llvm(),
            _ => self.row().llvm,
        }
    }

    /// The widths that an address register may have; empty where there are no addresses.
    pub fn address_bits(self) -> &'static [u8] {
        self.row().address_bits
    }

    /// Whether every address of `inner` is one of this space.
    ///
    /// ```
    /// use warpc_model::StateSpace::*;
    /// assert!(SharedCluster.contains(Shared));
    /// assert!(!Shared.contains(SharedCluster));
    /// assert!(Generic.contains(Global));
    /// ```
    pub fn contains(self, inner: StateSpace) -> bool {
        if self == inner {
            return true;
        }
        match self {
            Generic => inner.is_shared() || matches!(inner, Global | Const | Local | ParamEntry),
            Shared | SharedCta => matches!(inner, Shared | SharedCta),
            SharedCluster => inner.is_shared(),
            Param => matches!(inner, ParamEntry | ParamFunc),
            _ => false,
        }
    }

    /// What the spelling needs: the words with `::` are younger than the spaces.
    pub fn gate(self) -> Gate {
        const SINCE_78: Gate = Gate(&[at_least(60, PtxVersion::new(7, 8))]);
        const SINCE_83: Gate = Gate(&[at_least(60, PtxVersion::new(8, 3))]);
        const CLUSTER: Gate = Gate(&[at_least(90, PtxVersion::new(7, 8))]);
        match self {
            SharedCta => SINCE_78,
            SharedCluster => CLUSTER,
            ParamEntry | ParamFunc => SINCE_83,
            _ => Gate::ALWAYS,
        }
    }

    /// Shared memory, of the block or of the cluster.
    pub fn is_shared(self) -> bool {
        matches!(self, Shared | SharedCta | SharedCluster)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_space() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.space as usize, i);
        }
    }

    #[test]
    fn words_and_numbers_both_ways() {
        for space in StateSpace::all() {
            if let Some(token) = space.ptx() {
                assert_eq!(StateSpace::from_ptx(token), Some(space));
            }
            if let Some(number) = space.llvm() {
                let back = StateSpace::from_llvm(number).unwrap();
                assert!(back.contains(space), "{space:?} read back as {back:?}");
            }
        }
        let numbers = [0, 1, 3, 4, 5, 6, 7, 101].map(|n| StateSpace::from_llvm(n).unwrap());
        assert_eq!(
            numbers,
            [
                Generic,
                Global,
                Shared,
                Const,
                Local,
                Tensor,
                SharedCluster,
                Param
            ]
        );
        assert_eq!(StateSpace::from_llvm(2), None);
    }

    #[test]
    fn containment_is_an_order() {
        for a in StateSpace::all() {
            for b in StateSpace::all() {
                for c in StateSpace::all() {
                    assert!(!(a.contains(b) && b.contains(c)) || a.contains(c));
                }
                let same = a == b || [a, b].iter().all(|s| matches!(s, Shared | SharedCta));
                assert_eq!(a.contains(b) && b.contains(a), same, "{a:?} {b:?}");
            }
        }
    }
}
