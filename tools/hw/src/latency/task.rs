//! `warpc-hw latency`: all pairs, and what was seen at each distance.

use super::kernel::{self, FARTHEST};
use super::pairs::{self, First, Second};
use crate::children::{Frame, Part, Usual};
use crate::sass::hand::assembled;
use crate::table;
use clap::Args;
use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};
use warpc_driver::{DriverError, Gpu};
use warpc_sim::{Argument, Launch};

/// What the suite takes where nothing is asked for.
const USUAL: Usual = Usual {
    jobs: 4,
    minutes: 4,
    patience: Duration::from_secs(60),
};
/// Pairs of one child.
const SHARE: usize = 16;
/// Launches of each kernel.
const LAUNCHES: usize = 4;
/// Threads: one warp, so that nothing else is issued between the two.
const THREADS: u32 = 32;

/// The suite.
#[derive(Args, Clone, Debug)]
pub struct Task {
    #[command(flatten)]
    frame: Frame,
}

/// Part of the suite, in a child.
#[derive(Args, Clone, Debug)]
pub struct Work {
    #[command(flatten)]
    part: Part,
}

impl Work {
    /// Measures pairs and appends a line for each: a digit a distance from 0 on, 1 where everything was right.
    pub fn run(&self) -> Result<(), String> {
        let pairs: Vec<_> = pairs::all().collect();
        let pairs = self.part.of(&pairs)?;
        let gpu = Gpu::open().map_err(|e| e.to_string())?;
        let mut lines = String::new();
        for (first, second) in pairs {
            let cubin = assembled("latency", &kernel::text(first, second))?;
            let right = measure(&gpu, &cubin).map_err(|e| e.to_string())?;
            let digits = right.iter().map(|right| if *right { '1' } else { '0' });
            let _ = writeln!(lines, "{}", digits.collect::<String>());
            table::write(&self.part.lines, &lines)?;
        }
        Ok(())
    }
}

/// Whether the kernel of each distance found no difference.
fn measure(gpu: &Gpu, cubin: &[u8]) -> Result<Vec<bool>, DriverError> {
    let loaded = gpu.load_cubin(cubin)?;
    let mut all = Vec::new();
    for distance in 0..=FARTHEST {
        let name = kernel::name(distance);
        let kernel = loaded.kernel(&name)?;
        let launch = Launch {
            kernel: name,
            grid: [1, 1, 1],
            block: [THREADS, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: vec![Argument::Buffer(0)],
        };
        let mut right = true;
        for _ in 0..LAUNCHES {
            let buffer = gpu.buffer(&[0xff; 4 * THREADS as usize])?;
            gpu.launch(&kernel, &launch, &[&buffer])?;
            gpu.synchronize()?;
            right &= buffer.download()?.iter().all(|byte| *byte == 0);
        }
        all.push(right);
    }
    Ok(all)
}

/// The smallest distance from which on everything was right; nothing if there is none, or if it was right without the
/// first instruction, too.
pub fn least(digits: &str) -> Option<u8> {
    let right_from = digits.trim_end_matches('1').len();
    (1..digits.len())
        .contains(&right_from)
        .then_some(right_from as u8)
}

impl Task {
    /// Runs everything; the error says that something has no answer.
    pub fn run(&self) -> Result<(), String> {
        let start = Instant::now();
        fs::create_dir_all(&self.frame.out).map_err(|e| e.to_string())?;
        let device = crate::on_gpu::device().map_err(|e| e.to_string())?;
        let pairs: Vec<(&First, &Second)> = pairs::all().collect();
        let lines = self.frame.run(
            &USUAL,
            start,
            &["work-latency".to_string()],
            pairs.len(),
            SHARE,
        )?;
        let mut text = format!("# {device}\nfirst\tsecond\tleast\tright\n");
        let (mut lost, mut blind) = (0, 0);
        for ((first, second), line) in pairs.iter().zip(&lines) {
            let line = match line {
                Ok(digits) => match least(digits) {
                    Some(least) => format!("{least}\t{digits}"),
                    None => {
                        blind += 1;
                        format!("-\t{digits}")
                    }
                },
                Err(problem) => {
                    lost += 1;
                    format!("lost\t{problem}")
                }
            };
            let _ = writeln!(text, "{}\t{}\t{line}", first.text, second.text);
        }
        println!(
            "{device}\n{} pairs, {} distances each, {lost} without an answer, {blind} that show nothing, {:.0} s",
            pairs.len(),
            FARTHEST,
            start.elapsed().as_secs_f64()
        );
        table::write(&self.frame.out.join("latency.tsv.gz"), &text)?;
        table::write(&self.frame.out.join("latency.tsv"), &text)?;
        match lost + blind {
            0 => Ok(()),
            count => Err(format!("{count} pairs have no answer or show nothing")),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn least_distance() {
        assert_eq!(super::least("000111"), Some(3));
        assert_eq!(super::least("010111"), Some(3));
        assert_eq!(super::least("011"), Some(1));
        assert_eq!(super::least("111"), None);
        assert_eq!(super::least("000"), None);
    }
}
