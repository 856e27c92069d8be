//! Directives between a function's parameters and its body, and pragmas: one row each.

use crate::table::gates::v;
use warpc_target::{Gate, at_least};

/// A directive of functions.
#[derive(Debug)]
pub struct DirectiveRow {
    /// The name with its dot.
    pub name: &'static str,
    /// How many numbers it takes at least.
    pub least_values: usize,
    /// How many numbers it takes at most.
    pub most_values: usize,
    /// The smallest number it takes.
    pub least: u32,
    /// The largest number it takes.
    pub most: u32,
    /// Whether it takes strings instead, and ends with a semicolon.
    pub strings: bool,
    /// Whether kernels may have it.
    pub on_entry: bool,
    /// Whether device functions may have it.
    pub on_func: bool,
    /// What it needs.
    pub gate: Gate,
}

const fn kernel(
    name: &'static str,
    least_values: usize,
    most_values: usize,
    gate: Gate,
) -> DirectiveRow {
    DirectiveRow {
        name,
        least_values,
        most_values,
        least: 0,
        most: u32::MAX,
        strings: false,
        on_entry: true,
        on_func: false,
        gate,
    }
}

const fn function(name: &'static str, values: usize, gate: Gate) -> DirectiveRow {
    DirectiveRow {
        on_entry: false,
        on_func: true,
        ..kernel(name, values, values, gate)
    }
}

impl DirectiveRow {
    const fn from(mut self, least: u32) -> DirectiveRow {
        self.least = least;
        self
    }

    const fn up_to(mut self, most: u32) -> DirectiveRow {
        self.most = most;
        self
    }
}

const ALWAYS: Gate = Gate::ALWAYS;
const CLUSTER: Gate = Gate(&[at_least(90, v(7, 8))]);
const ABI_PRESERVE: Gate = Gate(&[at_least(80, v(9, 0))]);

/// Every directive, in the manual's order. `.maxnctapersm` is not among them: ptxas refuses it
/// since PTX 2.1.
pub static ROWS: &[DirectiveRow] = &[
    kernel(".maxnreg", 1, 1, ALWAYS).from(1),
    kernel(".local_maxnreg", 1, 1, Gate(&[at_least(60, v(8, 8))])),
    kernel(".maxntid", 1, 3, ALWAYS).from(1),
    kernel(".reqntid", 1, 3, ALWAYS).from(1),
    kernel(".minnctapersm", 1, 1, ALWAYS).from(1),
    function(".noreturn", 0, Gate(&[at_least(60, v(6, 4))])),
    DirectiveRow {
        strings: true,
        ..kernel(".pragma", 0, 0, ALWAYS)
    },
    // The upper limits are what ptxas says, for every chip from sm_80 to sm_120.
    function(".abi_preserve", 1, ABI_PRESERVE).up_to(239),
    function(".abi_preserve_control", 1, ABI_PRESERVE).up_to(11),
    kernel(".reqnctapercluster", 1, 3, CLUSTER),
    kernel(".explicitcluster", 0, 0, CLUSTER),
    kernel(".maxclusterrank", 1, 1, CLUSTER),
    kernel(".blocksareclusters", 0, 0, Gate(&[at_least(90, v(9, 0))])),
];

/// The row of a directive.
pub fn find(name: &str) -> Option<&'static DirectiveRow> {
    ROWS.iter().find(|row| row.name == name)
}

/// A pragma that stands inside functions only. Strings that no row names are accepted and ignored.
#[derive(Debug)]
pub struct PragmaRow {
    /// The first word of the string.
    pub name: &'static str,
    /// The smallest number that may follow; `None` if none does.
    pub least: Option<u64>,
    /// What it needs.
    pub gate: Gate,
}

/// Every such pragma.
pub static PRAGMAS: &[PragmaRow] = &[
    PragmaRow {
        name: "used_bytes_mask",
        least: Some(0),
        gate: Gate(&[at_least(60, v(8, 3))]),
    },
    PragmaRow {
        name: "enable_smem_spilling",
        least: None,
        gate: Gate(&[at_least(60, v(8, 7))]),
    },
    PragmaRow {
        name: "frequency",
        least: Some(1),
        gate: Gate(&[at_least(60, v(9, 0))]),
    },
];
