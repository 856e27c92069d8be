//! Literals and constant expressions.
//!
//! PTX evaluates constant expressions with 64-bit integers, signed or unsigned, or with doubles;
//! the value is all that stays of them.

use super::{Failed, Parse, Parser, shorten};
use crate::inst::Int;
use crate::lex::TokenKind;
use warpc_diag::{Span, codes};

/// The value of a constant expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Constant {
    Int(Int),
    F32(u32),
    F64(u64),
}

/// Parentheses and operators may nest this deeply.
const MAX_DEPTH: usize = 100;

impl Parser<'_> {
    /// An expression that must be an integer.
    pub(super) fn int(&mut self) -> Parse<Int> {
        let start = self.token.span;
        match self.constant()? {
            Constant::Int(int) => Ok(int),
            _ => Err(self.fail(
                codes::BAD_IMMEDIATE,
                self.since(start),
                "expected an integer, found a floating-point number",
                "write an integer",
            )),
        }
    }

    /// A single integer literal or `WARP_SZ`: all that directives take.
    pub(super) fn unsigned(&mut self) -> Parse<u64> {
        let start = self.token.span;
        let value = match self.token.kind {
            TokenKind::Number => self.number()?,
            TokenKind::Ident if self.text() == "WARP_SZ" => self.unary(0)?,
            _ => return Err(self.unexpected("an integer")),
        };
        Ok(self.integer(value, start)?.bits)
    }

    /// A single integer literal, as written.
    pub(super) fn literal(&mut self) -> Parse<Int> {
        let start = self.token.span;
        if self.token.kind != TokenKind::Number {
            return Err(self.unexpected("an integer"));
        }
        let value = self.number()?;
        self.integer(value, start)
    }

    /// A literal below 2³²: the numbers of `.file` and `.loc`.
    pub(super) fn word(&mut self) -> Parse<u64> {
        let span = self.token.span;
        let value = self.unsigned()?;
        if value > u64::from(u32::MAX) {
            let help = "numbers of files, lines and columns have 32 bits";
            let message = format!("{value} is too large");
            return Err(self.fail(codes::BAD_IMMEDIATE, span, message, help));
        }
        Ok(value)
    }

    /// Any constant expression.
    pub(super) fn constant(&mut self) -> Parse<Constant> {
        // Nearly all constants are a single number.
        if self.token.kind == TokenKind::Number {
            let value = self.number()?;
            if matches!(
                self.token.kind,
                TokenKind::Punct(b',' | b';' | b']' | b'}' | b')')
            ) {
                return Ok(value);
            }
            return self.after_operand(value, 0, 0).map(printable);
        }
        self.ternary(0).map(printable)
    }

    fn ternary(&mut self, depth: usize) -> Parse<Constant> {
        let first = self.unary(depth)?;
        self.after_operand(first, 0, depth)
    }

    /// Binary operators of at least this strength, and `?:`.
    fn after_operand(&mut self, mut left: Constant, min: u8, depth: usize) -> Parse<Constant> {
        loop {
            let start = self.token.span;
            let Some((operator, strength, len)) = self.binary_operator() else {
                break;
            };
            if strength < min {
                break;
            }
            self.check_depth(depth)?;
            for _ in 0..len {
                self.advance();
            }
            if operator == b'?' {
                let yes = self.ternary(depth + 1)?;
                self.expect(b':')?;
                let no = self.ternary(depth + 1)?;
                let (yes, no) = (self.integer(yes, start)?, self.integer(no, start)?);
                let chosen = if self.truth(left, start)? { yes } else { no };
                left = Constant::Int(chosen);
                continue;
            }
            let right = self.unary(depth + 1)?;
            let right = self.after_operand(right, strength + 1, depth + 1)?;
            left = self.apply(operator, left, right, start)?;
        }
        Ok(left)
    }

    /// The operator at the current token: its sign (a letter for those of two bytes), its strength
    /// and its length in tokens.
    fn binary_operator(&self) -> Option<(u8, u8, usize)> {
        let TokenKind::Punct(byte) = self.token.kind else {
            return None;
        };
        Some(match (byte, self.lexer.byte_at(self.token.span.end)) {
            (b'|', Some(b'|')) => (b'O', 2, 2),
            (b'&', Some(b'&')) => (b'A', 3, 2),
            (b'=', Some(b'=')) => (b'=', 7, 2),
            (b'!', Some(b'=')) => (b'N', 7, 2),
            (b'<', Some(b'<')) => (b'L', 9, 2),
            (b'>', Some(b'>')) => (b'R', 9, 2),
            (b'<', Some(b'=')) => (b'l', 8, 2),
            (b'>', Some(b'=')) => (b'g', 8, 2),
            (b'?', _) => (b'?', 1, 1),
            (b'|', _) => (b'|', 4, 1),
            (b'^', _) => (b'^', 5, 1),
            (b'&', _) => (b'&', 6, 1),
            (b'<', _) => (b'<', 8, 1),
            (b'>', _) => (b'>', 8, 1),
            (b'+' | b'-', _) => (byte, 10, 1),
            (b'*' | b'/' | b'%', _) => (byte, 11, 1),
            _ => return None,
        })
    }

    fn check_depth(&mut self, depth: usize) -> Parse<()> {
        if depth < MAX_DEPTH {
            return Ok(());
        }
        let message = format!("a constant expression nests more than {MAX_DEPTH} levels deep");
        let help = "compute parts of it beforehand";
        Err(self.fail(codes::TOO_DEEP, self.token.span, message, help))
    }

    fn unary(&mut self, depth: usize) -> Parse<Constant> {
        self.check_depth(depth)?;
        let start = self.token.span;
        match self.token.kind {
            TokenKind::Number => self.number(),
            TokenKind::Dotted if self.text().as_bytes()[1].is_ascii_digit() => {
                self.token.span = self.lexer.renumber(start.start);
                self.number()
            }
            TokenKind::Ident if self.text() == "WARP_SZ" => {
                self.advance();
                Ok(Constant::Int(Int {
                    bits: 32,
                    unsigned: true,
                    hex: false,
                }))
            }
            TokenKind::Punct(b'(') => {
                self.advance();
                let cast = match self.text() {
                    ".s64" => Some(false),
                    ".u64" => Some(true),
                    _ => None,
                };
                if let Some(unsigned) = cast {
                    self.advance();
                    self.expect(b')')?;
                    let value = self.unary(depth + 1)?;
                    let int = self.integer(value, start)?;
                    return Ok(Constant::Int(Int { unsigned, ..int }));
                }
                let value = self.ternary(depth + 1)?;
                self.expect(b')')?;
                Ok(value)
            }
            TokenKind::Punct(sign @ (b'-' | b'+' | b'!' | b'~')) => {
                self.advance();
                let bare = self.token.kind == TokenKind::Number;
                let value = self.unary(depth + 1)?;
                if bare && matches!(value, Constant::F32(_)) {
                    let help = "write it in parentheses, or set the sign bit";
                    let message = "PTX has no sign before a 0f literal";
                    return Err(self.fail(codes::SYNTAX, self.since(start), message, help));
                }
                self.apply_sign(sign, value, start)
            }
            _ => Err(self.unexpected("a constant")),
        }
    }

    fn apply_sign(&mut self, sign: u8, value: Constant, start: Span) -> Parse<Constant> {
        Ok(match (sign, value) {
            (b'+', value) => value,
            (b'-', Constant::F32(bits)) => Constant::F32(bits ^ 1 << 31),
            (b'-', Constant::F64(bits)) => Constant::F64(bits ^ 1 << 63),
            (b'-', Constant::Int(int)) => Constant::Int(int.negated()),
            (b'!', value) => {
                let zero = !self.truth(value, start)?;
                Constant::Int(Int::signed(zero.into()))
            }
            (_, value) => {
                let int = self.integer(value, start)?;
                Constant::Int(Int {
                    bits: !int.bits,
                    ..int
                })
            }
        })
    }

    fn truth(&mut self, value: Constant, start: Span) -> Parse<bool> {
        Ok(self.integer(value, start)?.bits != 0)
    }

    fn integer(&mut self, value: Constant, start: Span) -> Parse<Int> {
        match value {
            Constant::Int(int) => Ok(int),
            _ => Err(self.integers_only(start)),
        }
    }

    fn integers_only(&mut self, start: Span) -> Failed {
        let message = "this operator takes integers only";
        let help = "floating-point numbers are added, subtracted, multiplied, divided and compared";
        self.fail(codes::BAD_IMMEDIATE, self.since(start), message, help)
    }

    fn division_by_zero(&mut self, start: Span) -> Failed {
        let help = "the right side must not be zero";
        self.fail(
            codes::BAD_IMMEDIATE,
            self.since(start),
            "division by zero",
            help,
        )
    }

    fn apply(
        &mut self,
        operator: u8,
        left: Constant,
        right: Constant,
        start: Span,
    ) -> Parse<Constant> {
        if !matches!((left, right), (Constant::Int(_), Constant::Int(_))) {
            return self.apply_float(operator, left, right, start);
        }
        let (a, b) = (self.integer(left, start)?, self.integer(right, start)?);
        // As in C, one unsigned side makes both unsigned; shifts keep the left side's type.
        let unsigned = a.unsigned || b.unsigned;
        let (x, y) = (a.bits, b.bits);
        let (sx, sy) = (x as i64, y as i64);
        let truth = |value: bool| Int::signed(value.into());
        let less = if unsigned { x < y } else { sx < sy };
        let value = |bits: u64| Int {
            bits,
            unsigned,
            hex: a.hex,
        };
        Ok(Constant::Int(match operator {
            b'+' => value(x.wrapping_add(y)),
            b'-' => value(x.wrapping_sub(y)),
            b'*' => value(x.wrapping_mul(y)),
            b'/' | b'%' if y == 0 => {
                return Err(self.division_by_zero(start));
            }
            b'/' if unsigned => value(x / y),
            b'/' => value(sx.wrapping_div(sy) as u64),
            // Remainders are unsigned always: `-7 % 3` is 0.
            b'%' => value(x % y),
            b'&' => value(x & y),
            b'|' => value(x | y),
            b'^' => value(x ^ y),
            b'L' => Int {
                bits: x.checked_shl(y.min(64) as u32).unwrap_or(0),
                ..a
            },
            b'R' if a.unsigned => Int {
                bits: x.checked_shr(y.min(64) as u32).unwrap_or(0),
                ..a
            },
            b'R' => Int {
                bits: (sx >> y.min(63)) as u64,
                ..a
            },
            b'<' => truth(less),
            b'g' => truth(!less),
            b'>' => truth(!less && x != y),
            b'l' => truth(less || x == y),
            b'=' => truth(x == y),
            b'N' => truth(x != y),
            b'A' => truth(x != 0 && y != 0),
            b'O' => truth(x != 0 || y != 0),
            _ => return Err(self.unexpected("an operator")),
        }))
    }

    fn apply_float(
        &mut self,
        operator: u8,
        left: Constant,
        right: Constant,
        start: Span,
    ) -> Parse<Constant> {
        let (Constant::F64(x), Constant::F64(y)) = (left, right) else {
            let message = "integers and floating-point numbers do not mix in one expression";
            let help = "write both as integers or both with a decimal point";
            return Err(self.fail(codes::BAD_IMMEDIATE, self.since(start), message, help));
        };
        let (x, y) = (f64::from_bits(x), f64::from_bits(y));
        let truth = |value: bool| Ok(Constant::Int(Int::signed(value.into())));
        let value = match operator {
            b'+' => x + y,
            b'-' => x - y,
            b'*' => x * y,
            b'/' if y == 0.0 => {
                return Err(self.division_by_zero(start));
            }
            b'/' => x / y,
            b'<' => return truth(x < y),
            b'>' => return truth(x > y),
            b'l' => return truth(x <= y),
            b'g' => return truth(x >= y),
            b'=' => return truth(x == y),
            b'N' => return truth(x != y),
            _ => {
                return Err(self.integers_only(start));
            }
        };
        Ok(Constant::F64(value.to_bits()))
    }

    fn number(&mut self) -> Parse<Constant> {
        let token = self.advance();
        if let Some(bits) = small_decimal(self.lexer.slice(token.span)) {
            return Ok(Constant::Int(Int {
                bits,
                unsigned: false,
                hex: false,
            }));
        }
        let text = self.lexer.text(token.span);
        match literal(text) {
            Ok(value) => Ok(value),
            Err(message) => {
                let help = "literals: 12, 0x1F, 017, 0b101, each with an optional U; 1.5e3, 0f3F800000, 0d3FF0000000000000";
                Err(self.fail(codes::BAD_TOKEN, token.span, message, help))
            }
        }
    }
}

