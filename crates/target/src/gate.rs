//! What a feature needs: a chip and a PTX version, in any of several alternatives.
//!
//! ```text
//!   tcgen05:  sm_100a since 8.6  |  family of sm_100f since 8.8  |  sm_101a since 8.6 ...
//! ```
//!
//! A [`Gate`] holds when one of its [`Need`]s holds. `a` targets of a family's chip have what the
//! family has; `f` targets have what the plain chip has.

use crate::{PtxVersion, Sm, Variant};
use std::fmt;

/// A set of targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chips {
    /// This chip and all later ones, every variant.
    AtLeast(u16),
    /// The chip's `a` target alone.
    Arch(u16),
    /// The chip's `f` and `a` targets, and those of later chips of its family.
    Family(u16),
}

impl Chips {
    /// Whether the plain chip with a number is in the set. The number may be that of a chip which is
    /// too old to be an [`Sm`].
    pub fn contains_number(self, number: u16) -> bool {
        matches!(self, Chips::AtLeast(first) if number >= first)
    }

    /// Whether the target is in the set.
    pub fn contains(self, sm: Sm) -> bool {
        match self {
            Chips::AtLeast(number) => sm.number() >= number,
            Chips::Arch(number) => sm.number() == number && sm.variant() == Variant::Arch,
            Chips::Family(number) => {
                let same_family =
                    Sm::new(number, Variant::Plain).is_some_and(|f| f.family() == sm.family());
                sm.variant() != Variant::Plain && sm.number() >= number && same_family
            }
        }
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chips::AtLeast(number) => write!(f, "sm_{number} or later"),
            Chips::Arch(number) => write!(f, "sm_{number}a"),
            Chips::Family(number) => write!(f, "sm_{number}f or later of its family"),
        }
    }
}

/// One alternative of a [`Gate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The targets that have the feature.
    pub chips: Chips,
    /// The first PTX version that has it for those targets.
    pub since: PtxVersion,
}

/// `sm_NUMBER` and everything later, since that PTX version.
pub const fn at_least(number: u16, since: PtxVersion) -> Need {
    Need {
        chips: Chips::AtLeast(number),
        since,
    }
}

/// `sm_NUMBERa` alone, since that PTX version.
pub const fn arch(number: u16, since: PtxVersion) -> Need {
    Need {
        chips: Chips::Arch(number),
        since,
    }
}

/// `sm_NUMBERf`, `sm_NUMBERa` and later members of the family, since that PTX version.
pub const fn family(number: u16, since: PtxVersion) -> Need {
    Need {
        chips: Chips::Family(number),
        since,
    }
}

/// What something needs: any one of the alternatives. An empty list means nothing is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate(pub &'static [Need]);

/// Why a target at a version does not have something. There are three reasons, and what helps differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unavailable {
    /// The chip lacks it, whatever the version; the gate says which chips have it.
    Chip(Gate),
    /// The chip has it, but only from this PTX version on.
    Version(PtxVersion),
    /// The chip had it in older PTX versions.
    Removed(Removal),
}

impl Unavailable {
    /// What a compiler says of something (with its quotes) that a target does not have. Whoever says it differently would
    /// call a version that is too low a chip that lacks something.
    pub fn message(self, what: &str, sm: Sm) -> String {
        match self {
            Unavailable::Chip(_) => format!("{what} does not exist on {sm}"),
            Unavailable::Version(needed) => format!("{what} needs PTX {needed} on {sm}"),
            Unavailable::Removed(removal) => format!("{what} is {removal}"),
        }
    }

    /// What helps whoever chose the target and the version.
    pub fn help(self) -> String {
        match self {
            Unavailable::Chip(gate) => format!("it needs {gate}: compile with `--arch`"),
            Unavailable::Version(needed) => format!("say `--ptx-version {needed}` or nothing"),
            Unavailable::Removed(removal) => format!("use `{}`", removal.instead),
        }
    }
}

/// From when on something is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Removal {
    /// For this chip and later ones …
    pub chip: u16,
    /// … in modules of this version and later.
    pub version: PtxVersion,
    /// What to write instead.
    pub instead: &'static str,
}

