//! Debug records, and the debug intrinsics of older text, which become records.

use super::{Parse, Reader};
use crate::function::RecordKind;
use crate::metadata::{Field, FieldValue, Md};
use crate::value::{Operand, Value};
use smallvec::SmallVec;
use warpc_diag::{Diagnostic, Span, codes};

/// A debug intrinsic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Intrinsic {
    /// It has a record of the same meaning.
    Record(RecordKind),
    /// `llvm.dbg.addr`: the address of the variable from here on.
    Address,
}

impl Intrinsic {
    /// What the record of a call says.
    pub(crate) fn kind(self) -> RecordKind {
        match self {
            Intrinsic::Record(kind) => kind,
            Intrinsic::Address => RecordKind::Value,
        }
    }
}

/// The two forms of debug information of values; a module has one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `#dbg_value(…)`
    Records,
    /// `call void @llvm.dbg.value(…)`
    Calls,
}

/// The debug intrinsics by the rest of their names.
const INTRINSICS: &[(&[u8], Intrinsic)] = &[
    (b"value", Intrinsic::Record(RecordKind::Value)),
    (b"declare", Intrinsic::Record(RecordKind::Declare)),
    (b"assign", Intrinsic::Record(RecordKind::Assign)),
    (b"label", Intrinsic::Record(RecordKind::Label)),
    (b"addr", Intrinsic::Address),
];

/// The debug intrinsic of a name.
pub(crate) fn intrinsic_named(name: &[u8]) -> Option<Intrinsic> {
    let rest = name.strip_prefix(b"llvm.dbg.")?;
    INTRINSICS.iter().find(|row| row.0 == rest).map(|row| row.1)
}

/// How many parts a record has, its location included.
pub(crate) fn parts_of(kind: RecordKind) -> usize {
    match kind {
        RecordKind::Value | RecordKind::Declare | RecordKind::DeclareValue => 4,
        RecordKind::Assign => 7,
        RecordKind::Label => 2,
    }
}

impl Reader<'_> {
    /// `#dbg_value(…)`
    pub(super) fn record(&mut self) -> Parse<()> {
        let start = self.expect(b'#')?;
        self.check_form(Form::Records, start)?;
        let Some(kind) = RecordKind::from_keyword(self.text()) else {
            return Err(self.unexpected("`dbg_value`, `dbg_declare`, `dbg_assign` or `dbg_label`"));
        };
        self.advance();
        self.expect(b'(')?;
        let mut operands: SmallVec<[Value; 8]> = SmallVec::new();
        loop {
            operands.push(self.metadata_operand()?);
            if !self.accept(b',') {
                break;
            }
        }
        let span = self.expect(b')')?;
        self.push_record(kind, &operands, span)
    }

    fn push_record(&mut self, kind: RecordKind, operands: &[Value], span: Span) -> Parse<()> {
        let wanted = parts_of(kind);
        if operands.len() != wanted {
            let message = format!("the record has {} parts, not {wanted}", operands.len());
            let help = "value, variable, expression and location; an assignment also has an id, an address and its expression";
            return Err(self.fail(codes::IR_SYNTAX, span, message, help));
        }
        self.scope.records.push((kind, operands.len()));
        self.scope.record_operands.extend_from_slice(operands);
        Ok(())
    }

    fn check_form(&mut self, form: Form, span: Span) -> Parse<()> {
        if *self.debug_form.get_or_insert(form) == form {
            return Ok(());
        }
        let message = "debug records and calls of debug intrinsics in one module";
        let help = "write all of them as records, `#dbg_value(…)`";
        Err(self.fail(codes::IR_SYNTAX, span, message, help))
    }

    /// The debug intrinsic that a call calls.
    pub(super) fn debug_intrinsic(&self, callee: Value) -> Option<Intrinsic> {
        let global = self.module.global_of(callee.constant()?)?;
        let name = self.module.globals[global].name?;
        intrinsic_named(self.module.names.bytes(name))
    }

    /// A call of a debug intrinsic as a record; its arguments are the operands, its `!dbg` is attached.
    pub(super) fn record_of_call(&mut self, intrinsic: Intrinsic, span: Span) -> Parse<()> {
        self.check_form(Form::Calls, span)?;
        let location = self
            .scope
            .attached
            .iter()
            .find(|attached| attached.0 == self.words.dbg)
            .map(|attached| attached.1);
        self.scope.attached.clear();
        let mut operands = std::mem::take(&mut self.scope.operands);
        let kind = intrinsic.kind();
        // Before LLVM 6 an offset stood after the value; others than zero have no record.
        if kind == RecordKind::Value && operands.len() == 4 {
            let offset = operands.remove(1);
            let zero = offset
                .constant()
                .is_some_and(|offset| self.module.constants.is_zero(offset));
            if !zero {
                return Ok(());
            }
        }
        if intrinsic == Intrinsic::Address
            && let Some(expression) = operands.get_mut(2)
        {
            *expression = self.dereferenced(*expression);
        }
        let Some(location) = location else {
            let message = "the debug intrinsic has no `!dbg` location";
            let warning = Diagnostic::warning(codes::IR_SYNTAX, span, message);
            self.diagnostics
                .push(warning.help("it is dropped: attach the location of the variable"));
            return Ok(());
        };
        // LLVM takes the arguments it knows, and drops debug information that lacks some.
        operands.truncate(parts_of(kind) - 1);
        operands.push(location.into());
        if operands.len() < parts_of(kind) {
            let message = "the debug intrinsic has too few arguments";
            let warning = Diagnostic::warning(codes::IR_SYNTAX, span, message);
            self.diagnostics
                .push(warning.help("debug information that is broken is dropped"));
            return Ok(());
        }
        self.push_record(kind, &operands, span)
    }

    /// The expression with a dereference at its start.
    fn dereferenced(&mut self, expression: Value) -> Value {
        let Operand::Metadata(md) = expression.get() else {
            return expression;
        };
        let Some(node) = md.node() else {
            return expression;
        };
        let kind = self.module.metadata.node(node).kind;
        let deref = self.module.names.intern(b"DW_OP_deref");
        let mut fields = vec![Field {
            name: None,
            value: FieldValue::Word(deref),
        }];
        fields.extend_from_slice(self.module.metadata.fields(node));
        let node = self.module.metadata.intern(kind, &fields);
        let md: crate::metadata::MdRef = Md::Node(node).into();
        md.into()
    }

    /// Declarations of debug intrinsics have no users left.
    pub(super) fn drop_debug_declarations(&mut self) {
        let (globals, names) = (&self.module.globals, &self.module.names);
        self.module.order.retain(|&global| {
            let name = globals[global].name;
            name.is_none_or(|name| intrinsic_named(names.bytes(name)).is_none())
        });
    }
}
