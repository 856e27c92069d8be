//! Which bits of values are known: zero or one whatever the program computes.
//!
//! ```text
//!   S2R %r1, SR_TID.X                 0000…00xxxxxxxxxx      a block has at most 1,024 threads
//!   SHF.L.U32 %r2, %r1, 0x2, RZ       0000…xxxxxxxxxx00
//!   ISETP.LT.AND %p3, PT, %r2, RZ, PT false
//! ```
//!
//! One walk over the blocks, dominators before what they dominate, so that what an instruction reads as values
//! ([`Values`]) is known before it; there is no fixed point, and of what is not a value nothing is known. A number is a
//! value all of whose bits are known.

use crate::analysis::values::Values;
use crate::ir::{Function, Inst, Op, Operand};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use warpc_sass::template::Kind;
use warpc_sass::{Marks, Shape, Value, special};

/// What is known of 32 bits. No bit is in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// Bits that are zero.
    pub zeros: u32,
    /// Bits that are one.
    pub ones: u32,
}

impl Bits {
    /// Nothing is known.
    pub const UNKNOWN: Bits = Bits { zeros: 0, ones: 0 };
    /// All are zero.
    pub const ZERO: Bits = Bits::number(0);

    /// All are known.
    pub const fn number(bits: u32) -> Bits {
        Bits {
            zeros: !bits,
            ones: bits,
        }
    }

    /// A number of at most so many bits.
    pub fn below(bits: u32) -> Bits {
        let zeros = u32::MAX.checked_shl(bits).unwrap_or(0);
        Bits { zeros, ones: 0 }
    }

    /// The number, if all bits are known.
    pub fn value(self) -> Option<u32> {
        (self.zeros | self.ones == u32::MAX).then_some(self.ones)
    }

    /// The least number without a sign that it may be.
    pub fn least(self) -> u32 {
        self.ones
    }

    /// The largest.
    pub fn most(self) -> u32 {
        !self.zeros
    }

    /// The least and the largest number with a sign.
    fn signed(self) -> (i32, i32) {
        const SIGN: u32 = 1 << 31;
        let least = if self.zeros & SIGN == 0 {
            self.ones | SIGN
        } else {
            self.ones
        };
        let most = if self.ones & SIGN == 0 {
            !self.zeros & !SIGN
        } else {
            !self.zeros
        };
        (least as i32, most as i32)
    }

    fn inverted(self) -> Bits {
        Bits {
            zeros: self.ones,
            ones: self.zeros,
        }
    }

    /// What both have.
    fn common(self, other: Bits) -> Bits {
        Bits {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// A byte of it.
    fn byte(self, at: u32) -> (u8, u8) {
        (
            (self.zeros >> (8 * at)) as u8,
            (self.ones >> (8 * at)) as u8,
        )
    }

    /// How many of the lowest bits are known.
    fn low_known(self) -> u32 {
        (self.zeros | self.ones).trailing_ones()
    }
}

/// The slots of a shape that computes, by what they are.
#[derive(Clone, Default, Debug)]
pub(crate) struct View {
    /// Registers and numbers that are read, in the order of the text.
    pub sources: SmallVec<[usize; 5]>,
    /// Predicates that are read.
    pub truths: SmallVec<[usize; 3]>,
    /// The registers that are written.
    pub result: Option<usize>,
    /// Predicates that are written.
    pub flags: SmallVec<[usize; 2]>,
}

impl View {
    /// The slots of a shape; nothing if it has others.
    pub(crate) fn of(shape: &Shape) -> Option<View> {
        let mut view = View::default();
        for (index, slot) in shape.slots().iter().enumerate() {
            if slot.in_address {
                return None;
            }
            match (slot.kind(), slot.is_written()) {
                (Kind::Register, true) if view.result.is_none() => view.result = Some(index),
                (Kind::Register | Kind::Unsigned | Kind::Signed | Kind::Float(_), false) => {
                    view.sources.push(index);
                }
                (Kind::Predicate | Kind::PredicateFromLast, true) => view.flags.push(index),
                (Kind::Predicate | Kind::PredicateFromLast, false) => view.truths.push(index),
                _ => return None,
            }
        }
        Some(view)
    }
}

/// The views of shapes that were asked for: few shapes have most instructions.
#[derive(Default)]
pub(crate) struct Views {
    all: FxHashMap<*const Shape, Option<Rc<View>>>,
}

impl Views {
    /// That of a shape; nothing if it has other slots.
    pub(crate) fn of(&mut self, shape: &'static Shape) -> Option<Rc<View>> {
        let own = self.all.entry(std::ptr::from_ref(shape));
        own.or_insert_with(|| View::of(shape).map(Rc::new)).clone()
    }
}

/// What is known of the results of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Results {
    /// Of its first two registers.
    pub words: [Bits; 2],
    /// Of its predicates.
    pub flags: [Option<bool>; 2],
}

impl Results {
    const UNKNOWN: Results = Results {
        words: [Bits::UNKNOWN; 2],
        flags: [None; 2],
    };

