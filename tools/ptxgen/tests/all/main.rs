//! Tests of the generator, and of the assembler by a sample of its programs.

mod divisions;
mod machine_text;
mod regressions;
mod sample;
mod tree;
