//! Splits accesses to whole structs and arrays on the stack into accesses to their members.
//!
//! ```text
//!   store { ptr, i64 } %s, ptr %a   ──►   %0 = extractvalue { ptr, i64 } %s, 0
//!                                         store ptr %0, ptr %a
//!                                         %1 = extractvalue { ptr, i64 } %s, 1
//!                                         %2 = getelementptr i8, ptr %a, i64 8
//!                                         store i64 %1, ptr %2
//! ```
//!
//! Front ends that keep every variable on the stack (Numba) move whole structs. In pieces the variables become
//! values. Elsewhere in memory such accesses stay: selection makes wide ones of them.

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{Access, CastOp, Op, Ordering};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::{Type, TypeId, Types};
use warpc_nvvm::value::Value;

/// Accesses to more members than this stay whole.
const MAX_MEMBERS: usize = 64;

/// How deep structs and arrays stand in each other in what is taken apart.
const MAX_NESTING: u32 = 64;

/// How many elements and casts are looked through to find the variable.
const MAX_STEPS: usize = 8;

pub(super) fn run(module: &mut Module, context: &mut Context) {
    if context.options.level == 0 {
        return;
    }
    let layout = &context.layout;
    edit_bodies(module, |editor| {
        let has_stack =
            editor.any(|_, body, inst| matches!(body.insts[inst].op, Op::Alloca { .. }));
        if !has_stack {
            return;
        }
        editor.rewrite(|editor, inst| {
            let data = editor.body.insts[inst];
            let operands = editor.body.operands(inst).to_vec();
            match data.op {
                Op::Load(access) if is_split(editor, operands[0], data.ty, access) => {
                    let splitter = Splitter::new(editor, layout, data.ty, access);
                    Action::Replace(splitter.load(editor, data.ty, operands[0], 0))
                }
                Op::Store(access) => {
                    let ty = editor.type_of(operands[0]);
                    if !is_split(editor, operands[1], ty, access) {
                        return Action::Keep;
                    }
                    let splitter = Splitter::new(editor, layout, ty, access);
                    splitter.store(editor, operands[0], operands[1], 0);
                    Action::Remove
                }
                _ => Action::Keep,
            }
        });
    });
}

/// Whether an access is to a struct or array of a variable on the stack, and small enough.
fn is_split(editor: &Editor, address: Value, ty: TypeId, access: Access) -> bool {
    let types = &editor.module.types;
    let aggregate = matches!(
        types.get(ty),
        Type::Struct { .. } | Type::Named(_) | Type::Array { .. }
    );
    aggregate
        && !access.volatile
        && access.ordering == Ordering::Weak
        && (1..=MAX_MEMBERS).contains(&count_members(
            types,
            ty,
            MAX_NESTING,
            &mut FxHashMap::default(),
        ))
        && is_on_stack(editor, address)
}

/// How many members that are not aggregates a type has; more than [`MAX_MEMBERS`] if there are too many to count.
fn count_members(
    types: &Types,
    ty: TypeId,
    depth: u32,
    known: &mut FxHashMap<TypeId, usize>,
) -> usize {
    let Some(depth) = depth.checked_sub(1) else {
        return MAX_MEMBERS + 1;
    };
    if let Some(&count) = known.get(&ty) {
        return count;
    }
    let count = match types.get(ty) {
        Type::Array { element, len } => {
            let len = usize::try_from(len).unwrap_or(usize::MAX);
            len.saturating_mul(count_members(types, element, depth, known))
        }
        Type::Struct { .. } | Type::Named(_) => {
            let fields = types.fields(ty).unwrap_or_default();
            let mut count = 0usize;
            for &field in fields {
                count += count_members(types, field, depth, known);
                if count > MAX_MEMBERS {
                    break;
                }
            }
            count
        }
        _ => 1,
    };
    // Counted once: it may stand in others very often and have no member all the same.
    let count = count.min(MAX_MEMBERS + 1);
    known.insert(ty, count);
    count
}

fn is_on_stack(editor: &Editor, address: Value) -> bool {
    let mut value = address;
    for _ in 0..MAX_STEPS {
        let Some(local) = value.local() else {
            return false;
        };
        let Def::Inst(inst) = editor.body.locals[local].def else {
            return false;
        };
        match editor.body.insts[inst].op {
            Op::Alloca { .. } => return true,
            Op::Gep { .. } | Op::Cast(CastOp::Addrspacecast | CastOp::Bitcast) => {
                value = editor.resolve(editor.body.operands(inst)[0]);
            }
            _ => return false,
        }
    }
    false
}

struct Splitter<'l> {
    layout: &'l Layout,
    /// The alignment of the whole: a member of a packed struct may want more by its own type.
    whole: u64,
}

impl<'l> Splitter<'l> {
    fn new(editor: &Editor, layout: &'l Layout, ty: TypeId, access: Access) -> Splitter<'l> {
        let natural = layout.align(&editor.module.types, ty);
        let whole = access.align.bytes().unwrap_or(natural);
        Splitter { layout, whole }
    }

    /// The types of the members and where they start.
    fn members(&self, editor: &Editor, ty: TypeId) -> Option<Vec<(TypeId, u64)>> {
        let types = &editor.module.types;
        let count = match types.get(ty) {
            Type::Array { len, .. } => len,
            Type::Struct { .. } | Type::Named(_) => types.fields(ty)?.len() as u64,
            _ => return None,
        };
        let member = |index| {
            let offset = self.layout.offset(types, ty, index)?;
            Some((types.member(ty, index)?, offset))
        };
        (0..count).map(member).collect()
    }

    /// The alignment that is known at an offset.
    fn align(&self, offset: u64) -> u64 {
        match offset {
            0 => self.whole,
            offset => self.whole.min(1 << offset.trailing_zeros()),
        }
    }

    fn load(&self, editor: &mut Editor, ty: TypeId, address: Value, offset: u64) -> Value {
        // What has no bytes is not looked into: it may hold very many others that have none.
        if self.layout.size(&editor.module.types, ty) == 0 {
            return editor.poison(ty);
        }
        let Some(members) = self.members(editor, ty) else {
            let align = self.align(offset);
            let place = place(editor, address, offset);
            return editor.load(ty, place, align, false);
        };
        let mut whole = editor.poison(ty);
        for (index, (member, at)) in members.into_iter().enumerate() {
            let value = self.load(editor, member, address, offset + at);
            whole = editor.with_member(whole, value, index as u32);
        }
        whole
    }

    fn store(&self, editor: &mut Editor, value: Value, address: Value, offset: u64) {
        let ty = editor.type_of(value);
        if self.layout.size(&editor.module.types, ty) == 0 {
            return;
        }
        let Some(members) = self.members(editor, ty) else {
            let align = self.align(offset);
            let place = place(editor, address, offset);
            editor.store(value, place, align, false);
            return;
        };
        for (index, (_, at)) in members.into_iter().enumerate() {
            let member = editor.member(value, index as u32);
            self.store(editor, member, address, offset + at);
        }
    }
}

/// An address some bytes further on.
fn place(editor: &mut Editor, address: Value, offset: u64) -> Value {
    match offset {
        0 => address,
        offset => editor.offset(address, offset),
    }
}