    fn word(bits: Bits) -> Results {
        let mut results = Results::UNKNOWN;
        results.words[0] = bits;
        results
    }

    fn flag(flag: Option<bool>) -> Results {
        let mut results = Results::UNKNOWN;
        results.flags[0] = flag;
        results
    }
}

/// What is known of each lane that is a value.
pub(crate) struct KnownBits {
    lanes: Vec<Bits>,
}

impl KnownBits {
    /// Nothing is known yet.
    pub(crate) fn new(values: &Values) -> KnownBits {
        KnownBits {
            lanes: vec![Bits::UNKNOWN; values.count()],
        }
    }

    /// What is known in a whole function.
    pub(crate) fn of(function: &Function, values: &Values) -> KnownBits {
        let mut known = KnownBits::new(values);
        let mut views = Views::default();
        for block in values.order().blocks() {
            for inst in &function.blocks[block.index()].insts {
                let view = views.of(inst.shape);
                known.follow(values, inst, view.as_deref());
            }
        }
        known
    }

    /// Of an operand with its marks; of sums the marks are part of the sum ([`KnownBits::raw`]).
    pub(crate) fn bits(&self, values: &Values, operand: Operand) -> Bits {
        let bits = self.raw(values, operand.op);
        match operand.marks {
            Marks::NONE => bits,
            Marks::TILDE => bits.inverted(),
            Marks::MINUS => match bits.value() {
                Some(value) => Bits::number(value.wrapping_neg()),
                None => Bits::UNKNOWN,
            },
            _ => Bits::UNKNOWN,
        }
    }

    /// Of an operand without its marks.
    pub(crate) fn raw(&self, values: &Values, op: Op) -> Bits {
        match op {
            Op::Value(Value::ZERO) => Bits::ZERO,
            Op::Value(Value::Number(number)) => Bits::number(number as u32),
            Op::Reg(reg, lane) if values.is_value(reg, lane) => self.lanes[values.index(reg, lane)],
            _ => Bits::UNKNOWN,
        }
    }

    /// Whether a predicate is true, with its mark.
    pub(crate) fn truth(&self, values: &Values, operand: Operand) -> Option<bool> {
        let plain = match operand.op {
            Op::Value(Value::TRUE) => Some(true),
            Op::Reg(reg, lane) if values.is_value(reg, lane) => {
                let bits = self.lanes[values.index(reg, lane)];
                match (bits.zeros & 1, bits.ones & 1) {
                    (1, _) => Some(false),
                    (_, 1) => Some(true),
                    _ => None,
                }
            }
            _ => None,
        };
        match operand.marks {
            Marks::NONE => plain,
            Marks::NOT => plain.map(|one| !one),
            _ => None,
        }
    }

    /// Notes what is known of the results of an instruction.
    pub(crate) fn follow(&mut self, values: &Values, inst: &Inst, view: Option<&View>) {
        if inst.guard.is_none() {
            let results = self.results_of(values, inst, view);
            self.follow_results(values, inst, view, results);
        }
    }

    /// What is known of the results of an instruction, with the slots of its shape, if it computes.
    pub(crate) fn results_of(
        &self,
        values: &Values,
        inst: &Inst,
        view: Option<&View>,
    ) -> Option<Results> {
        match view {
            Some(view) => self.results(values, inst, view),
            None => loaded(inst),
        }
    }

