//! Kernels that were damaged on purpose: the suite must see it, or it sees nothing.

use super::hand::{Hand, KERNELS};

/// A change of a kernel's text that makes it wrong.
#[derive(Clone, Copy)]
pub struct Damage {
    /// The kernel.
    pub kernel: &'static str,
    /// What is wrong then.
    pub what: &'static str,
    /// What is replaced; it occurs once.
    pub from: &'static str,
    /// What stands there instead.
    pub to: &'static str,
}

/// All changes.
#[rustfmt::skip]
pub static DAMAGES: &[Damage] = &[
    Damage {
        kernel: "vector_add",
        what: "another operation",
        from: "FADD R8, R8, R9",
        to: "FMUL R8, R8, R9",
    },
    Damage {
        kernel: "vector_add",
        what: "the sum does not wait for the loads",
        from: "[B0-----:R-:W-:Y:S06] FADD",
        to: "[B------:R-:W-:Y:S06] FADD",
    },
    Damage {
        kernel: "polynomial",
        what: "a product is used before it is there",
        from: "[B------:R-:W-:Y:S10] DFMA R8, R8, R6, 3",
        to: "[B------:R-:W-:-:S01] DFMA R8, R8, R6, 3",
    },
    Damage {
        kernel: "reduce",
        what: "one level of the tree is left out",
        from: "MOV R10, 0x80",
        to: "MOV R10, 0x40",
    },
    Damage {
        kernel: "mbarrier",
        what: "an arrival is missing: it hangs",
        from: "UMOV UR10, 0xfff80",
        to: "UMOV UR10, 0xfff7f",
    },
    Damage {
        kernel: "scan",
        what: "an address that is none",
        from: "IMAD.WIDE.U32 R4, R0, 0x4, R4",
        to: "IMAD.WIDE.U32 R4, R0, 0x4, RZ",
    },
];

impl Damage {
    /// The kernel, whole.
    pub fn hand(&self) -> Option<&'static Hand> {
        KERNELS.iter().find(|hand| hand.name == self.kernel)
    }

    /// The damaged text; nothing if the change does not fit the kernel.
    pub fn text(&self) -> Option<String> {
        let text = self.hand()?.text;
        (text.matches(self.from).count() == 1).then(|| text.replace(self.from, self.to))
    }
}
