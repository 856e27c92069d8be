//! A kernel as one page of HTML: the hot loop at a glance, and each instruction with what it waits for. The page needs nothing but
//! itself: no scripts, no network.
//!
//! A block has a bar on its left, as red as the part of the time that it takes. A wait is a bar as long as it takes, with a link to the
//! instruction that is waited for, which is marked then.

use super::listing::{Block, Listing, Row};
use super::text;
use crate::run::page::Escaped;
use std::fmt;
use warpc_ptx_to_sass::cost::{Resource, TRIPS, Wait};

/// Waits that are shown.
const LONG: u64 = 2;

/// Loops that are listed.
const LOOPS: usize = 12;

/// Pixels of a cycle of waiting, and the most.
const PIXELS: u64 = 1;
const MOST: u64 = 90;

const STYLE: &str = include_str!("page/style.css");

/// A page with one kernel, or with two side by side.
pub struct Page<'a>(pub &'a [Listing]);

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.first().map_or("", |one| one.name.as_str());
        let name = Escaped(name);
        writeln!(
            f,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
        )?;
        writeln!(f, "<meta name=\"viewport\" content=\"width=device-width\">")?;
        writeln!(
            f,
            "<title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>"
        )?;
        writeln!(f, "<h1><code>{name}</code></h1>")?;
        if let [first, other] = self.0 {
            comparison(f, first, other)?;
        }
        writeln!(f, "<main class=\"of{}\">", self.0.len())?;
        for (side, listing) in self.0.iter().enumerate() {
            Side { listing, side }.fmt(f)?;
        }
        writeln!(
            f,
            "</main>\n<footer>Cycles are expected ones, of a warp among as many as their registers leave room for; each loop counts \
             {TRIPS} times. <b>at</b>: the cycle when a warp alone issues the instruction; <b>live</b>: registers that are live; \
             <b>control</b>: stall count, scoreboards raised when the result is there (w) and when the operands have been read (r), \
             scoreboards waited for (?).</footer>\n</body>\n</html>"
        )
    }
}

/// The figures of both.
fn comparison(f: &mut fmt::Formatter<'_>, first: &Listing, other: &Listing) -> fmt::Result {
    writeln!(
        f,
        "<table class=\"figures\"><tr><th></th><th>this</th><th>beside</th><th>ratio</th></tr>"
    )?;
    for (name, a, b) in text::figures(first, other) {
        let class = match a / b {
            ratio if ratio < 0.995 => "good",
            ratio if ratio > 1.005 => "bad",
            _ => "",
        };
        writeln!(
            f,
            "<tr><td>{name}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n {class}\">{:.3}</td></tr>",
            text::number(a),
            text::number(b),
            a / b
        )?;
    }
    writeln!(f, "</table>")
}

/// One of the kernels.
struct Side<'a> {
    listing: &'a Listing,
    side: usize,
}

