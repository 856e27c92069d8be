//! The stack: it grows down, and `R1` is its end.
//!
//! A kernel that uses local memory, or calls functions, begins with the top of the stack. A function makes room for its
//! frame, and saves the registers and convergence barriers in it that it must keep; before it returns it puts them back. Where the end of the stack
//! moves (`alloca`), another register keeps the place of the frame.

use crate::abi;
use crate::build::special::{STACK, offset, stack_top};
use crate::ir::{File, Function, Inst, Op};
use crate::passes::assign_registers::Assignment;
use crate::pattern;
use warpc_diag::Span;
use warpc_sass::Value;

/// The register that barriers go through on their way to the stack and back.
const SCRATCH: u8 = 0;

/// Puts the instructions in; nothing if the chip does not have them.
pub fn enter_frame(function: &mut Function, assignment: &Assignment) -> Option<()> {
    let mut saved = match function.is_kernel {
        true => Vec::new(),
        false => to_save(function, assignment),
    };
    let has_base = function.frame_base != STACK;
    if has_base && !function.is_kernel {
        saved.push(function.frame_base);
    }
    let barriers = match function.is_kernel {
        true => Vec::new(),
        false => barriers_to_save(function, assignment),
    };
    let first = function.frame.next_multiple_of(4);
    let words = (saved.len() + barriers.len()) as u32;
    function.frame = (first + 4 * words).next_multiple_of(16);
    let mut front = Vec::new();
    let align = function.frame_align;
    if align > 16 {
        // What is left out to have it aligned.
        function.frame += align - 16;
    }
    if function.is_kernel && (function.frame > 0 || has_base || function.calls()) {
        front.push(make(function, &stack_top(function.sm), &[])?);
    }
    let stack = Op::Value(Value::Register(STACK));
    let base = Op::Value(Value::Register(function.frame_base));
    if let Some(less) = moved(function, -i64::from(function.frame)) {
        front.push(less?);
    }
    if align > 16 {
        let text = format!("LOP3.LUT R0, R0, {:#x}, RZ, 0xc0, !PT", !(align - 1));
        front.push(make(function, &text, &[stack, stack])?);
    }
    let places = || (first..).step_by(4).zip(&saved);
    for (at, register) in places() {
        let text = format!("STL [R0{}], R0", offset(at.into()));
        let register = Op::Value(Value::Register(*register));
        front.push(make(function, &text, &[stack, register])?);
    }
    // Barriers go through a register that nobody needs here: arguments, results and the return address are in others.
    let scratch = Op::Value(Value::Register(SCRATCH));
    let barrier_places = || (first + 4 * saved.len() as u32..).step_by(4).zip(&barriers);
    for (at, barrier) in barrier_places() {
        let barrier = Op::Value(Value::Barrier(*barrier));
        front.push(make(function, "BMOV.32.CLEAR R0, B0", &[scratch, barrier])?);
        let text = format!("STL [R0{}], R0", offset(at.into()));
        front.push(make(function, &text, &[stack, scratch])?);
    }
    let mut back = Vec::new();
    if has_base {
        front.push(make(function, "MOV R0, R0", &[base, stack])?);
        back.push(make(function, "MOV R0, R0", &[stack, base])?);
    }
    for (at, barrier) in barrier_places() {
        let text = format!("LDL R0, [R0{}]", offset(at.into()));
        back.push(make(function, &text, &[scratch, stack])?);
        let barrier = Op::Value(Value::Barrier(*barrier));
        back.push(make(function, "BMOV.32 B0, R0", &[barrier, scratch])?);
    }
    for (at, register) in places() {
        let text = format!("LDL R0, [R0{}]", offset(at.into()));
        let register = Op::Value(Value::Register(*register));
        back.push(make(function, &text, &[register, stack])?);
    }
    if !function.is_kernel {
        if let Some(more) = moved(function, function.frame.into()) {
            back.push(more?);
        }
        for block in &mut function.blocks {
            let at = block.insts.len().saturating_sub(1);
            if block.insts.last().map(|last| last.shape.opcode()) == Some("RET") {
                block.insts.splice(at..at, back.iter().cloned());
            }
        }
    }
    function.blocks.first_mut()?.insts.splice(0..0, front);
    Some(())
}

/// The registers that a function changes and must keep.
fn to_save(function: &Function, assignment: &Assignment) -> Vec<u8> {
    let changed = changed(function, assignment, File::Register);
    changed
        .filter(|number| abi::is_kept(File::Register, *number))
        .collect()
}

/// The convergence barriers that a function changes and must keep.
fn barriers_to_save(function: &Function, assignment: &Assignment) -> Vec<u8> {
    let changed = changed(function, assignment, File::Barrier);
    changed
        .filter(|number| abi::is_kept(File::Barrier, *number))
        .collect()
}

/// The registers of a file that a function changes, in order.
fn changed(
    function: &Function,
    assignment: &Assignment,
    file: File,
) -> impl Iterator<Item = u8> + use<> {
    let mut changed = [false; 256];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        for (reg, lane, lanes) in inst.writes() {
            if function.data(reg).file == file
                && let Some(first) = assignment.of(reg, lane)
            {
                let first = usize::from(first);
                changed[first..first + usize::from(lanes)].fill(true);
            }
        }
    }
    (0..=254u8).filter(move |number| changed[usize::from(*number)])
}

/// Moves the end of the stack; nothing if it stays.
fn moved(function: &Function, bytes: i64) -> Option<Option<Inst>> {
    let text = match bytes {
        0 => return None,
        1.. => format!("IADD3 R{STACK}, R{STACK}, {bytes:#x}, RZ"),
        _ => format!("IADD3 R{STACK}, R{STACK}, -{:#x}, RZ", -bytes),
    };
    let stack = Op::Value(Value::Register(STACK));
    Some(make(function, &text, &[stack, stack]))
}

/// An instruction by the example of a text, with these operands in its holes, or those of the text.
fn make(function: &Function, text: &str, ops: &[Op]) -> Option<Inst> {
    let pattern = pattern::find(function.sm, text)?;
    Some(pattern.filled(ops, None, Span::default()))
}
