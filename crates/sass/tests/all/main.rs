//! The tables of instructions, latencies and sequences against what ptxas makes and nvdisasm prints.

mod encodings;
mod latency;
mod shapes;
mod vocabulary;
