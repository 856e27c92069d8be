//! Numbers as nvdisasm prints them.

/// A floating-point number. Infinities, the negative zero and what is not a number have a blank after them.
pub fn float(value: f64, is_quiet: bool) -> String {
    let sign = if value.is_sign_negative() { '-' } else { '+' };
    if value.is_nan() {
        let kind = if is_quiet { "QNAN" } else { "SNAN" };
        return format!("{sign}{kind} ");
    }
    if value.is_infinite() {
        return format!("{sign}INF ");
    }
    if value == 0.0 {
        return if sign == '-' { "-0.0 " } else { "0" }.to_owned();
    }
    // Twenty digits after the point from a thousand million on, twenty digits in all below.
    if value.abs() >= 1e9 {
        return exponent_form(&format!("{value:.20e}"), false);
    }
    let exact = format!("{value:.19e}");
    let exponent: i32 = exact
        .rsplit_once('e')
        .and_then(|parts| parts.1.parse().ok())
        .unwrap_or(0);
    if exponent < -4 {
        return exponent_form(&exact, true);
    }
    let decimals = usize::try_from(19 - exponent).unwrap_or(0);
    let fixed = format!("{value:.decimals$}");
    trimmed(&fixed).to_owned()
}

/// Without zeros at the end, and without a point that nothing follows.
fn trimmed(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

/// `1.5e-7` as C writes it: `1.5e-07`.
fn exponent_form(text: &str, trim: bool) -> String {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = if trim { trimmed(digits) } else { digits };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// Reads what [`float`] writes: the number at the start of a text, its kind of not-a-number, and its length.
pub fn read_float(text: &str) -> Option<(Read, usize)> {
    for (word, read) in [
        ("+INF", Read::Number(f64::INFINITY)),
        ("-INF", Read::Number(f64::NEG_INFINITY)),
        ("+QNAN", Read::Quiet(false)),
        ("-QNAN", Read::Quiet(true)),
        ("+SNAN", Read::Signaling(false)),
        ("-SNAN", Read::Signaling(true)),
    ] {
        if let Some(rest) = text.strip_prefix(word) {
            let blank = usize::from(rest.starts_with(' '));
            return Some((read, word.len() + blank));
        }
    }
    if let Some(rest) = text.strip_prefix("0f") {
        let length = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let bits = u32::from_str_radix(&rest[..length], 16).ok()?;
        return Some((Read::Bits(bits.into()), 2 + length));
    }
    let bytes = text.as_bytes();
    let mut end = usize::from(bytes.first() == Some(&b'-'));
    let start = end;
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    // What follows a point that no digit follows is another part of the operand.
    while is_digit(end) || bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
        end += 1;
    }
    if end == start {
        return None;
    }
    if bytes.get(end) == Some(&b'e') && matches!(bytes.get(end + 1), Some(b'+' | b'-')) {
        end += 2;
        while bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
    }
    let number: f64 = text[..end].parse().ok()?;
    let blank = number == 0.0 && start == 1 && bytes.get(end) == Some(&b' ');
    Some((Read::Number(number), end + usize::from(blank)))
}

/// A floating-point number that was read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Read {
    /// A number.
    Number(f64),
    /// A quiet NaN, and whether its sign is set.
    Quiet(bool),
    /// A signaling NaN, and whether its sign is set.
    Signaling(bool),
    /// Bits.
    Bits(u64),
}

/// The formats that instructions have constants of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// 16 bits.
    F16,
    /// 16 bits with the exponent of 32.
    Bf16,
    /// 32 bits.
    F32,
    /// The upper 32 of 64 bits.
    F64,
}

impl Format {
    /// How many bits a constant has.
    pub fn bits(self) -> u32 {
        match self {
            Format::F16 | Format::Bf16 => 16,
            Format::F32 | Format::F64 => 32,
        }
    }

    /// A constant from its bits, as text.
    pub fn text(self, bits: u64) -> String {
        let (value, quiet) = match self {
            Format::F32 => (f64::from(f32::from_bits(bits as u32)), bits & 1 << 22 != 0),
            Format::Bf16 => (
                f64::from(f32::from_bits((bits as u32) << 16)),
                bits & 1 << 6 != 0,
            ),
            Format::F64 => (f64::from_bits(bits << 32), bits & 1 << 19 != 0),
            Format::F16 => (half(bits as u16), bits & 1 << 9 != 0),
        };
        // A signaling NaN may have become quiet on the way, but keeps its sign.
        float(value, quiet)
    }

