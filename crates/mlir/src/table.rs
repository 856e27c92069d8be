//! The operations: how each is written, and what it becomes.
//!
//! A row says everything about an operation of the `llvm` or `nvvm` dialect:
//!
//! ```text
//!   row("llvm.shl", "lhs rhs", "%lhs , %rhs <? overflow #overflowFlags ?> {} : R", "shl{overflow} {R} {lhs}, {rhs}")
//!        name        operands   pretty form                                         LLVM IR
//! ```
//!
//! Operands are names; `a?` may be missing, `a*` are any number. They stand in the order of the generic form.
//!
//! `.attrs("predicate:icmp nontemporal:flag")` lists the attributes and what each holds, see [`attribute`]: an
//! operation has no others, and [`crate::check`] refuses what is not listed. A test sees to it that every line of
//! LLVM IR reads what is listed, or that the row says that nothing needs to.
//!
//! The pretty form is a list of words. What is not one of these stands for itself:
//!
//! | word | means |
//! |---|---|
//! | `%a` | an operand, or a list of them |
//! | `#a` | an attribute; `#:a` one that may have its type after it |
//! | `!a` | sets a flag |
//! | `{}` | the dictionary of other attributes |
//! | `T%a` | the type of operand `a`; `T*` of all operands |
//! | `R` | the types of the results |
//! | `F`, `F%a` | `(operands) -> results`, of all operands or of one |
//! | `^` | a block |
//! | `<?` … `?>` | all of it or nothing |
//!
//! Results whose types are not written get them from `result`: `i32`, or from the type of operand `a`: `=a` the same,
//! `?a` a truth value for each of its lanes, `&a` it and a truth value, `[a` its element, `.a` the part that
//! `position` says, `~a` a vector as long as `mask`.
//!
//! The last part is described in [`crate::translate::template`].

pub(crate) mod attribute;
mod convert;
mod copy;
pub(crate) mod enumeration;
mod intrinsic;
mod llvm;
mod matrix;
mod module;
mod other;
mod sync;

use attribute::Attribute;

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// An operation.
#[derive(Debug)]
pub(crate) struct Row {
    pub name: &'static str,
    /// The operands in the order of the generic form.
    pub operands: &'static str,
    /// The pretty form.
    pub syntax: &'static str,
    /// What it becomes; empty for those that [`crate::translate`] has a function for.
    pub llvm: &'static str,
    /// The type of the result, where the pretty form does not say it.
    pub result: &'static str,
    /// The attributes.
    pub attrs: &'static str,
}

const fn row(
    name: &'static str,
    operands: &'static str,
    syntax: &'static str,
    llvm: &'static str,
) -> Row {
    Row {
        name,
        operands,
        syntax,
        llvm,
        result: "",
        attrs: "",
    }
}

impl Row {
    /// The type of the result, where the pretty form does not say it.
    const fn result(mut self, result: &'static str) -> Row {
        self.result = result;
        self
    }

    /// The attributes.
    const fn attrs(mut self, attrs: &'static str) -> Row {
        self.attrs = attrs;
        self
    }

    /// The attributes that it may have.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute> {
        let variable = self.groups().filter(|(_, count)| *count != Count::One);
        // How many operands have each name is an attribute where their number does not say it.
        let sizes = match variable.count() {
            0 | 1 => "",
            _ => "operandSegmentSizes:numbers",
        };
        attribute::list(self.attrs).chain(attribute::list(sizes))
    }

    /// The names of the operands and how many there are of each.
    pub fn groups(&self) -> impl Iterator<Item = (&'static str, Count)> {
        self.operands.split_ascii_whitespace().map(|word| {
            if let Some(name) = word.strip_suffix('?') {
                (name, Count::Optional)
            } else if let Some(name) = word.strip_suffix('*') {
                (name, Count::Any)
            } else {
                (word, Count::One)
            }
        })
    }
}

/// How many operands have a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    One,
    Optional,
    Any,
}

/// All rows.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    let tables: [&[Row]; 8] = [
        module::ROWS,
        llvm::ROWS,
        intrinsic::ROWS,
        sync::ROWS,
        copy::ROWS,
        convert::ROWS,
        matrix::ROWS,
        other::ROWS,
    ];
    tables.into_iter().flatten()
}

/// The row of an operation. Special registers share one, whose name ends in `*`.
pub(crate) fn row_of(name: &str) -> Option<&'static Row> {
    static BY_NAME: OnceLock<FxHashMap<&'static str, &'static Row>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| rows().map(|row| (row.name, row)).collect());
    let family = || {
        let dot = name.rfind("sreg.")? + "sreg.".len();
        by_name.get(format!("{}*", &name[..dot]).as_str())
    };
    by_name.get(name).or_else(family).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_row() {
        let mut names: Vec<&str> = rows().map(|row| row.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
