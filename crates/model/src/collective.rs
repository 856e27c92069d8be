//! What the threads of a warp do together: the reductions and where the chip has them.
//!
//! A reduction has one [`Redux`], whatever its name is where it is written:
//!
//! ```text
//!   llvm.nvvm.redux.sync.umin ─┐
//!   __cuda_reduxsync_u32_min ──┼── Redux { Min, U32 } ── redux.sync.min.u32, from sm_80 on
//!   nvvm.redux.sync umin ──────┘
//! ```
//!
//! Seventeen of them exist: every chip computes them, with one instruction or with several.

use std::fmt;
use warpc_target::{Gate, PtxVersion, arch, at_least, family};

/// What a reduction does with two values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReduxOp {
    /// The sum, cut to 32 bits.
    Add,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// The bits both have.
    And,
    /// The bits one of them has.
    Or,
    /// The bits exactly one of them has.
    Xor,
}

/// What a reduction takes its values for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReduxType {
    /// Bits.
    B32,
    /// A signed integer.
    S32,
    /// An unsigned integer.
    U32,
    /// A floating-point number.
    F32,
}

/// A reduction over the threads of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Redux {
    /// What is done with two values.
    pub op: ReduxOp,
    /// What the values are.
    pub ty: ReduxType,
    /// Whether absolute values are taken first; floating-point only.
    pub abs: bool,
    /// Whether one NaN makes the result NaN, instead of being left out; floating-point only.
    pub nan: bool,
}

/// `redux.sync` of integers.
pub const REDUX: Gate = Gate(&[at_least(80, PtxVersion::new(7, 0))]);
/// `redux.sync` of floating-point numbers: the family of sm_100, not sm_110 or sm_120.
pub const REDUX_F32: Gate = Gate(&[
    arch(100, PtxVersion::new(8, 6)),
    family(100, PtxVersion::new(8, 8)),
]);
/// `match.any.sync`, `match.all.sync`
pub const MATCH: Gate = Gate(&[at_least(70, PtxVersion::new(6, 0))]);
/// `elect.sync`
pub const ELECT: Gate = Gate(&[at_least(90, PtxVersion::new(8, 0))]);
/// `nanosleep`
pub const NANOSLEEP: Gate = Gate(&[at_least(70, PtxVersion::new(6, 2))]);

const fn integer(op: ReduxOp, ty: ReduxType) -> Redux {
    Redux {
        op,
        ty,
        abs: false,
        nan: false,
    }
}

const fn float(op: ReduxOp, abs: bool, nan: bool) -> Redux {
    Redux {
        op,
        ty: ReduxType::F32,
        abs,
        nan,
    }
}

impl ReduxOp {
    fn name(self) -> &'static str {
        match self {
            ReduxOp::Add => "add",
            ReduxOp::Min => "min",
            ReduxOp::Max => "max",
            ReduxOp::And => "and",
            ReduxOp::Or => "or",
            ReduxOp::Xor => "xor",
        }
    }
}

impl ReduxType {
    fn name(self) -> &'static str {
        match self {
            ReduxType::B32 => "b32",
            ReduxType::S32 => "s32",
            ReduxType::U32 => "u32",
            ReduxType::F32 => "f32",
        }
    }
}

impl Redux {
    /// All of them, in the order of the assembler's routines.
    pub const ALL: [Redux; 17] = {
        use ReduxOp::*;
        use ReduxType::*;
        [
            integer(And, B32),
            integer(Or, B32),
            integer(Xor, B32),
            float(Max, false, false),
            float(Min, false, false),
            float(Max, true, false),
            float(Min, true, false),
            float(Max, false, true),
            float(Min, false, true),
            integer(Add, S32),
            integer(Max, S32),
            integer(Min, S32),
            integer(Add, U32),
            integer(Max, U32),
            integer(Min, U32),
            float(Max, true, true),
            float(Min, true, true),
        ]
    };

    /// The number of the assembler's routine, 0x01 to 0x11. The reference text names the first fifteen.
    pub fn number(self) -> u8 {
        let place = Redux::ALL.iter().position(|redux| *redux == self);
        place.map_or(0, |place| place as u8 + 1)
    }

    /// The reduction whose routine has a number.
    pub fn from_number(number: u8) -> Option<Redux> {
        let place = usize::from(number).checked_sub(1)?;
        Redux::ALL.get(place).copied()
    }

    /// What the name of an LLVM intrinsic says after `llvm.nvvm.redux.sync.`: `umin`, `fmax.abs.NaN`.
    /// Sums of signed and unsigned integers have one name.
    pub fn llvm_name(self) -> String {
        let letter = match (self.ty, self.op) {
            (ReduxType::U32, ReduxOp::Min | ReduxOp::Max) => "u",
            (ReduxType::F32, _) => "f",
            _ => "",
        };
        self.spelled(&format!("{letter}{}", self.op.name()), ".")
    }

