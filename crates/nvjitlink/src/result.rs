//! Result codes and kinds of inputs; the numbers are those of `nvJitLink.h`.

/// What a function answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum JitLinkResult {
    /// Done.
    Success = 0,
    /// The option is unknown, or has a value that it cannot have.
    UnrecognizedOption = 1,
    /// There is no `-arch`.
    MissingArch = 2,
    /// An argument is invalid, or what is asked for was not made.
    InvalidInput = 3,
    /// The PTX could not be assembled.
    PtxCompile = 4,
    /// The LTO-IR could not be compiled.
    NvvmCompile = 5,
    /// A failure of the library, or nothing was linked.
    Internal = 6,
    /// The kind of input is not one that is linked.
    UnrecognizedInput = 8,
    /// The inputs could not be made into one.
    Finalize = 9,
    /// A pointer is null.
    NullInput = 10,
    /// Options that do not go together.
    IncompatibleOptions = 11,
    /// The input is of another kind than said.
    IncorrectInputType = 12,
    /// The chip is not known.
    UnrecognizedArch = 16,
    /// There is no assembler for the chip.
    UnsupportedArch = 17,
    /// LTO-IR without `-lto`.
    LtoNotEnabled = 18,
}

/// What an input is said to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A cubin.
    Cubin,
    /// PTX.
    Ptx,
    /// LTO-IR.
    LtoIr,
    /// What it is by its bytes.
    Any,
    /// A fatbin, an object or library of the host, an index.
    Container(&'static str),
}

impl Input {
    /// The kind of a number.
    pub fn of(number: i32) -> Option<Input> {
        Some(match number {
            1 => Input::Cubin,
            2 => Input::Ptx,
            3 => Input::LtoIr,
            4 => Input::Container("fatbins"),
            5 => Input::Container("host objects"),
            6 => Input::Container("host libraries"),
            7 => Input::Container("index files"),
            10 => Input::Any,
            _ => return None,
        })
    }
}
