//! Who wants to know what happens on the way.

use std::fmt;

/// Is told what happens while a function of the library works. Every method does nothing unless it is written.
pub trait Observer {
    /// Whether passes are watched. Where they are not, the kernels of a module may be assembled on several threads.
    fn watches_passes(&self) -> bool {
        true
    }

    /// A pass is over. `code` prints what it left, which takes time only if it is printed.
    fn after(&mut self, pass: &'static str, code: &dyn fmt::Display) {
        let _ = (pass, code);
    }

    /// A kernel was assembled from PTX, and uses so much.
    #[cfg(feature = "sass")]
    fn used(&mut self, usage: &warpc_ptx_to_sass::Usage) {
        let _ = usage;
    }

    /// A launch begins on the emulator.
    #[cfg(feature = "sim")]
    fn running(&mut self, progress: std::sync::Arc<warpc_sim::Progress>) {
        let _ = progress;
    }

    /// A launch is over, well or not.
    fn stopped(&mut self) {}

    /// What a launch did, place by place, well or not, if that was asked for.
    #[cfg(feature = "sim")]
    fn traced(&mut self, trace: &warpc_sim::trace::Trace) {
        let _ = trace;
    }

    /// A launch failed after it had printed this.
    fn printed(&mut self, text: &[u8]) {
        let _ = text;
    }
}

/// Nobody.
impl Observer for () {
    fn watches_passes(&self) -> bool {
        false
    }
}

/// A module of LLVM IR as text.
pub(crate) struct Printed<'m>(pub(crate) &'m warpc_nvvm::Module);

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&warpc_nvvm::print(self.0))
    }
}
