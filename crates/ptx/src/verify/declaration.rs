//! Declarations of variables, registers and parameters.
//!
//! Rules (as ptxas has them), by where a declaration stands:
//! - types: integers, bits, `.f16 .f16x2 .f32 .f64` everywhere; `.pred` for registers; opaque types in
//!   `.global` at module level or as kernel parameters;
//! - vectors have 2 or 4 elements and at most 128 bits;
//! - alignments are powers of two; those of device parameters at most 128;
//! - only the first array bound may be open, and then something must close it;
//! - modules hold `.global`, `.const` and `.shared`, bodies everything;
//! - `.common` is for `.global`, initial values for `.global` and `.const`.

use super::Verifier;
use super::names::{Meaning, Owner};
use crate::module::{Attribute, Linkage, Space, TargetOption, Variable};
use crate::table::gates::v;
use crate::types::{Meaning as TypeMeaning, ScalarType};
use warpc_diag::{Diagnostic, Span, codes};
use warpc_target::{Gate, at_least};

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Module,
    Body,
    EntryParam,
    FuncParam,
    FuncReturn,
    /// Parameter or result of a `.callprototype`: almost everything goes.
    Prototype,
}

impl Place {
    fn owner(self) -> Owner {
        match self {
            Place::Module | Place::Body | Place::Prototype => Owner::Nobody,
            Place::EntryParam => Owner::EntryParam,
            Place::FuncParam => Owner::FuncParam,
            Place::FuncReturn => Owner::FuncReturn,
        }
    }
}

const B128_VARIABLES: Gate = Gate(&[at_least(60, v(8, 3))]);
const B128_REGISTERS: Gate = Gate(&[at_least(70, v(8, 3))]);
const UNIFIED: Gate = Gate(&[at_least(90, v(8, 0))]);
/// The largest alignment of a device function's parameter.
const MAX_PARAM_ALIGN: u32 = 128;
/// The largest vector.
const MAX_VECTOR_BITS: u32 = 128;

impl<'m> Verifier<'m> {
    /// Checks a declaration and makes its name known.
    pub(super) fn declare_variable(&mut self, variable: &'m Variable, place: Place) {
        let span = variable.name_at.0;
        let meaning = match variable.space {
            Space::Reg => Meaning::Register {
                ty: variable.ty,
                vector: variable.vector,
            },
            _ => Meaning::Variable(variable, place.owner()),
        };
        let clash = match variable.range {
            Some(count) => self.names.declare_range(variable, meaning, count, span),
            None if place == Place::Module => {
                self.declare_at_module(variable, meaning, span);
                None
            }
            None => self
                .names
                .declare(variable.name, meaning, span)
                .map(|old| old.span),
        };
        if let Some(old) = clash {
            self.report_duplicate(variable, span, old);
        }
        // After its name is known: an initial value may be the variable's own address.
        self.check_declaration(variable, place);
        self.count_memory(variable, place);
    }

    fn report_duplicate(&mut self, variable: &Variable, span: Span, old: Span) {
        let message = format!(
            "`{}` is declared twice in one scope",
            self.module.name(variable.name)
        );
        self.error(
            Diagnostic::error(codes::DUPLICATE, span, message).related(old, "first declared here"),
        );
    }

    /// At module level a name may be declared again, as long as one of the two is `.extern` and
    /// the types agree.
    fn declare_at_module(&mut self, variable: &'m Variable, meaning: Meaning<'m>, span: Span) {
        if crate::sreg::find(self.module.name(variable.name), "").is_some() {
            let message = format!(
                "`{}` is a special register",
                self.module.name(variable.name)
            );
            self.error(
                Diagnostic::error(codes::DUPLICATE, span, message).help("choose another name"),
            );
        }
        let Some(old) = self.names.declare(variable.name, meaning, span) else {
            return;
        };
        let Meaning::Variable(first, _) = old.meaning else {
            let message = format!(
                "`{}` is {} already",
                self.module.name(variable.name),
                old.meaning.describe()
            );
            self.error(
                Diagnostic::error(codes::DUPLICATE, span, message)
                    .related(old.span, "declared here"),
            );
            return;
        };
        if !same_type(first, variable) {
            let message = format!(
                "`{}` was declared with another type",
                self.module.name(variable.name)
            );
            self.error(
                Diagnostic::error(codes::DUPLICATE, span, message)
                    .related(old.span, "declared here"),
            );
            return;
        }
        let one_extern = first.linkage == Linkage::Extern || variable.linkage == Linkage::Extern;
        let hidden = first.linkage == Linkage::Extern && variable.linkage == Linkage::Internal;
        if !one_extern {
            self.report_duplicate(variable, span, old.span);
        } else if hidden {
            let message = format!(
                "`{}` was declared `.extern`, this definition is not visible outside",
                self.module.name(variable.name)
            );
            self.error(
                Diagnostic::error(codes::DUPLICATE, span, message)
                    .related(old.span, "declared here")
                    .help("write `.visible`"),
            );
        }
        // The definition is what counts, whichever came first.
        if variable.linkage == Linkage::Extern {
            self.names.declare(variable.name, old.meaning, old.span);
        }
    }

