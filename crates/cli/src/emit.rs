//! What is made, by the word after `--emit` or the ending of an output's name.

use std::fmt;
use std::path::Path;

/// What `--emit` and endings name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Ending {
    /// LLVM IR as text, in the form of LLVM 22, with NVVM builtins replaced by what they mean on the target.
    Ll,
    /// PTX.
    Ptx,
    /// A cubin, from an assembly text.
    Cubin,
    /// The same as LLVM bitcode; `--bitcode` chooses for which LLVM.
    Bc,
    /// OptiX IR. Not written yet.
    Optixir,
    /// An assembly text. `dis` writes it.
    Sass,
}

/// What can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emit {
    /// LLVM IR as text.
    Ll,
    /// LLVM bitcode.
    Bc,
    /// PTX.
    Ptx,
    /// A cubin.
    Cubin,
}

impl Emit {
    /// What names of such files end in.
    pub fn ending(self) -> &'static str {
        match self {
            Emit::Ll => "ll",
            Emit::Bc => "bc",
            Emit::Ptx => "ptx",
            Emit::Cubin => "cubin",
        }
    }
}

/// What is known by name but not made.
#[derive(Debug, PartialEq, Eq)]
pub struct NotMade(&'static str);

impl fmt::Display for NotMade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl TryFrom<Ending> for Emit {
    type Error = NotMade;

    fn try_from(ending: Ending) -> Result<Emit, NotMade> {
        match ending {
            Ending::Ll => Ok(Emit::Ll),
            Ending::Bc => Ok(Emit::Bc),
            Ending::Ptx => Ok(Emit::Ptx),
            Ending::Cubin => Ok(Emit::Cubin),
            Ending::Optixir => Err(NotMade("OptiX IR (.optixir) is not written yet")),
            Ending::Sass => Err(NotMade(
                "assembly texts (.sass) are written by `warpc dis`, from cubins",
            )),
        }
    }
}

/// An ending that says nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownEnding(String);

impl fmt::Display for UnknownEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownEnding(name) = self;
        write!(
            f,
            "{name}: the ending does not say what to make; use .ll, .bc, .ptx or .cubin, or `--emit`"
        )
    }
}

impl Ending {
    /// What the name of an output says: nothing if it has no ending.
    pub fn of(path: &Path) -> Result<Option<Ending>, UnknownEnding> {
        let Some(ending) = path.extension() else {
            return Ok(None);
        };
        match ending.to_str() {
            Some("ll") => Ok(Some(Ending::Ll)),
            Some("ptx") => Ok(Some(Ending::Ptx)),
            Some("cubin") => Ok(Some(Ending::Cubin)),
            Some("bc") => Ok(Some(Ending::Bc)),
            Some("optixir") => Ok(Some(Ending::Optixir)),
            Some("sass") => Ok(Some(Ending::Sass)),
            _ => Err(UnknownEnding(path.display().to_string())),
        }
    }

    /// What is wrong with the name of an output that will hold one thing.
    pub fn problem(path: &Path, holds: Ending) -> Option<String> {
        let name = path.display();
        match Ending::of(path) {
            Ok(None) => None,
            Ok(Some(ending)) if ending == holds => None,
            Ok(Some(ending)) => Some(match Emit::try_from(ending) {
                Ok(_) => format!("{name}: the ending says something else than what is written"),
                Err(not_made) => format!("{name}: {not_made}"),
            }),
            Err(unknown) => Some(unknown.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_made() {
        for (name, expected) in [
            ("x.ptx", Some(Ending::Ptx)),
            ("dir.bc/x.ll", Some(Ending::Ll)),
            ("x.bc", Some(Ending::Bc)),
            ("-", None),
            ("/dev/null", None),
            ("out", None),
        ] {
            assert_eq!(Ending::of(Path::new(name)), Ok(expected), "{name}");
        }
        assert!(Ending::of(Path::new("x.o")).is_err());
        assert!(Ending::of(Path::new("x.PTX")).is_err());
    }

    #[test]
    fn outputs_of_one_kind() {
        assert_eq!(Ending::problem(Path::new("x.ll"), Ending::Ll), None);
        assert_eq!(Ending::problem(Path::new("-"), Ending::Ll), None);
        let optix = Ending::problem(Path::new("x.optixir"), Ending::Ll).unwrap();
        assert!(optix.contains("not written yet"), "{optix}");
        assert!(Ending::problem(Path::new("x.bc"), Ending::Ll).is_some());
        assert!(Ending::problem(Path::new("x.ptx"), Ending::Ll).is_some());
        assert!(Ending::problem(Path::new("x.txt"), Ending::Ptx).is_some());
    }
}
