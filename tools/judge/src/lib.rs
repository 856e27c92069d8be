//! A judge of memory order that did not write the code.
//!
//! ```text
//!   matrix ─► Case ─ ir ─► LLVM IR ─ the compiler ─► PTX ─ code ─► Step… ─ rules ─► equal, stronger or weaker
//!               └──────────────────────────────────────────────────────────┘
//! ```
//!
//! [`matrix`] lists every atomic of LLVM IR, [`ir`] writes each as a kernel, and [`code`] and [`rules`] judge what a
//! compiler made of it, from its text alone. They have their own reading of the PTX manual and their own order
//! table: nothing here asks the compiler's model what an order becomes. [`mutant`] holds order tables that are
//! wrong in one place, and [`damage`] breaks code that is right; the judge must notice each.
//!
//! ```text
//!   door ─► Written ─ the compiler ─► PTX ─ assembler ─► cubin ─ machine ─► exact, stronger or weaker ─► tally
//! ```
//!
//! [`door`] lists every other way to ask for an atomic, and [`machine`] judges the machine code that ptxas makes of
//! it ([`whole`]). [`raw`] is PTX whose strength is known, [`recorded`] what ptxas made of it.

pub mod asked;
pub mod assembler;
pub mod code;
pub mod damage;
pub mod distinct;
pub mod door;
pub mod expect;
pub mod ir;
pub mod llc;
pub mod machine;
pub mod matrix;
pub mod meaning;
pub mod mutant;
pub mod raw;
pub mod recorded;
pub mod report;
pub mod rules;
pub mod run;
pub mod tally;
pub mod text_damage;
pub mod whole;
