//! A kernel that uses local memory begins with the top of its stack, which grows down.

use crate::build::special::{STACK, stack_top};
use crate::ir::{Function, Inst, Op, Operand};
use crate::pattern;
use warpc_diag::Span;

/// What a frame is a multiple of.
const ALIGNMENT: u32 = 16;

/// Puts the instructions in front; nothing if the chip does not have them.
pub fn enter_frame(function: &mut Function) -> Option<()> {
    function.frame = function.frame.next_multiple_of(ALIGNMENT);
    if function.frame == 0 {
        return Some(());
    }
    let texts = [
        stack_top(function.sm),
        format!("IADD3 R{STACK}, R{STACK}, -{:#x}, RZ", function.frame),
    ];
    let mut front = Vec::new();
    for text in texts {
        let inst = &pattern::find(function.sm, &text)?.inst;
        let operands = inst.operands.iter().map(|one| Operand {
            op: Op::Value(one.value),
            marks: one.marks,
        });
        front.push(Inst {
            shape: inst.shape,
            guard: None,
            operands: operands.collect(),
            span: Span::default(),
            origin: None,
        });
    }
    function.blocks.first_mut()?.insts.splice(0..0, front);
    Some(())
}
