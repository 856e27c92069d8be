//! Tokens, instructions, operands.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier, with its `%` or `$`.
    Word,
    /// `.word` or `.word::word`: a directive, a modifier or a component.
    Dot,
    /// A number.
    Number,
    /// A string with its quotes.
    Text,
    /// One character of punctuation.
    Mark,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Byte range in the text.
    pub range: Range<usize>,
}

/// Cuts a text into tokens; comments and blanks vanish.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'$';
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..]
                    .find("*/")
                    .map_or(bytes.len(), |n| at + n + 4);
                continue;
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += 1;
                }
                at = (at + 1).min(bytes.len());
                Kind::Text
            }
            b'.' if bytes.get(at + 1).is_some_and(|c| word(*c)) => {
                at += 1;
                while at < bytes.len()
                    && (word(bytes[at])
                        || bytes[at..].starts_with(b"::")
                        || bytes[at - 1..].starts_with(b"::"))
                {
                    at += 1;
                }
                Kind::Dot
            }
            c if c.is_ascii_digit() => {
                while at < bytes.len() && word(bytes[at]) {
                    at += 1;
                }
                // A decimal point, but not the component of `1.x`.
                if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
                {
                    at += 1;
                    while at < bytes.len() && word(bytes[at]) {
                        at += 1;
                    }
                }
                Kind::Number
            }
            c if word(c) || c == b'%' => {
                at += 1;
                while at < bytes.len() && word(bytes[at]) {
                    at += 1;
                }
                Kind::Word
            }
            _ => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                Kind::Mark
            }
        };
        out.push(Token {
            kind,
            range: start..at,
        });
    }
    out
}

/// An operand: its bytes and its tokens.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Byte range.
    pub range: Range<usize>,
    /// Its tokens.
    pub tokens: Vec<Token>,
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// The guard, `@%p1` or `@!%p1`, if any.
    pub guard: Option<Range<usize>>,
    /// The opcode's word.
    pub opcode: Range<usize>,
    /// Its modifiers.
    pub mods: Vec<Range<usize>>,
    /// Its operands.
    pub operands: Vec<Operand>,
    /// From the guard to the semicolon, inclusive.
    pub range: Range<usize>,
}

impl Inst {
    /// The opcode with its modifiers, as written.
    pub fn mnemonic<'t>(&self, text: &'t str) -> &'t str {
        &text[self.opcode.start..self.mods.last().map_or(self.opcode.end, |m| m.end)]
    }
}

/// Finds the instructions in the bodies of a module's functions, and its labels.
pub fn instructions(text: &str) -> (Vec<Inst>, Vec<Range<usize>>) {
    let all = tokens(text);
    let mark = |i: usize, m: &str| {
        all.get(i)
            .is_some_and(|t| t.kind == Kind::Mark && &text[t.range.clone()] == m)
    };
    let (mut insts, mut labels) = (Vec::new(), Vec::new());
    let (mut i, mut depth) = (0, 0usize);
    while i < all.len() {
        if mark(i, "{") {
            depth += 1;
            i += 1;
        } else if mark(i, "}") {
            depth = depth.saturating_sub(1);
            i += 1;
        } else if depth == 0 || mark(i, ";") {
            i += 1;
        } else if all[i].kind == Kind::Word && mark(i + 1, ":") {
            labels.push(all[i].range.clone());
            i += 2;
        } else {
            // A statement: everything to its semicolon.
            let end = (i..all.len()).find(|&k| mark(k, ";")).unwrap_or(all.len());
            if all[i].kind != Kind::Dot
                && end < all.len()
                && let Some(inst) = instruction(text, &all[i..end], all[end].range.end)
            {
                insts.push(inst);
            }
            i = end + 1;
        }
    }
    (insts, labels)
}

fn instruction(text: &str, tokens: &[Token], end: usize) -> Option<Inst> {
    let is = |t: &Token, m: &str| t.kind == Kind::Mark && &text[t.range.clone()] == m;
    let start = tokens.first()?.range.start;
    let mut at = 0;
    let mut guard = None;
    if is(&tokens[0], "@") {
        at = if tokens.get(1).is_some_and(|t| is(t, "!")) {
            3
        } else {
            2
        };
        guard = Some(start..tokens.get(at - 1)?.range.end);
    }
    let opcode = tokens
        .get(at)
        .filter(|t| t.kind == Kind::Word)?
        .range
        .clone();
    at += 1;
    let mut mods = Vec::new();
    while let Some(t) = tokens.get(at).filter(|t| t.kind == Kind::Dot) {
        mods.push(t.range.clone());
        at += 1;
    }
    let mut operands = Vec::new();
    let mut depth = 0;
    let mut current: Vec<Token> = Vec::new();
    let mut finish = |tokens: &mut Vec<Token>| {
        if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
            let range = first.range.start..last.range.end;
            operands.push(Operand {
                range,
                tokens: std::mem::take(tokens),
            });
        }
    };
    for t in &tokens[at..] {
        if ["[", "{", "("].iter().any(|m| is(t, m)) {
            depth += 1;
        } else if ["]", "}", ")"].iter().any(|m| is(t, m)) {
            depth -= 1;
        }
        if depth == 0 && is(t, ",") {
            finish(&mut current);
        } else {
            current.push(t.clone());
        }
    }
    finish(&mut current);
    Some(Inst {
        guard,
        opcode,
        mods,
        operands,
        range: start..end,
    })
}

/// Line and column of a byte, both from 1; the column counts bytes.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    (line, at - before.rfind('\n').map_or(0, |n| n + 1) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_cut_at_their_seams() {
        let text = ".entry k() { L: @!%p1 ld.shared::cta.v2.u32 {%r1, %r2}, [%rd1+4]; { bra L; } }";
        let (insts, labels) = instructions(text);
        assert_eq!(labels.len(), 1);
        assert_eq!(insts.len(), 2);
        assert_eq!(insts[0].mnemonic(text), "ld.shared::cta.v2.u32");
        let operands: Vec<&str> = insts[0]
            .operands
            .iter()
            .map(|o| &text[o.range.clone()])
            .collect();
        assert_eq!(operands, ["{%r1, %r2}", "[%rd1+4]"]);
        assert_eq!(&text[insts[0].guard.clone().unwrap_or_default()], "@!%p1");
    }
}
