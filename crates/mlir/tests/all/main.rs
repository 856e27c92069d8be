//! What the reader of MLIR says about modules, right, wrong and broken.

mod broken;
mod read;
