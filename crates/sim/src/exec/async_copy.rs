//! Asynchronous copies.

use super::group::Shared;
use super::warp::{Flow, Warp};
use super::{Env, Outcome};
use crate::program::Visitor;

/// An asynchronous copy, or what waits for one.
#[derive(Debug)]
pub struct Async {}

/// Copies under way in a group.
#[derive(Debug, Default)]
pub(crate) struct Pending {}

pub(super) fn execute(
    _warp: &mut Warp,
    _env: &Env<'_>,
    _shared: &mut Shared,
    _op: &Async,
    _active: u32,
) -> Outcome<Flow> {
    Ok(Flow::Next)
}

pub(super) fn wake(_warp: &mut Warp, _env: &Env<'_>, _shared: &mut Shared, _index: usize) {}

/// Moves data: some of it, or all; whether anything moved.
pub(super) fn advance(_env: &Env<'_>, _shared: &mut Shared, _all: bool) -> Outcome<bool> {
    Ok(false)
}

/// The warp whose copy moved last.
pub(super) fn issuer(_shared: &Shared) -> usize {
    0
}

impl Async {
    /// Visits every register that is read, then every one that is written: registers share places
    /// by what this says.
    pub(crate) fn visit(&mut self, _visitor: &mut dyn Visitor) {
        let Async {} = self;
    }
}
