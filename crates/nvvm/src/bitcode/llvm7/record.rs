//! Debug records as calls of `llvm.dbg.*`.
//!
//! LLVM 7 has neither lists of values nor operations in expressions that are newer: where a record has them, the variable
//! has no value from there on. An assignment is written as a value.

use super::body::{add_void, call_site, each_body};
use super::intrinsic::declare;
use crate::Module;
use crate::bitcode::codes::dwarf;
use crate::constant::ConstKind;
use crate::function::{Body, Record, RecordKind};
use crate::metadata::{FieldValue, Md, NodeKind};
use crate::module::GlobalKind;
use crate::value::{InstId, Operand, Value};
use rustc_hash::FxHashMap;

/// The last operation of expressions that LLVM 7 has.
const LAST_OPERATION: u64 = 0x1000;

pub(super) fn lower(module: &mut Module) {
    each_body(module, |module, _, body| lower_body(module, body));
    // Declarations have no subprogram of their own in LLVM 7.
    let kind = module.names.find(b"dbg");
    for (_, global) in module.globals.iter_mut() {
        if matches!(&global.kind, GlobalKind::Function(function) if function.body.is_none()) {
            global
                .metadata
                .retain(|attachment| Some(attachment.kind) != kind);
        }
    }
}

fn lower_body(module: &mut Module, body: &mut Body) {
    let records = std::mem::take(&mut body.records);
    if records.is_empty() {
        return;
    }
    let mut before: FxHashMap<InstId, Vec<InstId>> = FxHashMap::default();
    for record in &records {
        if let Some(call) = call(module, body, record) {
            before.entry(record.before).or_default().push(call);
        }
    }
    for block in body.order.clone() {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut all = Vec::with_capacity(insts.len());
        // Nothing may be before a phi.
        let mut waiting = Vec::new();
        for inst in insts {
            waiting.extend(before.remove(&inst).unwrap_or_default());
            if !matches!(body.insts[inst].op, crate::inst::Op::Phi) {
                all.append(&mut waiting);
            }
            all.push(inst);
        }
        body.blocks[block].insts = all;
    }
}

/// The call that a record becomes.
fn call(module: &mut Module, body: &mut Body, record: &Record) -> Option<InstId> {
    let operands = body.record_operands(record).to_vec();
    let (&location, operands) = operands.split_last()?;
    let name: &[u8] = match record.kind {
        RecordKind::Declare => b"llvm.dbg.declare",
        RecordKind::Value | RecordKind::Assign | RecordKind::DeclareValue => b"llvm.dbg.value",
        RecordKind::Label => b"llvm.dbg.label",
    };
    let mut arguments: Vec<Value> = operands.to_vec();
    if record.kind != RecordKind::Label {
        arguments.truncate(3);
        let known = arguments
            .get(2)
            .is_some_and(|&value| is_known(module, value));
        let value = match arguments.first()?.get() {
            Operand::Local(local) => Operand::LocalMetadata(local).into(),
            Operand::Const(constant) => Operand::Metadata(Md::Const(constant).into()).into(),
            Operand::ArgList(_) => nothing(module),
            _ => arguments[0],
        };
        arguments[0] = value;
        if !known {
            arguments[0] = nothing(module);
            let word = module.names.intern(b"DIExpression");
            let empty = module.metadata.intern(NodeKind::Special(word), &[]);
            *arguments.get_mut(2)? = Operand::Metadata(Md::Node(empty).into()).into();
        }
    }
    let metadata = module.types.metadata;
    let params = vec![metadata; arguments.len()];
    let ty = module.types.function(module.types.void, &params, false);
    let callee = declare(module, name, ty);
    let op = call_site(module, ty, arguments.len());
    arguments.push(callee.into());
    let call = add_void(body, op, module.types.void, &arguments);
    if let Operand::Metadata(md) = location.get() {
        body.insts[call].debug_location = md.node().map(Into::into);
    }
    Some(call)
}

/// No value.
fn nothing(module: &mut Module) -> Value {
    let undef = module.constants.intern(module.types.i32, ConstKind::Undef);
    Operand::Metadata(Md::Const(undef).into()).into()
}

/// Whether LLVM 7 has all operations of an expression.
fn is_known(module: &Module, expression: Value) -> bool {
    let Operand::Metadata(md) = expression.get() else {
        return false;
    };
    let Some(node) = md.node() else { return false };
    let fields = module.metadata.fields(node);
    fields.iter().all(|field| match field.value {
        FieldValue::Word(word) => {
            let number = dwarf::OPERATIONS.number(module.names.bytes(word));
            number.is_some_and(|number| number <= LAST_OPERATION)
        }
        _ => true,
    })
}
