//! The kernels that were written by hand, one row a file of `tests/kernels/sass`.

use super::case::Case;
use super::{memory, numbers, warps};
use warpc::{Kind, Options, Source};

/// A kernel.
#[derive(Clone, Copy)]
pub struct Hand {
    /// The name of the kernel and of its file.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
    /// What it is launched with, and what it must leave.
    pub cases: fn() -> Vec<Case>,
}

macro_rules! hand {
    ($($name:ident $cases:path,)*) => {
        &[$(Hand {
            name: stringify!($name),
            text: include_str!(concat!("../../../../tests/kernels/sass/", stringify!($name), ".sass")),
            cases: $cases,
        }),*]
    };
}

/// All kernels.
pub static KERNELS: &[Hand] = hand![
    vector_add numbers::vector_add,
    saxpy numbers::saxpy,
    polynomial numbers::polynomial,
    matrix numbers::matrix,
    uniform numbers::uniform,
    calls numbers::calls,
    reduce memory::reduce,
    histogram memory::histogram,
    handover memory::handover,
    lock memory::lock,
    mbarrier memory::mbarrier,
    bulk_copy memory::bulk_copy,
    async_copy memory::async_copy,
    pipeline memory::pipeline,
    ring memory::ring,
    wide_swap memory::wide_swap,
    scan warps::scan,
    votes warps::votes,
    collatz warps::collatz,
    breaks warps::breaks,
];

/// The cubin of a text. The error is the first diagnostic.
pub fn assembled(name: &str, text: &str) -> Result<Vec<u8>, String> {
    let source = Source::of_kind(Kind::Sass, format!("{name}.sass"), text);
    let source = source.map_err(|error| error.to_string())?;
    let made = warpc::assemble(&source, &Options::default());
    match (made.diagnostics.first_error(), made.value) {
        (None, Some(cubin)) => Ok(cubin.write()),
        (Some(error), _) => Err(format!("{name}: {}", error.message)),
        (None, None) => Err(format!("{name}: nothing was made")),
    }
}
