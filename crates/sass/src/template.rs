//! Templates: the text of an instruction as nvdisasm prints it, with fields of the word in it.
//!
//! ```text
//!   IMAD<73.1=.U32|><74.1=|.X> {R16}, {R24 r122}, {R64 r124 -75}, {S32.32}<74:1=, {P87 !90}>
//! ```
//!
//! | notation | prints |
//! |---|---|
//! | `{R16}` | the register in the eight bits from 16 on; 255 is `RZ` |
//! | `{R24 r122 -72 \|73 ~74}` | with `.reuse` if bit 122, `-` if bit 72, bars if bit 73, `~` if bit 74 is set |
//! | `{UR32}` | the uniform register in six bits, from sm_100 on in eight; the last is `URZ` |
//! | `{UN32}` | the uniform register after that |
//! | `{P87 !90}` | the predicate in three bits; 7 is `PT`; `!` if bit 90 is set |
//! | `{UP87 !90}` | the uniform predicate |
//! | `{PI64 !67}`, `{UPI87 !90}` | a predicate counted from the last: 0 is `PT`, 1 is `P6` |
//! | `{B16}` | the convergence barrier in four bits; in six, other state of the warp by name too |
//! | `{M32.6}` | the set of bits: `{5,1,0}` |
//! | `{C38}` | `c[0x0][0x28]`: offset in 16 bits with a sign, bank in 5 from 54 on |
//! | `{C40*4 -63 \|62}` | the same counted in words: offset in 14 bits |
//! | `{CX38}`, `{CX40*4 -63 \|62}` | `cx[UR4][0x28]`: the same, but a uniform register at 32 |
//! | `{U72.8}` | an unsigned number, hexadecimal |
//! | `{S40.24}` | a signed number, hexadecimal |
//! | `{D40.8}` | an unsigned number, decimal |
//! | `{F32.32 f32}` | a floating-point number: `f16`, `bf16`, `f32`, `f64` (its upper half) |
//! | `{SR72.8}` | a special register by name |
//! | `{L34.48}` | the place that is so far after the next instruction, in bytes |
//! | `{L16.8~34.48*4}`, `{S…*4}` | the same counted in units of four; also for numbers |
//! | `<72.2=a\|b\|c\|?>` | one of these by the value of a field; `?` is not an instruction |
//! | `<74:1=…>` | something if a field has one of these values: `<74:1,3=…>` |
//! | `<81.3!7=…>` | something unless a field has this value |
//! | `<24.8!255=?>`, `<84.3:1,2=?>` | no instruction with (or without) these values |
//! | `<+=…>` | something that nvdisasm leaves out, in the full form only; may be missing in a text that is read |
//! | `\\\|` | a bar, which would end an alternative otherwise |
//! | `$size` | a part that several templates share |
//! | `$float_b` | an operand that depends on the third digit of the opcode |
//!
//! What stands in alternatives may have fields and alternatives itself. A field is [written](Field::parse) `72.2`.
//! Decoding prints a template; encoding matches a text against it, trying alternatives in order.

use crate::field::Field;
use crate::number::Format;
use crate::operand::Marks;

/// A piece of a template.
#[derive(Clone, PartialEq, Debug)]
pub enum Piece {
    /// Text.
    Text(&'static str),
    /// An operand or a part of one.
    Atom(Atom),
    /// One of these by the value of a field.
    Choice(Field, Choices),
    /// Something if the field has one of these values.
    If(Field, Vec<u64>, Vec<Piece>),
    /// Something unless the field has this value.
    Unless(Field, u64, Vec<Piece>),
    /// Something that nvdisasm leaves out.
    Hidden(Vec<Piece>),
    /// Unknown instruction.
    Never,
}

/// Alternatives by the value of a field.
#[derive(Clone, PartialEq, Debug)]
pub struct Choices {
    /// By value; `None` where there is no such instruction.
    bodies: Vec<Option<Vec<Piece>>>,
    /// Those that have a body, the one with the longest text first: an empty one goes with any text.
    by_length: Vec<Alternative>,
    /// Those of them that begin with no text.
    open: Vec<Alternative>,
    /// What the others begin with.
    starts: Starts,
    /// The bits of the field.
    mask: u128,
}

/// The bytes that texts begin with, as bits: most modifiers are not there, and are told to be not there by one look.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Starts {
    /// First bytes.
    first: u128,
    /// Second bytes where the first is a point.
    second: u128,
}

