//! wyhash, final version 4 (4.2), by Wang Yi: a public-domain hash of byte strings.
//!
//! The input is read in words of 8 bytes; two words at a time are multiplied to 128 bits and both
//! halves mixed. Up to 16 bytes are read with overlapping words, the last 16 of a longer input
//! likewise, so that no byte is handled alone. It is a `const fn`: the table of names is made with it
//! while the crate is compiled, and asked with it at run time.

/// The constants that the words are mixed with.
const SECRET: [u64; 4] = [
    0x2d35_8dcc_aa6c_78a5,
    0x8bb8_4b93_962e_acc9,
    0x4b33_a62e_d433_d4a3,
    0x4d5a_2da5_1de1_aa47,
];

/// The 128-bit product, low half first.
const fn multiply(a: u64, b: u64) -> (u64, u64) {
    let product = a as u128 * b as u128;
    (product as u64, (product >> 64) as u64)
}

/// Both halves of the product in one word.
const fn mix(a: u64, b: u64) -> u64 {
    let (low, high) = multiply(a, b);
    low ^ high
}

/// The two words of 16 bytes.
const fn words(bytes: &[u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(*bytes);
    (both as u64, (both >> 64) as u64)
}

/// Mixes 16 bytes into the state.
const fn absorb(bytes: &[u8; 16], secret: u64, state: u64) -> u64 {
    let (a, b) = words(bytes);
    mix(a ^ secret, b ^ state)
}

/// The 4 bytes at a place.
const fn half_word(bytes: &[u8], at: usize) -> u64 {
    match bytes.split_at(at).1.first_chunk() {
        Some(chunk) => u32::from_le_bytes(*chunk) as u64,
        None => panic!("the callers stay inside the input"),
    }
}

/// The hash of the bytes.
#[inline]
pub const fn hash(bytes: &[u8], seed: u64) -> u64 {
    let length = bytes.len();
    let mut seed = seed ^ mix(seed ^ SECRET[0], SECRET[1]);
    let (a, b) = match length {
        0 => (0, 0),
        1..=3 => {
            let middle = bytes[length >> 1] as u64;
            let ends = (bytes[0] as u64) << 16 | bytes[length - 1] as u64;
            (ends | middle << 8, 0)
        }
        4..=16 => {
            // From both ends, 4 or 8 bytes towards the middle.
            let step = (length >> 3) << 2;
            (
                half_word(bytes, 0) << 32 | half_word(bytes, step),
                half_word(bytes, length - 4) << 32 | half_word(bytes, length - 4 - step),
            )
        }
        _ => {
            let mut rest = bytes;
            if length >= 48 {
                let (mut second, mut third) = (seed, seed);
                while let Some((block, after)) = rest.split_first_chunk::<48>() {
                    let ([one, two, three], _) = block.as_chunks::<16>() else {
                        break;
                    };
                    seed = absorb(one, SECRET[1], seed);
                    second = absorb(two, SECRET[2], second);
                    third = absorb(three, SECRET[3], third);
                    rest = after;
                }
                seed ^= second ^ third;
            }
            while let Some((block, after)) = rest.split_first_chunk::<16>() {
                if after.is_empty() {
                    break;
                }
                seed = absorb(block, SECRET[1], seed);
                rest = after;
            }
            match bytes.last_chunk() {
                Some(last) => words(last),
                None => (0, 0),
            }
        }
    };
    let (a, b) = multiply(a ^ SECRET[1], b ^ seed);
    mix(a ^ SECRET[0] ^ length as u64, b ^ SECRET[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors that are published with wyhash; each has its place as the seed.
    #[test]
    fn published_vectors() {
        let vectors = [
            ("", 0x93228a4de0eec5a2),
            ("a", 0xc5bac3db178713c4),
            ("abc", 0xa97f2f7b1d9b3314),
            ("message digest", 0x786d1f1df3801df4),
            ("abcdefghijklmnopqrstuvwxyz", 0xdca5a8138ad37c87),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                0xb9e734f117cfaf70,
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                0x6cc5eab49a92d617,
            ),
        ];
        for (seed, (text, expected)) in vectors.into_iter().enumerate() {
            assert_eq!(hash(text.as_bytes(), seed as u64), expected, "{text}");
        }
    }
}
