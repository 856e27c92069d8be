//! Uses of undefined values that matter, and what is reported about them.

use super::shadow::{Kind, Origin};
use crate::exec::access::Place;
use crate::exec::warp::Warp;
use crate::exec::{Env, Trouble};
use crate::finding::{Problem, Told, Waiting};
use crate::program::Src;
use warpc_diag::codes;

/// What an undefined value decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// Where control goes, or whether an instruction is executed.
    Branch,
    /// Where an access goes.
    Address,
    /// A count, size, lane, mask or number of a barrier.
    Operand(&'static str),
    /// What the host finds in a buffer or variable.
    Stored(String),
    /// What is printed.
    Printed,
}

/// The finding about a use of a source in a lane.
#[cold]
pub(crate) fn report(
    warp: &Warp,
    env: &Env<'_>,
    frame: usize,
    (source, lane): (Src, usize),
    what: Use,
) -> Box<Trouble> {
    let origin = match &warp.frames[frame].undefined {
        Some(shadow) => shadow.origin(source),
        None => Origin::UNWRITTEN,
    };
    of_origin(env, origin, lane, &what)
}

/// The finding about a use of undefined memory.
#[cold]
pub(crate) fn of_memory(
    warp: &Warp,
    env: &Env<'_>,
    (place, lane): (Place, usize),
    what: &Use,
) -> Box<Trouble> {
    let fragment = warp.fragments[warp.current];
    let step = (warp.frames[fragment.frame].code as u32, fragment.pc);
    of_origin(env, Origin::load(step, place), lane, what)
}

fn of_origin(env: &Env<'_>, origin: Origin, lane: usize, what: &Use) -> Box<Trouble> {
    let value = match origin.kind {
        Kind::Memory(_) => "a value of uninitialised memory",
        Kind::Shuffle => "a value of a lane that does not take part in the shuffle",
        Kind::Collective => "an undefined value of another lane",
        Kind::Unwritten => "a value of a register that was never written",
    };
    let message = match what {
        Use::Branch => format!("{value} decides where control goes"),
        Use::Address => format!("{value} is used as an address"),
        Use::Operand(name) => format!("{value} is used as {name}"),
        Use::Stored(name) => format!("{value} is stored to {name}"),
        Use::Printed => format!("{value} is printed"),
    };
    let (code, help) = match origin.kind {
        Kind::Memory(Place::Shared(..)) => (
            codes::UNINITIALISED,
            "write all of the shared memory that is read, and synchronise before the read: its \
             contents are undefined when a block starts",
        ),
        Kind::Memory(Place::Global(..)) => (
            codes::UNINITIALISED,
            "initialise what `malloc` gives: its contents are undefined",
        ),
        Kind::Memory(_) => (
            codes::UNINITIALISED,
            "give the local variable a value on every path to the read",
        ),
        Kind::Shuffle => (
            codes::SHUFFLE_SOURCE,
            "a shuffle may only read lanes that execute it and are in its member mask: let all \
             lanes take part, or use only results whose source lane does",
        ),
        Kind::Collective => (
            codes::UNINITIALISED,
            "every lane must bring a defined value to a warp operation",
        ),
        Kind::Unwritten => (
            codes::UNINITIALISED,
            "give the variable a value on every path to the read",
        ),
    };
    let related = related(env, origin).into_iter().collect();
    let told = Told {
        code,
        warning: false,
        message,
        help: help.to_owned(),
        related,
    };
    Trouble::of(1 << lane, Problem::Told(Box::new(told)))
}

fn related(env: &Env<'_>, origin: Origin) -> Option<Waiting> {
    let (code, pc) = (origin.step.0 as usize, origin.step.1 as usize);
    let span = env.program.codes[code].origins.get(pc)?.span;
    let text = match origin.kind {
        Kind::Memory(Place::Shared(_, offset)) => {
            format!("loaded here from shared address {offset:#x}, which nobody has written")
        }
        Kind::Memory(Place::Local(offset)) => {
            format!("loaded here from local address {offset:#x}, which the thread has not written")
        }
        Kind::Memory(Place::Global(region, offset)) => {
            let at = env.global.region(region).address + offset;
            format!("loaded here from address {at:#x} of the heap, which nobody has written")
        }
        Kind::Memory(Place::Param(_)) => "loaded here".to_owned(),
        Kind::Shuffle => "the result of this shuffle is undefined in this lane".to_owned(),
        Kind::Collective => "other lanes bring an undefined value here".to_owned(),
        Kind::Unwritten => return None,
    };
    Some(Waiting { span, text })
}
