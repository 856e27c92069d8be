//! What a launch is like besides its test: where instances lie, who plays them, what goes on around.

use super::style::Place;
use warpc_sim::Argument;
use warpc_testkit::Random;

/// How large launches are. All numbers are powers of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block: at least 128, so that four parts have four warps.
    pub threads: u32,
    /// Blocks of a cluster, where there are clusters: at least four.
    pub cluster: u32,
}

impl Size {
    /// Instances of a launch.
    pub fn instances(self) -> u32 {
        self.blocks * self.threads
    }
}

/// The parameters of a launch, as the kernel takes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terrain {
    /// Words from an instance's location to the next.
    pub stride: u32,
    /// Shuffles the later arrays; odd.
    pub odd: u32,
    /// Blocks that parts are spread over, less one.
    pub mask: u32,
    /// Blocks from one part to the next.
    pub shift: u32,
    /// Threads from one part to the next.
    pub apart: u32,
    /// Exchanges lanes between parts.
    pub lanes: u32,
    /// Whether warps begin with different parts.
    pub turn_warp: u32,
    /// Whether blocks do.
    pub turn_block: u32,
    /// Bits of a pause before a part, in nanoseconds.
    pub delay: u32,
    /// Stores to other places before a part.
    pub stress: u32,
    /// What pauses and places follow from.
    pub seed: u32,
}

/// Words from an instance's location to the next: neighbours in a line, in a sector, and far apart.
pub const STRIDES: [u32; 4] = [1, 2, 8, 32];

impl Terrain {
    /// One of many.
    pub fn draw(random: &mut Random, place: Place, size: Size) -> Terrain {
        let mut odd_below = |end: u32| random.number_below(u64::from(end.max(2))) as u32 | 1;
        let (mask, shift) = match place {
            Place::Block => (0, 0),
            Place::Cluster => (size.cluster - 1, odd_below(size.cluster)),
            Place::Grid => (size.blocks - 1, odd_below(size.blocks)),
        };
        let apart = 32 * odd_below(size.threads / 32);
        let scattered = odd_below(size.instances());
        let in_block = place == Place::Block;
        Terrain {
            stride: random.pick(&STRIDES),
            odd: random.pick(&[1, 5, scattered, scattered]),
            mask,
            shift,
            apart: if in_block {
                apart
            } else {
                random.pick(&[0, apart])
            },
            lanes: random.pick(&[0, 1, 16, 21]),
            turn_warp: random.pick(&[0, 1]) | u32::from(in_block),
            turn_block: random.pick(&[0, 1, 1]),
            delay: random.pick(&[0, 0, 0, 0x1f, 0xff, 0x7ff]),
            stress: random.pick(&[0, 0, 2, 8, 32]),
            seed: random.bits() as u32,
        }
    }

    /// The same place with other pauses.
    pub fn again(self, random: &mut Random) -> Terrain {
        Terrain {
            seed: random.bits() as u32,
            ..self
        }
    }

    /// The parameters after the buffers: of the test, or the first two for the count.
    pub fn arguments(self, count: usize) -> Vec<Argument> {
        let list = [
            self.stride,
            self.odd,
            self.mask,
            self.shift,
            self.apart,
            self.lanes,
            self.turn_warp,
            self.turn_block,
            self.delay,
            self.stress,
            self.seed,
        ];
        let values = list.iter().take(count);
        values
            .map(|value| Argument::Value(value.to_le_bytes().to_vec()))
            .collect()
    }
}
