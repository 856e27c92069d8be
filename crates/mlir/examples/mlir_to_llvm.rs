//! Prints the LLVM IR of a file of MLIR, as `mlir-translate --mlir-to-llvmir` does.
//!
//! `cargo run -p warpc-mlir --example mlir_to_llvm FILE...`

use std::process::ExitCode;
use warpc_diag::{SourceFile, render_human};

fn main() -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for name in std::env::args().skip(1) {
        let file = match std::fs::read(&name) {
            Ok(bytes) => SourceFile::new(name.as_str(), bytes),
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::from(2);
            }
        };
        let Some(file) = file else {
            eprintln!("{name}: too large");
            return ExitCode::from(2);
        };
        let read = warpc_mlir::read(&file);
        if read.diagnostics.has_errors() {
            eprint!("{}", render_human(&file, &read.diagnostics, false));
            status = ExitCode::from(1);
        } else {
            print!("{}", warpc_nvvm::print(read.value.as_ref().unwrap()));
        }
    }
    status
}
