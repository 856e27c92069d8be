//! Programs on which the assembler was wrong once, as small as they get.
//!
//! A kernel `k` gets a buffer of 8 KiB, of which each of 64 threads in two blocks has 64 bytes, and the address of its own
//! part in `%a`; further registers are `%w`, `%d`, `%p`, `%h`, `%f`, `%g`.

use warpc_launch::{Argument, Launch};
use warpc_ptxgen::judge::{Verdict, WAYS, judge};
use warpc_ptxgen::program::{Case, Run};

/// Bytes of the buffer.
const BYTES: usize = 8192;

/// A module with declarations and the body of its kernel.
fn case(declarations: &str, body: &str) -> Case {
    let text = format!(
        ".version 8.4\n.target sm_90\n.address_size 64\n{declarations}\n\
         .visible .entry k(.param .u64 buffer) {{\n\
         .reg .b64 %a, %d<20>;\n.reg .b32 %w<20>;\n.reg .b16 %h<20>;\n.reg .pred %p<20>;\n.reg .f32 %f<20>;\n.reg .f64 %g<20>;\n\
         ld.param.u64 %a, [buffer];\nmov.u32 %w0, %ctaid.x;\nmov.u32 %w1, %tid.x;\nmad.lo.u32 %w0, %w0, 64, %w1;\n\
         mad.wide.u32 %a, %w0, 64, %a;\n{body}\nret;\n}}\n"
    );
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [2, 1, 1],
        block: [64, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(0)],
    };
    let bytes = (0..BYTES).map(|at| (at * 167 % 251) as u8).collect();
    Case {
        text,
        runs: vec![Run {
            launch,
            buffers: vec![bytes],
        }],
    }
}

#[track_caller]
pub(crate) fn is_right(declarations: &str, body: &str) {
    let verdict = judge(&case(declarations, body), &WAYS);
    assert!(matches!(verdict, Verdict::Same(_)), "{verdict:?}");
}

/// Elements of 32 bits in registers of 64, constants and `_` in vectors: tuples had the registers' lanes, not the elements'.
#[test]
fn vectors_have_the_lanes_of_their_elements() {
    is_right(
        "",
        "ld.global.v4.u32 {%d1, %d2, %d3, %d4}, [%a];
         ld.global.v2.u64 {_, %d5}, [%a+16];
         ld.global.v2.s32 {%d6, _}, [%a+32];
         add.u64 %d1, %d1, %d6;
         st.global.v4.u32 [%a], {%d5, %d3, %d2, %d4};
         st.global.v2.u64 [%a+16], {%d1, 0x123456789abcdef0};
         st.global.v2.u32 [%a+32], {%d2, 7};",
    );
}

/// Vectors of constants and of local memory are loaded one element after the other.
#[test]
fn a_vector_may_be_loaded_over_its_address() {
    is_right(
        ".const .align 16 .b32 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};",
        ".local .align 16 .b8 own[32];
         ld.global.v4.u32 {%w2, %w3, %w4, %w5}, [%a];
         st.local.v4.u32 [own], {%w2, %w3, %w4, %w5};
         mov.u32 %w6, own;
         ld.local.v4.u32 {%w7, %w6, %w8, %w9}, [%w6];
         mov.u64 %d1, table;
         ld.const.v2.u64 {%d1, %d2}, [%d1+16];
         st.global.v4.u32 [%a], {%w7, %w6, %w8, %w9};
         st.global.v2.u64 [%a+16], {%d1, %d2};",
    );
}

/// The guard is one of two results, and the other one was moved under it after it had changed.
#[test]
fn a_result_may_be_the_guard() {
    is_right(
        "",
        "ld.global.v4.u32 {%w2, %w3, %w4, %w5}, [%a];
         setp.lt.s32 %p1, %w2, %w3;
         setp.gt.s32 %p2, %w4, %w5;
         @%p1 setp.gt.or.s32 %p2|%p1, %w3, %w4, %p2;
         selp.u32 %w6, 1, 0, %p1;
         selp.u32 %w7, 1, 0, %p2;
         st.global.v2.u32 [%a], {%w6, %w7};",
    );
}

