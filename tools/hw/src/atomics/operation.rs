//! Atomic operations and types, and what an operation may leave in memory.

use super::float::{self, Allowed, BFLOAT, DOUBLE, FLOAT, FloatOp, Format, HALF};

/// The type of a value in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// An integer of so many bits.
    Int(u32),
    /// A pointer.
    Ptr,
    /// A floating-point number.
    Float(Format),
    /// Two of them.
    Pair(Format),
}

/// All types.
pub const TYPES: [Ty; 12] = [
    Ty::Int(8),
    Ty::Int(16),
    Ty::Int(32),
    Ty::Int(64),
    Ty::Int(128),
    Ty::Ptr,
    Ty::Float(HALF),
    Ty::Float(BFLOAT),
    Ty::Float(FLOAT),
    Ty::Float(DOUBLE),
    Ty::Pair(HALF),
    Ty::Pair(BFLOAT),
];

impl Ty {
    /// Its name in LLVM IR.
    pub fn text(self) -> &'static str {
        match self {
            Ty::Int(8) => "i8",
            Ty::Int(16) => "i16",
            Ty::Int(32) => "i32",
            Ty::Int(64) => "i64",
            Ty::Int(_) => "i128",
            Ty::Ptr => "ptr",
            Ty::Float(HALF) => "half",
            Ty::Float(BFLOAT) => "bfloat",
            Ty::Float(FLOAT) => "float",
            Ty::Float(_) => "double",
            Ty::Pair(HALF) => "<2 x half>",
            Ty::Pair(_) => "<2 x bfloat>",
        }
    }

    /// Its bits.
    pub fn bits(self) -> u32 {
        match self {
            Ty::Int(bits) => bits,
            Ty::Ptr => 64,
            Ty::Float(format) => format.bits(),
            Ty::Pair(format) => 2 * format.bits(),
        }
    }

    /// Its bytes, and its alignment.
    pub fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// All bits set.
    pub fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }

    /// The numbers that it consists of.
    pub fn format(self) -> Option<Format> {
        match self {
            Ty::Float(format) | Ty::Pair(format) => Some(format),
            _ => None,
        }
    }

    /// A number in all its lanes.
    pub fn number(self, value: f64) -> u128 {
        let Some(format) = self.format() else {
            return value as i64 as i128 as u128 & self.mask();
        };
        let bits = u128::from(format.nearest(value));
        match self {
            Ty::Pair(_) => bits << format.bits() | bits,
            _ => bits,
        }
    }
}

/// What is done to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// `atomicrmw` on integers, or `xchg` of anything.
    Int(IntOp),
    /// `atomicrmw` on floating-point numbers.
    Float(FloatOp),
    /// One `cmpxchg`, which may be weak.
    Swap {
        /// Whether it may fail for no reason.
        weak: bool,
    },
    /// A sum by a loop around a weak `cmpxchg`.
    SwapLoop,
    /// `store atomic` by every other thread, `load atomic` by the rest.
    LoadStore,
    /// A sum that is not atomic at all: must be found wrong.
    Racy,
}

/// An operation of `atomicrmw`, not on floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum IntOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    Umax,
    Umin,
    UincWrap,
    UdecWrap,
    UsubCond,
    UsubSat,
}

const INT_OPS: [(IntOp, &str); 15] = [
    (IntOp::Xchg, "xchg"),
    (IntOp::Add, "add"),
    (IntOp::Sub, "sub"),
    (IntOp::And, "and"),
    (IntOp::Nand, "nand"),
    (IntOp::Or, "or"),
    (IntOp::Xor, "xor"),
    (IntOp::Max, "max"),
    (IntOp::Min, "min"),
    (IntOp::Umax, "umax"),
    (IntOp::Umin, "umin"),
    (IntOp::UincWrap, "uinc_wrap"),
    (IntOp::UdecWrap, "udec_wrap"),
    (IntOp::UsubCond, "usub_cond"),
    (IntOp::UsubSat, "usub_sat"),
];

const FLOAT_OPS: [(FloatOp, &str); 6] = [
    (FloatOp::Add, "fadd"),
    (FloatOp::Sub, "fsub"),
    (FloatOp::Max, "fmax"),
    (FloatOp::Min, "fmin"),
    (FloatOp::Maximum, "fmaximum"),
    (FloatOp::Minimum, "fminimum"),
];

impl Op {
    /// All operations that memory of a type has.
    pub fn of(ty: Ty) -> Vec<Op> {
        let swaps = [Op::Swap { weak: false }, Op::Swap { weak: true }];
        let mut ops = vec![Op::LoadStore];
        match ty {
            Ty::Int(_) => {
                ops.extend(INT_OPS.map(|(op, _)| Op::Int(op)));
                ops.extend(swaps);
                ops.push(Op::SwapLoop);
            }
            Ty::Ptr => {
                ops.push(Op::Int(IntOp::Xchg));
                ops.extend(swaps);
            }
            Ty::Float(_) | Ty::Pair(_) => {
                ops.extend(FLOAT_OPS.map(|(op, _)| Op::Float(op)));
                if matches!(ty, Ty::Float(_)) {
                    ops.push(Op::Int(IntOp::Xchg));
                }
            }
        }
        ops
    }

