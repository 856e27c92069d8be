//! The kernel of a case, as LLVM IR.
//!
//! ```text
//!   cells      1,024 slots of 16 bytes, copied to shared or local memory and back where the case wants that
//!   operands   32 bytes a thread: two values
//!   olds       32 bytes a thread: what was in memory, and whether a swap was done
//!   ats        4 bytes a thread: the place in the cells that the thread goes for
//!   which      whether a generic pointer points to shared memory
//! ```

use super::case::{Case, Space};
use super::operation::Op;
use std::fmt::Write;

const HEAD: &str = "\
target triple = \"nvptx64-nvidia-cuda\"

@window = internal addrspace(3) global [16384 x i8] undef, align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
";

const START: &str = "\
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %ctaid, %ntid
  %t32 = add i32 %before, %tid
  %t = zext i32 %t32 to i64
  %slot = mul i64 %t, 16
  %mine = getelementptr i8, ptr addrspace(1) %cells, i64 %slot
  %twice = mul i64 %t, 32
  %first = getelementptr i8, ptr addrspace(1) %operands, i64 %twice
  %second = getelementptr i8, ptr addrspace(1) %first, i64 16
  %result = getelementptr i8, ptr addrspace(1) %olds, i64 %twice
  %flag = getelementptr i8, ptr addrspace(1) %result, i64 16
  %place = getelementptr i32, ptr addrspace(1) %ats, i64 %t
  %at32 = load i32, ptr addrspace(1) %place, align 4
  %at = zext i32 %at32 to i64
";

const BARRIER: &str = "  call void @llvm.nvvm.barrier0()\n";
const CLUSTER_BARRIER: &str = "  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
";

/// The name of the kernel of the case with this number in its module.
pub fn kernel_name(number: usize) -> String {
    format!("case{number}")
}

/// A module with a kernel for each case.
pub fn module(cases: &[Case]) -> String {
    let mut out = HEAD.to_string();
    for (number, case) in cases.iter().enumerate() {
        kernel(&mut out, &kernel_name(number), case);
    }
    out
}

fn kernel(out: &mut String, name: &str, case: &Case) {
    let _ = write!(
        out,
        "\ndefine ptx_kernel void @{name}(ptr addrspace(1) %cells, ptr addrspace(1) %operands, \
         ptr addrspace(1) %olds, ptr addrspace(1) %ats, i32 %which) {{\nentry:\n"
    );
    if case.space == Space::Local {
        out.push_str("  %window = alloca [16 x i8], align 16\n");
    }
    let ty = case.ty.text();
    out.push_str(START);
    let _ = writeln!(out, "  %a = load {ty}, ptr addrspace(1) %first, align 16");
    if matches!(case.op, Op::Swap { .. }) {
        let _ = writeln!(out, "  %b = load {ty}, ptr addrspace(1) %second, align 16");
    }
    let pointer = enter(out, case.space);
    operation(out, case, pointer);
    leave(out, case.space);
    out.push_str("  ret void\n}\n");
}

/// Copies cells to where the operation works, and points `%p` there; gives the type of `%p`.
fn enter(out: &mut String, space: Space) -> &'static str {
    let copy = |out: &mut String, to: &str| {
        let _ = write!(
            out,
            "  %in = load <4 x i32>, ptr addrspace(1) %mine, align 16\n  \
             store <4 x i32> %in, {to} %theirs, align 16\n"
        );
    };
    let in_shared = "  %theirs = getelementptr i8, ptr addrspace(3) @window, i64 %slot\n";
    match space {
        Space::Global => {
            out.push_str("  %p = getelementptr i8, ptr addrspace(1) %cells, i64 %at\n");
            "ptr addrspace(1)"
        }
        Space::Shared => {
            out.push_str(in_shared);
            copy(out, "ptr addrspace(3)");
            out.push_str(BARRIER);
            out.push_str("  %p = getelementptr i8, ptr addrspace(3) @window, i64 %at\n");
            "ptr addrspace(3)"
        }
        Space::Generic => {
            out.push_str(in_shared);
            copy(out, "ptr addrspace(3)");
            out.push_str(BARRIER);
            out.push_str(
                "  %shared = icmp ne i32 %which, 0
  %near = addrspacecast ptr addrspace(3) @window to ptr
  %far = addrspacecast ptr addrspace(1) %cells to ptr
  %start = select i1 %shared, ptr %near, ptr %far
  %p = getelementptr i8, ptr %start, i64 %at\n",
            );
            "ptr"
        }
        Space::Cluster => {
            out.push_str(
                "  %home = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @window, i32 0)
  %theirs = getelementptr i8, ptr addrspace(7) %home, i64 %slot\n",
            );
            // The first block must have started.
            out.push_str(CLUSTER_BARRIER);
            copy(out, "ptr addrspace(7)");
            out.push_str(CLUSTER_BARRIER);
            out.push_str("  %p = getelementptr i8, ptr addrspace(7) %home, i64 %at\n");
            "ptr addrspace(7)"
        }
        Space::Local => {
            out.push_str("  %theirs = getelementptr i8, ptr %window, i64 0\n");
            copy(out, "ptr");
            out.push_str(
                "  %inside = and i64 %at, 15
  %p = getelementptr i8, ptr %window, i64 %inside\n",
            );
            "ptr"
        }
    }
}

