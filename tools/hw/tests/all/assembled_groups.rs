//! Products of a warpgroup as warpc assembles them: judged by the checkers; none waits for more than PTX says, and none
//! has moves of its accumulator.

use warpc_hw::groups::{assemble, case, kernel_name, module};
use warpc_sim::{Argument, Device, Launch, Options};
use warpc_testkit::Random;
use warpc_testkit::hash::fnv1a;

/// Which cases are taken: every so many.
const EVERY: usize = 17;

#[test]
fn all_are_assembled() {
    let every = std::env::var("WARPC_EVERY")
        .ok()
        .and_then(|every| every.parse().ok());
    let mut wrong = Vec::new();
    for case in case::all().into_iter().step_by(every.unwrap_or(EVERY)) {
        let text = case.text();
        if let Err(why) = assemble(&module(&[case])) {
            wrong.push(format!("{text}: {why}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The emulator runs every case without a finding.
#[test]
fn all_are_emulated() {
    let every = std::env::var("WARPC_EVERY")
        .ok()
        .and_then(|every| every.parse().ok());
    for case in case::all().into_iter().step_by(every.unwrap_or(EVERY)) {
        let text = case.text();
        let file = warpc_diag::SourceFile::new("groups.ptx", module(std::slice::from_ref(&case)))
            .expect("a short text");
        let checked = warpc_ptx::check(&file).value.expect("a module");
        let options = Options {
            jobs: 1,
            ..Options::default()
        };
        let mut device = Device::new(&checked, options);
        let mut random = Random::new(fnv1a(&text));
        let blocks = 2;
        let input: Vec<u8> = (0..blocks).flat_map(|_| case.input(&mut random)).collect();
        device.buffer(&input);
        let output = device.buffer(&vec![0; case.output_bytes() * blocks]);
        let outcome = device.launch(&Launch {
            kernel: kernel_name(0),
            grid: [blocks as u32, 1, 1],
            block: [128, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: vec![Argument::Buffer(0), Argument::Buffer(1)],
        });
        let shown = |found| warpc_diag::render_human(&file, found, false);
        match outcome {
            Err(found) => panic!("{text}: {}", shown(&found)),
            Ok(report) => {
                let warnings = &report.warnings;
                assert!(
                    warnings.as_slice().is_empty(),
                    "{text}: {}",
                    shown(warnings)
                );
            }
        }
        assert!(device.read(output).iter().any(|byte| *byte != 0), "{text}");
    }
}
