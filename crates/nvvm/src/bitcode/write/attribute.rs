//! Attributes: groups (a set at an index) and lists of groups.

use super::Dialect;
use super::number::{active, sign_extended, signed};
use super::stream::Stream;
use super::types::TypeTable;
use super::words::number_of_words;
use crate::Module;
use crate::attribute::{AttrList, AttrSet, Attribute};
use crate::bitcode::codes::attribute::{Value, form, kind_named};
use crate::bitcode::codes::record::{block, number, paramattr, paramattr_group};
use crate::constant::{ConstId, ConstKind};
use crate::name::Name;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Numbers of lists and groups of attributes.
#[derive(Default)]
pub(super) struct AttributeTable {
    /// The number of each list, from one on.
    lists: FxHashMap<Box<[u64]>, u64>,
    /// The groups of each list.
    list_order: Vec<Box<[u64]>>,
    /// The number of each group, from one on, by index and set.
    groups: FxHashMap<(u64, AttrSet), u64>,
    group_order: Vec<(u64, AttrSet)>,
    /// Attributes that have no number, by name.
    pub(super) unknown: Vec<Name>,
}

impl AttributeTable {
    /// The number of the list of a function or call; zero if it is empty.
    pub(super) fn id(&mut self, module: &Module, list: AttrList) -> u64 {
        let attributes = &module.attributes;
        if list == attributes.empty_list {
            return 0;
        }
        let params = (0..attributes.param_count(list))
            .map(|index| (index as u64 + 1, attributes.of_param(list, index)));
        let sets = [
            (number::FUNCTION_ATTRIBUTES, attributes.of_function(list)),
            (0, attributes.of_return(list)),
        ];
        self.of_sets(module, sets.into_iter().chain(params))
    }

    /// The number of the list of a variable; zero if it is empty.
    pub(super) fn of_variable(&mut self, module: &Module, set: AttrSet) -> u64 {
        self.of_sets(module, [(number::FUNCTION_ATTRIBUTES, set)].into_iter())
    }

    fn of_sets(&mut self, module: &Module, sets: impl Iterator<Item = (u64, AttrSet)>) -> u64 {
        let mut list = Vec::new();
        for (index, set) in sets {
            if set != module.attributes.empty_set {
                list.push(self.group(index, set));
            }
        }
        if list.is_empty() {
            return 0;
        }
        let list: Box<[u64]> = list.into();
        if let Some(&id) = self.lists.get(&list) {
            return id;
        }
        self.list_order.push(list.clone());
        let id = self.list_order.len() as u64;
        self.lists.insert(list, id);
        id
    }

    fn group(&mut self, index: u64, set: AttrSet) -> u64 {
        let (groups, order) = (&mut self.groups, &mut self.group_order);
        *groups.entry((index, set)).or_insert_with(|| {
            order.push((index, set));
            order.len() as u64
        })
    }

    /// The blocks of groups and lists.
    pub(super) fn write(
        &mut self,
        module: &Module,
        dialect: Dialect,
        types: &mut TypeTable,
        stream: &mut Stream,
    ) {
        if self.list_order.is_empty() {
            return;
        }
        stream.enter(block::PARAMATTR_GROUP, 3);
        let mut record = Vec::new();
        for (id, &(index, set)) in self.group_order.iter().enumerate() {
            record.clear();
            record.extend([id as u64 + 1, index]);
            for &attribute in module.attributes.set(set) {
                let attribute = module.attributes.get(attribute);
                if push_attribute(module, dialect, types, attribute, &mut record).is_none() {
                    self.unknown.extend(attribute.name());
                }
            }
            stream.record(paramattr_group::ENTRY, &record);
        }
        stream.exit();
        stream.enter(block::PARAMATTR, 3);
        for list in &self.list_order {
            stream.record(paramattr::ENTRY, list);
        }
        stream.exit();
    }
}

/// Appends an attribute; `None` if it has no number.
fn push_attribute(
    module: &Module,
    dialect: Dialect,
    types: &mut TypeTable,
    attribute: Attribute,
    record: &mut Vec<u64>,
) -> Option<()> {
    let names = &module.names;
    let kind = |name: Name| kind_named(names.bytes(name));
    let text = |record: &mut Vec<u64>, name: Name| {
        record.extend(names.bytes(name).iter().map(|&byte| u64::from(byte)));
        record.push(0);
    };
    match attribute {
        // Types belonged to pointers, and `uwtable` had no words.
        Attribute::Flag(name) | Attribute::Type(name, _) if dialect == Dialect::Llvm7 => {
            record.extend([form::FLAG, kind(name)?.0]);
        }
        Attribute::Flag(name) => {
            let &(number, _, value) = kind(name)?;
            match value {
                Value::Type => record.extend([form::NO_TYPE, number]),
                // `uwtable` alone means all of it.
                Value::MaybeWords if names.bytes(name) == b"uwtable" => {
                    record.extend([form::INT, number, 2]);
                }
                _ => record.extend([form::FLAG, number]),
            }
        }
        Attribute::Int(name, value) => record.extend([form::INT, kind(name)?.0, value]),
        Attribute::Type(name, ty) => {
            record.extend([form::TYPE, kind(name)?.0, types.id(module, ty)]);
        }
        Attribute::Words(name, words) => {
            let &(number, _, value) = kind(name)?;
            let words = names.text(words);
            if value == Value::Ranges {
                let ranges = ranges(&words)?;
                record.extend([form::RANGES, number, ranges.len() as u64, 64]);
                record.extend(
                    ranges
                        .iter()
                        .flat_map(|&(from, to)| [signed(from), signed(to)]),
                );
            } else {
                let words = number_of_words(names.bytes(name), &words)?;
                record.extend([form::INT, number, words]);
            }
        }
        Attribute::Range(ty, from, to) => {
            let bits = match module.types.get(ty) {
                Type::Int(bits) => bits,
                _ => return None,
            };
            record.extend([form::RANGE, kind_named(b"range")?.0, u64::from(bits)]);
            push_range(module, bits, from, to, record)?;
        }
        Attribute::Text(key, value) => {
            record.push(match value {
                Some(_) => form::KEY_VALUE,
                None => form::KEY,
            });
            text(record, key);
            if let Some(value) = value {
                text(record, value);
            }
        }
    }
    Some(())
}

/// Appends the bounds of a range of integers of so many bits.
fn push_range(
    module: &Module,
    bits: u32,
    from: ConstId,
    to: ConstId,
    record: &mut Vec<u64>,
) -> Option<()> {
    let constants = &module.constants;
    match (constants.get(from).kind, constants.get(to).kind) {
        (ConstKind::Int(from), ConstKind::Int(to)) => {
            record.extend([from, to].map(|bound| signed(sign_extended(bound, bits))));
        }
        (ConstKind::WideInt(from), ConstKind::WideInt(to)) => {
            let bounds = [from, to].map(|words| active(constants.words(words)));
            record.push(bounds[0].len() as u64 | (bounds[1].len() as u64) << 32);
            for words in bounds {
                record.extend(words.iter().map(|&word| signed(word as i64)));
            }
        }
        _ => return None,
    }
    Some(())
}

/// The ranges of `(0, 4), (8, 12)`.
fn ranges(words: &str) -> Option<Vec<(i64, i64)>> {
    let inner = words.strip_prefix('(')?.strip_suffix(')')?;
    let range = |range: &str| {
        let (from, to) = range.split_once(',')?;
        Some((from.trim().parse().ok()?, to.trim().parse().ok()?))
    };
    inner.split("), (").map(range).collect()
}
