//! Maps as bytes, and back.

use super::field::{self, Field, IM2COL};
use super::{BYTES, Element, Interleave, MOST_DIMENSIONS, Outside, Shape, Swizzle, TensorMap};

/// The numbers of a swizzle in `tensormap.replace`: mode, and what stays together.
fn swizzle_numbers(swizzle: Swizzle) -> (u64, u64) {
    match swizzle {
        Swizzle::None => (0, 0),
        Swizzle::B32 => (1, 0),
        Swizzle::B64 => (2, 0),
        Swizzle::B128 => (3, 0),
        Swizzle::B128Atom32 => (3, 1),
        Swizzle::B128Atom32Flip8 => (3, 2),
        Swizzle::B128Atom64 => (3, 3),
        Swizzle::B96 => (4, 0),
    }
}

impl TensorMap {
    /// The bytes of the map; those of a map that [`TensorMap::check`] refuses are some, and decode as something else.
    pub fn encode(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let mut put = |field: Field, value: u64| field::apply(&mut bytes, &field.changes(value));
        let (mode, atom) = swizzle_numbers(self.swizzle);
        put(Field::Address, self.address);
        put(Field::Rank, self.sizes.len().saturating_sub(1) as u64);
        put(Field::Element, self.element as u64);
        put(Field::Interleave, self.interleave as u64);
        put(Field::Swizzle, mode);
        put(Field::Atom, atom);
        put(Field::Outside, self.outside as u64);
        let each = |list: &[u64], i: usize| list.get(i).copied().unwrap_or(1);
        let steps: Vec<u64> = self.steps.iter().map(|step| u64::from(*step)).collect();
        let tile: Vec<u64> = match &self.shape {
            Shape::Tile(sizes) => sizes.iter().map(|size| u64::from(*size)).collect(),
            Shape::Im2col { .. } => Vec::new(),
        };
        for i in 0..MOST_DIMENSIONS {
            put(Field::Size(i as u32), each(&self.sizes, i));
            put(Field::Step(i as u32), each(&steps, i));
            put(Field::Box(i as u32), each(&tile, i));
        }
        for (i, stride) in self.strides.iter().enumerate().take(4) {
            put(Field::Stride(i as u32), *stride);
        }
        if let Shape::Im2col {
            lower,
            upper,
            channels,
            pixels,
        } = &self.shape
        {
            let corner = |list: &[i32], i: usize| list.get(i).copied().unwrap_or(0) as u16;
            let words = [
                1,
                0,
                channels.wrapping_sub(1) as u16,
                pixels.wrapping_sub(1) as u16,
            ];
            let corners = [lower, upper].into_iter();
            let corners = corners.flat_map(|list| (0..3).map(move |i| corner(list, i)));
            for (i, word) in words.into_iter().chain(corners).enumerate() {
                let at = IM2COL + 2 * i;
                bytes[at..at + 2].copy_from_slice(&word.to_le_bytes());
            }
        }
        bytes
    }

