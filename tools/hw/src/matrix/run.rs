//! The matrix suite on the GPU of this machine.

use super::answers::{self, Answer};
use super::{Form, kernel_name, module, report};
use crate::assembled;
use std::io;
use std::path::Path;
use warpc_driver::{DriverError, Gpu};
use warpc_sim::{Argument, Launch};

/// Forms of a module: enough that the driver's compiler is not started for each, few enough that a
/// module it refuses is found quickly.
const BATCH: usize = 40;

/// Runs every form whose text has `filter` in it, each with so many rounds of its tiles, and writes
/// `matrix.bin.gz` (the answers) and `matrix.tsv` (the comparison with the emulator) into a folder.
/// Gives a summary.
pub fn run(filter: Option<&str>, rounds: usize, out: &Path) -> io::Result<String> {
    let gpu = Gpu::open().map_err(io::Error::other)?;
    let mut forms = super::suite();
    forms.retain(|form| filter.is_none_or(|part| form.text.contains(part)));
    let mut answers = Vec::new();
    let mut table = format!("{}\n", report::HEAD);
    let (mut exact, mut failed, mut tiles, mut elements) = (0, 0, 0, 0);
    for batch in forms.chunks(BATCH) {
        for (form, outcome) in batch.iter().zip(run_batch(&gpu, batch, rounds)) {
            match outcome {
                Ok(bytes) => {
                    let mut answer = Answer::new(&form.text, bytes, form.tiles() * rounds);
                    let comparison = report::compare(form, &answer);
                    if comparison.equal == comparison.elements {
                        exact += 1;
                        answer.bytes.clear();
                    }
                    tiles += answer.digests.len();
                    elements += comparison.elements;
                    table.push_str(&report::line(form, &comparison));
                    table.push('\n');
                    answers.push(answer);
                }
                Err(error) => {
                    failed += 1;
                    let error = error.to_string().replace('\n', " ");
                    table.push_str(&format!("failed\t\t\t\t\t\t{}\t{error}\n", form.text));
                }
            }
        }
    }
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join("matrix.bin.gz"), answers::write(&answers)?)?;
    std::fs::write(out.join("matrix.tsv"), table)?;
    Ok(format!(
        "{}: {} matrix forms, {tiles} tiles, {elements} elements; {exact} forms equal bit for bit, \
         {failed} failed",
        gpu.name(),
        forms.len()
    ))
}

/// Runs the forms of one module; where the driver refuses it, each in a module of its own.
fn run_batch(gpu: &Gpu, forms: &[Form], rounds: usize) -> Vec<Result<Vec<u8>, DriverError>> {
    match assembled::load(gpu, &module(forms)) {
        Ok(loaded) => forms
            .iter()
            .enumerate()
            .map(|(number, form)| {
                let kernel = loaded.kernel(&kernel_name(number))?;
                let tiles = form.tiles() * rounds;
                let input: Vec<u8> = (0..tiles).flat_map(|tile| form.input(tile)).collect();
                let input = gpu.buffer(&input)?;
                let output = gpu.alloc(form.output_bytes * tiles)?;
                output.fill(0)?;
                let launch = Launch {
                    kernel: kernel_name(number),
                    grid: [tiles as u32, 1, 1],
                    block: [32, 1, 1],
                    cluster: None,
                    dynamic_shared: 0,
                    cooperative: false,
                    arguments: vec![Argument::Buffer(0), Argument::Buffer(1)],
                };
                gpu.launch(&kernel, &launch, &[&input, &output])?;
                gpu.synchronize()?;
                output.download()
            })
            .collect(),
        Err(error) if forms.len() == 1 => vec![Err(error)],
        Err(_) => forms
            .iter()
            .flat_map(|form| run_batch(gpu, std::slice::from_ref(form), rounds))
            .collect(),
    }
}
