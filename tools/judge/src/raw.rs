//! PTX written by hand whose strength is known: what the judge of machine code must say of it.
//!
//! The weak ones are the mistakes that a compiler can make, and forms that ptxas itself gets wrong. The machine code
//! that ptxas made of all of them is kept in `tests/oracle`, so that the judge can be asked without ptxas.

use crate::asked::{Operation, Order, Reach, Target, Type};
use crate::door::{Door, Site, Written, case};
use std::fmt::Write;

/// Which chips a line is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chips {
    /// All of them.
    All,
    /// Those with clusters.
    Clusters,
    /// Those without.
    NoClusters,
}

impl Chips {
    /// Whether a chip is one of them.
    pub fn have(self, target: Target) -> bool {
        match self {
            Chips::All => true,
            Chips::Clusters => target.sm >= 90,
            Chips::NoClusters => target.sm < 90,
        }
    }
}

/// A kernel, what it is taken for, and whether it is that.
#[derive(Clone, Debug)]
pub struct Raw {
    /// The instructions: `%rd3` is the address, `%rd4` and `%rd5`, `%r4` and `%r5`, `%f4`, `%fd4` the values.
    pub ptx: String,
    /// What it is taken for.
    pub asked: Written,
    /// On which chips.
    pub chips: Chips,
    /// Whether it keeps what is asked for.
    pub keeps: bool,
}

fn raw(chips: Chips, keeps: bool, site: Site, asked: Asked, ptx: &str) -> Raw {
    let Asked(operation, ty, order, reach) = asked;
    let asked = case(operation, ty, order, reach, site);
    Raw {
        ptx: ptx.to_owned(),
        asked: Written::new(Door::Inline, site, asked, ptx.to_owned()),
        chips,
        keeps,
    }
}

/// What a kernel is taken for.
#[derive(Clone, Copy)]
struct Asked(Operation, Type, Order, Reach);

const FADD: Operation = Operation::Rmw("fadd");
const ADD: Operation = Operation::Rmw("add");
const AND: Operation = Operation::Rmw("and");

/// A loop of swaps, in a space, between fences.
fn and_loop(space: &str) -> String {
    format!(
        "ld.relaxed.cluster{space}.b64 %rd9, [%rd3];\nLOOP: and.b64 %rd10, %rd9, %rd4;\n\
         atom.relaxed.cluster{space}.cas.b64 %rd12, [%rd3], %rd9, %rd10;\n\
         setp.ne.b64 %p1, %rd12, %rd9;\nmov.b64 %rd9, %rd12;\n@%p1 bra LOOP;"
    )
}

/// The kernels.
pub fn kernels() -> Vec<Raw> {
    let mut all = Vec::new();
    integers(&mut all);
    lost_by_ptxas(&mut all);
    mistakes(&mut all);
    all
}

