//! Lists of nodes: which way, how often, and where out.
//!
//! The lanes at a place are known (`Context::mask`) as long as every branch since has counted them by `vote`. Loops are
//! either *counted*, with jumps only directly in their body, each followed by a new count; or anything, with jumps out
//! of several levels, and nothing inside that needs to know the lanes. A loop of constant length that no thread leaves
//! keeps the whole block together, so that barriers may be inside.

use super::{Context, Draft};
use crate::class::Class;
use crate::program::{Condition, Node, Step};

/// How deep nodes are nested.
const DEPTH: usize = 4;

impl Draft {
    /// A list of about so many nodes.
    pub(super) fn list(&mut self, context: &Context, count: usize) -> Vec<Node> {
        let mark = self.mark();
        let mut context = context.clone();
        let mut nodes = Vec::new();
        while nodes.len() < count && self.budget > 0 {
            let node = self.node(&mut context);
            nodes.push(node);
        }
        self.restore(mark);
        nodes
    }

    fn some(&mut self) -> usize {
        1 + self.random.below(6)
    }

    fn inside(&self, context: &Context) -> Context {
        Context {
            depth: context.depth + 1,
            ..context.clone()
        }
    }

    pub(super) fn node(&mut self, context: &mut Context) -> Node {
        self.budget = self.budget.saturating_sub(1);
        let is_shallow = context.depth < DEPTH;
        let has = self.has;
        match self.random.below(100) {
            0..10 if is_shallow && has.branches => self.branch(context),
            10..17 if is_shallow && has.loops => self.repeat(context),
            17..20 if is_shallow && has.tangles => self.ladder(context),
            20..22 if is_shallow && has.tangles => self.irreducible(context),
            22..23 if is_shallow && has.tables => self.switch(context),
            23..26 if context.may_exit => self.exit(),
            26..32 if !context.loops.is_empty() => self.leave(context),
            32..44 if has.memory => Node::Step(self.access()),
            44..50 if has.atomics => Node::Step(self.atomic()),
            50..58 if has.collectives && context.mask.is_some() => {
                Node::Step(self.collective(context))
            }
            58..63 if has.barriers && context.is_uniform => Node::Step(self.phase()),
            63..67 if has.carries => Node::Step(self.carries()),
            67..72 if has.division => Node::Step(self.division()),
            72..79 if !self.callees.is_empty() => Node::Step(self.call(context)),
            79..81 => Node::Step(self.special()),
            81..82 => Node::Step(self.fence()),
            82..87 if has.matrices && context.is_uniform && self.whole_warps => {
                Node::Step(self.matrix())
            }
            87..89 if has.copies && has.barriers && context.is_uniform => {
                Node::Step(self.meeting())
            }
            89..93 if has.copies => Node::Step(self.copy()),
            93..94 if has.stack => Node::Step(self.taken()),
            _ => Node::Step(self.instruction()),
        }
    }

    /// The count of those who go one way, and of the others, if the lanes are known.
    fn count(
        &mut self,
        context: &Context,
        condition: &Condition,
    ) -> (Vec<String>, Context, Context) {
        let mut one = self.inside(context);
        one.is_uniform = false;
        let mut other = one.clone();
        let mut lines = Vec::new();
        // Half of the time only: votes keep lanes together that would part.
        if let Some(mask) = context.mask.clone()
            && self.has.collectives
            && self.random.chance(60)
        {
            let (yes, no) = (self.fresh(Class::W), self.fresh(Class::W));
            let not = if condition.is_negated { "!" } else { "" };
            let register = &condition.register;
            lines.push(format!(
                "vote.sync.ballot.b32 {yes}, {not}{register}, {mask};"
            ));
            lines.push(format!("xor.b32 {no}, {yes}, {mask};"));
            (one.mask, other.mask) = (Some(yes), Some(no));
        } else {
            (one.mask, other.mask) = (None, None);
        }
        (lines, one, other)
    }

