//! Independent jobs, a few at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many programs may run at once: `WARPC_JOBS`, else the number of cores.
pub fn width() -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    std::env::var("WARPC_JOBS")
        .ok()
        .and_then(|n| n.parse().ok())
        .filter(|n| *n > 0)
        .unwrap_or_else(cores)
}

/// Runs `work` on every item and returns the answers in the items' order, whatever order they ran in.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..width().min(items.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let answer = work(item);
                    answers
                        .lock()
                        .unwrap_or_else(|e| e.into_inner())
                        .push((at, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().unwrap_or_else(|e| e.into_inner());
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
