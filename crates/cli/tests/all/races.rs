//! `warpc run --races` on LLVM IR: both places are in the source, and the flag and the default do what they say.

use std::process::Command;
use warpc_testkit::scratch::Folder;

const KERNEL: &str = r#"; run: --grid 1 --block 64 --arg u32[64]=0
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [64 x i32] undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  store i32 %t, ptr addrspace(3) %own, align 4
  BARRIER
  %n = xor i32 %t, 32
  %other = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %n
  %v = load i32, ptr addrspace(3) %other, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %to, align 4
  ret void
}
"#;

#[test]
fn llvm_ir() {
    let folder = Folder::new("races");
    let file = folder.path().join("k.ll");
    let run = |barrier: &str, flags: &[&str]| {
        std::fs::write(&file, KERNEL.replace("BARRIER", barrier)).expect("it is written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
        // What no thread has written yet is another finding.
        let flags = [&["--init", "off"], flags].concat();
        let output = command.arg("run").arg(&file).args(flags).output();
        let output = output.expect("warpc runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text)
    };
    let barrier = "call void @llvm.nvvm.barrier0()";
    for flags in [&[][..], &["--races", "shared"], &["--races", "all"]] {
        let (status, text) = run("", flags);
        assert_eq!(status, Some(1), "{text}");
        for part in [
            "error[W0740]",
            "store i32 %t",
            "%v = load i32",
            "`bar.sync`",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let (status, text) = run(barrier, flags);
        assert_eq!(status, Some(0), "{text}");
    }
    assert_eq!(run("", &["--races", "off"]).0, Some(0));
}
