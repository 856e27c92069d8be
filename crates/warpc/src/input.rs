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
    /// LLVM IR as text.
    Llvm,
    /// MLIR of the `llvm` and `nvvm` dialects.
    Mlir,
    /// Machine code as text.
    Sass,
    /// A cubin: machine code.
    Cubin,
    /// A fatbin: cubins and PTX in one file.
    Fatbin,
}

impl Kind {
    /// What it is, in words.
    fn words(self) -> &'static str {
        match self {
            Kind::Ptx => "PTX (.ptx)",
            Kind::Llvm => "LLVM IR (.ll)",
            Kind::Mlir => "MLIR (.mlir)",
            Kind::Sass => "assembly texts (.sass)",
            Kind::Cubin => "cubins (.cubin)",
            Kind::Fatbin => "fatbins (.fatbin)",
        }
    }
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
    /// It is of another kind than those that are taken.
    WrongKind {
        /// The input.
        name: String,
        /// What it is.
        given: Kind,
        /// What is taken.
        wanted: &'static [Kind],
    },
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
                write!(
                    f,
                    "{name}: {what} is not supported yet; LLVM IR (.ll), MLIR (.mlir), PTX (.ptx), assembly texts (.sass), cubins and fatbins are"
                )
            }
            InputError::WrongKind {
                name,
                given,
                wanted,
            } => {
                let (last, others) = wanted.split_last().expect("something is taken");
                let words: Vec<&str> = others.iter().map(|kind| kind.words()).collect();
                let given = given.words();
                write!(f, "{name}: this is {given}; the command takes ")?;
                match words.as_slice() {
                    [] => write!(f, "{}", last.words()),
                    others => write!(f, "{} and {}", others.join(", "), last.words()),
                }
            }
            InputError::UnknownKind(name) => write!(
                f,
                "{name}: the ending does not say what it is; LLVM IR ends in .ll, MLIR in .mlir, PTX in .ptx, machine code in .sass, .cubin or .fatbin"
            ),
            InputError::TooLarge(name) => {
                write!(f, "{name}: larger than {} bytes", SourceFile::MAX_LEN)
            }
        }
    }
}

impl std::error::Error for InputError {}

impl Input {
    /// Reads a file, or standard input for `-`, where the text says what it is. The name need not be UTF-8.
    pub fn read(path: impl AsRef<Path>) -> Result<Input, InputError> {
        let path = path.as_ref();
        let name = &*path.to_string_lossy();
        let named = match kind_of(path) {
            Err(error @ InputError::Unsupported(..)) => return Err(error),
            named => named,
        };
        let mut bytes = Vec::new();
        if name == "-" {
            std::io::stdin()
                .read_to_end(&mut bytes)
                .map_err(|error| InputError::Io("standard input".to_owned(), error))?;
        } else {
            bytes = std::fs::read(path).map_err(|error| InputError::Io(name.to_owned(), error))?;
        }
        let kind = match named {
            Ok(Some(kind)) => kind,
            Ok(None) => kind_in(&bytes),
            // Objects, libraries and programs of the host have any ending, or none.
            Err(InputError::UnknownKind(_)) if bytes.starts_with(b"\x7fELF") => kind_in(&bytes),
            Err(error) => return Err(error),
        };
        let shown = if name == "-" { "<stdin>" } else { name };
        let file =
            SourceFile::new(shown, bytes).ok_or_else(|| InputError::TooLarge(name.to_owned()))?;
        Ok(Input { kind, file })
    }

    /// Reads an input that must be LLVM IR or MLIR.
    pub fn read_ir(path: impl AsRef<Path>) -> Result<Input, InputError> {
        Input::read(path)?.only(&[Kind::Llvm, Kind::Mlir])
    }

    /// The input, if it is of one of these kinds.
    pub fn only(self, wanted: &'static [Kind]) -> Result<Input, InputError> {
        if wanted.contains(&self.kind) {
            return Ok(self);
        }
        Err(InputError::WrongKind {
            name: self.file.name().to_owned(),
            given: self.kind,
            wanted,
        })
    }
}

