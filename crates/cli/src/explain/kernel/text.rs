//! A kernel as text: a head, its loops, its blocks.

use super::listing::{Listing, Row};
use std::fmt::{self, Write};
use warpc_ptx_to_sass::cost::{Demand, Resource, TRIPS};

/// Waits that are shown.
const LONG: u64 = 2;

/// A kernel as text.
pub struct Text<'a>(pub &'a Listing);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listing = self.0;
        writeln!(
            f,
            "kernel {}, {}: {}",
            listing.name, listing.chip, listing.origin
        )?;
        writeln!(f, "{}\n", head(listing))?;
        for number in listing.hot_loops() {
            writeln!(f, "{}", of_loop(listing, number))?;
        }
        writeln!(
            f,
            "\ncycle  live  control     instruction{:width$}waits                                   PTX",
            "",
            width = WIDTH - 10
        )?;
        for (number, block) in listing.blocks.iter().enumerate() {
            if !block.reached {
                continue;
            }
            let within = match block.innermost {
                Some(number) => format!("in loop {}, ", number + 1),
                None => String::new(),
            };
            let (share, alone) = (100.0 * block.share, block.alone);
            writeln!(
                f,
                "\n.L{number}:  {within}{alone:.0} cycles alone, {share:.0} % of the kernel"
            )?;
            for row in &listing.rows[block.rows.clone()] {
                self.row(f, row)?;
            }
        }
        writeln!(f)
    }
}

/// Columns of an instruction.
const WIDTH: usize = 52;

impl Text<'_> {
    fn row(&self, f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
        let target = row.target.map_or(String::new(), |to| format!(" -> .L{to}"));
        let text = format!("{}{target}", row.text);
        let wait = match row.cost.waited >= LONG {
            true => self.0.wait(row).unwrap_or_default(),
            false => String::new(),
        };
        let (at, live, control) = (row.cost.at, row.live, control(row));
        let mut line = format!("{at:5}  {live:4}  {control:10}  {text:WIDTH$} {wait:40} ");
        if let Some((number, ptx)) = &row.ptx {
            let _ = write!(line, "{number}: {ptx}");
        }
        writeln!(f, "{}", line.trim_end())
    }
}

/// The control word in short: stall count, scoreboards that are raised for results and operands, and those waited for.
pub fn control(row: &Row) -> String {
    let control = row.control;
    let board = |name: char, board: u8| match board {
        7 => String::new(),
        board => format!(" {name}{board}"),
    };
    let waits: String = (0..6)
        .filter(|n| control.wait >> n & 1 == 1)
        .map(|n| n.to_string())
        .collect();
    let mut text = format!(
        "{:2}{}{}",
        control.stall,
        board('w', control.write),
        board('r', control.read)
    );
    if !waits.is_empty() {
        let _ = write!(text, " ?{waits}");
    }
    text
}

/// What a kernel is, in a line.
pub fn head(listing: &Listing) -> String {
    let (count, registers, warps) = (
        listing.instructions(),
        listing.cost.registers,
        listing.cost.warps,
    );
    let local = match listing.local {
        0 => String::new(),
        local => format!(", {local} accesses to local memory"),
    };
    let cycles = listing.cycles;
    format!(
        "{count} instructions, {registers} registers ({warps} warps on each scheduler){local}; {cycles:.0} cycles expected if \
         each loop is repeated {TRIPS} times"
    )
}

/// A loop, in a line.
pub fn of_loop(listing: &Listing, number: usize) -> String {
    let one = &listing.cost.loops[number];
    let (cycles, limit, alone) = (one.cycles, one.limit, one.alone);
    let (share, header) = (100.0 * listing.shares[number], one.header);
    let issued = listing.issued(number);
    let nested = match one.outer {
        Some(outer) => format!(" in loop {}", outer + 1),
        None => String::new(),
    };
    format!(
        "loop {} at .L{header}{nested}: {cycles:.1} cycles an iteration, bound by {limit}; {alone:.0} cycles alone, {issued:.0} \
         instructions{}; {share:.0} % of the kernel",
        number + 1,
        asked(&one.demand)
    )
}

/// What is asked of resources, the most first.
pub fn asked(demand: &Demand) -> String {
    let mut all: Vec<(f64, &str)> = Resource::ALL
        .iter()
        .map(|one| (demand.cycles[*one as usize], one.name()))
        .filter(|one| one.0 >= 1.0)
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.iter()
        .take(4)
        .fold(String::new(), |mut text, (cycles, name)| {
            let _ = write!(text, ", {name} {cycles:.0}");
            text
        })
}

/// Two kernels side by side, in figures.
pub fn comparison(first: &Listing, other: &Listing, out: &mut String) {
    let _ = writeln!(out, "{:24}{:>14}{:>14}{:>9}", "", "this", "beside", "ratio");
    for (name, a, b) in figures(first, other) {
        let _ = writeln!(
            out,
            "{name:24}{:>14}{:>14}{:9.3}",
            number(a),
            number(b),
            a / b
        );
    }
    out.push('\n');
}

/// A number with as many digits as are of use.
pub fn number(value: f64) -> String {
    match value {
        value if value.fract() == 0.0 || value >= 1000.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// What is compared: name and both numbers.
pub fn figures(first: &Listing, other: &Listing) -> Vec<(&'static str, f64, f64)> {
    let of = |f: &dyn Fn(&Listing) -> f64| (f(first), f(other));
    let hottest = |one: &Listing| one.hot_loops().first().copied();
    let rows: [(&'static str, (f64, f64)); 7] = [
        ("cycles expected", of(&|one| one.cycles)),
        ("instructions", of(&|one| one.instructions() as f64)),
        ("registers", of(&|one| f64::from(one.cost.registers))),
        ("local memory accesses", of(&|one| one.local as f64)),
        (
            "hottest loop, cycles",
            of(&|one| hottest(one).map_or(0.0, |at| one.cost.loops[at].cycles)),
        ),
        (
            "hottest loop, alone",
            of(&|one| hottest(one).map_or(0.0, |at| one.cost.loops[at].alone)),
        ),
        (
            "hottest loop, per work",
            of(&|one| hottest(one).map_or(0.0, |at| one.cost.loops[at].work())),
        ),
    ];
    let rows = rows.into_iter().map(|(name, (a, b))| (name, a, b));
    rows.filter(|(_, a, b)| *a > 0.0 || *b > 0.0).collect()
}
