//! Kinds of attributes.
//!
//! A group of attributes is a list of `[form, kind, value…]`: the form is a number of [`form`], the kind one
//! of [`KINDS`], or a string for attributes in quotes.

/// Forms of attributes in a group.
pub(crate) mod form {
    /// A kind alone.
    pub(crate) const FLAG: u64 = 0;
    /// A kind and a number.
    pub(crate) const INT: u64 = 1;
    /// `"key"`
    pub(crate) const KEY: u64 = 3;
    /// `"key"="value"`
    pub(crate) const KEY_VALUE: u64 = 4;
    /// A kind that may have a type, without one.
    pub(crate) const NO_TYPE: u64 = 5;
    /// A kind and a type.
    pub(crate) const TYPE: u64 = 6;
    /// A kind, the width, and two bounds.
    pub(crate) const RANGE: u64 = 7;
    /// A kind, the number of ranges, the width, and two bounds for each.
    pub(crate) const RANGES: u64 = 8;
}

/// What a kind has as a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// Nothing.
    Flag,
    /// A number.
    Int,
    /// A number of bytes, a power of two.
    Align,
    /// A type, or nothing in older files.
    Type,
    /// A number that stands for words.
    Words,
    /// A number that stands for words, or nothing in older files.
    MaybeWords,
    /// A range.
    Range,
    /// A list of ranges.
    Ranges,
    /// Nothing: a promise about memory that became part of `memory(…)` on functions.
    OldMemory,
}

/// The kinds: number, word, value.
#[rustfmt::skip]
pub(crate) const KINDS: &[(u64, &str, Value)] = {
    use Value::*;
    &[
        (1, "align", Align), (2, "alwaysinline", Flag), (3, "byval", Type), (4, "inlinehint", Flag),
        (5, "inreg", Flag), (6, "minsize", Flag), (7, "naked", Flag), (8, "nest", Flag), (9, "noalias", Flag),
        (10, "nobuiltin", Flag), (11, "nocapture", Flag), (12, "noduplicate", Flag), (13, "noimplicitfloat", Flag),
        (14, "noinline", Flag), (15, "nonlazybind", Flag), (16, "noredzone", Flag), (17, "noreturn", Flag),
        (18, "nounwind", Flag), (19, "optsize", Flag), (20, "readnone", OldMemory), (21, "readonly", OldMemory),
        (22, "returned", Flag), (23, "returns_twice", Flag), (24, "signext", Flag), (25, "alignstack", Align),
        (26, "ssp", Flag), (27, "sspreq", Flag), (28, "sspstrong", Flag), (29, "sret", Type),
        (30, "sanitize_address", Flag), (31, "sanitize_thread", Flag), (32, "sanitize_memory", Flag),
        (33, "uwtable", MaybeWords), (34, "zeroext", Flag), (35, "builtin", Flag), (36, "cold", Flag),
        (37, "optnone", Flag), (38, "inalloca", Type), (39, "nonnull", Flag), (40, "jumptable", Flag),
        (41, "dereferenceable", Int), (42, "dereferenceable_or_null", Int), (43, "convergent", Flag),
        (44, "safestack", Flag), (45, "argmemonly", OldMemory), (46, "swiftself", Flag), (47, "swifterror", Flag),
        (48, "norecurse", Flag), (49, "inaccessiblememonly", OldMemory),
        (50, "inaccessiblemem_or_argmemonly", OldMemory), (51, "allocsize", Words), (52, "writeonly", OldMemory),
        (53, "speculatable", Flag), (54, "strictfp", Flag), (55, "sanitize_hwaddress", Flag),
        (56, "nocf_check", Flag), (57, "optforfuzzing", Flag), (58, "shadowcallstack", Flag),
        (59, "speculative_load_hardening", Flag), (60, "immarg", Flag), (61, "willreturn", Flag),
        (62, "nofree", Flag), (63, "nosync", Flag), (64, "sanitize_memtag", Flag), (65, "preallocated", Type),
        (66, "nomerge", Flag), (67, "null_pointer_is_valid", Flag), (68, "noundef", Flag), (69, "byref", Type),
        (70, "mustprogress", Flag), (71, "nocallback", Flag), (72, "hot", Flag), (73, "noprofile", Flag),
        (74, "vscale_range", Words), (75, "swiftasync", Flag), (76, "nosanitize_coverage", Flag),
        (77, "elementtype", Type), (78, "disable_sanitizer_instrumentation", Flag), (79, "nosanitize_bounds", Flag),
        (80, "allocalign", Flag), (81, "allocptr", Flag), (82, "allockind", Words), (83, "presplitcoroutine", Flag),
        (84, "fn_ret_thunk_extern", Flag), (85, "skipprofile", Flag), (86, "memory", Words),
        (87, "nofpclass", Words), (88, "optdebug", Flag), (89, "writable", Flag),
        (90, "coro_only_destroy_when_complete", Flag), (91, "dead_on_unwind", Flag), (92, "range", Range),
        (93, "sanitize_numerical_stability", Flag), (94, "initializes", Ranges), (95, "hybrid_patchable", Flag),
        (96, "sanitize_realtime", Flag), (97, "sanitize_realtime_blocking", Flag), (98, "coro_elide_safe", Flag),
        (99, "noext", Flag), (100, "nodivergencesource", Flag), (101, "sanitize_type", Flag),
        (102, "captures", Words), (103, "dead_on_return", MaybeWords), (104, "sanitize_alloc_token", Flag),
        (105, "nocreateundeforpoison", Flag), (106, "denormal_fpenv", Words), (107, "nooutline", Flag),
    ]
};

