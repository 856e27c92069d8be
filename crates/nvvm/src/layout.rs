//! How types lie in memory: sizes, alignments, places of members, widths of pointers.
//!
//! The data layout says them; what it does not say has LLVM's defaults.

use crate::Module;
use crate::types::{StructBody, Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What LLVM 22 says of NVIDIA's GPUs.
const GPU: &str = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";

/// Size and alignment in bytes.
type Extent = (u64, u64);

/// How many members a type is asked for before answers are kept.
const DIRECT_STEPS: u32 = 64;

/// How many fields a struct has before the places of all of them are kept.
const DIRECT_FIELDS: usize = 16;

/// What a data layout says about sizes.
///
/// A layout keeps answers about large types: it is asked about the types of one module, and structs that it was asked
/// about stay as they are.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Width and alignment of integers in bits, ascending.
    ints: Vec<(u32, u32)>,
    floats: Vec<(u32, u32)>,
    vectors: Vec<(u32, u32)>,
    /// Address space, width and alignment of pointers in bits.
    pointers: Vec<(u32, u32, u32)>,
    /// The least alignment of aggregates in bits.
    aggregate: u32,
    kept: Arc<Mutex<Kept>>,
}

/// Answers about types that take many steps to answer.
#[derive(Default, Debug)]
struct Kept {
    extents: FxHashMap<TypeId, Extent>,
    /// Where each field of a struct starts.
    offsets: FxHashMap<TypeId, Arc<[u64]>>,
}

impl Layout {
    /// The layout of a module. What it does not say has LLVM's defaults.
    pub fn of(module: &Module) -> Layout {
        let text = module.data_layout.map(|name| module.names.text(name));
        Layout::parse(text.as_deref().unwrap_or_default())
    }

    /// The layout of a module for NVIDIA's GPUs: what it does not say is as LLVM has it for them.
    pub fn for_gpu(module: &Module) -> Layout {
        let text = module.data_layout.map(|name| module.names.text(name));
        let mut layout = Layout::parse(&format!("{GPU}-{}", text.as_deref().unwrap_or_default()));
        layout.widen_generic();
        layout
    }

    /// Reads a layout. What it does not say has LLVM's defaults; of two statements the later holds.
    pub fn parse(text: &str) -> Layout {
        let mut layout = Layout {
            ints: vec![(1, 8), (8, 8), (16, 16), (32, 32), (64, 32)],
            floats: vec![(16, 16), (32, 32), (64, 64), (128, 128)],
            vectors: vec![(64, 64), (128, 128)],
            pointers: vec![(0, 64, 64)],
            aggregate: 0,
            kept: Arc::default(),
        };
        for part in text.split('-') {
            layout.read_part(part);
        }
        layout
    }

    /// Gives generic and global addresses the 64 bits that they have on every GPU, whatever a module says: LLVM puts the
    /// layout of the target in the place of the module's, too.
    fn widen_generic(&mut self) {
        for row in &mut self.pointers {
            if matches!(row.0, 0 | 1) {
                (row.1, row.2) = (64, 64);
            }
        }
    }

    fn read_part(&mut self, part: &str) {
        let mut fields = part.split(':');
        let head = fields.next().unwrap_or_default();
        let numbers: Vec<u32> = fields.filter_map(|field| field.parse().ok()).collect();
        let (Some(kind), Some(&first)) = (head.chars().next(), numbers.first()) else {
            return;
        };
        let digits = head.trim_start_matches(|c: char| !c.is_ascii_digit());
        let number: u32 = digits.parse().unwrap_or(0);
        let table = match kind {
            'i' => &mut self.ints,
            'f' => &mut self.floats,
            'v' => &mut self.vectors,
            'a' => return self.aggregate = first,
            'p' => {
                let align = numbers.get(1).copied().unwrap_or(first);
                self.pointers.retain(|row| row.0 != number);
                return self.pointers.push((number, first, align));
            }
            _ => return,
        };
        table.retain(|row| row.0 != number);
        table.push((number, first));
        table.sort_unstable();
    }

    /// The bytes from one element of an array of this type to the next.
    pub fn stride(&self, types: &Types, ty: TypeId) -> u64 {
        let (size, align) = self.extent(types, ty);
        rounded_up(size, align)
    }