impl Starts {
    fn with(self, text: &str) -> Starts {
        let bit = |byte: u8| 1 << (byte & 127);
        match *text.as_bytes() {
            [b'.', second, ..] => Starts {
                second: self.second | bit(second),
                ..self
            },
            // A point alone goes with anything after it.
            [b'.'] => Starts {
                second: u128::MAX,
                ..self
            },
            [first, ..] => Starts {
                first: self.first | bit(first),
                ..self
            },
            [] => self,
        }
    }

    /// Whether one of the texts may begin with these bytes.
    fn may_be(self, next: [u8; 2]) -> bool {
        let (set, byte) = match next {
            [b'.', second] => (self.second, second),
            [first, _] => (self.first, first),
        };
        set >> (byte & 127) & 1 == 1
    }
}

/// An alternative as matching needs it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Alternative {
    /// The value of the field.
    value: u16,
    /// The text it begins with, if it begins with one.
    pub(crate) start: &'static str,
    /// The bits of the field.
    pub(crate) bits: u128,
}

impl Choices {
    fn new(field: Field, bodies: Vec<Option<Vec<Piece>>>) -> Choices {
        let mut by_length = Vec::new();
        for (value, body) in bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            let start = match body.first() {
                Some(Piece::Text(text)) => text,
                _ => "",
            };
            let value = value as u16;
            let bits = field.bits(value.into());
            let alternative = Alternative { value, start, bits };
            by_length.push((text_length(body), alternative));
        }
        by_length.sort_by_key(|(length, one)| (std::cmp::Reverse(*length), one.value));
        let by_length: Vec<Alternative> = by_length.into_iter().map(|(_, one)| one).collect();
        let is_open = |one: &&Alternative| one.start.is_empty();
        Choices {
            bodies,
            open: by_length.iter().filter(is_open).copied().collect(),
            starts: by_length
                .iter()
                .fold(Starts::default(), |starts, one| starts.with(one.start)),
            by_length,
            mask: field.mask(),
        }
    }

    /// The one for a value; nothing if there is no such instruction.
    pub fn body(&self, value: u64) -> Option<&[Piece]> {
        self.bodies.get(value as usize)?.as_deref()
    }

    /// All that are instructions, by value.
    pub fn each(&self) -> impl Iterator<Item = &[Piece]> {
        self.bodies.iter().flatten().map(Vec::as_slice)
    }

    /// All of them by value; nothing where there is no such instruction.
    pub(crate) fn all(&self) -> impl Iterator<Item = Option<&[Piece]>> {
        self.bodies.iter().map(Option::as_deref)
    }

    /// The bits of the field.
    pub(crate) fn mask(&self) -> u128 {
        self.mask
    }

    /// All that are instructions and can be where these bytes come next, the longest text first.
    pub(crate) fn where_next(&self, next: Option<[u8; 2]>) -> &[Alternative] {
        match next {
            Some(next) if !self.starts.may_be(next) => &self.open,
            _ => &self.by_length,
        }
    }

    /// What an alternative stands for.
    pub(crate) fn body_of(&self, alternative: &Alternative) -> &[Piece] {
        self.body(alternative.value.into()).unwrap_or(&[])
    }
}

/// How much text pieces have at least.
fn text_length(pieces: &[Piece]) -> usize {
    let each = |piece: &Piece| match piece {
        Piece::Text(text) => text.len(),
        Piece::Atom(_) => 1,
        _ => 0,
    };
    pieces.iter().map(each).sum()
}

/// The bits that say what stands around a register or predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signs {
    /// For each of [`Signs::MARKS`] its bit; 0 is none.
    bits: [u8; 5],
    /// What can stand around the operand.
    marks: Marks,
    /// All of the bits in a word.
    mask: u128,
}

impl Signs {
    /// How a mark is written in a template, and which it is.
    const MARKS: [(&str, Marks); 5] = [
        ("!", Marks::NOT),
        ("-", Marks::MINUS),
        ("~", Marks::TILDE),
        ("|", Marks::BARS),
        ("r", Marks::REUSE),
    ];

