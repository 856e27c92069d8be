//! Our judgement against the recorded judgement of LLVM. `docs/testing.md` says how the data were made and how
//! to make them again.

mod corpus;
mod cut;
mod data;
mod mutants;
