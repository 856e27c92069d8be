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
    }
}