    /// Notes the results of an instruction of which this is known.
    pub(crate) fn follow_results(
        &mut self,
        values: &Values,
        inst: &Inst,
        view: Option<&View>,
        results: Option<Results>,
    ) {
        let Some(results) = results.filter(|_| inst.guard.is_none()) else {
            return;
        };
        if results.words == [Bits::UNKNOWN; 2] && results.flags == [None; 2] {
            return;
        }
        let first = |slot: &warpc_sass::shape::Slot| {
            slot.is_written() && slot.kind() == Kind::Register && !slot.in_address
        };
        let slots = inst.shape.slots();
        if let Some(slot) = (0..slots.len()).find(|at| first(&slots[*at]))
            && let Op::Reg(reg, lane) = inst.operands[slot].op
        {
            let width = slots[slot].width.registers(u128::MAX).min(2);
            for (one, bits) in (0..width).zip(results.words) {
                if values.is_value(reg, lane + one) {
                    self.lanes[values.index(reg, lane + one)] = bits;
                }
            }
        }
        for (&slot, flag) in view.iter().flat_map(|view| &view.flags).zip(results.flags) {
            if let (Op::Reg(reg, lane), Some(flag)) = (inst.operands[slot].op, flag)
                && values.is_value(reg, lane)
            {
                self.lanes[values.index(reg, lane)] = Bits {
                    zeros: u32::from(!flag),
                    ones: u32::from(flag),
                };
            }
        }
    }

    /// What is known of the results of an instruction; nothing if it is none of those that are described.
    pub(crate) fn results(&self, values: &Values, inst: &Inst, view: &View) -> Option<Results> {
        let operand = |at: usize| view.sources.get(at).map(|slot| inst.operands[*slot]);
        let bits = |at: usize| operand(at).map(|one| self.bits(values, one));
        let truth = |at: usize| {
            let slot = view.truths.get(at)?;
            self.truth(values, inst.operands[*slot])
        };
        let shape = inst.shape;
        Some(match shape.opcode() {
            "MOV" => Results::word(bits(0)?),
            "IADD3" => {
                let mut terms = SmallVec::<[(Bits, Marks); 3]>::new();
                for at in 0..3 {
                    let one = operand(at)?;
                    terms.push((self.raw(values, one.op), one.marks));
                }
                let carries = match shape.has("X") {
                    true => [truth(0), truth(1)],
                    false => [Some(false); 2],
                };
                sum(&terms, &carries)
            }
            "IMAD" => {
                let (x, y) = (bits(0)?, bits(1)?);
                let third = operand(2)?;
                match shape.name() {
                    "IMAD" | "IMAD.U32" => {
                        let z = (self.raw(values, third.op), third.marks);
                        Results::word(sum(&[(product(x, y), Marks::NONE), z], &[]).words[0])
                    }
                    "IMAD.WIDE.U32" | "IMAD.WIDE" | "IMAD.HI.U32" | "IMAD.HI" => {
                        let third = (third.marks == Marks::NONE).then_some(third.op)?;
                        let z = self.pair(values, third);
                        let signed = !shape.has("U32");
                        wide_product(x, y, z, signed, shape.has("HI"))
                    }
                    _ => return None,
                }
            }
            "LOP3" => {
                let table = bits(3)?.value()? as u8;
                let own = [operand(0)?, operand(1)?, operand(2)?];
                let inputs = own.map(|one| self.bits(values, one));
                let mut can = [0u32; 2];
                for (row, here) in (0..8u8).zip(possible(&own, &inputs)) {
                    can[usize::from(table >> row & 1)] |= here;
                }
                Results::word(Bits {
                    zeros: !can[1],
                    ones: !can[0] & can[1],
                })
            }
            "SHF" => Results::word(shifted(shape, bits(0)?, bits(1)?, bits(2)?)?),
            "SEL" => match truth(0) {
                Some(true) => Results::word(bits(0)?),
                Some(false) => Results::word(bits(1)?),
                None => Results::word(bits(0)?.common(bits(1)?)),
            },
            "PRMT" if shape.name() == "PRMT" => {
                let selector = bits(1)?.value()?;
                Results::word(permuted(bits(0)?, bits(2)?, selector))
            }
            "F2FP" => {
                let number = |at: usize| {
                    let plain = operand(at).filter(|one| one.marks == Marks::NONE)?;
                    self.bits(values, plain).value()
                };
                Results::word(Bits::number(packed(shape, number(0)?, number(1)?)?))
            }
            "SGXT" => {
                let (x, count) = (bits(0)?, bits(1)?.value()?);
                let count = if shape.has("W") {
                    count & 31
                } else {
                    count.min(32)
                };
                Results::word(extended(x, count, !shape.has("U32")))
            }
            "BMSK" => {
                let (first, count) = (bits(0)?.value()?, bits(1)?.value()?);
                let limit = |value: u32| match shape.has("W") {
                    true => value & 31,
                    false => value.min(32),
                };
                let mask = ((1u64 << limit(count)) - 1) << limit(first);
                Results::word(Bits::number(mask as u32))
            }
            "BREV" => {
                let x = bits(0)?;
                Results::word(Bits {
                    zeros: x.zeros.reverse_bits(),
                    ones: x.ones.reverse_bits(),
                })
            }
            "POPC" => Results::word(match bits(0)?.value() {
                Some(value) => Bits::number(value.count_ones()),
                None => Bits::below(6),
            }),
            "ISETP" => Results::flag(self.comparison(values, inst, view)?),
            "PLOP3" => {
                let table = bits(0)?.value()? as u8;
                let mut seen = [false; 2];
                for row in self.rows(values, inst, view) {
                    seen[usize::from(table >> row & 1)] = true;
                }
                Results::flag(match seen {
                    [true, false] => Some(false),
                    [false, true] => Some(true),
                    _ => None,
                })
            }
            _ => return None,
        })
    }

