//! A kernel's machine code with all that is known about it: what text and page show.

use std::sync::Arc;
use warpc_diag::SourceFile;
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_ptx_to_sass::check::{Assembled, Code, Indirect};
use warpc_ptx_to_sass::cost::{Cost, InstCost, TRIPS, Wait, live};
use warpc_sass::print::{self, Names};
use warpc_sass::{Control, Inst, Value};
use warpc_sass_text::sections::Section;
use warpc_target::Sm;

/// Bytes of an instruction.
const WORD: usize = 16;

/// An instruction.
pub struct Row {
    /// Its text, without control word.
    pub text: String,
    /// The block that it goes to.
    pub target: Option<usize>,
    /// Its control word.
    pub control: Control,
    /// Registers that are live before it.
    pub live: u16,
    /// When it is issued, and what it waits for.
    pub cost: InstCost,
    /// The line of PTX that it comes from: its number and its text, where it is not that of the instruction before.
    pub ptx: Option<(usize, String)>,
}

/// A block.
pub struct Block {
    /// Its first instruction, and the one after its last.
    pub rows: std::ops::Range<usize>,
    /// The innermost loop that it is in.
    pub innermost: Option<usize>,
    /// Which part of the time of the kernel it is expected to take, if all loops are repeated [`TRIPS`] times.
    pub share: f64,
    /// Cycles of a warp alone.
    pub alone: f64,
    /// Whether anything goes there.
    pub reached: bool,
}

/// A kernel.
pub struct Listing {
    /// Its name.
    pub name: String,
    /// The chip.
    pub chip: Sm,
    /// Where it comes from.
    pub origin: String,
    /// The instructions.
    pub rows: Vec<Row>,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// What is expected.
    pub cost: Cost,
    /// For each loop which part of the time it is expected to take, without inner loops.
    pub shares: Vec<f64>,
    /// Cycles from start to end if loops are repeated [`TRIPS`] times.
    pub cycles: f64,
    /// Instructions that access local memory.
    pub local: usize,
}

impl Listing {
    /// Of PTX that was assembled.
    pub fn of_assembled(
        kernel: &Assembled,
        file: &Arc<SourceFile>,
        origin: String,
    ) -> Option<Listing> {
        let code = Code {
            chip: kernel.chip,
            insts: &kernel.insts,
            entries: &[0],
            indirect: &kernel.indirect,
            spills: &[],
        };
        let mut listing = Listing::of(&kernel.name, &code, origin)?;
        let spans = kernel.parts.iter().flat_map(|part| &part.spans);
        let bytes = file.bytes();
        let mut before = 0;
        for (row, span) in listing.rows.iter_mut().zip(spans) {
            let line = file.position(span.start).line;
            if (span.start, span.end) == (0, 0) || line == before {
                continue;
            }
            before = line;
            let text = bytes.get(span.start as usize..).unwrap_or_default();
            let end = text.iter().position(|byte| *byte == b'\n');
            let text = String::from_utf8_lossy(&text[..end.unwrap_or(text.len())]);
            let words: Vec<&str> = text.split_whitespace().collect();
            row.ptx = Some((line, words.join(" ")));
        }
        Some(listing)
    }

    /// Of a section of a cubin.
    pub fn of_section(name: &str, chip: Sm, section: &Section, origin: String) -> Option<Listing> {
        let indirect = section.indirect.iter().map(|(at, targets)| Indirect {
            at: *at,
            targets: targets.clone(),
        });
        let indirect: Vec<Indirect> = indirect.collect();
        let code = Code {
            chip,
            insts: &section.insts,
            entries: &section.entries,
            indirect: &indirect,
            spills: &[],
        };
        Listing::of(name, &code, origin)
    }

