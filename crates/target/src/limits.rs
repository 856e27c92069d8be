//! What one launch may ask of a chip: one row a chip, in the order of [`crate::chips`].
//!
//! The sizes of grids, blocks and clusters are those of the CUDA programming guide's table of compute
//! capabilities; shared memory is what a block gets at most when it asks for it.

use crate::{Sm, Variant};

/// The most a launch may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Blocks of a grid in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Threads of a block in all.
    pub block_threads: u32,
    /// Blocks of a cluster in all; 1 where there are no clusters.
    pub cluster_blocks: u32,
    /// Bytes of shared memory of a block, static and dynamic together.
    pub shared_bytes: u32,
    /// Bytes of static shared memory that ptxas gives a kernel: more than the 48 KiB of old to code for one chip alone.
    pub static_shared_bytes: u32,
}

/// Kilobytes of shared memory a block can have, and blocks a cluster can have. Eight blocks are
/// promised on every chip with clusters, sixteen on the large ones.
const ROWS: &[(u16, u32, u32)] = &[
    (60, 48, 1),
    (61, 48, 1),
    (62, 48, 1),
    (70, 96, 1),
    (72, 96, 1),
    (75, 64, 1),
    (80, 163, 1),
    (86, 99, 1),
    (87, 163, 1),
    (88, 99, 1),
    (89, 99, 1),
    (90, 227, 16),
    (100, 227, 16),
    (101, 227, 16),
    (103, 227, 16),
    (107, 227, 16),
    (110, 227, 16),
    (120, 99, 8),
    (121, 99, 8),
];

impl Sm {
    /// What a launch on this chip may ask for.
    ///
    /// ```
    /// let sm: warpc_target::Sm = "sm_90a".parse().unwrap();
    /// assert_eq!(sm.limits().shared_bytes, 227 * 1024);
    /// ```
    pub fn limits(self) -> Limits {
        let &(_, kilobytes, cluster_blocks) = ROWS
            .iter()
            .find(|row| row.0 == self.number())
            .expect("a test checks that every chip has a row");
        Limits {
            grid: [i32::MAX as u32, 65535, 65535],
            block: [1024, 1024, 64],
            block_threads: 1024,
            cluster_blocks,
            shared_bytes: kilobytes * 1024,
            static_shared_bytes: match self.variant() {
                Variant::Arch => kilobytes * 1024,
                Variant::Plain | Variant::Family => 48 * 1024,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chips::CHIPS;

    #[test]
    fn every_chip_has_a_row() {
        assert!(
            ROWS.iter()
                .map(|row| row.0)
                .eq(CHIPS.iter().map(|chip| chip.number))
        );
    }

    #[test]
    fn clusters_begin_with_hopper() {
        for sm in Sm::all() {
            assert_eq!(sm.limits().cluster_blocks > 1, sm.number() >= 90, "{sm}");
        }
    }
}
