//! Small kernels that show how threads are scheduled, meet and end.

use warpc_diag::{Diagnostics, SourceFile};
use warpc_sim::{Argument, Device, Launch, Options, Report};

const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// Runs the one kernel of a module on one buffer of words; gives the buffer afterwards.
fn run(
    body: &str,
    (grid, block): (u32, u32),
    words: &[u32],
    seed: u64,
) -> Result<(Vec<u32>, Report), Diagnostics> {
    let text = format!("{HEAD}{body}");
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
            limit: Some(100_000_000),
            ..Options::default()
        },
    );
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let buffer = device.buffer(&bytes);
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    };
    let report = device.launch(&launch)?;
    let words = device.read(buffer);
    let words = words
        .chunks(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    Ok((words.collect(), report))
}

fn message(outcome: Result<(Vec<u32>, Report), Diagnostics>) -> String {
    match outcome {
        Ok((words, _)) => panic!("it ran: {words:?}"),
        Err(diagnostics) => diagnostics.as_slice()[0].message.clone(),
    }
}

/// Each thread stores twice its number.
const DOUBLE: &str = ".entry k(.param .u64 out) {
    .reg .b32 %r<4>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r1, %r2, %r3, %r1;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    add.u32 %r2, %r1, %r1;
    st.global.u32 [%rd3], %r2;
    ret; }";

#[test]
fn threads_know_who_they_are() {
    let (words, report) = run(DOUBLE, (3, 50), &[0; 150], 0).expect("it runs");
    assert!(
        words
            .iter()
            .enumerate()
            .all(|(i, &word)| word == 2 * i as u32)
    );
    assert_eq!(report.counts.thread_instructions, 150 * 10);
    assert_eq!((report.blocks, report.threads), (3, 50));
}

#[test]
fn past_the_end() {
    let text = message(run(DOUBLE, (3, 50), &[0; 149], 0));
    assert!(text.contains("out of bounds write of 4 bytes"), "{text}");
}

/// A lock that lanes of one warp fight for: needs lanes that go on while others wait.
const LOCK: &str = ".global .u32 lock;
.entry k(.param .u64 out) {
    .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
    ld.param.u64 %rd1, [out];
TRY:
    atom.global.cas.b32 %r1, [lock], 0, 1;
    setp.ne.u32 %p, %r1, 0;
    @%p bra TRY;
    ld.volatile.global.u32 %r2, [%rd1];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd1], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [lock], 0;
    ret; }";

#[test]
fn a_lock_between_lanes_and_blocks() {
    for seed in 0..4 {
        let (words, _) = run(LOCK, (4, 100), &[0], seed).expect("it runs");
        assert_eq!(words, [400]);
    }
}

/// Every block waits until all have come.
const GRID_BARRIER: &str = ".entry k(.param .u64 out) {
    .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra JOIN;
    atom.global.add.u32 %r2, [%rd1], 1;
    mov.u32 %r3, %nctaid.x;
WAIT:
    ld.acquire.gpu.global.u32 %r4, [%rd1];
    setp.lt.u32 %p2, %r4, %r3;
    @%p2 bra WAIT;
JOIN:
    bar.sync 0;
    red.global.add.u32 [%rd1+4], 1;
    ret; }";

#[test]
fn blocks_wait_for_blocks() {
    for seed in 0..3 {
        let (words, _) = run(GRID_BARRIER, (40, 64), &[0, 0], seed).expect("it runs");
        assert_eq!(words, [40, 40 * 64]);
    }
}

#[test]
fn nobody_sets_the_flag() {
    let body = GRID_BARRIER.replace("mov.u32 %r3, %nctaid.x;", "mov.u32 %r3, 99;");
    let text = message(run(&body, (4, 64), &[0, 0], 0));
    assert!(text.contains("no progress"), "{text}");
}

#[test]
fn recursion() {
    let body = ".visible .func (.param .b32 ret) fib(.param .b32 n) {
        .reg .b32 %r<8>; .reg .pred %p;
        ld.param.b32 %r1, [n];
        setp.lt.u32 %p, %r1, 2;
        @%p bra SMALL;
        sub.u32 %r2, %r1, 1;
        { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), fib, (a); ld.param.b32 %r3, [b]; }
        sub.u32 %r2, %r1, 2;
        { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), fib, (a); ld.param.b32 %r4, [b]; }
        add.u32 %r1, %r3, %r4;
    SMALL:
        st.param.b32 [ret], %r1;
        ret; }
    .entry k(.param .u64 out) {
        .reg .b32 %r<4>; .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), fib, (a); ld.param.b32 %r2, [b]; }
        mul.wide.u32 %rd2, %r1, 4;
        add.u64 %rd1, %rd1, %rd2;
        st.global.u32 [%rd1], %r2;
        ret; }";
    let (words, _) = run(body, (1, 16), &[0; 16], 1).expect("it runs");
    assert_eq!(
        words,
        [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610]
    );
}

