//! Which lines machine instructions come from: those of the source that `.loc` names, and those of the PTX.
//!
//! ```text
//!   .loc, statements ──► for each place of the PTX its `.loc` ─┐
//!   instructions, each with its place in the PTX ──────────────┴─► rows of a table of lines
//! ```
//!
//! A row of inlined code names the row of its call. Such rows are made when they are first wanted, once for each call in a
//! kernel, at the place of the inlined instruction.

use rustc_hash::FxHashMap;
use warpc_cubin::build::{Line, LineFile, Lines};
use warpc_diag::Span;
use warpc_ptx::Module;
use warpc_ptx::module::{Body, Item, Loc, SectionLine, Statement};
use warpc_ptx::symbol::Symbol;

/// Bytes of an instruction.
const WORD: u32 = 16;

/// Calls that are followed outwards at most.
const MOST_CALLS: usize = 64;

/// What is said of the lines of a module.
pub(crate) struct LineTable<'m> {
    /// What all kernels share.
    pub lines: Lines,
    /// The text of the PTX, if there is one.
    text: &'m [u8],
    /// Where its lines begin.
    starts: Vec<u32>,
    /// The numbers of the files.
    files: FxHashMap<u64, u32>,
    /// Where names are among the names of functions.
    names: FxHashMap<Symbol, u32>,
}

