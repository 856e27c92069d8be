//! Branches, calls and their targets.
//!
//! Rules (as ptxas has them):
//! - `bra` goes to a label of the block it stands in or of a block around it;
//! - `brx.idx` names a `.branchtargets` list above it;
//! - a call names a device function declared above it, or a register and a prototype or list of
//!   functions above it;
//! - each argument and result fits its formal parameter: arrays of the same size, scalars of the
//!   same size and kind, the same alignment; constants fit by kind.

use super::Verifier;
use super::names::{Declaration, Meaning, Owner};
use crate::form::{Form, Kind, Mapping};
use crate::inst::{Operand, Part, Sign};
use crate::module::{Body, FunctionKind, Space, Variable};
use crate::symbol::Symbol;
use crate::types::{Meaning as TypeMeaning, ScalarType};
use smallvec::{SmallVec, smallvec};
use warpc_diag::{Diagnostic, Span, codes};

/// The formal parameters a call must fit.
#[derive(Clone, Copy)]
struct Signature<'m> {
    returns: &'m [Variable],
    params: &'m [Variable],
}

impl<'m> Verifier<'m> {
    /// The labels, lists and functions that an instruction names.
    pub(super) fn check_control(&mut self, body: &'m Body, form: &'static Form, mapping: &Mapping) {
        let operand = |name: &str| {
            let i = form.operands.iter().position(|spec| spec.name == name)?;
            mapping[i].map(|index| index as usize)
        };
        if form.opcode == "call" {
            self.check_call(
                body,
                operand("results"),
                operand("callee"),
                operand("arguments"),
                operand("prototype"),
            );
            return;
        }
        for (spec, index) in form.operands.iter().zip(mapping) {
            let Some(index) = index.map(|index| index as usize) else {
                continue;
            };
            let Operand::Name { symbol, .. } = body.operands[index] else {
                continue;
            };
            let span = body.operand_span(index);
            let wanted = match spec.kind {
                Kind::Label => "a label",
                Kind::Prototype => "a `.branchtargets` list",
                _ => continue,
            };
            match self.names.find(symbol) {
                None => self.report_undefined(symbol, span),
                Some(found) => match (spec.kind, found.meaning) {
                    (Kind::Label, Meaning::Label) | (Kind::Prototype, Meaning::BranchTargets) => {}
                    _ => self.report_not(symbol, &found, span, wanted),
                },
            }
        }
    }

    /// A name that stands for something else than what is wanted.
    pub(super) fn report_not(
        &mut self,
        symbol: Symbol,
        found: &Declaration<'m>,
        span: Span,
        wanted: &str,
    ) {
        let message = format!(
            "`{}` is {}",
            self.module.name(symbol),
            found.meaning.describe()
        );
        self.error(
            Diagnostic::error(codes::WRONG_NAME_KIND, span, message)
                .related(found.span, "declared here")
                .help(format!("{wanted} is wanted here")),
        );
    }

    fn check_call(
        &mut self,
        body: &'m Body,
        results: Option<usize>,
        callee: Option<usize>,
        arguments: Option<usize>,
        prototype: Option<usize>,
    ) {
        let Some(callee) = callee else {
            return;
        };
        let span = body.operand_span(callee);
        let Operand::Name {
            symbol,
            part: Part::Whole,
            sign: Sign::Plain,
        } = body.operands[callee]
        else {
            let message = "this cannot be called";
            let help = "a call goes to a function or through a register";
            self.refuse(codes::BAD_CALL, span, message, help);
            return;
        };
        let Some(found) = self.names.find(symbol) else {
            self.report_undefined(symbol, span);
            return;
        };
        let signatures: SmallVec<[Signature<'m>; 1]> = match (found.meaning, prototype) {
            (Meaning::Function(function), None) if function.kind == FunctionKind::Func => {
                smallvec![Signature {
                    returns: &function.returns,
                    params: &function.params,
                }]
            }
            (Meaning::Function(_), None) => {
                let message = format!("`{}` is a kernel", self.module.name(symbol));
                let help = "only device functions are called";
                self.refuse(codes::BAD_CALL, span, message, help);
                return;
            }
            (Meaning::Register { ty, vector: 1 }, Some(prototype))
                if ty.bits() >= 32 && !ty.is_float() =>
            {
                match self.signatures(body, prototype) {
                    Some(signatures) => signatures,
                    None => return,
                }
            }
            (Meaning::Register { .. }, None) => {
                let help = "name a `.callprototype` or `.calltargets` label after the arguments";
                let message = "a call through a register needs a prototype";
                self.refuse(codes::BAD_CALL, span, message, help);
                return;
            }
            _ => {
                self.report_not(
                    symbol,
                    &found,
                    span,
                    if prototype.is_some() {
                        "a register"
                    } else {
                        "a function"
                    },
                );
                return;
            }
        };
        for signature in signatures {
            let before = self.diagnostics.error_count();
            self.check_list(body, arguments, signature.params, span, false);
            self.check_list(body, results, signature.returns, span, true);
            if self.diagnostics.error_count() > before {
                return;
            }
        }
    }

