//! Attributes: where each may stand, on which types, and what excludes what.
//!
//! The table was compared with LLVM 22 for every attribute, place and kind of type.

use super::{Callee, ListUse, Verifier};
use crate::attribute::{AttrList, AttrSet, Attribute};
use crate::inst::Align;
use crate::types::{Type, TypeId};
use warpc_diag::codes;

/// The types that a parameter or result with an attribute may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Takes {
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
const FUNCTION: u8 = 1;
const PARAM: u8 = 2;
const RESULT: u8 = 4;

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

/// Pairs that cannot stand on one parameter or result.
const EXCLUSIVE: &[(Kind, Kind)] = &[
    (Kind::InAlloca, Kind::ReadOnly),
    (Kind::StructRet, Kind::Returned),
    (Kind::ZeroExt, Kind::SignExt),
    (Kind::ReadNone, Kind::ReadOnly),
    (Kind::ReadNone, Kind::WriteOnly),
    (Kind::ReadOnly, Kind::WriteOnly),
    (Kind::Writable, Kind::ReadNone),
    (Kind::Writable, Kind::ReadOnly),
];

/// Pairs that cannot stand on one function.
const EXCLUSIVE_ON_FUNCTIONS: &[(Kind, Kind)] = &[
    (Kind::NoInline, Kind::AlwaysInline),
    (Kind::OptNone, Kind::OptSize),
    (Kind::OptNone, Kind::MinSize),
    (Kind::OptNone, Kind::OptDebug),
    (Kind::SanitizeRealtime, Kind::SanitizeRealtimeBlocking),
    (Kind::OptDebug, Kind::OptSize),
    (Kind::OptDebug, Kind::MinSize),
];

/// Those that one function can have on one parameter only.
const ONCE: &[Kind] = &[
    Kind::Nest,
    Kind::Returned,
    Kind::StructRet,
    Kind::SwiftSelf,
    Kind::SwiftAsync,
    Kind::SwiftError,
];

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

    fn row(self) -> (&'static str, u8, Takes) {
        let (_, word, places, takes) = TABLE[self as usize];
        (word, places, takes)
    }

    /// The word.
    pub(super) fn word(self) -> &'static str {
        self.row().0
    }

    /// Whether it can stand on a parameter.
    pub(super) fn fits_param(self) -> bool {
        self.row().1 & PARAM != 0
    }
}

/// The attributes of a set, those that are strings apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Kinds(u128);

impl Kinds {
    /// Whether an attribute is among them.
    pub(super) fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 != 0
    }

    fn add(&mut self, kind: Kind) {
        self.0 |= 1 << kind as u8;
    }

    fn iter(self) -> impl Iterator<Item = Kind> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let at = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            TABLE.get(at).map(|row| row.0)
        })
    }
}