    /// Of 64 bits in a pair, or zero.
    fn pair(&self, values: &Values, op: Op) -> [Bits; 2] {
        match op {
            Op::Reg(reg, lane) => [lane, lane + 1].map(|lane| self.raw(values, Op::Reg(reg, lane))),
            _ => [self.raw(values, op), Bits::ZERO],
        }
    }

    /// The rows of a table of three predicates that can be met.
    pub(crate) fn rows(
        &self,
        values: &Values,
        inst: &Inst,
        view: &View,
    ) -> impl Iterator<Item = u8> + use<> {
        let all: SmallVec<[Operand; 3]> = view.truths.iter().map(|at| inst.operands[*at]).collect();
        let known: SmallVec<[Option<bool>; 3]> =
            all.iter().map(|one| self.truth(values, *one)).collect();
        (0..8u8).filter(move |row| {
            let of = |at: usize| row >> (2 - at) & 1 == 1;
            let fits = (known.iter().enumerate())
                .all(|(at, known)| at > 2 || known.is_none_or(|known| known == of(at)));
            // One predicate in two places, and its opposite.
            let agrees = (0..all.len().min(3)).all(|at| {
                (0..at).all(|other| {
                    let is_same = matches!(all[at].op, Op::Reg(..)) && all[at].op == all[other].op;
                    let differ = all[at].marks != all[other].marks;
                    !is_same || (of(at) == of(other)) != differ
                })
            });
            fits && agrees
        })
    }