    fn of(name: &str, code: &Code, origin: String) -> Option<Listing> {
        let flow = Flow::of(code);
        let cost = Cost::of(code, &flow)?;
        let live = live::live(code, &flow);
        let block_of = |place: usize| {
            let at = flow.blocks.partition_point(|block| block.end <= place);
            (flow.blocks.get(at)?.start == place).then_some(at)
        };
        let rows = code.insts.iter().enumerate().map(|(at, inst)| Row {
            text: text(at, inst),
            target: place(at, inst).and_then(block_of),
            control: inst.control,
            live: live[at],
            cost: cost.insts[at],
            ptx: None,
        });
        let rows: Vec<Row> = rows.collect();
        let times = |mut around: Option<usize>| {
            let mut times = 1.0;
            while let Some(one) = around {
                times *= TRIPS;
                around = cost.loops[one].outer;
            }
            times
        };
        let cycles = cost.cycles(|_| TRIPS);
        let shares = cost.loops.iter().enumerate();
        let shares = shares.map(|(number, one)| one.cycles * times(Some(number)) / cycles.max(1.0));
        let shares: Vec<f64> = shares.collect();
        let blocks = flow.blocks.iter().zip(&cost.blocks).map(|(block, own)| {
            // A block has its part of what its loop takes.
            let weight = |one: usize| {
                let inside = cost
                    .blocks
                    .iter()
                    .filter(|other| other.innermost == Some(one));
                let all: f64 = inside.map(|other| other.alone * other.frequency).sum();
                own.alone * own.frequency / all.max(1.0)
            };
            let share = match own.innermost {
                Some(one) => shares[one] * weight(one),
                None => own.alone * own.frequency / f64::from(cost.warps) / cycles.max(1.0),
            };
            Block {
                rows: block.start..block.end,
                innermost: own.innermost,
                share: share.min(1.0),
                alone: own.alone,
                reached: block.reached,
            }
        });
        let blocks: Vec<Block> = blocks.collect();
        let is_local = |inst: &&Inst| matches!(inst.shape.opcode(), "LDL" | "STL");
        Some(Listing {
            name: name.to_owned(),
            chip: code.chip,
            origin,
            rows,
            blocks,
            shares,
            cycles,
            local: code.insts.iter().filter(is_local).count(),
            cost,
        })
    }

    /// Instructions that can be reached.
    pub fn instructions(&self) -> usize {
        let reached = self.blocks.iter().filter(|block| block.reached);
        reached.map(|block| block.rows.len()).sum()
    }

    /// The loops by what they are expected to take, the most first.
    pub fn hot_loops(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.cost.loops.len()).collect();
        numbers.sort_by(|a, b| self.shares[*b].total_cmp(&self.shares[*a]));
        numbers
    }

    /// Instructions of an iteration of a loop.
    pub fn issued(&self, number: usize) -> f64 {
        self.cost.loops[number].demand.issue
    }

    /// What an instruction waits for, in words; nothing if it is not worth a word.
    pub fn wait(&self, row: &Row) -> Option<String> {
        let cycles = row.cost.waited;
        Some(match row.cost.on {
            Wait::Nothing => return None,
            Wait::Stall => format!("{cycles}: fixed latency"),
            Wait::Busy(resource) => format!("{cycles}: {} is busy", resource.name()),
            Wait::Scoreboard { board: 6, from } => {
                format!("{cycles}: warpgroup, {}", self.producer(from))
            }
            Wait::Scoreboard { board, from } => {
                format!("{cycles}: scoreboard {board}, {}", self.producer(from))
            }
        })
    }

    /// An instruction in short: its address and operation.
    pub fn producer(&self, at: usize) -> String {
        let text = self.rows.get(at).map_or("", |row| row.text.as_str());
        let mut words = text.split_whitespace();
        let opcode = words
            .find(|word| !word.starts_with('@'))
            .unwrap_or_default();
        format!("{opcode} at {:04x}", at * WORD)
    }
}

/// The text of an instruction.
fn text(at: usize, inst: &Inst) -> String {
    let names = Names::at((at * WORD) as u64);
    let text = print::inst(inst, &names).unwrap_or_else(|_| inst.to_string());
    text.trim_end_matches([' ', ';']).to_owned()
}

/// The instruction that one names.
fn place(at: usize, inst: &Inst) -> Option<usize> {
    inst.values().find_map(|value| match value {
        Value::Place(distance) => {
            let address = ((at + 1) * WORD) as i64 + distance;
            usize::try_from(address).ok().map(|address| address / WORD)
        }
        _ => None,
    })
}