    /// The map in some bytes; an error says what no map has.
    pub fn decode(bytes: &[u8; BYTES]) -> Result<TensorMap, String> {
        let word = |at: usize| {
            let place = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
            place.map_or(0, |place| u32::from_le_bytes(*place))
        };
        let bits = |at: usize, low: u32, width: u32| word(at) >> low & (u32::MAX >> (32 - width));
        let rank = bits(0x8, 4, 3) as usize + 1;
        if rank > MOST_DIMENSIONS {
            return Err(format!("it has {rank} dimensions"));
        }
        let code = bits(0x8, 7, 4) as usize;
        let number = match (code, bits(0x8, 16, 1)) {
            (0..=10, 0) => code,
            (7 | 8, _) => code + 4,
            (11..=13, 0) => code + 2,
            _ => return Err(format!("it has elements of type {code}, which is none")),
        };
        let interleave = match bits(0x8, 11, 2) {
            0 => Interleave::None,
            1 => Interleave::B16,
            2 => Interleave::B32,
            other => return Err(format!("its interleaved layout is {other}, which is none")),
        };
        let swizzle = match (bits(0x8, 13, 2), bits(0x8, 22, 1), bits(0x8, 19, 2)) {
            (0, 0, _) => Swizzle::None,
            (1, 0, _) => Swizzle::B32,
            (2, 0, _) => Swizzle::B64,
            (3, 0, 0) => Swizzle::B128,
            (3, 0, 1) => Swizzle::B128Atom32,
            (3, 0, 2) => Swizzle::B128Atom32Flip8,
            (3, 0, _) => Swizzle::B128Atom64,
            (0, _, _) => Swizzle::B96,
            (mode, ..) => return Err(format!("its swizzle is {}, which is none", mode + 4)),
        };
        let strides = (0..rank - 1).map(|i| {
            let high = bits(0x1c, 4 * i as u32, 4);
            (u64::from(high) << 32 | u64::from(word(0xc + 4 * i))) << 4
        });
        let tile = (0..rank).map(|i| match i {
            0 => bits(0x34, 24, 8) + 1,
            _ => bits(0x38, 8 * (i as u32 - 1), 8) + 1,
        });
        let half = |i: usize| {
            let at = IM2COL + 2 * i;
            u16::from_le_bytes([bytes[at], bytes[at + 1]])
        };
        let corners = |first: usize| {
            let each = (0..rank.saturating_sub(2)).map(|i| i32::from(half(first + i) as i16));
            each.collect()
        };
        Ok(TensorMap {
            address: u64::from(word(4)) << 32 | u64::from(word(0)),
            element: Element::ALL[number],
            sizes: (0..rank)
                .map(|i| u64::from(word(0x20 + 4 * i)) + 1)
                .collect(),
            strides: strides.collect(),
            steps: (0..rank).map(|i| bits(0x34, 3 * i as u32, 3) + 1).collect(),
            shape: match word(IM2COL) {
                1 => Shape::Im2col {
                    lower: corners(4),
                    upper: corners(7),
                    channels: u32::from(half(2)) + 1,
                    pixels: u32::from(half(3)) + 1,
                },
                _ => Shape::Tile(tile.collect()),
            },
            swizzle,
            interleave,
            outside: match bits(0x8, 15, 1) {
                0 => Outside::Zero,
                _ => Outside::Nan,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let mut map = TensorMap {
            address: 0x7f12_3456_7890,
            steps: vec![1, 2, 8],
            outside: Outside::Nan,
            ..TensorMap::tile(Element::F16, vec![1 << 32, 3, 77], vec![64, 2, 256])
        };
        map.strides = vec![(1 << 40) - 16, 0x1230];
        for (swizzle, _) in Swizzle::ALL {
            map.swizzle = swizzle;
            for element in Element::ALL {
                map.element = element;
                for interleave in [Interleave::None, Interleave::B16, Interleave::B32] {
                    map.interleave = interleave;
                    assert_eq!(TensorMap::decode(&map.encode()).as_ref(), Ok(&map));
                }
            }
        }
        map.shape = Shape::Im2col {
            lower: vec![-32768],
            upper: vec![32767],
            channels: 256,
            pixels: 1024,
        };
        assert_eq!(TensorMap::decode(&map.encode()), Ok(map));
    }

    /// A map that a kernel makes of zeros, as compilers do it.
    #[test]
    fn a_map_of_replaced_fields() {
        let map = TensorMap {
            address: 0x1000,
            swizzle: Swizzle::B128,
            ..TensorMap::tile(Element::Bf16, vec![128, 32], vec![64, 8])
        };
        let mut bytes = [0; BYTES];
        for (field, value) in [
            (Field::Address, 0x1000),
            (Field::Rank, 1),
            (Field::Box(0), 64),
            (Field::Box(1), 8),
            (Field::Size(0), 128),
            (Field::Size(1), 32),
            (Field::Stride(0), 256),
            (Field::Step(0), 1),
            (Field::Step(1), 1),
            (Field::Element, 10),
            (Field::Interleave, 0),
            (Field::Swizzle, 3),
            (Field::Atom, 0),
            (Field::Outside, 0),
        ] {
            field::apply(&mut bytes, &field.changes(value));
        }
        assert_eq!(TensorMap::decode(&bytes), Ok(map));
        let nothing = TensorMap::decode(&[0; BYTES]).unwrap();
        assert!(nothing.check().is_err());
        assert!(TensorMap::decode(&[0xff; BYTES]).is_err());
    }
}
