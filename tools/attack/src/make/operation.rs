//! The next instruction.

use super::body::Body;
use super::{Family, width};
use crate::float::{PREDICATES, Single, Two};
use crate::program::{Arg, BitOp, ICMP, IntOp, Op};
use crate::ty::{Format, Scalar, Ty};

const PLAIN: [IntOp; 16] = [
    IntOp::Add,
    IntOp::Add,
    IntOp::Sub,
    IntOp::Sub,
    IntOp::Mul,
    IntOp::Mul,
    IntOp::Mul,
    IntOp::Shl,
    IntOp::Shl,
    IntOp::Shl,
    IntOp::LShr,
    IntOp::AShr,
    IntOp::And,
    IntOp::Or,
    IntOp::Or,
    IntOp::Xor,
];

const RARE: [IntOp; 14] = [
    IntOp::UDiv,
    IntOp::SDiv,
    IntOp::URem,
    IntOp::SRem,
    IntOp::SMin,
    IntOp::SMax,
    IntOp::UMin,
    IntOp::UMax,
    IntOp::SAddSat,
    IntOp::UAddSat,
    IntOp::SSubSat,
    IntOp::USubSat,
    IntOp::SShlSat,
    IntOp::UShlSat,
];

const REDUCED: [IntOp; 9] = [
    IntOp::Add,
    IntOp::Mul,
    IntOp::And,
    IntOp::Or,
    IntOp::Xor,
    IntOp::SMin,
    IntOp::SMax,
    IntOp::UMin,
    IntOp::UMax,
];

