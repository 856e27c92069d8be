//! Tensor maps: what copies of tensors know of the tensor that they read or write.
//!
//! ```text
//!   text of a request ──► TensorMap ──encode──► 128 bytes ──decode──► TensorMap ──walk──► which bytes move
//! ```
//!
//! The bytes lie as `tensormap.replace` of ptxas writes them ([`field`]), so a kernel can change a map or make one. The order
//! of dimensions is that of coordinates: the innermost is the first.

mod code;
pub mod field;
mod walk;

pub use walk::{Area, Piece};

/// Bytes of a map.
pub const BYTES: usize = 128;
/// What the address of a map is a multiple of.
pub const ALIGN: u64 = 64;
/// The most dimensions of a tensor.
pub const MOST_DIMENSIONS: usize = 5;

/// The type of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Element {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    /// Single precision; subnormal numbers become zero.
    F32Ftz,
    F64,
    Bf16,
    Tf32,
    Tf32Ftz,
    /// Sixteen elements of 4 bits in 8 bytes.
    B4x16,
    /// The same, with 8 bytes after them in shared memory.
    B4x16P64,
    /// Sixteen elements of 6 bits in 12 bytes, with 4 bytes after them in shared memory.
    B6x16P32,
}

impl Element {
    /// All types, in the order of their numbers in `tensormap.replace`.
    pub const ALL: [Element; 16] = [
        Element::U8,
        Element::U16,
        Element::U32,
        Element::S32,
        Element::U64,
        Element::S64,
        Element::F16,
        Element::F32,
        Element::F32Ftz,
        Element::F64,
        Element::Bf16,
        Element::Tf32,
        Element::Tf32Ftz,
        Element::B4x16,
        Element::B4x16P64,
        Element::B6x16P32,
    ];

    /// The name in PTX's manual.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 16] = [
            "u8",
            "u16",
            "u32",
            "s32",
            "u64",
            "s64",
            "f16",
            "f32",
            "f32.ftz",
            "f64",
            "bf16",
            "tf32",
            "tf32.ftz",
            "b4x16",
            "b4x16_p64",
            "b6x16_p32",
        ];
        NAMES[self as usize]
    }

    /// Bits of an element in global memory.
    pub fn bits(self) -> u32 {
        const BITS: [u32; 16] = [8, 16, 32, 32, 64, 64, 16, 32, 32, 64, 16, 32, 32, 4, 4, 6];
        BITS[self as usize]
    }

    /// The number in `CUtensorMapDataType`, which differs from that in PTX.
    pub fn driver_number(self) -> u32 {
        match self {
            Element::F64 => 8,
            Element::Bf16 => 9,
            Element::F32Ftz => 10,
            other => other as u32,
        }
    }

    /// What a copy to shared memory makes of the tensor's bytes: `tf32` is rounded to ten bits of fraction, to nearest even, where infinities
    /// and NaNs stay; `.ftz` makes zeros of subnormal numbers, with their signs.
    ///
    /// ```
    /// use warpc_launch::tensor_map::Element;
    /// let mut data = 0x3f80_3001u32.to_le_bytes();
    /// Element::Tf32.load(&mut data);
    /// assert_eq!(u32::from_le_bytes(data), 0x3f80_4000);
    /// ```
    pub fn load(self, data: &mut [u8]) {
        const EXPONENT: u32 = 0x7f80_0000;
        let (rounds, flushes) = match self {
            Element::F32Ftz => (false, true),
            Element::Tf32 => (true, false),
            Element::Tf32Ftz => (true, true),
            _ => return,
        };
        for place in data.as_chunks_mut::<4>().0 {
            let mut word = u32::from_le_bytes(*place);
            if flushes && word & EXPONENT == 0 {
                word &= 1 << 31;
            }
            if rounds && word & EXPONENT != EXPONENT {
                // A carry out of the fraction is the next exponent, or infinity.
                word = (word + 0xfff + (word >> 13 & 1)) & !0x1fff;
            }
            *place = word.to_le_bytes();
        }
    }

    /// Whether copies to shared memory change elements.
    fn converts(self) -> bool {
        matches!(self, Element::F32Ftz | Element::Tf32 | Element::Tf32Ftz)
    }

    fn is_float(self) -> bool {
        (Element::F16 as u32..=Element::Tf32Ftz as u32).contains(&(self as u32))
    }
}

