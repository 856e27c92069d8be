//! Kernels that change how many registers their warps have (`setmaxnreg`), on the emulator of machine code, which knows how
//! many there are.

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};
use warpc_testkit::scratch::Folder;

/// Values that threads hold at a time: those that ask for more registers, and the others.
const MANY: usize = 200;
const SOME: usize = 14;
/// Threads: a warpgroup that gives registers back, and two that take them.
const THREADS: usize = 384;
const GIVING: usize = 128;

/// Copies of so many values at a time: all are loaded before the first is stored.
fn copies(text: &mut String, count: usize, barrier: &str) {
    for i in 0..count {
        let at = 4 * THREADS * i;
        writeln!(text, "ld.volatile.global.u32 %r{i}, [%rd1+{at}];").expect("a string takes all");
    }
    writeln!(text, "{barrier}").expect("a string takes all");
    for i in 0..count {
        let at = 4 * THREADS * i;
        writeln!(text, "st.volatile.global.u32 [%rd2+{at}], %r{i};").expect("a string takes all");
    }
}

/// A kernel whose first warpgroup gives registers back, and whose others take them.
fn kernel(bounds: &str) -> String {
    let mut text = format!(
        ".version 8.4\n.target sm_90a\n.address_size 64\n\
         .visible .entry k(.param .u64 from, .param .u64 to) {bounds}\n{{\n\
         .reg .pred %p<2>;\n.reg .b32 %r<{}>;\n.reg .b64 %rd<4>;\n\
         ld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\n\
         mov.u32 %r{MANY}, %tid.x;\nmul.wide.u32 %rd3, %r{MANY}, 4;\n\
         add.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n\
         setp.lt.u32 %p1, %r{MANY}, {GIVING};\n@%p1 bra GIVE;\n\
         setmaxnreg.inc.sync.aligned.u32 240;\n",
        MANY + 1
    );
    copies(&mut text, MANY, "bar.sync 1, 256;");
    text += "bra END;\nGIVE:\nsetmaxnreg.dec.sync.aligned.u32 24;\n";
    copies(&mut text, SOME, "bar.sync 2, 128;");
    text += "END:\nret;\n}\n";
    text
}

fn warpc(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    command.args(words).output().expect("warpc runs")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The assembly text of a kernel, and what is said when it is assembled.
fn assembled(folder: &Folder, ptx: &str) -> (String, String) {
    let (source, cubin) = (folder.join("k.ptx"), folder.join("k.cubin"));
    std::fs::write(&source, ptx).expect("a file");
    let name = |path: &Path| path.display().to_string();
    let words = ["ptxas", "-v", "-arch", "sm_90a", &name(&source), "-o"];
    let made = warpc(&[&words[..], &[&name(&cubin)]].concat());
    assert!(made.status.success(), "{}", message(&made));
    let text = warpc(&["dis", "--reassemblable", &name(&cubin)]);
    assert!(text.status.success(), "{}", message(&text));
    (
        String::from_utf8(text.stdout).expect("text"),
        message(&made),
    )
}

/// Runs an assembly text: what was copied, or what was found.
fn copied(folder: &Folder, text: &str) -> Result<Vec<u64>, String> {
    let file = folder.join("k.sass");
    std::fs::write(&file, text).expect("a file");
    let words = THREADS * MANY;
    let (from, to) = (format!("u32[{words}]=iota"), format!("u32[{words}]=0"));
    let (file, threads) = (file.display().to_string(), THREADS.to_string());
    let launch = ["run", &file, "--grid", "1", "--block", &threads];
    let arguments = ["--arg", &from, "--arg", &to, "--print", "1"];
    let rest = ["--message-format", "json", "--limit", "2000000"];
    let output = warpc(&[&launch[..], &arguments, &rest].concat());
    if !output.status.success() {
        return Err(message(&output));
    }
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let values = report["buffers"][0]["values"].as_array().expect("numbers");
    Ok(values
        .iter()
        .map(|one| one.as_u64().expect("one"))
        .collect())
}

/// That the threads that take registers have copied all their values, and the others theirs.
fn check(values: &[u64]) {
    for (at, value) in values.iter().enumerate() {
        let (thread, number) = (at % THREADS, at / THREADS);
        let is_copied = thread >= GIVING || number < SOME;
        let wanted = if is_copied { at as u64 } else { 0 };
        assert_eq!(*value, wanted, "value {number} of thread {thread}");
    }
}

#[test]
fn warps_take_registers_that_others_give_back() {
    let folder = Folder::new("register-counts");
    let ptx = kernel(".maxntid 384, 1, 1 .minnctapersm 1");
    let (text, said) = assembled(&folder, &ptx);
    assert!(said.contains("Used 168 registers"), "{said}");
    assert!(said.contains("0 bytes spill stores"), "{said}");
    assert!(text.contains("USETMAXREG.DEALLOC.CTAPOOL 0x18"), "{text}");
    check(&copied(&folder, &text).expect("no findings"));
    // Code that uses registers that its warp does not have is found.
    for (from, to, wanted) in [
        (
            "DEALLOC.CTAPOOL 0x18",
            "DEALLOC.CTAPOOL 0x10",
            "the warp has 16 registers",
        ),
        ("UP0, 0xf0", "UP0, 0xb0", "the warp has 176 registers"),
    ] {
        let found = copied(&folder, &text.replace(from, to));
        let found = found.expect_err("a register that is not there");
        assert!(found.contains(wanted), "{found}");
    }
    // There are no more than were given back.
    let found = copied(
        &folder,
        &text.replace("DEALLOC.CTAPOOL 0x18", "DEALLOC.CTAPOOL 0xa8"),
    );
    assert!(found.is_err(), "{found:?}");
}

#[test]
fn nothing_changes_where_the_first_number_is_not_known() {
    let folder = Folder::new("register-counts-unknown");
    for bounds in ["", ".maxntid 384, 1, 1"] {
        let (text, said) = assembled(&folder, &kernel(bounds));
        assert!(!text.contains("USETMAXREG"), "{text}");
        assert_eq!(
            said.contains(" 0 bytes spill stores"),
            bounds.is_empty(),
            "{said}"
        );
        check(&copied(&folder, &text).expect("no findings"));
    }
}

#[test]
fn a_bound_of_registers_is_the_first_number() {
    let folder = Folder::new("register-counts-bound");
    let (text, said) = assembled(&folder, &kernel(".maxnreg 168"));
    assert!(said.contains("Used 168 registers"), "{said}");
    assert!(text.contains("USETMAXREG"), "{text}");
    check(&copied(&folder, &text).expect("no findings"));
}
