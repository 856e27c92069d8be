//! LLVM IR compiled by us, in this process, for the GPU that the suites are run on.

use warpc::{Kind, Options, Source};
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
    let source = |kind, ending, text: &str| {
        let source = Source::of_kind(kind, format!("{name}.{ending}"), text);
        source.map_err(|error| error.to_string())
    };
    let sm = chip.parse().map_err(|_| format!("{chip} is not a chip"))?;
    let made = warpc::compile(&source(Kind::Llvm, "ll", ll)?, &Options::new(sm));
    let Some(ptx) = made.value else {
        let first = made.diagnostics.first_error();
        let first = first.map(|error| format!("refused: {}", error.message));
        return Err(first.unwrap_or_else(|| "refused without a reason".into()));
    };
    let text = ptx.to_string();
    let checked = warpc::check(&source(Kind::Ptx, "ptx", &text)?, &Options::default());
    match (checked.value, checked.diagnostics.first_error()) {
        (Some(warpc::Checked::Ptx(ptx)), _) => Ok(Compiled {
            text,
            module: ptx.module,
        }),
        (_, Some(error)) => Err(format!("the PTX is wrong: {}", error.message)),
        _ => Err("the PTX is wrong without a reason".into()),
    }
}
