//! What the rules say against what ptxas was seen to emit.

mod forms;
mod opcodes;
