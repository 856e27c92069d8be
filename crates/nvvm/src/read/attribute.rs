//! Attributes and attribute groups.
//!
//! One table names all attributes of LLVM 7 to 22 and says what stands after each. Those that newer
//! versions replaced are replaced as they are read: `nocapture` by `captures(none)`, `readonly` and
//! its kin on functions by `memory(…)`.

use super::constant::MAX_DECIMAL_DIGITS;
use super::{Parse, Reader, number};
use crate::attribute::words::wrong_words;
use crate::attribute::{AttrId, AttrSet, Attribute};
use crate::constant::ConstId;
use crate::inst::Align;
use crate::lex::{TokenKind, is_hex_int};
use crate::types::{Type, TypeId};
use crate::verify::attribute::is_not_for_functions;
use smallvec::SmallVec;
use warpc_diag::codes;

/// What stands after the name of an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Nothing.
    Flag,
    /// `(N)`
    Int,
    /// `N` or `(N)`, in a group `=N`: `align`.
    Align,
    /// `(N)`, in a group `=N`: `alignstack`.
    StackAlign,
    /// `(T)`; before LLVM 12 nothing, and the type is that of the pointee.
    Type,
    /// `(words)`.
    Words,
    /// `(words)` or nothing.
    MaybeWords,
    /// `(T a, b)`
    Range,
    /// A promise about memory that became part of `memory(…)` on functions.
    OldMemory(u16),
}

/// Effects on memory: two bits (read, write) for each of argument, inaccessible and other memory.
const ARG: u16 = 0b11;
const INACCESSIBLE: u16 = 0b11 << 2;
const OTHER: u16 = 0b11 << 4;
const ALL_READ: u16 = 0b01_01_01;
const ALL_WRITE: u16 = 0b10_10_10;
const EVERYTHING: u16 = ARG | INACCESSIBLE | OTHER;

/// The attributes, sorted by name.
const TABLE: &[(&str, Shape)] = {
    use Shape::*;
    &[
        ("align", Align),
        ("alignstack", StackAlign),
        ("allocalign", Flag),
        ("allockind", Words),
        ("allocptr", Flag),
        ("allocsize", Words),
        ("alwaysinline", Flag),
        ("argmemonly", OldMemory(ARG)),
        ("builtin", Flag),
        ("byref", Type),
        ("byval", Type),
        ("captures", Words),
        ("cold", Flag),
        ("convergent", Flag),
        ("coro_elide_safe", Flag),
        ("coro_only_destroy_when_complete", Flag),
        ("dead_on_return", MaybeWords),
        ("dead_on_unwind", Flag),
        ("denormal_fpenv", Words),
        ("dereferenceable", Int),
        ("dereferenceable_or_null", Int),
        ("disable_sanitizer_instrumentation", Flag),
        ("elementtype", Type),
        ("flatten", Flag),
        ("fn_ret_thunk_extern", Flag),
        ("hot", Flag),
        ("hybrid_patchable", Flag),
        ("immarg", Flag),
        (
            "inaccessiblemem_or_argmemonly",
            OldMemory(ARG | INACCESSIBLE),
        ),
        ("inaccessiblememonly", OldMemory(INACCESSIBLE)),
        ("inalloca", Type),
        ("initializes", Words),
        ("inlinehint", Flag),
        ("inreg", Flag),
        ("jumptable", Flag),
        ("memory", Words),
        ("minsize", Flag),
        ("mustprogress", Flag),
        ("naked", Flag),
        ("nest", Flag),
        ("noalias", Flag),
        ("nobuiltin", Flag),
        ("nocallback", Flag),
        ("nocapture", Flag),
        ("nocf_check", Flag),
        ("nocreateundeforpoison", Flag),
        ("nodivergencesource", Flag),
        ("noduplicate", Flag),
        ("noext", Flag),
        ("nofpclass", Words),
        ("nofree", Flag),
        ("noimplicitfloat", Flag),
        ("noinline", Flag),
        ("nomerge", Flag),
        ("nonlazybind", Flag),
        ("nonnull", Flag),
        ("nooutline", Flag),
        ("noprofile", Flag),
        ("norecurse", Flag),
        ("noredzone", Flag),
        ("noreturn", Flag),
        ("nosanitize_bounds", Flag),
        ("nosanitize_coverage", Flag),
        ("nosync", Flag),
        ("noundef", Flag),
        ("nounwind", Flag),
        ("null_pointer_is_valid", Flag),
        ("optdebug", Flag),
        ("optforfuzzing", Flag),
        ("optnone", Flag),
        ("optsize", Flag),
        ("preallocated", Type),
        ("presplitcoroutine", Flag),
        ("range", Range),
        ("readnone", OldMemory(0)),
        ("readonly", OldMemory(ALL_READ)),
        ("returned", Flag),
        ("returns_twice", Flag),
        ("safestack", Flag),
        ("sanitize_address", Flag),
        ("sanitize_alloc_token", Flag),
        ("sanitize_hwaddress", Flag),
        ("sanitize_memory", Flag),
        ("sanitize_memtag", Flag),
        ("sanitize_numerical_stability", Flag),
        ("sanitize_realtime", Flag),
        ("sanitize_realtime_blocking", Flag),
        ("sanitize_thread", Flag),
        ("sanitize_type", Flag),
        ("shadowcallstack", Flag),
        ("signext", Flag),
        ("skipprofile", Flag),
        ("speculatable", Flag),
        ("speculative_load_hardening", Flag),
        ("sret", Type),
        ("ssp", Flag),
        ("sspreq", Flag),
        ("sspstrong", Flag),
        ("strictfp", Flag),
        ("swiftasync", Flag),
        ("swifterror", Flag),
        ("swiftself", Flag),
        ("uwtable", MaybeWords),
        ("vscale_range", Words),
        ("willreturn", Flag),
        ("writable", Flag),
        ("writeonly", OldMemory(ALL_WRITE)),
        ("zeroext", Flag),
    ]
};

