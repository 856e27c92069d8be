//! Textures, surfaces and samplers, as the emulator of PTX has them.
//!
//! ```text
//!   text of a request ──► Texture ──encode──► 64 bytes in memory, which a handle is the address of ──decode──► Texture
//!   coordinates ──Footprint──► texels and weights ──► the four values of `tex`
//! ```
//!
//! Texels lie in a buffer, row after row without padding. What a GPU's driver keeps instead is its own: the bytes here mean
//! nothing to it.

mod cube;
mod fetch;

pub use cube::face_of;
pub use fetch::{Footprint, Tap, index_of};

/// Bytes of a description.
pub const BYTES: usize = 64;
/// What a description begins with.
const MARK: u64 = u64::from_le_bytes(*b"warpctex");

/// How a channel is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Channel {
    U8,
    U16,
    U32,
    S8,
    S16,
    S32,
    F16,
    F32,
}

impl Channel {
    /// All kinds, with their names.
    pub const ALL: [(Channel, &'static str); 8] = [
        (Channel::U8, "u8"),
        (Channel::U16, "u16"),
        (Channel::U32, "u32"),
        (Channel::S8, "s8"),
        (Channel::S16, "s16"),
        (Channel::S32, "s32"),
        (Channel::F16, "f16"),
        (Channel::F32, "f32"),
    ];

    /// Bytes of a channel.
    pub fn bytes(self) -> u32 {
        match self {
            Channel::U8 | Channel::S8 => 1,
            Channel::U16 | Channel::S16 | Channel::F16 => 2,
            Channel::U32 | Channel::S32 | Channel::F32 => 4,
        }
    }

    /// Whether it holds floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, Channel::F16 | Channel::F32)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        Channel::ALL[self as usize].1
    }

    /// The number of the data type in OpenCL, which is what queries of PTX give.
    fn number(self, fractions: bool) -> u32 {
        match (self, fractions) {
            (Channel::S8, true) => 0x10d0,
            (Channel::S16, true) => 0x10d1,
            (Channel::U8, true) => 0x10d2,
            (Channel::U16, true) => 0x10d3,
            (Channel::S8, false) => 0x10d7,
            (Channel::S16, false) => 0x10d8,
            (Channel::S32, _) => 0x10d9,
            (Channel::U8, false) => 0x10da,
            (Channel::U16, false) => 0x10db,
            (Channel::U32, _) => 0x10dc,
            (Channel::F16, _) => 0x10dd,
            (Channel::F32, _) => 0x10de,
        }
    }
}

/// What a coordinate outside of the texture means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Address {
    /// It begins again.
    Wrap,
    /// It is reflected.
    Mirror,
    /// It is the nearest inside.
    #[default]
    Clamp,
    /// There is zero.
    Border,
}

impl Address {
    /// All modes, with their names.
    pub const ALL: [(Address, &'static str); 4] = [
        (Address::Wrap, "wrap"),
        (Address::Mirror, "mirror"),
        (Address::Clamp, "clamp"),
        (Address::Border, "border"),
    ];
}

/// How a texture is sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sampler {
    /// What coordinates outside mean, in each dimension.
    pub address: [Address; 3],
    /// Whether neighbours are mixed.
    pub linear: bool,
    /// Whether coordinates are from 0 to 1; for a sampler on its own, whether the texture may say so.
    pub normalized: bool,
}

/// What a description describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Texels that are sampled.
    Texture,
    /// Texels that are loaded and stored.
    Surface,
    /// How a texture is sampled, on its own.
    Sampler,
}

/// How texels are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// Dimensions without the layer.
    pub dimensions: u32,
    /// Whether there is a layer before the coordinates.
    pub layered: bool,
    /// Whether the coordinates are a direction in a cube.
    pub cube: bool,
    /// Whether the number of a sample is before the coordinates.
    pub samples: bool,
}

/// A texture, a surface, or a sampler on its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Texture {
    /// Which of them.
    pub kind: Kind,
    /// Where the texels lie.
    pub texels: u64,
    /// How a channel is stored.
    pub channel: Channel,
    /// Channels of a texel: 1, 2 or 4.
    pub channels: u32,
    /// Texels in x, y and z.
    pub size: [u32; 3],
    /// One, two or three dimensions.
    pub dimensions: u32,
    /// How many of them there are, if it is an array of textures.
    pub layers: Option<u32>,
    /// Whether it is a cube map: each layer has six faces.
    pub cube: bool,
    /// Samples of a texel, if it has several.
    pub samples: Option<u32>,
    /// How it is sampled.
    pub sampler: Sampler,
    /// Whether integers of 8 and 16 bits are read as fractions of their largest.
    pub fractions: bool,
}

