//! Functions of the system that kernels call: memory of the device's heap.

use super::{Fault, Machine};
use crate::finding::Problem;
use crate::operand::Dest;
use crate::warp::Warp;

/// Registers of the ABI: the first argument and result, the place to go back to.
const ARGUMENT: u8 = 4;
const BACK: u8 = 20;

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
        .map_or("", String::as_str);
    let first = warp.pair(ARGUMENT);
    match name {
        "malloc" => {
            let mut given = [0; 32];
            for lane in super::memory::each(lanes) {
                given[lane] = machine.global.malloc(first[lane]);
            }
            warp.set_pair(Dest::Register(ARGUMENT), &given, lanes);
        }
        "free" => {}
        "__assertfail" => {
            let text = "an assertion of the kernel failed".to_owned();
            return Err((Problem::Trap(text), lanes));
        }
        name => {
            let text = format!("the function `{name}` of the system is not there");
            return Err((Problem::Other(text), lanes));
        }
    }
    Ok(warp.pair(BACK))
}
