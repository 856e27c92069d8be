//! What passes make of small kernels: the machine IR after each, and the finished code judged.

use std::fmt::Write;
use warpc_diag::SourceFile;
use warpc_ptx_to_sass::{Level, Options, assemble_observed};

/// Assembles a kernel with these statements, and gives the IR after the last run of a pass.
fn after(pass: &str, level: Level, statements: &str) -> String {
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)\n{{\n\
         .reg .pred %p<10>;\n.reg .b32 %r<60>;\n.reg .b64 %rd<60>;\n.reg .f32 %f<60>;\n.shared .align 16 .b8 s[256];\n\
         ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nld.param.u32 %r1, [n];\n{statements}\nret;\n}}\n"
    );
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let module = checked
        .value
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let mut options = Options::default();
    options.level = level;
    options.verify = true;
    let mut seen = String::new();
    let made = assemble_observed(&module, &options, &mut |name, code| {
        if name == pass {
            seen.clear();
            write!(seen, "{code}").expect("a string takes all");
        }
    });
    assert!(made.value.is_some(), "{:?}", made.diagnostics);
    assert!(level == Level::O0 || !seen.is_empty(), "no pass {pass}");
    seen
}

/// How many lines have a text.
fn count(code: &str, text: &str) -> usize {
    code.lines().filter(|line| line.contains(text)).count()
}

/// The number of the first line that has a text.
fn line(code: &str, text: &str) -> usize {
    let found = code.lines().position(|line| line.contains(text));
    found.unwrap_or_else(|| panic!("no {text} in\n{code}"))
}

/// The address of an element: a product, a sum, and moves for `cvta`.
const ELEMENT: &str = "mov.u32 %r2, %tid.x;\ncvta.to.global.u64 %rd3, %rd1;\nmul.wide.s32 %rd4, %r2, 4;\n\
                       add.s64 %rd5, %rd3, %rd4;\n";

#[test]
fn the_address_of_an_element_is_one_product() {
    let code = after(
        "opt_dce",
        Level::O3,
        &format!("{ELEMENT}ld.global.u32 %r3, [%rd5];\nst.global.u32 [%rd5+4], %r3;"),
    );
    assert_eq!(count(&code, "IMAD.WIDE"), 1, "{code}");
    assert_eq!(count(&code, "IADD3"), 0, "{code}");
    assert_eq!(count(&code, "MOV"), 0, "{code}");
}

#[test]
fn nothing_is_optimised_at_level_zero() {
    let statements = format!("{ELEMENT}ld.global.u32 %r3, [%rd5];\nst.global.u32 [%rd5+4], %r3;");
    let code = after("build", Level::O0, &statements);
    assert_eq!(after("opt_dce", Level::O0, &statements), "");
    assert!(count(&code, "IADD3") > 0, "{code}");
}

#[test]
fn special_registers_are_read_once() {
    let code = after(
        "opt_dce",
        Level::O3,
        &format!(
            "{ELEMENT}mov.u32 %r4, %tid.x;\nmov.u32 %r5, %ctaid.x;\nadd.s32 %r6, %r4, %r5;\nmov.u32 %r7, %tid.x;\n\
             add.s32 %r8, %r6, %r7;\nst.global.u32 [%rd5], %r8;"
        ),
    );
    assert_eq!(count(&code, "SR_TID.X"), 1, "{code}");
    assert_eq!(count(&code, "SR_CTAID.X"), 1, "{code}");
}

#[test]
fn clocks_are_read_each_time() {
    let code = after(
        "opt_dce",
        Level::O3,
        &format!(
            "{ELEMENT}mov.u32 %r4, %clock;\nmov.u32 %r5, %clock;\nsub.s32 %r6, %r5, %r4;\nst.global.u32 [%rd5], %r6;"
        ),
    );
    assert_eq!(count(&code, "CLOCK"), 2, "{code}");
}

