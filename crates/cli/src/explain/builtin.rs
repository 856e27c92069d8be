//! A row of the table of builtins.

use super::becomes::{instructions, ordered};
use crate::builtins::{gate, number, remark};
use std::fmt::Write;
use warpc_builtins::construct::{Operation, Spelling};
use warpc_builtins::resolve::{Argument, Call, Object, resolve};
use warpc_builtins::{Atomic, Builtin};
use warpc_model::{AtomicOp, Ordering, Scope, TypeClass};
use warpc_target::Sm;

pub fn text(builtin: &Builtin, sm: Sm) -> String {
    let mut text = head(builtin);
    if builtin.is_reserved() {
        return text;
    }
    if !builtin.is_on(sm) {
        let _ = writeln!(
            text,
            "\n{sm} does not have it: {} is needed.",
            gate(builtin)
        );
        return text;
    }
    match builtin.atomic() {
        Some(Atomic::Cxx(spelling)) => grid(&mut text, builtin, spelling, sm),
        _ => plain(&mut text, builtin, sm),
    }
    text
}

fn head(builtin: &Builtin) -> String {
    let signature = match builtin.signature {
        Some(signature) => signature.to_string(),
        None => "types not known".to_owned(),
    };
    let chips = match builtin.chips {
        Some(chips) => format!("on {chips}"),
        None => "on all chips".to_owned(),
    };
    let remark = match remark(builtin) {
        "" => String::new(),
        remark => format!("; {remark}"),
    };
    let number = match number(builtin) {
        Some(number) => format!("Builtin {number}"),
        None => "A builtin without a number".to_owned(),
    };
    let prototype = match builtin.prototype() {
        Some(prototype) => format!("CUDA's front end has it as {prototype}.\n"),
        None => String::new(),
    };
    format!(
        "{}: {signature}\n{prototype}\n{number}: {}, {chips}{remark}.\n",
        builtin.name,
        builtin.category.title()
    )
}

/// What a call with constants for nothing becomes.
fn plain(text: &mut String, builtin: &Builtin, sm: Sm) {
    match instructions(builtin, &[], sm) {
        Ok(lines) if lines.is_empty() => {
            let _ = writeln!(text, "\nOn {sm} it needs no instruction.");
        }
        Ok(lines) => {
            let _ = writeln!(text, "\nOn {sm} it becomes:");
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
        }
        Err(Some(message)) => {
            let _ = writeln!(text, "\nA call with variables on {sm}: {message}.");
        }
        Err(None) => {}
    }
}

/// What it becomes for each order and scope, and why.
fn grid(text: &mut String, builtin: &Builtin, spelling: Spelling, sm: Sm) {
    let _ = writeln!(text, "\nOn {sm} it becomes:");
    let mut faults = Vec::new();
    for order in Ordering::all().filter(|order| order.cxx().is_some()) {
        let mut rows: Vec<(Vec<&str>, String)> = Vec::new();
        for scope in Scope::all() {
            let becomes = match cell(builtin, spelling, order, scope, sm, &mut faults) {
                Ok(becomes) => becomes,
                Err(reason) => reason,
            };
            match rows.last_mut() {
                Some((scopes, last)) if *last == becomes => scopes.push(scope_name(scope)),
                _ => rows.push((vec![scope_name(scope)], becomes)),
            }
        }
        for (i, (scopes, becomes)) in rows.into_iter().enumerate() {
            let order = if i == 0 {
                order.to_string()
            } else {
                String::new()
            };
            let scopes = match scopes.len() {
                5 => "any".to_owned(),
                _ => scopes.join(", "),
            };
            let _ = writeln!(text, "  {order:8} {scopes:15} {becomes}");
        }
    }
    text.push('\n');
    for reason in reasons(spelling, builtin, sm) {
        let _ = writeln!(text, "- {reason}");
    }
    for fault in faults {
        let _ = writeln!(text, "- {fault}");
    }
}

/// The name of a scope in CUDA.
fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Thread => "thread",
        Scope::Cta => "block",
        Scope::Cluster => "cluster",
        Scope::Gpu => "device",
        Scope::Sys => "system",
    }
}

/// One order at one scope; warnings are collected once each.
fn cell(
    builtin: &Builtin,
    spelling: Spelling,
    order: Ordering,
    scope: Scope,
    sm: Sm,
    warnings: &mut Vec<String>,
) -> Result<String, String> {
    let relaxed = 0;
    let order = i64::from(order.cxx().unwrap_or_default());
    let scope = i64::from(scope.edg());
    let verdict = resolve(&Call {
        spelling,
        object: Object::Unknown,
        order: Argument::Constant(order),
        failure: Argument::Constant(relaxed),
        scope: Argument::Constant(scope),
        chip: sm.number(),
    });
    let resolved = verdict.map_err(|faults| match faults.first() {
        Some(fault) => format!("no: {fault} (NV{})", fault.number()),
        None => "no".to_owned(),
    })?;
    for fault in resolved.warnings {
        let warning = format!("{} (NV{})", fault.entry().title, fault.number());
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    let with_failure: &[i64] = &[order, relaxed, scope];
    let plain: &[i64] = &[order, scope];
    let constants = match spelling.operation.has_failure_order() {
        true => with_failure,
        false => plain,
    };
    match instructions(builtin, constants, sm) {
        Ok(lines) => Ok(ordered(&lines)),
        Err(message) => Err(message.unwrap_or_else(|| "not compiled".to_owned())),
    }
}

/// Why it becomes that.
fn reasons(spelling: Spelling, builtin: &Builtin, sm: Sm) -> Vec<&'static str> {
    let mut list = Vec::new();
    let has_orders = sm.has(warpc_target::features::MEMORY_ORDERS);
    let operation = spelling.operation;
    if has_orders && operation != Operation::Fence {
        list.push(
            "seq_cst: a `fence.sc` before it puts it into the one order of all such operations; \
             the access itself then needs no more than acquire, a store no more than relaxed.",
        );
    }
    if !has_orders {
        list.push(
            "There are no orders before sm_70: `membar` before it keeps earlier accesses before, \
             `membar` after it keeps later ones after.",
        );
    }
    if matches!(operation, Operation::Load | Operation::Rmw(_)) {
        list.push("consume is acquire: nothing weaker keeps what it promises.");
    }
    list.push("PTX has no thread scope: the block is the narrowest.");
    if operation == Operation::Rmw(AtomicOp::Cas) {
        list.push(
            "The order is that of success joined with that of failure; here failure is relaxed.",
        );
    }
    let class = match builtin.atomic() {
        Some(Atomic::Cxx(Spelling {
            form: warpc_builtins::construct::Form::Sized { class, bytes },
            ..
        })) => Some((class, bytes)),
        _ => None,
    };
    match (operation, class) {
        (Operation::Rmw(AtomicOp::Sub), _) => {
            list.push("PTX subtracts nothing: the negated value is added.");
        }
        (Operation::Rmw(AtomicOp::Max | AtomicOp::Min), Some((TypeClass::Float, _))) => {
            list.push(
                "PTX has no such operation on floating-point numbers: a loop compares and swaps.",
            );
        }
        _ => {}
    }
    if matches!(operation, Operation::Rmw(AtomicOp::Add | AtomicOp::Sub))
        && class == Some((TypeClass::Signed, 8))
    {
        list.push("PTX adds 64-bit integers as unsigned ones: the bits are the same.");
    }
    list
}
