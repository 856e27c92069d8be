//! `--report FILE`: a run as one page of HTML, for a glance: findings, warps over time, who waited for whom, the lines that
//! ran most, and what memory was touched. The page needs nothing but itself: no scripts, no network.

mod draw;

use super::report::Told;
use draw::{amount, bar, strip, timeline};
use std::fmt::{self, Write};
use warpc::Source;
use warpc_diag::{Diagnostic, Diagnostics, Severity, SourceFile, Span};
use warpc_request::names;
use warpc_sim::trace::{Block, Line, Trace, Waited};

/// Lines that are shown of each table.
const ROWS: usize = 25;

/// Timelines that are shown at once; the others are folded.
const UNFOLDED: usize = 2;

/// One launch with what was recorded of it.
pub struct Launch {
    /// What ran, in a line.
    pub title: String,
    /// What was counted: name and number.
    pub counts: Vec<(&'static str, u64)>,
    /// What was recorded, if it ran on the emulator of PTX.
    pub trace: Option<Trace>,
}

impl Launch {
    /// A launch that came to its end.
    pub fn of(told: &Told<'_>, trace: Option<Trace>) -> Launch {
        let ran = &told.done.ran;
        let counts = ran.report.as_ref().map_or_else(Vec::new, |report| {
            let counts = &report.counts;
            vec![
                ("thread instructions", counts.thread_instructions),
                ("warp instructions", counts.warp_instructions),
                ("barriers", counts.barriers),
                ("atomics", counts.atomics),
                ("memory accesses", counts.accesses),
                ("bytes", counts.bytes),
                ("warp operations", counts.collectives),
            ]
        });
        Launch {
            title: super::report::title(told),
            counts,
            trace,
        }
    }
}

/// A whole page.
pub struct Page<'a> {
    /// The input.
    pub source: &'a Source,
    /// The launches of all requests, in order.
    pub launches: &'a [Launch],
    /// What was found.
    pub found: &'a Diagnostics,
    /// How results differ from what was expected.
    pub unexpected: &'a [String],
}

/// Text inside a page.
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c if c.is_control() && c != '\n' && c != '\t' => f.write_str("\u{fffd}")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

const STYLE: &str = include_str!("page/style.css");

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Escaped(self.source.name());
        writeln!(
            f,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
        )?;
        writeln!(f, "<meta name=\"viewport\" content=\"width=device-width\">")?;
        writeln!(
            f,
            "<title>warpc run {name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>"
        )?;
        writeln!(f, "<h1>{name}</h1>")?;
        self.verdict(f)?;
        self.findings(f)?;
        for (number, launch) in self.launches.iter().enumerate() {
            self.launch(f, number, launch)?;
        }
        writeln!(f, "</body>\n</html>")
    }
}

