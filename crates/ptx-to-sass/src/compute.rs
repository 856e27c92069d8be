//! Instructions that compute: which machine instructions they become, a file for each section of `ptx/table`.
//!
//! ```text
//!   add.s64 %rd1, %rd2, %rd3        resolved by warpc-ptx
//!        │ emit
//!        ▼
//!   IADD3 %d.0, $p0, %a.0, %b.0, RZ        steps over the operands of the form and temporaries
//!   IADD3.X %d.1, %a.1, %b.1, RZ, $p0, !PT
//! ```
//!
//! A register of PTX that is narrower than 32 bits has a register of the machine; what is above its bits is not defined,
//! so operations that depend on more than the low bits widen their operands first.
//!
//! An operand may be a number: whoever places the steps puts it into the instruction where that has such a form, and
//! into a register otherwise.

mod approximate;
mod bulk_copy;
mod cache;
mod compare;
mod convert;
mod divide;
mod double;
mod extended;
mod float;
mod half;
mod integer;
mod logic;
mod matrix;
mod moves;
mod one_by_one;
mod surface;
mod tensor_map;
mod texture;
mod video;

use crate::chip::Chip;
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::{File, Operand, Wired};
use crate::{Context, Unwired};
pub(crate) use float::may_contract;
pub(crate) use texture::is_gradient_of_system;
pub(crate) use video::is_video;
use warpc_ptx::types::ScalarType;
use warpc_target::Sm;

/// The steps of an instruction that computes; nothing if it does not belong to these families or is not supported.
pub(crate) fn steps(source: &Source, sm: Sm) -> Option<Result<Wired, Unwired>> {
    let mut code = Code::new(Chip(sm), Context::Straight);
    let emit = match source.opcode() {
        "mov" => moves::emit,
        "add" | "sub" | "mul" | "mad" | "fma" | "neg" | "abs" | "min" | "max" | "div" | "rem"
        | "sad" | "mul24" | "mad24" | "popc" | "clz" | "bfind" | "brev" | "bfe" | "bfi"
        | "dp2a" | "dp4a" | "fns" | "bmsk" | "szext" | "addc" | "subc" | "madc" => arithmetic,
        "and" | "or" | "xor" | "not" | "cnot" | "lop3" | "shf" | "shl" | "shr" | "prmt" => {
            logic::emit
        }
        "setp" | "set" | "selp" | "slct" | "testp" | "copysign" => compare::emit,
        "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => approximate::emit,
        "cvt" => convert::emit,
        "prefetch" | "prefetchu" | "applypriority" | "discard" | "createpolicy" | "mapa"
        | "getctarank" => cache::emit,
        opcode if is_video(opcode) => video::emit,
        "mma" | "wmma" | "ldmatrix" | "stmatrix" | "movmatrix" => matrix::emit,
        "tensormap" if sm.has(warpc_target::features::CUBINS_OF_HOPPER) => tensor_map::emit,
        "fence" if source.has_word("tensormap::generic") && source.has_word("acquire") => {
            tensor_map::acquire(&mut code);
            return Some(code.done().wired);
        }
        // The form with an order and a scope is not of this generation.
        "fence" | "membar"
            if source.has_word("alias")
                && !source.has_word("sys")
                && sm.has(warpc_target::features::CUBINS_OF_HOPPER) =>
        {
            cache::fence_aliases(&mut code);
            return Some(code.done().wired);
        }
        "mbarrier" | "cp" if sm.has(warpc_target::features::CUBINS_OF_HOPPER) => one_by_one::emit,
        "tex" | "tld4" | "txq" | "istypep" if sm.has(warpc_target::features::CUBINS_OF_HOPPER) => {
            texture::emit
        }
        "suld" | "sust" | "sured" | "suq" if sm.has(warpc_target::features::CUBINS_OF_HOPPER) => {
            surface::emit
        }
        _ => return None,
    };
    emit(source, &mut code)?;
    Some(code.done().wired)
}