impl Side<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listing = self.listing;
        let origin = Escaped(&listing.origin);
        writeln!(
            f,
            "<section>\n<h2>{origin} <small>{}</small></h2>",
            listing.chip
        )?;
        let card = |f: &mut fmt::Formatter<'_>, name: &str, value: String| {
            writeln!(f, "<div><dt>{name}</dt><dd>{value}</dd></div>")
        };
        writeln!(f, "<dl>")?;
        card(f, "cycles expected", format!("{:.0}", listing.cycles))?;
        card(f, "instructions", listing.instructions().to_string())?;
        card(f, "registers", listing.cost.registers.to_string())?;
        card(f, "warps on a scheduler", listing.cost.warps.to_string())?;
        card(f, "local accesses", listing.local.to_string())?;
        writeln!(f, "</dl>")?;
        self.loops(f)?;
        self.code(f)?;
        writeln!(f, "</section>")
    }

    fn loops(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listing = self.listing;
        let hot = listing.hot_loops();
        if hot.is_empty() {
            return writeln!(f, "<p class=\"dim\">There is no loop.</p>");
        }
        writeln!(
            f,
            "<table class=\"loops\"><tr><th>loop</th><th>of the time</th><th>cycles</th><th>bound by</th><th>alone</th>\
             <th>instructions</th><th>resources, cycles</th></tr>"
        )?;
        for number in hot.into_iter().take(LOOPS) {
            let one = &listing.cost.loops[number];
            let (side, header, share) = (self.side, one.header, listing.shares[number]);
            let mut resources: Vec<(f64, &str)> = Resource::ALL
                .iter()
                .map(|one_of| (one.demand.cycles[*one_of as usize], one_of.name()))
                .filter(|(cycles, _)| *cycles >= 1.0)
                .collect();
            resources.sort_by(|a, b| b.0.total_cmp(&a.0));
            writeln!(
                f,
                "<tr><td><a href=\"#b{side}-{header}\">{} at .L{header}</a></td><td>{}{:.0} %</td><td class=\"n\">{:.1}</td>\
                 <td>{}</td><td class=\"n\">{:.0}</td><td class=\"n\">{:.0}</td><td class=\"resources\">",
                number + 1,
                Bar(share),
                100.0 * share,
                one.cycles,
                one.limit,
                one.alone,
                one.demand.issue
            )?;
            for (cycles, name) in resources.iter().take(3) {
                write!(f, "<span>{name} {cycles:.0}</span>")?;
            }
            writeln!(f, "</td></tr>")?;
        }
        writeln!(f, "</table>")
    }

    fn code(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "<table class=\"block head\"><tr><td class=\"n\">at</td><td class=\"n\">live</td><td class=\"control\">control</td>\
             <td class=\"sass\">instruction</td><td class=\"wait\">waits, in cycles</td><td class=\"ptx\">PTX</td></tr></table>"
        )?;
        for (number, block) in self.listing.blocks.iter().enumerate() {
            if !block.reached {
                continue;
            }
            self.block(f, number, block)?;
        }
        Ok(())
    }

    fn block(&self, f: &mut fmt::Formatter<'_>, number: usize, block: &Block) -> fmt::Result {
        let side = self.side;
        let (share, alone) = (100.0 * block.share, block.alone);
        // A part of a few per cent can be seen, too.
        let heat = (block.share.sqrt() * 100.0).round();
        let within = match block.innermost {
            Some(number) => format!("loop {}", number + 1),
            None => String::new(),
        };
        writeln!(
            f,
            "<table class=\"block\" id=\"b{side}-{number}\" style=\"--heat:{heat}%\"><caption><b>.L{number}</b> {within} \
             <span>{share:.0} % of the time, {alone:.0} cycles alone</span></caption>"
        )?;
        for at in block.rows.clone() {
            self.row(f, at, &self.listing.rows[at])?;
        }
        writeln!(f, "</table>")
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, at: usize, row: &Row) -> fmt::Result {
        let side = self.side;
        let (issued, live, control) = (row.cost.at, row.live, text::control(row));
        write!(
            f,
            "<tr id=\"i{side}-{at}\"><td class=\"n\">{issued}</td><td class=\"n\">{live}</td><td class=\"control\">{control}</td>\
             <td class=\"sass\">{}",
            Escaped(&row.text)
        )?;
        if let Some(target) = row.target {
            write!(f, " <a href=\"#b{side}-{target}\">.L{target}</a>")?;
        }
        write!(f, "</td><td class=\"wait\">")?;
        if let Some(text) = self.listing.wait(row).filter(|_| row.cost.waited >= LONG) {
            let class = match row.cost.on {
                Wait::Scoreboard { .. } => "board",
                Wait::Busy(_) => "busy",
                _ => "stall",
            };
            let width = (row.cost.waited * PIXELS).min(MOST);
            let text = Escaped(&text);
            write!(
                f,
                "<i class=\"{class}\" style=\"width:{width}px\" title=\"{text}\"></i>"
            )?;
            let cycles = row.cost.waited;
            match row.cost.on {
                Wait::Scoreboard { from, .. } => {
                    let producer = self.listing.producer(from);
                    let producer = Escaped(&producer);
                    write!(f, "{cycles} <a href=\"#i{side}-{from}\">{producer}</a>")?;
                }
                Wait::Busy(resource) => write!(f, "{cycles} {}", resource.name())?,
                _ => write!(f, "{cycles}")?,
            }
        }
        write!(f, "</td><td class=\"ptx\">")?;
        if let Some((line, text)) = &row.ptx {
            write!(f, "<b>{line}</b> {}", Escaped(text))?;
        }
        writeln!(f, "</td></tr>")
    }
}

/// A bar for a part of the whole.
struct Bar(f64);

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = (100.0 * self.0).clamp(0.0, 100.0);
        write!(
            f,
            "<span class=\"bar\"><i style=\"width:{width:.0}%\"></i></span>"
        )
    }
}
