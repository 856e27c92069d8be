//! Calls, recursion, tables of branches, and lanes that wait for each other, in ptxas's code at two levels.

use crate::against_emulator::{Seen, compare_with};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

/// The head of all texts, before the kernels.
const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// The start of a kernel with one buffer: `%r0` is the number of the thread, `%rd0` the address of its word.
const START: &str = ".reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n.reg .pred %p<8>;\n\
    ld.param.u64 %rd1, [out];\n\
    cvta.to.global.u64 %rd1, %rd1;\n\
    mov.u32 %r0, %tid.x;\n\
    mul.wide.u32 %rd2, %r0, 4;\n\
    add.u64 %rd0, %rd1, %rd2;\n";

/// A name, functions before the kernel, and the body of the kernel after [`START`].
const TEXTS: [(&str, &str, &str); 8] = [
    (
        "function",
        // A loop whose length depends on the argument, so that lanes part inside.
        ".func (.param .b32 result) collatz(.param .b32 value)\n{\n\
         .reg .b32 %v<8>;\n.reg .pred %q<4>;\n\
         ld.param.b32 %v0, [value];\nmov.u32 %v1, 0;\n\
         Loop:\nsetp.le.u32 %q0, %v0, 1;\n@%q0 bra Done;\n\
         and.b32 %v2, %v0, 1;\nsetp.eq.u32 %q1, %v2, 0;\n@%q1 bra Even;\n\
         mad.lo.u32 %v0, %v0, 3, 1;\nbra Next;\n\
         Even:\nshr.u32 %v0, %v0, 1;\n\
         Next:\nadd.u32 %v1, %v1, 1;\nbra Loop;\n\
         Done:\nst.param.b32 [result], %v1;\nret;\n}\n",
        "and.b32 %r1, %r0, 3;\nsetp.eq.u32 %p1, %r1, 3;\nmov.u32 %r2, 77;\n@%p1 bra Out;\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call (b), collatz, (a); ld.param.b32 %r2, [b]; }\n\
         setp.lt.u32 %p2, %r2, 10;\n@%p2 bra Out;\n\
         add.u32 %r3, %r0, 100;\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call (b), collatz, (a); ld.param.b32 %r4, [b]; }\n\
         add.u32 %r2, %r2, %r4;\n\
         Out:\nst.global.u32 [%rd0], %r2;\nret;\n",
    ),
    (
        "recursion",
        ".func (.param .b32 result) fibonacci(.param .b32 value)\n{\n\
         .reg .b32 %v<8>;\n.reg .pred %q<4>;\n\
         ld.param.b32 %v0, [value];\nmov.u32 %v1, %v0;\n\
         setp.lt.u32 %q0, %v0, 2;\n@%q0 bra Done;\n\
         sub.u32 %v2, %v0, 1;\nsub.u32 %v3, %v0, 2;\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %v2; call (b), fibonacci, (a); ld.param.b32 %v4, [b]; }\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %v3; call (b), fibonacci, (a); ld.param.b32 %v5, [b]; }\n\
         add.u32 %v1, %v4, %v5;\n\
         Done:\nst.param.b32 [result], %v1;\nret;\n}\n",
        "and.b32 %r1, %r0, 7;\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), fibonacci, (a); ld.param.b32 %r2, [b]; }\n\
         st.global.u32 [%rd0], %r2;\nret;\n",
    ),
    (
        "mutual",
        ".func (.param .b32 r) odd(.param .b32 v);\n\
         .func (.param .b32 r) even(.param .b32 v)\n{\n\
         .reg .b32 %v<4>;\n.reg .pred %q<2>;\nld.param.b32 %v0, [v];\nmov.u32 %v1, 1;\n\
         setp.eq.u32 %q0, %v0, 0;\n@%q0 bra Done;\nsub.u32 %v0, %v0, 1;\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %v0; call (b), odd, (a); ld.param.b32 %v1, [b]; }\n\
         Done:\nst.param.b32 [r], %v1;\nret;\n}\n\
         .func (.param .b32 r) odd(.param .b32 v)\n{\n\
         .reg .b32 %v<4>;\n.reg .pred %q<2>;\nld.param.b32 %v0, [v];\nmov.u32 %v1, 0;\n\
         setp.eq.u32 %q0, %v0, 0;\n@%q0 bra Done;\nsub.u32 %v0, %v0, 1;\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %v0; call (b), even, (a); ld.param.b32 %v1, [b]; }\n\
         Done:\nst.param.b32 [r], %v1;\nret;\n}\n",
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call (b), even, (a); ld.param.b32 %r2, [b]; }\n\
         st.global.u32 [%rd0], %r2;\nret;\n",
    ),
    (
        "table_of_branches",
        "",
        "and.b32 %r1, %r0, 3;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n\
         Again:\nTable: .branchtargets L0, L1, L2, L3;\nbrx.idx %r1, Table;\n\
         L0:\nadd.u32 %r2, %r2, 1;\nbra Next;\n\
         L1:\nmul.lo.u32 %r2, %r2, 3;\nadd.u32 %r2, %r2, 5;\nbra Next;\n\
         L2:\nxor.b32 %r2, %r2, %r0;\nbra Next;\n\
         L3:\nadd.u32 %r2, %r2, %r3;\nsetp.gt.u32 %p1, %r2, 40;\n@%p1 bra Out;\n\
         Next:\nadd.u32 %r3, %r3, 1;\nadd.u32 %r1, %r1, %r3;\nand.b32 %r1, %r1, 3;\n\
         setp.lt.u32 %p0, %r3, 9;\n@%p0 bra Again;\n\
         Out:\nst.global.u32 [%rd0], %r2;\nret;\n",
    ),
    (
        "table_of_functions",
        ".func (.param .b32 r) twice(.param .b32 v)\n{\n.reg .b32 %v<2>;\nld.param.b32 %v0, [v];\nadd.u32 %v1, %v0, %v0;\nst.param.b32 [r], %v1;\nret;\n}\n\
         .func (.param .b32 r) square(.param .b32 v)\n{\n.reg .b32 %v<2>;\nld.param.b32 %v0, [v];\nmul.lo.u32 %v1, %v0, %v0;\nst.param.b32 [r], %v1;\nret;\n}\n\
         .func (.param .b32 r) negated(.param .b32 v)\n{\n.reg .b32 %v<2>;\nld.param.b32 %v0, [v];\nneg.s32 %v1, %v0;\nst.param.b32 [r], %v1;\nret;\n}\n\
         .global .u64 functions[4] = {twice, square, negated, square};\n",
        "and.b32 %r1, %r0, 3;\nmul.wide.u32 %rd3, %r1, 8;\nmov.u64 %rd4, functions;\nadd.u64 %rd4, %rd4, %rd3;\n\
         ld.global.u64 %rd5, [%rd4];\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %r0;\n\
         prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
         call (b), %rd5, (a), prototype; ld.param.b32 %r2, [b]; }\n\
         st.global.u32 [%rd0], %r2;\nret;\n",
    ),
    (
        "stack",
        // The sum of an array that the caller passes by reference and the callee by value.
        ".func (.param .b32 r) sum(.param .b64 p, .param .align 16 .b8 s[48], .param .b32 n)\n{\n\
         .reg .b32 %v<8>;\n.reg .b64 %w<8>;\n.reg .pred %q<2>;\n\
         ld.param.b64 %w0, [p];\nld.param.b32 %v0, [n];\nmov.u32 %v1, 0;\nld.param.b32 %v4, [s+44];\nld.param.b32 %v5, [s];\n\
         Loop:\nsetp.eq.u32 %q0, %v0, 0;\n@%q0 bra Done;\nsub.u32 %v0, %v0, 1;\n\
         mul.wide.u32 %w1, %v0, 4;\nadd.u64 %w1, %w1, %w0;\nld.u32 %v2, [%w1];\nadd.u32 %v1, %v1, %v2;\nbra Loop;\n\
         Done:\nadd.u32 %v1, %v1, %v4;\nadd.u32 %v1, %v1, %v5;\nst.param.b32 [r], %v1;\nret;\n}\n",
        ".local .align 8 .b8 room[64];\nmov.u64 %rd6, room;\ncvta.local.u64 %rd7, %rd6;\nmov.u32 %r3, 0;\n\
         Fill:\nmul.wide.u32 %rd8, %r3, 4;\nadd.u64 %rd8, %rd8, %rd6;\nmul.lo.u32 %r4, %r3, %r0;\nst.local.u32 [%rd8], %r4;\n\
         add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p0, %r3, 16;\n@%p0 bra Fill;\n\
         and.b32 %r5, %r0, 15;\n\
         { .param .b64 a; .param .align 16 .b8 s[48]; .param .b32 n; .param .b32 b;\n\
         st.param.b64 [a], %rd7; st.param.b32 [s], %r0; st.param.b32 [s+44], %r5; st.param.b32 [n], %r5;\n\
         call (b), sum, (a, s, n); ld.param.b32 %r2, [b]; }\n\
         st.global.u32 [%rd0], %r2;\nret;\n",
    ),
    (
        "lanes_take_a_lock_in_turn",
        ".shared .align 4 .u32 lock;\n.shared .align 4 .u32 sum;\n",
        "setp.ne.u32 %p0, %r0, 0;\n@%p0 bra Ready;\nst.shared.u32 [lock], 0;\nst.shared.u32 [sum], 0;\n\
         Ready:\nbar.sync 0;\n\
         Spin:\natom.shared.cas.b32 %r1, [lock], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra Spin;\n\
         ld.volatile.shared.u32 %r2, [sum];\nadd.u32 %r2, %r2, %r0;\nst.volatile.shared.u32 [sum], %r2;\n\
         membar.cta;\natom.shared.exch.b32 %r3, [lock], 0;\n\
         bar.sync 0;\nld.shared.u32 %r4, [sum];\nst.global.u32 [%rd0], %r4;\nret;\n",
    ),
    (
        "parts_of_a_warp",
        ".func (.param .b32 r) share(.param .b32 v, .param .b32 m)\n{\n\
         .reg .b32 %v<8>;\n.reg .pred %q<2>;\nld.param.b32 %v0, [v];\nld.param.b32 %v1, [m];\n\
         bar.warp.sync %v1;\nshfl.sync.bfly.b32 %v2, %v0, 1, 31, %v1;\nvote.sync.ballot.b32 %v3, 1, %v1;\n\
         add.u32 %v2, %v2, %v3;\nst.param.b32 [r], %v2;\nret;\n}\n",
        "and.b32 %r1, %r0, 16;\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 bra Low;\n\
         { .param .b32 a; .param .b32 m; .param .b32 b; st.param.b32 [a], %r0; mov.u32 %r3, 0xffff0000; st.param.b32 [m], %r3;\n\
         call (b), share, (a, m); ld.param.b32 %r2, [b]; }\nbra Out;\n\
         Low:\nshl.b32 %r4, %r0, 4;\n\
         { .param .b32 a; .param .b32 m; .param .b32 b; st.param.b32 [a], %r4; mov.u32 %r3, 0x0000ffff; st.param.b32 [m], %r3;\n\
         call (b), share, (a, m); ld.param.b32 %r2, [b]; }\n\
         Out:\nst.global.u32 [%rd0], %r2;\nret;\n",
    ),
];

#[test]
fn calls_and_tables_of_ptxas() {
    let Some(ptxas) = project::ptxas("sm_90") else {
        return;
    };
    let folder = Folder::new("sass-sim-calls");
    let mut seen = Seen::default();
    for (name, functions, body) in TEXTS {
        let text = format!(
            "// run: --grid 1 --block 64 --arg u32[64]=0\n{HEAD}{functions}\
             .visible .entry kernel(.param .u64 out)\n{{\n{START}{body}}}\n"
        );
        for level in ["-O3", "-O0"] {
            println!("{name} {level}");
            compare_with(&ptxas, &folder, name, &text, &[level], &mut seen);
        }
    }
    assert!(seen.wrong.is_empty(), "{}", seen.wrong.join("\n"));
    assert_eq!(seen.agreed, 2 * TEXTS.len());
}
