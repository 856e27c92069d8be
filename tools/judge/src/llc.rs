//! The same cases through LLVM's own code generator: a judge that finds nothing wrong with it is broken.

use crate::asked::{Case, Target};
use crate::ir;
use crate::report::Fate;
use crate::run::{judged, steps};
use std::io::Write;
use std::process::{Command, Stdio};

/// The fates of cases that `llc` compiles. A module that it refuses, or makes no PTX of, is compiled in halves.
pub fn judge(llc: &str, cases: &[Case], target: Target) -> Result<Vec<Fate>, String> {
    let (text, _) = ir::module(cases);
    if let Some(ptx) = compile(llc, &text, target)? {
        // Some of what it writes is not a PTX, and would hide the rest.
        if cases.len() == 1 || steps(&ptx, cases.len()).is_ok() {
            return Ok(judged(&ptx, cases, target));
        }
    }
    match cases {
        [] => Ok(Vec::new()),
        [_] => Ok(vec![Fate::WronglyRefused("llc has no code for it".into())]),
        _ => {
            let (left, right) = cases.split_at(cases.len() / 2);
            let mut fates = judge(llc, left, target)?;
            fates.extend(judge(llc, right, target)?);
            Ok(fates)
        }
    }
}

/// The PTX of a module; `None` if it is refused.
fn compile(llc: &str, text: &str, target: Target) -> Result<Option<String>, String> {
    let failed = |e: std::io::Error| format!("cannot run {llc}: {e}");
    let mut child = Command::new(llc)
        .args(["-march=nvptx64", "-O3", "-o", "-"])
        .arg(format!("-mcpu=sm_{}", target.sm))
        // New enough for everything that its chips have.
        .arg("-mattr=+ptx87")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let mut input = child.stdin.take().ok_or("no way to write to llc")?;
    let text = text.to_owned();
    // It may end before it has read all.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).ok());
    let out = child.wait_with_output().map_err(failed)?;
    writer.join().map_err(|_| "cannot write to llc")?;
    let ptx = String::from_utf8_lossy(&out.stdout).into_owned();
    Ok(out.status.success().then_some(ptx))
}