    /// What a prototype label or a list of functions says.
    fn signatures(
        &mut self,
        body: &'m Body,
        prototype: usize,
    ) -> Option<SmallVec<[Signature<'m>; 1]>> {
        let span = body.operand_span(prototype);
        let Operand::Name { symbol, .. } = body.operands[prototype] else {
            return None;
        };
        let Some(found) = self.names.find(symbol) else {
            self.report_undefined(symbol, span);
            return None;
        };
        match found.meaning {
            Meaning::Prototype(prototype) => Some(smallvec![Signature {
                returns: &prototype.returns,
                params: &prototype.params,
            }]),
            Meaning::CallTargets(list) => {
                let mut signatures = SmallVec::new();
                for (target, _) in list {
                    if let Some(Meaning::Function(function)) =
                        self.names.find(*target).map(|found| found.meaning)
                    {
                        signatures.push(Signature {
                            returns: &function.returns,
                            params: &function.params,
                        });
                    }
                }
                Some(signatures)
            }
            _ => {
                self.report_not(symbol, &found, span, "a prototype");
                None
            }
        }
    }

    fn check_list(
        &mut self,
        body: &'m Body,
        list: Option<usize>,
        formals: &'m [Variable],
        call: Span,
        results: bool,
    ) {
        let what = if results { "result" } else { "argument" };
        let (indices, place) = match list {
            Some(index) => match body.operands[index] {
                Operand::List(range) => (range.indices(), body.operand_span(index)),
                _ => return,
            },
            None => (0..0, call),
        };
        let open_last = !results
            && formals
                .last()
                .is_some_and(|formal| matches!(formal.dims.first(), Some(None | Some(0))));
        let count = indices.len();
        if count != formals.len() && !(open_last && count + 1 == formals.len()) {
            let message = format!(
                "the function has {} {what}{}, {count} given",
                formals.len(),
                if formals.len() == 1 { "" } else { "s" }
            );
            let help = format!("pass as many {what}s as the function has");
            self.refuse(codes::BAD_CALL, place, message, help);
            return;
        }
        for (index, formal) in indices.zip(formals) {
            if is_small(formal) {
                let message = format!(
                    "{} {what}s cannot be passed; `{}` is one",
                    formal.ty,
                    self.module.name(formal.name)
                );
                self.error(
                    Diagnostic::error(codes::BAD_CALL, body.operand_span(index), message)
                        .related(formal.at.0, "declared here")
                        .help("the calling convention passes .b8, .b16 and larger types"),
                );
                return;
            }
            self.check_actual(body, index, formal, results);
        }
    }

