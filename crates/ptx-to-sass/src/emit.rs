//! Machine IR with its registers to instructions, one after the other, and a kernel with the functions that it calls to
//! one section.

use crate::driver_table::Table;
use crate::ir::{Function, Link, Op};
use crate::passes::assign_registers::Assignment;
use crate::tune::Repeats;
use warpc_diag::Span;
use warpc_sass::inst::Operands;
use warpc_sass::template::Kind;
use warpc_sass::{Control, Guard, Inst, Value};

/// The instructions of a function in order, and where its blocks begin. Places that branches go to are block numbers, and
/// functions numbers of the IR, until [`link`].
pub struct Code {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// For each of them the number of the instruction of the IR that it is ([`Function::number`]).
    pub origins: Vec<Option<u32>>,
    /// For each of them whether accesses to memory after it wait for its result.
    pub acquires: Vec<bool>,
    /// For each of them where the PTX is that it comes from.
    pub spans: Vec<Span>,
    /// For each block the number of its first instruction.
    pub starts: Vec<u32>,
    /// For each block what is known of how often a loop is repeated that begins there.
    pub repeats: Vec<Repeats>,
    /// For each block whether it is seldom executed.
    pub cold: Vec<bool>,
    /// For each call the number of the function in the section.
    pub callees: Vec<usize>,
    /// Whether it calls functions by their addresses.
    pub calls_taken: bool,
    /// What a linker writes into its instructions.
    pub links: Vec<Link>,
}

impl Code {
    /// Takes the instructions of a function with the registers that were assigned. Moves of a register to itself and
    /// branches to the next instruction are left out.
    pub fn of(function: &Function, assignment: &Assignment, callees: Vec<usize>) -> Option<Code> {
        let count = function.blocks.iter().map(|block| block.insts.len()).sum();
        let mut code = Code {
            insts: Vec::with_capacity(count),
            origins: Vec::with_capacity(count),
            acquires: Vec::with_capacity(count),
            spans: Vec::with_capacity(count),
            starts: Vec::with_capacity(function.blocks.len()),
            repeats: function.blocks.iter().map(|block| block.repeats).collect(),
            cold: function.blocks.iter().map(|block| block.is_cold).collect(),
            callees,
            calls_taken: function.calls_taken,
            links: function.links.clone(),
        };
        for block in function.block_ids() {
            code.starts.push(code.insts.len() as u32);
            let insts = &function.blocks[block.index()].insts;
            for (index, inst) in insts.iter().enumerate() {
                let is_last = index + 1 == insts.len();
                if is_last && inst.is_branch() && inst.target().map(|to| to.0) == Some(block.0 + 1)
                {
                    continue;
                }
                let made = one(inst, assignment, function.frame)?;
                if !is_needless(&made) {
                    code.insts.push(made);
                    code.origins.push(inst.origin);
                    code.acquires.push(inst.acquires);
                    code.spans.push(inst.span);
                }
            }
        }
        Some(code)
    }
}

impl std::fmt::Display for Code {
    /// The instructions with their control words.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, inst) in self.insts.iter().enumerate() {
            for (block, _) in
                (self.starts.iter().enumerate()).filter(|one| *one.1 as usize == index)
            {
                writeln!(f, ".L{block}:")?;
            }
            writeln!(f, "    [{}] {inst}", inst.control)?;
        }
        Ok(())
    }
}

/// The numbers of symbols from which on they are sizes of tables.
const SIZES: u32 = 1 << 31;

/// Those from which on they are what a linker writes.
const LINKED: u32 = 1 << 30;

/// A size that the loader writes into an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoadedSize {
    /// The number of the instruction in the section.
    pub at: usize,
    /// The table.
    pub table: Table,
}

/// What a linker writes into code: the number of the instruction, and what.
pub type LinkedPlace = (usize, Link);

/// Takes what a linker writes out of the code of a function: zeros stay in its place.
pub fn take_links(code: &mut Code) -> Vec<LinkedPlace> {
    let mut all = Vec::new();
    for (at, inst) in code.insts.iter_mut().enumerate() {
        for operand in &mut inst.operands {
            if let Value::Symbol(number @ LINKED..SIZES) = operand.value
                && let Some(link) = code.links.get((number - LINKED) as usize)
            {
                operand.value = Value::Number(0);
                all.push((at, link.clone()));
            }
        }
    }
    all
}