#[test]
fn sums_and_logic_have_three_operands() {
    let code = after(
        "opt_dce",
        Level::O3,
        &format!(
            "{ELEMENT}ld.global.v4.u32 {{%r10, %r11, %r12, %r13}}, [%rd5];\nadd.s32 %r14, %r10, %r11;\n\
             add.s32 %r15, %r14, %r12;\nand.b32 %r16, %r10, %r11;\nxor.b32 %r17, %r16, %r13;\n\
             st.global.v2.u32 [%rd5], {{%r15, %r17}};"
        ),
    );
    assert_eq!(count(&code, "IADD3"), 1, "{code}");
    assert_eq!(count(&code, "LOP3"), 1, "{code}");
    // (a & b) ^ c
    assert_eq!(count(&code, "0x6a"), 1, "{code}");
}

#[test]
fn a_value_that_is_read_twice_is_not_computed_twice() {
    let code = after(
        "opt_dce",
        Level::O3,
        &format!(
            "{ELEMENT}ld.global.v4.u32 {{%r10, %r11, %r12, %r13}}, [%rd5];\nadd.s32 %r14, %r10, %r11;\n\
             add.s32 %r15, %r14, %r12;\nst.global.v2.u32 [%rd5], {{%r14, %r15}};"
        ),
    );
    assert_eq!(count(&code, "IADD3"), 2, "{code}");
}

#[test]
fn what_a_loop_changes_is_read_each_time() {
    let code = after(
        "opt_dce",
        Level::O3,
        &format!(
            "{ELEMENT}mov.u32 %r9, 0;\nL: mov.u32 %r10, %r9;\nadd.s32 %r9, %r9, 1;\nst.global.u32 [%rd5], %r10;\n\
             setp.lt.s32 %p1, %r9, %r1;\n@%p1 bra L;"
        ),
    );
    // The copy is of the value before the sum.
    assert!(line(&code, "MOV") < line(&code, "IADD3"), "{code}");
}

#[test]
fn loads_are_issued_together() {
    let code = after(
        "schedule_latency",
        Level::O3,
        &format!(
            "{ELEMENT}ld.global.f32 %f1, [%rd5];\nadd.f32 %f2, %f1, %f1;\nld.global.f32 %f3, [%rd5+64];\n\
             add.f32 %f4, %f3, %f2;\nld.global.f32 %f5, [%rd5+128];\nadd.f32 %f6, %f5, %f4;\nst.global.f32 [%rd5], %f6;"
        ),
    );
    let last = code.lines().position(|line| line.contains("+0x80"));
    assert!(last.expect("a load") < line(&code, "FADD"), "{code}");
}

#[test]
fn a_load_does_not_pass_a_store_that_may_be_to_the_same_place() {
    let code = after(
        "schedule_latency",
        Level::O3,
        &format!(
            "{ELEMENT}cvta.to.global.u64 %rd6, %rd2;\nst.global.u32 [%rd6], %r1;\nld.global.u32 %r3, [%rd5];\n\
             add.s32 %r4, %r3, 1;\nst.global.u32 [%rd5], %r4;"
        ),
    );
    assert!(line(&code, "STG") < line(&code, "LDG"), "{code}");
}