/// Forms that ptxas gets right, at all orders and scopes.
fn integers(all: &mut Vec<Raw>) {
    let orders = [
        (Order::Monotonic, "relaxed", ""),
        (Order::Acquire, "acquire", ""),
        (Order::Release, "release", ""),
        (Order::AcqRel, "acq_rel", ""),
        (Order::SeqCst, "acquire", "fence.sc."),
    ];
    let scopes = [
        (Reach::Cta, "cta"),
        (Reach::Gpu, "gpu"),
        (Reach::Sys, "sys"),
    ];
    let sites = [
        (Site::Global, ".global"),
        (Site::Shared, ".shared"),
        (Site::Unknown, ""),
    ];
    for (order, word, fence) in orders {
        for (reach, scope) in scopes {
            for (site, space) in sites {
                let first = match fence {
                    "" => String::new(),
                    fence => format!("{fence}{scope}; "),
                };
                let atom = format!("{first}atom.{word}.{scope}{space}.add.u32 %r9, [%rd3], %r4;");
                let asked = Asked(ADD, Type::I32, order, reach);
                all.push(raw(Chips::All, true, site, asked, &atom));
                let swap = Operation::Swap {
                    weak: false,
                    failure: Order::Monotonic,
                };
                let atom =
                    format!("{first}atom.{word}.{scope}{space}.cas.b64 %rd9, [%rd3], %rd4, %rd5;");
                let asked = Asked(swap, Type::I64, order, reach);
                all.push(raw(Chips::All, true, site, asked, &atom));
                if matches!(order, Order::Monotonic | Order::Acquire | Order::SeqCst) {
                    let load = format!("{first}ld.{word}.{scope}{space}.b32 %r9, [%rd3];");
                    let asked = Asked(Operation::Load, Type::I32, order, reach);
                    all.push(raw(Chips::All, true, site, asked, &load));
                }
                if matches!(order, Order::Monotonic | Order::Release) {
                    let store = format!("st.{word}.{scope}{space}.b32 [%rd3], %r4;");
                    let asked = Asked(Operation::Store, Type::I32, order, reach);
                    all.push(raw(Chips::All, true, site, asked, &store));
                }
            }
        }
    }
    for (reach, scope) in scopes {
        for (order, word) in [(Order::AcqRel, "acq_rel"), (Order::SeqCst, "sc")] {
            let asked = Asked(Operation::Fence, Type::I32, order, reach);
            let fence = format!("fence.{word}.{scope};");
            all.push(raw(Chips::All, true, Site::Global, asked, &fence));
        }
    }
}

