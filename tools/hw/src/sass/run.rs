//! Items on the GPU.

use super::case::Case;
use super::pairs::Pair;
use crate::kernels::record::Seen;
use crate::kernels::run::request;
use crate::matrix::answers::digest;
use warpc_driver::{DriverError, Gpu, Limit};
use warpc_request::Request;
use warpc_sim::Launch;

/// What came of an item: what it did, or what is wrong.
pub type Verdict = Result<String, String>;

/// Bytes of stack that a thread gets: kernels that recurse need more than the driver gives.
const STACK: usize = 16 * 1024;

/// Runs the cases of a kernel. Wrong results are a verdict; the outer error means that the context is lost.
pub fn cases(cubin: &[u8], cases: &[Case]) -> Result<Verdict, String> {
    let work = || -> Result<Verdict, DriverError> {
        let gpu = Gpu::open()?;
        let loaded = gpu.load_cubin(cubin)?;
        let mut bytes = 0;
        for (number, case) in cases.iter().enumerate() {
            let kernel = loaded.kernel(&case.launch.kernel)?;
            let left = launch(&gpu, &kernel, &case.launch, &case.before)?;
            for (buffer, (left, after)) in left.iter().zip(&case.after).enumerate() {
                if let Some(at) = first_difference(left, after) {
                    let word = |bytes: &[u8]| -> String {
                        let word = bytes[at / 4 * 4..].iter().take(4).rev();
                        word.map(|byte| format!("{byte:02x}")).collect()
                    };
                    return Ok(Err(format!(
                        "case {number}: word {} of buffer {buffer} is {}, must be {}",
                        at / 4,
                        word(left),
                        word(after)
                    )));
                }
                bytes += left.len();
            }
        }
        Ok(Ok(format!("{} launches, {bytes} bytes", cases.len())))
    };
    work().map_err(|error| error.to_string())
}

/// Runs every case of a module with both cubins, and compares what they leave.
pub fn pair(pair: &Pair<'_>) -> Result<Verdict, String> {
    let module = pair.file.module()?;
    let work = || -> Result<Verdict, DriverError> {
        let gpu = Gpu::open()?;
        gpu.set_limit(Limit::Stack, STACK)?;
        let original = gpu.load_cubin(&pair.original)?;
        let rebuilt = gpu.load_cubin(&pair.rebuilt)?;
        let mut bytes = 0;
        let mut all = Vec::new();
        for case in &pair.file.cases {
            let request: Request = match request(&module, case) {
                Ok(request) => request,
                Err(message) => return Ok(Err(message)),
            };
            let before: Vec<Vec<u8>> = request
                .buffers
                .iter()
                .map(|one| one.bytes.clone())
                .collect();
            let mut left = Vec::new();
            for loaded in [&original, &rebuilt] {
                let kernel = loaded.kernel(&request.launch().kernel)?;
                left.push(launch(&gpu, &kernel, request.launch(), &before)?);
            }
            if left[0] != left[1] {
                return Ok(Err(format!("{}: they leave different bytes", case.text)));
            }
            bytes += left[0].iter().map(Vec::len).sum::<usize>();
            all.extend(
                left.swap_remove(0)
                    .iter()
                    .map(|buffer| Seen::of(buffer).digest),
            );
        }
        let digests: Vec<u8> = all.iter().flat_map(|digest| digest.to_le_bytes()).collect();
        Ok(Ok(format!(
            "{} launches, {bytes} bytes, digest {:016x}",
            pair.file.cases.len(),
            digest(&digests)
        )))
    };
    work().map_err(|error| error.to_string())
}

fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    a.iter().zip(b).position(|(a, b)| a != b)
}

/// What a launch leaves in its buffers.
fn launch(
    gpu: &Gpu,
    kernel: &warpc_driver::Kernel<'_>,
    launch: &Launch,
    before: &[Vec<u8>],
) -> Result<Vec<Vec<u8>>, DriverError> {
    let buffers: Result<Vec<_>, _> = before.iter().map(|bytes| gpu.buffer(bytes)).collect();
    let buffers = buffers?;
    let all: Vec<_> = buffers.iter().collect();
    gpu.launch(kernel, launch, &all)?;
    gpu.synchronize()?;
    buffers.iter().map(|buffer| buffer.download()).collect()
}
