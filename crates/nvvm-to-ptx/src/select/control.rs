//! The ends of blocks: jumps, returns, and the moves that phis stand for.
//!
//! The operands of phis are moved into their registers at the end of the block before, all at once. If
//! that block can go elsewhere as well, the moves stand in a section of their own on the way.

use super::Selector;
use crate::code::{Arg, End, Label, Line, Reg, Section};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::inst::Op;
use warpc_nvvm::value::{Block, InstId, Value};

impl Selector<'_, '_> {
    /// Selects the last instruction of a block.
    pub(super) fn terminator(&mut self, block: Block, inst: InstId) -> Result<End, Refused> {
        let operands = self.body.operands(inst);
        match self.body.insts[inst].op {
            Op::Ret => {
                self.return_value(operands.first().copied())?;
                Ok(End::Stop)
            }
            Op::Unreachable => {
                self.emit("trap", &[])?;
                self.emit("exit", &[])?;
                Ok(End::Stop)
            }
            Op::Br => {
                let to = self.target(operands[0])?;
                self.moves(block, to)?;
                Ok(End::Jump(Label::Block(to)))
            }
            Op::CondBr => {
                let (yes, no) = (self.target(operands[1])?, self.target(operands[2])?);
                if yes == no {
                    self.moves(block, yes)?;
                    return Ok(End::Jump(Label::Block(yes)));
                }
                if let Some(truth) = self.integer(operands[0]) {
                    let to = if truth & 1 == 1 { yes } else { no };
                    self.moves(block, to)?;
                    return Ok(End::Jump(Label::Block(to)));
                }
                let (predicate, negated) = self.condition(operands[0])?;
                let yes = self.edge(block, yes)?;
                let no = self.edge(block, no)?;
                Ok(End::Branch {
                    predicate,
                    negated,
                    yes,
                    no,
                })
            }
            Op::Switch => self.switch(block, operands),
            _ => Err(self.unsupported(inst)),
        }
    }

    pub(super) fn target(&self, value: Value) -> Result<Block, Refused> {
        value
            .block()
            .ok_or_else(|| self.refuse(codes::UNSUPPORTED, "this jump goes to no block"))
    }

    /// Where to jump to get to a block: the block, or a section that does the moves of its phis first.
    pub(super) fn edge(&mut self, from: Block, to: Block) -> Result<Label, Refused> {
        let before = std::mem::take(&mut self.lines);
        let made = self.moves(from, to);
        let lines = std::mem::replace(&mut self.lines, before);
        made?;
        if lines.is_empty() {
            return Ok(Label::Block(to));
        }
        let label = self.code.label();
        self.edges.push(Section {
            label,
            lines,
            end: End::Jump(Label::Block(to)),
        });
        Ok(label)
    }

    /// Moves the operands of the phis of a block into their registers.
    fn moves(&mut self, from: Block, to: Block) -> Result<(), Refused> {
        let body = self.body;
        let mut moves: Vec<(Reg, Arg)> = Vec::new();
        for &inst in &body.blocks[to].insts {
            if !matches!(body.insts[inst].op, Op::Phi) {
                break;
            }
            let Some(local) = body.insts[inst].local() else {
                continue;
            };
            if !self.live[warpc_nvvm::index::Id::index(local)] {
                continue;
            }
            let operands = body.operands(inst);
            let pair = operands
                .chunks(2)
                .find(|pair| pair[1].block() == Some(from));
            let Some(&[value, _]) = pair else {
                continue;
            };
            if self.is_undefined(value) {
                continue;
            }
            let targets = self.local(local)?;
            let sources = self.args(value)?;
            moves.extend(targets.iter().copied().zip(sources));
        }
        self.move_all(moves)
    }

    /// Whether a value may be anything.
    pub(super) fn is_undefined(&self, value: Value) -> bool {
        use warpc_nvvm::constant::ConstKind::{Poison, Undef};
        let kind = value
            .constant()
            .map(|id| self.module.constants.get(id).kind);
        matches!(kind, Some(Undef | Poison))
    }

    /// Moves operands into registers as if all at once: a register that is still read is written later, and
    /// a ring is opened by one register more.
    pub(super) fn move_all(&mut self, mut moves: Vec<(Reg, Arg)>) -> Result<(), Refused> {
        moves.retain(|&(to, from)| Arg::Reg(to) != from);
        while !moves.is_empty() {
            let free = moves
                .iter()
                .position(|&(to, _)| moves.iter().all(|&(_, from)| from != Arg::Reg(to)));
            match free {
                Some(index) => {
                    let (to, from) = moves.remove(index);
                    self.copy(to, from.as_bits())?;
                }
                None => {
                    let (to, _) = moves[0];
                    let class = self.code.class(to);
                    let kept = self.code.reg(class);
                    self.copy(kept, to.into())?;
                    for (_, from) in &mut moves {
                        if *from == Arg::Reg(to) {
                            *from = kept.into();
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a line that is not an instruction.
    pub(super) fn line(&mut self, line: Line) {
        self.lines.push(line);
    }
}
