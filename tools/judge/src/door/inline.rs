//! PTX that a user has written into LLVM IR.

use crate::asked::{Operation, Order, Reach, Type};
use crate::door::llvm::pointer;
use crate::door::{Door, REACHES, Site, Written, case};

/// `atom.….OP.TYPE`: how it is spelled, what it does, to which type, and its constraint.
const ATOMS: [(&str, &str, Type, &str); 31] = [
    ("add.u32", "add", Type::I32, "r"),
    ("add.u64", "add", Type::I64, "l"),
    ("add.f32", "fadd", Type::Float, "f"),
    ("add.f64", "fadd", Type::Double, "d"),
    ("add.noftz.f16", "fadd", Type::Half, "h"),
    ("add.noftz.bf16", "fadd", Type::BFloat, "h"),
    ("add.noftz.f16x2", "fadd", Type::Half2, "r"),
    ("add.noftz.bf16x2", "fadd", Type::BFloat2, "r"),
    ("and.b32", "and", Type::I32, "r"),
    ("and.b64", "and", Type::I64, "l"),
    ("or.b32", "or", Type::I32, "r"),
    ("or.b64", "or", Type::I64, "l"),
    ("xor.b32", "xor", Type::I32, "r"),
    ("xor.b64", "xor", Type::I64, "l"),
    ("min.s32", "min", Type::I32, "r"),
    ("min.s64", "min", Type::I64, "l"),
    ("min.u32", "umin", Type::I32, "r"),
    ("min.u64", "umin", Type::I64, "l"),
    ("max.s32", "max", Type::I32, "r"),
    ("max.s64", "max", Type::I64, "l"),
    ("max.u32", "umax", Type::I32, "r"),
    ("max.u64", "umax", Type::I64, "l"),
    ("inc.u32", "uinc_wrap", Type::I32, "r"),
    ("dec.u32", "udec_wrap", Type::I32, "r"),
    ("exch.b32", "xchg", Type::I32, "r"),
    ("exch.b64", "xchg", Type::I64, "l"),
    ("exch.b128", "xchg", Type::I128, "q"),
    ("cas.b16", "cas", Type::I16, "h"),
    ("cas.b32", "cas", Type::I32, "r"),
    ("cas.b64", "cas", Type::I64, "l"),
    ("cas.b128", "cas", Type::I128, "q"),
];

const UPDATES: [Order; 4] = [
    Order::Monotonic,
    Order::Acquire,
    Order::Release,
    Order::AcqRel,
];

/// The word of PTX.
fn word(order: Order) -> &'static str {
    match order {
        Order::Unordered | Order::Monotonic => "relaxed",
        Order::Consume | Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcqRel => "acq_rel",
        Order::SeqCst => "sc",
    }
}

fn scope(reach: Reach) -> &'static str {
    match reach {
        Reach::Thread | Reach::Cta => "cta",
        Reach::Cluster => "cluster",
        Reach::Gpu => "gpu",
        Reach::Sys => "sys",
    }
}

fn space(site: Site) -> &'static str {
    match site {
        Site::Unknown | Site::Parameter | Site::ClusterGeneric => "",
        Site::Global => ".global",
        Site::Shared => ".shared",
        Site::Cluster => ".shared::cluster",
    }
}

