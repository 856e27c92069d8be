//! Refuses constants that barriers do not take, at the call that has them.
//!
//! | what | must be |
//! |---|---|
//! | the number of a barrier of a block | 0 to 15 |
//! | how many threads meet there | whole warps; for `arrive` at least one |
//! | how many threads a barrier in memory waits for, or arrive there at once | 1 to 1,048,575 |
//! | the bytes a barrier in memory expects or gets | 0 to 1,048,575 |
//!
//! Numbers that are not constants are not looked at: the chip does what it does.

use crate::pass::Context;
use std::ops::RangeInclusive;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::Op;
use warpc_nvvm::value::{InstId, Value};

/// Threads of a warp.
const WARP: u64 = 32;
/// Barriers of a block.
const NUMBERS: RangeInclusive<u64> = 0..=15;
/// The most that a barrier in memory counts.
const MOST: u64 = (1 << 20) - 1;

pub(super) fn run(module: &mut Module, context: &mut Context) {
    for (_, _, function) in module.functions() {
        let Some(body) = &function.body else {
            continue;
        };
        for &block in &body.order {
            for &inst in &body.blocks[block].insts {
                if let Some(message) = fault(module, body, inst) {
                    let pos = body.insts[inst].pos;
                    let (text, help) = message;
                    let span = Span::new(pos, pos + 1);
                    let error = Diagnostic::error(codes::IR_INTRINSIC, span, text);
                    context.found.push(error.help(help));
                }
            }
        }
    }
}

/// What is wrong with a call of a barrier, and what to do.
fn fault(module: &Module, body: &Body, inst: InstId) -> Option<(String, String)> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    let (callee, args) = body.operands(inst).split_last()?;
    let callee = module.global_of(callee.constant()?)?;
    let name = module.names.bytes(module.globals[callee].name?);
    let name = std::str::from_utf8(name.strip_prefix(b"llvm.nvvm.")?).ok()?;
    let number = |arg: Option<&Value>| module.constants.as_u64(arg?.constant()?);
    if let Some(what) = name.strip_prefix("barrier.cta.") {
        let index = number(args.first());
        if let Some(index) = index.filter(|index| !NUMBERS.contains(index)) {
            let text = format!("there is no barrier {index}");
            return Some((text, "a block has the barriers 0 to 15".into()));
        }
        if !what.ends_with(".count") {
            return None;
        }
        let count = number(args.get(1))?;
        let is_arrival = what.starts_with("arrive");
        if count.is_multiple_of(WARP) && !(count == 0 && is_arrival) {
            return None;
        }
        let text = format!("{count} threads are not whole number of warps");
        return Some((text, format!("write a multiple of {WARP}")));
    }
    let what = name.strip_prefix("mbarrier.")?;
    let (least, of) = match what {
        _ if what.starts_with("init") => (1, "threads that a barrier waits for"),
        _ if what.contains(".tx") => (0, "bytes of a barrier"),
        _ if what.starts_with("arrive") => (1, "threads that arrive at once"),
        _ => return None,
    };
    let count = number(args.get(1))?;
    (!(least..=MOST).contains(&count)).then(|| {
        let text = format!("{count} is out of range for the {of}");
        (text, format!("it lies from {least} to {MOST}"))
    })
}
