//! `warpc explain --kernel`: text, page, comparison, and what is refused.

use std::process::Command;
use warpc_testkit::scratch::Folder;

const PTX: &str = "\
.version 8.4
.target sm_90
.address_size 64
.visible .entry add(.param .u64 in, .param .u32 count) {
    .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [in];
    ld.param.u32 %r1, [count];
    mov.b32 %r2, 0;
    mov.f32 %f1, 0f00000000;
LOOP:
    ld.global.f32 %f2, [%rd1];
    add.rn.f32 %f1, %f1, %f2;
    add.s64 %rd1, %rd1, 4;
    add.s32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra LOOP;
    st.global.f32 [%rd1], %f1;
    ret;
}
.visible .entry nothing() { ret; }
";

/// Exit status, standard output, standard error.
fn said(words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    let output = command.args(words).output().expect("warpc runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().expect("it ended by itself");
    (status, text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_loop_is_explained_with_its_wait_and_its_ptx() {
    let folder = Folder::new("explain");
    let file = folder.file("k.ptx", PTX);
    let (status, out, err) = said(&["explain", "--kernel", file.to_str().unwrap(), "add"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("kernel add, sm_90"), "{out}");
    assert!(out.contains("loop 1 at .L1: "), "{out}");
    let line = out
        .lines()
        .find(|line| line.contains(" FADD "))
        .expect("a sum");
    assert!(
        line.contains("scoreboard") && line.contains("LDG.E at"),
        "{line}"
    );
    assert!(line.ends_with("12: add.rn.f32 %f1, %f1, %f2;"), "{line}");
}

#[test]
fn pages_are_whole_and_need_nothing_else() {
    let folder = Folder::new("explain");
    let file = folder.file("k.ptx", PTX);
    let (cubin, page) = (folder.join("k.cubin"), folder.join("k.html"));
    let file = file.to_str().unwrap();
    let (status, _, err) = said(&[
        "compile",
        file,
        "--arch",
        "sm_90",
        "-o",
        cubin.to_str().unwrap(),
    ]);
    assert_eq!(status, 0, "{err}");
    let html = page.to_str().unwrap();
    let words = [
        "explain",
        "--kernel",
        file,
        "add",
        "--beside",
        cubin.to_str().unwrap(),
        "--html",
        html,
    ];
    let (status, out, err) = said(&words);
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    let text = std::fs::read_to_string(&page).expect("a page");
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    // The same code on both sides.
    assert!(
        text.contains("1.000</td>") && !text.contains("class=\"n bad\""),
        "{text}"
    );
    for outside in ["<script", "src=", "http", "@import"] {
        assert!(!text.contains(outside), "{outside}");
    }
    // Every link has its place.
    for link in text.split("href=\"#").skip(1) {
        let name = link.split('"').next().unwrap();
        assert!(text.contains(&format!("id=\"{name}\"")), "{name}");
    }
}

#[test]
fn what_cannot_be_explained_is_told() {
    let folder = Folder::new("explain");
    let file = folder.file("k.ptx", PTX);
    let file = file.to_str().unwrap();
    let (status, _, err) = said(&["explain", "--kernel", file]);
    assert_eq!(status, 1);
    assert!(
        err.contains("several kernels, name one: `add`, `nothing`"),
        "{err}"
    );
    let (status, _, err) = said(&["explain", "--kernel", file, "sub"]);
    assert_eq!(status, 1);
    assert!(
        err.contains("no kernel `sub`; there are `add`, `nothing`"),
        "{err}"
    );
    let wrong = folder.file("wrong.ptx", PTX.replace("add.rn.f32", "add.rn.f31"));
    let (status, _, err) = said(&["explain", "--kernel", wrong.to_str().unwrap(), "add"]);
    assert_eq!(status, 1);
    assert!(err.contains("wrong.ptx:12:"), "{err}");
    let (status, _, _) = said(&["explain"]);
    assert_eq!(status, 2);
}
