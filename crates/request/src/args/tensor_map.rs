//! Tensor maps as arguments.
//!
//! ```text
//!   tensormap:f16[64x128]@&data:box=64x8:swizzle=128
//!   tensormap:f16[64x9x14x2]@&0:lower=-1x-1:upper=-1x-1:channels=64:pixels=32:swizzle=128
//! ```
//!
//! Sizes are in the order of coordinates: the innermost dimension is the first.

use super::{Piece, Reference, SpecError, reference};
use std::str::FromStr;
use warpc_launch::tensor_map::{Element, Interleave, Outside, Shape, Swizzle, TensorMap};

/// A tensor map, and the buffer that has its tensor.
#[derive(Clone, PartialEq, Debug)]
pub struct MapSpec {
    /// The map, with address zero.
    pub map: TensorMap,
    /// Where the tensor begins.
    pub tensor: Reference,
}

const FORM: &str = "write `tensormap:f16[64x128]@&data:box=64x8`, sizes from the innermost dimension on; further keys: \
    strides, steps, swizzle, fill, interleave, and for im2col lower, upper, channels, pixels";

/// The values of keys, as they are given.
#[derive(Default)]
struct Keys {
    tile: Option<Vec<u32>>,
    strides: Option<Vec<u64>>,
    steps: Option<Vec<u32>>,
    lower: Option<Vec<i32>>,
    upper: Option<Vec<i32>>,
    channels: Option<u32>,
    pixels: Option<u32>,
    swizzle: Swizzle,
    interleave: Interleave,
    outside: Outside,
}

/// What comes after `tensormap:`.
pub(super) fn parse(piece: Piece<'_>) -> Result<MapSpec, SpecError> {
    let mut parts = piece.split(':');
    let head = parts.next().unwrap_or(piece);
    let Some((name, rest)) = head.split_once('[') else {
        return Err(head.error("the sizes of the tensor are missing", FORM));
    };
    let Some(element) = Element::ALL.into_iter().find(|one| one.name() == name.text) else {
        let message = format!("`{}` is not a type of elements of tensors", name.text);
        let names: Vec<&str> = Element::ALL.iter().map(|one| one.name()).collect();
        return Err(name.error(message, format!("the types are {}", names.join(", "))));
    };
    let Some((sizes, rest)) = rest.split_once(']') else {
        return Err(rest.error("the `]` is missing", FORM));
    };
    let sizes: Vec<u64> = list(sizes)?;
    let Some(tensor) = rest.strip("@&") else {
        return Err(rest.error("the tensor's buffer is missing", FORM));
    };
    let tensor = match reference(tensor)? {
        Reference::New(_) => {
            let help = "give the buffer a name with `--buffer`, and write `@&NAME`";
            return Err(tensor.error("the tensor of a map is a buffer of its own", help));
        }
        other => other,
    };
    let mut keys = Keys::default();
    for part in parts {
        key(&mut keys, part)?;
    }
    let shape = match &keys {
        Keys {
            tile: Some(tile),
            lower: None,
            upper: None,
            channels: None,
            pixels: None,
            ..
        } => Shape::Tile(tile.clone()),
        Keys {
            tile: None,
            lower: Some(lower),
            upper: Some(upper),
            channels: Some(channels),
            pixels: Some(pixels),
            ..
        } => Shape::Im2col {
            lower: lower.clone(),
            upper: upper.clone(),
            channels: *channels,
            pixels: *pixels,
        },
        _ => {
            let message =
                "a map has either `box` or all of `lower`, `upper`, `channels` and `pixels`";
            return Err(piece.error(message, FORM));
        }
    };
    let map = TensorMap {
        address: 0,
        element,
        strides: match keys.strides {
            Some(strides) => strides,
            None => TensorMap::packed_strides(element, &sizes),
        },
        steps: keys.steps.unwrap_or_else(|| vec![1; sizes.len()]),
        sizes,
        shape,
        swizzle: keys.swizzle,
        interleave: keys.interleave,
        outside: keys.outside,
    };
    match map.check() {
        Ok(()) => Ok(MapSpec { map, tensor }),
        Err(message) => Err(piece.error(message, FORM)),
    }
}

/// `64x128`
fn list<T: FromStr>(piece: Piece<'_>) -> Result<Vec<T>, SpecError> {
    piece.split('x').map(number).collect()
}

fn number<T: FromStr>(piece: Piece<'_>) -> Result<T, SpecError> {
    let piece = piece.trim();
    piece.text.parse().map_err(|_| {
        let message = format!("`{}` is not a number here", piece.text);
        piece.error(message, "write whole decimal numbers, several as `64x128`")
    })
}

