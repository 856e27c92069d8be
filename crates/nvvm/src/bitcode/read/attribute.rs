//! Attributes: groups and lists.
//!
//! Groups are kept as they are in the file until a global or call has them: types come after them in older files, and
//! `byval` and its kin had no type of their own before LLVM 12, so that the type of the parameter says it.

use super::{Read, Reader};
use crate::attribute::{AttrId, AttrList, AttrSet, Attribute};
use crate::bitcode::codes::attribute::{
    self as code, ACCESSES, ALLOC_KINDS, CAPTURES, FLOAT_CLASSES, MEMORY_LOCATIONS,
    MEMORY_VERSION_SHIFT, UNWIND_TABLES, Value, form,
};
use crate::bitcode::codes::record::{block, number, paramattr, paramattr_group};
use crate::read::MemoryEffects;
use rustc_hash::FxHashMap;

/// What the file has.
#[derive(Default)]
pub(super) struct AttributeTable {
    /// By number: where the attributes go, and the rest of the record.
    groups: FxHashMap<u64, (u64, Box<[u64]>)>,
    /// The groups of each list.
    lists: Vec<Box<[u64]>>,
    /// Lists that do not depend on types of parameters.
    known: Vec<Option<AttrList>>,
}

impl Reader<'_> {
    pub(super) fn attribute_groups(&mut self) -> Read<()> {
        self.records(block::PARAMATTR_GROUP, |reader, code| {
            if code == paramattr_group::ENTRY {
                let (group, place) = (reader.op(0)?, reader.op(1)?);
                let rest = reader.ops[2..].into();
                reader.attributes.groups.insert(group, (place, rest));
            }
            Ok(())
        })
    }

    pub(super) fn attribute_lists(&mut self) -> Read<()> {
        self.records(block::PARAMATTR, |reader, code| {
            match code {
                paramattr::ENTRY => {
                    let list = reader.ops.as_slice().into();
                    reader.attributes.lists.push(list);
                    reader.attributes.known.push(None);
                }
                paramattr::ENTRY_OLD => {
                    return Err(reader.unsupported("attributes as LLVM wrote them before 3.3"));
                }
                _ => {}
            }
            Ok(())
        })
    }

    /// The list with a number, counted from one; zero has no attributes. The function type that it is for says what
    /// attributes without types are about.
    pub(super) fn attribute_list(&mut self, number: u64, ty: Option<u32>) -> Read<AttrList> {
        let Some(index) = number.checked_sub(1) else {
            return Ok(self.module.attributes.empty_list);
        };
        let found = usize::try_from(index)
            .ok()
            .and_then(|index| Some((index, *self.attributes.known.get(index)?)));
        let Some((index, known)) = found else {
            return Err(self.fault(format!("there is no list of attributes {index}")));
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let groups = self.attributes.lists[index].clone();
        let mut function = self.module.attributes.empty_set;
        let mut ret = function;
        let mut params: Vec<AttrSet> = Vec::new();
        let mut typeless = false;
        for group in groups {
            let Some((place, rest)) = self.attributes.groups.get(&group).cloned() else {
                return Err(self.fault(format!("there is no group of attributes {group}")));
            };
            let is_function = place == number::FUNCTION_ATTRIBUTES;
            let pointee = match (is_function, ty, usize::try_from(place)) {
                (false, Some(ty), Ok(place)) => self
                    .types
                    .part(ty, place)
                    .and_then(|param| self.types.part(param, 0)),
                _ => None,
            };
            let set = self.attribute_set(&rest, is_function, pointee, &mut typeless)?;
            match place {
                number::FUNCTION_ATTRIBUTES => function = set,
                0 => ret = set,
                // Attributes of more parameters than a record can name are damage.
                place if place <= 1 << 20 => {
                    let param = place as usize - 1;
                    if params.len() <= param {
                        params.resize(param + 1, self.module.attributes.empty_set);
                    }
                    params[param] = set;
                }
                _ => return Err(self.fault(format!("attributes of parameter {place}"))),
            }
        }
        let list = self.module.attributes.intern_list(function, ret, &params);
        if !typeless {
            self.attributes.known[index] = Some(list);
        }
        Ok(list)
    }

    /// The attributes of a group.
    fn attribute_set(
        &mut self,
        ops: &[u64],
        is_function: bool,
        pointee: Option<u32>,
        typeless: &mut bool,
    ) -> Read<AttrSet> {
        let mut attributes: Vec<AttrId> = Vec::new();
        let mut effects: Option<MemoryEffects> = None;
        let mut rest = ops.iter().copied();
        let short = |reader: &Self| reader.fault("a group of attributes ends in the middle of one");
        while let Some(form) = rest.next() {
            if matches!(form, form::KEY | form::KEY_VALUE) {
                let mut text = || -> Vec<u8> {
                    let bytes = rest.by_ref().take_while(|&byte| byte != 0);
                    bytes.map(|byte| byte as u8).collect()
                };
                let key = text();
                let value = (form == form::KEY_VALUE).then(&mut text);
                let key = self.module.names.intern(&key);
                // An empty value is no value, as in text.
                let value = value
                    .filter(|value| !value.is_empty())
                    .map(|value| self.module.names.intern(&value));
                let attribute = Attribute::Text(key, value);
                attributes.push(self.module.attributes.intern(attribute));
                continue;
            }
            let kind = rest.next().ok_or_else(|| short(self))?;
            let Some(&(_, word, shape)) = code::kind_of(kind) else {
                return Err(self.unsupported(format!("an attribute of the unknown kind {kind}")));
            };
            if shape == Value::OldMemory && is_function {
                let allowed = MemoryEffects::of(word.as_bytes());
                effects = Some(match effects {
                    Some(effects) => effects & allowed,
                    None => allowed,
                });
                continue;
            }
            let name = self.module.names.intern(word.as_bytes());
            let attribute = match form {
                form::FLAG if word == "nocapture" => {
                    let name = self.module.names.intern(b"captures");
                    Attribute::Words(name, self.module.names.intern(b"none"))
                }
                form::FLAG | form::NO_TYPE if shape == Value::Type => {
                    *typeless = true;
                    match pointee {
                        Some(pointee) => Attribute::Type(name, self.types.id(pointee)),
                        None => return Err(self.fault(format!("`{word}` has no type"))),
                    }
                }
                form::FLAG => Attribute::Flag(name),
                form::INT => {
                    let value = rest.next().ok_or_else(|| short(self))?;
                    match shape {
                        Value::Words | Value::MaybeWords => match attribute_words(word, value) {
                            Some(words) => {
                                Attribute::Words(name, self.module.names.intern(words.as_bytes()))
                            }
                            None if shape == Value::MaybeWords => Attribute::Flag(name),
                            None => {
                                return Err(
                                    self.unsupported(format!("`{word}` with the number {value}"))
                                );
                            }
                        },
                        _ => Attribute::Int(name, value),
                    }
                }
                form::TYPE => {
                    let ty = rest.next().ok_or_else(|| short(self))?;
                    Attribute::Type(name, self.type_id_at(ty)?)
                }
                form::RANGE => {
                    let width = rest.next().ok_or_else(|| short(self))?;
                    let width = self.range_width(width)?;
                    let low = range_bound(width, &mut rest).ok_or_else(|| short(self))?;
                    // A wide range has the numbers of words of both bounds at its start.
                    let high = match low.1 {
                        Some(count) => words_of(count, &mut rest).ok_or_else(|| short(self))?,
                        None => range_bound(width, &mut rest).ok_or_else(|| short(self))?.0,
                    };
                    let ty = self.module.types.int(width);
                    let low = self.module.constants.int(ty, width, &low.0);
                    let high = self.module.constants.int(ty, width, &high);
                    Attribute::Range(ty, low, high)
                }
                form::RANGES => {
                    let count = rest.next().ok_or_else(|| short(self))?;
                    let width = rest.next().ok_or_else(|| short(self))?;
                    let width = self.range_width(width)?;
                    let mut ranges = Vec::new();
                    for _ in 0..count {
                        let low = range_bound(width, &mut rest).ok_or_else(|| short(self))?;
                        let high = range_bound(width, &mut rest).ok_or_else(|| short(self))?;
                        let number = |words: &[u64]| words.first().copied().unwrap_or(0) as i64;
                        ranges.push(format!("({}, {})", number(&low.0), number(&high.0)));
                    }
                    Attribute::Words(name, self.module.names.intern(ranges.join(", ").as_bytes()))
                }
                _ => {
                    return Err(
                        self.unsupported(format!("an attribute of the unknown form {form}"))
                    );
                }
            };
            attributes.push(self.module.attributes.intern(attribute));
        }
        if let Some(effects) = effects {
            let name = self.module.names.intern(b"memory");
            let words = self.module.names.intern(effects.words().as_bytes());
            let attribute = Attribute::Words(name, words);
            attributes.push(self.module.attributes.intern(attribute));
        }
        Ok(self.module.attributes.intern_set(&attributes))
    }

    fn range_width(&self, width: u64) -> Read<u32> {
        match u32::try_from(width) {
            Ok(width) if (1..=crate::types::Types::MAX_INT_BITS).contains(&width) => Ok(width),
            _ => Err(self.fault(format!("there is no integer of {width} bits"))),
        }
    }
}

