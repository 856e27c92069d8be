//! Decodes what `exec::async_copy` runs.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::address::Space;
use crate::exec::async_copy::{Async, Awaited, Bulk, Cancel, Elements, Small};
use crate::program::{Addr, Op, Src, Unpack};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::{Meaning, ScalarType};
use warpc_ptx_eval as eval;

/// What marks forms that are not run, which came after PTX 9.0.
const REFUSED: [&str; 3] = ["ignore_oob", "report_mechanism", "report_disabled"];

/// Whether the result depends on the order of updates.
fn is_ordered(choice: &Choice) -> bool {
    let meaning = choice.scalar("type").map(ScalarType::meaning);
    matches!(meaning, Some(Meaning::Float | Meaning::Packed))
}

impl Decoder<'_> {
    pub(super) fn async_copy(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        let has = |modifier: &str| choice.has(modifier);
        if has("tensor") {
            return self.tensor_copy(of);
        }
        if REFUSED.iter().any(|modifier| has(modifier)) {
            return self.refuse_form(of);
        }
        if has("prefetch") {
            return Ok(Op::Nothing);
        }
        let bulk = has("bulk");
        let op = match choice.form.form().opcode {
            "st" if bulk => Async::Zeros {
                at: self.addr(of, "a")?,
                space: match has("shared::cta") {
                    true => Space::Shared,
                    false => Space::Generic,
                },
                size: self.needed(of, "size")?,
            },
            "st" | "red" => self.async_elements(of)?,
            _ if has("commit_group") => Async::CloseGroup { bulk },
            _ if has("wait_group") || has("wait_all") => self.wait_for_copies(of)?,
            _ if has("arrive") => Async::Arrive {
                at: self.addr(of, "addr")?,
                space: Space::of_token(choice.token("space")),
                increment: !has("noinc"),
            },
            _ if bulk => self.bulk_copy(of)?,
            _ => self.small_copy(of)?,
        };
        Ok(Op::Async(Box::new(op)))
    }

    /// `clusterlaunchcontrol`: an answer has the place of the first block in its first three words, and whether there is one in the fourth.
    pub(super) fn launch_control(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        if choice.has("try_cancel") {
            // What blocks do hangs on which of them have begun.
            self.order_matters = true;
            let space = Space::of_token(choice.token("space"));
            let cancel = Cancel {
                to: (space, self.addr(of, "addr")?),
                barrier: self.addr(of, "mbar")?,
                all: choice.has("multicast::cluster::all"),
            };
            return Ok(Op::Async(Box::new(Async::Cancel(cancel))));
        }
        let response = self.source_list(of, "response")?;
        let [low, high] = response[..] else {
            return self.refuse_form(of);
        };
        let of_word: fn(u64, u64) -> u64 = match choice.token("get_first_ctaid::dimension") {
            _ if choice.has("is_canceled") => |_, high| high >> 32 & 1,
            Some(".get_first_ctaid::x") => |low, _| low & 0xffff_ffff,
            Some(".get_first_ctaid::y") => |low, _| low >> 32,
            Some(".get_first_ctaid::z") => |_, high| high & 0xffff_ffff,
            _ => {
                return Ok(Op::Unpack(Box::new(Unpack {
                    to: self.destination_list(of, "xyzw")?.into_iter().collect(),
                    from: response.iter().copied().collect(),
                    bits: 32,
                })));
            }
        };
        let name = if choice.has("is_canceled") {
            "pred"
        } else {
            "d"
        };
        Ok(Op::Two(of_word, self.destination(of, name)?, low, high))
    }

    fn wait_for_copies(&mut self, of: Operands<'_>) -> Result<Async, Refused> {
        let left = match self.source(of, "n")? {
            Some(Src::Imm(left)) => u32::try_from(left).unwrap_or(u32::MAX),
            _ => 0,
        };
        let awaited = match (of.choice.has("bulk"), of.choice.has("read")) {
            (false, _) => Awaited::Small,
            (true, false) => Awaited::Bulk,
            (true, true) => Awaited::BulkRead,
        };
        Ok(Async::Wait {
            awaited,
            left,
            close: of.choice.has("wait_all"),
        })
    }

    fn small_copy(&mut self, of: Operands<'_>) -> Result<Async, Refused> {
        let Src::Imm(bytes) = self.needed(of, "cp_size")? else {
            return self.refuse_form(of);
        };
        Ok(Async::Small(Small {
            to: self.addr(of, "dst")?,
            from: self.addr(of, "src")?,
            bytes: bytes as u32,
            read: self.source(of, "src_size")?,
            ignore: self.source(of, "ignore_src")?,
        }))
    }

    fn bulk_copy(&mut self, of: Operands<'_>) -> Result<Async, Refused> {
        let choice = of.choice;
        // The first space that is named is the destination's: whatever has a group goes to global
        // memory, and what does not come from there comes from shared memory.
        let out = choice.has("bulk_group");
        let (to, from) = match (out, choice.has("global")) {
            (true, _) => (Space::Global, Space::Shared),
            (false, true) => (Space::Shared, Space::Global),
            (false, false) => (Space::Shared, Space::Shared),
        };
        let update = if choice.has("reduce") {
            let Some(ty) = choice.scalar("type") else {
                return self.refuse_form(of);
            };
            // Unlike `red`, a bulk reduction in global memory keeps denormals (seen on an H200).
            let update = if out && ty != ScalarType::F32 {
                eval::atomic_in_global(choice)
            } else {
                eval::atomic(choice)
            };
            let Some(update) = update else {
                return self.refuse_form(of);
            };
            self.order_matters |= out && is_ordered(choice);
            Some((update, ty.bytes()))
        } else {
            None
        };
        Ok(Async::Bulk(Bulk {
            to: (to, self.addr(of, "dst")?),
            from: (from, self.addr(of, "src")?),
            size: self.needed(of, "size")?,
            update,
            barrier: self.barrier_of_copy(of)?,
            ranks: self.source(of, "cta_mask")?,
            byte_mask: self.source(of, "byte_mask")?,
        }))
    }

    pub(super) fn barrier_of_copy(&mut self, of: Operands<'_>) -> Result<Option<Addr>, Refused> {
        match of.find("mbar") {
            Some(index) => self.addr_at(index).map(Some),
            None => Ok(None),
        }
    }

    /// `st.async`, `red.async`
    fn async_elements(&mut self, of: Operands<'_>) -> Result<Async, Refused> {
        let choice = of.choice;
        let update = match choice.form.form().opcode {
            // Integers only: the same in every space.
            "red" => match eval::atomic(choice) {
                Some(update) => Some(update),
                None => return self.refuse_form(of),
            },
            _ => None,
        };
        let barrier = self.barrier_of_copy(of)?;
        let named = ["space", "shared::cluster", "global"];
        let space = named.iter().find_map(|slot| choice.token(slot));
        let Some(ty) = choice.scalar("type") else {
            return self.refuse_form(of);
        };
        Ok(Async::Elements(Elements {
            to: (Space::of_token(space), self.addr(of, "a")?),
            values: self.source_list(of, "b")?,
            // An element of 128 bits is moved as two of 64.
            bytes: ty.bytes().min(8),
            update,
            barrier,
        }))
    }
}
