//! `warpc-hw rates`: how many cycles instructions take, one after the other and at the same time.
//!
//! | column | is |
//! |---|---|
//! | `after` | cycles from an instruction to the next one that waits for it, in one warp; nothing for a fixed latency |
//! | `alone` | cycles between two that do not wait, in one warp |
//! | `quarter` | the same where four warps of each quarter of a multiprocessor execute it: what its pipe lets through |
//!
//! Loads and stores hit the first cache but for those that are strong; all lanes have words of their own. The clock of the multiprocessor is read
//! before and after a run of hundreds of instructions in the third round of a loop, when the code is in its cache.

use super::cases::{CASES, Case, Ready};
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
    jobs: 1,
    minutes: 3,
    patience: Duration::from_secs(60),
};
/// Cases of one child.
const SHARE: usize = 8;
/// Instructions of a run: as many as there are groups of four registers for results, several times.
const LENGTH: u32 = 480;
/// Groups of four registers for results, from this one on.
const RESULTS: u32 = 12;
const FIRST_RESULT: u32 = 32;
/// How often the run is repeated; the last one counts.
const ROUNDS: u32 = 3;
/// A control word that waits for everything, for a long time.
const SAFE: &str = "[B012345:R-:W-:Y:S15]";
/// Bytes of a thread in the buffer: sixteen to access, and four for what is measured.
const BYTES: u32 = 16;
/// Threads of a multiprocessor so that each of its quarters has four warps.
const THREADS: u32 = 512;
/// What is stored for a case that did not run.
const NOTHING: u32 = u32::MAX;

/// How instructions follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Each waits for the one before it.
    After,
    /// None waits.
    Free,
}

/// Writing to a string does not fail.
macro_rules! line {
    ($out:expr, $($argument:tt)*) => {{
        let _ = writeln!($out, $($argument)*);
    }};
}

/// A module with two kernels: `after` and `free`.
fn text(case: &Case) -> String {
    let mut out = String::from(".target sm_90\n");
    kernel(case, "after", Way::After, &mut out);
    kernel(case, "free", Way::Free, &mut out);
    out
}

fn kernel(case: &Case, name: &str, way: Way, out: &mut String) {
    let shared = THREADS * BYTES;
    line!(
        out,
        "\n.kernel {name}\n.registers 96\n.shared {shared}\n.local 16\n.param u64 out\n.param u64 times\n"
    );
    let safe = |text: &str, out: &mut String| line!(out, "    {SAFE} {text} ;");
    line!(out, "    [B------:R-:W0:-:S02] S2R R0, SR_TID.X ;");
    line!(out, "    [B------:R-:W1:-:S02] LDC.64 R2, c[0x0][out] ;");
    line!(out, "    [B------:R-:W2:-:S02] S2R R7, SR_CgaCtaId ;");
    line!(out, "    [B------:R-:W3:-:S02] LDC.64 R28, c[0x0][times] ;");
    line!(out, "    [B------:R-:W4:-:S02] LDC R1, c[0x0][0x28] ;");
    for text in [
        "ULDC.64 UR4, c[0x0][0x208]",
        "NOP",
        // Words, pairs and groups of four of each thread.
        "IMAD.WIDE.U32 R22, R0, 0x8, R2",
        "IMAD.WIDE.U32 R24, R0, 0x10, R2",
        "IMAD.WIDE.U32 R28, R0, 0x4, R28",
        "IMAD.WIDE.U32 R2, R0, 0x4, R2",
        "MOV R8, 0x400",
        "LEA R8, R7, R8, 0x18",
        "LEA R9, R0, R8, 0x3",
        "LEA R20, R0, R8, 0x4",
        "LEA R8, R0, R8, 0x2",
        "IADD3 R21, R1, -0x10, RZ",
        "IMAD R10, R0, 0x9e3779b9, RZ",
        "LOP3.LUT R11, R10, 0x5bd1e995, RZ, 0x3c, !PT",
        "MOV R12, 0x3f8c013f",
        "MOV R13, 0x3f9b2b3f",
        "MOV R14, R10",
        "MOV R15, 0x3ff12345",
        "MOV R16, R11",
        "MOV R17, 0x3ff54321",
        "MOV R18, 0x41004321",
        "MOV R19, RZ",
        "LOP3.LUT P2, RZ, R0, 0x1, RZ, 0xc0, !PT",
        "UMOV UR6, 0x3f801357",
        "UMOV UR7, 0x0fa02468",
        "MOV R30, RZ",
    ] {
        safe(text, out);
    }
    line!(out, "again_{name}:");
    // All warps begin at the same time.
    safe("BAR.SYNC.DEFER_BLOCKING 0x0", out);
    safe("CS2R.32 R26, SR_CLOCKLO", out);
    safe("NOP", out);
    for at in 0..LENGTH {
        let result = format!("R{}", FIRST_RESULT + 4 * (at % RESULTS));
        let text = case.text.replace("{d}", &result);
        // What is issued once before a result is there would be written twice at a time: with a scoreboard of its own
        // each group of registers is free again when it is next.
        let control = match (case.ready, way) {
            (Ready::Fixed, _) => "[B------:R-:W-:-:S01]".to_owned(),
            (Ready::Scoreboard, Way::After) => "[B0-----:R-:W0:-:S02]".to_owned(),
            (Ready::Scoreboard, Way::Free) => "[B------:R-:W0:-:S01]".to_owned(),
            (Ready::Read, Way::After) => "[B0-----:R0:W-:-:S02]".to_owned(),
            (Ready::Read, Way::Free) => "[B------:R0:W-:-:S01]".to_owned(),
        };
        line!(out, "    {control} {text} ;");
    }
    safe("CS2R.32 R27, SR_CLOCKLO", out);
    safe("NOP", out);
    safe("IADD3 R27, R27, -R26, RZ", out);
    safe("IADD3 R30, R30, 0x1, RZ", out);
    line!(
        out,
        "    {SAFE} ISETP.LT.U32.AND P0, PT, R30, {ROUNDS:#x}, PT ;\n    {SAFE} NOP ;"
    );
    line!(out, "    {SAFE} @P0 BRA `(again_{name}) ;");
    safe("STG.E desc[UR4][R28.64], R27", out);
    line!(out, "    [B------:R-:W-:-:S05] EXIT ;");
}

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
    /// Measures cases and appends a line for each.
    pub fn run(&self) -> Result<(), String> {
        let cases = self.part.of(CASES)?;
        let gpu = Gpu::open().map_err(|e| e.to_string())?;
        let mut lines = String::new();
        let empty = measure(&gpu, &Case::EMPTY).map_err(|e| e.to_string())?;
        for case in cases {
            let own = measure(&gpu, case).map_err(|e| e.to_string())?;
            let each = |at: usize, warps: f64| {
                f64::from(own[at].saturating_sub(empty[at])) / f64::from(LENGTH) / warps
            };
            let after = match case.ready {
                Ready::Fixed => "-".to_owned(),
                _ => format!("{:.1}", each(0, 1.0)),
            };
            let quarter = f64::from(THREADS / 32 / 4);
            let _ = writeln!(
                lines,
                "{after}\t{:.2}\t{:.2}",
                each(1, 1.0),
                each(2, quarter)
            );
            table::write(&self.part.lines, &lines)?;
        }
        Ok(())
    }
}

