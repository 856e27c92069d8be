//! Floating-point numbers as integers in the same order, so that a reduction of integers finds the smallest or
//! largest number.
//!
//! A number's bits, read as a signed integer, are in order among positive numbers, and in the opposite order
//! among negative ones: these have all bits but the sign flipped. The same change leads back. Zeros are in the
//! order PTX wants, -0 before +0. NaN becomes the integer that loses against all numbers, or with `.NaN` wins.
//!
//! ```text
//!   -inf  -1.0  -0.0  +0.0  1.0  +inf   NaN
//!   key:  negative   0x0 …            0x7fffffff for the largest, 0x80000000 for the smallest key
//! ```

use crate::edit::Editor;
use warpc_model::{Redux, ReduxOp, ReduxType};
use warpc_nvvm::inst::{BinaryOp, CastOp, FcmpPredicate, IcmpPredicate};
use warpc_nvvm::value::Value;

/// The NaN that PTX makes; it is also the largest key.
const NAN: u64 = 0x7fff_ffff;
const SMALLEST: u64 = 0x8000_0000;

/// The reduction of floating-point numbers, by a reduction of their keys.
pub(super) fn reduce(
    editor: &mut Editor,
    redux: Redux,
    value: Value,
    integers: impl FnOnce(&mut Editor, Redux, Value) -> Value,
) -> Value {
    let (i32, float) = (editor.module.types.i32, editor.type_of(value));
    let magnitude = editor.int(i32, NAN);
    let mut bits = editor.cast(CastOp::Bitcast, value, i32);
    if redux.abs {
        bits = editor.binary(BinaryOp::And, bits, magnitude);
    } else {
        bits = flip(editor, bits);
    }
    // The largest key loses among minima and wins among maxima.
    let is_largest = (redux.op == ReduxOp::Min) != redux.nan;
    let key_of_nan = editor.int(i32, if is_largest { NAN } else { SMALLEST });
    let is_nan = editor.fcmp(FcmpPredicate::Uno, value, value);
    let key = editor.select(is_nan, key_of_nan, bits);
    let redux = Redux {
        ty: ReduxType::S32,
        abs: false,
        nan: false,
        ..redux
    };
    let mut key = integers(editor, redux, key);
    if !is_largest {
        let smallest = editor.int(i32, SMALLEST);
        let is_nan = editor.icmp(IcmpPredicate::Eq, key, smallest);
        let bits = flip(editor, key);
        key = editor.select(is_nan, magnitude, bits);
    } else {
        key = flip(editor, key);
    }
    editor.cast(CastOp::Bitcast, key, float)
}

/// Bits to key and back: of negative numbers all bits but the sign change.
fn flip(editor: &mut Editor, bits: Value) -> Value {
    let i32 = editor.module.types.i32;
    let (sign, magnitude) = (editor.int(i32, 31), editor.int(i32, NAN));
    let ones = editor.binary(BinaryOp::Ashr, bits, sign);
    let change = editor.binary(BinaryOp::And, ones, magnitude);
    editor.binary(BinaryOp::Xor, bits, change)
}
