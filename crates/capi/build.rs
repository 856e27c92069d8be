//! Gives `libwarpc.so` the name that programs look it up by: the major version of the ABI is a part of it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libwarpc.so.0");
    }
}