impl Page<'_> {
    fn verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.found.as_slice().len() + self.unexpected.len();
        let (class, text) = match found {
            0 => ("good", "no findings".to_owned()),
            1 => ("bad", "1 finding".to_owned()),
            more => ("bad", format!("{more} findings")),
        };
        let launches = match self.launches.len() {
            1 => "1 launch".to_owned(),
            more => format!("{more} launches"),
        };
        writeln!(
            f,
            "<p class=\"verdict {class}\">{text}</p>\n<p>{launches}</p>"
        )
    }

    fn findings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.found.as_slice().is_empty() && self.unexpected.is_empty() {
            return Ok(());
        }
        writeln!(f, "<h2 id=\"findings\">Findings</h2>")?;
        for one in self.found.as_slice() {
            self.finding(f, one)?;
        }
        for text in self.unexpected {
            let text = Escaped(text);
            writeln!(f, "<section class=\"finding\"><h3>{text}</h3></section>")?;
        }
        Ok(())
    }

    fn finding(&self, f: &mut fmt::Formatter<'_>, one: &Diagnostic) -> fmt::Result {
        let class = match one.severity {
            Severity::Error => "finding",
            Severity::Warning => "finding warning",
        };
        let (code, message) = (one.code.0, Escaped(&one.message));
        writeln!(
            f,
            "<section class=\"{class}\"><h3><code>{code}</code> {message}</h3>"
        )?;
        if let Some(file) = one.file.as_ref().filter(|_| one.span != Span::NOWHERE) {
            self.place(f, file, one.span, one.label.as_deref())?;
            for (span, label) in &one.related {
                self.place(f, file, *span, Some(label))?;
            }
        } else if let Some(label) = &one.label {
            writeln!(f, "<p>{}</p>", Escaped(label))?;
        }
        if let Some(help) = &one.help {
            writeln!(f, "<p class=\"help\">{}</p>", Escaped(help))?;
        }
        writeln!(f, "</section>")
    }

    /// A line of a file with the place marked in it.
    fn place(
        &self,
        f: &mut fmt::Formatter<'_>,
        file: &SourceFile,
        span: Span,
        label: Option<&str>,
    ) -> fmt::Result {
        let at = file.position(span.start);
        let name = Escaped(file.name());
        writeln!(f, "<p class=\"place\">{name}:{}:{}</p>", at.line, at.column)?;
        let (before, inside, after) = around(file, span);
        if !(before.is_empty() && inside.is_empty()) {
            let (before, inside, after) = (Escaped(&before), Escaped(&inside), Escaped(&after));
            writeln!(f, "<pre>{before}<mark>{inside}</mark>{after}</pre>")?;
        }
        match label {
            Some(label) => writeln!(f, "<p>{}</p>", Escaped(label)),
            None => Ok(()),
        }
    }

    fn launch(&self, f: &mut fmt::Formatter<'_>, number: usize, launch: &Launch) -> fmt::Result {
        let number = number + 1;
        let title = Escaped(&launch.title);
        writeln!(
            f,
            "<h2 id=\"launch{number}\">Launch {number}</h2>\n<p>{title}</p>"
        )?;
        let counted = launch.counts.iter().filter(|(_, count)| *count > 0);
        let mut counted = counted.peekable();
        if counted.peek().is_some() {
            writeln!(f, "<dl class=\"counts\">")?;
            for (name, count) in counted {
                writeln!(f, "<div><dt>{name}</dt><dd>{}</dd></div>", amount(*count))?;
            }
            writeln!(f, "</dl>")?;
        }
        let Some(trace) = &launch.trace else {
            return writeln!(f, "<p>Only the emulator of PTX records more.</p>");
        };
        self.timelines(f, trace)?;
        self.waits(f, trace)?;
        self.hot(f, trace)?;
        memory(f, trace)
    }

    fn timelines(&self, f: &mut fmt::Formatter<'_>, trace: &Trace) -> fmt::Result {
        writeln!(f, "<h3>Warps over time</h3>")?;
        writeln!(
            f,
            "<p class=\"note\">A row is a warp; time counts its steps, as if all warps ran side by side. \
             <span class=\"key runs\"></span> runs <span class=\"key spins\"></span> spins \
             <span class=\"key barrier\"></span> waits at a barrier <span class=\"key mbarrier\"></span> waits for an \
             mbarrier or copies <span class=\"key lanes\"></span> waits for lanes</p>"
        )?;
        let (shown, folded) = trace.blocks.split_at(trace.blocks.len().min(UNFOLDED));
        shown.iter().try_for_each(|block| one_timeline(f, block))?;
        if !folded.is_empty() {
            writeln!(
                f,
                "<details><summary>{} more blocks</summary>",
                folded.len()
            )?;
            folded.iter().try_for_each(|block| one_timeline(f, block))?;
            writeln!(f, "</details>")?;
        }
        Ok(())
    }

    fn waits(&self, f: &mut fmt::Formatter<'_>, trace: &Trace) -> fmt::Result {
        writeln!(f, "<h3>Who waited for whom</h3>")?;
        if trace.waits.is_empty() {
            return writeln!(f, "<p>No warp waited.</p>");
        }
        let most = trace.waits.iter().map(|one| one.steps).max().unwrap_or(0);
        writeln!(
            f,
            "<table>\n<tr><th>steps<th><th>waits<th>where<th>for what<th>whom</tr>"
        )?;
        for one in trace.waits.iter().take(ROWS) {
            let (steps, count) = (amount(one.steps), amount(one.count));
            let place = self.where_is(one.span, &one.source);
            let words = one.doing.words();
            let words = Escaped(&words);
            let whom = whom(one);
            let bar = bar(one.steps, most);
            writeln!(
                f,
                "<tr><td class=\"n\">{steps}<td>{bar}<td class=\"n\">{count}<td>{place}<td>{words}<td class=\"whom\">{whom}</tr>"
            )?;
        }
        writeln!(f, "</table>")
    }

    fn hot(&self, f: &mut fmt::Formatter<'_>, trace: &Trace) -> fmt::Result {
        writeln!(f, "<h3>Hot lines</h3>")?;
        let all: u64 = trace.lines.iter().map(|line| line.warps).sum();
        let most = trace.lines.first().map_or(0, |line| line.warps);
        writeln!(
            f,
            "<table>\n<tr><th>warps<th><th>share<th>threads<th>where</tr>"
        )?;
        for line in trace.lines.iter().take(ROWS) {
            let Line { warps, threads, .. } = line;
            let share = 100.0 * *warps as f64 / all.max(1) as f64;
            let lanes = *threads as f64 / (*warps).max(1) as f64;
            let place = self.where_is(line.span, &line.source);
            let (count, bar) = (amount(*warps), bar(*warps, most));
            writeln!(
                f,
                "<tr><td class=\"n\">{count}<td>{bar}<td class=\"n\">{share:.1} %<td class=\"n\">{lanes:.1}<td>{place}</tr>"
            )?;
        }
        writeln!(f, "</table>")
    }

    /// An instruction of the input, and the source it comes from.
    fn where_is(&self, span: Span, source: &[warpc_diag::Origin]) -> String {
        let mut out = String::new();
        let file = self.source.file();
        if std::str::from_utf8(file.bytes()).is_ok() {
            let at = file.position(span.start);
            let (_, inside, _) = around(file, span);
            let _ = write!(out, "{}: <code>{}</code>", at.line, Escaped(&inside));
        }
        if let Some(first) = source.first() {
            let name = first.file.rsplit('/').next().unwrap_or(&first.file);
            let _ = write!(
                out,
                " <span class=\"source\">{}:{}",
                Escaped(name),
                first.line
            );
            if let Some(function) = &first.function {
                let function = names::readable(function).unwrap_or_else(|| function.clone());
                let _ = write!(out, " in {}", Escaped(&function));
            }
            out.push_str("</span>");
        }
        out
    }
}

