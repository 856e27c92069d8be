//! Textures, surfaces and samplers as arguments.
//!
//! ```text
//!   texture:u8x4[640x480]@&data:filter=linear:address=wrap:coords=normalized:read=fraction
//!   texture:f32[256]@&data:layers=4      surface:u32[16x8x4]@&data      sampler:filter=linear
//! ```
//!
//! What a kernel gets is the address of a description, which the emulator of PTX reads where a handle is used.

use super::{Piece, Reference, SpecError, reference};
use warpc_launch::texture::{Address, Channel, Kind, Sampler, Texture};

/// A texture, a surface or a sampler, and the buffer that has its texels.
#[derive(Clone, PartialEq, Debug)]
pub struct TextureSpec {
    /// The description, with texels at address zero.
    pub texture: Texture,
    /// Where the texels lie; a sampler has none.
    pub texels: Option<Reference>,
}

const FORM: &str = "write `texture:u8x4[640x480]@&data`, `surface:u32[64]@&data` or `sampler:filter=linear`; keys: filter \
    (nearest, linear), address (wrap, mirror, clamp, border; several as `wrapxclamp`), coords (texels, normalized), read \
    (element, fraction), layers, shape (plain, cube), samples";

/// What comes after `texture:`, `surface:` or `sampler:`.
pub(super) fn parse(kind: Kind, piece: Piece<'_>) -> Result<TextureSpec, SpecError> {
    let mut parts = piece.split(':');
    let mut texture = Texture {
        kind,
        texels: 0,
        channel: Channel::F32,
        channels: 1,
        size: [1; 3],
        dimensions: 1,
        layers: None,
        cube: false,
        samples: None,
        sampler: Sampler::default(),
        fractions: false,
    };
    let mut texels = None;
    if kind != Kind::Sampler {
        let head = parts.next().unwrap_or(piece);
        texels = Some(self::head(head, &mut texture)?);
    }
    for part in parts.filter(|part| !part.text.is_empty()) {
        key(&mut texture, part)?;
    }
    match texture.check() {
        Ok(()) => Ok(TextureSpec { texture, texels }),
        Err(message) => Err(piece.error(message, FORM)),
    }
}

/// `u8x4[640x480]@&data`
fn head(head: Piece<'_>, texture: &mut Texture) -> Result<Reference, SpecError> {
    let Some((format, rest)) = head.split_once('[') else {
        return Err(head.error("the sizes are missing", FORM));
    };
    let (name, channels) = match format.split_once('x') {
        Some((name, channels)) => (name, channels.count()?),
        None => (format, 1),
    };
    let known = Channel::ALL.into_iter().find(|one| one.1 == name.text);
    let Some((channel, _)) = known else {
        let message = format!("`{}` is not a type of channels", name.text);
        let names = Channel::ALL.map(|one| one.1);
        return Err(name.error(message, format!("the types are {}", names.join(", "))));
    };
    texture.channel = channel;
    texture.channels = u32::try_from(channels).unwrap_or(u32::MAX);
    let Some((sizes, rest)) = rest.split_once(']') else {
        return Err(rest.error("the `]` is missing", FORM));
    };
    let sizes = sizes.split('x').map(|size| {
        let size = size.trim();
        Ok(u32::try_from(size.count()?).unwrap_or(u32::MAX))
    });
    let given = sizes.collect::<Result<Vec<u32>, SpecError>>()?;
    texture.dimensions = u32::try_from(given.len()).unwrap_or(u32::MAX);
    for (size, given) in texture.size.iter_mut().zip(&given) {
        *size = *given;
    }
    let Some(tensor) = rest.strip("@&") else {
        return Err(rest.error("the buffer of the texels is missing", FORM));
    };
    match reference(tensor)? {
        Reference::New(_) => {
            let help = "give the buffer a name with `--buffer`, and write `@&NAME`";
            Err(tensor.error("the texels are a buffer of their own", help))
        }
        other => Ok(other),
    }
}

