//! A bar for launches that take long, on a terminal.

use super::style;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use warpc_sim::Progress;

/// Short launches show nothing.
const PATIENCE: Duration = Duration::from_millis(700);

/// How often the bar moves.
const STEP: Duration = Duration::from_millis(100);

/// Characters of the bar.
const WIDTH: u64 = 30;

/// A bar that is drawn by a thread of its own until it is dropped.
pub struct Bar {
    worker: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    /// Follows a launch; does nothing where standard error is not a terminal.
    pub fn follow(progress: Arc<Progress>) -> Bar {
        if !std::io::stderr().is_terminal() {
            return Bar { worker: None };
        }
        let (stop, stopped) = mpsc::channel();
        let worker = std::thread::spawn(move || {
            let start = Instant::now();
            let mut wait = PATIENCE;
            // The other end is dropped when the launch is over.
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = STEP;
                let done = progress.done.load(Ordering::Relaxed);
                let total = progress.total.load(Ordering::Relaxed);
                let text = line(done, total, start.elapsed());
                let _ = write!(std::io::stderr(), "\r\x1b[2K{text}");
                let _ = std::io::stderr().flush();
            }
            if wait == STEP {
                let _ = write!(std::io::stderr(), "\r\x1b[2K");
            }
        });
        Bar {
            worker: Some((stop, worker)),
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((stop, worker)) = self.worker.take() {
            drop(stop);
            // A bar that fails to be drawn is not a failure of the launch.
            let _ = worker.join();
        }
    }
}

/// `━━━━━━━━      27 %  1,106 of 4,096 blocks, 12 s left`
fn line(done: u64, total: u64, elapsed: Duration) -> String {
    let total = total.max(1);
    let done = done.min(total);
    let filled = (done * WIDTH / total) as usize;
    let bar = format!(
        "{}{}",
        "━".repeat(filled),
        " ".repeat(WIDTH as usize - filled)
    );
    let mut text = format!(
        "{bar} {:3} %  {} of {} blocks",
        done * 100 / total,
        style::grouped(done),
        style::grouped(total)
    );
    if done > 0 {
        let left = elapsed.mul_f64((total - done) as f64 / done as f64);
        let seconds = left.as_secs_f64().ceil() as u64;
        text.push_str(&format!(", {} s left", style::grouped(seconds)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let text = line(1024, 4096, Duration::from_secs(2));
        assert!(text.starts_with("━━━━━━━ "), "{text}");
        assert!(
            text.ends_with(" 25 %  1,024 of 4,096 blocks, 6 s left"),
            "{text}"
        );
        assert!(line(0, 0, Duration::ZERO).ends_with("  0 %  0 of 1 blocks"));
    }
}