/// Forms that ptxas makes weaker than they say, and how they can be written.
fn lost_by_ptxas(all: &mut Vec<Raw>) {
    use Chips::{Clusters, NoClusters};
    let acq_rel = |ty, reach| Asked(FADD, ty, Order::AcqRel, reach);
    // The order of loops in shared memory.
    for (ty, name, value) in [
        (Type::Float, "f32", "%f9, [%rd3], %f4"),
        (Type::Double, "f64", "%fd9, [%rd3], %fd4"),
    ] {
        for (order, reach, words) in [
            (Order::AcqRel, Reach::Gpu, "acq_rel.gpu"),
            (Order::Acquire, Reach::Sys, "acquire.sys"),
            (Order::Release, Reach::Cta, "release.cta"),
            (Order::Release, Reach::Gpu, "release.gpu"),
        ] {
            let atom = format!("atom.{words}.shared.add.{name} {value};");
            let asked = Asked(FADD, ty, order, reach);
            all.push(raw(Clusters, false, Site::Shared, asked, &atom));
            all.push(raw(NoClusters, true, Site::Shared, asked, &atom));
        }
        let fenced = format!(
            "fence.acq_rel.gpu; atom.relaxed.gpu.shared.add.{name} {value}; fence.acq_rel.gpu;"
        );
        all.push(raw(
            Clusters,
            true,
            Site::Shared,
            acq_rel(ty, Reach::Gpu),
            &fenced,
        ));
        // The loop comes after what was meant to follow it.
        let atom = format!("atom.acquire.gpu.add.{name} {value};");
        let asked = Asked(FADD, ty, Order::Acquire, Reach::Gpu);
        all.push(raw(Clusters, false, Site::Unknown, asked, &atom));
        let fenced = format!("{atom} fence.acq_rel.gpu;");
        all.push(raw(Clusters, true, Site::Unknown, asked, &fenced));
    }
    // Nobody waits for what nobody uses: `fence.acquire` waits for results alone.
    let unused = Asked(FADD, Type::Double, Order::Acquire, Reach::Gpu);
    let atom = "atom.relaxed.gpu.add.f64 %fd10, [%rd3], %fd4;";
    let acquire = format!("{atom} fence.acquire.gpu;");
    all.push(raw(Clusters, false, Site::Unknown, unused, &acquire));
    let used = acquire.replace("%fd10", "%fd9");
    all.push(raw(Clusters, true, Site::Unknown, unused, &used));
    let fenced = format!("{atom} fence.acq_rel.gpu;");
    all.push(raw(Clusters, true, Site::Unknown, unused, &fenced));
    // What is not atomic in the shared memory of another block.
    for (word, spelled) in [
        ("and", "and.b64"),
        ("or", "or.b64"),
        ("xor", "xor.b64"),
        ("umin", "min.u64"),
        ("max", "max.s64"),
    ] {
        let asked = Asked(
            Operation::Rmw(word),
            Type::I64,
            Order::Monotonic,
            Reach::Cluster,
        );
        let atom = format!("atom.relaxed.cluster.shared::cluster.{spelled} %rd9, [%rd3], %rd4;");
        all.push(raw(Clusters, false, Site::Cluster, asked, &atom));
        let atom = format!("atom.relaxed.cluster.{spelled} %rd9, [%rd3], %rd4;");
        all.push(raw(Clusters, false, Site::ClusterGeneric, asked, &atom));
        all.push(raw(Clusters, false, Site::Unknown, asked, &atom));
        let asked = Asked(
            Operation::Rmw(word),
            Type::I64,
            Order::Monotonic,
            Reach::Gpu,
        );
        let atom = format!("atom.relaxed.gpu.{spelled} %rd9, [%rd3], %rd4;");
        all.push(raw(NoClusters, true, Site::Unknown, asked, &atom));
        all.push(raw(Chips::All, true, Site::Parameter, asked, &atom));
    }
    let pairs = Asked(FADD, Type::Half2, Order::Monotonic, Reach::Cluster);
    let atom = "atom.relaxed.cluster.shared::cluster.add.noftz.f16x2 %r9, [%rd3], %r4;";
    all.push(raw(Clusters, false, Site::Cluster, pairs, atom));
    let and = Asked(AND, Type::I64, Order::Monotonic, Reach::Cluster);
    all.push(raw(
        Clusters,
        true,
        Site::Cluster,
        and,
        &and_loop(".shared::cluster"),
    ));
    // Another block's memory by a loop, everything else by the instruction.
    let tested = |first: &str| {
        format!(
            "{first}@!%p1 bra PLAIN;\n{}\nbra DONE;\nPLAIN: atom.relaxed.cluster.and.b64 %rd9, [%rd3], %rd4;\nDONE:",
            and_loop("")
        )
    };
    let right = tested(
        "isspacep.shared::cluster %p1, %rd3; isspacep.shared::cta %p2, %rd3; not.pred %p2, %p2; and.pred %p1, %p1, %p2;\n",
    );
    all.push(raw(Clusters, true, Site::Unknown, and, &right));
    let wrong = tested("isspacep.shared::cta %p1, %rd3;\n");
    all.push(raw(Clusters, false, Site::Unknown, and, &wrong));
    // Sums and swaps of 64 bits are.
    let sum = Asked(ADD, Type::I64, Order::Monotonic, Reach::Cluster);
    let atom = "atom.relaxed.cluster.shared::cluster.add.u64 %rd9, [%rd3], %rd4;";
    all.push(raw(Clusters, true, Site::Cluster, sum, atom));
}