    fn branch(&mut self, context: &Context) -> Node {
        let id = self.id();
        let is_uniform = !self.uniform.is_empty() && self.random.chance(20);
        let (before, condition, one, other) = if is_uniform {
            let register = self.fresh(Class::P);
            let (value, bound) = (self.random.pick(&self.uniform), self.random.below(4));
            let line = format!("setp.gt.u32 {register}, {value}, {bound};");
            let condition = Condition {
                register,
                is_negated: self.random.one_in(2),
            };
            let inside = self.inside(context);
            (vec![line], condition, inside.clone(), inside)
        } else {
            let (mut before, condition) = self.condition();
            let (lines, one, other) = self.count(context, &condition);
            before.extend(lines);
            (before, condition, one, other)
        };
        let (more, less) = (self.some(), self.some());
        let then = self.list(&one, more);
        let otherwise = match self.random.one_in(2) {
            true => self.list(&other, less),
            false => Vec::new(),
        };
        let far = self.random.one_in(5);
        Node::If {
            id,
            before,
            condition,
            then,
            otherwise,
            far,
        }
    }

    fn repeat(&mut self, context: &Context) -> Node {
        let id = self.id();
        let most = if context.depth == 0 { 7 } else { 3 };
        let tested_first = self.random.one_in(2);
        let counter = self.fresh(Class::W);
        let is_constant = self.random.chance(40);
        let mut before = Vec::new();
        if is_constant {
            let trips = 1 + self.random.below(most);
            before.push(format!("mov.u32 {counter}, {trips};"));
        } else {
            let from = match self.random.one_in(3) && !self.lane.is_empty() {
                true => self.lane.clone(),
                false => self.read(Class::W),
            };
            before.push(format!("and.b32 {counter}, {from}, {most};"));
            if !tested_first {
                before.push(format!("add.u32 {counter}, {counter}, 1;"));
            }
        }
        let mut inside = self.inside(context);
        let ends = self.fresh(Class::P);
        let keeps_block = is_constant && context.is_uniform && self.random.chance(60);
        let is_counted = self.has.collectives && context.mask.is_some() && self.random.chance(50);
        let mut count = Vec::new();
        if keeps_block {
            inside.loops = Vec::new();
            inside.may_exit = false;
        } else {
            inside.is_uniform = false;
            inside.mask = None;
            if let (true, Some(outer)) = (is_counted, &context.mask) {
                let (mask, stay) = (self.fresh(Class::W), self.fresh(Class::W));
                before.push(format!("mov.b32 {mask}, {outer};"));
                let not = if tested_first { "!" } else { "" };
                count.push(format!("vote.sync.ballot.b32 {stay}, {not}{ends}, {mask};"));
                count.push(format!("mov.b32 {mask}, {stay};"));
                inside.mask = Some(mask);
                inside.loops = Vec::new();
                inside.may_exit = false;
            } else {
                inside.loops.push(id);
            }
        }
        let mut test = Vec::new();
        if tested_first {
            test.push(format!("setp.eq.u32 {ends}, {counter}, 0;"));
            test.extend(count);
            test.push(format!("@{ends} bra {{exit}};"));
            test.push(format!("sub.u32 {counter}, {counter}, 1;"));
        } else {
            test.push(format!("sub.u32 {counter}, {counter}, 1;"));
            test.push(format!("setp.ne.u32 {ends}, {counter}, 0;"));
            test.extend(count);
            test.push(format!("@{ends} bra {{again}};"));
        }
        let many = 1 + self.some();
        let body = match (&inside.mask, keeps_block, is_counted) {
            (Some(mask), false, true) => {
                let mask = mask.clone();
                self.counted_body(&inside, id, &mask, many)
            }
            _ => self.list(&inside, many),
        };
        Node::Loop {
            id,
            before,
            test,
            tested_first,
            body,
        }
    }