/// `BSSY` of a sequence goes on where the block after it begins, not after the `BSYNC` of a region around.
#[test]
fn a_vote_may_end_a_region() {
    is_right(
        "",
        "ld.global.v4.u32 {%w2, %w3, %w4, %w5}, [%a];
         and.b32 %w6, %w2, 3;
         setp.lt.s32 %p2, %w3, %w4;
         mov.u32 %w7, 0xffffffff;
         HEAD:
         setp.ne.u32 %p1, %w5, 77;
         vote.sync.ballot.b32 %w8, %p1, 0xffffffff;
         @!%p1 bra OUT;
         vote.sync.ballot.b32 %w3, %p2, %w8;
         OUT:
         st.global.u32 [%a], %w3;",
    );
}

/// Narrow elements of a vector in wider registers are extended by their type.
#[test]
fn narrow_elements_are_extended() {
    is_right(
        "",
        "ld.global.v4.s8 {%w2, %w3, %w4, %w5}, [%a];
         ld.global.v2.s8 {%h1, %h2}, [%a+6];
         ld.global.v2.s16 {%w6, %w7}, [%a+8];
         ld.global.v4.u16 {%d1, %d2, %d3, %d4}, [%a+16];
         setp.lt.s32 %p1, %w2, %w3;
         @%p1 ld.global.v2.s16 {%d1, %d2}, [%a+24];
         cvt.s32.s16 %w8, %h1;
         cvt.u32.u16 %w9, %h2;
         st.global.v4.u32 [%a], {%w2, %w3, %w4, %w5};
         st.global.v4.u32 [%a+16], {%w6, %w7, %w8, %w9};
         st.global.v2.u64 [%a+32], {%d1, %d2};
         st.global.v2.u64 [%a+48], {%d3, %d4};",
    );
}

/// A stall for what comes before a block made the distance from a predicate in it to the next block shorter than it was
/// counted.
#[test]
fn predicates_are_there_after_blocks_that_waited() {
    is_right(
        "",
        "ld.global.u32 %w2, [%a];
         ld.global.u32 %w4, [%a+8];
         ld.global.u32 %w5, [%a+12];
         and.b32 %w3, %w2, 15;
         setp.ne.u32 %p3, %w2, 5;
         bra MID0;
         LOOP:
         xor.b32 %w4, %w4, %w5;
         mul.lo.u32 %w5, %w5, 3;
         MID0:
         setp.lt.u32 %p2, %w4, %w5;
         MID:
         setp.eq.u32 %p0, %w3, 0;
         @%p2 setp.gt.u32 %p3, %w4, %w2;
         @%p0 bra OUT;
         sub.u32 %w3, %w3, 1;
         and.b32 %w6, %w3, %w2;
         setp.ne.u32 %p1, %w6, 0;
         @%p1 bra MID;
         bra LOOP;
         OUT:
         @%p3 st.global.u32 [%a+16], %w4;
         @%p3 st.global.u32 [%a+20], %w5;",
    );
}

/// A copy that reads fewer bytes than it writes, from an address with a number added: the upper half of the address was the
/// lower one.
#[test]
fn short_copies_add_to_the_whole_address() {
    is_right(
        ".shared .align 16 .b8 slots[2048];",
        "mov.u32 %w2, slots;
         mad.lo.u32 %w2, %w1, 32, %w2;
         ld.global.u32 %w3, [%a];
         and.b32 %w3, %w3, 16;
         cp.async.ca.shared.global [%w2], [%a+16], 16, %w3;
         cp.async.ca.shared.global [%w2+16], [%a+36], 4, 3;
         cp.async.wait_all;
         ld.shared.v2.u64 {%d1, %d2}, [%w2];
         ld.shared.u32 %w4, [%w2+16];
         st.global.v2.u64 [%a], {%d1, %d2};
         st.global.u32 [%a+16], %w4;",
    );
}

