//! Loads and stores of large aggregates.
//!
//! ```text
//!   %v = load [999 x i32], ptr %p      nothing writes between:  memmove %q, %p
//!   store [999 x i32] %v, ptr %q       else:                    memcpy %temp, %p  …  memcpy %q, %temp
//!   store [999 x i32] zeroinitializer, ptr %q                   memset %q, 0
//! ```
//!
//! Each leaf of an aggregate would be a register. A value of more than [`MANY`] leaves that is only stored
//! never needs to be in registers.

use super::memcpy::{Copy, expand_copy, expand_move};
use super::memset::{Set, expand_set};
use crate::edit::Editor;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::analysis::Uses;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{Access, Op, Ordering};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::{Type, TypeId, Types};
use warpc_nvvm::value::{InstId, Value};

/// What stands deeper in other types counts as large.
const MAX_NESTING: u32 = 64;

/// Aggregates with more leaves than this are copied in memory.
const MANY: u64 = 64;

/// What becomes of a load or store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plan {
    /// The load goes: its store copies.
    Gone,
    /// The load copies to new memory.
    Keep {
        /// Which of the new places.
        place: usize,
    },
    /// The store copies what this load has read.
    Copy {
        load: InstId,
        /// Which of the new places it was kept in, if any.
        place: Option<usize>,
    },
    /// The store writes zeros.
    Zero,
    /// The store writes nothing defined.
    Nothing,
}

/// What becomes of the loads and stores of large aggregates in a body.
#[derive(Debug, Default)]
pub(super) struct Plans {
    by_inst: FxHashMap<InstId, Plan>,
    /// New memory: the types kept there.
    places: Vec<TypeId>,
    /// The addresses of the new memory, once it is there.
    addresses: Vec<Value>,
}

impl Plans {
    /// Looks for large aggregates.
    pub(super) fn new(module: &Module, body: &Body) -> Plans {
        let mut plans = Plans::default();
        let mut uses = None;
        for &block in &body.order {
            let insts = &body.blocks[block].insts;
            for (at, &inst) in insts.iter().enumerate() {
                match body.insts[inst].op {
                    Op::Load(access)
                        if is_plain(access) && is_large(&module.types, body.insts[inst].ty) =>
                    {
                        let uses = uses.get_or_insert_with(|| Uses::new(body));
                        plans.load(body, uses, inst, &insts[at + 1..]);
                    }
                    Op::Store(access) if is_plain(access) => {
                        plans.constant(module, body, inst);
                    }
                    _ => {}
                }
            }
        }
        plans
    }

    fn load(&mut self, body: &Body, uses: &Uses, load: InstId, following: &[InstId]) {
        let Some(local) = body.insts[load].local() else {
            return;
        };
        let uses = uses.of(local);
        let only_stored = uses.iter().all(|site| {
            let store = body.insts[site.inst].op;
            site.operand == 0 && matches!(store, Op::Store(access) if is_plain(access))
        });
        if !only_stored {
            return;
        }
        let quiet = following.iter().take_while(|&&inst| {
            !body.insts[inst].op.effect().may_write() || uses.iter().any(|u| u.inst == inst)
        });
        let direct = match uses {
            [only] => quiet.into_iter().any(|&inst| inst == only.inst),
            _ => false,
        };
        let place = (!direct).then_some(self.places.len());
        match place {
            Some(place) => {
                self.places.push(body.insts[load].ty);
                self.by_inst.insert(load, Plan::Keep { place });
            }
            None => {
                self.by_inst.insert(load, Plan::Gone);
            }
        }
        for site in uses {
            self.by_inst.insert(site.inst, Plan::Copy { load, place });
        }
    }

    fn constant(&mut self, module: &Module, body: &Body, store: InstId) {
        let Some(constant) = body.operands(store)[0].constant() else {
            return;
        };
        let constant = module.constants.get(constant);
        if !is_large(&module.types, constant.ty) {
            return;
        }
        let plan = match constant.kind {
            ConstKind::Zero => Plan::Zero,
            ConstKind::Undef | ConstKind::Poison => Plan::Nothing,
            _ => return,
        };
        self.by_inst.insert(store, plan);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_inst.is_empty()
    }

