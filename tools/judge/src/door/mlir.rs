//! MLIR: the kernels, and the atomics of its `llvm` and `nvvm` dialects.

use crate::asked::{Case, Operation, Order, Reach, Space, Type};
use crate::door::{Door, Site, Written, case, instruction};
use std::fmt::Write;

fn pointer(space: Space) -> String {
    match space.number() {
        0 => "!llvm.ptr".to_owned(),
        space => format!("!llvm.ptr<{space}>"),
    }
}

fn text(ty: Type) -> &'static str {
    match ty {
        Type::Ptr => "!llvm.ptr",
        Type::Half => "f16",
        Type::BFloat => "bf16",
        Type::Float => "f32",
        Type::Double => "f64",
        Type::Half2 => "vector<2xf16>",
        Type::BFloat2 => "vector<2xbf16>",
        integer => integer.text(),
    }
}

/// A module with a kernel `c0`, `c1` … for each case, and where each begins.
pub fn module(cases: &[&Written]) -> (String, Vec<usize>) {
    let mut out =
        String::from("module attributes {llvm.target_triple = \"nvptx64-nvidia-cuda\"} {\n");
    let mut starts = Vec::with_capacity(cases.len());
    for (number, case) in cases.iter().enumerate() {
        starts.push(out.len());
        kernel(&mut out, number, case);
    }
    out.push_str("}\n");
    (out, starts)
}

fn kernel(out: &mut String, number: usize, case: &Written) {
    let native = pointer(case.site.space());
    let (parameter, origin) = match case.site {
        Site::Unknown => (
            "!llvm.ptr<1>",
            "    %p0 = llvm.load %q : !llvm.ptr<1> -> !llvm.ptr\n".to_owned(),
        ),
        Site::Parameter | Site::Global | Site::Shared => (
            native.as_str(),
            format!("    %p0 = llvm.getelementptr %q[0] : ({native}) -> {native}, i8\n"),
        ),
        Site::Cluster => (
            "!llvm.ptr<3>",
            "    %rank = llvm.mlir.constant(1 : i32) : i32\n\
             \x20   %p0 = nvvm.mapa %q, %rank : !llvm.ptr<3> -> !llvm.ptr<7>\n"
                .to_owned(),
        ),
        Site::ClusterGeneric => (
            "!llvm.ptr<3>",
            "    %rank = llvm.mlir.constant(1 : i32) : i32\n\
             \x20   %q0 = llvm.addrspacecast %q : !llvm.ptr<3> to !llvm.ptr\n\
             \x20   %p0 = nvvm.mapa %q0, %rank : !llvm.ptr -> !llvm.ptr\n"
                .to_owned(),
        ),
    };
    let address = match case.case.operation {
        Operation::Fence => String::new(),
        _ => format!(
            "    %t = nvvm.read.ptx.sreg.tid.x : i32\n    %t64 = llvm.zext %t : i32 to i64\n\
             \x20   %four = llvm.mlir.constant(4 : i64) : i64\n    %o = llvm.shl %t64, %four : i64\n{origin}\
             \x20   %p = llvm.getelementptr %p0[%o] : ({native}, i64) -> {native}, i8\n"
        ),
    };
    let values = match case.case.operation {
        Operation::Fence | Operation::Load => String::new(),
        _ => {
            let ty = text(case.case.ty);
            format!(
                "    %v = llvm.load %vs : !llvm.ptr<1> -> {ty}\n\
                 \x20   %ws = llvm.getelementptr %vs[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n\
                 \x20   %w = llvm.load %ws : !llvm.ptr<1> -> {ty}\n"
            )
        }
    };
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "  llvm.func @c{number}(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %q: {parameter}, %vs: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{\n\
         \x20   %one = llvm.mlir.constant(1 : i32) : i32\n\
         \x20   llvm.store %one, %a : i32, !llvm.ptr<1>\n\
         \x20   %a1 = llvm.getelementptr %a[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n\
         \x20   %x = llvm.load %a1 : !llvm.ptr<1> -> i32\n\
         {address}{values}{}\n\
         \x20   %y = llvm.load %b : !llvm.ptr<1> -> i32\n\
         \x20   %b1 = llvm.getelementptr %b[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n\
         \x20   llvm.store %x, %b1 : i32, !llvm.ptr<1>\n\
         \x20   %b2 = llvm.getelementptr %b[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n\
         \x20   llvm.store %y, %b2 : i32, !llvm.ptr<1>\n",
        case.lines
    );
    if let Some(ty) = &case.result {
        let _ = write!(
            out,
            "    %b3 = llvm.getelementptr %b[192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n\
             \x20   llvm.store %r, %b3 : {ty}, !llvm.ptr<1>\n"
        );
    }
    out.push_str("    llvm.return\n  }\n");
}

