//! Links the command at a fixed address on Linux.
//!
//! The tables of instructions, builtins and intrinsics are full of addresses of texts, 25,000 of them. In a program that
//! can be anywhere, the dynamic linker writes all of them when it starts, and touches every page of the tables: a third of
//! the time that a small kernel takes. Stack, heap and libraries stay where the system puts them at random.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        if std::env::var("HOST") == std::env::var("TARGET") && has_unwinder() {
            println!("cargo::rustc-link-lib=gcc_eh");
        }
    }
}

/// Whether the C compiler, which links, has the functions that unwind the stack as an archive: then there is one library
/// less to look for and to map. It answers with the bare name if it has not.
fn has_unwinder() -> bool {
    const NAME: &str = "libgcc_eh.a";
    let mut cc = std::process::Command::new("cc");
    let said = cc.arg(format!("-print-file-name={NAME}")).output();
    said.is_ok_and(|said| {
        let path = String::from_utf8_lossy(&said.stdout);
        path.trim() != NAME && std::path::Path::new(path.trim()).exists()
    })
}
