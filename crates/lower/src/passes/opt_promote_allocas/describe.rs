//! Debug records of variables that become values.
//!
//! ```text
//!   #dbg_declare(ptr %a, !v, !DIExpression(), !loc)
//!   store i32 %x, ptr %a                       ──►   #dbg_value(i32 %x, !v, !DIExpression(), !loc)
//!   (a phi of %a)                              ──►   #dbg_value(i32 %phi, !v, !DIExpression(), !loc)
//! ```
//!
//! As LLVM's mem2reg and SROA do: one record per store and per phi. The value of a slot that is only a part of its variable is a
//! fragment of it. A variable of which a part stays in memory keeps its declaration.

use super::Plan;
use crate::edit::Editor;
use rustc_hash::FxHashMap;
use warpc_nvvm::function::{Record, RecordKind};
use warpc_nvvm::index::Id;
use warpc_nvvm::metadata::{Field, FieldValue, Md, NodeId, NodeKind};
use warpc_nvvm::value::{InstId, Local, Operand, Value};

/// What is declared in a slot: the variable, the expression that gives it, and the location of the declaration.
pub(super) type Described = [Value; 3];

/// Finds what debug information declares in the slots of a plan.
pub(super) fn find(
    editor: &mut Editor,
    plan: &mut Plan,
    addresses: &FxHashMap<Local, (usize, u64)>,
    sizes: &[u64],
    in_memory: &[bool],
) {
    for at in 0..editor.body.records.len() {
        let record = editor.body.records[at];
        if record.kind != RecordKind::Declare {
            continue;
        }
        let operands = editor.body.record_operands(&record);
        let &[address, variable, expression, location] = operands else {
            continue;
        };
        let Operand::LocalMetadata(local) = address.get() else {
            continue;
        };
        let Some(&(declared, 0)) = addresses.get(&local) else {
            continue;
        };
        if in_memory[declared] {
            continue;
        }
        let mut found = false;
        for slot in &mut plan.slots {
            if slot.variable != declared {
                continue;
            }
            let whole = slot.start == 0 && slot.bytes == sizes[declared];
            let expression = match whole {
                true => Some(expression),
                false => fragment(editor, expression, slot.start, slot.bytes),
            };
            if let Some(expression) = expression {
                slot.described.push([variable, expression, location]);
                found = true;
            }
        }
        if found {
            plan.declares.push(at);
        }
    }
}

/// The expression for some bytes of a variable; `None` if it is already more than the variable itself.
fn fragment(editor: &mut Editor, expression: Value, start: u64, bytes: u64) -> Option<Value> {
    let Operand::Metadata(md) = expression.get() else {
        return None;
    };
    let metadata = &mut editor.module.metadata;
    let node: NodeId = md.node()?;
    if !metadata.fields(node).is_empty() {
        return None;
    }
    let kind: NodeKind = metadata.node(node).kind;
    let word = editor.module.names.intern(b"DW_OP_LLVM_fragment");
    let values = [
        FieldValue::Word(word),
        metadata.unsigned(8 * start),
        metadata.unsigned(8 * bytes),
    ];
    let fields = values.map(|value| Field { name: None, value });
    let node = metadata.intern(kind, &fields);
    Some(Operand::Metadata(Md::Node(node).into()).into())
}

/// The records of a body while its variables become values: taken from it, and put back in the order of the text.
pub(super) struct Records {
    /// The records of the body before each instruction.
    old: FxHashMap<InstId, Vec<Record>>,
    /// The records from now on.
    new: FxHashMap<InstId, Vec<Record>>,
    /// Records that stand before the next instruction that stays.
    waiting: Vec<Record>,
}

impl Records {
    /// Takes the records out of a body, without those that nothing is true of any more.
    pub fn take(editor: &mut Editor, plan: &Plan) -> Records {
        let mut old: FxHashMap<InstId, Vec<Record>> = FxHashMap::default();
        for (at, record) in std::mem::take(&mut editor.body.records)
            .into_iter()
            .enumerate()
        {
            if plan.declares.binary_search(&at).is_err() {
                old.entry(record.before).or_default().push(record);
            }
        }
        Records {
            old,
            new: FxHashMap::default(),
            waiting: Vec::new(),
        }
    }

    /// The walk has come to an instruction.
    pub fn reach(&mut self, inst: InstId) {
        if let Some(records) = self.old.remove(&inst) {
            self.waiting.extend(records);
        }
    }

    /// What a slot describes has a value now.
    pub fn set(&mut self, editor: &mut Editor, described: &[Described], value: Value) {
        let value: Value = match value.get() {
            Operand::Local(local) => Operand::LocalMetadata(local).into(),
            Operand::Const(constant) => Operand::Metadata(Md::Const(constant).into()).into(),
            _ => return,
        };
        for &[variable, expression, location] in described {
            let operands = [value, variable, expression, location];
            // `keep` gives it the instruction that it stands before.
            let unknown = InstId::new(0);
            editor
                .body
                .add_record(RecordKind::Value, unknown, &operands);
            self.waiting.extend(editor.body.records.pop());
        }
    }

    /// An instruction stays, and the records that wait stand before it.
    pub fn keep(&mut self, inst: InstId) {
        if self.waiting.is_empty() {
            return;
        }
        let records = self.new.entry(inst).or_default();
        for mut record in self.waiting.drain(..) {
            record.before = inst;
            records.push(record);
        }
    }

    /// Puts the records back.
    pub fn put_back(mut self, editor: &mut Editor) {
        if self.old.is_empty() && self.new.is_empty() {
            return;
        }
        let body = &mut *editor.body;
        for &block in &body.order {
            for inst in &body.blocks[block].insts {
                // Blocks that nothing reaches keep theirs.
                for of in [&mut self.new, &mut self.old] {
                    body.records.extend(of.remove(inst).unwrap_or_default());
                }
            }
        }
    }
}
