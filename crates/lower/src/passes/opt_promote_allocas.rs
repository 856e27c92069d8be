//! Turns variables on the stack into values.
//!
//! ```text
//!   %a = alloca i32
//!   store i32 %x, ptr %a     ──►   %z = add i32 %x, %x
//!   %y = load i32, ptr %a
//!   %z = add i32 %y, %y
//! ```
//!
//! A variable whose address is used by loads and stores alone, at places known now, is cut into slots: runs
//! of bytes that accesses share. A slot that is always accessed as a whole becomes one value; one of up to
//! 16 bytes whose accesses overlap becomes one integer, of which accesses take and change bits. Slots become
//! values as usual: phis at the iterated dominance frontier of the stores, where the value is needed
//! ([`rename`]).
//!
//! Where debug information declares such a variable in memory, `#dbg_value` records name its values instead ([`describe`]).
//!
//! A variable stays in memory if its address goes anywhere else, or if an access is volatile or atomic. Its
//! other slots do, too: who has the address of a part may reach the whole.

mod describe;
mod rename;

use crate::edit::{Editor, edit_bodies};
use crate::pass::Context;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::index::Id;
use warpc_nvvm::inst::{Access, CastOp, Op, Ordering};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Local, Operand, Value};

/// The longest slot that may be an integer with overlapping accesses, in bytes.
const MAX_MIXED: u64 = 16;

pub(super) fn run(module: &mut Module, context: &mut Context) {
    if context.options.level == 0 {
        return;
    }
    let layout = &context.layout;
    edit_bodies(module, |editor| {
        if !editor.any(|_, body, inst| matches!(body.insts[inst].op, Op::Alloca { .. })) {
            return;
        }
        let plan = find(editor, layout);
        if !plan.slots.is_empty() {
            rename::run(editor, &plan);
        }
    });
}

/// A run of bytes that becomes a value.
struct Slot {
    /// The type of the value.
    ty: TypeId,
    /// Its size in bytes.
    bytes: u64,
    /// The variable it is a part of, and where it starts there, in bytes.
    variable: usize,
    start: u64,
    /// What debug information declares here.
    described: Vec<describe::Described>,
}

/// An access to a slot.
#[derive(Clone, Copy)]
struct Touch {
    slot: usize,
    /// How far from the start of the slot, in bytes.
    offset: u64,
    /// How many bytes.
    bytes: u64,
}

/// What becomes of the variables of a function.
struct Plan {
    slots: Vec<Slot>,
    touches: FxHashMap<InstId, Touch>,
    /// Records of memory that nothing is in any more, by their positions in the body, in order.
    declares: Vec<usize>,
}

/// An access before slots are known.
struct Seen {
    inst: InstId,
    variable: usize,
    offset: u64,
    bytes: u64,
    ty: TypeId,
}

fn find(editor: &mut Editor, layout: &Layout) -> Plan {
    let mut search = Search {
        layout,
        sizes: Vec::new(),
        addresses: FxHashMap::default(),
        seen: Vec::new(),
        open: Vec::new(),
    };
    search.walk(editor);
    search.plan(editor)
}

struct Search<'l> {
    layout: &'l Layout,
    /// The sizes of the variables.
    sizes: Vec<u64>,
    /// Values that are the address of a variable and an offset.
    addresses: FxHashMap<Local, (usize, u64)>,
    seen: Vec<Seen>,
    /// Variables whose address is used otherwise.
    open: Vec<bool>,
}

