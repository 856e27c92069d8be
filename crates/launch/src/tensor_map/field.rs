//! Fields of a map, as `tensormap.replace` changes them.
//!
//! What ptxas 13.4 stores on sm_90a, sm_100a and sm_103a, from its machine code:
//!
//! | place | bits | field |
//! |---|---|---|
//! | 0x00 | 0–63 | address |
//! | 0x08 | 4–6 | rank less one |
//! | 0x08 | 7–10, 16 | type of elements: 0 to 10 as in PTX; `tf32` is `f32` with bit 16; 13 to 15 are 11 to 13 |
//! | 0x08 | 11–12 | interleaving |
//! | 0x08 | 13–14, 22 | swizzling; 96 bytes is bit 22 alone |
//! | 0x08 | 15 | what is outside of the tensor |
//! | 0x08 | 19–20 | what stays together in a swizzle of 128 bytes |
//! | 0x0c … 0x18 | 0–31 | strides, divided by 16 |
//! | 0x1c | 0–3 … 12–15 | the next four bits of each of them |
//! | 0x20 … 0x30 | 0–31 | sizes less one |
//! | 0x34 | 0–2 … 12–14 | steps between elements less one |
//! | 0x34, 0x38 | 24–31, then 0–7 … 24–31 | sizes of the box less one |
//!
//! What no `tensormap.replace` reaches is not known: im2col's fields ([`IM2COL`]) have places of their own here.

/// Bits of a word that change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// Where the word of four bytes lies in the map.
    pub at: u32,
    /// Which bits.
    pub mask: u32,
    /// Their new values.
    pub bits: u32,
}

/// A field of a map of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The address of the tensor.
    Address,
    /// The number of dimensions less one.
    Rank,
    /// Elements of the box in a dimension.
    Box(u32),
    /// Elements of the tensor in a dimension.
    Size(u32),
    /// Bytes from one index to the next, of the dimension after this.
    Stride(u32),
    /// From one element to the next, in a dimension.
    Step(u32),
    /// The type of elements.
    Element,
    /// The interleaved layout.
    Interleave,
    /// The swizzle.
    Swizzle,
    /// What stays together in a swizzle of 128 bytes.
    Atom,
    /// What is outside of the tensor.
    Outside,
}

/// Where the fields of im2col begin: a word that is 1, channels and pixels less one (16 bits each), three lower corners and
/// three upper ones (16 bits each).
pub const IM2COL: usize = 0x60;

impl Field {
    /// What a new value changes. Bits that the field has no room for are lost, as on a GPU.
    ///
    /// ```
    /// use warpc_launch::tensor_map::field::{Change, Field};
    /// assert_eq!(Field::Box(1).changes(64), [Change { at: 0x38, mask: 0xff, bits: 63 }]);
    /// ```
    pub fn changes(self, value: u64) -> Vec<Change> {
        let word = |at: u32, value: u64| Change {
            at,
            mask: u32::MAX,
            bits: value as u32,
        };
        let part = |at: u32, low: u32, width: u32, value: u64| Change {
            at,
            mask: (u32::MAX >> (32 - width)) << low,
            bits: (value as u32 & (u32::MAX >> (32 - width))) << low,
        };
        let less = value.wrapping_sub(1);
        match self {
            Field::Address => vec![word(0, value), word(4, value >> 32)],
            Field::Rank => vec![part(0x8, 4, 3, value)],
            Field::Box(0) => vec![part(0x34, 24, 8, less)],
            Field::Box(i) => vec![part(0x38, 8 * (i.clamp(1, 4) - 1), 8, less)],
            Field::Size(i) => vec![word(0x20 + 4 * i.min(4), less)],
            Field::Stride(i) => {
                let i = i.min(3);
                let pieces = value >> 4;
                vec![
                    word(0xc + 4 * i, pieces),
                    part(0x1c, 4 * i, 4, pieces >> 32),
                ]
            }
            Field::Step(i) => vec![part(0x34, 3 * i.min(4), 3, less)],
            Field::Element => {
                let (code, single) = match value {
                    11 | 12 => (value - 4, 1),
                    13..=15 => (value - 2, 0),
                    _ => (value, 0),
                };
                vec![part(0x8, 7, 4, code), part(0x8, 16, 1, single)]
            }
            Field::Interleave => vec![part(0x8, 11, 2, value)],
            Field::Swizzle => vec![part(0x8, 13, 2, value), part(0x8, 22, 1, value >> 2)],
            Field::Atom => vec![part(0x8, 19, 2, value)],
            Field::Outside => vec![part(0x8, 15, 1, value)],
        }
    }
}

/// Puts changes into the bytes of a map.
pub fn apply(bytes: &mut [u8], changes: &[Change]) {
    for change in changes {
        let at = change.at as usize;
        if let Some(place) = bytes
            .get_mut(at..)
            .and_then(|rest| rest.first_chunk_mut::<4>())
        {
            let old = u32::from_le_bytes(*place);
            *place = (old & !change.mask | change.bits & change.mask).to_le_bytes();
        }
    }
}
