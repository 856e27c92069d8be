//! `printf` as it works on the device: the format's conversions take their arguments from a buffer
//! in which each is aligned to its size; characters and short integers take four bytes, floats come
//! as doubles.

/// Where arguments come from.
pub trait Source {
    /// Why something cannot be read.
    type Error;
    /// The number at an offset of the buffer.
    fn value(&mut self, offset: u64, bytes: u32) -> Result<u64, Self::Error>;
    /// The text at an address.
    fn text(&mut self, address: u64) -> Result<Vec<u8>, Self::Error>;
}

/// One conversion: `%-08.3lf`
#[derive(Default, Debug)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    long: bool,
    letter: u8,
}

/// The longest field that is made.
const MAX_FIELD: usize = 4096;

struct Arguments<'a, S: Source> {
    source: &'a mut S,
    at: u64,
}

impl<S: Source> Arguments<'_, S> {
    fn next(&mut self, bytes: u32) -> Result<u64, S::Error> {
        let at = self.at.next_multiple_of(u64::from(bytes));
        self.at = at + u64::from(bytes);
        self.source.value(at, bytes)
    }
}

/// Formats a text; also gives the number of arguments, which is what `vprintf` returns.
pub fn format<S: Source>(format: &[u8], source: &mut S) -> Result<(Vec<u8>, u64), S::Error> {
    let mut out = Vec::new();
    let mut count = 0;
    let mut arguments = Arguments { source, at: 0 };
    let mut rest = format;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        if let Some((b'%', tail)) = rest.split_first() {
            out.push(b'%');
            rest = tail;
            continue;
        }
        let (conversion, tail) = conversion(rest, &mut arguments, &mut count)?;
        rest = tail;
        let text = match conversion.letter {
            b'd' | b'i' => {
                count += 1;
                let value = if conversion.long {
                    arguments.next(8)? as i64
                } else {
                    i64::from(arguments.next(4)? as i32)
                };
                signed(&conversion, value)
            }
            b'u' | b'x' | b'X' | b'o' => {
                count += 1;
                let value = arguments.next(if conversion.long { 8 } else { 4 })?;
                unsigned(&conversion, value)
            }
            b'c' => {
                count += 1;
                vec![arguments.next(4)? as u8]
            }
            b'p' => {
                count += 1;
                format!("{:#x}", arguments.next(8)?).into_bytes()
            }
            b's' => {
                count += 1;
                let address = arguments.next(8)?;
                let mut text = arguments.source.text(address)?;
                text.truncate(conversion.precision.unwrap_or(usize::MAX));
                text
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                count += 1;
                float(&conversion, f64::from_bits(arguments.next(8)?))
            }
            // What is not a conversion is printed as it is.
            letter => {
                out.push(b'%');
                out.extend((letter != 0).then_some(letter));
                continue;
            }
        };
        pad(&mut out, &conversion, text);
    }
    Ok((out, count))
}

fn conversion<'f, S: Source>(
    mut rest: &'f [u8],
    arguments: &mut Arguments<'_, S>,
    count: &mut u64,
) -> Result<(Conversion, &'f [u8]), S::Error> {
    let mut conversion = Conversion::default();
    while let Some((&flag, tail)) = rest.split_first() {
        match flag {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.alternate = true,
            b'0' => conversion.zero = true,
            _ => break,
        }
        rest = tail;
    }
    let mut number = |rest: &mut &'f [u8]| -> Result<Option<i64>, S::Error> {
        if let Some((b'*', tail)) = rest.split_first() {
            *rest = tail;
            *count += 1;
            return Ok(Some(i64::from(arguments.next(4)? as i32)));
        }
        let mut value = None;
        while let Some((digit @ b'0'..=b'9', tail)) = rest.split_first() {
            let so_far: i64 = value.unwrap_or(0);
            value = Some((so_far * 10 + i64::from(digit - b'0')).min(1 << 20));
            *rest = tail;
        }
        Ok(value)
    };
    if let Some(width) = number(&mut rest)? {
        conversion.left |= width < 0;
        conversion.width = (width.unsigned_abs() as usize).min(MAX_FIELD);
    }
    if let Some((b'.', tail)) = rest.split_first() {
        rest = tail;
        let precision = number(&mut rest)?.unwrap_or(0);
        conversion.precision = usize::try_from(precision).ok().map(|p| p.min(MAX_FIELD));
    }
    while let Some((&letter, tail)) = rest.split_first() {
        match letter {
            // On the device `long` has eight bytes.
            b'l' | b'j' | b'z' | b't' | b'q' => conversion.long = true,
            b'h' | b'L' => {}
            _ => break,
        }
        rest = tail;
    }
    if let Some((&letter, tail)) = rest.split_first() {
        conversion.letter = letter;
        rest = tail;
    }
    Ok((conversion, rest))
}

