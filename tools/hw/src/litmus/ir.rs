//! The kernels of a test, as LLVM IR.
//!
//! Block `b` and thread `t` play part `k` of the instance `((b - k·shift) in its group)·N + (t - k·apart)`, in turns
//! that warps and blocks begin at different parts. Location `l` of an instance lies in the `l`-th array, at a place
//! that for the later arrays is shuffled.

use super::shape::{Event, LOCATIONS, NOT_READ, REGISTERS, Shape};
use super::style::{Access, Between, Style};
use std::fmt::Write;

/// The kernel that runs the test.
pub const TEST: &str = "test";
/// The kernel that counts outcomes.
pub const TALLY: &str = "tally";

const HEAD: &str = "\
target triple = \"nvptx64-nvidia-cuda\"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.nanosleep(i32)

define internal ptr addrspace(1) @place(ptr addrspace(1) %memory, i32 %instance, i32 %location, i32 %all, i32 %stride, i32 %odd) alwaysinline {
  %array = mul i32 %location, %all
  %first = icmp eq i32 %location, 0
  %factor = select i1 %first, i32 1, i32 %odd
  %scattered = mul i32 %instance, %factor
  %last = sub i32 %all, 1
  %kept = and i32 %scattered, %last
  %element = add i32 %array, %kept
  %word = mul i32 %element, %stride
  %word64 = zext i32 %word to i64
  %address = getelementptr i32, ptr addrspace(1) %memory, i64 %word64
  ret ptr addrspace(1) %address
}
";

const WHERE: &str = "\
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %all = mul i32 %n, %blocks
";

/// A part begins with a delay and other traffic that follow from thread, part and seed.
const TRAFFIC: &str = "\
  %before = mul i32 %b, %n
  %self = add i32 %before, %t
  br label %turn
turn:
  %k = phi i32 [ 0, %entry ], [ %next, %done ]
  %at = add i32 %k, %start
  %part = urem i32 %at, PARTS
  %mix0 = mul i32 %self, -1640531527
  %mix1 = xor i32 %mix0, %seed
  %mix2 = add i32 %mix1, %part
  %mix3 = mul i32 %mix2, -2048144789
  %mix4 = lshr i32 %mix3, 13
  %mixed = xor i32 %mix3, %mix4
  %pause = and i32 %mixed, %delay
  %rests = icmp ne i32 %pause, 0
  br i1 %rests, label %rest, label %rested
rest:
  call void @llvm.nvvm.nanosleep(i32 %pause)
  br label %rested
rested:
  %strains = icmp ne i32 %stress, 0
  br i1 %strains, label %strain, label %ready
strain:
  %i = phi i32 [ 0, %rested ], [ %more, %strain ]
  %leap = mul i32 %i, 977
  %spot = add i32 %mixed, %leap
  %spot1 = and i32 %spot, 262143
  %spot64 = zext i32 %spot1 to i64
  %load = getelementptr i32, ptr addrspace(1) %scratch, i64 %spot64
  store volatile i32 %i, ptr addrspace(1) %load, align 4
  %more = add i32 %i, 1
  %enough = icmp uge i32 %more, %stress
  br i1 %enough, label %ready, label %strain
ready:
  %group = and i32 %b, %mask
  %home = xor i32 %b, %group
  %back = mul i32 %part, %shift
  %moved = sub i32 %group, %back
  %inside = and i32 %moved, %mask
  %block = or i32 %home, %inside
  %away = mul i32 %part, %apart
  %stepped = sub i32 %t, %away
  %swap = mul i32 %part, %lanes
  %swap5 = and i32 %swap, 31
  %crossed = xor i32 %stepped, %swap5
  %highest = sub i32 %n, 1
  %thread = and i32 %crossed, %highest
  %first = mul i32 %block, %n
  %instance = add i32 %first, %thread
  %words = mul i32 %instance, REGISTERS
  %words64 = zext i32 %words to i64
  %results = getelementptr i32, ptr addrspace(1) %out, i64 %words64
";

/// The module of a test.
pub fn module(shape: &Shape, style: &Style, scope: &str) -> String {
    let mut out = HEAD.to_string();
    test(&mut out, shape, style, scope);
    tally(&mut out);
    out
}

fn test(out: &mut String, shape: &Shape, style: &Style, scope: &str) {
    let parts = shape.threads.len();
    let _ = write!(
        out,
        "\ndefine ptx_kernel void @{TEST}(ptr addrspace(1) %memory, ptr addrspace(1) %out, \
         ptr addrspace(1) %scratch, i32 %stride, i32 %odd, i32 %mask, i32 %shift, i32 %apart, i32 %lanes, \
         i32 %turn_warp, i32 %turn_block, i32 %delay, i32 %stress, i32 %seed) {{\nentry:\n{WHERE}"
    );
    out.push_str(
        "  %warp = lshr i32 %t, 5
  %by_warp = mul i32 %warp, %turn_warp
  %by_block = mul i32 %b, %turn_block
  %start = add i32 %by_warp, %by_block\n",
    );
    let traffic = TRAFFIC.replace("PARTS", &parts.to_string());
    out.push_str(&traffic.replace("REGISTERS", &REGISTERS.to_string()));
    for location in 0..LOCATIONS {
        let _ = writeln!(
            out,
            "  %p{location} = call ptr addrspace(1) @place(ptr addrspace(1) %memory, i32 %instance, \
             i32 {location}, i32 %all, i32 %stride, i32 %odd)"
        );
    }
    let targets: Vec<String> = (1..parts)
        .map(|part| format!("i32 {part}, label %part{part}"))
        .collect();
    let _ = writeln!(
        out,
        "  switch i32 %part, label %part0 [ {} ]",
        targets.join(" ")
    );
    for (part, events) in shape.threads.iter().enumerate() {
        let _ = writeln!(out, "part{part}:");
        events_text(out, part, events, style, scope);
        out.push_str("  br label %done\n");
    }
    let _ = write!(
        out,
        "done:\n  %next = add i32 %k, 1\n  %ends = icmp eq i32 %next, {parts}\n  \
         br i1 %ends, label %end, label %turn\nend:\n  ret void\n}}\n"
    );
}

