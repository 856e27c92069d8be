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
use crate::table::gates::{UNIFIED, v};
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

const B128_SCALARS: Gate = Gate(&[at_least(70, v(8, 3))]);
/// The largest alignment of a device function's parameter.
const MAX_PARAM_ALIGN: u32 = 128;
/// For messages about alignments.
const POWERS: &str = "write 1, 2, 4, 8, 16 …";
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
            Diagnostic::error(codes::DUPLICATE, span, message)
                .related(old, "first declared here")
                .help("choose another name, or leave one of the two"),
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
            self.refuse(codes::DUPLICATE, span, message, "choose another name");
        }
        let Some(old) = self.names.declare(variable.name, meaning, span) else {
            return;
        };
        let name = self.module.name(variable.name);
        let problem = match old.meaning {
            Meaning::Variable(first, _) if !same_type(first, variable) => Some((
                format!("`{name}` was declared with another type"),
                "declare both alike",
            )),
            Meaning::Variable(first, _) => {
                let externs = [first.linkage, variable.linkage].map(|l| l == Linkage::Extern);
                match externs {
                    [false, false] => Some((
                        format!("`{name}` is declared twice"),
                        "leave one of the two, or make one `.extern`",
                    )),
                    [true, false] if variable.linkage == Linkage::Internal => Some((
                        format!("`{name}` was declared `.extern`, this is not seen outside"),
                        "write `.visible`",
                    )),
                    _ => None,
                }
            }
            other => Some((
                format!("`{name}` is {} already", other.describe()),
                "choose another name",
            )),
        };
        if let Some((message, help)) = problem {
            self.error(
                Diagnostic::error(codes::DUPLICATE, span, message)
                    .related(old.span, "first declared here")
                    .help(help),
            );
        }
        // The definition is what counts, whichever came first.
        if variable.linkage == Linkage::Extern {
            self.names.declare(variable.name, old.meaning, old.span);
        }
    }

    pub(super) fn check_declaration(&mut self, variable: &'m Variable, place: Place) {
        let problem = check_space(variable, place)
            .or_else(|| self.check_type(variable, place))
            .or_else(|| check_alignment(variable, place))
            .or_else(|| self.check_bounds(variable, place));
        if let Some(problem) = problem {
            let span = match problem.word {
                Some(word) => self.head_span(variable, &word),
                None => variable.name_at.0,
            };
            self.refuse(codes::BAD_DECLARATION, span, problem.message, problem.help);
            return;
        }
        let gate = match (variable.ty, variable.dims.as_slice()) {
            // Arrays of them were always taken.
            (ScalarType::B128, []) => B128_SCALARS,
            _ => Gate::ALWAYS,
        };
        if let Err(error) = self.require(gate) {
            let span = self.head_span(variable, ".b128");
            self.report_gate(error, ".b128", span);
        }
        let Some(extra) = variable.extra.as_deref() else {
            return;
        };
        if !extra.attributes.is_empty() {
            self.check_attributes(variable, &extra.attributes);
        }
        if let Some(pointer) = extra.pointer {
            let span = self.head_span(variable, ".ptr");
            if place != Place::EntryParam {
                let message = "`.ptr` is for kernel parameters";
                self.refuse(codes::BAD_DECLARATION, span, message, "leave it out");
            } else if let Some(align) = pointer.align
                && !align.is_power_of_two()
            {
                let span = self.head_span(variable, ".align");
                let message = format!("an alignment is a power of two, not {align}");
                self.refuse(codes::BAD_DECLARATION, span, message, POWERS);
            }
        }
        if let Some(init) = &extra.init {
            self.check_initializer(variable, init);
        }
    }

    /// A word before the name of a declaration.
    fn head_span(&self, variable: &Variable, word: &str) -> Span {
        let (whole, name) = (variable.at.0, variable.name_at.0);
        if self.source.is_none() || whole.start > name.start {
            return name;
        }
        let head = Span::new(whole.start, name.start);
        match self.word_span(head, word) {
            span if span == head => name,
            span => span,
        }
    }

    /// Whether there are variables of this type in this place.
    fn check_type(&self, variable: &Variable, place: Place) -> Option<Problem> {
        let (ty, space) = (variable.ty, variable.space);
        let array = !variable.dims.is_empty();
        let at_type =
            |message: String, help: String| Some(Problem::at(&ty.to_string(), message, help));
        match ty.meaning() {
            TypeMeaning::Packed if ty != ScalarType::F16x2 => {
                return at_type(
                    format!("{ty} types instructions, not variables"),
                    format!("declare it as .b{}", ty.bits().next_power_of_two().max(8)),
                );
            }
            TypeMeaning::Predicate if space != Space::Reg && place != Place::Prototype => {
                return at_type(
                    "only registers can be predicates".to_owned(),
                    "keep it as .u8, 0 or 1".to_owned(),
                );
            }
            TypeMeaning::Opaque => {
                let right_place = match place {
                    Place::Module => space == Space::Global || array,
                    place => place == Place::EntryParam,
                };
                if !right_place {
                    return at_type(
                        format!("a {ty} variable cannot stand here"),
                        "they are `.global` at module level, or kernel parameters".to_owned(),
                    );
                }
                let independent = self
                    .module
                    .options
                    .contains(&TargetOption::TexmodeIndependent);
                if ty == ScalarType::SamplerRef && !independent {
                    return at_type(
                        "samplers of their own exist only in independent mode".to_owned(),
                        "write `.target …, texmode_independent`".to_owned(),
                    );
                }
            }
            _ => {}
        }
        if variable.vector > 1 {
            let word = format!(".v{}", variable.vector);
            let at_vector = |message: String, help: &str| Some(Problem::at(&word, message, help));
            if matches!(ty.meaning(), TypeMeaning::Predicate | TypeMeaning::Opaque) {
                return at_vector(format!("there are no vectors of {ty}"), "write an array");
            }
            if ty.bits() * u32::from(variable.vector) > MAX_VECTOR_BITS {
                let message = format!("a vector has at most {MAX_VECTOR_BITS} bits");
                return at_vector(message, "write an array, or fewer or smaller elements");
            }
        }
        let scalar_param = space == Space::Param && !array && place != Place::Prototype;
        let help = "declare an array of bytes";
        if scalar_param && variable.vector > 1 {
            let word = format!(".v{}", variable.vector);
            return Some(Problem::at(&word, "a `.param` cannot be a vector", help));
        }
        if scalar_param && ty == ScalarType::F16x2 {
            return at_type(format!("a `.param` cannot be {ty}"), help.to_owned());
        }
        None
    }

    /// Array bounds and numbered names.
    fn check_bounds(&self, variable: &Variable, place: Place) -> Option<Problem> {
        let parameter = !matches!(place, Place::Module | Place::Body);
        let bounds = !variable.dims.is_empty();
        let extra = variable.extra.as_deref();
        let init = extra.and_then(|extra| extra.init.as_ref());
        let problem = |message: &str, help: &str| Some(Problem::at_name(message, help));
        if variable.range.is_some() && (bounds || init.is_some() || parameter) {
            let message = "a numbered name has neither bounds nor a value, and is not a parameter";
            return problem(message, "declare the variables one by one");
        }
        if variable.space == Space::Reg && bounds {
            let message = "registers do not form arrays";
            return problem(message, "write `%r<10>` for several registers");
        }
        let open_later = |dim: &Option<u64>| !matches!(dim, Some(length) if *length > 0);
        if variable.dims.iter().skip(1).any(open_later) {
            let message = "only the first bound of an array may be left open";
            return problem(message, "give every other bound");
        }
        if parameter && variable.dims.len() > 1 {
            let message = "a parameter has at most one bound";
            return problem(message, "multiply the bounds");
        }
        if variable.linkage == Linkage::Common && variable.space != Space::Global {
            let message = "only `.global` variables are `.common`";
            return Some(Problem::at(
                ".common",
                message,
                "write `.visible` or `.weak`",
            ));
        }
        if !matches!(variable.dims.first(), Some(None | Some(0))) {
            return None;
        }
        match place {
            Place::Module | Place::Body => {
                let closed = init.is_some_and(|init| init.items.len() > 2);
                if closed || variable.linkage == Linkage::Extern {
                    return None;
                }
                let name = self.module.name(variable.name);
                let help = "give a bound, an initial value, or declare it `.extern`";
                problem(&format!("the size of `{name}` is not known"), help)
            }
            Place::EntryParam => problem("a kernel parameter has a size", "give its bound"),
            Place::FuncReturn => problem("a result has a size", "give its bound"),
            Place::FuncParam | Place::Prototype => None,
        }
    }

    fn check_attributes(&mut self, variable: &Variable, attributes: &[Attribute]) {
        let span = self.head_span(variable, ".attribute");
        if variable.space != Space::Global {
            let message = "`.attribute` is for `.global` variables";
            self.refuse(codes::BAD_DECLARATION, span, message, "leave it out");
            return;
        }
        let unified = |attribute: &Attribute| matches!(attribute, Attribute::Unified(..));
        if attributes.iter().any(unified)
            && let Err(error) = self.require(UNIFIED)
        {
            self.report_gate(error, ".unified", span);
        }
    }
}

