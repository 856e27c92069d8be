//! The rows: a file for each run of numbers that belong together, in the order of the numbers.
//!
//! A row is number, name, category, first chip (0: all), signature in the notation of
//! [`crate::signature`], source. The chips are those for which PTX has the instructions, as ptxas says it, or for which
//! others do the same: what `warpc builtins` lists, `explain` shows and the compiler takes is one thing.

mod address;
mod atomic_cxx11;
mod atomic_legacy;
mod binary;
mod convert;
mod matrix;
mod runtime;
mod surface;
mod sync;
mod ternary;
mod unary;
mod unnumbered;
mod warp;

use crate::{Builtin, Category, Signature, Source};
use warpc_target::Chips;

/// How many builtins there are.
pub const COUNT: usize = 770;

pub use unnumbered::ROWS as UNNUMBERED;

/// Every row; number N stands at N - 1.
pub static ALL: [Builtin; COUNT] = join();

const fn row(
    id: u16,
    name: &'static str,
    category: Category,
    first_chip: u16,
    signature: &'static str,
    source: Source,
) -> Builtin {
    Builtin {
        id,
        name,
        category,
        chips: match first_chip {
            0 => None,
            number => Some(Chips::AtLeast(number)),
        },
        signature: Signature::parse(signature),
        source,
    }
}

impl Builtin {
    /// The same on other chips.
    const fn on(mut self, chips: Chips) -> Builtin {
        self.chips = Some(chips);
        self
    }
}

const fn join() -> [Builtin; COUNT] {
    let runs: [&[Builtin]; 12] = [
        &sync::ROWS,
        &unary::ROWS,
        &convert::ROWS,
        &address::ROWS,
        &atomic_legacy::ROWS,
        &binary::ROWS,
        &warp::ROWS,
        &ternary::ROWS,
        &atomic_cxx11::ROWS,
        &surface::ROWS,
        &runtime::ROWS,
        &matrix::ROWS,
    ];
    let mut all = [sync::ROWS[0]; COUNT];
    let (mut run, mut next) = (0, 0);
    while run < runs.len() {
        let mut i = 0;
        while i < runs[run].len() {
            all[next] = runs[run][i];
            next += 1;
            assert!(all[next - 1].id as usize == next, "a row out of order");
            i += 1;
        }
        run += 1;
    }
    assert!(next == COUNT);
    all
}
