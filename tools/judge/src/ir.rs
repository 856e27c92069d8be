//! The LLVM IR of cases: a kernel or function each.
//!
//! ```text
//!   store, load     before            offsets 0 and 64 of %m
//!   the operation on %p
//!   load, stores    after             offsets from 128 on
//! ```
//!
//! What stands before and after makes it visible where fences lie, and whether anything moved across.

use crate::asked::{Case, Front, Operation, Space, Type};
use std::fmt::Write;

/// Offsets in the memory of a kernel below this one are used before the operation, the others after it.
pub const FIRST_AFTER: i64 = 128;
/// Places before the operation: a store and a load.
pub const BEFORE: u8 = 2;

/// A module with a kernel `c0`, `c1` … for each case, and where each begins.
pub fn module(cases: &[Case]) -> (String, Vec<usize>) {
    let mut text = String::with_capacity(cases.len() * 700);
    text.push_str("target triple = \"nvptx64-nvidia-cuda\"\n");
    let mut starts = Vec::with_capacity(cases.len());
    for (number, case) in cases.iter().enumerate() {
        starts.push(text.len());
        kernel(&mut text, number, case);
    }
    let mut declared: Vec<String> = Vec::new();
    for case in cases.iter().filter(|case| case.front == Front::Builtin) {
        let declaration = declaration(case);
        if !declared.contains(&declaration) {
            text.push_str(&declaration);
            declared.push(declaration);
        }
    }
    (text, starts)
}

/// The name of the builtin that does an operation, and the types of its result and of its first arguments.
fn builtin(case: &Case) -> (String, &'static str, Vec<&'static str>) {
    let (ty, bytes) = (case.ty.text(), case.ty.bits() / 8);
    match case.operation {
        Operation::Load => (format!("load_{bytes}"), ty, vec!["ptr"]),
        Operation::Store => (format!("store_{bytes}"), "void", vec!["ptr", ty]),
        Operation::Rmw("xchg") => (format!("exchange_{bytes}"), ty, vec!["ptr", ty]),
        Operation::Rmw(word) => (format!("fetch_{word}_{bytes}_u"), ty, vec!["ptr", ty]),
        Operation::Swap { .. } | Operation::Fence => ("thread_fence".to_owned(), "void", vec![]),
    }
}

fn declaration(case: &Case) -> String {
    let (name, result, mut args) = builtin(case);
    args.extend(["i32", "i32"]);
    format!(
        "declare {result} @__nv_atomic_{name}({})\n",
        args.join(", ")
    )
}

/// A call of a builtin.
fn call(case: &Case) -> String {
    let (name, result, types) = builtin(case);
    let mut args: Vec<String> = types
        .iter()
        .zip(["%p", "%v"])
        .map(|(ty, value)| format!("{ty} {value}"))
        .collect();
    args.push(format!("i32 {}", case.order.number()));
    args.push(format!("i32 {}", case.reach as u32));
    let to = if result == "void" { "" } else { "%r = " };
    format!("{to}call {result} @__nv_atomic_{name}({})", args.join(", "))
}

/// The instruction alone.
pub fn instruction(case: &Case) -> String {
    if case.front == Front::Builtin {
        return call(case);
    }
    let Case { ty, order, .. } = *case;
    let pointer = match case.space.number() {
        0 => "ptr %p".to_owned(),
        space => format!("ptr addrspace({space}) %p"),
    };
    let volatile = if case.volatile { "volatile " } else { "" };
    let clause = case.reach.clause();
    let (bytes, order, ty) = (ty.bits() / 8, order.word(), ty.text());
    match case.operation {
        Operation::Load => {
            format!("%r = load atomic {volatile}{ty}, {pointer} {clause}{order}, align {bytes}")
        }
        Operation::Store => {
            format!("store atomic {volatile}{ty} %v, {pointer} {clause}{order}, align {bytes}")
        }
        Operation::Rmw(word) => {
            format!("%r = atomicrmw {volatile}{word} {pointer}, {ty} %v {clause}{order}")
        }
        Operation::Swap { weak, failure } => {
            let weak = if weak { "weak " } else { "" };
            let failure = failure.word();
            format!(
                "%r = cmpxchg {weak}{volatile}{pointer}, {ty} %v, {ty} %w {clause}{order} {failure}"
            )
        }
        Operation::Fence => format!("fence {clause}{order}"),
    }
}

fn kernel(text: &mut String, number: usize, case: &Case) {
    let ty = case.ty.text();
    let space = match case.space.number() {
        0 => String::new(),
        space => format!(" addrspace({space})"),
    };
    // Generic pointers of kernels point to global memory, those of functions anywhere.
    let kind = match case.space {
        Space::Generic => "",
        _ => "ptx_kernel ",
    };
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "define {kind}void @c{number}(ptr addrspace(1) %m, ptr{space} %p, {ty} %v, {ty} %w) {{\n\
         \x20 store i32 1, ptr addrspace(1) %m\n\
         \x20 %m1 = getelementptr i8, ptr addrspace(1) %m, i64 64\n\
         \x20 %a = load i32, ptr addrspace(1) %m1\n\
         \x20 {}\n\
         \x20 %m2 = getelementptr i8, ptr addrspace(1) %m, i64 {FIRST_AFTER}\n\
         \x20 %b = load i32, ptr addrspace(1) %m2\n\
         \x20 %m3 = getelementptr i8, ptr addrspace(1) %m, i64 192\n\
         \x20 store i32 %a, ptr addrspace(1) %m3\n\
         \x20 %m4 = getelementptr i8, ptr addrspace(1) %m, i64 256\n\
         \x20 store i32 %b, ptr addrspace(1) %m4\n",
        instruction(case)
    );
    if case.used {
        result(text, case.operation, case.ty);
    }
    text.push_str("  ret void\n}\n");
}

/// Keeps the result.
fn result(text: &mut String, operation: Operation, ty: Type) {
    let ty = ty.text();
    let (value, found) = match operation {
        Operation::Store | Operation::Fence => return,
        Operation::Load | Operation::Rmw(_) => ("%r", String::new()),
        Operation::Swap { .. } => (
            "%old",
            format!(
                "  %old = extractvalue {{ {ty}, i1 }} %r, 0\n  %same = extractvalue {{ {ty}, i1 }} %r, 1\n\
                 \x20 %flag = zext i1 %same to i32\n\
                 \x20 %m6 = getelementptr i8, ptr addrspace(1) %m, i64 384\n\
                 \x20 store i32 %flag, ptr addrspace(1) %m6\n"
            ),
        ),
    };
    let _ = write!(
        text,
        "{found}  %m5 = getelementptr i8, ptr addrspace(1) %m, i64 320\n  store {ty} {value}, ptr addrspace(1) %m5\n"
    );
}
