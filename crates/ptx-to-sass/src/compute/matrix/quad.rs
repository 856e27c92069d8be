//! `mma.m8n8k4` of halves: four products, each by four lanes below 16 and the four that are 16 above them.
//!
//! No machine since sm_75 has it; the lanes exchange their elements and multiply by themselves, in single precision and in
//! ptxas's order. `warpc_ptx_eval::matrix::layout::quad` says where elements are.

use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

/// Where an element of another lane is, as far as that depends on the lane: bits of its own number that stay, and others
/// that are set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct From {
    kept: u8,
    set: u8,
}

/// The lane itself.
const OWN: From = From { kept: 31, set: 0 };

struct Quad<'c> {
    code: &'c mut Code,
    lane: Operand,
    /// What was asked of other lanes: the register, from where, and the answer.
    known: Vec<(Operand, From, Operand)>,
    /// Halves of registers as singles.
    singles: Vec<(Operand, bool, Operand)>,
    /// Whether a bit of the lane's number is set.
    bits: Vec<(u8, Operand)>,
}

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let choice = source.choice();
    let by_rows = |slot: &str| Some(choice.token(slot)? == ".row");
    let (a_by_rows, b_by_rows) = (by_rows("alayout")?, by_rows("blayout")?);
    let half = |slot: &str| Some(choice.scalar(slot)? == ScalarType::F16);
    let (d_half, c_half) = (half("dtype")?, half("ctype")?);
    if d_half && !c_half {
        return None;
    }
    let lane = code.word();
    code.step("S2R R0, SR_LANEID", &[lane]);
    let mut quad = Quad {
        code,
        lane,
        known: Vec::new(),
        singles: Vec::new(),
        bits: Vec::new(),
    };
    let mut results = Vec::new();
    for element in 0..8 {
        let a: [Operand; 4] = std::array::from_fn(|k| quad.a(element, k as u8, a_by_rows, d_half));
        let b: [Operand; 4] = std::array::from_fn(|k| quad.b(element, k as u8, b_by_rows, d_half));
        let c = quad.c(element, d_half, c_half);
        results.push(match d_half {
            true => quad.half_sum(a, b, c),
            false => quad.single_sum(a, b, c),
        });
    }
    // Results last: they may be in the registers of factors.
    match d_half {
        true => {
            for (register, pair) in (0..).zip(results.chunks(2)) {
                let operands = [ptx("d").register(register), pair[1], pair[0]];
                code.step("F2FP.F16.F32.PACK_AB R0, R0, R0", &operands);
            }
        }
        false => {
            for (register, result) in (0..).zip(results) {
                code.copy(ptx("d").register(register), result);
            }
        }
    }
    Some(())
}

