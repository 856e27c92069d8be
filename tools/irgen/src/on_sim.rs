//! A program's PTX on the emulator.

use crate::draft::{INPUT, OUTPUT, THREADS};
use crate::program::KERNEL;
use warpc_diag::{Diagnostics, Severity, SourceFile};
use warpc_sim::{Argument, Device, Launch, Options};
use warpc_testkit::Random;

/// Threads of a block; there are two blocks.
const BLOCK: u32 = THREADS / 2;

/// Thread instructions that no program needs.
const LIMIT: u64 = 20_000_000;

/// The input of all threads: values at which things change, and others.
pub fn input(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed ^ 0x5eed_0f1e_1d00);
    let mut bytes = Vec::new();
    while bytes.len() < (INPUT * THREADS) as usize {
        let any = random.bits();
        let value = match random.below(10) {
            0 => 0,
            1 => u64::MAX,
            2 => any % 16,
            3 => (any % 16).wrapping_neg(),
            4 => 1 << (any % 64),
            5 => (any % 1000) | ((any >> 32 & 0x7) << 32),
            6 => ((any % 2000) as f64 / 8.0 - 100.0).to_bits(),
            7 => {
                let pair = [any as u32 % 2000, (any >> 32) as u32 % 2000];
                let pair = pair.map(|n| (n as f32 / 8.0 - 100.0).to_bits());
                u64::from(pair[0]) | u64::from(pair[1]) << 32
            }
            8 => 0x3c00_4500_c200_3800 ^ (any & 0x8103_8103_8103_8103),
            _ => any,
        };
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

fn first(diagnostics: &Diagnostics) -> String {
    let errors = diagnostics.as_slice().iter();
    let mut errors = errors.filter(|d| d.severity == Severity::Error);
    errors
        .next()
        .map_or_else(String::new, |d| d.message.clone())
}

/// What the program writes. The error says what is wrong with the PTX, or what it did wrong.
pub fn run(ptx: &str, seed: u64) -> Result<Vec<u8>, String> {
    let file = SourceFile::new("program.ptx", ptx).ok_or("the PTX is too long")?;
    let checked = warpc_ptx::check(&file);
    if checked.diagnostics.has_errors() {
        return Err(format!("the PTX is wrong: {}", first(&checked.diagnostics)));
    }
    let options = Options {
        jobs: 1,
        limit: Some(LIMIT),
        init: false,
        ..Options::default()
    };
    let mut device = Device::new(checked.value.as_ref().unwrap(), options);
    let buffers = [
        device.buffer(&input(seed)),
        device.buffer(&vec![0; (OUTPUT * THREADS) as usize]),
    ];
    let launch = Launch {
        kernel: KERNEL.into(),
        grid: [THREADS / BLOCK, 1, 1],
        block: [BLOCK, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: buffers.map(Argument::Buffer).into(),
    };
    device.launch(&launch).map_err(|found| first(&found))?;
    Ok(device.read(buffers[1]))
}
