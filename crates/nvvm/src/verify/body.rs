//! Bodies: blocks, phis, and that values are made before they are used.

use super::Verifier;
use crate::analysis::Analyses;
use crate::function::{Body, Def};
use crate::index::Id;
use crate::inst::{Inst, Op};
use crate::module::{Function, Global, GlobalId};
use crate::types::TypeId;
use crate::value::{Block, InstId, Local, Operand, Value};
use warpc_diag::codes;

/// A function whose body is being checked.
pub(super) struct Code<'m> {
    pub(super) id: GlobalId,
    pub(super) global: &'m Global,
    pub(super) function: &'m Function,
    pub(super) body: &'m Body,
    pub(super) analyses: Analyses,
    /// By instruction: its block; `None` if it stands in none.
    pub(super) block_of: Vec<Option<Block>>,
    /// By instruction: its position in its block.
    pub(super) position: Vec<u32>,
    /// The type that landing pads give and `resume` takes.
    pub(super) landing_type: Option<TypeId>,
    /// Pads that unwind to a sibling, and the block they unwind to.
    pub(super) siblings: Vec<(InstId, Block)>,
    /// Whether a call of `llvm.localescape` came already.
    pub(super) escaped: bool,
}

impl<'m> Code<'m> {
    fn new(id: GlobalId, global: &'m Global, function: &'m Function, body: &'m Body) -> Code<'m> {
        let mut code = Code {
            id,
            global,
            function,
            body,
            analyses: Analyses::default(),
            block_of: vec![None; body.insts.len()],
            position: vec![0; body.insts.len()],
            landing_type: None,
            siblings: Vec::new(),
            escaped: false,
        };
        for &block in &body.order {
            for (at, &inst) in body.blocks[block].insts.iter().enumerate() {
                code.block_of[inst.index()] = Some(block);
                code.position[inst.index()] = at as u32;
            }
        }
        code
    }

    /// The blocks that go to a block.
    pub(super) fn predecessors(&self, block: Block) -> &[Block] {
        self.analyses.cfg(self.body).predecessors(block)
    }

    /// The first instruction of a block that is not a phi.
    pub(super) fn first_non_phi(&self, block: Block) -> Option<InstId> {
        let mut insts = self.body.blocks[block].insts.iter().copied();
        insts.find(|&inst| self.body.insts[inst].op != Op::Phi)
    }

    /// The instruction that makes a value, if one does.
    pub(super) fn made_by(&self, value: Value) -> Option<(InstId, &'m Inst)> {
        match self.body.locals[value.local()?].def {
            Def::Inst(inst) => Some((inst, &self.body.insts[inst])),
            _ => None,
        }
    }

    /// The instruction after one in its block.
    pub(super) fn next(&self, inst: InstId) -> Option<InstId> {
        let block = self.block_of[inst.index()]?;
        let at = self.position[inst.index()] as usize + 1;
        self.body.blocks[block].insts.get(at).copied()
    }
}

impl<'m> Verifier<'m> {
    /// Checks the body of a function.
    pub(super) fn body(
        &mut self,
        id: GlobalId,
        global: &'m Global,
        function: &'m Function,
        body: &'m Body,
    ) {
        if !self.blocks(body, global) {
            return;
        }
        let mut code = Code::new(id, global, function, body);
        self.entry(&code);
        self.swift_error_params(&code);
        for &block in &body.order {
            self.phis(&code, block);
            for &inst in &body.blocks[block].insts {
                self.at = body.insts[inst].pos;
                self.instruction(&mut code, inst);
                self.operands(&code, block, inst);
            }
        }
        self.sibling_unwinds(&code);
        if self.tokens {
            self.convergence(&code);
        }
        self.attachments_of_body(&code);
        self.debug_of_body(&code);
    }

    /// One terminator a block, at its end. The rest makes no sense without.
    fn blocks(&mut self, body: &Body, global: &Global) -> bool {
        let errors = self.found.error_count();
        self.at = global.pos;
        self.check(
            !body.order.is_empty(),
            codes::IR_BLOCK,
            "a function with a body has at least one block",
        );
        for &block in &body.order {
            let insts = &body.blocks[block].insts;
            let Some((&last, before)) = insts.split_last() else {
                self.at = global.pos;
                self.error(codes::IR_BLOCK, "a block has no instructions");
                continue;
            };
            for &inst in before {
                if body.insts[inst].op.is_terminator() {
                    self.at = body.insts[inst].pos;
                    self.error(
                        codes::IR_BLOCK,
                        format!(
                            "`{}` ends a block, but instructions follow it",
                            body.insts[inst].op.mnemonic()
                        ),
                    );
                }
            }
            if !body.insts[last].op.is_terminator() {
                self.at = body.insts[last].pos;
                self.error(
                    codes::IR_BLOCK,
                    "a block must end with a terminator such as `br` or `ret`",
                );
            }
        }
        self.found.error_count() == errors
    }

    fn entry(&mut self, code: &Code<'_>) {
        let entry = code.body.order[0];
        self.at = code.global.pos;
        self.check(
            code.predecessors(entry).is_empty(),
            codes::IR_BLOCK,
            "the entry block has predecessors: no branch may lead there",
        );
    }

