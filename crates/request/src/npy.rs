//! Arrays in numpy's `.npy` files: the elements of a buffer, read and written.
//!
//! ```text
//!   \x93NUMPY 1 0 <length> {'descr': '<f4', 'fortran_order': False, 'shape': (1024,), }\n <elements>
//! ```
//!
//! A buffer is a row of elements, so an array of any shape is read in C's order and written with one dimension. numpy has
//! no bf16: such arrays have elements of two plain bytes (`V2`), as the package ml_dtypes saves them.

use warpc_ptx::types::{Meaning, ScalarType};

/// What every file begins with.
const MAGIC: &[u8] = b"\x93NUMPY";

/// Whether a file is one, by its name.
pub fn is_npy(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".npy")
}

/// The elements of a file, as a buffer of this type has them.
pub fn read(file: &[u8], ty: ScalarType) -> Result<Vec<u8>, String> {
    let (header, data) = split(file)?;
    let field = |name: &str| {
        let at = header.find(&format!("'{name}'"))?;
        let rest = header[at..].split_once(':')?.1.trim_start();
        Some(rest)
    };
    let missing = |name: &str| format!("the header has no `{name}`");
    let descr = field("descr").ok_or_else(|| missing("descr"))?;
    let descr = descr
        .strip_prefix('\'')
        .and_then(|rest| rest.split_once('\''));
    let Some((descr, _)) = descr else {
        return Err("its elements are structures, which are not read here".to_owned());
    };
    let order = field("fortran_order").ok_or_else(|| missing("fortran_order"))?;
    let shape = field("shape").ok_or_else(|| missing("shape"))?;
    let shape = shape
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'))
        .ok_or_else(|| missing("shape"))?
        .0;
    let sizes = shape
        .split(',')
        .map(str::trim)
        .filter(|one| !one.is_empty());
    let sizes: Result<Vec<u64>, _> = sizes.map(str::parse).collect();
    let sizes = sizes.map_err(|_| format!("its shape ({shape}) is not one of numbers"))?;
    if order.starts_with("True") && sizes.len() > 1 {
        return Err("it is in Fortran's order: save it with `numpy.ascontiguousarray`".to_owned());
    }
    let (swapped, kind) = match descr.split_at_checked(1) {
        Some(("<" | "|" | "=", kind)) => (false, kind),
        Some((">", kind)) => (true, kind),
        _ => (false, descr),
    };
    if !fits(kind, ty) {
        return Err(format!(
            "its elements are `{descr}`, not {}: {}",
            ty.name(),
            match type_of(kind) {
                Some(own) => format!("write `{}[]@…`", own.name()),
                None => "there is no such type here".to_owned(),
            }
        ));
    }
    let count = sizes.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
    let bytes = count.and_then(|count| count.checked_mul(u64::from(ty.bytes())));
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
    let Some(elements) = bytes.and_then(|bytes| data.get(..bytes)) else {
        let has = data.len();
        return Err(format!(
            "its shape is ({shape}), and it has only {has} bytes of elements"
        ));
    };
    let mut elements = elements.to_vec();
    if swapped {
        elements
            .chunks_exact_mut(ty.bytes() as usize)
            .for_each(<[u8]>::reverse);
    }
    Ok(elements)
}