    /// The result of a comparison of integers.
    fn comparison(&self, values: &Values, inst: &Inst, view: &View) -> Option<Option<bool>> {
        let shape = inst.shape;
        let own = [*view.sources.first()?, *view.sources.get(1)?].map(|at| inst.operands[at]);
        let [x, y] = own.map(|one| self.bits(values, one));
        let truth = |at: usize| {
            let slot = view.truths.get(at)?;
            self.truth(values, inst.operands[*slot])
        };
        let with = truth(0);
        let order = match shape.has("U32") {
            true => Order::of((x.least(), x.most()), (y.least(), y.most())),
            false => Order::of(x.signed(), y.signed()),
        };
        let same = own[0] == own[1] && matches!(own[0].op, Op::Reg(..));
        let differs = x.zeros & y.ones | x.ones & y.zeros != 0;
        let order = match same {
            true => Some(Order::Equal),
            false => order,
        };
        let is_extended = shape.has("EX");
        let of_lower = match is_extended {
            true => truth(1),
            false => None,
        };
        let equal = |otherwise: bool| {
            if is_extended {
                of_lower
            } else {
                Some(otherwise)
            }
        };
        let relation = shape.modifiers().next()?;
        let holds = match (relation, order) {
            ("LT" | "LE", Some(Order::Less)) | ("GT" | "GE", Some(Order::More)) => Some(true),
            ("LT" | "LE", Some(Order::More)) | ("GT" | "GE", Some(Order::Less)) => Some(false),
            ("LE" | "GE", Some(Order::Equal)) => equal(true),
            ("LT" | "GT", Some(Order::Equal)) => equal(false),
            ("LE", Some(Order::NotMore)) | ("GE", Some(Order::NotLess)) if !is_extended => {
                Some(true)
            }
            ("GT", Some(Order::NotMore)) | ("LT", Some(Order::NotLess)) if !is_extended => {
                Some(false)
            }
            ("EQ", _) if differs => Some(false),
            ("NE", _) if differs => Some(true),
            ("EQ", Some(Order::Less | Order::More)) => Some(false),
            ("NE", Some(Order::Less | Order::More)) => Some(true),
            ("EQ", Some(Order::Equal)) => equal(true),
            ("NE", Some(Order::Equal)) => equal(false),
            _ => None,
        };
        Some(match (holds, with) {
            (Some(holds), Some(with)) if shape.has("AND") => Some(holds && with),
            (Some(holds), Some(with)) if shape.has("OR") => Some(holds || with),
            (Some(holds), Some(with)) if shape.has("XOR") => Some(holds != with),
            (Some(false), _) | (_, Some(false)) if shape.has("AND") => Some(false),
            (Some(true), _) | (_, Some(true)) if shape.has("OR") => Some(true),
            _ => None,
        })
    }
}

/// How two numbers stand to each other.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Order {
    Less,
    Equal,
    More,
    NotLess,
    NotMore,
}

impl Order {
    fn of<T: Ord>(x: (T, T), y: (T, T)) -> Option<Order> {
        if x.1 < y.0 {
            Some(Order::Less)
        } else if x.0 > y.1 {
            Some(Order::More)
        } else if x.0 == x.1 && x.0 == y.0 && y.0 == y.1 {
            Some(Order::Equal)
        } else if x.1 <= y.0 {
            Some(Order::NotMore)
        } else if x.0 >= y.1 {
            Some(Order::NotLess)
        } else {
            None
        }
    }
}

/// For each row of the table of logic with three inputs the bit places at which they can be that row.
pub(crate) fn possible(own: &[Operand; 3], inputs: &[Bits; 3]) -> [u32; 8] {
    let is_same =
        |one: usize, other: usize| matches!(own[one].op, Op::Reg(..)) && own[one] == own[other];
    let same = [(0, 1), (0, 2), (1, 2)].map(|(one, other)| (one, other, is_same(one, other)));
    std::array::from_fn(|row| {
        let bit = |at: usize| row >> (2 - at) & 1 == 1;
        let mut same = same.iter();
        if same.any(|(one, other, is_same)| *is_same && bit(*one) != bit(*other)) {
            return 0;
        }
        (0..3).fold(u32::MAX, |all, at| {
            all & match bit(at) {
                true => !inputs[at].zeros,
                false => !inputs[at].ones,
            }
        })
    })
}

/// Two singles as halves in one word, where that is exact: the upper one first.
fn packed(shape: &Shape, upper: u32, lower: u32) -> Option<u32> {
    let half: fn(u32) -> Option<u32> = match shape.name() {
        "F2FP.F16.F32.PACK_AB" => exact_half,
        "F2FP.BF16.F32.PACK_AB" => |bits| {
            let is_exact = bits & 0xffff == 0 && bits >> 23 & 0xff != 0xff;
            is_exact.then_some(bits >> 16)
        },
        _ => return None,
    };
    Some(half(upper)? << 16 | half(lower)?)
}

