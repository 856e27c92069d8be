//! One launch of every kernel of a module.

use super::inputs::Input;
use std::time::{Duration, Instant};
use warpc_diag::SourceFile;
use warpc_launch::kernels;
use warpc_ptx::Module;
use warpc_ptx::module::Function;
use warpc_sim::{Argument, Device, Launch, Options};

/// Thread instructions of a launch: none of the inputs has to run for long.
const LIMIT: u64 = 200_000;
/// What a launch may take, on a slow machine that does much else.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of a buffer.
const BUFFER: usize = 4096;

/// Checks the input and launches its kernels: for each, whether it came to its end. None if the
/// input is not right.
pub fn all_kernels(input: Input) -> Vec<bool> {
    let Some(file) = SourceFile::new(input.name.clone(), input.text) else {
        return Vec::new();
    };
    let checked = warpc_ptx::check(&file);
    if checked.diagnostics.has_errors() {
        return Vec::new();
    }
    let module = checked.value.as_ref().unwrap();
    kernels(module)
        .map(|kernel| {
            let start = Instant::now();
            let ended = launch(module, kernel);
            let time = start.elapsed();
            assert!(time < PATIENCE, "it ran for {time:?}");
            ended
        })
        .collect()
}

fn launch(module: &Module, kernel: &Function) -> bool {
    let options = Options {
        seed: 1,
        jobs: 1,
        limit: Some(LIMIT),
        ..Options::default()
    };
    let mut device = Device::new(module, options);
    let arguments = kernel.params.iter().map(|param| {
        let bytes = param.bytes().unwrap_or(0);
        match bytes {
            8 => Argument::Buffer(device.buffer(&[0; BUFFER])),
            _ => Argument::Value(vec![0; usize::try_from(bytes).expect("a parameter's size")]),
        }
    });
    let mut launch = Launch {
        kernel: module.name(kernel.name).to_owned(),
        grid: [1; 3],
        block: [64, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: arguments.collect(),
    };
    if let Some(shape) = required(kernel, ".reqntid") {
        launch.block = shape;
    }
    if let Some(shape) = required(kernel, ".reqnctapercluster") {
        launch.grid = shape;
    }
    device.launch(&launch).is_ok()
}

/// The three numbers of a directive.
fn required(kernel: &Function, name: &str) -> Option<[u32; 3]> {
    let directive = kernel.directives.iter().find(|d| d.name == name)?;
    let number = |i: usize| directive.values.get(i).map_or(1, |int| int.value() as u32);
    Some([number(0), number(1), number(2)])
}
