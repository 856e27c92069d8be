//! Machine code that is run: which cubin it is, what its kernels take, and a launch on the emulator of machine code.

use crate::door::wrong_kind;
use crate::{Kind, Options, Source};
use warpc_cubin::{Content, Cubin, Fault, Symbol, Value, fatbin};
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};
use warpc_request::{Interface, Request, Signature};

/// The cubin of an input that is one, has one, or assembles to one.
pub(super) fn load(source: &Source, options: &Options) -> Output<Cubin> {
    match source.kind() {
        Kind::Cubin => crate::check::cubin::check_cubin(source.bytes()),
        Kind::Fatbin => match chosen(source.bytes(), options) {
            Ok(cubin) => Output::new(cubin, Diagnostics::new()),
            Err(refused) => Output::failed(refused),
        },
        Kind::Sass => crate::machine::check_assembly(source),
        _ => wrong_kind(source, &[Kind::Cubin, Kind::Fatbin, Kind::Sass]),
    }
}

/// The cubin of a fatbin for the chip of the options, or the only one.
fn chosen(bytes: &[u8], options: &Options) -> Result<Cubin, Diagnostics> {
    let damaged = |fault: Fault| Diagnostics::of(crate::check::cubin::diagnostic(fault, ""));
    let mut cubins = Vec::new();
    for entry in fatbin::read(bytes).map_err(damaged)? {
        if entry.kind == fatbin::Kind::Cubin {
            let unpacked = entry.unpacked().map_err(damaged)?;
            cubins.push(Cubin::read(&unpacked).map_err(damaged)?);
        }
    }
    let chips = cubins.iter().filter_map(Cubin::chip);
    let chips: Vec<String> = chips.map(|chip| chip.to_string()).collect();
    let found = match options.target {
        Some(target) => cubins.iter().position(|one| one.chip() == Some(target)),
        None => (cubins.len() == 1).then_some(0),
    };
    if let Some(index) = found {
        return Ok(cubins.swap_remove(index));
    }
    let message = match (options.target, cubins.len()) {
        (_, 0) => "the fatbin has no machine code".to_owned(),
        (Some(target), _) => format!("the fatbin has no machine code for {target}"),
        (None, count) => format!("the fatbin has {count} cubins, and none was chosen"),
    };
    let error = Diagnostic::error(codes::WRONG_INPUT, Span::default(), message);
    Err(Diagnostics::of(match chips.is_empty() {
        true => error,
        false => error.help(format!("choose one with `--arch`: {}", chips.join(", "))),
    }))
}

/// What a cubin is, in words.
pub(super) fn words(cubin: &Cubin) -> String {
    match cubin.chip() {
        Some(chip) => format!("machine code for {chip}"),
        None => "machine code".to_owned(),
    }
}

/// Fits a launch that is given as text to a kernel.
pub(super) fn request(
    cubin: &Cubin,
    options: &warpc_request::Options,
) -> Result<Request, Diagnostics> {
    let interface = Interface {
        kernels: signatures(cubin),
        variables: None,
    };
    let choose = |wanted: Option<&str>| choose(&interface, wanted);
    Request::of(&interface, choose, options)
}

/// The kernel that a name means, or the only one.
fn choose(interface: &Interface, wanted: Option<&str>) -> Result<Signature, Diagnostics> {
    let refused = |message: String, help: String| {
        let error = Diagnostic::error(codes::NO_KERNEL, Span::default(), message);
        Err(Diagnostics::of(error.help(help)))
    };
    let names: Vec<&str> = interface.kernels.iter().map(|one| &*one.kernel).collect();
    let listed = || warpc_ptx::suggest::one_of(&names);
    let Some(name) = wanted else {
        return match &interface.kernels[..] {
            [one] => Ok(one.clone()),
            [] => {
                let help = "a kernel is a function that was declared as `.entry`".to_owned();
                refused("the cubin has no kernel".to_owned(), help)
            }
            several => {
                let count = several.len();
                let message = format!("the cubin has {count} kernels, and none was chosen");
                refused(message, format!("add `--kernel` with {}", listed()))
            }
        };
    };
    if let Some(kernel) = interface.kernel(name)? {
        return Ok(kernel.clone());
    }
    let near = warpc_ptx::suggest::nearest(name, names.iter().copied());
    refused(
        format!("there is no kernel `{name}` in the cubin"),
        match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "the cubin has no kernel at all".to_owned(),
            None => format!("the cubin has {}", listed()),
        },
    )
}

/// What each kernel takes.
pub(super) fn signatures(cubin: &Cubin) -> Vec<Signature> {
    let kernels = kernels(cubin).into_iter();
    kernels.map(|kernel| signature(cubin, &kernel)).collect()
}

fn signature(cubin: &Cubin, kernel: &str) -> Signature {
    Signature::of_sizes(kernel, sizes(cubin, kernel).into_iter())
}