impl Geometry {
    /// The name in PTX.
    pub fn name(self) -> &'static str {
        match (self.dimensions, self.layered) {
            _ if self.cube && self.layered => "acube",
            _ if self.cube => "cube",
            _ if self.samples && self.layered => "a2dms",
            _ if self.samples => "2dms",
            (1, false) => "1d",
            (2, false) => "2d",
            (1, true) => "a1d",
            (2, true) => "a2d",
            _ => "3d",
        }
    }
}

impl Texture {
    /// Bytes of a texel.
    pub fn texel_bytes(&self) -> u32 {
        self.channel.bytes() * self.channels
    }

    /// Bytes of all texels.
    pub fn bytes(&self) -> u64 {
        let size = self.size.iter().map(|n| u64::from(*n)).product::<u64>();
        size.saturating_mul(u64::from(self.layers.unwrap_or(1)))
            .saturating_mul(if self.cube { 6 } else { 1 })
            .saturating_mul(u64::from(self.samples.unwrap_or(1)))
            .saturating_mul(u64::from(self.texel_bytes()))
    }

    /// How its texels are found.
    pub fn geometry(&self) -> Geometry {
        Geometry {
            dimensions: self.dimensions,
            layered: self.layers.is_some(),
            cube: self.cube,
            samples: self.samples.is_some(),
        }
    }

    /// The number of the texel at a place of a layer (of the six faces of each cube, one is a layer), or of a sample of it. Samples of a
    /// texel lie together.
    pub fn number(&self, at: [u32; 3], layer: u32, sample: u32) -> u64 {
        let [width, height, depth] = self.size.map(u64::from);
        let [x, y, z] = at.map(u64::from);
        let texel = ((u64::from(layer) * depth + z) * height + y) * width + x;
        texel * u64::from(self.samples.unwrap_or(1)) + u64::from(sample)
    }

    /// What `channel_data_type` is asked for: a number of OpenCL.
    pub fn data_type(&self) -> u32 {
        self.channel.number(self.fractions)
    }

    /// What `channel_order` is asked for: a number of OpenCL.
    pub fn channel_order(&self) -> u32 {
        match self.channels {
            1 => 0x10b0,
            2 => 0x10b2,
            _ => 0x10b5,
        }
    }

    /// Whether there can be such a thing; an error is a message.
    pub fn check(&self) -> Result<(), String> {
        if self.kind == Kind::Sampler {
            return Ok(());
        }
        if ![1, 2, 4].contains(&self.channels) {
            return Err(format!(
                "a texel has 1, 2 or 4 channels, not {}",
                self.channels
            ));
        }
        let most = match self.dimensions {
            1 => [1 << 28, 1, 1],
            2 => [131_072, 65_536, 1],
            3 => [16_384; 3],
            other => return Err(format!("a texture has 1 to 3 dimensions, not {other}")),
        };
        for (size, most) in self.size.iter().zip(most) {
            if !(1..=most).contains(size) {
                return Err(format!(
                    "{size} texels in a dimension, and it has 1 to {most}"
                ));
            }
        }
        self.check_form()?;
        match self.layers {
            Some(_) if self.dimensions == 3 => {
                Err("arrays are of textures of one or two dimensions".to_owned())
            }
            Some(layers) if !(1..=2048).contains(&layers) => {
                Err(format!("an array has 1 to 2048 layers, not {layers}"))
            }
            _ if !self.texels.is_multiple_of(u64::from(self.texel_bytes())) => Err(format!(
                "texels of {} bytes at {:#x}",
                self.texel_bytes(),
                self.texels
            )),
            _ => self.check_sampler(),
        }
    }

    fn check_form(&self) -> Result<(), String> {
        if !self.cube && self.samples.is_none() {
            return Ok(());
        }
        let [width, height, _] = self.size;
        match self.samples {
            _ if self.kind != Kind::Texture || self.dimensions != 2 => Err(
                "cube maps and texels of several samples are of textures of two dimensions"
                    .to_owned(),
            ),
            Some(_) if self.cube => Err("texels of a cube map have one sample".to_owned()),
            Some(2 | 4 | 8 | 16) => Ok(()),
            Some(samples) => Err(format!("a texel has 2, 4, 8 or 16 samples, not {samples}")),
            None if width != height => Err(format!(
                "faces of a cube are squares, not {width} x {height}"
            )),
            None if !self.sampler.normalized => {
                Err("directions in a cube are normalized coordinates".to_owned())
            }
            None => match self.layers {
                Some(cubes @ 342..) => Err(format!("an array has 1 to 341 cubes, not {cubes}")),
                _ => Ok(()),
            },
        }
    }