/// A single as a half, where that is exact and neither subnormal nor without a value.
fn exact_half(bits: u32) -> Option<u32> {
    let sign = bits >> 16 & 0x8000;
    if bits << 1 == 0 {
        return Some(sign);
    }
    let exponent = (bits >> 23 & 0xff).checked_sub(112)?;
    let is_exact = bits & 0x1fff == 0 && (1..=30).contains(&exponent);
    is_exact.then_some(sign | exponent << 10 | bits >> 13 & 0x3ff)
}

/// A sum of terms and carries, as `IADD3` makes it: its bits, and whether there is a carry of at least one, and of two.
fn sum(terms: &[(Bits, Marks)], carries: &[Option<bool>]) -> Results {
    let (mut least, mut most, mut low, mut low_known) = (0u64, 0u64, 0u32, 32u32);
    for (bits, marks) in terms {
        let (from, to) = (u64::from(bits.least()), u64::from(bits.most()));
        let invert = |value: u64| u64::from(!(value as u32));
        // -x is ~x + 1, which matters to the carry.
        let (from, to, own, more) = match *marks {
            Marks::NONE => (from, to, bits.ones, 0),
            Marks::TILDE => (invert(to), invert(from), !bits.ones, 0),
            Marks::MINUS => (invert(to) + 1, invert(from) + 1, !bits.ones, 1),
            _ => return Results::UNKNOWN,
        };
        least += from;
        most += to;
        low = low.wrapping_add(own).wrapping_add(more);
        low_known = low_known.min(bits.low_known());
    }
    for carry in carries {
        least += u64::from(*carry == Some(true));
        most += u64::from(*carry != Some(false));
        match carry {
            Some(carry) => low = low.wrapping_add(u32::from(*carry)),
            None => low_known = 0,
        }
    }
    let mask = !u32::MAX.checked_shl(low_known).unwrap_or(0);
    let mut word = Bits {
        zeros: !low & mask,
        ones: low & mask,
    };
    if most <= u64::from(u32::MAX) {
        word.zeros |= Bits::below(32 - (most as u32).leading_zeros()).zeros;
    }
    if least == most {
        word = Bits::number(least as u32);
    }
    let carry = |count: u64| match (least >> 32 >= count, most >> 32 >= count) {
        (true, true) => Some(true),
        (false, false) => Some(false),
        _ => None,
    };
    Results {
        words: [word, Bits::UNKNOWN],
        flags: [carry(1), carry(2)],
    }
}

/// The low word of a product.
fn product(x: Bits, y: Bits) -> Bits {
    if let (Some(x), Some(y)) = (x.value(), y.value()) {
        return Bits::number(x.wrapping_mul(y));
    }
    let low = x.zeros.trailing_ones() + y.zeros.trailing_ones();
    let mut bits = Bits {
        zeros: !u32::MAX.checked_shl(low).unwrap_or(0),
        ones: 0,
    };
    let most = u64::from(x.most()) * u64::from(y.most());
    if most <= u64::from(u32::MAX) {
        bits.zeros |= Bits::below(32 - (most as u32).leading_zeros()).zeros;
    }
    bits
}

/// A product of 64 bits and a sum, or its upper word.
fn wide_product(x: Bits, y: Bits, z: [Bits; 2], signed: bool, high: bool) -> Results {
    let all = [x, y, z[0], z[1]].map(Bits::value);
    let two = |low, upper| match high {
        true => Results::word(upper),
        false => Results {
            words: [low, upper],
            flags: [None; 2],
        },
    };
    if let [Some(x), Some(y), Some(low), Some(upper)] = all {
        let product = match signed {
            true => (i64::from(x as i32) * i64::from(y as i32)) as u64,
            false => u64::from(x) * u64::from(y),
        };
        let value = product.wrapping_add(u64::from(low) | u64::from(upper) << 32);
        return two(
            Bits::number(value as u32),
            Bits::number((value >> 32) as u32),
        );
    }
    let low = sum(&[(product(x, y), Marks::NONE), (z[0], Marks::NONE)], &[]).words[0];
    let is_plain = !signed || (x.zeros & y.zeros) >> 31 == 1;
    let most = u128::from(x.most()) * u128::from(y.most())
        + (u128::from(z[0].most()) | u128::from(z[1].most()) << 32);
    let upper = match u32::try_from(most >> 32) {
        Ok(upper) if is_plain => Bits::below(32 - upper.leading_zeros()),
        _ => Bits::UNKNOWN,
    };
    two(low, upper)
}

