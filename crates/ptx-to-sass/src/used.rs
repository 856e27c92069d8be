//! Attributes that say which operations a kernel uses, where machine code alone does not show it or does so only in part.
//!
//! | operation | attribute |
//! |---|---|
//! | `wmma` | `WMMA_USED` |
//! | `multimem` | `GRID_ATTRIBUTES` with the value 12 |
//! | `setmaxnreg` | `REG_RECONFIG` |
//! | products of sparse matrices | `SPARSE_MMA_MASK`: 0x10 of floating point, 0x20 of integers |
//!
//! Source: ptxas 13.4 on sm_90.

use warpc_cubin::Record;
use warpc_cubin::attribute::info as at;
use warpc_ptx::Module;
use warpc_ptx::module::{Function, Statement};
use warpc_sass::Inst;

/// What `GRID_ATTRIBUTES` says of a kernel that uses multicast memory.
const MULTICAST: u16 = 12;

const SPARSE_FLOAT: u16 = 0x10;
const SPARSE_INTEGER: u16 = 0x20;

/// The attributes of what a kernel and its functions use.
pub(crate) fn attributes(module: &Module, bodies: &[&Function], insts: &[Inst]) -> Vec<Record> {
    let statements = bodies.iter().filter_map(|one| one.body.as_ref());
    let statements = statements.flat_map(|body| &body.statements);
    let opcodes = statements.filter_map(|statement| match statement {
        Statement::Inst(inst) => {
            let choices = &module.mnemonic(inst.mnemonic).choices;
            let choice = choices.get(usize::from(inst.choice))?;
            Some(choice.form.form().opcode)
        }
        _ => None,
    });
    let (mut wmma, mut multimem, mut setmaxnreg) = (false, false, false);
    for opcode in opcodes {
        wmma |= opcode == "wmma";
        multimem |= opcode == "multimem";
        setmaxnreg |= opcode == "setmaxnreg";
    }
    let sparse = insts.iter().filter(|inst| inst.shape.has("SP"));
    let sparse = sparse.fold(0, |all, inst| match inst.shape.opcode() {
        "HMMA" => all | SPARSE_FLOAT,
        "IMMA" => all | SPARSE_INTEGER,
        _ => all,
    });
    let mut all = Vec::new();
    if wmma {
        all.push(Record::flag(at::WMMA_USED));
    }
    if multimem {
        all.push(Record::half(at::GRID_ATTRIBUTES, MULTICAST));
    }
    if setmaxnreg {
        all.push(Record::flag(at::REG_RECONFIG));
    }
    if sparse != 0 {
        all.push(Record::half(at::SPARSE_MMA_MASK, sparse));
    }
    all
}
