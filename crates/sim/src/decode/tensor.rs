//! Decodes `tcgen05`.
//!
//! Refused by name is what the manual shows in figures only, without a source that says more: `tcgen05.shift` and `.ashift`, copies of four lanes and copies
//! that widen elements, reductions of `.16x32bx2`, `.spcompress`; and `.exclusive`, `.sync_restrict`.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::address::Space;
use crate::exec::tensor::{Pattern, Tensor, TensorProduct};
use crate::matrix::tensor::{
    Reduced, TensorCopy, TensorForm, TensorKind, TensorReduction, TensorShape,
};
use crate::program::{Dst, Op, Src};
use warpc_ptx::inst::Choice;

impl Decoder<'_> {
    pub(super) fn tensor(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        let syntax = choice.form.form().row.syntax;
        let what = syntax.split(['.', ' ', '{']).nth(1).unwrap_or("");
        let pair = choice.token("cta_group") == Some(".cta_group::2");
        if choice.has("exclusive") || choice.has("sync_restrict") {
            return self.refuse_form(of);
        }
        let tensor = match what {
            "alloc" => Tensor::Allocate(
                (shared_space(of), pair),
                self.addr(of, "dst")?,
                self.needed(of, "nCols")?,
            ),
            "dealloc" => Tensor::Free(self.needed(of, "taddr")?, self.needed(of, "nCols")?),
            "relinquish_alloc_permit" => Tensor::Relinquish,
            "ld" if syntax.starts_with("tcgen05.ld.sync") => {
                let pattern = self.pattern(of, choice.has("pack::16b"))?;
                let to = self.destination_list(of, "r")?.into_iter().collect();
                Tensor::Load(to, pattern, Box::default())
            }
            "ld" if choice.token("shape") == Some(".32x32b") && of.find("m").is_none() => {
                let mut pattern = self.pattern(of, false)?;
                pattern.reduction = Some(TensorReduction {
                    largest: choice.token("redOp") == Some(".max"),
                    of: match choice.token("type") {
                        Some(".u32") => Reduced::Unsigned,
                        Some(_) => Reduced::Signed,
                        None => Reduced::Float {
                            magnitude: choice.has("abs"),
                            keeps_nan: choice.has("NaN"),
                        },
                    },
                });
                let mut to: Vec<Dst> = self.destination_list(of, "r")?.into_iter().collect();
                to.push(self.destination(of, "redval")?);
                Tensor::Load(to.into(), pattern, Box::default())
            }
            "st" => {
                let pattern = self.pattern(of, choice.has("unpack::16b"))?;
                Tensor::Store(self.source_list(of, "r")?.into_iter().collect(), pattern)
            }
            "wait::ld" => Tensor::WaitForLoads,
            "wait::st" => Tensor::WaitForStores,
            "commit" => {
                let blocks = self.source(of, "ctaMask")?;
                Tensor::Commit(shared_space(of), self.addr(of, "mbar")?, blocks)
            }
            "fence::before_thread_sync" | "fence::after_thread_sync" => return Ok(Op::Nothing),
            "cp" => {
                let spread = [".warpx4"].into_iter().find(|_| choice.has("warpx4"));
                let spread = choice.token("multicast").or(spread);
                let shape = match choice.token("shape") {
                    Some(shape) => shape,
                    None if choice.has("64x128b") => ".64x128b",
                    None => ".32x128b",
                };
                let copy = TensorCopy::of_tokens(shape, spread);
                match (copy, choice.token("src_fmt").is_some()) {
                    (Some(copy), false) => Tensor::Copy(
                        (copy, pair),
                        self.addr(of, "taddr")?,
                        self.needed(of, "s_desc")?,
                    ),
                    _ => return self.refuse_form(of),
                }
            }
            "mma" => Tensor::Product(Box::new(self.tensor_product(of)?)),
            _ => return self.refuse_form(of),
        };
        Ok(Op::Tensor(Box::new(tensor)))
    }

    fn pattern(&mut self, of: Operands<'_>, halves: bool) -> Result<Pattern, Refused> {
        let shape = match of.choice.token("shape") {
            Some(".32x32b") => TensorShape::Lanes,
            Some(".16x64b") => TensorShape::Bits64,
            Some(".16x128b") => TensorShape::Bits128,
            Some(".16x256b") => TensorShape::Bits256,
            Some(".16x32bx2") => match self.needed(of, "immHalfSplitoff")? {
                // A split counts columns; with halves the pattern counts pairs of them.
                // A split counts columns; with halves the pattern counts pairs of them. None is as large as the memory.
                Src::Imm(by) if !halves || by % 2 == 0 => {
                    TensorShape::Split(by.min(1024) as u32 / if halves { 2 } else { 1 })
                }
                _ => return self.refuse_form(of),
            },
            _ => return self.refuse_form(of),
        };
        Ok(Pattern {
            shape,
            halves,
            at: self.addr(of, "taddr")?,
            reduction: None,
        })
    }

    fn tensor_product(&mut self, of: Operands<'_>) -> Result<TensorProduct, Refused> {
        let choice = of.choice;
        let (Some(kind), false) = (kind_of(choice), choice.has("ashift")) else {
            return self.refuse_form(of);
        };
        let shift = match self.source(of, "scale_input_d")? {
            None => 0,
            Some(Src::Imm(shift @ 0..=15)) => shift as u8,
            Some(_) => return self.refuse_form(of),
        };
        let syntax = choice.form.form().row.syntax;
        let form = TensorForm {
            pair: choice.token("cta_group") == Some(".cta_group::2"),
            stationary: syntax.starts_with("tcgen05.mma.ws"),
            sparse: of.find("sp_meta").is_some(),
            shift,
        };
        let a = match self.source(of, "a_desc")? {
            Some(matrix) => Ok(matrix),
            None => Err(self.addr(of, "a_tmem")?),
        };
        Ok(TensorProduct {
            kind,
            form,
            metadata: match form.sparse {
                true => Some(self.addr(of, "sp_meta")?),
                false => None,
            },
            mask: self.source(of, "zero_column_mask_desc")?,
            d: self.addr(of, "d_tmem")?,
            a,
            scales: match of.find("scale_a_tmem") {
                Some(_) => Some([
                    self.addr(of, "scale_a_tmem")?,
                    self.addr(of, "scale_b_tmem")?,
                ]),
                None => None,
            },
            b: self.needed(of, "b_desc")?,
            descriptor: self.needed(of, "idesc")?,
            disabled: self
                .source_list(of, "disable_output_lane")?
                .into_iter()
                .collect(),
            adds: self.needed(of, "enable_input_d")?,
        })
    }
}

/// The kind of a product, with its block scaling.
fn kind_of(choice: &Choice) -> Option<TensorKind> {
    if !choice.has("block_scale") {
        return TensorKind::of_token(choice.token("kind")?);
    }
    let size = choice.token("scale_vectorsize");
    let fine = choice.has("kind::mxf4nvf4");
    Some(match size {
        _ if choice.has("kind::mxf8f6f4") => TensorKind::Mxf8f6f4,
        Some(".scale_vec::4X" | ".block16") => TensorKind::Mxf4 { factors: 4, fine },
        _ => TensorKind::Mxf4 { factors: 2, fine },
    })
}

fn shared_space(of: Operands<'_>) -> Space {
    match of.choice.token("ss") {
        Some(_) => Space::Shared,
        None => Space::Generic,
    }
}
