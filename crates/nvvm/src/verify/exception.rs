//! Exceptions: landing pads of the Itanium kind and funclets of the Windows kind.
//!
//! A pad starts its block, is entered on unwind edges only, and funclets nest: each names the pad around
//! it, and leaves it in one way.

use super::Verifier;
use super::body::Code;
use crate::constant::ConstKind;
use crate::inst::{Inst, Op};
use crate::types::Type;
use crate::value::{Block, InstId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_diag::codes;

/// Whether an instruction starts a block that is entered by unwinding.
pub(super) fn is_pad(op: Op) -> bool {
    matches!(
        op,
        Op::LandingPad { .. } | Op::CatchPad | Op::CleanupPad | Op::CatchSwitch { .. }
    )
}

fn is_funclet(op: Op) -> bool {
    matches!(op, Op::CatchPad | Op::CleanupPad)
}

impl<'m> Verifier<'m> {
    fn pad_rule(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_EXCEPTION, message)
    }

    /// Checks an instruction of exception handling.
    pub(super) fn exception(&mut self, code: &mut Code<'m>, id: InstId) {
        let body = code.body;
        let inst = &body.insts[id];
        let name = inst.op.mnemonic();
        let operands = body.operands(id);
        let Some(block) = code.block_of[crate::index::Id::index(id)] else {
            return;
        };
        if is_pad(inst.op) || inst.op == Op::Resume {
            rule!(
                self.pad_rule,
                code.function.personality.is_some(),
                "`{name}` needs a function with a personality"
            );
        }
        if is_pad(inst.op) {
            rule!(
                self.pad_rule,
                code.first_non_phi(block) == Some(id),
                "`{name}` must be the first instruction of its block but for phis"
            );
            self.pad_predecessors(code, id, block);
        }
        match inst.op {
            Op::LandingPad { cleanup } => {
                self.pad_rule(
                    cleanup || !operands.is_empty(),
                    "`landingpad` needs a clause or `cleanup`",
                );
                let ty = *code.landing_type.get_or_insert(inst.ty);
                self.pad_rule(
                    ty == inst.ty,
                    "all landing pads of a function must give one type",
                );
                for &clause in operands {
                    self.clause(code, clause);
                }
            }
            Op::Resume => {
                if let Some(ty) = self.operand_type(code, operands, 0) {
                    let expected = *code.landing_type.get_or_insert(ty);
                    self.pad_rule(
                        ty == expected,
                        "`resume` takes what the landing pads of the function give",
                    );
                }
            }
            Op::CatchPad => {
                let parent = operands.first().and_then(|&pad| code.made_by(pad));
                self.pad_rule(
                    parent.is_some_and(|(_, pad)| matches!(pad.op, Op::CatchSwitch { .. })),
                    "`catchpad` must be within a `catchswitch`",
                );
                self.funclet(code, id);
            }
            Op::CleanupPad => {
                self.parent(code, operands, name);
                self.funclet(code, id);
            }
            Op::CatchSwitch { unwinds } => self.catch_switch(code, id, unwinds),
            Op::CatchRet => {
                let pad = operands.first().and_then(|&pad| code.made_by(pad));
                self.pad_rule(
                    pad.is_some_and(|(_, pad)| pad.op == Op::CatchPad),
                    "`catchret` leaves a `catchpad`",
                );
            }
            Op::CleanupRet => {
                let pad = operands.first().and_then(|&pad| code.made_by(pad));
                self.pad_rule(
                    pad.is_some_and(|(_, pad)| pad.op == Op::CleanupPad),
                    "`cleanupret` leaves a `cleanuppad`",
                );
                if let Some(target) = operands.get(1).and_then(|target| target.block()) {
                    self.unwind_target(code, target, name);
                }
            }
            _ => {}
        }
    }

    fn clause(&mut self, code: &Code<'_>, clause: Value) {
        let ty = self.module.type_of(code.body, clause);
        let kind = clause
            .constant()
            .map(|constant| self.module.constants.get(constant).kind);
        let fits = match self.ty(ty) {
            Type::Ptr(_) => kind.is_some(),
            Type::Array { .. } => matches!(
                kind,
                Some(ConstKind::Aggregate(_) | ConstKind::Zero | ConstKind::Bytes(_))
            ),
            _ => false,
        };
        self.pad_rule(
            fits,
            "a clause of `landingpad` catches a constant pointer or filters an array of constants",
        );
    }

    /// The pad around a `cleanuppad` or `catchswitch`.
    fn parent(&mut self, code: &Code<'_>, operands: &[Value], name: &str) {
        let fits = match operands.first() {
            Some(&parent) => {
                self.is_none_token(parent)
                    || code
                        .made_by(parent)
                        .is_some_and(|(_, pad)| is_funclet(pad.op))
            }
            None => false,
        };
        rule!(
            self.pad_rule,
            fits,
            "`{name}` is within `none`, a `catchpad` or a `cleanuppad`"
        );
    }

    fn is_none_token(&self, value: Value) -> bool {
        value
            .constant()
            .is_some_and(|c| self.module.constants.get(c).kind == ConstKind::TokenNone)
    }

    fn unwind_target(&mut self, code: &Code<'_>, target: Block, name: &str) {
        let first = code
            .first_non_phi(target)
            .map(|first| code.body.insts[first].op);
        rule!(
            self.pad_rule,
            first.is_some_and(|op| is_pad(op) && !matches!(op, Op::LandingPad { .. })),
            "`{name}` must unwind to a block that starts with a funclet"
        );
    }

    fn catch_switch(&mut self, code: &mut Code<'m>, id: InstId, unwinds: bool) {
        let body = code.body;
        let operands = body.operands(id);
        self.parent(code, operands, "catchswitch");
        let mut targets = operands.iter().filter_map(|value| value.block());
        if unwinds && let Some(target) = targets.next() {
            self.unwind_target(code, target, "catchswitch");
            let pad = code.first_non_phi(target);
            let sibling = pad.filter(|&pad| self.parent_of(code, pad) == operands.first().copied());
            if sibling.is_some() {
                code.siblings.push((id, target));
            }
        }
        let handlers: Vec<Block> = targets.collect();
        self.pad_rule(!handlers.is_empty(), "`catchswitch` needs a handler");
        for handler in handlers {
            let first = code
                .first_non_phi(handler)
                .map(|first| body.insts[first].op);
            self.pad_rule(
                first == Some(Op::CatchPad),
                "the handlers of `catchswitch` must start with `catchpad`",
            );
        }
    }

    /// The pad that a pad is in: a value, or `none`.
    fn parent_of(&self, code: &Code<'_>, pad: InstId) -> Option<Value> {
        match code.body.insts[pad].op {
            op if is_funclet(op) || matches!(op, Op::CatchSwitch { .. }) => {
                code.body.operands(pad).first().copied()
            }
            _ => None,
        }
    }

    /// Pads are entered by unwinding only, and an edge enters one pad.
    fn pad_predecessors(&mut self, code: &Code<'_>, pad: InstId, block: Block) {
        let body = code.body;
        let inst = &body.insts[pad];
        if !self.pad_rule(
            body.order.first() != Some(&block),
            "a pad cannot be in the entry block",
        ) {
            return;
        }
        let mut predecessors = code.predecessors(block).to_vec();
        predecessors.sort_unstable();
        predecessors.dedup();
        if inst.op == Op::CatchPad {
            let switch = body
                .operands(pad)
                .first()
                .and_then(|&parent| code.made_by(parent));
            let home = switch.and_then(|(id, _)| code.block_of[crate::index::Id::index(id)]);
            self.pad_rule(
                predecessors.is_empty() || predecessors.len() == 1 && Some(predecessors[0]) == home,
                "only its `catchswitch` may go to a `catchpad`",
            );
            let unwind = switch.and_then(|(id, switch)| match switch.op {
                Op::CatchSwitch { unwinds: true } => body.operands(id).get(1)?.block(),
                _ => None,
            });
            self.pad_rule(
                unwind != Some(block),
                "`catchswitch` cannot unwind to one of its handlers",
            );
            return;
        }
        for from in predecessors {
            let Some(terminator) = body.terminator(from) else {
                continue;
            };
            let invoke_enters = || {
                let targets: Vec<Block> = body.successors(from).collect();
                matches!(body.insts[terminator].op, Op::Invoke(_))
                    && targets[..].last() == Some(&block)
                    && targets[0] != block
            };
            match body.insts[terminator].op {
                Op::Invoke(_) if invoke_enters() => {
                    if !matches!(inst.op, Op::LandingPad { .. }) {
                        self.unwind_edge(code, terminator, pad);
                    }
                }
                Op::CleanupRet | Op::CatchSwitch { .. }
                    if !matches!(inst.op, Op::LandingPad { .. }) =>
                {
                    self.unwind_edge(code, terminator, pad);
                }
                _ => {
                    let message = format!(
                        "a block that starts with `{}` can be entered by unwinding only",
                        inst.op.mnemonic()
                    );
                    self.pad_rule(false, message);
                }
            }
        }
    }

    /// An unwind edge leaves pads until it is in the pad around the one it enters.
    fn unwind_edge(&mut self, code: &Code<'_>, terminator: InstId, to: InstId) {
        let body = code.body;
        let Some(around) = self.parent_of(code, to) else {
            return;
        };
        let mut from = match body.insts[terminator].op {
            Op::CleanupRet => {
                let pad = body.operands(terminator).first().copied();
                self.pad_rule(pad != Some(around), "`cleanupret` must leave its cleanup");
                pad
            }
            Op::CatchSwitch { .. } => body.insts[terminator].local().map(Value::from),
            _ => match self.funclet_of(code, terminator) {
                Some(funclet) => Some(funclet),
                None if self.is_none_token(around) => return,
                None => None,
            },
        };
        let mut seen = FxHashSet::default();
        loop {
            let Some(pad) = from else {
                self.pad_rule(false, "an unwind edge can enter one pad only");
                return;
            };
            if pad == around {
                return;
            }
            let Some((id, inst)) = code.made_by(pad) else {
                self.pad_rule(false, "an unwind edge can enter one pad only");
                return;
            };
            if !self.pad_rule(id != to, "a pad cannot handle what is thrown within it") {
                return;
            }
            if !seen.insert(id) || !is_pad(inst.op) {
                self.pad_rule(false, "the pads around an unwind edge must nest");
                return;
            }
            from = self.parent_of(code, id);
        }
    }

    /// The operand of the `funclet` bundle of a call.
    fn funclet_of(&self, code: &Code<'_>, id: InstId) -> Option<Value> {
        let site = self
            .module
            .call_sites
            .get(code.body.insts[id].op.call_site()?);
        let mut rest = code.body.call(id, site).bundles;
        for bundle in self.module.bundles.get(site.bundles) {
            let (inputs, more) = rest.split_at((bundle.len as usize).min(rest.len()));
            if self.module.names.bytes(bundle.tag) == b"funclet" {
                return inputs.first().copied();
            }
            rest = more;
        }
        None
    }

    /// All ways out of a funclet lead to one place.
    fn funclet(&mut self, code: &mut Code<'m>, id: InstId) {
        let body = code.body;
        let Some(local) = body.insts[id].local() else {
            return;
        };
        let me = Value::from(local);
        let mut exit: Option<Option<InstId>> = None;
        for site in code.analyses.uses(body).of(local).to_vec() {
            let user: &Inst = &body.insts[site.inst];
            let target = match user.op {
                Op::CleanupRet => body.operands(site.inst).get(1).and_then(|t| t.block()),
                Op::CatchSwitch { unwinds: true } => {
                    body.operands(site.inst).get(1).and_then(|t| t.block())
                }
                Op::Invoke(_) => {
                    let mut targets = body.operands(site.inst).iter().rev();
                    targets.find_map(|target| target.block())
                }
                Op::CatchSwitch { unwinds: false }
                | Op::Call(_)
                | Op::CleanupPad
                | Op::CatchRet => {
                    continue;
                }
                _ => {
                    rule!(
                        self.pad_rule,
                        false,
                        "`{}` cannot use a funclet pad",
                        user.op.mnemonic()
                    );
                    continue;
                }
            };
            let pad = target.and_then(|target| code.first_non_phi(target));
            let pad = pad.filter(|&pad| is_pad(body.insts[pad].op));
            if target.is_some() && pad.is_none() {
                continue;
            }
            if pad.is_some_and(|pad| self.parent_of(code, pad) == Some(me)) {
                continue;
            }
            match exit {
                Some(known) => {
                    self.pad_rule(
                        known == pad,
                        "all unwind edges out of a funclet must lead to one pad",
                    );
                }
                None => {
                    exit = Some(pad);
                    let sibling = pad
                        .is_some_and(|pad| self.parent_of(code, pad) == self.parent_of(code, id));
                    if let Some(target) = target
                        && body.insts[id].op == Op::CleanupPad
                        && sibling
                    {
                        code.siblings.push((id, target));
                    }
                }
            }
        }
        let parent = self
            .parent_of(code, id)
            .and_then(|parent| code.made_by(parent));
        if let (Some(exit), Some((switch, inst))) = (exit, parent)
            && let Op::CatchSwitch { unwinds } = inst.op
        {
            let target = match unwinds {
                true => body.operands(switch).get(1).and_then(|t| t.block()),
                false => None,
            };
            let pad = target.and_then(|target| code.first_non_phi(target));
            self.pad_rule(
                pad == exit,
                "what leaves a `catchpad` must unwind to where its `catchswitch` does",
            );
        }
    }

    /// Pads must not unwind to each other in a circle.
    pub(super) fn sibling_unwinds(&mut self, code: &Code<'_>) {
        let next: FxHashMap<InstId, InstId> = code
            .siblings
            .iter()
            .filter_map(|&(pad, target)| Some((pad, code.first_non_phi(target)?)))
            .collect();
        // Each pad leads to one other: walk on until a pad of this walk or one before comes again.
        let mut walk_of: FxHashMap<InstId, usize> = FxHashMap::default();
        for (walk, &(start, _)) in code.siblings.iter().enumerate() {
            let mut at = Some(start);
            while let Some(pad) = at {
                match walk_of.insert(pad, walk) {
                    Some(other) if other == walk => {
                        self.at = code.body.insts[pad].pos;
                        self.pad_rule(false, "pads cannot handle each other's exceptions");
                        break;
                    }
                    Some(_) => break,
                    None => at = next.get(&pad).copied(),
                }
            }
        }
    }
}
