//! Every atomic of LLVM IR.

use crate::asked::{Case, Front, Operation, Order, Reach, Space, Target, Type};

/// Operations of `atomicrmw` on integers.
const INTEGER: [&str; 15] = [
    "xchg",
    "add",
    "sub",
    "and",
    "nand",
    "or",
    "xor",
    "max",
    "min",
    "umax",
    "umin",
    "uinc_wrap",
    "udec_wrap",
    "usub_cond",
    "usub_sat",
];

/// Operations of `atomicrmw` on numbers.
const NUMBER: [&str; 8] = [
    "fadd",
    "fsub",
    "fmax",
    "fmin",
    "fmaximum",
    "fminimum",
    "fmaximumnum",
    "fminimumnum",
];

const LOAD_ORDERS: [Order; 4] = [
    Order::Unordered,
    Order::Monotonic,
    Order::Acquire,
    Order::SeqCst,
];
const STORE_ORDERS: [Order; 4] = [
    Order::Unordered,
    Order::Monotonic,
    Order::Release,
    Order::SeqCst,
];
const UPDATE_ORDERS: [Order; 5] = [
    Order::Monotonic,
    Order::Acquire,
    Order::Release,
    Order::AcqRel,
    Order::SeqCst,
];
const FAILURE_ORDERS: [Order; 3] = [Order::Monotonic, Order::Acquire, Order::SeqCst];
const FENCE_ORDERS: [Order; 4] = [Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

/// Spaces that everything can be asked of.
const SPACES: [Space; 5] = [
    Space::Generic,
    Space::Global,
    Space::Shared,
    Space::SharedCluster,
    Space::Local,
];

/// The chips.
pub const CHIPS: [u16; 7] = [60, 70, 75, 80, 90, 100, 120];

/// The targets: every chip; newer PTX, which has more fences; and CUDA's reading of the orders.
pub fn targets() -> Vec<Target> {
    let plain = |sm| Target {
        sm,
        version: None,
        cuda: false,
    };
    let newer = |sm| Target {
        version: Some(87),
        ..plain(sm)
    };
    let cuda = |sm| Target {
        cuda: true,
        ..plain(sm)
    };
    let mut targets: Vec<Target> = CHIPS.into_iter().map(plain).collect();
    targets.extend([90, 100, 120].map(newer));
    targets.extend([60, 70, 90].map(cuda));
    targets
}

/// Every case, for any target.
pub fn cases() -> Vec<Case> {
    let mut cases = instructions();
    builtins(&mut cases);
    cases
}

/// Every case that is an instruction.
pub fn instructions() -> Vec<Case> {
    let mut cases = Vec::new();
    for order in FENCE_ORDERS {
        add(
            &mut cases,
            Operation::Fence,
            Type::I32,
            &[order],
            &[Space::Generic],
        );
    }
    let with_constant: Vec<Space> = SPACES.into_iter().chain([Space::Constant]).collect();
    for ty in Type::ALL {
        // LLVM has atomic loads and stores of vectors only since a short time, and not in every version we read.
        if !ty.is_pair() {
            add(
                &mut cases,
                Operation::Load,
                ty,
                &LOAD_ORDERS,
                &with_constant,
            );
            add(&mut cases, Operation::Store, ty, &STORE_ORDERS, &SPACES);
        }
        let words: &[&'static str] = match ty {
            Type::Ptr => &["xchg"],
            _ if ty.is_integer() => &INTEGER,
            _ => &NUMBER,
        };
        for word in words {
            add(
                &mut cases,
                Operation::Rmw(word),
                ty,
                &UPDATE_ORDERS,
                &SPACES,
            );
        }
        if ty.is_number() && !ty.is_pair() {
            add(
                &mut cases,
                Operation::Rmw("xchg"),
                ty,
                &UPDATE_ORDERS,
                &SPACES,
            );
        }
        if ty.is_integer() || ty == Type::Ptr {
            for weak in [false, true] {
                for failure in FAILURE_ORDERS {
                    let swap = Operation::Swap { weak, failure };
                    add(&mut cases, swap, ty, &UPDATE_ORDERS, &SPACES);
                }
            }
        }
    }
    // Nobody can write to constant memory.
    let constant = [Space::Constant];
    for operation in [
        Operation::Store,
        Operation::Rmw("add"),
        Operation::Swap {
            weak: false,
            failure: Order::Monotonic,
        },
    ] {
        add(
            &mut cases,
            operation,
            Type::I32,
            &[Order::Monotonic],
            &constant,
        );
    }
    cases
}

/// Calls of `__nv_atomic_*`: an operation of each kind, at all orders and scopes.
fn builtins(cases: &mut Vec<Case>) {
    let first = cases.len();
    let c_orders = |orders: &[Order]| -> Vec<Order> {
        let llvm = orders.iter().copied();
        llvm.filter(|&order| order != Order::Unordered).collect()
    };
    let mut loads = c_orders(&LOAD_ORDERS);
    let mut updates = c_orders(&UPDATE_ORDERS);
    loads.push(Order::Consume);
    updates.push(Order::Consume);
    let stores = c_orders(&STORE_ORDERS);
    let generic = [Space::Generic];
    for ty in [Type::I8, Type::I16, Type::I32, Type::I64, Type::I128] {
        add(cases, Operation::Load, ty, &loads, &generic);
        add(cases, Operation::Store, ty, &stores, &generic);
    }
    for ty in [Type::I32, Type::I64] {
        for word in ["add", "xchg"] {
            add(cases, Operation::Rmw(word), ty, &updates, &generic);
        }
    }
    add(cases, Operation::Fence, Type::I32, &FENCE_ORDERS, &generic);
    for case in &mut cases[first..] {
        case.front = Front::Builtin;
    }
    // No builtin is volatile.
    let mut at = 0;
    cases.retain(|case| {
        at += 1;
        at <= first || !case.volatile
    });
}

/// Adds an operation at all reaches; with its result used and not used, and volatile.
fn add(cases: &mut Vec<Case>, operation: Operation, ty: Type, orders: &[Order], spaces: &[Space]) {
    let ways: &[(bool, bool)] = match operation {
        Operation::Fence => &[(false, false)],
        // The result of a load that nobody uses need not be loaded.
        Operation::Load => &[(true, false), (true, true)],
        Operation::Store => &[(false, false), (false, true)],
        Operation::Rmw(_) | Operation::Swap { .. } => {
            &[(true, false), (false, false), (true, true)]
        }
    };
    for &space in spaces {
        for &order in orders {
            for reach in Reach::ALL {
                for &(used, volatile) in ways {
                    // `volatile` has nothing to do with the scope: two of them are enough.
                    if volatile && !matches!(reach, Reach::Cta | Reach::Sys) {
                        continue;
                    }
                    cases.push(Case {
                        front: Front::Instruction,
                        operation,
                        ty,
                        order,
                        reach,
                        space,
                        used,
                        volatile,
                    });
                }
            }
        }
    }
}