    /// Its name: the word of LLVM IR where it is one operation of `atomicrmw`.
    pub fn text(self) -> &'static str {
        let of_int = |op| INT_OPS.iter().find(|row| row.0 == op);
        let of_float = |op| FLOAT_OPS.iter().find(|row| row.0 == op);
        match self {
            Op::Int(op) => of_int(op).map_or("", |row| row.1),
            Op::Float(op) => of_float(op).map_or("", |row| row.1),
            Op::Swap { weak: false } => "cmpxchg",
            Op::Swap { weak: true } => "cmpxchg-weak",
            Op::SwapLoop => "cmpxchg-loop",
            Op::LoadStore => "load-store",
            Op::Racy => "racy-add",
        }
    }

    /// Whether the order in which any operands come makes no difference for what is left.
    pub fn commutes(self) -> bool {
        match self {
            Op::Int(op) => !matches!(
                op,
                IntOp::Xchg
                    | IntOp::Nand
                    | IntOp::UincWrap
                    | IntOp::UdecWrap
                    | IntOp::UsubCond
                    | IntOp::UsubSat
            ),
            Op::Float(_) | Op::SwapLoop | Op::Racy => true,
            Op::Swap { .. } | Op::LoadStore => false,
        }
    }
}

/// What the value in memory may become; a list of lanes, low first.
pub fn apply(op: Op, ty: Ty, old: u128, operands: [u128; 2]) -> Vec<(u32, Allowed)> {
    let [a, b] = operands;
    let whole = |value: u128| {
        // Halves of at most 64 bits, as lanes are.
        let value = value & ty.mask();
        let lane = |bits: u32, value: u128| {
            let bits64 = vec![value as u64];
            let allowed = Allowed {
                bits: bits64,
                ..Allowed::default()
            };
            (bits, allowed)
        };
        match ty.bits() {
            128 => vec![
                lane(64, value & u128::from(u64::MAX)),
                lane(64, value >> 64),
            ],
            bits => vec![lane(bits, value)],
        }
    };
    match op {
        Op::Int(op) => whole(integer(op, ty, old, a)),
        Op::SwapLoop | Op::Racy => whole(integer(IntOp::Add, ty, old, a)),
        Op::Swap { .. } => whole(if old == a { b } else { old }),
        Op::LoadStore => whole(a),
        Op::Float(op) => {
            let Some(format) = ty.format() else {
                return whole(old);
            };
            let lanes = ty.bits() / format.bits();
            let one = |lane: u32| {
                let part = |value: u128| {
                    (value >> (lane * format.bits())) as u64 & (u64::MAX >> (64 - format.bits()))
                };
                (format.bits(), float::apply(op, format, part(old), part(a)))
            };
            (0..lanes).map(one).collect()
        }
    }
}

fn integer(op: IntOp, ty: Ty, old: u128, operand: u128) -> u128 {
    let shift = 128 - ty.bits();
    let signed = |value: u128| ((value << shift) as i128) >> shift;
    let (s, t) = (signed(old), signed(operand));
    let value = match op {
        IntOp::Xchg => operand,
        IntOp::Add => old.wrapping_add(operand),
        IntOp::Sub => old.wrapping_sub(operand),
        IntOp::And => old & operand,
        IntOp::Nand => !(old & operand),
        IntOp::Or => old | operand,
        IntOp::Xor => old ^ operand,
        IntOp::Max => s.max(t) as u128,
        IntOp::Min => s.min(t) as u128,
        IntOp::Umax => old.max(operand),
        IntOp::Umin => old.min(operand),
        IntOp::UincWrap if old >= operand => 0,
        IntOp::UincWrap => old + 1,
        IntOp::UdecWrap if old == 0 || old > operand => operand,
        IntOp::UdecWrap => old - 1,
        IntOp::UsubCond if old >= operand => old - operand,
        IntOp::UsubCond => old,
        IntOp::UsubSat => old.saturating_sub(operand),
    };
    value & ty.mask()
}

/// The only value that lanes allow, if there is one.
pub fn only(lanes: &[(u32, Allowed)]) -> Option<u128> {
    let (mut value, mut at) = (0u128, 0);
    for (bits, allowed) in lanes {
        match &allowed.bits[..] {
            [one, rest @ ..] if !allowed.nan && rest.iter().all(|bits| bits == one) => {
                value |= u128::from(*one) << at;
            }
            _ => return None,
        }
        at += bits;
    }
    Some(value)
}

/// Whether lanes allow a value: as the rules say, or only with subnormal numbers taken for zero.
pub fn fits(ty: Ty, lanes: &[(u32, Allowed)], value: u128) -> Fit {
    let mut fit = Fit::Exact;
    let mut at = 0;
    for (bits, allowed) in lanes {
        let part = (value >> at) as u64 & (u64::MAX >> (64 - bits));
        at += bits;
        let is_nan = ty.format().is_some_and(|format| format.is_nan(part));
        if allowed.bits.contains(&part) || allowed.nan && is_nan {
            continue;
        }
        if allowed.flushed == Some(part) {
            fit = Fit::Flushed;
            continue;
        }
        return Fit::Wrong;
    }
    fit
}

/// How a value fits what is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// As the rules say.
    Exact,
    /// With subnormal numbers taken for zero.
    Flushed,
    /// Not at all.
    Wrong,
}