/// The steps of `d = a / b` in numbers of 32 bits without a sign.
pub(crate) fn quotient_of_words(sm: Sm) -> Result<Wired, Unwired> {
    let mut code = Code::new(Chip(sm), Context::Straight);
    divide::divide_words(&mut code, ScalarType::U32, false);
    code.done().wired
}

/// Arithmetic, by the kind of its type.
fn arithmetic(source: &Source, code: &mut Code) -> Option<()> {
    if source.has("cc") || matches!(source.opcode(), "addc" | "subc" | "madc") {
        return extended::emit(source, code);
    }
    if matches!(source.opcode(), "dp2a" | "dp4a" | "fns" | "bmsk") {
        return integer::emit(source, code, ScalarType::U32);
    }
    let ty = source.ty_of(&["type", "atype", "ctype"])?;
    match ty {
        ScalarType::F32 | ScalarType::F64 => float::emit(source, code, ty),
        ScalarType::F16 | ScalarType::F16x2 | ScalarType::Bf16 | ScalarType::Bf16x2 => {
            half::emit(source, code, ty)
        }
        _ if matches!(source.opcode(), "div" | "rem") => divide::emit(source, code, ty),
        _ => integer::emit(source, code, ty),
    }
}

impl Source<'_> {
    /// The type of the instruction: in the first of these slots that is there, or a literal of the mnemonic.
    pub(crate) fn ty_of(&self, slots: &[&str]) -> Option<ScalarType> {
        let slot = slots.iter().find_map(|slot| self.choice().scalar(slot));
        slot.or_else(|| self.words_seen().filter_map(ScalarType::find).last())
    }
}

/// Whether numbers of a type have a sign.
pub(crate) fn is_signed(ty: ScalarType) -> bool {
    matches!(
        ty,
        ScalarType::S8 | ScalarType::S16 | ScalarType::S32 | ScalarType::S64
    )
}

impl Code {
    /// A register for a value of 32 bits.
    pub(crate) fn word(&mut self) -> Operand {
        self.registers(1).into()
    }

    /// Two registers for a value of 64 bits.
    pub(crate) fn double(&mut self) -> Operand {
        self.registers(2).into()
    }

    /// A predicate.
    pub(crate) fn flag(&mut self) -> Operand {
        self.temporary(File::Predicate, 1).into()
    }

    /// An operand of at most 32 bits as a number of 32 bits.
    pub(crate) fn widened(&mut self, name: &'static str, ty: ScalarType) -> Operand {
        let from = ptx(name);
        let text = match (ty.bits(), is_signed(ty)) {
            (8, true) => "PRMT R0, R0, 0x8880, RZ",
            (8, false) => "LOP3.LUT R0, R0, 0xff, RZ, 0xc0, !PT",
            (16, true) => "PRMT R0, R0, 0x9910, RZ",
            (16, false) => "LOP3.LUT R0, R0, 0xffff, RZ, 0xc0, !PT",
            _ => return from,
        };
        let to = self.word();
        self.step(text, &[to, from]);
        to
    }

    /// `d = a + b` in 64 bits.
    pub(crate) fn add_64(&mut self, d: Operand, a: Operand, b: Operand) {
        let carry = self.flag();
        let low = [d.register(0), carry, a.register(0), b.register(0)];
        self.step("IADD3 R0, P0, R0, R0, RZ", &low);
        let high = [d.register(1), a.register(1), b.register(1), carry];
        self.step("IADD3.X R0, R0, R0, RZ, P0, !PT", &high);
    }

    /// `d = a - b` in 64 bits.
    pub(crate) fn sub_64(&mut self, d: Operand, a: Operand, b: Operand) {
        let carry = self.flag();
        let low = [d.register(0), carry, a.register(0), b.register(0)];
        self.step("IADD3 R0, P0, R0, -R0, RZ", &low);
        let high = [d.register(1), a.register(1), b.register(1), carry];
        self.step("IADD3.X R0, R0, ~R0, RZ, P0, !PT", &high);
    }

