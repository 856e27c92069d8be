//! Orders, scopes and operations of atomics as NVIDIA's version of the `nvvm` dialect names them.

use super::{Outcome, Problem};
use crate::tree::Op;
use crate::types::Type;

/// ` syncscope("…")` for the scope that an operation names; none is the whole system.
pub(super) fn scope(op: &Op<'_>) -> Outcome<&'static str> {
    Ok(match op.attrs.word("scope") {
        Some("cta") => " syncscope(\"block\")",
        Some("cluster") => " syncscope(\"cluster\")",
        Some("gpu") => " syncscope(\"device\")",
        None | Some("sys") => "",
        Some(_) => {
            return Err(Problem::wrong("there is no such scope")
                .help("scopes are cta, cluster, gpu and sys"));
        }
    })
}

/// The order of `nvvm.atomic.rmw`.
pub(super) fn of_atomic(op: &Op<'_>) -> Outcome<&'static str> {
    Ok(match op.attrs.word("ordering") {
        None | Some("relaxed") => "monotonic",
        Some("acquire") => "acquire",
        Some("release") => "release",
        Some("acq_rel") => "acq_rel",
        Some("seq_cst" | "sc") => "seq_cst",
        Some(_) => {
            return Err(Problem::wrong("unsupported ordering for nvvm.atomic.rmw")
                .help("orders are relaxed, acquire, release, acq_rel and seq_cst"));
        }
    })
}

/// The order of `nvvm.red`, which gives nothing back and so has nothing to acquire.
pub(super) fn of_reduction(op: &Op<'_>) -> Outcome<&'static str> {
    Ok(match op.attrs.word("ordering") {
        None | Some("relaxed") => "monotonic",
        Some("release") => "release",
        Some(_) => {
            return Err(Problem::wrong("Invalid memory model ordering for nvvm.red")
                .help("orders are relaxed and release"));
        }
    })
}

/// What an atomic does to a value of a type.
pub(super) fn operation(op: &Op<'_>, ty: &Type) -> Outcome<&'static str> {
    let float = match ty {
        Type::Float(_) => true,
        Type::Vector { of, .. } => matches!(**of, Type::Float(_)),
        Type::Int(32 | 64) => false,
        Type::Int(16) if op.attrs.word("op") == Some("exch") => false,
        _ => {
            return Err(
                Problem::wrong(format!("Invalid reduction type for {}: {ty}", op.name))
                    .help("values are i32, i64, f32, f64 and pairs of halves"),
            );
        }
    };
    Ok(match (op.attrs.word("op"), float) {
        (Some("exch"), _) if op.name == "nvvm.atomic.rmw" => "xchg",
        (Some("add"), false) => "add",
        (Some("add" | "fadd"), true) => "fadd",
        (Some("and"), false) => "and",
        (Some("or"), false) => "or",
        (Some("xor"), false) => "xor",
        (Some("min" | "smin"), false) => "min",
        (Some("max" | "smax"), false) => "max",
        (Some("umin"), false) => "umin",
        (Some("umax"), false) => "umax",
        (Some("inc"), false) => "uinc_wrap",
        (Some("dec"), false) => "udec_wrap",
        (Some("min" | "fmin"), true) => "fmin",
        (Some("max" | "fmax"), true) => "fmax",
        _ => {
            return Err(
                Problem::wrong(format!("Invalid reduction op for {}", op.name))
                    .help("operations are add, and, or, xor, min, max, umin, umax, inc and dec"),
            );
        }
    })
}
