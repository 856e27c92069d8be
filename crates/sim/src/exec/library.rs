//! Functions that the system has and PTX only declares: printing, the heap, failed assertions.

use super::defined::Use;
use super::frame::{Around, Frame};
use super::group::Shared;
use super::warp::Warp;
use super::{Env, Outcome, Trouble, access, defined, lanes, lifetime};
use crate::address::Space;
use crate::finding::{Access, Problem};
use crate::memory::Block;
use crate::program::{Call, Place};
use std::sync::atomic::Ordering;
use warpc_ptx_eval::printf;

/// A function of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum System {
    /// `int vprintf(const char *format, void *arguments)`
    Vprintf,
    /// `void *malloc(size_t)`
    Malloc,
    /// `void free(void *)`
    Free,
    /// `void __assertfail(message, file, line, function, char_size)`
    AssertFail,
}

impl System {
    /// The function with a name.
    pub fn find(name: &str) -> Option<System> {
        Some(match name {
            "vprintf" => System::Vprintf,
            "malloc" => System::Malloc,
            "free" => System::Free,
            "__assertfail" | "__assert_fail" => System::AssertFail,
            _ => return None,
        })
    }
}

/// The longest text that is read from memory.
const MAX_TEXT: u64 = 1 << 16;

/// Calls a function of the system for each lane.
pub(super) fn call(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    system: System,
    call: &Call,
    active: u32,
) -> Outcome<()> {
    let frame = warp.frame();
    for lane in lanes(active) {
        let argument = |warp: &Warp, shared: &Shared, index: usize| {
            argument(warp, env, shared, frame, lane, call.arguments.get(index))
        };
        let result = match system {
            System::Vprintf => {
                let format = argument(warp, shared, 0);
                let arguments = argument(warp, shared, 1);
                let format = text(warp, env, shared, format, lane)?;
                let mut reader = Reader {
                    warp,
                    env,
                    shared,
                    base: arguments,
                    lane,
                };
                let (printed, count) = printf::format(&format, &mut reader)?;
                shared.output.extend(printed);
                count
            }
            System::Malloc => {
                let bytes = argument(warp, shared, 0);
                check(
                    warp,
                    env,
                    frame,
                    lane,
                    call,
                    Use::Operand("the size of `malloc`"),
                )?;
                let address = env.global.malloc(new_block(warp, env, lane, bytes));
                if let Some(races) = &mut shared.races {
                    races.allocated(env, address, bytes);
                }
                if let Some(weak) = &mut shared.weak {
                    weak.allocated(address, bytes);
                }
                address
            }
            System::Free => {
                let address = argument(warp, shared, 0);
                check(warp, env, frame, lane, call, Use::Address)?;
                match env.global.free(address, here(warp)) {
                    Ok(bytes) => {
                        if let Some(races) = &mut shared.races {
                            races.freed(env, warp, lane, (address, bytes));
                        }
                        0
                    }
                    Err(Some(block)) => {
                        return Err(lifetime::freed_twice(env, lane, address, block));
                    }
                    Err(None) => {
                        return Err(Box::new(Trouble {
                            lane: lane as u32,
                            problem: Problem::BadFree(address),
                        }));
                    }
                }
            }
            System::AssertFail => {
                let [message, file, line, function] =
                    [0, 1, 2, 3].map(|index| argument(warp, shared, index));
                let mut read = |address| -> Outcome<String> {
                    let bytes = text(warp, env, shared, address, lane)?;
                    Ok(String::from_utf8_lossy(&bytes).into_owned())
                };
                let (message, file, function) = (read(message)?, read(file)?, read(function)?);
                let line = line & u64::from(u32::MAX);
                let problem =
                    Problem::Assertion(format!("`{message}` at {file}:{line}, in {function}"));
                return Err(Box::new(Trouble {
                    lane: lane as u32,
                    problem,
                }));
            }
        };
        give(
            &mut warp.frames[frame],
            &mut warp.stacks,
            lane,
            call.results.first(),
            result,
        );
        if let Some(Place::Memory(at, bytes)) = call.results.first() {
            let at = access::Place::Local((warp.frames[frame].base_of(lane) + at) as usize);
            let bytes = if *bytes >= 8 { 8 } else { 4 };
            defined::set_place(warp, env, shared, (at, lane), (bytes, 0));
        }
    }
    Ok(())
}

