use super::*;

const ACCESSES: [Access; 4] = [Access::Load, Access::Store, Access::Rmw, Access::Fence];

#[test]
fn a_swap_carries_the_join_of_its_orders() {
    for success in Ordering::all() {
        for failure in Ordering::all() {
            let carried = Mapping::SOUND.cas(success, failure);
            assert_eq!(carried, success.join(failure), "{success} {failure}");
        }
    }
}

#[test]
fn orders_that_an_access_cannot_have_have_empty_cells() {
    for access in ACCESSES {
        for order in Ordering::all().filter(|order| order.check(access).is_err()) {
            for cells in [&Mapping::SOUND.ordered, &Mapping::SOUND.membar] {
                assert_eq!(cells[access as usize][order as usize], NONE);
            }
        }
    }
}

/// The whole mapping at one scope, one line an access and order.
fn table(sm: &str, version: PtxVersion, scope: Scope) -> String {
    let sm = sm.parse().unwrap();
    let mut text = String::new();
    for access in ACCESSES {
        for order in Ordering::all() {
            if let Ok(lowered) = lower(access, order, scope, sm, version) {
                let row = format!("{access:?} {order}: {lowered}");
                text.push_str(row.trim_end());
                text.push('\n');
            }
        }
    }
    text
}

#[test]
fn mapping_on_sm_90() {
    let expected = "\
Load unordered: ld.relaxed.cluster
Load relaxed: ld.relaxed.cluster
Load consume: ld.acquire.cluster
Load acquire: ld.acquire.cluster
Load seq_cst: fence.sc.cluster; ld.acquire.cluster
Store unordered: st.relaxed.cluster
Store relaxed: st.relaxed.cluster
Store release: st.release.cluster
Store seq_cst: fence.sc.cluster; st.relaxed.cluster
Rmw relaxed: atom.relaxed.cluster
Rmw consume: atom.acquire.cluster
Rmw acquire: atom.acquire.cluster
Rmw release: atom.release.cluster
Rmw acq_rel: atom.acq_rel.cluster
Rmw seq_cst: fence.sc.cluster; atom.acquire.cluster
Fence relaxed:
Fence consume: fence.acquire.cluster
Fence acquire: fence.acquire.cluster
Fence release: fence.release.cluster
Fence acq_rel: fence.acq_rel.cluster
Fence seq_cst: fence.sc.cluster
";
    let table_90 = |version| table("sm_90", version, Scope::Cluster);
    assert_eq!(table_90(PtxVersion::new(8, 6)), expected);
    let older = expected
        .replace("fence.acquire", "fence.acq_rel")
        .replace("fence.release", "fence.acq_rel");
    assert_eq!(table_90(PtxVersion::new(8, 5)), older);
}

#[test]
fn mapping_on_sm_70() {
    let expected = "\
Load unordered: ld.relaxed.gpu
Load relaxed: ld.relaxed.gpu
Load consume: ld.acquire.gpu
Load acquire: ld.acquire.gpu
Load seq_cst: fence.sc.gpu; ld.acquire.gpu
Store unordered: st.relaxed.gpu
Store relaxed: st.relaxed.gpu
Store release: st.release.gpu
Store seq_cst: fence.sc.gpu; st.relaxed.gpu
Rmw relaxed: atom.relaxed.gpu
Rmw consume: atom.acquire.gpu
Rmw acquire: atom.acquire.gpu
Rmw release: atom.release.gpu
Rmw acq_rel: atom.acq_rel.gpu
Rmw seq_cst: fence.sc.gpu; atom.acquire.gpu
Fence relaxed:
Fence consume: fence.acq_rel.gpu
Fence acquire: fence.acq_rel.gpu
Fence release: fence.acq_rel.gpu
Fence acq_rel: fence.acq_rel.gpu
Fence seq_cst: fence.sc.gpu
";
    for scope in [Scope::Gpu, Scope::Cluster] {
        assert_eq!(table("sm_70", PtxVersion::LATEST, scope), expected);
    }
}

