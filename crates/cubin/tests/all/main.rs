//! Cubins and fatbins that ptxas and nvcc made: read, listed, damaged, and built again.

mod attributes;
mod build;
mod damage;
mod files;