    /// With a bit for a mark; nothing if there is no such mark or bit.
    fn with(mut self, sign: &str, bit: u8) -> Option<Signs> {
        let at = Signs::MARKS.iter().position(|(text, _)| *text == sign)?;
        let slot = self.bits.get_mut(at)?;
        *slot = Some(bit).filter(|bit| (1..128).contains(bit))?;
        self.marks = self.marks.and(Signs::MARKS[at].1);
        self.mask |= 1 << bit;
        Some(self)
    }

    /// Each bit and what it stands for.
    pub fn each(&self) -> impl Iterator<Item = (u8, Marks)> {
        let marks = Signs::MARKS.iter().map(|(_, mark)| *mark);
        let all = self.bits.into_iter().zip(marks);
        all.filter(|(bit, _)| *bit != 0)
    }

    /// What can stand around the operand.
    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// The bit that keeps the operand in the operand cache, if it has one.
    pub(crate) fn reuse_bit(&self) -> Option<u8> {
        let [.., bit] = self.bits;
        (bit != 0).then_some(bit)
    }

    /// What stands around the operand in a word.
    pub(crate) fn get(&self, word: u128) -> Marks {
        // Most operands have no marks.
        if word & self.mask == 0 {
            return Marks::NONE;
        }
        let set = self.each().filter(|(bit, _)| word >> bit & 1 == 1);
        set.fold(Marks::NONE, |all, (_, mark)| all.and(mark))
    }

    /// The bits of marks.
    pub(crate) fn bits(&self, marks: Marks) -> u128 {
        if marks == Marks::NONE {
            return 0;
        }
        let set = self.each().filter(|(_, mark)| marks.has(*mark));
        set.fold(0, |bits, (bit, _)| bits | 1 << bit)
    }
}

/// What an operand or a part of one is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `R5`
    Register,
    /// `UR5`
    Uniform,
    /// `UR6` where the number is 5
    NextUniform,
    /// `P5`
    Predicate,
    /// `UP5`
    UniformPredicate,
    /// `P5` where the number is 2: counted from the last
    PredicateFromLast,
    /// `UP5` where the number is 2
    UniformPredicateFromLast,
    /// `c[0x0][0x28]`: the bank above 16 bits of offset
    Constant,
    /// `cx[UR4][0x28]`: the uniform register above 16 bits of offset
    Bindless,
    /// `B5`
    Barrier,
    /// `{5,1,0}`
    Set,
    /// `0x5`
    Unsigned,
    /// `-0x5`
    Signed,
    /// `5`
    Decimal,
    /// `5.5`
    Float(Format),
    /// `SR_TID.X`
    Special,
    /// A place in the code.
    Label,
}

impl Kind {
    /// The letters that stand for an operand of this kind.
    pub fn letter(self) -> &'static str {
        match self {
            Kind::Register => "R",
            Kind::Uniform | Kind::NextUniform => "UR",
            Kind::Predicate | Kind::PredicateFromLast => "P",
            Kind::UniformPredicate | Kind::UniformPredicateFromLast => "UP",
            Kind::Constant => "c[]",
            Kind::Bindless => "cx[]",
            Kind::Barrier => "B",
            Kind::Set => "set",
            Kind::Unsigned | Kind::Signed | Kind::Decimal => "number",
            Kind::Float(_) => "float",
            Kind::Special => "SR",
            Kind::Label => "place",
        }
    }
}

/// An operand or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom {
    /// What it is.
    pub kind: Kind,
    /// Where its number is.
    pub field: Field,
    /// What its number is multiplied by.
    pub scale: u8,
    /// What stands around it.
    pub signs: Signs,
    /// The bits it covers.
    pub mask: u128,
}

/// What parts of a template depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The first chip it is for.
    pub chip: u16,
    /// The third digit of the opcode, which says what the operands are.
    pub digit: u8,
}

impl Variant {
    /// How many bits a uniform register's number has.
    fn uniform_bits(self) -> u8 {
        if self.chip < 100 { 6 } else { 8 }
    }
}

/// Reads a template. The error says what is wrong and where.
pub fn read(text: &'static str, variant: Variant) -> Result<Vec<Piece>, String> {
    read_part(text, variant, 0)
}

