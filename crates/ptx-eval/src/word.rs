//! The integer types as Rust has them, and how an operation is made for the one an instruction
//! names.
//!
//! A value is read into an `i128`, which holds every product of two integers (that of two `u64`s as
//! bits), computed with there, and cut back. The compiler narrows this to the plain machine
//! operation, so nothing is lost by it.

use super::View;
use warpc_ptx::form::{Kind, TypeRef};
use warpc_ptx::types::ScalarType;

/// An integer type.
pub(super) trait Word: 'static {
    /// How many bits it has.
    const BITS: u32;
    /// Its least value.
    const MIN: i128;
    /// Its greatest value.
    const MAX: i128;

    /// The number in the low bits.
    fn read(bits: u64) -> i128;

    /// A number cut to the type and extended as the type says.
    fn cut(value: i128) -> u64;

    /// A number brought into the type's range.
    #[inline]
    fn saturate(value: i128) -> u64 {
        Self::cut(value.clamp(Self::MIN, Self::MAX))
    }
}

macro_rules! words {
    ($($ty:ident)*) => {
        $(impl Word for $ty {
            const BITS: u32 = $ty::BITS;
            const MIN: i128 = $ty::MIN as i128;
            const MAX: i128 = $ty::MAX as i128;

            #[inline]
            fn read(bits: u64) -> i128 {
                i128::from(bits as $ty)
            }

            #[inline]
            fn cut(value: i128) -> u64 {
                value as $ty as u64
            }
        })*
    };
}

words!(u8 i8 u16 i16 u32 i32 u64 i64);

/// `with_word!(ty, T => e)`: the expression with `T` standing for the Rust type of an integer or
/// untyped [`ScalarType`]; `None` for other types. The longer form names the Rust types that matter.
macro_rules! with_word {
    ($ty:expr, $word:ident => $e:expr) => {
        $crate::word::with_word!(
            $ty, $word in [
                (B8 | U8, u8) (S8, i8) (B16 | U16, u16) (S16, i16)
                (B32 | U32, u32) (S32, i32) (B64 | U64, u64) (S64, i64)
            ] => $e
        )
    };
    ($ty:expr, $word:ident in [$(($($scalar:ident)|+, $rust:ident))*] => $e:expr) => {
        match $ty {
            $($(warpc_ptx::types::ScalarType::$scalar)|+ => {
                type $word = $rust;
                Some($e)
            })*
            _ => None,
        }
    };
}
pub(super) use with_word;

/// Applies a function to each lane of a 32-bit word.
#[inline]
pub(super) fn each_lane<L: Word>(a: u64, b: u64, lane: impl Fn(i128, i128) -> u64) -> u64 {
    (0..32 / L::BITS).fold(0, |word, i| {
        let shift = i * L::BITS;
        let value = lane(L::read(a >> shift), L::read(b >> shift));
        word | (value & (u64::MAX >> (64 - L::BITS))) << shift
    })
}

impl View<'_> {
    /// The type the form gives an operand, by its name in the syntax.
    pub(super) fn type_of(&self, operand: &str) -> Option<ScalarType> {
        let form = self.choice.form.form();
        let spec = form.operands.iter().find(|spec| spec.name == operand)?;
        match spec.kind {
            Kind::Value(TypeRef::Fixed(ty)) => Some(ty),
            Kind::Value(TypeRef::Slot(slot)) => {
                let slot = usize::from(slot);
                let value = *self.choice.values.get(slot)?;
                form.slots[slot].values.get(usize::from(value))?.ty
            }
            _ => None,
        }
    }
}
