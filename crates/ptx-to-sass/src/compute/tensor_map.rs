//! `tensormap`: fields of the maps that describe tensors, and maps that other units are to see.
//!
//! A map has 128 bytes. What is in its first 64 for tiles, as ptxas 13.4 writes it on sm_90a:
//!
//! | place | bits | field |
//! |---|---|---|
//! | 0x00 | 0–63 | address |
//! | 0x08 | 4–6 | rank less one, as it is given |
//! | 0x08 | 7–10, 16 | type of elements; `tf32` (11, 12) is `f32` (7, 8) with bit 16 |
//! | 0x08 | 11–12 | interleaving |
//! | 0x08 | 13–14, 22 | swizzling |
//! | 0x08 | 15 | what is outside of the tensor |
//! | 0x0c … 0x18 | 0–31 | strides, divided by 16 |
//! | 0x1c | 0–3 … 12–15 | the next four bits of each of them |
//! | 0x20 … 0x30 | 0–31 | extents less one |
//! | 0x34 | 0–2 … 12–14 | steps between elements less one |
//! | 0x34, 0x38 | 24–31, then 0–7 … 24–31 | extents of the box less one |

use super::number;
use crate::code::{Code, ptx};
use crate::source::{Argument, Source};
use crate::wired::{File, Operand};

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    match source.has_word("replace") {
        true => replace(source, code),
        false => publish(source, code),
    }
}

/// A map in memory.
struct Map {
    /// What loads and stores are called, and the brackets without what is added.
    load: &'static str,
    store: &'static str,
    address: Operand,
    is_shared: bool,
}

impl Map {
    fn of(source: &Source, code: &mut Code) -> Map {
        let is_shared = source.has_word("shared::cta");
        let (load, store) = match (is_shared, source.has_word("global")) {
            (true, _) => ("LDS", "STS"),
            (_, true) => ("LDG.E", "STG.E"),
            _ => ("LD.E", "ST.E"),
        };
        let from = ptx("addr");
        let address = match is_shared {
            true => super::one_by_one::place(code, "addr"),
            false => {
                let pair = code.double();
                for half in [0, 1] {
                    code.copy(pair.register(half), from.register(half));
                }
                pair
            }
        };
        Map {
            load,
            store,
            address,
            is_shared,
        }
    }

    fn brackets(&self, at: u32) -> String {
        let added = match at {
            0 => String::new(),
            at => format!("+{at:#x}"),
        };
        match self.is_shared {
            true => format!("[R0{added}]"),
            false => format!("desc[UR0][R0.64{added}]"),
        }
    }

    fn load(&self, code: &mut Code, at: u32) -> Operand {
        let word = code.word();
        let text = format!("{} R0, {}", self.load, self.brackets(at));
        match self.is_shared {
            true => code.step(text, &[word, self.address]),
            false => code.step(text, &[word, Operand::Descriptor, self.address]),
        }
        word
    }

    fn store(&self, code: &mut Code, at: u32, value: Operand, wide: &str) {
        let text = format!("{}{wide} {}, R0", self.store, self.brackets(at));
        match self.is_shared {
            true => code.step(text, &[self.address, value]),
            false => code.step(text, &[Operand::Descriptor, self.address, value]),
        }
    }

    /// Replaces some bits of a word.
    fn merge(&self, code: &mut Code, at: u32, mask: u32, bits: Operand) {
        let old = self.load(code, at);
        let new = code.word();
        let text = format!("LOP3.LUT R0, R0, {mask:#x}, R0, 0xb8, !PT");
        code.step(text, &[new, old, bits]);
        self.store(code, at, new, "");
    }
}

/// An operand, less one if wanted, moved to the left.
fn shifted(code: &mut Code, less_one: bool, left: u32) -> Operand {
    let mut value = code.word();
    match less_one {
        true => code.step("IADD3 R0, R0, -0x1, RZ", &[value, ptx("new_val")]),
        false => code.copy(value, ptx("new_val")),
    }
    if left > 0 {
        let moved = code.word();
        let text = format!("SHF.L.U32 R0, R0, {left:#x}, RZ");
        code.step(text, &[moved, value]);
        value = moved;
    }
    value
}

