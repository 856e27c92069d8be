//! Barriers and what the lanes of a warp do together.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::program::{Barrier, Collective, Dst, Op, Reduce, Src, Together};

impl Decoder<'_> {
    pub(super) fn barrier(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        if choice.has("cluster") {
            let aligned = choice.has("aligned");
            let ordered = choice.token("sem") != Some(".relaxed");
            return Ok(if choice.has("arrive") {
                Op::ClusterArrive(aligned, ordered)
            } else {
                Op::ClusterWait(aligned, ordered)
            });
        }
        if choice.has("warp") {
            return Ok(Op::Collective(Box::new(Collective {
                what: Together::Wait,
                a: Src::Imm(0),
                b: Src::Imm(0),
                c: Src::Imm(0),
                mask: Some(self.needed(of, "membermask")?),
                to: Dst::Sink,
                predicate: Dst::Sink,
            })));
        }
        let reduce = match choice.token("op") {
            _ if choice.has("popc") => Reduce::Count,
            Some(".and") => Reduce::And,
            Some(".or") => Reduce::Or,
            _ => Reduce::None,
        };
        let to = match reduce {
            Reduce::None => Dst::Sink,
            Reduce::Count => self.destination(of, "d")?,
            Reduce::And | Reduce::Or => self.destination(of, "p")?,
        };
        Ok(Op::Barrier(Box::new(Barrier {
            number: self.needed(of, "a")?,
            threads: self.source(of, "b")?,
            arrive: choice.has("arrive"),
            // `bar` is `barrier.aligned`.
            aligned: choice.form.form().opcode == "bar" || choice.has("aligned"),
            reduce,
            value: self.source(of, "c")?.unwrap_or(Src::Imm(0)),
            to,
        })))
    }

    pub(super) fn collective(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        let float = choice.has("f32");
        let signed = choice.token("type") == Some(".s32");
        let mode = choice.token("mode").or_else(|| choice.token("op"));
        let what = match (choice.form.form().opcode, mode) {
            ("activemask", _) => return Ok(Op::ActiveMask(self.destination(of, "d")?)),
            ("shfl", Some(".up")) => Together::ShuffleUp,
            ("shfl", Some(".down")) => Together::ShuffleDown,
            ("shfl", Some(".bfly")) => Together::ShuffleXor,
            ("shfl", _) => Together::ShuffleIndex,
            ("vote", _) if choice.has("ballot") => Together::Ballot,
            ("vote", Some(".all")) => Together::VoteAll,
            ("vote", Some(".any")) => Together::VoteAny,
            ("vote", _) => Together::VoteUniform,
            ("match", _) if choice.has("any") => Together::MatchAny,
            ("match", _) => Together::MatchAll,
            ("redux", Some(op)) if float => Together::ReduceFloat {
                min: op == ".min",
                abs: choice.has("abs"),
                nan: choice.has("NaN"),
            },
            ("redux", Some(".add")) => Together::ReduceAdd,
            ("redux", Some(".min")) if signed => Together::ReduceMinS,
            ("redux", Some(".min")) => Together::ReduceMinU,
            ("redux", Some(".max")) if signed => Together::ReduceMaxS,
            ("redux", Some(".max")) => Together::ReduceMaxU,
            ("redux", Some(".and")) => Together::ReduceAnd,
            ("redux", Some(".or")) => Together::ReduceOr,
            ("redux", Some(".xor")) => Together::ReduceXor,
            ("elect", _) => Together::Elect,
            _ => return self.refuse_form(of),
        };
        Ok(Op::Collective(Box::new(Collective {
            what,
            a: self.source(of, "a")?.unwrap_or(Src::Imm(0)),
            b: self.source(of, "b")?.unwrap_or(Src::Imm(0)),
            c: self.source(of, "c")?.unwrap_or(Src::Imm(0)),
            mask: self.source(of, "membermask")?,
            to: self.destination(of, "d")?,
            predicate: self.destination(of, "p")?,
        })))
    }
}