    /// Phis stand first and have one entry an edge.
    fn phis(&mut self, code: &Code<'_>, block: Block) {
        let body = code.body;
        let insts = &body.blocks[block].insts;
        let is_phi = |&inst: &InstId| body.insts[inst].op == Op::Phi;
        let first = insts.iter().take_while(|inst| is_phi(inst)).count();
        for &inst in insts[first..].iter().filter(|inst| is_phi(inst)) {
            self.at = body.insts[inst].pos;
            self.error(
                codes::IR_BLOCK,
                "`phi` must stand before all other instructions of its block",
            );
        }
        if first == 0 {
            return;
        }
        let mut edges = code.predecessors(block).to_vec();
        edges.sort_unstable();
        for &inst in &insts[..first] {
            self.at = body.insts[inst].pos;
            let pairs = body.operands(inst).chunks_exact(2);
            let mut entries: Vec<(Block, Value)> = pairs
                .filter_map(|pair| Some((pair[1].block()?, pair[0])))
                .collect();
            entries.sort_unstable();
            if !entries.iter().map(|entry| &entry.0).eq(&edges) {
                let message = if entries.len() == edges.len() {
                    "the entries of `phi` are not the predecessors of its block"
                } else {
                    "`phi` must have one entry for each predecessor of its block"
                };
                self.error(codes::IR_BLOCK, message);
                continue;
            }
            let conflict = entries
                .windows(2)
                .any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
            self.check(
                !conflict,
                codes::IR_BLOCK,
                "`phi` has several values for one predecessor",
            );
        }
    }

    /// What holds for the operands of every instruction.
    fn operands(&mut self, code: &Code<'_>, block: Block, inst: InstId) {
        let body = code.body;
        let data = &body.insts[inst];
        let operands = body.operands(inst);
        // The callee is the last operand of a call.
        let callee = match data.op.call_site() {
            Some(_) => operands.len().wrapping_sub(1),
            None => usize::MAX,
        };
        for (at, &value) in operands.iter().enumerate() {
            match value.get() {
                Operand::Local(local) => {
                    self.check_dominance(code, block, inst, at, local);
                    let ty = body.locals[local].ty;
                    if !self.module.types.is_first_class(ty) {
                        self.error(
                            codes::IR_OPERAND,
                            format!("a value of type {} cannot be an operand", self.show(ty)),
                        );
                    }
                }
                Operand::Const(constant) if at != callee => {
                    self.constant_tree(constant);
                    if let Some(global) = self.module.global_of(constant) {
                        self.check_address_taken(code, inst, at, global);
                    }
                }
                Operand::Asm(_) if at != callee => {
                    self.error(
                        codes::IR_CALL,
                        "inline assembly can only be called, it has no address",
                    );
                }
                _ => {}
            }
        }
    }

    /// Whether a value is made on every path to where it is used.
    fn check_dominance(
        &mut self,
        code: &Code<'_>,
        block: Block,
        inst: InstId,
        at: usize,
        local: Local,
    ) {
        let body = code.body;
        let Def::Inst(def) = body.locals[local].def else {
            return;
        };
        let is_phi = body.insts[inst].op == Op::Phi;
        let Some(home) = code.block_of[def.index()] else {
            self.error(
                codes::IR_DOMINANCE,
                format!(
                    "{} is made by no instruction of a block",
                    self.local(body, local)
                ),
            );
            return;
        };
        if home == block && !is_phi && code.position[def.index()] < code.position[inst.index()] {
            return;
        }
        let cfg = code.analyses.cfg(body);
        // A phi uses its value at the end of the block it comes from.
        let used_in = match is_phi {
            true => body
                .operands(inst)
                .get(at + 1)
                .and_then(|from| from.block()),
            false => Some(block),
        };
        let Some(used_in) = used_in else {
            return;
        };
        if !cfg.is_reachable(used_in) {
            return;
        }
        let dominated = cfg.is_reachable(home)
            && match body.insts[def].op {
                Op::Invoke(_) => self.edge_dominates(code, home, def, used_in, is_phi, block),
                _ if home == used_in => is_phi,
                _ => code.analyses.dominators(body).dominates(home, used_in),
            };
        if !dominated {
            let message = match def == inst {
                true => "only a `phi` may use its own value".to_owned(),
                false => format!(
                    "{} is used where it is not made on every path",
                    self.local(body, local)
                ),
            };
            self.error(codes::IR_DOMINANCE, message);
        }
    }

    /// Whether the edge on which `invoke` returns comes before a use on every path.
    fn edge_dominates(
        &self,
        code: &Code<'_>,
        home: Block,
        invoke: InstId,
        used_in: Block,
        is_phi: bool,
        block: Block,
    ) -> bool {
        let targets: Vec<Block> = code.body.successors(home).collect();
        let [normal, unwind] = targets[..] else {
            return true;
        };
        // Both ways to one block is another error.
        if normal == unwind || code.body.insts[invoke].result.is_none() {
            return true;
        }
        if is_phi && block == normal && used_in == home {
            return true;
        }
        let dominators = code.analyses.dominators(code.body);
        dominators.dominates(normal, used_in)
            && code
                .predecessors(normal)
                .iter()
                .all(|&from| from == home || dominators.dominates(normal, from))
    }

    /// A local value for messages.
    pub(super) fn local(&self, body: &Body, local: Local) -> String {
        match body.locals[local].name {
            Some(name) => format!("%{}", self.module.names.text(name)),
            None => String::from("a value"),
        }
    }
}