impl Verifier<'_> {
    fn attr(&mut self, holds: bool, message: impl Into<String>) -> bool {
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
    fn words(&self, set: AttrSet, kind: Kind) -> Option<String> {
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

    /// Checks the attributes of a function or call against its type.
    pub(super) fn attribute_list(&mut self, list: AttrList, ty: TypeId, place: ListUse) {
        if list == self.module.attributes.empty_list || !self.attr_lists.insert((list, ty, place)) {
            return;
        }
        let Some((ret, params, _)) = self.module.types.signature(ty) else {
            return;
        };
        let attributes = &self.module.attributes;
        let of_result = attributes.of_return(list);
        self.places(of_result, RESULT, "results");
        self.value_attributes(of_result, ret);
        let mut seen = Kinds::default();
        for (at, &param) in params.iter().enumerate() {
            let set = attributes.of_param(list, at);
            if set == attributes.empty_set {
                continue;
            }
            let kinds = self.kinds(set);
            self.places(set, PARAM, "parameters");
            self.value_attributes(set, param);
            let is_intrinsic = matches!(place, ListUse::Intrinsic | ListUse::IntrinsicCall);
            self.attr(
                is_intrinsic || !kinds.has(Kind::ImmArg),
                "`immarg` is for parameters of intrinsics",
            );
            self.attr(
                is_intrinsic || place == ListUse::AsmCall || !kinds.has(Kind::ElementType),
                "`elementtype` is for arguments of intrinsics and inline assembly",
            );
            for &kind in ONCE.iter().filter(|&&kind| kinds.has(kind)) {
                rule!(
                    self.attr,
                    !seen.has(kind),
                    "two parameters have `{}`",
                    kind.word()
                );
                seen.add(kind);
            }
            if kinds.has(Kind::Returned) {
                let vectors =
                    self.module.types.is_vector(param) && self.module.types.is_vector(ret);
                let fits = param == ret
                    || vectors && self.primitive_bits(param) == self.primitive_bits(ret);
                self.attr(
                    fits,
                    "a parameter that is `returned` has the type of the result",
                );
            }
            if kinds.has(Kind::StructRet) {
                self.attr(at < 2, "`sret` is for the first or second parameter");
            }
            if kinds.has(Kind::InAlloca) {
                self.attr(
                    at + 1 == params.len(),
                    "`inalloca` is for the last parameter",
                );
            }
        }
        self.function_attributes(list, params, place);
    }

    /// Whether all attributes of a list may stand where they do.
    pub(super) fn attribute_places(&mut self, list: AttrList, params: usize) {
        let attributes = &self.module.attributes;
        let of_function = attributes.of_function(list);
        self.places(of_function, FUNCTION, "functions");
        let builtin = self.kinds(of_function).has(Kind::Builtin);
        self.attr(!builtin, "`builtin` is for calls only");
        self.places(attributes.of_return(list), RESULT, "results");
        for at in 0..params {
            self.places(attributes.of_param(list, at), PARAM, "parameters");
        }
    }

    /// Whether the attributes of a set may stand where they do.
    fn places(&mut self, set: AttrSet, place: u8, what: &str) {
        for kind in self.kinds(set).iter() {
            rule!(
                self.attr,
                kind.row().1 & place != 0,
                "`{}` does not apply to {what}",
                kind.word()
            );
        }
    }

    /// Checks the attributes of a parameter or result of a type.
    pub(super) fn value_attributes(&mut self, set: AttrSet, ty: TypeId) {
        let kinds = self.kinds(set);
        self.text_attributes(set);
        if kinds == Kinds::default() {
            return;
        }
        if kinds.has(Kind::ImmArg) {
            self.attr(
                kinds.0.count_ones() == 1,
                "`immarg` stands alone, no other attribute goes with it",
            );
        }
        let passing = [
            Kind::ByVal,
            Kind::InAlloca,
            Kind::Preallocated,
            Kind::Nest,
            Kind::ByRef,
        ];
        let ways = passing.iter().filter(|&&kind| kinds.has(kind)).count()
            + usize::from(kinds.has(Kind::StructRet) || kinds.has(Kind::InReg));
        self.attr(
            ways <= 1,
            "`byval`, `inalloca`, `preallocated`, `inreg`, `nest`, `byref` and `sret` exclude each other",
        );
        for &(a, b) in EXCLUSIVE {
            rule!(
                self.attr,
                !(kinds.has(a) && kinds.has(b)),
                "`{}` and `{}` exclude each other",
                a.word(),
                b.word()
            );
        }
        for kind in kinds.iter() {
            let takes = kind.row().2;
            if !self.takes(takes, ty) {
                let message = format!("`{}` does not apply to type {}", kind.word(), self.show(ty));
                self.attr(false, message);
                return;
            }
        }
        for kind in [
            Kind::ByVal,
            Kind::ByRef,
            Kind::InAlloca,
            Kind::Preallocated,
            Kind::StructRet,
        ] {
            if let Some(inner) = self.attribute_type(set, kind).filter(|_| kinds.has(kind)) {
                let sized = kind == Kind::StructRet || self.is_sized(inner);
                rule!(
                    self.attr,
                    sized,
                    "`{}` needs a type with a size",
                    kind.word()
                );
                let small = kind == Kind::StructRet || self.bytes(inner, 0) < 1 << 32;
                rule!(
                    self.attr,
                    small,
                    "the type of `{}` is too large",
                    kind.word()
                );
            }
        }
        if let Some(Attribute::Int(_, align)) = self.attribute(set, Kind::Align) {
            self.attr(
                align.is_power_of_two() && align <= Align::MAX,
                "an alignment is a power of two up to 4294967296",
            );
        }
        if let Some(Attribute::Range(bounded, low, high)) = self.attribute(set, Kind::Range) {
            self.attr(
                self.module.types.scalar(ty) == bounded,
                "`range` must have the type of the value",
            );
            self.attr(
                low != high || self.module.constants.is_zero(low),
                "a `range` from a value to itself is only empty from 0 to 0",
            );
        }
        for kind in [Kind::Dereferenceable, Kind::DereferenceableOrNull] {
            if let Some(Attribute::Int(_, 0)) = self.attribute(set, kind) {
                rule!(
                    self.attr,
                    false,
                    "`{}` names at least one byte",
                    kind.word()
                );
            }
        }
        if let Some(words) = self.words(set, Kind::Initializes) {
            self.attr(
                ordered_ranges(&words),
                "the ranges of `initializes` must be in order and apart",
            );
        }
        if let Some(words) = self.words(set, Kind::NoFpClass) {
            self.attr(
                !words.is_empty() && words != "none" && words != "0",
                "`nofpclass` names at least one class",
            );
        }
    }

    fn takes(&self, takes: Takes, ty: TypeId) -> bool {
        let types = &self.module.types;
        match takes {
            Takes::All => true,
            Takes::Values => !matches!(types.get(ty), Type::Void),
            Takes::Int => types.is_int(ty),
            Takes::IntLike => self.is_int_like(ty),
            Takes::Ptr => types.is_ptr(ty),
            Takes::PtrLike => self.is_ptr_like(ty),
            Takes::Float => self.holds_floats(ty),
        }
    }

    /// Whether it is a floating-point number, or a vector, array or struct of such.
    pub(super) fn holds_floats(&self, ty: TypeId) -> bool {
        let types = &self.module.types;
        let mut inner = ty;
        while let Type::Array { element, .. } = types.get(inner) {
            inner = element;
        }
        match types.get(inner) {
            Type::Struct { fields, .. } => {
                let fields = types.list(fields);
                !fields.is_empty() && fields.iter().all(|&field| self.is_float_like(field))
            }
            _ => self.is_float_like(inner),
        }
    }

    /// Checks the attributes of the function or call itself.
    fn function_attributes(&mut self, list: AttrList, params: &[TypeId], place: ListUse) {
        let attributes = &self.module.attributes;
        let set = attributes.of_function(list);
        if set == attributes.empty_set {
            return;
        }
        let kinds = self.kinds(set);
        self.places(set, FUNCTION, "functions");
        self.text_attributes(set);
        self.function_text_attributes(set);
        for &(a, b) in EXCLUSIVE_ON_FUNCTIONS {
            rule!(
                self.attr,
                !(kinds.has(a) && kinds.has(b)),
                "`{}` and `{}` exclude each other",
                a.word(),
                b.word()
            );
        }
        if kinds.has(Kind::OptNone) {
            self.attr(kinds.has(Kind::NoInline), "`optnone` requires `noinline`");
        }
        let writable = (0..attributes.param_count(list)).any(|at| {
            self.kinds(attributes.of_param(list, at))
                .has(Kind::Writable)
        });
        if writable && let Some(memory) = self.words(set, Kind::Memory) {
            self.attr(
                writes_arguments(&memory),
                "a `writable` parameter needs a function that may write its arguments",
            );
        }
        if let Some(words) = self.words(set, Kind::Memory) {
            rule!(
                self.attr,
                words.split(',').all(is_effect),
                "`memory({words})` names places or accesses that are not known"
            );
        }
        if let Some(words) = self.words(set, Kind::UwTable) {
            rule!(
                self.attr,
                matches!(words.as_str(), "sync" | "async"),
                "`uwtable` is sync or async, not {words}"
            );
        }
        if let Some(words) = self.words(set, Kind::AllocSize) {
            for part in words.split(',') {
                let at: Option<usize> = part.trim().parse().ok();
                let param = at.and_then(|at| params.get(at));
                self.attr(
                    param.is_some_and(|&ty| self.module.types.is_int(ty)),
                    "`allocsize` names parameters that are integers",
                );
            }
        }
        if let Some(words) = self.words(set, Kind::Allocator) {
            self.alloc_kind(&words);
        }
        if let Some(words) = self.words(set, Kind::VScaleRange) {
            let bounds: Vec<u64> = words
                .split(',')
                .filter_map(|b| b.trim().parse().ok())
                .collect();
            let low = bounds.first().copied().unwrap_or(0);
            let high = bounds.get(1).copied().unwrap_or(low);
            self.attr(
                low.is_power_of_two() && (high == 0 || high.is_power_of_two() && low <= high),
                "the bounds of `vscale_range` are powers of two in order",
            );
        }
        if matches!(place, ListUse::Function | ListUse::Intrinsic) {
            self.attr(!kinds.has(Kind::Builtin), "`builtin` is for calls only");
        }
    }

    fn alloc_kind(&mut self, words: &str) {
        let words: Vec<&str> = words.trim_matches('"').split(',').map(str::trim).collect();
        let has = |word: &str| words.contains(&word);
        let kinds = ["alloc", "realloc", "free"];
        self.attr(
            kinds.iter().filter(|kind| has(kind)).count() == 1,
            "`allockind` needs exactly one of alloc, realloc and free",
        );
        self.attr(
            !has("free")
                || !["uninitialized", "zeroed", "aligned"]
                    .iter()
                    .any(|word| has(word)),
            "`allockind(\"free\")` cannot be uninitialized, zeroed or aligned",
        );
        self.attr(
            !(has("uninitialized") && has("zeroed")),
            "`allockind` cannot be both uninitialized and zeroed",
        );
    }

    /// String attributes with few values.
    fn text_attributes(&mut self, set: AttrSet) {
        const BOOLEAN: &[&str] = &[
            "less-precise-fpmad",
            "no-infs-fp-math",
            "no-nans-fp-math",
            "no-signed-zeros-fp-math",
            "no-jump-tables",
            "no-inline-line-tables",
            "profile-sample-accurate",
            "use-sample-profile",
            "loader-replaceable",
        ];
        for key in BOOLEAN {
            if let Some(value) = self.text_attribute(set, key) {
                rule!(
                    self.attr,
                    matches!(value.as_str(), "" | "true" | "false"),
                    "`{key}` is true or false, not `{value}`"
                );
            }
        }
    }

    fn function_text_attributes(&mut self, set: AttrSet) {
        /// String attributes of functions and the values they may have.
        const VALUES: &[(&str, &[&str])] = &[
            (
                "frame-pointer",
                &["all", "non-leaf", "none", "reserved", "non-leaf-no-reserve"],
            ),
            ("sign-return-address", &["none", "all", "non-leaf"]),
            ("sign-return-address-key", &["a_key", "b_key"]),
            ("branch-target-enforcement", &["", "true", "false"]),
            ("branch-protection-pauth-lr", &["", "true", "false"]),
            ("guarded-control-stack", &["", "true", "false"]),
        ];
        const NUMBERS: &[&str] = &[
            "patchable-function-prefix",
            "patchable-function-entry",
            "warn-stack-size",
        ];
        const DENORMAL: &[&str] = &["ieee", "preserve-sign", "positive-zero", "dynamic"];
        for (key, values) in VALUES {
            if let Some(value) = self.text_attribute(set, key) {
                rule!(
                    self.attr,
                    values.contains(&value.as_str()),
                    "`{key}` cannot be `{value}`"
                );
            }
        }
        if self
            .text_attribute(set, "sign-return-address-key")
            .is_some()
        {
            self.attr(
                self.text_attribute(set, "sign-return-address").is_some(),
                "`sign-return-address-key` needs `sign-return-address`",
            );
        }
        if let Some(value) = self.text_attribute(set, "alloc-variant-zeroed") {
            self.attr(!value.is_empty(), "`alloc-variant-zeroed` names a function");
        }
        for key in NUMBERS {
            if let Some(value) = self.text_attribute(set, key) {
                rule!(
                    self.attr,
                    value.parse::<u32>().is_ok(),
                    "`{key}` is a number, not `{value}`"
                );
            }
        }
        for key in ["denormal-fp-math", "denormal-fp-math-f32"] {
            if let Some(value) = self.text_attribute(set, key) {
                let parts: Vec<&str> = value.split(',').collect();
                rule!(
                    self.attr,
                    parts.len() <= 2
                        && parts
                            .iter()
                            .all(|part| part.is_empty() || DENORMAL.contains(part)),
                    "`{key}` cannot be `{value}`"
                );
            }
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

/// Whether a part of `memory(…)` is known: an access, or a place and an access.
fn is_effect(part: &str) -> bool {
    const PLACES: &[&str] = &[
        "argmem",
        "inaccessiblemem",
        "errnomem",
        "target_mem0",
        "target_mem1",
    ];
    let (place, access) = match part.split_once(':') {
        Some((place, access)) => (Some(place.trim()), access.trim()),
        None => (None, part.trim()),
    };
    place.is_none_or(|place| PLACES.contains(&place))
        && matches!(access, "none" | "read" | "write" | "readwrite")
}

/// Whether `memory(…)` lets a function write what its arguments point to.
fn writes_arguments(words: &str) -> bool {
    let mut writes = false;
    for part in words.split(',') {
        let (place, access) = match part.split_once(':') {
            Some((place, access)) => (Some(place.trim()), access.trim()),
            None => (None, part.trim()),
        };
        if place.is_none_or(|place| place == "argmem") {
            writes = matches!(access, "write" | "readwrite");
        }
    }
    writes
}

/// Whether the ranges `(0, 4), (8, 12)` are in order and do not touch.
fn ordered_ranges(words: &str) -> bool {
    let bounds: Vec<i64> = words
        .split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter(|part| !part.is_empty())
        .filter_map(|part| part.parse().ok())
        .collect();
    !bounds.is_empty()
        && bounds.len().is_multiple_of(2)
        && bounds.windows(2).all(|pair| pair[0] < pair[1])
}
