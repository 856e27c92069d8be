//! The form suite's kernels on the emulator, as [`crate::on_gpu`] runs them on a GPU.
//!
//! What an instruction computes is `warpc_ptx_eval`'s; this shows that the emulator hands operands
//! and results to the right places, and that its short cuts compute the same.

use crate::forms::{self, BLOCK, CELL, Case, Tuples};
use warpc_diag::SourceFile;
use warpc_sim::{Argument, Device, Launch, Options};

/// The kernels' results, case by case: for each tuple the results one after the other. The error
/// says what the emulator refuses or finds.
pub fn run_module(cases: &[Case], tuples: usize) -> Vec<Result<Vec<u64>, String>> {
    let text = forms::module(cases.iter().map(|case| &case.draft));
    let Some(file) = SourceFile::new("forms.ptx", text) else {
        return vec![Err("the module is too long".into()); cases.len()];
    };
    let module = warpc_ptx::check(&file).unwrap();
    let run = |(number, case): (usize, &Case)| {
        let mut device = Device::new(
            &module,
            Options {
                jobs: 1,
                init: false,
                ..Options::default()
            },
        );
        let sources = device.buffer(&sources(case, tuples));
        let count = case.draft.results.len();
        let results = device.buffer(&vec![0; 8 * count * tuples]);
        let cells = device.buffer(&vec![0; CELL as usize * tuples]);
        let launch = launch(number, tuples, &[sources, results, cells]);
        let first = |diagnostics: warpc_diag::Diagnostics| {
            let first = diagnostics.as_slice().first();
            first.map_or_else(String::new, |d| d.message.clone())
        };
        device.launch(&launch).map_err(first)?;
        let bytes = device.read(results);
        let values = bytes.chunks_exact(8).zip(0..);
        let value = |(chunk, i): (&[u8], usize)| {
            let value = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
            value & (u64::MAX >> (64 - case.draft.results[i % count].bits))
        };
        Ok(values.map(value).collect())
    };
    cases.iter().enumerate().map(run).collect()
}

/// The operands of a case's tuples, as its kernel reads them.
pub fn sources(case: &Case, tuples: usize) -> Vec<u8> {
    let operands = Tuples::new(&case.draft);
    let mut bytes = Vec::new();
    for i in 0..tuples as u64 {
        for (value, source) in operands.get(i).iter().zip(&case.draft.sources) {
            if source.constant.is_none() {
                bytes.extend(value.to_le_bytes());
            }
        }
    }
    bytes
}

/// The launch of a kernel of the suite; its buffers are operands, results and memory cells.
pub fn launch(number: usize, tuples: usize, buffers: &[usize; 3]) -> Launch {
    Launch {
        kernel: forms::kernel_name(number),
        grid: [(tuples as u32).div_ceil(BLOCK), 1, 1],
        block: [BLOCK, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: buffers.iter().copied().map(Argument::Buffer).collect(),
    }
}
