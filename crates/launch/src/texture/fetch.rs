//! From coordinates to texels and weights, by the programming guide of CUDA.
//!
//! A coordinate in texels is `x`, or `x * size` if it is normalized. The nearest texel is `floor(x)`. Linear filtering mixes
//! the texels `i = floor(x - 0.5)` and `i + 1` with the weights `1 - a` and `a`, where `a` is the fraction of `x - 0.5` in
//! steps of 1/256: nine bits, so that one is exact.

use super::{Address, Sampler, Texture};

/// The texel at an index, by the mode of its dimension: `None` is the border.
pub fn index_of(mode: Address, index: i64, size: u32) -> Option<u32> {
    let size = i64::from(size.max(1));
    let inside = match mode {
        Address::Wrap => index.rem_euclid(size),
        Address::Mirror => {
            let at = index.rem_euclid(2 * size);
            at.min(2 * size - 1 - at)
        }
        Address::Clamp => index.clamp(0, size - 1),
        Address::Border if (0..size).contains(&index) => index,
        Address::Border => return None,
    };
    u32::try_from(inside).ok()
}

/// A texel with its weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tap {
    /// Its place in x, y, z; `None` is the border, where there is zero.
    pub at: Option<[u32; 3]>,
    /// What it counts.
    pub weight: f64,
}

/// The texels that a sample is made of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Footprint {
    /// With weights whose sum is one, x before y before z.
    pub taps: Vec<Tap>,
}

/// Steps of a weight.
const STEPS: f64 = 256.0;
/// Beyond this a coordinate has no fraction, and no texture.
const FAR: f64 = 1e15;

/// The first of two neighbours, and the weight of the second.
fn between(x: f64) -> (i64, f64) {
    let low = (x - 0.5).floor();
    (low as i64, ((x - 0.5 - low) * STEPS).round() / STEPS)
}

/// A coordinate in texels; what is not a number is zero.
fn in_texels(x: f32, size: u32, normalized: bool) -> f64 {
    let x = f64::from(x);
    let x = if normalized { x * f64::from(size) } else { x };
    if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) }
}

impl Footprint {
    /// What is sampled at floating-point coordinates, moved by whole texels.
    ///
    /// ```
    /// use warpc_launch::texture::{Channel, Footprint, Kind, Sampler, Texture};
    /// let texture = Texture {
    ///     kind: Kind::Texture,
    ///     texels: 0,
    ///     channel: Channel::F32,
    ///     channels: 1,
    ///     size: [4, 1, 1],
    ///     dimensions: 1,
    ///     layers: None,
    ///     cube: false,
    ///     samples: None,
    ///     sampler: Sampler { linear: true, ..Sampler::default() },
    ///     fractions: false,
    /// };
    /// let found = Footprint::of(&texture, &texture.sampler, &[1.75], &[0]);
    /// assert_eq!((found.taps[0].at, found.taps[0].weight), (Some([1, 0, 0]), 0.75));
    /// ```
    pub fn of(
        texture: &Texture,
        sampler: &Sampler,
        coordinates: &[f32],
        moved: &[i32],
    ) -> Footprint {
        let linear = sampler.linear;
        Footprint::with(texture, sampler, linear, coordinates, moved)
    }

    /// The four texels that `tld4` gathers, whatever the filter: x, then y.
    pub fn gathered(
        texture: &Texture,
        sampler: &Sampler,
        coordinates: &[f32],
        moved: &[i32],
    ) -> Footprint {
        Footprint::with(texture, sampler, true, coordinates, moved)
    }

    fn with(
        texture: &Texture,
        sampler: &Sampler,
        linear: bool,
        coordinates: &[f32],
        moved: &[i32],
    ) -> Footprint {
        let mut taps = vec![Tap {
            at: Some([0; 3]),
            weight: 1.0,
        }];
        for dimension in (0..texture.dimensions as usize).rev() {
            let size = texture.size[dimension];
            let x = coordinates.get(dimension).copied().unwrap_or(0.0);
            let x = in_texels(x, size, sampler.normalized);
            let by = i64::from(moved.get(dimension).copied().unwrap_or(0));
            let (first, second) = match linear {
                true => {
                    let (low, weight) = between(x);
                    ((low + by, 1.0 - weight), Some((low + by + 1, weight)))
                }
                false => ((x.floor() as i64 + by, 1.0), None),
            };
            let mode = sampler.address[dimension];
            let mut all = Vec::with_capacity(2 * taps.len());
            for tap in &taps {
                for (index, weight) in [Some(first), second].into_iter().flatten() {
                    let index = index_of(mode, index, size);
                    let at = tap.at.zip(index).map(|(mut at, index)| {
                        at[dimension] = index;
                        at
                    });
                    all.push(Tap {
                        at,
                        weight: tap.weight * weight,
                    });
                }
            }
            taps = all;
        }
        Footprint { taps }
    }

    /// The texel at whole coordinates.
    pub fn at(texture: &Texture, sampler: &Sampler, indices: &[i64]) -> Footprint {
        let mut at = Some([0; 3]);
        for dimension in 0..texture.dimensions as usize {
            let size = texture.size[dimension];
            let index = indices.get(dimension).copied().unwrap_or(0);
            // A fetch by its number from texels in a row has nothing outside.
            let mode = match texture.dimensions == 1 && texture.layers.is_none() {
                true => Address::Border,
                false => sampler.address[dimension],
            };
            at = at.zip(index_of(mode, index, size)).map(|(mut at, index)| {
                at[dimension] = index;
                at
            });
        }
        Footprint {
            taps: vec![Tap { at, weight: 1.0 }],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::{Channel, Kind};

    #[test]
    fn indices_outside() {
        let all = |mode| [-5, -4, -1, 0, 3, 4, 7, 8].map(|i| index_of(mode, i, 4));
        let some = |list: [u32; 8]| list.map(Some);
        assert_eq!(all(Address::Wrap), some([3, 0, 3, 0, 3, 0, 3, 0]));
        assert_eq!(all(Address::Mirror), some([3, 3, 0, 0, 3, 3, 0, 0]));
        assert_eq!(all(Address::Clamp), some([0, 0, 0, 0, 3, 3, 3, 3]));
        let border = [None, None, None, Some(0), Some(3), None, None, None];
        assert_eq!(all(Address::Border), border);
    }

    fn texture(size: [u32; 3], dimensions: u32) -> Texture {
        Texture {
            kind: Kind::Texture,
            texels: 0,
            channel: Channel::F32,
            channels: 1,
            size,
            dimensions,
            layers: None,
            cube: false,
            samples: None,
            sampler: Sampler {
                linear: true,
                normalized: true,
                address: [Address::Wrap; 3],
            },
            fractions: false,
        }
    }

    #[test]
    fn weights_have_eight_bits() {
        let texture = texture([4, 4, 1], 2);
        let found = Footprint::of(&texture, &texture.sampler, &[0.0, 0.501], &[0, 0]);
        let places: Vec<_> = found.taps.iter().map(|tap| tap.at.unwrap()).collect();
        assert_eq!(places, [[3, 1, 0], [0, 1, 0], [3, 2, 0], [0, 2, 0]]);
        // 0.501 * 4 - 0.5 is 1.504: 0.504 is 129 / 256.
        assert_eq!(found.taps[0].weight, 0.5 * (127.0 / 256.0));
        let sum: f64 = found.taps.iter().map(|tap| tap.weight).sum();
        assert_eq!(sum, 1.0);
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            assert_eq!(
                Footprint::of(&texture, &texture.sampler, &[x, x], &[])
                    .taps
                    .len(),
                4
            );
        }
    }
}