/// By the first letter: where its attributes start in the table; one entry more for the end.
const STARTS: [u8; 27] = {
    let mut starts = [TABLE.len() as u8; 27];
    let mut index = TABLE.len();
    while index > 0 {
        index -= 1;
        let mut letter = 0;
        while letter <= TABLE[index].0.as_bytes()[0] - b'a' {
            starts[letter as usize] = index as u8;
            letter += 1;
        }
    }
    starts
};

fn shape_of(word: &[u8]) -> Option<Shape> {
    let letter = word.first()?.wrapping_sub(b'a') as usize;
    let start = *STARTS.get(letter)?;
    let end = *STARTS.get(letter + 1)?;
    let rows = &TABLE[start.into()..end.into()];
    let found = rows.iter().find(|row| row.0.as_bytes() == word)?;
    Some(found.1)
}

/// Where attributes stand; old ones mean different things in different places.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// On a parameter or result; the pointee of a typed pointer.
    Param(Option<TypeId>),
    /// After the parameters of a function or the arguments of a call.
    Function,
    /// In `attributes #0 = {…}`.
    Group,
}

impl Reader<'_> {
    /// Attributes of a parameter, argument or result.
    pub(super) fn param_attributes(&mut self, pointee: Option<TypeId>) -> Parse<AttrSet> {
        // Most arguments have none, and none starts with a sigil.
        if !matches!(self.token.kind, TokenKind::Word | TokenKind::Text) {
            return Ok(self.module.attributes.empty_set);
        }
        let attributes = self.attributes(Position::Param(pointee))?;
        Ok(self.module.attributes.intern_set(&attributes))
    }

    /// Attributes of a function or call, groups included.
    pub(super) fn function_attributes(&mut self) -> Parse<AttrSet> {
        if !matches!(
            self.token.kind,
            TokenKind::Word | TokenKind::Text | TokenKind::Group
        ) {
            return Ok(self.module.attributes.empty_set);
        }
        let attributes = self.attributes(Position::Function)?;
        Ok(self.module.attributes.intern_set(&attributes))
    }

    /// Attributes of a function, and the alignment that is written among them.
    pub(super) fn head_attributes(&mut self) -> Parse<(AttrSet, Align)> {
        let set = self.function_attributes()?;
        let name = self.module.names.intern(b"align");
        let attributes = &mut self.module.attributes;
        let Some(Attribute::Int(_, bytes)) = attributes.find(set, name) else {
            return Ok((set, Align::NONE));
        };
        let rest: Vec<AttrId> = attributes
            .set(set)
            .iter()
            .copied()
            .filter(|&id| attributes.get(id) != Attribute::Int(name, bytes))
            .collect();
        let set = attributes.intern_set(&rest);
        Ok((set, Align::new(bytes).unwrap_or(Align::NONE)))
    }

    /// `attributes #0 = { … }`
    pub(super) fn attribute_group(&mut self) -> Parse<()> {
        let start = self.token.span.start;
        self.advance();
        let token = self.advance();
        if token.kind != TokenKind::Group {
            return Err(self.unexpected("the number of a group, `#0`"));
        }
        let number = self.number_of(token)?;
        self.expect(b'=')?;
        self.expect(b'{')?;
        let attributes = self.attributes(Position::Group)?;
        self.expect(b'}')?;
        if self.groups.places.insert(number, start) != Some(start) {
            self.groups.late |= self.groups.unknown.iter().any(|entry| entry.0 == number);
        }
        self.groups.sets.insert(number, attributes.into_vec());
        Ok(())
    }

    fn attributes(&mut self, position: Position) -> Parse<SmallVec<[AttrId; 16]>> {
        let mut attributes = SmallVec::new();
        let mut effects: Option<u16> = None;
        loop {
            match self.token.kind {
                TokenKind::Group if position == Position::Function => {
                    let token = self.advance();
                    let number = self.number_of(token)?;
                    match self.groups.sets.get(&number) {
                        Some(group) => attributes.extend_from_slice(group),
                        None => self.groups.unknown.push((number, token.span)),
                    }
                }
                TokenKind::Text => {
                    let key = self.expect_string()?;
                    let value = match self.accept(b'=') {
                        true => Some(self.expect_string()?),
                        false => None,
                    };
                    let attribute = Attribute::Text(key, value);
                    attributes.push(self.module.attributes.intern(attribute));
                }
                TokenKind::Word => {
                    let word = self.text();
                    let Some(shape) = shape_of(word) else {
                        break;
                    };
                    if let (Shape::OldMemory(_), Position::Param(_)) = (shape, position)
                        && !matches!(word, b"readnone" | b"readonly" | b"writeonly")
                    {
                        break;
                    }
                    if let (Shape::OldMemory(allowed), true) =
                        (shape, !matches!(position, Position::Param(_)))
                    {
                        self.advance();
                        effects = Some(effects.unwrap_or(EVERYTHING) & allowed);
                        continue;
                    }
                    if position == Position::Group && is_not_for_functions(word) {
                        let shown = String::from_utf8_lossy(word);
                        let message = format!("`{shown}` does not apply to functions");
                        let help = "groups hold attributes of functions";
                        return Err(self.fail(codes::IR_ATTRIBUTE, self.token.span, message, help));
                    }
                    let attribute = self.attribute(word, shape, position)?;
                    attributes.push(self.module.attributes.intern(attribute));
                }
                _ => break,
            }
        }
        if let Some(effects) = effects {
            let name = self.module.names.intern(b"memory");
            let words = self.module.names.intern(memory_words(effects).as_bytes());
            let attribute = Attribute::Words(name, words);
            attributes.push(self.module.attributes.intern(attribute));
        }
        Ok(attributes)
    }

    fn attribute(&mut self, word: &[u8], shape: Shape, position: Position) -> Parse<Attribute> {
        let name = self.module.names.intern(word);
        let span = self.advance().span;
        Ok(match shape {
            Shape::Flag if word == b"nocapture" => {
                let name = self.module.names.intern(b"captures");
                Attribute::Words(name, self.module.names.intern(b"none"))
            }
            Shape::Flag | Shape::OldMemory(_) => Attribute::Flag(name),
            Shape::Int | Shape::Align | Shape::StackAlign => {
                let what = "a number";
                let in_group = position == Position::Group && shape != Shape::Int;
                let bare = shape == Shape::Align && !self.token.is(b'(');
                let number = if in_group {
                    self.expect(b'=')?;
                    self.expect_number(what)?
                } else if bare {
                    self.expect_number(what)?
                } else {
                    self.expect(b'(')?;
                    let number = self.expect_number(what)?;
                    self.expect(b')')?;
                    number
                };
                if shape != Shape::Int && Align::new(number).is_none() {
                    return Err(self.fail(
                        codes::IR_NUMBER,
                        span,
                        format!("{number} is not an alignment"),
                        "alignments are powers of two up to 4294967296",
                    ));
                }
                Attribute::Int(name, number)
            }
            Shape::Type => {
                if self.accept(b'(') {
                    let ty = self.ty()?;
                    self.expect(b')')?;
                    return Ok(Attribute::Type(name, ty));
                }
                match position {
                    Position::Param(Some(pointee)) => Attribute::Type(name, pointee),
                    _ => return Err(self.unexpected("a type in parentheses")),
                }
            }
            Shape::MaybeWords if !self.token.is(b'(') => Attribute::Flag(name),
            Shape::Words | Shape::MaybeWords => {
                let mut words = self.words_in_parentheses()?;
                if matches!(word, b"allocsize" | b"vscale_range") {
                    // The two whose numbers LLVM writes without blanks.
                    words = words.replace(", ", ",");
                }
                if let Some(wrong) = wrong_words(word, &words) {
                    let shown = String::from_utf8_lossy(word);
                    let message = format!("`{shown}({words})` is not an attribute: it {wrong}");
                    let help = "LLVM's language reference lists what it may hold";
                    return Err(self.fail(codes::IR_ATTRIBUTE, span, message, help));
                }
                Attribute::Words(name, self.module.names.intern(words.as_bytes()))
            }
            Shape::Range => {
                self.expect(b'(')?;
                let ty = self.ty()?;
                let from = self.bound(ty)?;
                self.expect(b',')?;
                let to = self.bound(ty)?;
                self.expect(b')')?;
                Attribute::Range(ty, from, to)
            }
        })
    }

    /// A bound of `range(…)`: an integer that its type holds. (Other constants lose the bits that do not fit.)
    fn bound(&mut self, ty: TypeId) -> Parse<ConstId> {
        let span = self.token.span;
        let bits = match self.module.types.get(ty) {
            Type::Int(bits) => bits,
            _ => return Err(self.wrong_type(span, "an integer", ty)),
        };
        let (negative, words) = match (self.token.kind, self.text()) {
            (TokenKind::Int, digits) if digits.len() > MAX_DECIMAL_DIGITS => {
                return self.constant(ty);
            }
            (TokenKind::Int, [b'-', digits @ ..]) => (true, number::decimal_words(digits)),
            (TokenKind::Int, digits) => (false, number::decimal_words(digits)),
            (TokenKind::Word, word) if is_hex_int(word) => (false, number::hex_words(&word[3..])),
            _ => return Err(self.unexpected("an integer")),
        };
        let top = words.iter().rposition(|&word| word != 0);
        let length = top.map_or(0, |top| 64 * top as u32 + (64 - words[top].leading_zeros()));
        let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
        // The smallest number has one bit more than those of the other sign.
        let fits = match negative {
            true => length < bits || length == bits && ones == 1,
            false => length <= bits,
        };
        if !fits {
            let message = format!("the number needs more than {bits} bits");
            let help = "write a number that the type holds, or a wider type";
            return Err(self.fail(codes::IR_NUMBER, span, message, help));
        }
        self.constant(ty)
    }

    /// The tokens between parentheses, as LLVM spaces them.
    fn words_in_parentheses(&mut self) -> Parse<String> {
        let mut words = String::new();
        let mut depth = 0u32;
        loop {
            let text = String::from_utf8_lossy(self.text());
            let (before, after) = match self.token.kind {
                TokenKind::Punct(b'(') => {
                    depth += 1;
                    (depth > 1 && words.ends_with(','), false)
                }
                TokenKind::Punct(b')') => {
                    depth = depth.saturating_sub(1);
                    (false, false)
                }
                TokenKind::Punct(b',') => (false, false),
                TokenKind::Label => (true, true),
                TokenKind::End | TokenKind::Punct(b'{' | b'}') => {
                    return Err(self.unexpected("`)`"));
                }
                _ => (true, false),
            };
            if before && !words.is_empty() && !words.ends_with('(') {
                words.push(' ');
            }
            let outermost = depth == 0 || (depth == 1 && self.token.is(b'('));
            if !outermost {
                words.push_str(&text);
            }
            if after {
                words.push(':');
            }
            self.advance();
            if depth == 0 {
                return Ok(words);
            }
        }
    }
}

