//! What orders the matrix units with the threads: the fences, groups and waits of `wgmma` and `tcgen05`.

use super::opcode::Code;
use super::read::Words;
use warpc_target::Variant;

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matrix {
    /// `wgmma.fence`
    Fence,
    /// `wgmma.commit_group`
    Commit,
    /// `wgmma.wait_group`
    Wait,
    /// `tcgen05.fence::before_thread_sync`, `tcgen05.fence::after_thread_sync`
    TensorFence,
    /// `tcgen05.wait::ld`
    WaitLoads,
    /// `tcgen05.wait::st`
    WaitStores,
}

pub(super) fn read(words: &mut Words) -> Option<Matrix> {
    let tensor = words.name() == "tcgen05";
    let matrix = words.take_by(|word| {
        Some(match (tensor, word) {
            (false, "fence") => Matrix::Fence,
            (false, "commit_group") => Matrix::Commit,
            (false, "wait_group") => Matrix::Wait,
            (true, "fence::before_thread_sync" | "fence::after_thread_sync") => Matrix::TensorFence,
            (true, "wait::ld") => Matrix::WaitLoads,
            (true, "wait::st") => Matrix::WaitStores,
            _ => return None,
        })
    })?;
    let together = words.take("sync") && words.take("aligned");
    (together != (matrix == Matrix::TensorFence)).then_some(matrix)
}

impl Matrix {
    pub(super) fn emit(&self, code: &mut Code) -> Option<()> {
        let sm = code.chip.0;
        let warp_group = matches!(self, Matrix::Fence | Matrix::Commit | Matrix::Wait);
        let exists = match warp_group {
            true => sm.number() == 90 && sm.variant() == Variant::Arch,
            false => (100..120).contains(&sm.number()) && sm.variant() != Variant::Plain,
        };
        if !exists {
            return None;
        }
        code.put(match self {
            Matrix::Fence => "WARPGROUP.ARRIVE",
            // The last product of a group names its scoreboard; an empty group is a product of nothing.
            Matrix::Commit => "HGMMA.64x8x16.F16",
            Matrix::Wait => "WARPGROUP.DEPBAR.LE",
            // Nothing is moved across a NOP; the scoreboards do the rest.
            Matrix::TensorFence | Matrix::WaitLoads => "NOP",
            Matrix::WaitStores => "FENCE.VIEW.ASYNC.T",
        });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use crate::vocabulary::{Context, Form};

    /// As ptxas 13.4 was seen to emit them, each between stores.
    #[test]
    fn seen() {
        for (sm, form, emitted) in [
            ("sm_90a", "wgmma.fence.sync.aligned;", "WARPGROUP.ARRIVE"),
            (
                "sm_90a",
                "wgmma.commit_group.sync.aligned;",
                "HGMMA.64x8x16.F16",
            ),
            (
                "sm_90a",
                "wgmma.wait_group.sync.aligned 0;",
                "WARPGROUP.DEPBAR.LE",
            ),
            ("sm_100a", "tcgen05.fence::before_thread_sync;", "NOP"),
            ("sm_100a", "tcgen05.fence::after_thread_sync;", "NOP"),
            ("sm_100a", "tcgen05.wait::ld.sync.aligned;", "NOP"),
            (
                "sm_100a",
                "tcgen05.wait::st.sync.aligned;",
                "FENCE.VIEW.ASYNC.T",
            ),
        ] {
            let form = Form::read(form).expect("a form");
            let sm = sm.parse().expect("a chip");
            let code = form.sequence(Context::Straight, sm).expect("on the chip");
            assert_eq!(code.to_string(), emitted);
            assert!(
                form.sequence(Context::Straight, "sm_90".parse().expect("a chip"))
                    .is_err()
            );
        }
    }
}
