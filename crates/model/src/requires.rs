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

    /// Whether a target at a version has all parts, or what it lacks: the first part that the chip lacks, else the part
    /// that needs the latest version, for an older one would not do.
    pub fn check(&self, sm: Sm, version: PtxVersion) -> Result<(), Unmet> {
        let mut latest: Option<(PtxVersion, Unmet)> = None;
        for &(what, gate) in self.parts() {
            let Err(error) = gate.check(sm, version) else {
                continue;
            };
            let unmet = Unmet { what, error };
            match error {
                Unavailable::Version(needed) => match latest {
                    Some((known, _)) if known >= needed => {}
                    _ => latest = Some((needed, unmet)),
                },
                Unavailable::Chip(_) | Unavailable::Removed(_) => return Err(unmet),
            }
        }
        match latest {
            Some((_, unmet)) => Err(unmet),
            None => Ok(()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_target::at_least;

    #[test]
    fn the_version_that_is_enough_is_named() {
        const EARLY: Gate = Gate(&[at_least(80, PtxVersion::new(8, 3))]);
        const LATE: Gate = Gate(&[at_least(80, PtxVersion::new(8, 4))]);
        const OTHER: Gate = Gate(&[at_least(90, PtxVersion::new(7, 8))]);
        let requires = Requires::NOTHING
            .and("a", EARLY)
            .and("b", LATE)
            .and("c", EARLY);
        let sm = |name: &str| name.parse::<Sm>().unwrap();
        let old = PtxVersion::new(7, 8);
        let unmet = requires.check(sm("sm_80"), old).unwrap_err();
        assert_eq!(unmet.to_string(), "b needs PTX 8.4");
        assert_eq!(requires.check(sm("sm_80"), PtxVersion::new(8, 4)), Ok(()));
        // No version helps where the chip lacks a part.
        let unmet = requires
            .and("d", OTHER)
            .check(sm("sm_80"), old)
            .unwrap_err();
        assert_eq!(unmet.what, "d");
    }
}
