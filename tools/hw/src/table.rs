//! Tables and modules of the suites as files.

use crate::compiled::compile;
use std::fs;
use std::path::Path;
use warpc_testkit::gzip;

/// Writes text, compressed if the name says so.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    match path.extension().is_some_and(|ending| ending == "gz") {
        true => fs::write(path, gzip::pack(text)).map_err(failed),
        false => fs::write(path, text).map_err(failed),
    }
}

/// Reads compressed text.
pub fn read(path: &Path) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("cannot read {}: {e}", path.display());
    let bytes = fs::read(path).map_err(failed)?;
    gzip::unpack_text(&bytes).map_err(failed)
}

/// Writes a module as LLVM IR, and as the PTX that we make of it.
pub fn write_module(dir: &Path, name: &str, ll: &str) -> Result<(), String> {
    fs::create_dir_all(dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
    write(&dir.join(format!("{name}.ll")), ll)?;
    match compile(name, ll) {
        Ok(compiled) => write(&dir.join(format!("{name}.ptx")), &compiled.text),
        Err(reason) => {
            println!("{name}: {reason}");
            Ok(())
        }
    }
}
