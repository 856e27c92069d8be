//! Short integers in long computations: extended, cut and extended again, then shifted, multiplied, summed,
//! compared, divided, made floating-point numbers, and used as indices.
//!
//! ```text
//!   iN ─► at its own width: as it is, cut, masked, added to ─► zext, sext, both ─► iW ─► operations, once or twice
//! ```
//!
//! A compiler that widens by the wrong sign, or trusts bits that nobody has set, is seen here.

use super::constant::signed;
use super::memory::Shape;
use super::{Draft, int};
use crate::program::Operand;
use crate::ty::{Float, Ty};

/// Widths that are extended, with how often.
const SHORT: &[(usize, u32)] = &[
    (14, 8),
    (12, 16),
    (6, 32),
    (1, 2),
    (1, 3),
    (2, 5),
    (2, 7),
    (2, 9),
    (2, 13),
    (2, 15),
    (2, 17),
    (2, 24),
    (2, 31),
    (1, 33),
    (1, 48),
];

/// Widths that they are extended to.
const LONG: &[(usize, u32)] = &[
    (30, 64),
    (8, 32),
    (2, 16),
    (2, 24),
    (2, 33),
    (2, 48),
    (1, 63),
    (3, 128),
];

/// Operands with their types, as units want them.
type Operands = Vec<(Operand, Ty)>;

impl Draft {
    pub(super) fn widen_step(&mut self) {
        let (short, long) = self.widths();
        if self.random.chance(12) {
            return self.widened_index(short);
        }
        let ty = Ty::Int(long);
        let mut operands = Operands::new();
        let mut text = self.widened(short, long, "w", &mut operands);
        let (lines, result) = self.computed(long, "w", "$r.c", &mut operands);
        text += &lines;
        let bool = result == Ty::BOOL;
        // One use lets a compiler join instructions, more keep the widened value.
        let uses = self.random.below(10);
        match uses {
            0..5 if bool => text += "$r = xor i1 $r.c, false",
            0..5 => text += &format!("$r = freeze {ty} $r.c"),
            5..7 if bool => {
                text += &format!("$r.e = select i1 $r.c, {ty} $r.w, {ty} 0\n$r = freeze {ty} $r.e");
            }
            5..7 => text += &format!("$r = xor {ty} $r.c, $r.w"),
            _ => {
                let (lines, second) = self.computed(long, "w", "$r.d", &mut operands);
                text += &lines;
                let wide = |name: &str, of: &Ty| match *of == Ty::BOOL {
                    true => format!("$r.{name}w = zext i1 $r.{name} to {ty}\n"),
                    false => format!("$r.{name}w = or {ty} $r.{name}, 0\n"),
                };
                text += &wide("c", &result);
                text += &wide("d", &second);
                text += &format!("$r = add {ty} $r.cw, $r.dw");
            }
        }
        let result = match uses {
            0..5 if bool => Ty::BOOL,
            _ => ty,
        };
        self.unit(&result, text, operands);
    }

    /// Two widths, the first shorter, that the style allows.
    fn widths(&mut self) -> (u32, u32) {
        for _ in 0..100 {
            let short: u32 = self.random.weighted(SHORT);
            let long: u32 = self.random.weighted(LONG);
            let allowed = [short, long].map(|bits| self.style.allows(&Ty::Int(bits)));
            if short < long && allowed == [true, true] {
                return (short, long);
            }
        }
        (8, 64)
    }

    /// Lines that make `$r.NAME`, an integer of `long` bits, from one of `short` bits.
    fn widened(&mut self, short: u32, long: u32, name: &str, operands: &mut Operands) -> String {
        let mut lines = self.narrow(short, name, operands);
        let (mut from, mut at) = (short, "n");
        if short + 1 < long && self.random.chance(20) {
            // In two steps, each with a sign of its own.
            let between = short + 1 + self.random.below((long - short - 1) as usize) as u32;
            let between = match self.random.chance(60) {
                true if short < 16 && long > 16 => 16,
                true if short < 32 && long > 32 => 32,
                _ => between,
            };
            let extend = self.random.pick(&["zext", "sext"]);
            lines += &format!("$r.{name}m = {extend} i{from} $r.{name}n to i{between}\n");
            (from, at) = (between, "m");
        }
        let extend = self.random.pick(&["zext", "sext"]);
        lines += &format!("$r.{name} = {extend} i{from} $r.{name}{at} to i{long}\n");
        lines
    }

