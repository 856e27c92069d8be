//! The instructions of a section: words with labels and symbols as operands.

use super::labels::Labels;
use super::{Branch, CodeSection, Instruction, Room};
use crate::instruction;
use object::elf;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use warpc_cubin::{Content, Cubin};
use warpc_sass::decode::decode;
use warpc_sass::print::{self, Names, Style};
use warpc_sass::{Forms, Inst, Value};
use warpc_target::Sm;

/// The instructions of a section.
pub(super) struct Decoded {
    chip: Option<Sm>,
    lines: Vec<Line>,
    /// The places that labels stand for, by the numbers that operands have.
    labels: Vec<Target>,
    /// The texts of symbols, by the numbers that operands have.
    symbols: Vec<String>,
}

/// A word, and its instruction where a name stands in it: most words are printed as they are.
struct Line {
    word: u128,
    named: Option<Box<Inst>>,
}

/// What a label stands for.
enum Target {
    /// A function.
    Function(String),
    /// A place in the section.
    Place(u64),
}

impl Decoded {
    /// Decodes the words of a section. Places that instructions go to become labels and get numbers; `branches` are
    /// those through registers whose distance is shown as what it is from the start of the section.
    pub fn new(
        cubin: &Cubin,
        code: &CodeSection,
        branches: &[Branch],
        labels: &mut Labels,
        room: &mut Room,
    ) -> Decoded {
        let branches: HashSet<u64> = branches.iter().map(|branch| branch.0).collect();
        let chip = cubin.chip();
        let mut decoded = Decoded {
            chip,
            lines: Vec::new(),
            labels: Vec::new(),
            symbols: Vec::new(),
        };
        let Content::Bytes(bytes) = &cubin.sections[code.index].content else {
            return decoded;
        };
        let (words, _) = bytes.as_chunks::<16>();
        let start = start_of(cubin, code);
        let mut starts: HashMap<u64, &str> = HashMap::new();
        for function in &code.functions {
            starts.entry(function.start).or_insert(&function.name);
        }
        for (index, word) in words.iter().enumerate() {
            let word = u128::from_le_bytes(*word);
            let address = index as u64 * 16;
            let inst = chip.and_then(|sm| {
                let form = Forms::get().of(sm, word)?;
                form.goes_somewhere().then(|| decode(sm, word))?
            });
            let place = inst
                .as_ref()
                .and_then(|inst| instruction::target(inst, address));
            let target = place.and_then(|place| match starts.get(&place) {
                Some(name) => room
                    .take(name.len())
                    .then(|| Target::Function((*name).to_owned())),
                None if place <= code.size => {
                    labels.number(code.index, place);
                    Some(Target::Place(place))
                }
                None => None,
            });
            let mut named = None;
            if let Some((target, inst)) = target.zip(inst) {
                let label = decoded.labels.len() as u32;
                decoded.labels.push(target);
                named = Some(Box::new(instruction::with_label(inst, label)));
            }
            decoded.lines.push(Line { word, named });
            if branches.contains(&address) && room.take(start.len()) {
                // The distance is counted from the next instruction.
                let whole = Value::Number((address as i64).saturating_add(16).saturating_neg());
                let name = format!("`((({start} - .) - 0x10))");
                if decoded.replace(index, |_, value| value == whole, name) {
                    labels.take(code.index, 0);
                }
            }
        }
        decoded
    }

    /// Puts a symbol in the place of the first operand that is wanted; whether there is one.
    pub fn replace(
        &mut self,
        index: usize,
        wanted: impl Fn(usize, Value) -> bool,
        symbol: String,
    ) -> bool {
        let Some(mut inst) = self.inst(index) else {
            return false;
        };
        let number = self.symbols.len() as u32;
        let mut operands = inst.operands.iter_mut().enumerate();
        let Some((_, operand)) = operands.find(|(slot, operand)| wanted(*slot, operand.value))
        else {
            return false;
        };
        operand.value = Value::Symbol(number);
        self.symbols.push(symbol);
        self.lines[index].named = Some(Box::new(inst));
        true
    }

    /// An instruction by its number, with the names that stand in it.
    pub fn inst(&self, index: usize) -> Option<Inst> {
        let line = self.lines.get(index)?;
        match &line.named {
            Some(inst) => Some(Inst::clone(inst)),
            None => decode(self.chip?, line.word),
        }
    }

    /// The instructions with their texts.
    pub fn print(self, section: usize, labels: &Labels) -> Vec<Instruction> {
        let label = |target: &Target| match target {
            Target::Function(name) => format!("`({name})"),
            Target::Place(place) => match labels.name_of(section, *place) {
                Some(name) => format!("`({name})"),
                None => format!("{place:#x}"),
            },
        };
        let named: Vec<String> = self.labels.iter().map(label).collect();
        let instructions = self.lines.into_iter().enumerate().map(|(index, line)| {
            let address = index as u64 * 16;
            let names = Names {
                address,
                labels: &named,
                symbols: &self.symbols,
            };
            let word = line.word;
            let text = match line.named {
                Some(inst) => print::styled(&inst, &names, Style::Nvdisasm).ok(),
                None => self.chip.and_then(|sm| print::text(sm, word, address)),
            };
            Instruction {
                address,
                word,
                text: text.unwrap_or_else(|| format!(".unknown {word:#034x}")),
                targets: Vec::new(),
                remark: String::new(),
            }
        });
        instructions.collect()
    }
}

/// The first symbol for the start of a section: the section's own, or a function that is not visible outside.
fn start_of<'c>(cubin: &'c Cubin, code: &'c CodeSection) -> Cow<'c, str> {
    let (_, symbols) = cubin.symbols();
    let first = symbols.iter().find(|symbol| {
        let is_place = matches!(symbol.kind(), elf::STT_FUNC | elf::STT_SECTION);
        is_place && usize::from(symbol.section) == code.index && symbol.value == 0
    });
    first.map_or(Cow::Borrowed(&code.name), |one| cubin.symbol_name(one))
}
