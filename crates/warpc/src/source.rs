//! Inputs: names, bytes, and what kind they are.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use warpc_diag::SourceFile;

/// What an input holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// PTX text.
    Ptx,
    /// LLVM IR as text or bitcode, or an archive of bitcode; the bytes say which.
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
    /// A cubin or a fatbin, or a file of the host, which may hold fatbins, by what it starts with.
    pub fn of_machine_code(bytes: &[u8]) -> Option<Kind> {
        if bytes.starts_with(ELF) {
            // Files of the host hold fatbins.
            return Some(match bytes.get(18..20) == Some(&CUDA_MACHINE) {
                true => Kind::Cubin,
                false => Kind::Fatbin,
            });
        }
        bytes.starts_with(&FATBIN).then_some(Kind::Fatbin)
    }

    /// What one of them is, in words.
    fn one(self) -> &'static str {
        match self {
            Kind::Sass => "an assembly text (.sass)",
            Kind::Cubin => "a cubin (.cubin)",
            Kind::Fatbin => "a fatbin (.fatbin)",
            text => text.words(),
        }
    }

    /// What they are, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::Ptx => "PTX (.ptx)",
            Kind::Llvm => "LLVM IR (.ll, .bc)",
            Kind::Mlir => "MLIR (.mlir)",
            Kind::Sass => "assembly texts (.sass)",
            Kind::Cubin => "cubins (.cubin)",
            Kind::Fatbin => "fatbins (.fatbin)",
        }
    }
}

/// An input: a name, bytes, and what they are.
#[derive(Clone, Debug)]
pub struct Source {
    kind: Kind,
    file: Arc<SourceFile>,
}

/// Why something is not an input.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// The operating system said no.
    Io(String, std::io::Error),
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
    /// It is larger than what can be addressed.
    TooLarge(String),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Io(name, error) => write!(f, "{name}: {error}"),
            SourceError::WrongKind {
                name,
                given,
                wanted,
            } => {
                let given = given.one();
                write!(
                    f,
                    "{name}: this is {given}; the command takes {}",
                    listed(wanted)
                )
            }
            SourceError::UnknownKind(name) => write!(
                f,
                "{name}: the ending does not say what it is; LLVM IR ends in .ll or .bc, MLIR in .mlir, PTX in .ptx, machine code in .sass, .cubin or .fatbin"
            ),
            SourceError::TooLarge(name) => {
                write!(f, "{name}: larger than {} bytes", SourceFile::MAX_LEN)
            }
        }
    }
}

impl std::error::Error for SourceError {}

