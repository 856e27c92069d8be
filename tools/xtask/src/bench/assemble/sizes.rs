//! Modules of all sizes, and one that is slow for ptxas: processor time and memory of whole processes on one thread.

use super::{CHIP, generate};
use crate::bench::compile::peak;
use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// ptxas may take this long for the slow one; beyond, the table says so.
const PATIENCE: Duration = Duration::from_secs(600);

/// A module.
struct Size {
    name: &'static str,
    text: fn() -> String,
    /// How many processes there are in a round: the system counts in hundredths of a second.
    processes: usize,
    /// Whether ptxas is measured too.
    both: bool,
}

const SIZES: [Size; 9] = [
    Size {
        name: "tiny: 20 instructions",
        text: || generate::module(1, 20),
        processes: 100,
        both: true,
    },
    Size {
        name: "medium: 500 instructions",
        text: || generate::module(1, 500),
        processes: 50,
        both: true,
    },
    Size {
        name: "large: 20,000 instructions in 40 kernels",
        text: || generate::module(40, 500),
        processes: 5,
        both: true,
    },
    Size {
        name: "giant: 20,000 instructions in a kernel",
        text: || generate::module(1, 20_000),
        processes: 3,
        both: true,
    },
    Size {
        name: "`wmma` product of 36,000 lines",
        text: || generate::product(36_000),
        processes: 1,
        both: true,
    },
    Size {
        name: "100,000 instructions in 200 kernels",
        text: || generate::module(200, 500),
        processes: 1,
        both: false,
    },
    Size {
        name: "1,000,000 instructions in 2,000 kernels",
        text: || generate::module(2_000, 500),
        processes: 1,
        both: false,
    },
    Size {
        name: "100,000 instructions in a kernel",
        text: || generate::module(1, 100_000),
        processes: 1,
        both: false,
    },
    Size {
        name: "1,000,000 instructions in a kernel",
        text: || generate::module(1, 1_000_000),
        processes: 1,
        both: false,
    },
];

/// Rounds in which both programs take turns; the best of each counts.
const ROUNDS: usize = 3;

/// What a program takes for a module: seconds of the processor and bytes.
type Cost = (f64, f64);

/// The part of the page.
pub fn section(warpc: &Path, ptxas: &Path) -> Outcome<String> {
    let mut text = format!(
        "\nModules of several sizes for {CHIP}, processor time of whole processes on one thread (best of {ROUNDS} rounds), and the \
         peak of their memory:\n\n\
         | module | warpc compile | ptxas -O3 | times faster | memory | ptxas's |\n|---|---|---|---|---|---|\n"
    );
    for size in &SIZES {
        let line = line(size, warpc, ptxas)?;
        print!("{line}");
        text.push_str(&line);
    }
    Ok(text)
}

fn line(size: &Size, warpc: &Path, ptxas: &Path) -> Outcome<String> {
    let folder = project::root().join("target/bench");
    let file = folder.join("size.ptx");
    project::write(&file, (size.text)())?;
    let out = folder.join("size.cubin");
    let ours = |command: &mut Command| {
        command.args(["compile", "-j", "1", "--arch", CHIP, "-o"]);
        command.arg(&out).arg(&file);
    };
    let theirs = |command: &mut Command| {
        command.args(["-O3", &format!("-arch={CHIP}"), "-o"]);
        command.arg(&out).arg(&file);
    };
    let (mut own, mut other) = (f64::INFINITY, None);
    for _ in 0..ROUNDS {
        own = own.min(processor(warpc, &ours, size.processes)?);
        if size.both {
            let new = patient(ptxas, &theirs, size.processes)?;
            other = new.map(|new: f64| other.map_or(new, |old: f64| old.min(new)));
            if other.is_none_or(|seconds| seconds > 10.0) {
                break;
            }
        }
    }
    let peak_of = |program: &Path, arguments: &dyn Fn(&mut Command)| {
        let mut command = Command::new(program);
        arguments(&mut command);
        peak(&command)
    };
    let own: Cost = (own, peak_of(warpc, &ours)?);
    let other: Option<Cost> = match other {
        Some(seconds) => Some((seconds, peak_of(ptxas, &theirs)?)),
        None => None,
    };
    let name = size.name;
    let seconds = |time: f64| match time < 1.0 {
        true => format!("{:.2} ms", time * 1e3),
        false => format!("{time:.2} s"),
    };
    let megabytes = |bytes: f64| format!("{:.0} MB", bytes / 1e6);
    let theirs = match (other, size.both) {
        (Some(other), _) => [
            seconds(other.0),
            format!("{:.1}", other.0 / own.0),
            megabytes(other.1),
        ],
        (None, true) => [
            format!("over {} s", PATIENCE.as_secs()),
            format!("over {:.0}", PATIENCE.as_secs_f64() / own.0),
            "-".to_owned(),
        ],
        (None, false) => ["-", "-", "-"].map(str::to_owned),
    };
    Ok(format!(
        "| {name} | {} | {} | {} | {} | {} |\n",
        seconds(own.0),
        theirs[0],
        theirs[1],
        megabytes(own.1),
        theirs[2]
    ))
}

/// The processor time of a process, of so many one after the other.
fn processor(program: &Path, arguments: &dyn Fn(&mut Command), processes: usize) -> Outcome<f64> {
    let before = process::time_of_programs();
    for _ in 0..processes {
        let mut command = Command::new(program);
        arguments(&mut command);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let status = command.status();
        let status = status.map_err(|e| format!("cannot run {command:?}: {e}"))?;
        if !status.success() {
            return Err(format!("{command:?} fails"));
        }
    }
    Ok((process::time_of_programs() - before) / processes as f64)
}

/// The same of a program that may take too long: then nothing.
fn patient(
    program: &Path,
    arguments: &dyn Fn(&mut Command),
    processes: usize,
) -> Outcome<Option<f64>> {
    if processes > 1 {
        return processor(program, arguments, processes).map(Some);
    }
    let mut command = Command::new(program);
    arguments(&mut command);
    let log: PathBuf = project::root().join("target/bench/size.log");
    let before = process::time_of_programs();
    match process::capture_within(&mut command, PATIENCE, &log)? {
        Some(done) if done.ok => Ok(Some(process::time_of_programs() - before)),
        Some(done) => Err(format!("{command:?} fails: {}", done.output)),
        None => Ok(None),
    }
}
