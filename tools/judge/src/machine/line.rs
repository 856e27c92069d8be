//! Instructions of machine code, as far as memory order is concerned.
//!
//! - An access names its scope (`STRONG.SM`, `.GPU`, `.SYS`) or is plain. Shared memory has no scopes.
//! - `MEMBAR.ALL` orders what stands before it, `MEMBAR.SC` is also one of the fences that all threads agree about.
//! - `CCTL.IVALL` drops what the first cache holds, so that later loads see what others have written.
//! - A result arrives when its scoreboard is waited for, and not before.

use crate::asked::Reach;
use warpc_cubin::Cubin;
use warpc_sass::decode::decode;
use warpc_sass::latency::effects::{Access, Effects, File};
use warpc_sass::{Inst, Marks, Value};
use warpc_target::Sm;

/// The kinds of accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Load,
    Store,
    /// An atomic operation that gives the old value.
    Atom,
    /// One that gives nothing.
    Reduction,
}

/// Which addresses an access takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Window {
    Generic,
    Global,
    Shared,
    Local,
}

/// An access of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    /// Its kind.
    pub kind: Kind,
    /// Which addresses it takes.
    pub window: Window,
    /// How far it reaches; nothing if it is plain.
    pub reach: Option<Reach>,
    /// How many bits it moves.
    pub bits: u32,
    /// Name and modifiers.
    pub name: String,
    /// The registers of its address.
    pub address: Vec<(File, u8)>,
    /// The predicate that says whether memory has done it.
    pub done: Option<u8>,
}

impl Touch {
    /// Whether one of its modifiers is this.
    pub fn has(&self, word: &str) -> bool {
        self.name.split('.').any(|part| part == word)
    }
}

/// A source of a predicate: its number and whether it is turned round.
pub type Source = (u8, bool);

/// What an instruction does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// It accesses memory.
    Touch(Touch),
    /// `MEMBAR`
    Membar {
        /// Whether it is sequentially consistent.
        sc: bool,
        /// How far it reaches.
        reach: Reach,
    },
    /// `CCTL.IVALL`
    Invalidate,
    /// `QSPC.E.letter`: whether an address lies in a window.
    Query {
        /// The letter.
        letter: String,
        /// The predicate with the answer.
        to: u8,
        /// The registers of the address.
        address: Vec<(File, u8)>,
    },
    /// A table of three predicates.
    Logic {
        /// Where the first result goes.
        to: u8,
        /// What is looked up.
        from: [Source; 3],
        /// The table.
        table: u8,
    },
    /// A jump.
    Jump(usize),
    /// The end.
    Exit,
    /// Nothing about memory.
    Other,
    /// The judge does not know.
    Unknown,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it does.
    pub act: Act,
    /// Whether all threads do it; else the predicate, and whether it must be false. `None` in it: not a predicate
    /// that the judge follows.
    pub guard: Option<(Option<u8>, bool)>,
    /// The scoreboards that it waits for, a bit each.
    pub wait: u8,
    /// The scoreboard that says when its results are there.
    pub board: Option<u8>,
    /// What it reads and writes.
    pub accesses: Vec<Access>,
    /// Constants that it reads: bank and place.
    pub constants: Vec<(u8, i32)>,
    /// Its name with modifiers.
    pub name: String,
}

/// The lines of a kernel, or why there are none.
pub type Lines = Result<Vec<Line>, String>;

/// The lines of a kernel of a cubin.
pub fn lines(cubin: &Cubin, sm: Sm, kernel: &str) -> Lines {
    let name = format!(".text.{kernel}");
    let (_, section) = cubin.section(&name).ok_or("the kernel has no code")?;
    let bytes = section.content.to_bytes();
    let words = bytes.chunks_exact(16).map(|chunk| {
        let mut word = [0; 16];
        word.copy_from_slice(chunk);
        u128::from_le_bytes(word)
    });
    words
        .enumerate()
        .map(|(at, word)| line(sm, at, word))
        .collect()
}

