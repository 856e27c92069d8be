//! How functions call each other on the machine.
//!
//! | | |
//! |---|---|
//! | arguments, results | `R4` to `R15`, each aligned; a later small one fills a hole; one that does not fit goes whole to the stack |
//! | stack | grows down from `R1`; what is passed on it begins at the caller's `[R1]` |
//! | return address | `R20` and `R21`: a distance from the beginning of the section |
//! | a function keeps | [`is_kept`] |
//! | a function of the system | its address is in bank 4 of constants; `CALL.ABS`, the return address is one of memory (`LEPC`) |
//! | in a relocatable object | `CALL.ABS` to an address that the linker writes, the return address is one of memory (`LEPC`, `RET.ABS`); addresses of functions are those of their code |
//! | an address of a function | where bank 2 of the kernel has the function's distance from the beginning of the section |
//!
//! Source: what ptxas 13.4 emits, as the reference records it.

use crate::ir::File;

/// The registers in which arguments and results are passed.
const FIRST: u8 = 4;
const LAST: u8 = 15;

/// The first of the two registers of the return address.
pub const RETURN: u8 = 20;

/// The least number of registers of a kernel that calls functions.
pub const LEAST_REGISTERS: u8 = 24;

/// The uniform registers and convergence barriers that a function keeps begin here.
pub const KEPT_UNIFORM: u8 = 36;
/// See [`KEPT_UNIFORM`].
pub const KEPT_BARRIER: u8 = 6;

/// Whether a function leaves a register as it found it.
///
/// `R20` and `R21` are in the range of those that it keeps, but the caller writes them itself. The stack register is not
/// among them: a function gives it back by counting.
pub fn is_kept(file: File, number: u8) -> bool {
    match file {
        File::Register => match number {
            2 => true,
            RETURN | 21 => false,
            0..16 => false,
            16..32 => true,
            _ => number & 4 != 0,
        },
        File::Predicate | File::UniformPredicate => false,
        File::Uniform => number >= KEPT_UNIFORM,
        File::Barrier => number >= KEPT_BARRIER,
    }
}

/// The functions that the driver has, and that a module only declares.
const OF_SYSTEM: [&str; 5] = ["__assertfail", "free", "malloc", "vfprintf", "vprintf"];

/// What the names of those begin with that the libraries of the toolkit call.
const OF_SYSTEM_BEGIN: [&str; 2] = ["cnp", "__cuda_syscall_"];

/// Whether the driver has a function. Source: the names that ptxas leaves to it in a finished cubin.
pub fn is_of_system(name: &str) -> bool {
    OF_SYSTEM.contains(&name) || OF_SYSTEM_BEGIN.iter().any(|one| name.starts_with(one))
}

/// Bytes of an entry of the bank with the addresses of functions. The first one is that of no function.
pub const FUNCTION_ENTRY: u32 = 8;

/// Where something is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In registers, from this one on.
    Registers(u8),
    /// On the stack, at this distance.
    Stack(u32),
}

/// Where the arguments or the results of a function are passed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Places {
    /// One for each.
    pub each: Vec<Place>,
    /// The bytes of the stack that they have.
    pub stack: u32,
}

impl Places {
    /// Places what has these sizes and alignments, in bytes.
    pub fn of(all: impl IntoIterator<Item = (u32, u32)>) -> Places {
        let mut places = Places::default();
        let mut taken = [false; LAST as usize + 1];
        for (size, align) in all {
            let words = size.div_ceil(4).max(1) as usize;
            let step = (align / 4).clamp(1, 4) as usize;
            let mut firsts = (usize::from(FIRST)..=usize::from(LAST)).step_by(step);
            let free = firsts.find(|first| {
                first + words <= taken.len() && !taken[*first..first + words].contains(&true)
            });
            let place = match free {
                Some(first) => {
                    taken[first..first + words].fill(true);
                    Place::Registers(first as u8)
                }
                None => {
                    let at = places.stack.next_multiple_of(align.max(4));
                    places.stack = at.saturating_add(size.next_multiple_of(4));
                    Place::Stack(at)
                }
            };
            places.each.push(place);
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_small_one_fills_a_hole() {
        let places = Places::of([(4, 4), (8, 8), (4, 4), (48, 8), (4, 4)]);
        let each = [
            Place::Registers(4),
            Place::Registers(6),
            Place::Registers(5),
            Place::Stack(0),
            Place::Registers(8),
        ];
        assert_eq!(places.each, each);
        assert_eq!(places.stack, 48);
    }
}
