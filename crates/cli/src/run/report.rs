//! What `warpc run` says when a launch is over: results, what ran where, and what it took.

use super::schedules::Schedules;
use super::style::{self, Style};
use crate::MessageFormat;
use std::fmt::Write;
use warpc::{Check, Cycles, Diagnostics, Done, LeftOut, Ran, Why};
use warpc_ptx::types::{Meaning, ScalarType};
use warpc_request::{Difference, Memory, Request, Shown, Step, number, show};
use warpc_sim::Report;

/// The version of the objects that `--message-format json` prints; `docs/run.schema.json` describes them.
const VERSION: u32 = 1;

/// A launch of a request that came to its end, with what is known of it.
pub struct Told<'a> {
    /// The whole request.
    pub request: &'a Request,
    /// Which of its launches it is.
    pub number: usize,
    /// What the launch did, and memory after it.
    pub done: &'a Done,
    /// How that differs from what was expected.
    pub differences: &'a [Difference],
    /// What was found, in any launch.
    pub found: &'a Diagnostics,
    /// What was not looked for, in any launch.
    pub left_out: &'a [LeftOut],
    /// How many interleavings were run, if it was asked for.
    pub seeds: Option<u64>,
    /// What exploring schedules came to, if it was asked for.
    pub explored: Option<&'a Schedules>,
}

impl Told<'_> {
    fn step(&self) -> &Step {
        &self.request.steps[self.number]
    }

    fn ran(&self) -> &Ran {
        &self.done.ran
    }

    /// The last launch tells what was found in all.
    fn is_last(&self) -> bool {
        self.number + 1 == self.request.steps.len()
    }
}

/// What something shown is: `argument 0`, `buffer`, `variable`.
fn kind(shown: &Shown) -> String {
    match (&shown.memory, shown.argument) {
        (_, Some(number)) => format!("argument {number}"),
        (Memory::Buffer(_), None) => "buffer".to_owned(),
        (Memory::Variable(_), None) => "variable".to_owned(),
    }
}

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What was asked for with `--print`.
    Results,
    /// What ran, too, and what it took.
    Usual,
    /// All that was counted.
    Everything,
}

/// Says which of several launches comes.
pub fn heading(number: usize, of: usize) {
    let style = Style::stdout();
    let empty = if number > 1 { "\n" } else { "" };
    print(
        format!(
            "{empty}{}\n",
            style.dim(&format!("── launch {number} of {of}"))
        )
        .as_bytes(),
    );
}

/// Prints for people.
pub fn human(told: &Told<'_>, detail: Detail) {
    if let Some(report) = &told.ran().report {
        print(&report.output);
    }
    if told.number > 0 && detail != Detail::Results {
        print(b"\n");
    }
    let text = text(told, detail, Style::stdout());
    print(text.as_bytes());
}

/// Prints what a kernel printed that came to no good end.
pub fn output_before_failure(request: &Request, output: &[u8], format: MessageFormat) {
    if output.is_empty() {
        return;
    }
    match format {
        MessageFormat::Human => print(output),
        MessageFormat::Json => {
            let object = serde_json::json!({
                "version": VERSION,
                "kernel": request.launch().kernel,
                "output": String::from_utf8_lossy(output),
            });
            print(format!("{object}\n").as_bytes());
        }
    }
}

/// Says what exploring came to where no schedule came to its end.
pub fn explored_alone(request: &Request, explored: &Schedules, format: MessageFormat) {
    match format {
        MessageFormat::Human => print(format!("{}\n", explored.words).as_bytes()),
        MessageFormat::Json => {
            let object = serde_json::json!({
                "version": VERSION,
                "kernel": request.launch().kernel,
                "explored": explored.object(),
            });
            print(format!("{object}\n").as_bytes());
        }
    }
}

/// Writes to standard output. Nobody is left to tell when it is closed.
fn print(bytes: &[u8]) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

