//! What orders the matrix unit of a warpgroup with the threads: the fences, groups and waits of `wgmma`.

use crate::code::Code;
use crate::source::Source;
use warpc_target::Variant;

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarpGroup {
    /// `wgmma.fence`
    Fence,
    /// `wgmma.commit_group`
    Commit,
    /// `wgmma.wait_group`
    Wait,
}

pub(crate) fn read(source: &mut Source) -> Option<WarpGroup> {
    let found = source.take_by(|word| {
        Some(match word {
            "fence" => WarpGroup::Fence,
            "commit_group" => WarpGroup::Commit,
            "wait_group" => WarpGroup::Wait,
            _ => return None,
        })
    })?;
    source.take("aligned");
    source.take("sync").then_some(found)
}

impl WarpGroup {
    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        let sm = code.chip.0;
        if sm.number() != 90 || sm.variant() != Variant::Arch {
            return None;
        }
        code.put(match self {
            WarpGroup::Fence => "WARPGROUP.ARRIVE",
            // The last product of a group names its scoreboard; an empty group is a product of nothing.
            WarpGroup::Commit => "HGMMA.64x8x16.F16",
            WarpGroup::Wait => "WARPGROUP.DEPBAR.LE",
        });
        Some(())
    }
}