#[test]
fn shuffles_meet_across_branches() {
    // Odd and even lanes come to the shuffle on different ways, from different places.
    let body = ".entry k(.param .u64 out) {
        .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        and.b32 %r2, %r1, 1;
        setp.eq.u32 %p1, %r2, 0;
        @%p1 bra EVEN;
        shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
        bra.uni JOIN;
    EVEN:
        shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
    JOIN:
        mul.wide.u32 %rd2, %r1, 4;
        add.u64 %rd1, %rd1, %rd2;
        st.global.u32 [%rd1], %r3;
        ret; }";
    let (words, _) = run(body, (1, 32), &[0; 32], 0).expect("it runs");
    assert!(
        words
            .iter()
            .enumerate()
            .all(|(i, &word)| word == i as u32 ^ 1)
    );
}

#[test]
fn divergent_barrier() {
    let body = ".entry k(.param .u64 out) {
        .reg .b32 %r<4>; .reg .pred %p;
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p, %r1, 16;
        @%p bra LOW;
        bar.sync 0;
        ret;
    LOW:
        bar.sync 0;
        ret; }";
    let text = message(run(body, (1, 32), &[0], 0));
    assert!(text.contains("not all threads of the warp"), "{text}");
    let body = body.replacen("bar.sync 0;", "", 1);
    let text = message(run(&body, (1, 32), &[0], 0));
    assert!(text.contains("exited"), "{text}");
}

#[test]
fn barrier_that_is_never_full() {
    let body = ".entry k(.param .u64 out) {
        .reg .b32 %r<4>; .reg .pred %p;
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p, %r1, 32;
        @%p bra FIRST;
        barrier.sync.aligned 2, 64;
        ret;
    FIRST:
        barrier.sync.aligned 1, 64;
        ret; }";
    let text = message(run(body, (1, 64), &[0], 0));
    assert!(text.contains("deadlock"), "{text}");
}

#[test]
fn sleepers_that_nobody_wakes() {
    let body = GRID_BARRIER
        .replace(
            "mov.u32 %r3, %nctaid.x;",
            "mov.u32 %r3, 99; mov.u32 %r5, 8;",
        )
        .replace(
            "WAIT:",
            "WAIT: nanosleep.u32 %r5; add.u32 %r5, %r5, %r5; min.u32 %r5, %r5, 1000000;",
        );
    let text = message(run(&body, (4, 64), &[0, 0], 0));
    assert!(text.contains("no progress"), "{text}");
}

#[test]
fn a_run_may_be_limited() {
    let body = ".entry k(.param .u64 out) {
        .reg .b32 %r<2>;
        mov.u32 %r1, 0;
    FOR_EVER:
        add.u32 %r1, %r1, 1;
        bra FOR_EVER; }";
    let text = message(run(body, (1, 32), &[0], 0));
    assert!(text.contains("takes more than"), "{text}");
}

/// A limit counts the instructions of all blocks, however short they are.
#[test]
fn a_limit_counts_short_blocks() {
    let text = format!(
        "{HEAD}.entry k() {{ .reg .b32 %r<2>; mov.u32 %r1, 0; add.u32 %r1, %r1, 1; ret; }}"
    );
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let module = warpc_ptx::check(&file).unwrap();
    let launch = |blocks: u32, jobs: usize, limit: u64| {
        let limit = Some(limit);
        let mut device = Device::new(
            &module,
            Options {
                seed: 0,
                jobs,
                limit,
                ..Options::default()
            },
        );
        let outcome = device.launch(&Launch {
            kernel: "k".to_owned(),
            grid: [blocks, 1, 1],
            block: [32, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: Vec::new(),
        });
        let done = device
            .progress()
            .done
            .load(std::sync::atomic::Ordering::Relaxed);
        (outcome, done)
    };
    // A block takes 3 x 32 instructions.
    for jobs in [1, 2] {
        let (outcome, done) = launch(100_000, jobs, 1000);
        let message = outcome.expect_err("too many").as_slice()[0].message.clone();
        assert!(
            message.contains("more than 1000 thread instructions"),
            "{message}"
        );
        // The eleventh block is begun, and those that were put aside.
        assert!(done < 40, "{done} blocks with {jobs} workers");
        let (outcome, _) = launch(10, jobs, 960);
        let report = outcome.expect("just enough");
        assert_eq!(report.counts.thread_instructions, 960);
    }
    // A run of one instruction too many is over the limit even if its last step ends it.
    for blocks in [1, 3, 40] {
        let total = u64::from(blocks) * 96;
        for jobs in [1, 3] {
            assert!(launch(blocks, jobs, total).0.is_ok());
            for limit in [total - 1, total - 31, total - 32] {
                let (outcome, _) = launch(blocks, jobs, limit);
                assert!(outcome.is_err(), "{blocks} blocks, {jobs} jobs, {limit}");
            }
        }
    }
}

/// The loop that waits is shown at what it waits for, not at its first instruction.
#[test]
fn a_stuck_loop_is_shown_at_its_atomic() {
    let body = ".entry k(.param .u64 out) {
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
AGAIN:
    mov.u32 %r1, 0;
    mov.u32 %r2, 1;
    atom.acquire.gpu.cas.b32 %r3, [%rd1], %r1, %r2;
    setp.ne.u32 %p1, %r3, 0;
    @%p1 bra AGAIN;
    ret; }";
    let diagnostics = run(body, (1, 1), &[1], 0).expect_err("nobody gives the lock back");
    let text = format!("{HEAD}{body}");
    let stuck = &diagnostics.as_slice()[0];
    let at = |span: warpc_diag::Span| &text[span.start as usize..span.end as usize];
    assert!(stuck.message.contains("no progress"), "{}", stuck.message);
    assert!(
        at(stuck.span).contains("atom.acquire"),
        "{}",
        at(stuck.span)
    );
    assert!(at(stuck.related[0].0).contains("atom.acquire"));
}