fn read_part(text: &'static str, variant: Variant, depth: u32) -> Result<Vec<Piece>, String> {
    let mut reader = Reader {
        text,
        at: 0,
        variant,
    };
    let pieces = reader.pieces(depth)?;
    match reader.at == text.len() {
        true => Ok(pieces),
        false => Err(reader.error("a bracket is closed that was not opened")),
    }
}

struct Reader {
    text: &'static str,
    at: usize,
    variant: Variant,
}

/// The bytes that end plain text.
static ENDS_TEXT: [bool; 256] = {
    let mut ends = [false; 256];
    let mut at = 0;
    while at < 6 {
        ends[b"{<>|$\\"[at] as usize] = true;
        at += 1;
    }
    ends
};

/// Deeper alternatives are a mistake.
const DEEPEST: u32 = 12;

impl Reader {
    fn error(&self, what: &str) -> String {
        format!("{what} at {} of `{}`", self.at, self.text)
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Text up to one of these bytes.
    fn until(&mut self, ends: &[u8]) -> &'static str {
        let start = self.at;
        while self.next().is_some_and(|byte| !ends.contains(&byte)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn pieces(&mut self, depth: u32) -> Result<Vec<Piece>, String> {
        if depth > DEEPEST {
            return Err(self.error("alternatives are too deep"));
        }
        let mut found = Vec::new();
        loop {
            let start = self.at;
            while self
                .next()
                .is_some_and(|byte| !ENDS_TEXT[usize::from(byte)])
            {
                self.at += 1;
            }
            let text = &self.text[start..self.at];
            if !text.is_empty() {
                found.push(Piece::Text(text));
            }
            match self.next() {
                Some(b'{') => found.push(Piece::Atom(self.atom()?)),
                Some(b'<') => found.push(self.alternatives(depth)?),
                Some(b'$') => found.append(&mut self.part(depth)?),
                Some(b'\\') => found.push(Piece::Text(self.escaped()?)),
                _ => return Ok(found),
            }
        }
    }

    /// A byte that means itself: `\|`.
    fn escaped(&mut self) -> Result<&'static str, String> {
        let text = self.text.get(self.at + 1..self.at + 2);
        let text = text.ok_or_else(|| self.error("nothing follows `\\`"))?;
        self.at += 2;
        Ok(text)
    }

    /// `$name`
    fn part(&mut self, depth: u32) -> Result<Vec<Piece>, String> {
        self.at += 1;
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_');
        let name = &rest[..end.unwrap_or(rest.len())];
        let part = crate::parts::part(name, self.variant.chip)
            .or_else(|| crate::operands::part(name, self.variant.digit));
        let part = part.ok_or_else(|| self.error(&format!("no part is `{name}`")))?;
        self.at += name.len();
        read_part(part, self.variant, depth + 1)
    }

    fn atom(&mut self) -> Result<Atom, String> {
        self.at += 1;
        let inner = self.until(b"}");
        if self.next() != Some(b'}') {
            return Err(self.error("`{` is not closed"));
        }
        let atom = atom(inner, self.variant.uniform_bits())
            .ok_or_else(|| self.error(&format!("no operand is `{inner}`")))?;
        self.at += 1;
        Ok(atom)
    }

    fn alternatives(&mut self, depth: u32) -> Result<Piece, String> {
        self.at += 1;
        let head = self.until(b"=>");
        if self.next() != Some(b'=') {
            return Err(self.error("`<` has no `=`"));
        }
        self.at += 1;
        let mut bodies = Vec::new();
        loop {
            let illegal =
                self.text[self.at..].starts_with("?|") || self.text[self.at..].starts_with("?>");
            bodies.push(match illegal {
                true => {
                    self.at += 1;
                    None
                }
                false => Some(self.pieces(depth + 1)?),
            });
            match self.next() {
                Some(b'|') => self.at += 1,
                Some(b'>') => break,
                _ => return Err(self.error("`<` is not closed")),
            }
        }
        self.at += 1;
        if head == "+" {
            return match <[_; 1]>::try_from(bodies) {
                Ok([Some(body)]) => Ok(Piece::Hidden(body)),
                _ => Err(self.error("what is hidden has one body")),
            };
        }
        let bad = |this: &Reader| this.error(&format!("no field is `{head}`"));
        if let Some((field, values)) = head.split_once(':') {
            let field = Field::parse(field).ok_or_else(|| bad(self))?;
            let values: Option<Vec<u64>> = values.split(',').map(|v| v.parse().ok()).collect();
            let values = values.ok_or_else(|| bad(self))?;
            return match <[_; 1]>::try_from(bodies) {
                Ok([body]) => Ok(Piece::If(field, values, body.unwrap_or(vec![Piece::Never]))),
                _ => Err(self.error("a condition has one body")),
            };
        }
        if let Some((field, value)) = head.split_once('!') {
            let field = Field::parse(field).ok_or_else(|| bad(self))?;
            let value = value.parse().map_err(|_| bad(self))?;
            return match <[_; 1]>::try_from(bodies) {
                Ok([body]) => Ok(Piece::Unless(
                    field,
                    value,
                    body.unwrap_or(vec![Piece::Never]),
                )),
                _ => Err(self.error("a condition has one body")),
            };
        }
        let field = Field::parse(head).ok_or_else(|| bad(self))?;
        match bodies.len() as u64 == 1 << field.width().min(32) {
            true => Ok(Piece::Choice(field, Choices::new(field, bodies))),
            false => Err(self.error(&format!("{} alternatives of `{head}`", bodies.len()))),
        }
    }
}

/// The words for operands; the longer ones first.
const KINDS: [(&str, Kind, u8); 16] = [
    ("UPI", Kind::UniformPredicateFromLast, 3),
    ("PI", Kind::PredicateFromLast, 3),
    ("UN", Kind::NextUniform, 6),
    ("UR", Kind::Uniform, 6),
    ("UP", Kind::UniformPredicate, 3),
    ("SR", Kind::Special, 8),
    ("CX", Kind::Bindless, 0),
    ("C", Kind::Constant, 0),
    ("R", Kind::Register, 8),
    ("P", Kind::Predicate, 3),
    ("B", Kind::Barrier, 4),
    ("M", Kind::Set, 0),
    ("U", Kind::Unsigned, 0),
    ("S", Kind::Signed, 0),
    ("D", Kind::Decimal, 0),
    ("L", Kind::Label, 0),
];

fn atom(text: &str, uniform: u8) -> Option<Atom> {
    let mut words = text.split(' ');
    let first = words.next()?;
    let mut signs = Signs::default();
    if let Some(field) = first.strip_prefix('F') {
        let format = match words.next()? {
            "f16" => Format::F16,
            "bf16" => Format::Bf16,
            "f32" => Format::F32,
            "f64" => Format::F64,
            _ => return None,
        };
        let kind = Kind::Float(format);
        let field = Field::parse(field)?;
        return words
            .next()
            .is_none()
            .then(|| Atom::new(kind, field, 1, signs));
    }
    let letter = first.as_bytes().first();
    let mut kinds = KINDS.iter();
    let (word, kind, width) =
        kinds.find(|row| row.0.as_bytes().first() == letter && first.starts_with(row.0))?;
    let place = &first[word.len()..];
    let scaled = place.bytes().position(|byte| byte == b'*');
    let scaled = scaled.map(|at| (&place[..at], &place[at + 1..]));
    let (place, scale) = match scaled {
        Some((place, scale)) => (place, scale.parse().ok().filter(|scale| *scale > 0)?),
        None => (place, 1),
    };
    let width = match kind {
        Kind::Uniform | Kind::NextUniform => &uniform,
        _ => width,
    };
    // Registers have a width of their own.
    let is_whole = place.bytes().any(|byte| matches!(byte, b'.' | b'~'));
    let field = match (kind, is_whole, width) {
        (Kind::Constant, ..) => Field::of_two((place, offset_width(scale) as u8), (54, 5))?,
        (Kind::Bindless, ..) => Field::of_two((place, offset_width(scale) as u8), (32, uniform))?,
        (_, true, _) | (_, false, 0) => Field::parse(place)?,
        (_, false, width) => Field::from_bit(place, *width)?,
    };
    for word in words {
        let (sign, bit) = word.split_at_checked(1)?;
        signs = signs.with(sign, bit.parse().ok()?)?;
    }
    Some(Atom::new(*kind, field, scale, signs))
}

/// How many bits an offset in constant memory has: 16 that count bytes, fewer that count more.
fn offset_width(scale: u8) -> u32 {
    16 - scale.ilog2()
}

impl Atom {
    /// How many bits the offset of an operand in constant memory has.
    pub(crate) fn offset_width(&self) -> u32 {
        offset_width(self.scale)
    }