/// The lower bound of a range; of a wide one also how many words the upper has.
fn range_bound(width: u32, ops: &mut impl Iterator<Item = u64>) -> Option<(Vec<u64>, Option<u64>)> {
    if width <= 64 {
        return Some((vec![super::constant::signed(ops.next()?)], None));
    }
    let counts = ops.next()?;
    let low = words_of(counts & 0xFFFF_FFFF, ops)?;
    let full = extended(low, width);
    Some((full, Some(counts >> 32)))
}

/// Words of a number, each with its sign in the lowest bit.
fn words_of(count: u64, ops: &mut impl Iterator<Item = u64>) -> Option<Vec<u64>> {
    let mut words = Vec::new();
    for _ in 0..count {
        words.push(super::constant::signed(ops.next()?));
    }
    Some(words)
}

/// The words with zeros up to a width.
fn extended(mut words: Vec<u64>, width: u32) -> Vec<u64> {
    words.resize(width.div_ceil(64) as usize, 0);
    words
}

/// The words that the number of an attribute stands for; nothing if the word alone means it.
fn attribute_words(word: &str, value: u64) -> Option<String> {
    let (high, low) = (value >> 32, value & 0xFFFF_FFFF);
    match word {
        "allocsize" => Some(match low {
            0xFFFF_FFFF => format!("{high}"),
            _ => format!("{high},{low}"),
        }),
        "vscale_range" => Some(format!("{high},{low}")),
        "uwtable" => match UNWIND_TABLES.iter().find(|row| row.0 == value)?.1 {
            "async" => None,
            other => Some(other.to_owned()),
        },
        "allockind" => {
            let kinds = ALLOC_KINDS.iter().filter(|row| value & row.0 != 0);
            let kinds: Vec<&str> = kinds.map(|row| row.1).collect();
            Some(format!("\"{}\"", kinds.join(",")))
        }
        "nofpclass" => {
            let mut left = value;
            let mut words = Vec::new();
            for (mask, word) in FLOAT_CLASSES {
                if left & mask == *mask {
                    words.push(*word);
                    left &= !mask;
                }
            }
            (left == 0 && !words.is_empty()).then(|| words.join(" "))
        }
        "captures" => {
            let parts = |bits: u64| -> String {
                let mut parts: Vec<&str> = Vec::new();
                for pair in CAPTURES.chunks(2) {
                    let whole = pair.iter().rev().find(|row| bits & row.0 == row.0);
                    parts.extend(whole.map(|row| row.1));
                }
                match parts.is_empty() {
                    true => "none".to_owned(),
                    false => parts.join(", "),
                }
            };
            let (other, ret) = (value >> 4 & 0xF, value & 0xF);
            Some(match (other, ret) {
                _ if other == ret => parts(other),
                (0, _) => format!("ret: {}", parts(ret)),
                _ => format!("{}, ret: {}", parts(other), parts(ret)),
            })
        }
        "memory" => memory_words(value),
        _ => None,
    }
}

/// The words of `memory(…)`: the access of what has no name, then locations with another access.
fn memory_words(value: u64) -> Option<String> {
    let access = |at: usize| ACCESSES[(value >> (2 * at) & 3) as usize];
    let other_at = MEMORY_LOCATIONS.iter().position(|name| name.is_empty())?;
    let (other, locations): (&str, Vec<(&str, &str)>) = match value >> MEMORY_VERSION_SHIFT {
        // Arguments, inaccessible memory, everything else.
        0 => (
            access(2),
            (0..2)
                .map(|at| (MEMORY_LOCATIONS[at], access(at)))
                .collect(),
        ),
        _ => {
            let known = (0..MEMORY_LOCATIONS.len()).filter(|&at| at != other_at);
            (
                access(other_at),
                known.map(|at| (MEMORY_LOCATIONS[at], access(at))).collect(),
            )
        }
    };
    let different: Vec<String> = locations
        .iter()
        .filter(|location| location.1 != other)
        .map(|(name, access)| format!("{name}: {access}"))
        .collect();
    let mut parts = Vec::new();
    if other != "none" || different.is_empty() {
        parts.push(other.to_owned());
    }
    parts.extend(different);
    Some(parts.join(", "))
}