/// Mistakes of a compiler: an order, a scope, a fence or a space that is not what was asked for.
fn mistakes(all: &mut Vec<Raw>) {
    let mut wrong = |chips, site, asked, ptx: &str| all.push(raw(chips, false, site, asked, ptx));
    let add = |order, reach| Asked(ADD, Type::I32, order, reach);
    for (site, space) in [
        (Site::Global, ".global"),
        (Site::Shared, ".shared"),
        (Site::Parameter, ""),
    ] {
        let atom = |words: &str| format!("{words}{space}.add.u32 %r9, [%rd3], %r4;");
        let clusters = match site {
            Site::Shared => Chips::Clusters,
            _ => Chips::All,
        };
        // The order is lost.
        let relaxed = atom("atom.relaxed.gpu");
        wrong(clusters, site, add(Order::Acquire, Reach::Gpu), &relaxed);
        wrong(Chips::All, site, add(Order::Release, Reach::Gpu), &relaxed);
        wrong(Chips::All, site, add(Order::AcqRel, Reach::Gpu), &relaxed);
        // A half of it is.
        wrong(
            clusters,
            site,
            add(Order::AcqRel, Reach::Gpu),
            &atom("atom.release.gpu"),
        );
        wrong(
            Chips::All,
            site,
            add(Order::AcqRel, Reach::Gpu),
            &atom("atom.acquire.gpu"),
        );
        // The scope is narrowed.
        wrong(
            Chips::All,
            site,
            add(Order::AcqRel, Reach::Gpu),
            &atom("atom.acq_rel.cta"),
        );
        wrong(
            Chips::All,
            site,
            add(Order::Release, Reach::Sys),
            &atom("atom.release.gpu"),
        );
        // The fence is missing, weaker, narrower, or stands after.
        let sc = add(Order::SeqCst, Reach::Gpu);
        let acquire = atom("atom.acquire.gpu");
        wrong(Chips::All, site, sc, &acquire);
        for fence in ["fence.acq_rel.gpu", "fence.sc.cta"] {
            wrong(Chips::All, site, sc, &format!("{fence}; {acquire}"));
        }
        wrong(Chips::All, site, sc, &format!("{acquire} fence.sc.gpu;"));
        let after = format!("{relaxed} fence.acq_rel.gpu;");
        wrong(Chips::All, site, add(Order::Release, Reach::Gpu), &after);
        let before = format!("fence.acq_rel.gpu; {relaxed}");
        wrong(clusters, site, add(Order::Acquire, Reach::Gpu), &before);
    }
    let relaxed = add(Order::Monotonic, Reach::Sys);
    wrong(
        Chips::All,
        Site::Global,
        relaxed,
        "atom.relaxed.gpu.global.add.u32 %r9, [%rd3], %r4;",
    );
    // Not atomic.
    let plain = "ld.relaxed.sys.global.u32 %r9, [%rd3]; add.u32 %r10, %r9, %r4; st.relaxed.sys.global.u32 [%rd3], %r10;";
    wrong(Chips::All, Site::Global, relaxed, plain);
    wrong(
        Chips::All,
        Site::Shared,
        relaxed,
        &plain.replace("global", "shared"),
    );
    wrong(Chips::All, Site::Global, relaxed, "");
    let twice = "atom.relaxed.sys.global.add.u32 %r9, [%rd3], %r4;";
    wrong(
        Chips::All,
        Site::Global,
        relaxed,
        &format!("{twice}{twice}"),
    );
    wrong(
        Chips::All,
        Site::Global,
        relaxed,
        &twice.replace("add", "max"),
    );
    // A reduction reads nothing that could be acquired.
    let red = "red.relaxed.gpu.global.add.u32 [%rd3], %r4;";
    wrong(
        Chips::All,
        Site::Global,
        add(Order::Acquire, Reach::Gpu),
        red,
    );
    // Another space.
    let space = "atom.relaxed.sys.shared.add.u32 %r9, [%rd3], %r4;";
    wrong(Chips::All, Site::Global, relaxed, space);
    wrong(Chips::All, Site::Unknown, relaxed, space);
    wrong(Chips::Clusters, Site::Cluster, relaxed, space);
    wrong(
        Chips::Clusters,
        Site::ClusterGeneric,
        relaxed,
        &space.replace("shared", "global"),
    );
    wrong(
        Chips::All,
        Site::Unknown,
        relaxed,
        &space.replace("shared", "global"),
    );
    // Loads, stores and fences.
    let load = |order, reach| Asked(Operation::Load, Type::I32, order, reach);
    let store = |order, reach| Asked(Operation::Store, Type::I32, order, reach);
    wrong(
        Chips::All,
        Site::Global,
        load(Order::Monotonic, Reach::Gpu),
        "ld.global.b32 %r9, [%rd3];",
    );
    wrong(
        Chips::All,
        Site::Global,
        load(Order::Acquire, Reach::Gpu),
        "ld.relaxed.gpu.global.b32 %r9, [%rd3];",
    );
    wrong(
        Chips::All,
        Site::Global,
        load(Order::Acquire, Reach::Sys),
        "ld.acquire.gpu.global.b32 %r9, [%rd3];",
    );
    wrong(
        Chips::All,
        Site::Global,
        load(Order::SeqCst, Reach::Gpu),
        "ld.acquire.gpu.global.b32 %r9, [%rd3];",
    );
    wrong(
        Chips::All,
        Site::Global,
        store(Order::Monotonic, Reach::Gpu),
        "st.global.b32 [%rd3], %r4;",
    );
    wrong(
        Chips::All,
        Site::Global,
        store(Order::Release, Reach::Gpu),
        "st.relaxed.gpu.global.b32 [%rd3], %r4;",
    );
    wrong(
        Chips::All,
        Site::Global,
        store(Order::SeqCst, Reach::Gpu),
        "st.release.gpu.global.b32 [%rd3], %r4;",
    );
    let fence = |order, reach| Asked(Operation::Fence, Type::I32, order, reach);
    wrong(
        Chips::All,
        Site::Global,
        fence(Order::AcqRel, Reach::Gpu),
        "fence.acq_rel.cta;",
    );
    wrong(
        Chips::All,
        Site::Global,
        fence(Order::AcqRel, Reach::Sys),
        "fence.acq_rel.gpu;",
    );
    wrong(
        Chips::All,
        Site::Global,
        fence(Order::SeqCst, Reach::Gpu),
        "fence.acq_rel.gpu;",
    );
    wrong(
        Chips::All,
        Site::Global,
        fence(Order::AcqRel, Reach::Gpu),
        "",
    );
    wrong(
        Chips::Clusters,
        Site::Global,
        fence(Order::AcqRel, Reach::Cluster),
        "fence.acquire.cluster;",
    );
    wrong(
        Chips::Clusters,
        Site::Global,
        fence(Order::AcqRel, Reach::Cluster),
        "fence.release.cluster;",
    );
}

