//! Our reader, verifier, printer and linker of LLVM IR against LLVM's: recorded answers, and its own tools where they
//! may be used. `docs/testing.md` says how the data were made and how to make them again.

mod bitcode_read;
mod bitcode_write;
mod corpus;
mod cut;
mod data;
mod link;
mod mutants;
mod print;
mod verdicts;