/// What the name says; standard input has none.
fn kind_of(path: &Path) -> Result<Option<Kind>, InputError> {
    if path == Path::new("-") {
        return Ok(None);
    }
    let name = path.to_string_lossy();
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or("");
    match ending {
        "ptx" => Ok(Some(Kind::Ptx)),
        "ll" => Ok(Some(Kind::Llvm)),
        "mlir" => Ok(Some(Kind::Mlir)),
        "bc" => Err(InputError::Unsupported(name.into_owned(), "LLVM bitcode")),
        "sass" => Ok(Some(Kind::Sass)),
        "cubin" => Ok(Some(Kind::Cubin)),
        "fatbin" => Ok(Some(Kind::Fatbin)),
        _ => Err(InputError::UnknownKind(name.into_owned())),
    }
}

/// What a text says: PTX starts with a directive or a comment of its own, LLVM IR with neither; MLIR has the
/// comments of PTX, so what stands behind them says it.
fn kind_in(bytes: &[u8]) -> Kind {
    if warpc_cubin::is_host(bytes) {
        return Kind::Fatbin;
    }
    if bytes.starts_with(b"\x7fELF") {
        return Kind::Cubin;
    }
    if bytes.starts_with(&warpc_cubin::fatbin::MARK) {
        return Kind::Fatbin;
    }
    let mut start = bytes.trim_ascii_start();
    while start.starts_with(b"//") {
        let end = start.iter().position(|&byte| byte == b'\n');
        start = start[end.unwrap_or(start.len())..].trim_ascii_start();
    }
    // PTX starts with its version.
    if start.starts_with(b".target ") {
        return Kind::Sass;
    }
    let mlir: [&[u8]; 7] = [
        b"module {",
        b"module @",
        b"module attributes",
        b"builtin.module",
        b"\"builtin.module\"",
        b"llvm.",
        b"gpu.module",
    ];
    // `#map = …` and `!pair = !llvm.struct<…>`; metadata of LLVM IR is `!0 = !{…}`.
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or(start);
    let alias = match start.first() {
        Some(b'#') => true,
        Some(b'!') => line.windows(8).any(|window| window == b" = !llvm"),
        _ => false,
    };
    if alias || mlir.iter().any(|word| start.starts_with(word)) {
        return Kind::Mlir;
    }
    let words: [&[u8]; 6] = [
        b"source_filename",
        b"target ",
        b"define ",
        b"declare ",
        b"module asm",
        b"attributes #",
    ];
    let sigil = matches!(start.first(), Some(b';' | b'%' | b'!' | b'$'));
    // `@` also starts a line directive of PTX, which no module starts with.
    let global = start.first() == Some(&b'@');
    if sigil || global || words.iter().any(|word| start.starts_with(word)) {
        return Kind::Llvm;
    }
    Kind::Ptx
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_kind_is_named_with_the_right_ones() {
        let file = SourceFile::new("k.ptx", "").expect("a short text");
        let input = Input {
            kind: Kind::Ptx,
            file,
        };
        let error = input
            .only(&[Kind::Llvm, Kind::Mlir])
            .expect_err("it is PTX");
        assert_eq!(
            error.to_string(),
            "k.ptx: this is PTX (.ptx); the command takes LLVM IR (.ll) and MLIR (.mlir)"
        );
    }

    #[test]
    fn texts_say_what_they_are() {
        assert_eq!(kind_in(b"// c\n.version 8.0"), Kind::Ptx);
        assert_eq!(kind_in(b""), Kind::Ptx);
        assert_eq!(kind_in(b"\n; ModuleID = 'x'"), Kind::Llvm);
        assert_eq!(kind_in(b"define void @f() {"), Kind::Llvm);
        assert_eq!(kind_in(b"// c\nmodule {\n}"), Kind::Mlir);
        assert_eq!(kind_in(b"module asm \"x\""), Kind::Llvm);
        assert_eq!(kind_in(b"!p = !llvm.struct<(i32)>\n"), Kind::Mlir);
        assert_eq!(kind_in(b"!0 = !{!\"<\"}\n"), Kind::Llvm);
        assert_eq!(kind_in(b"// c\n.target sm_90a\n"), Kind::Sass);
        let mut elf = *b"\x7fELF\x02\x01\x01\x41\x08\0\0\0\0\0\0\0\x02\0\xbe\0";
        assert_eq!(kind_in(&elf), Kind::Cubin);
        elf[18] = 62;
        assert_eq!(kind_in(&elf), Kind::Fatbin);
        assert_eq!(kind_in(&[0x50, 0xed, 0x55, 0xba]), Kind::Fatbin);
    }
}