impl<'m> LineTable<'m> {
    /// The files and names of a module, whose text is this; an empty one if it was not read.
    pub fn of(module: &'m Module, text: &'m [u8]) -> LineTable<'m> {
        let mut table = LineTable {
            lines: Lines::default(),
            text,
            starts: Vec::new(),
            files: FxHashMap::default(),
            names: FxHashMap::default(),
        };
        for item in &module.items {
            match item {
                Item::File(file) => {
                    table.lines.files.push(LineFile {
                        name: file.name.clone(),
                        time: file.time.unwrap_or(0),
                        size: file.size.unwrap_or(0),
                    });
                    let number = table.lines.files.len() as u32;
                    table.files.insert(file.index, number);
                }
                Item::Section(section) if section.name == ".debug_str" => {
                    for line in &section.lines {
                        match line {
                            SectionLine::Label(symbol, _) => {
                                let at = table.lines.names.len() as u32;
                                table.names.insert(*symbol, at);
                            }
                            SectionLine::Numbers(ty, values, _) => {
                                let width = ty.bytes() as usize;
                                for value in values {
                                    let bytes = value.bits.to_le_bytes();
                                    table.lines.names.extend(bytes.iter().take(width));
                                }
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        let breaks = text.iter().zip(1..).filter(|(byte, _)| **byte == b'\n');
        table.starts = [0].into_iter().chain(breaks.map(|(_, at)| at)).collect();
        if !text.is_empty() {
            table.lines.ptx = shown(text);
        }
        table
    }

    /// The line of a place in the PTX, counted from 1.
    fn line_of(&self, span: Span) -> Option<u32> {
        if span.start as usize >= self.text.len() {
            return None;
        }
        Some(self.starts.partition_point(|start| *start <= span.start) as u32)
    }

    /// The rows of the source and those of the PTX for a kernel: its functions with the places of their instructions.
    pub fn rows(&self, parts: &[(&'m Body, Vec<Span>)]) -> (Vec<Line>, Vec<Line>) {
        let (mut rows, mut ptx_rows) = (Rows::default(), Vec::<Line>::new());
        let mut place = 0;
        for (body, spans) in parts {
            let locs = Locs::of(body);
            for span in spans {
                if let Some(loc) = locs.at(*span) {
                    self.add(&mut rows, &locs, loc, place);
                }
                if let Some(line) = self.line_of(*span)
                    && ptx_rows.last().is_none_or(|last| last.line != line)
                {
                    ptx_rows.push(Line {
                        place,
                        file: 0,
                        line,
                        inlined: (0, 0),
                    });
                }
                place += WORD;
            }
        }
        (rows.all, ptx_rows)
    }

    fn add(&self, rows: &mut Rows, locs: &Locs, loc: usize, place: u32) {
        // What has no line of its own, 0, belongs to the line before it, as ptxas has it.
        let has_line = locs.all.get(loc).is_some_and(|one| one.1.line != 0);
        let Some(row) = self
            .row(rows, locs, loc, place, MOST_CALLS)
            .filter(|_| has_line)
        else {
            return;
        };
        let is_same =
            |last: &Line| (last.file, last.line, last.inlined) == (row.file, row.line, row.inlined);
        if !rows.all.last().is_some_and(is_same) {
            rows.all.push(row);
        }
    }

    /// The row of a `.loc`; those of the calls that it was inlined through are there afterwards.
    fn row(
        &self,
        rows: &mut Rows,
        locs: &Locs,
        loc: usize,
        place: u32,
        most: usize,
    ) -> Option<Line> {
        let one = locs.all.get(loc)?.1;
        let mut row = Line {
            place,
            file: *self.files.get(&one.file)?,
            line: u32::try_from(one.line).ok()?,
            inlined: (0, 0),
        };
        let Some(inlined) = one.inlined.as_ref().filter(|_| most > 0) else {
            return Some(row);
        };
        // The place of the call was said before what was inlined there.
        let call = locs.all[..loc]
            .iter()
            .rposition(|(_, earlier)| (earlier.file, earlier.line, earlier.column) == inlined.call);
        let Some(call) = call else {
            return Some(row);
        };
        let name = self.names.get(&inlined.function).copied().unwrap_or(0);
        let name = name.saturating_add_signed(inlined.offset as i32);
        let key = (std::ptr::from_ref(locs.body).addr(), inlined.call);
        let known = rows.calls.get(&key).copied();
        let number = match known {
            Some(number) => number,
            None => {
                let made = self.row(rows, locs, call, place, most - 1)?;
                rows.all.push(made);
                let number = rows.all.len() as u32;
                rows.calls.insert(key, number);
                number
            }
        };
        row.inlined = (number, name);
        Some(row)
    }
}

/// Rows in the making, and the numbers of those that stand for calls.
#[derive(Default)]
struct Rows {
    all: Vec<Line>,
    calls: FxHashMap<(usize, (u64, u64, u64)), u32>,
}

/// The `.loc`s of a function in order, with the places in the text from which on they hold.
struct Locs<'m> {
    body: &'m Body,
    all: Vec<(u32, &'m Loc)>,
}

impl<'m> Locs<'m> {
    fn of(body: &'m Body) -> Locs<'m> {
        let locs = body.statements.iter().filter_map(|one| match one {
            Statement::Loc(loc) => Some((loc.at.0.start, loc.as_ref())),
            _ => None,
        });
        let all = locs.collect();
        Locs { body, all }
    }

    /// The one that holds at a place. What the assembler puts in front has the first one.
    fn at(&self, span: Span) -> Option<usize> {
        let before = self.all.partition_point(|(start, _)| *start <= span.start);
        match before {
            0 => (!self.all.is_empty()).then_some(0),
            before => Some(before - 1),
        }
    }
}

/// The lines of a text as debuggers show them: without the blanks around them, and empty where only lines and files are
/// said.
fn shown(text: &[u8]) -> Vec<u8> {
    let mut all = Vec::with_capacity(text.len());
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    for line in text.split(|byte| *byte == b'\n') {
        let comment = line.windows(2).position(|two| two == b"//");
        let line = line[..comment.unwrap_or(line.len())].trim_ascii();
        let mut about_lines = [".loc", ".file", ".b8"].iter();
        if !about_lines.any(|one| line.starts_with(one.as_bytes())) {
            all.extend(line.iter().filter(|byte| **byte != 0));
        }
        all.push(0);
    }
    all
}
