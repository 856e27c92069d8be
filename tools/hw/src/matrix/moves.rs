//! Kernels, inputs and expectations of instructions that move matrices: `ldmatrix`, `stmatrix`,
//! `movmatrix`, `wmma.load`, `wmma.store`.
//!
//! What lies in shared memory is copied there before, or copied out afterwards, in pieces of 16 bytes
//! a lane.

use super::Form;
use std::fmt::Write;
use warpc_ptx::inst::Choice;
use warpc_ptx::mnemonic_text;
use warpc_ptx::types::ScalarType;
use warpc_sim::matrix::{self, FragmentTransfer, RowPiece};
use warpc_testkit::Random;

/// Bytes that 32 lanes copy at once.
const COPY: usize = 512;
/// Bytes of a row that `ldmatrix` reads.
const ROW: usize = 16;

/// What a move is judged by.
pub enum Judge {
    /// `ldmatrix`: 32 rows and for each lane the number of a row in, registers out.
    Load(Vec<RowPiece>, usize),
    /// `stmatrix`: registers and for each lane the number of a row in, 32 rows out.
    Store(Vec<RowPiece>, usize),
    /// `movmatrix`
    Transpose,
    /// `wmma.load`: memory in, registers out.
    FragmentLoad(Image),
    /// `wmma.store`: registers in, memory out.
    FragmentStore(Image),
}

/// A matrix in memory.
pub struct Image {
    transfer: FragmentTransfer,
    stride: u32,
    /// Bytes of the memory.
    bytes: usize,
    /// Bytes of a register.
    register: usize,
}

/// Whether it is a `wmma` instruction that moves.
pub fn is_transfer(choice: &Choice) -> bool {
    matrix::fragment_transfer(choice).is_some()
}

/// The forms of a choice.
pub fn forms(choice: &Choice) -> Vec<Form> {
    if matrix::is_transposition(choice) {
        return vec![transpose(choice)];
    }
    if let Some(pieces) = matrix::row_transfer(choice) {
        return vec![rows(choice, pieces)];
    }
    let Some(transfer) = matrix::fragment_transfer(choice) else {
        return Vec::new();
    };
    // The usual stride, said or not, and a larger one that keeps lines aligned.
    let usual = transfer.default_stride;
    let larger = match choice.scalar("type") {
        Some(ty) if ty.bits() < 8 => usual * 2,
        _ => usual + 16,
    };
    [None, Some(larger)]
        .into_iter()
        .filter_map(|stride| fragment(choice, stride))
        .collect()
}

