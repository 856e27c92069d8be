//! Barrier objects in shared memory.

use super::group::Shared;
use super::warp::{Flow, Warp};
use super::{Env, Outcome};
use crate::program::Visitor;

/// An operation on a barrier object.
#[derive(Debug)]
pub struct Mbarrier {}

/// Which words of a block's shared memory are barrier objects.
#[derive(Debug, Default)]
pub(crate) struct Barriers {}

pub(super) fn execute(
    _warp: &mut Warp,
    _env: &Env<'_>,
    _shared: &mut Shared,
    _op: &Mbarrier,
    _active: u32,
) -> Outcome<Flow> {
    Ok(Flow::Next)
}

pub(super) fn wake(
    _warp: &mut Warp,
    _env: &Env<'_>,
    _shared: &mut Shared,
    _index: usize,
) -> Outcome<()> {
    Ok(())
}

impl Mbarrier {
    /// Visits every register that is read, then every one that is written: registers share places
    /// by what this says.
    pub(crate) fn visit(&mut self, _visitor: &mut dyn Visitor) {
        let Mbarrier {} = self;
    }
}