fn line(sm: Sm, at: usize, word: u128) -> Result<Line, String> {
    let unknown = || format!("{word:032x} at {:#x} is not known", at * 16);
    let inst = decode(sm, word).ok_or_else(unknown)?;
    let effects = Effects::of(&inst);
    let guard = (inst.guard.predicate != 7 || inst.guard.not).then_some((
        (!inst.guard.uniform && inst.guard.predicate != 7).then_some(inst.guard.predicate),
        inst.guard.not,
    ));
    Ok(Line {
        act: act(&inst, &effects, at),
        guard,
        wait: inst.control.wait,
        // The number that stands for none.
        board: (inst.control.write != 7).then_some(inst.control.write),
        accesses: effects.accesses.to_vec(),
        constants: constants(&inst),
        name: inst.shape.name().to_owned(),
    })
}

fn act(inst: &Inst, effects: &Effects, at: usize) -> Act {
    let name = inst.shape.name().to_owned();
    let words: Vec<&str> = name.split('.').collect();
    let (kind, window) = match words[0] {
        "LD" => (Kind::Load, Window::Generic),
        "LDG" => (Kind::Load, Window::Global),
        "LDS" => (Kind::Load, Window::Shared),
        "LDL" => (Kind::Load, Window::Local),
        "ST" => (Kind::Store, Window::Generic),
        "STG" => (Kind::Store, Window::Global),
        "STS" => (Kind::Store, Window::Shared),
        "STL" => (Kind::Store, Window::Local),
        "ATOM" => (Kind::Atom, Window::Generic),
        "ATOMG" => (Kind::Atom, Window::Global),
        "ATOMS" => (Kind::Atom, Window::Shared),
        "RED" => (Kind::Reduction, Window::Generic),
        "REDG" => (Kind::Reduction, Window::Global),
        "REDS" => (Kind::Reduction, Window::Shared),
        _ => return other(inst, effects, &words, at),
    };
    let reach = words
        .iter()
        .position(|word| *word == "STRONG")
        .and_then(|place| words.get(place + 1))
        .and_then(|word| reach(word));
    Act::Touch(Touch {
        kind,
        // Before sm_90 `RED` takes addresses of global memory only.
        window: match (kind, window) {
            (Kind::Reduction, Window::Generic) => Window::Global,
            _ => window,
        },
        reach,
        bits: bits(&words),
        address: address(inst),
        done: predicate_result(effects),
        name,
    })
}

fn other(inst: &Inst, effects: &Effects, words: &[&str], at: usize) -> Act {
    match words[0] {
        "MEMBAR" => match words.get(2).and_then(|word| reach(word)) {
            Some(reach) if matches!(words[1], "SC" | "ALL") => Act::Membar {
                sc: words[1] == "SC",
                reach,
            },
            _ => Act::Unknown,
        },
        "CCTL" if words[1..] == ["IVALL"] => Act::Invalidate,
        "QSPC" => match (words.last(), predicate_result(effects)) {
            (Some(letter), Some(to)) => Act::Query {
                letter: (*letter).to_owned(),
                to,
                address: address(inst),
            },
            _ => Act::Unknown,
        },
        "PLOP3" => logic(inst, effects).unwrap_or(Act::Other),
        "BRA" => match place(inst) {
            // `BRA.U` and `BRA.DIV` look at more than their guard.
            Some(bytes) if words.len() == 1 => {
                let to = (at as i64 + 1) * 16 + bytes;
                match usize::try_from(to) {
                    Ok(to) => Act::Jump(to / 16),
                    Err(_) => Act::Unknown,
                }
            }
            _ => Act::Unknown,
        },
        "EXIT" => Act::Exit,
        // What goes elsewhere, waits for others, or has ways to memory of its own.
        "CALL" | "RET" | "BRX" | "BRXU" | "JMP" | "JMX" | "JMXU" | "BRA.U" | "UBRA" | "BREAK"
        | "RTT" | "KILL" | "CCTL" | "CCTLL" | "LDGSTS" | "LDGDEPBAR" | "LDSM" | "STSM"
        | "SYNCS" | "BAR" | "UCGABAR_ARV" | "UCGABAR_WAIT" | "FENCE" | "TEX" | "TLD" | "TLD4"
        | "SULD" | "SUST" | "SUATOM" | "SURED" | "UBLKCP" | "UBLKRED" | "UTMALDG" | "UTMASTG"
        | "UTMAREDG" | "LDTM" | "STTM" | "LDGMC" | "REDAS" | "STAS" | "ARRIVES" | "MULTIMEM" => {
            Act::Unknown
        }
        _ => Act::Other,
    }
}

