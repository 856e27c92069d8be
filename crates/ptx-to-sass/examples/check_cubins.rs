//! Judges cubins: `check_cubins FILE…` prints the findings, with the instructions.

use warpc_ptx_to_sass::check::flow::Flow;
use warpc_ptx_to_sass::check::{Code, Indirect, convergence, scoreboards};

fn main() {
    let (mut files, mut insts, mut found) = (0, 0, 0);
    let start = std::time::Instant::now();
    for file in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&file) else {
            continue;
        };
        let Ok(cubin) = warpc_cubin::Cubin::read(&bytes) else {
            continue;
        };
        let Some(chip) = cubin.chip() else { continue };
        files += 1;
        let sections = match warpc_sass_text::sections::sections(&cubin) {
            Ok(sections) => sections,
            Err(fault) => {
                println!("{file}: {fault:?}");
                continue;
            }
        };
        for section in &sections {
            insts += section.insts.len();
            let indirect: Vec<Indirect> = section
                .indirect
                .iter()
                .map(|(at, targets)| Indirect {
                    at: *at,
                    targets: targets.clone(),
                })
                .collect();
            let code = Code {
                chip,
                insts: &section.insts,
                entries: &section.entries,
                indirect: &indirect,
            };
            let flow = Flow::of(&code);
            let mut all = flow.findings.clone();
            all.extend(scoreboards::check(&code, &flow));
            all.extend(convergence::check(&code, &flow));
            found += all.len();
            for finding in all {
                let inst = section.insts.get(finding.at);
                let text = inst
                    .map(|inst| format!("{} {inst}", inst.control))
                    .unwrap_or_default();
                println!("{file} {}: {finding}\n    {text}", section.name);
            }
        }
    }
    eprintln!(
        "{files} files, {insts} instructions, {found} findings, {:?}",
        start.elapsed()
    );
}
