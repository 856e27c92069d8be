//! What compilers make of a program, and whether they agree.

use crate::draft;
use crate::on_sim;
use crate::program::Program;
use std::io::Write;
use std::process::{Command, Stdio};

/// A compiler from LLVM IR to PTX. The error is what it says first.
pub type Compiler<'a> = dyn Fn(&str) -> Result<String, String> + Sync + 'a;

/// The chip that LLVM compiles for.
const LLC_CHIP: [&str; 2] = ["-mcpu=sm_75", "-mattr=+ptx86"];

/// LLVM's compiler at a level.
pub fn llc(level: &str, text: &str) -> Result<String, String> {
    command(
        "llc-22",
        &[&[level], &LLC_CHIP[..], &["-", "-o", "-"]].concat(),
        text,
    )
}

/// A program that reads LLVM IR from its standard input and writes PTX to its standard output.
pub fn command(program: &str, arguments: &[&str], text: &str) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("cannot run {program}: {e}");
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut input = child.stdin.take();
    let text = text.to_string();
    // The program may write before it has read everything.
    let writer = std::thread::spawn(move || {
        if let Some(input) = &mut input {
            // One that stops reading says why.
            input.write_all(text.as_bytes()).ok();
        }
    });
    let output = child.wait_with_output().map_err(failed)?;
    writer.join().ok();
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| !line.trim().is_empty());
    Err(line.unwrap_or("it failed and said nothing").to_string())
}

/// How a compiler did on a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The same bytes as the reference.
    Same,
    /// Other bytes; the first that differ: thread, offset, theirs and ours.
    Different(String),
    /// It says that it does not support something.
    Refused(String),
    /// It fails, or what it made cannot be run.
    Failed(String),
    /// The references do not agree or fail: the program says nothing.
    Unclear(String),
}

/// What LLVM's code writes; its two levels must agree.
pub fn reference(seed: u64, text: &str) -> Result<Vec<u8>, String> {
    let optimised = llc("-O2", text).and_then(|ptx| on_sim::run(&ptx, seed))?;
    let plain = llc("-O0", text).and_then(|ptx| on_sim::run(&ptx, seed))?;
    match difference(&plain, &optimised) {
        None => Ok(optimised),
        Some(text) => Err(format!("llc -O0 and -O2 differ: {text}")),
    }
}

/// A compiler beside the reference.
pub fn verdict(seed: u64, program: &Program, compiler: &Compiler<'_>) -> Verdict {
    let text = program.text();
    let ours = match compiler(&text).map(|ptx| on_sim::run(&ptx, seed)) {
        Ok(Ok(ours)) => ours,
        Ok(Err(message)) => return Verdict::Failed(message),
        Err(message) => return not_compiled(message),
    };
    match reference(seed, &text) {
        Err(message) => Verdict::Unclear(message),
        Ok(theirs) => match difference(&theirs, &ours) {
            None => Verdict::Same,
            Some(text) => Verdict::Different(text),
        },
    }
}

/// What to say of a program that a compiler gives no PTX for.
pub fn not_compiled(message: String) -> Verdict {
    match message.contains("warpc failed on this input") || message.contains("warpc made PTX") {
        true => Verdict::Failed(message),
        false => Verdict::Refused(message),
    }
}

/// The first byte that differs.
pub fn difference(theirs: &[u8], ours: &[u8]) -> Option<String> {
    let at = theirs.iter().zip(ours).position(|(a, b)| a != b)?;
    let stride = draft::OUTPUT as usize;
    let (thread, offset) = (at / stride, at % stride);
    let from = at / 4 * 4;
    let hex = |bytes: &[u8]| {
        let bytes = bytes[from..bytes.len().min(from + 8)].iter();
        bytes.map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    Some(format!(
        "thread {thread}, byte {offset}: {} and {}",
        hex(theirs),
        hex(ours)
    ))
}
