//! Who makes the machine code that is judged.

use std::path::{Path, PathBuf};
use std::process::Command;
use warpc::{Options, PtxFor, Source};

/// An assembler.
#[derive(Clone, Debug)]
pub enum Assembler {
    /// A program with the command line of ptxas.
    Program {
        /// The program.
        program: PathBuf,
        /// A folder that it may write to.
        folder: PathBuf,
    },
    /// warpc's own, in this process.
    Warpc,
}

impl Assembler {
    /// Who PTX is compiled for.
    pub fn ptx_for(&self) -> PtxFor {
        match self {
            Assembler::Program { .. } => PtxFor::Ptxas,
            Assembler::Warpc => PtxFor::Warpc,
        }
    }

    /// Whether it makes code for a chip.
    pub fn takes(&self, sm: u16) -> bool {
        match self {
            Assembler::Program { .. } => true,
            Assembler::Warpc => sm == 90,
        }
    }

    /// The bytes of the cubin of a module, or what the assembler says.
    pub fn assemble(&self, sm: u16, name: &str, text: &str) -> Result<Vec<u8>, String> {
        match self {
            Assembler::Program { program, folder } => by_program(program, folder, sm, name, text),
            Assembler::Warpc => {
                let source = Source::new("module.ptx", text).map_err(|e| e.to_string())?;
                let chip = format!("sm_{sm}").parse();
                let options = Options::new(chip.map_err(|_| "there is no such chip")?);
                let made = warpc::assemble(&source, &options);
                let said = made
                    .diagnostics
                    .first_error()
                    .map(|one| one.message.clone());
                let cubin = made.value.ok_or(said.unwrap_or_default())?;
                Ok(cubin.write())
            }
        }
    }
}

fn by_program(
    program: &Path,
    folder: &Path,
    sm: u16,
    name: &str,
    text: &str,
) -> Result<Vec<u8>, String> {
    let file = |ending: &str| folder.join(format!("{name}.{ending}"));
    let (input, output) = (file("ptx"), file("cubin"));
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    std::fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
    std::fs::write(&input, text).map_err(|e| failed(&input, e))?;
    let out = Command::new(program)
        .arg(format!("-arch=sm_{sm}"))
        .arg(&input)
        .arg("-o")
        .arg(&output)
        .output()
        .map_err(|e| failed(program, e))?;
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr);
        return Err(said.lines().next().unwrap_or("nothing is said").to_owned());
    }
    let bytes = std::fs::read(&output).map_err(|e| failed(&output, e))?;
    for path in [input, output] {
        std::fs::remove_file(&path).map_err(|e| failed(&path, e))?;
    }
    Ok(bytes)
}