    /// Lines that make `$r.NAMEn`, an integer of some bits with or without something above it in its register.
    fn narrow(&mut self, bits: u32, name: &str, operands: &mut Operands) -> String {
        let ty = Ty::Int(bits);
        let out = format!("$r.{name}n");
        let at = operands.len();
        let small = |random: &mut warpc_testkit::Random| {
            signed(u128::from(random.bits()), bits.min(64)).to_string()
        };
        match self.random.below(12) {
            0..2 => {
                // The low bits of something longer.
                let from = match bits {
                    0..32 => self.random.pick(&[32, 64]),
                    _ => 64,
                };
                if bits >= from {
                    operands.push(self.typed(&ty));
                    return format!("{out} = or {ty} ${at}, 0\n");
                }
                operands.push(self.typed(&Ty::Int(from)));
                match self.random.below(3) {
                    0 => {
                        let unused = from - bits;
                        format!(
                            "$r.{name}q = lshr i{from} ${at}, {unused}\n\
                             {out} = trunc nuw i{from} $r.{name}q to {ty}\n"
                        )
                    }
                    1 => {
                        let unused = from - bits;
                        format!(
                            "$r.{name}q = ashr i{from} ${at}, {unused}\n\
                             {out} = trunc nsw i{from} $r.{name}q to {ty}\n"
                        )
                    }
                    _ => format!("{out} = trunc i{from} ${at} to {ty}\n"),
                }
            }
            2..5 => {
                operands.push(self.typed(&ty));
                let op = self.random.pick(&["add", "sub", "mul", "and", "or", "xor"]);
                let constant = small(&mut self.random);
                match self.random.chance(30) {
                    true => format!("{out} = {op} {ty} {constant}, ${at}\n"),
                    false => format!("{out} = {op} {ty} ${at}, {constant}\n"),
                }
            }
            5 => {
                operands.push(self.typed(&ty));
                let op = self.random.pick(&["shl", "lshr", "ashr"]);
                let by = self.random.below(bits as usize) as u128;
                format!("{out} = {op} {ty} ${at}, {}\n", signed(by, bits))
            }
            6 => {
                // No carry out of half the bits, so none out of all.
                operands.push(self.typed(&ty));
                operands.push(self.typed(&ty));
                let (down, flag) = self.random.pick(&[("lshr", "nuw"), ("ashr", "nsw")]);
                let op = self.random.pick(&["add", "sub"]);
                let op = if flag == "nuw" { "add" } else { op };
                let by = signed(1, bits);
                format!(
                    "$r.{name}p = {down} {ty} ${at}, {by}\n$r.{name}q = {down} {ty} ${}, {by}\n\
                     {out} = {op} {flag} {ty} $r.{name}p, $r.{name}q\n",
                    at + 1
                )
            }
            7 => {
                // The smallest number subtracted from a negative one fits.
                operands.push(self.typed(&ty));
                let least = signed(1 << (bits - 1), bits);
                format!(
                    "$r.{name}p = or {ty} ${at}, {least}\n{out} = sub nsw {ty} $r.{name}p, {least}\n"
                )
            }
            8 => {
                operands.push(self.typed(&ty));
                format!("{out} = freeze {ty} ${at}\n")
            }
            9 => {
                operands.push(self.typed(&Ty::BOOL));
                operands.push(self.typed(&ty));
                let other = small(&mut self.random);
                format!("{out} = select i1 ${at}, {ty} ${}, {ty} {other}\n", at + 1)
            }
            _ => {
                operands.push(self.typed(&ty));
                format!("{out} = or {ty} ${at}, 0\n")
            }
        }
    }

    /// Lines that compute `out` from `$r.NAME`, a widened value, and the type of the result.
    fn computed(
        &mut self,
        bits: u32,
        name: &str,
        out: &str,
        operands: &mut Operands,
    ) -> (String, Ty) {
        let ty = Ty::Int(bits);
        let value = format!("$r.{name}");
        let constant = self.factor(bits);
        let shift = signed(self.random.below(bits as usize) as u128, bits);
        let lines = match self.random.below(20) {
            0..4 => format!("{out} = shl {ty} {value}, {shift}\n"),
            4..6 => format!("{out} = mul {ty} {value}, {constant}\n"),
            6 => {
                let at = operands.len();
                operands.push(self.typed(&ty));
                format!("{out}m = mul {ty} {value}, {constant}\n{out} = add {ty} {out}m, ${at}\n")
            }
            7..10 => {
                // Both factors are widened, each in its own way.
                let short = self.random.weighted(SHORT);
                let short = if short < bits { short } else { bits / 2 };
                let other = format!("{}x", out.trim_start_matches("$r."));
                let lines = self.widened(short, bits, &other, operands);
                let op = self.random.pick(&["mul", "mul", "add", "sub", "and"]);
                match self.random.chance(30) {
                    true => {
                        let at = operands.len();
                        operands.push(self.typed(&ty));
                        format!(
                            "{lines}{out}m = {op} {ty} {value}, $r.{other}\n\
                             {out} = add {ty} ${at}, {out}m\n"
                        )
                    }
                    false => format!("{lines}{out} = {op} {ty} {value}, $r.{other}\n"),
                }
            }
            10..12 => {
                let op = self.random.pick(&["add", "sub", "and", "or", "xor"]);
                format!("{out} = {op} {ty} {value}, {constant}\n")
            }
            12 => {
                let op = self.random.pick(&["lshr", "ashr"]);
                format!("{out} = {op} {ty} {value}, {shift}\n")
            }
            13 => {
                let op = self.random.pick(&["udiv", "urem", "sdiv", "srem"]);
                let divisor = self.random.pick(&["3", "7", "8", "-3", "-7", "10"]);
                format!("{out} = {op} {ty} {value}, {divisor}\n")
            }
            14 => {
                // As the amount of a shift.
                let at = operands.len();
                operands.push(self.typed(&ty));
                let op = self.random.pick(&["shl", "lshr", "ashr"]);
                let most = signed(u128::from(bits), bits);
                format!("{out}s = urem {ty} {value}, {most}\n{out} = {op} {ty} ${at}, {out}s\n")
            }
            15 if bits <= 64 && self.style.floats => {
                // To a number and back: only what is exact, so that all agree.
                let op = self.random.pick(&["sitofp", "uitofp"]);
                let float = Ty::Float(self.random.pick(&[Float::Single, Float::Double]));
                let same = match float == Ty::Float(Float::Single) {
                    true => "i32",
                    false => "i64",
                };
                let down = match (bits, same) {
                    (32, "i32") | (64, "i64") => format!("{out} = or {same} {out}b, 0\n"),
                    (..32, _) | (33..64, "i64") => {
                        format!("{out} = trunc {same} {out}b to {ty}\n")
                    }
                    (_, "i32") => format!("{out} = sext i32 {out}b to {ty}\n"),
                    _ => format!("{out} = trunc i64 {out}b to {ty}\n"),
                };
                format!(
                    "{out}f = {op} {ty} {value} to {float}\n{out}b = bitcast {float} {out}f to {same}\n{down}"
                )
            }
            _ => {
                let predicate = self.random.pick(&int::PREDICATES);
                let lines = match self.random.chance(30) {
                    true => format!("{out} = icmp {predicate} {ty} {constant}, {value}\n"),
                    false => format!("{out} = icmp {predicate} {ty} {value}, {constant}\n"),
                };
                return (lines, Ty::BOOL);
            }
        };
        (lines, ty)
    }