impl Quad<'_> {
    /// A register of another lane.
    fn other(&mut self, register: Operand, from: From) -> Operand {
        if from == OWN {
            return register;
        }
        let known = self.known.iter();
        if let Some(known) = known.clone().find(|one| (one.0, one.1) == (register, from)) {
            return known.2;
        }
        let (index, value) = (self.code.word(), self.code.word());
        let text = format!("LOP3.LUT R0, R0, {:#x}, RZ, 0xc0, !PT", from.kept);
        self.code.step(text, &[index, self.lane]);
        if from.set > 0 {
            let kept = index;
            let text = format!("LOP3.LUT R0, R0, {:#x}, RZ, 0xfc, !PT", from.set);
            self.code.step(text, &[index, kept]);
        }
        let operands = [value, register, index];
        self.code.step("SHFL.IDX PT, R0, R0, R0, 0x1f", &operands);
        self.known.push((register, from, value));
        value
    }

    /// Whether a bit of the lane's number is set.
    fn bit(&mut self, bit: u8) -> Operand {
        if let Some(known) = self.bits.iter().find(|one| one.0 == bit) {
            return known.1;
        }
        let (word, flag) = (self.code.word(), self.code.flag());
        let text = format!("LOP3.LUT R0, R0, {bit:#x}, RZ, 0xc0, !PT");
        self.code.step(text, &[word, self.lane]);
        self.code
            .step("ISETP.NE.AND P0, PT, R0, RZ, PT", &[flag, word]);
        self.bits.push((bit, flag));
        flag
    }

    /// One of two, by a bit of the lane's number.
    fn choose(&mut self, bit: u8, set: Operand, clear: Operand) -> Operand {
        let (flag, word) = (self.bit(bit), self.code.word());
        self.code
            .step("SEL R0, R0, R0, P0", &[word, set, clear, flag]);
        word
    }

    /// A half of a register as a single.
    fn single(&mut self, register: Operand, upper: bool) -> Operand {
        let known = self.singles.iter();
        if let Some(known) = known
            .clone()
            .find(|one| (one.0, one.1) == (register, upper))
        {
            return known.2;
        }
        let single = self.code.word();
        let half = if upper { "H1_H1" } else { "H0_H0" };
        let text = format!("HADD2.F32 R0, -RZ, R0.{half}");
        self.code.step(text, &[single, register]);
        self.singles.push((register, upper, single));
        single
    }

    /// The element of A in the row of a result, and a column.
    fn a(&mut self, element: u8, k: u8, by_rows: bool, d_half: bool) -> Operand {
        let register = |number: u8| ptx("a").register(number);
        match (by_rows, d_half) {
            (true, true) => self.single(register(k / 2), k % 2 == 1),
            (true, false) => {
                let from = From {
                    kept: 0b11101,
                    set: element & 2,
                };
                let word = self.other(register(k / 2), from);
                self.single(word, k % 2 == 1)
            }
            (false, _) => {
                let from = From {
                    kept: 0b11100,
                    set: k,
                };
                let word = match d_half {
                    true => {
                        let (low, high) =
                            (self.other(register(0), from), self.other(register(1), from));
                        self.choose(2, high, low)
                    }
                    false => self.other(register(element >> 1 & 1), from),
                };
                let (low, high) = (self.single(word, false), self.single(word, true));
                self.choose(1, high, low)
            }
        }
    }

    /// The element of B in a row, and the column of a result.
    fn b(&mut self, element: u8, k: u8, by_rows: bool, d_half: bool) -> Operand {
        let register = |number: u8| ptx("b").register(number);
        let upper = (element & 4) << 2;
        match (by_rows, d_half) {
            (false, true) => {
                let from = From {
                    kept: 0b01100,
                    set: element & 3 | upper,
                };
                let word = self.other(register(k / 2), from);
                self.single(word, k % 2 == 1)
            }
            (false, false) => {
                let from = From {
                    kept: 0b01110,
                    set: element & 1 | upper,
                };
                let word = self.other(register(k / 2), from);
                self.single(word, k % 2 == 1)
            }
            (true, _) => {
                let from = From {
                    kept: 0b01100,
                    set: k | upper,
                };
                let word = match d_half {
                    true => self.other(register(element >> 1 & 1), from),
                    false => {
                        let (low, high) =
                            (self.other(register(0), from), self.other(register(1), from));
                        self.choose(2, high, low)
                    }
                };
                self.single(word, element % 2 == 1)
            }
        }
    }

    /// What is added to a result.
    fn c(&mut self, element: u8, d_half: bool, c_half: bool) -> Operand {
        let register = |number: u8| ptx("c").register(number);
        match (d_half, c_half) {
            (false, false) => register(element),
            (true, _) => self.single(register(element / 2), element % 2 == 1),
            (false, true) => {
                let from = From {
                    kept: 0b11101,
                    set: element & 2,
                };
                let first = element >> 1 & 2;
                let (low, high) = (
                    self.other(register(first), from),
                    self.other(register(first + 1), from),
                );
                let word = self.choose(2, high, low);
                self.single(word, element % 2 == 1)
            }
        }
    }

    /// The products one after the other, then what is added.
    fn single_sum(&mut self, a: [Operand; 4], b: [Operand; 4], c: Operand) -> Operand {
        let mut sum = self.code.word();
        self.code.step("FFMA R0, R0, R0, RZ", &[sum, a[0], b[0]]);
        for k in 1..4 {
            let next = self.code.word();
            self.code
                .step("FFMA R0, R0, R0, R0", &[next, a[k], b[k], sum]);
            sum = next;
        }
        let total = self.code.word();
        self.code.step("FADD R0, R0, R0", &[total, c, sum]);
        total
    }

    /// Two pairs of products, added one after the other.
    fn half_sum(&mut self, a: [Operand; 4], b: [Operand; 4], c: Operand) -> Operand {
        let mut total = c;
        for k in [0, 2] {
            let (first, pair, next) = (self.code.word(), self.code.word(), self.code.word());
            self.code.step("FMUL R0, R0, R0", &[first, a[k], b[k]]);
            let operands = [pair, a[k + 1], b[k + 1], first];
            self.code.step("FFMA R0, R0, R0, R0", &operands);
            self.code.step("FADD R0, R0, R0", &[next, total, pair]);
            total = next;
        }
        total
    }
}
