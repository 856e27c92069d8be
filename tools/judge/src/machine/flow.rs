//! Which memory each access of a kernel means.
//!
//! The kernels of [`crate::door`] take one pointer for what is accessed before the operation, one for what is
//! accessed after it, one for the operation and one for its values. What a register holds was computed from some
//! of them; that is followed along every way, until nothing is new.

use crate::machine::line::{Act, Kind, Line};
use warpc_sass::latency::effects::{File, Role};

/// What a value was computed from, a bit each.
pub type Origin = u8;
/// The pointer to what is accessed before the operation.
pub const BEFORE: Origin = 1;
/// The pointer to what is accessed after it.
pub const AFTER: Origin = 2;
/// The pointer of the operation.
pub const LOCATION: Origin = 4;
/// The pointer to memory that holds the pointer of the operation.
pub const POINTER: Origin = 8;
/// The pointer to the values of the operation.
pub const VALUES: Origin = 16;

/// The first bank of constants holds the parameters of a kernel.
const PARAMETERS: u8 = 0;
/// The bytes of a parameter of [`crate::door`]: each is a pointer.
const PARAMETER_BYTES: i32 = 8;

/// Where the parameters begin, by chip: `EIATTR_PARAM_CBANK` of what ptxas 13.4 makes.
pub fn first_parameter(sm: u16) -> i32 {
    match sm {
        ..90 => 0x160,
        90..100 => 0x210,
        _ => 0x380,
    }
}

/// What is known of the registers before an instruction.
#[derive(Clone, PartialEq, Eq)]
struct Registers {
    vector: [Origin; 256],
    uniform: [Origin; 256],
}

impl Registers {
    fn file(&mut self, file: File) -> Option<&mut [Origin; 256]> {
        match file {
            File::Register => Some(&mut self.vector),
            File::Uniform => Some(&mut self.uniform),
            File::Predicate | File::UniformPredicate => None,
        }
    }

    fn get(&self, file: File, number: u8) -> Origin {
        match file {
            File::Register => self.vector[usize::from(number)],
            File::Uniform => self.uniform[usize::from(number)],
            File::Predicate | File::UniformPredicate => 0,
        }
    }

    /// Joins; whether anything is new.
    fn join(&mut self, other: &Registers) -> bool {
        let mut new = false;
        let pairs = self.vector.iter_mut().zip(&other.vector);
        for (mine, theirs) in pairs.chain(self.uniform.iter_mut().zip(&other.uniform)) {
            new |= *mine | theirs != *mine;
            *mine |= theirs;
        }
        new
    }
}

/// For each line: what the address of its access was computed from.
pub fn addresses(lines: &[Line], first: i32, parameters: &[Origin]) -> Vec<Origin> {
    let empty = Registers {
        vector: [0; 256],
        uniform: [0; 256],
    };
    let mut states: Vec<Option<Registers>> = vec![None; lines.len()];
    let mut addresses = vec![0; lines.len()];
    let mut work = vec![(0, empty)];
    while let Some((at, registers)) = work.pop() {
        let Some(line) = lines.get(at) else { continue };
        let new = match &mut states[at] {
            None => {
                states[at] = Some(registers);
                true
            }
            Some(known) => known.join(&registers),
        };
        let (true, Some(known)) = (new, &states[at]) else {
            continue;
        };
        let mut after = known.clone();
        let read = |file, number| known.get(file, number);
        let constant = |offset: i32| {
            let place = offset.checked_sub(first).filter(|place| *place >= 0);
            place
                .and_then(|place| parameters.get((place / PARAMETER_BYTES) as usize))
                .copied()
                .unwrap_or(0)
        };
        let from = |registers: &[(File, u8)]| {
            let origins = registers.iter().map(|&(file, number)| read(file, number));
            origins.fold(0, |all, origin| all | origin)
        };
        let mut result = 0;
        match &line.act {
            Act::Query { address, .. } => addresses[at] = from(address),
            Act::Touch(touch) => {
                let address = from(&touch.address);
                addresses[at] = address;
                if touch.kind == Kind::Load && address & POINTER != 0 {
                    result = LOCATION;
                }
            }
            _ => {
                for access in &line.accesses {
                    if matches!(access.role, Role::Source(_)) {
                        for number in access.numbers() {
                            result |= read(access.file, number);
                        }
                    }
                }
            }
        }
        // What is loaded from a bank goes to one register for each four bytes.
        let is_constant_load =
            ["LDC", "ULDC", "LDCU"].contains(&line.name.split('.').next().unwrap_or(""));
        if !is_constant_load {
            for &(_, offset) in line
                .constants
                .iter()
                .filter(|(bank, _)| *bank == PARAMETERS)
            {
                result |= constant(offset);
            }
        }
        for access in line.accesses.iter().filter(|access| access.is_write()) {
            for (index, number) in access.numbers().enumerate() {
                let mut origin = result;
                if let (true, Some(&(PARAMETERS, offset))) =
                    (is_constant_load, line.constants.first())
                {
                    origin |= constant(offset + 4 * index as i32);
                }
                if let Some(file) = after.file(access.file) {
                    let slot = &mut file[usize::from(number)];
                    *slot = match line.guard {
                        Some(_) => *slot | origin,
                        None => origin,
                    };
                }
            }
        }
        match line.act {
            Act::Exit if line.guard.is_none() => {}
            Act::Jump(to) => {
                if line.guard.is_some() {
                    work.push((at + 1, after.clone()));
                }
                work.push((to, after));
            }
            _ => work.push((at + 1, after)),
        }
    }
    addresses
}
