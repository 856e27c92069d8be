//! A whole run: the GPU, the emulator with several seeds, the comparison, and what is kept.

use super::record::{Ran, Record, text_digest};
use super::supervise::{Run, Where};
use super::{Suite, report};
use crate::{on_gpu, programs};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Which suite is run.
#[derive(Clone, Debug, clap::Args)]
pub struct Origin {
    /// The folder with the modules; without it, generated programs are run
    #[arg(long, value_name = "FOLDER")]
    pub dir: Option<PathBuf>,
    /// Only launches whose file or flags contain this
    #[arg(long)]
    pub only: Option<String>,
}

impl Origin {
    /// The suite.
    pub fn suite(&self) -> Result<Suite, String> {
        let mut suite = match &self.dir {
            Some(dir) => Suite::read(dir)?,
            None => programs::suite()?,
        };
        if let Some(only) = &self.only {
            for file in &mut suite.files {
                let whole = file.name.contains(only);
                file.cases.retain(|case| whole || case.text.contains(only));
            }
        }
        suite.files.retain(|file| !file.cases.is_empty());
        Ok(suite)
    }

    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(dir) = &self.dir {
            words.extend(["--dir".into(), dir.to_string_lossy().into_owned()]);
        }
        if let Some(only) = &self.only {
            words.extend(["--only".into(), only.clone()]);
        }
        words
    }

    /// What the files of answers are named after, and how many bytes of each buffer are kept.
    fn kept(&self) -> (&'static str, usize) {
        match &self.dir {
            Some(_) => ("kernels", 256),
            None => ("programs", 64),
        }
    }
}

/// Launches on the GPU of each case.
const REPEATS: usize = 3;

/// How a run is done.
pub struct Task<'a> {
    /// Which suite.
    pub origin: &'a Origin,
    /// Where files go.
    pub out: &'a Path,
    /// Child processes at a time.
    pub jobs: usize,
    /// Interleavings on the emulator.
    pub seeds: u64,
    /// When to stop.
    pub minutes: u64,
    /// Recorded answers instead of a GPU.
    pub against: Option<&'a Path>,
}

impl Task<'_> {
    /// Runs everything, prints a summary, and writes answers (`….tsv.gz`), differences and times.
    pub fn run(&self) -> Result<(), String> {
        let made = |e: std::io::Error| format!("cannot make {}: {e}", self.out.display());
        fs::create_dir_all(self.out).map_err(made)?;
        let suite = self.origin.suite()?;
        let origin = self.origin.words();
        let run = Run {
            suite: &suite,
            origin: &origin,
            jobs: self.jobs.max(1),
            dir: self.out,
            deadline: Instant::now() + Duration::from_secs(60 * self.minutes),
        };
        let (name, first) = self.origin.kept();
        let start = Instant::now();
        let gpu = match self.against {
            Some(path) => recorded(&suite, path)?,
            None => {
                let device = on_gpu::device().map_err(|e| e.to_string())?;
                let ran = run.run(Where::Gpu { repeats: REPEATS })?;
                let packed = keep(&suite, &device, &ran)
                    .pack(&suite, first)
                    .map_err(|e| e.to_string())?;
                self.write(&format!("{name}.tsv.gz"), &packed)?;
                let seconds = start.elapsed().as_secs_f64();
                println!("{device}: {} launches in {seconds:.0} s", suite.len());
                ran
            }
        };
        let mut differences = String::from("where\tfile\tcase\thow\n");
        let mut first_times = None;
        // With as many host threads as there are, too: blocks then really run at the same time.
        let many = std::iter::once((0, 0));
        for (seed, jobs) in (0..self.seeds).map(|seed| (seed, 1)).chain(many) {
            let sim = run.run(Where::Sim { seed, jobs })?;
            let label = match jobs {
                1 => format!("seed {seed}"),
                _ => "all cores".to_string(),
            };
            let (text, sum) = report::compare(&suite, &gpu, &sim, &label);
            differences.push_str(&text);
            println!(
                "{label}: {} launches of {} files, {} equal; GPU {:.4} s, emulator {:.2} s",
                sum.cases,
                suite.files.len(),
                sum.equal,
                sum.gpu,
                sum.sim
            );
            first_times.get_or_insert_with(|| report::times(&suite, &gpu, &sim));
        }
        self.write(&format!("{name}-differences.tsv"), differences.as_bytes())?;
        let times = first_times.unwrap_or_default();
        self.write(&format!("{name}-times.tsv"), times.as_bytes())?;
        println!("done after {:.0} s", start.elapsed().as_secs_f64());
        Ok(())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.out.join(name);
        fs::write(&path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }
}

/// The answers of a file, in the suite's order.
fn recorded(suite: &Suite, path: &Path) -> Result<Vec<Vec<Ran>>, String> {
    let bytes = fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let record = Record::read(&bytes).map_err(|e| e.to_string())?;
    let files = suite.files.iter().map(|file| {
        let cases = file.cases.iter();
        let ran = cases.map(|case| match record.answer(file, case) {
            Ok(ran) => ran.clone(),
            Err(reason) => Ran::failed(reason),
        });
        ran.collect()
    });
    Ok(files.collect())
}

fn keep(suite: &Suite, device: &str, ran: &[Vec<Ran>]) -> Record {
    let mut record = Record {
        device: device.into(),
        ..Record::default()
    };
    for (file, ran) in suite.files.iter().zip(ran) {
        record.texts.insert(file.name.clone(), text_digest(file));
        for (case, ran) in file.cases.iter().zip(ran) {
            let name = (file.name.clone(), case.text.clone());
            record.cases.insert(name, ran.clone());
        }
    }
    record
}
