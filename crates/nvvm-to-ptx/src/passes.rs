//! The passes from lowered IR to PTX, in order. Each makes or changes the code of one function.
//!
//! ```text
//!   select ─► Code ─ ON_CODE ─► assemble ─► Draft ─ ON_BODIES ─► the body of a PTX function
//! ```

use crate::assemble::{self, Draft};
use crate::code::Code;
use crate::unit::{Refused, Unit};
use crate::{function, hoist_moves, legalize_atomics, merge_fences};
use warpc_nvvm::module::GlobalId;

/// A pass: its name, which is that of its file and of `--print-after`, and what it does.
pub(crate) struct Pass<F> {
    pub(crate) name: &'static str,
    pub(crate) run: F,
}

type Select = fn(&mut Unit, GlobalId, usize) -> Result<Code, Refused>;
type OnCode = fn(&mut Unit, &mut Code) -> Result<(), Refused>;
type Assemble = fn(&mut Unit, Code) -> Draft;
type OnBody = fn(&mut Unit, &mut Draft) -> Result<(), Refused>;

/// Instructions of PTX for those of the IR.
pub(crate) const SELECT: Pass<Select> = Pass {
    name: "select",
    run: function::select,
};

/// Passes over code whose registers have no numbers and whose jumps are not written yet.
pub(crate) const ON_CODE: &[Pass<OnCode>] = &[Pass {
    name: "hoist_moves",
    run: hoist_moves::run,
}];

/// Names of registers and labels, declarations, jumps.
pub(crate) const ASSEMBLE: Pass<Assemble> = Pass {
    name: "assemble",
    run: assemble::run,
};

/// Passes over statements of PTX, inline PTX included.
pub(crate) const ON_BODIES: &[Pass<OnBody>] = &[
    Pass {
        name: "legalize_atomics",
        run: legalize_atomics::run,
    },
    // After it: the fences that it writes may make others needless.
    Pass {
        name: "merge_fences",
        run: merge_fences::run,
    },
];

/// The names of all passes, in the order in which they run.
pub fn names() -> impl Iterator<Item = &'static str> {
    let on_code = ON_CODE.iter().map(|pass| pass.name);
    let on_bodies = ON_BODIES.iter().map(|pass| pass.name);
    std::iter::once(SELECT.name)
        .chain(on_code)
        .chain(std::iter::once(ASSEMBLE.name))
        .chain(on_bodies)
}
