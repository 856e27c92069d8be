//! Modules of PTX on the GPU, assembled by the driver or by warpc.
//!
//! `WARPC_HW_ASSEMBLER` says who: nothing or `driver` for the driver; `warpc` for warpc, with the switches of its
//! assembler after commas: `warpc,O0`, `warpc,serial`, `warpc,spill`, `warpc,without=opt_gvn`, `warpc,only=opt_dce` (both as
//! often as wanted). It is a variable and not a flag because child processes get it, too.

use warpc::{Options, Source};
use warpc_driver::{DriverError, Gpu, Loaded};

/// The variable that says who assembles.
pub const VARIABLE: &str = "WARPC_HW_ASSEMBLER";

/// What stands in the message where warpc does not assemble a module.
pub const REFUSED: &str = "not assembled";

/// The options of warpc's assembler; nothing if the driver assembles.
fn options() -> Result<Option<Options>, String> {
    let Ok(text) = std::env::var(VARIABLE) else {
        return Ok(None);
    };
    let mut words = text.split(',');
    match words.next() {
        None | Some("" | "driver") => return Ok(None),
        Some("warpc") => {}
        Some(other) => return Err(format!("{VARIABLE}: there is no assembler `{other}`")),
    }
    let mut options = Options::new("sm_90a".parse().map_err(|_| "sm_90a is not a chip")?);
    for word in words {
        match word {
            "O0" => options.level = 0,
            "serial" => options.assembler.serial = true,
            "spill" => options.assembler.spill = true,
            other => {
                let said = match other.split_once('=') {
                    Some(("without", pass)) => options.assembler.passes.leave_out(pass),
                    Some(("only", pass)) => options.assembler.passes.run_only(pass),
                    _ => return Err(format!("{VARIABLE}: there is no switch `{other}`")),
                };
                said.map_err(|unknown| format!("{VARIABLE}: {unknown}"))?;
            }
        }
    }
    Ok(Some(options))
}

/// Loads a module. What warpc does not assemble is refused with its first error.
pub fn load(gpu: &Gpu, text: &str) -> Result<Loaded, DriverError> {
    let refused = |what: String| DriverError::Refused(REFUSED.to_owned(), what);
    let Some(options) = options().map_err(refused)? else {
        return gpu.load(text);
    };
    let source = Source::new("module.ptx", text).map_err(|error| refused(error.to_string()))?;
    let made = warpc::assemble(&source, &options);
    match made.value {
        Some(cubin) => gpu.load_cubin(&cubin.write()),
        None => {
            let first = made.diagnostics.first_error();
            let message = first.map_or_else(String::new, |one| one.message.clone());
            Err(refused(message))
        }
    }
}