    /// A constant from its bits, as a text that gives the same bits: what is not a number, and not the usual one, as
    /// `0f7fffffff`.
    pub fn full_text(self, bits: u64) -> String {
        let text = self.text(bits);
        let same = read_float(&text).and_then(|(read, _)| self.bits_of(read)) == Some(bits);
        if same { text } else { format!("0f{bits:x}") }
    }

    /// The bits of a number that was read; nothing if the format does not have it.
    pub fn bits_of(self, read: Read) -> Option<u64> {
        let (all, quiet, signaling, sign) = match self {
            Format::F16 => (0x7c00, 0x7e00, 0x7c01, 15),
            Format::Bf16 => (0x7f80, 0x7fc0, 0x7f81, 15),
            Format::F32 => (0x7f80_0000, 0x7fc0_0000, 0x7f80_0001, 31),
            Format::F64 => (0x7ff0_0000, 0x7ff8_0000, 0x7ff0_0001, 31),
        };
        let signed = |bits: u64, negative: bool| bits | u64::from(negative) << sign;
        let number = match read {
            Read::Quiet(negative) => return Some(signed(quiet, negative)),
            Read::Signaling(negative) => return Some(signed(signaling, negative)),
            Read::Bits(bits) => return (bits >> self.bits() == 0).then_some(bits),
            Read::Number(number) => number,
        };
        if number.is_infinite() {
            return Some(signed(all, number < 0.0));
        }
        let bits = match self {
            Format::F32 => u64::from((number as f32).to_bits()),
            Format::Bf16 => u64::from((number as f32).to_bits()) >> 16,
            // Twenty digits say the upper half and a little more: round to it.
            Format::F64 => number.to_bits().wrapping_add(1 << 31) >> 32,
            Format::F16 => half_bits(number)?,
        };
        Some(bits)
    }
}

/// The value of a half-precision number.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN.copysign(sign),
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// The bits of a number that half precision has.
fn half_bits(value: f64) -> Option<u64> {
    let sign = u64::from(value.is_sign_negative()) << 15;
    let value = value.abs();
    // The exponent of a normal number; all smaller ones share the smallest.
    let exponent = ((value.to_bits() >> 52) as i32 - 1023).max(-14);
    let units = value * 2f64.powi(10 - exponent);
    // The leading one of a normal number counts the exponent up.
    let bits = (exponent + 14) as u64 * 1024 + units as u64;
    (units.fract() == 0.0 && bits < 0x7c00).then_some(sign | bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_testkit::Random;

    #[test]
    fn as_nvdisasm_prints_them() {
        let cases = [
            (1e8, "100000000"),
            (1e9, "1.00000000000000000000e+09"),
            (f64::from(1e15f32), "9.99999986991104000000e+14"),
            (123456.703125, "123456.703125"),
            (f64::from(1e-4f32), "9.9999997473787516356e-05"),
            (f64::from(0.00012345f32), "0.00012344999413471668959"),
            (f64::from(1e-45f32), "1.4012984643248170709e-45"),
            (-0.0, "-0.0 "),
            (0.0, "0"),
            (f64::NEG_INFINITY, "-INF "),
        ];
        for (value, text) in cases {
            assert_eq!(float(value, true), text);
            let (read, length) = read_float(text).unwrap();
            assert_eq!(length, text.len());
            let Read::Number(number) = read else {
                panic!("{text}")
            };
            assert_eq!(number, value, "{text}");
        }
    }

    #[test]
    fn every_half_comes_back() {
        for bits in 0..=u16::MAX {
            let text = Format::F16.full_text(bits.into());
            let (read, length) = read_float(&text).unwrap();
            assert_eq!(length, text.len());
            let back = Format::F16.bits_of(read).unwrap();
            assert_eq!(back, u64::from(bits), "{bits:04x} {text}");
        }
    }

    #[test]
    fn words_come_back() {
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let bits = random.bits() >> 32;
            for format in [Format::F32, Format::F64] {
                let text = format.full_text(bits);
                let (read, _) = read_float(&text).unwrap();
                let back = format.bits_of(read);
                assert_eq!(back, Some(bits), "{format:?} {bits:x} {text}");
            }
        }
    }
}
