//! Programs and their launches on the emulator.

use crate::diagnostics::{Outcome, list, outcome};
use crate::source::Source;
use crate::work::{Pairs, options_of};
use library::launch::{Argument, Launch};
use library::{Buffer, Observer, Ran};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

/// A module that is ready to run.
#[pyclass(frozen, module = "warpc._native")]
pub struct Program(library::Program);

/// Makes a module ready to run.
#[pyfunction]
pub fn load<'py>(
    py: Python<'py>,
    source: &Source,
    options: Pairs,
) -> PyResult<Outcome<'py, Program>> {
    let options = options_of(&options)?;
    let loaded = py.detach(|| library::load(&source.0, &options));
    outcome(py, loaded, Program)
}

/// A parameter: name, type, bytes, whether it can be an address.
type Parameter = (String, Option<String>, Option<u64>, bool);
/// An argument: the bytes of the parameter, and offset and number of each buffer whose address is in them. No bytes: the
/// address of the one buffer.
type Given = (Option<Vec<u8>>, Vec<(usize, usize)>);
/// What a launch left: the result or none, the diagnostics, what was printed.
type After<'py> = (
    Option<Bound<'py, PyDict>>,
    Bound<'py, PyList>,
    Bound<'py, PyBytes>,
);

#[pymethods]
impl Program {
    /// What it is, in words.
    #[getter]
    fn words(&self) -> String {
        self.0.words()
    }

    /// The kernels: name, bytes of an address, parameters. The types are those of the input that the program was made from.
    #[pyo3(signature = (origin=None))]
    fn kernels(
        &self,
        py: Python<'_>,
        origin: Option<&Source>,
    ) -> Vec<(String, usize, Vec<Parameter>)> {
        let kernels = py.detach(|| match origin {
            Some(origin) => self.0.kernels_typed_by(&origin.0),
            None => self.0.kernels(),
        });
        let kernels = kernels.into_iter().map(|kernel| {
            let parameters = kernel.parameters.into_iter().map(|one| {
                let ty = one.ty.map(|ty| ty.to_string());
                let ty = ty.map(|ty| ty.trim_start_matches('.').to_owned());
                (one.name, ty, one.bytes, one.holds_address)
            });
            (kernel.kernel, kernel.address_bytes, parameters.collect())
        });
        kernels.collect()
    }

    /// Runs a kernel once.
    #[allow(clippy::too_many_arguments)]
    fn run<'py>(
        &self,
        py: Python<'py>,
        kernel: String,
        grid: [u32; 3],
        block: [u32; 3],
        cluster: Option<[u32; 3]>,
        dynamic_shared: u32,
        arguments: Vec<Given>,
        buffers: Vec<(String, Vec<u8>)>,
        options: Pairs,
    ) -> PyResult<After<'py>> {
        let options = options_of(&options)?;
        let launch = Launch {
            kernel,
            grid,
            block,
            cluster,
            dynamic_shared,
            cooperative: false,
            arguments: arguments.into_iter().map(argument).collect(),
        };
        let buffers = buffers.into_iter();
        let buffers: Vec<Buffer> = buffers
            .map(|(name, bytes)| Buffer { name, bytes })
            .collect();
        let mut printed = Printed::default();
        let ran = py.detach(|| self.0.run(&launch, &buffers, &options, &mut printed));
        let found = list(py, &ran.diagnostics)?;
        let text = match &ran.value {
            Some(ran) => &ran.printed,
            None => &printed.0,
        };
        let text = PyBytes::new(py, text);
        let ran = ran.value.map(|ran| dictionary(py, &ran)).transpose()?;
        Ok((ran, found, text))
    }
}

/// Keeps what a kernel printed before it failed.
#[derive(Default)]
struct Printed(Vec<u8>);

impl Observer for Printed {
    fn printed(&mut self, text: &[u8]) {
        self.0 = text.to_vec();
    }
}

fn argument((bytes, addresses): Given) -> Argument {
    match (bytes, addresses.as_slice()) {
        (None, &[(_, buffer)]) => Argument::Buffer(buffer),
        (bytes, []) => Argument::Value(bytes.unwrap_or_default()),
        (bytes, _) => Argument::Struct {
            bytes: bytes.unwrap_or_default(),
            addresses,
            maps: Vec::new(),
        },
    }
}

/// What a launch did.
fn dictionary<'py>(py: Python<'py>, ran: &Ran) -> PyResult<Bound<'py, PyDict>> {
    let members = PyDict::new(py);
    let buffers = PyList::empty(py);
    for bytes in &ran.buffers {
        buffers.append(PyBytes::new(py, bytes))?;
    }
    members.set_item("buffers", buffers)?;
    members.set_item("place", &ran.place)?;
    members.set_item("chip", &ran.chip)?;
    members.set_item("seconds", ran.time.as_secs_f64())?;
    let counts = PyDict::new(py);
    if let Some(report) = &ran.report {
        let all = report.counts;
        counts.set_item("thread_instructions", all.thread_instructions)?;
        counts.set_item("warp_instructions", all.warp_instructions)?;
        counts.set_item("barriers", all.barriers)?;
        counts.set_item("atomics", all.atomics)?;
        counts.set_item("accesses", all.accesses)?;
        counts.set_item("bytes", all.bytes)?;
        counts.set_item("collectives", all.collectives)?;
    }
    members.set_item("counts", counts)?;
    Ok(members)
}