/// What is wrong with a declaration.
struct Problem {
    /// The word to point at; the name if there is none.
    word: Option<String>,
    message: String,
    help: String,
}

impl Problem {
    fn at(word: &str, message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem {
            word: Some(word.to_owned()),
            message: message.into(),
            help: help.into(),
        }
    }

    fn at_name(message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem {
            word: None,
            message: message.into(),
            help: help.into(),
        }
    }
}

/// Whether the state space goes with the place.
fn check_space(variable: &Variable, place: Place) -> Option<Problem> {
    let space = variable.space;
    let (message, help) = match (place, space) {
        (_, Space::Tex) => ("`.tex` is gone".to_owned(), "declare a `.global .texref`"),
        (_, Space::ConstBank(_)) => (
            "numbered constant banks are gone".to_owned(),
            "write `.const`",
        ),
        (Place::Module, Space::Reg | Space::Local | Space::Param) => (
            format!("`{}` cannot stand at module level", space.text()),
            "declare it inside a function",
        ),
        (Place::Module | Place::Body, _) | (_, Space::Param) => return None,
        (Place::FuncParam | Place::FuncReturn | Place::Prototype, Space::Reg) => return None,
        _ => (
            format!("a parameter cannot be `{}`", space.text()),
            "write `.param`",
        ),
    };
    Some(Problem::at(space.text(), message, help))
}

/// Whether the alignment exists.
fn check_alignment(variable: &Variable, place: Place) -> Option<Problem> {
    let align = variable.align?;
    if !align.is_power_of_two() {
        let message = format!("an alignment is a power of two, not {align}");
        return Some(Problem::at(".align", message, POWERS));
    }
    let limited = variable.space == Space::Param
        && matches!(place, Place::Body | Place::FuncParam | Place::FuncReturn);
    if limited && align > MAX_PARAM_ALIGN {
        let message = format!("a parameter is aligned to at most {MAX_PARAM_ALIGN} bytes");
        return Some(Problem::at(".align", message, "pass a pointer"));
    }
    None
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
