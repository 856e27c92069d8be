//! One launch, on the GPU or on the emulator.

use super::record::{Ran, Seen};
use super::{Case, File};
use std::time::Instant;
use warpc_cubin::Cubin;
use warpc_diag::Diagnostics;
use warpc_driver::{DriverError, Gpu, Limit, Loaded};
use warpc_ptx::Module;
use warpc_request::Request;
use warpc_sim::{Device, Options};

/// Bytes of stack a thread gets on the GPU: kernels that recurse need more than the driver gives.
pub(super) const STACK: usize = 16 * 1024;

/// Fits a case to its module.
pub(crate) fn request(module: &Module, case: &Case) -> Result<Request, String> {
    let request = Request::new(module, &case.options).map_err(first_of)?;
    match request.steps.len() {
        1 => Ok(request),
        more => Err(format!("{more} launches in order, and one is recorded")),
    }
}

/// Runs a case on the emulator.
pub fn on_sim(module: &Module, case: &Case, options: Options) -> Ran {
    let run = || -> Result<Ran, String> {
        let request = request(module, case)?;
        let mut device = Device::new(module, options);
        for buffer in &request.buffers {
            device.buffer(&buffer.bytes);
        }
        let report = device.launch(request.launch()).map_err(first_of)?;
        let buffers = (0..request.buffers.len()).map(|i| Seen::of(&device.read(i)));
        Ok(Ran {
            outcome: Ok(buffers.collect()),
            output: String::from_utf8_lossy(&report.output).into_owned(),
            seconds: report.time.as_secs_f64(),
        })
    };
    run().unwrap_or_else(Ran::failed)
}

/// Runs a case on the emulator of machine code, from the cubin of its module. What it finds is a failure.
pub fn on_sass_sim(
    cubin: &Cubin,
    module: &Module,
    case: &Case,
    options: warpc_sass_sim::Options,
) -> Ran {
    let run = || -> Result<Ran, String> {
        let request = request(module, case)?;
        let mut device = warpc_sass_sim::Device::new(cubin, options).map_err(first_of)?;
        for buffer in &request.buffers {
            device.buffer(&buffer.bytes);
        }
        let start = Instant::now();
        let report = device.launch(request.launch()).map_err(first_of)?;
        if let Some(finding) = report.findings.first() {
            let problem = finding.problem.message();
            let (place, text) = (finding.place, &finding.text);
            return Err(format!("at {place:#x}, `{text}`: {problem}"));
        }
        let buffers = (0..request.buffers.len()).map(|i| Seen::of(&device.read(i)));
        Ok(Ran {
            outcome: Ok(buffers.collect()),
            output: String::from_utf8_lossy(device.output()).into_owned(),
            seconds: start.elapsed().as_secs_f64(),
        })
    };
    run().unwrap_or_else(Ran::failed)
}

fn first_of(diagnostics: Diagnostics) -> String {
    let first = diagnostics.as_slice().first();
    first.map_or_else(String::new, |d| d.message.clone())
}

/// A GPU with a module loaded.
pub struct OnGpu<'f> {
    gpu: Gpu,
    loaded: Loaded,
    file: &'f File,
    module: Module,
    repeats: usize,
}

impl<'f> OnGpu<'f> {
    /// Has the driver compile a file. Each case is run so many times: the results have to be the same.
    pub fn new(file: &'f File, repeats: usize) -> Result<OnGpu<'f>, String> {
        let module = file.module()?;
        let open = || -> Result<(Gpu, Loaded), DriverError> {
            let gpu = Gpu::open()?;
            gpu.set_limit(Limit::Stack, STACK)?;
            let loaded = crate::assembled::load(&gpu, &file.text())?;
            Ok((gpu, loaded))
        };
        let (gpu, loaded) = open().map_err(|e| e.to_string())?;
        Ok(OnGpu {
            gpu,
            loaded,
            file,
            module,
            repeats,
        })
    }

    /// Runs a case, several times unless it prints; the error means that the context is gone.
    pub fn run(&self, case: &Case) -> Result<Ran, String> {
        let request = match request(&self.module, case) {
            Ok(request) => request,
            Err(message) => return Ok(Ran::failed(message)),
        };
        let repeats = if self.file.prints() { 1 } else { self.repeats };
        let mut first: Option<Ran> = None;
        for _ in 0..repeats {
            let ran = self.once(&request).map_err(|e| e.to_string())?;
            match &first {
                None => first = Some(ran),
                Some(before) if before.outcome != ran.outcome => {
                    return Ok(Ran::failed("the GPU gives other results each time".into()));
                }
                // The first launch of a kernel also brings its code to the GPU.
                Some(before) => {
                    let seconds = before.seconds.min(ran.seconds);
                    first = Some(Ran { seconds, ..ran });
                }
            }
        }
        Ok(first.unwrap_or_else(|| Ran::failed("nothing was run".into())))
    }

    fn once(&self, request: &Request) -> Result<Ran, DriverError> {
        let buffers: Result<Vec<_>, _> = request
            .buffers
            .iter()
            .map(|buffer| self.gpu.buffer(&buffer.bytes))
            .collect();
        let buffers = buffers?;
        let kernel = self.loaded.kernel(&request.launch().kernel)?;
        let all: Vec<_> = buffers.iter().collect();
        let seconds = self.gpu.time(&kernel, request.launch(), &all)?;
        let seen: Result<Vec<Seen>, DriverError> = buffers
            .iter()
            .map(|buffer| Ok(Seen::of(&buffer.download()?)))
            .collect();
        Ok(Ran {
            outcome: Ok(seen?),
            output: String::new(),
            seconds,
        })
    }
}
