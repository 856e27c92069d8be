//! What a whole form needs: the gates of its parts, each with the part's name.
//!
//! ```text
//!   atom.acquire.cluster.shared::cta.cas.b16
//!        sm_70   sm_90,7.8  7.8       sm_70,6.3   =>   sm_90, PTX 7.8
//! ```

use std::fmt;
use warpc_target::{Gate, PtxVersion, Sm, Unavailable};

/// The most parts a form has.
const MOST: usize = 6;

/// The gates of a form's parts; all must be open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requires {
    parts: [(&'static str, Gate); MOST],
    count: usize,
}

/// The part of a form that a target or version lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unmet {
    /// The part.
    pub what: &'static str,
    /// What it lacks.
    pub error: Unavailable,
}

impl Requires {
    /// Nothing is needed.
    pub const NOTHING: Requires = Requires {
        parts: [("", Gate::ALWAYS); MOST],
        count: 0,
    };

    /// Also this part, under this name.
    pub fn and(mut self, what: &'static str, gate: Gate) -> Requires {
        if gate != Gate::ALWAYS {
            self.parts[self.count] = (what, gate);
            self.count += 1;
        }
        self
    }

    /// The parts that need anything.
    pub fn parts(&self) -> &[(&'static str, Gate)] {
        &self.parts[..self.count]
    }

    /// The lowest version that has all parts for a target; `None` when none has. The target itself
    /// may need a later one ([`Sm::first_version`]).
    pub fn required_version(&self, sm: Sm) -> Option<PtxVersion> {
        let mut parts = self.parts().iter();
        parts.try_fold(PtxVersion::OLDEST, |most, (_, gate)| {
            Some(most.max(gate.required_version(sm)?))
        })
    }

    /// Whether a target at a version has all parts, or the first it lacks.
    pub fn check(&self, sm: Sm, version: PtxVersion) -> Result<(), Unmet> {
        for &(what, gate) in self.parts() {
            gate.check(sm, version)
                .map_err(|error| Unmet { what, error })?;
        }
        Ok(())
    }
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error {
            Unavailable::Version(version) => write!(f, "{} needs PTX {version}", self.what),
            Unavailable::Chip(gate) => write!(f, "{} needs {gate}", self.what),
            Unavailable::Removed(removal) => write!(f, "{} is {removal}", self.what),
        }
    }
}

impl std::error::Error for Unmet {}