fn scope(reach: Reach) -> &'static str {
    match reach {
        Reach::Thread => "syncscope(\"singlethread\") ",
        Reach::Cta => "syncscope(\"block\") ",
        Reach::Cluster => "syncscope(\"cluster\") ",
        Reach::Gpu => "syncscope(\"device\") ",
        Reach::Sys => "",
    }
}

/// LLVM's instructions as operations of MLIR.
pub fn llvm_dialect() -> Vec<Written> {
    let mut cases = instruction::cases();
    // Its table of words ends where LLVM 20 did.
    const NEWER: [&str; 4] = ["fmaximum", "fminimum", "fmaximumnum", "fminimumnum"];
    cases.retain(
        |written| !matches!(written.case.operation, Operation::Rmw(word) if NEWER.contains(&word)),
    );
    for written in &mut cases {
        let asked = &written.case;
        let (ty, pointer) = (text(asked.ty), pointer(asked.space));
        let (scope, order) = (scope(asked.reach), asked.order.word());
        let bytes = asked.ty.bits() / 8;
        written.door = Door::MlirLlvm;
        written.lines = match asked.operation {
            Operation::Load => format!(
                "    %r = llvm.load %p atomic {scope}{order} {{alignment = {bytes} : i64}} : {pointer} -> {ty}"
            ),
            Operation::Store => format!(
                "    llvm.store %v, %p atomic {scope}{order} {{alignment = {bytes} : i64}} : {ty}, {pointer}"
            ),
            Operation::Rmw(word) => {
                let word = match word {
                    "and" | "or" | "xor" => format!("_{word}"),
                    word => word.to_owned(),
                };
                format!("    %r = llvm.atomicrmw {word} %p, %v {scope}{order} : {pointer}, {ty}")
            }
            Operation::Swap { failure, .. } => format!(
                "    %s = llvm.cmpxchg %p, %v, %w {scope}{order} {} : {pointer}, {ty}\n\
                 \x20   %r = llvm.extractvalue %s[0] : !llvm.struct<({ty}, i1)>",
                failure.word()
            ),
            Operation::Fence => format!("    llvm.fence {scope}{order}"),
        };
        written.result = written.result.as_ref().map(|_| ty.to_owned());
    }
    cases
}

/// The operations of `nvvm.atomic.rmw` and `nvvm.red`.
const UPDATES: [(&str, &str, &[Type]); 12] = [
    ("add", "add", &[Type::I32, Type::I64]),
    (
        "fadd",
        "fadd",
        &[
            Type::Float,
            Type::Double,
            Type::Half,
            Type::BFloat,
            Type::Half2,
            Type::BFloat2,
        ],
    ),
    ("and", "and", &[Type::I32, Type::I64]),
    ("or", "or", &[Type::I32, Type::I64]),
    ("xor", "xor", &[Type::I32, Type::I64]),
    ("max", "max", &[Type::I32, Type::I64]),
    ("min", "min", &[Type::I32, Type::I64]),
    ("umax", "umax", &[Type::I32, Type::I64]),
    ("umin", "umin", &[Type::I32, Type::I64]),
    ("inc", "uinc_wrap", &[Type::I32]),
    ("dec", "udec_wrap", &[Type::I32]),
    ("exch", "xchg", &[Type::I32, Type::I64, Type::I128]),
];

const SCOPES: [(&str, Reach); 4] = [
    ("cta", Reach::Cta),
    ("cluster", Reach::Cluster),
    ("gpu", Reach::Gpu),
    ("sys", Reach::Sys),
];

