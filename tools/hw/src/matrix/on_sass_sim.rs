//! The matrix suite's kernels on the emulator of machine code, from cubins of warpc.

use super::{Form, kernel_name, module};
use warpc::{Options, Source};
use warpc_cubin::Cubin;
use warpc_diag::Diagnostics;
use warpc_sass_sim::{Device, Options as Running};
use warpc_sim::{Argument, Launch};

/// The cubin of some forms; the error is what is not supported.
pub fn assembled(forms: &[Form], how: &dyn Fn(&mut Options)) -> Result<Cubin, String> {
    let mut options = Options::new(super::target());
    options.assembler.verify = true;
    how(&mut options);
    let source = Source::new("matrix.ptx", module(forms)).map_err(|error| error.to_string())?;
    let made = warpc::assemble(&source, &options);
    made.value.ok_or_else(|| {
        let first = made.diagnostics.first_error();
        first.map_or_else(String::new, |one| one.message.clone())
    })
}

/// What the kernels write for their first tiles, form by form. The error says what the emulator finds.
pub fn run_module(cubin: &Cubin, forms: &[Form], tiles: usize) -> Vec<Result<Vec<u8>, String>> {
    let first = |diagnostics: Diagnostics| {
        let first = diagnostics.as_slice().first();
        first.map_or_else(String::new, |one| one.message.clone())
    };
    let run = |(number, form): (usize, &Form)| {
        let mut device = Device::new(cubin, Running::default()).map_err(first)?;
        let input: Vec<u8> = (0..tiles).flat_map(|tile| form.input(tile)).collect();
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
        let report = device.launch(&launch).map_err(first)?;
        if let Some(finding) = report.findings.first() {
            let problem = finding.problem.message();
            return Err(format!(
                "at {:#x}, `{}`: {problem}",
                finding.place, finding.text
            ));
        }
        Ok(device.read(output))
    };
    forms.iter().enumerate().map(run).collect()
}