    fn new(kind: Kind, field: Field, scale: u8, signs: Signs) -> Atom {
        let mask = signs
            .each()
            .fold(field.mask(), |mask, (bit, _)| mask | 1 << bit);
        Atom {
            kind,
            field,
            scale,
            signs,
            mask,
        }
    }
}

/// Whether pieces exclude values by a condition: where it stands before the value, matching does not see it.
pub fn excludes(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Text(_) | Piece::Atom(_) | Piece::Never => false,
        Piece::If(_, _, body) => body.contains(&Piece::Never) || excludes(body),
        Piece::Choice(_, choices) => choices.each().any(excludes),
        Piece::Unless(_, _, body) | Piece::Hidden(body) => excludes(body),
    })
}

/// Whether an operand of pieces can stay in the operand cache.
pub fn reuses(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Text(_) | Piece::Never => false,
        Piece::Atom(atom) => atom.signs.marks().has(Marks::REUSE),
        Piece::Choice(_, choices) => choices.each().any(reuses),
        Piece::If(_, _, body) | Piece::Unless(_, _, body) | Piece::Hidden(body) => reuses(body),
    })
}

/// The bits that are an operand's in some alternative.
pub(crate) fn atom_mask(pieces: &[Piece]) -> u128 {
    let each = |piece: &Piece| match piece {
        Piece::Text(_) | Piece::Never => 0,
        Piece::Atom(atom) => atom.mask,
        Piece::Choice(_, choices) => choices.each().fold(0, |bits, body| bits | atom_mask(body)),
        Piece::If(_, _, body) | Piece::Unless(_, _, body) | Piece::Hidden(body) => atom_mask(body),
    };
    pieces.iter().fold(0, |bits, piece| bits | each(piece))
}

