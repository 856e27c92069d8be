//! Modules of PTX on the GPU, assembled by the driver or by warpc, or from cubins that were made elsewhere.
//!
//! | text | who assembles |
//! |---|---|
//! | nothing, `driver` | the driver |
//! | `warpc` | warpc, with the switches of its assembler after commas: `warpc,O0`, `warpc,tune`, `warpc,serial`, `warpc,spill`, and as often as wanted `warpc,without=opt_gvn`, `warpc,only=opt_dce` |
//! | `cubins=FOLDER` | nobody: `FOLDER/NAME.cubin` is loaded |
//!
//! `WARPC_HW_ASSEMBLER` has such a text. It is a variable and not a flag because child processes get it, too.

use std::path::PathBuf;
use warpc::{Options, Source};
use warpc_driver::{DriverError, Gpu, Loaded};

/// The variable that says who assembles.
pub const VARIABLE: &str = "WARPC_HW_ASSEMBLER";

/// What stands in the message where warpc does not assemble a module.
pub const REFUSED: &str = "not assembled";

/// Who makes machine code of PTX.
#[derive(Clone, Debug)]
pub enum Assembler {
    /// The driver.
    Driver,
    /// warpc.
    Warpc(Box<Options>),
    /// It was made before, and is in this folder.
    Cubins(PathBuf),
}

impl Assembler {
    /// Reads the text above.
    pub fn parse(text: &str) -> Result<Assembler, String> {
        if let Some(folder) = text.strip_prefix("cubins=") {
            return Ok(Assembler::Cubins(PathBuf::from(folder)));
        }
        let mut words = text.split(',');
        match words.next() {
            None | Some("" | "driver") => return Ok(Assembler::Driver),
            Some("warpc") => {}
            Some(other) => return Err(format!("there is no assembler `{other}`")),
        }
        let mut options = Options::new("sm_90a".parse().map_err(|_| "sm_90a is not a chip")?);
        for word in words {
            match word {
                "O0" => options.level = 0,
                "tune" => options.assembler.tune = true,
                "serial" => options.assembler.serial = true,
                "spill" => options.assembler.spill = true,
                other => {
                    let said = match other.split_once('=') {
                        Some(("without", pass)) => options.assembler.passes.leave_out(pass),
                        Some(("only", pass)) => options.assembler.passes.run_only(pass),
                        _ => return Err(format!("there is no switch `{other}`")),
                    };
                    said.map_err(|unknown| unknown.to_string())?;
                }
            }
        }
        Ok(Assembler::Warpc(Box::new(options)))
    }

    /// Loads a module by its name, without folder and ending, and its text. What warpc does not assemble is refused with
    /// its first error.
    pub fn load(&self, gpu: &Gpu, name: &str, text: &str) -> Result<Loaded, DriverError> {
        match self {
            Assembler::Driver => gpu.load(text),
            _ => gpu.load_cubin(&self.cubin(name, text).map_err(refused)?),
        }
    }

    /// The bytes of a module's cubin.
    pub fn cubin(&self, name: &str, text: &str) -> Result<Vec<u8>, String> {
        match self {
            Assembler::Driver => Err("the driver gives no cubin".into()),
            Assembler::Warpc(options) => assembled(text, options),
            Assembler::Cubins(folder) => {
                let path = folder.join(format!("{name}.cubin"));
                std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))
            }
        }
    }
}

fn refused(what: String) -> DriverError {
    DriverError::Refused(REFUSED.to_owned(), what)
}

/// The cubin that warpc makes, or its first error.
fn assembled(text: &str, options: &Options) -> Result<Vec<u8>, String> {
    let source = Source::new("module.ptx", text).map_err(|error| error.to_string())?;
    let made = warpc::assemble(&source, options);
    match made.value {
        Some(cubin) => Ok(cubin.write()),
        None => {
            let first = made.diagnostics.first_error();
            Err(first.map_or_else(String::new, |one| one.message.clone()))
        }
    }
}

/// Loads a module as the environment says.
pub fn load(gpu: &Gpu, text: &str) -> Result<Loaded, DriverError> {
    let said = std::env::var(VARIABLE).unwrap_or_default();
    let assembler = Assembler::parse(&said).map_err(|why| refused(format!("{VARIABLE}: {why}")))?;
    assembler.load(gpu, "module", text)
}

#[cfg(test)]
mod tests {
    use super::Assembler;

    #[test]
    fn texts_are_read_and_mistakes_refused() {
        for text in [
            "",
            "driver",
            "warpc",
            "warpc,O0,serial",
            "warpc,without=opt_gvn,only=opt_dce",
            "cubins=x",
        ] {
            Assembler::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        }
        let why = |text| Assembler::parse(text).expect_err(text);
        assert!(why("warpc,without=opt_gnv").contains("did you mean `opt_gvn`?"));
        assert!(why("warpc,fast").contains("no switch `fast`"));
        assert!(why("ptxas").contains("no assembler `ptxas`"));
    }
}
