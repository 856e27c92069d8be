//! Every `llvm.nvvm.read.ptx.sreg.*` intrinsic reads the special register that its name says.

use warpc::{Options, Source};

const INTRINSICS: &str = include_str!("../../../nvvm/src/intrinsics.txt");
const PREFIX: &str = "llvm.nvvm.read.ptx.sreg.";

/// `cluster.ctaid.x` is `%cluster_ctaid.x`; what the rule does not say stands in front.
fn register(name: &str) -> String {
    match name {
        // All chips have 32 lanes, and LLVM knows it.
        "warpsize" => return "32".to_owned(),
        "clock.hi" => return "%clock_hi".to_owned(),
        _ => {}
    }
    let (stem, place) = match name.rsplit_once('.') {
        Some((stem, place @ ("x" | "y" | "z" | "w"))) => (stem, format!(".{place}")),
        _ => (name, String::new()),
    };
    format!("%{}{place}", stem.replace('.', "_"))
}

#[test]
fn each_intrinsic_reads_its_register() {
    let mut count = 0;
    for line in INTRINSICS.lines() {
        let mut cells = line.split('\t');
        let Some(name) = cells.next().and_then(|name| name.strip_prefix(PREFIX)) else {
            continue;
        };
        let ty = cells.next().unwrap_or("");
        let text = format!(
            "target triple = \"nvptx64-nvidia-cuda\"\ndeclare {ty} @{PREFIX}{name}()\n\
             define ptx_kernel void @k(ptr %p) {{\n  %x = call {ty} @{PREFIX}{name}()\n  \
             store {ty} %x, ptr %p\n  ret void\n}}\n"
        );
        let source = Source::new("k.ll", text).expect("it is short");
        let options = Options::new("sm_100a".parse().expect("a chip"));
        let made = warpc::compile(&source, &options).into_result();
        let ptx = made
            .unwrap_or_else(|found| panic!("{name}: {found}"))
            .to_string();
        let wanted = format!("{};", register(name));
        let reads = ptx.lines().any(|line| {
            let mut words = line.split_whitespace();
            let moves = words.next().is_some_and(|word| word.starts_with("mov."));
            moves && words.last() == Some(wanted.as_str())
        });
        assert!(reads, "{name} should read {wanted}\n{ptx}");
        count += 1;
    }
    println!("{count} special registers");
    assert!(count >= 89, "{count}");
}
