//! FNV-1a with 64 bits: the same on every machine and in every release, unlike the standard library's hashes.
//!
//! Digests of it are recorded (`tests/oracle`, `tests/hardware`) and name files of the corpus.

const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x100_0000_01b3;

/// The hash of bytes.
///
/// ```
/// assert_eq!(warpc_testkit::hash::fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
/// ```
pub fn fnv1a(bytes: impl AsRef<[u8]>) -> u64 {
    add(START, bytes.as_ref())
}

/// The hash of a list of texts with a zero byte after each, so that `["ab"]` and `["a", "b"]` differ.
pub fn of_parts<'t>(parts: impl IntoIterator<Item = &'t str>) -> u64 {
    parts
        .into_iter()
        .fold(START, |hash, part| add(add(hash, part.as_bytes()), &[0]))
}

fn add(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn parts_are_kept_apart() {
        assert_eq!(of_parts(["ab", "c"]), fnv1a("ab\0c\0"));
        assert_ne!(of_parts(["ab", "c"]), of_parts(["a", "bc"]));
    }
}
