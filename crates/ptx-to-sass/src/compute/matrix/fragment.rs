//! Fragments of matrices between memory and registers: `wmma.load`, `wmma.store`.
//!
//! ```text
//!   element of a lane = (line, column) = (l + lg group + lt thread, e + eg group + et thread),  lane = 4 group + thread
//!   its address       = p + bytes of (line stride + column)
//! ```
//!
//! `group` and `thread` give an address of the lane's own; the rest, which is the same in all lanes, goes into the
//! accesses, as far as the stride is known.

use crate::code::{Code, element, ptx};
use crate::compute::number;
use crate::source::{Argument, Source};
use crate::wired::Operand;
use warpc_model::StateSpace;
use warpc_ptx_eval::matrix::{FragmentPiece, FragmentTransfer, fragment_transfer};

/// Numbers by which places grow with the group and with the thread in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Steps {
    group: i64,
    thread: i64,
}

/// The stride between lines, in elements.
enum Stride {
    Known(i64),
    Register,
}

/// The memory that is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Global,
    Shared,
    Generic,
}

/// The largest number in an address.
const LARGEST: i64 = (1 << 23) - 1;

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let transfer = fragment_transfer(source.choice())?;
    let (pieces, lines, columns) = places(&transfer)?;
    let memory = match source.choice().space() {
        None | Some(StateSpace::Generic) => Memory::Generic,
        Some(StateSpace::Global) => Memory::Global,
        Some(StateSpace::Shared | StateSpace::SharedCta) => Memory::Shared,
        Some(_) => return None,
    };
    let stride = match source.operand("stride") {
        None => Stride::Known(transfer.default_stride.into()),
        Some(Argument::Constant(stride)) => Stride::Known(stride & 0xffff_ffff),
        Some(_) => Stride::Register,
    };
    let bits = i64::from(transfer.bits());
    let mut addresses = Addresses {
        memory,
        bits,
        bases: Vec::new(),
        stride: None,
    };
    // Bytes after the lane's own address, if the stride is known and all of them fit.
    let known = match stride {
        Stride::Known(stride) => {
            let bytes = |elements: i64| (elements * bits % 8 == 0).then_some(elements * bits / 8);
            let after = pieces.iter().map(|piece| {
                bytes(i64::from(piece.line()) * stride + i64::from(piece.element()))
                    .filter(|bytes| *bytes <= LARGEST)
            });
            let own = Steps {
                group: lines.group * stride + columns.group,
                thread: lines.thread * stride + columns.thread,
            };
            let own = bytes(own.group).zip(bytes(own.thread));
            own.filter(|own| own.0.max(own.1) <= LARGEST)
                .zip(after.collect::<Option<Vec<i64>>>())
        }
        Stride::Register => None,
    };
    let lane = Lane::new(code);
    let after: Vec<i64> = match known {
        Some(((group, thread), after)) => {
            let own = lane.sum(code, Steps { group, thread });
            let base = addresses.add(code, ptx("p"), own, None);
            addresses.bases.push((0, base));
            after
        }
        None => {
            let by = match stride {
                Stride::Known(stride) => {
                    let word = code.word();
                    code.copy(word, number(stride));
                    word
                }
                Stride::Register => ptx("stride"),
            };
            addresses.begin(code, &lane, by, lines, columns);
            (pieces.iter())
                .map(|piece| i64::from(piece.element()) * bits / 8)
                .collect()
        }
    };
    let is_known = known_lines(&addresses);
    let mut at = Vec::with_capacity(pieces.len());
    for (piece, after) in pieces.iter().zip(after) {
        let line = if is_known { 0 } else { piece.line() };
        at.push((addresses.base(code, line), after));
    }
    match transfer.loads {
        true => load(code, memory, &pieces, &at),
        false => store(code, memory, &pieces, &at),
    }
}

/// Whether lines are in the numbers of the accesses.
fn known_lines(addresses: &Addresses) -> bool {
    addresses.stride.is_none()
}