/// Locations of `memory(…)`, two bits each (read, write), from the lowest on. Older files have only the first two and
/// the one without a name, which then stands for all others.
pub(crate) const MEMORY_LOCATIONS: &[&str] = &[
    "argmem",
    "inaccessiblemem",
    "errnomem",
    "",
    "target_mem0",
    "target_mem1",
];
/// The version of the layout of `memory(…)`, in its highest byte.
pub(crate) const MEMORY_VERSION: u64 = 1;
/// Where the version of `memory(…)` starts.
pub(crate) const MEMORY_VERSION_SHIFT: u32 = 56;
/// Accesses of a location of `memory(…)`.
pub(crate) const ACCESSES: &[&str; 4] = &["none", "read", "write", "readwrite"];

/// Parts of `captures(…)`: four bits for the result, four above them for everything else. A part that includes
/// another comes after it.
pub(crate) const CAPTURES: &[(u64, &str)] = &[
    (0b0001, "address_is_null"),
    (0b0011, "address"),
    (0b0100, "read_provenance"),
    (0b1100, "provenance"),
];

/// Classes of `nofpclass(…)`, unions before their parts, in the order in which they are printed.
pub(crate) const FLOAT_CLASSES: &[(u64, &str)] = &[
    (0x3FF, "all"),
    (0x003, "nan"),
    (0x001, "snan"),
    (0x002, "qnan"),
    (0x204, "inf"),
    (0x004, "ninf"),
    (0x200, "pinf"),
    (0x060, "zero"),
    (0x020, "nzero"),
    (0x040, "pzero"),
    (0x090, "sub"),
    (0x010, "nsub"),
    (0x080, "psub"),
    (0x108, "norm"),
    (0x008, "nnorm"),
    (0x100, "pnorm"),
];

/// Words of `allockind("…")`.
pub(crate) const ALLOC_KINDS: &[(u64, &str)] = &[
    (1, "alloc"),
    (2, "realloc"),
    (4, "free"),
    (8, "uninitialized"),
    (16, "zeroed"),
    (32, "aligned"),
];

/// Words of `uwtable(…)`; the second is what the word alone means.
pub(crate) const UNWIND_TABLES: &[(u64, &str)] = &[(1, "sync"), (2, "async")];

/// The row of a kind's number.
pub(crate) fn kind_of(number: u64) -> Option<&'static (u64, &'static str, Value)> {
    KINDS.get(usize::try_from(number.checked_sub(1)?).ok()?)
}

/// The row of a kind's word.
pub(crate) fn kind_named(word: &[u8]) -> Option<&'static (u64, &'static str, Value)> {
    KINDS.iter().find(|row| row.1.as_bytes() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_no_gaps() {
        for (index, row) in KINDS.iter().enumerate() {
            assert_eq!(row.0, index as u64 + 1);
            assert_eq!(kind_of(row.0), Some(row));
            assert_eq!(kind_named(row.1.as_bytes()), Some(row));
        }
    }
}