fn sign(conversion: &Conversion, negative: bool) -> &'static str {
    match (negative, conversion.plus, conversion.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

/// Digits with leading zeros up to the precision, or up to the width if `0` asks for it.
fn with_zeros(conversion: &Conversion, prefix: &str, digits: String) -> Vec<u8> {
    let digits = if conversion.precision == Some(0) && digits == "0" {
        String::new()
    } else {
        digits
    };
    let wanted = match conversion.precision {
        Some(precision) => precision,
        None if conversion.zero && !conversion.left => {
            conversion.width.saturating_sub(prefix.len())
        }
        None => 0,
    };
    let zeros = "0".repeat(wanted.saturating_sub(digits.len()));
    format!("{prefix}{zeros}{digits}").into_bytes()
}

fn signed(conversion: &Conversion, value: i64) -> Vec<u8> {
    let prefix = sign(conversion, value < 0);
    with_zeros(conversion, prefix, value.unsigned_abs().to_string())
}

fn unsigned(conversion: &Conversion, value: u64) -> Vec<u8> {
    let (prefix, digits) = match conversion.letter {
        b'x' => ("0x", format!("{value:x}")),
        b'X' => ("0X", format!("{value:X}")),
        b'o' => ("0", format!("{value:o}")),
        _ => ("", value.to_string()),
    };
    let prefix = if conversion.alternate && value != 0 {
        prefix
    } else {
        ""
    };
    with_zeros(conversion, prefix, digits)
}

fn float(conversion: &Conversion, value: f64) -> Vec<u8> {
    let prefix = sign(conversion, value.is_sign_negative());
    let upper = conversion.letter.is_ascii_uppercase();
    let magnitude = value.abs();
    let mut digits = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        let precision = conversion.precision.unwrap_or(6);
        match conversion.letter.to_ascii_lowercase() {
            b'f' => format!("{magnitude:.precision$}"),
            b'e' => exponential(magnitude, precision),
            b'g' => general(magnitude, precision.max(1), conversion.alternate),
            _ => hexadecimal(magnitude, conversion.precision),
        }
    };
    if upper {
        digits = digits.to_uppercase();
    }
    let wide = conversion.zero && !conversion.left && value.is_finite();
    let wanted = if wide {
        conversion.width.saturating_sub(prefix.len())
    } else {
        0
    };
    let zeros = "0".repeat(wanted.saturating_sub(digits.len()));
    format!("{prefix}{zeros}{digits}").into_bytes()
}

