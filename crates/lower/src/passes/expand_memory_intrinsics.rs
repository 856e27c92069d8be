//! Expands `llvm.memcpy` and its kin into loads and stores.
//!
//! | size | becomes |
//! |---|---|
//! | constant, up to [`STRAIGHT`] bytes | loads and stores one after the other |
//! | constant, larger | a loop with four accesses a turn, then the rest one after the other |
//! | known at run time | a loop of wide accesses, then a loop of bytes |
//!
//! Accesses are as wide as the known alignment of both sides allows, 16 bytes at most. A copy of up to
//! [`IN_FLIGHT`] accesses loads all before it stores: that hides latency, and is right for `memmove` too. A
//! larger `memmove` compares the addresses and copies from the end if it must.
//!
//! ```text
//!   memcpy.rs    memcpy, memmove         memset.rs    memset, memset.pattern
//!   aggregate.rs loads and stores of large aggregates
//! ```

mod aggregate;
mod memcpy;
mod memset;

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use aggregate::Plans;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::attribute::{AttrList, Attribute};
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::{Body, Def};
use warpc_nvvm::inst::{CallSiteId, Op};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Operand, Value};

/// Up to this many bytes are copied or set without a loop, as LLVM does it for this target.
const STRAIGHT: u64 = 128;

/// Up to this many values are loaded before the first is stored.
const IN_FLIGHT: u64 = 8;

/// The widest access in bytes.
const WIDEST: u64 = 16;

/// What an intrinsic does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Copy,
    Move,
    Set,
    SetPattern,
    /// Atomic element by element.
    Atomic,
}

const KINDS: &[(&[u8], Kind)] = &[
    (b"llvm.memcpy.element.unordered.atomic.", Kind::Atomic),
    (b"llvm.memmove.element.unordered.atomic.", Kind::Atomic),
    (b"llvm.memset.element.unordered.atomic.", Kind::Atomic),
    (b"llvm.memcpy.", Kind::Copy),
    (b"llvm.memmove.", Kind::Move),
    (b"llvm.memset.", Kind::Set),
    (b"llvm.experimental.memset.pattern.", Kind::SetPattern),
];

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let kinds: FxHashMap<GlobalId, Kind> = module
        .functions()
        .filter_map(|(id, global, _)| {
            let name = module.names.bytes(global.name?);
            let row = KINDS.iter().find(|row| name.starts_with(row.0))?;
            Some((id, row.1))
        })
        .collect();
    let kind_of = |module: &Module, body: &Body, inst: InstId| {
        let Op::Call(site) = body.insts[inst].op else {
            return None;
        };
        let callee = body.operands(inst).last()?.constant()?;
        let kind = kinds.get(&module.global_of(callee)?)?;
        Some((*kind, site))
    };
    edit_bodies(module, |editor| {
        let mut plans = Plans::new(editor.module, editor.body);
        let wanted = |module: &Module, body: &Body, inst| kind_of(module, body, inst).is_some();
        if plans.is_empty() && (kinds.is_empty() || !editor.any(wanted)) {
            return;
        }
        editor.rewrite(|editor, inst| {
            if plans.apply(editor, &context.layout, inst) {
                return Action::Remove;
            }
            let Some((kind, site)) = kind_of(editor.module, editor.body, inst) else {
                return Action::Keep;
            };
            if kind == Kind::Atomic {
                context.not_compiled(
                    editor.pos(),
                    "copies that are atomic element by element are not compiled",
                    "write a loop of atomic loads and stores",
                );
                return Action::Keep;
            }
            expand(editor, &context.layout, inst, kind, site);
            Action::Remove
        });
    });
}

