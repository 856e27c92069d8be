//! Sines, exponentials, logarithms: what the special function unit approximates.
//!
//! It computes `float` only, to about 22 bits. So a call must be marked `afn`, but for `llvm.exp2`, which
//! NVPTX has always taken so. Everything else needs a library, and is refused.

use crate::code::{Arg, Args};
use crate::select::Selector;
use crate::select::float::{Format, Rounding};
use crate::unit::{Refused, refusal};
use warpc_diag::codes;
use warpc_nvvm::inst::{BinaryOp, Flags};
use warpc_nvvm::value::InstId;

/// A function as an instruction with a product before or after.
struct Approximation {
    name: &'static str,
    /// What the operand is multiplied with.
    before: Option<f32>,
    instruction: &'static str,
    /// Whether the instruction knows `.ftz`.
    flushes: bool,
    /// What the result is multiplied with.
    after: Option<f32>,
}

const fn plain(name: &'static str, instruction: &'static str) -> Approximation {
    Approximation {
        name,
        before: None,
        instruction,
        flushes: true,
        after: None,
    }
}

const APPROXIMATIONS: &[Approximation] = &[
    plain("sin", "sin.approx"),
    plain("cos", "cos.approx"),
    plain("exp2", "ex2.approx"),
    plain("log2", "lg2.approx"),
    Approximation {
        flushes: false,
        ..plain("tanh", "tanh.approx")
    },
    Approximation {
        before: Some(std::f32::consts::LOG2_E),
        ..plain("exp", "ex2.approx")
    },
    Approximation {
        before: Some(std::f32::consts::LOG2_10),
        ..plain("exp10", "ex2.approx")
    },
    Approximation {
        after: Some(std::f32::consts::LN_2),
        ..plain("log", "lg2.approx")
    },
    Approximation {
        after: Some(std::f32::consts::LOG10_2),
        ..plain("log10", "lg2.approx")
    },
];

impl Selector<'_, '_> {
    pub(super) fn transcendental(
        &mut self,
        inst: InstId,
        name: &str,
        base: &str,
        format: Format,
    ) -> Result<Args, Refused> {
        let marked = self.body.insts[inst].flags.contains(Flags::AFN) || base == "exp2";
        let found = APPROXIMATIONS.iter().find(|known| known.name == base);
        let Some(found) = found.filter(|_| marked && format != Format::F64) else {
            let message = format!("`{name}` needs a library of mathematical functions");
            let help = match format {
                Format::F64 | Format::F16x2 | Format::Bf16x2 => {
                    "link libdevice and call its function `__nv_…`"
                }
                _ if found.is_some() => {
                    "link libdevice and call its function `__nv_…`, or mark the call `afn`"
                }
                _ => "link libdevice and call its function `__nv_…`",
            };
            return Err(refusal(codes::UNSUPPORTED, self.at, message)
                .help(help)
                .into());
        };
        let args = self.args(self.body.operands(inst)[0])?;
        self.on_parts(format, false, &[args], &mut |this, format, args| {
            this.approximated(found, format, args[0])
        })
    }

    fn approximated(
        &mut self,
        function: &Approximation,
        format: Format,
        arg: Arg,
    ) -> Result<Arg, Refused> {
        // exp2 has instructions for all formats; that for bfloat always flushes.
        if function.name == "exp2" && format != Format::F32 {
            let flush = match format {
                Format::Bf16 | Format::Bf16x2 => ".ftz",
                _ => "",
            };
            let mnemonic = format!("ex2.approx{flush}.{}", format.name());
            if self.has(&mnemonic) {
                return self.float_op(format, &mnemonic, &[arg]);
            }
        }
        if format != Format::F32 {
            return self.on_halves(format, &[arg], &mut |this, format, args| {
                this.in_single(format, args, false, &mut |this, args| {
                    this.approximated(function, Format::F32, args[0])
                })
            });
        }
        let scaled = |this: &mut Self, arg: Arg, factor: Option<f32>| match factor {
            Some(factor) => {
                let args = [arg, Arg::F32(factor.to_bits())];
                this.arithmetic(BinaryOp::Fmul, format, Rounding::NEAREST, &args)
            }
            None => Ok(arg),
        };
        let arg = scaled(self, arg, function.before)?;
        let ftz = if function.flushes {
            self.ftz(format)
        } else {
            ""
        };
        let mnemonic = format!("{}{ftz}.f32", function.instruction);
        let made = self.float_op(format, &mnemonic, &[arg])?;
        scaled(self, made, function.after)
    }
}
