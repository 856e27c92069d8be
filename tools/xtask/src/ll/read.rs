//! LLVM's reading of a module: its verdict, and what it prints of what it read.
//!
//! LLVM 22 is the judge. Two dialects of real modules are beyond its reader, and are brought to it:
//! - `14`: typed pointers with constructs that only the reader of their time knows (`inrange` before an index, the
//!   labels of `callbr` as arguments). `llvm-as-14` reads them; the bitcode is upgraded by LLVM 22.
//! - `23`: floats as LLVM 23 writes them (`f0x3FB8AA3B`, `-inf`). They are respelled.

use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Readers in the order in which they are tried.
const READERS: [&str; 3] = ["22", "14", "23"];

/// The verdict on a module.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// `accept`, `reject` or `crash`.
    pub verdict: &'static str,
    /// Which of the readers took it; LLVM 22's if none did.
    pub reader: &'static str,
    /// What LLVM 22 prints of a module that was taken (see [`canonical`]).
    pub printed: String,
    /// What LLVM 22 said first about a module that no reader took.
    pub message: String,
}

/// Asks the readers in turn.
pub fn verdict(file: &Path) -> Outcome<Verdict> {
    let mut first = None;
    for reader in READERS {
        match canonical(file, reader) {
            Ok(printed) => {
                return Ok(Verdict {
                    verdict: "accept",
                    reader,
                    printed,
                    message: String::new(),
                });
            }
            Err(message) => {
                first.get_or_insert(message);
            }
        }
    }
    let message = first.unwrap_or_default();
    let name = file.display().to_string();
    Ok(Verdict {
        verdict: "reject",
        reader: "22",
        printed: String::new(),
        message: message.replace(&name, "FILE").replace('\t', " "),
    })
}

/// What LLVM 22 prints of a module that the reader took, without a `source_filename` that is only the file's name.
pub fn canonical(file: &Path, reader: &str) -> Outcome<String> {
    let respelled: PathBuf;
    let (program, file) = match reader {
        "14" => ("llvm-as-14", file),
        "23" => {
            let name = file.display().to_string().replace('/', "_");
            respelled = project::root().join("target/ll_read").join(name);
            project::write(&respelled, floats_for_22(&project::read(file)?))?;
            ("llvm-as-22", respelled.as_path())
        }
        _ => ("llvm-as-22", file),
    };
    let text = assembled_and_printed(program, file);
    if reader == "23" {
        std::fs::remove_file(file).ok();
    }
    text
}

fn assembled_and_printed(program: &str, file: &Path) -> Outcome<String> {
    let failed = |e: std::io::Error| format!("cannot run LLVM's tools: {e}");
    let mut reader = Command::new(program)
        .arg(file)
        .args(["-o", "-"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let bitcode = reader.stdout.take().ok_or("llvm-as has no output")?;
    let printer = Command::new("llvm-dis-22")
        .args(["-o", "-"])
        .stdin(bitcode)
        .output()
        .map_err(failed)?;
    let reader = reader.wait_with_output().map_err(failed)?;
    for done in [&reader, &printer] {
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            return Err(said.lines().next().unwrap_or("nothing said").to_string());
        }
    }
    let text = String::from_utf8_lossy(&printer.stdout).into_owned();
    // A module without a name of its source gets the name of the file, which says nothing about the module.
    let named_by_file = format!("source_filename = \"{}\"\n", file.display());
    Ok(text.replacen(&named_by_file, "", 1))
}

/// Floats of LLVM 23 in the spelling of LLVM 22. Only what stands as a word of its own outside strings is one.
fn floats_for_22(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut scalar = "";
    for (n, part) in text.split('"').enumerate() {
        if n > 0 {
            out.push('"');
        }
        if n % 2 == 1 {
            out.push_str(part);
            continue;
        }
        let mut rest = part;
        while let Some(start) =
            rest.find(|c: char| c.is_ascii_alphanumeric() || "+-%@!.".contains(c))
        {
            out.push_str(&rest[..start]);
            rest = &rest[start..];
            let is_word = |c: char| c.is_ascii_alphanumeric() || "+-%@!._$".contains(c);
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let word = &rest[..end];
            if matches!(word, "half" | "bfloat" | "float" | "double") {
                scalar = word;
            }
            match spelled_for_22(word, scalar) {
                Some(instead) => out.push_str(&instead),
                None => out.push_str(word),
            }
            rest = &rest[end..];
        }
        out.push_str(rest);
    }
    out
}

/// A float of LLVM 23, of the scalar type named last before it.
fn spelled_for_22(word: &str, scalar: &str) -> Option<String> {
    let named = |half: &str, brain: &str, double: &str| match scalar {
        "half" => half.to_string(),
        "bfloat" => brain.to_string(),
        _ => double.to_string(),
    };
    match word {
        "inf" | "+inf" => return Some(named("0xH7C00", "0xR7F80", "0x7FF0000000000000")),
        "-inf" => return Some(named("0xHFC00", "0xRFF80", "0xFFF0000000000000")),
        "nan" | "+nan" | "qnan" | "+qnan" => {
            return Some(named("0xH7E00", "0xR7FC0", "0x7FF8000000000000"));
        }
        "-nan" | "-qnan" => return Some(named("0xHFE00", "0xRFFC0", "0xFFF8000000000000")),
        _ => {}
    }
    let digits = word.strip_prefix("f0x")?;
    let bits = u64::from_str_radix(digits, 16).ok()?;
    Some(match (digits.len(), scalar) {
        (4, "bfloat") => format!("0xR{bits:04X}"),
        (4, _) => format!("0xH{bits:04X}"),
        (8, _) => {
            let value = f64::from(f32::from_bits(u32::try_from(bits).ok()?));
            format!("0x{:016X}", value.to_bits())
        }
        (16, _) => format!("0x{bits:016X}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::floats_for_22;

    #[test]
    fn floats_are_respelled() {
        let text = "%a = fmul float %inf, f0x3F800000\n%b = fadd half f0x3C00, -inf ; \"-inf\"\n";
        assert_eq!(
            floats_for_22(text),
            "%a = fmul float %inf, 0x3FF0000000000000\n%b = fadd half 0xH3C00, 0xHFC00 ; \"-inf\"\n"
        );
    }
}