    pub(super) fn check_declaration(&mut self, variable: &'m Variable, place: Place) {
        let span = variable.at.0;
        if let Err(diagnostic) = self.check_space_and_type(variable, place) {
            self.error(diagnostic);
            return;
        }
        let gate = match (variable.ty, variable.space) {
            (ScalarType::B128, Space::Reg) => B128_REGISTERS,
            (ScalarType::B128, _) => B128_VARIABLES,
            _ => Gate::ALWAYS,
        };
        if let Err(error) = self.require(gate) {
            self.report_gate(error, ".b128", span);
        }
        if let Err(diagnostic) = self.check_layout(variable, place) {
            self.error(diagnostic);
        }
        let Some(extra) = variable.extra.as_deref() else {
            return;
        };
        if !extra.attributes.is_empty() {
            self.check_attributes(variable, &extra.attributes);
        }
        if let Some(pointer) = extra.pointer {
            if place != Place::EntryParam {
                let message = "`.ptr` is for kernel parameters";
                self.error(Diagnostic::error(codes::BAD_DECLARATION, span, message));
            } else if pointer.align.is_some_and(|align| !align.is_power_of_two()) {
                let message = "the alignment behind `.ptr` is no power of two";
                self.error(
                    Diagnostic::error(codes::BAD_DECLARATION, span, message)
                        .help("write 1, 2, 4, 8, 16 …"),
                );
            }
        }
        if let Some(init) = &extra.init {
            self.check_initializer(variable, init);
        }
    }

    fn check_space_and_type(&self, variable: &Variable, place: Place) -> Result<(), Diagnostic> {
        let bad =
            |message: String| Diagnostic::error(codes::BAD_DECLARATION, variable.at.0, message);
        let space = variable.space;
        match (place, space) {
            (_, Space::Tex) => {
                return Err(bad("`.tex` is gone".to_owned()).help("declare a `.global .texref`"));
            }
            (_, Space::ConstBank(_)) => {
                return Err(
                    bad("numbered constant banks are gone".to_owned()).help("write `.const`")
                );
            }
            (Place::Module, Space::Reg | Space::Local | Space::Param) => {
                return Err(
                    bad(format!("`{}` cannot stand at module level", space.text()))
                        .help("declare it inside a function"),
                );
            }
            (Place::EntryParam, Space::Reg) => {
                return Err(bad("kernel parameters are `.param`".to_owned()));
            }
            (
                Place::EntryParam | Place::FuncParam | Place::FuncReturn | Place::Prototype,
                space,
            ) if !matches!(space, Space::Param | Space::Reg) => {
                return Err(
                    bad(format!("a parameter cannot be `{}`", space.text())).help("write `.param`")
                );
            }
            _ => {}
        }
        let ty = variable.ty;
        let array = !variable.dims.is_empty();
        match ty.meaning() {
            TypeMeaning::Packed if ty != ScalarType::F16x2 => {
                return Err(bad(format!("{ty} types instructions, not variables"))
                    .help(format!("declare it as .b{}", ty.bits().max(8))));
            }
            TypeMeaning::Predicate if space != Space::Reg && place != Place::Prototype => {
                return Err(bad("only registers can be predicates".to_owned()));
            }
            TypeMeaning::Opaque => {
                let right_place = matches!(
                    (place, space),
                    (Place::Module, Space::Global) | (Place::EntryParam, _)
                );
                if !right_place && !(array && place == Place::Module) {
                    return Err(bad(format!(
                        "{ty} variables are `.global` at module level, or kernel parameters"
                    )));
                }
                if ty == ScalarType::SamplerRef
                    && !self
                        .module
                        .options
                        .contains(&TargetOption::TexmodeIndependent)
                {
                    return Err(bad(
                        "samplers need `.target …, texmode_independent`".to_owned()
                    ));
                }
            }
            _ => {}
        }
        if variable.vector > 1 {
            let basic = !matches!(ty.meaning(), TypeMeaning::Predicate | TypeMeaning::Opaque);
            if !basic {
                return Err(bad(format!("there are no vectors of {ty}")));
            }
            if ty.bits() * u32::from(variable.vector) > MAX_VECTOR_BITS {
                return Err(bad(format!("a vector has at most {MAX_VECTOR_BITS} bits")));
            }
        }
        let scalar_param = space == Space::Param && !array && place != Place::Prototype;
        if scalar_param && (variable.vector > 1 || ty == ScalarType::F16x2) {
            return Err(bad(format!(
                "a `.param` cannot be {}",
                if variable.vector > 1 {
                    "a vector".to_owned()
                } else {
                    ty.to_string()
                }
            ))
            .help("declare an array of bytes"));
        }
        Ok(())
    }