    /// The bytes a load or store of the type touches.
    pub fn size(&self, types: &Types, ty: TypeId) -> u64 {
        self.extent(types, ty).0
    }

    /// The alignment in bytes that values of the type have in memory.
    pub fn align(&self, types: &Types, ty: TypeId) -> u64 {
        self.extent(types, ty).1
    }

    /// The size of a pointer in bits.
    pub fn pointer_bits(&self, space: u32) -> u32 {
        self.pointer(space).1
    }

    /// Where a member of a struct, array or vector starts, in bytes; `None` for other types and bad
    /// indices. Elements of vectors that are not whole bytes have no place of their own.
    pub fn offset(&self, types: &Types, ty: TypeId, index: u64) -> Option<u64> {
        match types.get(ty) {
            Type::Array { element, .. } => self.stride(types, element).checked_mul(index),
            Type::Vector { element, .. } => {
                let bits = self.bits(types, element);
                bits.is_multiple_of(8).then(|| bits / 8 * index)
            }
            _ => {
                let packed = match types.get(ty) {
                    Type::Struct { packed, .. } => packed,
                    Type::Named(id) => match types.structs[id].body {
                        StructBody::Fields { packed, .. } => packed,
                        StructBody::Opaque => return None,
                    },
                    _ => return None,
                };
                let fields = types.fields(ty)?;
                let index = usize::try_from(index).ok()?;
                if fields.len() > DIRECT_FIELDS {
                    return self.kept_offsets(types, ty, packed).get(index).copied();
                }
                let before = fields.get(..index)?;
                let align = self.align(types, *fields.get(index)?);
                let end = self.end_of(types, before, packed);
                Some(if packed { end } else { rounded_up(end, align) })
            }
        }
    }

    /// The bits of a value that is not an aggregate.
    pub fn bits(&self, types: &Types, ty: TypeId) -> u64 {
        match types.get(ty) {
            Type::Int(bits) => u64::from(bits),
            Type::Vector { element, len, .. } => self.bits(types, element) * u64::from(len),
            _ => self.extent(types, ty).0 * 8,
        }
    }

    fn pointer(&self, space: u32) -> (u32, u32, u32) {
        let row = self.pointers.iter().find(|row| row.0 == space);
        let default = self.pointers.iter().find(|row| row.0 == 0);
        row.or(default).copied().unwrap_or((0, 64, 64))
    }

    /// Most types are small, and looking at all their members is the shortest way. Where that would be long, each
    /// type is worked out once: `{t, t}` in `{t, t}` has more members than steps.
    fn extent(&self, types: &Types, ty: TypeId) -> Extent {
        let mut steps = DIRECT_STEPS;
        match self.direct(types, ty, &mut steps) {
            Some(found) => found,
            None => self.once_each(types, ty),
        }
    }

