//! The kernels of cases in LLVM IR.

use crate::asked::{Operation, Space};
use crate::door::{Site, Written};
use std::fmt::Write;

/// A pointer type.
pub fn pointer(space: Space) -> String {
    match space.number() {
        0 => "ptr".to_owned(),
        space => format!("ptr addrspace({space})"),
    }
}

/// A module with a kernel `c0`, `c1` … for each case, and where each begins.
pub fn module(cases: &[&Written]) -> (String, Vec<usize>) {
    let mut text = String::from("target triple = \"nvptx64-nvidia-cuda\"\n");
    let mut starts = Vec::with_capacity(cases.len());
    for (number, case) in cases.iter().enumerate() {
        starts.push(text.len());
        kernel(&mut text, number, case);
    }
    let mut declared: Vec<&str> = vec![
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)",
        "declare ptr @llvm.nvvm.mapa(ptr, i32)",
    ];
    for case in cases {
        for line in &case.declares {
            if !declared.contains(&line.as_str()) {
                declared.push(line);
            }
        }
    }
    for line in declared {
        text.push_str(line);
        text.push('\n');
    }
    (text, starts)
}

fn kernel(text: &mut String, number: usize, case: &Written) {
    let native = pointer(case.site.space());
    // The parameter, and how the pointer `%p0` comes from it.
    let (parameter, origin) = match case.site {
        Site::Unknown => (
            "ptr addrspace(1)",
            "  %p0 = load ptr, ptr addrspace(1) %q\n".to_owned(),
        ),
        Site::Parameter | Site::Global | Site::Shared => (
            native.as_str(),
            format!("  %p0 = getelementptr i8, {native} %q, i64 0\n"),
        ),
        Site::Cluster => (
            "ptr addrspace(3)",
            "  %p0 = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %q, i32 1)\n".to_owned(),
        ),
        Site::ClusterGeneric => (
            "ptr addrspace(3)",
            "  %q0 = addrspacecast ptr addrspace(3) %q to ptr\n\
             \x20 %p0 = call ptr @llvm.nvvm.mapa(ptr %q0, i32 1)\n".to_owned(),
        ),
    };
    let generic = match native.as_str() {
        "ptr" => "  %g = getelementptr i8, ptr %p, i64 0\n".to_owned(),
        _ => format!("  %g = addrspacecast {native} %p to ptr\n"),
    };
    let address = match case.case.operation {
        Operation::Fence => String::new(),
        _ => format!(
            "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %t64 = zext i32 %t to i64\n  %o = shl i64 %t64, 4\n\
             {origin}  %p = getelementptr i8, {native} %p0, i64 %o\n{generic}"
        ),
    };
    let values = match case.case.operation {
        Operation::Fence | Operation::Load => String::new(),
        _ => {
            let (ty, bytes) = (case.case.ty.text(), case.case.ty.bits() / 8);
            format!(
                "  %v = load {ty}, ptr addrspace(1) %vs, align {bytes}\n\
                 \x20 %ws = getelementptr i8, ptr addrspace(1) %vs, i64 32\n\
                 \x20 %w = load {ty}, ptr addrspace(1) %ws, align {bytes}\n"
            )
        }
    };
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "define ptx_kernel void @c{number}(ptr addrspace(1) %a, ptr addrspace(1) %b, {parameter} %q, ptr addrspace(1) %vs) {{\n\
         \x20 store i32 1, ptr addrspace(1) %a\n\
         \x20 %a1 = getelementptr i8, ptr addrspace(1) %a, i64 64\n\
         \x20 %x = load i32, ptr addrspace(1) %a1\n\
         {address}{values}{}\n\
         \x20 %y = load i32, ptr addrspace(1) %b\n\
         \x20 %b1 = getelementptr i8, ptr addrspace(1) %b, i64 64\n\
         \x20 store i32 %x, ptr addrspace(1) %b1\n\
         \x20 %b2 = getelementptr i8, ptr addrspace(1) %b, i64 128\n\
         \x20 store i32 %y, ptr addrspace(1) %b2\n",
        case.lines
    );
    if let Some(ty) = &case.result {
        let _ = write!(
            text,
            "  %b3 = getelementptr i8, ptr addrspace(1) %b, i64 192\n  store {ty} %r, ptr addrspace(1) %b3\n"
        );
    }
    text.push_str("  ret void\n}\n");
}
