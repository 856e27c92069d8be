//! The matrix suite's kernels on the emulator, as [`super::run`] runs them on a GPU.
//!
//! The judges compute with `warpc_sim::matrix` alone; this shows that the emulator brings registers
//! and memory to it and back.

use super::{Form, kernel_name, module};
use warpc_diag::{Diagnostics, SourceFile};
use warpc_sim::{Argument, Device, Launch, Options};

/// What the kernels write for their first tiles, form by form. The error says what the emulator
/// refuses or finds.
pub fn run_module(forms: &[Form], tiles: usize) -> Vec<Result<Vec<u8>, String>> {
    let Some(file) = SourceFile::new("matrix.ptx", module(forms)) else {
        return vec![Err("the module is too long".into()); forms.len()];
    };
    let module = warpc_ptx::check(&file).unwrap();
    let run = |(number, form): (usize, &Form)| {
        let input: Vec<u8> = (0..tiles).flat_map(|tile| form.input(tile)).collect();
        let mut device = Device::new(
            &module,
            Options {
                jobs: 1,
                init: false,
                ..Options::default()
            },
        );
        let input = device.buffer(&input);
        let output = device.buffer(&vec![0; form.output_bytes * tiles]);
        let launch = Launch {
            kernel: kernel_name(number),
            grid: [tiles as u32, 1, 1],
            block: [32, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: vec![Argument::Buffer(input), Argument::Buffer(output)],
        };
        let first = |diagnostics: Diagnostics| {
            let first = diagnostics.as_slice().first();
            first.map_or_else(String::new, |d| d.message.clone())
        };
        device.launch(&launch).map_err(first)?;
        Ok(device.read(output))
    };
    forms.iter().enumerate().map(run).collect()
}
