//! Cycles as an H200 takes them: until a result that has no fixed latency is there, and between two instructions of a kind.
//!
//! ```text
//!   shape ──► result_after   issue ─► result, with nobody else there          estimates of schedules and of runs
//!         ──► Rate           alone: a warp by itself   quarter: four warps of a quarter of a multiprocessor, each
//! ```
//!
//! Source: `warpc-hw rates`, 2026-11-18, NVIDIA H200 (`docs/hardware.md`, "Cycles of instructions"), where all accesses hit the
//! first cache and meet no conflicts. What was not measured is marked as a guess. Other chips are taken for the same: these
//! numbers compare versions of code, and nothing is correct because of them.

use super::{BANKS, Pipe};
use crate::Shape;
use crate::shape::{Access, Space};

/// A load of global memory or by a generic address: a guess between a hit of the first cache (31 cycles) and one of the second
/// (266, which is what strong loads take), because what hits is not known.
pub const GLOBAL: u32 = 200;
/// An access to the second cache: strong loads.
const SECOND_CACHE: u32 = 266;
/// An atomic operation of global memory.
const ATOMIC: u32 = 279;

/// Cycles from the issue of an instruction to that of one that waits for its result, where that time is not fixed.
pub fn result_after(shape: &Shape) -> u32 {
    let memory = shape.memory();
    let is_atomic = memory.access.contains(Access::ATOMIC);
    // The second half of a pair and the last of four words are there a little later.
    let wide = match words(shape) {
        1 => 0,
        2 => 3,
        _ => 9,
    };
    match (shape.opcode(), memory.space) {
        ("MEMBAR", _) if shape.has("CTA") => 8,
        ("MEMBAR", _) if shape.has("SYS") => 886,
        ("MEMBAR", _) => 143,
        ("BAR", _) => 14,
        ("LDSM", _) => 29,
        ("MATCH", _) => 369,
        ("REDUX" | "CREDUX", _) => 38,
        (_, Space::Global | Space::Generic | Space::Cluster) if is_atomic => ATOMIC,
        (_, Space::Shared) if is_atomic && shape.has("CAS") => 30,
        (_, Space::Shared) if is_atomic => 26,
        (_, Space::Global | Space::Generic) if shape.has("STRONG") => SECOND_CACHE,
        // Other blocks' shared memory: a guess.
        (_, Space::Global | Space::Generic | Space::Cluster) => GLOBAL + wide,
        (_, Space::Shared) => 23 + wide,
        (_, Space::Local) => 29 + wide,
        (_, Space::Constant) => 25,
        _ => by_pipe(shape),
    }
}

fn by_pipe(shape: &Shape) -> u32 {
    match (shape.pipe(), shape.opcode()) {
        (_, "S2R") => 24,
        (_, "S2UR") => 35,
        (_, "FCHK") => 26,
        (_, "F2F") if shape.has("F32") && shape.has("F64") => 19,
        (_, "I2F") if shape.has("U64") || shape.has("S64") || shape.has("F64") => 19,
        (Some(Pipe::Variable), _) => 17,
        // A shuffle; others are guesses.
        (Some(Pipe::Memory), _) => 24,
        (Some(Pipe::Texture), _) => 400,
        (Some(Pipe::Group), _) => 60 + group(shape),
        (Some(Pipe::MatrixDouble), _) => 30,
        (Some(Pipe::Bulk), _) => 500,
        (Some(Pipe::Branch), _) => 25,
        (Some(Pipe::Double), _) => 16,
        _ => 14,
    }
}

/// How often an instruction is issued that waits for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// Cycles between two in a warp alone.
    pub alone: u32,
    /// Cycles between two in a quarter of a multiprocessor, whatever the number of warps.
    pub quarter: u32,
}

