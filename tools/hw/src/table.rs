//! Tables and modules of the suites as files.

use crate::compiled::compile;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

/// Writes text, compressed if the name says so.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    if path.extension().is_none_or(|ending| ending != "gz") {
        return fs::write(path, text).map_err(failed);
    }
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(text.as_bytes()).map_err(failed)?;
    fs::write(path, out.finish().map_err(failed)?).map_err(failed)
}

/// Reads compressed text.
pub fn read(path: &Path) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("cannot read {}: {e}", path.display());
    let bytes = fs::read(path).map_err(failed)?;
    let mut text = String::new();
    let mut unpacked = GzDecoder::new(bytes.as_slice());
    unpacked.read_to_string(&mut text).map_err(failed)?;
    Ok(text)
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
