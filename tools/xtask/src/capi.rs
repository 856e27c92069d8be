//! `./x capi`: the C API as files that programs are built with.
//!
//! ```text
//!   PREFIX/include/warpc.h
//!   PREFIX/lib/libwarpc.so.0  libwarpc.so (a link to it)  libwarpc.a
//!   PREFIX/lib/pkgconfig/warpc.pc
//! ```

use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name that programs look up at run time; the build script of the crate has it, too.
const SONAME: &str = "libwarpc.so.0";

/// The task.
pub fn capi(args: &[String]) -> Outcome {
    let prefix = match args {
        [] => project::root().join("target/capi"),
        [one] if !one.starts_with('-') => std::path::absolute(one).unwrap_or_else(|_| one.into()),
        _ => return Err("capi takes one folder, or nothing".into()),
    };
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(project::root()).args([
        "build",
        "--release",
        "--quiet",
        "--package",
        "warpc-capi",
    ]);
    process::must("building warpc-capi", &mut cargo)?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| project::root().join("target"), PathBuf::from);
    install(&target.join("release"), &prefix)?;
    println!("installed to {}", prefix.display());
    Ok(())
}

/// Puts what was built, the header and the file for pkg-config under a folder.
fn install(built: &Path, prefix: &Path) -> Outcome {
    let sources = project::root().join("crates/capi");
    let library = prefix.join("lib");
    let include = prefix.join("include");
    project::make_dir(&include)?;
    project::make_dir(&library)?;
    let copy = |from: PathBuf, to: PathBuf| -> Outcome {
        // Not over a file that a program may have loaded.
        std::fs::remove_file(&to).ok();
        std::fs::copy(&from, &to)
            .map_err(|e| format!("cannot copy {} to {}: {e}", from.display(), to.display()))?;
        Ok(())
    };
    copy(sources.join("include/warpc.h"), include.join("warpc.h"))?;
    copy(built.join("libwarpc_capi.a"), library.join("libwarpc.a"))?;
    copy(built.join("libwarpc_capi.so"), library.join(SONAME))?;
    let link = library.join("libwarpc.so");
    std::fs::remove_file(&link).ok();
    std::os::unix::fs::symlink(SONAME, &link)
        .map_err(|e| format!("cannot link {}: {e}", link.display()))?;
    let template = project::read(&sources.join("warpc.pc.in"))?;
    let text = template
        .replace("@PREFIX@", &prefix.display().to_string())
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    project::write(&library.join("pkgconfig/warpc.pc"), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_testkit::scratch::Folder;

    #[test]
    fn what_is_installed_is_whole() {
        let (built, prefix) = (Folder::new("capi-built"), Folder::new("capi-prefix"));
        built.file("libwarpc_capi.a", "static");
        built.file("libwarpc_capi.so", "shared");
        // The second time over the first.
        for _ in 0..2 {
            install(built.path(), prefix.path()).expect("it can be written");
        }
        let text = |name: &str| project::read(&prefix.join(name)).expect(name);
        assert_eq!(text("lib/libwarpc.so"), "shared");
        assert_eq!(text("lib/libwarpc.a"), "static");
        assert!(text("include/warpc.h").contains("warpc_compile("));
        let flags = text("lib/pkgconfig/warpc.pc");
        assert!(flags.starts_with(&format!("prefix={}\n", prefix.path().display())));
        assert!(!flags.contains('@'), "{flags}");
        let script = project::read(&project::root().join("crates/capi/build.rs")).expect("it");
        assert!(script.contains(SONAME));
    }
}
