//! Machine code that is run: which cubin it is, what its kernels take, and a launch on the emulator of machine code.

use crate::door::wrong_kind;
use crate::{Kind, Options, Source};
use warpc_cubin::{Content, Cubin, Fault, Symbol, Value, fatbin};
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};
use warpc_request::{Request, Signature};

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
    let kernels = kernels(cubin);
    let refused = |message: String, help: String| {
        let error = Diagnostic::error(codes::NO_KERNEL, Span::default(), message);
        Diagnostics::of(error.help(help))
    };
    let listed =
        || warpc_ptx::suggest::one_of(&kernels.iter().map(String::as_str).collect::<Vec<_>>());
    let kernel = match &options.kernel {
        Some(name) => kernels.iter().find(|one| *one == name).ok_or_else(|| {
            let message = format!("there is no kernel `{name}` in the cubin");
            let near = warpc_ptx::suggest::nearest(name, kernels.iter().map(String::as_str));
            refused(
                message,
                match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if kernels.is_empty() => "the cubin has no kernel at all".to_owned(),
                    None => format!("the cubin has {}", listed()),
                },
            )
        })?,
        None => match &kernels[..] {
            [one] => one,
            [] => {
                let help = "a kernel is a function that was declared as `.entry`".to_owned();
                return Err(refused("the cubin has no kernel".to_owned(), help));
            }
            several => {
                let count = several.len();
                let message = format!("the cubin has {count} kernels, and none was chosen");
                return Err(refused(
                    message,
                    format!("add `--kernel` with {}", listed()),
                ));
            }
        },
    };
    Request::of(&signature(cubin, kernel), options)
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

/// Runs the launch on the emulator of machine code.
#[cfg(feature = "sim")]
pub(super) fn run(
    cubin: &Cubin,
    launch: &warpc_launch::Launch,
    buffers: &[super::Buffer],
    options: &Options,
    observer: &mut dyn crate::Observer,
) -> Result<super::Ran, Diagnostics> {
    let settings = warpc_sass_sim::Options {
        limit: options.run.limit,
        seed: options.run.seed,
        ..warpc_sass_sim::Options::default()
    };
    let mut device = warpc_sass_sim::Device::new(cubin, settings)?;
    let numbers: Vec<usize> = buffers
        .iter()
        .map(|buffer| device.named_buffer(&buffer.name, &buffer.bytes))
        .collect();
    let report = device.launch(launch);
    // What a kernel printed before it failed may say why.
    let report = report.inspect_err(|_| observer.printed(device.output()))?;
    if !report.findings.is_empty() {
        observer.printed(device.output());
        let mut found = Diagnostics::new();
        let all = report.findings.iter();
        all.for_each(|finding| found.push(finding.diagnostic()));
        return Err(found);
    }
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
    counted.output = device.output().to_vec();
    counted.time = report.time;
    counted.workers = 1;
    counted.blocks = report.grid.iter().map(|count| u64::from(*count)).product();
    counted.threads = launch.block.iter().product();
    let seed = options.run.seed;
    Ok(super::Ran {
        warnings: Diagnostics::new(),
        buffers: numbers.iter().map(|number| device.read(*number)).collect(),
        printed: counted.output.clone(),
        grid: report.grid,
        block: launch.block,
        cluster: report.cluster,
        static_shared: report.static_shared,
        place: format!("on the emulator of machine code, seed {seed}"),
        chip: cubin
            .chip()
            .map_or_else(String::new, |chip| chip.to_string()),
        time: report.time,
        report: Some(counted),
        cycles: report.cycles,
    })
}
