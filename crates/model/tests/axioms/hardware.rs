//! What a GPU showed against what the model allows: the outcomes of litmus tests that were counted on an H200.
//!
//! Each row of the table is a shape with the orders of a style at a scope. The same program is mapped to PTX and all its
//! executions are enumerated: every outcome that was seen must be one of them, and one that the table calls forbidden must
//! not be.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use warpc_model::axioms::{
    Inst, Limits, Location, MemoryProxy, Operand, Operation, Place, Program, Rmw, Thread,
    ValueType, Version, explore,
};
use warpc_model::{Access, Fence, Ordering, Scope, lower};
use warpc_target::PtxVersion;
use warpc_testkit::project::root;

use Event::{R, ReadDataIf, W, WriteData};
use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst, Weak};

/// An access of a shape: writes with a value, reads with a register.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    W(usize, u64),
    R(usize, usize),
    /// Without an order.
    WriteData(usize, u64),
    /// Without an order, if the register of the read before holds one; otherwise the register holds three.
    ReadDataIf(usize, usize, usize),
}

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// The name, the threads, and the outcome that only weak memory has, as the table writes it; `?` stands for any value.
type Shape = (&'static str, &'static [&'static [Event]], &'static str);

const SHAPES: [Shape; 13] = [
    ("CoRR", &[&[W(X, 1)], &[R(X, 0), R(X, 1)]], "1,0 x=? y=?"),
    ("CoWW", &[&[W(X, 1), W(X, 2)], &[R(X, 0)]], "? x=1 y=?"),
    (
        "MP",
        &[&[W(X, 1), W(Y, 1)], &[R(Y, 0), R(X, 1)]],
        "1,0 x=? y=?",
    ),
    (
        "MP-data",
        &[&[WriteData(X, 1), W(Y, 1)], &[R(Y, 0), ReadDataIf(X, 1, 0)]],
        "1,0 x=? y=?",
    ),
    (
        "LB",
        &[&[R(X, 0), W(Y, 1)], &[R(Y, 1), W(X, 1)]],
        "1,1 x=? y=?",
    ),
    (
        "S",
        &[&[W(X, 2), W(Y, 1)], &[R(Y, 0), W(X, 1)]],
        "1 x=2 y=?",
    ),
    (
        "WRC",
        &[&[W(X, 1)], &[R(X, 0), W(Y, 1)], &[R(Y, 1), R(X, 2)]],
        "1,1,0 x=? y=?",
    ),
    (
        "ISA2",
        &[
            &[W(X, 1), W(Y, 1)],
            &[R(Y, 0), W(Z, 1)],
            &[R(Z, 1), R(X, 2)],
        ],
        "1,1,0 x=? y=?",
    ),
    (
        "ISA2-data",
        &[
            &[WriteData(X, 1), W(Y, 1)],
            &[R(Y, 0), W(Z, 1)],
            &[R(Z, 1), ReadDataIf(X, 2, 1)],
        ],
        "1,1,0 x=? y=?",
    ),
    (
        "SB",
        &[&[W(X, 1), R(Y, 0)], &[W(Y, 1), R(X, 1)]],
        "0,0 x=? y=?",
    ),
    (
        "R",
        &[&[W(X, 1), W(Y, 1)], &[W(Y, 2), R(X, 0)]],
        "0 x=? y=2",
    ),
    (
        "2+2W",
        &[&[W(X, 1), W(Y, 2)], &[W(Y, 1), W(X, 2)]],
        " x=1 y=1",
    ),
    (
        "IRIW",
        &[
            &[W(X, 1)],
            &[W(Y, 1)],
            &[R(X, 0), R(Y, 1)],
            &[R(Y, 2), R(X, 3)],
        ],
        "1,0,1,0 x=? y=?",
    ),
];

/// How accesses are written: orders of stores and loads, whether both are atomics, and what stands between them.
struct Style {
    name: &'static str,
    store: Ordering,
    load: Ordering,
    is_rmw: bool,
    between: Between,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    Nothing,
    Fence(Ordering),
    /// A release fence between writes, an acquire fence between reads, both otherwise.
    ByNeed,
}

const fn style(
    name: &'static str,
    store: Ordering,
    load: Ordering,
    is_rmw: bool,
    between: Between,
) -> Style {
    Style {
        name,
        store,
        load,
        is_rmw,
        between,
    }
}

const STYLES: [Style; 13] = [
    style("relaxed", Relaxed, Relaxed, false, Between::Nothing),
    style("rmw-relaxed", Relaxed, Relaxed, true, Between::Nothing),
    style("release-only", Release, Relaxed, false, Between::Nothing),
    style("acquire-only", Relaxed, Acquire, false, Between::Nothing),
    style("release-acquire", Release, Acquire, false, Between::Nothing),
    style(
        "fence-acq-rel",
        Relaxed,
        Relaxed,
        false,
        Between::Fence(AcqRel),
    ),
    style("fence-by-need", Relaxed, Relaxed, false, Between::ByNeed),
    style("seq-cst-stores", SeqCst, Acquire, false, Between::Nothing),
    style("seq-cst-loads", Release, SeqCst, false, Between::Nothing),
    style("rmw-acq-rel", AcqRel, AcqRel, true, Between::Nothing),
    style("rmw-seq-cst", SeqCst, SeqCst, true, Between::Nothing),
    style("seq-cst", SeqCst, SeqCst, false, Between::Nothing),
    style(
        "fence-seq-cst",
        Relaxed,
        Relaxed,
        false,
        Between::Fence(SeqCst),
    ),
];

/// The scope, and where threads are.
fn range(name: &str) -> (Scope, fn(u32) -> Place) {
    let block = |_| Place::default();
    let cluster = |thread| Place {
        cta: thread,
        ..Place::default()
    };
    let grid = |thread| Place {
        cta: thread,
        cluster: thread,
        ..Place::default()
    };
    match name {
        "cta" => (Scope::Cta, block),
        "cluster" => (Scope::Cluster, cluster),
        "gpu" => (Scope::Gpu, grid),
        "sys" => (Scope::Sys, grid),
        "cta-in-cluster" => (Scope::Cta, cluster),
        "cta-in-gpu" => (Scope::Cta, grid),
        other => panic!("{other}"),
    }
}

fn fence(fence: Option<Fence>) -> Option<Inst> {
    match fence? {
        Fence::Memory { order, scope } => Some(Inst::Fence { order, scope }),
        other => panic!("{other}"),
    }
}

/// An access after the mapping: `sm_90`, as the table was made.
fn access(
    kind: Access,
    order: Ordering,
    scope: Scope,
    make: impl Fn(Ordering, Scope) -> Inst,
) -> Vec<Inst> {
    let sm = "sm_90".parse().expect("a chip");
    let lowered = lower(kind, order, scope, sm, PtxVersion::new(8, 6)).expect("a legal order");
    let mut code: Vec<Inst> = fence(lowered.before).into_iter().collect();
    if kind != Access::Fence {
        let (order, scope) = (lowered.order.expect("one"), lowered.scope.expect("one"));
        code.push(make(order, scope));
    }
    code.extend(fence(lowered.after));
    code
}

fn load(to: usize, location: usize, order: Ordering, scope: Scope) -> Inst {
    Inst::Load {
        to,
        location,
        order,
        scope,
        proxy: MemoryProxy::Generic,
        kind: ValueType::S64,
    }
}

fn store(location: usize, value: u64, order: Ordering, scope: Scope) -> Inst {
    Inst::Store {
        location,
        value: Operand::Constant(value),
        order,
        scope,
        proxy: MemoryProxy::Generic,
        kind: ValueType::S64,
    }
}

fn update(to: Option<usize>, location: usize, value: u64, order: Ordering, scope: Scope) -> Inst {
    let operation = match to {
        // A read is the sum with zero, a write an exchange.
        Some(_) => Operation::Add,
        None => Operation::Second,
    };
    Inst::Atomic {
        to,
        location,
        operation: Rmw::Apply(operation, Operand::Constant(value)),
        order,
        scope,
        proxy: MemoryProxy::Generic,
        kind: ValueType::S64,
    }
}

fn code(events: &[Event], style: &Style, scope: Scope) -> Vec<Inst> {
    let mut code = Vec::new();
    let writes = |event: &Event| matches!(event, W(..) | WriteData(..));
    for (at, event) in events.iter().enumerate() {
        let order = match style.between {
            _ if at == 0 => None,
            Between::Nothing => None,
            Between::Fence(order) => Some(order),
            Between::ByNeed => Some(match (writes(&events[at - 1]), writes(event)) {
                (true, true) => Release,
                (false, false) => Acquire,
                _ => AcqRel,
            }),
        };
        if let Some(order) = order {
            code.extend(access(Access::Fence, order, scope, |_, _| Inst::Jump(0)));
        }
        match *event {
            W(location, value) if style.is_rmw => {
                code.extend(access(Access::Rmw, style.store, scope, |order, scope| {
                    update(None, location, value, order, scope)
                }));
            }
            W(location, value) => {
                code.extend(access(Access::Store, style.store, scope, |order, scope| {
                    store(location, value, order, scope)
                }));
            }
            R(location, to) if style.is_rmw => {
                code.extend(access(Access::Rmw, style.load, scope, |order, scope| {
                    update(Some(to), location, 0, order, scope)
                }));
            }
            R(location, to) => {
                code.extend(access(Access::Load, style.load, scope, |order, scope| {
                    load(to, location, order, scope)
                }));
            }
            WriteData(location, value) => code.push(store(location, value, Weak, Scope::Thread)),
            ReadDataIf(location, to, condition) => {
                let constant = |value| Inst::Compute {
                    to,
                    operation: Operation::Second,
                    a: Operand::Constant(value),
                    b: Operand::Constant(value),
                    kind: ValueType::S64,
                };
                code.push(constant(3));
                code.push(Inst::Branch {
                    operation: Operation::Ne,
                    a: Operand::Register(condition),
                    b: Operand::Constant(1),
                    kind: ValueType::S64,
                    target: code.len() + 2,
                });
                code.push(load(to, location, Weak, Scope::Thread));
            }
        }
    }
    code
}

/// All outcomes that a model allows, as the table writes them: `1,0 x=1 y=1`.
fn outcomes(shape: &Shape, style: &Style, range_name: &str, version: Version) -> BTreeSet<String> {
    let (scope, place) = range(range_name);
    let threads = shape.1.iter().zip(0..).map(|(events, thread)| Thread {
        place: place(thread),
        code: code(events, style, scope),
        registers: vec![0; 4],
    });
    let locations = (0..3).map(|location| Location {
        memory: location,
        address: location,
        initial: 0,
    });
    let program = Program {
        threads: threads.collect(),
        locations: locations.collect(),
    };
    let reads: Vec<(usize, usize)> = shape
        .1
        .iter()
        .enumerate()
        .flat_map(|(thread, events)| events.iter().map(move |event| (thread, event)))
        .filter_map(|(thread, event)| match *event {
            R(_, to) | ReadDataIf(_, to, _) => Some((to, thread)),
            _ => None,
        })
        .collect::<std::collections::BTreeMap<_, _>>()
        .into_iter()
        .collect();
    let mut found = BTreeSet::new();
    explore(
        &program,
        version,
        Limits::default(),
        &mut |_| true,
        &mut |execution| {
            let last = |memory: usize| -> Vec<u64> {
                let values: Vec<u64> = execution
                    .last_writes(memory)
                    .filter_map(|write| execution.values[write])
                    .collect();
                if values.is_empty() { vec![0] } else { values }
            };
            let registers: Vec<String> = reads
                .iter()
                .map(|&(to, thread)| execution.registers[thread][to].to_string())
                .collect();
            for x in last(X) {
                for y in last(Y) {
                    found.insert(format!("{} x={x} y={y}", registers.join(",")));
                }
            }
            ControlFlow::Continue(())
        },
    )
    .expect("shapes are small");
    found
}

/// Whether an outcome is one that a pattern stands for.
fn fits(pattern: &str, outcome: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let words = text.split([',', ' ', '=']).map(str::to_string);
        words.collect()
    };
    let (pattern, outcome) = (parts(pattern), parts(outcome));
    let both = pattern.iter().zip(&outcome);
    pattern.len() == outcome.len() && both.into_iter().all(|(want, is)| want == "?" || want == is)
}