/// `1.5e+03`
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// The shorter of the two ways, without zeros at the end.
fn general(value: f64, precision: usize, keep_zeros: bool) -> String {
    let text = format!("{value:.*e}", precision - 1);
    let exponent: i32 = text
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let trim = |text: String| {
        if keep_zeros || !text.contains('.') {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if exponent < -4 || exponent >= precision as i32 {
        let text = exponential(value, precision - 1);
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        format!("{}e{exponent}", trim(digits.to_owned()))
    } else {
        let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
        trim(format!("{value:.decimals$}"))
    }
}

/// `0x1.8p+1`
fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    let bits = value.to_bits();
    let (mut exponent, mut fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let mut lead = u64::from(exponent != 0);
    exponent = if value == 0.0 {
        0
    } else {
        exponent.max(1) - 1023
    };
    if let Some(precision) = precision.filter(|p| *p < 13) {
        // To nearest even in the last digit that is kept.
        let drop = 52 - 4 * precision as u32;
        let whole = lead << 52 | fraction;
        let half = 1u64 << (drop - 1);
        let odd = whole >> drop & 1;
        let rounded = (whole + half - 1 + odd) >> drop << drop;
        (lead, fraction) = (rounded >> 52, rounded & ((1 << 52) - 1));
    }
    let mut digits = format!("{fraction:013x}");
    match precision {
        Some(precision) => {
            digits.truncate(precision);
            while digits.len() < precision {
                digits.push('0');
            }
        }
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

fn pad(out: &mut Vec<u8>, conversion: &Conversion, text: Vec<u8>) {
    let blanks = conversion.width.saturating_sub(text.len());
    if conversion.left {
        out.extend(text);
        out.extend(std::iter::repeat_n(b' ', blanks));
    } else {
        out.extend(std::iter::repeat_n(b' ', blanks));
        out.extend(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Buffer(Vec<u8>);

    impl Source for Buffer {
        type Error = ();
        fn value(&mut self, offset: u64, bytes: u32) -> Result<u64, ()> {
            let mut whole = [0; 8];
            let (at, count) = (offset as usize, bytes as usize);
            whole[..count].copy_from_slice(&self.0[at..at + count]);
            Ok(u64::from_le_bytes(whole))
        }

        fn text(&mut self, address: u64) -> Result<Vec<u8>, ()> {
            Ok(format!("text{address}").into_bytes())
        }
    }

    fn print(text: &str, values: &[(u64, usize)]) -> String {
        let mut buffer: Vec<u8> = Vec::new();
        for (value, bytes) in values {
            buffer.resize(buffer.len().next_multiple_of(*bytes), 0);
            buffer.extend(&value.to_le_bytes()[..*bytes]);
        }
        let (out, count) = format(text.as_bytes(), &mut Buffer(buffer)).unwrap();
        assert_eq!(count as usize, values.len());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn conversions() {
        assert_eq!(
            print("%d %u", &[(u64::from(-3i32 as u32), 4), (7, 4)]),
            "-3 7"
        );
        assert_eq!(
            print("[%5d|%-5d|%05d]", &[(42, 4), (42, 4), (42, 4)]),
            "[   42|42   |00042]"
        );
        assert_eq!(print("%lld", &[(-5i64 as u64, 8)]), "-5");
        assert_eq!(
            print("%#x %X %o", &[(255, 4), (255, 4), (8, 4)]),
            "0xff FF 10"
        );
        assert_eq!(print("%c%c", &[(104, 4), (105, 4)]), "hi");
        assert_eq!(
            print("%d %f", &[(1, 4), (1.5f64.to_bits(), 8)]),
            "1 1.500000"
        );
        assert_eq!(print("%.2e", &[(1234.5f64.to_bits(), 8)]), "1.23e+03");
        assert_eq!(
            print("%g %g", &[(0.0001f64.to_bits(), 8), (1e10f64.to_bits(), 8)]),
            "0.0001 1e+10"
        );
        assert_eq!(print("%+.1f", &[(2.25f64.to_bits(), 8)]), "+2.2");
        assert_eq!(print("%a", &[(3.0f64.to_bits(), 8)]), "0x1.8p+1");
        assert_eq!(print("%8.3s|", &[(5, 8)]), "     tex|");
        assert_eq!(print("%*d", &[(4, 4), (9, 4)]), "   9");
        assert_eq!(print("100%%", &[]), "100%");
    }
}