impl Search<'_> {
    /// Looks at every instruction. Definitions come before uses in dominance order, not in the text, so the
    /// walk goes by the graph.
    fn walk(&mut self, editor: &Editor) {
        let body = &*editor.body;
        let order = warpc_nvvm::analysis::Cfg::new(body)
            .reverse_post_order()
            .to_vec();
        for block in order {
            for &inst in &body.blocks[block].insts {
                self.visit(editor, inst);
            }
        }
    }

    fn address(&self, value: Value) -> Option<(usize, u64)> {
        self.addresses.get(&value.local()?).copied()
    }

    fn visit(&mut self, editor: &Editor, inst: InstId) {
        let body = &*editor.body;
        let data = &body.insts[inst];
        let operands = body.operands(inst);
        match data.op {
            Op::Alloca { ty, .. } => {
                let count = operands[0].constant();
                let count = count.and_then(|count| editor.module.constants.as_u64(count));
                if let (Some(count), Some(local)) = (count, data.local()) {
                    let stride = self.layout.stride(&editor.module.types, ty);
                    self.addresses.insert(local, (self.sizes.len(), 0));
                    self.sizes.push(stride.saturating_mul(count));
                    self.open.push(false);
                }
                return;
            }
            Op::Load(access) if self.address(operands[0]).is_some() => {
                return self.touch(editor, inst, operands[0], data.ty, access);
            }
            Op::Store(access) if self.address(operands[1]).is_some() => {
                self.escape(operands[0]);
                let ty = editor.type_of(operands[0]);
                return self.touch(editor, inst, operands[1], ty, access);
            }
            Op::Gep { source } => {
                if let Some((variable, offset)) = self.address(operands[0])
                    && let Some(added) = self.constant_offset(editor, source, &operands[1..])
                    && let Some(sum) = offset.checked_add_signed(added)
                    && let Some(local) = data.local()
                {
                    self.addresses.insert(local, (variable, sum));
                    return;
                }
            }
            Op::Cast(CastOp::Addrspacecast | CastOp::Bitcast) => {
                if let (Some(address), Some(local)) = (self.address(operands[0]), data.local()) {
                    self.addresses.insert(local, address);
                    return;
                }
            }
            Op::Call(_) if is_harmless(editor.module, operands) => return,
            _ => {}
        }
        for &operand in operands {
            self.escape(operand);
        }
    }

    fn escape(&mut self, value: Value) {
        if let Some((variable, _)) = self.address(value) {
            self.open[variable] = true;
        }
    }

    fn touch(&mut self, editor: &Editor, inst: InstId, address: Value, ty: TypeId, access: Access) {
        let Some((variable, offset)) = self.address(address) else {
            return;
        };
        let plain = !access.volatile && access.ordering == Ordering::Weak;
        let bytes = self.layout.size(&editor.module.types, ty);
        let inside = offset
            .checked_add(bytes)
            .is_some_and(|end| end <= self.sizes[variable]);
        if !plain || !inside || !is_scalar(editor.module, self.layout, ty) {
            self.open[variable] = true;
            return;
        }
        self.seen.push(Seen {
            inst,
            variable,
            offset,
            bytes,
            ty,
        });
    }

    /// The bytes that indices add, if all are constants.
    fn constant_offset(&self, editor: &Editor, source: TypeId, indices: &[Value]) -> Option<i64> {
        let types = &editor.module.types;
        let mut ty = source;
        let mut bytes = 0i64;
        for (position, &index) in indices.iter().enumerate() {
            let constant = index.constant()?;
            let bits = match types.get(editor.module.constants.get(constant).ty) {
                Type::Int(bits @ 1..=64) => bits,
                _ => return None,
            };
            let number = editor.module.constants.as_u64(constant)?;
            let number = ((number << (64 - bits)) as i64) >> (64 - bits);
            let step = if position == 0 {
                number.checked_mul(i64::try_from(self.layout.stride(types, ty)).ok()?)?
            } else if let Type::Array { element, .. } = types.get(ty) {
                ty = element;
                number.checked_mul(i64::try_from(self.layout.stride(types, ty)).ok()?)?
            } else {
                let member = u64::try_from(number).ok()?;
                let offset = self.layout.offset(types, ty, member)?;
                ty = types.member(ty, member)?;
                i64::try_from(offset).ok()?
            };
            bytes = bytes.checked_add(step)?;
        }
        Some(bytes)
    }

    /// Cuts variables into slots.
    fn plan(mut self, editor: &mut Editor) -> Plan {
        let open = std::mem::take(&mut self.open);
        let mut in_memory = open.clone();
        let mut seen = std::mem::take(&mut self.seen);
        seen.retain(|seen| !open[seen.variable]);
        seen.sort_by_key(|seen| (seen.variable, seen.offset, std::cmp::Reverse(seen.bytes)));
        let mut plan = Plan {
            slots: Vec::new(),
            touches: FxHashMap::default(),
            declares: Vec::new(),
        };
        let mut rest = &seen[..];
        while let Some(first) = rest.first() {
            let mut end = first.offset + first.bytes;
            let mut len = 1;
            while let Some(next) = rest.get(len)
                && next.variable == first.variable
                && next.offset < end
            {
                end = end.max(next.offset + next.bytes);
                len += 1;
            }
            let (group, after) = rest.split_at(len);
            if !self.add_slot(editor, &mut plan, group, first.offset, end) {
                in_memory[first.variable] = true;
            }
            rest = after;
        }
        describe::find(editor, &mut plan, &self.addresses, &self.sizes, &in_memory);
        plan
    }

    /// Whether the bytes from `start` to `end` become a value.
    fn add_slot(
        &self,
        editor: &mut Editor,
        plan: &mut Plan,
        group: &[Seen],
        start: u64,
        end: u64,
    ) -> bool {
        let bytes = end - start;
        let first = &group[0];
        let whole = group
            .iter()
            .all(|seen| seen.offset == start && seen.bytes == bytes);
        let same_type = group.iter().all(|seen| seen.ty == first.ty);
        let ty = if whole && same_type {
            first.ty
        } else if bytes <= MAX_MIXED {
            editor.module.types.int(8 * bytes as u32)
        } else {
            return false;
        };
        let slot = plan.slots.len();
        plan.slots.push(Slot {
            ty,
            bytes,
            variable: first.variable,
            start,
            described: Vec::new(),
        });
        for seen in group {
            let touch = Touch {
                slot,
                offset: seen.offset - start,
                bytes: seen.bytes,
            };
            plan.touches.insert(seen.inst, touch);
        }
        true
    }
}

/// Whether values of a type can be taken apart as integers: no aggregates, and whole bytes or one bit.
fn is_scalar(module: &Module, layout: &Layout, ty: TypeId) -> bool {
    let types = &module.types;
    match types.get(ty) {
        Type::Int(bits) => bits <= 128,
        Type::Ptr(_) => true,
        Type::Vector {
            element,
            scalable: false,
            ..
        } => {
            let scalar = types.is_int(element) || types.is_float(element);
            scalar && layout.bits(types, ty) == 8 * layout.size(types, ty)
        }
        other => other.float_bits().is_some_and(|bits| bits <= 64),
    }
}

/// Whether a call only speaks about memory: marks of lifetimes, assumptions, debug information.
fn is_harmless(module: &Module, operands: &[Value]) -> bool {
    const NAMES: [&str; 4] = [
        "llvm.lifetime.",
        "llvm.dbg.",
        "llvm.invariant.",
        "llvm.var.annotation",
    ];
    let callee = operands.last().map(|callee| callee.get());
    let Some(Operand::Const(constant)) = callee else {
        return false;
    };
    let Some(global) = module.global_of(constant) else {
        return false;
    };
    let global = &module.globals[global];
    let (GlobalKind::Function(_), Some(name)) = (&global.kind, global.name) else {
        return false;
    };
    let name = module.names.text(name);
    NAMES.iter().any(|known| name.starts_with(known))
}

/// The number of a block or value, for tables.
fn index(id: impl Id) -> usize {
    id.index()
}
