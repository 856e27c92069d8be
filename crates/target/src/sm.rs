//! Chips as PTX and ptxas name them: `sm_90`, `sm_90a`, `sm_100f`.

use crate::PtxVersion;
use crate::chips::{CHIPS, Chip};
use std::fmt;
use std::str::FromStr;

/// Which of a chip's feature sets a module is made for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variant {
    /// `sm_90`: what all later chips have too.
    Plain,
    /// `sm_100f`: what the later chips of the same family have too.
    Family,
    /// `sm_90a`: all that this one chip can do; the code runs nowhere else.
    Arch,
}

/// A GPU target such as `sm_90a`. Only targets that exist can be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sm {
    number: u16,
    variant: Variant,
}

impl Sm {
    /// The target with this number and variant, if there is one.
    pub fn new(number: u16, variant: Variant) -> Option<Sm> {
        let chip = Chip::find(number)?;
        chip.since(variant)?;
        Some(Sm { number, variant })
    }

    /// What ptxas assumes when nothing is said.
    pub const DEFAULT: Sm = Sm {
        number: 75,
        variant: Variant::Plain,
    };

    /// 90 for `sm_90` and `sm_90a`.
    pub fn number(self) -> u16 {
        self.number
    }

    /// The letter behind the number.
    pub fn variant(self) -> Variant {
        self.variant
    }

    /// The number of the oldest chip of this chip's family (100 for `sm_103`); chips of one family
    /// share what `f` targets offer.
    pub fn family(self) -> u16 {
        self.chip().family
    }

    /// The first PTX version that knows this target.
    pub fn first_version(self) -> PtxVersion {
        self.chip()
            .since(self.variant)
            .expect("Sm::new checked that the variant exists")
    }

    /// Whether PTX made for `target` can be assembled for this chip.
    ///
    /// Plain PTX goes to every later chip, `f` to later chips of the family, `a` to its own chip's
    /// `a` target (sm_101a to sm_110a too: the same chip under two names).
    ///
    /// ```
    /// use warpc_target::Sm;
    /// let [sm_100f, sm_103, sm_120] = ["sm_100f", "sm_103", "sm_120"].map(|s| s.parse::<Sm>().unwrap());
    /// assert!(sm_103.takes(sm_100f));
    /// assert!(!sm_120.takes(sm_100f));
    /// ```
    pub fn takes(self, target: Sm) -> bool {
        match target.variant {
            Variant::Plain => self.number >= target.number,
            Variant::Family => self.number >= target.number && self.family() == target.family(),
            Variant::Arch => {
                self == target
                    || (target.number, self.number) == (101, 110) && self.variant == Variant::Arch
            }
        }
    }

    /// Every target, oldest chip first.
    pub fn all() -> impl Iterator<Item = Sm> {
        CHIPS.iter().flat_map(|chip| {
            [Variant::Plain, Variant::Family, Variant::Arch]
                .into_iter()
                .filter_map(|variant| Sm::new(chip.number, variant))
        })
    }

    fn chip(self) -> &'static Chip {
        Chip::find(self.number).expect("Sm::new checked that the chip exists")
    }
}

impl fmt::Display for Sm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.variant {
            Variant::Plain => "",
            Variant::Family => "f",
            Variant::Arch => "a",
        };
        write!(f, "sm_{}{letter}", self.number)
    }
}

impl fmt::Debug for Sm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text names no target this project knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseSmError {
    text: String,
}

impl fmt::Display for ParseSmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown target `{}`; known are ", self.text)?;
        for (i, sm) in Sm::all().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{sm}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseSmError {}

impl FromStr for Sm {
    type Err = ParseSmError;

    fn from_str(text: &str) -> Result<Sm, ParseSmError> {
        let parse = || {
            let name = text.strip_prefix("sm_")?;
            let (digits, variant) = match name.as_bytes().last()? {
                b'a' => (&name[..name.len() - 1], Variant::Arch),
                b'f' => (&name[..name.len() - 1], Variant::Family),
                _ => (name, Variant::Plain),
            };
            let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
            Sm::new(plain.then(|| digits.parse().ok()).flatten()?, variant)
        };
        parse().ok_or_else(|| ParseSmError {
            text: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_both_ways() {
        for sm in Sm::all() {
            assert_eq!(sm.to_string().parse(), Ok(sm));
        }
        for bad in [
            "sm_",
            "sm_99",
            "sm_80a",
            "sm_90f",
            "sm_090",
            "90",
            "compute_90",
            "sm_90b",
        ] {
            assert!(bad.parse::<Sm>().is_err(), "{bad}");
        }
    }

    #[test]
    fn families() {
        let family = |name: &str| name.parse::<Sm>().unwrap().family();
        assert_eq!(family("sm_103a"), 100);
        assert_eq!(family("sm_121"), 120);
        assert_eq!(family("sm_110f"), family("sm_101f"));
    }

    /// What ptxas 13.4 said for every `.target` and `-arch`, the `f` and `a` targets of each chip
    /// behaving as the plain one does unless named.
    #[test]
    fn which_chips_take_which_targets() {
        let takers = |target: &str| {
            let target = target.parse().unwrap();
            let takers: Vec<String> = Sm::all()
                .filter(|sm| sm.number() >= 90 && sm.number() != 101 && sm.takes(target))
                .map(|sm| sm.to_string()[3..].to_owned())
                .collect();
            takers.join(" ")
        };
        let later = "110 110f 110a 120 120f 120a 121 121f 121a";
        assert_eq!(takers("sm_90a"), "90a");
        assert_eq!(
            takers("sm_100f"),
            "100 100f 100a 103 103f 103a 107 107f 107a"
        );
        assert_eq!(takers("sm_100a"), "100a");
        assert_eq!(
            takers("sm_101"),
            format!("103 103f 103a 107 107f 107a {later}")
        );
        assert_eq!(takers("sm_101f"), "110 110f 110a");
        assert_eq!(takers("sm_101a"), "110a");
        assert_eq!(takers("sm_103f"), "103 103f 103a 107 107f 107a");
        assert_eq!(takers("sm_107"), format!("107 107f 107a {later}"));
        assert_eq!(takers("sm_110f"), "110 110f 110a");
        assert_eq!(takers("sm_120f"), "120 120f 120a 121 121f 121a");
        assert_eq!(takers("sm_121f"), "121 121f 121a");
    }
}
