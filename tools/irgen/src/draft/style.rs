//! What a program is made of. Each leaves some things out, so that the others meet more often and
//! a fault in one hides fewer of the rest.

use crate::ty::Ty;
use warpc_testkit::Random;

/// What a program may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Integers whose width is not a power of two, or less than 8.
    odd: bool,
    /// Integers of more than 64 bits.
    wide: bool,
    pub vectors: bool,
    pub aggregates: bool,
    /// `half` and `bfloat`.
    halves: bool,
    pub floats: bool,
    /// Functions beside the kernel.
    pub calls: bool,
    /// Branches and loops.
    pub control: bool,
    /// Intrinsics on integers.
    pub bits: bool,
    /// Memory of functions, copies, atomics.
    pub memory: bool,
}

impl Style {
    pub(super) fn new(random: &mut Random) -> Style {
        let mut often = |percent| random.chance(percent);
        Style {
            odd: often(50),
            wide: often(40),
            vectors: often(55),
            aggregates: often(55),
            halves: often(50),
            floats: often(65),
            calls: often(50),
            control: often(75),
            bits: often(70),
            memory: often(70),
        }
    }

    /// Whether a type may be used.
    pub(super) fn allows(self, ty: &Ty) -> bool {
        if ty.is_aggregate() {
            return self.aggregates && ty.members().iter().all(|member| self.allows(member));
        }
        if matches!(ty, Ty::Vector(..)) && !self.vectors {
            return false;
        }
        match (ty.int_bits(), ty.float()) {
            (Some(1 | 8 | 16 | 32 | 64), _) => true,
            (Some(bits), _) if bits > 64 => self.wide && (self.odd || bits == 128),
            (Some(_), _) => self.odd,
            (_, Some(float)) => self.floats && (self.halves || float.bits() > 16),
            _ => true,
        }
    }
}
