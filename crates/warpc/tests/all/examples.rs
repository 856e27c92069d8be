//! The examples do what they say.

use std::error::Error;

#[path = "../../examples/check.rs"]
mod check;
#[path = "../../examples/compile.rs"]
mod compile;
#[cfg(feature = "sass")]
#[path = "../../examples/disassemble.rs"]
mod disassemble;
#[cfg(feature = "sim")]
#[path = "../../examples/run.rs"]
mod run;

#[test]
fn compile_llvm_ir() -> Result<(), Box<dyn Error>> {
    compile::main()
}

#[test]
fn check_ptx() -> Result<(), Box<dyn Error>> {
    check::main()
}

#[cfg(feature = "sim")]
#[test]
fn run_a_kernel() -> Result<(), Box<dyn Error>> {
    run::main()
}

#[cfg(feature = "sass")]
#[test]
fn disassemble_a_cubin() -> Result<(), Box<dyn Error>> {
    disassemble::main()
}