fn one_timeline(f: &mut fmt::Formatter<'_>, block: &Block) -> fmt::Result {
    let [x, y, z] = block.block;
    writeln!(f, "<h4>block ({x}, {y}, {z})</h4>")?;
    timeline(f, block)
}

/// Which warps waited for which, the longest first.
fn whom(one: &Waited) -> String {
    /// Pairs that are named.
    const PAIRS: usize = 3;
    let pairs = one.pairs.iter().take(PAIRS);
    let pairs = pairs.map(|((who, whom), steps)| {
        format!("warp {who} for warp {whom}: {} steps", amount(*steps))
    });
    let mut pairs: Vec<String> = pairs.collect();
    if one.pairs.len() > PAIRS {
        pairs.push(format!("{} more", one.pairs.len() - PAIRS));
    }
    pairs.join("<br>")
}

/// Every piece of memory that has a name.
fn memory(f: &mut fmt::Formatter<'_>, trace: &Trace) -> fmt::Result {
    writeln!(f, "<h3>Memory</h3>")?;
    writeln!(
        f,
        "<table>\n<tr><th>what<th>address<th>bytes<th>reads<th>writes<th>atomics<th>where in it</tr>"
    )?;
    for piece in &trace.memory {
        let address = piece
            .address
            .map_or_else(String::new, |at| format!("{at:#x}"));
        let name = Escaped(&piece.name);
        let [bytes, reads, writes, atomics] =
            [piece.bytes, piece.reads, piece.writes, piece.atomics].map(amount);
        let strip = strip(&piece.parts);
        writeln!(
            f,
            "<tr><td>{name}<td><code>{address}</code><td class=\"n\">{bytes}<td class=\"n\">{reads}<td class=\"n\">{writes}<td class=\"n\">{atomics}<td>{strip}</tr>"
        )?;
    }
    writeln!(f, "</table>")
}

/// The line of a place: what stands before it, the place, and what follows.
fn around(file: &SourceFile, span: Span) -> (String, String, String) {
    let bytes = file.bytes();
    let (start, end) = (span.start as usize, (span.end as usize).min(bytes.len()));
    if start > end {
        return Default::default();
    }
    let from = bytes[..start].iter().rposition(|byte| *byte == b'\n');
    let from = from.map_or(0, |at| at + 1);
    let to = bytes[end..].iter().position(|byte| *byte == b'\n');
    let to = to.map_or(bytes.len(), |at| end + at);
    // A place of several lines is shown by its first.
    let end = bytes[start..end]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(end, |at| start + at);
    let text = |range: &[u8]| String::from_utf8_lossy(range).into_owned();
    let before = text(&bytes[from..start]);
    let after = text(&bytes[end..to.max(end)]);
    let after = after.split('\n').next().unwrap_or("").to_owned();
    (
        before.trim_start().to_owned(),
        text(&bytes[start..end]),
        after,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::codes;

    #[test]
    fn a_page_needs_nothing_else() {
        let text = "// <k>\n.version 8.0\n  add.u32 %r1, %r1, 1; // last\n";
        let source = Source::new("a<b>.ptx", text).expect("a short text");
        let span = Span::new(22, 42);
        let finding = Diagnostic::error(codes::FAULT, span, "a < b & c");
        let finding = finding
            .in_file(source.file())
            .help("do \"this\"")
            .label("thread 0");
        let trace = Trace {
            lines: vec![Line {
                span,
                function: "k".to_owned(),
                source: Vec::new(),
                warps: 40,
                threads: 640,
            }],
            ..Trace::default()
        };
        let page = Page {
            source: &source,
            launches: &[Launch {
                title: "k: 1 block".to_owned(),
                counts: vec![("barriers", 1_234_567), ("atomics", 0)],
                trace: Some(trace),
            }],
            found: &Diagnostics::of(finding),
            unexpected: &["argument 0: element 1 is 2".to_owned()],
        };
        let page = page.to_string();
        for wanted in [
            "<title>warpc run a&lt;b&gt;.ptx</title>",
            "2 findings",
            "<code>W0725</code> a &lt; b &amp; c",
            "a&lt;b&gt;.ptx:3:3",
            "<mark>add.u32 %r1, %r1, 1;</mark> // last",
            "do &quot;this&quot;",
            "argument 0: element 1 is 2",
            "1,234,567",
            "100.0 %",
            "16.0",
            "No warp waited.",
        ] {
            assert!(page.contains(wanted), "{wanted}\n{page}");
        }
        for foreign in [
            "<script",
            "http:",
            "https:",
            "url(",
            "@import",
            "atomics</dt>",
        ] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
}
