//! The version of NVVM IR that a module names: every door asks for it, of text and of bitcode, whatever the triple.

use std::io::Write;
use std::process::{Command, Stdio};
use warpc_testkit::scratch::Folder;

/// Status, standard output and standard error of a command; `check` is the value of `NVVM_IR_VER_CHK`.
fn warpc(arguments: &[&str], check: Option<&str>, input: &[u8]) -> (Option<i32>, Vec<u8>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    command.args(arguments).env_remove("NVVM_IR_VER_CHK");
    command.envs(check.map(|value| ("NVVM_IR_VER_CHK", value)));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output().expect("the command ends");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), output.stdout, err)
}

const GPU: &str = "nvptx64-nvidia-cuda";
const HOST: &str = "x86_64-unknown-linux-gnu";

/// A module that names versions.
fn module(triple: &str, version: &str) -> String {
    let triple = match triple {
        "" => String::new(),
        triple => format!("target triple = \"{triple}\"\n"),
    };
    format!(
        "{triple}define void @f() {{\n  ret void\n}}\n!nvvmir.version = !{{!0}}\n!0 = !{{{version}}}\n"
    )
}

/// The same module as text and as bitcode.
fn forms(text: &str) -> [Vec<u8>; 2] {
    let words = ["compile", "-", "--emit", "bc", "-o", "-"];
    let (status, bitcode, err) = warpc(&words, Some("0"), text.as_bytes());
    assert_eq!(status, Some(0), "{err}");
    assert!(bitcode.starts_with(b"BC\xC0\xDE"));
    [text.as_bytes().to_vec(), bitcode]
}

/// Every door, and whether it takes modules for other processors.
const DOORS: [(&[&str], bool); 8] = [
    (&["check", "-"], true),
    (&["compile", "-", "-o", "-"], false),
    (&["compile", "-", "--emit", "ll", "-o", "-"], true),
    (&["compile", "-", "--emit", "bc", "-o", "-"], true),
    (&["link", "-"], true),
    (&["cicc", "-", "-o", "-"], false),
    (&["cicc", "--emit-llvm-bc", "-", "-o", "-"], false),
    (&["cicc", "-gen-lto", "-", "-o", "-"], false),
];

const UNKNOWN: [(&str, &str); 6] = [
    ("i32 9, i32 9", "NVVM IR version 9.9 is not known"),
    ("i32 1, i32 0", "NVVM IR version 1.0 is not known"),
    ("i32 3, i32 3", "NVVM IR version 3.3 is not known"),
    (
        "i32 2, i32 0, i32 3, i32 3",
        "version 3.3 of NVVM IR's debug information is not known",
    ),
    (
        "i32 2, i32 0, i32 2, i32 0",
        "version 2.0 of NVVM IR's debug information is not known",
    ),
    ("i32 2", "`nvvmir.version` must hold two numbers"),
];

#[test]
fn unknown_versions_are_refused_at_every_door() {
    for triple in ["", GPU, HOST] {
        for (version, message) in UNKNOWN {
            for input in forms(&module(triple, version)) {
                for (words, takes_hosts) in DOORS {
                    if triple == HOST && !takes_hosts {
                        continue;
                    }
                    let (status, out, err) = warpc(words, None, &input);
                    let expected = if words[0] == "cicc" { 3 } else { 1 };
                    assert_eq!(status, Some(expected), "{words:?} {version}: {err}");
                    assert!(out.is_empty() && err.contains(message), "{words:?}: {err}");
                    if words[0] == "cicc" {
                        let last = "error: Broken module found, compilation aborted!\n";
                        assert!(err.ends_with(last), "{err}");
                    }
                    let (status, _, err) = warpc(words, Some("1"), &input);
                    assert_eq!(status, Some(expected), "{words:?} {version}: {err}");
                    let (status, _, err) = warpc(words, Some("0"), &input);
                    assert_eq!(status, Some(0), "{words:?} {version}: {err}");
                }
            }
        }
    }
}

#[test]
fn known_versions_are_taken_at_every_door() {
    for version in [
        "i32 2, i32 0",
        "i32 2, i32 0, i32 3, i32 0",
        "i32 2, i32 0, i32 3, i32 2",
        "i32 3, i32 0",
        "i32 3, i32 2",
    ] {
        for input in forms(&module(GPU, version)) {
            for (words, _) in DOORS {
                let (status, _, err) = warpc(words, None, &input);
                assert_eq!(status, Some(0), "{words:?} {version}: {err}");
            }
        }
    }
}

/// `-disable-bitcode-version-upgrade`: only the newest versions are taken.
#[test]
fn older_versions_are_refused_without_upgrades() {
    for (version, taken) in [
        ("i32 2, i32 0", true),
        ("i32 2, i32 0, i32 3, i32 2", true),
        ("i32 3, i32 2", true),
        ("i32 2, i32 0, i32 3, i32 1", false),
        ("i32 3, i32 1", false),
    ] {
        for input in forms(&module(GPU, version)) {
            let words = ["cicc", "-disable-bitcode-version-upgrade", "-", "-o", "-"];
            let (status, _, err) = warpc(&words, None, &input);
            let expected = if taken { 0 } else { 3 };
            assert_eq!(status, Some(expected), "{version}: {err}");
            assert_eq!(taken, !err.contains("modules are not upgraded"), "{err}");
            let (status, _, err) = warpc(&words, Some("0"), &input);
            assert_eq!(status, Some(0), "{version}: {err}");
        }
    }
}

/// A module that breaks LLVM's rules: the same words as NVIDIA's, the status of a compilation that failed.
#[test]
fn broken_modules_are_named_as_such_by_cicc() {
    let folder = Folder::new("versions");
    folder.file(
        "k.ll",
        "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  br label %b\nb:\n  ret i32 %x\n}\n",
    );
    let path = folder.join("k.ll");
    let name = path.to_str().expect("a name in UTF-8");
    let (status, _, err) = warpc(&["cicc", name, "-o", "-"], None, b"");
    assert_eq!(status, Some(9), "{err}");
    assert!(
        err.ends_with("error: Broken module found, compilation aborted!\n"),
        "{err}"
    );
}