#[test]
fn mapping_on_sm_60() {
    let expected = "\
Load unordered: ld.volatile
Load relaxed: ld.volatile
Load consume: ld.volatile; membar.gl
Load acquire: ld.volatile; membar.gl
Load seq_cst: membar.gl; ld.volatile; membar.gl
Store unordered: st.volatile
Store relaxed: st.volatile
Store release: membar.gl; st.volatile
Store seq_cst: membar.gl; st.volatile; membar.gl
Rmw relaxed: atom.gpu
Rmw consume: atom.gpu; membar.gl
Rmw acquire: atom.gpu; membar.gl
Rmw release: membar.gl; atom.gpu
Rmw acq_rel: membar.gl; atom.gpu; membar.gl
Rmw seq_cst: membar.gl; atom.gpu; membar.gl
Fence relaxed:
Fence consume: membar.gl
Fence acquire: membar.gl
Fence release: membar.gl
Fence acq_rel: membar.gl
Fence seq_cst: membar.gl
";
    for scope in [Scope::Gpu, Scope::Cluster] {
        assert_eq!(table("sm_60", PtxVersion::LATEST, scope), expected);
    }
}

#[test]
fn thread_scope_needs_no_fences() {
    for sm in ["sm_60", "sm_70", "sm_90"] {
        let text = table(sm, PtxVersion::LATEST, Scope::Thread);
        assert!(
            !text.contains("membar") && !text.contains("fence."),
            "{text}"
        );
        assert!(!text.contains(".acq") && !text.contains(".rel."), "{text}");
    }
}

/// Whatever is asked, the target and version have what comes out, and no order is lost.
#[test]
fn lowered_is_there_and_strong_enough() {
    for sm in Sm::all() {
        for version in PtxVersion::all().filter(|&v| v >= sm.first_version()) {
            for access in ACCESSES {
                for order in Ordering::all() {
                    for scope in Scope::all() {
                        let Ok(lowered) = lower(access, order, scope, sm, version) else {
                            assert!(order.check(access).is_err());
                            continue;
                        };
                        check(&lowered, order, scope, sm, version);
                    }
                }
            }
        }
    }
}

fn check(lowered: &Lowered, order: Ordering, scope: Scope, sm: Sm, version: PtxVersion) {
    let what = format!("{sm} {version} {order} {scope:?}: {lowered}");
    for fence in [lowered.before, lowered.after].into_iter().flatten() {
        let gate = fence.gate().expect("the fence exists");
        assert_eq!(gate.check(sm, version), Ok(()), "{what}");
        let (Fence::Memory { scope: wide, .. } | Fence::Membar(wide)) = fence else {
            panic!("{what}");
        };
        assert!(wide >= scope, "{what}");
    }
    if let Some(wide) = lowered.scope {
        assert!(wide >= scope, "{what}");
        assert_eq!(wide.gate().check(sm, version), Ok(()), "{what}");
    }
    if scope == Scope::Thread {
        return;
    }
    let strength = |fence: Option<Fence>| match fence {
        Some(Fence::Memory { order, .. }) => order,
        Some(_) => Ordering::SeqCst,
        None => Ordering::Weak,
    };
    let own = lowered.order.unwrap_or(Ordering::Relaxed);
    let (before, after) = (strength(lowered.before), strength(lowered.after));
    let fence = lowered.access == Access::Fence;
    let reads = !matches!(lowered.access, Access::Store);
    let writes = !matches!(lowered.access, Access::Load);
    if order.is_acquire() && reads {
        let acquires = own.is_acquire() || after.is_acquire() || fence && before.is_acquire();
        assert!(acquires, "{what}");
    }
    if order.is_release() && writes {
        assert!(own.is_release() || before.is_release(), "{what}");
    }
    if order == Ordering::SeqCst {
        assert_eq!(before, Ordering::SeqCst, "{what}");
    }
}