/// The cases.
pub fn cases() -> Vec<Written> {
    let mut cases = Vec::new();
    for order in [Order::AcqRel, Order::SeqCst] {
        for reach in REACHES {
            let asked = case(Operation::Fence, Type::I32, order, reach, Site::Global);
            let line = format!(
                "  call void asm sideeffect \"fence.{}.{};\", \"~{{memory}}\"()",
                word(order),
                scope(reach)
            );
            cases.push(Written::new(Door::Inline, Site::Global, asked, line));
        }
    }
    for site in Site::ALL {
        for reach in REACHES {
            for (spelled, does, ty, letter) in ATOMS {
                for order in UPDATES {
                    cases.push(atom(spelled, does, ty, letter, order, reach, site));
                }
            }
            for (spelled, ty, letter) in [("u32", Type::I32, "r"), ("u64", Type::I64, "l")] {
                for order in [Order::Monotonic, Order::Acquire] {
                    cases.push(load(spelled, ty, letter, order, reach, site));
                }
                for order in [Order::Monotonic, Order::Release] {
                    cases.push(store(spelled, ty, letter, order, reach, site));
                }
            }
            for (spelled, does, ty, letter) in ATOMS {
                let is_reduction = !matches!(does, "cas" | "xchg");
                for order in [Order::Monotonic, Order::Release] {
                    if is_reduction {
                        cases.push(reduction(spelled, does, ty, letter, order, reach, site));
                    }
                }
            }
        }
    }
    cases
}

/// What stands before the operation: `atom.acquire.gpu.shared`.
fn place(name: &str, order: Order, reach: Reach, site: Site) -> String {
    format!("{name}.{}.{}{}", word(order), scope(reach), space(site))
}

#[allow(clippy::too_many_arguments)]
fn atom(
    spelled: &str,
    does: &'static str,
    ty: Type,
    letter: &str,
    order: Order,
    reach: Reach,
    site: Site,
) -> Written {
    let (text, pointer) = (ty.text(), pointer(site.space()));
    let place = place("atom", order, reach, site);
    let (operation, line) = match does {
        "cas" => (
            Operation::Swap {
                weak: false,
                failure: Order::Monotonic,
            },
            format!(
                "  %r = call {text} asm sideeffect \"{place}.{spelled} $0, [$1], $2, $3;\", \
                 \"={letter},l,{letter},{letter},~{{memory}}\"({pointer} %p, {text} %v, {text} %w)"
            ),
        ),
        _ => (
            Operation::Rmw(does),
            format!(
                "  %r = call {text} asm sideeffect \"{place}.{spelled} $0, [$1], $2;\", \
                 \"={letter},l,{letter},~{{memory}}\"({pointer} %p, {text} %v)"
            ),
        ),
    };
    let asked = case(operation, ty, order, reach, site);
    let mut written = Written::new(Door::Inline, site, asked, line);
    written.result = Some(text.to_owned());
    written
}

fn reduction(
    spelled: &str,
    does: &'static str,
    ty: Type,
    letter: &str,
    order: Order,
    reach: Reach,
    site: Site,
) -> Written {
    let (text, pointer) = (ty.text(), pointer(site.space()));
    let place = place("red", order, reach, site);
    let line = format!(
        "  call void asm sideeffect \"{place}.{spelled} [$0], $1;\", \"l,{letter},~{{memory}}\"({pointer} %p, {text} %v)"
    );
    let mut asked = case(Operation::Rmw(does), ty, order, reach, site);
    asked.used = false;
    Written::new(Door::Inline, site, asked, line)
}

fn load(spelled: &str, ty: Type, letter: &str, order: Order, reach: Reach, site: Site) -> Written {
    let (text, pointer) = (ty.text(), pointer(site.space()));
    let place = place("ld", order, reach, site);
    let line = format!(
        "  %r = call {text} asm sideeffect \"{place}.{spelled} $0, [$1];\", \"={letter},l,~{{memory}}\"({pointer} %p)"
    );
    let asked = case(Operation::Load, ty, order, reach, site);
    let mut written = Written::new(Door::Inline, site, asked, line);
    written.result = Some(text.to_owned());
    written
}

fn store(spelled: &str, ty: Type, letter: &str, order: Order, reach: Reach, site: Site) -> Written {
    let (text, pointer) = (ty.text(), pointer(site.space()));
    let place = place("st", order, reach, site);
    let line = format!(
        "  call void asm sideeffect \"{place}.{spelled} [$0], $1;\", \"l,{letter},~{{memory}}\"({pointer} %p, {text} %v)"
    );
    let asked = case(Operation::Store, ty, order, reach, site);
    Written::new(Door::Inline, site, asked, line)
}
