//! What lanes of a warp ask each other: shuffles, votes, matches, reductions, elections.
//!
//! Every kernel runs a block a mask: the mask is the same for all lanes of a warp, and the lanes
//! outside jump over the instruction. Where a shuffle reads from a lane outside the mask its result
//! is undefined, so such masks are made of whole segments, and shuffles stay inside.

use super::kernel::Kernel;

/// Masks, each for a block: first those that are all lanes, then groups of eight lanes, then any.
const MASKS: [u32; 12] = [
    0xffff_ffff,
    0xffff_ffff,
    0xffff_ffff,
    0xffff_ffff,
    0x00ff_00ff,
    0xff00_ffff,
    0x0000_ff00,
    0xffff_ff00,
    0x0000_0001,
    0x8000_0001,
    0x5a5a_0ff0,
    0x7fff_fffe,
];
/// How many of the masks let a shuffle that stays within eight lanes stay inside the mask.
const WHOLE_SEGMENTS: u32 = 8;

/// Bounds of shuffles: the last lane and the segment's mask. The second list stays within eight lanes.
const BOUNDS: [u32; 8] = [0x1f, 0x181f, 0x1c03, 0x0000, 0x1000, 0x100f, 0x0a15, 0x1f1f];
const NARROW_BOUNDS: [u32; 3] = [0x181f, 0x1807, 0x1c1f];

/// The masks as a variable.
pub fn declarations() -> String {
    let masks: Vec<String> = MASKS.iter().map(|mask| format!("{mask:#x}")).collect();
    format!(
        ".global .align 4 .u32 masks[{}] = {{ {} }};\n",
        MASKS.len(),
        masks.join(", ")
    )
}

/// A kernel around an instruction that all lanes of `%mask` execute. `before` prepares its operands,
/// `results` are the registers that are kept.
fn around(
    title: &str,
    instruction: String,
    before: impl FnOnce(&mut Kernel),
    results: &[(u32, &str)],
    blocks: u32,
) -> Kernel {
    let mut kernel = Kernel::new(title, 8);
    kernel.register(32, "%mask");
    kernel.register(64, "%masks");
    kernel.register(1, "%outside");
    kernel.register(64, "%a64");
    kernel.register(32, "%a");
    kernel.register(32, "%b");
    for (bits, name) in results {
        kernel.register(*bits, name);
    }
    kernel.line("mov.u64 %masks, masks;");
    kernel.line("mov.u32 %x, %ctaid.x;");
    kernel.line("mad.wide.u32 %masks, %x, 4, %masks;");
    kernel.line("ld.global.u32 %mask, [%masks];");
    kernel.line("ld.global.u32 %a, [%in];");
    kernel.line("ld.global.u32 %b, [%in+4];");
    kernel.line("ld.global.u64 %a64, [%in];");
    before(&mut kernel);
    kernel.line("shr.u32 %x, %mask, %lane;");
    kernel.line("and.b32 %x, %x, 1;");
    kernel.line("setp.eq.u32 %outside, %x, 0;");
    kernel.line("@%outside bra SKIP;");
    kernel.line(format!("{instruction};"));
    for (bits, name) in results {
        kernel.output(*bits, name);
    }
    kernel.line("SKIP:");
    kernel.launch([blocks, 1, 1], [32, 1, 1], "", "");
    kernel
}

/// All kernels.
pub fn kernels() -> Vec<Kernel> {
    let mut list = shuffles();
    list.extend(votes());
    list.extend(matches());
    list.extend(reductions());
    list.push(around(
        "elect.sync d|p",
        "elect.sync %d|%p, %mask".into(),
        |_| (),
        &[(32, "%d"), (1, "%p")],
        MASKS.len() as u32,
    ));
    list.push(active());
    list
}