/// The names of the kernels.
fn kernels(cubin: &Cubin) -> Vec<String> {
    let (_, symbols) = cubin.symbols();
    let entries = symbols
        .iter()
        .filter(|symbol| symbol.other & Symbol::ENTRY != 0 && symbol.section != 0);
    entries
        .map(|symbol| cubin.symbol_name(symbol).into_owned())
        .collect()
}

/// The bytes of each parameter of a kernel, in order.
fn sizes(cubin: &Cubin, kernel: &str) -> Vec<u64> {
    let section = cubin.section(&format!(".nv.info.{kernel}"));
    let Some(Content::Info(records)) = section.map(|(_, section)| &section.content) else {
        return Vec::new();
    };
    let parameters = records.iter().filter_map(|record| match record.value() {
        Value::Parameter(parameter) => Some((parameter.ordinal, u64::from(parameter.size))),
        _ => None,
    });
    let mut parameters: Vec<_> = parameters.collect();
    parameters.sort_unstable();
    parameters.into_iter().map(|(_, size)| size).collect()
}

/// The emulator of machine code with a cubin and buffers in it.
#[cfg(feature = "sim")]
pub(super) struct OnMachine {
    device: warpc_sass_sim::Device,
    seed: u64,
    chip: String,
}

#[cfg(feature = "sim")]
impl OnMachine {
    pub(super) fn open(
        cubin: &Cubin,
        buffers: &[super::Buffer],
        options: &Options,
    ) -> Result<OnMachine, Diagnostics> {
        let settings = warpc_sass_sim::Options {
            limit: options.run.limit,
            seed: options.run.seed,
            ..warpc_sass_sim::Options::default()
        };
        let mut device = warpc_sass_sim::Device::new(cubin, settings)?;
        // They get the numbers from 0 on.
        for buffer in buffers {
            device.named_buffer(&buffer.name, &buffer.bytes);
        }
        let chip = cubin.chip();
        Ok(OnMachine {
            device,
            seed: options.run.seed,
            chip: chip.map_or_else(String::new, |chip| chip.to_string()),
        })
    }
}

/// Refuses what the emulator of machine code does not have.
#[cfg(feature = "sim")]
fn not_emulated(what: &str) -> Diagnostics {
    let message = format!("{what} on the emulator of machine code");
    let error = Diagnostic::error(codes::NOT_EMULATED, Span::default(), message);
    Diagnostics::of(error.help("run the PTX that the machine code was made from"))
}

#[cfg(feature = "sim")]
impl super::session::Device for OnMachine {
    fn launch(
        &mut self,
        launch: &warpc_launch::Launch,
        observer: &mut dyn crate::Observer,
    ) -> Result<super::Ran, Diagnostics> {
        if launch.cooperative {
            return Err(not_emulated("there are no cooperative launches"));
        }
        let report = self.device.launch(launch);
        // What a kernel printed before it failed may say why.
        let report = report.inspect_err(|_| observer.printed(self.device.output()))?;
        // Those that did not end the run.
        let mut found = Diagnostics::new();
        let all = report.findings.iter();
        all.for_each(|finding| found.push(finding.diagnostic()));
        let mut counted = warpc_sim::Report::default();
        counted.counts = warpc_sim::Counts {
            thread_instructions: report.counts.thread_instructions,
            warp_instructions: report.counts.warp_instructions,
            barriers: report.counts.barriers,
            atomics: report.counts.atomics,
            accesses: report.counts.accesses,
            bytes: report.counts.bytes,
            collectives: report.counts.collectives,
        };
        counted.output = self.device.output().to_vec();
        counted.time = report.time;
        counted.workers = 1;
        counted.blocks = report.grid.iter().map(|count| u64::from(*count)).product();
        counted.threads = launch.block.iter().product();
        Ok(super::Ran {
            warnings: found,
            left_out: super::LeftOut::of_machine_code(),
            buffers: Vec::new(),
            printed: counted.output.clone(),
            grid: report.grid,
            block: launch.block,
            cluster: report.cluster,
            static_shared: report.static_shared,
            place: format!("on the emulator of machine code, seed {}", self.seed),
            chip: self.chip.clone(),
            time: report.time,
            report: Some(counted),
            cycles: report.cycles,
        })
    }

    fn address(&self, buffer: usize) -> u64 {
        self.device.address(buffer).unwrap_or(0)
    }

    fn read(&mut self, buffer: usize) -> Result<Vec<u8>, Diagnostics> {
        Ok(self.device.read(buffer))
    }

    fn write(&mut self, buffer: usize, bytes: &[u8]) -> Result<(), Diagnostics> {
        self.device.write(buffer, bytes);
        Ok(())
    }

    fn variable(&self, _: &str) -> Result<Vec<u8>, Diagnostics> {
        Err(not_emulated("variables cannot be read"))
    }

    fn set(&mut self, _: &str, _: &[u8]) -> Result<(), Diagnostics> {
        Err(not_emulated("variables cannot be set"))
    }
}
