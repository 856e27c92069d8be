//! Cubins and fatbins that ptxas and nvcc made: read, written, and built again.

mod attributes;
mod build;
mod files;
