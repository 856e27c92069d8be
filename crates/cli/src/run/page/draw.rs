//! The pictures of a page, as small SVG.

use super::Escaped;
use std::fmt::{self, Write};
use warpc_sim::trace::{Block, Doing};

/// Width of a timeline in units of its picture.
const WIDTH: f64 = 1000.0;
/// Height of a warp's row, and of the bar in it.
const ROW: usize = 18;
const BAR: usize = 12;
/// Room for the names of warps.
const NAMES: usize = 70;

/// The style of what a warp does.
fn class(doing: Doing) -> &'static str {
    match doing {
        Doing::Runs => "runs",
        Doing::Spins => "spins",
        Doing::Barrier(_) | Doing::Cluster => "barrier",
        Doing::Mbarrier | Doing::Copies => "mbarrier",
        Doing::Lanes => "lanes",
    }
}

/// The warps of a block over time; a line goes from who ended a wait to who waited.
pub fn timeline(f: &mut fmt::Formatter<'_>, block: &Block) -> fmt::Result {
    let ends = block.warps.iter().filter_map(|(_, _, all)| all.last());
    let end = ends.map(|last| last.end).max().unwrap_or(0).max(1);
    let x = |time: u64| NAMES as f64 + WIDTH * time as f64 / end as f64;
    let height = block.warps.len() * ROW + ROW;
    let width = NAMES as f64 + WIDTH + 10.0;
    let in_cluster = block.warps.iter().any(|(rank, _, _)| *rank > 0);
    writeln!(
        f,
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"warps over time\">"
    )?;
    for (row, (rank, warp, segments)) in block.warps.iter().enumerate() {
        let y = row * ROW;
        let name = match in_cluster {
            true => format!("block {rank}, {warp}"),
            false => format!("warp {warp}"),
        };
        writeln!(f, "<text x=\"0\" y=\"{}\">{name}</text>", y + BAR - 1)?;
        for one in segments {
            let (from, to) = (x(one.start), x(one.end));
            let class = class(one.doing);
            let words = one.doing.words();
            let (start, end) = (amount(one.start), amount(one.end));
            let by = match one.released_by {
                Some(by) => format!(", ended by warp {by}"),
                None => String::new(),
            };
            writeln!(
                f,
                "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"{BAR}\"><title>{} from step {start} to {end}{by}</title></rect>",
                (to - from).max(0.5),
                Escaped(&words)
            )?;
        }
    }
    for (row, (_, _, segments)) in block.warps.iter().enumerate() {
        for one in segments {
            if let Some(by) = one.released_by.filter(|by| *by < block.warps.len()) {
                let at = x(one.end);
                let (from, to) = (by * ROW + BAR / 2, row * ROW + BAR / 2);
                writeln!(
                    f,
                    "<line class=\"release\" x1=\"{at:.1}\" y1=\"{from}\" x2=\"{at:.1}\" y2=\"{to}\"/>"
                )?;
            }
        }
    }
    let y = height - 4;
    let last = amount(end);
    writeln!(f, "<text x=\"{NAMES}\" y=\"{y}\">0</text>")?;
    writeln!(
        f,
        "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{last} steps</text>",
        NAMES as f64 + WIDTH
    )?;
    writeln!(f, "</svg>")
}

/// A bar as long as a number is large.
pub fn bar(number: u64, most: u64) -> String {
    let width = 100.0 * number as f64 / most.max(1) as f64;
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\"><rect class=\"runs\" width=\"{width:.1}\" height=\"10\"/></svg>"
    )
}

/// Where accesses were: one cell for each part, the darker the more there were.
pub fn strip(parts: &[u64]) -> String {
    let most = parts.iter().copied().max().unwrap_or(0).max(1);
    let mut out = format!(
        "<svg class=\"strip\" viewBox=\"0 0 {} 10\" preserveAspectRatio=\"none\"><rect class=\"empty\" width=\"{0}\" height=\"10\"/>",
        parts.len()
    );
    for (at, count) in parts.iter().enumerate().filter(|(_, count)| **count > 0) {
        // The fewest are seen, too.
        let depth = 0.25 + 0.75 * *count as f64 / most as f64;
        let _ = write!(
            out,
            "<rect class=\"runs\" x=\"{at}\" width=\"1\" height=\"10\" fill-opacity=\"{depth:.2}\"><title>{}</title></rect>",
            amount(*count)
        );
    }
    out.push_str("</svg>");
    out
}

/// `1,234,567`
pub fn amount(number: u64) -> String {
    super::super::style::grouped(number)
}
