//! Joins loads and stores of neighbours into accesses of vectors.
//!
//! ```text
//!   %a = load float, ptr %p, align 8            %v = load <2 x float>, ptr %p, align 8
//!   %q = getelementptr i8, ptr %p, i64 4   ──►  %a = extractelement <2 x float> %v, i64 0
//!   %b = load float, ptr %q                     %b = extractelement <2 x float> %v, i64 1
//! ```
//!
//! One wide access costs as much as one narrow one, and ptxas cannot join them: it does not know the
//! alignment. The rules, block by block:
//!
//! - Loads move up to the first of them, past writes that cannot touch what they read ([`chain`]).
//! - Stores move down to the last of them, past accesses that cannot touch what they write.
//! - Neighbours are addresses with the same parts that differ by a constant ([`address`]).
//! - The alignment of the first must be known to be that of the whole: 16 bytes at most, a power of two.

mod address;
mod chain;

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use chain::Member;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{Access, CastOp, Op, Ordering};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::metadata::NodeKind;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

/// The bytes of the widest access.
const WIDEST: u64 = 16;

pub(super) fn run(module: &mut Module, context: &mut Context) {
    if context.options.level == 0 {
        return;
    }
    edit_bodies(module, |editor| {
        let chunks = chain::chunks(editor.module, editor.body, editor.function, &context.layout);
        if !chunks.is_empty() {
            join(editor, chunks);
        }
    });
}

/// Accesses that become one: in the order of their addresses.
#[derive(Debug)]
struct Chunk {
    members: Vec<Member>,
    /// The member whose place the vector takes.
    place: InstId,
    loads: bool,
}

/// The bytes of a value that can be part of a vector, if an access is plain.
fn element_size(module: &Module, layout: &Layout, access: Access, ty: TypeId) -> Option<u64> {
    let plain = !access.volatile && access.ordering == Ordering::Weak;
    let bits = match module.types.get(ty) {
        Type::Int(bits @ (8 | 16 | 32 | 64)) => bits,
        Type::Half | Type::BFloat => 16,
        Type::Float => 32,
        Type::Double => 64,
        Type::Ptr(space) => layout.pointer_bits(space),
        _ => return None,
    };
    plain.then_some(u64::from(bits) / 8)
}

/// What a load gives or a store writes.
fn accessed_type(module: &Module, body: &Body, inst: InstId) -> TypeId {
    match body.insts[inst].op {
        Op::Store(_) => module.type_of(body, body.operands(inst)[0]),
        _ => body.insts[inst].ty,
    }
}

/// The address of a load or store.
fn address_of(body: &Body, inst: InstId) -> Value {
    let operands = body.operands(inst);
    match body.insts[inst].op {
        Op::Store(_) => operands[1],
        _ => operands[0],
    }
}

fn join(editor: &mut Editor, chunks: Vec<Chunk>) {
    let mut of_inst: FxHashMap<InstId, usize> = FxHashMap::default();
    for (number, chunk) in chunks.iter().enumerate() {
        for member in &chunk.members {
            of_inst.insert(member.inst, number);
        }
    }
    editor.rewrite(|editor, inst| {
        let Some(&number) = of_inst.get(&inst) else {
            return Action::Keep;
        };
        let chunk = &chunks[number];
        if chunk.place != inst {
            // A load has been replaced at the first of its kind, a store will be made at the last.
            return match editor.body.insts[inst].local() {
                Some(local) => Action::Replace(editor.resolve(local.into())),
                None => Action::Remove,
            };
        }
        match chunk.loads {
            true => load(editor, chunk),
            false => store(editor, chunk),
        }
    });
}

/// The type of an element: the one that all members have, else an integer of that size.
fn element_type(editor: &mut Editor, chunk: &Chunk) -> TypeId {
    let mut types = chunk
        .members
        .iter()
        .map(|member| accessed_type(editor.module, editor.body, member.inst));
    let first = types.next();
    let same = types.all(|ty| Some(ty) == first);
    match first {
        Some(ty) if same && !editor.module.types.is_ptr(ty) => ty,
        _ => editor.int_type(chunk.members[0].size as u32 * 8),
    }
}

/// The address of the first member, from that of the member whose place the vector takes.
fn start_address(editor: &mut Editor, chunk: &Chunk) -> Value {
    let address = address_of(editor.body, chunk.place);
    let place = chunk.members.iter().find(|m| m.inst == chunk.place);
    let offset = place.map_or(0, |place| chunk.members[0].offset - place.offset);
    editor.offset(address, offset as u64)
}

fn load(editor: &mut Editor, chunk: &Chunk) -> Action {
    let element = element_type(editor, chunk);
    let ty = editor.vector_type(element, chunk.members.len() as u32);
    let total = chunk.members.len() as u64 * chunk.members[0].size;
    let address = start_address(editor, chunk);
    let vector = editor.load(ty, address, total, false);
    keep_promises(editor, chunk);
    let mut own = vector;
    for (index, member) in chunk.members.iter().enumerate() {
        let part = editor.element(vector, index as u64);
        let wanted = editor.body.insts[member.inst].ty;
        let part = converted(editor, part, wanted);
        if member.inst == chunk.place {
            own = part;
        } else if let Some(local) = editor.body.insts[member.inst].local() {
            editor.replace(local, part);
        }
    }
    Action::Replace(own)
}

/// What all loads promise (`!invariant.load`) the vector promises, too.
fn keep_promises(editor: &mut Editor, chunk: &Chunk) {
    let Some(kind) = editor.module.names.find(b"invariant.load") else {
        return;
    };
    let promised = chunk.members.iter().all(|member| {
        let attachments = editor.body.attachments_of(member.inst);
        attachments.iter().any(|other| other.kind == kind)
    });
    let last = editor.body.blocks[editor.block()].insts.last().copied();
    if let (true, Some(inst)) = (promised, last) {
        let node = editor.module.metadata.intern(NodeKind::Tuple, &[]);
        editor.attach(inst, kind, node);
    }
}

fn store(editor: &mut Editor, chunk: &Chunk) -> Action {
    let element = element_type(editor, chunk);
    let ty = editor.vector_type(element, chunk.members.len() as u32);
    let total = chunk.members.len() as u64 * chunk.members[0].size;
    let parts: Vec<Value> = chunk
        .members
        .iter()
        .map(|member| {
            let value = editor.body.operands(member.inst)[0];
            converted(editor, value, element)
        })
        .collect();
    let vector = editor.vector(ty, &parts);
    let address = start_address(editor, chunk);
    editor.store(vector, address, total, false);
    Action::Remove
}

/// The bits of a value as another type of its size.
fn converted(editor: &mut Editor, value: Value, ty: TypeId) -> Value {
    let is_ptr = |editor: &Editor, ty| editor.module.types.is_ptr(ty);
    let op = match (is_ptr(editor, editor.type_of(value)), is_ptr(editor, ty)) {
        (true, false) => CastOp::Ptrtoint,
        (false, true) => CastOp::Inttoptr,
        _ => CastOp::Bitcast,
    };
    editor.cast(op, value, ty)
}
