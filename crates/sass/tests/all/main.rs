//! The tables of instructions and latencies against what ptxas makes and nvdisasm prints.

mod encodings;
mod latency;
mod shapes;
