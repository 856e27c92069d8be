//! Answers `__nvvm_reflect("NAME")`: what libraries ask about the compilation.
//!
//! | name | answer |
//! |---|---|
//! | `__CUDA_ARCH` | the chip: 900 for sm_90 |
//! | `__CUDA_FTZ` | 1 if denormals of 32 bits become zero: the option, or the module flag `nvvm-reflect-ftz` |
//! | `__CUDA_PREC_DIV`, `__CUDA_PREC_SQRT` | 1 unless fast division or square root was asked for |
//! | any other | 0 |
//!
//! The question is a call of `__nvvm_reflect`, `__nvvm_reflect_ocl` or `llvm.nvvm.reflect`. Its argument is
//! the address of a constant string, through any number of casts and zero offsets. The branches on the
//! answer are folded by the next pass.

use crate::edit::{Action, edit_bodies};
use crate::pass::Context;
use rustc_hash::FxHashSet;
use warpc_nvvm::Module;
use warpc_nvvm::constant::{ConstId, ConstKind, ExprOp};
use warpc_nvvm::function::{Body, Def};
use warpc_nvvm::inst::Op;
use warpc_nvvm::metadata::Md;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::value::{InstId, Operand, Value};

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let asked: FxHashSet<GlobalId> = module
        .functions()
        .filter(|(_, _, function)| function.body.is_none())
        .filter(|(_, global, _)| global.name.is_some_and(|name| is_question(module, name)))
        .map(|(id, _, _)| id)
        .collect();
    if asked.is_empty() {
        return;
    }
    let is_asked = |module: &Module, body: &Body, inst: InstId| {
        let callee = called(module, body, inst);
        callee.is_some_and(|callee| asked.contains(&callee))
    };
    let ftz = context.options.ftz || module_flag(module, b"nvvm-reflect-ftz") == Some(1);
    edit_bodies(module, |editor| {
        if !editor.any(is_asked) {
            return;
        }
        editor.rewrite(|editor, inst| {
            if !is_asked(editor.module, editor.body, inst) {
                return Action::Keep;
            }
            let argument = editor.body.operands(inst)[0];
            let ty = editor.body.insts[inst].ty;
            let name = text_at(editor.module, editor.body, argument);
            let Some(name) = name.filter(|_| editor.module.types.is_int(ty)) else {
                context.refuse(
                    editor.pos(),
                    "the argument of __nvvm_reflect is not a constant string, or its result no integer",
                    "ask with the address of a constant string",
                );
                return Action::Keep;
            };
            let answer = match &name[..] {
                b"__CUDA_ARCH" => u64::from(context.options.sm.number()) * 10,
                b"__CUDA_FTZ" => ftz.into(),
                b"__CUDA_PREC_DIV" => context.options.precise_division.into(),
                b"__CUDA_PREC_SQRT" => context.options.precise_square_root.into(),
                _ => 0,
            };
            Action::Replace(editor.int(ty, answer))
        });
    });
}

fn is_question(module: &Module, name: warpc_nvvm::name::Name) -> bool {
    let name = module.names.bytes(name);
    let intrinsic = b"llvm.nvvm.reflect";
    name == b"__nvvm_reflect"
        || name == b"__nvvm_reflect_ocl"
        || name == intrinsic
        || name.starts_with(b"llvm.nvvm.reflect.")
}

/// The global that a `call` with at least one argument calls.
fn called(module: &Module, body: &Body, inst: InstId) -> Option<GlobalId> {
    match body.insts[inst].op {
        Op::Call(_) => match body.operands(inst) {
            [_, .., callee] => module.global_of(callee.constant()?),
            _ => None,
        },
        _ => None,
    }
}

/// The value of a module flag that is a number.
fn module_flag(module: &Module, flag: &[u8]) -> Option<u64> {
    let flags = module.names.find(b"llvm.module.flags")?;
    let nodes = &module.metadata.named(flags)?.nodes;
    nodes.iter().find_map(|&node| {
        match (
            module.metadata.operand(node, 1)?.get(),
            module.metadata.operand(node, 2)?.get(),
        ) {
            (Md::String(name), Md::Const(value)) if module.names.bytes(name) == flag => {
                module.constants.as_u64(value)
            }
            _ => None,
        }
    })
}

/// The string that an address points to, without the zero at its end.
fn text_at(module: &Module, body: &Body, address: Value) -> Option<Vec<u8>> {
    let mut address = address;
    let constant = loop {
        match address.get() {
            Operand::Const(constant) => break constant,
            Operand::Local(local) => {
                let Def::Inst(inst) = body.locals[local].def else {
                    return None;
                };
                let zeros = |values: &[Value]| {
                    let mut constants = values.iter().map(|value| value.constant());
                    constants.all(|index| index.is_some_and(|c| module.constants.is_zero(c)))
                };
                let operands = body.operands(inst);
                match body.insts[inst].op {
                    Op::Cast(_) | Op::Freeze => {}
                    Op::Gep { .. } if zeros(&operands[1..]) => {}
                    // `llvm.nvvm.ptr.constant.to.gen` and the like
                    Op::Call(_) if converts_address(module, operands) => {}
                    _ => return None,
                }
                address = operands[0];
            }
            _ => return None,
        }
    };
    let variable = module.global_of(variable_of(module, constant)?)?;
    let GlobalKind::Variable(variable) = &module.globals[variable].kind else {
        return None;
    };
    let init = module.constants.get(variable.init?);
    let is_text = module.types.member(init.ty, 0) == Some(module.types.i8);
    match init.kind {
        ConstKind::Bytes(bytes) if variable.constant && is_text => {
            let bytes = module.names.bytes(bytes);
            let end = bytes.iter().position(|&byte| byte == 0);
            Some(bytes[..end.unwrap_or(bytes.len())].to_vec())
        }
        ConstKind::Zero if variable.constant => Some(Vec::new()),
        _ => None,
    }
}

fn converts_address(module: &Module, operands: &[Value]) -> bool {
    let callee = operands.last().and_then(|callee| callee.constant());
    let name = callee
        .and_then(|callee| module.global_of(callee))
        .and_then(|callee| module.globals[callee].name);
    operands.len() == 2
        && name.is_some_and(|name| module.names.bytes(name).starts_with(b"llvm.nvvm.ptr."))
}

/// The address that a constant is after casts and zero offsets.
fn variable_of(module: &Module, constant: ConstId) -> Option<ConstId> {
    let mut constant = constant;
    loop {
        let ConstKind::Expr(expr) = module.constants.get(constant).kind else {
            return Some(constant);
        };
        let expr = module.constants.expr(expr);
        let operands = module.constants.list(expr.operands);
        let (&first, rest) = operands.split_first()?;
        match expr.op {
            ExprOp::Cast(_) => {}
            ExprOp::Gep { .. } if rest.iter().all(|&index| module.constants.is_zero(index)) => {}
            _ => return None,
        }
        constant = first;
    }
}