/// How 16-byte pieces are exchanged in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Swizzle {
    #[default]
    None,
    B32,
    B64,
    B96,
    B128,
    /// Pieces of 32 bytes stay together.
    B128Atom32,
    /// The same, and the halves of 16 bytes change places in every other line.
    B128Atom32Flip8,
    /// Pieces of 64 bytes stay together.
    B128Atom64,
}

impl Swizzle {
    /// All patterns with their names in a request.
    pub const ALL: [(Swizzle, &'static str); 8] = [
        (Swizzle::None, "none"),
        (Swizzle::B32, "32"),
        (Swizzle::B64, "64"),
        (Swizzle::B96, "96"),
        (Swizzle::B128, "128"),
        (Swizzle::B128Atom32, "128_atom_32"),
        (Swizzle::B128Atom32Flip8, "128_atom_32_flip_8"),
        (Swizzle::B128Atom64, "128_atom_64"),
    ];

    /// The longest row of a box, in bytes; `None` for any.
    pub fn span(self) -> Option<u32> {
        match self {
            Swizzle::None => None,
            Swizzle::B32 => Some(32),
            Swizzle::B64 => Some(64),
            Swizzle::B96 => Some(96),
            _ => Some(128),
        }
    }

    /// The number in `CUtensorMapSwizzle`; that of 96 bytes is not known.
    pub fn driver_number(self) -> Option<u32> {
        match self {
            Swizzle::B96 => None,
            Swizzle::B128 => Some(3),
            Swizzle::B128Atom32 => Some(4),
            Swizzle::B128Atom32Flip8 => Some(5),
            Swizzle::B128Atom64 => Some(6),
            other => Some(other as u32),
        }
    }

    /// Where the byte at an address of shared memory goes: some bits of the number of its 128-byte line are combined with
    /// the number of its piece in the line. The pattern hangs on the address, not on where the box begins.
    ///
    /// ```
    /// use warpc_launch::tensor_map::Swizzle;
    /// assert_eq!(Swizzle::B128.place(0x480), 0x490);
    /// assert_eq!(Swizzle::B32.place(0x590), 0x580);
    /// ```
    pub fn place(self, address: u32) -> u32 {
        let line = address >> 7;
        address
            ^ match self {
                Swizzle::None => 0,
                Swizzle::B32 | Swizzle::B96 => (line & 1) << 4,
                Swizzle::B64 => (line & 3) << 4,
                Swizzle::B128 => (line & 7) << 4,
                Swizzle::B128Atom32 => (line & 3) << 5,
                Swizzle::B128Atom32Flip8 => (line & 3) << 5 | (line & 1) << 3,
                Swizzle::B128Atom64 => (line & 1) << 6,
            }
    }
}

/// How channels lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interleave {
    /// One after the other.
    #[default]
    None,
    /// In slices of 16 bytes.
    B16,
    /// In slices of 32 bytes.
    B32,
}

/// What a copy reads outside of the tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outside {
    /// Zeros.
    #[default]
    Zero,
    /// The NaN that makes the result of `fma.oob` zero.
    Nan,
}

/// What part of a tensor a copy moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A box: elements in each dimension.
    Tile(Vec<u32>),
    /// Channels of some pixels of images.
    Im2col {
        /// The lower corner of the box that holds the filter's corner, relative to that of the image: W, H, D.
        lower: Vec<i32>,
        /// The upper corner, relative to that of the image: W, H, D.
        upper: Vec<i32>,
        /// Channels of a pixel.
        channels: u32,
        /// Pixels of a column.
        pixels: u32,
    },
}

