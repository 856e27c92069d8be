//! LLVM IR compiled by us, in this process, for the GPU that the suites are run on.

use warpc::{CompileOptions, compile_llvm};
use warpc_diag::{Severity, SourceFile};
use warpc_nvvm::NvvmOptions;
use warpc_ptx::Module;

/// A module as text, and as it is read back from there.
pub struct Compiled {
    /// The PTX.
    pub text: String,
    /// The module.
    pub module: Module,
}

/// The chip of the GPU.
const CHIP: &str = "sm_90";

/// The PTX of a module for the chip of the GPU. The error is the first diagnostic.
pub fn compile(name: &str, ll: &str) -> Result<Compiled, String> {
    compile_for(name, ll, CHIP)
}

/// The PTX of a module for a chip, which a later one runs, too. The error is the first diagnostic.
pub fn compile_for(name: &str, ll: &str, chip: &str) -> Result<Compiled, String> {
    let file = SourceFile::new(format!("{name}.ll"), ll).ok_or("the text is too long")?;
    let sm = chip.parse().map_err(|_| format!("{chip} is no chip"))?;
    let options = CompileOptions::new(sm);
    let made = compile_llvm(&file, NvvmOptions::default(), options, &mut |_, _| {});
    let errors = made.diagnostics.as_slice().iter();
    let mut errors = errors.filter(|d| d.severity == Severity::Error);
    let Some(module) = made.module else {
        let first = errors.next().map(|d| format!("refused: {}", d.message));
        return Err(first.unwrap_or_else(|| "refused without a reason".into()));
    };
    let text = warpc_ptx::print(&module);
    let file = SourceFile::new(format!("{name}.ptx"), text.clone()).ok_or("the PTX is too long")?;
    let checked = warpc_ptx::check(&file);
    match checked
        .diagnostics
        .as_slice()
        .iter()
        .find(|d| d.severity == Severity::Error)
    {
        Some(error) => Err(format!("the PTX is wrong: {}", error.message)),
        None => Ok(Compiled {
            text,
            module: checked.module,
        }),
    }
}
