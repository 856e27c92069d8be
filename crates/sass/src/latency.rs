//! Scheduling facts: when the result of an instruction is there, and how the next one must wait for it.
//!
//! ```text
//!   Inst ──Effects::of──► what it reads and writes          (latency/effects.rs, latency/widths.rs)
//!     │
//!     └──shape.pipe()───► Pipe ──Facts::need──► Need        (latency/pipes.rs, latency/sm_75.rs …)
//!                                                 │
//!   code ──check::faults─────────────────────────►│──► faults, distances
//! ```
//!
//! The chip checks nothing: an instruction that reads a register too early gets what was there before. An instruction
//! either has a fixed latency, which the stall counts between it and its user must cover, or it has none, and releases
//! one of six scoreboards that its user waits for. Which it is, and how many cycles, depends on the [`Pipe`]s of both,
//! on whether the result is a register or a predicate, vector or uniform ([`File`]), and on whether the second reads
//! what the first wrote or writes what it reads or wrote ([`Hazard`]). All of that is data, one file a generation.
//!
//! # Scoreboards
//!
//! * The *write* scoreboard of an instruction is released when all its results are there, registers and predicates; its
//!   operands have been read by then.
//! * The *read* scoreboard is released when its registers and uniform registers have been read; predicates and the
//!   guard are read when it is issued.
//! * A scoreboard counts. Whoever waits for it waits for all instructions that hold it; `DEPBAR.LE SB0, n` waits until
//!   at most n do, which is of use where they finish in order.
//! * It is raised a cycle after its instruction is issued: the next instruction may wait for it only if the stall count
//!   is [at least two](RAISED_AFTER).
//!
//! # Register banks and reuse
//!
//! Registers lie in two banks, even and odd numbers, and each bank gives one operand of 32 lanes a cycle: an
//! instruction takes as many cycles as it reads different registers of [one bank](BANKS), if its pipe does not take longer
//! ([`measured::turns`]). `.reuse` keeps the
//! operand of this place (the first, second or third source) until another instruction of the warp reads something else
//! there, so that one that reads the same register at the same place does not ask the bank. It is lost when another
//! warp is issued: an instruction with `.reuse` never yields, in all of ptxas's code.
//!
//! # The control word
//!
//! A stall count from 1 to 11 goes with either value of the yield bit, one from 12 to 15 with a yield only. No stall
//! and a yield make the next instruction wait until this one is done, results and all, without a scoreboard: `ptxas
//! -G` writes nothing else, and `ERRBAR` has it always.
//!
//! Sources: the tables that NVIDIA gave to Mesa's compiler NAK (`src/nouveau/compiler/nak/sm75_instr_latencies.rs`,
//! `sm80_instr_latencies.rs`, `src/nouveau/compiler/latencies/sm100/*.csv`), "Analyzing Modern NVIDIA GPU cores" (arXiv
//! 2503.20481) for banks, reuse and the control word, "Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking"
//! (arXiv 1903.07486), and what ptxas itself leaves between instructions: `./x sass latency` measures that, and
//! `docs/latency.md` has the figures. Each table names its own.

/// The tables of a file of a generation, which have the same names in each; predicates may be read another way.
macro_rules! all_tables {
    ($source:expr) => {
        all_tables!($source, PREDICATE_RAW)
    };
    ($source:expr, $predicate_raw:ident) => {
        tables(
            $source,
            [
                REGISTER_RAW,
                REGISTER_WAW,
                REGISTER_WAR,
                $predicate_raw,
                PREDICATE_WAW,
                PREDICATE_WAR,
                UNIFORM_RAW,
                UNIFORM_WAW,
                UNIFORM_WAR,
                UNIFORM_PREDICATE_RAW,
                UNIFORM_PREDICATE_WAW,
                UNIFORM_PREDICATE_WAR,
            ],
        )
    };
}

pub mod check;
pub mod effects;
pub mod measured;
pub mod order;
pub(crate) mod pipes;
mod sm_100;
mod sm_120;
mod sm_75;
mod sm_80;
mod sm_90;
pub mod table;
pub(crate) mod widths;

