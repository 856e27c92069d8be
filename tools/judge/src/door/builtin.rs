//! Calls of NVVM's atomic builtins: every one that the table has.

use crate::asked::{Operation, Order, Reach, Type};
use crate::door::{Door, REACHES, Site, Written, case};

/// What a name of the C++ memory model asks for.
struct Cxx {
    operation: Operation,
    ty: Type,
    /// Whether size and values go by address.
    by_address: bool,
}

/// The types of a size in a name, or of the generic form, which has none.
fn types(bytes: &str) -> Option<Type> {
    Some(match bytes {
        "1" => Type::I8,
        "2" => Type::I16,
        "4" => Type::I32,
        "8" => Type::I64,
        "16" => Type::I128,
        _ => return None,
    })
}

/// An operation on a type of a class: `u`, `s` or `f`.
fn fetch(word: &str, ty: Type, class: &str) -> Option<(Operation, Type)> {
    let ty = match (class, ty) {
        ("f", Type::I32) => Type::Float,
        ("f", Type::I64) => Type::Double,
        _ => ty,
    };
    let word = match (word, class) {
        ("add", "f") => "fadd",
        ("sub", "f") => "fsub",
        ("max", "f") => "fmax",
        ("min", "f") => "fmin",
        ("max", "u") => "umax",
        ("min", "u") => "umin",
        ("add", _) => "add",
        ("sub", _) => "sub",
        ("max", _) => "max",
        ("min", _) => "min",
        ("and", _) => "and",
        ("or", _) => "or",
        ("xor", _) => "xor",
        _ => return None,
    };
    Some((Operation::Rmw(word), ty))
}

/// The failure order is put in where it is called.
const SWAP: Operation = Operation::Swap {
    weak: false,
    failure: Order::Monotonic,
};

/// What names ask for; several for the generic ones, which take objects of each size.
fn read(name: &str) -> Vec<Cxx> {
    let Some(rest) = name.strip_prefix("__nv_atomic_") else {
        return Vec::new();
    };
    let generic = |operation, types: &[Type]| {
        let one = |&ty: &Type| Cxx {
            operation,
            ty,
            by_address: true,
        };
        types.iter().map(one).collect()
    };
    const OBJECTS: [Type; 5] = [Type::I8, Type::I16, Type::I32, Type::I64, Type::I128];
    match rest {
        "load" => return generic(Operation::Load, &OBJECTS),
        "store" => return generic(Operation::Store, &OBJECTS),
        "exchange" => return generic(Operation::Rmw("xchg"), &OBJECTS[2..]),
        "compare_exchange" => return generic(SWAP, &OBJECTS[1..]),
        _ => {}
    }
    let parts: Vec<&str> = rest.split('_').collect();
    let one = |operation, ty| {
        vec![Cxx {
            operation,
            ty,
            by_address: false,
        }]
    };
    match parts[..] {
        ["load", bytes] => types(bytes).map(|ty| one(Operation::Load, ty)),
        ["store", bytes] => types(bytes).map(|ty| one(Operation::Store, ty)),
        ["exchange", bytes] => types(bytes).map(|ty| one(Operation::Rmw("xchg"), ty)),
        ["compare", "exchange", bytes] => types(bytes).map(|ty| one(SWAP, ty)),
        ["fetch", word, bytes] => types(bytes)
            .and_then(|ty| fetch(word, ty, ""))
            .map(|(operation, ty)| one(operation, ty)),
        ["fetch", word, bytes, class] => types(bytes)
            .and_then(|ty| fetch(word, ty, class))
            .map(|(operation, ty)| one(operation, ty)),
        _ => None,
    }
    .unwrap_or_default()
}