impl Body<'_> {
    /// Adds something that works on what is there.
    pub(super) fn grow(&mut self) {
        let memory = match self.family {
            Family::Memory => 5,
            Family::Calls => 3,
            Family::Integers | Family::Floats => 0,
            _ => 1,
        };
        if self.chance.below(10) < memory {
            match self.chance.below(10) {
                0..=2 => self.grow_load(),
                3..=5 => self.grow_store(),
                6 | 7 => self.grow_copy(),
                8 => self.grow_set(),
                _ => self.grow_spill(),
            }
            return;
        }
        if self.family == Family::Calls && self.chance.one_in(4) || self.chance.one_in(16) {
            self.grow_call();
            return;
        }
        if self.chance.one_in(16) {
            self.grow_spill();
            return;
        }
        let Some(id) = self.some() else {
            self.fresh();
            return;
        };
        let ty = self.function.types[id].clone();
        let value = Arg::Local(id);
        match &ty {
            _ if self.chance.one_in(16) => {
                let condition = match (&ty, self.chance.one_in(2)) {
                    (Ty::Vector(..), true) => self.pick(&ty.with(Scalar::BOOL)),
                    _ => self.condition(),
                };
                let other = self.pick(&ty);
                let args = match self.chance.one_in(2) {
                    true => vec![condition, value, other],
                    false => vec![condition, other, value],
                };
                self.add(ty, Op::Select, args);
            }
            _ if self.chance.one_in(60) => {
                self.add(ty, Op::Freeze, vec![value]);
            }
            Ty::Struct(_, fields) => {
                let field = self.chance.below(fields.len());
                let inner = fields[field].clone();
                if self.chance.one_in(3) {
                    let part = self.pick(&inner);
                    self.add(ty, Op::SetField(field), vec![value, part]);
                } else {
                    self.add(inner, Op::GetField(field), vec![value]);
                }
            }
            Ty::Vector(..) if self.chance.one_in(4) => self.lanes(value, &ty),
            _ if self.chance.one_in(14) => self.recast(value, &ty),
            _ if ty.is_fp() => self.float(value, &ty),
            _ => self.integer(value, &ty),
        }
    }

    /// A function without anything begins with a constant.
    fn fresh(&mut self) {
        let ty = self.chance.of(&self.types.clone());
        let parts = ty.any(self.chance);
        self.add(ty.clone(), Op::Freeze, vec![Arg::Const(ty, parts)]);
    }

    fn other_int(&mut self, ty: &Ty) -> Ty {
        let wished: Vec<Ty> = self
            .types
            .iter()
            .filter(|ty| ty.is_int())
            .cloned()
            .collect();
        match self.chance.one_in(2) && !wished.is_empty() {
            true => ty.with(self.chance.of(&wished).scalar()),
            false => ty.with(Scalar::Int(width(self.chance))),
        }
    }

    /// The second operand of an operation; amounts of shifts are mostly small.
    fn second(&mut self, op: IntOp, ty: &Ty) -> Arg {
        let width = ty.scalar().width();
        let shift = matches!(
            op,
            IntOp::Shl | IntOp::LShr | IntOp::AShr | IntOp::SShlSat | IntOp::UShlSat
        );
        if shift && !self.chance.one_in(3) {
            let by = self.chance.below(width as usize) as u128;
            let by = if self.chance.one_in(2) { by.min(4) } else { by };
            let mut parts = vec![by; ty.lanes() as usize];
            if self.chance.one_in(3) {
                parts = (0..ty.lanes())
                    .map(|_| self.chance.below(width as usize) as u128)
                    .collect();
            }
            return Arg::Const(ty.clone(), parts);
        }
        match self.chance.one_in(3) {
            true => Arg::Const(ty.clone(), ty.any(self.chance)),
            false => self.pick(ty),
        }
    }

    fn integer(&mut self, value: Arg, ty: &Ty) {
        let width = ty.scalar().width();
        match self.chance.below(24) {
            0..=8 => {
                let op = match self.chance.one_in(4) {
                    true => self.chance.of(&RARE),
                    false => self.chance.of(&PLAIN),
                };
                let other = self.second(op, ty);
                let flip = !matches!(other, Arg::Const(..)) && self.chance.one_in(2)
                    || self.chance.one_in(8);
                let args = if flip {
                    vec![other, value]
                } else {
                    vec![value, other]
                };
                self.add(ty.clone(), Op::Int(op), args);
            }
            9..=13 => {
                let to = self.other_int(ty);
                let op = match to.scalar().width().cmp(&width) {
                    std::cmp::Ordering::Less => Op::Trunc,
                    std::cmp::Ordering::Equal => return,
                    _ if self.chance.one_in(2) => Op::SExt,
                    _ => Op::ZExt,
                };
                self.add(to, op, vec![value]);
            }
            14 | 15 => {
                let mut op = self.chance.of(&[
                    BitOp::Ctpop,
                    BitOp::Ctlz,
                    BitOp::Cttz,
                    BitOp::BitReverse,
                    BitOp::Abs,
                    BitOp::Bswap,
                ]);
                if op == BitOp::Bswap && !width.is_multiple_of(16) {
                    op = BitOp::BitReverse;
                }
                self.add(ty.clone(), Op::Bit(op), vec![value]);
            }
            16 | 17 => {
                let other = self.pick(ty);
                let predicate = self.chance.below(ICMP.len());
                self.add(
                    ty.with(Scalar::BOOL),
                    Op::Cmp(predicate),
                    vec![value, other],
                );
            }
            18 => {
                let (other, by) = (self.pick(ty), self.second(IntOp::Shl, ty));
                let other = if self.chance.one_in(2) {
                    value.clone()
                } else {
                    other
                };
                let left = self.chance.one_in(2);
                self.add(ty.clone(), Op::Funnel(left), vec![value, other, by]);
            }
            19 => {
                let op = self.chance.of(&[IntOp::Add, IntOp::Sub, IntOp::Mul]);
                let other = self.pick(ty);
                let both = Ty::Struct(false, vec![ty.clone(), ty.with(Scalar::BOOL)]);
                let is_signed = self.chance.one_in(2);
                let pair = self.add(both, Op::Overflow(is_signed, op), vec![value, other]);
                self.add(ty.clone(), Op::GetField(0), vec![pair.clone()]);
                self.add(ty.with(Scalar::BOOL), Op::GetField(1), vec![pair]);
            }
            20 => {
                let other = self.pick(ty);
                let to = ty.with(Scalar::Int(2 + self.chance.below(63) as u32));
                let is_signed = self.chance.one_in(2);
                self.add(to, Op::Sign(is_signed), vec![value, other]);
            }
            21 => {
                let format = self.chance.of(&Format::ALL);
                let is_signed = self.chance.one_in(2);
                self.add(
                    ty.with(Scalar::Fp(format)),
                    Op::FromInt(is_signed),
                    vec![value],
                );
            }
            _ => {
                // Two chained, as address computations and hashes have them.
                let to = ty.with(Scalar::Int(64));
                let mut wide = value;
                if width < 64 {
                    let op = if self.chance.one_in(3) {
                        Op::SExt
                    } else {
                        Op::ZExt
                    };
                    wide = self.add(to.clone(), op, vec![wide]);
                } else if width > 64 {
                    wide = self.add(to.clone(), Op::Trunc, vec![wide]);
                }
                let op = self
                    .chance
                    .of(&[IntOp::Shl, IntOp::Mul, IntOp::Mul, IntOp::Add]);
                let other = self.second(op, &to);
                self.add(to, Op::Int(op), vec![wide, other]);
            }
        }
    }

    fn float(&mut self, value: Arg, ty: &Ty) {
        let Scalar::Fp(format) = ty.scalar() else {
            return;
        };
        match self.chance.below(20) {
            0..=8 => {
                let op = self.chance.of(&[
                    Two::Add,
                    Two::Add,
                    Two::Sub,
                    Two::Mul,
                    Two::Mul,
                    Two::Mul,
                    Two::Div,
                    Two::CopySign,
                    Two::MinNum,
                    Two::MaxNum,
                    Two::Minimum,
                    Two::Maximum,
                ]);
                let other = self.pick(ty);
                let mut args = match self.chance.one_in(2) {
                    true => vec![value, other],
                    false => vec![other, value],
                };
                if op == Two::CopySign && matches!(args[1], Arg::Local(_)) {
                    // The sign of a NaN is left open.
                    args[1] = self.visible(args[1].clone());
                }
                self.add(ty.clone(), Op::Float(op), args);
            }
            9..=11 => {
                let op = self.chance.of(&[
                    Single::Neg,
                    Single::Neg,
                    Single::Abs,
                    Single::Sqrt,
                    Single::Floor,
                    Single::Ceil,
                    Single::Trunc,
                    Single::Even,
                    Single::Round,
                ]);
                self.add(ty.clone(), Op::FloatOne(op), vec![value]);
            }
            12 | 13 if format != Format::BFloat => {
                let (b, c) = (self.pick(ty), self.pick(ty));
                self.add(ty.clone(), Op::Fma, vec![value, b, c]);
            }
            14 | 15 => {
                let other = self.pick(ty);
                let predicate = self.chance.below(PREDICATES.len());
                self.add(
                    ty.with(Scalar::BOOL),
                    Op::FCmp(predicate),
                    vec![value, other],
                );
            }
            16 | 17 => {
                let to = self.chance.of(&Format::ALL);
                if to.width() != format.width() {
                    self.add(ty.with(Scalar::Fp(to)), Op::FpConvert, vec![value]);
                }
            }
            _ => {
                let to = self.other_int(ty);
                let is_signed = self.chance.one_in(2);
                self.add(to, Op::ToInt(is_signed), vec![value]);
            }
        }
    }

    /// Vectors taken apart and put together.
    fn lanes(&mut self, value: Arg, ty: &Ty) {
        let one = Ty::One(ty.scalar());
        let lane = match self.chance.one_in(2) {
            true => Arg::Const(
                Ty::int(32),
                vec![self.chance.below(ty.lanes() as usize) as u128],
            ),
            false => {
                let index = Ty::int(self.chance.of(&[8, 16, 32, 64]));
                self.pick(&index)
            }
        };
        match self.chance.below(4) {
            0 => {
                self.add(one, Op::Extract, vec![value, lane]);
            }
            1 => {
                let part = self.pick(&one);
                self.add(ty.clone(), Op::Insert, vec![value, part, lane]);
            }
            2 if ty.is_int() => {
                let op = self.chance.of(&REDUCED);
                self.add(one, Op::Reduce(op), vec![value]);
            }
            _ => {
                let other = self.pick(ty);
                let count = self.chance.of(&[2, 3, 4, ty.lanes(), ty.lanes(), 8]);
                let places = 2 * ty.lanes() as usize;
                let mask = (0..count)
                    .map(|_| self.chance.below(places) as u32)
                    .collect();
                let to = Ty::Vector(count, ty.scalar());
                self.add(to, Op::Shuffle(mask), vec![value, other]);
            }
        }
    }

    /// The same bits as another type.
    fn recast(&mut self, value: Arg, ty: &Ty) {
        let bits = ty.bits();
        let mut ways = Vec::new();
        if bits <= 128 {
            ways.push(Ty::int(bits));
        }
        for lanes in [2, 3, 4, 8, 16, 32] {
            if bits.is_multiple_of(lanes) && bits / lanes <= 128 {
                ways.push(Ty::Vector(lanes, Scalar::Int(bits / lanes)));
            }
        }
        for format in Format::ALL {
            if bits == format.width() {
                ways.push(Ty::One(Scalar::Fp(format)));
            } else if bits.is_multiple_of(format.width()) {
                ways.push(Ty::Vector(bits / format.width(), Scalar::Fp(format)));
            }
        }
        // LLVM 22 folds `bitcast <3 x i32> … to <2 x i48>` of constants wrongly: elements must go into elements.
        let even = |to: &Ty| {
            let (a, b) = (ty.lanes(), to.lanes());
            a.is_multiple_of(b) || b.is_multiple_of(a)
        };
        ways.retain(|to| to != ty && even(to));
        if ways.is_empty() {
            return;
        }
        let to = self.chance.of(&ways);
        let value = self.visible(value);
        self.add(to.clone(), Op::Bitcast, vec![value]);
        if to.is_fp() {
            let raw = self.known.pop().expect("it was just added");
            self.add(to, Op::Canonical, vec![Arg::Local(raw)]);
        }
    }
}