/// The function and step that calls.
fn here(warp: &Warp) -> (u32, u32) {
    let fragment = warp.fragments[warp.current];
    (warp.frames[fragment.frame].code as u32, fragment.pc)
}

/// What is known about a block that a lane asks for.
fn new_block(warp: &Warp, env: &Env<'_>, lane: usize, bytes: u64) -> Block {
    let number = warp.identity.warp * 32 + lane as u32;
    Block {
        bytes,
        made: here(warp),
        by: (warp.identity.block, super::special::thread(env, number)),
        freed: None,
        launch: 0,
    }
}

/// The first argument must be defined.
fn check(
    warp: &Warp,
    env: &Env<'_>,
    frame: usize,
    lane: usize,
    call: &Call,
    what: Use,
) -> Outcome<()> {
    match call.arguments.first() {
        Some(Place::Memory(at, bytes)) => {
            let Some(shadow) = warp.stack_shadow.get(lane) else {
                return Ok(());
            };
            let at = (warp.frames[frame].base_of(lane) + at) as usize;
            let bytes = if *bytes >= 8 { 8 } else { 4 };
            match access::little(shadow, at, bytes) {
                0 => Ok(()),
                _ => Err(defined::of_memory(
                    warp,
                    env,
                    (access::Place::Local(at), lane),
                    &what,
                )),
            }
        }
        Some(Place::Value(source)) if defined::of_source(warp, frame, *source, lane) != 0 => {
            Err(defined::report(warp, env, frame, (*source, lane), what))
        }
        _ => Ok(()),
    }
}

fn argument(
    warp: &Warp,
    env: &Env<'_>,
    shared: &Shared,
    frame: usize,
    lane: usize,
    place: Option<&Place>,
) -> u64 {
    let registers = &warp.frames[frame];
    match place {
        Some(Place::Memory(at, bytes)) => {
            let at = (registers.base_of(lane) + at) as usize;
            let bytes = if *bytes >= 8 { 8 } else { 4 };
            access::little(&warp.stacks[lane], at, bytes)
        }
        Some(Place::Value(source)) => {
            registers.get(*source, lane, Around::new(env, &warp.identity, shared))
        }
        _ => 0,
    }
}

fn give(frame: &mut Frame, stacks: &mut [Vec<u8>], lane: usize, place: Option<&Place>, value: u64) {
    match place {
        Some(Place::Memory(at, bytes)) => {
            let at = (frame.base_of(lane) + at) as usize;
            let bytes = if *bytes >= 8 { 8 } else { 4 };
            access::put(&mut stacks[lane], at, bytes, value);
        }
        Some(Place::Register(to)) => frame.set(*to, lane, value),
        _ => {}
    }
}

/// A value after a generic address.
fn fetch(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    (offset, bytes): (u64, u32),
    base: u64,
    lane: usize,
) -> Outcome<u64> {
    let touch = access::Touch {
        access: Access::Read,
        space: Space::Generic,
        address: base.wrapping_add(offset),
        bytes,
        lane,
    };
    let place = access::resolve(warp, env, shared, touch)?;
    lifetime::read(env, shared, (place, lane), (bytes, false))?;
    if env.init && defined::of_place(warp, env, shared, (place, lane), bytes) != 0 {
        return Err(defined::of_memory(warp, env, (place, lane), &Use::Printed));
    }
    let value = access::read(warp, env, shared, place, lane, bytes, Ordering::Relaxed);
    Ok(value)
}

/// A text that ends with a zero.
fn text(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    address: u64,
    lane: usize,
) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    for i in 0..MAX_TEXT {
        match fetch(warp, env, shared, (i, 1), address, lane)? {
            0 => break,
            byte => bytes.push(byte as u8),
        }
    }
    Ok(bytes)
}

impl printf::Source for Reader<'_, '_> {
    type Error = Box<Trouble>;

    fn value(&mut self, offset: u64, bytes: u32) -> Outcome<u64> {
        fetch(
            self.warp,
            self.env,
            self.shared,
            (offset, bytes),
            self.base,
            self.lane,
        )
    }

    fn text(&mut self, address: u64) -> Outcome<Vec<u8>> {
        text(self.warp, self.env, self.shared, address, self.lane)
    }
}

/// Reads the arguments of one lane's `vprintf`.
struct Reader<'a, 'e> {
    warp: &'a mut Warp,
    env: &'a Env<'e>,
    shared: &'a Shared,
    base: u64,
    lane: usize,
}