const LOADS: [Order; 4] = [
    Order::Monotonic,
    Order::Consume,
    Order::Acquire,
    Order::SeqCst,
];
const STORES: [Order; 3] = [Order::Monotonic, Order::Release, Order::SeqCst];
const UPDATES: [Order; 6] = [
    Order::Monotonic,
    Order::Consume,
    Order::Acquire,
    Order::Release,
    Order::AcqRel,
    Order::SeqCst,
];
const FAILURES: [Order; 3] = [Order::Monotonic, Order::Acquire, Order::SeqCst];
const FENCES: [Order; 4] = [Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

/// The calls of the C++ memory model.
pub fn cases() -> Vec<Written> {
    let mut cases = Vec::new();
    for order in FENCES {
        for reach in REACHES {
            let asked = case(Operation::Fence, Type::I32, order, reach, Site::Global);
            let line = format!(
                "  call void @__nv_atomic_thread_fence(i32 {}, i32 {})",
                order.number(),
                reach as u32
            );
            let mut written = Written::new(Door::Builtin, Site::Global, asked, line);
            written.declares = vec!["declare void @__nv_atomic_thread_fence(i32, i32)".into()];
            cases.push(written);
        }
    }
    for builtin in warpc_builtins::all() {
        for cxx in read(builtin.name) {
            let (orders, failures): (&[Order], &[Order]) = match cxx.operation {
                Operation::Load => (&LOADS, &[Order::Monotonic]),
                Operation::Store => (&STORES, &[Order::Monotonic]),
                Operation::Swap { .. } => (&UPDATES, &FAILURES),
                _ => (&UPDATES, &[Order::Monotonic]),
            };
            for &order in orders {
                for &failure in failures {
                    for reach in REACHES {
                        for site in Site::ALL {
                            cases.push(call(builtin.name, &cxx, order, failure, reach, site));
                        }
                    }
                }
            }
        }
    }
    cases
}

fn call(name: &str, cxx: &Cxx, order: Order, failure: Order, reach: Reach, site: Site) -> Written {
    let operation = match cxx.operation {
        Operation::Swap { .. } => Operation::Swap {
            weak: false,
            failure,
        },
        other => other,
    };
    let ty = cxx.ty.text();
    let (order_number, scope) = (order.number(), reach as u32);
    let bytes = cxx.ty.bits() / 8;
    let slot = |name: &str, value: &str| {
        let keep = match value {
            "" => String::new(),
            value => format!("  store {ty} {value}, ptr {name}\n"),
        };
        format!("  {name} = alloca {ty}\n{keep}")
    };
    let failure_number = failure.number();
    let (lines, declare) = match (operation, cxx.by_address) {
        (Operation::Load, true) => (
            format!(
                "{}  call void @{name}(i64 {bytes}, ptr %g, ptr %out, i32 {order_number}, i32 {scope})\n\
                 \x20 %r = load {ty}, ptr %out",
                slot("%out", "")
            ),
            "void (i64, ptr, ptr, i32, i32)",
        ),
        (Operation::Store, true) => (
            format!(
                "{}  call void @{name}(i64 {bytes}, ptr %g, ptr %in, i32 {order_number}, i32 {scope})",
                slot("%in", "%v")
            ),
            "void (i64, ptr, ptr, i32, i32)",
        ),
        (Operation::Swap { .. }, true) => (
            format!(
                "{}{}  %same = call i1 @{name}(i64 {bytes}, ptr %g, ptr %in, ptr %new, i1 false, i32 {order_number}, \
                 i32 {failure_number}, i32 {scope})\n{}\x20 %r = load {ty}, ptr %in",
                slot("%in", "%v"),
                slot("%new", "%w"),
                flag()
            ),
            "i1 (i64, ptr, ptr, ptr, i1, i32, i32, i32)",
        ),
        (_, true) => (
            format!(
                "{}{}  call void @{name}(i64 {bytes}, ptr %g, ptr %in, ptr %out, i32 {order_number}, i32 {scope})\n\
                 \x20 %r = load {ty}, ptr %out",
                slot("%in", "%v"),
                slot("%out", "")
            ),
            "void (i64, ptr, ptr, ptr, i32, i32)",
        ),
        (Operation::Load, false) => (
            format!("  %r = call {ty} @{name}(ptr %g, i32 {order_number}, i32 {scope})"),
            "T (ptr, i32, i32)",
        ),
        (Operation::Store, false) => (
            format!("  call void @{name}(ptr %g, {ty} %v, i32 {order_number}, i32 {scope})"),
            "void (ptr, T, i32, i32)",
        ),
        (Operation::Swap { .. }, false) => (
            format!(
                "{}  %same = call i1 @{name}(ptr %g, ptr %in, {ty} %w, i1 false, i32 {order_number}, \
                 i32 {failure_number}, i32 {scope})\n{}\x20 %r = load {ty}, ptr %in",
                slot("%in", "%v"),
                flag()
            ),
            "i1 (ptr, ptr, T, i1, i32, i32, i32)",
        ),
        (_, false) => (
            format!("  %r = call {ty} @{name}(ptr %g, {ty} %v, i32 {order_number}, i32 {scope})"),
            "T (ptr, T, i32, i32)",
        ),
    };
    let asked = case(operation, cxx.ty, order, reach, site);
    let mut written = Written::new(Door::Builtin, site, asked, lines);
    written.declares = vec![declaration(name, &declare.replace('T', ty))];
    if operation != Operation::Store {
        written.result = Some(ty.to_owned());
    }
    written
}

/// Keeps whether a swap has succeeded.
fn flag() -> &'static str {
    "  %flag = zext i1 %same to i32\n\
     \x20 %b6 = getelementptr i8, ptr addrspace(1) %b, i64 256\n\
     \x20 store i32 %flag, ptr addrspace(1) %b6\n"
}