fn text(told: &Told<'_>, detail: Detail, style: Style) -> String {
    let (step, outcome) = (told.step(), told.ran());
    let mut out = String::new();
    if detail != Detail::Results {
        let _ = writeln!(out, "{}\n", what_ran(step, outcome, style));
    }
    for shown in &step.shown {
        let bytes = told.done.after.bytes(&shown.memory);
        let len = bytes.len() / shown.ty.bytes() as usize;
        let title = format!("{}, {}[{len}]", kind(shown), shown.ty.name());
        let _ = writeln!(out, "{} {}", style.bold(&shown.name), style.dim(&title));
        let _ = writeln!(out, "{}", show::columns(bytes, shown.ty, shown.count));
    }
    if detail == Detail::Results {
        return out;
    }
    if detail == Detail::Everything {
        rows(&mut out, &sizes(told), style);
    }
    match &outcome.report {
        Some(report) => {
            let mut counted = counts(report, detail);
            counted.extend(outcome.cycles.map(cycles));
            rows(&mut out, &counted, style);
        }
        None => {
            let _ = writeln!(out, "done in {}", style::time(outcome.time));
        }
    }
    let count = told.found.as_slice().len();
    let found = (outcome.report.is_some() && told.is_last()).then(|| {
        let kind = match told.found.has_errors() || count == 0 {
            true => "finding",
            false => "warning",
        };
        let found = match count {
            0 => "no findings".to_owned(),
            1 => format!("1 {kind}"),
            more => format!("{more} {kind}s"),
        };
        if let Some(explored) = told.explored {
            return format!("{found} in {}", explored.words);
        }
        match told.seeds {
            Some(1) => format!("{found} with 1 seed"),
            Some(seeds) => format!("{found} with {seeds} seeds"),
            None => found,
        }
    });
    let judged = match (step.expected.is_empty(), told.differences.is_empty()) {
        (true, _) => None,
        (false, true) => Some("results as expected".to_owned()),
        (false, false) => Some("results not as expected".to_owned()),
    };
    let left_out = found.as_ref().and_then(|_| not_looked_for(told));
    let verdict: Vec<String> = found.into_iter().chain(judged).collect();
    if !verdict.is_empty() {
        let verdict = verdict.join(", ");
        let good = told.differences.is_empty() && count == 0;
        let _ = writeln!(
            out,
            "{}",
            if good { style.green(&verdict) } else { verdict }
        );
        if let Some(left_out) = left_out {
            let _ = writeln!(out, "{left_out}");
        }
    }
    out
}

