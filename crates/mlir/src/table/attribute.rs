//! What the attributes of an operation hold.
//!
//! A row lists its attributes as `NAME:KIND`, other spellings of the name after a `/`: `ordering/mem_order:mem_order`.
//! `@access` stands for the attributes that all accesses of memory have. Kinds are:
//!
//! | kind | the attribute is |
//! |---|---|
//! | `flag` | a flag: there or not, or `true` or `false` |
//! | `number` | an integer |
//! | `numbers` | a list of integers: `array<i32: 1, 2>`, `dense<…>`, `[1, 2]` |
//! | `text`, `type`, `symbol`, `list` | a string, a type, `@name`, `[…]` |
//! | `any` | something that the translation of the operation looks at itself |
//! | `empty` | a list that must be empty: what it would hold is not supported |
//! | `advice` | of no meaning for the code: whatever it holds, leaving it out is right |
//! | `refused` | MLIR has it, warpc cannot honour it |
//! | the name of an [enumeration](super::enumeration) | one of its enumerators, as a word or as its number |

use super::enumeration::{Enumeration, enumeration};

/// What accesses say about aliases and loops, which only optimisers may use.
const ACCESS: &str = "access_groups:advice alias_scopes:advice noalias_scopes:advice tbaa:advice";

/// An attribute of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute {
    /// Its names; the first is the one that the rest of the crate uses.
    pub names: &'static str,
    pub kind: Kind,
}

/// What an attribute holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Flag,
    Number,
    Numbers,
    Text,
    Type,
    Symbol,
    List,
    Any,
    Empty,
    Advice,
    Refused,
    Word(&'static Enumeration),
}

impl Attribute {
    /// The name that the rest of the crate uses.
    pub fn name(&self) -> &'static str {
        self.names.split('/').next().unwrap_or(self.names)
    }

    /// Whether it is called so.
    pub fn is(&self, name: &str) -> bool {
        self.names.split('/').any(|own| own == name)
    }
}

/// The attributes of a list.
pub(super) fn list(words: &'static str) -> impl Iterator<Item = Attribute> {
    let expanded = words.split_ascii_whitespace().flat_map(|word| match word {
        "@access" => ACCESS.split_ascii_whitespace(),
        _ => word.split_ascii_whitespace(),
    });
    expanded.filter_map(|word| {
        let (names, kind) = word.split_once(':')?;
        Some(Attribute {
            names,
            kind: kind_of(kind)?,
        })
    })
}

fn kind_of(word: &str) -> Option<Kind> {
    Some(match word {
        "flag" => Kind::Flag,
        "number" => Kind::Number,
        "numbers" => Kind::Numbers,
        "text" => Kind::Text,
        "type" => Kind::Type,
        "symbol" => Kind::Symbol,
        "list" => Kind::List,
        "any" => Kind::Any,
        "empty" => Kind::Empty,
        "advice" => Kind::Advice,
        "refused" => Kind::Refused,
        name => Kind::Word(enumeration(name)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::rows;

    #[test]
    fn every_word_of_a_list_is_an_attribute() {
        for row in rows() {
            for word in row.attrs.split_ascii_whitespace() {
                assert!(list(word).next().is_some(), "{}: `{word}`", row.name);
            }
            let names: Vec<&str> = row.attributes().map(|one| one.names).collect();
            for (i, name) in names.iter().enumerate() {
                assert!(!names[..i].contains(name), "{}: `{name}` twice", row.name);
            }
        }
    }

    #[test]
    fn pretty_forms_set_attributes_that_are_listed() {
        for row in rows() {
            for word in row.syntax.split_ascii_whitespace() {
                let name = word.strip_prefix("#:").or(word.strip_prefix(['#', '!']));
                if let Some(name) = name.filter(|name| !name.is_empty()) {
                    let known = row.attributes().any(|one| one.name() == name);
                    assert!(known, "{}: `{word}`", row.name);
                }
            }
        }
    }

    /// The names between marks in a part of a line.
    fn names(text: &'static str) -> impl Iterator<Item = &'static str> {
        text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
    }

    /// What a line reads: its conditions, its fields, and the arguments of a call.
    fn reads(line: &'static str) -> Vec<&'static str> {
        let mut read = Vec::new();
        let mut rest = line;
        if let Some((conditions, more)) = line
            .strip_prefix('[')
            .and_then(|line| line.split_once("] "))
        {
            read.extend(names(conditions));
            rest = more;
        }
        for field in rest.split('{').skip(1) {
            read.extend(names(field.split('}').next().unwrap_or_default()));
        }
        if let Some((_, arguments)) = rest.split_once('(') {
            read.extend(names(arguments));
        }
        let fields = crate::translate::field::READS;
        let more = fields.iter().filter(|(field, _)| read.contains(field));
        let more: Vec<&str> = more.map(|(_, attribute)| *attribute).collect();
        read.extend(more);
        read
    }

    #[test]
    fn every_line_reads_every_attribute_and_operand() {
        let mut wrong = Vec::new();
        for row in rows().filter(|row| !row.llvm.is_empty()) {
            let wanted = row.attributes().filter(|one| {
                // Ranges and the attributes of arguments are a part of every call; sizes are read with the operands.
                let elsewhere = ["range", "operandSegmentSizes", "arg_attrs", "res_attrs"];
                let elsewhere = elsewhere.contains(&one.name());
                !elsewhere && !matches!(one.kind, Kind::Advice | Kind::Refused)
            });
            let mut wanted: Vec<&str> = wanted.map(|one| one.name()).collect();
            // Operands are not to be forgotten, either: but for what blocks are given, which their phis read, and
            // for what is known beside an assumption.
            let read =
                |name: &&str| *name != "bundles" && !name.to_lowercase().ends_with("destoperands");
            wanted.extend(row.groups().map(|(name, _)| name).filter(read));
            // A condition is also read where it does not hold.
            let mut asked = Vec::new();
            for line in row.llvm.split(" || ") {
                let conditions = line
                    .strip_prefix('[')
                    .and_then(|line| line.split_once("] "));
                asked.extend(
                    conditions
                        .map(|(words, _)| names(words))
                        .into_iter()
                        .flatten(),
                );
                if line.contains("] refuse ") || line == "nothing" {
                    continue;
                }
                let read = reads(line);
                for one in &wanted {
                    if !read.contains(one) && !asked.contains(one) {
                        wrong.push(format!("{}: `{one}` in `{line}`", row.name));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "not read:\n{}", wrong.join("\n"));
    }
}