/// `T (ptr, T)` as a declaration.
fn declaration(name: &str, signature: &str) -> String {
    let (result, parameters) = signature.split_once(" (").unwrap_or((signature, ")"));
    format!("declare {result} @{name}({parameters}")
}

/// The older calls: relaxed, with the scope in the name; and the barriers.
pub fn legacy() -> Vec<Written> {
    let mut cases = Vec::new();
    for (name, order, reach) in [
        ("__nvvm_membar_cta", Order::SeqCst, Reach::Cta),
        ("__nvvm_membar_gl", Order::SeqCst, Reach::Gpu),
        ("__nvvm_membar_sys", Order::SeqCst, Reach::Sys),
    ] {
        let asked = case(Operation::Fence, Type::I32, order, reach, Site::Global);
        let line = format!("  call void @{name}()");
        let mut written = Written::new(Door::Legacy, Site::Global, asked, line);
        written.declares = vec![format!("declare void @{name}()")];
        cases.push(written);
    }
    for builtin in warpc_builtins::all() {
        for site in Site::ALL {
            cases.extend(older(builtin.name, site));
        }
    }
    cases
}

/// A call of `__nvvm_atom_[cta_|sys_]OP_gen_TYPE`.
fn older(name: &str, site: Site) -> Option<Written> {
    let rest = name.strip_prefix("__nvvm_atom_")?;
    let (reach, rest) = match rest.split_once('_')? {
        ("cta", rest) => (Reach::Cta, rest),
        ("sys", rest) => (Reach::Sys, rest),
        _ => (Reach::Gpu, rest),
    };
    let (word, kind) = rest.split_once("_gen_")?;
    let (ty, class, elements) = match kind {
        "i" => (Type::I32, "s", 1),
        "ui" => (Type::I32, "u", 1),
        "ll" => (Type::I64, "s", 1),
        "ull" => (Type::I64, "u", 1),
        "us" => (Type::I16, "u", 1),
        "128" => (Type::I128, "u", 1),
        "f" => (Type::I32, "f", 1),
        "d" => (Type::I64, "f", 1),
        "f2" => (Type::I32, "f", 2),
        "f4" => (Type::I32, "f", 4),
        _ => return None,
    };
    let (operation, ty) = match word {
        "xchg" => (Operation::Rmw("xchg"), ty),
        "cas" => (SWAP, ty),
        "inc" => (Operation::Rmw("uinc_wrap"), ty),
        "dec" => (Operation::Rmw("udec_wrap"), ty),
        _ => fetch(word, ty, class)?,
    };
    // A generic pointer to shared memory breaks the rule that vectors lie in global memory.
    if elements > 1 && site == Site::ClusterGeneric {
        return None;
    }
    let asked = case(operation, ty, Order::Monotonic, reach, site);
    let value = match elements {
        1 => ty.text().to_owned(),
        n => format!("<{n} x {}>", ty.text()),
    };
    let is_swap = matches!(operation, Operation::Swap { .. });
    let by_address = elements > 1 || ty == Type::I128;
    let slot = |name: &str, from: &str| {
        let keep = match (from, elements) {
            ("", _) => String::new(),
            (from, 1) => format!("  store {value} {from}, ptr {name}\n"),
            // The values of a vector are those of one element, thrice and more.
            (from, n) => (0..n)
                .map(|at| {
                    format!(
                        "  {name}.{at} = getelementptr float, ptr {name}, i64 {at}\n  store float {from}, ptr {name}.{at}\n"
                    )
                })
                .collect(),
        };
        format!("  {name} = alloca {value}\n{keep}")
    };
    let (lines, declare) = match (by_address, is_swap) {
        (true, false) => (
            format!(
                "{}{}  call void @{name}(ptr %g, ptr %in, ptr %out)\n  %r = load {value}, ptr %out",
                slot("%in", "%v"),
                slot("%out", "")
            ),
            "void (ptr, ptr, ptr)".to_owned(),
        ),
        (true, true) => (
            format!(
                "{}{}{}  call void @{name}(ptr %g, ptr %in, ptr %new, ptr %out)\n  %r = load {value}, ptr %out",
                slot("%in", "%v"),
                slot("%new", "%w"),
                slot("%out", "")
            ),
            "void (ptr, ptr, ptr, ptr)".to_owned(),
        ),
        (false, false) => (
            format!("  %r = call {value} @{name}(ptr %g, {value} %v)"),
            format!("{value} (ptr, {value})"),
        ),
        (false, true) => (
            format!("  %r = call {value} @{name}(ptr %g, {value} %v, {value} %w)"),
            format!("{value} (ptr, {value}, {value})"),
        ),
    };
    let mut written = Written::new(Door::Legacy, site, asked, lines);
    written.result = Some(value);
    written.declares = vec![declaration(name, &declare)];
    written.elements = elements;
    Some(written)
}
