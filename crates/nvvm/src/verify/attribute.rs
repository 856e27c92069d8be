//! Attributes: the table of where each may stand and on which types.
//!
//! The table was compared with LLVM 22 for every attribute, place and kind of type.

use super::{Callee, Verifier};
use crate::attribute::{AttrList, AttrSet, Attribute};
use crate::types::TypeId;
use warpc_diag::codes;

/// The types that a parameter or result with an attribute may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Takes {
    /// All.
    All,
    /// All but `void`.
    Values,
    /// Integers.
    Int,
    /// Integers and vectors of them.
    IntLike,
    /// Pointers.
    Ptr,
    /// Pointers and vectors of them.
    PtrLike,
    /// Floating-point numbers, and vectors, arrays and structs of them.
    Float,
}

/// Where an attribute may stand.
pub(super) const FUNCTION: u8 = 1;
pub(super) const PARAM: u8 = 2;
pub(super) const RESULT: u8 = 4;

/// Defines the attributes: name, word, places, types.
macro_rules! attributes {
    ($($name:ident $word:literal [$($place:ident)*] $takes:ident)*) => {
        /// An attribute that LLVM knows.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(super) enum Kind { $($name,)* }

        /// All attributes: kind, word, places, types.
        const TABLE: &[(Kind, &str, u8, Takes)] =
            &[$((Kind::$name, $word, 0 $(| $place)*, Takes::$takes),)*];
    };
}