/// Copies what is left back to the cells.
fn leave(out: &mut String, space: Space) {
    let copy = |from: &str| {
        format!(
            "  %out = load <4 x i32>, {from} %theirs, align 16\n  \
             store <4 x i32> %out, ptr addrspace(1) %mine, align 16\n"
        )
    };
    match space {
        Space::Global => {}
        Space::Shared => {
            out.push_str(BARRIER);
            out.push_str(&copy("ptr addrspace(3)"));
        }
        Space::Generic => {
            out.push_str(BARRIER);
            out.push_str("  br i1 %shared, label %back, label %end\nback:\n");
            out.push_str(&copy("ptr addrspace(3)"));
            out.push_str("  br label %end\nend:\n");
        }
        Space::Cluster => {
            out.push_str(CLUSTER_BARRIER);
            out.push_str(&copy("ptr addrspace(7)"));
            // The first block must not end before the others have read.
            out.push_str(CLUSTER_BARRIER);
        }
        Space::Local => out.push_str(&copy("ptr")),
    }
}

fn operation(out: &mut String, case: &Case, pointer: &str) {
    let (ty, align) = (case.ty.text(), case.ty.bytes());
    let scope = case.scope.words();
    let [order, reading, writing] = case.order.words();
    let keep = |value: &str| match case.used {
        true => format!("  store {ty} {value}, ptr addrspace(1) %result, align 16\n"),
        false => String::new(),
    };
    let keep_flag = "  %done32 = zext i1 %done to i32
  store i32 %done32, ptr addrspace(1) %flag, align 16\n";
    match case.op {
        Op::Int(_) | Op::Float(_) => {
            let op = case.op.text();
            let _ = writeln!(
                out,
                "  %old = atomicrmw {op} {pointer} %p, {ty} %a {scope}{order}, align {align}"
            );
            out.push_str(&keep("%old"));
        }
        Op::Swap { weak } => {
            let weak = if weak { "weak " } else { "" };
            let _ = write!(
                out,
                "  %pair = cmpxchg {weak}{pointer} %p, {ty} %a, {ty} %b {scope}{order} {reading}, align {align}
  %old = extractvalue {{ {ty}, i1 }} %pair, 0
  %done = extractvalue {{ {ty}, i1 }} %pair, 1\n"
            );
            out.push_str(&keep("%old"));
            out.push_str(keep_flag);
        }
        Op::SwapLoop => {
            let _ = write!(
                out,
                "  %guess = load atomic {ty}, {pointer} %p {scope}monotonic, align {align}
  br label %again
again:
  %old = phi {ty} [ %guess, %entry ], [ %seen, %again ]
  %new = add {ty} %old, %a
  %pair = cmpxchg weak {pointer} %p, {ty} %old, {ty} %new {scope}{order} {reading}, align {align}
  %seen = extractvalue {{ {ty}, i1 }} %pair, 0
  %done = extractvalue {{ {ty}, i1 }} %pair, 1
  br i1 %done, label %after, label %again
after:\n"
            );
            out.push_str(&keep("%old"));
        }
        Op::LoadStore => {
            let _ = write!(
                out,
                "  %odd32 = and i32 %t32, 1
  %odd = icmp ne i32 %odd32, 0
  br i1 %odd, label %read, label %write
read:
  %old = load atomic {ty}, {pointer} %p {scope}{reading}, align {align}
{}  br label %after
write:
  store atomic {ty} %a, {pointer} %p {scope}{writing}, align {align}
  br label %after
after:\n",
                keep("%old")
            );
        }
        Op::Racy => {
            let _ = write!(
                out,
                "  %old = load volatile {ty}, {pointer} %p, align {align}
  %new = add {ty} %old, %a
  store volatile {ty} %new, {pointer} %p, align {align}\n"
            );
            out.push_str(&keep("%old"));
        }
    }
}
