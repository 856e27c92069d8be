//! Copies, reductions and prefetches of many bytes, by the unit that does them on its own.
//!
//! ```text
//!   UBLKCP.S.G  [destination, barrier], [source], size / 16 and the blocks that get it     desc[policy]
//!   UTMALDG.2D  [destination, barrier, coordinates], [map], offsets and those blocks
//!   UTMASTG.2D  [source, coordinates], [map]
//! ```
//!
//! One that tells a barrier, or that adds, is done for every thread; the others once for the same operands.

use super::one_by_one::{Times, each, halves, place, policy, zero};
use crate::code::{Code, element, ptx};
use crate::source::Source;
use crate::wired::{File, Operand};
use warpc_model::AtomicOp;
use warpc_ptx::types::ScalarType;

/// The steps of `cp.async.bulk` and `cp.reduce.async.bulk`; nothing if there are none or the chip lacks it.
pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let has = |word: &str| source.has_word(word);
    if has("commit_group") || has("wait_group") {
        return None;
    }
    let newer = ["override", "report", "cp_mask", "cta_group", "gather4"];
    let newer = newer
        .into_iter()
        .chain(["scatter4", "im2col::w", "32b", "L2::evict_last"]);
    for word in newer {
        if source.words_seen().any(|seen| seen.contains(word)) {
            return None;
        }
    }
    match has("tensor") {
        true => tensor(source, code),
        false => bytes(source, code),
    }
}

/// What makes uniform registers of operands, in order.
struct Uniform {
    values: Vec<(Operand, Operand)>,
}

impl Uniform {
    fn new() -> Uniform {
        Uniform { values: Vec::new() }
    }

    /// Puts words into uniform registers one after the other.
    fn tuple(&mut self, code: &mut Code, words: &[Operand]) -> Operand {
        let tuple = Operand::from(code.temporary(File::Uniform, words.len() as u8));
        for (number, word) in (0..).zip(words) {
            let to = match words.len() {
                1 => tuple,
                _ => tuple.register(number),
            };
            self.values.push((to, *word));
        }
        tuple
    }

    /// The two halves of an address of global memory.
    fn address(&mut self, code: &mut Code, name: &'static str) -> Operand {
        let halves = [0, 1].map(|half| {
            let word = code.word();
            code.copy(word, ptx(name).register(half));
            word
        });
        self.tuple(code, &halves)
    }
}

/// The name of a reduction's operation.
fn operation(source: &Source) -> Option<&'static str> {
    let op = source.words_seen().find_map(AtomicOp::from_ptx)?;
    crate::lower::atomic::operation(op)
}

/// The same with its type, of bytes that lie together.
fn reduction(source: &Source) -> Option<String> {
    let op = operation(source)?;
    let ty = match source.ty_of(&["type"])? {
        ScalarType::U32 | ScalarType::B32 => "",
        ScalarType::S32 => ".S32",
        ScalarType::U64 | ScalarType::B64 => ".U64",
        ScalarType::S64 => ".S64",
        ScalarType::F16 => ".F16.RN",
        ScalarType::Bf16 => ".BF16.RN",
        ScalarType::F32 => ".F32.RN",
        ScalarType::F64 => ".F64.RN",
        _ => return None,
    };
    Some(format!("{op}{ty}"))
}

/// Bytes that lie together.
fn bytes(source: &Source, code: &mut Code) -> Option<()> {
    let has = |word: &str| source.has_word(word);
    let reduces = has("reduce");
    let policy = policy(source, code);
    // The unit counts pieces of 16 bytes, and has the blocks that get them above.
    let pieces = code.word();
    code.step("SHF.R.U32.HI R0, RZ, 0x4, R0", &[pieces, ptx("size")]);
    let blocks = source.operand("cta_mask").is_some();
    let size = halves(code, pieces, blocks.then_some(ptx("cta_mask")));
    let mut uniform = Uniform::new();
    let tail = if policy.is_some() { ", desc[UR0]" } else { "" };
    if has("prefetch") {
        let size = uniform.tuple(code, &[size]);
        let from = uniform.address(code, "src");
        let operands: Vec<Operand> = [from, size].into_iter().chain(policy).collect();
        each(code, Times::Values, &uniform.values, |code| {
            code.step(format!("UBLKPF.L2 [UR0], UR0{tail}"), &operands);
        });
        return Some(());
    }
    let size = uniform.tuple(code, &[size]);
    let tells = source.operand("mbar").is_some();
    let to = match tells {
        true => {
            let words = [place(code, "dst"), place(code, "mbar")];
            uniform.tuple(code, &words)
        }
        false => uniform.address(code, "dst"),
    };
    // The spaces stand in the order of the operands.
    let of_global = source.words_seen().filter(|word| *word == "global").count() > 0;
    let from_shared = !(tells && of_global);
    let from = match from_shared {
        true => {
            let word = place(code, "src");
            uniform.tuple(code, &[word])
        }
        false => uniform.address(code, "src"),
    };
    let spaces = match (tells, from_shared) {
        (true, false) => "S.G",
        (true, true) => "S.S",
        (false, _) => "G.S",
    };
    let name = match reduces {
        true => format!("UBLKRED.{spaces}.{}", reduction(source)?),
        false if blocks => format!("UBLKCP.{spaces}.MULTICAST"),
        false => format!("UBLKCP.{spaces}"),
    };
    let times = match tells || reduces {
        true => Times::Threads,
        false => Times::Values,
    };
    let operands: Vec<Operand> = [to, from, size].into_iter().chain(policy).collect();
    each(code, times, &uniform.values, |code| {
        code.step(format!("{name} [UR0], [UR0], UR0{tail}"), &operands);
    });
    Some(())
}

