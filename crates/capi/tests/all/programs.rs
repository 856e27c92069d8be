//! C programs, compiled with `cc` and run: linked to the shared library and to the static one.

use std::path::{Path, PathBuf};
use std::process::Command;
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

/// What the static library needs besides itself.
pub const STATIC: [&str; 5] = ["-lpthread", "-ldl", "-lm", "-lgcc_s", "-lc"];

/// Warnings are errors: the header must be clean.
const STRICT: [&str; 6] = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-pedantic",
    "-Wstrict-prototypes",
    "-g",
];

/// The library that cargo built for this test, next to its program: `so` or `a`.
pub fn built(ending: &str) -> PathBuf {
    let program = std::env::current_exe().expect("this test is a program");
    let path = program.with_file_name(format!("libwarpc_capi.{ending}"));
    assert!(path.is_file(), "{} is not there", path.display());
    path
}

fn folder() -> PathBuf {
    project::root().join("crates/capi")
}

fn must(what: &str, command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{what}: {}\n{text}", output.status);
    text
}

/// The compiler that builds Rust programs needs a linker, so there is one.
fn cc(standard: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    command.arg(format!("-std={standard}")).args(STRICT);
    command.arg("-I").arg(folder().join("include"));
    command
}

/// Compiles a program with both libraries and runs it; it prints `ok`.
fn run(name: &str) {
    let source = folder().join(format!("tests/c/{name}.c"));
    let scratch = Folder::new("capi");
    // The name that programs look up at run time.
    let shared = scratch.join("libwarpc.so.0");
    std::os::unix::fs::symlink(built("so"), &shared).expect("it can be linked");
    let with_shared = scratch.join("with_shared");
    let mut command = cc("c11");
    command
        .arg(&source)
        .arg("-o")
        .arg(&with_shared)
        .arg(&shared);
    must("cc", command.arg("-lpthread"));
    let with_static = scratch.join("with_static");
    let mut command = cc("c99");
    command.arg(&source).arg("-o").arg(&with_static);
    must("cc", command.arg(built("a")).args(STATIC));
    for program in [&with_shared, &with_static] {
        let mut command = Command::new(program);
        command
            .env("LD_LIBRARY_PATH", scratch.path())
            .current_dir(scratch.path());
        let text = must(name, &mut command);
        assert!(text.ends_with("ok\n"), "{name}:\n{text}");
    }
}

#[test]
fn every_function_is_used() {
    run("every_function");
    let source = std::fs::read_to_string(folder().join("tests/c/every_function.c"));
    let source = source.expect("it is there");
    let header = crate::header::header();
    for line in header.lines().filter(|line| line.ends_with(");")) {
        let name = line.split('(').next().unwrap_or_default();
        let name = name.rsplit([' ', '*']).next().unwrap_or_default();
        assert!(source.contains(&format!("{name}(")), "{name} is not used");
    }
}

#[test]
fn misuse_is_refused() {
    run("misuse");
}

#[test]
fn threads_share_handles() {
    run("threads");
}

#[test]
fn the_example_of_the_documentation_runs() {
    let page = project::root().join("docs/c-api.md");
    let page = std::fs::read_to_string(page).expect("it is there");
    let (_, example) = page.split_once("```c\n").expect("an example");
    let (example, _) = example.split_once("```").expect("it ends");
    let scratch = Folder::new("capi");
    let source = scratch.file("example.c", example);
    let shared = scratch.join("libwarpc.so.0");
    std::os::unix::fs::symlink(built("so"), &shared).expect("it can be linked");
    let program = scratch.join("example");
    let mut command = cc("c11");
    must(
        "cc",
        command.arg(&source).arg("-o").arg(&program).arg(&shared),
    );
    let mut command = Command::new(&program);
    let text = must("example", command.env("LD_LIBRARY_PATH", scratch.path()));
    assert_eq!(text, "0 3 6 9\n");
}

#[test]
fn the_header_is_also_cxx() {
    let scratch = Folder::new("capi");
    let text = "#include \"warpc.h\"\nint main() { return warpc_api_version() == WARPC_API_VERSION ? 0 : 1; }\n";
    let source = scratch.file("header.cpp", text);
    let mut command = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    // Only read: the driver for C can do that where there is a front end for C++.
    command.args(["-x", "c++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]);
    command.arg("-I").arg(folder().join("include")).arg(&source);
    let output = command.output().expect("there is a compiler");
    let errors = String::from_utf8_lossy(&output.stderr);
    let is_missing = errors.contains("cc1plus") || errors.contains("No such file");
    assert!(output.status.success() || is_missing, "{errors}");
    check_guards(&folder().join("include/warpc.h"));
}

/// Without a compiler of C++ the text shows it.
fn check_guards(header: &Path) {
    let text = std::fs::read_to_string(header).expect("it is there");
    assert_eq!(text.matches("#ifdef __cplusplus").count(), 2);
    assert!(text.contains("extern \"C\" {"));
}
