//! PTX ISA versions, as written in a module's `.version` directive.

use std::fmt;
use std::str::FromStr;

/// A PTX ISA version such as `8.6`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxVersion {
    /// The part before the dot.
    pub major: u8,
    /// The part after the dot.
    pub minor: u8,
}

/// Major versions we read, each with its last minor version, oldest first.
///
/// Asked of ptxas 12.9.86 (6.0 to 8.8) and 13.4.92 (up to 9.4): a module with any other `.version`
/// is refused by both.
const MAJORS: [(u8, u8); 4] = [(6, 5), (7, 8), (8, 8), (9, 4)];

impl PtxVersion {
    /// The oldest version this project reads.
    pub const OLDEST: PtxVersion = PtxVersion::new(6, 0);
    /// The newest version this project reads and writes.
    pub const LATEST: PtxVersion = PtxVersion::new(9, 4);

    /// `PtxVersion::new(8, 6)` is PTX 8.6.
    pub const fn new(major: u8, minor: u8) -> PtxVersion {
        PtxVersion { major, minor }
    }

    /// Whether such a version of PTX was ever published (7.9 was not).
    pub fn exists(self) -> bool {
        MAJORS
            .iter()
            .any(|&(major, last)| major == self.major && self.minor <= last)
    }

    /// What is wrong with a version that no module can have; `None` if modules can have it.
    ///
    /// ```
    /// use warpc_target::PtxVersion;
    /// assert_eq!(PtxVersion::new(9, 9).problem().unwrap(), "PTX 9.9 is not known: 9.4 is the newest version");
    /// assert_eq!(PtxVersion::new(7, 9).problem().unwrap(), "there is no PTX 7.9");
    /// assert_eq!(PtxVersion::LATEST.problem(), None);
    /// ```
    pub fn problem(self) -> Option<String> {
        if self.exists() {
            None
        } else if self > PtxVersion::LATEST {
            let newest = PtxVersion::LATEST;
            Some(format!(
                "PTX {self} is not known: {newest} is the newest version"
            ))
        } else if self < PtxVersion::OLDEST {
            let oldest = PtxVersion::OLDEST;
            Some(format!(
                "PTX {self} is too old: {oldest} is the oldest version"
            ))
        } else {
            Some(format!("there is no PTX {self}"))
        }
    }

    /// Every version that exists, oldest first.
    pub fn all() -> impl Iterator<Item = PtxVersion> {
        MAJORS
            .iter()
            .flat_map(|&(major, last)| (0..=last).map(move |minor| PtxVersion { major, minor }))
    }
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl fmt::Debug for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PTX {self}")
    }
}

/// The text is not of the form `MAJOR.MINOR`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseVersionError;

impl fmt::Display for ParseVersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a PTX version is written MAJOR.MINOR, as in 8.6")
    }
}

impl std::error::Error for ParseVersionError {}

impl FromStr for PtxVersion {
    type Err = ParseVersionError;

    fn from_str(text: &str) -> Result<PtxVersion, ParseVersionError> {
        let (major, minor) = text.split_once('.').ok_or(ParseVersionError)?;
        let digits = |part: &str| {
            let plain = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            plain
                .then(|| part.parse::<u8>().ok())
                .flatten()
                .ok_or(ParseVersionError)
        };
        Ok(PtxVersion::new(digits(major)?, digits(minor)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_versions() {
        assert_eq!(PtxVersion::all().count(), 6 + 9 + 9 + 5);
        assert!(PtxVersion::all().is_sorted());
        assert!(!PtxVersion::new(7, 9).exists());
        assert_eq!(PtxVersion::all().last(), Some(PtxVersion::LATEST));
    }

    #[test]
    fn text_both_ways() {
        for version in PtxVersion::all() {
            assert_eq!(version.to_string().parse(), Ok(version));
        }
        for bad in ["8", "8.", ".6", "8.6.1", "8.-1", "+8.6", "a.b", "999.0"] {
            assert_eq!(bad.parse::<PtxVersion>(), Err(ParseVersionError), "{bad}");
        }
    }
}