/// A fence between proxies where lanes have parted: it had a uniform predicate across a branch.
#[test]
fn lanes_that_parted_have_a_fence_of_aliases() {
    is_right(
        ".shared .align 16 .b8 slots[1024];",
        "mov.u32 %w2, slots;
         mad.lo.u32 %w2, %w1, 16, %w2;
         st.shared.u32 [%w2], 0;
         ld.global.v2.u32 {%w3, %w4}, [%a];
         and.b32 %w5, %w3, 3;
         setp.gt.s32 %p1, %w3, %w4;
         @%p1 bra SECOND;
         FIRST:
         add.u32 %w3, %w3, %w4;
         SECOND:
         atom.shared.add.f32 %f1, [%w2], 0f3F800000;
         fence.proxy.alias;
         setp.eq.u32 %p2, %w5, 0;
         @%p2 bra DONE;
         sub.u32 %w5, %w5, 1;
         setp.lt.u32 %p3, %w3, %w4;
         @%p3 bra FIRST;
         bra SECOND;
         DONE:
         fence.proxy.alias;
         ld.shared.f32 %f2, [%w2];
         st.global.f32 [%a], %f2;
         st.global.u32 [%a+4], %w3;",
    );
}

/// Lanes that have parted copy in bulk, long enough for others to have their turn: what is between the reads of an address
/// and the copy must not be interrupted, because lanes share uniform registers.
#[test]
fn lanes_that_parted_copy_in_bulk() {
    is_right(
        ".shared .align 16 .b8 slots[1024];",
        "mov.u32 %w2, slots;
         mad.lo.u32 %w2, %w1, 16, %w2;
         ld.global.v2.u64 {%d1, %d2}, [%a];
         ld.global.u32 %w3, [%a+12];
         and.b32 %w3, %w3, 31;
         setp.lt.u64 %p1, %d1, %d2;
         @%p1 bra SECOND;
         FIRST:
         add.u64 %d1, %d1, %d2;
         SECOND:
         st.shared.v2.u64 [%w2], {%d1, %d2};
         fence.proxy.async;
         cp.async.bulk.global.shared::cta.bulk_group [%a+16], [%w2], 16;
         cp.async.bulk.commit_group;
         cp.async.bulk.wait_group 0;
         ld.global.u64 %d2, [%a+24];
         setp.eq.u32 %p2, %w3, 0;
         @%p2 bra DONE;
         sub.u32 %w3, %w3, 1;
         setp.lt.u64 %p3, %d2, %d1;
         @%p3 bra FIRST;
         bra SECOND;
         DONE:
         st.global.u64 [%a], %d2;",
    );
}

/// Few registers in a function whose stack grows: the judge of convergence follows what was spilled there, too.
#[test]
fn a_warp_stays_whole_where_the_stack_grows() {
    is_right(
        "",
        "mov.f32 %f1, 0f3F800000;
         mov.f32 %f2, 0f40000000;
         setp.eq.u32 %p1, %w1, 5;
         mov.u32 %w2, %laneid;
         barrier.cluster.arrive.release;
         barrier.cluster.wait.acquire;
         stacksave.u64 %d3;
         alloca.u64 %d4, 16, 8;
         cvta.local.u64 %d4, %d4;
         st.b64 [%d4], %d3;
         ld.b64 %d5, [%d4];
         stackrestore.u64 %d3;
         and.b32 %w3, %w2, 7;
         add.u32 %w3, %w3, 1;
         OUTER:
         mov.u32 %w4, 2;
         INNER:
         setp.eq.u32 %p2, %w4, 0;
         @%p2 bra NEXT;
         sub.u32 %w4, %w4, 1;
         @%p1 rcp.rn.ftz.f32 %f1, %f2;
         bra INNER;
         NEXT:
         sub.u32 %w3, %w3, 1;
         setp.ne.u32 %p3, %w3, 0;
         @%p3 bra OUTER;
         st.global.f32 [%a], %f1;",
    );
}

