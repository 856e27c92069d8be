//! Where a memory instruction goes: what stands in its brackets.

use crate::code::{Code, address, ptx};
use crate::wired::{File, Operand};
use warpc_model::StateSpace;

/// What stands in the brackets of a memory instruction.
#[derive(Clone, Copy)]
pub(crate) struct Location {
    space: StateSpace,
    /// The registers of the address.
    base: Operand,
    /// The descriptor; nothing for accesses that have none.
    descriptor: Option<Operand>,
}

/// Whether a space is the shared memory of the block, whose addresses have 32 bits.
pub(crate) fn is_own(space: StateSpace) -> bool {
    matches!(space, StateSpace::Shared | StateSpace::SharedCta)
}

/// A cache policy, which takes the place of the descriptor. It is only a hint: all threads get that of one.
pub(crate) fn policy(code: &mut Code) -> Operand {
    let uniform = Operand::from(code.temporary(File::Uniform, 2));
    for half in [0, 1] {
        let from = ptx("cache_policy").register(half);
        code.step("R2UR UR0, R0", &[uniform.register(half), from]);
    }
    uniform
}

impl Location {
    /// The address `a` in a space, where a cache policy may be given: it takes the place of the descriptor.
    pub fn new(code: &mut Code, space: StateSpace, policy: bool) -> Location {
        let mut base = address("a");
        if space == StateSpace::SharedCluster {
            // It becomes a generic address.
            let whole = Operand::from(code.registers(2));
            code.step("S2R R0, SR_SWINHI", &[whole.register(1)]);
            code.copy(whole.register(0), ptx("a"));
            base = whole;
        }
        let plain = is_own(space) || space == StateSpace::SharedCluster;
        let mut descriptor = (!plain).then_some(Operand::Descriptor);
        if policy {
            descriptor = Some(self::policy(code));
        }
        Location {
            space,
            base,
            descriptor,
        }
    }

    /// The same without a descriptor.
    pub fn plain(self) -> Location {
        Location {
            descriptor: None,
            ..self
        }
    }

    /// Another address in the same space.
    pub fn at(self, base: Operand) -> Location {
        Location { base, ..self }
    }

    /// The value of the address: its low and its high register.
    pub fn registers(self) -> (Operand, Operand) {
        match self.base {
            Operand::Base(name) if is_own(self.space) => (ptx(name), ptx(name)),
            Operand::Base(name) => (ptx(name).register(0), ptx(name).register(1)),
            base => (base.register(0), base.register(1)),
        }
    }

    /// The example of the brackets.
    pub fn text(self) -> &'static str {
        match self.descriptor {
            Some(_) => "desc[UR0][R0.64]",
            None => "[R0]",
        }
    }

    /// The operands in the brackets, with others around them.
    pub fn operands(self, before: &[Operand], after: &[Operand]) -> Vec<Operand> {
        let own = self.descriptor.into_iter().chain([self.base]);
        let around = before.iter().copied().chain(own);
        around.chain(after.iter().copied()).collect()
    }
}
