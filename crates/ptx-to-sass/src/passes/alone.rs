//! One pass alone, on IR that was read from text: what file tests show (`tests/files/pass`).

use super::assign_registers::{self, Limits};
use super::{OPTIMISE, ORDER, PLACE, SYNC, TUPLES};
use super::{
    assign_reuse, balance_pipes, coalesce, converge, enter_frame, errors_at_exit, group_waits,
    order_fences, schedule, spill,
};
use crate::analysis::divergence::Divergence;
use crate::emit::Code;
use crate::ir::{self, Function};
use crate::observe::Left;
use warpc_sass::latency::Facts;

/// Runs a pass by its name, with so many registers, and gives what it left: IR, or instructions with registers where the
/// pass makes these (`assign_registers`, `schedule`).
///
/// The IR must be one that [`ir::verify`] has nothing against; nothing is run otherwise.
pub fn run(pass: &str, mut function: Function, registers: u8) -> Result<Box<dyn Left>, String> {
    if let Some(fault) = ir::verify(&function).first() {
        return Err(fault.to_string());
    }
    let limits = Limits::new(registers);
    let failed = || format!("`{pass}` cannot be run on `{}`", function.name);
    let listed = [OPTIMISE, ORDER, SYNC, TUPLES, PLACE].into_iter().flatten();
    if let Some(known) = listed.into_iter().find(|known| known.name == pass) {
        (known.run)(&mut function, &limits);
        return Ok(Box::new(function));
    }
    let failed = failed();
    match pass {
        "order_fences" => order_fences::order_fences(&mut function).ok_or(failed)?,
        "coalesce" => coalesce::coalesce_all(&mut function),
        "converge" => {
            let looks = function.knobs.sync_optimisation;
            let divergence = looks.then(|| Divergence::of(&function));
            converge::converge(&mut function, divergence.as_ref());
        }
        "balance_pipes" => {
            let assignment = assign_registers::assign(&function, &limits, &[]);
            balance_pipes::balance_pipes(&mut function, assignment.ok().as_ref());
        }
        "group_waits" => group_waits::wait_for_groups(&mut function).ok_or(failed)?,
        "spill" => {
            spill::assign(&mut function, registers, registers, None).ok_or(failed)?;
        }
        "enter_frame" => {
            let assignment = assign_registers::assign(&function, &limits, &[]);
            let assignment = assignment.map_err(|_| failed.clone())?;
            enter_frame::enter_frame(&mut function, &assignment).ok_or(failed)?;
        }
        "errors_at_exit" => errors_at_exit::errors_at_exit(&mut function),
        "assign_registers" | "schedule" | "assign_reuse" => {
            let mut code = assigned(&mut function, registers).ok_or(failed.clone())?;
            if pass != "assign_registers" {
                let facts = Facts::of(function.sm).ok_or(failed.clone())?;
                schedule::schedule(&mut code, facts).ok_or(failed)?;
            }
            if pass == "assign_reuse" {
                assign_reuse::assign_reuse(&mut code);
            }
            return Ok(Box::new(code));
        }
        _ => return Err(format!("there is no pass `{pass}` that can be run alone")),
    }
    Ok(Box::new(function))
}

/// The instructions of a function with registers.
fn assigned(function: &mut Function, registers: u8) -> Option<Code> {
    let assignment = spill::assign(function, registers, registers, None)?;
    let callees = (1..=function.callees.len()).collect();
    Code::of(function, &assignment, callees)
}
