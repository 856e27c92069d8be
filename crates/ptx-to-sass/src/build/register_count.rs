//! `setmaxnreg`: the warps of a block give registers back, and take more.
//!
//! ```text
//!   setmaxnreg.inc 240      .L: WARPSYNC.ALL   USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xf0   P0 = UP0   @!P0 BRA .L
//!   setmaxnreg.dec 24           WARPSYNC.ALL   USETMAXREG.DEALLOC.CTAPOOL 0x18
//! ```
//!
//! A kernel can do so if it is known with how many registers its threads begin: it is bound to a number (`.maxnreg`), or to
//! the threads of a block and the least blocks of a multiprocessor (`.maxntid` and `.minnctapersm`). In others nothing is done,
//! as in those that call functions, which do not know how many registers there are: they have all their registers from the
//! beginning. Source: ptxas does the same (C7508). Where there are how many is the business of `analysis/register_counts.rs`.

use super::operand::Given;
use super::{Builder, Outcome};
use crate::ir::{File, Guard, Op};
use crate::options::Options;
use crate::source::Source;
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Function, FunctionKind, Statement};

/// The most registers of a thread that a warp can ask for.
const MOST: u64 = 256;

/// Registers are given back and taken in such steps.
const STEP: u64 = 8;

/// With how many registers the threads of a kernel begin that changes how many there are; nothing if it does not, or if
/// it is not known.
pub(crate) fn first(module: &Module, kernel: &Function, options: &Options) -> Option<u8> {
    let is_kernel = kernel.kind == FunctionKind::Entry;
    if !is_kernel || options.spill || !module.has_opcode(&["setmaxnreg"]) {
        return None;
    }
    let body = kernel.body.as_ref()?;
    let mut most = None;
    for statement in &body.statements {
        let Statement::Inst(inst) = statement else {
            continue;
        };
        let mnemonic = module.mnemonic(inst.mnemonic);
        let Some(choice) = mnemonic.choices.get(usize::from(inst.choice)) else {
            continue;
        };
        match choice.form.form().opcode {
            "call" => return None,
            "setmaxnreg" => {
                let operand = body.operands(inst.operands).first();
                if let Some(Operand::Int(number)) = operand {
                    most = most.max(Some(number.bits.min(MOST)));
                }
            }
            _ => {}
        }
    }
    // More than it ever asks for cannot be told by a number that an instruction has. Source: ptxas.
    let bound = options.bounds.first_registers_of(kernel)?;
    let first = bound.min(most?) / STEP * STEP;
    u8::try_from(first).ok()
}

impl Builder<'_> {
    /// Changes how many registers there are. A guard must be the same in all threads, so it is a branch.
    pub(super) fn change_registers(
        &mut self,
        source: &Source,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        if self.ir.first_registers.is_none() {
            return Ok(());
        }
        let given = self.given(source)?;
        let count = given.first().and_then(|(_, given)| match given {
            Given::Number(number) => Some(*number),
            _ => None,
        });
        let Some(count) = count else {
            return Err(self.refuse("a number of registers that is not a constant"));
        };
        let end = match guard {
            Some(guard) => {
                let end = self.new_label();
                let not = !guard.not;
                self.go(end, Some(Guard { not, ..guard }))?;
                Some(end)
            }
            None => None,
        };
        if source.has_word("inc") {
            let again = self.new_label();
            self.put_label(again);
            self.step("WARPSYNC.ALL", None, &[])?;
            let done = Op::Reg(self.ir.reg(File::UniformPredicate, 1), 0);
            let text = format!("USETMAXREG.TRY_ALLOC.CTAPOOL UP0, {count:#x}");
            self.step(&text, None, &[done])?;
            let reg = self.ir.reg(File::Predicate, 1);
            let copy = "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0";
            self.step(copy, None, &[Op::Reg(reg, 0), done])?;
            self.go(again, Some(Guard { reg, not: true }))?;
        } else {
            self.step("WARPSYNC.ALL", None, &[])?;
            let text = format!("USETMAXREG.DEALLOC.CTAPOOL {count:#x}");
            self.step(&text, None, &[])?;
        }
        if let Some(end) = end {
            self.put_label(end);
        }
        Ok(())
    }
}