impl Case {
    /// Nothing: what reading the clock takes.
    const EMPTY: Case = Case {
        text: "",
        ready: Ready::Fixed,
    };
}

/// The cycles of the first warp: one after the other, alone, and with all warps.
fn measure(gpu: &Gpu, case: &Case) -> Result<[u32; 3], DriverError> {
    let mut text = text(case);
    if case.text.is_empty() {
        text = text.replace("    [B------:R-:W-:-:S01]  ;\n", "");
    }
    let cubin = assembled("rates", &text).map_err(DriverError::Request)?;
    let loaded = gpu.load_cubin(&cubin)?;
    let mut all = [NOTHING; 3];
    for (cycles, (name, threads)) in
        all.iter_mut()
            .zip([("after", 32), ("free", 32), ("free", THREADS)])
    {
        let kernel = loaded.kernel(name)?;
        let launch = Launch {
            kernel: name.into(),
            grid: [1, 1, 1],
            block: [threads, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: vec![Argument::Buffer(0), Argument::Buffer(1)],
        };
        for _ in 0..3 {
            let data = gpu.buffer(&vec![0; (THREADS * BYTES) as usize])?;
            let times = gpu.buffer(&vec![0xff; 4 * threads as usize])?;
            gpu.launch(&kernel, &launch, &[&data, &times])?;
            gpu.synchronize()?;
            let bytes = times.download()?;
            let each = bytes
                .chunks_exact(4)
                .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            *cycles = each.max().unwrap_or(NOTHING).min(*cycles);
        }
    }
    Ok(all)
}

impl Task {
    /// Runs everything; the error says that something has no answer.
    pub fn run(&self) -> Result<(), String> {
        let start = Instant::now();
        fs::create_dir_all(&self.frame.out).map_err(|e| e.to_string())?;
        let device = crate::on_gpu::device().map_err(|e| e.to_string())?;
        let own = ["work-rates".to_string()];
        let lines = self.frame.run(&USUAL, start, &own, CASES.len(), SHARE)?;
        let mut text = format!("# {device}\ninstruction\tafter\talone\tquarter\n");
        let mut lost = 0;
        for (case, line) in CASES.iter().zip(&lines) {
            let line = match line {
                Ok(line) => line.clone(),
                Err(problem) => {
                    lost += 1;
                    format!("lost\t{problem}")
                }
            };
            let _ = writeln!(text, "{}\t{line}", case.text);
        }
        print!("{text}");
        table::write(&self.frame.out.join("rates.tsv"), &text)?;
        match lost {
            0 => Ok(()),
            count => Err(format!("{count} instructions have no answer")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CASES;

    #[test]
    fn every_kernel_assembles() {
        let made = CASES.iter().map(|case| {
            let made = crate::sass::hand::assembled("rates", &super::text(case));
            made.map_err(|message| format!("{}: {message}", case.text))
        });
        let faults: Vec<String> = made.filter_map(Result::err).collect();
        assert!(faults.is_empty(), "{faults:#?}");
    }
}