#[test]
fn volatile_and_ordered_accesses_keep_their_order() {
    for (first, second) in [
        (
            "ld.volatile.global.u32 %r3, [%rd5];",
            "ld.volatile.global.u32 %r4, [%rd5+64];",
        ),
        (
            "ld.relaxed.gpu.global.u32 %r3, [%rd5];",
            "ld.global.u32 %r4, [%rd5+64];",
        ),
        (
            "ld.acquire.gpu.global.u32 %r3, [%rd5];",
            "ld.global.u32 %r4, [%rd5+64];",
        ),
        (
            "ld.global.u32 %r3, [%rd5];\nfence.acq_rel.gpu;",
            "ld.global.u32 %r4, [%rd5+64];",
        ),
        (
            "ld.global.u32 %r3, [%rd5];\nbar.sync 0;",
            "ld.global.u32 %r4, [%rd5+64];",
        ),
    ] {
        // The second has the longer way to the end.
        let code = after(
            "schedule_latency",
            Level::O3,
            &format!(
                "{ELEMENT}{first}\n{second}\nmul.lo.u32 %r5, %r4, %r4;\nmul.lo.u32 %r6, %r5, %r4;\nadd.u32 %r7, %r6, %r3;\n\
                 st.global.u32 [%rd5], %r7;"
            ),
        );
        let loads: Vec<&str> = code.lines().filter(|line| line.contains("LDG")).collect();
        assert_eq!(loads.len(), 2, "{code}");
        assert!(
            !loads[0].contains("+0x40") && loads[1].contains("+0x40"),
            "{first}: {code}"
        );
    }
}

#[test]
fn volatile_accesses_to_shared_memory_keep_their_order() {
    let code = after(
        "schedule_latency",
        Level::O3,
        &format!(
            "{ELEMENT}mov.u32 %r20, s;\nst.volatile.shared.u32 [%r20], %r1;\nld.volatile.shared.u32 %r21, [%r20+4];\n\
             st.volatile.shared.u32 [%r20+8], %r1;\nst.global.u32 [%rd5], %r21;"
        ),
    );
    let order: Vec<&str> = (code.lines())
        .filter(|line| line.contains("LDS") || line.contains("STS"))
        .collect();
    assert!(
        order[1].contains("LDS") && order[2].contains("STS"),
        "{code}"
    );
}

#[test]
fn short_sides_have_guards() {
    let code = after(
        "opt_blocks",
        Level::O3,
        &format!(
            "{ELEMENT}setp.ge.s32 %p1, %r2, %r1;\n@%p1 bra END;\nld.global.u32 %r3, [%rd5];\nadd.s32 %r4, %r3, 1;\n\
             st.global.u32 [%rd5], %r4;\nEND: membar.gl;"
        ),
    );
    assert_eq!(count(&code, "BRA"), 0, "{code}");
    assert!(
        code.lines()
            .any(|line| line.contains('@') && line.contains("LDG")),
        "{code}"
    );
    assert!(
        code.lines()
            .any(|line| line.contains('@') && line.contains("STG")),
        "{code}"
    );
    // Who computes for others of its side alone has none.
    assert!(
        !code
            .lines()
            .any(|line| line.contains('@') && line.contains("IADD3")),
        "{code}"
    );
}

#[test]
fn a_branch_to_the_end_is_an_exit() {
    let body = "st.global.u32 [%rd5], %r2;\n".repeat(12);
    let code = after(
        "opt_blocks",
        Level::O3,
        &format!("{ELEMENT}setp.ge.s32 %p1, %r2, %r1;\n@%p1 bra END;\n{body}END:"),
    );
    assert!(
        code.lines()
            .any(|line| line.contains('@') && line.contains("EXIT")),
        "{code}"
    );
    assert_eq!(count(&code, "BRA"), 0, "{code}");
}

#[test]
fn what_lanes_do_together_stays_behind_its_branch() {
    let code = after(
        "opt_blocks",
        Level::O3,
        &format!(
            "{ELEMENT}mov.u32 %r4, 0;\nsetp.ge.s32 %p1, %r2, %r1;\n@%p1 bra END;\nactivemask.b32 %r3;\nshfl.sync.bfly.b32 %r4, %r2, 1, 31, %r3;\n\
             END: st.global.u32 [%rd5], %r4;"
        ),
    );
    assert_eq!(count(&code, "BRA"), 1, "{code}");
}