fn replace(source: &Source, code: &mut Code) -> Option<()> {
    let has = |word: &str| source.has_word(word);
    let constant = |name: &str| {
        let number = source.operand(name).and_then(Argument::constant)?;
        u32::try_from(number).ok()
    };
    let map = Map::of(source, code);
    if has("global_address") {
        let value = code.double();
        for half in [0, 1] {
            code.copy(value.register(half), ptx("new_val").register(half));
        }
        map.store(code, 0, value, ".64");
        return Some(());
    }
    if has("rank") {
        let value = shifted(code, false, 4);
        map.merge(code, 0x8, 0x70, value);
        return Some(());
    }
    let known = [
        ("elemtype", 7, 0x1_0780),
        ("interleave_layout", 11, 0x1800),
        ("swizzle_mode", 13, 0x40_6000),
        ("fill_mode", 15, 0x8000),
    ];
    if let Some((name, left, mask)) = known.into_iter().find(|row| has(row.0)) {
        let value = constant("new_val")?;
        let bits = match (name, value) {
            ("elemtype", 11 | 12) => (value - 4) << left | 1 << 16,
            _ => value << left,
        };
        let word = code.word();
        code.copy(word, number(bits.into()));
        map.merge(code, 0x8, mask, word);
        return Some(());
    }
    let ordinal = constant("ord")?;
    if has("global_dim") {
        let value = shifted(code, true, 0);
        map.store(code, 0x20 + 4 * ordinal, value, "");
    } else if has("box_dim") {
        let (at, left) = match ordinal {
            0 => (0x34, 24),
            _ => (0x38, 8 * (ordinal - 1)),
        };
        let value = shifted(code, true, left);
        map.merge(code, at, 0xff << left, value);
    } else if has("element_stride") {
        let left = 3 * ordinal;
        let value = shifted(code, true, left);
        map.merge(code, 0x34, 0x7 << left, value);
    } else if has("global_stride") && ordinal < 4 {
        let (low, mut high, new) = (code.word(), code.word(), ptx("new_val"));
        let words = [low, new.register(0), new.register(1)];
        code.step("SHF.R.U64 R0, R0, 0x4, R0", &words);
        code.step("SHF.R.U32.HI R0, RZ, 0x4, R0", &[high, new.register(1)]);
        let left = 4 * ordinal;
        if left > 0 {
            let moved = code.word();
            let text = format!("SHF.L.U32 R0, R0, {left:#x}, RZ");
            code.step(text, &[moved, high]);
            high = moved;
        }
        map.store(code, 0xc + 4 * ordinal, low, "");
        map.merge(code, 0x1c, 0xf << left, high);
    } else {
        return None;
    }
    Some(())
}

/// `tensormap.cp_fenceproxy`: each lane copies four bytes, to where copies of tensors look.
fn publish(source: &Source, code: &mut Code) -> Option<()> {
    let from = super::one_by_one::place(code, "src");
    let (lane, bytes, value) = (code.word(), code.word(), code.word());
    code.step("S2R R0, SR_LANEID", &[lane]);
    code.step("SHF.L.U32 R0, R0, 0x2, RZ", &[bytes, lane]);
    let place = code.word();
    code.step("IADD3 R0, R0, R0, RZ", &[place, from, bytes]);
    let (to, wide) = (code.double(), code.double());
    for half in [0, 1] {
        code.copy(to.register(half), ptx("dst").register(half));
    }
    code.copy(wide.register(0), bytes);
    code.copy(wide.register(1), number(0));
    let sum = code.double();
    code.add_64(sum, to, wide);
    code.step("LDS R0, [R0]", &[value, place]);
    if source.has_word("sys") {
        let operands = [Operand::Descriptor, sum, value];
        code.step("STG.E desc[UR0][R0.64], R0", &operands);
        code.step("MEMBAR.ALL.SYS", &[]);
    } else {
        let text = "ATOMG.E.EXCH.STRONG.GPU PT, RZ, desc[UR0][R0.64], R0";
        code.step(text, &[Operand::Descriptor, sum, value]);
    }
    Some(())
}

/// `fence.proxy.tensormap::generic.acquire`: what units have kept of a map is forgotten, once everything before is there.
pub(super) fn acquire(code: &mut Code) {
    let map = Operand::from(code.temporary(File::Uniform, 2));
    let from = ptx("a");
    let values = [0, 1].map(|half| (map.register(half), from.register(half)));
    super::one_by_one::each(code, super::one_by_one::Times::Values, &values, |code| {
        code.step("DEPBAR {5,4,3,2,1,0}", &[]);
        code.step("UTMACCTL.IV [UR0]", &[map]);
        code.step("UTMACMDFLUSH", &[]);
        code.step("DEPBAR.LE SB0, 0x0", &[]);
    });
}