    fn check_sampler(&self) -> Result<(), String> {
        let repeats = |mode: &Address| matches!(mode, Address::Wrap | Address::Mirror);
        if !self.sampler.normalized && self.sampler.address.iter().any(repeats) {
            return Err("`wrap` and `mirror` are for normalized coordinates".to_owned());
        }
        let reads_floats = self.channel.is_float() || self.fractions;
        if self.sampler.linear && !reads_floats {
            return Err("integers are not mixed: read them as fractions".to_owned());
        }
        if self.fractions && (self.channel.bytes() > 2 || self.channel.is_float()) {
            let name = self.channel.name();
            return Err(format!("channels of {name} are not read as fractions"));
        }
        Ok(())
    }

    /// The description as bytes; the address of the texels is at [`TEXELS_AT`].
    pub fn encode(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let kind = match self.kind {
            Kind::Texture => 1,
            Kind::Surface => 2,
            Kind::Sampler => 3,
        };
        let words = [
            MARK,
            self.texels,
            u64::from(self.size[0]) | u64::from(self.size[1]) << 32,
            u64::from(self.size[2]) | u64::from(self.layers.unwrap_or(0)) << 32,
        ];
        for (place, word) in bytes.chunks_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let small = [
            kind,
            self.channel as u8,
            self.channels as u8,
            self.dimensions as u8,
            self.sampler.address[0] as u8,
            self.sampler.address[1] as u8,
            self.sampler.address[2] as u8,
            u8::from(self.sampler.linear),
            u8::from(self.sampler.normalized),
            u8::from(self.fractions),
            u8::from(self.cube),
            self.samples.unwrap_or(0) as u8,
        ];
        bytes[32..44].copy_from_slice(&small);
        bytes
    }

    /// The description in some bytes, if they are one.
    pub fn decode(bytes: &[u8; BYTES]) -> Option<Texture> {
        let word = |i: usize| {
            let place = bytes[8 * i..].first_chunk::<8>();
            place.map_or(0, |place| u64::from_le_bytes(*place))
        };
        if word(0) != MARK {
            return None;
        }
        let address = |i: usize| Some(Address::ALL.get(usize::from(bytes[36 + i]))?.0);
        let layers = (word(3) >> 32) as u32;
        let texture = Texture {
            kind: match bytes[32] {
                1 => Kind::Texture,
                2 => Kind::Surface,
                3 => Kind::Sampler,
                _ => return None,
            },
            texels: word(1),
            channel: Channel::ALL.get(usize::from(bytes[33]))?.0,
            channels: u32::from(bytes[34]),
            size: [word(2) as u32, (word(2) >> 32) as u32, word(3) as u32],
            dimensions: u32::from(bytes[35]),
            layers: (layers != 0).then_some(layers),
            cube: bytes[42] != 0,
            samples: (bytes[43] != 0).then_some(u32::from(bytes[43])),
            sampler: Sampler {
                address: [address(0)?, address(1)?, address(2)?],
                linear: bytes[39] != 0,
                normalized: bytes[40] != 0,
            },
            fractions: bytes[41] != 0,
        };
        texture.check().ok().map(|()| texture)
    }
}

/// Where the address of the texels lies in a description.
pub const TEXELS_AT: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let mut texture = Texture {
            kind: Kind::Texture,
            texels: 0x7f00_0000_1200,
            channel: Channel::U8,
            channels: 4,
            size: [640, 480, 1],
            dimensions: 2,
            layers: Some(3),
            cube: false,
            samples: Some(8),
            sampler: Sampler {
                address: [Address::Wrap, Address::Mirror, Address::Border],
                linear: true,
                normalized: true,
            },
            fractions: true,
        };
        assert_eq!(Texture::decode(&texture.encode()), Some(texture));
        assert_eq!(texture.bytes(), 640 * 480 * 12 * 8);
        assert_eq!(texture.number([639, 479, 0], 2, 7), 640 * 480 * 3 * 8 - 1);
        (texture.cube, texture.samples) = (true, None);
        assert!(texture.check().unwrap_err().contains("640 x 480"));
        texture.size = [64, 64, 1];
        assert_eq!(Texture::decode(&texture.encode()), Some(texture));
        assert_eq!(texture.bytes(), 64 * 64 * 12 * 6);
        texture.sampler.normalized = false;
        assert!(texture.check().is_err() && Texture::decode(&texture.encode()).is_none());
        assert_eq!(Texture::decode(&[0; BYTES]), None);
        assert_eq!(Texture::decode(&[0xff; BYTES]), None);
    }
}
