//! Directives between a function's parameters and its body: one row each.

use warpc_target::{Gate, PtxVersion, at_least};

/// A directive of functions.
#[derive(Debug)]
pub struct DirectiveRow {
    /// The name with its dot.
    pub name: &'static str,
    /// How many numbers it takes at least and at most.
    pub least_values: usize,
    /// See `least_values`.
    pub most_values: usize,
    /// Whether it takes strings instead, and ends with a semicolon.
    pub strings: bool,
    /// Whether kernels may have it.
    pub on_entry: bool,
    /// Whether device functions may have it.
    pub on_func: bool,
    /// What it needs.
    pub gate: Gate,
}

const fn row(name: &'static str, least: usize, most: usize, gate: Gate) -> DirectiveRow {
    DirectiveRow {
        name,
        least_values: least,
        most_values: most,
        strings: false,
        on_entry: true,
        on_func: false,
        gate,
    }
}

const fn v(major: u8, minor: u8) -> PtxVersion {
    PtxVersion::new(major, minor)
}

/// Every directive, in the manual's order.
pub static ROWS: [DirectiveRow; 13] = [
    row(".maxnreg", 1, 1, Gate::ALWAYS),
    row(".maxntid", 1, 3, Gate::ALWAYS),
    row(".reqntid", 1, 3, Gate::ALWAYS),
    row(".minnctapersm", 1, 1, Gate::ALWAYS),
    row(".maxnctapersm", 1, 1, Gate::ALWAYS),
    DirectiveRow {
        on_entry: false,
        on_func: true,
        ..row(".noreturn", 0, 0, Gate(&[at_least(60, v(6, 4))]))
    },
    DirectiveRow {
        strings: true,
        on_func: true,
        ..row(".pragma", 0, 0, Gate::ALWAYS)
    },
    row(".reqnctapercluster", 1, 3, Gate(&[at_least(90, v(7, 8))])),
    row(".explicitcluster", 0, 0, Gate(&[at_least(90, v(7, 8))])),
    row(".maxclusterrank", 1, 1, Gate(&[at_least(90, v(7, 8))])),
    row(".blocksareclusters", 0, 0, Gate(&[at_least(90, v(9, 0))])),
    DirectiveRow {
        on_entry: false,
        on_func: true,
        ..row(".abi_preserve", 1, 1, Gate(&[at_least(80, v(9, 0))]))
    },
    DirectiveRow {
        on_entry: false,
        on_func: true,
        ..row(
            ".abi_preserve_control",
            1,
            1,
            Gate(&[at_least(80, v(9, 0))]),
        )
    },
];

/// The row of a directive.
pub fn find(name: &str) -> Option<&'static DirectiveRow> {
    ROWS.iter().find(|row| row.name == name)
}
