//! Barriers that reduce, and barriers that order what threads exchange.

use super::kernel::Kernel;

/// Threads of a block: three warps.
const THREADS: u32 = 96;

/// All kernels.
pub fn kernels() -> Vec<Kernel> {
    let mut list = Vec::new();
    for (op, bits) in [("popc.u32", 32), ("and.pred", 1), ("or.pred", 1)] {
        for spelled in [
            "bar.red",
            "bar.cta.red",
            "barrier.red",
            "barrier.cta.red.aligned",
        ] {
            for sign in ["", "!"] {
                for way in ["some", "none", "all"] {
                    list.push(reduction(spelled, op, bits, sign, way, "0"));
                }
            }
        }
        // A number from a register, and fewer threads than the block has.
        for barrier in ["15", "%id", "3, 64", "%id, %count"] {
            for spelled in ["bar.red", "barrier.red"] {
                list.push(reduction(spelled, op, bits, "", "some", barrier));
            }
        }
    }
    for sync in [
        "bar.sync 0",
        "bar.cta.sync 1",
        "barrier.sync 2",
        "barrier.cta.sync 3, 96",
        "barrier.sync.aligned 4",
    ] {
        list.push(exchange(sync));
    }
    list.push(within_warp());
    list
}

fn reduction(spelled: &str, op: &str, bits: u32, sign: &str, way: &str, barrier: &str) -> Kernel {
    let mut kernel = Kernel::new(&format!("{spelled}.{op} {barrier} {sign}{way}"), 4);
    kernel.register(bits, "%d");
    for name in ["%p", "%late"] {
        kernel.register(1, name);
    }
    for name in ["%id", "%count"] {
        kernel.register(32, name);
    }
    kernel.line("ld.global.u32 %x, [%in];");
    kernel.line("and.b32 %y, %x, 1;");
    kernel.line(match way {
        "some" => "setp.ne.u32 %p, %y, 0;",
        "none" => "setp.gt.u32 %p, %y, 1;",
        _ => "setp.le.u32 %p, %y, 1;",
    });
    kernel.line("mov.u32 %id, %ctaid.x;");
    kernel.line("add.u32 %id, %id, 5;");
    kernel.line("mov.u32 %count, 64;");
    // Only as many warps meet as are counted.
    let met = if barrier.contains(',') { 64 } else { THREADS };
    kernel.line("mov.u32 %x, %tid.x;");
    kernel.line(format!("setp.ge.u32 %late, %x, {met};"));
    kernel.line("@%late bra DONE;");
    kernel.line(format!("{spelled}.{op} %d, {barrier}, {sign}%p;"));
    kernel.output(bits, "%d");
    kernel.line("DONE:");
    kernel.launch([3, 1, 1], [THREADS, 1, 1], "", "");
    kernel
}

/// What every thread wrote before the barrier, another one reads after it.
fn exchange(sync: &str) -> Kernel {
    let mut kernel = Kernel::new(sync, 4);
    kernel.register(32, "%d");
    kernel.register(64, "%at");
    kernel.line(format!(".shared .align 4 .b32 cells[{THREADS}];"));
    kernel.line("ld.global.u32 %d, [%in];");
    kernel.line("mov.u64 %at, cells;");
    kernel.line("mov.u32 %x, %tid.x;");
    kernel.line("mad.wide.u32 %low, %x, 4, %at;");
    kernel.line("st.shared.u32 [%low], %d;");
    kernel.line(format!("{sync};"));
    kernel.line(format!("sub.u32 %x, {}, %x;", THREADS - 1));
    kernel.line("mad.wide.u32 %low, %x, 4, %at;");
    kernel.line("ld.shared.u32 %d, [%low];");
    kernel.output(32, "%d");
    kernel.launch([2, 1, 1], [THREADS, 1, 1], "", "");
    kernel
}

/// The same within half a warp.
fn within_warp() -> Kernel {
    let mut kernel = Kernel::new("bar.warp.sync", 4);
    kernel.register(32, "%d");
    kernel.register(64, "%at");
    kernel.register(1, "%upper");
    kernel.line(format!(".shared .align 4 .b32 cells[{THREADS}];"));
    kernel.line("ld.global.u32 %d, [%in];");
    kernel.line("mov.u64 %at, cells;");
    kernel.line("mov.u32 %x, %tid.x;");
    kernel.line("mad.wide.u32 %low, %x, 4, %at;");
    kernel.line("st.shared.u32 [%low], %d;");
    kernel.line("setp.ge.u32 %upper, %lane, 16;");
    kernel.line("@%upper bra UPPER;");
    kernel.line("bar.warp.sync 0x0000ffff;");
    kernel.line("bra TOGETHER;");
    kernel.line("UPPER:");
    kernel.line("bar.warp.sync 0xffff0000;");
    kernel.line("TOGETHER:");
    kernel.line("xor.b32 %x, %x, 5;");
    kernel.line("mad.wide.u32 %low, %x, 4, %at;");
    kernel.line("ld.shared.u32 %d, [%low];");
    kernel.output(32, "%d");
    kernel.launch([2, 1, 1], [THREADS, 1, 1], "", "");
    kernel
}
