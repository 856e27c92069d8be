//! What stands above the width of an integer in its register.
//!
//! An integer that is shorter than its register has arbitrary bits above its width. Where they matter they
//! are cleared or filled with the sign; not if the definition of the value is known to leave them right.

use super::{Selector, sign_extend};
use crate::code::{Arg, Class};
use crate::unit::Refused;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{BinaryOp, CastOp, Flags, Op};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};

/// What an instruction wants above the width of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Above {
    /// It does not look there.
    Any,
    /// Zeros.
    Zeros,
    /// Copies of the sign.
    Sign,
}

/// What is known to stand above the width of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Known {
    /// Zeros.
    pub zeros: bool,
    /// Copies of the sign.
    pub sign: bool,
}

impl Known {
    const NOTHING: Known = Known {
        zeros: false,
        sign: false,
    };
    const ZEROS: Known = Known {
        zeros: true,
        sign: false,
    };
    const SIGN: Known = Known {
        zeros: false,
        sign: true,
    };

    fn and(self, other: Known) -> Known {
        Known {
            zeros: self.zeros && other.zeros,
            sign: self.sign && other.sign,
        }
    }
}

/// How far definitions are followed.
const DEPTH: u32 = 6;

impl Selector<'_, '_> {
    /// An integer of up to 64 bits as an operand, with what an instruction wants above its width.
    pub(super) fn arg_with(&mut self, value: Value, above: Above) -> Result<Arg, Refused> {
        // Nothing stands above the width of a number that fills its register.
        let Type::Int(bits @ (2..=31 | 33..=63)) = self.kind(self.type_of(value)) else {
            return self.arg(value);
        };
        if above == Above::Any {
            return self.arg(value);
        }
        let known = self.known_above(value, DEPTH);
        let arg = self.arg(value)?;
        match above {
            Above::Zeros if !known.zeros || matches!(arg, Arg::Int(_)) => {
                self.zero_extended(arg, bits)
            }
            Above::Sign if !known.sign => self.sign_extended(arg, bits),
            _ => Ok(arg),
        }
    }

    /// What stands above the width of a value.
    pub(super) fn known(&self, value: Value) -> Known {
        self.known_above(value, DEPTH)
    }

    fn known_above(&self, value: Value, depth: u32) -> Known {
        if let Some(number) = self.signed(value) {
            return Known {
                zeros: number >= 0,
                sign: true,
            };
        }
        if value.constant().is_some_and(|id| {
            let kind = self.module.constants.get(id).kind;
            matches!(kind, ConstKind::Undef | ConstKind::Poison)
        }) {
            return Known {
                zeros: true,
                sign: true,
            };
        }
        let Some(local) = value.local().filter(|_| depth > 0) else {
            return Known::NOTHING;
        };
        match self.body.locals[local].def {
            Def::Inst(inst) => self.known_of(inst, depth),
            // The parameters of kernels lie in memory as numbers of their length.
            Def::Param(_) if self.abi.kernel => match self.kind(self.body.locals[local].ty) {
                Type::Int(8 | 16) => Known::ZEROS,
                _ => Known::NOTHING,
            },
            _ => Known::NOTHING,
        }
    }

    fn known_of(&self, inst: InstId, depth: u32) -> Known {
        let data = &self.body.insts[inst];
        let operands = self.body.operands(inst);
        let of = |value| self.known_above(value, depth - 1);
        match data.op {
            Op::Binary(op) => {
                let (a, b) = (of(operands[0]), of(operands[1]));
                // A constant mask is written without its sign, on either side.
                let masks = operands.iter().any(|&mask| self.integer(mask).is_some());
                known_of_binary(op, data.flags, a, b, masks)
            }
            Op::Load(_) if self.loads_signed(inst) => Known::SIGN,
            Op::Load(_) => Known::ZEROS,
            Op::Freeze => self.known_of_frozen(operands[0], depth - 1),
            Op::Select => of(operands[1]).and(of(operands[2])),
            Op::Cast(CastOp::Zext) => Known {
                zeros: true,
                sign: true,
            },
            Op::Cast(CastOp::Sext) => Known::SIGN,
            // What does not fit is poison.
            Op::Cast(CastOp::Fptosi) => Known::SIGN,
            Op::Cast(CastOp::Fptoui) => Known::ZEROS,
            Op::Cast(CastOp::Trunc) => {
                let whole = matches!(self.kind(self.type_of(operands[0])), Type::Int(32 | 64));
                Known {
                    zeros: whole && data.flags.contains(Flags::NUW),
                    sign: whole && data.flags.contains(Flags::NSW),
                }
                .and(self.same_class(operands[0], data.ty))
            }
            Op::Call(_) => match self.intrinsic(inst) {
                Some(called) => called.above(),
                None => Known::NOTHING,
            },
            _ => Known::NOTHING,
        }
    }

