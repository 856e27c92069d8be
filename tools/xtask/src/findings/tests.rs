use super::edits::Kind;
use super::rules;
use super::suite::{Launch, suite};

fn launch() -> Launch {
    Launch {
        kernel: None,
        flags: Vec::new(),
        threads: 32,
        blocks: 2,
        has_clusters: false,
        words: String::new(),
    }
}

/// The mutants of a body: kind, what becomes of it, the whole text.
fn mutants(body: &str) -> Vec<(Kind, String, String, Option<&'static str>)> {
    let text = format!(".visible .entry k() {{ {body} ret; }}");
    let suite = suite("k.ptx", text, vec![launch()]);
    let of = |site: &super::Site| {
        (
            site.kind,
            site.told.clone(),
            site.mutant(&suite.text),
            rules::reason(&suite, site),
        )
    };
    suite.sites.iter().map(of).collect()
}

#[test]
fn each_kind_is_made() {
    for (body, kind, part) in [
        (
            "bar.sync 0; ld.global.u32 %r1, [%rd1];",
            Kind::Barrier,
            "{  ld",
        ),
        ("bar.warp.sync 0xffffffff;", Kind::Mask, "bar.warp.sync 0x"),
        ("membar.gl;", Kind::Scope, "membar.cta;"),
        ("\n.loc 1 2 3\nmembar.gl;", Kind::Fence, ".loc 1 2 3\n ret;"),
        ("fence.sc.gpu;", Kind::Order, "fence.acq_rel.gpu;"),
        ("cp.async.wait_group 1;", Kind::ShortWait, "wait_group 2;"),
        (
            "cp.async.bulk.wait_group 0;",
            Kind::ShortWait,
            "wait_group.read 0;",
        ),
        (
            "L: mbarrier.try_wait.shared.b64 %p, [%r1], %rd1; @!%p bra L;",
            Kind::Wait,
            "setp.eq.u32 %p, 0, 0;",
        ),
        (
            "mov.b32 %r9, -1; shfl.sync.idx.b32 %r1, %r2, 0, 31, %r9;",
            Kind::Mask,
            "31, 0x",
        ),
        (
            "ld.acquire.gpu.global.u32 %r1, [%rd1];",
            Kind::Order,
            "ld.relaxed.gpu.global.u32",
        ),
        (
            "ld.acquire.gpu.global.u32 %r1, [%rd1];",
            Kind::Strength,
            "ld.global.u32",
        ),
        (
            "@%p red.global.add.u32 [%rd1], 1;",
            Kind::Atomic,
            "@%p st.global.u32 [%rd1], %wm_new;",
        ),
        (
            "red.global.add.u32 [%rd1], 1;",
            Kind::Scope,
            "red.relaxed.cta.global.add.u32",
        ),
        (
            "barrier.cluster.arrive; barrier.cluster.wait;",
            Kind::ClusterBarrier,
            "{   ret;",
        ),
    ] {
        let all = mutants(body);
        assert!(
            all.iter()
                .any(|(k, _, text, _)| *k == kind && text.contains(part)),
            "{body}: {all:?}"
        );
    }
}

#[test]
fn rules_hold_only_with_nothing_between() {
    for (body, is_equivalent) in [
        (
            "bar.sync 0; add.u32 %r1, %r2, 1; bar.sync 0; ld.global.u32 %r1, [%rd1];",
            true,
        ),
        (
            "bar.sync 0; st.shared.u32 [%r1], 1; bar.sync 0; ld.global.u32 %r1, [%rd1];",
            false,
        ),
        (
            "bar.sync 0; L: bar.sync 0; ld.global.u32 %r1, [%rd1];",
            false,
        ),
        (
            "st.shared.u32 [%r1], 1; bar.sync 0; add.u32 %r1, %r2, 1;",
            true,
        ),
        ("bar.sync 1, 64; add.u32 %r1, %r2, 1;", false),
    ] {
        let all = mutants(body);
        let first = all
            .iter()
            .find(|one| one.0 == Kind::Barrier)
            .expect("a mutant");
        assert_eq!(first.3.is_some(), is_equivalent, "{body}");
    }
    for (body, is_equivalent) in [
        ("membar.gl; fence.sc.gpu; st.global.u32 [%rd1], 1;", true),
        (
            "membar.gl; fence.acq_rel.gpu; st.global.u32 [%rd1], 1;",
            false,
        ),
        ("membar.gl; bar.sync 0; st.global.u32 [%rd1], 1;", false),
        ("membar.cta; bar.sync 0; st.global.u32 [%rd1], 1;", true),
    ] {
        let all = mutants(body);
        let first = all
            .iter()
            .find(|one| one.0 == Kind::Fence)
            .expect("a mutant");
        assert_eq!(first.3.is_some(), is_equivalent, "{body}");
    }
}
