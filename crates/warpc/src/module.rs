//! What the functions of the library give: modules that print themselves.

use std::fmt;
use std::sync::Arc;
use warpc_diag::SourceFile;

/// A module of PTX that was checked.
#[derive(Clone, Debug)]
pub struct Ptx {
    /// The module.
    pub module: warpc_ptx::Module,
}

/// The canonical text.
impl fmt::Display for Ptx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&warpc_ptx::print(&self.module))
    }
}

/// A module of LLVM IR that was checked.
#[derive(Debug)]
pub struct Llvm {
    /// The module.
    pub module: warpc_nvvm::Module,
    /// The text that its places are in; none if it was linked from several.
    pub(crate) file: Option<Arc<SourceFile>>,
}

/// The text in the form of LLVM 22.
impl fmt::Display for Llvm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&warpc_nvvm::print(&self.module))
    }
}

/// An input that [`check`](crate::check()) found nothing wrong with.
#[derive(Debug)]
#[non_exhaustive]
pub enum Checked {
    /// PTX.
    Ptx(Ptx),
    /// LLVM IR, or MLIR as LLVM IR.
    Llvm(Box<Llvm>),
    /// Machine code.
    #[cfg(feature = "sass")]
    Cubin(warpc_cubin::Cubin),
    /// A fatbin: its entries were unpacked and checked.
    #[cfg(feature = "sass")]
    Fatbin,
}
