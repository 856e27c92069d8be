//! Decodes copies of tensors, and what is done with tensor maps.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::address::Space;
use crate::exec::async_copy::Async;
use crate::exec::async_copy::tensor::{Mode, Tensor, What};
use crate::exec::tensor_map::MapOp;
use crate::program::{Addr, Op, Src};
use warpc_launch::tensor_map::Element;
use warpc_launch::tensor_map::field::Field;
use warpc_ptx_eval as eval;

/// What marks forms that are not run: sizes and strides in the place of the map's, and reports.
const REFUSED: [&str; 2] = ["override::global_dim", "override::global_dim_stride"];

impl Decoder<'_> {
    /// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`, `cp.async.bulk.prefetch.tensor`
    pub(super) fn tensor_copy(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        let has = |modifier: &str| choice.has(modifier);
        let reports = choice.token("report_mechanism");
        let reports = reports.is_some_and(|token| !token.ends_with("disabled"));
        if reports || REFUSED.iter().any(|modifier| has(modifier)) {
            return self.refuse_form(of);
        }
        let out = has("bulk_group");
        let what = match choice.token("redOp") {
            Some(operation) => {
                let operation = operation.trim_start_matches('.');
                // Sums of floating-point numbers depend on their order, and the type is in the map.
                self.order_matters |= operation == "add";
                let update = |element: Element| eval::named_reduction(operation, element.name());
                What::Reduce(Element::ALL.map(|element| Some(update(element)?.0)))
            }
            None if has("prefetch") => What::Prefetch,
            None if out => What::Store,
            None => What::Load,
        };
        let mode = match choice.token("load_mode") {
            Some(".tile::gather4" | ".tile::scatter4") => Mode::Rows,
            Some(".im2col" | ".im2col_no_offs") => Mode::Im2col,
            Some(".im2col::w") => Mode::Wide { fixed: false },
            Some(".im2col::w::128") => Mode::Wide { fixed: true },
            _ => Mode::Tile,
        };
        let nowhere = Addr {
            base: Src::Imm(0),
            offset: 0,
        };
        let at = match what {
            What::Prefetch => nowhere,
            What::Load => self.addr(of, "dstMem")?,
            _ => self.addr(of, "srcMem")?,
        };
        Ok(Op::Async(Box::new(Async::Tensor(Box::new(Tensor {
            what,
            mode,
            map: self.addr(of, "tensorMap")?,
            address: self.source(of, "address")?,
            coordinates: self.source_list(of, "tensorCoords")?,
            offsets: self.source_list(of, "im2colInfo")?,
            at,
            barrier: self.barrier_of_copy(of)?,
            ranks: self.source(of, "ctaMask")?,
            pair: choice.token("cta_group") == Some(".cta_group::2"),
        })))))
    }

    /// `tensormap.replace`, `tensormap.cp_fenceproxy`
    pub(super) fn tensor_map(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        let has = |modifier: &str| choice.has(modifier);
        if !has("replace") {
            return Ok(Op::TensorMap(Box::new(MapOp::Publish {
                to: self.addr(of, "dst")?,
                from: self.addr(of, "src")?,
            })));
        }
        let ordinal = match self.source(of, "ord")? {
            Some(Src::Imm(ordinal)) => ordinal as u32,
            _ => 0,
        };
        let named = choice.token("field2").or_else(|| choice.token("field3"));
        let field = match named {
            Some(".box_dim") => Field::Box(ordinal),
            Some(".global_dim") => Field::Size(ordinal),
            Some(".element_stride") => Field::Step(ordinal),
            Some(".elemtype") => Field::Element,
            Some(".interleave_layout") => Field::Interleave,
            Some(".swizzle_mode") => Field::Swizzle,
            Some(".swizzle_atomicity") => Field::Atom,
            Some(".fill_mode") => Field::Outside,
            _ if has("global_address") => Field::Address,
            _ if has("rank") => Field::Rank,
            // A tensor of five dimensions has four strides.
            _ if has("global_stride") && ordinal < 4 => Field::Stride(ordinal),
            _ => return self.refuse_form(of),
        };
        Ok(Op::TensorMap(Box::new(MapOp::Replace {
            at: self.addr(of, "addr")?,
            space: Space::of_token(choice.token("ss")),
            field,
            value: self.needed(of, "new_val")?,
        })))
    }

    /// `fence.proxy.tensormap::generic.acquire`
    pub(super) fn acquire_map(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let at = self.addr(of, "a")?;
        Ok(Op::TensorMap(Box::new(MapOp::Acquire { at })))
    }
}