fn expand(editor: &mut Editor, layout: &Layout, inst: InstId, kind: Kind, site: CallSiteId) {
    let attrs = editor.module.call_sites.get(site).attrs;
    let args: Vec<Value> = editor.body.operands(inst)[..4].to_vec();
    let volatile = editor.as_u64(args[3]) == Some(1);
    let to_align = alignment(editor, layout, attrs, 0, args[0]);
    match kind {
        Kind::Copy | Kind::Move => {
            let size = size_of(editor, args[2]);
            let align = to_align.min(alignment(editor, layout, attrs, 1, args[1]));
            let copy = memcpy::Copy {
                to: args[0],
                from: args[1],
                size,
                align,
                volatile,
            };
            match kind {
                Kind::Copy => memcpy::expand_copy(editor, &copy),
                _ => memcpy::expand_move(editor, &copy),
            }
        }
        _ => {
            let count = size_of(editor, args[2]);
            let set = memset::Set {
                to: args[0],
                value: args[1],
                count,
                align: to_align,
                volatile,
            };
            match kind {
                Kind::Set => memset::expand_set(editor, &set),
                _ => memset::expand_pattern(editor, layout, &set),
            }
        }
    }
}

/// A size as i64.
fn size_of(editor: &mut Editor, size: Value) -> Value {
    let i64 = editor.module.types.i64;
    match editor.as_u64(size) {
        Some(constant) => editor.int(i64, constant),
        None => editor.resize_unsigned(size, i64),
    }
}

/// What is known about the alignment of an argument, in bytes.
fn alignment(
    editor: &Editor,
    layout: &Layout,
    attrs: AttrList,
    index: usize,
    address: Value,
) -> u64 {
    let attributes = &editor.module.attributes;
    let name = editor.module.names.find(b"align");
    let given = name.and_then(|name| attributes.find(attributes.of_param(attrs, index), name));
    let given = match given {
        Some(Attribute::Int(_, bytes)) if bytes.is_power_of_two() => bytes,
        _ => 1,
    };
    given.max(natural_alignment(editor, layout, address))
}

/// The alignment that an address has because of what is there.
fn natural_alignment(editor: &Editor, layout: &Layout, address: Value) -> u64 {
    let (module, types) = (&*editor.module, &editor.module.types);
    let bytes = match editor.resolve(address).get() {
        Operand::Local(local) => match editor.body.locals[local].def {
            Def::Inst(inst) => match editor.body.insts[inst].op {
                Op::Alloca { ty, align, .. } => {
                    Some(align.bytes().unwrap_or_else(|| layout.align(types, ty)))
                }
                _ => None,
            },
            _ => None,
        },
        Operand::Const(constant) => match module.constants.get(constant).kind {
            ConstKind::Global(global) => match module.globals[global].kind {
                GlobalKind::Variable(_) => {
                    let global = &module.globals[global];
                    let natural = || layout.align(types, global.value_ty);
                    Some(global.align.bytes().unwrap_or_else(natural))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    bytes.unwrap_or(1)
}

/// The type of an access of some bytes, a power of two up to [`WIDEST`].
fn access_type(editor: &mut Editor, bytes: u64) -> TypeId {
    match bytes {
        16 => {
            let i32 = editor.module.types.i32;
            editor.vector_type(i32, 4)
        }
        _ => editor.int_type(bytes as u32 * 8),
    }
}

/// The accesses that cover `size` bytes from `start` on: offset and bytes of each. `align` is the
/// alignment of offset zero.
fn pieces(start: u64, size: u64, align: u64) -> Vec<(u64, u64)> {
    let mut pieces = Vec::new();
    let (mut at, end) = (start, start + size);
    while at < end {
        let mut bytes = align.min(WIDEST);
        while at % bytes != 0 || bytes > end - at {
            bytes /= 2;
        }
        pieces.push((at, bytes));
        at += bytes;
    }
    pieces
}

/// The address space of a pointer.
fn space_of(editor: &Editor, address: Value) -> u32 {
    match editor.module.types.get(editor.type_of(address)) {
        Type::Ptr(space) => space,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_each_byte_once_and_are_aligned() {
        for align in [1, 2, 4, 8, 16, 32] {
            for start in [0, 16, 48] {
                for size in 0..70 {
                    let mut at = start;
                    for (offset, bytes) in pieces(start, size, align) {
                        assert_eq!(offset, at);
                        assert!(bytes <= align && offset % bytes == 0);
                        at += bytes;
                    }
                    assert_eq!(at, start + size);
                }
            }
        }
        assert_eq!(pieces(0, 15, 8), [(0, 8), (8, 4), (12, 2), (14, 1)]);
    }
}