/// The result of `SHF` by a number.
fn shifted(shape: &Shape, low: Bits, by: Bits, upper: Bits) -> Option<Bits> {
    let is_long = shape.has("U64") || shape.has("S64");
    let most = if is_long { 64 } else { 32 };
    let by = by.value()?;
    let by = if shape.has("W") {
        by & (most - 1)
    } else {
        by.min(most)
    };
    let join = |low: u32, upper: u32| u128::from(low) | u128::from(upper) << 32;
    let (zeros, ones) = (join(low.zeros, upper.zeros), join(low.ones, upper.ones));
    let above = u128::from(u64::MAX) << 64;
    let (zeros, ones) = if shape.has("L") {
        (zeros << by | ((1u128 << by) - 1), ones << by)
    } else if shape.has("S32") || shape.has("S64") {
        let fill = |bits: u128| {
            if bits >> 63 & 1 == 1 {
                bits | above
            } else {
                bits
            }
        };
        (fill(zeros) >> by, fill(ones) >> by)
    } else {
        ((zeros | above) >> by, ones >> by)
    };
    let down = if shape.has("HI") { 32 } else { 0 };
    Some(Bits {
        zeros: (zeros >> down) as u32,
        ones: (ones >> down) as u32,
    })
}

/// The result of `PRMT` with a number as its selector.
fn permuted(x: Bits, y: Bits, selector: u32) -> Bits {
    let mut result = Bits::UNKNOWN;
    for at in 0..4 {
        let choice = selector >> (4 * at) & 0xf;
        let of = if choice & 4 == 0 { x } else { y };
        let (mut zeros, mut ones) = of.byte(choice & 3);
        if choice & 8 != 0 {
            let fill = |bits: u8| if bits & 0x80 == 0 { 0 } else { 0xff };
            (zeros, ones) = (fill(zeros), fill(ones));
        }
        result.zeros |= u32::from(zeros) << (8 * at);
        result.ones |= u32::from(ones) << (8 * at);
    }
    result
}

/// The low bits with zeros or the highest of them above.
fn extended(x: Bits, count: u32, signed: bool) -> Bits {
    if count == 0 {
        return Bits::ZERO;
    }
    let (up, mut bits) = (32 - count, x);
    bits.zeros <<= up;
    bits.ones <<= up;
    match signed {
        true => Bits {
            zeros: ((bits.zeros as i32) >> up) as u32,
            ones: ((bits.ones as i32) >> up) as u32,
        },
        false => Bits {
            zeros: bits.zeros >> up | Bits::below(count).zeros,
            ones: bits.ones >> up,
        },
    }
}

