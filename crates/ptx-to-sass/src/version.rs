//! A version of a kernel: what passes are asked to do otherwise than usual.
//!
//! Code is right with every version; they differ in what the cost model may find faster (`crate::tune`).

use crate::passes;

/// What passes are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Version {
    /// How loops are unrolled.
    pub(crate) unrolling: Unrolling,
    /// How long sides of branches may be that become guarded instructions.
    pub(crate) sides: Sides,
    /// What fewer registers may cost.
    pub(crate) order: Order,
    /// The most registers of a thread, if they are fewer than a kernel may have.
    pub(crate) registers: Option<u8>,
    /// Registers that pairs leave empty between values, for which the order leaves room.
    pub(crate) gaps: u8,
    /// Passes that are left out, as bits by their place in [`passes::optional`].
    pub(crate) without: u64,
}

impl Version {
    /// The same without a pass that may be left out; nothing if there is no such pass.
    pub(crate) fn without(self, pass: &str) -> Option<Version> {
        let place = passes::optional().position(|known| known == pass)?;
        let bit = 1u64.checked_shl(place as u32)?;
        Some(Version {
            without: self.without | bit,
            ..self
        })
    }

    /// Whether a pass is run.
    pub(crate) fn runs(&self, pass: &str) -> bool {
        let mut left_out = passes::optional().enumerate();
        self.without == 0
            || !left_out.any(|(place, known)| known == pass && self.without >> place & 1 == 1)
    }
}

/// How loops are unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unrolling {
    /// How many copies there are of a loop that stays, the first number that fits.
    pub(crate) copies: &'static [u32],
    /// The most instructions of the copies of a loop that stays.
    pub(crate) part: u32,
    /// The most instructions of all copies of a loop that goes away.
    pub(crate) whole: u32,
}

impl Unrolling {
    /// No loop is unrolled.
    pub(crate) const NEVER: Unrolling = Unrolling {
        copies: &[],
        part: 0,
        whole: 0,
    };
    /// Two copies at most.
    pub(crate) const TWO: Unrolling = Unrolling {
        copies: &[2],
        part: 128,
        whole: 192,
    };
    /// Longer loops, too.
    pub(crate) const LONG: Unrolling = Unrolling {
        copies: &[4, 2],
        part: 320,
        whole: 1536,
    };
    /// Up to eight copies.
    pub(crate) const EIGHT: Unrolling = Unrolling {
        copies: &[8, 4, 2],
        part: 320,
        whole: 1536,
    };
}

impl Default for Unrolling {
    fn default() -> Unrolling {
        Unrolling {
            copies: &[4, 2],
            part: 64,
            whole: 1024,
        }
    }
}

/// What sides of branches may cost that become guarded instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sides {
    /// One side.
    pub(crate) longest: u32,
    /// Both of two.
    pub(crate) both: u32,
    /// One that ends in a branch.
    pub(crate) before_branch: u32,
    /// What a store, or an atomic operation, costs more than other instructions: it is for lanes of other warps rather, which can
    /// go around it.
    pub(crate) store: u32,
}

impl Sides {
    /// Twice as long ones.
    pub(crate) const LONG: Sides = Sides {
        longest: 64,
        both: 80,
        before_branch: 20,
        store: 0,
    };
}

impl Default for Sides {
    fn default() -> Sides {
        Sides {
            longest: 32,
            both: 40,
            before_branch: 10,
            store: 12,
        }
    }
}

/// How the order of instructions is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Order {
    /// What is fastest with as many warps as their registers leave room for.
    #[default]
    Balanced,
    /// As many registers as make a warp by itself fastest.
    Fast,
    /// As few registers as there can be.
    Few,
}