fn vector(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|i| format!("%r{i}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// Loads or stores the registers of a lane, those of all lanes side by side.
fn registers(access: &str, pointer: &str, count: usize, bytes: usize) -> String {
    let mut out =
        format!("\tmul.wide.u32 %near, %lane, {bytes};\n\tadd.u64 %near, {pointer}, %near;\n");
    for i in 0..count {
        let place = format!("[%near+{}]", i * 32 * bytes);
        let operands = match access {
            "ld" => format!("%r{i}, {place}"),
            _ => format!("{place}, %r{i}"),
        };
        let _ = writeln!(out, "\t{access}.global.b{} {operands};", bytes * 8);
    }
    out
}

/// Copies between global memory at `pointer` and the shared memory `block`, or clears the latter.
fn copy(from: Option<&str>, to: Option<&str>, bytes: usize) -> String {
    let mut out = String::from(
        "\tbar.warp.sync 0xffffffff;\n\tmul.wide.u32 %far, %lane, 16;\n\tmov.u64 %near, block;\n\
         \tadd.u64 %near, %near, %far;\n\tmov.b32 %w0, 0;\n\tmov.b32 %w1, 0;\n\
         \tmov.b32 %w2, 0;\n\tmov.b32 %w3, 0;\n",
    );
    for pointer in [from, to].into_iter().flatten() {
        let _ = writeln!(out, "\tadd.u64 %far, {pointer}, %far;");
    }
    let words = "{%w0, %w1, %w2, %w3}";
    for at in (0..bytes).step_by(COPY) {
        if from.is_some() {
            let _ = writeln!(out, "\tld.global.v4.b32 {words}, [%far+{at}];");
        }
        match to {
            None => {
                let _ = writeln!(out, "\tst.shared.v4.b32 [%near+{at}], {words};");
            }
            Some(_) => {
                let _ = writeln!(out, "\tld.shared.v4.b32 {words}, [%near+{at}];");
                let _ = writeln!(out, "\tst.global.v4.b32 [%far+{at}], {words};");
            }
        }
    }
    out.push_str("\tbar.warp.sync 0xffffffff;\n");
    out
}

fn declare(count: usize, bytes: usize, shared: usize) -> String {
    let mut out = format!(
        "\t.reg .b{} %r<{count}>;\n\t.reg .b32 %w<4>, %row;\n\t.reg .b64 %ptr;\n",
        bytes * 8
    );
    if shared > 0 {
        let _ = writeln!(out, "\t.shared .align 128 .b8 block[{shared}];");
    }
    out
}

fn transpose(choice: &Choice) -> Form {
    let text = format!("{} %r1, %r0", mnemonic_text(choice));
    let store = registers("st", "%out", 1, 4).replace("%r0", "%r1");
    Form {
        element: ScalarType::B32,
        input_bytes: 128,
        output_bytes: 128,
        registers: declare(2, 4, 0),
        body: format!("{}\t{text};\n{store}", registers("ld", "%in", 1, 4)),
        text,
        judge: super::Judge::Move(Judge::Transpose),
        choice: choice.clone(),
    }
}

fn rows(choice: &Choice, pieces: Vec<RowPiece>) -> Form {
    let count = pieces.iter().map(|p| usize::from(p.register) + 1).max();
    let count = count.unwrap_or(1);
    let loads = choice.form.form().opcode == "ldmatrix";
    let (text, input) = match loads {
        true => (
            format!("{} {}, [%ptr]", mnemonic_text(choice), vector(count)),
            COPY,
        ),
        false => (
            format!("{} [%ptr], {}", mnemonic_text(choice), vector(count)),
            count * 128,
        ),
    };
    let mut body = match loads {
        true => copy(Some("%in"), None, COPY),
        false => copy(None, None, COPY) + &registers("ld", "%in", count, 4),
    };
    let _ = write!(
        body,
        "\tmul.wide.u32 %near, %lane, 4;\n\tadd.u64 %near, %in, %near;\n\
         \tld.global.b32 %row, [%near+{input}];\n\tmul.wide.u32 %far, %row, {ROW};\n\
         \tmov.u64 %ptr, block;\n\tadd.u64 %ptr, %ptr, %far;\n"
    );
    if !choice.has("ss") {
        body.push_str("\tcvta.shared.u64 %ptr, %ptr;\n");
    }
    let _ = writeln!(body, "\t{text};");
    body += &match loads {
        true => registers("st", "%out", count, 4),
        false => copy(None, Some("%out"), COPY),
    };
    Form {
        element: ScalarType::B32,
        input_bytes: input + 128,
        output_bytes: if loads { count * 128 } else { COPY },
        registers: declare(count, 4, COPY),
        body,
        text,
        judge: super::Judge::Move(match loads {
            true => Judge::Load(pieces, count),
            false => Judge::Store(pieces, count),
        }),
        choice: choice.clone(),
    }
}

fn fragment(choice: &Choice, stride: Option<u32>) -> Option<Form> {
    let transfer = matrix::fragment_transfer(choice)?;
    let given = stride.map(|s| format!(", {s}")).unwrap_or_default();
    let stride = stride.unwrap_or(transfer.default_stride);
    let end = transfer
        .pieces
        .iter()
        .map(|p| transfer.offset(p, stride) + u64::from(p.bytes))
        .max()?;
    let bytes = (end as usize).next_multiple_of(COPY);
    let register = match choice.scalar("type")? {
        ScalarType::F64 => 8,
        _ => 4,
    };
    let count = transfer.registers;
    let mnemonic = mnemonic_text(choice);
    let loads = mnemonic.starts_with("wmma.load");
    let shared = matches!(choice.token("ss"), Some(".shared" | ".shared::cta"));
    let memory = if loads { "%in" } else { "%out" };
    let mut body = match (loads, shared) {
        (true, true) => copy(Some("%in"), None, bytes),
        (true, false) => String::new(),
        (false, true) => copy(None, None, bytes) + &registers("ld", "%in", count, register),
        (false, false) => registers("ld", "%in", count, register),
    };
    let pointer = if shared { "block" } else { memory };
    let _ = writeln!(body, "\tmov.u64 %ptr, {pointer};");
    let text = match loads {
        true => format!("{mnemonic} {}, [%ptr]{given}", vector(count)),
        false => format!("{mnemonic} [%ptr], {}{given}", vector(count)),
    };
    let _ = writeln!(body, "\t{text};");
    match (loads, shared) {
        (true, _) => body += &registers("st", "%out", count, register),
        (false, true) => body += &copy(None, Some("%out"), bytes),
        (false, false) => {}
    }
    let image = Image {
        transfer,
        stride,
        bytes,
        register,
    };
    let lanes = count * 32 * register;
    Some(Form {
        element: ScalarType::B32,
        input_bytes: if loads { bytes } else { lanes },
        output_bytes: if loads { lanes } else { bytes },
        registers: declare(count, register, if shared { bytes } else { 0 }),
        body,
        text,
        judge: super::Judge::Move(match loads {
            true => Judge::FragmentLoad(image),
            false => Judge::FragmentStore(image),
        }),
        choice: choice.clone(),
    })
}

/// Words of little-endian bytes.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect()
}

fn random_bytes(count: usize, random: &mut Random) -> Vec<u8> {
    let bytes = (0..count.div_ceil(8)).flat_map(|_| random.bits().to_le_bytes());
    bytes.take(count).collect()
}

impl Judge {
    /// What a tile reads: random bytes, and rows in an order of their own.
    pub fn input(&self, random: &mut Random) -> Vec<u8> {
        let bytes = match self {
            Judge::Load(..) => COPY,
            Judge::Store(_, count) => count * 128,
            Judge::Transpose => 128,
            Judge::FragmentLoad(image) => image.bytes,
            Judge::FragmentStore(image) => image.transfer.registers * 32 * image.register,
        };
        let mut input = random_bytes(bytes, random);
        if matches!(self, Judge::Load(..) | Judge::Store(..)) {
            let mut order: Vec<u32> = (0..32).collect();
            for i in (1..order.len()).rev() {
                order.swap(i, random.below(i + 1));
            }
            input.extend(order.iter().flat_map(|row| row.to_le_bytes()));
        }
        input
    }

    /// What the emulator leaves.
    pub fn expected(&self, input: &[u8]) -> Vec<u8> {
        match self {
            Judge::Load(pieces, count) => {
                let (memory, order) = input.split_at(COPY);
                let order = words(order);
                let mut out = vec![0; count * 128];
                for piece in pieces {
                    let row = order[usize::from(piece.address_lane)] as usize;
                    let from = row * ROW + usize::from(piece.offset);
                    let to = (usize::from(piece.register) * 32 + usize::from(piece.lane)) * 4
                        + usize::from(piece.shift) / 8;
                    let bytes = usize::from(piece.bytes);
                    out[to..to + bytes].copy_from_slice(&memory[from..from + bytes]);
                }
                out
            }
            Judge::Store(pieces, count) => {
                let (lanes, order) = input.split_at(count * 128);
                let order = words(order);
                let mut out = vec![0; COPY];
                for piece in pieces {
                    let row = order[usize::from(piece.address_lane)] as usize;
                    let to = row * ROW + usize::from(piece.offset);
                    let from = (usize::from(piece.register) * 32 + usize::from(piece.lane)) * 4
                        + usize::from(piece.shift) / 8;
                    let bytes = usize::from(piece.bytes);
                    out[to..to + bytes].copy_from_slice(&lanes[from..from + bytes]);
                }
                out
            }
            Judge::Transpose => {
                let input = words(input);
                let source = std::array::from_fn(|lane| u64::from(input[lane]));
                let result = matrix::transpose(&source);
                result
                    .iter()
                    .flat_map(|&r| (r as u32).to_le_bytes())
                    .collect()
            }
            Judge::FragmentLoad(image) => {
                let mut out = vec![0; image.transfer.registers * 32 * image.register];
                image.each(|memory, lane, bytes| {
                    out[lane..lane + bytes].copy_from_slice(&input[memory..memory + bytes]);
                });
                out
            }
            Judge::FragmentStore(image) => {
                let mut out = vec![0; image.bytes];
                image.each(|memory, lane, bytes| {
                    out[memory..memory + bytes].copy_from_slice(&input[lane..lane + bytes]);
                });
                out
            }
        }
    }
}

impl Image {
    /// Calls with the place in memory, the place in the registers, and the number of bytes.
    fn each(&self, mut with: impl FnMut(usize, usize, usize)) {
        for piece in &self.transfer.pieces {
            let lane = usize::from(piece.register) * 32 + usize::from(piece.lane);
            with(
                self.transfer.offset(piece, self.stride) as usize,
                lane * self.register + usize::from(piece.shift) / 8,
                usize::from(piece.bytes),
            );
        }
    }
}
