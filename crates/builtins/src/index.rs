//! From a name to its row in constant time.
//!
//! An open-addressing table, made while the crate is compiled:
//!
//! ```text
//!   wyhash(name) ─► low bits: first slot          slot: 0 = free, or  tag (16 bits) | id (16 bits)
//!                └► high bits: tag                next slot: +1, +2, +3, … (triangular numbers)
//! ```
//!
//! At most three quarters of the slots may be taken, so 770 names need 2,048. Triangular steps reach
//! every slot of a table whose size is a power of two, so the walk ends at a free one. The tag tells
//! nearly every other name apart without looking at its text.

use crate::table::{ALL, COUNT, UNNUMBERED};
use crate::{Builtin, wyhash};

/// Slots of the table: the smallest power of two of which the names fill at most three quarters.
pub const SLOTS: usize = {
    let mut slots = 16;
    while COUNT * 4 > slots * 3 {
        slots *= 2;
    }
    slots
};

static TABLE: [u32; SLOTS] = build();

/// The slot where the walk starts, and the tag, already in its place.
#[inline]
const fn start(name: &[u8]) -> (usize, u32) {
    let hash = wyhash::hash(name, 0);
    (
        hash as usize & (SLOTS - 1),
        (hash >> 32) as u32 & 0xFFFF_0000,
    )
}

const fn build() -> [u32; SLOTS] {
    let mut table = [0; SLOTS];
    let mut i = 0;
    while i < COUNT {
        let (mut slot, tag) = start(ALL[i].name.as_bytes());
        let mut step = 0;
        while table[slot] != 0 {
            step += 1;
            slot = (slot + step) & (SLOTS - 1);
        }
        table[slot] = tag | ALL[i].id as u32;
        i += 1;
    }
    table
}

/// The builtin with this name.
pub fn by_name(name: &str) -> Option<&'static Builtin> {
    numbered(name).or_else(|| UNNUMBERED.iter().find(|row| row.name == name))
}

fn numbered(name: &str) -> Option<&'static Builtin> {
    let (mut slot, tag) = start(name.as_bytes());
    let mut step = 0;
    loop {
        let entry = TABLE[slot];
        if entry == 0 {
            return None;
        }
        if entry & 0xFFFF_0000 == tag {
            let builtin = &ALL[(entry & 0xFFFF) as usize - 1];
            if builtin.name == name {
                return Some(builtin);
            }
        }
        step += 1;
        slot = (slot + step) & (SLOTS - 1);
    }
}

/// How many slots are looked at to find a builtin by its name.
pub fn probes(builtin: &Builtin) -> usize {
    let (mut slot, tag) = start(builtin.name.as_bytes());
    let mut step = 0;
    while TABLE[slot] != tag | u32::from(builtin.id) {
        step += 1;
        slot = (slot + step) & (SLOTS - 1);
    }
    step + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_id;

    #[test]
    fn every_row_both_ways() {
        assert_eq!(SLOTS, 2048);
        for builtin in &ALL {
            assert_eq!(by_name(builtin.name), Some(builtin));
            assert_eq!(by_id(builtin.id), Some(builtin));
        }
        assert_eq!((by_id(0), by_id(771)), (None, None));
        for builtin in &UNNUMBERED {
            assert_eq!(by_name(builtin.name), Some(builtin));
        }
    }

    #[test]
    fn other_names_are_not_found() {
        assert_eq!(by_name(""), None);
        for builtin in &ALL {
            let name = builtin.name;
            let longer = format!("{name}x");
            let upper = name.to_uppercase();
            for other in [longer.as_str(), upper.as_str(), &name[1..]] {
                assert_eq!(by_name(other), None, "{other}");
            }
            let shorter = &name[..name.len() - 1];
            let known = ALL.iter().find(|row| row.name == shorter);
            assert_eq!(by_name(shorter), known, "{shorter}");
        }
    }

    /// With 38 % of the slots taken, walks are short; a bad hash would show here.
    #[test]
    fn walks_are_short() {
        let walks: Vec<usize> = ALL.iter().map(probes).collect();
        let sum: usize = walks.iter().sum();
        let mean = sum as f64 / COUNT as f64;
        let longest = walks.iter().max().unwrap();
        println!("probes: mean {mean:.3}, longest {longest}");
        assert!(mean < 1.35 && *longest <= 8, "{mean} {longest}");
    }
}
