//! Attributes of functions, calls, parameters and results: what excludes what, and what their values are.

use super::attribute::{FUNCTION, Kind, Kinds, PARAM, RESULT, Takes};
use super::{ListUse, Verifier};
use crate::attribute::words::wrong_words;
use crate::attribute::{AttrList, AttrSet, Attribute};
use crate::constant::ConstKind;
use crate::inst::Align;
use crate::types::{Type, TypeId};

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

impl Verifier<'_> {
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
        self.attribute_words(set);
        if kinds.has(Kind::ImmArg) {
            let others = kinds.0.count_ones() - u32::from(kinds.has(Kind::Range));
            self.attr(
                others == 1,
                "`immarg` stands alone, no other attribute but `range` goes with it",
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
            let is_number = |constant| {
                let kind = self.module.constants.get(constant).kind;
                matches!(kind, ConstKind::Int(_) | ConstKind::WideInt(_))
            };
            self.attr(
                is_number(low) && is_number(high),
                "`range` goes from a number to a number",
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
    }

    /// Checks what stands between the parentheses of attributes.
    fn attribute_words(&mut self, set: AttrSet) {
        let module = self.module;
        for &id in module.attributes.set(set) {
            if let Attribute::Words(name, words) = module.attributes.get(id) {
                let (name, words) = (module.names.bytes(name), module.names.text(words));
                if let Some(wrong) = wrong_words(name, &words) {
                    let name = String::from_utf8_lossy(name);
                    rule!(self.attr, false, "`{name}` {wrong}");
                }
            }
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
        self.format_attribute(set);
        self.target_features(set);
        self.attribute_words(set);
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
                low.is_power_of_two() && (high == 0 || high.is_power_of_two() && low <= high)
                    || low == 0 && high == 0,
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