impl Removal {
    /// The version from which on a target does not have it; `None` if the target keeps it.
    pub fn version_for(self, sm: Sm) -> Option<PtxVersion> {
        (sm.number() >= self.chip).then_some(self.version)
    }

    /// Whether it is still there for a target at a version.
    pub fn check(self, sm: Sm, version: PtxVersion) -> Result<(), Unavailable> {
        match self.version_for(sm) {
            Some(gone) if version >= gone => Err(Unavailable::Removed(self)),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Removal {
    /// `gone from sm_70 on since PTX 6.4`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "gone from sm_{} on since PTX {}",
            self.chip, self.version
        )
    }
}

impl Gate {
    /// Open for everything.
    pub const ALWAYS: Gate = Gate(&[]);

    /// Whether the feature is there for a target at a version.
    pub fn check(self, sm: Sm, version: PtxVersion) -> Result<(), Unavailable> {
        match self.required_version(sm) {
            None => Err(Unavailable::Chip(self)),
            Some(needed) if needed > version => Err(Unavailable::Version(needed)),
            Some(_) => Ok(()),
        }
    }

    /// The lowest version that has the feature for this target; `None` when none has.
    pub fn required_version(self, sm: Sm) -> Option<PtxVersion> {
        if self.0.is_empty() {
            return Some(PtxVersion::OLDEST);
        }
        self.0
            .iter()
            .filter(|need| need.chips.contains(sm))
            .map(|need| need.since)
            .min()
    }
}

impl fmt::Display for Gate {
    /// `sm_90 or later (PTX 7.8); sm_100a (PTX 8.6)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("every target");
        }
        for (i, need) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { "; " };
            write!(f, "{separator}{} (PTX {})", need.chips, need.since)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sm(name: &str) -> Sm {
        name.parse().unwrap()
    }

    #[test]
    fn alternatives() {
        const V86: PtxVersion = PtxVersion::new(8, 6);
        const V88: PtxVersion = PtxVersion::new(8, 8);
        const GATE: Gate = Gate(&[arch(100, V86), family(100, V88)]);
        assert_eq!(GATE.required_version(sm("sm_100a")), Some(V86));
        assert_eq!(GATE.required_version(sm("sm_100f")), Some(V88));
        assert_eq!(GATE.required_version(sm("sm_103a")), Some(V88));
        assert_eq!(GATE.required_version(sm("sm_103")), None);
        assert_eq!(GATE.required_version(sm("sm_120a")), None);
        assert_eq!(
            GATE.check(sm("sm_100f"), V86),
            Err(Unavailable::Version(V88))
        );
        assert_eq!(GATE.check(sm("sm_90a"), V88), Err(Unavailable::Chip(GATE)));
        assert_eq!(Gate::ALWAYS.check(sm("sm_60"), PtxVersion::OLDEST), Ok(()));
    }

    #[test]
    fn removals() {
        const GONE: Removal = Removal {
            chip: 70,
            version: PtxVersion::new(6, 4),
            instead: "vote.sync",
        };
        let (old, new) = (PtxVersion::new(6, 3), PtxVersion::new(6, 4));
        assert_eq!(GONE.check(sm("sm_62"), PtxVersion::LATEST), Ok(()));
        assert_eq!(GONE.check(sm("sm_75"), old), Ok(()));
        let removed = Err(Unavailable::Removed(GONE));
        assert_eq!(GONE.check(sm("sm_75"), new), removed);
        assert_eq!(GONE.to_string(), "gone from sm_70 on since PTX 6.4");
        let why = Unavailable::Removed(GONE);
        let said = why.message("`vote`", sm("sm_75"));
        assert_eq!(said, "`vote` is gone from sm_70 on since PTX 6.4");
        assert_eq!(why.help(), "use `vote.sync`");
        let why = Unavailable::Version(new);
        assert_eq!(
            why.message("`x`", sm("sm_75")),
            "`x` needs PTX 6.4 on sm_75"
        );
        assert_eq!(why.help(), "say `--ptx-version 6.4` or nothing");
    }
}
