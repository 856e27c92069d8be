//! A launch of a kernel that was written by hand, and what it must leave.

use warpc_sim::{Argument, Launch};
use warpc_testkit::Random;

/// What an untouched word of a result holds.
pub const UNTOUCHED: u32 = 0xdead_beef;

/// A launch.
pub struct Case {
    /// The launch.
    pub launch: Launch,
    /// What is in the buffers before.
    pub before: Vec<Vec<u8>>,
    /// What must be in them after it.
    pub after: Vec<Vec<u8>>,
}

impl Case {
    /// A launch of so many blocks of so many threads, without arguments.
    pub fn new(kernel: &str, blocks: u32, threads: u32) -> Case {
        Case {
            launch: Launch {
                kernel: kernel.to_string(),
                grid: [blocks, 1, 1],
                block: [threads, 1, 1],
                cluster: None,
                dynamic_shared: 0,
                cooperative: false,
                arguments: Vec::new(),
            },
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    /// With a buffer that is only read.
    pub fn input(self, words: &[u32]) -> Case {
        self.buffer(words, words)
    }

    /// With a buffer that is written: all of it, or what is left untouched is said.
    pub fn output(self, words: &[u32]) -> Case {
        self.buffer(&vec![UNTOUCHED; words.len()], words)
    }

    /// With a buffer that holds this before and that after the launch.
    pub fn buffer(mut self, before: &[u32], after: &[u32]) -> Case {
        self.launch
            .arguments
            .push(Argument::Buffer(self.before.len()));
        self.before.push(bytes(before));
        self.after.push(bytes(after));
        self
    }

    /// With a number as argument.
    pub fn value(mut self, word: u32) -> Case {
        let argument = Argument::Value(word.to_le_bytes().to_vec());
        self.launch.arguments.push(argument);
        self
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Words that look random, the same for the same seed.
pub fn random(seed: u64, count: usize) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.bits() as u32).collect()
}

/// Floats that look random, of different sizes and signs.
pub fn floats(seed: u64, count: usize) -> Vec<f32> {
    let words = random(seed, count).into_iter();
    words
        .map(|word| (word as i32 >> 8) as f32 / 1024.0)
        .collect()
}

/// The bits of floats.
pub fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}