fn writes(event: &Event) -> bool {
    matches!(event, Event::W(..) | Event::WriteData(..))
}

fn events_text(out: &mut String, part: usize, events: &[Event], style: &Style, scope: &str) {
    let mut registers = Vec::new();
    for (i, event) in events.iter().enumerate() {
        if i > 0 {
            let fence = match style.between {
                Between::Nothing => None,
                Between::Fence(order) => Some(order),
                Between::ByNeed => Some(match (writes(&events[i - 1]), writes(event)) {
                    (true, true) => "release",
                    (false, false) => "acquire",
                    _ => "acq_rel",
                }),
            };
            if let Some(order) = fence {
                let _ = writeln!(out, "  fence {scope}{order}");
            }
        }
        match *event {
            Event::W(location, value) => {
                let pointer = format!("ptr addrspace(1) %p{location}");
                let _ = match style.store {
                    Access::Plain(order) => writeln!(
                        out,
                        "  store atomic i32 {value}, {pointer} {scope}{order}, align 4"
                    ),
                    Access::Rmw(order) => writeln!(
                        out,
                        "  %was{part}_{i} = atomicrmw xchg {pointer}, i32 {value} {scope}{order}, align 4"
                    ),
                };
            }
            Event::R(location, register) => {
                registers.push(register);
                let pointer = format!("ptr addrspace(1) %p{location}");
                let _ = match style.load {
                    Access::Plain(order) => writeln!(
                        out,
                        "  %r{register} = load atomic i32, {pointer} {scope}{order}, align 4"
                    ),
                    Access::Rmw(order) => writeln!(
                        out,
                        "  %r{register} = atomicrmw add {pointer}, i32 0 {scope}{order}, align 4"
                    ),
                };
            }
            Event::WriteData(location, value) => {
                let _ = writeln!(
                    out,
                    "  store i32 {value}, ptr addrspace(1) %p{location}, align 4"
                );
            }
            Event::ReadDataIf(location, register, condition) => {
                registers.push(register);
                let _ = write!(
                    out,
                    "  %come{part} = icmp eq i32 %r{condition}, 1
  br i1 %come{part}, label %look{part}, label %skip{part}
look{part}:
  %data{part} = load i32, ptr addrspace(1) %p{location}, align 4
  br label %skip{part}
skip{part}:
  %r{register} = phi i32 [ {NOT_READ}, %part{part} ], [ %data{part}, %look{part} ]\n"
                );
            }
        }
    }
    for register in registers {
        let _ = write!(
            out,
            "  %to{register} = getelementptr i32, ptr addrspace(1) %results, i64 {register}
  store i32 %r{register}, ptr addrspace(1) %to{register}, align 4\n"
        );
    }
}

fn tally(out: &mut String) {
    let _ = write!(
        out,
        "\ndefine ptx_kernel void @{TALLY}(ptr addrspace(1) %memory, ptr addrspace(1) %out, \
         ptr addrspace(1) %counts, i32 %stride, i32 %odd) {{\nentry:\n{WHERE}"
    );
    let _ = write!(
        out,
        "  %before = mul i32 %b, %n
  %instance = add i32 %before, %t
  %words = mul i32 %instance, {REGISTERS}
  %words64 = zext i32 %words to i64
  %results = getelementptr i32, ptr addrspace(1) %out, i64 %words64
  %sum0 = add i32 0, 0\n"
    );
    for place in 0..REGISTERS + 2 {
        let _ = match place.checked_sub(REGISTERS) {
            None => writeln!(
                out,
                "  %p{place} = getelementptr i32, ptr addrspace(1) %results, i64 {place}"
            ),
            Some(location) => writeln!(
                out,
                "  %p{place} = call ptr addrspace(1) @place(ptr addrspace(1) %memory, i32 %instance, \
                 i32 {location}, i32 %all, i32 %stride, i32 %odd)"
            ),
        };
        let _ = write!(
            out,
            "  %v{place} = load i32, ptr addrspace(1) %p{place}, align 4
  %low{place} = and i32 %v{place}, 3
  %bits{place} = shl i32 %low{place}, {}
  %sum{} = or i32 %sum{place}, %bits{place}\n",
            2 * place,
            place + 1
        );
    }
    let _ = write!(
        out,
        "  %outcome = zext i32 %sum{} to i64
  %count = getelementptr i64, ptr addrspace(1) %counts, i64 %outcome
  %old = atomicrmw add ptr addrspace(1) %count, i64 1 syncscope(\"device\") monotonic, align 8
  ret void\n}}\n",
        REGISTERS + 2
    );
}
