//! What the rules say against what ptxas was seen to emit.

mod atomic_checks;
mod calls;
mod check;
mod cost;
mod files;
mod forms;
mod groups;
mod kernel;
mod machine;
mod objects;
mod opcodes;
mod passes;
mod registers;
mod text;
mod trace;
mod tune;
mod wiring;
