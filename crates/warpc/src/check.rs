//! Reading and verifying any input.

#[cfg(feature = "sass")]
pub(crate) mod cubin;

use crate::compile::{is_for_gpu, read_llvm};
use crate::door::enter;
use crate::{Checked, Kind, Llvm, Options, Ptx, Source};
use warpc_diag::Output;

/// Reads and verifies an input of any kind. A module of LLVM IR for NVIDIA's GPUs must also keep NVVM's rules.
///
/// ```
/// use warpc::{Options, Source};
///
/// let source = Source::new("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { bra NOWHERE; }\n")?;
/// let checked = warpc::check(&source, &Options::default());
/// assert_eq!(checked.diagnostics.error_count(), 1);
/// assert!(checked.diagnostics.to_string().contains("k.ptx:4:18"));
/// # Ok::<(), warpc::SourceError>(())
/// ```
pub fn check(source: &Source, options: &Options) -> Output<Checked> {
    enter(source, || match source.kind() {
        Kind::Ptx => check_ptx(source).map(Checked::Ptx),
        Kind::Llvm | Kind::Mlir => read_llvm(source, options, is_for_gpu).map(|module| {
            let file = Some(source.shown());
            Checked::Llvm(Box::new(Llvm { module, file }))
        }),
        #[cfg(feature = "sass")]
        Kind::Sass => crate::machine::check_assembly(source).map(Checked::Cubin),
        #[cfg(feature = "sass")]
        Kind::Cubin => cubin::check_cubin(source.bytes()).map(Checked::Cubin),
        #[cfg(feature = "sass")]
        Kind::Fatbin => cubin::check_fatbin(source.bytes()).map(|()| Checked::Fatbin),
        #[cfg(not(feature = "sass"))]
        _ => crate::door::left_out("cubins, fatbins and assembly texts", "sass"),
    })
}

/// Reads and verifies PTX, inside the door.
pub(crate) fn check_ptx(source: &Source) -> Output<Ptx> {
    warpc_ptx::check(source.file()).map(|module| Ptx { module })
}