/// Puts the code of a kernel and its functions into one section, the kernel first, and makes distances of the numbers of
/// blocks and functions.
pub fn link(parts: Vec<Code>) -> (Vec<Inst>, Vec<LoadedSize>) {
    let mut firsts = Vec::with_capacity(parts.len());
    let mut end = 0;
    for part in &parts {
        firsts.push(end);
        end += part.insts.len();
    }
    let mut all = Vec::new();
    for (mut part, first) in parts.into_iter().zip(&firsts) {
        place(&mut part, *first, &firsts);
        match *first {
            // Most kernels have no functions.
            0 => all = part.insts,
            _ => all.append(&mut part.insts),
        }
    }
    let mut sizes = Vec::new();
    for (at, inst) in all.iter_mut().enumerate() {
        for operand in &mut inst.operands {
            if let Value::Symbol(number) = operand.value
                && let Some(number) = number.checked_sub(SIZES)
                && let Some(table) = Table::ALL.get(number as usize)
            {
                operand.value = Value::Number(0);
                sizes.push(LoadedSize { at, table: *table });
            }
        }
    }
    (all, sizes)
}

/// Makes distances of the numbers in the code of a function. `first` is its first instruction in the section, and `firsts`
/// those of all functions.
fn place(code: &mut Code, first: usize, firsts: &[usize]) {
    let starts = &code.starts;
    // `BSSY` names the place after its `BSYNC`: where the lanes go on that have waited. The `BSYNC` of a region is the first
    // of the block, that of a sequence the last before it; then the block may begin with that of a region around.
    let meets: Vec<Option<Value>> = (code.insts.iter())
        .map(|inst| (inst.shape.opcode() == "BSYNC").then(|| barrier(inst))?)
        .collect();
    for (index, inst) in code.insts.iter_mut().enumerate() {
        let opens = (inst.shape.opcode() == "BSSY").then(|| barrier(inst));
        let opens = opens.flatten();
        let next = (first + index + 1) as i64;
        for (slot, operand) in inst.shape.slots().iter().zip(&mut inst.operands) {
            let to = match operand.value {
                Value::Label(block) => {
                    let start = starts[block as usize];
                    let after = opens.is_some() && meets.get(start as usize) == Some(&opens);
                    first as i64 + i64::from(start) + i64::from(after)
                }
                Value::Symbol(LINKED..) => continue,
                Value::Symbol(0) => 0,
                Value::Symbol(number) => {
                    let callee = code.callees.get(number as usize - 1);
                    callee
                        .and_then(|one| firsts.get(*one))
                        .map_or(0, |one| *one as i64)
                }
                _ => continue,
            };
            operand.value = match slot.kind() {
                Kind::Label => Value::Place((to - next) * 16),
                _ => Value::Number(to * 16),
            };
        }
    }
}

/// The convergence barrier of an instruction.
fn barrier(inst: &Inst) -> Option<Value> {
    let mut values = inst.operands.iter().map(|operand| operand.value);
    values.find(|value| matches!(value, Value::Barrier(_)))
}

/// A move of a register to itself.
fn is_needless(inst: &Inst) -> bool {
    let [to, from, ..] = &inst.operands[..] else {
        return false;
    };
    inst.shape.opcode() == "MOV" && to.value == from.value && matches!(to.value, Value::Register(_))
}

fn one(inst: &crate::ir::Inst, assignment: &Assignment, frame: u32) -> Option<Inst> {
    let mut operands = Operands::new();
    for (slot, operand) in inst.shape.slots().iter().zip(&inst.operands) {
        let value = match operand.op {
            Op::Value(value) => value,
            Op::Block(block) => Value::Label(block.0),
            Op::Function(number) => Value::Symbol(number),
            Op::Size(table) => Value::Symbol(SIZES + table as u32),
            Op::Linked(number) => Value::Symbol(LINKED + number),
            Op::OfCaller(at) => Value::Number(i64::from(frame) + i64::from(at)),
            Op::Reg(reg, lane) => {
                let number = assignment.of(reg, lane)?;
                match slot.kind() {
                    Kind::Register => Value::Register(number),
                    Kind::Uniform | Kind::NextUniform => Value::Uniform(number),
                    Kind::Predicate | Kind::PredicateFromLast => Value::Predicate(number),
                    Kind::UniformPredicate | Kind::UniformPredicateFromLast => {
                        Value::UniformPredicate(number)
                    }
                    Kind::Barrier => Value::Barrier(number),
                    _ => return None,
                }
            }
        };
        operands.push(value.marked(operand.marks));
    }
    if operands.len() < inst.shape.slots().len() {
        let rest = Inst::new(inst.shape).operands;
        operands.extend_from_slice(&rest[operands.len()..]);
    }
    let guard = match inst.guard {
        Some(guard) => Guard {
            predicate: assignment.of(guard.reg, 0)?,
            not: guard.not,
            uniform: false,
        },
        None => Guard::ALWAYS,
    };
    Some(Inst {
        shape: inst.shape,
        guard,
        control: Control::UNSCHEDULED,
        operands,
    })
}