/// Lanes that left a `BSYNC` early set the next barrier without the others. They came together in its region, parted again at
/// its end, and voted each for themselves.
#[test]
fn barriers_that_parts_of_a_warp_set_keep_them_apart() {
    is_right(
        "",
        "ld.global.v4.u32 {%w2, %w3, %w4, %w5}, [%a];
         and.b32 %w2, %w2, 1;
         setp.ne.u32 %p1, %w2, 0;
         vote.sync.ballot.b32 %w6, %p1, 0xffffffff;
         @!%p1 bra JOIN;
         setp.lt.u32 %p2, %w3, %w4;
         vote.sync.ballot.b32 %w7, %p2, %w6;
         st.global.u32 [%a+16], %w7;
         JOIN:
         add.u32 %w8, %w1, %w1;
         setp.lt.u32 %p3, %w8, 64;
         @%p3 bra ARRIVE;
         bar.sync 4, 64;
         bra MET;
         ARRIVE:
         bar.arrive 4, 64;
         MET:
         bar.sync 0;
         setp.lt.u32 %p4, %w4, %w5;
         vote.sync.ballot.b32 %w9, %p4, 0xffffffff;
         st.global.u32 [%a+20], %w9;",
    );
}

/// A value that is the same for all lanes was spilled, and the program stores to an array of its own in local memory.
#[test]
fn spilled_values_are_not_of_arrays() {
    is_right(
        ".const .align 4 .u32 limit = 7;",
        ".local .align 16 .b8 own[64];
         mov.u32 %w2, own;
         ld.const.u32 %w3, [limit];
         ld.global.v4.u32 {%w4, %w5, %w6, %w7}, [%a];
         ld.global.v4.u32 {%w8, %w9, %w10, %w11}, [%a+16];
         ld.global.v2.u64 {%d1, %d2}, [%a+32];
         ld.global.v2.u64 {%d3, %d4}, [%a+48];
         and.b32 %w12, %w4, 60;
         add.u32 %w12, %w2, %w12;
         st.local.u32 [%w12], %w5;
         add.u64 %d5, %d1, %d2;
         mul.lo.u64 %d6, %d3, %d4;
         div.u64 %d7, %d6, %d5;
         setp.gt.u32 %p1, %w3, 5;
         @!%p1 bra SKIP;
         bar.sync 0;
         add.u64 %d7, %d7, %d2;
         bar.sync 0;
         SKIP:
         ld.local.u32 %w13, [%w12];
         st.global.v4.u32 [%a], {%w13, %w9, %w10, %w11};
         st.global.v2.u64 [%a+16], {%d7, %d6};
         st.global.v2.u64 [%a+32], {%d1, %d3};
         st.global.v4.u32 [%a+48], {%w6, %w7, %w8, %w3};",
    );
}

/// The sign under the bars of `xorsign` counts.
#[test]
fn signs_of_magnitudes_count() {
    is_right(
        "",
        "ld.global.v2.f32 {%f1, %f2}, [%a];
         neg.f32 %f3, %f1;
         max.NaN.xorsign.abs.f32 %f4, %f3, %f2;
         abs.f32 %f5, %f1;
         min.xorsign.abs.f32 %f6, %f2, %f5;
         st.global.v2.f32 [%a+8], {%f4, %f6};",
    );
}

/// Lanes sleep in a function that calls itself, while others wait for them in calls outside.
#[test]
fn lanes_that_sleep_in_calls_let_others_go() {
    is_right(
        ".func down(.param .b32 n) {
         .reg .pred %p;\n.reg .b32 %n;
         ld.param.b32 %n, [n];
         nanosleep.u32 0;
         setp.eq.u32 %p, %n, 0;
         @%p bra END;
         sub.u32 %n, %n, 1;
         { .param .b32 m;\nst.param.b32 [m], %n;\ncall down, (m); }
         END: ret; }",
        "ld.global.u32 %w2, [%a];
         and.b32 %w3, %w2, 3;
         and.b32 %w4, %w1, 3;
         add.u32 %w4, %w4, 1;
         AGAIN:
         { .param .b32 m;\nst.param.b32 [m], %w3;
         mov.u64 %d1, down;
         P: .callprototype _ (.param .b32 n);
         call %d1, (m), P; }
         sub.u32 %w4, %w4, 1;
         setp.ne.u32 %p1, %w4, 0;
         @%p1 bra AGAIN;
         st.global.u32 [%a+4], %w3;",
    );
}

