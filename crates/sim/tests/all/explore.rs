//! Exploring schedules: what is found in kernels of which it is known, and against a plain enumeration of all interleavings.

mod judge;
mod kernels;
mod naive;
mod racy;

use std::collections::{BTreeMap, BTreeSet};
use warpc_diag::SourceFile;
use warpc_ptx::Module;
use warpc_sim::explore::{End, Guide, Schedule, Search, Trace};
use warpc_sim::{Argument, Device, Launch, Options, Races};

const HEAD: &str = ".version 8.6\n.target sm_90a\n.address_size 64\n";

/// Words of the buffer.
const WORDS: usize = 128;

/// What became of a launch in all its schedules.
#[derive(Debug, Default)]
struct Explored {
    /// The buffers of runs that came to their end.
    finals: BTreeSet<Vec<u32>>,
    /// Codes and lines of findings, each with the first schedule that shows it.
    findings: BTreeMap<(&'static str, usize), Schedule>,
    /// Runs that were whole.
    schedules: u64,
    runs: u64,
    /// Whether nothing is left.
    is_all: bool,
    /// Whether a run took too many steps.
    is_limited: bool,
}

/// How a launch is explored.
#[derive(Clone, Copy)]
struct Setting {
    grid: u32,
    block: u32,
    races: Races,
    /// Whether uses of uninitialised memory are looked for.
    init: bool,
    most: u64,
}

fn module(text: &str) -> Module {
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    assert!(
        !checked.diagnostics.has_errors(),
        "{text}\n{}",
        warpc_diag::render_human(&file, &checked.diagnostics, false)
    );
    checked.value.expect("no errors")
}

/// What one run found, what it left if it came to its end, and what it did.
type Run = (Vec<(&'static str, usize)>, Option<Vec<u32>>, Trace);

fn run(module: &Module, text: &str, setting: Setting, guide: Guide) -> Run {
    let options = Options {
        races: setting.races,
        init: setting.init,
        ..Options::default()
    };
    let mut device = Device::new(module, options);
    let buffer = device.named_buffer("data", &[0; 4 * WORDS]);
    device.follow(guide);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [setting.grid, 1, 1],
        block: [setting.block, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    });
    let trace = device.followed().expect("a guide").into_trace();
    let (is_done, found) = match outcome {
        Ok(report) => (true, report.warnings),
        Err(found) => (false, found),
    };
    let line = |start: u32| {
        let end = (start as usize + 1).min(text.len());
        text[..end].lines().count()
    };
    let found = found.as_slice().iter();
    // Threads of these kernels exit before barriers on purpose.
    let found = found.filter(|one| one.code.0 != "W0739");
    let found = found
        .map(|one| (one.code.0, line(one.span.start)))
        .collect();
    let bytes = device.read(buffer);
    let words = bytes
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    (found, is_done.then(|| words.collect()), trace)
}

fn explore(text: &str, setting: Setting) -> Explored {
    let module = module(text);
    let mut search = Search::default();
    let mut explored = Explored::default();
    loop {
        let tasks = search.batch(4);
        if tasks.is_empty() || explored.runs >= setting.most || explored.is_limited {
            explored.is_all = tasks.is_empty();
            return explored;
        }
        for task in tasks {
            let (found, words, trace) = run(&module, text, setting, task.guide());
            explored.runs += 1;
            match trace.end() {
                End::Whole => explored.schedules += 1,
                End::Limit => explored.is_limited = true,
                End::Waiting | End::Redundant => {}
                End::Unfit(event) => panic!("event {event} of a path does not fit:\n{text}"),
            }
            for one in found {
                let first = || trace.schedule();
                explored.findings.entry(one).or_insert_with(first);
            }
            explored.finals.extend(words);
            search.finish(task, &trace);
        }
    }
}

/// The codes of what was found.
fn codes(explored: &Explored) -> BTreeSet<&'static str> {
    explored.findings.keys().map(|(code, _)| *code).collect()
}