/// The pieces of the first lane, and how lines and columns grow; nothing if that is not the same everywhere.
fn places(transfer: &FragmentTransfer) -> Option<(Vec<FragmentPiece>, Steps, Steps)> {
    let count = transfer.pieces.len() / 32;
    let of = |lane: usize| transfer.pieces.get(lane * count..(lane + 1) * count);
    let first = of(0)?;
    let line = |piece: &FragmentPiece| i64::from(piece.line());
    let column = |piece: &FragmentPiece| i64::from(piece.element());
    let steps = |place: &dyn Fn(&FragmentPiece) -> i64| {
        let from = place(first.first()?);
        Some(Steps {
            group: place(of(4)?.first()?) - from,
            thread: place(of(1)?.first()?) - from,
        })
    };
    let (lines, columns) = (steps(&line)?, steps(&column)?);
    let fits = (0..32).all(|lane| {
        let (group, thread) = (lane as i64 / 4, lane as i64 % 4);
        let grown = |steps: Steps| steps.group * group + steps.thread * thread;
        of(lane).is_some_and(|own| {
            own.iter().zip(first).all(|(own, first)| {
                (own.register, own.shift, own.bytes) == (first.register, first.shift, first.bytes)
                    && usize::from(own.lane) == lane
                    && line(own) == line(first) + grown(lines)
                    && column(own) == column(first) + grown(columns)
            })
        })
    });
    let positive = [lines.group, lines.thread, columns.group, columns.thread]
        .iter()
        .all(|step| *step >= 0);
    (fits && positive).then(|| (first.to_vec(), lines, columns))
}

/// The two numbers of a lane.
struct Lane {
    group: Operand,
    thread: Operand,
}

impl Lane {
    fn new(code: &mut Code) -> Lane {
        let (lane, group, thread) = (code.word(), code.word(), code.word());
        code.step("S2R R0, SR_LANEID", &[lane]);
        code.step("SHF.R.U32.HI R0, RZ, 0x2, R0", &[group, lane]);
        code.step("LOP3.LUT R0, R0, 0x3, RZ, 0xc0, !PT", &[thread, lane]);
        Lane { group, thread }
    }

    /// The sum of both, each so many times.
    fn sum(&self, code: &mut Code, steps: Steps) -> Operand {
        let mut sum: Option<Operand> = None;
        for (times, of) in [(steps.group, self.group), (steps.thread, self.thread)] {
            if times == 0 {
                continue;
            }
            let next = code.word();
            match sum {
                Some(before) => {
                    code.step("IMAD R0, R0, R0, R0", &[next, of, number(times), before]);
                }
                None => code.step("IMAD R0, R0, R0, RZ", &[next, of, number(times)]),
            }
            sum = Some(next);
        }
        sum.unwrap_or_else(|| {
            let zero = code.word();
            code.step("MOV R0, RZ", &[zero]);
            zero
        })
    }
}

/// Addresses of a lane, one for each line that accesses are counted from.
struct Addresses {
    memory: Memory,
    bits: i64,
    bases: Vec<(u32, Operand)>,
    /// What a line is multiplied with, where lines are not in the numbers of the accesses.
    stride: Option<Operand>,
}

impl Addresses {
    /// An address and a product, or a number alone.
    fn add(&self, code: &mut Code, to: Operand, what: Operand, by: Option<Operand>) -> Operand {
        let by = by.unwrap_or(number(1));
        match self.memory {
            Memory::Shared => {
                let sum = code.word();
                code.step("IMAD R0, R0, R0, R0", &[sum, what, by, to]);
                sum
            }
            Memory::Global | Memory::Generic => {
                let sum = code.double();
                code.step("IMAD.WIDE.U32 R0, R0, R0, R0", &[sum, what, by, to]);
                sum
            }
        }
    }

    /// Bytes of elements that a byte or more; of smaller ones a line is counted in bytes of the stride.
    fn begin(&mut self, code: &mut Code, lane: &Lane, by: Operand, lines: Steps, columns: Steps) {
        let bytes = self.bytes_of_line();
        let by = match self.bits {
            8.. => by,
            bits => {
                let shift = (8 / bits).trailing_zeros();
                let moved = code.word();
                let text = format!("SHF.R.U32.HI R0, RZ, {shift:#x}, R0");
                code.step(text, &[moved, by]);
                moved
            }
        };
        let own_line = Steps {
            group: lines.group * bytes,
            thread: lines.thread * bytes,
        };
        let own_column = Steps {
            group: columns.group * self.bits / 8,
            thread: columns.thread * self.bits / 8,
        };
        let line = lane.sum(code, own_line);
        let column = lane.sum(code, own_column);
        let base = self.add(code, ptx("p"), line, Some(by));
        let base = self.add(code, base, column, None);
        self.bases.push((0, base));
        self.stride = Some(by);
    }