attributes! {
    Align "align" [PARAM RESULT] PtrLike
    AllocAlign "allocalign" [PARAM] Int
    Allocator "allockind" [FUNCTION] All
    AllocPtr "allocptr" [PARAM] Ptr
    AllocSize "allocsize" [FUNCTION] All
    AlwaysInline "alwaysinline" [FUNCTION] All
    Builtin "builtin" [FUNCTION] All
    ByVal "byval" [PARAM] Ptr
    ByRef "byref" [PARAM] Ptr
    NoUndef "noundef" [PARAM RESULT] Values
    Cold "cold" [FUNCTION] All
    Convergent "convergent" [FUNCTION] All
    Hot "hot" [FUNCTION] All
    Dereferenceable "dereferenceable" [PARAM RESULT] Ptr
    DereferenceableOrNull "dereferenceable_or_null" [PARAM RESULT] Ptr
    DisableSanitizerInstrumentation "disable_sanitizer_instrumentation" [FUNCTION] All
    ElementType "elementtype" [PARAM] Ptr
    FnRetThunkExtern "fn_ret_thunk_extern" [FUNCTION] All
    HybridPatchable "hybrid_patchable" [FUNCTION] All
    InAlloca "inalloca" [PARAM] Ptr
    Initializes "initializes" [PARAM] Ptr
    InlineHint "inlinehint" [FUNCTION] All
    InReg "inreg" [PARAM RESULT] All
    JumpTable "jumptable" [FUNCTION] All
    Memory "memory" [FUNCTION] All
    NoFpClass "nofpclass" [PARAM RESULT] Float
    MinSize "minsize" [FUNCTION] All
    Naked "naked" [FUNCTION] All
    Nest "nest" [PARAM] Ptr
    NoAlias "noalias" [PARAM RESULT] Ptr
    NoBuiltin "nobuiltin" [FUNCTION] All
    NoCallback "nocallback" [FUNCTION] All
    Captures "captures" [PARAM] Ptr
    NoCreateUndefOrPoison "nocreateundeforpoison" [FUNCTION] All
    NoDivergenceSource "nodivergencesource" [FUNCTION] All
    NoDuplicate "noduplicate" [FUNCTION] All
    NoExt "noext" [PARAM RESULT] All
    NoFree "nofree" [FUNCTION PARAM] All
    DeadOnUnwind "dead_on_unwind" [PARAM] Ptr
    DeadOnReturn "dead_on_return" [PARAM] Ptr
    NoImplicitFloat "noimplicitfloat" [FUNCTION] All
    NoInline "noinline" [FUNCTION] All
    NonLazyBind "nonlazybind" [FUNCTION] All
    NoMerge "nomerge" [FUNCTION] All
    NonNull "nonnull" [PARAM RESULT] Ptr
    NoRecurse "norecurse" [FUNCTION] All
    NoRedZone "noredzone" [FUNCTION] All
    NoReturn "noreturn" [FUNCTION] All
    NoSync "nosync" [FUNCTION] All
    NoCfCheck "nocf_check" [FUNCTION] All
    NoProfile "noprofile" [FUNCTION] All
    SkipProfile "skipprofile" [FUNCTION] All
    NoUnwind "nounwind" [FUNCTION] All
    NoSanitizeBounds "nosanitize_bounds" [FUNCTION] All
    NoSanitizeCoverage "nosanitize_coverage" [FUNCTION] All
    NullPointerIsValid "null_pointer_is_valid" [FUNCTION] All
    OptDebug "optdebug" [FUNCTION] All
    OptForFuzzing "optforfuzzing" [FUNCTION] All
    OptSize "optsize" [FUNCTION] All
    OptNone "optnone" [FUNCTION] All
    Preallocated "preallocated" [FUNCTION PARAM] Ptr
    Range "range" [PARAM RESULT] IntLike
    ReadNone "readnone" [PARAM] Ptr
    ReadOnly "readonly" [PARAM] Ptr
    Returned "returned" [PARAM] All
    ImmArg "immarg" [PARAM] All
    ReturnsTwice "returns_twice" [FUNCTION] All
    SafeStack "safestack" [FUNCTION] All
    ShadowCallStack "shadowcallstack" [FUNCTION] All
    SignExt "signext" [PARAM RESULT] Int
    AlignStack "alignstack" [FUNCTION PARAM RESULT] All
    Speculatable "speculatable" [FUNCTION] All
    Ssp "ssp" [FUNCTION] All
    SspReq "sspreq" [FUNCTION] All
    SspStrong "sspstrong" [FUNCTION] All
    StrictFp "strictfp" [FUNCTION] All
    StructRet "sret" [PARAM] Ptr
    SanitizeAddress "sanitize_address" [FUNCTION] All
    SanitizeThread "sanitize_thread" [FUNCTION] All
    SanitizeType "sanitize_type" [FUNCTION] All
    SanitizeMemory "sanitize_memory" [FUNCTION] All
    SanitizeHwAddress "sanitize_hwaddress" [FUNCTION] All
    SanitizeMemTag "sanitize_memtag" [FUNCTION] All
    SanitizeNumericalStability "sanitize_numerical_stability" [FUNCTION] All
    SanitizeRealtime "sanitize_realtime" [FUNCTION] All
    SanitizeRealtimeBlocking "sanitize_realtime_blocking" [FUNCTION] All
    SanitizeAllocToken "sanitize_alloc_token" [FUNCTION] All
    SpeculativeLoadHardening "speculative_load_hardening" [FUNCTION] All
    SwiftError "swifterror" [PARAM] Ptr
    SwiftSelf "swiftself" [PARAM] All
    SwiftAsync "swiftasync" [PARAM] All
    UwTable "uwtable" [FUNCTION] All
    VScaleRange "vscale_range" [FUNCTION] All
    WillReturn "willreturn" [FUNCTION] All
    Writable "writable" [PARAM] Ptr
    WriteOnly "writeonly" [PARAM] All
    ZeroExt "zeroext" [PARAM RESULT] Int
    MustProgress "mustprogress" [FUNCTION] All
    PresplitCoroutine "presplitcoroutine" [FUNCTION] All
    CoroOnlyDestroyWhenComplete "coro_only_destroy_when_complete" [FUNCTION] All
    CoroElideSafe "coro_elide_safe" [FUNCTION] All
}

/// Those that say how an argument is passed; a tail call must have the same.
pub(super) const PASSING: &[Kind] = &[
    Kind::StructRet,
    Kind::ByVal,
    Kind::InAlloca,
    Kind::InReg,
    Kind::AlignStack,
    Kind::SwiftSelf,
    Kind::SwiftAsync,
    Kind::SwiftError,
    Kind::Preallocated,
    Kind::ByRef,
];

impl Kind {
    /// The attribute with a name.
    pub(super) fn from_name(name: &[u8]) -> Option<Kind> {
        let row = TABLE.iter().find(|row| row.1.as_bytes() == name)?;
        Some(row.0)
    }

