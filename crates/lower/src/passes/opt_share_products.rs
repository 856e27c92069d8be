//! Computes a product of 64 bits or more once in a block.
//!
//! ```text
//!   %a = mul i64 %x, %y          %a = mul i64 %x, %y
//!   %b = add i64 %a, 1     ──►   %b = add i64 %a, 1
//!   %c = mul i64 %x, %y
//!   %d = add i64 %c, 2           %d = add i64 %a, 2
//! ```
//!
//! LLVM's passes leave such products when they take sums apart. Selection makes a multiplication with an addition of a product
//! that is read once, so that equal ones are not found any more. One of 64 bits takes three or four instructions of the
//! machine, and an addition two. Narrower products stay: with an addition they are one instruction.

use crate::edit::{Action, edit_bodies};
use crate::pass::Context;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{BinaryOp, Flags, Op};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};

pub(super) fn run(module: &mut Module, _: &mut Context) {
    edit_bodies(module, |editor| {
        if !editor.any(is_product) {
            return;
        }
        let mut known: FxHashMap<(Value, Value), Value> = FxHashMap::default();
        let mut block = None;
        editor.rewrite(|editor, inst| {
            if block != Some(editor.block()) {
                block = Some(editor.block());
                known.clear();
            }
            if !is_product(editor.module, editor.body, inst) {
                return Action::Keep;
            }
            let operands = editor.body.operands(inst);
            let (x, y) = (editor.resolve(operands[0]), editor.resolve(operands[1]));
            match known.get(&(x, y)) {
                Some(&product) => {
                    // What must not overflow there may overflow here.
                    editor.set_flags(product, Flags::empty());
                    Action::Replace(product)
                }
                None => {
                    if let Some(local) = editor.body.insts[inst].local() {
                        known.insert((x, y), local.into());
                    }
                    Action::Keep
                }
            }
        });
    });
}

/// Whether an instruction is a product of 64 bits or more.
fn is_product(module: &Module, body: &Body, inst: InstId) -> bool {
    let data = &body.insts[inst];
    let is_wide = matches!(module.types.get(data.ty), Type::Int(bits) if bits > 32);
    matches!(data.op, Op::Binary(BinaryOp::Mul)) && is_wide
}