/// A finding in inlined code names the calls it was inlined through.
#[test]
fn findings_name_the_calls_of_inlined_code() {
    let body = ".file 1 \"k.cu\"
.entry k(.param .u64 out) {
    .loc 1 8 3
    .loc 1 4 5, function_name $twice, inlined_at 1 8 3
    .loc 1 2 7, function_name $sq, inlined_at 1 4 5
    trap;
    ret; }
.section .debug_str {
$twice:
    .b8 116, 119, 105, 99, 101, 0
$sq:
    .b8 115, 113, 0
}";
    let diagnostics = run(body, (1, 1), &[0], 0).expect_err("it traps");
    let label = diagnostics.as_slice()[0].label.clone().unwrap_or_default();
    let chain = "from k.cu:2:7 in `sq`, inlined at k.cu:4:5 in `twice`, inlined at k.cu:8:3";
    assert!(label.ends_with(chain), "{label}");
}

/// As `grid.sync()` of cooperative groups does it: one thread of each block adds to a word of the workspace and waits until
/// the highest bit flips; what the others wrote before is there afterwards.
const GRID_SYNC: &str = ".entry k(.param .u64 out) {
    .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %envreg1;
    mov.u32 %r2, %envreg2;
    mov.b64 %rd2, {%r2, %r1};
    setp.ne.u64 %p1, %rd2, 0;
    @%p1 bra VALID;
    trap;
VALID:
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %nctaid.x;
    mul.wide.u32 %rd3, %r3, 4;
    add.u64 %rd4, %rd1, %rd3;
    st.global.u32 [%rd4], %r3;
    bar.sync 0;
    mov.u32 %r5, %tid.x;
    setp.ne.u32 %p1, %r5, 0;
    @%p1 bra MET;
    setp.eq.u32 %p2, %r3, 0;
    sub.u32 %r6, 0x80000001, %r4;
    selp.u32 %r6, %r6, 1, %p2;
    atom.add.release.gpu.u32 %r7, [%rd2+4], %r6;
WAIT:
    ld.acquire.gpu.u32 %r8, [%rd2+4];
    xor.b32 %r9, %r8, %r7;
    setp.ge.s32 %p2, %r9, 0;
    @%p2 bra WAIT;
MET:
    bar.sync 0;
    xor.b32 %r10, %r3, 1;
    mul.wide.u32 %rd5, %r10, 4;
    add.u64 %rd6, %rd1, %rd5;
    ld.global.u32 %r11, [%rd6];
    bar.sync 0;
    add.u64 %rd7, %rd4, 64;
    st.global.u32 [%rd7], %r11;
    ret; }";

