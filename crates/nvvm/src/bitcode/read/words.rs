//! Names that the reader needs again and again.

use crate::module::Module;
use crate::name::Name;

/// Names that the reader needs again and again.
pub(super) struct KnownWords {
    pub dbg: Name,
    pub yes: Name,
    pub no: Name,
    pub location: Name,
    pub line: Name,
    pub column: Name,
    pub scope: Name,
    pub inlined_at: Name,
    pub implicit: Name,
    pub atom_group: Name,
    pub atom_rank: Name,
    pub expression: Name,
}

impl KnownWords {
    pub fn new(module: &mut Module) -> KnownWords {
        let mut name = |text: &str| module.names.intern(text.as_bytes());
        KnownWords {
            dbg: name("dbg"),
            yes: name("true"),
            no: name("false"),
            location: name("DILocation"),
            line: name("line"),
            column: name("column"),
            scope: name("scope"),
            inlined_at: name("inlinedAt"),
            implicit: name("isImplicitCode"),
            atom_group: name("atomGroup"),
            atom_rank: name("atomRank"),
            expression: name("DIExpression"),
        }
    }
}
