//! Our judgement against the recorded judgement of ptxas. `docs/testing.md` says how the tables
//! were made and how to make them again.

mod corpus;
mod instructions;
mod modules;
mod mutants;
mod operands;