    fn check_layout(&self, variable: &Variable, place: Place) -> Result<(), Diagnostic> {
        let bad =
            |message: String| Diagnostic::error(codes::BAD_DECLARATION, variable.at.0, message);
        if let Some(align) = variable.align {
            if !align.is_power_of_two() {
                return Err(bad(format!("an alignment is a power of two, not {align}")));
            }
            let device = variable.space == Space::Param
                && matches!(place, Place::Body | Place::FuncParam | Place::FuncReturn);
            if device && align > MAX_PARAM_ALIGN {
                return Err(bad(format!(
                    "a parameter is aligned to at most {MAX_PARAM_ALIGN} bytes"
                )));
            }
        }
        let init = variable
            .extra
            .as_deref()
            .and_then(|extra| extra.init.as_ref());
        if variable.range.is_some()
            && (!variable.dims.is_empty()
                || init.is_some()
                || !matches!(place, Place::Module | Place::Body))
        {
            return Err(bad(
                "a numbered name has neither bounds nor a value".to_owned()
            ));
        }
        if variable.space == Space::Reg && !variable.dims.is_empty() {
            return Err(bad("registers do not form arrays".to_owned())
                .help("write `%r<10>` for several registers"));
        }
        for dim in variable.dims.iter().skip(1) {
            if !matches!(dim, Some(length) if *length > 0) {
                return Err(bad(
                    "only the first bound of an array may be left open".to_owned()
                ));
            }
        }
        if matches!(
            place,
            Place::EntryParam | Place::FuncParam | Place::FuncReturn | Place::Prototype
        ) && variable.dims.len() > 1
        {
            return Err(bad("a parameter has at most one bound".to_owned()));
        }
        let open = matches!(variable.dims.first(), Some(None | Some(0)));
        if open && matches!(place, Place::Module | Place::Body) {
            let closed = init.is_some_and(|init| init.items.len() > 2);
            if variable.linkage != Linkage::Extern && !closed {
                return Err(bad(format!(
                    "the size of `{}` is not known",
                    self.module.name(variable.name)
                ))
                .help("give a bound, an initial value, or declare it `.extern`"));
            }
        }
        if open && place == Place::EntryParam {
            return Err(bad("a kernel parameter has a size".to_owned()));
        }
        if open && place == Place::FuncReturn {
            return Err(bad("a result has a size".to_owned()));
        }
        if variable.linkage == Linkage::Common && variable.space != Space::Global {
            return Err(bad("`.common` is for `.global` variables".to_owned()));
        }
        Ok(())
    }

    fn check_attributes(&mut self, variable: &Variable, attributes: &[Attribute]) {
        let span = variable.at.0;
        if variable.space != Space::Global {
            let message = "`.attribute` is for `.global` variables";
            self.error(Diagnostic::error(codes::BAD_DECLARATION, span, message));
            return;
        }
        if attributes
            .iter()
            .any(|attribute| matches!(attribute, Attribute::Unified(..)))
            && let Err(error) = self.require(UNIFIED)
        {
            self.report_gate(error, ".unified", span);
        }
    }
}

/// Same element type, vector and bounds; an open first bound fits any.
fn same_type(a: &Variable, b: &Variable) -> bool {
    let open = |variable: &Variable| matches!(variable.dims.first(), Some(None | Some(0)));
    let first = open(a) || open(b) || a.dims.first() == b.dims.first();
    a.ty == b.ty
        && a.vector == b.vector
        && a.dims.len() == b.dims.len()
        && first
        && a.dims.iter().skip(1).eq(b.dims.iter().skip(1))
}