fn key(keys: &mut Keys, part: Piece<'_>) -> Result<(), SpecError> {
    let Some((name, value)) = part.split_once('=') else {
        return Err(part.error("a key without `=`", FORM));
    };
    let choose = |choices: &[&str]| {
        let found = choices.iter().position(|choice| *choice == value.text);
        found.ok_or_else(|| {
            let message = format!("`{}` is not a value of `{}`", value.text, name.text);
            value.error(message, format!("the values are {}", choices.join(", ")))
        })
    };
    match name.text {
        "box" => keys.tile = Some(list(value)?),
        "strides" => keys.strides = Some(list(value)?),
        "steps" => keys.steps = Some(list(value)?),
        "lower" => keys.lower = Some(list(value)?),
        "upper" => keys.upper = Some(list(value)?),
        "channels" => keys.channels = Some(number(value)?),
        "pixels" => keys.pixels = Some(number(value)?),
        "swizzle" => keys.swizzle = Swizzle::ALL[choose(&Swizzle::ALL.map(|one| one.1))?].0,
        "interleave" => {
            let all = [Interleave::None, Interleave::B16, Interleave::B32];
            keys.interleave = all[choose(&["none", "16", "32"])?];
        }
        "fill" => keys.outside = [Outside::Zero, Outside::Nan][choose(&["zero", "nan"])?],
        _ => {
            let message = format!("`{}` is not a key of tensor maps", name.text);
            return Err(name.error(message, FORM));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::args::{Reference, Spec, parse};
    use warpc_launch::tensor_map::{Shape, Swizzle};

    #[test]
    fn tiles_and_images() {
        let text = "tensormap:f16[64x128]@&data:box=64x8:swizzle=128:steps=1x2";
        let Ok(Spec::TensorMap(spec)) = parse(text) else {
            panic!("a map");
        };
        assert_eq!(spec.tensor, Reference::Named("data".to_owned()));
        assert_eq!(
            (&spec.map.sizes[..], &spec.map.strides[..]),
            (&[64, 128][..], &[128][..])
        );
        assert_eq!(
            (&spec.map.steps[..], spec.map.swizzle),
            (&[1, 2][..], Swizzle::B128)
        );
        let text = "tensormap:u8[64x9x14x2]@&0:lower=-1x-1:upper=-1x-2:channels=16:pixels=32";
        let Ok(Spec::TensorMap(spec)) = parse(text) else {
            panic!("a map");
        };
        let Shape::Im2col { lower, upper, .. } = &spec.map.shape else {
            panic!("images");
        };
        assert_eq!((&lower[..], &upper[..]), (&[-1, -1][..], &[-1, -2][..]));
        assert!(matches!(
            parse("&tensormap:u8[16]@&0:box=16"),
            Ok(Spec::Address(_))
        ));
        assert!(matches!(
            parse("{tensormap:u8[16x2]@&0:box=16x1:fill=zero,u32=1}"),
            Ok(Spec::Struct(members)) if members.len() == 2
        ));
    }

    #[test]
    fn mistakes_have_their_columns() {
        for (text, at, message) in [
            ("tensormap:u33[16]@&0:box=16", 10..13, "`u33` is not a type"),
            (
                "tensormap:u8@&0:box=16",
                10..15,
                "the sizes of the tensor are missing",
            ),
            ("tensormap:u8[16:box=16", 13..15, "the `]` is missing"),
            (
                "tensormap:u8[16]:box=16",
                16..16,
                "the tensor's buffer is missing",
            ),
            (
                "tensormap:u8[1y6]@&0:box=16",
                13..16,
                "`1y6` is not a number",
            ),
            (
                "tensormap:u8[16]@&u8[4]=0:box=16",
                18..25,
                "a buffer of its own",
            ),
            ("tensormap:u8[16]@&0:bix=16", 20..23, "`bix` is not a key"),
            ("tensormap:u8[16]@&0:box", 20..23, "without `=`"),
            (
                "tensormap:u8[16]@&0:box=16:fill=one",
                32..35,
                "`one` is not a value of `fill`",
            ),
            ("tensormap:u8[16]@&0", 10..19, "either `box` or all of"),
            (
                "tensormap:u8[16]@&0:box=16:pixels=3",
                10..35,
                "either `box` or all of",
            ),
            (
                "tensormap:u8[16]@&0:box=7",
                10..25,
                "7 bytes, which is not a multiple of 16",
            ),
            (
                "tensormap:u8[32x2]@&0:box=32x257",
                10..32,
                "1 to 256 elements, not 257",
            ),
            ("tensormap:u8[16]@&0:box=16x1", 10..28, "has 1, not 2"),
            (
                "tensormap:u8[17x2]@&0:box=16x1",
                10..30,
                "a stride is a multiple of 16",
            ),
            (
                "tensormap:u8[64x2]@&0:box=64x1:swizzle=32",
                10..41,
                "more than the 32 of the swizzle",
            ),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.at, at, "{text}: {}", error.message);
            assert!(error.message.contains(message), "{text}: {}", error.message);
        }
    }
}
