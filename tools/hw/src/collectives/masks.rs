//! Who takes part with whom: the threads of a warp in groups, a mask for each.

use warpc_testkit::Random;

/// How the threads of a warp come to an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// All threads, one mask.
    Full,
    /// All threads that the warp has, but the mask names all 32.
    MoreThanThereAre,
    /// One thread.
    Single,
    /// Every thread for itself.
    Each,
    /// Two groups, one of a random mask and one of its rest.
    Halves,
    /// A random mask; the others do not come.
    Some,
    /// Up to four groups, and threads that do not come.
    Groups,
    /// Neighbours.
    Run,
}

/// All of them.
pub const SORTS: [Sort; 8] = [
    Sort::Full,
    Sort::MoreThanThereAre,
    Sort::Single,
    Sort::Each,
    Sort::Halves,
    Sort::Some,
    Sort::Groups,
    Sort::Run,
];

/// The masks of the threads of a warp: zero for one that does not come. Groups have masks of which no two
/// overlap.
pub fn masks(sort: Sort, threads: u32, random: &mut Random) -> [u32; 32] {
    let there = u32::MAX >> (32 - threads);
    let mut masks = [0; 32];
    let mut group = |mask: u32, named: u32| {
        for (lane, slot) in masks.iter_mut().enumerate() {
            if mask >> lane & 1 != 0 {
                *slot = named;
            }
        }
    };
    let word = random.bits() as u32 & there;
    match sort {
        Sort::Full => group(there, there),
        Sort::MoreThanThereAre => group(there, u32::MAX),
        Sort::Single => {
            let one = 1 << random.number_below(threads.into());
            group(one, one);
        }
        Sort::Each => (0..threads).for_each(|lane| group(1 << lane, 1 << lane)),
        Sort::Halves => {
            group(word, word);
            group(there & !word, there & !word);
        }
        Sort::Some => group(word, word),
        Sort::Groups => {
            let other = random.bits() as u32;
            for set in [word & other, word & !other, there & !word & other] {
                group(set, set);
            }
        }
        Sort::Run => {
            let first = random.number_below(threads.into()) as u32;
            let count = 1 + random.number_below(u64::from(threads - first)) as u32;
            let run = (u32::MAX >> (32 - count)) << first;
            group(run, run);
        }
    }
    masks
}
