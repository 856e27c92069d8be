//! `fma.oob`: a factor that marks an element outside a tensor makes the result zero.
//!
//! One NaN of 65,536 halves is the mark, and few operands of the form suite would meet it, so every
//! half is tried as a factor.

use super::kernel::Kernel;

/// Threads of a block.
const BLOCK: u32 = 256;

/// All kernels.
pub fn kernels() -> Vec<Kernel> {
    let mut list = Vec::new();
    // The other factor is 1.5, what is added is -2: no product gives zero.
    for (ty, factor, sum) in [("f16", 0x3e00, 0xc000), ("bf16", 0x3fc0, 0xc000)] {
        for relu in ["", ".relu"] {
            let instruction = format!("fma.rn{relu}.oob.{ty}");
            list.push(kernel(&instruction, factor, sum));
        }
    }
    list
}

/// Every half as the first factor, as the second, and as what is added.
fn kernel(instruction: &str, factor: u32, sum: u32) -> Kernel {
    let mut kernel = Kernel::new(instruction, 0);
    for name in ["%h", "%factor", "%sum", "%d"] {
        kernel.register(16, name);
    }
    kernel.line("cvt.u16.u32 %h, %n;");
    kernel.line(format!("mov.b16 %factor, {factor:#x};"));
    kernel.line(format!("mov.b16 %sum, {sum:#x};"));
    for operands in [
        "%h, %factor, %sum",
        "%factor, %h, %sum",
        "%factor, %factor, %h",
    ] {
        kernel.line(format!("{instruction} %d, {operands};"));
        kernel.output(16, "%d");
    }
    kernel.launch([0x1_0000 / BLOCK, 1, 1], [BLOCK, 1, 1], "", "");
    kernel
}
