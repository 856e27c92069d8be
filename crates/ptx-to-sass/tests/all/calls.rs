//! What a caller knows of the functions that it calls: values live across a call in registers that nobody there writes.

use std::fmt::Write;
use warpc_diag::SourceFile;
use warpc_ptx_to_sass::check::Assembled;
use warpc_ptx_to_sass::{Options, assemble_and_keep};
use warpc_sass::Value;

/// More values than functions keep below R32.
const VALUES: usize = 24;

/// Needs a register besides that of the argument.
const SQUARE: &str = "mul.lo.u32 %r3, %r1, %r1;\nshr.u32 %r3, %r3, 3;\nxor.b32 %r2, %r3, %r1;";

/// A kernel with values that live across a call, and the function with these statements.
fn assembled(statements: &str) -> Assembled {
    let mut text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n\
         .func (.param .u32 r) f(.param .u32 x)\n{{\n.reg .b32 %r<9>;\n.reg .pred %p<3>;\n\
         ld.param.u32 %r1, [x];\n{statements}\nst.param.u32 [r], %r2;\nret;\n}}\n\
         .visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<99>;\n.reg .b64 %rd<9>;\n\
         ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"
    );
    for value in 1..=VALUES {
        let _ = writeln!(text, "ld.global.u32 %r{value}, [%rd2+{}];", 8 * value);
    }
    text.push_str(
        "{\n.param .u32 a;\n.param .u32 b;\nst.param.u32 [a], %r1;\n\
         call.uni (b), f, (a);\nld.param.u32 %r90, [b];\n}\n",
    );
    for value in 1..=VALUES {
        let _ = writeln!(
            text,
            "xor.b32 %r90, %r90, %r{value};\nshl.b32 %r90, %r90, 1;"
        );
    }
    text.push_str("st.global.u32 [%rd2], %r90;\nret;\n}\n");
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let module = checked
        .value
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let mut kept = Vec::new();
    let made = assemble_and_keep(&module, &Options::default(), &mut kept);
    assert!(made.value.is_some(), "{:?}", made.diagnostics);
    kept.pop().expect("a kernel")
}

/// How many registers its instructions name.
fn registers(kernel: &Assembled) -> u8 {
    let values = kernel.insts.iter().flat_map(|inst| inst.values());
    let numbers = values.filter_map(|value| match value {
        Value::Register(number @ 0..=254) => Some(number),
        _ => None,
    });
    numbers.max().map_or(0, |last| last + 1)
}

/// What is not clear to the judges after a register of the function got another name.
fn findings(kernel: &Assembled, from: u8, to: u8) -> usize {
    let mut changed = kernel.clone();
    let first = kernel.parts[0].origins.len();
    for inst in &mut changed.insts[first..] {
        for operand in &mut inst.operands {
            if operand.value == Value::Register(from) {
                operand.value = Value::Register(to);
            }
        }
    }
    changed.check_registers().len()
}

#[test]
fn values_stay_where_the_callee_writes_nothing() {
    let kernel = assembled(SQUARE);
    assert_eq!(kernel.check().first(), None);
    // By convention every second value would be in a register from R32 on, with those between them free.
    assert!(registers(&kernel) <= 40, "{}", registers(&kernel));
    let stores = kernel
        .insts
        .iter()
        .filter(|inst| inst.shape.opcode() == "STL");
    assert_eq!(stores.count(), 0);
}

#[test]
fn a_function_that_writes_what_its_caller_keeps_is_found() {
    let kernel = assembled(SQUARE);
    let first = kernel.parts[0].origins.len();
    let mut values = kernel.insts[first..].iter().flat_map(|inst| inst.values());
    // What is neither passed nor the return address: the product.
    let own = values.find_map(|value| match value {
        Value::Register(number) if ![1, 4, 20, 21, 255].contains(&number) => Some(number),
        _ => None,
    });
    let own = own.expect("a register of its own");
    assert_eq!(findings(&kernel, own, own), 0);
    // Nobody has anything there.
    assert_eq!(findings(&kernel, own, 200), 0);
    let found = (0..registers(&kernel)).filter(|to| {
        let is_fixed = [1, 4, 20, 21].contains(to);
        !is_fixed && *to != own && findings(&kernel, own, *to) > 0
    });
    assert!(found.count() >= VALUES - 1);
}
