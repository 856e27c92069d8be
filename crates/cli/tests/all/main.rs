//! The command as users meet it.

mod cicc;
mod command;
mod dis;
mod explain_kernel;
mod launches;
mod mlir;
mod objects;
mod ptxas;
mod races;
mod readme;
mod register_counts;
mod routines;
mod rules;
mod run_machine;
mod versions;
mod weak;
