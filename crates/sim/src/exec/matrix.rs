//! Matrix instructions.

use super::group::Shared;
use super::warp::{Flow, Warp};
use super::{Env, Outcome};

/// A matrix instruction with its places.
#[derive(Debug)]
pub struct Matrix {}

pub(super) fn execute(
    _warp: &mut Warp,
    _env: &Env<'_>,
    _shared: &mut Shared,
    _op: &Matrix,
    _active: u32,
) -> Outcome<Flow> {
    Ok(Flow::Next)
}
