//! The module `warpc._native`: the library `warpc` for the Python files of the package.
//!
//! ```text
//!   package/warpc/*.py (what users see: types, numpy, exceptions) ──► _native ──► the library `warpc`
//! ```
//!
//! Everything here passes plain data: bytes, texts, tuples, dictionaries. `package/warpc/_native.pyi` has the types. The interpreter
//! lock is released while the library works.

mod diagnostics;
mod program;
mod source;
mod work;

use pyo3::prelude::*;

/// The native part of the package.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::program::{Program, load};
    #[pymodule_export]
    use crate::source::Source;
    #[pymodule_export]
    use crate::work::{check, disassemble, emit, fingerprint, format, link, settings};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("version", env!("CARGO_PKG_VERSION"))?;
        let names = library::Emit::ALL.map(|emit| emit.name());
        module.add("emits", names.to_vec())
    }
}
