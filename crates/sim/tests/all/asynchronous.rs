//! Kernels that do not wait for their copies: that is found, and where it is not, what comes out is wrong and shows it.

use warpc_diag::SourceFile;
use warpc_sim::{Argument, Device, Launch, Options};

const HEAD: &str = ".version 8.6\n.target sm_90\n.address_size 64\n";

/// Runs a kernel of one block on one buffer of words; gives the buffer afterwards.
fn run(body: &str, block: u32, words: &[u32], seed: u64) -> Vec<u32> {
    try_run(body, block, words, seed).expect("no finding")
}

/// The same; an error is the code of the finding.
fn try_run(body: &str, block: u32, words: &[u32], seed: u64) -> Result<Vec<u32>, &'static str> {
    let text = format!("{HEAD}.visible .entry k(.param .u64 data) {{ {body} }}");
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    assert!(
        !checked.diagnostics.has_errors(),
        "{}",
        warpc_diag::render_human(&file, &checked.diagnostics, false)
    );
    let mut device = Device::new(
        checked.value.as_ref().unwrap(),
        Options {
            seed,
            jobs: 1,
            ..Options::default()
        },
    );
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let buffer = device.buffer(&bytes);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [1; 3],
        block: [block, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    });
    if let Err(found) = outcome {
        return Err(found.first_error().map_or("", |error| error.code.0));
    }
    let bytes = device.read(buffer);
    let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    Ok(bytes.chunks(4).map(word).collect())
}

/// Reads a word before and after the wait.
const TOO_EARLY: &str = ".shared .align 4 .b32 box;
    .reg .b32 %r<4>; .reg .b64 %rd;
    ld.param.u64 %rd, [data];
    st.shared.u32 [box], 4;
    cp.async.ca.shared.global [box], [%rd], 4;
    ld.shared.u32 %r1, [box];
    cp.async.wait_all;
    ld.shared.u32 %r2, [box];
    st.global.v2.u32 [%rd], {%r1, %r2};
    ret;";

#[test]
fn what_is_read_too_early_is_found() {
    for seed in 0..8 {
        assert_eq!(try_run(TOO_EARLY, 1, &[5, 0], seed), Err("W0737"));
    }
}

/// Changes the source before the wait.
const SOURCE_CHANGES: &str = ".shared .align 4 .b32 box;
    .reg .b32 %r<4>; .reg .b64 %rd;
    ld.param.u64 %rd, [data];
    cp.async.ca.shared.global [box], [%rd], 4;
    st.global.u32 [%rd], 2;
    cp.async.wait_all;
    ld.shared.u32 %r1, [box];
    st.global.u32 [%rd], %r1;
    ret;";

#[test]
fn a_source_that_changes_too_early_spoils_the_copy() {
    assert_eq!(run(SOURCE_CHANGES, 1, &[1], 0), [2]);
}

/// Looks at what a copy out of shared memory wrote: when its source is read, when it is done, and after
/// a wait that leaves one group.
const OUT: &str = ".shared .align 16 .b32 box[8];
    .reg .b32 %r<8>; .reg .b64 %rd; .reg .pred %p;
    ld.param.u64 %rd, [data];
    st.shared.v4.u32 [box], {1, 1, 1, 1};
    fence.proxy.async.shared::cta;
    cp.async.bulk.global.shared::cta.bulk_group [%rd], [box], 16;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 1;
    ld.global.u32 %r1, [%rd];
    cp.async.bulk.wait_group.read 0;
    ld.global.u32 %r2, [%rd];
    st.shared.v4.u32 [box], {9, 9, 9, 9};
    cp.async.bulk.wait_group 0;
    ld.global.u32 %r3, [%rd];
    st.global.v4.u32 [%rd], {%r1, %r2, %r3, %r3};
    ret;";

#[test]
fn a_source_is_read_before_the_copy_is_done() {
    for seed in 0..8 {
        assert_eq!(run(OUT, 1, &[0; 4], seed), [0, 0, 1, 1]);
    }
}

/// Two copies to one word, in two groups: which is the later one is for nobody to say.
const NO_ORDER: &str = ".shared .align 4 .b32 box;
    .reg .b32 %r<4>; .reg .b64 %rd;
    ld.param.u64 %rd, [data];
    cp.async.ca.shared.global [box], [%rd], 4;
    cp.async.commit_group;
    cp.async.ca.shared.global [box], [%rd+4], 4;
    cp.async.commit_group;
    cp.async.wait_group 0;
    ld.shared.u32 %r1, [box];
    st.global.u32 [%rd], %r1;
    ret;";

#[test]
fn copies_have_no_order() {
    let mut seen: Vec<u32> = (0..32)
        .map(|seed| run(NO_ORDER, 1, &[1, 2], seed)[0])
        .collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [1, 2]);
}

/// A neighbour's copy is there only after a barrier after the wait; this kernel has none.
const NO_BARRIER: &str = ".shared .align 4 .b32 box[64];
    .reg .b32 %r<8>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd2, %rd2, %rd1;
    mov.u32 %r2, box;
    shl.b32 %r3, %r1, 2;
    add.u32 %r3, %r3, %r2;
    cp.async.ca.shared.global [%r3], [%rd2], 4;
    cp.async.wait_all;
    xor.b32 %r4, %r1, 32;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r4, %r2;
    ld.shared.u32 %r5, [%r4];
    st.global.u32 [%rd2], %r5;
    ret;";

#[test]
fn a_wait_is_for_the_own_copies() {
    let data: Vec<u32> = (1..=64).collect();
    let right: Vec<u32> = (0..64).map(|i| (i ^ 32) + 1).collect();
    // What the neighbour has not copied yet is undefined; what it copies has not been waited for.
    let found = (0..16)
        .filter(|&seed| match try_run(NO_BARRIER, 64, &data, seed) {
            Ok(words) => words != right,
            Err(code) => ["W0731", "W0737"].contains(&code),
        })
        .count();
    assert!(found > 0, "the missing barrier never showed");
}