#[test]
fn the_warp_is_brought_together_once() {
    let shuffle = "shfl.sync.bfly.b32 %r4, %r4, 1, 31, -1;\nadd.s32 %r4, %r4, 1;\n";
    // Lanes that leave the loop at different trips, and at the same one.
    for (trips, left) in [("%r2", 1), ("%r1", 0)] {
        let statements = format!(
            "{ELEMENT}mov.u32 %r4, %r2;\nmov.u32 %r9, 0;\nL: {}add.s32 %r9, %r9, 1;\nsetp.lt.s32 %p1, %r9, {trips};\n\
             @%p1 bra L;\nst.global.u32 [%rd5], %r4;",
            shuffle.repeat(4)
        );
        let before = after("converge", Level::O3, &statements);
        let code = after("opt_sync", Level::O3, &statements);
        assert_eq!(count(&before, "WARPSYNC"), 4, "{before}");
        assert_eq!(count(&code, "WARPSYNC"), left, "{code}");
        assert_eq!(count(&code, "BSSY"), left, "{code}");
    }
}

#[test]
fn a_warp_may_be_apart_after_lanes_have_met() {
    // Who waits at the `BSYNC` may go on before those that are in the loop, which yield.
    let statements = format!(
        "{ELEMENT}mov.u32 %r4, %r2;\nsetp.lt.s32 %p1, %r2, 7;\n@%p1 bra E;\n\
         L: ld.volatile.global.u32 %r4, [%rd5];\nsetp.lt.s32 %p2, %r4, %r2;\n@%p2 bra L;\n\
         E: shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;\nshfl.sync.bfly.b32 %r6, %r5, 2, 31, -1;\nst.global.u32 [%rd5+512], %r6;"
    );
    let code = after("opt_sync", Level::O3, &statements);
    assert_eq!(count(&code, "WARPSYNC"), 1, "{code}");
    // The same where lanes synchronise in the region.
    let statements = format!(
        "{ELEMENT}mov.u32 %r4, %r2;\nsetp.lt.s32 %p1, %r2, 7;\n@%p1 bra E;\nst.global.u32 [%rd5], %r4;\nbar.warp.sync -128;\n\
         ld.global.u32 %r4, [%rd5+4];\nE: shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;\nst.global.u32 [%rd5+512], %r5;"
    );
    let code = after("opt_sync", Level::O3, &statements);
    assert_eq!(count(&code, "WARPSYNC.ALL"), 1, "{code}");
}

#[test]
fn what_was_the_same_in_a_trip_may_differ_after_the_loop() {
    // %r9 is the same in all lanes in each trip; they leave at different ones, and the branch on it parts them.
    let code = after(
        "converge",
        Level::O3,
        &format!(
            "{ELEMENT}mov.u32 %r9, 0;\nL: add.s32 %r9, %r9, 1;\nsetp.lt.s32 %p1, %r9, %r2;\n@%p1 bra L;\n\
             setp.lt.s32 %p2, %r9, 7;\n@%p2 bra E;\nbar.sync 1;\nE: shfl.sync.bfly.b32 %r4, %r2, 1, 31, -1;\n\
             st.global.u32 [%rd5], %r4;"
        ),
    );
    assert_eq!(count(&code, "BSSY"), 2, "{code}");
}

#[test]
fn accesses_keep_their_order_around_a_barrier_of_the_warp() {
    // The second access of a lane is to the place of another lane's first one.
    let code = after(
        "opt_sync",
        Level::O3,
        &format!(
            "{ELEMENT}st.global.u32 [%rd5], %r2;\nbar.warp.sync -1;\nld.global.u32 %r4, [%rd5+4];\nadd.s32 %r5, %r4, 1;\n\
             st.global.u32 [%rd5+512], %r5;"
        ),
    );
    assert!(line(&code, "STG") < line(&code, "LDG"), "{code}");
}

