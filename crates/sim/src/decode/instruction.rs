//! Instructions: which operation each one is.
//!
//! What computes comes from [`warpc_ptx_eval`]; the rest is told apart here by its opcode and
//! decoded in the files named after what it does.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::program::{Destinations, Fence, General, Op, Pack, Sources, Unpack};
use smallvec::SmallVec;
use warpc_ptx::form::map_operands;
use warpc_ptx::inst::{Inst, Operand};
use warpc_ptx::types::ScalarType;
use warpc_ptx_eval::{self as eval, Compute};

impl Decoder<'_> {
    /// Decodes one instruction.
    pub(super) fn instruction(&mut self, inst: &Inst) -> Result<Op, Refused> {
        let choice = self.choice(inst);
        let Ok(mapping) = map_operands(choice, &self.body.operands, inst.operands) else {
            return self.refused(inst.at.0, "operands that fit no form");
        };
        let of = Operands {
            inst,
            choice,
            mapping: &mapping,
        };
        match choice.form.form().opcode {
            "mov" => self.mov(of),
            "ld" | "ldu" => self.load(of),
            "st" if choice.has("bulk") => self.async_copy(of),
            "st" => self.store(of),
            "atom" | "red" => self.atomic(of),
            "cvta" | "isspacep" | "mapa" | "getctarank" => self.address(of),
            "alloca" | "stacksave" | "stackrestore" => self.stack(of),
            "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" => self.control(of),
            "bar" | "barrier" => self.barrier(of),
            "vote" | "shfl" | "match" | "redux" | "elect" | "activemask" => self.collective(of),
            "mbarrier" => self.mbarrier(of),
            "cp" => self.async_copy(of),
            "clusterlaunchcontrol" => self.launch_control(of),
            "mma" | "wmma" | "ldmatrix" | "stmatrix" | "movmatrix" => self.matrix(of),
            "fence" if choice.has("tensormap::generic") && choice.has("acquire") => {
                self.acquire_map(of)
            }
            "multimem" => self.multimem(of),
            "wgmma" => self.group(of),
            "tcgen05" => self.tensor(of),
            "fence" | "membar" => Ok(Op::Fence(Fence::of(choice))),
            "tex" | "tld4" | "txq" | "istypep" | "suld" | "sust" | "sured" | "suq" => {
                self.texture(of)
            }
            "tensormap" => self.tensor_map(of),
            "prefetch" | "prefetchu" => Ok(Op::Nothing),
            "applypriority" | "discard" | "pmevent" | "griddepcontrol" | "setmaxnreg" => {
                Ok(Op::Nothing)
            }
            "createpolicy" => self.policy(of),
            "nanosleep" => Ok(Op::Sleep(self.needed(of, "t")?)),
            _ => self.compute(of),
        }
    }

    /// Refuses an instruction by its name.
    pub(super) fn refuse_form<T>(&self, of: Operands<'_>) -> Result<T, Refused> {
        let text = warpc_ptx::mnemonic_text(of.choice);
        self.refused(of.span(), format_args!("`{text}`"))
    }

    fn compute(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let given: SmallVec<[Option<Operand>; 8]> = of
            .mapping
            .iter()
            .map(|index| index.map(|index| self.body.operands[index as usize]))
            .collect();
        let Some(operation) = eval::operation(of.choice, &given) else {
            return self.refuse_form(of);
        };
        let (sources, results) = self.reads_and_writes(of)?;
        if let Some(op) = super::fast::find(of.choice, &sources, &results) {
            return Ok(op);
        }
        match (&operation.compute, &sources[..], &results[..]) {
            (Compute::One(f), &[a], &[d]) => return Ok(Op::One(*f, d, a)),
            (Compute::Two(f), &[a, b], &[d]) => return Ok(Op::Two(*f, d, a, b)),
            (Compute::Three(f), &[a, b, c], &[d]) => return Ok(Op::Three(*f, d, a, b, c)),
            _ => {}
        }
        let carry_in = operation.sources == sources.len() + 1;
        let carry_out = operation.results == results.len() + 1;
        let counted = operation.sources == sources.len() + usize::from(carry_in)
            && operation.results == results.len() + usize::from(carry_out);
        if !counted {
            return self.refuse_form(of);
        }
        Ok(Op::General(Box::new(General {
            operation,
            sources,
            carry_in,
            results: results.into_iter().collect(),
            carry_out,
        })))
    }

    /// `mov`: copies, packs and unpacks.
    fn mov(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let (sources, results) = self.reads_and_writes(of)?;
        let specs = &of.choice.form.form().operands;
        if sources.len() == results.len() {
            if let Some(op) = super::fast::copy(&sources, &results) {
                return Ok(op);
            }
            return Ok(Op::Move(results.into_iter().zip(sources).collect()));
        }
        // Of the two sides the one with more elements says how many bits an element has. A 128-bit
        // register is two places, which does not make it a vector; a special register of four
        // elements is four.
        let bits = |name: &str| {
            let spec = specs.iter().find(|spec| spec.name == name);
            spec.map_or(ScalarType::B64, |spec| of.ty(spec)).bits()
        };
        let to: Destinations = results.iter().copied().collect();
        let from: Sources = sources.iter().copied().collect();
        Ok(if sources.len() > results.len() {
            Op::Pack(Box::new(Pack {
                to,
                elements: from,
                bits: bits("a").min(128 / sources.len() as u32),
            }))
        } else {
            Op::Unpack(Box::new(Unpack {
                to,
                from,
                bits: bits("d").min(128 / results.len() as u32),
            }))
        })
    }

    /// Cache policies have no effect here; a policy is any number.
    fn policy(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let to = self.destination(of, "cache_policy")?;
        Ok(Op::Move(Box::new([(to, crate::program::Src::Imm(0))])))
    }
}