/// A negative number is not printed in hexadecimal, where it would read as a large one.
fn printable(value: Constant) -> Constant {
    match value {
        Constant::Int(int) => Constant::Int(Int {
            hex: int.hex && (int.unsigned || int.bits <= i64::MAX as u64),
            ..int
        }),
        float => float,
    }
}

fn literal(text: &str) -> Result<Constant, String> {
    let bytes = text.as_bytes();
    if let Some(digits) = strip_either(text, "0f", "0F") {
        return exact_hex(digits, 8)
            .map(|bits| Constant::F32(bits as u32))
            .ok_or_else(|| {
                format!(
                    "`{}` is not a single-precision number: 0f takes exactly 8 hexadecimal digits",
                    shorten(text)
                )
            });
    }
    if let Some(digits) = strip_either(text, "0d", "0D") {
        return exact_hex(digits, 16).map(Constant::F64).ok_or_else(|| {
            format!(
                "`{}` is not a double-precision number: 0d takes exactly 16 hexadecimal digits",
                shorten(text)
            )
        });
    }
    let hex = strip_either(text, "0x", "0X");
    if hex.is_none() && bytes.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) {
        return match text.parse::<f64>() {
            Ok(value) if value.is_normal() || is_zero(text) => Ok(Constant::F64(value.to_bits())),
            Ok(_) => Err(format!(
                "`{}` is beyond the range of a double",
                shorten(text)
            )),
            Err(_) => Err(format!("`{}` is not a number", shorten(text))),
        };
    }
    let (body, unsigned) = match text.strip_suffix('U') {
        Some(body) => (body, true),
        None => (text, false),
    };
    let (digits, radix) = if let Some(digits) = strip_either(body, "0x", "0X") {
        (digits, 16)
    } else if let Some(digits) = strip_either(body, "0b", "0B") {
        (digits, 2)
    } else if body.len() > 1 && body.starts_with('0') {
        (&body[1..], 8)
    } else {
        (body, 10)
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(format!("`{}` is not a number", shorten(text)));
    }
    match u64::from_str_radix(digits, radix) {
        // A literal beyond the signed range is unsigned by itself.
        Ok(bits) => Ok(Constant::Int(Int {
            bits,
            unsigned: unsigned || bits > i64::MAX as u64,
            hex: radix != 10,
        })),
        Err(_) => Err(format!("`{}` does not fit into 64 bits", shorten(text))),
    }
}

/// A plain decimal number, as nearly all are: no sign, prefix or suffix, and surely within range.
fn small_decimal(bytes: &[u8]) -> Option<u64> {
    let plain = bytes.len() <= 18 && (bytes[0] != b'0' || bytes.len() == 1);
    if !plain || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(
        bytes
            .iter()
            .fold(0, |value, digit| value * 10 + u64::from(digit - b'0')),
    )
}

/// Whether every digit before the exponent is zero.
fn is_zero(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or("");
    !mantissa.bytes().any(|b| matches!(b, b'1'..=b'9'))
}

fn strip_either<'t>(text: &'t str, lower: &str, upper: &str) -> Option<&'t str> {
    text.strip_prefix(lower)
        .or_else(|| text.strip_prefix(upper))
}

fn exact_hex(digits: &str, len: usize) -> Option<u64> {
    let hex = digits.len() == len && digits.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}
