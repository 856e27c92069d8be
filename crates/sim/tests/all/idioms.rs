//! Idioms of CUDA as people write them, right and in wrong variants (`tests/findings/idioms`): the right ones have no finding, the wrong
//! ones the one that is expected.
//!
//! A source has lines `// idiom: NAME CODE CODE …`: with `W=0` the kernel is right, with `W=1`, `W=2` … it is wrong and has the code that
//! comes first, second … in the list; `-` stands for a variant that is not wrong, or not to be found in one launch. What nvcc makes of
//! each `W` is recorded next to it.

use warpc_diag::SourceFile;
use warpc_request::{Request, cases};
use warpc_sim::{Device, Options, Races};
use warpc_testkit::{gzip, project};

/// What is wrong in one of these interleavings is found.
const SEEDS: u64 = 8;
const LIMIT: u64 = 3_000_000;

fn judge(name: &str) -> (usize, usize) {
    let folder = project::root().join("tests/findings/idioms");
    let path = folder.join(format!("{name}.cu"));
    let text = std::fs::read_to_string(&path).expect("a source");
    let idioms: Vec<(String, Vec<String>)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("// idiom: "))
        .map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            (words.next().expect("a name"), words.collect())
        })
        .collect();
    let source = SourceFile::new(path.to_string_lossy(), text).expect("a short text");
    let launches = cases(&source).expect("launches");
    let variants = idioms.iter().map(|(_, codes)| codes.len()).max();
    let (mut wrong, mut bugs) = (String::new(), 0);
    for variant in 0..=variants.unwrap_or(0) {
        let text = gzip::read_text(folder.join(format!("{name}{variant}.ptx.gz")));
        let ptx = SourceFile::new(format!("{name}{variant}.ptx"), text).expect("a short text");
        let module = warpc_ptx::check(&ptx).value.expect("a module");
        for (kernel, codes) in &idioms {
            let wanted = match variant {
                0 => None,
                _ => match codes.get(variant - 1) {
                    Some(code) if code != "-" => Some(code.as_str()),
                    _ => continue,
                },
            };
            let is_it = |case: &&warpc_request::Case| case.options.kernel.as_ref() == Some(kernel);
            let case = launches.iter().find(is_it).expect("a launch of each");
            let found = |seed: u64| {
                let request = Request::new(&module, &case.options).expect("a launch");
                let options = Options {
                    seed,
                    jobs: 1,
                    races: Races::All,
                    limit: Some(LIMIT),
                    ..Options::default()
                };
                let mut device = Device::new(&module, options);
                for buffer in &request.buffers {
                    device.buffer(&buffer.bytes);
                }
                let mut found = match device.launch(request.launch()) {
                    Ok(report) => report.warnings,
                    Err(errors) => errors,
                };
                for one in device.leaks().as_slice() {
                    found.push(one.clone());
                }
                let list = found.as_slice().iter();
                list.map(|one| format!("{} {}", one.code.0, one.message))
                    .collect::<Vec<String>>()
            };
            bugs += usize::from(wanted.is_some());
            let is_expected = match wanted {
                None => (0..SEEDS).all(|seed| found(seed).is_empty()),
                Some(code) => (0..SEEDS).any(|seed| {
                    let found = found(seed);
                    found.iter().any(|one| one.starts_with(code))
                }),
            };
            if !is_expected {
                wrong.push_str(&format!(
                    "`{kernel}`, W={variant}, {wanted:?}: {:?}\n",
                    found(0)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    (idioms.len(), bugs)
}

#[test]
fn idioms_are_judged_right() {
    println!("{:?}", judge("blocks"));
    println!("{:?}", judge("pipelines"));
}
