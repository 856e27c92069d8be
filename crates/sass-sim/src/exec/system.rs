//! Functions of the system that kernels call: `printf`, assertions, memory of the device's heap.

use super::{Fault, Machine};
use crate::finding::{Access, Problem};
use crate::operand::Dest;
use crate::warp::Warp;
use warpc_ptx_eval::printf;
use warpc_sass::shape::Space;

/// Registers of the ABI: the first arguments and the result, the place to go back to.
const ARGUMENT: u8 = 4;
const SECOND: u8 = 6;
const THIRD: u8 = 8;
const FOURTH: u8 = 10;
const BACK: u8 = 20;
/// The longest text that is read.
const LONGEST: u64 = 1 << 16;

/// Reads the memory of a lane.
struct Reader<'r, 'm> {
    machine: &'r mut Machine<'m>,
    warp: &'r mut Warp,
    lane: usize,
    /// Where arguments are.
    base: u64,
}

impl printf::Source for Reader<'_, '_> {
    type Error = Fault;

    fn value(&mut self, offset: u64, bytes: u32) -> Result<u64, Fault> {
        let address = self.base.wrapping_add(offset);
        let (machine, lane) = (&mut *self.machine, self.lane);
        let place = machine.place(
            self.warp,
            Space::Generic,
            address,
            bytes,
            Access::Read,
            lane,
        )?;
        let mut whole = [0; 8];
        whole[..place.len()].copy_from_slice(place);
        Ok(u64::from_le_bytes(whole))
    }

    fn text(&mut self, address: u64) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::new();
        for at in 0..LONGEST {
            let base = std::mem::replace(&mut self.base, address);
            let byte = self.value(at, 1);
            self.base = base;
            match byte? {
                0 => break,
                byte => text.push(byte as u8),
            }
        }
        Ok(text)
    }
}

/// The place and the text of an assertion that failed.
fn assertion(machine: &mut Machine<'_>, warp: &mut Warp, lane: usize) -> Result<String, Fault> {
    let [message, file, function] = [ARGUMENT, SECOND, FOURTH].map(|one| warp.pair(one)[lane]);
    let line = warp.register(THIRD)[lane];
    let mut reader = Reader {
        machine,
        warp,
        lane,
        base: 0,
    };
    let mut read = |address| -> Result<String, Fault> {
        let text = printf::Source::text(&mut reader, address)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    let (message, file, function) = (read(message)?, read(file)?, read(function)?);
    Ok(format!(
        "assertion failed: `{message}` at {file}:{line}, in {function}"
    ))
}

/// Calls a function of the system by its number in the kernel's list; where the lanes go back to comes back.
pub(super) fn call(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    number: usize,
    lanes: u32,
) -> Result<[u64; 32], Fault> {
    let name = machine
        .launched
        .kernel
        .system
        .get(number)
        .map_or_else(String::new, String::clone);
    let first = warp.pair(ARGUMENT);
    match name.as_str() {
        "malloc" => {
            let mut given = [0; 32];
            for lane in super::memory::each(lanes) {
                given[lane] = machine.global.malloc(first[lane]);
            }
            warp.set_pair(Dest::Register(ARGUMENT), &given, lanes);
        }
        "free" => {}
        "__assertfail" => {
            let text = assertion(machine, warp, lanes.trailing_zeros().min(31) as usize)?;
            return Err((Problem::Trap(text), lanes));
        }
        "vprintf" => {
            let arguments = warp.pair(SECOND);
            let mut counts = [0; 32];
            for lane in super::memory::each(lanes) {
                let mut reader = Reader {
                    machine,
                    warp,
                    lane,
                    base: arguments[lane],
                };
                let format = printf::Source::text(&mut reader, first[lane])?;
                let (printed, count) = printf::format(&format, &mut reader)?;
                machine.group.output.extend(printed);
                counts[lane] = count as u32;
            }
            warp.set(Dest::Register(ARGUMENT), &counts, lanes);
        }
        name => {
            let text = format!("the function `{name}` of the system is not there");
            return Err((Problem::Other(text), lanes));
        }
    }
    Ok(warp.pair(BACK))
}
