//! Diagnostics as dictionaries, and outputs as tuples.

use library::diag::{Diagnostics, Span};
use library::{Diagnostic, Output};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A value or none, and the diagnostics.
pub type Outcome<'py, T> = (Option<T>, Bound<'py, PyList>);

/// An output as Python has it.
pub fn outcome<'py, T, U>(
    py: Python<'py>,
    output: Output<T>,
    value: impl FnOnce(T) -> U,
) -> PyResult<Outcome<'py, U>> {
    let list = list(py, &output.diagnostics)?;
    Ok((output.value.map(value), list))
}

/// The diagnostics that were kept.
pub fn list<'py>(py: Python<'py>, diagnostics: &Diagnostics) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for diagnostic in diagnostics.as_slice() {
        list.append(dictionary(py, diagnostic)?)?;
    }
    Ok(list)
}

/// The members are the fields of `warpc.Diagnostic`.
fn dictionary<'py>(py: Python<'py>, one: &Diagnostic) -> PyResult<Bound<'py, PyDict>> {
    let members = PyDict::new(py);
    members.set_item("severity", one.severity.name())?;
    members.set_item("code", one.code.0)?;
    members.set_item("message", &one.message)?;
    members.set_item("help", &one.help)?;
    members.set_item("label", &one.label)?;
    let file = one.file.as_ref().filter(|_| one.span != Span::NOWHERE);
    members.set_item("file", file.map(|file| file.name()))?;
    let start = file.map(|file| file.position(one.span.start));
    let end = file.map(|file| file.position(one.span.end));
    members.set_item("line", start.map(|at| at.line))?;
    members.set_item("column", start.map(|at| at.column))?;
    members.set_item("end_line", end.map(|at| at.line))?;
    members.set_item("end_column", end.map(|at| at.column))?;
    members.set_item("start", file.map(|_| one.span.start))?;
    members.set_item("end", file.map(|_| one.span.end))?;
    let related = PyList::empty(py);
    for (span, message) in &one.related {
        let at = one.file.as_ref().map(|file| file.position(span.start));
        let (line, column) = at.map_or((0, 0), |at| (at.line, at.column));
        related.append((message, line, column))?;
    }
    members.set_item("related", related)?;
    let block = one.thread.map(|thread| thread.block);
    let thread = one.thread.map(|thread| thread.thread);
    members.set_item("block", block.map(|[x, y, z]| (x, y, z)))?;
    members.set_item("thread", thread.map(|[x, y, z]| (x, y, z)))?;
    // As rustc would print it, with the line of the source.
    let shown = Diagnostics::of(one.clone()).to_string();
    members.set_item("text", shown.trim_end())?;
    Ok(members)
}