/// What is known of what comes from elsewhere: narrow loads, and places in the grid.
fn loaded(inst: &Inst) -> Option<Results> {
    let shape = inst.shape;
    let bits = match shape.opcode() {
        "LDG" | "LDS" | "LDL" | "LD" | "LDC" if shape.has("U8") => Bits::below(8),
        "LDG" | "LDS" | "LDL" | "LD" | "LDC" if shape.has("U16") => Bits::below(16),
        "S2R" => {
            let number = inst.operands.iter().find_map(|one| match one.op {
                Op::Value(Value::Special(number)) => Some(number),
                _ => None,
            })?;
            // Source: limits of every chip from sm_50 on. A warp has 32 lanes, a block 1,024 threads.
            match &*special::name(number) {
                "SR_LANEID" => Bits::below(5),
                "SR_TID.X" | "SR_TID.Y" => Bits::below(10),
                "SR_TID.Z" => Bits::below(6),
                "SR_CTAID.X" => Bits::below(31),
                "SR_CTAID.Y" | "SR_CTAID.Z" => Bits::below(16),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Results::word(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that is known of four bits, the others zero.
    fn four() -> impl Iterator<Item = Bits> {
        (0..16u32).flat_map(|zeros| {
            let ones = (0..16u32).filter(move |ones| zeros & ones == 0);
            ones.map(move |ones| Bits {
                zeros: zeros | 0xffff_fff0,
                ones,
            })
        })
    }

    fn members(bits: Bits) -> impl Iterator<Item = u32> {
        (0..16u32).filter(move |one| one & bits.zeros == 0 && !one & bits.ones == 0)
    }

    fn has(bits: Bits, value: u32) -> bool {
        value & bits.zeros == 0 && !value & bits.ones == 0
    }

    #[test]
    fn halves_of_singles() {
        let half = |number: f32| exact_half(number.to_bits());
        assert_eq!(half(1.0), Some(0x3c00));
        assert_eq!(half(-0.75), Some(0xba00));
        assert_eq!(half(-0.0), Some(0x8000));
        assert_eq!(half(65504.0), Some(0x7bff));
        assert_eq!(half(2f32.powi(-14)), Some(0x0400));
        for inexact in [0.1, 65536.0, f32::INFINITY, f32::NAN, 2f32.powi(-15), 1e-40] {
            assert_eq!(half(inexact), None);
        }
    }

    #[test]
    fn sums_and_products_have_what_is_known() {
        for x in four() {
            for y in four() {
                let results = [Marks::NONE, Marks::MINUS, Marks::TILDE]
                    .map(|marks| (marks, sum(&[(x, Marks::NONE), (y, marks)], &[Some(false)])));
                let (low, wide) = (product(x, y), wide_product(x, y, [y, x], true, false));
                for one in members(x) {
                    for other in members(y) {
                        for (marks, made) in &results {
                            let term = match *marks {
                                Marks::MINUS => u64::from(!other) + 1,
                                Marks::TILDE => u64::from(!other),
                                _ => u64::from(other),
                            };
                            let exact = u64::from(one) + term;
                            assert!(has(made.words[0], exact as u32), "{x:?} {y:?} {marks:?}");
                            let carry = exact >> 32 != 0;
                            assert!(made.flags[0].is_none_or(|known| known == carry));
                        }
                        assert!(has(low, one * other));
                        let exact =
                            u64::from(one * other) + (u64::from(other) | u64::from(one) << 32);
                        assert!(has(wide.words[0], exact as u32));
                        assert!(has(wide.words[1], (exact >> 32) as u32));
                    }
                }
            }
        }
    }

    #[test]
    fn orders_hold_for_all_numbers() {
        for x in four() {
            for y in four() {
                let order = Order::of(x.signed(), y.signed());
                for one in members(x) {
                    for other in members(y) {
                        let fits = match order {
                            Some(Order::Less) => one < other,
                            Some(Order::Equal) => one == other,
                            Some(Order::More) => one > other,
                            Some(Order::NotLess) => one >= other,
                            Some(Order::NotMore) => one <= other,
                            None => true,
                        };
                        assert!(fits, "{x:?} {y:?} {order:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn bits_are_chosen_and_extended() {
        let known = Bits {
            zeros: 0x0000_80f0,
            ones: 0x8000_000f,
        };
        let other = Bits::number(0x1234_5678);
        assert_eq!(permuted(known, other, 0x3210), known);
        assert_eq!(permuted(known, other, 0x7654), other);
        let chosen = permuted(known, other, 0xb970);
        assert_eq!(chosen.byte(0), (0xf0, 0x0f));
        assert_eq!(chosen.byte(1), (!0x12, 0x12));
        assert_eq!(chosen.byte(2), (0xff, 0));
        assert_eq!(chosen.byte(3), (0, 0xff));
        assert_eq!(extended(other, 8, false), Bits::number(0x78));
        assert_eq!(
            extended(Bits::number(0x80), 8, true),
            Bits::number(0xffff_ff80)
        );
        assert_eq!(extended(known, 0, true), Bits::ZERO);
    }
}
