//! Compiles LLVM IR to PTX: `cargo run -p warpc --example compile [FILE.ll]`.

use std::error::Error;
use warpc::{Options, Source};

const COUNT: &str = "define ptx_kernel void @count(ptr addrspace(1) %counter) {
  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 syncscope(\"device\") acq_rel
  ret void
}
";

/// Compiles the file that is named, or a kernel of its own.
pub fn main() -> Result<(), Box<dyn Error>> {
    let source = match std::env::args().nth(1).filter(|name| name.ends_with(".ll")) {
        Some(file) => Source::read(file)?,
        None => Source::new("count.ll", COUNT)?,
    };
    let output = warpc::compile(&source, &Options::new("sm_90".parse()?));
    // Warnings, and errors if there is no PTX.
    eprint!("{}", output.diagnostics);
    let ptx = output.value.ok_or("nothing was compiled")?;
    println!("{ptx}");
    assert!(ptx.to_string().contains(".acq_rel.gpu"));
    Ok(())
}
