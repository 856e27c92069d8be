//! What orders the unit of tensor memory with the threads: the fences and waits of `tcgen05`.

use crate::code::Code;
use crate::source::Source;
use warpc_target::Variant;

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tensor {
    /// `tcgen05.fence::before_thread_sync`, `tcgen05.fence::after_thread_sync`
    Fence,
    /// `tcgen05.wait::ld`
    WaitLoads,
    /// `tcgen05.wait::st`
    WaitStores,
}

pub(crate) fn read(source: &mut Source) -> Option<Tensor> {
    let found = source.take_by(|word| {
        Some(match word {
            "fence::before_thread_sync" | "fence::after_thread_sync" => Tensor::Fence,
            "wait::ld" => Tensor::WaitLoads,
            "wait::st" => Tensor::WaitStores,
            _ => return None,
        })
    })?;
    let together = source.take("sync") && source.take("aligned");
    (together != (found == Tensor::Fence)).then_some(found)
}

impl Tensor {
    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        let sm = code.chip.0;
        if !(100..120).contains(&sm.number()) || sm.variant() == Variant::Plain {
            return None;
        }
        code.put(match self {
            // Nothing is moved across a NOP; the scoreboards do the rest.
            Tensor::Fence | Tensor::WaitLoads => "NOP",
            Tensor::WaitStores => "FENCE.VIEW.ASYNC.T",
        });
        Some(())
    }
}