fn reach(word: &str) -> Option<Reach> {
    Some(match word {
        // `CTA` on sm_75, `SM` from sm_80 on.
        "SM" | "CTA" => Reach::Cta,
        "GPU" => Reach::Gpu,
        "SYS" => Reach::Sys,
        _ => return None,
    })
}

fn bits(words: &[&str]) -> u32 {
    let width = |word: &&str| {
        Some(match *word {
            "U8" | "S8" => 8,
            "U16" | "S16" => 16,
            "64" | "F64" | "S64" | "U64" => 64,
            "128" => 128,
            _ => return None,
        })
    };
    words.iter().find_map(width).unwrap_or(32)
}

/// The constants that it reads. Loads have bank and place as two operands, `c[0x0][0x28]`, others as one.
fn constants(inst: &Inst) -> Vec<(u8, i32)> {
    let one = |value: Value| match value {
        Value::Constant { bank, offset } => Some((bank, offset)),
        _ => None,
    };
    let mut found: Vec<(u8, i32)> = inst.values().filter_map(one).collect();
    let bank = inst.at(BANK).and_then(|operand| operand.value.number());
    let offset = inst.address().find_map(Value::number);
    if let (Some(bank), Some(offset)) = (bank, offset)
        && (offset != 0 || address(inst).is_empty())
        && let (Ok(bank), Ok(offset)) = (u8::try_from(bank), i32::try_from(offset))
    {
        found.push((bank, offset));
    }
    found
}

/// The first bit of the bank of a load of constants.
const BANK: u8 = 54;

/// The registers of the address.
fn address(inst: &Inst) -> Vec<(File, u8)> {
    let one = |value: Value| match value {
        Value::Register(number) if number != 255 => Some((File::Register, number)),
        Value::Uniform(number) if number != 255 => Some((File::Uniform, number)),
        _ => None,
    };
    inst.address().filter_map(one).collect()
}

fn predicate_result(effects: &Effects) -> Option<u8> {
    let is = |access: &&Access| access.is_write() && access.file == File::Predicate;
    effects.accesses.iter().find(is).map(|access| access.first)
}

fn place(inst: &Inst) -> Option<i64> {
    inst.values().find_map(|value| match value {
        Value::Place(bytes) => Some(bytes),
        _ => None,
    })
}

/// `PLOP3.LUT P0, PT, P1, !P2, PT, 0x80, 0x8`
fn logic(inst: &Inst, effects: &Effects) -> Option<Act> {
    let mut predicates = Vec::new();
    let mut table = None;
    for operand in &inst.operands {
        match operand.value {
            Value::Predicate(number) => {
                predicates.push((number, operand.marks.has(Marks::NOT)));
            }
            Value::Number(number) => table = table.or(u8::try_from(number).ok()),
            _ => return None,
        }
    }
    let [_, _, a, b, c] = predicates[..] else {
        return None;
    };
    Some(Act::Logic {
        to: predicate_result(effects)?,
        from: [a, b, c],
        table: table?,
    })
}