impl Rate {
    /// The rate of an instruction in its pipe; what its registers' banks let through is [`turns`].
    pub fn of(shape: &Shape) -> Rate {
        let rate = |alone, quarter| Rate { alone, quarter };
        let memory = shape.memory();
        let is_atomic = memory.access.contains(Access::ATOMIC);
        let words = words(shape);
        match (shape.opcode(), memory.space) {
            ("SHFL", _) => rate(2, 4),
            ("S2R", _) => rate(2, 2),
            ("S2UR", _) => rate(3, 7),
            ("REDUX" | "CREDUX", _) => rate(4, 4),
            ("MATCH", _) => rate(64, 64),
            ("FCHK", _) => rate(9, 9),
            (_, Space::Global | Space::Generic | Space::Cluster) if is_atomic => rate(9, 18),
            (_, Space::Shared) if is_atomic && shape.has("CAS") => rate(6, 6),
            (_, Space::Shared) if is_atomic => rate(4, 4),
            (_, Space::Global | Space::Generic) if shape.has("STRONG") && words == 1 => rate(7, 7),
            (_, Space::Global | Space::Generic) => match words {
                1 => rate(4, 4),
                2 => rate(4, 7),
                _ => rate(8, 15),
            },
            (_, Space::Shared | Space::Local | Space::Cluster) => match words {
                1 => rate(2, 4),
                2 => rate(4, 8),
                _ => rate(8, 15),
            },
            ("LDC", _) => rate(2, 7),
            _ => {
                let issue = match shape.pipe() {
                    Some(Pipe::Group) => group(shape).max(shape.issue().into()),
                    _ => u32::from(shape.issue()).max(1),
                };
                rate(issue, issue)
            }
        }
    }
}

/// Words of 32 bits that an access to memory moves for each lane.
pub fn words(shape: &Shape) -> u32 {
    let modifiers = [("128", 4), ("64", 2), ("4", 4), ("2", 2)];
    let found = modifiers.iter().find(|(name, _)| shape.has(name));
    found.map_or(1, |(_, words)| *words)
}

/// Cycles of a product of a warpgroup, `64x128x16`: two columns of 64 rows a cycle. Source: the peak of dense products of halves
/// in the H100 data sheet.
fn group(shape: &Shape) -> u32 {
    let mut sizes = shape.modifiers().filter_map(|one| one.strip_prefix("64x"));
    let columns = sizes.find_map(|rest| rest.split('x').next()?.parse::<u32>().ok());
    columns.unwrap_or(8) / 2
}

/// Cycles that the banks need for an instruction: each gives one register of 32 lanes a cycle, and one that is read at two
/// places, or that `.reuse` keeps, is not asked for again. `FFMA R32, R12, R14, R17` is issued every two cycles and
/// `FFMA R32, R12, R14, R16` every three, where one of R12, R13 and R12 is issued every cycle.
pub fn turns(registers: impl Iterator<Item = u8>) -> u32 {
    let mut asked = [0u32; BANKS as usize];
    let mut seen: [Option<u8>; 4] = [None; 4];
    for (place, number) in registers.take(seen.len()).enumerate() {
        if !seen.contains(&Some(number)) {
            seen[place] = Some(number);
            asked[usize::from(number % BANKS)] += 1;
        }
    }
    asked.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Rate, result_after, turns};
    use crate::parse::shape;

    #[test]
    fn the_cycles_are_those_that_were_measured() {
        let sm = "sm_90".parse().expect("a chip");
        for (text, after, alone, quarter) in [
            ("MUFU.RCP R32, R12", 17, 8, 8),
            ("F2F.F32.F64 R32, R14", 19, 8, 8),
            ("S2R R32, SR_TID.X", 24, 2, 2),
            ("LDC R32, c[0x0][0x210]", 25, 2, 7),
            ("LDS R32, [R8]", 23, 2, 4),
            ("LDS.64 R32, [R8]", 26, 4, 8),
            ("LDS.128 R32, [R8]", 32, 8, 15),
            ("LDG.E.128 R32, desc[UR4][R2.64]", 209, 8, 15),
            ("LDG.E.STRONG.GPU R32, desc[UR4][R2.64]", 266, 7, 7),
            ("LDL R32, [R8]", 29, 2, 4),
            ("ATOMS.ADD R32, [R8], R10", 26, 4, 4),
            (
                "ATOMG.E.ADD.STRONG.GPU PT, R32, desc[UR4][R2.64], R10",
                279,
                9,
                18,
            ),
            ("SHFL.IDX PT, R32, R10, 0x5, 0x1f", 24, 2, 4),
            ("MEMBAR.SC.SYS", 886, 1, 1),
        ] {
            let shape = shape(sm, text).unwrap_or_else(|| panic!("{text}"));
            let own = Rate::of(shape);
            let found = (result_after(shape), own.alone, own.quarter);
            assert_eq!(found, (after, alone, quarter), "{text}");
        }
    }

    #[test]
    fn banks_give_one_register_a_cycle() {
        let of = |registers: &[u8]| turns(registers.iter().copied());
        assert_eq!(of(&[12, 13, 12]), 1);
        assert_eq!(of(&[12, 14, 17]), 2);
        assert_eq!(of(&[12, 14, 16]), 3);
        assert_eq!(of(&[12, 12, 12]), 1);
        assert_eq!(of(&[]), 0);
    }
}
