//! Which values may differ between the threads of a warp, and which branches they may take differently.
//!
//! ```text
//!   sources: what tells a thread who it is, its own memory, what atomics give back, results of calls,
//!            parameters of functions that are not kernels
//!   a value differs   if an operand does (votes and other reductions of a warp give all threads the same)
//!   a branch differs  if its condition does; then so do the phis where its ways meet again, and what a
//!                     loop that threads leave at different times has computed, outside of that loop
//! ```
//!
//! "May": what is said not to differ does not differ between threads that execute it together.

use super::{Analyses, Cfg};
use crate::function::{Body, Def};
use crate::index::Id;
use crate::inst::Op;
use crate::module::Module;
use crate::value::{Block, InstId, Local, Operand, Value};

/// The answer for one body.
#[derive(Clone, Debug, Default)]
pub struct Divergence {
    values: Vec<bool>,
    branches: Vec<bool>,
}

/// Special registers that differ within a warp.
const OWN: [&[u8]; 10] = [
    b"tid.",
    b"laneid",
    b"lanemask.",
    b"clock",
    b"clock64",
    b"globaltimer",
    b"pm",
    b"clock.hi",
    b"globaltimer.lo",
    b"globaltimer.hi",
];

/// Intrinsics that give all threads that execute them together the same, whatever they are given.
const SHARED: [&[u8]; 6] = [
    b"llvm.nvvm.vote.",
    b"llvm.nvvm.redux.sync.",
    b"llvm.nvvm.barrier.cta.red.",
    b"llvm.nvvm.barrier0.",
    b"llvm.nvvm.activemask",
    b"llvm.nvvm.match.all.",
];

/// What an intrinsic does to differences.
enum Effect {
    /// Its result differs.
    Source,
    /// Its result differs if an operand does.
    Through,
    /// Its result is the same for all.
    Uniform,
}

fn effect(name: &[u8]) -> Effect {
    if let Some(register) = name.strip_prefix(b"llvm.nvvm.read.ptx.sreg.") {
        return match OWN.iter().any(|own| register.starts_with(own)) {
            true => Effect::Source,
            false => Effect::Uniform,
        };
    }
    if SHARED.iter().any(|shared| name.starts_with(shared)) {
        return Effect::Uniform;
    }
    let lanes = [
        &b"llvm.nvvm.shfl."[..],
        b"llvm.nvvm.match.any.",
        b"llvm.nvvm.elect.",
        b"llvm.nvvm.wmma.",
        b"llvm.nvvm.mma.",
        b"llvm.nvvm.ldmatrix.",
        b"llvm.nvvm.atomic.",
    ];
    match name.starts_with(b"llvm.") && !lanes.iter().any(|lane| name.starts_with(lane)) {
        true => Effect::Through,
        false => Effect::Source,
    }
}

impl Divergence {
    /// Works it out. `is_kernel` says whether the parameters are the same for all threads.
    pub fn new(module: &Module, body: &Body, analyses: &Analyses, is_kernel: bool) -> Divergence {
        let mut walk = Walk {
            module,
            body,
            analyses,
            homes: homes(body),
            found: Divergence {
                values: vec![false; body.locals.len()],
                branches: vec![false; body.blocks.len()],
            },
            work: Vec::new(),
            seen: vec![0; body.blocks.len()],
            turn: 0,
        };
        for (local, def) in body.locals.iter() {
            let source = match def.def {
                Def::Param(_) => !is_kernel,
                Def::Inst(inst) => walk.is_source(inst),
                Def::Pending => true,
            };
            if source {
                walk.mark(local);
            }
        }
        while let Some(local) = walk.work.pop() {
            for site in analyses.uses(body).of(local) {
                walk.reaches(site.inst);
            }
        }
        walk.found
    }

    /// Whether a value may differ between threads.
    pub fn value(&self, value: Value) -> bool {
        match value.get() {
            Operand::Local(local) => self.values.get(local.index()).copied().unwrap_or(true),
            _ => false,
        }
    }

    /// Whether threads may leave a block in different ways.
    pub fn branch(&self, block: Block) -> bool {
        self.branches.get(block.index()).copied().unwrap_or(true)
    }
}

/// The block of each instruction.
fn homes(body: &Body) -> Vec<Option<Block>> {
    let mut homes = vec![None; body.insts.len()];
    for &block in &body.order {
        for &inst in &body.blocks[block].insts {
            homes[inst.index()] = Some(block);
        }
    }
    homes
}

struct Walk<'a> {
    module: &'a Module,
    body: &'a Body,
    analyses: &'a Analyses,
    homes: Vec<Option<Block>>,
    found: Divergence,
    work: Vec<Local>,
    /// For each block the last turn in which [`Walk::between`] met it.
    seen: Vec<u32>,
    /// How often it was asked.
    turn: u32,
}

