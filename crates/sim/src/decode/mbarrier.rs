//! Decodes what `exec::mbarrier` runs.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::address::Space;
use crate::exec::mbarrier::{Layout, Mbarrier, What, pending_count};
use crate::program::{Dst, Op, Order, Src};

impl Decoder<'_> {
    pub(super) fn mbarrier(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        let has = |modifier: &str| choice.has(modifier);
        if has("pending_count") {
            let to = self.destination(of, "count")?;
            self.counts_pending = true;
            return Ok(Op::One(pending_count, to, self.needed(of, "state")?));
        }
        let drop = choice.token("op") == Some(".arrive_drop");
        let (what, value, to) = match choice.token("tx") {
            Some(".expect_tx") => (What::Expect, Some("bytes"), None),
            Some(_) => (What::Complete, Some("bytes"), None),
            None if has("init") => (What::Init, Some("count"), None),
            None if has("check_layout") => (What::CheckLayout, None, Some("p")),
            None if has("inval") => (What::Invalidate, None, None),
            None if has("expect_tx") => {
                (What::ExpectAndArrive { drop }, Some("bytes"), Some("state"))
            }
            None if has("op") => {
                let may_complete = !has("noComplete");
                let what = What::Arrive { drop, may_complete };
                (what, Some("count"), Some("state"))
            }
            None if has("test_wait") || has("try_wait") => {
                let parity = has("parity");
                let block = has("try_wait");
                let value = if parity { "parity" } else { "state" };
                (What::Wait { parity, block }, Some(value), Some("done"))
            }
            None => return self.refuse_form(of),
        };
        let value = match value {
            Some(name) => self.source(of, name)?.unwrap_or(Src::Imm(1)),
            None => Src::Imm(0),
        };
        let to = match to {
            Some(name) => self.destination(of, name)?,
            None => Dst::Sink,
        };
        let ranks = self.source(of, "mask")?;
        if ranks.is_some() && to != Dst::Sink {
            // Which of the objects the state would be of is not said.
            return self.refuse_form(of);
        }
        let space = Space::of_token(choice.token("space").or(choice.token("shared::cluster")));
        // Without a space the address says whose it is; only forms that give nothing back reach others.
        let gives_nothing = to == Dst::Sink && !matches!(what, What::Init | What::Invalidate);
        let remote = match choice.token("space") {
            Some(token) => token == ".shared::cluster",
            None => has("shared::cluster") || gives_nothing,
        };
        Ok(Op::Mbarrier(Box::new(Mbarrier {
            what,
            space,
            remote,
            at: self.addr(of, "addr")?,
            value,
            to,
            layout: match choice.token("layout") {
                Some(".layout::v1") => Layout::V1,
                _ => Layout::V0,
            },
            reports: [
                self.destination(of, "seen")?,
                self.destination(of, "report")?,
            ],
            ranks,
            order: Order::of_mbarrier(choice),
        })))
    }
}