    /// The reduction that an LLVM intrinsic is, from what stands after `llvm.nvvm.redux.sync.`.
    pub fn from_llvm_name(name: &str) -> Option<Redux> {
        let mut all = Redux::ALL.into_iter();
        all.find(|redux| redux.llvm_name() == name)
    }

    /// The name of the assembler's routine: `__cuda_reduxsync_u32_min`.
    pub fn routine_name(self) -> String {
        let name = format!("__cuda_reduxsync_{}_{}", self.ty.name(), self.op.name());
        self.spelled(&name, "_")
    }

    /// The reduction that a routine of the assembler is.
    pub fn from_routine_name(name: &str) -> Option<Redux> {
        let mut all = Redux::ALL.into_iter();
        all.find(|redux| redux.routine_name() == name)
    }

    fn spelled(self, name: &str, divider: &str) -> String {
        let mut name = name.to_owned();
        for (_, word) in [(self.abs, "abs"), (self.nan, "NaN")]
            .iter()
            .filter(|(is, _)| *is)
        {
            name.push_str(divider);
            name.push_str(word);
        }
        name
    }

    /// Where the instruction exists.
    pub fn gate(self) -> Gate {
        match self.ty {
            ReduxType::F32 => REDUX_F32,
            _ => REDUX,
        }
    }
}

impl fmt::Display for Redux {
    /// `redux.sync.min.abs.NaN.f32`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.spelled(&format!("redux.sync.{}", self.op.name()), ".");
        write!(f, "{name}.{}", self.ty.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_reductions() {
        for redux in Redux::ALL {
            assert_eq!(Redux::from_routine_name(&redux.routine_name()), Some(redux));
            let back = Redux::from_llvm_name(&redux.llvm_name()).expect("a name");
            // Signed and unsigned sums are one in LLVM.
            assert_eq!(
                (back.op, back.abs, back.nan),
                (redux.op, redux.abs, redux.nan)
            );
            assert_eq!(
                back.ty == redux.ty,
                redux.op != ReduxOp::Add || redux.ty == ReduxType::S32
            );
        }
        assert_eq!(Redux::from_llvm_name("fmin.NaN.abs"), None);
    }

    /// Numbers and names as the reference text has them, the last two in their order.
    #[test]
    fn routines_have_their_numbers() {
        const NAMES: [&str; 17] = [
            "b32_and",
            "b32_or",
            "b32_xor",
            "f32_max",
            "f32_min",
            "f32_max_abs",
            "f32_min_abs",
            "f32_max_NaN",
            "f32_min_NaN",
            "s32_add",
            "s32_max",
            "s32_min",
            "u32_add",
            "u32_max",
            "u32_min",
            "f32_max_abs_NaN",
            "f32_min_abs_NaN",
        ];
        for (number, name) in (0x01..=0x11).zip(NAMES) {
            let name = format!("__cuda_reduxsync_{name}");
            let redux = Redux::from_routine_name(&name).expect("a routine");
            assert_eq!(redux.number(), number, "{name}");
            assert_eq!(Redux::from_number(number), Some(redux), "{name}");
        }
        for number in [0x00, 0x12, 0xff] {
            assert_eq!(Redux::from_number(number), None);
        }
        // What each does is said by its instruction.
        let text = |name: &str| {
            let redux = Redux::from_routine_name(&format!("__cuda_reduxsync_{name}"));
            redux.expect("a routine").to_string()
        };
        assert_eq!(text("u32_min"), "redux.sync.min.u32");
        assert_eq!(text("s32_max"), "redux.sync.max.s32");
        assert_eq!(text("f32_min_abs_NaN"), "redux.sync.min.abs.NaN.f32");
        assert_eq!(text("b32_xor"), "redux.sync.xor.b32");
    }

    #[test]
    fn spellings() {
        let text: Vec<String> = Redux::ALL.iter().map(Redux::to_string).collect();
        assert_eq!(text[0], "redux.sync.and.b32");
        assert_eq!(text[16], "redux.sync.min.abs.NaN.f32");
        let chips = ["sm_75", "sm_80", "sm_100", "sm_100a", "sm_103f", "sm_120a"];
        let has = |redux: Redux| {
            chips.map(|chip| {
                redux
                    .gate()
                    .required_version(chip.parse().unwrap())
                    .is_some()
            })
        };
        assert_eq!(has(Redux::ALL[0]), [false, true, true, true, true, true]);
        assert_eq!(has(Redux::ALL[3]), [false, false, false, true, true, false]);
    }
}
