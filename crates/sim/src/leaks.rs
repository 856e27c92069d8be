//! Blocks of the device's heap that nobody frees.

use crate::finding::{Finding, Problem, Told};
use crate::memory::{Block, Global};
use crate::program::Program;
use std::collections::BTreeMap;
use warpc_diag::{Diagnostic, Diagnostics, codes};
use warpc_ptx::Module;

/// What was left in the heap, by the `malloc` that gave it.
#[derive(Debug, Default)]
pub(crate) struct Leaks {
    of_step: BTreeMap<(u32, u32, u32), Leak>,
}

/// Blocks of one `malloc`.
#[derive(Debug)]
struct Leak {
    /// The warning, without its numbers.
    found: Diagnostic,
    /// Addresses of the blocks.
    blocks: Vec<u64>,
}

impl Leaks {
    /// Takes what the launch that has just ended left in the heap: its places are known now.
    pub(crate) fn collect(&mut self, global: &Global, program: &Program, module: &Module) {
        let left = global.left_in_heap();
        for (address, block) in left.iter().filter(|(_, b)| b.launch == global.launch) {
            let (code, pc) = block.made;
            let leak = self
                .of_step
                .entry((block.launch, code, pc))
                .or_insert_with(|| Leak {
                    found: finding(block).diagnostic(program, module),
                    blocks: Vec::new(),
                });
            leak.blocks.push(*address);
        }
    }

    /// A warning for each `malloc` whose blocks are still there.
    pub(crate) fn diagnostics(&self, global: &Global) -> Diagnostics {
        let left: BTreeMap<u64, Block> = global.left_in_heap().into_iter().collect();
        let mut diagnostics = Diagnostics::new();
        for ((launch, ..), leak) in &self.of_step {
            let blocks = leak.blocks.iter().filter_map(|address| left.get(address));
            let blocks = blocks.filter(|block| block.launch == *launch);
            let (count, bytes) = blocks.fold((0, 0), |(n, bytes), b| (n + 1, bytes + b.bytes));
            if count == 0 {
                continue;
            }
            let mut found = leak.found.clone();
            found.message = match count {
                1 => format!("{bytes} bytes of this `malloc` were not freed"),
                _ => format!("{bytes} bytes in {count} blocks of this `malloc` were not freed"),
            };
            diagnostics.push(found);
        }
        diagnostics
    }
}

fn finding(block: &Block) -> Finding {
    Finding {
        problem: Problem::Told(Box::new(Told {
            code: codes::LEAK,
            warning: true,
            message: String::new(),
            help: "`free` every block on every path, or keep its address for a later kernel: blocks of the \
                   device's heap live beyond the end of the kernel"
                .to_owned(),
            related: Vec::new(),
        })),
        block: block.by.0,
        thread: block.by.1,
        code: block.made.0 as usize,
        pc: block.made.1 as usize,
        rank: 0,
    }
}