fn shuffles() -> Vec<Kernel> {
    let mut list = Vec::new();
    for mode in ["up", "down", "bfly", "idx"] {
        let all = BOUNDS.iter().map(|bound| (*bound, 4));
        let narrow = NARROW_BOUNDS.iter().map(|bound| (*bound, WHOLE_SEGMENTS));
        for (bound, blocks) in all.chain(narrow) {
            let title = format!("shfl.sync.{mode} {bound:x} {blocks}");
            // Distances of all sizes: what lies above five bits does not count.
            let few = |kernel: &mut Kernel| {
                kernel.line("and.b32 %x, %b, 0x40;");
                kernel.line("setp.ne.u32 %outside, %x, 0;");
                kernel.line("@%outside and.b32 %b, %b, 7;");
            };
            list.push(around(
                &title,
                format!("shfl.sync.{mode}.b32 %d|%p, %a, %b, {bound:#x}, %mask"),
                few,
                &[(32, "%d"), (1, "%p")],
                blocks,
            ));
        }
        // Constants for distance and mask, as compilers write them, and no predicate.
        for distance in [0, 1, 2, 16, 31] {
            let bound = if mode == "up" { 0 } else { 0x1f };
            list.push(around(
                &format!("shfl.sync.{mode} constant {distance}"),
                format!("shfl.sync.{mode}.b32 %d, %a, {distance}, {bound}, -1"),
                |_| (),
                &[(32, "%d")],
                4,
            ));
        }
        // The bound from a register that differs from lane to lane.
        list.push(around(
            &format!("shfl.sync.{mode} bound"),
            format!("shfl.sync.{mode}.b32 %d|%p, %a, %b, %c, %mask"),
            |kernel| {
                kernel.register(32, "%c");
                kernel.line("shr.u32 %c, %b, 7;");
                kernel.line("and.b32 %c, %c, 0x1f1f;");
            },
            &[(32, "%d"), (1, "%p")],
            4,
        ));
    }
    list
}

/// Predicates: few, about half, none and all of the lanes.
fn predicate(kernel: &mut Kernel, way: &str) {
    kernel.register(1, "%q");
    match way {
        "half" => {
            kernel.line("and.b32 %x, %a, 1;");
            kernel.line("setp.ne.u32 %q, %x, 0;");
        }
        "few" => {
            kernel.line("and.b32 %x, %a, 15;");
            kernel.line("setp.eq.u32 %q, %x, 3;");
        }
        "none" => kernel.line("setp.gt.u32 %q, %lane, 31;"),
        _ => kernel.line("setp.lt.u32 %q, %lane, 32;"),
    }
}

fn votes() -> Vec<Kernel> {
    let mut list = Vec::new();
    for way in ["half", "few", "none", "all"] {
        for sign in ["", "!"] {
            for mode in ["all", "any", "uni"] {
                list.push(around(
                    &format!("vote.sync.{mode} {sign}{way}"),
                    format!("vote.sync.{mode}.pred %p, {sign}%q, %mask"),
                    |kernel| predicate(kernel, way),
                    &[(1, "%p")],
                    MASKS.len() as u32,
                ));
            }
            list.push(around(
                &format!("vote.sync.ballot {sign}{way}"),
                format!("vote.sync.ballot.b32 %d, {sign}%q, %mask"),
                |kernel| predicate(kernel, way),
                &[(32, "%d")],
                MASKS.len() as u32,
            ));
        }
    }
    list
}

fn matches() -> Vec<Kernel> {
    let mut list = Vec::new();
    for ty in ["b32", "b64"] {
        let a = if ty == "b32" { "%a" } else { "%a64" };
        for keep in [0u64, 1, 3, 0x8000_0003, u64::MAX] {
            let before = move |kernel: &mut Kernel| {
                let keep = if ty == "b32" {
                    keep & 0xffff_ffff
                } else {
                    // Differences in the upper half alone have to be seen.
                    keep.rotate_left(33)
                };
                kernel.line(format!("and.{ty} {a}, {a}, {keep:#x};"));
            };
            list.push(around(
                &format!("match.any.sync.{ty} {keep:x}"),
                format!("match.any.sync.{ty} %d, {a}, %mask"),
                before,
                &[(32, "%d")],
                MASKS.len() as u32,
            ));
            list.push(around(
                &format!("match.all.sync.{ty} {keep:x}"),
                format!("match.all.sync.{ty} %d|%p, {a}, %mask"),
                before,
                &[(32, "%d"), (1, "%p")],
                MASKS.len() as u32,
            ));
        }
    }
    list
}

fn reductions() -> Vec<Kernel> {
    let ops = [
        "add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32",
        "xor.b32",
    ];
    ops.iter()
        .map(|op| {
            around(
                &format!("redux.sync.{op}"),
                format!("redux.sync.{op} %d, %a, %mask"),
                // Some bits are in all lanes, some in none.
                |kernel| {
                    kernel.line("or.b32 %a, %a, 0x00000600;");
                    kernel.line("and.b32 %a, %a, 0xff0fffff;");
                },
                &[(32, "%d")],
                MASKS.len() as u32,
            )
        })
        .collect()
}

/// `activemask` where all threads of a block are together, and some warps have fewer than 32.
fn active() -> Kernel {
    let mut kernel = Kernel::new("activemask", 0);
    kernel.register(32, "%d");
    kernel.line("activemask.b32 %d;");
    kernel.output(32, "%d");
    kernel.launch([2, 1, 1], [84, 1, 1], "", "");
    kernel.launch([1, 1, 1], [5, 3, 1], "", "");
    kernel
}
