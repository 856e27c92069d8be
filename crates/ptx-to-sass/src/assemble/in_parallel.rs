//! Work on several threads, with results in the order of the work.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The stack of a thread: as large as that of a program's first thread.
const STACK_BYTES: usize = 8 << 20;

/// Does work for each item, on so many threads, this one included. Which thread does what does not change the results.
pub(super) fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = work(item);
            // A thread that panicked while it added its result ends everything below.
            done.lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .push((index, result));
        }
    };
    std::thread::scope(|scope| {
        let others = (1..threads).map(|_| {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, run)
        });
        // A thread that the system does not give leaves its work to the others.
        let others: Vec<_> = others.flatten().collect();
        run();
        for thread in others {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let done = done.into_inner();
    let mut done = done.unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_unstable_by_key(|one| one.0);
    done.into_iter().map(|one| one.1).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_are_in_the_order_of_the_work() {
        let items: Vec<u64> = (0..200).collect();
        // The first ones take longest.
        let work = |item: &u64| {
            let rounds = (200 - item) * 1000;
            std::hint::black_box((0..rounds).sum::<u64>());
            *item
        };
        for threads in [0, 1, 2, 7, 1000] {
            assert_eq!(map(&items, threads, work), items, "{threads}");
        }
        assert!(map(&[], 4, |item: &u64| *item).is_empty());
    }

    #[test]
    fn a_panic_comes_to_the_caller() {
        let caught = std::panic::catch_unwind(|| map(&[1, 2, 3, 4], 2, |one| assert!(*one < 3)));
        assert!(caught.is_err());
    }
}