/// The kernels for a chip.
pub fn for_chip(target: Target) -> Vec<Raw> {
    let mut kernels = kernels();
    kernels.retain(|raw| raw.chips.have(target));
    kernels
}

/// A module of kernels `k0`, `k1` ….
pub fn module(kernels: &[Raw], target: Target) -> String {
    let mut text = format!(".version 8.8\n.target sm_{}\n.address_size 64\n", target.sm);
    for (number, raw) in kernels.iter().enumerate() {
        let pointer = match raw.asked.site {
            Site::Unknown => "ld.global.b64 %rd3, [%rd6];",
            _ => "mov.b64 %rd3, %rd6;",
        };
        let results = ["%r9", "%rd9", "%f9", "%fd9"]
            .into_iter()
            .filter_map(|name| {
                let bits = match name {
                    "%rd9" | "%fd9" => 64,
                    _ => 32,
                };
                let is_written = raw.ptx.contains(&format!("{name},"));
                is_written.then(|| format!("st.global.b{bits} [%rd2+192], {name};\n"))
            });
        let results: String = results.collect();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n.visible .entry k{number}(.param .b64 a, .param .b64 b, .param .b64 q, .param .b64 v)\n{{\n\
             .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .f32 %f<16>; .reg .f64 %fd<16>;\n\
             ld.param.b64 %rd1, [a]; ld.param.b64 %rd2, [b]; ld.param.b64 %rd6, [q]; ld.param.b64 %rd7, [v];\n\
             st.global.b32 [%rd1], 1; ld.global.b32 %r1, [%rd1+64];\n{pointer}\n\
             mov.u32 %r2, %tid.x; mul.wide.u32 %rd8, %r2, 16; add.s64 %rd3, %rd3, %rd8;\n\
             ld.global.b64 %rd4, [%rd7]; ld.global.b64 %rd5, [%rd7+32]; ld.global.b32 %r4, [%rd7+64];\n\
             ld.global.f32 %f4, [%rd7+128]; ld.global.f64 %fd4, [%rd7+160];\n{}\n\
             ld.global.b32 %r3, [%rd2]; st.global.b32 [%rd2+64], %r1; st.global.b32 [%rd2+128], %r3;\n{results}ret;\n}}\n",
            raw.ptx
        );
    }
    text
}
