//! Inputs: a name, bytes, and what they are.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An input of the library.
#[pyclass(frozen, module = "warpc._native")]
pub struct Source(pub library::Source);

/// The kinds by name: the endings of files.
const KINDS: &[(&str, library::Kind)] = &[
    ("ptx", library::Kind::Ptx),
    ("ll", library::Kind::Llvm),
    ("bc", library::Kind::Llvm),
    ("mlir", library::Kind::Mlir),
    ("sass", library::Kind::Sass),
    ("cubin", library::Kind::Cubin),
    ("fatbin", library::Kind::Fatbin),
];

/// What bitcode starts with, without and with a wrapper.
const BITCODE: [&[u8]; 2] = [b"BC\xc0\xde", &0x0b17_c0de_u32.to_le_bytes()];

#[pymethods]
impl Source {
    #[new]
    fn new(name: &str, data: &[u8], kind: Option<&str>) -> PyResult<Source> {
        let source = match kind {
            None => library::Source::new(name, data),
            Some(word) => {
                let known = KINDS.iter().find(|(name, _)| *name == word);
                let Some((_, kind)) = known else {
                    let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
                    let names = names.join(", ");
                    let message = format!("`{word}` is not a kind of input; there are {names}");
                    return Err(PyValueError::new_err(message));
                };
                library::Source::of_kind(*kind, name, data)
            }
        };
        source
            .map(Source)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The name that diagnostics show.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The bytes.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.bytes())
    }

    /// What they are.
    #[getter]
    fn kind(&self) -> &'static str {
        let is_bitcode = BITCODE.iter().any(|mark| self.0.bytes().starts_with(mark));
        if is_bitcode && self.0.kind() == library::Kind::Llvm {
            return "bc";
        }
        let known = KINDS.iter().find(|(_, kind)| *kind == self.0.kind());
        known.map_or("unknown", |(name, _)| name)
    }
}
