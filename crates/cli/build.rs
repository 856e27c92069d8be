//! Links `warpc` so that it starts fast: a small module is compiled in less time than the dynamic linker would take.
//!
//! The tables of instructions are full of pointers. At an address that is known when the program is linked they need no
//! relocation, 25,000 of them, nor a copy of every page that they are on. The functions that unwind the stack come out of
//! the archive of the C compiler, where it has one, which is one library less to look for and to map.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") != "linux" || target("ENV") != "gnu" {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-no-pie");
    if std::env::var("HOST") == std::env::var("TARGET") && has_unwinder() {
        println!("cargo:rustc-link-lib=gcc_eh");
    }
}

/// Whether the C compiler, which links, has the archive. It answers with the bare name if it has not.
fn has_unwinder() -> bool {
    const NAME: &str = "libgcc_eh.a";
    let mut cc = Command::new("cc");
    let said = cc.arg(format!("-print-file-name={NAME}")).output();
    said.is_ok_and(|said| {
        let path = String::from_utf8_lossy(&said.stdout);
        path.trim() != NAME && std::path::Path::new(path.trim()).exists()
    })
}