/// What was not looked for, why, and how it would be.
fn not_looked_for(told: &Told<'_>) -> Option<String> {
    let why = |check| told.left_out.iter().find(|one| one.check == check);
    let why = |check| why(check).map(|one| one.why);
    let races = match (why(Check::SharedRaces), why(Check::GlobalRaces)) {
        (Some(Why::MachineCode), _) => {
            Some("races and uses of uninitialised memory were not looked for: this is machine code")
        }
        (Some(_), _) => Some("races were not looked for (`--races`)"),
        (None, Some(Why::Large)) => {
            Some("races in global memory were not looked for: the launch is large (`--races all`)")
        }
        (None, Some(_)) => Some("races in global memory were not looked for (`--races all`)"),
        (None, None) => None,
    };
    // Where no races were looked for, the line above says so.
    let tensor = match why(Check::SharedRaces) {
        None if why(Check::TensorRaces).is_some() => {
            Some("races in tensor memory were not looked for: they are not followed")
        }
        _ => None,
    };
    let init = match why(Check::Uninitialised) {
        Some(Why::MachineCode) | None => None,
        Some(_) => Some("uses of uninitialised memory were not looked for (`--init on`)"),
    };
    let parts: Vec<&str> = races.into_iter().chain(tensor).chain(init).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// What ran, without colours.
pub fn title(told: &Told<'_>) -> String {
    what_ran(told.step(), told.ran(), Style::plain())
}

/// `histogram: 4 blocks of 256 threads, sm_70, on the emulator …`
fn what_ran(step: &Step, outcome: &Ran, style: Style) -> String {
    let shape = outcome;
    let one_block = shape.grid == [1; 3];
    let mut text = format!(
        "{}: {} {} of {} threads",
        style.bold(&kernel(&step.launch.kernel)),
        style::shape(shape.grid),
        if one_block { "block" } else { "blocks" },
        style::shape(shape.block)
    );
    if shape.cluster != [1; 3] {
        let _ = write!(text, " in clusters of {}", style::shape(shape.cluster));
    }
    if step.launch.cooperative {
        text.push_str(", cooperative");
    }
    let _ = write!(text, ", {}, {}", outcome.chip, outcome.place);
    text
}

/// A kernel's name as people write it.
fn kernel(name: &str) -> String {
    warpc_request::names::readable(name).unwrap_or_else(|| name.to_owned())
}

/// What is counted, how often, and a remark.
type Row = (&'static str, u64, String);

/// The counts of the emulator.
fn counts(report: &Report, detail: Detail) -> Vec<Row> {
    let counts = &report.counts;
    let ratio = |a: u64, b: u64| a as f64 / b.max(1) as f64;
    let speed = counts.thread_instructions as f64 / report.time.as_secs_f64().max(1e-9);
    let lanes = ratio(counts.thread_instructions, counts.warp_instructions);
    let mut accesses = style::bytes(counts.bytes);
    if detail == Detail::Everything {
        let each = ratio(counts.bytes, counts.accesses);
        let _ = write!(accesses, ", {each:.1} bytes each");
    }
    vec![
        (
            "thread instructions",
            counts.thread_instructions,
            format!(
                "in {}, {} a second",
                style::time(report.time),
                style::rate(speed)
            ),
        ),
        (
            "warp instructions",
            counts.warp_instructions,
            format!("{lanes:.1} threads each"),
        ),
        ("barriers", counts.barriers, String::new()),
        ("atomics", counts.atomics, String::new()),
        ("memory accesses", counts.accesses, accesses),
        ("warp operations", counts.collectives, String::new()),
    ]
}

/// The cycles of machine code.
fn cycles(cycles: Cycles) -> Row {
    let each = cycles.total as f64 / cycles.warps.max(1) as f64;
    let remark = format!("of the longest warp, {each:.0} on average, estimated");
    ("cycles", cycles.longest, remark)
}

/// How large the launch is.
fn sizes(told: &Told<'_>) -> Vec<Row> {
    let (request, outcome) = (told.request, told.ran());
    let count = |shape: [u32; 3]| shape.iter().map(|n| u64::from(*n)).product::<u64>();
    let shape = outcome;
    let (blocks, threads) = (count(shape.grid), count(shape.block));
    let dynamic = u64::from(told.step().launch.dynamic_shared);
    let buffers: u64 = request.buffers.iter().map(|b| b.bytes.len() as u64).sum();
    vec![
        (
            "threads",
            blocks * threads,
            format!("{} warps", style::grouped(blocks * threads.div_ceil(32))),
        ),
        (
            "shared memory",
            shape.static_shared + dynamic,
            format!("bytes a block, {} of them dynamic", style::grouped(dynamic)),
        ),
        (
            "buffers",
            request.buffers.len() as u64,
            style::bytes(buffers),
        ),
    ]
}

/// A line for each row; what did not happen is left out.
fn rows(out: &mut String, rows: &[Row], style: Style) {
    // Wide enough for the usual, so that groups of rows are aligned.
    const LEAST: usize = 10;
    let shown = || rows.iter().filter(|(_, count, _)| *count > 0);
    let widths = shown().map(|(_, count, _)| style::grouped(*count).len());
    let width = widths.max().unwrap_or(1).max(LEAST);
    for (name, count, remark) in shown() {
        let line = format!("{name:<19}  {:>width$}  ", style::grouped(*count));
        let line = format!("{line}{}", style.dim(remark));
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Prints one JSON object.
pub fn json(told: &Told<'_>) {
    print(format!("{}\n", object(told)).as_bytes());
}

fn object(told: &Told<'_>) -> serde_json::Value {
    let (step, outcome) = (told.step(), told.ran());
    let buffers: Vec<serde_json::Value> = step
        .shown
        .iter()
        .map(|shown| {
            let values: Vec<serde_json::Value> =
                show::elements(told.done.after.bytes(&shown.memory), shown.ty)
                    .take(shown.count.unwrap_or(usize::MAX))
                    .map(|bits| value(bits, shown.ty))
                    .collect();
            let mut object = serde_json::json!({
                "name": shown.name,
                "kind": match (&shown.memory, shown.argument) {
                    (_, Some(_)) => "argument",
                    (Memory::Buffer(_), None) => "buffer",
                    (Memory::Variable(_), None) => "variable",
                },
                "type": shown.ty.name(),
                "values": values,
            });
            if let Some(number) = shown.argument {
                object["argument"] = number.into();
            }
            object
        })
        .collect();
    let mut object = serde_json::json!({
        "version": VERSION,
        "launch": told.number,
        "launches": told.request.steps.len(),
        "kernel": step.launch.kernel,
        "name": kernel(&step.launch.kernel),
        "cooperative": step.launch.cooperative,
        "grid": outcome.grid,
        "block": outcome.block,
        "cluster": outcome.cluster,
        "chip": outcome.chip,
        "place": outcome.place,
        "time_ns": outcome.time.as_nanos() as u64,
        "buffers": buffers,
        "as_expected": told.differences.is_empty(),
    });
    if outcome.report.is_some() {
        let left_out = outcome.left_out.iter().map(|one| one.check.name());
        object["not_looked_for"] = left_out.collect::<Vec<_>>().into();
    }
    if told.is_last() {
        object["findings"] = told.found.as_slice().len().into();
    }
    if let Some(seeds) = told.seeds {
        object["seeds"] = seeds.into();
    }
    if let Some(explored) = told.explored.filter(|_| told.is_last()) {
        object["explored"] = explored.object();
    }
    if let Some(report) = &outcome.report {
        let counts = &report.counts;
        object["output"] = String::from_utf8_lossy(&report.output).into();
        object["workers"] = report.workers.into();
        if let Some(peak) = crate::peak::peak_bytes() {
            object["peak_bytes"] = peak.into();
        }
        object["counts"] = serde_json::json!({
            "thread_instructions": counts.thread_instructions,
            "warp_instructions": counts.warp_instructions,
            "barriers": counts.barriers,
            "atomics": counts.atomics,
            "accesses": counts.accesses,
            "bytes": counts.bytes,
            "collectives": counts.collectives,
        });
    }
    if let Some(cycles) = outcome.cycles {
        object["cycles"] = serde_json::json!({
            "warps": cycles.warps,
            "total": cycles.total,
            "longest": cycles.longest,
        });
    }
    object
}

/// A number where JSON has it, exactly the value of the element; text for bits, and for what is not a number of JSON.
fn value(bits: u128, ty: ScalarType) -> serde_json::Value {
    /// Whole numbers below this have no fraction in any type.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    let text = || number::format(bits, ty);
    if let Some(value) = number::value(bits, ty) {
        // What is written as text and read again may be off by a unit in the last place.
        let is_whole = value.fract() == 0.0 && value.abs() < WHOLE;
        return match is_whole && !(value == 0.0 && value.is_sign_negative()) {
            true => (value as i64).into(),
            false => serde_json::Number::from_f64(value).map_or_else(|| text().into(), Into::into),
        };
    }
    match ty.meaning() {
        Meaning::Bits => text().into(),
        _ => serde_json::from_str::<serde_json::Number>(&text())
            .map_or_else(|_| text().into(), Into::into),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use warpc_diag::SourceFile;
    use warpc_request::cases;

    const TEXT: &str = "// run: --grid 4 --block 32,2 --cluster 2 --arg u32[4]=iota --print 0 --expect 0:=7\n\
        .version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 out) { ret; }\n";

    /// What a run says that left `buffer` after.
    fn said(buffer: [u32; 4], detail: Detail) -> (String, serde_json::Value) {
        let file = SourceFile::new("k.ptx", TEXT).expect("a short text");
        let module = warpc_ptx::check(&file).unwrap();
        let case = &cases(&file).expect("it is right")[0];
        let request = Request::new(&module, &case.options).expect("it is right");
        let mut report = Report::default();
        report.counts.thread_instructions = 1_234_567;
        report.counts.warp_instructions = 40_000;
        report.counts.accesses = 300;
        report.counts.bytes = 1200;
        report.time = Duration::from_millis(10);
        report.output = b"hello\n".to_vec();
        let launch = request.launch();
        let shape = launch.check(&module, module.sm).expect("it can be");
        let mut ran = Ran::default();
        ran.grid = shape.grid;
        ran.block = shape.block;
        ran.cluster = shape.cluster;
        ran.place = "on the emulator".to_owned();
        ran.chip = module.sm.to_string();
        ran.time = report.time;
        ran.report = Some(report);
        let after = warpc_request::After {
            buffers: vec![buffer.iter().flat_map(|n| n.to_le_bytes()).collect()],
            ..Default::default()
        };
        let differences = request.steps[0].differences(&after);
        let told = Told {
            request: &request,
            number: 0,
            done: &Done { ran, after },
            differences: &differences,
            found: &Diagnostics::new(),
            left_out: &[LeftOut {
                check: Check::GlobalRaces,
                why: Why::Large,
            }],
            seeds: None,
            explored: None,
        };
        (text(&told, detail, Style::plain()), object(&told))
    }

    #[test]
    fn text_for_people() {
        let (text, _) = said([7; 4], Detail::Usual);
        let wanted = "\
k: 4 blocks of 32 x 2 threads in clusters of 2, sm_90, on the emulator

out argument 0, u32[4]
  0 │ 7 7 7 7

thread instructions   1,234,567  in 10.0 ms, 123 million a second
warp instructions        40,000  30.9 threads each
memory accesses             300  1.2 KB
no findings, results as expected
races in global memory were not looked for: the launch is large (`--races all`)
";
        assert_eq!(text, wanted);
        let (text, _) = said([7, 7, 8, 7], Detail::Results);
        assert_eq!(text, "out argument 0, u32[4]\n  0 │ 7 7 8 7\n\n");
        let (text, _) = said([7, 7, 8, 7], Detail::Everything);
        assert!(
            text.contains("threads                     256  8 warps\n"),
            "{text}"
        );
        assert!(text.contains("1.2 KB, 4.0 bytes each\n"), "{text}");
        assert!(
            text.contains("no findings, results not as expected\n"),
            "{text}"
        );
    }

    #[test]
    fn json_for_programs() {
        let (_, object) = said([7, 7, 8, 7], Detail::Usual);
        assert_eq!(object["kernel"], "k");
        assert_eq!(object["cluster"], serde_json::json!([2, 1, 1]));
        assert_eq!(
            object["buffers"][0]["values"],
            serde_json::json!([7, 7, 8, 7])
        );
        assert_eq!(object["as_expected"], false);
        assert_eq!(object["output"], "hello\n");
        assert_eq!(object["counts"]["thread_instructions"], 1_234_567);
        assert_eq!(value(0x7fc0_0000, ScalarType::F32), "NaN");
        assert_eq!(value(0x3fc0_0000, ScalarType::F32), 1.5);
        assert_eq!(value(15, ScalarType::B8), "0x0f");
        // Exactly what the bits are, not the shortest text that has the same bits.
        assert_eq!(value(0x3dcd, ScalarType::Bf16), 0.100_097_656_25);
        assert_eq!(value(0x2e66, ScalarType::F16), 0.099_975_585_937_5);
        assert_eq!(value(0x3dcc_cccd, ScalarType::F32), f64::from(0.1f32));
        assert_eq!(value(0x7f80, ScalarType::Bf16), "inf");
        assert_eq!(value(0x0001, ScalarType::Bf16), 9.183_549_615_799_121e-41);
        assert_eq!(value(0x8000, ScalarType::Bf16).to_string(), "-0.0");
    }
}