/// Effects on memory of a function, as attributes before LLVM 16 said them.
#[derive(Clone, Copy)]
pub(crate) struct MemoryEffects(u16);

impl MemoryEffects {
    /// What an attribute allows.
    pub(crate) fn of(word: &[u8]) -> MemoryEffects {
        MemoryEffects(match shape_of(word) {
            Some(Shape::OldMemory(allowed)) => allowed,
            _ => EVERYTHING,
        })
    }

    /// What `memory(…)` holds.
    pub(crate) fn words(self) -> String {
        memory_words(self.0)
    }
}

impl std::ops::BitAnd for MemoryEffects {
    type Output = MemoryEffects;

    fn bitand(self, other: MemoryEffects) -> MemoryEffects {
        MemoryEffects(self.0 & other.0)
    }
}

/// Effects on memory as `memory(…)` says them.
fn memory_words(effects: u16) -> String {
    const WORDS: [&str; 4] = ["none", "read", "write", "readwrite"];
    let word = |shift: u16| WORDS[usize::from(effects >> shift & 0b11)];
    let (arg, inaccessible, other) = (word(0), word(2), word(4));
    let mut parts = Vec::new();
    if other != "none" || (arg == other && inaccessible == other) {
        parts.push(other.to_owned());
    }
    if arg != other {
        parts.push(format!("argmem: {arg}"));
    }
    if inaccessible != other {
        parts.push(format!("inaccessiblemem: {inaccessible}"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn effects_in_words() {
        assert_eq!(memory_words(0), "none");
        assert_eq!(memory_words(ALL_READ), "read");
        assert_eq!(memory_words(ARG & ALL_READ), "argmem: read");
        assert_eq!(
            memory_words(ARG | INACCESSIBLE),
            "argmem: readwrite, inaccessiblemem: readwrite"
        );
    }
}