/// The bits by which pieces choose alternatives, whatever else they are.
pub(crate) fn choice_mask(pieces: &[Piece]) -> u128 {
    let each = |piece: &Piece| match piece {
        Piece::Text(_) | Piece::Never | Piece::Atom(_) => 0,
        Piece::Choice(field, choices) => {
            let bodies = choices.each();
            bodies.fold(field.mask(), |bits, body| bits | choice_mask(body))
        }
        Piece::If(_, _, body) | Piece::Unless(_, _, body) | Piece::Hidden(body) => {
            choice_mask(body)
        }
    };
    pieces.iter().fold(0, |bits, piece| bits | each(piece))
}

/// The bits that pieces cover.
pub fn mask(pieces: &[Piece]) -> u128 {
    let each = |piece: &Piece| match piece {
        Piece::Text(_) | Piece::Never => 0,
        Piece::Atom(atom) => atom.mask,
        Piece::Choice(field, choices) => {
            let bodies = choices.each();
            bodies.fold(field.mask(), |bits, body| bits | mask(body))
        }
        Piece::If(field, _, body) | Piece::Unless(field, _, body) => field.mask() | mask(body),
        Piece::Hidden(body) => mask(body),
    };
    pieces.iter().fold(0, |bits, piece| bits | each(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_read() {
        let variant = Variant { chip: 90, digit: 2 };
        let pieces = read(
            "MOV {R16}, <90.1=|.X>{R32 r123 -63 |62}<72:1,2=, {P87 !90}>",
            variant,
        )
        .unwrap();
        assert_eq!(pieces.len(), 6);
        let wanted = 0xff_u128 << 16 | 0xff << 32 | 1 << 123 | 3 << 62 | 0xf << 87 | 1 << 72;
        assert_eq!(mask(&pieces), wanted);
        for wrong in [
            "{R16",
            "{X16}",
            "<72.2=a|b>",
            "<72.1=a|b",
            "a>",
            "{R16 x3}",
            "<72.1>",
            "{S32.8*x}",
            "$nothing",
            "<+=a|b>",
        ] {
            assert!(read(wrong, variant).is_err(), "{wrong}");
        }
        assert!(read("$float_b", variant).is_ok());
        assert!(
            read(
                "$float_b",
                Variant {
                    digit: 0,
                    ..variant
                }
            )
            .is_err()
        );
        assert_eq!(
            read("<72.1=|\\|>", variant).map(|pieces| pieces.len()),
            Ok(1)
        );
    }
}
