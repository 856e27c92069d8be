//! Expands intrinsics on vectors: PTX has vectors only in memory accesses and packed arithmetic.
//!
//! | intrinsics | file | become |
//! |---|---|---|
//! | `llvm.vector.reduce.*`, `partial.reduce.*` | `reduce.rs` | a tree of operations; in order if order matters |
//! | `insert extract reverse splice interleave deinterleave` | `rearrange.rs` | `shufflevector` |
//! | `llvm.stepvector`, `get.active.lane.mask`, `cttz.elts` | `rearrange.rs` | constants, comparisons |
//! | `llvm.masked.*` | `masked.rs` | an access for each lane, under its mask |
//!
//! `llvm.vp.*`, the other intrinsics on vectors and vectors of a length known only at run time are refused
//! by name.

mod masked;
mod rearrange;
mod reduce;

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::Op;
use warpc_nvvm::layout::Layout;
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};

/// Expands a call: the name without `llvm.`, the call, its arguments. `None` if it cannot be done.
type Expand = fn(&mut Editor, &Layout, &str, &Call) -> Option<Action>;

/// A call of an intrinsic.
struct Call {
    inst: InstId,
    args: Vec<Value>,
}

/// Intrinsics by the start of their names; the first that fits counts.
const ROWS: &[(&str, Expand)] = &[
    ("vector.reduce.", reduce::expand),
    ("vector.partial.reduce.", reduce::expand_partial),
    ("vector.", rearrange::expand),
    ("stepvector.", rearrange::expand_steps),
    ("get.active.lane.mask.", rearrange::expand_active_lanes),
    ("experimental.cttz.elts.", rearrange::expand_count_zeros),
    ("masked.", masked::expand),
    ("experimental.vector.", |_, _, _, _| None),
    ("vp.", |_, _, _, _| None),
    ("vscale.", |_, _, _, _| None),
];

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let rows: FxHashMap<GlobalId, (String, Expand)> = module
        .functions()
        .filter_map(|(id, global, _)| {
            let name = module.names.text(global.name?);
            let name = name.strip_prefix("llvm.")?;
            let row = ROWS.iter().find(|row| name.starts_with(row.0))?;
            Some((id, (name.to_owned(), row.1)))
        })
        .collect();
    let scalable = module
        .types
        .iter()
        .any(|(_, ty)| matches!(ty, Type::Vector { scalable: true, .. }));
    if rows.is_empty() && !scalable {
        return;
    }
    edit_bodies(module, |editor| {
        if scalable && refuse_scalable(editor, context) {
            return;
        }
        let row_of = |module: &Module, body: &Body, inst: InstId| {
            let Op::Call(_) = body.insts[inst].op else {
                return None;
            };
            let callee = body.operands(inst).last()?.constant()?;
            rows.get(&module.global_of(callee)?)
        };
        if !editor.any(|module, body, inst| row_of(module, body, inst).is_some()) {
            return;
        }
        editor.rewrite(|editor, inst| {
            let Some((name, expand)) = row_of(editor.module, editor.body, inst) else {
                return Action::Keep;
            };
            let operands = editor.body.operands(inst);
            let args = operands[..operands.len() - 1].to_vec();
            let call = Call { inst, args };
            let expanded = expand(editor, &context.layout, name, &call);
            expanded.unwrap_or_else(|| {
                context.not_compiled(
                    editor.pos(),
                    format!("`llvm.{name}` is not compiled"),
                    "write it with operations on elements",
                );
                Action::Keep
            })
        });
    });
}

/// Refuses vectors of a length known only at run time.
fn refuse_scalable(editor: &Editor, context: &mut Context) -> bool {
    let is_scalable = |ty| {
        let ty = editor.module.types.get(ty);
        matches!(ty, Type::Vector { scalable: true, .. })
    };
    let mut found = false;
    for &block in &editor.body.order {
        for &inst in &editor.body.blocks[block].insts {
            let data = &editor.body.insts[inst];
            let operands = editor.body.operands(inst).iter();
            let mut types = operands
                .map(|&value| editor.type_of(value))
                .chain([data.ty]);
            if types.any(is_scalable) {
                found = true;
                context.refuse(
                    data.pos,
                    "a GPU has no vectors of a length known only at run time",
                    "use vectors of a fixed length",
                );
            }
        }
    }
    found
}

/// How many elements a value has.
fn lanes(editor: &Editor, value: Value) -> u32 {
    match editor.module.types.get(editor.type_of(value)) {
        Type::Vector { len, .. } => len,
        _ => 1,
    }
}
