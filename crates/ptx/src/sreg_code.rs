//! Special registers by the numbers that a code generator passes as operands, as the reference describes them.
//!
//! | operand | numbers |
//! |---|---|
//! | special register | 0x26 to 0x31: `%tid`, `%ntid`, `%ctaid`, `%nctaid`, each x, y, z; 0x5e and 0x5f: `%warpid`, `%laneid` |
//! | cluster register | 0 to 14 |
//!
//! These are exchange formats: registers of the language are in [`crate::sreg`].

use std::fmt;

/// The registers from 0x26 on.
const FIRST: u8 = 0x26;
const REGISTERS: [&str; 12] = [
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
];

/// The registers from 0x5e on. Their names are found out when they are printed.
const FIRST_OF_WARP: u8 = 0x5e;
const OF_WARP: [&str; 2] = ["%warpid", "%laneid"];

/// The registers of clusters (sm_90), from 0 on.
const OF_CLUSTER: [&str; 15] = [
    "%is_explicit_cluster",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%cluster_nctaid.x",
    "%cluster_nctaid.y",
    "%cluster_nctaid.z",
    "%cluster_ctaid.x",
    "%cluster_ctaid.y",
    "%cluster_ctaid.z",
    "%nclusterid.x",
    "%nclusterid.y",
    "%nclusterid.z",
    "%clusterid.x",
    "%clusterid.y",
    "%clusterid.z",
];

/// A number that no register has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadOperand {
    /// Not a special register.
    Special(u8),
    /// Not a register of clusters.
    Cluster(u8),
}

impl fmt::Display for BadOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadOperand::Special(code) => write!(f, "Unhandled special register: {code:#x}"),
            BadOperand::Cluster(_) => f.write_str("Unhandled cluster info operand"),
        }
    }
}

impl std::error::Error for BadOperand {}

/// The special register with a number.
///
/// ```
/// use warpc_ptx::sreg_code::{special, special_code};
/// assert_eq!(special(0x26), Ok("%tid.x"));
/// assert_eq!(special_code("%nctaid.z"), Some(0x31));
/// assert!(special(0x32).is_err());
/// ```
pub fn special(code: u8) -> Result<&'static str, BadOperand> {
    let in_row = |row: &[&'static str], first: u8| {
        let index = code.checked_sub(first)?;
        row.get(usize::from(index)).copied()
    };
    let found = in_row(&REGISTERS, FIRST).or_else(|| in_row(&OF_WARP, FIRST_OF_WARP));
    found.ok_or(BadOperand::Special(code))
}

/// The number of a special register.
pub fn special_code(name: &str) -> Option<u8> {
    let in_row = |row: &[&str], first: u8| {
        let index = row.iter().position(|register| *register == name)?;
        Some(first + index as u8)
    };
    in_row(&REGISTERS, FIRST).or_else(|| in_row(&OF_WARP, FIRST_OF_WARP))
}

/// The register of clusters with a number.
///
/// ```
/// use warpc_ptx::sreg_code::cluster;
/// assert_eq!(cluster(14), Ok("%clusterid.z"));
/// assert_eq!(cluster(15).unwrap_err().to_string(), "Unhandled cluster info operand");
/// ```
pub fn cluster(code: u8) -> Result<&'static str, BadOperand> {
    let found = OF_CLUSTER.get(usize::from(code)).copied();
    found.ok_or(BadOperand::Cluster(code))
}

/// The number of a register of clusters.
pub fn cluster_code(name: &str) -> Option<u8> {
    let index = OF_CLUSTER.iter().position(|register| *register == name)?;
    Some(index as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_register(name: &str) -> bool {
        let (name, part) = name.split_at(name.find('.').unwrap_or(name.len()));
        crate::sreg::find(name, part).is_some()
    }

    /// Over all numbers: a register that PTX has and back, or an error.
    #[test]
    fn numbers_and_registers_are_the_same() {
        let (mut special_count, mut cluster_count) = (0, 0);
        for code in 0..=u8::MAX {
            if let Ok(name) = special(code) {
                assert_eq!(special_code(name), Some(code));
                assert!(is_register(name), "{name}");
                special_count += 1;
            }
            if let Ok(name) = cluster(code) {
                assert_eq!(cluster_code(name), Some(code));
                assert!(is_register(name), "{name}");
                cluster_count += 1;
            }
        }
        assert_eq!((special_count, cluster_count), (14, 15));
        assert_eq!(special_code("%clock"), None);
        assert_eq!(cluster_code("%tid.x"), None);
    }
}
