//! Which bytes of a tensor a copy moves, in the order in which they lie in shared memory before a swizzle.
//!
//! A box is walked with its innermost dimension first. Im2col walks the corner of a filter through the images instead: each
//! place in the box of corners is one pixel, W before H before D before N, and what is read is that pixel moved by the
//! instruction's offsets.

use super::{Shape, Swizzle, TensorMap};

/// More bytes than any shared memory has.
const MOST_BYTES: u64 = 1 << 20;

/// What an instruction says of the part that it copies; coordinates are in elements, the innermost dimension first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Area {
    /// The box at some coordinates.
    Tile(Vec<i32>),
    /// Rows at one column: `.tile::gather4`, `.tile::scatter4`.
    Rows {
        /// The column of the first element of each.
        column: i32,
        /// The rows.
        rows: [i32; 4],
    },
    /// Pixels from one on, each moved by some offsets.
    Im2col {
        /// Channel, the filter's corner, image.
        at: Vec<i32>,
        /// What is added to the corner: W, H, D.
        offsets: Vec<u32>,
    },
    /// Pixels along W: `.im2col::w`.
    Wide {
        /// Channel, the first pixel, image.
        at: Vec<i32>,
        /// What is added to W and to the corners of its box.
        offset: u32,
        /// Whether there are 128 pixels, whatever the map has: `.im2col::w::128`.
        fixed: bool,
    },
}

/// Bytes that lie together on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Where they lie, from the tensor's address on; `None` outside of the tensor.
    pub at: Option<u64>,
    /// How many.
    pub bytes: u32,
}

/// Pieces under construction.
struct Walk<'m> {
    map: &'m TensorMap,
    pieces: Vec<Piece>,
}

impl TensorMap {
    /// The bytes that a copy moves. An error is a message: the map is not one, or the instruction does not fit it.
    ///
    /// ```
    /// use warpc_launch::tensor_map::{Area, Element, Piece, TensorMap};
    /// let map = TensorMap::tile(Element::U32, vec![8, 4], vec![4, 1]);
    /// let pieces = map.walk(&Area::Tile(vec![6, 1])).unwrap();
    /// assert_eq!(pieces, [Piece { at: Some(56), bytes: 8 }, Piece { at: None, bytes: 8 }]);
    /// ```
    pub fn walk(&self, area: &Area) -> Result<Vec<Piece>, String> {
        self.check()?;
        let rank = self.sizes.len();
        let mut walk = Walk {
            map: self,
            pieces: Vec::new(),
        };
        let given = match area {
            Area::Tile(at) | Area::Im2col { at, .. } | Area::Wide { at, .. } => at.len(),
            Area::Rows { .. } => 2,
        };
        if given != rank {
            return Err(format!(
                "the instruction is for {given} dimension(s), the map has {rank}"
            ));
        }
        match (area, &self.shape) {
            (Area::Tile(at), Shape::Tile(tile)) => walk.tile(at, tile)?,
            (Area::Rows { column, rows }, Shape::Tile(tile)) => {
                if tile[1] != 1 {
                    let high = tile[1];
                    return Err(format!(
                        "four rows at once need a map whose box has one row, and this has {high}"
                    ));
                }
                for row in rows {
                    walk.row((*column, tile[0]), &[i64::from(*row)])?;
                }
            }
            (Area::Im2col { at, offsets }, Shape::Im2col { .. }) => walk.im2col(at, offsets)?,
            (
                Area::Wide { at, offset, fixed },
                Shape::Im2col {
                    lower,
                    upper,
                    channels,
                    pixels,
                },
            ) => {
                if self.swizzle == Swizzle::None {
                    return Err("`.im2col::w` needs a map with a swizzle".to_owned());
                }
                let pixels = if *fixed { 128 } else { *pixels };
                let corners = (lower[0], upper[0], *offset);
                walk.wide(at, corners, (*channels, pixels))?;
            }
            (Area::Tile(_) | Area::Rows { .. }, Shape::Im2col { .. }) => {
                return Err("the instruction copies tiles, the map is one for im2col".to_owned());
            }
            (Area::Im2col { .. } | Area::Wide { .. }, Shape::Tile(_)) => {
                return Err("the instruction is one of im2col, the map is one of tiles".to_owned());
            }
        }
        Ok(walk.pieces)
    }
}

