//! Tables of cycles between two instructions, as text.
//!
//! ```text
//!                 alu  pair  fma
//!   alu dispatch:   4     6    5
//!   fma:            5     6    4+1
//! ```
//!
//! The columns are the ports of the first instruction, several joined by `,`; the rows begin with those of the second.
//! `4+1` is four, and one more where the first has a guard; `-` does not occur.

use super::pipes::Port;

/// What must be between two instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// So many cycles.
    Cycles(u8),
    /// A scoreboard of the first that the second, or one before it, waits for.
    Scoreboard,
    /// Either of them.
    Either(u8),
}

/// Cycles, and how many more if the first instruction has a guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycles {
    /// Without a guard.
    pub plain: u8,
    /// How many more with one.
    pub more: u8,
}

impl Cycles {
    /// The cycles for an instruction with or without a guard.
    pub fn for_guard(self, guarded: bool) -> u8 {
        self.plain + if guarded { self.more } else { 0 }
    }
}

/// A table, read: cycles for each pair of ports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// By the numbers of the first and of the second port.
    cells: [[Option<Cycles>; Port::COUNT]; Port::COUNT],
}

impl Table {
    /// A table in which nothing is.
    pub(super) const EMPTY: Table = Table {
        cells: [[None; Port::COUNT]; Port::COUNT],
    };

    /// Reads a table when the crate is compiled, so that what is wrong in one stops that.
    pub(super) const fn read(text: &str) -> Table {
        let text = text.as_bytes();
        let mut table = Table::EMPTY;
        // For each column the ports of the first instruction, as bits.
        let mut columns = [0; Port::COUNT];
        let mut count = 0;
        let mut at = 0;
        while count == 0 {
            assert!(at < text.len(), "no columns");
            while at < text.len() && text[at] != b'\n' {
                match text[at] {
                    b' ' => at += 1,
                    _ => {
                        let word = Word::read(text, at);
                        columns[count] |= 1 << word.port().index();
                        at = word.end;
                        match at < text.len() && text[at] == b',' {
                            true => at += 1,
                            false => count += 1,
                        }
                    }
                }
            }
            at += 1;
        }
        while at < text.len() {
            let mut seconds: u64 = 0;
            while at < text.len() && !matches!(text[at], b'\n' | b':') {
                match text[at] {
                    b' ' => at += 1,
                    _ => {
                        let word = Word::read(text, at);
                        seconds |= 1 << word.port().index();
                        at = word.end;
                    }
                }
            }
            // An empty line.
            if seconds == 0 {
                at += 1;
                continue;
            }
            assert!(at < text.len() && text[at] == b':', "no `:` in a line");
            at += 1;
            let mut column = 0;
            while at < text.len() && text[at] != b'\n' {
                match text[at] {
                    b' ' => at += 1,
                    _ => {
                        let word = Word::read(text, at);
                        assert!(column < count, "a line has too many numbers");
                        if let Some(cycles) = word.cycles() {
                            table.fill(columns[column], seconds, cycles);
                        }
                        at = word.end;
                        column += 1;
                    }
                }
            }
            assert!(column == count, "a line has too few numbers");
        }
        table
    }

    /// Fills the cells of all pairs of ports, which are bits.
    const fn fill(&mut self, mut firsts: u64, seconds: u64, cycles: Cycles) {
        while firsts != 0 {
            let mut rest = seconds;
            while rest != 0 {
                let (first, second) = (firsts.trailing_zeros(), rest.trailing_zeros());
                let cell = &mut self.cells[first as usize][second as usize];
                assert!(cell.is_none(), "two ports are there twice");
                *cell = Some(cycles);
                rest &= rest - 1;
            }
            firsts &= firsts - 1;
        }
    }

    /// The cycles between two ports.
    pub fn get(&self, first: Port, second: Port) -> Option<Cycles> {
        self.cells[first.index()][second.index()]
    }

    /// All cells.
    pub fn cells(&self) -> impl Iterator<Item = (Port, Port, Cycles)> {
        Port::all().flat_map(move |first| {
            Port::all().filter_map(move |second| Some((first, second, self.get(first, second)?)))
        })
    }
}

/// A word of a table: what stands between spaces, commas and colons.
struct Word<'t> {
    text: &'t [u8],
    /// Where it ends in the table.
    end: usize,
}

impl<'t> Word<'t> {
    const fn read(text: &'t [u8], start: usize) -> Word<'t> {
        let mut end = start;
        while end < text.len() && !matches!(text[end], b' ' | b',' | b':' | b'\n') {
            end += 1;
        }
        Word {
            text: text.split_at(end).0.split_at(start).1,
            end,
        }
    }

    const fn port(&self) -> Port {
        let Ok(name) = str::from_utf8(self.text) else {
            panic!("a name is not text");
        };
        match Port::named(name) {
            Some(port) => port,
            None => panic!("no port has this name"),
        }
    }

    /// `4`, `4+1`, or `-` for none.
    const fn cycles(&self) -> Option<Cycles> {
        if let [b'-'] = self.text {
            return None;
        }
        let (mut plain, mut more) = (0, None);
        let mut at = 0;
        while at < self.text.len() {
            match (self.text[at], more) {
                (b'+', None) => more = Some(0),
                (digit @ b'0'..=b'9', None) => plain = 10 * plain + (digit - b'0'),
                (digit @ b'0'..=b'9', Some(so_far)) => more = Some(10 * so_far + (digit - b'0')),
                _ => panic!("a number is not one"),
            }
            at += 1;
        }
        let more = match more {
            Some(more) => more,
            None => 0,
        };
        Some(Cycles { plain, more })
    }
}

#[cfg(test)]
mod tests {
    use super::super::pipes::Pipe;
    use super::*;

    #[test]
    fn cells_are_those_of_the_text() {
        let table = Table::read(
            "
                     alu,dispatch  fma

                alu fma:  4  5+1
                pair:     -  12
            ",
        );
        let get = |first, second| table.get(Port::Pipe(first), Port::Pipe(second));
        let cycles = |plain, more| Some(Cycles { plain, more });
        assert_eq!(get(Pipe::Alu, Pipe::Alu), cycles(4, 0));
        assert_eq!(get(Pipe::Dispatch, Pipe::Fma), cycles(4, 0));
        assert_eq!(get(Pipe::Fma, Pipe::Fma), cycles(5, 1));
        assert_eq!(get(Pipe::Fma, Pipe::DispatchPair), cycles(12, 0));
        assert_eq!(get(Pipe::Alu, Pipe::DispatchPair), None);
        assert_eq!(table.cells().count(), 7);
    }

    #[test]
    fn wrong_tables_are_not_read() {
        for wrong in [
            "",
            "nothing\nalu: 1",
            "alu\nnothing: 1",
            "alu\nalu 1",
            "alu\nalu: 1 2",
            "alu fma\nalu: 1",
            "alu\nalu: x",
            "alu\nalu: 1\nalu: 1",
        ] {
            assert!(
                std::panic::catch_unwind(|| Table::read(wrong)).is_err(),
                "{wrong}"
            );
        }
    }
}
