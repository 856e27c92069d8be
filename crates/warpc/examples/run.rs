//! Runs a kernel on the emulator and reads its buffers: `cargo run -p warpc --features sim --example run`.

use std::error::Error;
use warpc::launch::{Argument, Launch};
use warpc::{Options, Source};

const SQUARES: &str = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @squares(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load i32, ptr addrspace(1) %from
  %y = mul i32 %x, %x
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %y, ptr addrspace(1) %to
  ret void
}
";

/// Squares eight numbers, then asks for more than the buffers hold.
pub fn main() -> Result<(), Box<dyn Error>> {
    let source = Source::new("squares.ll", SQUARES)?;
    let mut launch = Launch {
        kernel: "squares".to_owned(),
        grid: [1, 1, 1],
        block: [8, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(0), Argument::Buffer(1)],
    };
    let numbers: Vec<u8> = (0u32..8).flat_map(u32::to_le_bytes).collect();
    let buffers = [numbers, vec![0; 32]];
    let ran = warpc::run(&source, &launch, &buffers, &Options::default()).into_result()?;
    let (words, _) = ran.buffers[1].as_chunks::<4>();
    let squares: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    println!("{squares:?} {} in {:?}", ran.place, ran.time);
    assert_eq!(squares, [0, 1, 4, 9, 16, 25, 36, 49]);

    launch.block = [9, 1, 1];
    let found = warpc::run(&source, &launch, &buffers, &Options::default()).diagnostics;
    print!("{found}");
    assert_eq!(found.error_count(), 1);
    Ok(())
}