impl Walk<'_> {
    fn push(&mut self, at: Option<u64>, bytes: u64) {
        let bytes = bytes as u32;
        if bytes == 0 {
            return;
        }
        if let Some(last) = self.pieces.last_mut() {
            let follows = match (last.at, at) {
                (Some(before), Some(at)) => before.wrapping_add(u64::from(last.bytes)) == at,
                (None, None) => true,
                _ => false,
            };
            if follows {
                last.bytes += bytes;
                return;
            }
        }
        self.pieces.push(Piece { at, bytes });
    }

    fn check_size(&self, rows: u64) -> Result<(), String> {
        let bytes = rows.saturating_mul(u64::from(self.map.row_bytes()));
        match bytes > MOST_BYTES {
            true => Err(format!(
                "a box of {bytes} bytes, more than shared memory has"
            )),
            false => Ok(()),
        }
    }

    /// Elements of the first dimension at coordinates in the others.
    fn row(&mut self, (first, count): (i32, u32), others: &[i64]) -> Result<(), String> {
        let map = self.map;
        let bits = u64::from(map.element.bits());
        let bytes = u64::from(count) * bits / 8;
        let mut start: u64 = 0;
        for (i, at) in others.iter().enumerate() {
            if *at < 0 || *at as u64 >= map.sizes[i + 1] {
                self.push(None, bytes);
                return Ok(());
            }
            start = start.wrapping_add((*at as u64).wrapping_mul(map.strides[i]));
        }
        let (first, size) = (i64::from(first), map.sizes[0] as i64);
        let end = first + i64::from(count);
        let (low, high) = (first.clamp(0, size), end.clamp(0, size));
        let byte = |elements: i64| -> Result<u64, String> {
            let bits = elements as u64 * bits;
            match bits % 8 {
                0 => Ok(bits / 8),
                _ => Err(format!("element {elements} does not begin at a whole byte")),
            }
        };
        if low >= high {
            self.push(None, bytes);
            return Ok(());
        }
        self.push(None, byte(low - first)?);
        self.push(Some(start.wrapping_add(byte(low)?)), byte(high - low)?);
        self.push(None, byte(end - high)?);
        Ok(())
    }

    fn tile(&mut self, at: &[i32], tile: &[u32]) -> Result<(), String> {
        let map = self.map;
        let counts: Vec<u32> = (1..tile.len())
            .map(|i| tile[i].div_ceil(map.steps[i].max(1)))
            .collect();
        self.check_size(counts.iter().map(|count| u64::from(*count)).product())?;
        let mut index = vec![0; counts.len()];
        loop {
            let others: Vec<i64> = (0..counts.len())
                .map(|i| i64::from(at[i + 1]) + i64::from(index[i] * map.steps[i + 1]))
                .collect();
            self.row((at[0], tile[0]), &others)?;
            let mut dimension = 0;
            loop {
                let Some(count) = counts.get(dimension) else {
                    return Ok(());
                };
                index[dimension] += 1;
                if index[dimension] < *count {
                    break;
                }
                index[dimension] = 0;
                dimension += 1;
            }
        }
    }

    fn im2col(&mut self, at: &[i32], offsets: &[u32]) -> Result<(), String> {
        let map = self.map;
        let Shape::Im2col {
            lower,
            upper,
            channels,
            pixels,
        } = &map.shape
        else {
            return Ok(());
        };
        self.check_size(u64::from(*pixels))?;
        let spatial = lower.len();
        let last = |i: usize| map.sizes[i + 1] as i64 - 1 + i64::from(upper[i]);
        let mut corner: Vec<i64> = at[1..=spatial].iter().map(|at| i64::from(*at)).collect();
        let most = [1 << 16, 1 << 8, 1 << 5][spatial - 1];
        for i in 0..spatial {
            let name = ["W", "H", "D"][i];
            let (low, high) = (i64::from(lower[i]), last(i));
            if !(low..=high).contains(&corner[i]) {
                let at = corner[i];
                return Err(format!(
                    "coordinate {at} in {name} is outside of the box of filter corners, {low} to {high}"
                ));
            }
            let offset = offsets.get(i).copied().unwrap_or(0);
            if offset >= most {
                return Err(format!(
                    "an offset of {offset} in {name}, and it is below {most}"
                ));
            }
        }
        let mut image = i64::from(at[spatial + 1]);
        for _ in 0..*pixels {
            let moved = corner.iter().enumerate();
            let moved = moved.map(|(i, at)| at + i64::from(offsets.get(i).copied().unwrap_or(0)));
            let others: Vec<i64> = moved.chain([image]).collect();
            self.row((at[0], *channels), &others)?;
            let stepped = (0..spatial).any(|i| {
                corner[i] += i64::from(map.steps[i + 1]);
                let inside = corner[i] <= last(i);
                if !inside {
                    corner[i] = i64::from(lower[i]);
                }
                inside
            });
            image += i64::from(!stepped);
        }
        Ok(())
    }

    fn wide(
        &mut self,
        at: &[i32],
        (lower, upper, offset): (i32, i32, u32),
        (channels, pixels): (u32, u32),
    ) -> Result<(), String> {
        let map = self.map;
        self.check_size(u64::from(pixels))?;
        if offset >= 32 {
            return Err(format!("an offset of {offset} in W, and it is below 32"));
        }
        let offset = i64::from(offset);
        let first = i64::from(lower) + offset;
        let last = map.sizes[1] as i64 - 1 + i64::from(upper) + offset;
        let mut w = i64::from(at[1]) + offset;
        if w > last {
            return Err(format!(
                "coordinate {w} in W is to the right of the box, which ends at {last}"
            ));
        }
        let mut others: Vec<i64> = at[1..].iter().map(|at| i64::from(*at)).collect();
        for _ in 0..pixels {
            others[0] = w;
            self.row((at[0], channels), &others)?;
            w += i64::from(map.steps[1]);
            if w > last {
                w = first;
                if let Some(image) = others.last_mut() {
                    *image += 1;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor_map::Element;

    fn offsets(map: &TensorMap, area: Area) -> Vec<(Option<u64>, u32)> {
        let pieces = map.walk(&area).expect("it fits");
        pieces.iter().map(|piece| (piece.at, piece.bytes)).collect()
    }

    #[test]
    fn boxes_at_the_edge() {
        let map = TensorMap::tile(Element::F16, vec![16, 3], vec![8, 2]);
        assert_eq!(
            offsets(&map, Area::Tile(vec![0, 0])),
            [(Some(0), 16), (Some(32), 16)]
        );
        let corner = [(None, 4), (Some(0), 12), (None, 16)];
        assert_eq!(offsets(&map, Area::Tile(vec![-2, -1])).len(), 2);
        assert_eq!(offsets(&map, Area::Tile(vec![-2, 0]))[..2], corner[..2]);
        assert_eq!(offsets(&map, Area::Tile(vec![16, 0])), [(None, 32)]);
        assert_eq!(
            offsets(&map, Area::Tile(vec![i32::MIN, i32::MAX])),
            [(None, 32)]
        );
        let rows = Area::Rows {
            column: 8,
            rows: [2, 0, 7, -1],
        };
        assert!(map.walk(&rows).is_err());
        let one = TensorMap::tile(Element::F16, vec![16, 3], vec![8, 1]);
        assert_eq!(
            offsets(&one, rows),
            [(Some(80), 16), (Some(16), 16), (None, 32)]
        );
    }

    #[test]
    fn steps() {
        let mut map = TensorMap::tile(Element::U8, vec![16, 9], vec![16, 5]);
        map.steps = vec![1, 2];
        let rows = [(Some(0), 16), (Some(32), 16), (Some(64), 16)];
        assert_eq!(offsets(&map, Area::Tile(vec![0, 0])), rows);
        map.shape = Shape::Tile(vec![256, 256]);
        map.sizes = vec![256; 2];
        assert!(map.walk(&Area::Tile(vec![0])).is_err());
        let many = TensorMap::tile(Element::U8, vec![256; 5], vec![256; 5]);
        assert!(
            many.walk(&Area::Tile(vec![0; 5]))
                .unwrap_err()
                .contains("shared memory")
        );
    }

    /// The first example of im2col in the manual of PTX: 64 channels, W 9, H 14; corners from -1 to size - 2.
    #[test]
    fn pixels_of_images() {
        let map = TensorMap {
            shape: Shape::Im2col {
                lower: vec![-1, -1],
                upper: vec![-1, -1],
                channels: 16,
                pixels: 4,
            },
            ..TensorMap::tile(Element::U8, vec![64, 9, 14, 2], vec![])
        };
        let at = |w: u64, h: u64, n: u64| Some(((n * 14 + h) * 9 + w) * 64);
        let area = |corner: [i32; 3], offsets: [u32; 2]| Area::Im2col {
            at: vec![0, corner[0], corner[1], corner[2]],
            offsets: offsets.to_vec(),
        };
        // W 7 is the last: the next is -1 of the row after, which is outside.
        let found = offsets(&map, area([6, 4, 0], [0, 0]));
        assert_eq!(
            found,
            [
                (at(6, 4, 0), 16),
                (at(7, 4, 0), 16),
                (None, 16),
                (at(0, 5, 0), 16)
            ]
        );
        // Moved by one in both directions; after the last row comes the next image.
        let found = offsets(&map, area([7, 12, 0], [1, 1]));
        let next = [
            (at(8, 13, 0), 16),
            (at(0, 0, 1), 16),
            (at(1, 0, 1), 16),
            (at(2, 0, 1), 16),
        ];
        assert_eq!(found, next);
        assert!(
            map.walk(&area([8, 0, 0], [0, 0]))
                .unwrap_err()
                .contains("outside of the box")
        );
        assert!(
            map.walk(&area([0, 0, 0], [256, 0]))
                .unwrap_err()
                .contains("below 256")
        );
    }

    #[test]
    fn pixels_along_w() {
        let map = TensorMap {
            swizzle: Swizzle::B32,
            steps: vec![1, 2, 1, 1],
            shape: Shape::Im2col {
                lower: vec![-1, 0],
                upper: vec![0, 0],
                channels: 32,
                pixels: 5,
            },
            ..TensorMap::tile(Element::U8, vec![32, 4, 3, 2], vec![])
        };
        let at = |w: u64, n: u64| Some(((n * 3 + 1) * 4 + w) * 32);
        let area = |offset, fixed| Area::Wide {
            at: vec![0, -1, 1, 0],
            offset,
            fixed,
        };
        // -1, 1, 3 and then the next image.
        let found = offsets(&map, area(0, false));
        assert_eq!(
            found,
            [
                (None, 32),
                (at(1, 0), 32),
                (at(3, 0), 32),
                (None, 32),
                (at(1, 1), 32)
            ]
        );
        let found = offsets(&map, area(1, false));
        assert_eq!(found[..3], [(at(0, 0), 32), (at(2, 0), 32), (None, 32)]);
        let all: u32 = offsets(&map, area(0, true))
            .iter()
            .map(|piece| piece.1)
            .sum();
        assert_eq!(all, 128 * 32);
    }
}