    /// The extent of a type by a look at all its members; `None` if the steps are not enough.
    fn direct(&self, types: &Types, ty: TypeId, steps: &mut u32) -> Option<Extent> {
        *steps = steps.checked_sub(1)?;
        if let Some(found) = self.plain(types, ty) {
            return Some(found);
        }
        self.of_members(types, ty, &mut |member| self.direct(types, member, steps))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The extent of a type, each of the types in it worked out once for all questions. What holds itself has no size
    /// there.
    fn once_each(&self, types: &Types, ty: TypeId) -> Extent {
        let known = &mut self.kept().extents;
        let mut begun = FxHashSet::default();
        let mut work = vec![ty];
        while let Some(&top) = work.last() {
            if known.contains_key(&top) {
                work.pop();
                continue;
            }
            if begun.insert(top) {
                let single;
                let members = match types.get(top) {
                    Type::Array { element, .. } => {
                        single = [element];
                        &single[..]
                    }
                    _ => types.fields(top).unwrap_or_default(),
                };
                let open =
                    |member: &&TypeId| !known.contains_key(member) && !begun.contains(member);
                work.extend(members.iter().filter(open));
                continue;
            }
            let found = self.plain(types, top).or_else(|| {
                let mut of = |member| known.get(&member).copied().or(Some((0, 1)));
                self.of_members(types, top, &mut of)
            });
            known.insert(top, found.unwrap_or((0, 1)));
        }
        known.get(&ty).copied().unwrap_or((0, 1))
    }

    /// Where each field of a struct starts.
    fn kept_offsets(&self, types: &Types, ty: TypeId, packed: bool) -> Arc<[u64]> {
        if let Some(offsets) = self.kept().offsets.get(&ty) {
            return offsets.clone();
        }
        let mut end = 0u64;
        let place = |&field: &TypeId| {
            let (bytes, align) = self.extent(types, field);
            let start = if packed { end } else { rounded_up(end, align) };
            end = start.saturating_add(rounded_up(bytes, align));
            start
        };
        let fields = types.fields(ty).unwrap_or_default();
        let offsets: Arc<[u64]> = fields.iter().map(place).collect();
        self.kept().offsets.insert(ty, offsets.clone());
        offsets
    }

    /// The extent of a type that is not a struct or array.
    fn plain(&self, types: &Types, ty: TypeId) -> Option<Extent> {
        let bytes = |bits: u32| u64::from(bits.div_ceil(8));
        Some(match types.get(ty) {
            Type::Int(bits) => {
                let larger = self.ints.iter().find(|row| row.0 >= bits);
                let align = larger.or(self.ints.last()).map_or(8, |row| row.1);
                (bytes(bits), bytes(align).max(1))
            }
            Type::Ptr(space) => {
                let row = self.pointer(space);
                (bytes(row.1), bytes(row.2).max(1))
            }
            Type::Vector { element, len, .. } => self.vector(types, element, len),
            Type::Array { .. } | Type::Struct { .. } => return None,
            Type::Named(id) => match types.structs[id].body {
                StructBody::Fields { .. } => return None,
                StructBody::Opaque => (0, 1),
            },
            other => {
                let bits = other.float_bits().unwrap_or(0);
                let row = self.floats.iter().find(|row| row.0 == bits);
                let align = row.map_or(bits.next_power_of_two(), |row| row.1);
                (bytes(bits), bytes(align).max(1))
            }
        })
    }

    /// The extent of a struct or array, from those of its members.
    fn of_members(
        &self,
        types: &Types,
        ty: TypeId,
        of: &mut dyn FnMut(TypeId) -> Option<Extent>,
    ) -> Option<Extent> {
        let packed = match types.get(ty) {
            Type::Array { element, len } => {
                let (size, align) = of(element)?;
                return Some((rounded_up(size, align).saturating_mul(len), align));
            }
            _ => types.is_packed(ty),
        };
        let mut largest = match packed {
            true => 1,
            false => u64::from(self.aggregate.div_ceil(8)).max(1),
        };
        let mut end = 0u64;
        for &field in types.fields(ty).unwrap_or_default() {
            let (bytes, align) = of(field)?;
            if !packed {
                largest = largest.max(align);
                end = rounded_up(end, align);
            }
            end = end.saturating_add(rounded_up(bytes, align));
        }
        Some((rounded_up(end, largest), largest))
    }

    /// Elements of vectors lie bit by bit beside each other.
    fn vector(&self, types: &Types, element: TypeId, len: u32) -> Extent {
        let width = match types.get(element) {
            Type::Int(bits) => u64::from(bits),
            // What a vector cannot hold is refused elsewhere.
            _ => self.plain(types, element).unwrap_or((0, 1)).0 * 8,
        };
        let bits = width.saturating_mul(u64::from(len));
        let size = bits.div_ceil(8);
        let row = self.vectors.iter().find(|row| u64::from(row.0) == bits);
        let align = row.map_or(size.next_power_of_two(), |row| u64::from(row.1) / 8);
        (size, align.max(1))
    }

    /// Where the last of the first fields of a struct ends.
    fn end_of(&self, types: &Types, fields: &[TypeId], packed: bool) -> u64 {
        fields.iter().fold(0u64, |end, &field| {
            let (bytes, align) = self.extent(types, field);
            let start = if packed { end } else { rounded_up(end, align) };
            start.saturating_add(rounded_up(bytes, align))
        })
    }
}

/// The next multiple of an alignment; types of absurd size stay at the largest number.
fn rounded_up(size: u64, align: u64) -> u64 {
    size.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `opt -passes=instcombine` folds `ptrtoint (getelementptr T, null, 1)`.
    #[test]
    fn sizes() {
        let mut module = Module::default();
        let text = b"e-p:64:64-p3:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64";
        module.data_layout = Some(module.names.intern(text));
        let layout = Layout::of(&module);
        let types = &mut module.types;
        let (i8, i32, i64) = (types.i8, types.i32, types.i64);
        let near = types.pointer(3);
        let odd = types.int(65);
        let fields = types.intern_list(&[i8, i64, near, i8]);
        let loose = types.intern(Type::Struct {
            fields,
            packed: false,
        });
        let tight = types.intern(Type::Struct {
            fields,
            packed: true,
        });
        let three = types.intern(Type::Vector {
            element: i32,
            len: 3,
            scalable: false,
        });
        let array = types.intern(Type::Array {
            element: loose,
            len: 3,
        });
        let stride = |ty| layout.stride(types, ty);
        assert_eq!(stride(i8), 1);
        assert_eq!(stride(near), 4);
        assert_eq!(stride(odd), 16);
        assert_eq!(stride(loose), 24);
        assert_eq!(stride(tight), 14);
        assert_eq!(stride(three), 16);
        assert_eq!(stride(array), 72);
        let offsets = (0..5).map(|i| layout.offset(types, loose, i));
        assert_eq!(
            offsets.collect::<Vec<_>>(),
            [Some(0), Some(8), Some(16), Some(20), None]
        );
        assert_eq!(layout.offset(types, tight, 2), Some(9));
        assert_eq!(layout.offset(types, three, 2), Some(8));
    }

    /// Types whose members are as many as 2 to the power of their depth, or as deep as the text is long.
    #[test]
    fn nested_types() {
        let mut module = Module::default();
        let layout = Layout::for_gpu(&module);
        let types = &mut module.types;
        let nested = |types: &mut Types, depth: usize, leaf: TypeId, last: TypeId| {
            let mut ty = leaf;
            let mut all = vec![ty];
            for _ in 0..depth {
                let second = if last == leaf { ty } else { last };
                let fields = types.intern_list(&[ty, second]);
                ty = types.intern(Type::Struct {
                    fields,
                    packed: false,
                });
                all.push(ty);
            }
            all
        };
        let (i8, i32, i64) = (types.i8, types.i32, types.i64);
        for (depth, &ty) in nested(types, 60, i32, i32).iter().enumerate() {
            assert_eq!(layout.stride(types, ty), 4 << depth);
            assert_eq!(layout.align(types, ty), 4);
        }
        // Each level adds a byte and is filled up.
        let chain = nested(types, 100_000, i64, i8);
        assert_eq!(layout.stride(types, chain[100_000]), 8 + 8 * 100_000);
        assert_eq!(layout.offset(types, chain[100_000], 1), Some(8 * 100_000));
        let none = types.intern_list(&[]);
        let empty = types.intern(Type::Struct {
            fields: none,
            packed: false,
        });
        let all = nested(types, 200, empty, empty);
        assert_eq!(layout.stride(types, all[200]), 0);
        // More than any memory.
        let all = nested(types, 80, i64, i64);
        assert_eq!(layout.stride(types, all[80]), u64::MAX);
    }

    /// Questions about every level of deep types, and about every field of a long struct: answered in seconds without
    /// optimisation, in hours if each question began anew.
    #[test]
    fn many_questions() {
        let mut module = Module::default();
        let layout = Layout::for_gpu(&module);
        let types = &mut module.types;
        let (i8, i32) = (types.i8, types.i32);
        let mut ty = i32;
        let mut levels = Vec::new();
        for _ in 0..100_000 {
            let element = types.intern(Type::Array {
                element: ty,
                len: 1,
            });
            let fields = types.intern_list(&[element]);
            ty = types.intern(Type::Struct {
                fields,
                packed: false,
            });
            levels.push(ty);
        }
        let start = std::time::Instant::now();
        assert!(levels.iter().all(|&ty| layout.stride(types, ty) == 4));
        let long: Vec<TypeId> = (0..100_000).map(|i| [i8, i32][i % 2]).collect();
        let fields = types.intern_list(&long);
        for (packed, pair) in [(false, 8), (true, 5)] {
            let long = types.intern(Type::Struct { fields, packed });
            for index in 0..100_000 {
                let second = if packed { 1 } else { 4 };
                let place = index / 2 * pair + index % 2 * second;
                assert_eq!(layout.offset(types, long, index), Some(place));
            }
            assert_eq!(layout.offset(types, long, 100_000), None);
        }
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }
}