#[test]
fn accesses_wait_for_what_acquires_in_the_block() {
    for (access, opcode, other) in [
        (
            "ld.acquire.cta.global.u32 %r2, [%rd1];",
            "LDG.E.STRONG.SM",
            "ld.global.u32 %r3, [%rd2];",
        ),
        (
            "ld.acquire.cta.shared.u32 %r2, [s];",
            "LDS ",
            "ld.global.u32 %r3, [%rd2];",
        ),
        (
            "atom.acquire.cta.shared.add.u32 %r2, [s], 1;",
            "ATOMS",
            "ld.shared.u32 %r3, [s+8];",
        ),
    ] {
        let store = "st.global.u32 [%rd1+8], %r2; st.global.u32 [%rd1+16], %r3;";
        for level in [Level::O1, Level::O3] {
            let code = after("schedule", level, &format!("{access} {other} {store}"));
            let at = line(&code, opcode);
            let board = board_of(&code, at);
            let next = code.lines().skip(at + 1).find(|line| is_access(line));
            let next = next.unwrap_or_else(|| panic!("no access after:\n{code}"));
            assert!(waits_for(next, board), "{next}\n{code}");
        }
    }
    // What does not acquire is not waited for.
    let relaxed = "ld.relaxed.cta.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd2]; \
                   st.global.u32 [%rd1+8], %r2; st.global.u32 [%rd1+16], %r3;";
    let code = after("schedule", Level::O3, relaxed);
    let at = line(&code, "LDG.E.STRONG.SM");
    let next = code.lines().skip(at + 1).find(|line| is_access(line));
    let next = next.unwrap_or_else(|| panic!("no access after:\n{code}"));
    assert!(!waits_for(next, board_of(&code, at)), "{code}");
}

/// The scoreboard that the result of a line raises.
fn board_of(code: &str, at: usize) -> char {
    let line = code.lines().nth(at).unwrap_or_default();
    let board = line.split(":W").nth(1).and_then(|rest| rest.chars().next());
    board.unwrap_or_else(|| panic!("no control word: {line}"))
}

fn is_access(line: &str) -> bool {
    ["LDG", "LDS", "STG", "STS", "ATOM"]
        .iter()
        .any(|name| line.contains(name))
}

/// Whether a line waits for a scoreboard.
fn waits_for(line: &str, board: char) -> bool {
    let waits = line
        .split("[B")
        .nth(1)
        .and_then(|rest| rest.split(':').next());
    waits.is_some_and(|waits| waits.contains(board))
}

#[test]
fn what_is_set_where_lanes_have_parted_does_not_keep_them_together() {
    // Lanes leave the first loop, in which they listen, one after another; the trips of the second are counted alone.
    let code = after(
        "opt_sync",
        Level::O3,
        "mov.u32 %r2, %laneid; and.b32 %r2, %r2, 3; add.u32 %r2, %r2, 1;\n\
         FIRST: ld.volatile.shared.u32 %r3, [s+8]; sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra FIRST;\n\
         mov.u32 %r4, 7;\n\
         SECOND: st.shared.u32 [s], %r3; bar.sync 1; ld.shared.u32 %r5, [s+4]; bar.sync 0;\n\
         sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra SECOND;\n\
         st.shared.u32 [s], %r5; bar.sync 0;",
    );
    let lines: Vec<&str> = code.lines().collect();
    let last = lines.iter().rposition(|line| line.contains("BAR.SYNC"));
    let before = &lines[..last.expect("a barrier")];
    let meets = before
        .iter()
        .rposition(|line| line.contains("WARPSYNC.ALL"));
    let branch = before.iter().rposition(|line| line.contains("BRA "));
    assert!(meets > branch, "{code}");
}

#[test]
fn the_sign_of_a_nan_in_a_constant_is_kept() {
    let code = after(
        "opt_copies",
        Level::O3,
        ".reg .f64 %d<9>; ld.global.f64 %d3, [%rd1]; sub.rp.f64 %d4, %d3, 0dFFF8000000000000; st.global.f64 [%rd1], %d4;",
    );
    assert!(!code.contains("QNAN"), "{code}");
}