pub use effects::{Access, Effects, File, Role};
pub use pipes::{Pipe, Port, Rows};
pub use table::{Need, Table};

use warpc_target::Sm;

/// The least stall count of an instruction that raises a scoreboard which the next one waits for.
/// Source: NAK's `calc_instr_deps.rs`; ptxas does the same.
pub const RAISED_AFTER: u8 = 2;

/// The banks that registers lie in, by their number. Source: arXiv 1903.07486 and 2503.20481.
pub const BANKS: u8 = 2;

/// The largest stall count; a longer wait takes a `NOP`. Source: the control word has four bits.
pub const LONGEST_STALL: u8 = 15;

/// How two instructions get in each other's way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Hazard {
    /// The second reads what the first wrote.
    ReadAfterWrite,
    /// The second writes what the first wrote.
    WriteAfterWrite,
    /// The second writes what the first reads.
    WriteAfterRead,
}

/// Where a number comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The tables in Mesa's compiler NAK, which are NVIDIA's.
    Nak,
    /// The stall counts and scoreboards that ptxas writes.
    Ptxas,
    /// NAK's, with ptxas's where its code shows that they are not enough or that the chip differs; `docs/latency.md`
    /// lists these.
    NakAndPtxas,
}

/// The facts of a generation of chips, as they are written down.
pub struct Generation {
    /// The chips it is for: the first and the last.
    pub chips: (u16, u16),
    /// Pipes of this generation that differ from the usual ones.
    pub pipes: Rows<Pipe>,
    /// The pipes whose results have no fixed latency.
    pub variable: &'static [Pipe],
    /// The tables.
    pub tables: [(File, Hazard, Source, &'static str); 12],
    /// The least stall count of operations, as ptxas has it. Source for `MEMBAR` and `BAR`: NAK too.
    pub least_stalls: Rows<u8>,
    /// Cycles after which the pipe of an operation takes the next one: the first row that fits. Source: the closest
    /// that ptxas puts two of them, in all of the corpus.
    pub issue: Rows<u8>,
}

impl Generation {
    /// The tables in the order of files and hazards.
    const fn read_tables(&self) -> [Table; 12] {
        let mut tables = [const { Table::EMPTY }; 12];
        let mut at = 0;
        while at < tables.len() {
            tables[at] = Table::read(self.tables[at].3);
            at += 1;
        }
        tables
    }
}

/// The tables of a generation in their order: for each file, read after write, write after write, write after read.
const fn tables(
    source: Source,
    texts: [&'static str; 12],
) -> [(File, Hazard, Source, &'static str); 12] {
    const HAZARDS: [Hazard; 3] = [
        Hazard::ReadAfterWrite,
        Hazard::WriteAfterWrite,
        Hazard::WriteAfterRead,
    ];
    let mut all = [(File::Register, Hazard::ReadAfterWrite, source, ""); 12];
    let mut at = 0;
    while at < texts.len() {
        all[at] = (File::ALL[at / 3], HAZARDS[at % 3], source, texts[at]);
        at += 1;
    }
    all
}

/// The facts of generations, with the tables that are read when the crate is compiled.
macro_rules! facts {
    ($($generation:expr),*) => {
        [$({
            static TABLES: [Table; 12] = $generation.read_tables();
            Facts { generation: &$generation, tables: &TABLES }
        }),*]
    };
}

/// All generations.
static FACTS: [Facts; 8] = facts![
    sm_75::SM_75,
    sm_80::SM_80,
    sm_80::SM_86,
    sm_90::SM_90,
    sm_100::SM_100,
    sm_100::SM_103,
    sm_100::SM_110,
    sm_120::SM_120
];

/// The facts of a generation, read.
pub struct Facts {
    /// As they are written down.
    pub generation: &'static Generation,
    /// By file and hazard.
    tables: &'static [Table; 12],
}

impl Facts {
    /// The facts about a chip; nothing for chips before sm_75.
    pub fn of(sm: Sm) -> Option<&'static Facts> {
        let number = sm.number();
        FACTS.iter().find(|facts| {
            let (first, last) = facts.generation.chips;
            (first..=last).contains(&number)
        })
    }

    /// The pipe of an operation by its name with modifiers; nothing if the name is unknown.
    pub(crate) fn pipe(&self, name: &str) -> Option<Pipe> {
        let own = self.generation.pipes.first(name);
        own.or_else(|| pipes::PIPES.first(name))
    }

    /// Whether the results of a pipe have no fixed latency.
    pub fn is_variable(&self, pipe: Pipe) -> bool {
        self.generation.variable.contains(&pipe)
    }

    fn table(&self, file: File, hazard: Hazard) -> &Table {
        &self.tables[3 * file as usize + hazard as usize]
    }

    /// What must be between two accesses. `guarded` says that the first instruction has a guard.
    pub fn need(&self, hazard: Hazard, first: Use, second: Use, guarded: bool) -> Option<Need> {
        let file = first.access.file;
        let open = match hazard {
            Hazard::WriteAfterRead => self.reads_late(first),
            _ => self.is_variable(first.pipe),
        };
        let cycles = self.table(file, hazard).get(first.port(), second.port());
        let cycles = cycles.map(|cycles| cycles.for_guard(guarded));
        match (open, cycles) {
            (true, Some(cycles)) => Some(Need::Either(cycles)),
            (true, None) => Some(Need::Scoreboard),
            (false, cycles) => cycles.map(Need::Cycles),
        }
    }

    /// The least and the most cycles that a table has after an instruction of a pipe, whatever the second one is.
    pub fn cycles(&self, file: File, hazard: Hazard, first: Pipe) -> Option<(u8, u8)> {
        let cells = self.table(file, hazard).cells();
        let own = cells.filter(|cell| cell.0 == Port::Pipe(first));
        let cycles: Vec<u8> = own.map(|cell| cell.2.plain).collect();
        Some((*cycles.iter().min()?, *cycles.iter().max()?))
    }

    /// The most cycles that any later instruction must keep from an access with a fixed time, whichever hazard it is.
    pub fn longest(&self, first: Use, guarded: bool) -> u8 {
        let hazards: &[Hazard] = match first.access.is_write() {
            true => &[Hazard::ReadAfterWrite, Hazard::WriteAfterWrite],
            false => &[Hazard::WriteAfterRead],
        };
        let tables = hazards
            .iter()
            .map(|hazard| self.table(first.access.file, *hazard));
        let cells = tables.flat_map(|table| {
            Port::all().filter_map(move |second| table.get(first.port(), second))
        });
        let cycles = cells.map(|cycles| cycles.for_guard(guarded));
        cycles.max().unwrap_or(0)
    }

    /// Whether an operand is read at no fixed time, so that a write after it waits for a scoreboard.
    pub fn reads_late(&self, one: Use) -> bool {
        match one.access.file {
            File::Register => self.is_variable(one.pipe) && one.pipe != Pipe::Branch,
            File::Uniform => one.pipe == Pipe::Bulk,
            File::Predicate | File::UniformPredicate => false,
        }
    }

    /// The least stall count of an operation, by its name with modifiers.
    pub(crate) fn least_stall(&self, name: &str) -> u8 {
        self.generation.least_stalls.first(name).unwrap_or(1)
    }

    /// Cycles after which the pipe of an operation takes the next one of a warp.
    pub(crate) fn issue(&self, name: &str) -> u8 {
        self.generation.issue.first(name).unwrap_or(1)
    }
}

/// An access of an instruction, with the pipe of the instruction and which of its registers is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The pipe.
    pub pipe: Pipe,
    /// The access.
    pub access: Access,
    /// Which of its registers.
    pub index: u8,
}

impl Use {
    /// Where it goes in or comes out.
    pub fn port(&self) -> Port {
        pipes::port(self.pipe, &self.access, self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Forms;

    #[test]
    fn every_row_has_a_pipe_on_every_chip() {
        let mut chips = 0;
        for sm in Sm::all() {
            let Some(facts) = Facts::of(sm) else { continue };
            chips += 1;
            for form in Forms::get().all() {
                if (form.row.first..=form.row.last).contains(&sm.number()) {
                    let name = form.name();
                    assert!(facts.pipe(name).is_some(), "{sm} has no pipe for {name}");
                }
            }
        }
        assert!(chips >= 10);
    }
}
