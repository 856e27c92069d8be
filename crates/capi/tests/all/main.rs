//! Tests of the C API: the header is that of the sources, C programs run against both libraries, only `warpc_*` is exported.

mod header;
mod pkg_config;
mod programs;
mod symbols;