/// The header's text and what follows it.
fn split(file: &[u8]) -> Result<(&str, &[u8]), String> {
    let damaged = || "it is not an array as numpy saves them".to_owned();
    let rest = file.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let (version, rest) = rest.split_at_checked(2).ok_or_else(damaged)?;
    let (length, rest) = match version[0] {
        1 => {
            let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(damaged)?;
            (u32::from(u16::from_le_bytes(*length)), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
            (u32::from_le_bytes(*length), rest)
        }
        other => return Err(format!("version {other} of the format is not known here")),
    };
    let (header, data) = rest.split_at_checked(length as usize).ok_or_else(damaged)?;
    let header = std::str::from_utf8(header).map_err(|_| damaged())?;
    Ok((header, data))
}

/// What numpy calls the elements, without their byte order.
fn kind(ty: ScalarType) -> String {
    let letter = match (ty, ty.meaning()) {
        (ScalarType::Bf16 | ScalarType::B128, _) => 'V',
        (_, Meaning::Float) => 'f',
        (_, Meaning::Signed) => 'i',
        _ => 'u',
    };
    format!("{letter}{}", ty.bytes())
}

/// The type of such elements.
fn type_of(kind: &str) -> Option<ScalarType> {
    crate::number::TYPES
        .into_iter()
        .find(|&ty| self::kind(ty) == kind)
}

/// Whether elements of a kind are ones of a type: bits take anything of their size.
fn fits(kind: &str, ty: ScalarType) -> bool {
    let is_bool = kind == "b1" && ty.bytes() == 1;
    let is_sized = kind.get(1..) == Some(ty.bytes().to_string().as_str());
    let bits = ty.meaning() == Meaning::Bits || matches!(kind.as_bytes().first(), Some(b'V'));
    kind == self::kind(ty) || is_bool || is_sized && bits && kind.is_char_boundary(1)
}

/// A file with these elements, in one dimension.
pub fn write(bytes: &[u8], ty: ScalarType) -> Vec<u8> {
    let order = if ty.bytes() == 1 { '|' } else { '<' };
    let count = bytes.len() / ty.bytes() as usize;
    let kind = kind(ty);
    let mut header =
        format!("{{'descr': '{order}{kind}', 'fortran_order': False, 'shape': ({count},), }}");
    // Elements begin at a multiple of 64 bytes, after a line feed.
    let before = MAGIC.len() + 4;
    let whole = (before + header.len() + 1).next_multiple_of(64);
    header.push_str(&" ".repeat(whole - before - header.len() - 1));
    header.push('\n');
    let mut file = MAGIC.to_vec();
    file.extend([1, 0]);
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(bytes);
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::TYPES;

    #[test]
    fn what_is_written_reads_back() {
        for ty in TYPES {
            let bytes: Vec<u8> = (0..3 * ty.bytes() as u8).collect();
            let file = write(&bytes, ty);
            assert_eq!((file.len() - bytes.len()) % 64, 0, "{ty}");
            assert_eq!(read(&file, ty), Ok(bytes), "{ty}");
        }
        let file = write(&[0, 0, 128, 63], ScalarType::F32);
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
        assert!(file[10..].starts_with(text.as_bytes()));
    }

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut file = b"\x93NUMPY\x02\x00".to_vec();
        file.extend((header.len() as u32).to_le_bytes());
        file.extend(header.bytes());
        file.extend(data);
        file
    }

    #[test]
    fn arrays_of_others() {
        let big = "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 1), }";
        assert_eq!(
            read(&file(big, &[1, 2, 3, 4]), ScalarType::S16),
            Ok(vec![2, 1, 4, 3])
        );
        assert_eq!(
            read(&file(big, &[1, 2, 3, 4]), ScalarType::B16),
            Ok(vec![2, 1, 4, 3])
        );
        let flags = "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }";
        assert_eq!(read(&file(flags, &[1, 0]), ScalarType::U8), Ok(vec![1, 0]));
        let one = "{'descr': '<f8', 'fortran_order': False, 'shape': (), }";
        assert_eq!(read(&file(one, &[7; 8]), ScalarType::F64), Ok(vec![7; 8]));
    }

    #[test]
    fn mistakes_are_told() {
        let of = |descr: &str, order: &str, shape: &str| {
            file(
                &format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"),
                &[0; 8],
            )
        };
        for (file, message) in [
            (b"PK\x03\x04".to_vec(), "not an array"),
            (b"\x93NUMPY".to_vec(), "not an array"),
            (b"\x93NUMPY\x09\x00aa".to_vec(), "version 9"),
            (b"\x93NUMPY\x01\x00\xff\xff{}".to_vec(), "not an array"),
            (
                of("'<f4'", "False", "(2,)"),
                "its elements are `<f4`, not u32: write `f32[]@…`",
            ),
            (of("'<c8'", "False", "(1,)"), "there is no such type here"),
            (of("[('a', '<f4')]", "False", "(1,)"), "structures"),
            (of("'<u4'", "True", "(1, 2)"), "Fortran's order"),
            (of("'<u4'", "False", "(3,)"), "only 8 bytes of elements"),
            (
                of("'<u4'", "False", "(99999999999, 99999999999)"),
                "only 8 bytes",
            ),
            (of("'<u4'", "False", "(x,)"), "not one of numbers"),
        ] {
            let error = read(&file, ScalarType::U32).expect_err(message);
            assert!(error.contains(message), "{error}");
        }
    }

    proptest::proptest! {
        /// Whatever stands in a file, there is an answer.
        #[test]
        fn every_file_has_an_answer(version in 0u8..4, header in ".{0,40}", data in proptest::collection::vec(0u8.., 0..9)) {
            let mut whole = file(&header, &data);
            whole[6] = version;
            let _ = read(&whole, ScalarType::U32);
        }
    }
}
