//! Triton's kernels for sm_90 and sm_100, which use `wgmma` and `tcgen05`, against the same kernels for sm_80, whose answers are those of an H200.

use warpc_diag::{SourceFile, codes};
use warpc_request::{Request, cases};
use warpc_sim::{Device, Options, Races};
use warpc_testkit::{gzip, project};

/// Runs a kernel; gives the buffers afterwards.
fn buffers(name: &str, text: &str, races: Races) -> Vec<Vec<u8>> {
    let file = SourceFile::new(name, text.to_owned()).expect("a short text");
    let launches = cases(&file).expect("a launch");
    let module = warpc_ptx::check(&file).value.expect("a module");
    let request = Request::new(&module, &launches[0].options).expect("a launch");
    let options = Options {
        jobs: 1,
        races,
        ..Options::default()
    };
    let mut device = Device::new(&module, options);
    let ids: Vec<usize> = (request.buffers.iter())
        .map(|buffer| device.buffer(&buffer.bytes))
        .collect();
    let show = |found| warpc_diag::render_human(&file, found, false);
    match device.launch(request.launch()) {
        Err(found) => panic!("{name}: {}", show(&found)),
        // Triton has lanes write the same value to the same place.
        Ok(report) => assert!(
            (report.warnings.as_slice().iter())
                .all(|warning| warning.code == codes::SAME_VALUE_RACE),
            "{name}: {}",
            show(&report.warnings)
        ),
    }
    ids.into_iter().map(|id| device.read(id)).collect()
}

/// The elements of a buffer.
fn numbers(bytes: &[u8], ty: &str) -> Vec<f64> {
    let half = |bits: u16| {
        let magnitude = match bits >> 10 & 0x1f {
            0 => f64::from(bits & 0x3ff) * 2f64.powi(-24),
            exponent => {
                (1.0 + f64::from(bits & 0x3ff) / 1024.0) * 2f64.powi(i32::from(exponent) - 15)
            }
        };
        if bits >> 15 == 1 {
            -magnitude
        } else {
            magnitude
        }
    };
    let halves = bytes
        .as_chunks::<2>()
        .0
        .iter()
        .map(|two| u16::from_le_bytes(*two));
    match ty {
        "f16" => halves.map(half).collect(),
        "bf16" => halves
            .map(|bits| f64::from(f32::from_bits(u32::from(bits) << 16)))
            .collect(),
        "s32" => {
            let words = bytes.as_chunks::<4>().0.iter();
            words
                .map(|four| f64::from(i32::from_le_bytes(*four)))
                .collect()
        }
        _ => {
            let words = bytes.as_chunks::<4>().0.iter();
            words
                .map(|four| f64::from(f32::from_le_bytes(*four)))
                .collect()
        }
    }
}

#[test]
fn kernels_for_hopper() {
    let with = ("sm_90", "wgmma.mma_async");
    compare("matmul_f16", (2, "f16"), 2f64.powi(-10), with);
    compare("matmul_f16_w8_s4", (2, "f16"), 2f64.powi(-10), with);
    compare("matmul_tf32", (2, "f32"), 2f64.powi(-18), with);
    compare("attention_bf16_causal", (3, "bf16"), 2f64.powi(-6), with);
}

#[test]
fn kernels_for_blackwell() {
    let with = ("sm_100", "tcgen05.mma");
    compare("matmul_bf16_s1", (2, "f32"), 2f64.powi(-18), with);
    compare("matmul_i8", (2, "s32"), 0.0, with);
}

/// Runs a kernel for sm_80 and for another chip: what they leave differs by at most so much of the largest number.
fn compare(name: &str, (result, ty): (usize, &str), most: f64, (chip, instruction): (&str, &str)) {
    let root = project::root();
    let launches =
        std::fs::read_to_string(root.join("tests/kernels/triton.tsv")).expect("launches");
    let launch = launches.lines().find_map(|line| {
        let (of, launch) = line.split_once('\t')?;
        (of == name).then_some(launch)
    });
    let launch = launch.expect("a launch");
    let text = |path: String| format!("// run: {launch}\n{}", gzip::read_text(root.join(path)));
    let old = text(format!("tests/kernels/triton/{name}.ptx.gz"));
    let new = text(format!(
        "tests/corpus/ptx/triton-{chip}-kernels-{name}.ptx.gz"
    ));
    assert!(new.contains(instruction), "{name}");
    let old = buffers(name, &old, Races::Off);
    let new = buffers(name, &new, Races::All);
    let (old, new) = (numbers(&old[result], ty), numbers(&new[result], ty));
    let largest = old.iter().fold(0f64, |most, value| most.max(value.abs()));
    assert!(largest > 0.0, "{name} computes nothing");
    for (at, (old, new)) in old.iter().zip(&new).enumerate() {
        let off = (old - new).abs() / largest;
        assert!(off <= most, "{name} at {at}: {new}, for sm_80 {old}");
    }
}
