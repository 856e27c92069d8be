//! Compile, check, link, format, disassemble.

use crate::diagnostics::{Outcome, list, outcome};
use crate::source::Source;
use library::{BadSetting, Diagnostics, Emit, Options, Output, SETTINGS};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// Options as names and values.
pub type Pairs = Vec<(String, String)>;

/// The options of the library.
pub fn options_of(pairs: &Pairs) -> PyResult<Options> {
    let mut options = Options::default();
    for (name, value) in pairs {
        options.set(name, value).map_err(|bad| match bad {
            // As Python itself refuses a keyword that a function does not have.
            BadSetting::Unknown { .. } => PyTypeError::new_err(bad.to_string()),
            _ => PyValueError::new_err(bad.to_string()),
        })?;
    }
    Ok(options)
}

/// What is meant by a word, or by none.
fn emit_of(source: &Source, emit: Option<&str>) -> PyResult<Emit> {
    match emit {
        None => Ok(Emit::default_for(source.0.kind())),
        Some(word) => word
            .parse::<Emit>()
            .map_err(|unknown| PyValueError::new_err(unknown.to_string())),
    }
}

/// Makes one representation of another, or the default one; also gives what was made.
#[pyfunction]
pub fn emit<'py>(
    py: Python<'py>,
    source: &Source,
    emit: Option<&str>,
    options: Pairs,
) -> PyResult<(Outcome<'py, Bound<'py, PyBytes>>, &'static str)> {
    let options = options_of(&options)?;
    let emit = emit_of(source, emit)?;
    let made = py.detach(|| library::emit(&source.0, emit, &options));
    let made = outcome(py, made, |bytes| PyBytes::new(py, &bytes))?;
    Ok((made, emit.name()))
}

/// What an output depends on, as a text.
#[pyfunction]
pub fn fingerprint(
    py: Python<'_>,
    source: &Source,
    emit: Option<&str>,
    options: Pairs,
) -> PyResult<String> {
    let options = options_of(&options)?;
    let emit = emit_of(source, emit)?;
    let key = py.detach(|| library::fingerprint(&[&source.0], emit, &options));
    Ok(key.to_string())
}

/// Reads and verifies an input.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    source: &Source,
    options: Pairs,
) -> PyResult<Bound<'py, PyList>> {
    let options = options_of(&options)?;
    let found = py.detach(|| library::check(&source.0, &options).diagnostics);
    list(py, &found)
}

/// Links modules of LLVM IR, to text or to bitcode.
#[pyfunction]
pub fn link<'py>(
    py: Python<'py>,
    sources: Vec<PyRef<'py, Source>>,
    emit: &str,
    options: Pairs,
) -> PyResult<Outcome<'py, Bound<'py, PyBytes>>> {
    let options = options_of(&options)?;
    let is_text = match emit {
        "ll" => true,
        "bc" => false,
        _ => return Err(PyValueError::new_err("modules are linked to `ll` or `bc`")),
    };
    let sources: Vec<library::Source> = sources.iter().map(|one| one.0.clone()).collect();
    let linked = py.detach(|| {
        library::link(&sources, &options).and_then(|module| match is_text {
            true => Output::new(module.to_string().into_bytes(), Diagnostics::new()),
            false => module.to_bitcode(&options),
        })
    });
    outcome(py, linked, |bytes| PyBytes::new(py, &bytes))
}

/// PTX in canonical form.
#[pyfunction]
pub fn format<'py>(
    py: Python<'py>,
    source: &Source,
    options: Pairs,
) -> PyResult<Outcome<'py, Bound<'py, PyBytes>>> {
    let options = options_of(&options)?;
    let text = py.detach(|| library::format(&source.0, &options));
    outcome(py, text, |bytes| PyBytes::new(py, &bytes))
}

/// The listing of a cubin or fatbin.
#[pyfunction]
pub fn disassemble<'py>(
    py: Python<'py>,
    source: &Source,
    options: Pairs,
) -> PyResult<Outcome<'py, String>> {
    let options = options_of(&options)?;
    let text = py.detach(|| library::disassemble(&source.0, &options));
    outcome(py, text, |text| text)
}

/// Name, values and meaning of every option.
#[pyfunction]
pub fn settings() -> Vec<(&'static str, &'static str, &'static str)> {
    let rows = SETTINGS.iter();
    rows.map(|row| (row.name, row.values, row.help)).collect()
}