/// A tensor in global memory, and how copies move parts of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorMap {
    /// Where the tensor begins.
    pub address: u64,
    /// The type of its elements.
    pub element: Element,
    /// Elements in each dimension.
    pub sizes: Vec<u64>,
    /// Bytes from one index to the next, of every dimension but the first.
    pub strides: Vec<u64>,
    /// From one element that is copied to the next, in each dimension.
    pub steps: Vec<u32>,
    /// What a copy moves.
    pub shape: Shape,
    /// How that lies in shared memory.
    pub swizzle: Swizzle,
    /// How channels lie in global memory.
    pub interleave: Interleave,
    /// What is read outside of the tensor.
    pub outside: Outside,
}

impl TensorMap {
    /// The strides of a tensor without padding. Elements of 4 and 6 bits fill bytes in rows that are long enough.
    pub fn packed_strides(element: Element, sizes: &[u64]) -> Vec<u64> {
        let mut bits = u64::from(element.bits());
        let mut strides = Vec::new();
        for size in sizes.iter().take(sizes.len().saturating_sub(1)) {
            bits = bits.saturating_mul(*size);
            strides.push(bits / 8);
        }
        strides
    }

    /// Bytes of a row of the box in shared memory.
    pub fn row_bytes(&self) -> u32 {
        let elements = match &self.shape {
            Shape::Tile(sizes) => sizes.first().copied().unwrap_or(1),
            Shape::Im2col { channels, .. } => *channels,
        };
        elements.saturating_mul(self.element.bits()) / 8
    }

    /// Whether the map is one, by the rules of `cuTensorMapEncodeTiled` and `cuTensorMapEncodeIm2col`; an error is a message.
    ///
    /// ```
    /// use warpc_launch::tensor_map::{Element, TensorMap};
    /// let map = TensorMap::tile(Element::F16, vec![64, 8], vec![64, 8]);
    /// assert!(map.check().is_ok());
    /// let odd = TensorMap::tile(Element::F16, vec![64, 8], vec![7, 8]);
    /// assert!(odd.check().unwrap_err().contains("14 bytes"));
    /// ```
    pub fn check(&self) -> Result<(), String> {
        let rank = self.sizes.len();
        if rank == 0 || rank > MOST_DIMENSIONS {
            return Err(format!("a tensor has 1 to 5 dimensions, not {rank}"));
        }
        if self.strides.len() + 1 != rank {
            let given = self.strides.len();
            return Err(format!(
                "a tensor of {rank} dimensions has {} strides, not {given}",
                rank - 1
            ));
        }
        if self.steps.len() != rank {
            let given = self.steps.len();
            return Err(format!(
                "a tensor of {rank} dimensions has {rank} steps, not {given}"
            ));
        }
        let align = if self.interleave == Interleave::B32 {
            32
        } else {
            16
        };
        if !self.address.is_multiple_of(align) {
            let address = self.address;
            return Err(format!(
                "the tensor's address {address:#x} is not a multiple of {align}"
            ));
        }
        if let Some(size) = self
            .sizes
            .iter()
            .find(|size| !(1..=1 << 32).contains(*size))
        {
            return Err(format!("a dimension has 1 to 2^32 elements, not {size}"));
        }
        let bad = |stride: &&u64| !stride.is_multiple_of(align) || **stride >= 1 << 40;
        if let Some(stride) = self.strides.iter().find(bad) {
            return Err(format!(
                "a stride is a multiple of {align} and below 2^40 bytes, not {stride}"
            ));
        }
        if let Some(step) = self.steps.iter().find(|step| !(1..=8).contains(*step)) {
            return Err(format!("a step is 1 to 8 elements, not {step}"));
        }
        if self.outside == Outside::Nan && !self.element.is_float() {
            let name = self.element.name();
            return Err(format!("elements of type {name} have no NaN to fill with"));
        }
        self.check_shape(rank)?;
        let row = self.row_bytes();
        if !row.is_multiple_of(16) || row == 0 {
            return Err(format!(
                "a row of the box has {row} bytes, which is not a multiple of 16"
            ));
        }
        match self.swizzle.span() {
            Some(span) if self.interleave == Interleave::None && row > span => Err(format!(
                "a row of the box has {row} bytes, more than the {span} of the swizzle"
            )),
            _ => Ok(()),
        }
    }

