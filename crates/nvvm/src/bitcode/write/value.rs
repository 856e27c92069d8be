//! Numbers of values: globals first, then the constants of the module, then what a function adds and takes away again.
//!
//! ```text
//!   variables  functions  aliases  ifuncs │ constants of the module │ parameters  constants  results
//! ```
//!
//! Constants that are made of others follow them, so nothing is named before its definition.

use crate::Module;
use crate::constant::{Const, ConstId, ConstKind, dense_number, dense_width};
use crate::index::Id;
use crate::module::{AsmId, GlobalId, GlobalKind};
use crate::types::{Type, TypeId};
use rustc_hash::FxHashMap;

/// A value that a block of constants defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// A constant.
    Const(ConstId),
    /// Inline assembly.
    Asm(AsmId),
    /// An `i64` that the module has as a number in debug information.
    Number(i64),
}

/// Without a number.
const NONE: u32 = u32::MAX;
/// In the list of those that get one.
const LISTED: u32 = u32::MAX - 1;

/// Splats up to this length are written as vectors of elements, as LLVM does it.
pub(super) const MAX_WRITTEN_OUT: u32 = 1024;

/// Numbers of values.
pub(super) struct Values {
    globals: Vec<u32>,
    constants: Vec<u32>,
    asms: Vec<u32>,
    numbers: FxHashMap<i64, u32>,
    /// The next number.
    pub(super) next: u32,
    /// What is to get a number.
    listed: Vec<Entry>,
    /// Constants still to be looked at, and whether what they are made of was.
    pending: Vec<(ConstId, bool)>,
}

impl Values {
    /// Numbers the globals.
    pub(super) fn new(module: &Module) -> Values {
        let mut globals = vec![NONE; module.globals.len()];
        let mut next = 0;
        for id in globals_in_order(module) {
            globals[id.index()] = next;
            next += 1;
        }
        Values {
            globals,
            constants: vec![NONE; module.constants.len()],
            asms: vec![NONE; module.asms.len()],
            numbers: FxHashMap::default(),
            next,
            listed: Vec::new(),
            pending: Vec::new(),
        }
    }

    pub(super) fn global(&self, global: GlobalId) -> u64 {
        u64::from(self.globals[global.index()])
    }

    #[inline]
    pub(super) fn constant(&self, module: &Module, constant: ConstId) -> u32 {
        match module.constants.get(constant).kind {
            ConstKind::Global(global) => self.globals[global.index()],
            _ => self.constants[constant.index()],
        }
    }

    pub(super) fn asm(&self, asm: AsmId) -> u32 {
        self.asms[asm.index()]
    }

    pub(super) fn number(&self, number: i64) -> u64 {
        self.numbers.get(&number).map_or(0, |&id| u64::from(id))
    }

    /// Lists a constant and what it is made of.
    #[inline]
    pub(super) fn list_constant(&mut self, module: &Module, constant: ConstId) {
        if self.constants[constant.index()] != NONE {
            return;
        }
        self.pending.push((constant, false));
        while let Some((constant, looked_at)) = self.pending.pop() {
            let slot = &mut self.constants[constant.index()];
            if looked_at {
                self.listed.push(Entry::Const(constant));
                continue;
            }
            if *slot != NONE || is_global(module, constant) {
                continue;
            }
            *slot = LISTED;
            if is_written_whole(module, constant) {
                self.listed.push(Entry::Const(constant));
                continue;
            }
            self.pending.push((constant, true));
            let operands = module.constants.operands(constant);
            self.pending
                .extend(operands.map(|operand| (operand, false)));
        }
    }

    /// Lists an inline assembly.
    pub(super) fn list_asm(&mut self, asm: AsmId) {
        let slot = &mut self.asms[asm.index()];
        if *slot == NONE {
            *slot = LISTED;
            self.listed.push(Entry::Asm(asm));
        }
    }

    /// Lists a number.
    pub(super) fn list_number(&mut self, number: i64) {
        self.numbers.entry(number).or_insert_with(|| {
            self.listed.push(Entry::Number(number));
            LISTED
        });
    }