    /// `d = 0 - a` in 64 bits.
    pub(crate) fn neg_64(&mut self, d: Operand, a: Operand) {
        let carry = self.flag();
        let low = [d.register(0), carry, a.register(0)];
        self.step("IADD3 R0, P0, RZ, -R0, RZ", &low);
        let high = [d.register(1), a.register(1), carry];
        self.step("IADD3.X R0, RZ, ~R0, RZ, P0, !PT", &high);
    }

    /// `d = flag ? a : b` in 64 bits.
    pub(crate) fn select_64(&mut self, d: Operand, a: Operand, b: Operand, flag: Operand) {
        for half in [0, 1] {
            let operands = [d.register(half), a.register(half), b.register(half), flag];
            self.step("SEL R0, R0, R0, P0", &operands);
        }
    }

    /// Whether `a < b` in 64 bits.
    pub(crate) fn less_64(&mut self, a: Operand, b: Operand, signed: bool) -> Operand {
        let (low, flag) = (self.flag(), self.flag());
        let operands = [low, a.register(0), b.register(0)];
        self.step("ISETP.LT.U32.AND P0, PT, R0, R0, PT", &operands);
        let operands = [flag, a.register(1), b.register(1), low];
        self.step(
            match signed {
                true => "ISETP.LT.AND.EX P0, PT, R0, R0, PT, P0",
                false => "ISETP.LT.U32.AND.EX P0, PT, R0, R0, PT, P0",
            },
            &operands,
        );
        flag
    }

    /// The low 64 bits of `a * b + c`.
    pub(crate) fn mad_low_64(&mut self, d: Operand, a: Operand, b: Operand, c: Option<Operand>) {
        let (partly, wide) = (self.word(), self.double());
        let (a0, a1) = (a.register(0), a.register(1));
        let (b0, b1) = (b.register(0), b.register(1));
        match c {
            Some(c) => self.step("IMAD.WIDE.U32 R0, R0, R0, R0", &[wide, a0, b0, c]),
            None => self.step("IMAD.WIDE.U32 R0, R0, R0, RZ", &[wide, a0, b0]),
        }
        let sum = [partly, a1, b0, wide.register(1)];
        self.step("IMAD R0, R0, R0, R0", &sum);
        self.copy(d.register(0), wide.register(0));
        self.step("IMAD R0, R0, R0, R0", &[d.register(1), a0, b1, partly]);
    }

    /// `d = a << by`, where all bits are gone from 64 on.
    pub(crate) fn shift_left_64(&mut self, d: Operand, a: Operand, by: Operand) {
        let (a0, a1) = (a.register(0), a.register(1));
        self.step("SHF.L.U64.HI R0, R0, R0, R0", &[d.register(1), a0, by, a1]);
        self.step("SHF.L.U32 R0, R0, R0, RZ", &[d.register(0), a0, by]);
    }

    /// `d = a >> by`, with the sign or zeros coming in.
    pub(crate) fn shift_right_64(&mut self, d: Operand, a: Operand, by: Operand, signed: bool) {
        let (a0, a1) = (a.register(0), a.register(1));
        let (low, high) = match signed {
            true => ("SHF.R.S64 R0, R0, R0, R0", "SHF.R.S32.HI R0, RZ, R0, R0"),
            false => ("SHF.R.U64 R0, R0, R0, R0", "SHF.R.U32.HI R0, RZ, R0, R0"),
        };
        self.step(low, &[d.register(0), a0, by, a1]);
        self.step(high, &[d.register(1), by, a1]);
    }
}

/// A number as an operand.
pub(crate) fn number(value: i64) -> Operand {
    Operand::Value(warpc_sass::Value::Number(value))
}