    /// The body of a loop that counts its lanes: jumps are only here, and those who stay are counted after each. Those who
    /// left are gone from the loop's own mask; those who went to the test come back to it.
    fn counted_body(&mut self, context: &Context, id: u32, mask: &str, count: usize) -> Vec<Node> {
        let mark = self.mark();
        let mut context = context.clone();
        let (mut nodes, mut went_on) = (Vec::new(), false);
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            if self.random.chance(12) {
                let to_test = went_on || self.random.one_in(2);
                let (mut before, condition) = self.condition();
                let stay = self.fresh(Class::W);
                let here = context.mask.clone().unwrap_or_else(|| mask.to_owned());
                let not = if condition.is_negated { "" } else { "!" };
                let register = &condition.register;
                before.push(format!(
                    "vote.sync.ballot.b32 {stay}, {not}{register}, {here};"
                ));
                if to_test {
                    went_on = true;
                    context.mask = Some(stay);
                } else {
                    before.push(format!(
                        "{} mov.b32 {mask}, {stay};",
                        condition.guard(false)
                    ));
                }
                nodes.push(Node::Jump {
                    before,
                    condition,
                    id,
                    to_test,
                });
            }
            nodes.push(self.node(&mut context));
        }
        self.restore(mark);
        nodes
    }

    /// A jump out of one of the loops around, or to its test.
    fn leave(&mut self, context: &Context) -> Node {
        let (before, condition) = self.condition();
        Node::Jump {
            before,
            condition,
            id: self.random.pick(&context.loops),
            to_test: self.random.one_in(3),
        }
    }

    fn alone(&self, context: &Context) -> Context {
        let mut inside = self.inside(context);
        inside.mask = None;
        inside.is_uniform = false;
        inside
    }

    fn ladder(&mut self, context: &Context) -> Node {
        let id = self.id();
        let inside = self.alone(context);
        let count = 3 + self.random.below(4);
        let mut sections = Vec::new();
        for at in 0..count {
            let many = 1 + self.random.below(3);
            let mut nodes = self.list(&inside, many);
            let mut jump = None;
            if at + 2 <= count && self.random.chance(70) {
                let (lines, condition) = self.condition();
                nodes.push(Node::Step(Step {
                    lines,
                    defines: Vec::new(),
                }));
                let to = at + 2 + self.random.below(count - at - 1);
                jump = Some((condition, to));
            }
            sections.push((nodes, jump));
        }
        Node::Ladder { id, sections }
    }

    fn irreducible(&mut self, context: &Context) -> Node {
        let id = self.id();
        let mut inside = self.alone(context);
        // `DONE` is a label of this node, too.
        inside.loops.clear();
        let (counter, ends) = (self.fresh(Class::W), self.fresh(Class::P));
        let (mut before, entry) = self.condition();
        let from = self.read(Class::W);
        before.push(format!("and.b32 {counter}, {from}, 3;"));
        let (more, less) = (self.some(), self.some());
        let first = self.list(&inside, more);
        let second = self.list(&inside, less);
        let (lines, back) = self.condition();
        let mut test = vec![
            format!("setp.eq.u32 {ends}, {counter}, 0;"),
            format!("@{ends} bra {{exit}};"),
            format!("sub.u32 {counter}, {counter}, 1;"),
        ];
        test.extend(lines);
        Node::Irreducible {
            id,
            before,
            entry,
            first,
            second,
            test,
            back,
        }
    }

    fn switch(&mut self, context: &Context) -> Node {
        let id = self.id();
        let inside = self.alone(context);
        let count = 2 + self.random.below(4);
        let (number, from) = (self.fresh(Class::W), self.read(Class::W));
        let before = vec![format!("rem.u32 {number}, {from}, {count};")];
        let ways = (0..count).map(|_| {
            let many = 1 + self.random.below(4);
            let ends = self.random.chance(75);
            (self.list(&inside, many), ends)
        });
        let ways = ways.collect();
        Node::Switch {
            id,
            before,
            number,
            ways,
        }
    }

    fn exit(&mut self) -> Node {
        let (mut lines, condition) = self.condition();
        let end = self.random.pick(&["ret", "exit"]);
        lines.push(format!("{} {end};", condition.guard(true)));
        Node::Step(Step {
            lines,
            defines: Vec::new(),
        })
    }
}