    fn check_actual(&mut self, body: &'m Body, index: usize, formal: &'m Variable, result: bool) {
        let span = body.operand_span(index);
        let name = self.module.name(formal.name);
        let problem = match body.operands[index] {
            Operand::Sink if result => return,
            Operand::Name {
                symbol,
                part: Part::Whole,
                sign: Sign::Plain,
            } => {
                let Some(declaration) = self.names.find(symbol) else {
                    self.report_undefined(symbol, span);
                    return;
                };
                match declaration.meaning {
                    Meaning::Register { ty, vector } => misfit_register(formal, ty, vector),
                    Meaning::Variable(actual, owner) if actual.space == Space::Param => {
                        if owner == Owner::Nobody {
                            if result {
                                self.returned.insert((symbol, actual.at.0));
                            }
                            misfit_param(formal, actual)
                        } else {
                            Some("a parameter of this function cannot be handed on".to_owned())
                        }
                    }
                    other => Some(format!(
                        "`{}` is {}",
                        self.module.name(symbol),
                        other.describe()
                    )),
                }
            }
            Operand::Int(_) if !result => misfit_constant(formal, false),
            Operand::F32(_) | Operand::F64(_) if !result => misfit_constant(formal, true),
            _ => Some("only registers, `.param` variables and constants are passed".to_owned()),
        };
        if let Some(problem) = problem {
            let what = if result { "result" } else { "parameter" };
            let message = format!("this does not fit {what} `{name}`: {problem}");
            let help = "sizes and alignments are equal, types of one kind or .b";
            self.error(
                Diagnostic::error(codes::BAD_CALL, span, message)
                    .related(formal.at.0, "declared here")
                    .help(help),
            );
        }
    }
}

/// Scalars that the calling convention does not pass.
fn is_small(formal: &Variable) -> bool {
    use ScalarType::{Pred, S8, S16, U8, U16};
    formal.dims.is_empty() && formal.vector == 1 && matches!(formal.ty, Pred | U8 | S8 | U16 | S16)
}

fn misfit_register(formal: &Variable, ty: ScalarType, vector: u8) -> Option<String> {
    if !formal.dims.is_empty() {
        return Some("it is an array, pass a `.param` variable".to_owned());
    }
    misfit_scalar(formal.ty, formal.vector, ty, vector).or_else(|| {
        let natural = u64::from(ty.bytes()) * u64::from(vector);
        (formal.alignment() != natural).then(|| {
            format!(
                "it is aligned to {} bytes, pass a `.param` variable",
                formal.alignment()
            )
        })
    })
}

fn misfit_param(formal: &Variable, actual: &Variable) -> Option<String> {
    match (formal.dims.is_empty(), actual.dims.is_empty()) {
        (true, true) => misfit_scalar(formal.ty, formal.vector, actual.ty, actual.vector),
        (false, false) => {
            let open = matches!(formal.dims.first(), Some(None | Some(0)));
            (!open && formal.bytes() != actual.bytes()).then(|| {
                format!(
                    "it has {} bytes, not {}",
                    formal.bytes().unwrap_or(0),
                    actual.bytes().unwrap_or(0)
                )
            })
        }
        (true, false) => Some("it is not an array".to_owned()),
        (false, true) => Some("it is an array".to_owned()),
    }
    .or_else(|| {
        (formal.alignment() != actual.alignment()).then(|| {
            format!(
                "it is aligned to {} bytes, not {}",
                formal.alignment(),
                actual.alignment()
            )
        })
    })
}

fn misfit_scalar(
    formal: ScalarType,
    formal_vector: u8,
    actual: ScalarType,
    actual_vector: u8,
) -> Option<String> {
    let wild = |ty: ScalarType| ty == ScalarType::F16x2;
    let kind = |ty: ScalarType| match ty.meaning() {
        TypeMeaning::Signed | TypeMeaning::Unsigned => TypeMeaning::Unsigned,
        other => other,
    };
    let same_kind = kind(formal) == kind(actual)
        || [formal, actual]
            .iter()
            .any(|ty| ty.meaning() == TypeMeaning::Bits);
    let fits = formal_vector == actual_vector
        && ((formal.bits() == actual.bits() && same_kind)
            || (wild(formal) || wild(actual))
                && (formal.bits() == 32 || formal == ScalarType::Pred));
    (!fits).then(|| format!("it is of type {formal}, not {actual}"))
}

fn misfit_constant(formal: &Variable, float: bool) -> Option<String> {
    if !formal.dims.is_empty() {
        return Some("it is an array, pass a `.param` variable".to_owned());
    }
    let fits = match formal.ty.meaning() {
        TypeMeaning::Bits => true,
        TypeMeaning::Signed | TypeMeaning::Unsigned => !float,
        TypeMeaning::Float => float,
        _ => false,
    };
    (!fits).then(|| format!("it is of type {}", formal.ty))
}