#[test]
fn nothing_was_seen_that_the_model_forbids() {
    let path = root().join("tests/hardware/litmus.tsv.gz");
    let text = warpc_testkit::gzip::read_text(path);
    let (mut rows, mut seen, mut forbidden) = (0, 0, 0);
    for line in text.lines().skip(2) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, range, style, ..] = fields[..] else {
            panic!("{line}");
        };
        let shape = SHAPES.iter().find(|shape| shape.0 == name).expect(name);
        let style = STYLES
            .iter()
            .find(|known| known.name == style)
            .expect(style);
        let observed: Vec<&str> = fields[6]
            .split("; ")
            .filter_map(|one| one.split(": ").next())
            .collect();
        for version in [Version::V6_0, Version::V7_5] {
            let allowed = outcomes(shape, style, range, version);
            for outcome in &observed {
                assert!(
                    allowed.contains(*outcome),
                    "{version:?} forbids {outcome}: {line}\nallowed: {allowed:?}"
                );
            }
            seen += observed.len();
            // Scopes that are too narrow promise nothing, and the table says so.
            if fields[3] == "forbidden" {
                let weak = allowed.iter().find(|outcome| fits(shape.2, outcome));
                assert_eq!(weak, None, "{version:?} allows it: {line}");
            }
        }
        rows += 1;
        forbidden += usize::from(fields[3] == "forbidden");
    }
    assert_eq!((rows, forbidden), (1014, 420));
    assert!(seen > 4000, "{seen}");
}
