//! Which races the emulator looks for.

use std::str::FromStr;

/// Which races are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Races {
    /// None.
    #[default]
    Off,
    /// Those in shared memory.
    Shared,
    /// Those in shared and global memory. One worker runs all blocks then.
    All,
}

impl FromStr for Races {
    type Err = String;

    fn from_str(text: &str) -> Result<Races, String> {
        match text {
            "off" => Ok(Races::Off),
            "shared" => Ok(Races::Shared),
            "all" => Ok(Races::All),
            _ => Err("it is `off`, `shared` or `all`".to_owned()),
        }
    }
}