#[test]
fn blocks_of_a_cooperative_launch_meet() {
    let text = format!("{HEAD}{GRID_SYNC}");
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let module = warpc_ptx::check(&file).unwrap();
    let launch = |blocks: u32, jobs: usize, cooperative: bool| {
        let mut device = Device::new(
            &module,
            Options {
                jobs,
                ..Options::default()
            },
        );
        let buffer = device.buffer(&[0; 128]);
        let launch = Launch {
            kernel: "k".to_owned(),
            grid: [blocks, 1, 1],
            block: [64, 1, 1],
            cooperative,
            arguments: vec![Argument::Buffer(buffer)],
            ..Launch::default()
        };
        // Twice, so that the second finds a fresh workspace.
        device.launch(&launch)?;
        device.launch(&launch)?;
        Ok::<_, Diagnostics>(device.read(buffer)[64..].to_vec())
    };
    for jobs in [1, 4] {
        let bytes = launch(16, jobs, true).expect("all blocks are resident");
        let words: Vec<u8> = bytes.iter().step_by(4).copied().collect();
        let neighbours: Vec<u8> = (0..16).map(|block| block ^ 1).collect();
        assert_eq!(words, neighbours);
    }
    let found = launch(16, 1, false).expect_err("there is no workspace");
    let found = found.as_slice()[0].clone();
    assert!(found.message.contains("trap"), "{}", found.message);
    let help = found.help.clone().unwrap_or_default();
    assert!(help.contains("--cooperative"), "{help}");
    let found = launch(132 * 32 + 1, 1, true).expect_err("too many blocks");
    let found = found.as_slice()[0].clone();
    assert!(
        found.message.contains("4225 blocks are too many"),
        "{}",
        found.message
    );
}

/// Variables of the module keep what the host and launches before gave them.
#[test]
fn variables_of_the_module_are_read_and_set() {
    let text = format!(
        "{HEAD}.const .align 4 .b8 scale[8];\n.global .u32 total = 5;\n\
        .entry k() {{ .reg .b32 %r<4>; ld.const.u32 %r1, [scale+4]; ld.global.u32 %r2, [total]; \
        add.u32 %r3, %r1, %r2; st.global.u32 [total], %r3; ret; }}"
    );
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let module = warpc_ptx::check(&file).unwrap();
    let mut device = Device::new(&module, Options::default());
    assert_eq!(device.variable("total"), Some(vec![5, 0, 0, 0]));
    assert!(device.set_variable("scale", &[9, 9, 9, 9, 7, 0, 0, 0]));
    assert!(!device.set_variable("scale", &[0; 9]) && !device.set_variable("k", &[]));
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [1; 3],
        block: [1; 3],
        ..Launch::default()
    };
    for expected in [12, 19] {
        device.launch(&launch).expect("it runs");
        assert_eq!(device.variable("total"), Some(vec![expected, 0, 0, 0]));
    }
    assert_eq!(device.variable("nothing"), None);
}

/// Warp 0 waits for warp 1, which has more to do before the barrier.
#[test]
fn what_happened_is_recorded() {
    let text = format!(
        "{HEAD}.entry k(.param .u64 out) {{ .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<4>; .shared .b32 s[64];\n\
        ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; setp.lt.u32 %p, %r1, 32; @%p bra MEET;\n\
        AGAIN: add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 100; @%p bra AGAIN;\n\
        MEET: bar.sync 0; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r2; ret; }}"
    );
    let file = SourceFile::new("k.ptx", text.as_str()).expect("a short text");
    let module = warpc_ptx::check(&file).unwrap();
    let mut device = Device::new(&module, Options::default());
    let buffer = device.named_buffer("argument 0", &[0; 512]);
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [1; 3],
        block: [64, 1, 1],
        arguments: vec![Argument::Buffer(buffer)],
        ..Launch::default()
    };
    let unrecorded = device.launch(&launch).expect("it runs").counts;
    assert_eq!(device.trace(), None);
    device.record(true);
    let recorded = device.launch(&launch).expect("it runs").counts;
    assert_eq!(unrecorded, recorded);
    let trace = device.trace().expect("it was asked for");
    let line = |text: &str| {
        let is = |span: warpc_diag::Span| String::from_utf8_lossy(file.slice(span)).contains(text);
        trace.lines.iter().find(|line| is(line.span)).expect(text)
    };
    assert_eq!(
        (line("add.u32").warps, line("add.u32").threads),
        (100, 3200)
    );
    assert_eq!(
        (line("st.global").warps, line("st.global").threads),
        (2, 64)
    );
    let instructions: u64 = trace.lines.iter().map(|line| line.threads).sum();
    assert_eq!(instructions, recorded.thread_instructions);
    let [wait] = &trace.waits[..] else {
        panic!("one place: {:?}", trace.waits);
    };
    assert_eq!(wait.doing, warpc_sim::trace::Doing::Barrier(0));
    assert_eq!(
        (wait.count, wait.pairs.as_slice()),
        (1, &[((0, 1), 300)][..])
    );
    let piece = &trace.memory[0];
    assert_eq!(
        (piece.name.as_str(), piece.writes, piece.reads),
        ("argument 0", 64, 0)
    );
    assert_eq!(piece.parts[..32], [2; 32]);
    assert_eq!(piece.parts[32..], [0; 32]);
    let warps = &trace.blocks[0].warps;
    assert_eq!(warps.len(), 2);
    // Both end at the same time: they do the same after they met.
    let ends: Vec<u64> = warps
        .iter()
        .map(|(_, _, all)| all[all.len() - 1].end)
        .collect();
    assert_eq!(ends[0], ends[1]);
}
