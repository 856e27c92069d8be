//! The types of PTX: one row each.
//!
//! A type says how many bits a value has and what the bits mean. Whether it may type a register
//! or only an instruction is a question for the verifier; [`ScalarType::is_register_type`] answers
//! it.

use std::fmt;

/// What the bits of a type mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A truth value.
    Predicate,
    /// Bits without meaning: fits every type of the same size.
    Bits,
    /// An unsigned integer.
    Unsigned,
    /// A signed integer.
    Signed,
    /// An IEEE floating-point number.
    Float,
    /// A format that registers hold as plain bits: packed, narrow or alternate floats, sub-bytes.
    Packed,
    /// A texture, sampler or surface handle.
    Opaque,
}

macro_rules! types {
    ($($(#[$doc:meta])* $variant:ident $name:literal $bits:literal $meaning:ident)*) => {
        /// A PTX type, without vector length or array bounds.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum ScalarType { $($(#[$doc])* $variant),* }

        impl ScalarType {
            /// Every type, in the table's order.
            pub const ALL: &'static [ScalarType] = &[$(ScalarType::$variant),*];

            /// The name without its dot.
            pub const fn name(self) -> &'static str {
                match self { $(ScalarType::$variant => $name),* }
            }

            /// The number of bits a value has; 1 for predicates, 64 for opaque handles.
            pub const fn bits(self) -> u32 {
                match self { $(ScalarType::$variant => $bits),* }
            }

            /// What the bits mean.
            pub const fn meaning(self) -> Meaning {
                match self { $(ScalarType::$variant => Meaning::$meaning),* }
            }

            /// The type with this name (without a dot).
            pub fn find(name: &str) -> Option<ScalarType> {
                match name { $($name => Some(ScalarType::$variant),)* _ => None }
            }
        }
    };
}

types! {
    Pred "pred" 1 Predicate
    B1 "b1" 1 Packed
    U2 "u2" 2 Packed
    S2 "s2" 2 Packed
    U4 "u4" 4 Packed
    S4 "s4" 4 Packed
    B8 "b8" 8 Bits
    U8 "u8" 8 Unsigned
    S8 "s8" 8 Signed
    B16 "b16" 16 Bits
    U16 "u16" 16 Unsigned
    S16 "s16" 16 Signed
    F16 "f16" 16 Float
    Bf16 "bf16" 16 Packed
    B32 "b32" 32 Bits
    U32 "u32" 32 Unsigned
    S32 "s32" 32 Signed
    F32 "f32" 32 Float
    F16x2 "f16x2" 32 Packed
    Bf16x2 "bf16x2" 32 Packed
    U16x2 "u16x2" 32 Packed
    S16x2 "s16x2" 32 Packed
    U8x4 "u8x4" 32 Packed
    S8x4 "s8x4" 32 Packed
    Tf32 "tf32" 32 Packed
    B64 "b64" 64 Bits
    U64 "u64" 64 Unsigned
    S64 "s64" 64 Signed
    F64 "f64" 64 Float
    F32x2 "f32x2" 64 Packed
    B128 "b128" 128 Bits
    E2m1 "e2m1" 4 Packed
    E2m3 "e2m3" 6 Packed
    E3m2 "e3m2" 6 Packed
    E4m3 "e4m3" 8 Packed
    E5m2 "e5m2" 8 Packed
    Ue8m0 "ue8m0" 8 Packed
    Ue4m3 "ue4m3" 8 Packed
    E2m1x2 "e2m1x2" 8 Packed
    E2m3x2 "e2m3x2" 16 Packed
    E3m2x2 "e3m2x2" 16 Packed
    E4m3x2 "e4m3x2" 16 Packed
    E5m2x2 "e5m2x2" 16 Packed
    Ue8m0x2 "ue8m0x2" 16 Packed
    Ue5m3x2 "ue5m3x2" 16 Packed
    S2f6x2 "s2f6x2" 16 Packed
    E2m1x4 "e2m1x4" 16 Packed
    E2m3x4 "e2m3x4" 32 Packed
    E3m2x4 "e3m2x4" 32 Packed
    E4m3x4 "e4m3x4" 32 Packed
    E5m2x4 "e5m2x4" 32 Packed
    B8x16 "b8x16" 128 Packed
    B6x16P32 "b6x16_p32" 128 Packed
    B4x16P64 "b4x16_p64" 128 Packed
    TexRef "texref" 64 Opaque
    SamplerRef "samplerref" 64 Opaque
    SurfRef "surfref" 64 Opaque
}

impl ScalarType {
    /// Bytes in memory; sub-byte formats take one.
    pub const fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// The type of registers that hold elements of this type as a fragment of a matrix: small
    /// elements are packed into 32 bits.
    pub const fn fragment(self) -> ScalarType {
        match self {
            ScalarType::F16 => ScalarType::F16x2,
            ScalarType::Bf16 => ScalarType::Bf16x2,
            _ if self.bits() < 32 => ScalarType::U32,
            _ => self,
        }
    }

    /// Signed or unsigned.
    pub fn is_integer(self) -> bool {
        matches!(self.meaning(), Meaning::Signed | Meaning::Unsigned)
    }

    /// IEEE floating point.
    pub fn is_float(self) -> bool {
        self.meaning() == Meaning::Float
    }

    /// Whether `.reg` may declare a register of it.
    pub fn is_register_type(self) -> bool {
        match self.meaning() {
            Meaning::Predicate
            | Meaning::Bits
            | Meaning::Unsigned
            | Meaning::Signed
            | Meaning::Float => true,
            Meaning::Packed => self == ScalarType::F16x2,
            Meaning::Opaque => false,
        }
    }
}

impl fmt::Display for ScalarType {
    /// With the dot: `.u32`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for &ty in ScalarType::ALL {
            assert_eq!(ScalarType::find(ty.name()), Some(ty));
        }
    }
}