/// Orders by their words and numbers.
const ORDERS: [(Order, &str, u32); 5] = [
    (Order::Monotonic, "relaxed", 1),
    (Order::Acquire, "acquire", 2),
    (Order::Release, "release", 3),
    (Order::AcqRel, "acq_rel", 4),
    (Order::SeqCst, "sc", 5),
];

/// The atomics and fences of the `nvvm` dialect.
pub fn nvvm_dialect() -> Vec<Written> {
    let mut cases = fences();
    for site in Site::ALL {
        for (scope, reach) in SCOPES {
            for (order, word, number) in ORDERS {
                let by_word = format!(
                    "mem_order = #nvvm.mem_order<{word}>, scope = #nvvm.mem_scope<{scope}>"
                );
                let by_number =
                    format!("ordering = {number} : i32, scope = #nvvm.mem_scope<{scope}>");
                for attributes in [by_word, by_number] {
                    for (op, does, types) in UPDATES {
                        for &ty in types {
                            let asked = case(Operation::Rmw(does), ty, order, reach, site);
                            cases.push(update(op, &attributes, asked, site));
                            // A reduction has no other orders, and PTX none that exchanges.
                            let plain = matches!(order, Order::Monotonic | Order::Release);
                            if plain && op != "exch" {
                                cases.push(reduction(op, &attributes, asked, site));
                            }
                        }
                    }
                    for ty in [Type::I16, Type::I32, Type::I64, Type::I128] {
                        let swap = Operation::Swap {
                            weak: false,
                            failure: Order::Monotonic,
                        };
                        let asked = case(swap, ty, order, reach, site);
                        cases.push(update("cas", &attributes, asked, site));
                    }
                }
            }
        }
    }
    cases
}

fn fences() -> Vec<Written> {
    let mut rows = vec![(
        "nvvm.fence.sc.cluster".to_owned(),
        Order::SeqCst,
        Reach::Cluster,
    )];
    for (scope, reach) in SCOPES {
        rows.push((format!("nvvm.fence.acq_rel.{scope}"), Order::AcqRel, reach));
        rows.push((
            format!("nvvm.memory.barrier #nvvm.mem_scope<{scope}>"),
            Order::SeqCst,
            reach,
        ));
        for (word, order) in [("acquire", Order::Acquire), ("release", Order::Release)] {
            let name = format!("nvvm.fence.{word} {{scope = #nvvm.mem_scope<{scope}>}}");
            rows.push((name, order, reach));
        }
        if reach != Reach::Cluster {
            rows.push((format!("nvvm.fence.sc.{scope}"), Order::SeqCst, reach));
            rows.push((format!("nvvm.membar.{scope}"), Order::SeqCst, reach));
        }
    }
    let written = |(name, order, reach): (String, Order, Reach)| {
        let asked = case(Operation::Fence, Type::I32, order, reach, Site::Global);
        Written::new(Door::MlirNvvm, Site::Global, asked, format!("    {name}"))
    };
    rows.into_iter().map(written).collect()
}

fn update(op: &str, attributes: &str, asked: Case, site: Site) -> Written {
    let (ty, pointer) = (text(asked.ty), pointer(site.space()));
    let (values, types) = match asked.operation {
        Operation::Swap { .. } => ("%v, %w", format!("{ty}, {ty}")),
        _ => ("%v", ty.to_owned()),
    };
    let line = format!(
        "    %r = \"nvvm.atomic.rmw\"(%p, {values}) {{op = #nvvm.atomic_op<{op}>, {attributes}}} : ({pointer}, {types}) -> {ty}"
    );
    let mut written = Written::new(Door::MlirNvvm, site, asked, line);
    written.result = Some(ty.to_owned());
    written
}

fn reduction(op: &str, attributes: &str, asked: Case, site: Site) -> Written {
    let (ty, pointer) = (text(asked.ty), pointer(site.space()));
    let line = format!(
        "    \"nvvm.red\"(%p, %v) {{op = #nvvm.atomic_op<{op}>, {attributes}}} : ({pointer}, {ty}) -> ()"
    );
    let asked = Case {
        used: false,
        ..asked
    };
    Written::new(Door::MlirNvvm, site, asked, line)
}
