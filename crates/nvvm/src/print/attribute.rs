//! Attributes, and the groups that those of functions and calls are written in.

use super::Printer;
use crate::attribute::{AttrSet, Attribute};
use crate::index::Id;
use crate::name::Name;

/// The attribute groups `#0`, `#1` …, numbered as they are first needed.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// The number of the group of each set, plus one; zero if it has none yet.
    numbers: Vec<u32>,
    sets: Vec<AttrSet>,
}

impl Groups {
    fn number(&mut self, set: AttrSet) -> u32 {
        if self.numbers.len() <= set.index() {
            self.numbers.resize(set.index() + 1, 0);
        }
        let number = &mut self.numbers[set.index()];
        if *number == 0 {
            self.sets.push(set);
            *number = self.sets.len() as u32;
        }
        *number - 1
    }
}

/// Attributes with a number that are not written `name(N)`.
#[derive(Debug)]
pub(super) struct NumberedWords {
    pub(super) align: Option<Name>,
    pub(super) alignstack: Option<Name>,
}

impl Printer<'_> {
    /// Gives the set its number now.
    pub(super) fn reserve_group(&mut self, set: AttrSet) {
        if set != self.module.attributes.empty_set {
            self.groups.number(set);
        }
    }

    /// ` #N`, if there are any attributes.
    pub(super) fn group(&mut self, set: AttrSet) {
        if set != self.module.attributes.empty_set {
            let number = self.groups.number(set);
            self.out.str(" #");
            self.out.number(u64::from(number));
        }
    }

    /// The attributes of a parameter or result, each with a blank in front.
    #[inline]
    pub(super) fn attributes(&mut self, set: AttrSet) {
        let module = self.module;
        for &attribute in module.attributes.set(set) {
            self.out.byte(b' ');
            self.attribute(module.attributes.get(attribute), false);
        }
    }

    /// `; Function Attrs: …`: those that are not strings, for the reader's convenience.
    pub(super) fn attribute_comment(&mut self, set: AttrSet) {
        let module = self.module;
        let mut words = module
            .attributes
            .set(set)
            .iter()
            .map(|&attribute| module.attributes.get(attribute))
            .filter(|attribute| !matches!(attribute, Attribute::Text(..)))
            .peekable();
        if words.peek().is_none() {
            return;
        }
        self.out.str("; Function Attrs:");
        for attribute in words {
            self.out.byte(b' ');
            self.attribute(attribute, false);
        }
        self.out.newline();
    }

    pub(super) fn attribute(&mut self, attribute: Attribute, in_group: bool) {
        let names = &self.module.names;
        match attribute {
            Attribute::Flag(name) => self.out.bytes(names.bytes(name)),
            Attribute::Int(name, value) => {
                self.out.bytes(names.bytes(name));
                let is_align = Some(name) == self.numbered_words.align;
                if in_group && (is_align || Some(name) == self.numbered_words.alignstack) {
                    self.out.byte(b'=');
                    self.out.number(value);
                } else if is_align {
                    self.out.byte(b' ');
                    self.out.number(value);
                } else {
                    self.out.byte(b'(');
                    self.out.number(value);
                    self.out.byte(b')');
                }
            }
            Attribute::Type(name, ty) => {
                self.out.bytes(names.bytes(name));
                self.out.byte(b'(');
                self.ty(ty);
                self.out.byte(b')');
            }
            Attribute::Words(name, words) => {
                self.out.bytes(names.bytes(name));
                self.out.byte(b'(');
                self.out.bytes(names.bytes(words));
                self.out.byte(b')');
            }
            Attribute::Range(ty, from, to) => {
                self.out.str("range(");
                self.ty(ty);
                self.out.byte(b' ');
                self.integer(from);
                self.out.str(", ");
                self.integer(to);
                self.out.byte(b')');
            }
            Attribute::Text(key, value) => {
                self.out.quoted(names.bytes(key));
                if let Some(value) = value {
                    self.out.byte(b'=');
                    self.out.quoted(names.bytes(value));
                }
            }
        }
    }

    pub(super) fn group_definitions(&mut self) {
        let module = self.module;
        let sets = std::mem::take(&mut self.groups.sets);
        if !sets.is_empty() {
            self.out.gap();
        }
        for (number, &set) in sets.iter().enumerate() {
            self.out.str("attributes #");
            self.out.number(number as u64);
            self.out.str(" = {");
            for &attribute in module.attributes.set(set) {
                self.out.byte(b' ');
                self.attribute(module.attributes.get(attribute), true);
            }
            self.out.str(" }");
            self.out.newline();
        }
    }
}