    fn check_shape(&self, rank: usize) -> Result<(), String> {
        if self.interleave != Interleave::None && rank < 3 {
            return Err("interleaved tensors have 3 to 5 dimensions".to_owned());
        }
        match &self.shape {
            Shape::Tile(sizes) => {
                if sizes.len() != rank {
                    let given = sizes.len();
                    return Err(format!(
                        "the box of a tensor of {rank} dimensions has {rank}, not {given}"
                    ));
                }
                match sizes.iter().find(|size| !(1..=256).contains(*size)) {
                    Some(size) => Err(format!("a box has 1 to 256 elements, not {size}")),
                    None => Ok(()),
                }
            }
            Shape::Im2col {
                lower,
                upper,
                channels,
                pixels,
            } => {
                if rank < 3 {
                    return Err("a tensor of images has 3 to 5 dimensions".to_owned());
                }
                if lower.len() != rank - 2 || upper.len() != rank - 2 {
                    let wanted = rank - 2;
                    return Err(format!(
                        "corners of a tensor of {rank} dimensions have {wanted} coordinate(s)"
                    ));
                }
                let most = [1 << 15, 1 << 7, 1 << 4][rank - 3];
                if let Some(corner) = lower
                    .iter()
                    .chain(upper)
                    .find(|corner| !(-most..most).contains(*corner))
                {
                    return Err(format!(
                        "a corner of a tensor of {rank} dimensions is -{most} to {}, not {corner}",
                        most - 1
                    ));
                }
                for (i, (low, high)) in lower.iter().zip(upper).enumerate() {
                    let last = self.sizes[i + 1] as i64 - 1 + i64::from(*high);
                    if i64::from(*low) > last {
                        return Err(format!(
                            "the box of filter corners is empty: from {low} to {last}"
                        ));
                    }
                }
                if !(1..=256).contains(channels) {
                    return Err(format!("a pixel has 1 to 256 channels, not {channels}"));
                }
                match pixels {
                    1..=1024 => Ok(()),
                    _ => Err(format!("a column has 1 to 1024 pixels, not {pixels}")),
                }
            }
        }
    }

    /// What of a map is not modelled, because it is documented nowhere; copies to shared memory or out of it that use it are refused by
    /// that name.
    pub fn unmodelled(&self, loads: bool) -> Option<String> {
        if self.interleave != Interleave::None {
            return Some("interleaved tensors".to_owned());
        }
        let name = self.element.name();
        match self.element {
            Element::B4x16P64 | Element::B6x16P32 => {
                return Some(format!("tensors of {name} elements"));
            }
            _ if self.element.converts() && !loads => {
                return Some(format!("{name} elements out of shared memory"));
            }
            element
                if self.outside == Outside::Nan
                    && (element.converts() || matches!(element, Element::F32 | Element::F64)) =>
            {
                return Some(format!("the NaN outside of a tensor of {name} elements"));
            }
            _ => {}
        }
        if self.swizzle == Swizzle::B128Atom32Flip8 {
            return Some("the swizzle of 128 bytes that flips 8 bytes".to_owned());
        }
        let row = self.row_bytes();
        match self.swizzle.span() {
            Some(span) if row < span => Some(format!(
                "boxes with rows of {row} bytes and a swizzle of {span}"
            )),
            _ => None,
        }
    }

    /// A map of tiles of a tensor without padding, with nothing unusual.
    pub fn tile(element: Element, sizes: Vec<u64>, tile: Vec<u32>) -> TensorMap {
        TensorMap {
            address: 0,
            element,
            strides: TensorMap::packed_strides(element, &sizes),
            steps: vec![1; sizes.len()],
            sizes,
            shape: Shape::Tile(tile),
            swizzle: Swizzle::None,
            interleave: Interleave::None,
            outside: Outside::Zero,
        }
    }
}
