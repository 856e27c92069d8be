//! Where inputs come from and what kind they are.

use std::fmt;
use std::io::Read;
use std::path::Path;
use warpc_diag::SourceFile;

/// What an input holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// PTX text.
    Ptx,
}

/// An input that was read.
#[derive(Debug)]
pub struct Input {
    /// What it holds.
    pub kind: Kind,
    /// Its name and bytes.
    pub file: SourceFile,
}

/// Why an input could not be read.
#[derive(Debug)]
pub enum InputError {
    /// The operating system said no.
    Io(String, std::io::Error),
    /// The kind is known but not supported yet.
    Unsupported(String, &'static str),
    /// The name does not say what it is.
    UnknownKind(String),
    /// The file is larger than what can be addressed.
    TooLarge(String),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Io(name, error) => write!(f, "{name}: {error}"),
            InputError::Unsupported(name, what) => {
                write!(f, "{name}: {what} is not supported yet; PTX (.ptx) is")
            }
            InputError::UnknownKind(name) => write!(
                f,
                "{name}: the ending does not say what it is; PTX files end in .ptx"
            ),
            InputError::TooLarge(name) => {
                write!(f, "{name}: larger than {} bytes", SourceFile::MAX_LEN)
            }
        }
    }
}

impl std::error::Error for InputError {}

impl Input {
    /// Reads a file, or standard input for `-`, which is taken for PTX.
    pub fn read(name: &str) -> Result<Input, InputError> {
        let kind = kind_of(name)?;
        let mut bytes = Vec::new();
        if name == "-" {
            std::io::stdin()
                .read_to_end(&mut bytes)
                .map_err(|error| InputError::Io("standard input".to_owned(), error))?;
        } else {
            bytes = std::fs::read(name).map_err(|error| InputError::Io(name.to_owned(), error))?;
        }
        let shown = if name == "-" { "<stdin>" } else { name };
        let file =
            SourceFile::new(shown, bytes).ok_or_else(|| InputError::TooLarge(name.to_owned()))?;
        Ok(Input { kind, file })
    }
}

fn kind_of(name: &str) -> Result<Kind, InputError> {
    if name == "-" {
        return Ok(Kind::Ptx);
    }
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or("");
    match ending {
        "ptx" => Ok(Kind::Ptx),
        "ll" | "bc" => Err(InputError::Unsupported(name.to_owned(), "LLVM IR")),
        "cubin" => Err(InputError::Unsupported(name.to_owned(), "machine code")),
        _ => Err(InputError::UnknownKind(name.to_owned())),
    }
}