/// Kinds in words: `LLVM IR (.ll, .bc), MLIR (.mlir) and PTX (.ptx)`.
pub(crate) fn listed(kinds: &[Kind]) -> String {
    let words: Vec<&str> = kinds.iter().map(|kind| kind.words()).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

impl Source {
    /// An input in memory. The ending of the name says what it is (`k.ll`, `k.ptx`), or the bytes if the name has none.
    ///
    /// ```
    /// use warpc::{Kind, Source};
    /// assert_eq!(Source::new("k.ptx", "").unwrap().kind(), Kind::Ptx);
    /// assert_eq!(Source::new("kernel", "define void @f() {\n").unwrap().kind(), Kind::Llvm);
    /// assert!(Source::new("k.txt", "").is_err());
    /// ```
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<Source, SourceError> {
        let (name, bytes) = (name.into(), bytes.into());
        let named = match Path::new(&name).extension() {
            Some(_) => kind_of(Path::new(&name)),
            None => Ok(None),
        };
        let kind = kind_by(named, &bytes)?;
        Source::of_kind(kind, name, bytes)
    }

    /// An input of a kind that is known.
    pub fn of_kind(
        kind: Kind,
        name: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
    ) -> Result<Source, SourceError> {
        let name = name.into();
        match SourceFile::new(&*name, bytes) {
            Some(file) => Ok(Source {
                kind,
                file: Arc::new(file),
            }),
            None => Err(SourceError::TooLarge(name)),
        }
    }

    /// Reads a file, or standard input for `-`, where the text says what it is. The name need not be UTF-8.
    pub fn read(path: impl AsRef<Path>) -> Result<Source, SourceError> {
        let path = path.as_ref();
        let name = &*path.to_string_lossy();
        let named = kind_of(path);
        let mut bytes = Vec::new();
        if name == "-" {
            std::io::stdin()
                .read_to_end(&mut bytes)
                .map_err(|error| SourceError::Io("standard input".to_owned(), error))?;
        } else {
            bytes = std::fs::read(path).map_err(|error| SourceError::Io(name.to_owned(), error))?;
        }
        let kind = kind_by(named, &bytes)?;
        let shown = if name == "-" { "<stdin>" } else { name };
        Source::of_kind(kind, shown, bytes)
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its name, as diagnostics show it.
    pub fn name(&self) -> &str {
        self.file.name()
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    /// Name and bytes.
    pub fn file(&self) -> &Arc<SourceFile> {
        &self.file
    }

    /// What diagnostics point into: nothing of a binary file can be shown.
    pub(crate) fn shown(&self) -> Arc<SourceFile> {
        if matches!(self.kind, Kind::Cubin | Kind::Fatbin) || is_binary_llvm(self.bytes()) {
            let empty = SourceFile::new(self.name(), "").expect("an empty file is short");
            return Arc::new(empty);
        }
        Arc::clone(&self.file)
    }

    /// The input, if it is of one of these kinds.
    pub fn only(self, wanted: &'static [Kind]) -> Result<Source, SourceError> {
        if wanted.contains(&self.kind) {
            return Ok(self);
        }
        Err(SourceError::WrongKind {
            name: self.name().to_owned(),
            given: self.kind,
            wanted,
        })
    }
}

/// Whether bytes are LLVM bitcode or an archive.
pub(crate) fn is_binary_llvm(bytes: &[u8]) -> bool {
    warpc_nvvm::bitcode::is_bitcode(bytes) || crate::archive::is_archive(bytes)
}

/// What an input is, by what its name says or, if that says nothing, by its bytes.
fn kind_by(named: Result<Option<Kind>, SourceError>, bytes: &[u8]) -> Result<Kind, SourceError> {
    // Compilers give bitcode any name: `.o` and `.bc`, also `.ll`.
    if is_binary_llvm(bytes) {
        return Ok(Kind::Llvm);
    }
    match named {
        Ok(Some(kind)) => Ok(kind),
        Ok(None) => Ok(kind_in(bytes)),
        // Objects, libraries and programs of the host have any ending, or none.
        Err(SourceError::UnknownKind(_)) if bytes.starts_with(ELF) => Ok(kind_in(bytes)),
        Err(error) => Err(error),
    }
}

/// What the name says; standard input has none.
fn kind_of(path: &Path) -> Result<Option<Kind>, SourceError> {
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
        "ll" | "bc" => Ok(Some(Kind::Llvm)),
        "mlir" => Ok(Some(Kind::Mlir)),
        "sass" => Ok(Some(Kind::Sass)),
        "cubin" => Ok(Some(Kind::Cubin)),
        "fatbin" => Ok(Some(Kind::Fatbin)),
        _ => Err(SourceError::UnknownKind(name.into_owned())),
    }
}

/// What ELF files start with.
const ELF: &[u8] = b"\x7fELF";
/// The machine that ELF files of NVIDIA's GPUs are for.
const CUDA_MACHINE: [u8; 2] = 190u16.to_le_bytes();
/// What fatbins start with.
const FATBIN: [u8; 4] = [0x50, 0xed, 0x55, 0xba];

/// What a text says: PTX starts with a directive or a comment of its own, LLVM IR with neither; MLIR has the
/// comments of PTX, so what stands after them says it.
fn kind_in(bytes: &[u8]) -> Kind {
    if is_binary_llvm(bytes) {
        return Kind::Llvm;
    }
    if let Some(kind) = Kind::of_machine_code(bytes) {
        return kind;
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
        let source = Source::new("k.ptx", "").expect("a short text");
        let error = source
            .only(&[Kind::Llvm, Kind::Mlir])
            .expect_err("it is PTX");
        assert_eq!(
            error.to_string(),
            "k.ptx: this is PTX (.ptx); the command takes LLVM IR (.ll, .bc) and MLIR (.mlir)"
        );
    }

    #[test]
    fn texts_say_what_they_are() {
        assert_eq!(kind_in(b"// c\n.version 8.0"), Kind::Ptx);
        assert_eq!(kind_in(b""), Kind::Ptx);
        assert_eq!(kind_in(b"BC\xC0\xDE5\x14"), Kind::Llvm);
        assert_eq!(kind_in(b"!<arch>\n"), Kind::Llvm);
        assert_eq!(kind_in(b"\n; ModuleID = 'x'"), Kind::Llvm);
        assert_eq!(kind_in(b"define void @f() {"), Kind::Llvm);
        assert_eq!(kind_in(b"// c\nmodule {\n}"), Kind::Mlir);
        assert_eq!(kind_in(b"module asm \"x\""), Kind::Llvm);
        assert_eq!(kind_in(b"!p = !llvm.struct<(i32)>\n"), Kind::Mlir);
        assert_eq!(kind_in(b"!0 = !{!\"<\"}\n"), Kind::Llvm);
        assert_eq!(kind_in(b"// c\n.target sm_90a\n"), Kind::Sass);
        let mut elf = *b"\x7fELF\x02\x01\x01\x41\x08\0\0\0\0\0\0\0\x02\0\xbe\0";
        assert_eq!(kind_in(&elf), Kind::Cubin);
        #[cfg(feature = "sass")]
        assert!(!warpc_cubin::is_host(&elf));
        elf[18] = 62;
        #[cfg(feature = "sass")]
        assert!(warpc_cubin::is_host(&elf));
        assert_eq!(kind_in(&elf), Kind::Fatbin);
        assert_eq!(kind_in(&FATBIN), Kind::Fatbin);
        #[cfg(feature = "sass")]
        assert_eq!(warpc_cubin::fatbin::MARK, FATBIN);
    }
}
