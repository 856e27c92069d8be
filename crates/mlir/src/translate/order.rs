//! Atomics as NVIDIA's version of the `nvvm` dialect names them: `nvvm.atomic.rmw` and `nvvm.red`.
//!
//! Operands stand as in PTX: the address, the value (for `cas` the value that is expected, then the new one), and
//! perhaps a cache policy. LLVM IR has all of them as instructions but for cache policies, which calls of builtins
//! carry; these are relaxed, so that other orders are fences beside them.

use super::function::Writer;
use super::operands::Groups;
use super::{Outcome, Problem};
use crate::table;
use crate::tree::{Op, Use};
use crate::types::{Float, Type};

/// ` syncscope("…")` for the scope that an operation names; none is the whole system.
pub(super) fn scope(op: &Op<'_>) -> Outcome<&'static str> {
    Ok(match op.attrs.word("scope") {
        Some("cta") => " syncscope(\"block\")",
        Some("cluster") => " syncscope(\"cluster\")",
        Some("gpu") => " syncscope(\"device\")",
        None | Some("sys") => "",
        Some(_) => return Err(Problem::wrong("there is no such scope")),
    })
}

/// The order of an operation, and the one that its failure has.
fn order(op: &Op<'_>) -> Outcome<(&'static str, &'static str)> {
    let is_red = op.name == "nvvm.red";
    Ok(match op.attrs.word("ordering") {
        None | Some("relaxed") => ("monotonic", "monotonic"),
        Some("release") => ("release", "monotonic"),
        Some("acquire") if !is_red => ("acquire", "acquire"),
        Some("acq_rel") if !is_red => ("acq_rel", "acquire"),
        Some("sc") if !is_red => ("seq_cst", "seq_cst"),
        // It gives nothing back and so has nothing to acquire.
        Some(_) if is_red => {
            return Err(Problem::wrong("Invalid memory model ordering for nvvm.red")
                .help("orders are relaxed and release"));
        }
        Some(_) => {
            return Err(Problem::wrong("unsupported ordering for nvvm.atomic.rmw")
                .help("orders are relaxed, acquire, release, acq_rel and sc"));
        }
    })
}

/// What an atomic does to a value of a type, as LLVM IR names it.
fn operation(op: &Op<'_>, ty: &Type) -> Outcome<&'static str> {
    let word = op.attrs.word("op");
    let float = match ty {
        Type::Float(_) => true,
        Type::Vector { of, .. } => matches!(**of, Type::Float(_)),
        Type::Int(32 | 64) => false,
        Type::Int(16) if matches!(word, Some("xchg" | "cas")) => false,
        Type::Int(128) if matches!(word, Some("xchg" | "cas")) => false,
        _ => {
            return Err(
                Problem::wrong(format!("Invalid reduction type for {}: {ty}", op.name))
                    .help("values are i32, i64, f32, f64 and pairs of halves; i16 and i128 are exchanged only"),
            );
        }
    };
    let is_red = op.name == "nvvm.red";
    Ok(match (word, float) {
        (None, _) => return Err(Problem::wrong("`op` is missing")),
        (Some("xchg"), _) if !is_red => "xchg",
        (Some("cas"), false) if !is_red => "cas",
        (Some("add"), false) => "add",
        (Some("add" | "fadd"), true) => "fadd",
        (Some("and"), false) => "and",
        (Some("or"), false) => "or",
        (Some("xor"), false) => "xor",
        (Some("min"), false) => "min",
        (Some("max"), false) => "max",
        (Some("umin"), false) => "umin",
        (Some("umax"), false) => "umax",
        (Some("inc"), false) => "uinc_wrap",
        (Some("dec"), false) => "udec_wrap",
        (Some("min" | "fmin"), true) => "fmin",
        (Some("max" | "fmax"), true) => "fmax",
        _ => {
            let more = if is_red { "" } else { ", exch, cas" };
            return Err(
                Problem::wrong(format!("Invalid reduction op for {}", op.name)).help(format!(
                    "operations are add, and, or, xor, min, max, umin, umax, inc, dec{more}"
                )),
            );
        }
    })
}

/// The builtin for an operation on a type, without its scope. PTX has no `cas` with a cache policy.
fn builtin(operation: &str, ty: &Type) -> Option<String> {
    let (name, unsigned) = match operation {
        "umin" => ("min", true),
        "umax" => ("max", true),
        "uinc_wrap" => ("inc", true),
        "udec_wrap" => ("dec", true),
        "fadd" => ("add", false),
        name => (name, false),
    };
    let suffix = match (ty, unsigned, name) {
        (_, _, "cas") => return None,
        (Type::Int(32), true, _) => "ui",
        (Type::Int(64), true, "min" | "max") => "ull",
        (Type::Int(32), false, _) => "i",
        (Type::Int(64), false, _) => "ll",
        (Type::Int(128), _, "xchg") => "128",
        (Type::Float(Float::F32), _, "add") => "f",
        (Type::Float(Float::F64), _, "add") => "d",
        _ => return None,
    };
    Some(format!("{name}_gen_{suffix}"))
}

impl<'o, 't> Writer<'o, 't> {
    /// Writes an atomic.
    pub(super) fn atomic(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let Operands {
            pointer,
            values,
            policy,
        } = operands(op)?;
        let first = match values.first() {
            Some(value) => self.known(value)?.ty.clone(),
            None => return Err(Problem::wrong("the value is missing")),
        };
        let what = operation(op, &first)?;
        if op.name == "nvvm.red" && !op.result_types.is_empty() {
            return Err(Problem::wrong("it gives nothing back")
                .help("`nvvm.atomic.rmw` gives the value that was there"));
        }
        if let [result] = op.result_types.as_slice()
            && *result != first
        {
            let message = format!("the result is {result}, the value {first}");
            return Err(Problem::wrong(message));
        }
        let (order, on_failure) = order(op)?;
        let scope = scope(op)?;
        let pointer_text = self.typed(pointer)?;
        let mut args = Vec::new();
        for value in values {
            args.push(self.typed(value)?);
        }
        if let Some(policy) = policy {
            return self.hinted(op, what, order, (pointer, policy), &args);
        }
        if what != "cas" {
            let text = format!(
                "atomicrmw {what} {pointer_text}, {}{scope} {order}",
                args[0]
            );
            self.write_result(op, &text);
            return Ok(());
        }
        let pair = self.fresh();
        self.write(&format!(
            "{pair} = cmpxchg {pointer_text}, {}{scope} {order} {on_failure}",
            args.join(", ")
        ));
        if !op.results.is_empty() {
            let text = format!("extractvalue {{ {first}, i1 }} {pair}, 0");
            self.write_result(op, &text);
        }
        Ok(())
    }

    /// An atomic with a cache policy: a builtin, and fences for its order.
    fn hinted(
        &mut self,
        op: &'t Op<'t>,
        what: &str,
        order: &str,
        (pointer, policy): (&'t Use<'t>, &'t Use<'t>),
        args: &[String],
    ) -> Outcome<()> {
        let value = self.known(&op.operands[1])?.ty.clone();
        let ty = value.to_string();
        let prefix = match op.attrs.word("scope") {
            Some("cta") => "cta_",
            // No builtin has the scope of a cluster: the wider one holds for its threads, too.
            Some("gpu" | "cluster") => "",
            _ => "sys_",
        };
        if self.known(policy)?.ty != Type::Int(64) {
            return Err(Problem::wrong("a cache policy is i64").at(policy.pos, policy.value.name));
        }
        let Some(name) = builtin(what, &value) else {
            return Err(Problem::unsupported(format!(
                "PTX has no {what} of {value} with a cache policy"
            )));
        };
        let pointer = match self.known(pointer)?.ty {
            Type::Pointer(0) => self.typed(pointer)?,
            Type::Pointer(1) => {
                let text = self.typed(pointer)?;
                let generic = self.fresh();
                self.write(&format!("{generic} = addrspacecast {text} to ptr"));
                format!("ptr {generic}")
            }
            ref other => {
                return Err(Problem::unsupported(format!(
                    "a cache policy is for global memory, not for {other}"
                )));
            }
        };
        let name = format!("__nvvm_atom_{prefix}{name}");
        let params: Vec<&str> = args.iter().map(|_| ty.as_str()).collect();
        self.out
            .declare(&name, &ty, &format!("ptr, {}", params.join(", ")));
        let scope = scope(op)?;
        let before = match order {
            "release" | "acq_rel" => "release",
            "seq_cst" => "seq_cst",
            _ => "",
        };
        if !before.is_empty() {
            self.write(&format!("fence{scope} {before}"));
        }
        let policy = self.typed(policy)?;
        let call = format!(
            "call {ty} @{name}({pointer}, {}) [ \"L2::cache_hint\"({policy}) ]",
            args.join(", ")
        );
        self.write_result(op, &call);
        if matches!(order, "acquire" | "acq_rel" | "seq_cst") {
            self.write(&format!("fence{scope} acquire"));
        }
        Ok(())
    }
}

/// The operands of an atomic.
struct Operands<'t> {
    pointer: &'t Use<'t>,
    /// The value; for `cas` what is expected and what is written.
    values: &'t [Use<'t>],
    policy: Option<&'t Use<'t>>,
}

/// Tells the operands apart, by their sizes where they are given, else by the operation.
fn operands<'t>(op: &'t Op<'t>) -> Outcome<Operands<'t>> {
    let count = if op.attrs.word("op") == Some("cas") {
        2
    } else {
        1
    };
    let uses: &'t [Use<'t>] = &op.operands;
    let wrong = || {
        Problem::wrong(format!("{} operands do not fit it", uses.len())).help(match count {
            2 => "its operands are: the address, the expected value, the new one, perhaps a cache policy",
            _ => "its operands are: the address, the value, perhaps a cache policy",
        })
    };
    if op.attrs.get("operandSegmentSizes").is_some() {
        let row = table::row_of(op.name).ok_or_else(wrong)?;
        let groups = Groups::of(op, row)?;
        let new = groups.get("new").map_or(0, <[Use<'t>]>::len);
        if 1 + new != count {
            return Err(wrong());
        }
    }
    match uses {
        [pointer, rest @ ..] if rest.len() == count => Ok(Operands {
            pointer,
            values: rest,
            policy: None,
        }),
        [pointer, rest @ .., policy] if rest.len() == count => Ok(Operands {
            pointer,
            values: rest,
            policy: Some(policy),
        }),
        _ => Err(wrong()),
    }
}
