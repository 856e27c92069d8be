//! One representation from another, as bytes: what `warpc compile` does, for doors that pass bytes.

use crate::door::{enter, wrong_kind};
use crate::{Kind, Options, Source};
use std::fmt;
use std::str::FromStr;
use warpc_diag::Output;

/// What can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Emit {
    /// PTX, from LLVM IR and MLIR.
    Ptx,
    /// LLVM IR as text, with NVVM builtins replaced by what they mean on the target.
    Llvm,
    /// The same as bitcode.
    Bitcode,
    /// A cubin, from all of these and from assembly texts (feature `sass`).
    Cubin,
    /// The assembly text of that cubin (feature `sass`).
    Sass,
}

impl Emit {
    /// All of them.
    pub const ALL: [Emit; 5] = [
        Emit::Ptx,
        Emit::Llvm,
        Emit::Bitcode,
        Emit::Cubin,
        Emit::Sass,
    ];

    /// The word for it, which is also the ending of such files.
    pub fn name(self) -> &'static str {
        match self {
            Emit::Ptx => "ptx",
            Emit::Llvm => "ll",
            Emit::Bitcode => "bc",
            Emit::Cubin => "cubin",
            Emit::Sass => "sass",
        }
    }

    /// The kind that an output of it is, as an input.
    pub fn kind(self) -> Kind {
        match self {
            Emit::Ptx => Kind::Ptx,
            Emit::Llvm | Emit::Bitcode => Kind::Llvm,
            Emit::Cubin => Kind::Cubin,
            Emit::Sass => Kind::Sass,
        }
    }

    /// What is made of an input if nothing else is chosen: PTX of LLVM IR, else a cubin.
    pub fn default_for(kind: Kind) -> Emit {
        match kind {
            Kind::Ptx | Kind::Sass | Kind::Cubin | Kind::Fatbin => Emit::Cubin,
            _ => Emit::Ptx,
        }
    }
}

/// A word that names nothing that can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEmit(String);

impl fmt::Display for UnknownEmit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Emit::ALL.map(|emit| format!("`{}`", emit.name()));
        let UnknownEmit(word) = self;
        write!(f, "`{word}` cannot be emitted; {} can", names.join(", "))
    }
}

impl std::error::Error for UnknownEmit {}

impl FromStr for Emit {
    type Err = UnknownEmit;

    fn from_str(word: &str) -> Result<Emit, UnknownEmit> {
        let mut all = Emit::ALL.into_iter();
        let found = all.find(|emit| emit.name() == word);
        found.ok_or_else(|| UnknownEmit(word.to_owned()))
    }
}

/// Compiles, converts or assembles an input, and gives the bytes of the file that `warpc compile` would write.
///
/// ```
/// use warpc::{Emit, Options, Source};
///
/// let source = Source::new("k.ll", "define ptx_kernel void @k() {\n  ret void\n}\n")?;
/// let made = warpc::emit(&source, Emit::Ptx, &Options::default()).into_result()?;
/// assert!(made.starts_with(b".version"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn emit(source: &Source, emit: Emit, options: &Options) -> Output<Vec<u8>> {
    const IR: &[Kind] = &[Kind::Llvm, Kind::Mlir];
    let text = |output: Output<String>| output.map(String::into_bytes);
    match emit {
        Emit::Ptx | Emit::Llvm | Emit::Bitcode if !IR.contains(&source.kind()) => {
            enter(source, || wrong_kind(source, IR))
        }
        Emit::Ptx => text(crate::compile(source, options).map(|ptx| ptx.to_string())),
        Emit::Llvm => text(crate::replace_builtins(source, options).map(|llvm| llvm.to_string())),
        Emit::Bitcode => {
            crate::replace_builtins(source, options).and_then(|llvm| llvm.to_bitcode(options))
        }
        #[cfg(feature = "sass")]
        Emit::Cubin => crate::assemble(source, options).map(|cubin| cubin.write()),
        #[cfg(feature = "sass")]
        Emit::Sass => {
            text(crate::assemble(source, options).map(|cubin| crate::reassemblable(&cubin)))
        }
        #[cfg(not(feature = "sass"))]
        Emit::Cubin | Emit::Sass => enter(source, || {
            crate::door::left_out("cubins and assembly texts", "sass")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_kinds_and_outputs_agree() {
        for emit in Emit::ALL {
            assert_eq!(emit.name().parse(), Ok(emit));
        }
        let refused = "optixir".parse::<Emit>().expect_err("not made");
        assert!(refused.to_string().contains("`ptx`"), "{refused}");
        let source = Source::new("k.ll", "define ptx_kernel void @k() {\n  ret void\n}\n");
        let source = source.expect("a short text");
        let options = Options::new("sm_90".parse().expect("a chip"));
        for emit in Emit::ALL {
            let made = super::emit(&source, emit, &options);
            if emit == Emit::Bitcode {
                assert!(made.value.expect("it is made").starts_with(b"BC\xC0\xDE"));
            } else if cfg!(feature = "sass") || matches!(emit, Emit::Ptx | Emit::Llvm) {
                let bytes = made.value.expect("it is made");
                let again = Source::new("made", bytes).expect("it is short");
                assert_eq!(again.kind(), emit.kind());
            } else {
                assert!(made.diagnostics.to_string().contains("`sass`"));
            }
        }
        let ptx = Source::new("k.ptx", ".version 8.0\n").expect("a short text");
        let refused = super::emit(&ptx, Emit::Ptx, &options)
            .diagnostics
            .to_string();
        assert!(refused.contains("this is PTX"), "{refused}");
    }
}