    /// What stands above the width of a value that may be poison: then its promises do not hold, but all users of a
    /// frozen value must see the same number.
    fn known_of_frozen(&self, value: Value, depth: u32) -> Known {
        match self.definition(value) {
            None | Some((_, Op::Load(_) | Op::Freeze)) => self.known_above(value, depth),
            Some((inst, Op::Binary(BinaryOp::And))) => {
                let operands = self.body.operands(inst);
                match operands.iter().any(|&mask| self.integer(mask).is_some()) {
                    true => Known::ZEROS,
                    false => Known::NOTHING,
                }
            }
            _ => Known::NOTHING,
        }
    }

    /// Everything if values of both types lie in the same class of registers.
    fn same_class(&self, from: Value, to: warpc_nvvm::types::TypeId) -> Known {
        let class = |ty| match self.kind(ty) {
            Type::Int(bits @ 2..=64) => Some(Class::for_bits(bits)),
            _ => None,
        };
        let same = class(self.type_of(from)) == class(to);
        Known {
            zeros: same,
            sign: same,
        }
    }

    /// Whether a load of a short integer fills its register with the sign: all who use it want that.
    pub(super) fn loads_signed(&self, inst: InstId) -> bool {
        let data = &self.body.insts[inst];
        let (Some(local), Type::Int(bits @ (8 | 16)), Op::Load(access)) =
            (data.local(), self.kind(data.ty), data.op)
        else {
            return false;
        };
        let plain = access.ordering == warpc_nvvm::inst::Ordering::Weak
            && access
                .align
                .bytes()
                .is_none_or(|align| 8 * align >= u64::from(bits));
        if !plain {
            return false;
        }
        let uses = self.uses.of(local);
        !uses.is_empty()
            && uses.iter().all(|user| {
                let op = self.body.insts[user.inst].op;
                matches!(op, Op::Cast(CastOp::Sext | CastOp::Sitofp))
            })
    }

    /// An integer with zeros above its width.
    pub fn zero_extended(&mut self, arg: Arg, bits: u32) -> Result<Arg, Refused> {
        self.zeros_above(arg, Class::for_bits(bits), bits)
    }

    /// An integer with its sign above its width.
    pub fn sign_extended(&mut self, arg: Arg, bits: u32) -> Result<Arg, Refused> {
        self.sign_above(arg, Class::for_bits(bits), bits)
    }

    /// The low bits of a register, with zeros above.
    pub(super) fn zeros_above(
        &mut self,
        arg: Arg,
        class: Class,
        bits: u32,
    ) -> Result<Arg, Refused> {
        if bits >= class.bits() {
            return Ok(arg);
        }
        let mask = ((1u64 << bits) - 1) as i64;
        if let Arg::Int(value) = arg {
            return Ok(Arg::Int(value & mask));
        }
        let mnemonic = match class {
            Class::B64 => "and.b64",
            _ => "and.b32",
        };
        Ok(self.op(class, mnemonic, &[arg, Arg::Int(mask)])?.into())
    }

    /// The low bits of a register, with their sign above.
    pub(super) fn sign_above(&mut self, arg: Arg, class: Class, bits: u32) -> Result<Arg, Refused> {
        if bits >= class.bits() {
            return Ok(arg);
        }
        if let Arg::Int(value) = arg {
            return Ok(Arg::Int(sign_extend(value as u64, bits)));
        }
        let field = [arg, Arg::Int(0), Arg::Int(bits.into())];
        let result = match (class, bits) {
            (Class::B32, 8) => self.op(class, "cvt.s32.s8", &[arg])?,
            (Class::B32, 16) => self.op(class, "cvt.s32.s16", &[arg])?,
            (Class::B32, _) => self.op(class, "bfe.s32", &field)?,
            (_, 8) => self.op(class, "cvt.s64.s8", &[arg])?,
            (_, 16) => self.op(class, "cvt.s64.s16", &[arg])?,
            (_, 32) => self.op(class, "cvt.s64.s32", &[arg])?,
            _ => self.op(class, "bfe.s64", &field)?,
        };
        Ok(result.into())
    }
}

/// What stands above the width of the result of an operation, by what stands above that of its operands.
fn known_of_binary(op: BinaryOp, flags: Flags, a: Known, b: Known, masks: bool) -> Known {
    let nuw = flags.contains(Flags::NUW);
    let nsw = flags.contains(Flags::NSW);
    match op {
        BinaryOp::And => Known {
            zeros: a.zeros || b.zeros || masks,
            sign: a.sign && b.sign && !masks,
        },
        BinaryOp::Or | BinaryOp::Xor => a.and(b),
        // An exact quotient may be a product.
        BinaryOp::Udiv if flags.contains(Flags::EXACT) => Known::NOTHING,
        BinaryOp::Lshr | BinaryOp::Udiv | BinaryOp::Urem => Known::ZEROS,
        BinaryOp::Ashr | BinaryOp::Srem => Known::SIGN,
        // What would not fit is poison.
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => Known {
            zeros: nuw && a.zeros && b.zeros,
            sign: nsw && a.sign && b.sign,
        },
        BinaryOp::Shl => Known {
            zeros: nuw && a.zeros,
            sign: nsw && a.sign,
        },
        _ => Known::NOTHING,
    }
}