fn key(texture: &mut Texture, part: Piece<'_>) -> Result<(), SpecError> {
    let Some((name, value)) = part.split_once('=') else {
        return Err(part.error("a key without `=`", FORM));
    };
    let choose = |value: Piece<'_>, choices: &[&str]| {
        let found = choices.iter().position(|choice| *choice == value.text);
        found.ok_or_else(|| {
            let message = format!("`{}` is not a value of `{}`", value.text, name.text);
            value.error(message, format!("the values are {}", choices.join(", ")))
        })
    };
    let is_surface = texture.kind == Kind::Surface;
    match name.text {
        "layers" if texture.kind != Kind::Sampler => {
            texture.layers = Some(u32::try_from(value.count()?).unwrap_or(u32::MAX));
        }
        "shape" if texture.kind == Kind::Texture => {
            texture.cube = choose(value, &["plain", "cube"])? == 1;
            // Directions are normalized coordinates.
            texture.sampler.normalized |= texture.cube;
        }
        "samples" if texture.kind == Kind::Texture => {
            texture.samples = Some(u32::try_from(value.count()?).unwrap_or(u32::MAX));
        }
        "filter" if !is_surface => {
            texture.sampler.linear = choose(value, &["nearest", "linear"])? == 1;
        }
        "coords" if !is_surface => {
            texture.sampler.normalized = choose(value, &["texels", "normalized"])? == 1;
        }
        "read" if texture.kind == Kind::Texture => {
            texture.fractions = choose(value, &["element", "fraction"])? == 1;
        }
        "address" if !is_surface => {
            let names = Address::ALL.map(|one| one.1);
            let given = value.split('x').map(|one| choose(one, &names));
            let given = given.collect::<Result<Vec<usize>, SpecError>>()?;
            // One mode is for all dimensions.
            for (i, mode) in texture.sampler.address.iter_mut().enumerate() {
                let number = given.get(i).or(given.first());
                *mode = Address::ALL[number.copied().unwrap_or(0)].0;
            }
        }
        _ => {
            let message = format!("`{}` is not a key here", name.text);
            return Err(name.error(message, FORM));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::args::{Reference, Spec, parse};
    use warpc_launch::texture::{Address, Channel, Texture};

    fn texture(text: &str) -> Texture {
        match parse(text) {
            Ok(Spec::Address(Reference::New(spec))) => match *spec {
                Spec::Texture(spec) => spec.texture,
                other => panic!("{text}: {other:?}"),
            },
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn formats_and_keys() {
        let one = texture(
            "texture:u8x4[640x480]@&data:filter=linear:address=wrapxmirror:coords=normalized:read=fraction",
        );
        assert_eq!(
            (one.channel, one.channels, one.size),
            (Channel::U8, 4, [640, 480, 1])
        );
        assert_eq!(one.sampler.address[..2], [Address::Wrap, Address::Mirror]);
        assert!(one.sampler.linear && one.sampler.normalized && one.fractions);
        let one = texture("surface:f16x2[8]@&0:layers=3");
        assert_eq!(
            (one.geometry().name(), one.texel_bytes(), one.layers),
            ("a1d", 4, Some(3))
        );
        let one = texture("texture:f32[8x8]@&0:shape=cube:layers=2");
        assert_eq!(
            (one.geometry().name(), one.bytes()),
            ("acube", 8 * 8 * 4 * 12)
        );
        let one = texture("texture:f32[8x4]@&0:samples=4");
        assert_eq!(
            (one.geometry().name(), one.bytes()),
            ("2dms", 8 * 4 * 4 * 4)
        );
        assert!(texture("sampler:filter=linear").sampler.linear);
    }

    #[test]
    fn mistakes_have_their_columns() {
        for (text, at, message) in [
            ("texture:u8x3[4]@&0", 8..18, "1, 2 or 4 channels, not 3"),
            (
                "texture:u64[4]@&0",
                8..11,
                "`u64` is not a type of channels",
            ),
            ("texture:f32@&0", 8..14, "the sizes are missing"),
            (
                "texture:f32[4]",
                14..14,
                "the buffer of the texels is missing",
            ),
            ("texture:f32[4x4x4x4]@&0", 8..23, "1 to 3 dimensions, not 4"),
            ("texture:f32[0]@&0", 8..17, "0 texels in a dimension"),
            (
                "texture:f32[4]@&0:address=wrap",
                8..30,
                "for normalized coordinates",
            ),
            (
                "texture:u32[4]@&0:filter=linear",
                8..31,
                "integers are not mixed",
            ),
            (
                "surface:u32[4]@&0:filter=linear",
                18..24,
                "`filter` is not a key here",
            ),
            (
                "texture:f32[4x2]@&0:shape=cube",
                8..30,
                "squares, not 4 x 2",
            ),
            ("texture:f32[4x4]@&0:samples=3", 8..29, "not 3"),
            (
                "texture:f32[4x4]@&0:shape=cube:coords=texels",
                8..44,
                "are normalized coordinates",
            ),
            (
                "sampler:filter=cubic",
                15..20,
                "`cubic` is not a value of `filter`",
            ),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.at, at, "{text}: {}", error.message);
            assert!(error.message.contains(message), "{text}: {}", error.message);
        }
    }
}
