//! File tests of single passes over the machine IR: `tests/files/pass/NAME/*.mir`.
//!
//! `// test: pass NAME [--registers N]` runs one pass over each function of the file. What is left must be the comment block
//! after `// expect mir:`; where that is IR, it must be verified and read back. Knobs are directives of functions (`.knob`),
//! so that a file can have the same function with a knob on and off.
//!
//! `tests/files/pass/build/*.ptx` are tests of the first pass, which makes the IR (phase 42): `// test: pass build`.
//!
//! A line with `// error: TEXT` must be refused with that text.
//!
//! `WARPC_BLESS=1` (`./x bless`) rewrites the blocks, after the same checks.

use std::fmt::Write;
use std::path::Path;
use warpc_diag::SourceFile;
use warpc_ptx_to_sass::passes::alone;
use warpc_ptx_to_sass::{Left, Options, assemble_observed, ir};
use warpc_testkit::directives::{Comment, Equal, Messages, Severity, compare_block};
use warpc_testkit::project;

const COMMENT: Comment = Comment::Slashes;

/// Registers of a thread, unless a test gives fewer.
const REGISTERS: u8 = 251;

/// The pass and the registers that a `// test:` line names.
fn command(text: &str) -> Result<(&str, u8), String> {
    let mut commands = COMMENT.values(text, "test");
    let line = commands.find_map(|line| line.strip_prefix("pass "));
    let line = line.ok_or("no line `// test: pass NAME`")?;
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [name] => Ok((name, REGISTERS)),
        [name, "--registers", count] => {
            let count = count.parse().map_err(|_| "not a number of registers")?;
            Ok((name, count))
        }
        _ => Err(format!("`{line}` is not a test")),
    }
}

fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let (name, registers) = command(&text)?;
    let folder = path.parent().and_then(|folder| folder.file_name());
    if folder.is_none_or(|folder| folder != name) {
        return Err(format!("a test of `{name}` is in another folder"));
    }
    let file = SourceFile::new("test.mir", text.clone()).ok_or("the file is too large")?;
    let read = ir::parse(&file);
    let mut messages = Messages::of(&text, COMMENT);
    for found in read.diagnostics.as_slice() {
        let place = file.position(found.span.start);
        messages.came(Severity::Error, place.line, place.column, &found.message);
    }
    let report = messages.report();
    if !report.is_empty() {
        return Err(report);
    }
    let Some(functions) = read.value else {
        return Ok(());
    };
    let mut made = String::new();
    for function in functions {
        let left = alone::run(name, function, registers)?;
        let printed = left.to_string();
        if let Some(function) = left.ir() {
            if let Some(fault) = ir::verify(function).first() {
                return Err(format!("what is left is wrong: {fault}\n{printed}"));
            }
            let again = SourceFile::new("left.mir", printed.clone()).ok_or("too large")?;
            let again = ir::parse(&again).value.ok_or("it does not read back")?;
            if again.iter().map(|one| one.to_string()).collect::<String>() != printed {
                return Err(format!("it reads back as something else:\n{printed}"));
            }
        }
        write!(made, "{printed}").map_err(|error| error.to_string())?;
    }
    compare_block(path, &text, (COMMENT, "mir"), Equal::Exactly, &made)
}

/// The IR that is made of the functions of a module must be the block after `// expect mir:`, and must read back.
fn build(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    if command(&text)?.0 != "build" {
        return Err("only `build` takes PTX".to_owned());
    }
    let file = SourceFile::new("test.ptx", text.clone()).ok_or("the file is too large")?;
    let checked = warpc_ptx::check(&file);
    let module = checked.value.ok_or("the module is wrong")?;
    let mut made = String::new();
    let mut after = |pass: &'static str, left: &dyn Left| {
        if pass == "build" {
            made.push_str(&left.to_string());
        }
    };
    let output = assemble_observed(&module, &Options::default(), &mut after);
    output.value.ok_or("the module is refused")?;
    let again = SourceFile::new("made.mir", made.clone()).ok_or("too large")?;
    let again = ir::parse(&again).value.ok_or("it does not read back")?;
    if again.iter().map(|one| one.to_string()).collect::<String>() != made {
        return Err(format!("it reads back as something else:\n{made}"));
    }
    compare_block(path, &text, (COMMENT, "mir"), Equal::Exactly, &made)
}

#[test]
fn the_first_pass_makes_what_files_expect() {
    let files = project::files(&project::tests().join("files/pass/build"), &[".ptx"]);
    assert!(files.len() >= 2, "files");
    let results = files.iter().filter_map(|path| {
        let error = build(path).err()?;
        Some(format!("{}: {error}\n", path.display()))
    });
    let report: String = results.collect();
    assert!(report.is_empty(), "{report}");
}

#[test]
fn passes_leave_what_files_expect() {
    let root = project::tests().join("files/pass");
    let files = project::files(&root, &[".mir"]);
    let mut report = String::new();
    for path in &files {
        if let Err(error) = run(path) {
            let name = path.strip_prefix(&root).unwrap_or(path).display();
            let _ = writeln!(report, "{name}: {error}");
        }
    }
    assert!(report.is_empty(), "{report}");
    assert!(
        files.len() >= 10,
        "there are {} files in {root:?}",
        files.len()
    );
}

#[test]
fn wrong_ir_is_not_run() {
    let text = ".kernel k on sm_90\n.regs %r0\n.L0:\n    MOV %r0, 0x5\n";
    let file = SourceFile::new("k.mir", text).expect("a short text");
    let functions = ir::parse(&file).unwrap();
    let refused = alone::run("opt_copies", functions[0].clone(), REGISTERS);
    assert!(refused.is_err_and(|what| what.contains("runs off the end")));
    let text = ".kernel k on sm_90\n.L0:\n    EXIT\n";
    let file = SourceFile::new("k.mir", text).expect("a short text");
    let functions = ir::parse(&file).unwrap();
    let refused = alone::run("opt_nothing", functions[0].clone(), REGISTERS);
    assert!(refused.is_err_and(|what| what.contains("there is no pass")));
}