/// Judges a program as a seed left it: judges of finished code had something against it, whatever it computes.
#[track_caller]
fn is_right_as_written(text: &str) {
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [1; 3],
        block: [32, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: (0..3).map(Argument::Buffer).collect(),
    };
    let run = Run {
        launch,
        buffers: vec![vec![0; 2 * BYTES]; 3],
    };
    let case = Case {
        text: text.to_owned(),
        runs: vec![run],
    };
    let verdict = judge(&case, &WAYS);
    assert!(matches!(verdict, Verdict::Same(_)), "{verdict:?}");
}

/// A function had a value in a uniform register from block to block, while lanes that did not call it used that register.
#[test]
fn functions_have_uniform_registers_in_a_block_only() {
    is_right_as_written(include_str!("reduced/uniform_in_function.ptx"));
}

/// A constant that was loaded while lanes were apart decides where they go once they are together.
#[test]
fn constants_of_lanes_that_were_apart_are_the_same() {
    is_right_as_written(include_str!("reduced/constants_apart.ptx"));
}

/// What a move under a guard gave first was in the register of what it moves.
#[test]
fn first_moves_under_guards_may_be_left_out() {
    is_right_as_written(include_str!("reduced/first_move.ptx"));
}

/// Lanes that were apart had values in uniform registers while they waited for the whole warp, and others wrote those.
#[test]
fn uniform_registers_are_kept_over_waits() {
    is_right_as_written(include_str!("reduced/uniform_over_waits.ptx"));
}

/// Two stores to places of the frame that have no byte in common may change places, whatever happens to what they store.
#[test]
fn stores_to_places_of_the_frame_may_change_places() {
    is_right_as_written(include_str!("reduced/frame_stores.ptx"));
}

/// Lanes that left a loop went on while others met in it, and wrote a uniform register that those read after the loop.
#[test]
fn lanes_that_left_early_keep_uniform_registers() {
    is_right(
        ".const .align 8 .u64 more = 40;",
        ".shared .align 16 .b8 own[1024];
         ld.const.u64 %d9, [more];
         mov.u32 %w7, own;
         mad.lo.u32 %w7, %w1, 16, %w7;
         st.shared.v2.u64 [%w7], {0x1122334455667788, 0x99aabbccddeeff00};
         and.b32 %w2, %w1, 7;
         add.u32 %w2, %w2, 1;
         mov.b32 %w3, 0xffffffff;
         HEAD:
         fence.proxy.async;
         cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32 [%a], [%w7], 16;
         cp.async.bulk.commit_group;
         cp.async.bulk.wait_group 0;
         sub.u32 %w2, %w2, 1;
         setp.ne.u32 %p1, %w2, 0;
         vote.sync.ballot.b32 %w4, %p1, %w3;
         mov.b32 %w3, %w4;
         @%p1 bra HEAD;
         and.b32 %w5, %w1, 8;
         cvt.u64.u32 %d3, %w5;
         add.u64 %d3, %d3, %d9;
         st.global.u64 [%a+16], %d3;
         fence.proxy.async;
         cp.async.bulk.global.shared::cta.bulk_group [%a+32], [%w7], 16;
         cp.async.bulk.commit_group;
         cp.async.bulk.wait_group 0;",
    );
}

/// A move under a guard was left out, because what it moves was made in its register, where the rest was already; then two
/// guards had a part in what is stored.
#[test]
fn moves_under_guards_may_be_left_out_before_others() {
    is_right_as_written(include_str!("reduced/guarded_moves.ptx"));
}
