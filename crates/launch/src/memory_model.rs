//! Which memory model the emulator plays.

use std::str::FromStr;

/// What loads may return.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MemoryModel {
    /// The last value that was stored, as if all accesses came one after the other.
    #[default]
    Strong,
    /// Any value that the memory model of PTX allows; the seed chooses. One worker runs all blocks then.
    Weak,
}

impl FromStr for MemoryModel {
    type Err = String;

    fn from_str(text: &str) -> Result<MemoryModel, String> {
        match text {
            "strong" => Ok(MemoryModel::Strong),
            "weak" => Ok(MemoryModel::Weak),
            _ => Err("it is `strong` or `weak`".to_owned()),
        }
    }
}
