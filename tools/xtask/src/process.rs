//! Running other programs: captured, or with their output passed through.

use crate::project::Outcome;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a captured program left behind.
pub struct Finished {
    /// Whether it exited with status 0.
    pub ok: bool,
    /// Whether it was ended by a signal, as ptxas sometimes is.
    pub crashed: bool,
    /// Standard output and standard error, one after the other.
    pub output: String,
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

/// Runs a program to its end and keeps what it printed.
pub fn capture(command: &mut Command) -> Outcome<Finished> {
    let out = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot run {}: {e}", name(command)))?;
    let mut output = String::from_utf8_lossy(&out.stdout).into_owned();
    output.push_str(&String::from_utf8_lossy(&out.stderr));
    Ok(Finished {
        ok: out.status.success(),
        crashed: out.status.code().is_none(),
        output,
    })
}

/// Like [`capture`], but gives up (with `None`) when the program takes longer than `patience`. Its output goes
/// through the file `log`, which is removed afterwards.
pub fn capture_within(
    command: &mut Command,
    patience: Duration,
    log: &Path,
) -> Outcome<Option<Finished>> {
    let file = |e: std::io::Error| format!("cannot write {}: {e}", log.display());
    let out = File::create(log).map_err(file)?;
    let err = out.try_clone().map_err(file)?;
    command.stdin(Stdio::null()).stdout(out).stderr(err);
    let mut child = command
        .spawn()
        .map_err(|e| format!("cannot run {}: {e}", name(command)))?;
    let start = Instant::now();
    let status = loop {
        match child
            .try_wait()
            .map_err(|e| format!("cannot wait for {}: {e}", name(command)))?
        {
            Some(status) => break status,
            None if start.elapsed() > patience => {
                child.kill().ok();
                child.wait().ok();
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let output = String::from_utf8_lossy(&std::fs::read(log).map_err(file)?).into_owned();
    std::fs::remove_file(log).ok();
    Ok(Some(Finished {
        ok: status.success(),
        crashed: status.code().is_none(),
        output,
    }))
}

/// Runs a program whose failure is an error; the message carries what it said about it.
pub fn must(what: &str, command: &mut Command) -> Outcome<String> {
    let done = capture(command)?;
    if done.ok {
        return Ok(done.output);
    }
    // The lines that speak of an error say most; without any, the end of the output does.
    let told: Vec<&str> = done
        .output
        .lines()
        .filter(|l| l.to_lowercase().contains("error"))
        .collect();
    let lines: Vec<&str> = done.output.lines().collect();
    let tail = if told.is_empty() {
        &lines[lines.len().saturating_sub(8)..]
    } else {
        &told[..told.len().min(8)]
    };
    let tail = tail.join("\n    ");
    Err(format!("{what} failed:\n    {tail}"))
}

/// Runs a program with its output passed through.
pub fn show(command: &mut Command) -> Outcome<bool> {
    Ok(command
        .status()
        .map_err(|e| format!("cannot run {}: {e}", name(command)))?
        .success())
}

/// Runs a program, passes its standard output through and hands each line to `see`.
pub fn show_lines(command: &mut Command, mut see: impl FnMut(&str)) -> Outcome<bool> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot run {}: {e}", name(command)))?;
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).split(b'\n') {
            let line = line.map_err(|e| format!("cannot read from {}: {e}", name(command)))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            see(&line);
        }
        std::io::stdout().flush().ok();
    }
    Ok(child
        .wait()
        .map_err(|e| format!("cannot wait for {}: {e}", name(command)))?
        .success())
}

/// The processor time in seconds of all programs that were run and have ended, where the system tells it.
///
/// Unlike the time on the clock it says the same on a busy machine as on a quiet one.
pub fn time_of_programs() -> f64 {
    // Clock ticks a second, for user space the same on all of Linux.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program stands in parentheses and may contain blanks; the times of children, in user and
    // system mode, are the 14th and 15th field after it.
    let after = stat.rsplit(')').next().unwrap_or_default();
    let fields = after.split_whitespace().skip(13).take(2);
    fields.filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// Whether a program of this name answers to `--version`.
pub fn exists(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

#[cfg(test)]
mod tests {
    use super::{capture, time_of_programs};
    use std::process::Command;

    #[test]
    #[cfg(target_os = "linux")]
    fn programs_that_count_take_time() {
        let before = time_of_programs();
        let count = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        capture(Command::new("sh").args(["-c", count])).expect("there is a shell");
        assert!(time_of_programs() > before);
    }
}
