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
    cells: Box<[[Option<Cycles>; Port::COUNT]; Port::COUNT]>,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            cells: Box::new([[None; Port::COUNT]; Port::COUNT]),
        }
    }
}

impl Table {
    /// Reads a table. The error says what is wrong.
    pub fn read(text: &str) -> Result<Table, String> {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let head = lines.next().ok_or("no columns")?;
        let ports = |text: &str, separator: char| -> Result<Vec<Port>, String> {
            let names = text.split(separator).filter(|name| !name.is_empty());
            names
                .map(|name| Port::named(name).ok_or_else(|| format!("no port is `{name}`")))
                .collect()
        };
        let columns: Result<Vec<Vec<Port>>, String> = head
            .split_whitespace()
            .map(|names| ports(names, ','))
            .collect();
        let columns = columns?;
        let mut table = Table::default();
        for line in lines {
            let (names, numbers) = line
                .split_once(':')
                .ok_or_else(|| format!("no `:` in `{line}`"))?;
            let seconds = ports(names.trim(), ' ')?;
            let numbers: Vec<&str> = numbers.split_whitespace().collect();
            if numbers.len() != columns.len() {
                return Err(format!("{} numbers in `{line}`", numbers.len()));
            }
            for (firsts, number) in columns.iter().zip(numbers) {
                let Some(cycles) = cycles(number)? else {
                    continue;
                };
                for key in firsts
                    .iter()
                    .flat_map(|first| seconds.iter().map(|second| (*first, *second)))
                {
                    let cell = &mut table.cells[key.0.index()][key.1.index()];
                    if cell.replace(cycles).is_some() {
                        return Err(format!("{key:?} is there twice"));
                    }
                }
            }
        }
        Ok(table)
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

fn cycles(text: &str) -> Result<Option<Cycles>, String> {
    if text == "-" {
        return Ok(None);
    }
    let (plain, more) = text.split_once('+').unwrap_or((text, "0"));
    match (plain.parse(), more.parse()) {
        (Ok(plain), Ok(more)) => Ok(Some(Cycles { plain, more })),
        _ => Err(format!("no number is `{text}`")),
    }
}