/// The offsets of im2col in one word: 16 bits for one, 8 for each of two, 5 for each of three.
fn offsets(code: &mut Code, count: u8) -> Option<Operand> {
    let offset = |number: u8| element("im2colInfo", number);
    let packed = code.word();
    match count {
        1 => code.copy(packed, offset(0)),
        2 => code.step("PRMT R0, R0, 0x40, R0", &[packed, offset(0), offset(1)]),
        3 => {
            let two = code.word();
            code.step("IMAD.U32 R0, R0, 0x20, R0", &[two, offset(1), offset(0)]);
            code.step("IMAD.U32 R0, R0, 0x400, R0", &[packed, offset(2), two]);
        }
        _ => return None,
    }
    Some(packed)
}

/// A part of a tensor that a map describes.
fn tensor(source: &Source, code: &mut Code) -> Option<()> {
    let has = |word: &str| source.has_word(word);
    let coordinates = source.vector("tensorCoords")?;
    let policy = policy(source, code);
    let offsets = match source.vector("im2colInfo") {
        Some(count) => Some(offsets(code, count)?),
        None => None,
    };
    let blocks = source.operand("ctaMask").map(|_| ptx("ctaMask"));
    let more = match (offsets, blocks) {
        (None, None) => None,
        (offsets, blocks) => {
            let low = match offsets {
                Some(offsets) => offsets,
                None => zero(code),
            };
            Some(halves(code, low, blocks))
        }
    };
    // The places in shared memory and the coordinates lie together.
    let mut words: Vec<Operand> = Vec::new();
    for name in ["dstMem", "srcMem", "mbar"] {
        if source.operand(name).is_some() {
            words.push(place(code, name));
        }
    }
    for number in 0..coordinates {
        let word = code.word();
        code.copy(word, element("tensorCoords", number));
        words.push(word);
    }
    let mut uniform = Uniform::new();
    let map = uniform.address(code, "tensorMap");
    let place = uniform.tuple(code, &words);
    let more = more.map(|more| uniform.tuple(code, &[more]));
    let dimensions = format!("{coordinates}D");
    let im2col = match has("im2col") || has("im2col_no_offs") {
        true => ".IM2COL",
        false => "",
    };
    let loads = source.operand("dstMem").is_some();
    let (name, times) = if has("prefetch") {
        (format!("UTMAPF.L2.{dimensions}{im2col}"), Times::Values)
    } else if has("reduce") {
        let op = operation(source)?;
        let name = format!("UTMAREDG.{dimensions}{im2col}.{op}");
        (name, Times::Threads)
    } else if loads {
        let many = if blocks.is_some() { ".MULTICAST" } else { "" };
        let name = format!("UTMALDG.{dimensions}{im2col}{many}");
        (name, Times::Threads)
    } else {
        (format!("UTMASTG.{dimensions}{im2col}"), Times::Values)
    };
    let third = if more.is_some() { ", UR0" } else { "" };
    let tail = if policy.is_some() { ", desc[UR0]" } else { "" };
    let operands = [place, map].into_iter().chain(more).chain(policy);
    let operands: Vec<Operand> = operands.collect();
    each(code, times, &uniform.values, |code| {
        code.step(format!("{name} [UR0], [UR0]{third}{tail}"), &operands);
    });
    Some(())
}