    /// A constant of either sign, near where 8, 16, 31 and 32 bits end or anywhere.
    fn factor(&mut self, bits: u32) -> i128 {
        let ends = [7u32, 8, 15, 16, 31, 32].map(|end| 1i128 << end);
        let number = match self.random.below(5) {
            0 => self.random.pick(&[1, 2, 3, 5, 8, 10, 24, 100, 1000]),
            1 => self.random.pick(&ends) + self.random.below(3) as i128 - 1,
            2 => 1 << self.random.below(62),
            _ => (self.random.bits() >> self.random.below(64)).into(),
        };
        let number = if self.random.chance(40) {
            -number
        } else {
            number
        };
        signed(number as u128, bits)
    }

    /// A byte, half word or word at an index that was short, of either sign.
    fn widened_index(&mut self, short: u32) {
        let place = self.place(
            |place| matches!(place.shape, Shape::Raw { bytes, align } if bytes >= 64 && align >= 4),
        );
        let Some(place) = place else { return };
        let short = if short < 6 { 8 } else { short.min(64) };
        let narrow = Ty::Int(short);
        let mut operands = vec![place.operand(), self.typed(&narrow)];
        let (bytes, element) = self.random.pick(&[(1, "i8"), (2, "i16"), (4, "i32")]);
        // Positions from the middle: at most 16 elements of at most 4 bytes, or half of them to each side.
        let reach: u32 = 64 / bytes;
        let bits = reach.trailing_zeros().min(short);
        let (start, limited, extend) = match self.random.chance(50) {
            true => (
                0,
                format!("$r.i = lshr {narrow} $1, {}\n", short - bits),
                self.random.pick(&["zext", "sext", ""]),
            ),
            false => (
                32,
                format!("$r.i = ashr {narrow} $1, {}\n", short - bits),
                self.random.pick(&["sext", ""]),
            ),
        };
        // All bits are kept: what was cleared may be the sign again.
        let extend = match start == 0 && bits == short {
            true => "zext",
            false => extend,
        };
        let (index, widened) = match extend {
            "" => (format!("{narrow} $r.i"), String::new()),
            extend if short < 64 => (
                "i64 $r.w".into(),
                format!("$r.w = {extend} {narrow} $r.i to i64\n"),
            ),
            _ => (format!("{narrow} $r.i"), String::new()),
        };
        let ptr = Ty::Ptr(place.space);
        let mut text = format!("{limited}{widened}");
        text += &format!("$r.b = getelementptr i8, {ptr} $0, i64 {start}\n");
        text += &format!("$r.p = getelementptr {element}, {ptr} $r.b, {index}\n");
        let ty = Ty::Int(8 * bytes);
        if self.random.chance(30) && place.writable {
            operands.push(self.typed(&ty));
            let text = format!("{text}store {ty} $2, {ptr} $r.p, align {bytes}");
            return self.effect(text, operands, Vec::new());
        }
        text += &format!("$r = load {ty}, {ptr} $r.p, align {bytes}");
        self.unit(&ty, text, operands);
    }
}