    /// Numbers all that is listed: what is made of nothing first, sorted by type.
    pub(super) fn number_listed(&mut self, module: &Module) -> Vec<Entry> {
        let mut entries = std::mem::take(&mut self.listed);
        entries.sort_by_key(|&entry| match entry {
            Entry::Const(constant) if is_written_whole(module, constant) => {
                (0, module.constants.get(constant).ty.index())
            }
            Entry::Number(_) => (0, module.types.i64.index()),
            Entry::Const(_) | Entry::Asm(_) => (1, 0),
        });
        for &entry in &entries {
            match entry {
                Entry::Const(constant) => self.constants[constant.index()] = self.next,
                Entry::Asm(asm) => self.asms[asm.index()] = self.next,
                Entry::Number(number) => {
                    self.numbers.insert(number, self.next);
                }
            }
            self.next += 1;
        }
        entries
    }

    /// Takes the numbers of constants away.
    pub(super) fn forget(&mut self, entries: &[Entry], next: u32) {
        for &entry in entries {
            match entry {
                Entry::Const(constant) => self.constants[constant.index()] = NONE,
                Entry::Asm(asm) => self.asms[asm.index()] = NONE,
                Entry::Number(number) => {
                    self.numbers.remove(&number);
                }
            }
        }
        self.next = next;
    }
}

/// The globals in the order of their numbers.
pub(super) fn globals_in_order(module: &Module) -> impl Iterator<Item = GlobalId> {
    let rank = |kind: &GlobalKind| match kind {
        GlobalKind::Variable(_) => 0,
        GlobalKind::Function(_) | GlobalKind::Pending => 1,
        GlobalKind::Alias(_) => 2,
        GlobalKind::Ifunc(_) => 3,
    };
    (0..4).flat_map(move |wanted| {
        let order = module.order.iter().copied();
        order.filter(move |&id| rank(&module.globals[id].kind) == wanted)
    })
}

fn is_global(module: &Module, constant: ConstId) -> bool {
    matches!(module.constants.get(constant).kind, ConstKind::Global(_))
}

/// Whether the record of a constant names no other.
fn is_written_whole(module: &Module, constant: ConstId) -> bool {
    match module.constants.get(constant).kind {
        ConstKind::Aggregate(_) => numbers(module, constant).is_some(),
        ConstKind::Splat(_) => splat(module, constant) != Splat::Elements,
        ConstKind::Expr(_)
        | ConstKind::PtrAuth(_)
        | ConstKind::BlockAddress(_)
        | ConstKind::DsoLocalEquivalent(_)
        | ConstKind::NoCfi(_) => false,
        _ => true,
    }
}

/// The elements of a vector or array of numbers, if LLVM keeps such as data.
pub(super) fn numbers(module: &Module, constant: ConstId) -> Option<Vec<u64>> {
    let Const { ty, kind } = module.constants.get(constant);
    // Fields of a structure may have different types: they are always written one by one.
    let (Type::Array { element, .. } | Type::Vector { element, .. }) = module.types.get(ty) else {
        return None;
    };
    dense_width(&module.types, element)?;
    let number = |constant: ConstId| match module.constants.get(constant).kind {
        ConstKind::Int(bits) | ConstKind::Float(bits) => Some(bits),
        _ => None,
    };
    match kind {
        ConstKind::Aggregate(list) => {
            let list = module.constants.list(list);
            list.iter().map(|&element| number(element)).collect()
        }
        ConstKind::Splat(element) => match module.types.get(ty) {
            Type::Vector {
                len,
                scalable: false,
                ..
            } if len <= MAX_WRITTEN_OUT => Some(vec![number(element)?; len as usize]),
            _ => None,
        },
        _ => None,
    }
}

/// How a splat is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Splat {
    /// As numbers.
    Data,
    /// As elements, each the same.
    Elements,
    /// As its element, with the type of the vector.
    Scalar,
}

pub(super) fn splat(module: &Module, constant: ConstId) -> Splat {
    let ty = module.constants.get(constant).ty;
    let (element, is_short) = match module.types.get(ty) {
        Type::Vector {
            element,
            len,
            scalable,
        } => (element, !scalable && len <= MAX_WRITTEN_OUT),
        _ => (ty, true),
    };
    match dense_width(&module.types, element) {
        _ if !is_short => Splat::Scalar,
        Some(_) => Splat::Data,
        None => Splat::Elements,
    }
}

/// The numbers of an array that is kept as bytes.
pub(super) fn numbers_of_bytes(module: &Module, ty: TypeId, bytes: &[u8]) -> Vec<u64> {
    let element = module.types.member(ty, 0);
    let width = element.and_then(|element| dense_width(&module.types, element));
    let width = width.unwrap_or(1);
    let count = bytes.len() / width;
    (0..count)
        .filter_map(|index| dense_number(bytes, width, index))
        .collect()
}