    pub(super) fn row(self) -> (&'static str, u8, Takes) {
        let (_, word, places, takes) = TABLE[self as usize];
        (word, places, takes)
    }

    /// The word.
    pub(super) fn word(self) -> &'static str {
        self.row().0
    }

    /// Whether it can stand on a function.
    fn fits_function(self) -> bool {
        self.row().1 & FUNCTION != 0
    }

    /// Whether it can stand on a parameter.
    pub(super) fn fits_param(self) -> bool {
        self.row().1 & PARAM != 0
    }
}

/// Whether an attribute is one that functions do not have. `align` is part of a function's head.
pub(crate) fn is_not_for_functions(name: &[u8]) -> bool {
    name != b"align" && Kind::from_name(name).is_some_and(|kind| !kind.fits_function())
}

/// The attributes of a set, those that are strings apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Kinds(pub(super) u128);

impl Kinds {
    /// Whether an attribute is among them.
    pub(super) fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 != 0
    }

    pub(super) fn add(&mut self, kind: Kind) {
        self.0 |= 1 << kind as u8;
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Kind> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let at = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            TABLE.get(at).map(|row| row.0)
        })
    }
}

impl Verifier<'_> {
    pub(super) fn attr(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_ATTRIBUTE, message)
    }

    /// The attributes of a set.
    pub(super) fn kinds(&mut self, set: AttrSet) -> Kinds {
        if let Some(&kinds) = self.attr_sets.get(&set) {
            return kinds;
        }
        let attributes = &self.module.attributes;
        let mut kinds = Kinds::default();
        for &id in attributes.set(set) {
            let kind = match attributes.get(id) {
                Attribute::Range(..) => Some(Kind::Range),
                Attribute::Text(..) => None,
                other => other
                    .name()
                    .and_then(|name| Kind::from_name(self.module.names.bytes(name))),
            };
            if let Some(kind) = kind {
                kinds.add(kind);
            }
        }
        self.attr_sets.insert(set, kinds);
        kinds
    }

    /// The attribute of a kind in a set.
    pub(super) fn attribute(&self, set: AttrSet, kind: Kind) -> Option<Attribute> {
        let attributes = &self.module.attributes;
        let mut all = attributes.set(set).iter().map(|&id| attributes.get(id));
        all.find(|attribute| match attribute {
            Attribute::Range(..) => kind == Kind::Range,
            Attribute::Text(..) => false,
            other => other
                .name()
                .is_some_and(|name| self.module.names.bytes(name) == kind.word().as_bytes()),
        })
    }

    /// The words between the parentheses of an attribute.
    pub(super) fn words(&self, set: AttrSet, kind: Kind) -> Option<String> {
        match self.attribute(set, kind)? {
            Attribute::Words(_, words) => Some(self.module.names.text(words).into_owned()),
            Attribute::Int(_, value) => Some(value.to_string()),
            _ => None,
        }
    }

    /// The type that an attribute names.
    pub(super) fn attribute_type(&self, set: AttrSet, kind: Kind) -> Option<TypeId> {
        match self.attribute(set, kind)? {
            Attribute::Type(_, ty) => Some(ty),
            _ => None,
        }
    }

    /// The value of a string attribute of a set.
    pub(super) fn text_attribute(&self, set: AttrSet, key: &str) -> Option<String> {
        let name = self.module.names.find(key.as_bytes())?;
        match self.module.attributes.find(set, name)? {
            Attribute::Text(_, value) => Some(
                value
                    .map(|value| self.module.names.text(value).into_owned())
                    .unwrap_or_default(),
            ),
            _ => None,
        }
    }

    /// Whether the callee of a call has an attribute itself.
    pub(super) fn callee_has(&mut self, list: Option<AttrList>, kind: Kind) -> bool {
        list.is_some_and(|list| {
            self.kinds(self.module.attributes.of_function(list))
                .has(kind)
        })
    }
}

impl Callee {
    /// Whether the name says that it is an intrinsic.
    pub(super) fn is_intrinsic(self) -> bool {
        self != Callee::Plain
    }
}
