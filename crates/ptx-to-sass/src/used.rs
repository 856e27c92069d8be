//! Attributes that say which operations a kernel uses, where machine code alone does not show it or does so only in part.
//!
//! | operation | attribute |
//! |---|---|
//! | `wmma` | `WMMA_USED` |
//! | `multimem` | `GRID_ATTRIBUTES` with the value 12 |
//! | `setmaxnreg` | `REG_RECONFIG` |
//! | products of sparse matrices | `SPARSE_MMA_MASK`: a bit for each of [`SPARSE`] |
//!
//! Source: ptxas 13.4 on sm_90.

use warpc_cubin::Record;
use warpc_cubin::attribute::info as at;
use warpc_ptx::Module;
use warpc_ptx::module::{Function, Statement};
use warpc_sass::Inst;

/// What `GRID_ATTRIBUTES` says of a kernel that uses multicast memory.
const MULTICAST: u16 = 12;

/// The bits of `SPARSE_MMA_MASK`, by the operation.
const SPARSE: &[(&str, u16)] = &[
    ("QGMMA", 0x01),
    ("HGMMA", 0x02),
    ("IGMMA", 0x04),
    ("HMMA", 0x10),
    ("IMMA", 0x20),
];

/// The attributes of what a kernel and its functions use.
pub(crate) fn attributes(module: &Module, bodies: &[&Function], insts: &[Inst]) -> Vec<Record> {
    let bodies = match module.has_opcode(&["wmma", "multimem"]) {
        true => bodies,
        false => &[],
    };
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
    let (mut wmma, mut multimem) = (false, false);
    for opcode in opcodes {
        wmma |= opcode == "wmma";
        multimem |= opcode == "multimem";
    }
    let sparse = insts.iter().filter(|inst| inst.shape.has("SP"));
    let sparse = sparse.fold(0, |all, inst| {
        let opcode = inst.shape.opcode();
        let known = SPARSE.iter().find(|one| one.0 == opcode);
        all | known.map_or(0, |one| one.1)
    });
    let mut all = Vec::new();
    if wmma {
        all.push(Record::flag(at::WMMA_USED));
    }
    if multimem {
        all.push(Record::half(at::GRID_ATTRIBUTES, MULTICAST));
    }
    if insts.iter().any(|inst| inst.shape.opcode() == "USETMAXREG") {
        all.push(Record::flag(at::REG_RECONFIG));
    }
    if sparse != 0 {
        all.push(Record::half(at::SPARSE_MMA_MASK, sparse));
    }
    all
}
