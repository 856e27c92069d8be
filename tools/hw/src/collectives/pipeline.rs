//! Rings of buffers with barriers in memory, one side fills, the other takes out: the file tests of the compiler, with
//! the launches they have there.

use super::run::{Verdict, words};
use warpc_sim::{Argument, Launch};

/// A kernel that counts how many words came as they were sent.
pub struct Pipeline {
    /// The name of the file and the kernel.
    pub name: &'static str,
    /// The module.
    pub ll: &'static str,
    /// The chips it is compiled for.
    pub chips: &'static [&'static str],
    blocks: u32,
    cluster: u32,
    /// Words of the first buffer, which are their own numbers; zero if there is none.
    input: u32,
    /// Words that a thread compares in a phase.
    each: u32,
}

/// How often each ring's barriers are passed.
pub const PHASES: u32 = 1000;

/// All of them.
pub const PIPELINES: [Pipeline; 3] = [
    Pipeline {
        name: "ring",
        ll: include_str!("../../../../tests/files/compile/mbarrier/ring.ll"),
        chips: &["sm_80", "sm_90"],
        blocks: 64,
        cluster: 1,
        input: 2048,
        each: 1,
    },
    Pipeline {
        name: "remote_ring",
        ll: include_str!("../../../../tests/files/compile/mbarrier/remote_ring.ll"),
        chips: &["sm_90"],
        blocks: 64,
        cluster: 2,
        input: 0,
        each: 1,
    },
    Pipeline {
        name: "bulk_ring",
        ll: include_str!("../../../../tests/files/compile/mbarrier/bulk_ring.ll"),
        chips: &["sm_90"],
        blocks: 64,
        cluster: 1,
        input: 4096,
        each: 4,
    },
];

impl Pipeline {
    /// The launch, and what is in its buffers; the last one takes the counts.
    pub fn launch(&self) -> (Launch, Vec<Vec<u8>>) {
        let mut before = Vec::new();
        if self.input > 0 {
            before.push((0..self.input).flat_map(u32::to_le_bytes).collect());
        }
        before.push(vec![0; 4 * 32 * self.blocks as usize]);
        let mut arguments = vec![Argument::Value(PHASES.to_le_bytes().to_vec())];
        arguments.extend((0..before.len()).map(Argument::Buffer));
        let launch = Launch {
            kernel: self.name.to_owned(),
            grid: [self.blocks, 1, 1],
            block: [64, 1, 1],
            cluster: (self.cluster > 1).then_some([self.cluster, 1, 1]),
            dynamic_shared: 0,
            cooperative: false,
            arguments,
        };
        (launch, before)
    }

    /// Whether all words came as they were sent.
    pub fn judge(&self, counts: &[u8]) -> Verdict {
        let wanted = PHASES * self.each;
        match words(counts)
            .enumerate()
            .find(|(_, count)| *count != wanted)
        {
            Some((at, count)) => Err(format!("thread {at} got {count} of {wanted} words")),
            None => Ok(words(counts).count()),
        }
    }
}
