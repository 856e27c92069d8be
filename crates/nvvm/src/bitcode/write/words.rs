//! The words of attributes as numbers.

/// What memory may be done to, in the order of the bits: two for each.
const PLACES: &[&str] = &[
    "argmem",
    "inaccessiblemem",
    "errnomem",
    "",
    "target_mem0",
    "target_mem1",
];

/// The form of the number of `memory`: since LLVM 21 `errno` is a place of its own.
const MEMORY_FORM: u64 = 1 << 56;

/// Parts of a pointer that may be captured.
const CAPTURED: &[(&str, u64)] = &[
    ("none", 0),
    ("address_is_null", 1),
    ("address", 3),
    ("read_provenance", 4),
    ("provenance", 12),
];

/// What an allocation function does.
const ALLOCATIONS: &[(&str, u64)] = &[
    ("alloc", 1),
    ("realloc", 2),
    ("free", 4),
    ("uninitialized", 8),
    ("zeroed", 16),
    ("aligned", 32),
];

/// Classes of floating-point numbers.
const CLASSES: &[(&str, u64)] = &[
    ("snan", 1),
    ("qnan", 2),
    ("nan", 3),
    ("ninf", 4),
    ("pinf", 512),
    ("inf", 516),
    ("nnorm", 8),
    ("pnorm", 256),
    ("norm", 264),
    ("nsub", 16),
    ("psub", 128),
    ("sub", 144),
    ("nzero", 32),
    ("pzero", 64),
    ("zero", 96),
    ("all", 1023),
];

/// The number that stands for the words of an attribute.
pub(super) fn number_of_words(name: &[u8], words: &str) -> Option<u64> {
    match name {
        b"memory" => memory(words),
        b"captures" => captures(words),
        b"allocsize" => {
            let (size, count) = pair(words)?;
            Some(size << 32 | count.unwrap_or(0xFFFF_FFFF))
        }
        b"vscale_range" => {
            let (from, to) = pair(words)?;
            Some(from << 32 | to.unwrap_or(from))
        }
        b"uwtable" => match words {
            "sync" => Some(1),
            "async" => Some(2),
            _ => None,
        },
        b"allockind" => sum(ALLOCATIONS, words.trim_matches('"').split(',')),
        b"nofpclass" => match words.parse() {
            Ok(mask) => Some(mask),
            Err(_) => sum(CLASSES, words.split(' ')),
        },
        // `dead_on_return(8)`
        _ => words.parse().ok(),
    }
}

fn sum<'a>(table: &[(&str, u64)], words: impl Iterator<Item = &'a str>) -> Option<u64> {
    let mut sum = 0;
    for word in words {
        sum |= table.iter().find(|row| row.0 == word.trim())?.1;
    }
    Some(sum)
}

fn pair(words: &str) -> Option<(u64, Option<u64>)> {
    let mut numbers = words.split(',').map(|number| number.trim().parse().ok());
    let first = numbers.next()??;
    match numbers.next() {
        Some(second) => Some((first, Some(second?))),
        None => Some((first, None)),
    }
}

fn memory(words: &str) -> Option<u64> {
    let mut bits = [0u64; PLACES.len()];
    for part in words.split(',') {
        let (place, access) = match part.split_once(':') {
            Some((place, access)) => (Some(place.trim()), access.trim()),
            None => (None, part.trim()),
        };
        let access = match access {
            "none" => 0,
            "read" => 1,
            "write" => 2,
            "readwrite" => 3,
            _ => return None,
        };
        match place {
            None => bits.fill(access),
            Some(place) => bits[PLACES.iter().position(|row| *row == place)?] = access,
        }
    }
    let bits = bits.iter().enumerate();
    Some(bits.fold(MEMORY_FORM, |sum, (at, access)| sum | access << (2 * at)))
}

/// What may be captured by the result is in the low four bits, what by anything else above.
fn captures(words: &str) -> Option<u64> {
    let mut others = 0;
    let mut result = None;
    for part in words.split(',').map(str::trim) {
        let part = match part.strip_prefix("ret:") {
            Some(rest) => {
                result = Some(0);
                rest.trim()
            }
            None => part,
        };
        let bits = CAPTURED.iter().find(|row| row.0 == part)?.1;
        *result.as_mut().unwrap_or(&mut others) |= bits;
    }
    Some(others << 4 | result.unwrap_or(others))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that llvm-as 22 writes.
    #[test]
    fn numbers_are_llvms() {
        let number = |name: &str, words| number_of_words(name.as_bytes(), words);
        for (name, words, expected) in [
            ("memory", "none", 1 << 56),
            ("memory", "read", 72_057_594_037_929_301),
            ("memory", "argmem: read", 72_057_594_037_927_937),
            ("memory", "errnomem: write", 72_057_594_037_927_968),
            ("memory", "target_mem0: read", 72_057_594_037_928_192),
            (
                "memory",
                "readwrite, target_mem1: none",
                72_057_594_037_928_959,
            ),
            ("captures", "none", 0),
            ("captures", "address, provenance", 255),
            ("captures", "ret: address_is_null", 1),
            ("captures", "address_is_null", 17),
            ("captures", "read_provenance, ret: address", 67),
            ("allocsize", "0,1", 1),
            ("allocsize", "3", 17_179_869_183),
            ("vscale_range", "1,2", 4_294_967_298),
            ("vscale_range", "4", 17_179_869_188),
            ("uwtable", "sync", 1),
            ("allockind", "\"alloc,zeroed\"", 17),
            ("nofpclass", "nan", 3),
            ("nofpclass", "nan inf pzero", 583),
            ("nofpclass", "all", 1023),
        ] {
            assert_eq!(number(name, words), Some(expected), "{name}({words})");
        }
        assert_eq!(number("memory", "other: read"), None);
    }
}