impl Walk<'_> {
    fn mark(&mut self, local: Local) {
        if !std::mem::replace(&mut self.found.values[local.index()], true) {
            self.work.push(local);
        }
    }

    fn callee(&self, inst: InstId) -> Option<&[u8]> {
        let callee = self.body.operands(inst).last()?.constant()?;
        let global = self.module.global_of(callee)?;
        Some(self.module.names.bytes(self.module.globals[global].name?))
    }

    /// Whether the result differs whatever the operands are.
    fn is_source(&self, inst: InstId) -> bool {
        match self.body.insts[inst].op {
            Op::Alloca { .. } | Op::CmpXchg { .. } | Op::AtomicRmw(..) | Op::VaArg => true,
            Op::Call(_) | Op::Invoke(_) | Op::CallBr(..) => self
                .callee(inst)
                .is_none_or(|name| matches!(effect(name), Effect::Source)),
            _ => false,
        }
    }

    /// An instruction has an operand that differs.
    fn reaches(&mut self, inst: InstId) {
        let op = self.body.insts[inst].op;
        if let Op::CondBr | Op::Switch | Op::IndirectBr | Op::Invoke(_) | Op::CallBr(..) = op
            && let Some(block) = self.homes[inst.index()]
        {
            self.branch_differs(block);
        }
        let shared = matches!(op, Op::Call(_))
            && self
                .callee(inst)
                .is_some_and(|name| matches!(effect(name), Effect::Uniform));
        if let Some(local) = self.body.insts[inst].local()
            && !shared
        {
            self.mark(local);
        }
    }

    fn branch_differs(&mut self, block: Block) {
        if std::mem::replace(&mut self.found.branches[block.index()], true) {
            return;
        }
        let cfg = self.analyses.cfg(self.body);
        let join = self.analyses.post_dominators(self.body).immediate(block);
        let region = self.between(cfg, block, join);
        // Where ways from the branch meet, what they bring differs.
        for &inside in region.iter().chain(&join) {
            let ways = cfg.predecessors(inside).iter();
            let met = |from: Block| self.seen[from.index()] == self.turn;
            let ways = ways.filter(|&&from| from == block || met(from));
            if ways.count() < 2 {
                continue;
            }
            for &inst in &self.body.blocks[inside].insts {
                if self.body.insts[inst].op == Op::Phi
                    && let Some(local) = self.body.insts[inst].local()
                {
                    self.mark(local);
                }
            }
        }
        // Threads that leave a loop at different times take different turns' values along.
        let loops = self.analyses.loops(self.body);
        let Some(id) = loops.of(block) else {
            return;
        };
        let leaves = |to: &&Block| !loops.contains(id, **to);
        if cfg.successors(block).iter().find(leaves).is_none() {
            return;
        }
        let uses = self.analyses.uses(self.body);
        for &inside in &loops.get(id).blocks {
            for &inst in &self.body.blocks[inside].insts {
                let Some(local) = self.body.insts[inst].local() else {
                    continue;
                };
                let outside = |inst: InstId| {
                    let home = self.homes[inst.index()];
                    home.is_none_or(|block| !loops.contains(id, block))
                };
                if uses.of(local).iter().any(|site| outside(site.inst)) {
                    self.mark(local);
                }
            }
        }
    }

    /// The blocks that are reached from a block before another; they are marked as seen in this turn.
    fn between(&mut self, cfg: &Cfg, from: Block, join: Option<Block>) -> Vec<Block> {
        self.turn += 1;
        let mut found = Vec::new();
        let mut work: Vec<Block> = cfg.successors(from).to_vec();
        while let Some(block) = work.pop() {
            let seen = &mut self.seen[block.index()];
            if Some(block) == join || std::mem::replace(seen, self.turn) == self.turn {
                continue;
            }
            found.push(block);
            work.extend(cfg.successors(block));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::GlobalKind;
    use warpc_diag::SourceFile;

    /// The names of the values of the function `f` that differ, and of the blocks whose branch does.
    fn differing(text: &str) -> (Vec<String>, Vec<String>) {
        let text = format!(
            "{text}\ndeclare i32 @llvm.nvvm.read.ptx.sreg.laneid()\n\
             declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
             declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
        );
        let file = SourceFile::new("f.ll", text).unwrap();
        let module = crate::read_text(&file).unwrap();
        let body = module.functions().find_map(|(_, _, f)| f.body.as_ref());
        let body = body.expect("one function has a body");
        let analyses = Analyses::default();
        let found = Divergence::new(&module, body, &analyses, true);
        let values = body
            .locals
            .iter()
            .filter(|(local, _)| found.value((*local).into()));
        let name = |name: Option<crate::name::Name>| {
            name.map_or(String::new(), |name| module.names.text(name).into_owned())
        };
        let values = values.map(|(_, def)| name(def.name)).collect();
        let blocks = body.order.iter().filter(|&&block| found.branch(block));
        let blocks = blocks.map(|&block| name(body.blocks[block].name)).collect();
        assert!(
            matches!(
                module.globals[module.order[0]].kind,
                GlobalKind::Function(_)
            ),
            "the function stands first"
        );
        (values, blocks)
    }

    #[test]
    fn what_meets_behind_a_branch_differs() {
        let (values, blocks) = differing(
            "define void @f(ptr %p, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %low = icmp ult i32 %lane, 16
  %first = icmp eq i32 %block, %n
  br i1 %low, label %yes, label %join
yes:
  br label %join
join:
  %x = phi i32 [ 1, %entry ], [ 2, %yes ]
  br i1 %first, label %more, label %end
more:
  br label %end
end:
  %y = phi i32 [ 1, %join ], [ 2, %more ]
  %votes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %low)
  %z = add i32 %votes, %y
  %w = add i32 %z, %x
  store i32 %w, ptr %p
  ret void
}",
        );
        assert_eq!(values, ["lane", "low", "x", "w"]);
        assert_eq!(blocks, ["entry"]);
    }

    #[test]
    fn a_loop_left_at_different_times() {
        let (values, blocks) = differing(
            "define void @f(ptr %p) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %twice = mul i32 %i, 2
  %more = icmp ult i32 %next, %lane
  br i1 %more, label %loop, label %end
end:
  %after = add i32 %next, 1
  store i32 %after, ptr %p
  ret void
}",
        );
        assert!(values.contains(&"after".to_owned()), "{values:?}");
        assert_eq!(blocks, ["loop"]);
    }
}
