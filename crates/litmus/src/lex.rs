//! Tokens of litmus tests.

use warpc_diag::{Diagnostic, SourceFile, Span, codes};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind<'s> {
    /// A name or keyword.
    Word(&'s str),
    /// A number without its sign.
    Number(u64),
    /// Punctuation.
    Sign(&'static str),
    /// A text in quotes.
    Quoted,
    /// The end.
    End,
}

/// A token and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'s> {
    /// What it is.
    pub kind: Kind<'s>,
    /// Where.
    pub span: Span,
}

/// Longer ones first.
const SIGNS: [&str; 27] = [
    "/\\", "\\/", "==", "!=", "<=", ">=", "&&", "||", "{", "}", "(", ")", "[", "]", ";", ",", "|",
    ":", "@", "=", "<", ">", "~", ".", "-", "&", "!",
];

/// The tokens of a text; the last one is the end. Text before the first brace may be anything, as it describes the test:
/// what is not a token there is skipped.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, Box<Diagnostic>> {
    tokens_after(text, true)
}

fn tokens_after(text: &str, mut in_header: bool) -> Result<Vec<Token<'_>>, Box<Diagnostic>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let span = |len: usize| Span::new(at as u32, (at + len) as u32);
        let byte = bytes[at];
        let len = if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        } else if let Some(comment) = comment(rest) {
            match comment {
                Some(len) => at += len,
                None => {
                    let found =
                        Diagnostic::error(codes::LITMUS_SYNTAX, span(2), "a comment has no end");
                    return Err(Box::new(found.help("comments end with `*)`")));
                }
            }
            continue;
        } else if byte == b'"' {
            let Some(end) = rest[1..].find('"') else {
                let found =
                    Diagnostic::error(codes::LITMUS_SYNTAX, span(1), "a text in quotes has no end");
                return Err(Box::new(found.help("close it with `\"`")));
            };
            tokens.push(Token {
                kind: Kind::Quoted,
                span: span(end + 2),
            });
            end + 2
        } else if byte.is_ascii_alphabetic() || byte == b'_' || byte == b'%' {
            // Registers of PTX begin with a percent sign.
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '%';
            let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            tokens.push(Token {
                kind: Kind::Word(&rest[..len]),
                span: span(len),
            });
            len
        } else if byte.is_ascii_digit() {
            let len = rest
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(rest.len());
            let digits = &rest[..len];
            let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => digits.parse().ok(),
            };
            match number {
                Some(number) => tokens.push(Token {
                    kind: Kind::Number(number),
                    span: span(len),
                }),
                None if in_header => {}
                None => {
                    let message = format!("`{digits}` is not a number of 64 bits");
                    let found = Diagnostic::error(codes::LITMUS_SYNTAX, span(len), message);
                    return Err(Box::new(
                        found.help("numbers are decimal, or hexadecimal after `0x`"),
                    ));
                }
            }
            len
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            in_header &= *sign != "{";
            tokens.push(Token {
                kind: Kind::Sign(sign),
                span: span(sign.len()),
            });
            sign.len()
        } else {
            let character = rest.chars().next().unwrap_or(' ');
            if !in_header {
                let message = format!("`{character}` does not belong to a litmus test");
                let span = span(character.len_utf8());
                return Err(Box::new(Diagnostic::error(
                    codes::LITMUS_SYNTAX,
                    span,
                    message,
                )));
            }
            character.len_utf8()
        };
        at += len;
    }
    let end = bytes.len() as u32;
    tokens.push(Token {
        kind: Kind::End,
        span: Span::new(end, end),
    });
    Ok(tokens)
}

/// The length of a comment at the start of a text: of lines, or between `(*` and `*)`, which may nest. `Some(None)` if it
/// has no end.
fn comment(text: &str) -> Option<Option<usize>> {
    if text.starts_with("//") {
        return Some(Some(text.find('\n').unwrap_or(text.len())));
    }
    if !text.starts_with("(*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"(*" => depth += 1,
            b"*)" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Some(Some(at));
        }
    }
    Some(None)
}

/// A file as text; what is not UTF-8 is an error.
pub fn text(file: &SourceFile) -> Result<&str, Box<Diagnostic>> {
    std::str::from_utf8(file.bytes()).map_err(|error| {
        let at = error.valid_up_to() as u32;
        let span = Span::new(at, at + 1);
        let message = "the text is not UTF-8";
        Box::new(Diagnostic::error(codes::LITMUS_SYNTAX, span, message))
    })
}

/// The tokens of a condition that stands alone; places count from an offset of the file.
pub fn condition_tokens(text: &str, offset: u32) -> Result<Vec<Token<'_>>, Box<Diagnostic>> {
    let moved = |span: Span| Span::new(span.start + offset, span.end + offset);
    let mut found = tokens_after(text, false).map_err(|mut error| {
        error.span = moved(error.span);
        error
    })?;
    for token in &mut found {
        token.span = moved(token.span);
    }
    Ok(found)
}
