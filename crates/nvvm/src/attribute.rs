//! Attributes of functions, parameters, results, call sites and variables.
//!
//! An attribute is a small value; sets and lists of sets are interned, because a module has few
//! distinct ones. Groups (`attributes #0 = {…}`) exist only in text: the reader puts their contents
//! into the sets, the printer collects equal sets of functions into groups again.

pub(crate) mod words;

use crate::constant::ConstId;
use crate::index::define_ids;
use crate::intern::{Lists, Set};
use crate::name::Name;
use crate::types::TypeId;

define_ids! {
    /// An attribute of a module.
    AttrId
    /// A set of attributes, in the order of the text.
    AttrSet
    /// The attributes of a function or call: of itself, its result and each parameter.
    AttrList
}

/// An attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Attribute {
    /// `nounwind`
    Flag(Name),
    /// `align 8`, `dereferenceable(16)`, `alignstack(8)`
    Int(Name, u64),
    /// `sret(%T)`
    Type(Name, TypeId),
    /// `memory(argmem: read)`: the words between the parentheses, with single blanks.
    Words(Name, Name),
    /// `range(i32 0, 9)`: the type and the two bounds
    Range(TypeId, ConstId, ConstId),
    /// `"key"="value"`; without a value only the key is written
    Text(Name, Option<Name>),
}

impl Attribute {
    /// The name; `None` for `range`, which has no other name.
    pub fn name(self) -> Option<Name> {
        match self {
            Attribute::Flag(name)
            | Attribute::Int(name, _)
            | Attribute::Type(name, _)
            | Attribute::Words(name, _)
            | Attribute::Text(name, _) => Some(name),
            Attribute::Range(..) => None,
        }
    }
}

/// The attributes of a module.
#[derive(Clone, Debug)]
pub struct Attributes {
    attributes: Set<AttrId, Attribute>,
    sets: Lists<AttrSet, AttrId>,
    lists: Lists<AttrList, AttrSet>,
    /// The set without attributes.
    pub empty_set: AttrSet,
    /// The list without attributes.
    pub empty_list: AttrList,
}

impl Default for Attributes {
    fn default() -> Attributes {
        let mut sets = Lists::default();
        let mut lists = Lists::default();
        Attributes {
            empty_set: sets.intern(&[]),
            empty_list: lists.intern(&[]),
            attributes: Set::default(),
            sets,
            lists,
        }
    }
}

impl Attributes {
    /// An attribute.
    pub fn get(&self, attribute: AttrId) -> Attribute {
        *self.attributes.get(attribute)
    }

    /// The number of an attribute.
    pub fn intern(&mut self, attribute: Attribute) -> AttrId {
        self.attributes.intern(attribute)
    }

    /// The attributes in a set.
    pub fn set(&self, set: AttrSet) -> &[AttrId] {
        self.sets.get(set)
    }

    /// The number of a set.
    pub fn intern_set(&mut self, attributes: &[AttrId]) -> AttrSet {
        self.sets.intern(attributes)
    }

    /// The list of a function or call. Trailing empty sets are dropped, so that equal lists are equal.
    pub fn intern_list(&mut self, function: AttrSet, ret: AttrSet, params: &[AttrSet]) -> AttrList {
        let mut all: smallvec::SmallVec<[AttrSet; 16]> = smallvec::SmallVec::new();
        all.push(function);
        all.push(ret);
        all.extend_from_slice(params);
        while all.last() == Some(&self.empty_set) {
            all.pop();
        }
        self.lists.intern(&all)
    }

    fn at(&self, list: AttrList, index: usize) -> AttrSet {
        self.lists
            .get(list)
            .get(index)
            .copied()
            .unwrap_or(self.empty_set)
    }

    /// The attributes of the function or call itself.
    pub fn of_function(&self, list: AttrList) -> AttrSet {
        self.at(list, 0)
    }

    /// The attributes of the result.
    pub fn of_return(&self, list: AttrList) -> AttrSet {
        self.at(list, 1)
    }

    /// The attributes of a parameter.
    pub fn of_param(&self, list: AttrList, index: usize) -> AttrSet {
        self.at(list, 2 + index)
    }

    /// How many parameters have attributes or stand before one that has.
    pub fn param_count(&self, list: AttrList) -> usize {
        self.lists.get(list).len().saturating_sub(2)
    }

    /// The attribute of a set with a name.
    pub fn find(&self, set: AttrSet, name: Name) -> Option<Attribute> {
        self.set(set)
            .iter()
            .map(|&attribute| self.get(attribute))
            .find(|attribute| attribute.name() == Some(name))
    }
}
