//! `clusterlaunchcontrol`: blocks that others take over.

use warpc_diag::SourceFile;
use warpc_sim::{Argument, Device, Launch, Options, Races};

/// Each cluster adds one to the element of each of its blocks, asks for another cluster that has not begun, and does its work as well; how many
/// each did itself is counted in the last element.
const KERNEL: &str = ".version 8.6\n.target sm_100a\n.address_size 64
.visible .entry k(.param .u64 out, .param .u32 blocks) {
    .shared .align 16 .b8 answer[16];
    .shared .align 8 .b64 full;
    .reg .b64 %out, %far, %state;
    .reg .b32 %x, %y, %z, %w, %id, %n, %rank, %phase, %t, %nx;
    .reg .b128 %answer;
    .reg .pred %over, %is, %first, %one;
    ld.param.u64 %out, [out]; ld.param.u32 %n, [blocks];
    mov.u32 %t, %tid.x; mov.u32 %rank, %cluster_ctarank; mov.u32 %nx, %nctaid.x;
    setp.eq.u32 %one, %t, 0; setp.eq.u32 %first, %rank, 0; and.pred %first, %first, %one;
    @%one mbarrier.init.shared.b64 [full], 1;
    @%one fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    mov.u32 %x, %ctaid.x; mov.u32 %y, %ctaid.y; mov.u32 %phase, 0;
WORK:
    mad.lo.u32 %id, %y, %nx, %x; mul.wide.u32 %far, %id, 4; add.u64 %far, %out, %far;
    @%one red.global.add.u32 [%far], 1;
    mul.wide.u32 %far, %n, 4; add.u64 %far, %out, %far;
    @%one red.global.add.u32 [%far], 1;
    ARRIVE
    ASK
TRY:
    mbarrier.try_wait.parity.shared.b64 %over, [full], %phase; @!%over bra TRY;
    xor.b32 %phase, %phase, 1;
    ld.shared.b128 %answer, [answer];
    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %is, %answer;
    GET
    fence.proxy.async.shared::cta;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    @%is bra WORK;
    ret;
}";

const ARRIVE: &str = "@%one mbarrier.arrive.expect_tx.shared.b64 %state, [full], 16;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
const ALL: &str = "@%first clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [answer], [full];";
const ONE: &str = "@%first clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [full];";
const VECTOR: &str = "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%x, %y, %z, %w}, %answer; add.u32 %x, %x, %rank;";
const SINGLE: &str = "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %x, %answer; add.u32 %x, %x, %rank;
    clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %y, %answer;
    clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %z, %answer;";

/// What a launch of 4 by 3 blocks leaves, or the code of the finding.
fn run(changes: &[(&str, &str)], cluster: u32, seed: u64) -> Result<Vec<u32>, &'static str> {
    let mut text = KERNEL.to_owned();
    let usual = [("ARRIVE", ARRIVE), ("ASK", ALL), ("GET", VECTOR)];
    for (name, with) in changes.iter().chain(&usual) {
        text = text.replacen(&format!("    {name}\n"), &format!("    {with}\n"), 1);
    }
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let shown = warpc_diag::render_human(&file, &checked.diagnostics, false);
    assert!(!checked.diagnostics.has_errors(), "{shown}");
    let options = Options {
        seed,
        jobs: 1,
        races: Races::All,
        ..Options::default()
    };
    let mut device = Device::new(checked.value.as_ref().unwrap(), options);
    let out = device.buffer(&[0; 4 * 13]);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [4, 3, 1],
        block: [32, 1, 1],
        cluster: Some([cluster, 1, 1]),
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![
            Argument::Buffer(out),
            Argument::Value(12u32.to_le_bytes().to_vec()),
        ],
    });
    if let Err(found) = outcome {
        return Err(found.first_error().map_or("", |error| error.code.0));
    }
    let bytes = device.read(out);
    Ok(bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
        .collect())
}

/// Every block's work is done once, whoever does it.
#[test]
fn work_is_done_once() {
    for seed in 0..6 {
        for cluster in [1, 2] {
            for get in [VECTOR, SINGLE] {
                let found = run(&[("GET", get)], cluster, seed).expect("no finding");
                assert_eq!(found[..12], [1; 12], "seed {seed}, clusters of {cluster}");
                assert_eq!(found[12], 12);
            }
        }
        assert_eq!(
            run(&[("ASK", ONE)], 1, seed).expect("no finding")[..12],
            [1; 12]
        );
    }
}

#[test]
fn findings() {
    // Only one block of the cluster gets the answer; the other waits.
    assert_eq!(run(&[("ASK", ONE)], 2, 1), Err("W0722"));
    // Nobody expects the bytes, so the phase is over before they are there.
    let early = ARRIVE
        .replace("arrive.expect_tx", "arrive")
        .replace(", 16", "");
    assert!(run(&[("ARRIVE", &early)], 1, 1).is_err());
    // The answer is read before the wait.
    let early = format!("{ALL} ld.shared.b128 %answer, [answer];");
    assert_eq!(run(&[("ASK", &early)], 1, 1), Err("W0737"));
    let misplaced = ALL.replace("[answer]", "[answer+8]");
    assert!(run(&[("ASK", &misplaced)], 1, 1).is_err());
}
