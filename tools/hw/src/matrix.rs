//! The matrix suite: every matrix instruction of the chip, run by single warps on many inputs.
//!
//! ```text
//!   table rows ──forms──► Form ─┬─ kernel: one warp a tile; the tile's registers (or its piece of
//!                               │          memory) in, the results out
//!                               ├─ data:   the inputs, from the form's text and the tile's number
//!                               └─ judge:  what `warpc_sim::matrix` says
//! ```
//!
//! Inputs follow from the text of the instruction, so only answers are recorded ([`answers`]). A
//! comparison ([`report`]) says for each form how many elements are equal bit for bit, and how far the
//! others are off.

pub mod answers;
mod data;
mod forms;
mod moves;
pub mod on_sass_sim;
pub mod on_sim;
mod products;
pub mod report;
pub mod run;

pub use data::{KINDS, Kind};
pub use forms::{VERSION, target};

use std::fmt::Write;
use warpc_ptx::inst::Choice;
use warpc_ptx::types::ScalarType;
use warpc_testkit::Random;
use warpc_testkit::hash::fnv1a;

/// Tiles of a product: each kind of data several times.
const PRODUCT_TILES: usize = 5 * KINDS.len();
/// Tiles of an instruction that only moves: one kind of data, and every bit matters.
const MOVE_TILES: usize = 4;

/// A matrix instruction under test.
pub struct Form {
    /// The instruction with its operands; no other form has the same.
    pub text: String,
    /// What is computed, for a form that computes.
    pub element: ScalarType,
    /// Bytes a tile reads.
    pub input_bytes: usize,
    /// Bytes a tile writes.
    pub output_bytes: usize,
    /// Lines of the kernel that load, do it, and store.
    body: String,
    /// Registers the body uses, declared.
    registers: String,
    judge: Judge,
    choice: Choice,
}

enum Judge {
    Product(products::Judge),
    Move(moves::Judge),
}

impl Form {
    /// How many tiles it is tried with.
    pub fn tiles(&self) -> usize {
        match self.judge {
            Judge::Product(_) => PRODUCT_TILES,
            Judge::Move(_) => MOVE_TILES,
        }
    }

    /// What a tile reads.
    pub fn input(&self, tile: usize) -> Vec<u8> {
        let mut random = Random::new(fnv1a(&self.text) ^ tile as u64);
        match &self.judge {
            Judge::Product(judge) => judge.input(&self.choice, tile, &mut random),
            Judge::Move(judge) => judge.input(&mut random),
        }
    }

    /// What the emulator writes for an input.
    pub fn expected(&self, input: &[u8]) -> Vec<u8> {
        match &self.judge {
            Judge::Product(judge) => judge.expected(input),
            Judge::Move(judge) => judge.expected(input),
        }
    }

    /// The kernel.
    fn kernel(&self, name: &str) -> String {
        let mut out = String::new();
        let _ = write!(
            out,
            ".visible .entry {name}(.param .u64 input, .param .u64 output)\n{{\n\
             \t.reg .b64 %in, %out, %far, %near;\n\t.reg .b32 %tile, %lane;\n{}\
             \tld.param.u64 %in, [input];\n\tld.param.u64 %out, [output];\n\
             \tmov.u32 %tile, %ctaid.x;\n\tmov.u32 %lane, %tid.x;\n\
             \tmul.wide.u32 %far, %tile, {};\n\tadd.u64 %in, %in, %far;\n\
             \tmul.wide.u32 %far, %tile, {};\n\tadd.u64 %out, %out, %far;\n\
             {}\tret;\n}}\n\n",
            self.registers, self.input_bytes, self.output_bytes, self.body
        );
        out
    }
}

/// Every form of the suite, in the table's order.
pub fn suite() -> Vec<Form> {
    let mut suite: Vec<Form> = Vec::new();
    for (section, choice) in forms::all() {
        let found = match section {
            "matrix_move" => moves::forms(&choice),
            _ if moves::is_transfer(&choice) => moves::forms(&choice),
            _ => products::forms(&choice),
        };
        let valid = found.into_iter().filter(forms::is_valid);
        suite.extend(valid);
    }
    suite
}

/// The name of the kernel with this number in its module.
pub fn kernel_name(number: usize) -> String {
    format!("matrix{number}")
}

/// A module with a kernel for each form.
pub fn module<'a>(forms: impl IntoIterator<Item = &'a Form>) -> String {
    let mut out = format!(
        ".version {VERSION}\n.target {}\n.address_size 64\n\n",
        target()
    );
    for (number, form) in forms.into_iter().enumerate() {
        out.push_str(&form.kernel(&kernel_name(number)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Every form is there once, and the emulator has an answer of the right size for it.
    #[test]
    fn forms_are_complete() {
        let suite = suite();
        let texts: HashSet<&str> = suite.iter().map(|form| form.text.as_str()).collect();
        assert_eq!(texts.len(), suite.len());
        for opcode in [
            "mma.sync",
            "mma.sp",
            "wmma.mma",
            "wmma.load",
            "wmma.store",
            "ldmatrix",
        ] {
            assert!(
                texts.iter().any(|text| text.starts_with(opcode)),
                "{opcode}"
            );
        }
        for form in &suite {
            let input = form.input(1);
            assert_eq!(input.len(), form.input_bytes, "{}", form.text);
            assert_eq!(
                form.expected(&input).len(),
                form.output_bytes,
                "{}",
                form.text
            );
            assert_eq!(input, form.input(1));
        }
    }

    #[test]
    fn tiles_differ() {
        let suite = suite();
        let form = suite
            .iter()
            .find(|form| {
                form.text
                    .starts_with("mma.sync.aligned.m16n8k16.row.col.f32.f16")
            })
            .expect("the most usual product");
        let outputs: HashSet<Vec<u8>> = (0..form.tiles())
            .map(|tile| form.expected(&form.input(tile)))
            .collect();
        assert_eq!(outputs.len(), form.tiles());
    }
}