    fn bytes_of_line(&self) -> i64 {
        (self.bits / 8).max(1)
    }

    /// The address that a line is counted from.
    fn base(&mut self, code: &mut Code, line: u32) -> Operand {
        if let Some(known) = self.bases.iter().find(|one| one.0 == line) {
            return known.1;
        }
        let first = self.bases[0].1;
        let bytes = number(i64::from(line) * self.bytes_of_line());
        let by = self.stride.unwrap_or(number(0));
        let base = self.add(code, first, by, Some(bytes));
        self.bases.push((line, base));
        base
    }
}

/// An access to memory: its name without the size, and what stands in brackets.
fn access(
    code: &mut Code,
    memory: Memory,
    loads: bool,
    bytes: u8,
    value: Operand,
    (base, after): (Operand, i64),
) -> Option<()> {
    let size = match bytes {
        1 => ".U8",
        2 => ".U16",
        4 => "",
        8 => ".64",
        _ => return None,
    };
    let plus = match after {
        0 => String::new(),
        after => format!("+{after:#x}"),
    };
    let name = match (memory, loads) {
        (Memory::Global, true) => "LDG.E",
        (Memory::Global, false) => "STG.E",
        (Memory::Generic, true) => "LD.E",
        (Memory::Generic, false) => "ST.E",
        (Memory::Shared, true) => "LDS",
        (Memory::Shared, false) => "STS",
    };
    let (place, mut operands) = match memory {
        Memory::Shared => (format!("[R0{plus}]"), vec![base]),
        _ => (
            format!("desc[UR0][R0.64{plus}]"),
            vec![Operand::Descriptor, base],
        ),
    };
    let text = match loads {
        true => {
            operands.insert(0, value);
            format!("{name}{size} R0, {place}")
        }
        false => {
            operands.push(value);
            format!("{name}{size} {place}, R0")
        }
    };
    code.step(text, &operands);
    Some(())
}

fn load(
    code: &mut Code,
    memory: Memory,
    pieces: &[FragmentPiece],
    at: &[(Operand, i64)],
) -> Option<()> {
    // Copies of an `.f16` factor are loaded once.
    let mut loaded: Vec<(u32, u32, u8)> = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let register = pieces[start].register;
        let same = pieces[start..].iter();
        let count = same.take_while(|piece| piece.register == register).count();
        let own = &pieces[start..start + count];
        let to = element("r", register);
        let key = (own[0].line(), own[0].element());
        let known = loaded.iter().find(|one| (one.0, one.1) == key);
        if let Some((.., from)) = known {
            code.copy(to, element("r", *from));
            start += count;
            continue;
        }
        loaded.push((key.0, key.1, register));
        if let [piece] = own {
            access(code, memory, true, piece.bytes, to, at[start])?;
            start += count;
            continue;
        }
        let mut parts = Vec::with_capacity(count);
        for (piece, at) in own.iter().zip(&at[start..]) {
            let part = code.word();
            access(code, memory, true, piece.bytes, part, *at)?;
            parts.push(part);
        }
        match parts[..] {
            [low, high] => code.step("PRMT R0, R0, 0x5410, R0", &[to, low, high]),
            [a, b, c, d] => {
                let (low, high) = (code.word(), code.word());
                code.step("PRMT R0, R0, 0x40, R0", &[low, a, b]);
                code.step("PRMT R0, R0, 0x40, R0", &[high, c, d]);
                code.step("PRMT R0, R0, 0x5410, R0", &[to, low, high]);
            }
            _ => return None,
        }
        start += count;
    }
    Some(())
}

fn store(
    code: &mut Code,
    memory: Memory,
    pieces: &[FragmentPiece],
    at: &[(Operand, i64)],
) -> Option<()> {
    for (piece, at) in pieces.iter().zip(at) {
        let mut from = element("r", piece.register);
        if piece.shift > 0 {
            let moved = code.word();
            let text = format!("SHF.R.U32.HI R0, RZ, {:#x}, R0", piece.shift);
            code.step(text, &[moved, from]);
            from = moved;
        }
        access(code, memory, false, piece.bytes, from, *at)?;
    }
    Some(())
}
