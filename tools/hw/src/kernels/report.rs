//! The GPU's answers beside the emulator's.

use super::record::{Ran, Seen};
use super::{File, Suite};
use std::fmt::Write;

/// How two runs of a case differ; `None` if they do not.
pub fn difference(gpu: &Ran, sim: &Ran) -> Option<String> {
    let (gpu_buffers, sim_buffers) = match (&gpu.outcome, &sim.outcome) {
        (Ok(gpu), Ok(sim)) => (gpu, sim),
        (Err(gpu), Err(sim)) => return Some(format!("on the emulator: {sim}; on the GPU: {gpu}")),
        (Err(reason), _) => return Some(format!("on the GPU: {reason}")),
        (_, Err(reason)) => return Some(format!("on the emulator: {reason}")),
    };
    if gpu_buffers.len() != sim_buffers.len() {
        return Some("there are other buffers".into());
    }
    for (i, (a, b)) in gpu_buffers.iter().zip(sim_buffers).enumerate() {
        if !a.same(b) {
            return Some(format!("buffer {i} {}", first_difference(a, b)));
        }
    }
    (gpu.output != sim.output).then(|| {
        format!(
            "printed {:?} on the GPU and {:?} on the emulator",
            gpu.output, sim.output
        )
    })
}

fn first_difference(gpu: &Seen, sim: &Seen) -> String {
    if gpu.length != sim.length {
        return format!("has {} and {} bytes", gpu.length, sim.length);
    }
    let bytes = gpu.first.iter().zip(&sim.first);
    match bytes.enumerate().find(|(_, (a, b))| a != b) {
        Some((at, _)) => {
            let from = at / 8 * 8;
            let word = |bytes: &[u8]| -> String {
                let some = bytes[from..].iter().take(8);
                some.map(|byte| format!("{byte:02x}")).collect()
            };
            format!(
                "from byte {from} on: {} on the GPU, {} on the emulator",
                word(&gpu.first),
                word(&sim.first)
            )
        }
        None => format!("differs after its first {} bytes", gpu.first.len()),
    }
}

/// Counts of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Cases.
    pub cases: usize,
    /// Cases that are equal.
    pub equal: usize,
    /// Seconds of the GPU.
    pub gpu: f64,
    /// Seconds of the emulator.
    pub sim: f64,
}

/// The name of a case for people.
pub fn name(file: &File, case: usize) -> String {
    format!("{}\t{}", file.name, file.cases[case].text)
}

/// Compares two runs of a suite: a line for each case that differs, and counts.
pub fn compare(
    suite: &Suite,
    gpu: &[Vec<Ran>],
    sim: &[Vec<Ran>],
    label: &str,
) -> (String, Summary) {
    let mut out = String::new();
    let mut summary = Summary::default();
    for (number, file) in suite.files.iter().enumerate() {
        for case in 0..file.cases.len() {
            let (a, b) = (&gpu[number][case], &sim[number][case]);
            summary.cases += 1;
            summary.gpu += a.seconds;
            summary.sim += b.seconds;
            match difference(a, b) {
                None => summary.equal += 1,
                Some(text) => {
                    let text = text.replace(['\n', '\t'], " ");
                    let _ = writeln!(out, "{label}\t{}\t{text}", name(file, case));
                }
            }
        }
    }
    (out, summary)
}

/// How long each case took: microseconds on the GPU and on the emulator.
pub fn times(suite: &Suite, gpu: &[Vec<Ran>], sim: &[Vec<Ran>]) -> String {
    let mut out = String::from("file\tcase\tGPU us\temulator us\n");
    for (number, file) in suite.files.iter().enumerate() {
        for case in 0..file.cases.len() {
            let us = |ran: &Ran| ran.seconds * 1e6;
            let (a, b) = (&gpu[number][case], &sim[number][case]);
            let _ = writeln!(out, "{}\t{:.1}\t{:.1}", name(file, case), us(a), us(b));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(buffer: &[u8], output: &str) -> Ran {
        Ran {
            outcome: Ok(vec![Seen::of(buffer)]),
            output: output.into(),
            seconds: 0.0,
        }
    }

    #[test]
    fn differences_are_found_and_named() {
        let (mut long, mut other) = (vec![0; 10_000], vec![0; 10_000]);
        assert_eq!(difference(&ran(&long, "x"), &ran(&other, "x")), None);
        other[9_999] = 1;
        let text = difference(&ran(&long, ""), &ran(&other, "")).expect("the last byte");
        assert!(text.contains("after"), "{text}");
        long[9] = 7;
        let text = difference(&ran(&long, ""), &ran(&other, "")).expect("byte 9");
        assert!(text.contains("byte 8") && text.contains("0007"), "{text}");
        let text = difference(&ran(&long, "a"), &ran(&long, "b")).expect("the output");
        assert!(text.contains("printed"), "{text}");
        let failed = Ran::failed("it hangs".into());
        assert!(difference(&failed, &ran(&long, "")).is_some());
        assert!(difference(&ran(&long, ""), &failed).is_some());
    }
}