    /// Does what is planned for an instruction. Says whether there was something.
    pub(super) fn apply(&mut self, editor: &mut Editor, layout: &Layout, inst: InstId) -> bool {
        // The first instruction of a walk is in the entry, where memory is allocated once.
        if self.addresses.len() < self.places.len() {
            for &ty in &self.places {
                let align = layout.align(&editor.module.types, ty).max(16);
                self.addresses.push(editor.alloca(ty, align));
            }
        }
        let Some(&plan) = self.by_inst.get(&inst) else {
            return false;
        };
        let operands = editor.body.operands(inst).to_vec();
        match plan {
            Plan::Gone | Plan::Nothing => {}
            Plan::Keep { place } => {
                let copy = self.copy(editor, layout, inst, self.addresses[place], operands[0]);
                expand_copy(editor, &copy);
            }
            Plan::Copy { load, place } => {
                let read = editor.body.operands(load)[0];
                let from = place.map_or(read, |place| self.addresses[place]);
                let store_align = align_of(editor, layout, inst);
                let mut copy = self.copy(editor, layout, load, operands[1], from);
                copy.align = match place {
                    Some(_) => store_align,
                    None => copy.align.min(store_align),
                };
                match place {
                    Some(_) => expand_copy(editor, &copy),
                    None => expand_move(editor, &copy),
                }
            }
            Plan::Zero => {
                let ty = editor.type_of(operands[0]);
                let (i8, i64) = (editor.module.types.i8, editor.module.types.i64);
                let size = layout.size(&editor.module.types, ty);
                let set = Set {
                    to: operands[1],
                    value: editor.int(i8, 0),
                    count: editor.int(i64, size),
                    align: align_of(editor, layout, inst),
                    volatile: false,
                };
                expand_set(editor, &set);
            }
        }
        true
    }

    fn copy(
        &self,
        editor: &mut Editor,
        layout: &Layout,
        load: InstId,
        to: Value,
        from: Value,
    ) -> Copy {
        let i64 = editor.module.types.i64;
        let size = layout.size(&editor.module.types, editor.body.insts[load].ty);
        Copy {
            to,
            from,
            size: editor.int(i64, size),
            align: align_of(editor, layout, load),
            volatile: false,
        }
    }
}

/// The alignment that a load or store promises.
fn align_of(editor: &Editor, layout: &Layout, inst: InstId) -> u64 {
    let (access, ty) = match editor.body.insts[inst].op {
        Op::Load(access) => (access, editor.body.insts[inst].ty),
        Op::Store(access) => (access, editor.type_of(editor.body.operands(inst)[0])),
        _ => return 1,
    };
    let natural = || layout.align(&editor.module.types, ty);
    access.align.bytes().unwrap_or_else(natural)
}

fn is_plain(access: Access) -> bool {
    !access.volatile && access.ordering == Ordering::Weak
}

/// Whether a type is an aggregate of more than [`MANY`] leaves.
fn is_large(types: &Types, ty: TypeId) -> bool {
    matches!(
        types.get(ty),
        Type::Array { .. } | Type::Struct { .. } | Type::Named(_)
    ) && leaves(types, ty, MAX_NESTING, &mut FxHashMap::default()) > MANY
}

/// How many leaves a type has; more than [`MANY`] if it nests too deeply. Each type is counted once: it may stand
/// in others very often and have no leaf all the same.
fn leaves(types: &Types, ty: TypeId, depth: u32, known: &mut FxHashMap<TypeId, u64>) -> u64 {
    let Some(depth) = depth.checked_sub(1) else {
        return MANY + 1;
    };
    if let Some(&count) = known.get(&ty) {
        return count;
    }
    let count = match types.get(ty) {
        Type::Array { element, len } => len.saturating_mul(leaves(types, element, depth, known)),
        Type::Vector { len, .. } => u64::from(len),
        Type::Struct { .. } | Type::Named(_) => {
            let mut sum = 0;
            for &field in types.fields(ty).unwrap_or_default() {
                sum += leaves(types, field, depth, known);
                if sum > MANY {
                    break;
                }
            }
            sum
        }
        _ => 1,
    };
    let count = count.min(MANY + 1);
    known.insert(ty, count);
    count
}
